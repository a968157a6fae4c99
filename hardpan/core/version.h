// What this program is: enough to decide whether a result can be continued bit for bit.
#pragma once

#include <string_view>

namespace hardpan {

std::string_view version();          // semantic version, "0.1.0"
std::string_view commit();           // git commit of the build, with "+changes" for a changed tree
std::string_view instruction_set();  // what the compiled arithmetic assumes, "x86-64"

}  // namespace hardpan
