#include "hardpan/app/view_server.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cstring>
#include <future>
#include <limits>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include <civetweb.h>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <sys/random.h>

#include "hardpan/core/error.h"
#include "hardpan/core/log.h"
#include "hardpan/core/text.h"
#include "hardpan/record/compress.h"
#include "hardpan/record/pages.h"

namespace hardpan::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr long long max_picture_bytes = 64ll << 20;
constexpr long long max_reason_bytes = 64ll << 10;

// Nothing from elsewhere, nothing inside other pages, no guessing of types, and no address given away.
constexpr const char* security_headers =
    "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
    "form-action 'none'\r\n"
    "X-Content-Type-Options: nosniff\r\n"
    "Cross-Origin-Resource-Policy: same-origin\r\n"
    "Referrer-Policy: no-referrer\r\n";

constexpr const char* json_type = "application/json";
constexpr const char* bundle_type = "application/octet-stream";

struct Answer {
  int status = 200;
  std::string type;
  std::string body;
  std::string headers;  // further ones, each with its line end
};

// Thrown while a request is looked at.
struct Refused {
  int status = 400;
  std::string reason;
  std::string headers = "";
};

Answer error_answer(const Refused& refused) {
  const Json json = {{"error", refused.reason}};
  return {refused.status, json_type, json.dump(-1, ' ', false, Json::error_handler_t::replace),
          refused.headers};
}

// ---- A request ----------------------------------------------------------------------------------------

struct Request {
  explicit Request(mg_connection* asking) : connection(asking), info(*mg_get_request_info(asking)) {
    path = info.request_uri ? info.request_uri : "";
    path = path.substr(0, path.find('?'));
    query = info.query_string ? info.query_string : "";
    method = info.request_method;
  }

  std::vector<std::string_view> headers(const char* name) const {
    std::vector<std::string_view> values;
    for (int i = 0; i < info.num_headers; ++i)
      if (mg_strcasecmp(info.http_headers[i].name, name) == 0) values.push_back(info.http_headers[i].value);
    return values;
  }
  // The only one of its name; "" without any. Two of a kind is how requests are smuggled.
  std::string_view header(const char* name) const {
    const auto values = headers(name);
    if (values.size() > 1) throw Refused{400, fmt::format("the header '{}' came twice", name)};
    return values.empty() ? "" : values[0];
  }
  std::optional<std::string> parameter(const char* name) const {
    std::string value(query.size() + 1, '\0');
    const int length = mg_get_var(query.data(), query.size(), name, value.data(), value.size());
    if (length < 0) return std::nullopt;
    value.resize(static_cast<std::size_t>(length));
    return value;
  }
  bool has_body() const {
    const std::string_view length = header("Content-Length");
    return (!length.empty() && length != "0") || !headers("Transfer-Encoding").empty();
  }

  // civetweb takes no more headers than it has room for, and none behind a line that begins with a blank (a
  // header folded over two lines) or with a lone CR. What it left out may be what we would refuse.
  bool has_all_headers() const {
    if (info.num_headers == 0) return true;
    if (info.num_headers == MG_MAX_HEADERS) return false;
    // It cuts the text of the request in place: behind the last value, the line end has become two zeros; the
    // empty line follows, and its LF, the end of it all, is a zero too. Lines that end in LF alone do not
    // pass.
    const char* value = info.http_headers[info.num_headers - 1].value;
    const char* rest = value + std::strlen(value);
    return rest[1] == '\0' && rest[2] == '\r' && rest[3] == '\0';
  }

  mg_connection* connection;
  const mg_request_info& info;
  std::string_view method, path, query;
};

std::optional<double> number(const Request& request, const char* name) {
  const auto text = request.parameter(name);
  if (!text) return std::nullopt;
  const auto value = parse_number(*text);
  if (!value) throw Refused{400, fmt::format("'{}' must be a finite number", name)};
  return value;
}

bool contains(std::string text, std::string_view word) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text.find(word) != text.npos;
}

// Takes as long for a wrong token as for the right one.
bool same_secret(std::string_view given, std::string_view expected) {
  if (given.size() != expected.size()) return false;
  unsigned char difference = 0;
  for (std::size_t i = 0; i < given.size(); ++i)
    difference = static_cast<unsigned char>(difference | (given[i] ^ expected[i]));
  return difference == 0;
}

// The value of NAME in "a=b; NAME=value; c=d".
std::string_view cookie(std::string_view cookies, const std::string& name) {
  while (!cookies.empty()) {
    std::string_view one = cookies.substr(0, cookies.find(';'));
    cookies.remove_prefix(std::min(one.size() + 1, cookies.size()));
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    if (one.starts_with(name + "=")) return one.substr(name.size() + 1);
  }
  return "";
}

