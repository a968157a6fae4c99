#include "hardpan/record/curves_section.h"

#include <span>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/record/frame_bundle.h"
#include "hardpan/record/html.h"
#include "hardpan/record/page.h"
#include "hardpan/record/run_folder.h"

namespace hardpan::record {

Curves::Curves(std::vector<Panel> panels, bool with_script, std::size_t bundle_bytes, std::size_t svg_bytes)
    : panels_(std::move(panels)), with_script_(with_script) {
  if (with_script)
    limits_ = fit_curves(panels_, bundle_bytes);
  else
    svg_ = fit_svg(panels_, svg_bytes, limits_.panels);
}

std::string Curves::section(std::string_view remark) const {
  std::string out = remark.empty() ? "" : html::note(remark);
  if (panels_.empty()) out += html::note("No curves have been recorded.");
  if (limits_.panels < panels_.size())
    out += html::note(fmt::format("The first {} of {} panels; the others are in {}.", limits_.panels,
                                  panels_.size(), series_name));
  if (with_script_)
    out += waiting_note() + "<div class=\"charts\"></div>\n";
  else if (!panels_.empty())
    out += svg_;
  return html::section("curves", "Curves", out);
}

nlohmann::ordered_json Curves::add_to(Bundle& bundle) const {
  return add_panels(bundle, std::span(panels_).first(limits_.panels), limits_.points);
}

}  // namespace hardpan::record
