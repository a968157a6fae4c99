// Words and numbers of a problem written as text.
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <vector>

#include "hardpan/solve/problem.h"

namespace hardpan::solve {

// Each throws IoError when it does not find what it looks for.
std::size_t read_count(std::istream& in);
double read_real(std::istream& in);  // hexadecimal floats too, inf, nan
void expect_word(std::istream& in, const char* expected);

// "cones N", then normal, first row, number of rows and mu of each. What they say is checked by the solver.
void write_cones(std::ostream& out, std::span<const Cone> cones);
std::vector<Cone> read_cones(std::istream& in);

}  // namespace hardpan::solve
