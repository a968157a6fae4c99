// Quasi-definite block matrices for tests and benchmarks: machines with the pattern and the numbers of real
// ones, [A G^T; G -Sigma] with A the inertia of bodies (v, omega about the centre of mass) and G the rows of
// joints; and random patterns.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/SparseCore>

#include "hardpan/core/random.h"
#include "hardpan/solve/block_ldlt.h"

namespace hardpan::solve::test {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct BlockMatrix {
  std::vector<int> sizes;
  std::vector<BlockPlace> places;
  std::vector<double> values;
  int velocity_blocks = 0;  // the first blocks; the others are rows

  int add_block(int size) {
    sizes.push_back(size);
    return static_cast<int>(sizes.size()) - 1;
  }
  void add(int row, int column, const RowMajor& block) {
    places.push_back({row, column});
    values.insert(values.end(), block.data(), block.data() + block.size());
  }
  std::vector<int> starts() const {
    std::vector<int> start(1, 0);
    for (int size : sizes) start.push_back(start.back() + size);
    return start;
  }
  int size() const { return starts().back(); }

  Eigen::MatrixXd dense() const {
    Eigen::MatrixXd m = Eigen::MatrixXd::Zero(size(), size());
    const std::vector<int> start = starts();
    const double* value = values.data();
    for (const BlockPlace& p : places) {
      const auto r = static_cast<std::size_t>(p.row), c = static_cast<std::size_t>(p.column);
      const Eigen::Map<const RowMajor> block(value, sizes[r], sizes[c]);
      m.block(start[r], start[c], sizes[r], sizes[c]) += block;
      if (r != c) m.block(start[c], start[r], sizes[c], sizes[r]) += block.transpose();
      value += block.size();
    }
    return m;
  }
};

// The same matrix entry by entry.
struct ScalarMatrix {
  std::vector<BlockPlace> places;  // on or above the diagonal
  std::vector<double> values;

  explicit ScalarMatrix(const BlockMatrix& matrix) {
    const std::vector<int> start = matrix.starts();
    const double* value = matrix.values.data();
    for (const BlockPlace& p : matrix.places)
      for (int i = start[at(p.row)]; i < start[at(p.row) + 1]; ++i)
        for (int j = start[at(p.column)]; j < start[at(p.column) + 1]; ++j, ++value) {
          if (p.row == p.column && i > j) continue;
          places.push_back({std::min(i, j), std::max(i, j)});
          values.push_back(*value);
        }
  }
  Eigen::SparseMatrix<double> sparse(int size) const {
    std::vector<Eigen::Triplet<double>> entries;
    for (std::size_t k = 0; k < places.size(); ++k)
      entries.emplace_back(places[k].row, places[k].column, values[k]);
    Eigen::SparseMatrix<double> matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
};

// Bodies and joints at given places.
class Machine {
 public:
  explicit Machine(double sigma) : sigma_(sigma) {}

  // A solid box, turned somehow so that its inertia is full.
  int body(double mass, const Eigen::Vector3d& size, const Eigen::Vector3d& centre) {
    const Eigen::Vector3d squares = size.cwiseAbs2();
    const Eigen::Vector3d inertia =
        mass / 12 *
        Eigen::Vector3d(squares[1] + squares[2], squares[2] + squares[0], squares[0] + squares[1]);
    const Eigen::Matrix3d turn =
        Eigen::AngleAxisd(static_cast<double>(centres_.size()), Eigen::Vector3d(1, 2, 3).normalized())
            .toRotationMatrix();
    RowMajor a = RowMajor::Zero(6, 6);
    a.topLeftCorner(3, 3).diagonal().setConstant(mass);
    a.bottomRightCorner(3, 3) = turn * inertia.asDiagonal() * turn.transpose();
    matrix_.add(matrix_.add_block(6), matrix_.velocity_blocks, a);
    centres_.push_back(centre);
    return matrix_.velocity_blocks++;
  }

  // A hinge about an axis along y with another body, or with the world (-1).
  void hinge(int a, int b, const Eigen::Vector3d& point) {
    RowMajor rows = RowMajor::Zero(5, 6);
    rows.topLeftCorner(3, 3).setIdentity();
    rows(3, 3) = rows(4, 5) = 1;
    join(a, b, point, rows);
  }
  // A frictional contact: three rows of relative velocity in a point.
  void contact(int a, int b, const Eigen::Vector3d& point) {
    RowMajor rows = RowMajor::Zero(3, 6);
    rows.leftCols(3).setIdentity();
    join(a, b, point, rows);
  }
  void motor(int a, int b) {
    RowMajor rows = RowMajor::Zero(1, 6);
    rows(0, 4) = 1;
    join(a, b, Eigen::Vector3d::Zero(), rows);
  }
  // The bodies' blocks, then those of the rows.
  BlockMatrix matrix() const {
    BlockMatrix matrix = matrix_;
    for (const Joint& joint : joints_) {
      const int block = matrix.add_block(static_cast<int>(joint.rows));
      if (joint.a >= 0) matrix.add(block, joint.a, joint.jacobian_a);
      if (joint.b >= 0) matrix.add(block, joint.b, joint.jacobian_b);
      matrix.add(block, block, -sigma_ * RowMajor::Identity(joint.rows, joint.rows));
    }
    return matrix;
  }

