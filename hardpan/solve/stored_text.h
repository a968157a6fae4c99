// Words and numbers of a problem written as text.
#pragma once

#include <cstddef>
#include <istream>
#include <string>

namespace hardpan::solve {

// Each throws IoError when it does not find what it looks for.
std::size_t read_count(std::istream& in);
double read_real(std::istream& in);  // hexadecimal floats too, inf, nan
void expect_word(std::istream& in, const char* expected);

}  // namespace hardpan::solve
