// Numbers of grains by columns: x of all, then y of all, then z of all, as vector units want them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hardpan/math/vector3.h"

namespace hardpan::grains {

using Vec = Vector3<double>;

struct Columns {
  std::vector<double> x, y, z;

  std::size_t size() const { return x.size(); }
  void assign(std::size_t count, const Vec& value) {
    x.assign(count, value.x);
    y.assign(count, value.y);
    z.assign(count, value.z);
  }
  void push_back(const Vec& v) {
    x.push_back(v.x);
    y.push_back(v.y);
    z.push_back(v.z);
  }
  Vec operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
  void set(std::size_t i, const Vec& v) {
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
  }
};

// Empty, with room for so many and not for far more.
template <class Vector>
void make_room(Vector& values, std::size_t count) {
  values.clear();
  if (values.capacity() > count + count / 8) values.shrink_to_fit();
  values.reserve(count);
}

// values[k] := values[order[k]]
template <class T>
void reorder(std::vector<T>& values, std::span<const std::uint32_t> order, std::vector<T>& scratch) {
  scratch.resize(values.size());
  for (std::size_t k = 0; k < order.size(); ++k) scratch[k] = values[order[k]];
  values.swap(scratch);
}

}  // namespace hardpan::grains
