// Rows of solids against finite differences, their own transposes and their parts.
#include <numbers>
#include <numeric>

#include <gtest/gtest.h>

#include "hardpan/material/soil_law.h"
#include "hardpan/meshfree/residual_rows.h"
#include "hardpan/meshfree/ripple_rows.h"
#include "hardpan/meshfree/strain_rows.h"
#include "hardpan/meshfree/test_clouds.h"
#include "hardpan/meshfree/test_rows.h"

namespace hardpan::meshfree {
namespace {

using material::mandel;
using material::tensor;

// A cloud that is strained, turned and shaken.
struct Shaken {
  Cloud cloud = jittered(cube_lattice(4), 0.15);
  Gradient gradient{cloud, 2};
  RippleRows ripples{cloud, gradient};
  NeighbourSums sums{gradient, ripples.coefficients()};
  std::vector<Vec3> x;
  solve::Problem problem;

  Shaken() {
    const CounterRandom random(5);
    const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, -1).normalized()).toRotationMatrix();
    const Mat3 stretch = Vec3(1.2, 0.9, 1.05).asDiagonal();
    for (std::size_t i = 0; i < cloud.size(); ++i) {
      const Vec3 noise(random.uniform(3 * i), random.uniform(3 * i + 1), random.uniform(3 * i + 2));
      x.push_back(turn * stretch * cloud.position[i] + 0.02 * noise);
      problem.add_block(3);
    }
  }
  Mat3 F(std::size_t i, const std::vector<Vec3>& at) const {
    return gradient.of(i, [&](std::size_t j) -> const Vec3& { return at[j]; });
  }
  Vec6 strain(std::size_t i, const std::vector<Vec3>& at) const {
    const Mat3 f = F(i, at);
    return mandel(0.5 * (f.transpose() * f - Mat3::Identity()));
  }
  std::size_t velocities() const { return 3 * cloud.size(); }
};

Eigen::MatrixXd product_matrix(const solve::RowGroup& rows, std::size_t velocities) {
  Eigen::MatrixXd m(rows.rows(), velocities);
  std::vector<double> v(velocities, 0.0), out(rows.rows());
  for (std::size_t k = 0; k < velocities; ++k) {
    v[k] = 1;
    rows.apply(v, out);
    v[k] = 0;
    m.col(static_cast<Eigen::Index>(k)) = Eigen::Map<VecX>(out.data(), std::ssize(out));
  }
  return m;
}

Eigen::MatrixXd transpose_matrix(const solve::RowGroup& rows, std::size_t velocities) {
  Eigen::MatrixXd m(rows.rows(), velocities);
  std::vector<double> lambda(rows.rows(), 0.0);
  for (std::size_t k = 0; k < rows.rows(); ++k) {
    std::vector<double> out(velocities, 0.0);
    lambda[k] = 1;
    rows.apply_transpose(lambda, out);
    lambda[k] = 0;
    m.row(static_cast<Eigen::Index>(k)) = Eigen::Map<VecX>(out.data(), std::ssize(out)).transpose();
  }
  return m;
}

// Of any function of places, by central differences.
template <class Function>
Eigen::MatrixXd differences(const Shaken& cloud, std::size_t rows, const Function& function) {
  constexpr double step = 1e-6;
  Eigen::MatrixXd m(rows, cloud.velocities());
  for (std::size_t k = 0; k < cloud.velocities(); ++k) {
    std::vector<Vec3> forth = cloud.x, back = cloud.x;
    forth[k / 3][static_cast<Eigen::Index>(k % 3)] += step;
    back[k / 3][static_cast<Eigen::Index>(k % 3)] -= step;
    m.col(static_cast<Eigen::Index>(k)) = (function(forth) - function(back)) / (2 * step);
  }
  return m;
}

void expect_same(const solve::RowGroup& rows, const Shaken& cloud, const Eigen::MatrixXd& right,
                 double room) {
  const double size = right.cwiseAbs().maxCoeff();
  Dense parts(rows.rows(), cloud.velocities());
  rows.assemble(0, parts);
  EXPECT_LT((product_matrix(rows, cloud.velocities()) - right).cwiseAbs().maxCoeff(), room * size);
  EXPECT_LT((parts.matrix - product_matrix(rows, cloud.velocities())).cwiseAbs().maxCoeff(), 1e-13 * size);
  EXPECT_LT((parts.matrix - transpose_matrix(rows, cloud.velocities())).cwiseAbs().maxCoeff(), 1e-13 * size);
}

