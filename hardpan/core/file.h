// Files that survive a kill. A file is written under a temporary name, flushed to the disk and renamed, so
// that a reader sees all of it or nothing. Every failure is an IoError that names the file and the reason.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace hardpan {

// The whole file; IoError when it cannot be read or is larger than `limit` bytes.
std::string read_file(const std::filesystem::path& path, std::uint64_t limit = std::uint64_t{1} << 40);

// Write PATH.tmp, fsync, rename to PATH, fsync the folder.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// A file that only grows, for tables and indexes.
class AppendFile {
 public:
  AppendFile() = default;
  // Opens or creates; cuts the file to `keep` bytes first.
  AppendFile(const std::filesystem::path& path, std::uint64_t keep);
  ~AppendFile();
  AppendFile(AppendFile&& other) noexcept;
  AppendFile& operator=(AppendFile&& other) noexcept;

  // Buffered; a line is never split between two writes to the disk unless it exceeds the buffer.
  void append(std::string_view text);
  void flush();  // hand over to the operating system: readers see it
  void sync();   // flush and fsync: it survives a power cut
  // Bytes appended so far, buffered ones included.
  std::uint64_t size() const { return size_ + buffer_.size(); }
  bool open() const { return descriptor_ >= 0; }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::string buffer_;
};

}  // namespace hardpan
