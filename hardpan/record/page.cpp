#include "hardpan/record/page.h"

#include <fmt/core.h>

#include "hardpan/core/version.h"
#include "hardpan/record/compress.h"
#include "hardpan/record/html.h"
#include "hardpan/record/pages.h"

namespace hardpan::record {
namespace {

// The variables are those of web/src/style.css.
constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --bg: #fbfbfa; --panel: #ffffff; --text: #1f2328; --muted: #646b73; --line: #dfe1e4;
  --accent: #0060a0; --good: #1a6b3c; --bad: #b3261e }
@media (prefers-color-scheme: dark) { :root:not(.printing) { --bg: #15181c; --panel: #1d2126; --text: #e3e5e8; --muted: #9aa2ab;
  --line: #343a41; --accent: #6cb6f0; --good: #6cc08b; --bad: #f2857c } }
* { box-sizing: border-box }
[hidden] { display: none !important }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1rem 4rem; background: var(--bg); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
h1 { margin: 0 0 .4rem; font-size: 1.7rem; line-height: 1.25 }
h2 { margin: 2.4rem 0 .6rem; font-size: 1.15rem }
h3 { margin: 1.2rem 0 .4rem; font-size: 1rem }
.verdict { margin: 0 0 1rem; font-weight: 600 }
.good { color: var(--good) } .bad { color: var(--bad) } .muted, .note { color: var(--muted) }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.2rem; margin: 0; font-size: .9rem }
.facts dt { color: var(--muted) } .facts dd { margin: 0 }
.scroll { overflow-x: auto; margin-bottom: 1.2rem }
table { border-collapse: collapse; min-width: min(100%, 36rem); font-size: .9rem; font-variant-numeric: tabular-nums;
  overflow-wrap: break-word }
th, td { padding: .3rem .8rem .3rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
thead th { color: var(--muted); font-weight: 500 } tbody th { font-weight: 400 }
th.n, td.n { text-align: right; white-space: nowrap; overflow-wrap: normal }
td small { display: block; color: var(--muted) } .whole { white-space: nowrap }
.bar { display: inline-block; width: 10rem; height: .6rem; background: var(--line); vertical-align: middle }
.bar > i { display: block; height: 100%; background: var(--accent) }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .85rem }
pre { margin: .4rem 0 1rem; padding: .7rem .9rem; background: var(--panel); border: 1px solid var(--line);
  border-radius: 4px; overflow-x: auto; white-space: pre-wrap }
summary { cursor: pointer; color: var(--accent) }
figure { margin: 0 } figcaption { margin-top: .4rem; color: var(--muted); font-size: .9rem }
#replay .stage { aspect-ratio: 16 / 9; background: var(--panel); border: 1px solid var(--line); border-radius: 4px }
#curves > svg, figure > svg { max-width: 100%; height: auto; border-radius: 4px }
footer { margin-top: 3rem; color: var(--muted); font-size: .85rem }
@media print {
  :root { color-scheme: light; --bg: #fff; --panel: #fff; --text: #000; --muted: #444; --line: #bbb; --accent: #000;
    --good: #000; --bad: #000 }
  body { max-width: none; padding: 0; font-size: 10pt } pre { border: none; padding: 0 }
  summary { list-style: none; color: var(--muted) }
  button, input, select, #waiting, #replay .stage:empty { display: none }
  h2, h3, section > p { break-after: avoid } table, figure, tr, .facts { break-inside: avoid } thead { display: table-header-group }
  .scroll { overflow: visible } .bar, .bar > i { print-color-adjust: exact; -webkit-print-color-adjust: exact }
}
)css";

// Paper cannot be unfolded. Apart from the rest, which an old browser may not understand and which a page
// without data does not have.
constexpr std::string_view unfold_for_paper = R"js(
let unfolded = [];
addEventListener('beforeprint', () => {
  unfolded = [...unfolded, ...document.querySelectorAll('details:not([open])')];
  for (const part of unfolded) part.open = true;
});
addEventListener('afterprint', () => {
  for (const part of unfolded) part.open = false;
  unfolded = [];
});
)js";

// An old browser may not even parse this; hence the note that stands there until all went well.
constexpr std::string_view bootstrap = R"js(
(async () => {
  const waiting = document.getElementById('waiting');
  const fail = (what) => {
    waiting.textContent = 'The curves cannot be shown (' + what + '): they need a browser of 2023 or later.';
    waiting.setAttribute('role', 'alert');
    waiting.hidden = false;
    for (const stage of document.querySelectorAll('.stage:empty')) stage.hidden = true;
  };
  const read = (id) => {
    const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
    return new Response(stream).arrayBuffer();
  };
  const fail_by = (event) => fail(event.message);
  try {
    window.hardpanData = await read('hardpan-data');
    const code = document.createElement('script');
    code.textContent = new TextDecoder().decode(await read('hardpan-code'));
    waiting.hidden = true;
    addEventListener('error', fail_by);
    document.body.append(code);  // runs it at once
    removeEventListener('error', fail_by);
  } catch (error) {
    fail(error.message);
  }
})();
)js";

std::string opening(std::string_view kind) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"generator\" content=\"hardpan {}\">\n",
      kind);
}

// A style sheet ends at the first "</", whatever stands around it; CSS reads "<\/" as the same.
std::string safe_style(std::string css) {
  for (std::size_t at = css.find("</"); at != css.npos; at = css.find("</", at)) css.replace(at, 2, "<\\/");
  return css;
}

std::string styles(bool with_script) {
  const std::string of_script = with_script && pages::built() ? safe_style(gunzip(pages::style)) : "";
  return fmt::format("<style>{}</style>\n<style>{}</style>\n", of_script, style);
}

std::string blob(std::string_view id, std::string_view bytes) {
  return fmt::format("<script type=\"application/octet-stream\" id=\"{}\">{}</script>\n", id, base64(bytes));
}

std::string scripts(const Page& page) {
  return "<noscript><style>.stage { display: none }</style></noscript>\n" + blob("hardpan-data", page.data) +
         blob("hardpan-code", pages::script) + fmt::format("<script>{}</script>\n", bootstrap);
}

}  // namespace

std::string page_html(const Page& page) {
  const bool with_script = !page.data.empty();
  return opening(page.kind) +
         fmt::format(
             "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
             "<title>{}</title>\n{}</head>\n<body data-page=\"{}\">\n",
             html::clipped(page.title), styles(with_script), page.kind) +
         page.body + fmt::format("<footer>Made by hardpan {} (commit {}).</footer>\n", version(), commit()) +
         fmt::format("<script>{{{}}}</script>\n", unfold_for_paper) + (with_script ? scripts(page) : "") +
         "</body>\n</html>\n";
}

bool is_page(std::string_view bytes, std::string_view kind) { return bytes.starts_with(opening(kind)); }

std::string waiting_note() {
  return "<p id=\"waiting\" class=\"note\">The curves are being prepared. This needs JavaScript and a "
         "browser "
         "of 2023 or later.</p>\n";
}

}  // namespace hardpan::record
