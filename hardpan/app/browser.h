// The person's browser, and a headless one that makes pictures.
#pragma once

#include <string>

namespace hardpan::app {

// Opens the address in whatever browser the person uses, when there is a screen; failing that, nothing.
void open_in_browser(const std::string& address);

// The headless browser: $HARDPAN_BROWSER, or the first one found in PATH. InputError with what to do when
// none is there.
std::string find_chromium();

}  // namespace hardpan::app
