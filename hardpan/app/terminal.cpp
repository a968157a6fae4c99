#include "hardpan/app/terminal.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>

#include <fmt/core.h>
#include <unistd.h>

namespace hardpan::app {
namespace {

std::string text_of(const scenario::Progress& p) {
  const double share =
      p.steps > 0 ? 100.0 * static_cast<double>(p.step) / static_cast<double>(p.steps) : 100.0;
  return fmt::format("{}{:3.0f} %  step {}/{}  t {:.3f}/{:g} s  {:.3g} x real time  {} solver it.  {} left",
                     p.stage.empty() ? "" : "[" + p.stage + "] ", share, p.step, p.steps, p.time, p.end,
                     p.real_time_factor, p.iterations, duration(p.remaining));
}

}  // namespace

void print_to_stderr(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stderr) == text.size()) std::fflush(stderr);
}

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string for_shell(const std::string& word) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) || std::strchr("_./=:,+@%-", c); };
  if (!word.empty() && std::all_of(word.begin(), word.end(), is_plain)) return word;
  std::string quoted = "'";
  for (char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

ProgressLine::ProgressLine(Verbosity verbosity)
    : verbosity_(verbosity), terminal_(isatty(STDERR_FILENO) == 1), last_(std::chrono::steady_clock::now()) {}

void ProgressLine::show(const scenario::Progress& progress) {
  if (verbosity_ == Verbosity::quiet) return;
  const std::string text = text_of(progress);
  if (terminal_) {
    print_to_stderr(fmt::format("\r{:<{}}", text, shown_));
    shown_ = text.size();
    return;
  }
  // Piped: each tenth of the way, but no more often than every second, and at least every half minute.
  const int tenth = static_cast<int>(10 * progress.step / std::max<std::int64_t>(1, progress.steps));
  if (progress.stage != stage_) last_tenth_ = -1;
  stage_ = progress.stage;
  const auto now = std::chrono::steady_clock::now();
  const double waited = std::chrono::duration<double>(now - last_).count();
  if (waited < 1 || (tenth == last_tenth_ && waited < 30 && verbosity_ != Verbosity::verbose)) return;
  last_tenth_ = tenth;
  last_ = now;
  print_to_stderr(text + "\n");
}

void ProgressLine::clear() {
  if (!terminal_ || shown_ == 0) return;
  print_to_stderr(fmt::format("\r{:{}}\r", "", shown_));
  shown_ = 0;
}

}  // namespace hardpan::app