// G^T Sigma^-1 G in one go, to single precision, and G^T Sigma^-1 (q - G v) exactly, for any Sigma and q, and
// diagonal blocks where they are told.
void expect_products(const solve::RowGroup& rows, const Shaken& cloud, bool diagonal,
                     const std::vector<const solve::RowGroup*>& others = {}) {
  constexpr double rounding = 4e-7;
  Eigen::MatrixXd right = Eigen::MatrixXd::Zero(cloud.velocities(), cloud.velocities());
  VecX pushed = VecX::Zero(std::ssize(cloud.x) * 3);
  std::vector<const solve::RowGroup*> groups = others;
  groups.push_back(&rows);
  for (const solve::RowGroup* group : groups) {
    const Eigen::MatrixXd G = product_matrix(*group, cloud.velocities());
    const VecX stiffness =
        Eigen::Map<const VecX>(group->sigma().data(), std::ssize(group->sigma())).cwiseInverse();
    right += G.transpose() * stiffness.asDiagonal() * G;
    pushed += G.transpose() *
              stiffness.cwiseProduct(Eigen::Map<const VecX>(group->rhs().data(), std::ssize(group->rhs())));
  }
  const double size = right.cwiseAbs().maxCoeff();
  for (std::size_t k = 0; k < cloud.velocities(); ++k) {
    std::vector<double> x(cloud.velocities(), 0.0), out(cloud.velocities(), 1.0);
    x[k] = 1;
    rows.add_product(x, out);
    const VecX found = Eigen::Map<VecX>(out.data(), std::ssize(out)).array() - 1;
    EXPECT_LT((found - right.col(static_cast<Eigen::Index>(k))).cwiseAbs().maxCoeff(), rounding * size);
  }
  std::vector<double> v(cloud.velocities()), out(cloud.velocities(), 1.0);
  const CounterRandom random(77);
  for (std::size_t k = 0; k < v.size(); ++k) v[k] = random.uniform(k, -1, 1);
  rows.add_answer(v, out);
  const VecX answer = pushed - right * Eigen::Map<VecX>(v.data(), std::ssize(v));
  EXPECT_LT((Eigen::Map<VecX>(out.data(), std::ssize(out)) - VecX::Ones(std::ssize(out)) - answer).norm(),
            1e-13 * answer.norm() + 1e-13 * std::sqrt(static_cast<double>(out.size())));
  std::vector<double> blocks(3 * cloud.velocities(), 0.0);
  rows.add_stiffness(cloud.problem, blocks);
  for (std::size_t i = 0; i < cloud.cloud.size() && diagonal; ++i) {
    const Mat3 found = Eigen::Map<const Mat3>(&blocks[9 * i]);
    const auto at = static_cast<Eigen::Index>(3 * i);
    EXPECT_LT((found - right.block<3, 3>(at, at)).cwiseAbs().maxCoeff(), 1e-13 * size);
  }
}

TEST(StrainRows, AreTheSlopesOfStrains) {
  const Shaken cloud;
  StrainRows rows(cloud.gradient, cloud.sums);
  rows.place(cloud.problem, 0);
  const CounterRandom random(2);
  std::vector<Mat6> axes;
  for (std::size_t i = 0; i < cloud.cloud.size(); ++i) {  // any orthonormal ones
    Mat6 any;
    for (Eigen::Index k = 0; k < 36; ++k)
      any(k) = random.uniform(36 * i + static_cast<std::size_t>(k), -1, 1);
    axes.push_back(Eigen::HouseholderQR<Mat6>(any).householderQ());
    rows.set_frame(i, cloud.F(i, cloud.x), axes[i]);
  }
  const auto strains = [&](const std::vector<Vec3>& at) {
    VecX all(6 * cloud.cloud.size());
    for (std::size_t i = 0; i < cloud.cloud.size(); ++i)
      all.segment<6>(static_cast<Eigen::Index>(6 * i)) = axes[i].transpose() * cloud.strain(i, at);
    return all;
  };
  expect_same(rows, cloud, differences(cloud, rows.rows(), strains), 1e-8);
  for (std::size_t k = 0; k < rows.rows(); ++k)
    rows.set(k, random.uniform(9'000'000 + k, 0.1, 1), random.uniform(8'000'000 + k, -1, 1));
  for (std::size_t i = 0; i < cloud.cloud.size(); ++i) rows.complete(i);
  expect_products(rows, cloud, true);
}

