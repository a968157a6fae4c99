// Collects complaints about a scenario, so that a user corrects many mistakes in one go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hardpan/core/error.h"

namespace hardpan::scenario {

class Report {
 public:
  static constexpr std::size_t limit = 20;

  void add(const SourceMark& mark, const std::string& path, const std::string& message);
  bool empty() const { return complaints_.empty(); }
  bool full() const { return complaints_.size() >= limit; }
  // One InputError with a line per complaint in the order of the file, if there is any.
  void throw_if_any();

 private:
  struct Complaint {
    SourceMark mark;
    std::string text;
  };
  std::vector<Complaint> complaints_;
};

// "no body named 'bobb' (did you mean 'bob'?); known: ..." with lists of sane length.
std::string unknown_name(std::string_view noun, const std::string& name, std::vector<std::string> known);

// "one, two, ..." of at most 20
std::string shortened_list(std::vector<std::string> words);

// "bodies" + "bob" -> "bodies.bob"
std::string child_path(const std::string& parent, std::string_view key);

}  // namespace hardpan::scenario
