#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <thread>

#include <fmt/core.h>
#include <unistd.h>

#include "hardpan/app/browser.h"
#include "hardpan/app/commands.h"
#include "hardpan/app/process.h"
#include "hardpan/app/view_server.h"
#include "hardpan/core/file.h"
#include "hardpan/core/text.h"

namespace hardpan::app {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr int least_pixels = 16, most_pixels = 8192;

struct Size {
  int width = 0, height = 0;
};

// ---- What was asked for -------------------------------------------------------------------------------

Size parse_size(const std::string& text) {
  Size size;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width);
  const bool has_cross = width.ec == std::errc() && width.ptr != end && *width.ptr == 'x';
  const auto height = has_cross ? std::from_chars(width.ptr + 1, end, size.height) : width;
  const auto is_allowed = [](int pixels) { return pixels >= least_pixels && pixels <= most_pixels; };
  if (!has_cross || height.ec != std::errc() || height.ptr != end || !is_allowed(size.width) ||
      !is_allowed(size.height))
    throw InputError(fmt::format("--size: '{}' is not WIDTHxHEIGHT with {} to {} pixels each", text,
                                 least_pixels, most_pixels));
  return size;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// "1,2,3"; nothing when a word is no finite number.
std::optional<std::vector<double>> parse_numbers(const std::string& text) {
  std::vector<double> numbers;
  for (const std::string& word : split(text, ',')) {
    const auto number = parse_number(word);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

void require_range(const ShotArguments& arguments) {
  if (arguments.range.empty()) return;
  const auto ends = parse_numbers(arguments.range);
  if (!ends || ends->size() != 2 || !((*ends)[0] < (*ends)[1]))
    throw InputError(
        fmt::format("--range: '{}' is not LOW,HIGH: two numbers, the lower one first", arguments.range));
  if (arguments.field.empty()) throw InputError("--range: there is no --field whose colours it would be for");
}

void require_camera(const std::string& text) {
  for (const char* name : {"front", "side", "top", "iso"})
    if (text == name) return;
  const auto numbers = parse_numbers(text);
  if (!numbers || numbers->size() != 6)
    throw InputError(
        fmt::format("--camera: '{}' is neither front, side, top or iso, nor six numbers: px,py,pz,tx,ty,tz "
                    "(eye and target, m)",
                    text));
  if (std::equal(numbers->begin(), numbers->begin() + 3, numbers->begin() + 3))
    throw InputError("--camera: eye and target are the same point");
}

double chosen_time(const ShotArguments& arguments, RunView& run) {
  const auto times = run.times();
  if (!times) throw InputError(fmt::format("{}: has no frames to make a picture of", arguments.folder));
  if (!arguments.time) return times->high;
  const double time = *arguments.time;
  if (!std::isfinite(time)) throw InputError("--time: must be a finite number");
  if (time < times->low || time > times->high)
    throw InputError(fmt::format("--time: {} s is outside of the frames, which go from {} to {} s",
                                 shortest(time), shortest(times->low), shortest(times->high)));
  return time;
}

std::string percent_encoded(const std::string& text) {
  std::string out;
  for (unsigned char c : text)
    out += std::isalnum(c) || c == '-' || c == '_' || c == '.' ? std::string(1, static_cast<char>(c))
                                                               : fmt::format("%{:02X}", c);
  return out;
}

// ---- Waiting for it -----------------------------------------------------------------------------------

// Hands the picture from a thread of the server to the command; the first one counts.
class PictureBox {
 public:
  void put(Picture picture) {
    const std::lock_guard lock(mutex_);
    if (!picture_) picture_ = std::move(picture);
    arrived_.notify_all();
  }
  std::optional<Picture> wait(std::chrono::milliseconds patience) {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, patience, [&] { return picture_.has_value(); });
    return picture_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::optional<Picture> picture_;
};

// Where the browser keeps what it must keep; gone afterwards.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "hardpan-shot-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw IoError(fmt::format("{}: cannot be created", name));
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  // Children of the browser may write for a moment after it was ended.
  ~TemporaryFolder() {
    std::error_code error;
    for (int i = 0; i < 20; ++i) {
      fs::remove_all(path_, error);
      if (!error && !fs::exists(path_, error)) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// Drawn by software, as there may be no graphics card; nothing is fetched from elsewhere; pixels are those
// that were asked for.
std::vector<std::string> browser_call(const std::string& browser, const fs::path& profile, Size size,
                                      const std::string& address) {
  std::vector<std::string> call = {browser,
                                   "--headless",
                                   "--no-first-run",
                                   "--disable-quic",
                                   "--disable-background-networking",
                                   "--disable-component-update",
                                   "--disable-sync",
                                   "--hide-scrollbars",
                                   "--force-device-scale-factor=1",
                                   "--use-angle=swiftshader",
                                   "--enable-unsafe-swiftshader",
                                   "--user-data-dir=" + profile.string(),
                                   fmt::format("--window-size={},{}", size.width, size.height)};
  if (::geteuid() == 0) call.push_back("--no-sandbox");  // Chromium refuses to have one as root
  call.push_back(address);
  return call;
}

// The end of what the browser said, for the message.
std::string last_words(const fs::path& log) {
  constexpr std::size_t lines = 5;
  std::vector<std::string> said;
  try {
    for (std::string& line : split(read_file(log), '\n'))
      if (!line.empty()) said.push_back(std::move(line));
  } catch (const IoError&) {
  }
  if (said.empty()) return "";
  const std::size_t first = said.size() - std::min(lines, said.size());
  return "; it said:\n  " + join(std::span(said).subspan(first), "\n  ");
}

Picture wait_for_picture(PictureBox& box, Child& browser, const fs::path& log, double timeout) {
  const auto until = Clock::now() + std::chrono::duration<double>(timeout);
  for (;;) {
    const bool has_ended =
        browser.has_ended();  // asked first: its last act may have been to send the picture
    if (auto picture = box.wait(std::chrono::milliseconds(has_ended ? 0 : 50))) return *picture;
    if (has_ended) throw IoError("the browser ended without a picture" + last_words(log));
    if (Clock::now() > until)
      throw IoError(fmt::format("no picture came within {} s{}", shortest(timeout), last_words(log)));
    if (stop_requested()) return {};
  }
}

bool is_png(const std::string& bytes) { return bytes.starts_with("\x89PNG\r\n\x1a\n"); }

// A picture can be made again; another file may be somebody's work.
void require_picture_name(const fs::path& file) {
  if (file.extension() != ".png")
    throw InputError(fmt::format("--out: '{}' does not end in .png", file.string()));
  std::error_code error;
  if (!fs::exists(file, error)) return;
  if (!fs::is_regular_file(file, error) || !is_png(read_file(file)))
    throw InputError(fmt::format("--out: {}: is there and is no PNG: choose another name", file.string()));
}

}  // namespace

ExitCode shot_command(const ShotArguments& arguments) {
  RunView run{fs::path(arguments.folder)};
  require_pages();
  const Size size = parse_size(arguments.size);
  require_camera(arguments.camera);
  require_range(arguments);
  require_picture_name(arguments.out);
  const double time = chosen_time(arguments, run);
  const std::string program = find_chromium();

  PictureBox box;
  ServerOptions options;
  options.token = random_token();
  options.on_picture = [&](Picture picture) { box.put(std::move(picture)); };
  const ViewServer server(run, options);
  std::string address = fmt::format("http://127.0.0.1:{}/?token={}&shot=1#size={}x{}", server.port(),
                                    options.token, size.width, size.height);
  const auto add = [&](const char* key, const std::string& value) {
    if (!value.empty()) address += fmt::format("&{}={}", key, percent_encoded(value));
  };
  add("t", shortest(time));
  add("camera", arguments.camera);
  add("field", arguments.field);
  add("range", arguments.range);
  add("layers", arguments.layers);

  const TemporaryFolder profile;
  const fs::path log = profile.path() / "browser.log";
  Child browser(start(browser_call(program, profile.path(), size, address), log));
  const Picture picture = wait_for_picture(box, browser, log, arguments.timeout);
  if (stop_requested()) return ExitCode::interrupted;
  if (!picture.is_png) throw IoError(fmt::format("the page made no picture: {}", picture.bytes));
  if (!is_png(picture.bytes)) throw IoError("the browser sent something that is no PNG");
  write_file_atomically(arguments.out, picture.bytes);
  fmt::print("wrote {}\n", arguments.out);
  return ExitCode::done;
}

}  // namespace hardpan::app
