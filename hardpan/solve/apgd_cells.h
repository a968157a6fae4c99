// Contacts as accelerated gradients (apgd_solver.h) want them: three rows over two velocity blocks in one
// piece, in scaled velocities u = L^T v (pgs_cells.h, whose arithmetic they share).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hardpan::solve::apgd {

struct alignas(64) Cell {
  std::array<double, 36> j;  // three rows of 12, in units of the contact
  double sigma_n, sigma_t;   // likewise
  std::uint32_t a, b;        // where the blocks begin in u
  std::uint32_t row;         // of the normal; friction follows
  double mu;
};
static_assert(sizeof(Cell) == 384);

// u += J^T x
void push(std::span<const Cell> cells, const double* x, double* u);
// out = J u + Sigma x
void rates(std::span<const Cell> cells, const double* u, const double* x, double* out);
// x becomes the nearest point of the cones.
void project(std::span<const Cell> cells, double* x);

}  // namespace hardpan::solve::apgd
