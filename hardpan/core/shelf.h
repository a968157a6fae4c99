// An archive that is hardly ever needed again. Its numbers lie in a file without a name, which ends with the
// process; in memory where the system has no room for such a file.
#pragma once

#include <cstdio>
#include <memory>
#include <vector>

#include "hardpan/core/archive.h"

namespace hardpan {

class Shelf {
 public:
  explicit Shelf(Archive archive);
  // IoError when the file cannot be read any more.
  Archive get() const;
  bool in_memory() const { return !file_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
  std::vector<Archive::Entry> entries_;  // of the file, without their values
  Archive archive_;                      // if there is no file
};

}  // namespace hardpan
