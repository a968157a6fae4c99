#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/core.h>

#include "hardpan/core/file.h"
#include "hardpan/core/text.h"
#include "hardpan/scenario/merge.h"
#include "hardpan/scenario/yaml_reader.h"

namespace hardpan::scenario {
namespace {

namespace fs = std::filesystem;

std::string load(const fs::path& path) {
  std::error_code ignored;
  const auto size = fs::file_size(path, ignored);
  if (!ignored && size > max_file_bytes)
    throw InputError(SourceMark{path.string(), 0, 0},
                     fmt::format("larger than the allowed {} MiB", max_file_bytes >> 20));
  return read_file(path, max_file_bytes);
}

class Includer {
 public:
  Value read(const fs::path& path) {
    Value own = parse_yaml(load(path), path.string());
    const Value* include = own.find("include");
    if (!include) return own;
    chain_.push_back(path);
    Value merged = Value::map();
    for (const Value& name : names(*include)) merge(merged, read_included(path, name));
    chain_.pop_back();
    own.erase("include");
    merge(merged, own);
    return merged;
  }

 private:
  static std::vector<Value> names(const Value& include) {
    const std::vector<Value> list =
        include.is(Value::Type::list) ? include.items() : std::vector<Value>{include};
    for (const Value& name : list)
      if (!name.is(Value::Type::text) || name.text().empty() || name.text().find('\0') != std::string::npos)
        throw InputError(name.mark(),
                         "include: expected a file name or a list of them, found " + describe_found(name));
    return list;
  }

  Value read_included(const fs::path& from, const Value& name) {
    const fs::path path = (from.parent_path() / name.text()).lexically_normal();
    check_chain(path, name.mark());
    try {
      return read(path);
    } catch (const IoError& error) {
      throw InputError(name.mark(), std::string("include: ") + error.what());
    }
  }

  void check_chain(const fs::path& path, const SourceMark& mark) {
    const auto fail = [&](const std::string& message) {
      std::vector<std::string> names_of_chain;
      for (const fs::path& link : chain_) names_of_chain.push_back(link.string());
      names_of_chain.push_back(path.string());
      throw InputError(mark, fmt::format("include: {}: {}", message, join(names_of_chain, " -> ")));
    };
    std::error_code ignored;
    const bool again = std::any_of(chain_.begin(), chain_.end(),
                                   [&](const fs::path& link) { return fs::equivalent(link, path, ignored); });
    if (again) fail("a file includes itself");
    if (chain_.size() > max_include_depth)
      fail(fmt::format("deeper than the allowed {} levels", max_include_depth));
    if (++included_ > max_included_files)
      fail(fmt::format("more than the allowed {} included files", max_included_files));
  }

  std::vector<fs::path> chain_;
  std::size_t included_ = 0;
};

}  // namespace

Value read_scenario(const fs::path& path) { return Includer().read(path); }

}  // namespace hardpan::scenario