bool write(mg_connection* connection, const std::string& bytes) {
  return bytes.empty() || mg_write(connection, bytes.data(), bytes.size()) == static_cast<int>(bytes.size());
}

// A client that takes nothing for the time limit of civetweb is given up, so that it holds no thread.
void send(mg_connection* connection, const Answer& answer) {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\n{}Content-Type: {}\r\nContent-Length: {}\r\n{}",
                                 answer.status, mg_get_response_code_text(connection, answer.status),
                                 security_headers, answer.type, answer.body.size(), answer.headers);
  // After an error nobody knows where the next request begins.
  if (answer.status >= 400) {
    mg_disable_connection_keep_alive(connection);
    text += "Connection: close\r\n";
  }
  text += "\r\n";
  if (!write(connection, text) || !write(connection, answer.body))
    mg_disable_connection_keep_alive(connection);
}

thread_local std::string first_complaint;  // of civetweb, while it starts

}  // namespace

// ---- The server ---------------------------------------------------------------------------------------

struct ViewServer::Implementation {
  RunView& run;
  ServerOptions options;
  std::atomic<int> port = 0;  // known a moment after the first request may come
  mg_context* context = nullptr;

  Implementation(RunView& shown, const ServerOptions& asked) : run(shown), options(asked) {}

  Answer answer(const Request& request) const;

 private:
  struct Route {
    std::string_view method, path;
    Answer (Implementation::*handler)(const Request&) const;
  };

  // Who is asking
  bool is_our_host(std::string_view host) const;
  void refuse_foreign(const Request& request) const;
  void refuse_upgrade(const Request& request) const;
  bool has_token(const Request& request) const;
  Answer let_in(const Request& request) const;

  // What is asked
  Answer dispatch(const Request& request) const;
  Answer viewer(const Request& r) const { return page(r, "text/html; charset=utf-8", record::pages::viewer); }
  Answer script(const Request& r) const { return page(r, "text/javascript", record::pages::script); }
  Answer style(const Request& r) const { return page(r, "text/css", record::pages::style); }
  Answer page(const Request& request, const char* type, std::string_view zipped) const;
  Answer data(const char* type, std::string body) const {
    return {200, type, std::move(body), "Cache-Control: no-store\r\n"};
  }
  Answer about_run(const Request&) const { return data(json_type, run.run()); }
  Answer scene(const Request&) const { return data(json_type, run.scene()); }
  Answer series(const Request& request) const;
  Answer frame(std::string_view number) const;
  Answer take_picture(const Request& request) const;
};

Answer ViewServer::Implementation::answer(const Request& request) const {
  try {
    if (!request.has_all_headers()) throw Refused{400, "the headers are too many, or not one per line"};
    refuse_foreign(request);
    refuse_upgrade(request);
    if (!options.token.empty() && (request.parameter("token") || !has_token(request))) return let_in(request);
    return dispatch(request);
  } catch (const Refused& refused) {
    return error_answer(refused);
  } catch (const std::exception& error) {
    log::info("{}: {}", request.path, error.what());
    return error_answer({500, error.what()});
  }
}

// ---- Who is asking ------------------------------------------------------------------------------------

bool ViewServer::Implementation::is_our_host(std::string_view host) const {
  for (const char* name : {"127.0.0.1", "localhost"})
    if (host == fmt::format("{}:{}", name, port.load()) || (port == 80 && host == name)) return true;
  return false;
}

// Other pages in the same browser reach this port too. The name they used gives away those that pointed a
// name of their own at this machine; Origin and Sec-Fetch-Site the rest. A link that leads here is welcome.
void ViewServer::Implementation::refuse_foreign(const Request& request) const {
  const std::string_view host = request.header("Host");
  // With a token the name need not be known: the browser gives the token away under the right one only.
  if (options.token.empty() && !is_our_host(host))
    throw Refused{403,
                  fmt::format("this viewer answers as 127.0.0.1:{0} or localhost:{0} only", port.load())};
  const std::string_view origin = request.header("Origin");
  if (!origin.empty() && origin != fmt::format("http://{}", host))
    throw Refused{403, "this viewer answers to its own page only"};
  const std::string_view site = request.header("Sec-Fetch-Site");
  if (request.path != "/" && (site == "cross-site" || site == "same-site"))
    throw Refused{403, "this viewer answers to its own page only"};
}

void ViewServer::Implementation::refuse_upgrade(const Request& request) const {
  for (std::string_view protocol : request.headers("Upgrade"))
    if (contains(std::string(protocol), "websocket")) throw Refused{400, "this viewer has no WebSocket"};
}

