// The server behind `hardpan view` and `hardpan shot`: shows one run to browsers, read-only.
//
//   GET  /, /page.js, /page.css            the page
//   GET  /api/run, /api/scene              JSON
//   GET  /api/series?from=&to=&points=     bundle {"panels"}; all optional
//   GET  /api/frame/N                      bundle {"stack"}
//   POST /api/picture                      image/png, or text/plain why there is none; only when asked for
//
// The table of addresses is fixed: none is ever made into the path of a file. Errors are {"error": "a
// sentence"}. There is no WebSocket: the page asks again now and then, and so there is nothing to keep open,
// no frames of any claimed length to read, and one kind of request to guard.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "hardpan/app/run_view.h"

namespace hardpan::app {

struct Picture {
  bool is_png = false;
  std::string bytes;  // PNG, or the reason why there is none
};

struct ServerOptions {
  std::string host = "127.0.0.1";  // address to listen at
  int port = 0;                    // 0: a free one
  std::string token;               // what a browser must bring; empty: nothing, and `host` is the loopback
  std::function<void(Picture)> on_picture = {};  // empty: pictures are not taken
};

class ViewServer {
 public:
  ViewServer(RunView& run, const ServerOptions& options);  // IoError when it cannot listen there
  ~ViewServer();
  ViewServer(const ViewServer&) = delete;
  ViewServer& operator=(const ViewServer&) = delete;

  int port() const;

  struct Implementation;

 private:
  std::unique_ptr<Implementation> implementation_;
};

bool is_loopback(const std::string& host);
std::string random_token();  // 128 bits, hexadecimal

}  // namespace hardpan::app
