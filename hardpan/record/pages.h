// What a browser needs, bundled from web/ when the program was built: gzip-compressed. All empty when that
// happened without Node.js; then reports hold curves as SVG and there is no viewer.
#pragma once

#include <string_view>

namespace hardpan::record::pages {

extern const std::string_view script;  // page.js: viewer and report
extern const std::string_view style;   // page.css
extern const std::string_view viewer;  // viewer.html

inline bool built() { return !script.empty(); }

}  // namespace hardpan::record::pages