bool ViewServer::Implementation::has_token(const Request& request) const {
  constexpr std::string_view bearer = "Bearer ";
  const std::string_view authorization = request.header("Authorization");
  if (authorization.starts_with(bearer))
    return same_secret(authorization.substr(bearer.size()), options.token);
  // Cookies are shared by all ports of a host, hence the port in the name.
  return same_secret(cookie(request.header("Cookie"), fmt::format("hardpan_{}", port.load())), options.token);
}

// The token moves from the address, which people copy and browsers remember, to a cookie. A link in a mail or
// on another site leads here too, and browsers keep a Strict cookie back on the redirect that follows. Lax is
// enough: it lets other sites open GET / alone, and refuse_foreign keeps them from reading anything else.
Answer ViewServer::Implementation::let_in(const Request& request) const {
  const bool is_first_visit = request.method == "GET" && request.path == "/" && !request.has_body();
  if (!is_first_visit || !same_secret(request.parameter("token").value_or(""), options.token))
    throw Refused{403, "this viewer needs its access token: open the address that 'hardpan view' printed"};
  const char* rest = request.parameter("shot") == "1" ? "/?shot=1" : "/";
  return {303, "text/plain", "",
          fmt::format("Location: {}\r\nCache-Control: no-store\r\n"
                      "Set-Cookie: hardpan_{}={}; HttpOnly; SameSite=Lax; Path=/\r\n",
                      rest, port.load(), options.token)};
}

// ---- What is asked ------------------------------------------------------------------------------------

Answer ViewServer::Implementation::dispatch(const Request& request) const {
  using Self = Implementation;
  static constexpr Route routes[] = {{"GET", "/", &Self::viewer},
                                     {"GET", "/page.js", &Self::script},
                                     {"GET", "/page.css", &Self::style},
                                     {"GET", "/api/run", &Self::about_run},
                                     {"GET", "/api/scene", &Self::scene},
                                     {"GET", "/api/series", &Self::series},
                                     {"POST", "/api/picture", &Self::take_picture}};
  constexpr std::string_view frames = "/api/frame/";
  const auto require = [&](std::string_view method) {
    if (request.method != method)
      throw Refused{405, fmt::format("only {} is allowed here", method),
                    fmt::format("Allow: {}\r\n", method)};
    if (method == "GET" && request.has_body()) throw Refused{413, "a GET request has no body here"};
  };
  if (request.path.starts_with(frames)) {
    require("GET");
    return frame(request.path.substr(frames.size()));
  }
  for (const Route& route : routes)
    if (request.path == route.path && (route.method == "GET" || options.on_picture)) {
      require(route.method);
      return (this->*route.handler)(request);
    }
  throw Refused{404, "there is nothing at this address"};
}

Answer ViewServer::Implementation::page(const Request& request, const char* type,
                                        std::string_view zipped) const {
  const std::string caching = "Cache-Control: no-cache\r\nVary: Accept-Encoding\r\n";
  if (contains(std::string(request.header("Accept-Encoding")), "gzip"))
    return {200, type, std::string(zipped), caching + "Content-Encoding: gzip\r\n"};
  return {200, type, record::gunzip(zipped), caching};
}

Answer ViewServer::Implementation::series(const Request& request) const {
  const double points = std::clamp(number(request, "points").value_or(2000), 100.0, 20'000.0);
  const auto from = number(request, "from"), to = number(request, "to");
  std::optional<record::Interval> range;
  if (from || to) {
    constexpr double far = std::numeric_limits<double>::max();
    range = {from.value_or(-far), to.value_or(far)};
    if (!(range->low < range->high)) throw Refused{400, "'from' must be less than 'to'"};
  }
  return data(bundle_type, run.series(static_cast<std::size_t>(points), range));
}

Answer ViewServer::Implementation::frame(std::string_view text) const {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) throw Refused{404, "there is no such frame: they have numbers"};
  auto bundle = run.frame(number);
  if (!bundle) throw Refused{404, fmt::format("there is no frame {}", number)};
  return data(bundle_type, std::move(*bundle));
}

