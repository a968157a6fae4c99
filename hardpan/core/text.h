// Small text helpers: shortest numbers that read back to the same bits, and "did you mean".
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hardpan {

// Shortest decimal that reads back to the same double ("0.1", "1e-05", "nan").
std::string shortest(double value);

// The whole text as a finite number, or nothing. Accepts what YAML and JSON call a number ("1", "-2.5e-3",
// "1.").
std::optional<double> parse_number(std::string_view text);

// The candidate nearest to `word` by edit distance (swaps count one), if near enough to be a likely typo.
std::optional<std::string> closest(std::string_view word, std::span<const std::string> candidates);

// " (did you mean 'radius'?)" or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// "a, b, c"
std::string join(std::span<const std::string> words, std::string_view separator = ", ");

}  // namespace hardpan
