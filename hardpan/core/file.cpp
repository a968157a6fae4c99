#include "hardpan/core/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hardpan/core/error.h"

namespace hardpan {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* what, int reason) {
  throw IoError(fmt::format("{}: {}: {}", path.string(), what, std::strerror(reason)));
}

// Writes everything or returns errno.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return;  // the file itself is safe; some file systems refuse this
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

std::string read_file(const std::filesystem::path& path, std::uint64_t limit) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) fail(path, "cannot be read", errno);
  struct stat info {};
  const bool is_known = ::fstat(descriptor, &info) == 0;
  if (is_known && S_ISDIR(info.st_mode)) {
    ::close(descriptor);
    fail(path, "cannot be read", EISDIR);
  }
  std::string text;
  if (is_known && S_ISREG(info.st_mode))  // growing would copy a large file several times
    text.reserve(std::min(limit, static_cast<std::uint64_t>(std::max<off_t>(info.st_size, 0))) + 1);
  char buffer[1 << 16];
  for (;;) {
    const ssize_t n = ::read(descriptor, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    const int reason = errno;
    if (n <= 0) {
      ::close(descriptor);
      if (n < 0) fail(path, "cannot be read", reason);
      return text;
    }
    text.append(buffer, static_cast<std::size_t>(n));
    if (text.size() > limit) {
      ::close(descriptor);
      throw IoError(fmt::format("{}: larger than the allowed {} bytes", path.string(), limit));
    }
  }
}

void write_file_atomically(const std::filesystem::path& path, std::string_view bytes) {
  std::filesystem::path temporary = path;
  temporary += ".tmp";
  const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (descriptor < 0) fail(temporary, "cannot be created", errno);
  int reason = write_all(descriptor, bytes);
  if (reason == 0 && ::fsync(descriptor) != 0) reason = errno;
  if (::close(descriptor) != 0 && reason == 0) reason = errno;
  if (reason == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) {
    ::unlink(temporary.c_str());
    fail(path, "cannot be written", reason);
  }
  sync_folder(path.parent_path());
}

AppendFile::AppendFile(const std::filesystem::path& path, std::uint64_t keep) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0) fail(path, "cannot be opened for writing", errno);
  struct stat info {};
  ::fstat(descriptor_, &info);
  const auto present = static_cast<std::uint64_t>(info.st_size);
  if (present < keep) {
    ::close(std::exchange(descriptor_, -1));
    throw IoError(
        fmt::format("{}: has {} bytes where {} are needed: the file was cut", path.string(), present, keep));
  }
  if (present > keep && ::ftruncate(descriptor_, static_cast<off_t>(keep)) != 0) {
    const int reason = errno;
    ::close(std::exchange(descriptor_, -1));
    fail(path, "cannot be cut back", reason);
  }
  size_ = keep;
}

AppendFile::~AppendFile() {
  if (descriptor_ < 0) return;
  write_all(descriptor_, buffer_);  // best effort: flush() is where failures are reported
  ::close(descriptor_);
}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(other.size_),
      buffer_(std::exchange(other.buffer_, {})) {}

AppendFile& AppendFile::operator=(AppendFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  std::swap(buffer_, other.buffer_);
  return *this;
}

void AppendFile::append(std::string_view text) {
  constexpr std::size_t limit = 1 << 16;
  if (buffer_.size() + text.size() > limit) flush();
  buffer_ += text;
}

void AppendFile::flush() {
  if (buffer_.empty()) return;
  const int reason = write_all(descriptor_, buffer_);
  if (reason != 0) {
    // Leave whole lines only: what was written of this buffer is taken back.
    if (::ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) static_cast<void>(0);
    fail(path_, "cannot be written", reason);
  }
  size_ += buffer_.size();
  buffer_.clear();
}

void AppendFile::sync() {
  flush();
  if (::fsync(descriptor_) != 0) fail(path_, "cannot be flushed to the disk", errno);
}

}  // namespace hardpan
