// The curves of a page: panels within a budget, drawn by the script from a bundle, or here as SVG.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "hardpan/record/bundle.h"
#include "hardpan/record/page_data.h"
#include "hardpan/record/svg.h"

namespace hardpan::record {

class Curves {
 public:
  Curves(std::vector<Panel> panels, bool with_script, std::size_t bundle_bytes, std::size_t svg_bytes);

  // <section id="curves">, with a place for the charts of the script (<div class="charts">).
  std::string section(std::string_view remark = "") const;
  // The "panels" of the head.
  nlohmann::ordered_json add_to(Bundle& bundle) const;

 private:
  std::vector<Panel> panels_;
  bool with_script_;
  CurveLimits limits_;
  std::string svg_;
};

}  // namespace hardpan::record
