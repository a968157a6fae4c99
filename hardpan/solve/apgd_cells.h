// Contacts as accelerated gradients (apgd_solver.h) want them: three rows over two velocity blocks in one
// piece, in scaled velocities u = L^T v (pgs_cells.h, whose arithmetic they share), with the last points of
// the iteration: half a kilobyte, which an iteration fetches from memory once.
//
// An iteration goes through the cells twice, since N next = J u + Sigma next wants u = J^T next as a whole.
// But a cell only needs what the others on its own two blocks push, and can follow as soon as the last of
// them has. Cells go in an order in which these are near (pair_order.h); descents in waves, each followed by
// the arrivals that it makes possible, which then find their cells in the cache.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hardpan::solve::apgd {

// A point of the iteration, in units of the row or contact, and N times it.
template <std::size_t rows>
struct Point {
  std::array<double, rows> x, nx;
};

// The last points and the next one, by rounds: which is which goes round.
struct Ring {
  std::uint8_t now = 0, last = 1, next = 2;
  void turn() {
    const std::uint8_t free = last;
    last = now;
    now = next;
    next = free;
  }
};

struct alignas(64) Cell {
  std::array<double, 36> j;        // three rows of 12, in units of the contact
  std::array<Point<3>, 3> points;  // normal, friction
  std::array<double, 3> g;         // r
  double sigma_n, sigma_t;         // in units
  double mu;
  double gauge;        // how much one unit is of what the error is measured in
  std::uint32_t a, b;  // where the blocks begin in u
  std::uint32_t row;   // of the normal; friction follows
};
static_assert(sizeof(Cell) == 512);

// u += J^T x
void push(std::span<const Cell> cells, const double* x, double* u);
// out = J u + Sigma x
void rates(std::span<const Cell> cells, const double* u, const double* x, double* out);
// (n, s, t) becomes the nearest point of the cone.
void project(double mu, double& n, double& s, double& t);

// next = P(y - (N y + g)/L), y = x + beta (x - last), here of one row.
struct Step {
  Ring ring;
  double beta, over;  // 1/L

  template <std::size_t rows>
  [[gnu::always_inline]] double y(const std::array<Point<rows>, 3>& points, std::size_t k) const {
    const double now = points[ring.now].x[k];
    return now + beta * (now - points[ring.last].x[k]);
  }
  template <std::size_t rows>
  [[gnu::always_inline]] double ny(const std::array<Point<rows>, 3>& points, std::size_t k) const {
    const double now = points[ring.now].nx[k];
    return now + beta * (now - points[ring.last].nx[k]);
  }
  // Before it is projected.
  template <std::size_t rows>
  [[gnu::always_inline]] double down(const std::array<Point<rows>, 3>& points, std::size_t k,
                                     double g) const {
    return y(points, k) - (ny(points, k) + g) * over;
  }
};

// What tells of a step d = next - y.
struct Progress {
  double bent = 0, size = 0;  // d . N d, d . d
  double uphill = 0;          // (N y + g) . (next - x)
  double longest = 0;         // |d|, gauged

  template <std::size_t rows>
  [[gnu::always_inline]] void include(const Step& step, const std::array<Point<rows>, 3>& points,
                                      std::size_t k, double g, double gauge) {
    const Point<rows>& next = points[step.ring.next];
    const double ny = step.ny(points, k), d = next.x[k] - step.y(points, k);
    bent += d * (next.nx[k] - ny);
    size += d * d;
    uphill += (ny + g) * (next.x[k] - points[step.ring.now].x[k]);
    const double length = std::abs(d) * gauge;
    longest = length > longest ? length : longest;
  }
};

// When each cell is visited.
class Waves {
 public:
  // Blocks that begin from `ground` on are not shared.
  void plan(std::span<const Cell> cells, std::size_t ground);
  // u += J^T next, N next = J u + Sigma next
  Progress run(std::span<Cell> cells, const Step& step, double* u) const;

 private:
  std::vector<std::uint32_t> arrivals_;  // cells
  std::vector<std::uint32_t> first_;     // of each wave's in them, and their number
  std::vector<std::uint32_t> last_;      // of each block, the wave that pushes it last
};

}  // namespace hardpan::solve::apgd
