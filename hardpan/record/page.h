// The shell of a page in one file: it opens from a disk without network, light or dark, and prints. What a
// person reads is HTML made here; the script (pages.h) adds charts and the replay from the data that the page
// carries. The script finds
//   document.body.dataset.page   what kind of page this is
//   window.hardpanData           a bundle (bundle.h), as an ArrayBuffer
#pragma once

#include <string>
#include <string_view>

namespace hardpan::record {

struct Page {
  std::string kind;   // "report", "compare"
  std::string title;  // plain text
  std::string body;   // HTML
  std::string data;   // gzip of a bundle; empty: a page without script
};

std::string page_html(const Page& page);

// Whether a file begins like a page of this kind: what may be overwritten without asking.
bool is_page(std::string_view bytes, std::string_view kind);

// Stands where charts will be, until they are there.
std::string waiting_note();

}  // namespace hardpan::record
