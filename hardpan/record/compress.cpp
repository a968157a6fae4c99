#include "hardpan/record/compress.h"

#include <array>

#include <zlib.h>

#include "hardpan/core/error.h"

namespace hardpan::record {
namespace {

constexpr int gzip_window = 15 + 16;  // zlib's way to ask for a gzip header

// Runs `step` until the stream ends, collecting what it puts out.
template <class Step>
std::string pump(z_stream& stream, std::string_view bytes, Step step) {
  std::string out;
  std::array<char, 1 << 16> buffer;
  int state = Z_OK;
  while (state == Z_OK) {
    // zlib counts in 32 bits.
    const std::size_t part = std::min<std::size_t>(bytes.size(), std::size_t{1} << 30);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(part);
    const bool is_last = part == bytes.size();
    do {
      stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
      stream.avail_out = static_cast<uInt>(buffer.size());
      state = step(is_last ? Z_FINISH : Z_NO_FLUSH);
      out.append(buffer.data(), buffer.size() - stream.avail_out);
    } while ((state == Z_OK || state == Z_BUF_ERROR) && stream.avail_out == 0);
    bytes.remove_prefix(part - stream.avail_in);
  }
  if (state != Z_STREAM_END) throw IoError("compressed data are damaged");
  return out;
}

}  // namespace

std::string gzip(std::string_view bytes, int level) {
  z_stream stream{};
  HARDPAN_CHECK(deflateInit2(&stream, level, Z_DEFLATED, gzip_window, 9, Z_DEFAULT_STRATEGY) == Z_OK, "zlib");
  std::string out = pump(stream, bytes, [&](int flush) { return deflate(&stream, flush); });
  deflateEnd(&stream);
  return out;
}

std::string gunzip(std::string_view bytes) {
  z_stream stream{};
  HARDPAN_CHECK(inflateInit2(&stream, gzip_window) == Z_OK, "zlib");
  struct End {
    z_stream& stream;
    ~End() { inflateEnd(&stream); }
  } end{stream};
  return pump(stream, bytes, [&](int) { return inflate(&stream, Z_NO_FLUSH); });
}

std::string base64(std::string_view bytes) {
  static constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t k) {
      return i + k < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[i + k])) : 0u;
    };
    const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (unsigned k = 0; k < 4; ++k) out += k <= bytes.size() - i ? letters[group >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

}  // namespace hardpan::record