Vec3 ripple(const Shaken& cloud, std::size_t i, const std::vector<Vec3>& at) {
  return cloud.F(i, at).transpose() *
         cloud.ripples.of(i, [&](std::size_t j) -> const Vec3& { return at[j]; });
}

TEST(RippleRows, AreTheSlopesOfRipples) {
  const Shaken cloud;
  RippleRows rows(cloud.cloud, cloud.gradient);
  rows.place(cloud.problem, 0);
  StrainRows strains(cloud.gradient, cloud.sums);
  strains.place(cloud.problem, 0);
  const CounterRandom random(12);
  for (std::size_t i = 0; i < cloud.cloud.size(); ++i) {
    const Mat3 F = cloud.F(i, cloud.x);
    const Vec3 g = rows.of(i, [&](std::size_t j) -> const Vec3& { return cloud.x[j]; });
    const Vec3 rhs(random.uniform(5 * i, -1, 1), random.uniform(5 * i + 1, -1, 1), 0.5);
    const double stiffness = random.uniform(5 * i + 2, 1, 9);
    rows.set_point(i, F, g);
    for (std::size_t a = 0; a < 3; ++a) rows.set(3 * i + a, 1 / stiffness, rhs[static_cast<Eigen::Index>(a)]);
    strains.set_frame(i, F, Mat6::Identity());
    for (std::size_t a = 0; a < 6; ++a) strains.set(6 * i + a, random.uniform(900 + 6 * i + a, 0.1, 1), 0.3);
    strains.set_ripple(i, g, stiffness, rhs);
  }
  for (std::size_t i = 0; i < cloud.cloud.size(); ++i) strains.complete(i);
  const auto ripples = [&](const std::vector<Vec3>& at) {
    VecX all(3 * cloud.cloud.size());
    for (std::size_t i = 0; i < cloud.cloud.size(); ++i)
      all.segment<3>(static_cast<Eigen::Index>(3 * i)) = ripple(cloud, i, at);
    return all;
  };
  expect_same(rows, cloud, differences(cloud, rows.rows(), ripples), 1e-7);
  expect_products(strains, cloud, true, {&rows});
}

// Zero for whatever strains see in full, the same in every frame; and what they answer has neither force nor
// moment.
TEST(RippleRows, SeeNoAffineFieldAndKeepMomentum) {
  const Shaken cloud;
  std::vector<Vec3> affine, turned;
  Mat3 A;
  A << 1.3, 0.2, -0.1, 0.4, 0.8, 0.3, -0.2, 0.1, 1.1;
  const Mat3 turn = Eigen::AngleAxisd(2.1, Vec3(0.3, -1, 0.5).normalized()).toRotationMatrix();
  for (const Vec3& x : cloud.cloud.position) affine.push_back(A * x + Vec3(3, 1, -2));
  for (const Vec3& x : cloud.x) turned.push_back(turn * x + Vec3(5, -3, 2));
  RippleRows rows(cloud.cloud, cloud.gradient);
  rows.place(cloud.problem, 0);
  std::vector<double> lambda(rows.rows()), out(cloud.velocities(), 0.0);
  const CounterRandom random(3);
  double seen = 0;
  for (std::size_t i = 0; i < cloud.cloud.size(); ++i) {
    EXPECT_LT(ripple(cloud, i, affine).norm(), 1e-11);  // places are some metres over spacings of 0.3 m
    EXPECT_LT((ripple(cloud, i, turned) - ripple(cloud, i, cloud.x)).norm(), 1e-11);
    seen = std::max(seen, ripple(cloud, i, cloud.x).norm());
    rows.set_point(i, cloud.F(i, cloud.x),
                   rows.of(i, [&](std::size_t j) -> const Vec3& { return cloud.x[j]; }));
    for (std::size_t a = 0; a < 3; ++a) lambda[3 * i + a] = random.uniform(3 * i + a, -1, 1);
  }
  EXPECT_GT(seen, 0.01);
  rows.apply_transpose(lambda, out);
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double size = 0;
  for (std::size_t i = 0; i < cloud.cloud.size(); ++i) {
    const Vec3 f = Eigen::Map<const Vec3>(&out[3 * i]);
    force += f;
    moment += cloud.x[i].cross(f);
    size += f.norm();
  }
  EXPECT_LT(force.norm(), 1e-13 * size);
  EXPECT_LT(moment.norm(), 1e-13 * size);
}

