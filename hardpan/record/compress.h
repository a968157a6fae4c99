// gzip and base64: how pages hold data. (zlib's only user.)
#pragma once

#include <string>
#include <string_view>

namespace hardpan::record {

std::string gzip(std::string_view bytes, int level = 6);  // 1 fast to 9 small; the same bytes every time
std::string gunzip(std::string_view bytes);               // IoError when they are no gzip
std::string base64(std::string_view bytes);

}  // namespace hardpan::record