 private:
  struct Joint {
    int a, b;
    Eigen::Index rows;
    RowMajor jacobian_a, jacobian_b;
  };
  // rows: what each row measures of velocity and angular velocity at the point
  void join(int a, int b, const Eigen::Vector3d& point, const RowMajor& rows) {
    joints_.push_back({a, b, rows.rows(), moved(rows, a, point), -moved(rows, b, point)});
  }
  // Velocity at the point: v + omega x r.
  RowMajor moved(const RowMajor& rows, int body, const Eigen::Vector3d& point) const {
    if (body < 0) return {};
    const Eigen::Vector3d r = point - centres_[static_cast<std::size_t>(body)];
    Eigen::Matrix3d cross;
    cross << 0, -r[2], r[1], r[2], 0, -r[0], -r[1], r[0], 0;
    RowMajor g = rows;
    g.rightCols(3) -= rows.leftCols(3) * cross;
    return g;
  }

  double sigma_;
  BlockMatrix matrix_;
  std::vector<Eigen::Vector3d> centres_;
  std::vector<Joint> joints_;
};

// Links of 0.5 kg and 0.1 m, hung from the world.
inline BlockMatrix hinge_chain(int links, double sigma = 1e-8) {
  Machine machine(sigma);
  for (int i = 0; i < links; ++i) {
    machine.body(0.5, {0.1, 0.02, 0.02}, {0.05 + 0.1 * i, 0, 0});
    machine.hinge(i - 1, i, {0.1 * i, 0, 0});
  }
  return machine.matrix();
}

// A tracked vehicle of 201 bodies: hull, and on each side ten wheels on swing arms inside a closed loop of 80
// shoes. A wheel of each side is driven, and each wheel touches two shoes.
inline BlockMatrix tracked_machine(double sigma = 1e-8) {
  constexpr int shoes = 80, wheels = 10;
  Machine machine(sigma);
  const int hull = machine.body(5000, {4, 2, 1}, {0, 0, 1});
  for (const double y : {-1.2, 1.2}) {
    std::vector<int> shoe, wheel;
    const auto on_loop = [&](double i) {
      const double angle = 2 * std::numbers::pi * i / shoes;
      return Eigen::Vector3d(2.5 * std::cos(angle), y, 0.5 + 0.5 * std::sin(angle));
    };
    for (int i = 0; i < shoes; ++i) shoe.push_back(machine.body(20, {0.12, 0.5, 0.04}, on_loop(i + 0.5)));
    for (int i = 0; i < shoes; ++i)
      machine.hinge(shoe[static_cast<std::size_t>((i + shoes - 1) % shoes)],
                    shoe[static_cast<std::size_t>(i)], on_loop(i));
    for (int i = 0; i < wheels; ++i) {
      const double x = -2.1 + 0.42 * i;
      const int arm = machine.body(30, {0.4, 0.1, 0.1}, {x, y, 0.4});
      wheel.push_back(machine.body(60, {0.4, 0.2, 0.4}, {x + 0.2, y, 0.3}));
      machine.hinge(hull, arm, {x - 0.2, y, 0.5});
      machine.hinge(arm, wheel.back(), {x + 0.2, y, 0.3});
      for (int side : {0, 1}) {
        const int touched = 42 + 4 * i + side;  // the lower half of the loop
        machine.contact(wheel.back(), shoe[static_cast<std::size_t>(touched % shoes)], on_loop(touched));
      }
    }
    machine.motor(hull, wheel.back());
  }
  return machine.matrix();
}

// Blocks of 1 to 9 unknowns and one of 32, coupled at random in either triangle, some places in two parts,
// some empty, some blocks alone. Its rows have Sigma of the given size.
inline BlockMatrix random_matrix(std::uint64_t seed, double sigma) {
  const CounterRandom random(seed);
  std::uint64_t k = 0;
  const auto next = [&] { return random.uniform(k++, -1, 1); };
  const auto below = [&](int n) { return static_cast<int>(random.words(k++)[0] % static_cast<unsigned>(n)); };
  const auto full = [&](int r, int c) {
    return RowMajor(RowMajor::NullaryExpr(r, c, [&](auto, auto) { return next(); }));
  };
  BlockMatrix m;
  const auto size = [&](int block) { return m.sizes[static_cast<std::size_t>(block)]; };
  const auto couple = [&](int a, int b, const RowMajor& block) {
    const RowMajor part = below(3) == 0 ? RowMajor(0.25 * block) : RowMajor::Zero(block.rows(), block.cols());
    m.add(a, b, block - part);
    if (!part.isZero(0)) m.add(b, a, part.transpose());
  };
  m.velocity_blocks = 1 + below(12);
  const int rows = below(12);
  for (int b = 0; b < m.velocity_blocks; ++b) m.add_block(below(20) == 0 ? 32 : 1 + below(9));
  for (int b = 0; b < m.velocity_blocks; ++b) {
    const RowMajor a = full(size(b), size(b));
    couple(b, b, a * a.transpose() + 10 * RowMajor::Identity(size(b), size(b)));
    const int other = below(b + 1);  // weak against the diagonal: A stays positive definite
    if (other < b && below(4) == 0) couple(b, other, 0.05 * full(size(b), size(other)));
  }
  for (int r = 0; r < rows; ++r) {
    const int block = m.add_block(1 + below(6));
    m.add(block, block, -sigma * (1.5 + next()) * RowMajor::Identity(size(block), size(block)));
    for (int links = below(4); links > 0; --links) {
      const int b = below(m.velocity_blocks);
      couple(block, b,
             below(6) == 0 ? RowMajor(RowMajor::Zero(size(block), size(b))) : full(size(block), size(b)));
    }
  }
  return m;
}

}  // namespace hardpan::solve::test