// Along x, s = sin(k d/2): 2 s^2/d of the amplitude, in the middle of a lattice that is wide enough.
TEST(RippleRows, SeeWavesThatStrainsDoNot) {
  const Cloud cloud = cube_lattice(7);
  const Gradient gradient(cloud, 2);
  const RippleRows rows(cloud, gradient);
  const std::size_t middle = (cloud.size() - 1) / 2;
  for (const double per_wave : {2.0, 3.0, 5.0, 8.0}) {
    const double k = 2 * std::numbers::pi / per_wave / cloud.spacing;
    const Vec3 g = rows.of(middle, [&](std::size_t j) {
      return Vec3(0, std::cos(k * (cloud.position[j] - cloud.position[middle]).x()), 0);
    });
    const double s = std::sin(0.5 * k * cloud.spacing);
    EXPECT_NEAR(g.y(), -2 * s * s / cloud.spacing, 1e-10) << per_wave;
  }
}

TEST(ResidualRows, AreTheSlopesOfTheImbalance) {
  const Shaken cloud;
  material::SoilParameters elastic;
  elastic.young = 2e6;
  elastic.poisson = 0.3;
  elastic.plastic = false;
  const material::SoilLaw law(elastic);
  Mat6 stiffness;
  for (Eigen::Index a = 0; a < 6; ++a) stiffness.col(a) = law.elastic_stress(Vec6::Unit(a));
  const CounterRandom random(9);
  const auto scale = [&](std::size_t i) { return 1e-6 * (1 + random.uniform(i)); };
  const auto stress = [&](std::size_t i, const std::vector<Vec3>& at) {
    return tensor(law.elastic_stress(cloud.strain(i, at)));
  };
  ResidualRows rows(cloud.gradient, cloud.sums);
  rows.place(cloud.problem, 0);
  for (std::size_t i = 0; i < cloud.cloud.size(); ++i)
    rows.set_point(i, {cloud.F(i, cloud.x), stress(i, cloud.x), stiffness, scale(i)});
  const Vec3 b(10, -20, 30);
  const auto imbalance = [&](const std::vector<Vec3>& at) {
    VecX all(3 * cloud.cloud.size());
    for (std::size_t i = 0; i < cloud.cloud.size(); ++i) {
      Vec3 sum = b;
      for (std::size_t e = cloud.gradient.begin(i); e < cloud.gradient.end(i); ++e) {
        const std::size_t j = cloud.gradient.neighbour(e);
        sum += cloud.F(j, at) * stress(j, at) * cloud.gradient.slope(e);
      }
      all.segment<3>(static_cast<Eigen::Index>(3 * i)) = scale(i) * sum;
    }
    return all;
  };
  const VecX now = imbalance(cloud.x);
  for (std::size_t i = 0; i < cloud.cloud.size(); ++i)
    EXPECT_LT((rows.violation(i, b) - now.segment<3>(static_cast<Eigen::Index>(3 * i))).norm(),
              1e-12 * now.norm());
  expect_same(rows, cloud, differences(cloud, rows.rows(), imbalance), 1e-7);
  for (std::size_t k = 0; k < rows.rows(); ++k)
    rows.set(k, random.uniform(9'000'000 + k, 0.1, 1), random.uniform(8'000'000 + k, -1, 1));
  rows.complete();
  expect_products(rows, cloud, false);
}

TEST(StrainRows, StrainsDoNotChangeWithTheFrame) {
  const Shaken cloud;
  const Mat3 turn = Eigen::AngleAxisd(2.1, Vec3(0.3, -1, 0.5).normalized()).toRotationMatrix();
  std::vector<Vec3> turned;
  for (const Vec3& x : cloud.x) turned.push_back(turn * x + Vec3(5, -3, 2));
  for (std::size_t i = 0; i < cloud.cloud.size(); ++i)
    EXPECT_LT((cloud.strain(i, turned) - cloud.strain(i, cloud.x)).norm(),
              1e-12 * (1 + cloud.strain(i, cloud.x).norm()));
}

}  // namespace
}  // namespace hardpan::meshfree
