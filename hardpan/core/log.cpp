#include "hardpan/core/log.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
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
  std::string path;
};

Logger& logger() {
  static Logger instance;
  return instance;
}

constexpr const char* name_of(Level level) {
  switch (level) {
    case Level::info:
      return "info";
    case Level::note:
      return "note";
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
  if (!logger().file)
    throw IoError(fmt::format("{}: cannot open the log file for writing: {}", path, std::strerror(errno)));
  logger().path = path;
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
  const std::string line = fmt::format("{} {:7} {}\n", stamp, name_of(level), message);
  std::FILE* const file = logger().file.get();
  if (std::fwrite(line.data(), 1, line.size(), file) == line.size() && std::fflush(file) == 0) return;
  // A full disk: the work that is logged goes on without its log.
  const std::string complaint =
      fmt::format("{}: the log file cannot be written: {}", logger().path, std::strerror(errno));
  logger().file.reset();
  if (logger().sink) logger().sink(Level::warning, complaint);
}

}  // namespace hardpan::log
