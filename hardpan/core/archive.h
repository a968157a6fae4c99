// Plain named arrays: how state leaves the physics and comes back. A checkpoint is an archive, a frame is
// one, and the state hash is the hash of one. Names are paths ("bodies/position"); shapes are row-major.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hardpan {

class Archive {
 public:
  struct Entry {
    std::string name;
    std::string unit;                // "m", "N s", "" for none
    std::vector<std::size_t> shape;  // {} for a scalar
    std::variant<std::vector<double>, std::vector<std::int64_t>> values;
  };

  void put(std::string_view name, std::span<const double> values, std::vector<std::size_t> shape,
           std::string_view unit = "");
  void put(std::string_view name, std::span<const std::int64_t> values, std::vector<std::size_t> shape);
  // Without a copy.
  void put(std::string_view name, std::vector<double>&& values, std::vector<std::size_t> shape,
           std::string_view unit = "");
  void put(std::string_view name, std::vector<std::int64_t>&& values, std::vector<std::size_t> shape);
  void put(std::string_view name, double value, std::string_view unit = "") {
    put(name, {&value, 1}, {}, unit);
  }
  void put(std::string_view name, std::int64_t value) { put(name, {&value, 1}, {}); }

  const Entry* find(std::string_view name) const;
  // Copies into `into`. IoError when the entry is missing, of another type or of another length.
  void get(std::string_view name, std::span<double> into) const;
  void get(std::string_view name, std::span<std::int64_t> into) const;
  double real(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;

  const std::vector<Entry>& entries() const { return entries_; }
  // Over names, shapes and bits of every entry in order.
  std::string hash() const;

 private:
  std::vector<Entry> entries_;
};

}  // namespace hardpan
