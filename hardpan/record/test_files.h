// Shared by the tests of this module only.
#pragma once

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "hardpan/core/log.h"
#include "hardpan/record/run_reader.h"
#include "hardpan/record/run_writer.h"

namespace hardpan::record::testing {

// A folder of its own for each test, removed afterwards; warnings are collected instead of printed.
class RecordTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    base_ = std::filesystem::temp_directory_path() /
            ("hardpan-" + std::string(info->name()) + std::to_string(::getpid()));
    std::filesystem::create_directories(base_);
    run_ = base_ / "run";
    old_sink_ = log::set_sink([this](log::Level level, std::string_view message) {
      if (level == log::Level::warning) warnings_.emplace_back(message);
    });
  }
  void TearDown() override {
    log::set_sink(old_sink_);
    std::filesystem::remove_all(base_);
  }

  std::filesystem::path base_, run_;
  std::vector<std::string> warnings_;

 private:
  log::Sink old_sink_;
};

inline RunIdentity identity() { return {"hardpan: 1\n", "00112233", "0.1.0", "x86-64"}; }

inline std::vector<Column> columns() { return {{"time", "s"}, {"bob.position.x", "m"}}; }

// Some state that depends on the step.
inline Archive state(std::int64_t step, std::size_t bodies = 2) {
  Archive archive;
  std::vector<double> position(3 * bodies), orientation(4 * bodies);
  for (std::size_t i = 0; i < position.size(); ++i)
    position[i] = std::sin(static_cast<double>(step)) + static_cast<double>(i);
  for (std::size_t i = 0; i < orientation.size(); i += 4) orientation[i] = 1;
  archive.put("bodies/position", position, {bodies, 3}, "m");
  archive.put("bodies/orientation", orientation, {bodies, 4});
  archive.put("counter", step);
  return archive;
}

inline void row(RunWriter& writer, std::int64_t step) {
  writer.series_row(std::vector<double>{0.1 * static_cast<double>(step), static_cast<double>(step)});
}

inline void frame(RunWriter& writer, std::int64_t step) {
  writer.frame(0.1 * static_cast<double>(step), step, state(step));
}

inline void checkpoint(RunWriter& writer, std::int64_t step) {
  const Archive archive = state(step);
  writer.checkpoint(0.1 * static_cast<double>(step), step, archive.hash(), archive);
}

// Steps first..last, each with a row and a frame; a checkpoint every 10.
inline void simulate(RunWriter& writer, std::int64_t first, std::int64_t last) {
  for (std::int64_t step = first; step <= last; ++step) {
    row(writer, step);
    frame(writer, step);
    if (step % 10 == 0) checkpoint(writer, step);
  }
}

inline void write_plainly(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

template <class Error, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing thrown";
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

}  // namespace hardpan::record::testing
