#include "hardpan/meshfree/neighbours.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace hardpan::meshfree {
namespace {

// Cells as wide as the distance, sorted by their number.
class Cells {
 public:
  Cells(std::span<const Vec3> places, double width) : width_(width) {
    low_ = high_ = places.empty() ? Vec3(Vec3::Zero()) : places[0];
    for (const Vec3& x : places) {
      low_ = low_.cwiseMin(x);
      high_ = high_.cwiseMax(x);
    }
    // A few places far apart must not ask for all memory.
    const double most = 64 + 8 * static_cast<double>(places.size());
    do {
      for (std::size_t a = 0; a < 3; ++a)
        count_[a] = 1 + std::floor((high_ - low_)[static_cast<Eigen::Index>(a)] / width_);
    } while (count_[0] * count_[1] * count_[2] > most && (width_ *= 1.5) > 0);
    for (std::size_t i = 0; i < places.size(); ++i)
      members_.push_back({number(cell(places[i])), static_cast<std::uint32_t>(i)});
    std::ranges::sort(members_);
  }

  template <class Visit>
  void around(const Vec3& x, Visit&& visit) const {
    const std::array<double, 3> at = cell(x);
    for (double dz = -1; dz <= 1; ++dz)
      for (double dy = -1; dy <= 1; ++dy)
        for (double dx = -1; dx <= 1; ++dx) {
          const std::array<double, 3> near = {at[0] + dx, at[1] + dy, at[2] + dz};
          if (near[0] < 0 || near[1] < 0 || near[2] < 0 || near[0] >= count_[0] || near[1] >= count_[1] ||
              near[2] >= count_[2])
            continue;
          const std::uint64_t wanted = number(near);
          for (auto m = std::ranges::lower_bound(members_, wanted, {}, &Member::cell);
               m != members_.end() && m->cell == wanted; ++m)
            visit(m->place);
        }
  }

 private:
  struct Member {
    std::uint64_t cell;
    std::uint32_t place;
    auto operator<=>(const Member&) const = default;
  };

  std::array<double, 3> cell(const Vec3& x) const {
    std::array<double, 3> c;
    for (std::size_t a = 0; a < 3; ++a) c[a] = std::floor((x - low_)[static_cast<Eigen::Index>(a)] / width_);
    return c;
  }
  std::uint64_t number(const std::array<double, 3>& c) const {
    return static_cast<std::uint64_t>((c[2] * count_[1] + c[1]) * count_[0] + c[0]);
  }

  double width_;
  Vec3 low_, high_;
  std::array<double, 3> count_{};
  std::vector<Member> members_;
};

void find_mirrors(Neighbours& found) {
  found.mirror.resize(found.index.size());
  for (std::size_t i = 0; i < found.start.size() - 1; ++i)
    for (std::size_t e = found.start[i]; e < found.start[i + 1]; ++e) {
      const std::uint32_t j = found.index[e];
      const auto from = found.index.begin() + static_cast<std::ptrdiff_t>(found.start[j]);
      const auto to = found.index.begin() + static_cast<std::ptrdiff_t>(found.start[j + 1]);
      const auto back = std::lower_bound(from, to, static_cast<std::uint32_t>(i));
      found.mirror[e] = static_cast<std::uint32_t>(back - found.index.begin());
    }
}

}  // namespace

Neighbours neighbours_within(std::span<const Vec3> places, double distance) {
  constexpr double rounding = 1e-9;
  const double least = distance * distance * (1 - rounding);
  const Cells cells(places, distance);
  Neighbours found{{0}, {}, {}};
  for (const Vec3& x : places) {
    const auto first = static_cast<std::ptrdiff_t>(found.index.size());
    cells.around(x, [&](std::uint32_t j) {
      if ((places[j] - x).squaredNorm() < least) found.index.push_back(j);
    });
    std::sort(found.index.begin() + first, found.index.end());
    found.start.push_back(found.index.size());
  }
  find_mirrors(found);
  return found;
}

Neighbours neighbours_in_lattice(const std::array<std::size_t, 3>& counts) {
  const std::array<std::size_t, 3> stride = {1, counts[0], counts[0] * counts[1]};
  Neighbours found{{0}, {}, {}};
  for (std::size_t i = 0; i < stride[2] * counts[2]; ++i) {
    const auto at = [&](std::size_t a) { return i / stride[a] % counts[a]; };
    const auto add = [&](std::size_t j) { found.index.push_back(static_cast<std::uint32_t>(j)); };
    for (std::size_t a = 3; a-- > 0;)
      if (at(a) > 0) add(i - stride[a]);
    add(i);
    for (std::size_t a = 0; a < 3; ++a)
      if (at(a) + 1 < counts[a]) add(i + stride[a]);
    found.start.push_back(found.index.size());
  }
  find_mirrors(found);
  return found;
}

}  // namespace hardpan::meshfree
