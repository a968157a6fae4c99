#include "hardpan/core/log.h"

#include <cstdio>
#include <ctime>
#include <memory>
#include <mutex>
#include <utility>

#include "hardpan/core/error.h"

namespace hardpan::log {
namespace {

void to_standard_error(Level level, std::string_view message) {
  if (level < Level::warning) return;
  fmt::print(stderr, "{}: {}\n", level == Level::warning ? "warning" : "error", message);
}

struct Logger {
  std::mutex mutex;
  Sink sink = to_standard_error;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{nullptr, std::fclose};
};

Logger& logger() {
  static Logger instance;
  return instance;
}

constexpr const char* name_of(Level level) {
  switch (level) {
    case Level::debug:
      return "debug";
    case Level::info:
      return "info";
    case Level::warning:
      return "warning";
    case Level::error:
      return "error";
  }
  return "?";
}

}  // namespace

Sink set_sink(Sink sink) {
  const std::lock_guard lock(logger().mutex);
  return std::exchange(logger().sink, std::move(sink));
}

void set_file(const std::string& path) {
  const std::lock_guard lock(logger().mutex);
  logger().file.reset(std::fopen(path.c_str(), "a"));
  if (!logger().file) throw IoError(fmt::format("{}: cannot open the log file for writing", path));
}

void write(Level level, std::string_view message) {
  const std::lock_guard lock(logger().mutex);
  if (logger().sink) logger().sink(level, message);
  if (!logger().file) return;
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char stamp[32];
  std::strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%SZ", &utc);
  fmt::print(logger().file.get(), "{} {:7} {}\n", stamp, name_of(level), message);
  std::fflush(logger().file.get());
}

}  // namespace hardpan::log
