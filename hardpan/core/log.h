// One logger for the whole engine. Libraries never print: they log, and the program decides where it goes.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include <fmt/core.h>

namespace hardpan::log {

// A note is advice for people at a terminal; warnings and errors are shown even when they asked for quiet.
enum class Level { info, note, warning, error };

using Sink = std::function<void(Level, std::string_view)>;

// Replaces the sink (default: warnings and errors to standard error); returns the old one.
Sink set_sink(Sink sink);
// Also append every message, with its level, to this file. Throws IoError when it cannot be opened.
void set_file(const std::string& path);

void write(Level level, std::string_view message);

template <class... Args>
void info(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::info, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void note(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::note, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void warning(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::warning, fmt::format(format, std::forward<Args>(args)...));
}
template <class... Args>
void error(fmt::format_string<Args...> format, Args&&... args) {
  write(Level::error, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace hardpan::log
