#include <algorithm>
#include <cctype>
#include <chrono>
#include <thread>

#include <fmt/core.h>
#include <unistd.h>

#include "hardpan/app/browser.h"
#include "hardpan/app/commands.h"
#include "hardpan/app/view_server.h"
#include "hardpan/record/pages.h"

namespace hardpan::app {
namespace {

// Also keeps lists and options of the server's library out.
void require_address(const std::string& host) {
  const bool is_plain = !host.empty() && std::all_of(host.begin(), host.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '-';
  });
  if (!is_plain)
    throw InputError(fmt::format("--host: '{}' is no IPv4 address or name of this machine", host));
}

// What others type to get here: a wildcard is no address.
std::string reachable(const std::string& host) {
  if (host != "0.0.0.0") return host;
  char name[256] = "";
  return ::gethostname(name, sizeof name - 1) == 0 && *name ? name : host;
}

}  // namespace

ExitCode view_command(const ViewArguments& arguments) {
  RunView run{std::filesystem::path(arguments.folder)};
  require_pages();
  require_address(arguments.host);
  ServerOptions options;
  options.host = arguments.host == "localhost" ? "127.0.0.1" : arguments.host;
  options.port = arguments.port;
  if (!is_loopback(options.host)) options.token = random_token();
  const ViewServer server(run, options);
  const std::string address = fmt::format("http://{}:{}/{}", reachable(options.host), server.port(),
                                          options.token.empty() ? "" : "?token=" + options.token);
  fmt::print("viewing {} at {} (Ctrl-C ends)\n", arguments.folder, address);
  std::fflush(stdout);
  if (!arguments.no_open) open_in_browser(address);
  while (!stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return ExitCode::done;
}

void require_pages() {
  if (!record::pages::built())
    throw InputError(
        "this program was built without its pages for browsers: install nodejs and npm and build it again");
}

}  // namespace hardpan::app
