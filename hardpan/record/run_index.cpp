#include "hardpan/record/run_index.h"

#include <algorithm>
#include <utility>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "hardpan/core/error.h"

namespace hardpan::record {
namespace {

using Json = nlohmann::ordered_json;  // keys stay in the order they are written in

constexpr int format = 1;

std::string line_of(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json file_object(const char* kind, const ListedFile& file) {
  return {{"kind", kind}, {"file", file.file}, {"bytes", file.bytes}, {"checksum", file.checksum}};
}

// Thrown while a line is taken apart; parse_index adds the place.
struct Malformed {
  std::string reason;
};

const Json& field(const Json& object, const char* key, bool (Json::*is_right)() const noexcept) {
  const auto it = object.find(key);
  if (it == object.end()) throw Malformed{fmt::format("no '{}'", key)};
  if (!((*it).*is_right)()) throw Malformed{fmt::format("'{}' is of another type", key)};
  return *it;
}

std::string text(const Json& object, const char* key) { return field(object, key, &Json::is_string); }
double number(const Json& object, const char* key) { return field(object, key, &Json::is_number); }
std::int64_t integer(const Json& object, const char* key) {
  return field(object, key, &Json::is_number_integer);
}
std::uint64_t count(const Json& object, const char* key) {
  return field(object, key, &Json::is_number_unsigned);
}

// A name outside our pattern could lead out of the folder.
ListedFile listed_file(const Json& object, bool (*is_right)(std::string_view)) {
  ListedFile file{text(object, "file"), count(object, "bytes"), text(object, "checksum")};
  if (!is_right(file.file)) throw Malformed{fmt::format("'{}' is no name for this kind", file.file)};
  return file;
}

RunIdentity identity_of(const Json& object) {
  if (text(object, "kind") != "run") throw Malformed{"the header of a run is missing"};
  const std::int64_t found = integer(object, "format");
  if (found != format) throw Malformed{fmt::format("format {}, but this program reads {}", found, format)};
  return {"", text(object, "scenario_hash"), text(object, "version"), text(object, "instruction_set")};
}

SegmentInfo segment_of(const Json& object) {
  return {listed_file(object, is_segment_name), count(object, "frames"),       number(object, "first_time"),
          number(object, "last_time"),          integer(object, "first_step"), integer(object, "last_step")};
}

CheckpointInfo checkpoint_of(const Json& object) {
  return {listed_file(object, is_checkpoint_name), integer(object, "step"), number(object, "time"),
          text(object, "state_hash"), count(object, "series_bytes")};
}

void forget_checkpoint(RunIndex& index, const std::string& file) {
  for (std::size_t i = index.checkpoints.size(); i-- > 0;)
    if (index.checkpoints[i].file == file) {
      index.checkpoints.erase(index.checkpoints.begin() + static_cast<std::ptrdiff_t>(i));
      index.marks.erase(index.marks.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

// `end` is the place in the file right behind this line.
void add_line(RunIndex& index, const Json& object, std::uint64_t end) {
  const std::string kind = text(object, "kind");
  if (kind == "frames") {
    index.segments.push_back(segment_of(object));
  } else if (kind == "checkpoint") {
    index.checkpoints.push_back(checkpoint_of(object));
    index.marks.push_back({end, index.segments.size()});
  } else if (kind == "removed") {
    forget_checkpoint(index, text(object, "file"));
  }
}

}  // namespace

std::string header_line(const RunIdentity& identity) {
  return line_of({{"format", format},
                  {"kind", "run"},
                  {"scenario_hash", identity.scenario_hash},
                  {"version", identity.version},
                  {"instruction_set", identity.instruction_set}});
}

std::string index_line(const SegmentInfo& segment) {
  Json object = file_object("frames", segment);
  object["frames"] = segment.frames;
  object["first_time"] = segment.first_time;
  object["last_time"] = segment.last_time;
  object["first_step"] = segment.first_step;
  object["last_step"] = segment.last_step;
  return line_of(object);
}

std::string index_line(const CheckpointInfo& checkpoint) {
  Json object = file_object("checkpoint", checkpoint);
  object["step"] = checkpoint.step;
  object["time"] = checkpoint.time;
  object["state_hash"] = checkpoint.state_hash;
  object["series_bytes"] = checkpoint.series_bytes;
  return line_of(object);
}

std::string removed_line(const std::string& file) { return line_of({{"kind", "removed"}, {"file", file}}); }

RunIndex parse_index(std::string_view text, const std::string& where) {
  RunIndex index;
  int line = 0;
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', start)) {
    const Json object = Json::parse(text.substr(start, end - start), nullptr, false);
    start = end + 1;
    const bool is_last = text.find('\n', start) == text.npos;
    if (++line > 1 && is_last && object.is_discarded()) break;
    try {
      if (!object.is_object()) throw Malformed{"not a JSON object"};
      if (line == 1)
        index.identity = identity_of(object);
      else
        add_line(index, object, start);
    } catch (const Malformed& malformed) {
      throw IoError(fmt::format("{}:{}: {}", where, line, malformed.reason));
    }
  }
  if (line == 0) throw IoError(fmt::format("{}: the header of a run is missing", where));
  return index;
}

}  // namespace hardpan::record