Answer ViewServer::Implementation::take_picture(const Request& request) const {
  const std::string_view type = request.header("Content-Type");
  const bool is_png = type == "image/png";
  if (!is_png && !type.starts_with("text/plain"))
    throw Refused{415, "a picture is image/png, or text/plain saying why there is none"};
  const long long size = request.info.content_length;
  if (size < 0 || !request.headers("Transfer-Encoding").empty())
    throw Refused{411, "the length of a picture must be given"};
  const long long limit = is_png ? max_picture_bytes : max_reason_bytes;
  if (size > limit) throw Refused{413, fmt::format("at most {} bytes are taken", limit)};
  Picture picture{is_png, std::string(static_cast<std::size_t>(size), '\0')};
  for (std::size_t have = 0; have < picture.bytes.size();) {
    const int n = mg_read(request.connection, picture.bytes.data() + have, picture.bytes.size() - have);
    if (n <= 0) throw Refused{400, "the picture was cut short"};
    have += static_cast<std::size_t>(n);
  }
  options.on_picture(std::move(picture));
  return data(json_type, "{}");
}

// ---- civetweb -----------------------------------------------------------------------------------------

namespace {

// The threads of civetweb have stacks of 100 kB, too small to read files and HDF5 on; ours are of the usual
// size.
Answer answer_on_large_stack(mg_connection* connection) {
  const auto& server = *static_cast<const ViewServer::Implementation*>(mg_get_user_context_data(connection));
  try {
    return std::async(std::launch::async, [&] { return server.answer(Request(connection)); }).get();
  } catch (const std::system_error&) {
    return error_answer({503, "the system has no thread left for this"});
  }
}

// Called before civetweb looks for files, handlers or WebSockets; as every request is answered here, it never
// does.
int on_request(mg_connection* connection) {
  const Answer answer = answer_on_large_stack(connection);
  send(connection, answer);
  return answer.status;
}

// What civetweb refuses before it is a request to us: malformed, too long, of another version.
int on_error(mg_connection* connection, int status, const char*) {
  send(connection, error_answer({status, mg_get_response_code_text(connection, status)}));
  return 0;
}

int on_message(const mg_connection*, const char* message) {
  if (first_complaint.empty()) first_complaint = message;
  log::info("server: {}", message);
  return 1;
}

std::string reason_of(const std::string& complaint) {
  if (complaint.find("already in use") != complaint.npos)
    return "the port is in use; without --port a free one is taken";
  if (complaint.find("denied") != complaint.npos)
    return "the system allows this port to its administrator only";
  if (complaint.find("assign") != complaint.npos || complaint.find("invalid port spec") != complaint.npos)
    return "this machine has no such address";
  return complaint;
}

}  // namespace

ViewServer::ViewServer(RunView& run, const ServerOptions& options)
    : implementation_(std::make_unique<Implementation>(run, options)) {
  HARDPAN_CHECK(!options.token.empty() || is_loopback(options.host), "a viewer for others needs a token");
  mg_callbacks callbacks{};
  callbacks.begin_request = on_request;
  callbacks.http_error = on_error;
  callbacks.log_message = on_message;
  const std::string listening = fmt::format("{}:{}", options.host, options.port);
  // clang-format off
  const char* settings[] = {
      "listening_ports", listening.c_str(),
      "num_threads", "32",
      "max_request_size", "16384",
      "request_timeout_ms", "5000",
      "enable_keep_alive", "yes",
      "tcp_nodelay", "1",
      "decode_url", "no",
      "cgi_pattern", "",
      "ssi_pattern", "",
      "enable_directory_listing", "no",
      "access_control_allow_origin", "",
      nullptr};
  // clang-format on
  mg_init_library(MG_FEATURES_DEFAULT);
  first_complaint.clear();
  implementation_->context = mg_start(&callbacks, implementation_.get(), settings);
  mg_server_port port{};
  if (implementation_->context && mg_get_server_ports(implementation_->context, 1, &port) == 1) {
    implementation_->port = port.port;
    return;
  }
  mg_stop(implementation_->context);
  mg_exit_library();
  throw IoError(fmt::format("cannot listen at {}: {}", listening, reason_of(first_complaint)));
}

// civetweb notices only every two seconds that it is to stop, unless somebody calls.
ViewServer::~ViewServer() {
  std::atomic<bool> has_stopped = false;
  std::thread caller([&] {
    while (!has_stopped) {
      char ignored[64];
      mg_connection* call =
          mg_connect_client(implementation_->options.host.c_str(), port(), 0, ignored, sizeof ignored);
      if (call) mg_close_connection(call);
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  });
  mg_stop(implementation_->context);
  has_stopped = true;
  caller.join();
  mg_exit_library();
}

int ViewServer::port() const { return implementation_->port; }

bool is_loopback(const std::string& host) { return host == "127.0.0.1" || host == "localhost"; }

std::string random_token() {
  unsigned char bytes[16];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    throw IoError("the system gives no random numbers for an access token");
  std::string token;
  for (unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace hardpan::app
