#include "hardpan/meshfree/solid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/parallel.h"

namespace hardpan::meshfree {
namespace {

using material::mandel;
using material::SoilRegion;
using material::tensor;

constexpr double freely = 1e-6;      // of 2G: the stiffness of directions that yield
constexpr double agreed = 1e-6;      // of the law's stress: what it and a row may differ by
constexpr double hold_trace = 1e-9;  // of what particles give way by: keeps holds of one particle apart
constexpr double most_strain = 0.5;  // in one step

SolidModel checked(SolidModel model) {
  if (const std::string fault = fault_of(model); !fault.empty()) throw InputError(fault);
  return model;
}

// The hydrostatic axis, and five of shape: principal for every isotropic stiffness.
const Mat6& isotropic_axes() {
  static const Mat6 axes = [] {
    Mat6 m = Mat6::Identity();
    m.topLeftCorner<3, 3>() << 1 / std::sqrt(3.0), 1 / std::sqrt(2.0), 1 / std::sqrt(6.0),  //
        1 / std::sqrt(3.0), -1 / std::sqrt(2.0), 1 / std::sqrt(6.0),                        //
        1 / std::sqrt(3.0), 0, -2 / std::sqrt(6.0);
    return m;
  }();
  return axes;
}

// e(0) - e(v_k).
template <class Point>
Vec6 without_rate(const Point& point, double h) {
  return point.strain - 0.25 * h * point.rate_before - point.at;
}

}  // namespace

Solid::Solid(SolidModel model)
    : model_(checked(std::move(model))),
      gradient_(model_.cloud, reach_of(model_)),
      plastic_(std::ranges::any_of(model_.materials, [](const SolidMaterial& m) { return m.law.plastic; })),
      ripple_rows_(model_.cloud, gradient_),
      sums_(gradient_, ripple_rows_.coefficients()),
      strain_rows_(gradient_, sums_),
      residual_rows_(gradient_, sums_) {
  state_.position = model_.cloud.position;
  state_.velocity.assign(size(), Vec3::Zero());
  state_.plastic.assign(size(), Vec6::Zero());
  state_.stress.assign(size(), Vec6::Zero());
  state_.hold_force.assign(model_.holds.size(), 0.0);
  for (std::size_t i = 0; i < size(); ++i) {
    mass_.push_back(model_.material_of(i).density * model_.cloud.volume[i]);
    weight_.push_back(mass_[i] * model_.gravity);
  }
  for (std::size_t i = 0; i < size(); ++i) state_.ripple.push_back(ripple_of_weight(i));
  points_.resize(size());
  force_.resize(size());
  trial_.resize(size());
}

Mat3 Solid::deformation(std::size_t i) const {
  return gradient_.of(i, [&](std::size_t j) -> const Vec3& { return state_.position[j]; });
}

Vec6 Solid::strain(std::size_t i) const { return strain_of(model_.strain_measure, deformation(i)); }

Mat3 Solid::cauchy(std::size_t i) const {
  const Mat3 F = deformation(i);
  Mat6 Q;
  strain_of(model_.strain_measure, F, Q);
  return F * tensor(Q * state_.stress[i]) * F.transpose() / F.determinant();
}

double Solid::young(std::size_t i) const { return model_.material_of(i).law.young(); }

Vec6 Solid::rate(std::size_t i, const Mat3& L) const {
  const Mat3 twice = points_[i].F.transpose() * L;
  const Vec6 green = mandel(0.5 * (twice + twice.transpose()));
  return model_.strain_measure == StrainMeasure::green ? green : Vec6(points_[i].Q * green);
}

double Solid::kinetic_energy() const {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += 0.5 * mass_[i] * state_.velocity[i].squaredNorm();
  return sum;
}

Vec3 Solid::momentum() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < size(); ++i) sum += mass_[i] * state_.velocity[i];
  return sum;
}

Vec3 Solid::angular_momentum() const {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < size(); ++i) sum += mass_[i] * state_.position[i].cross(state_.velocity[i]);
  return sum;
}

// ---- rows

void Solid::declare(solve::Problem& problem) {
  first_block_ = problem.blocks().size();
  first_column_ = problem.velocities();
  for (std::size_t i = 0; i < size(); ++i) problem.add_block(3);
  strain_rows_.place(problem, first_block_);
  residual_rows_.place(problem, first_block_);
  ripple_rows_.place(problem, first_block_);
  hold_rows_.clear();
  for (const Hold& hold : model_.holds)
    for (const std::uint32_t i : hold.particles) {
      const std::size_t block = first_block_ + i, row = hold_rows_.add_row(problem, {&block, 1});
      Eigen::Map<Vec3>(hold_rows_.jacobian(row, 0).data()) = hold.direction;
    }
  state_.impulse.assign(strain_rows_.rows() + balances() + ripples() + hold_rows_.rows(), 0.0);
  product_.resize(residual_rows_.rows());
  column_.resize(first_column_ + 3 * size());
  begin();
}

// Nothing strikes it, but its velocities are part of the problem.
void Solid::collide(double, solve::Problem& problem) {
  for (std::size_t i = 0; i < size(); ++i) {
    Eigen::Map<Mat3>(problem.matrix(first_block_ + i).data()) = mass_[i] * Mat3::Identity();
    Eigen::Map<Vec3>(problem.momentum(first_block_ + i).data()) = mass_[i] * state_.velocity[i];
  }
}

solve::StepReport Solid::predict(double time, double h, solve::Problem& problem) {
  time_ = time;
  force_ = weight_;
  add_tractions(time + h);
  for (std::size_t i = 0; i < size(); ++i) {
    Eigen::Map<Mat3>(problem.matrix(first_block_ + i).data()) = mass_[i] * Mat3::Identity();
    Eigen::Map<Vec3>(problem.momentum(first_block_ + i).data()) =
        mass_[i] * state_.velocity[i] + h * force_[i];
  }
  return {};
}

void Solid::add_tractions(double time) {
  for (const Traction& traction : model_.tractions) {
    const double stress = traction.stress.value(time);
    for (const std::uint32_t i : traction.particles) {
      const double area = gradient_.area(i).dot(traction.normal);
      const Mat3 F = deformation(i);
      const auto along = [&]() -> Vec3 {
        if (traction.measure == Traction::Measure::piola) return F * traction.normal;
        const Vec3 turned = F.inverse().transpose() * traction.normal;
        return traction.measure == Traction::Measure::kirchhoff ? turned : F.determinant() * turned;
      };
      force_[i] += stress * area * along();
    }
  }
}

template <class Body>
void Solid::for_each(const Body& body) const {
  parallel_for(size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) body(i);
  });
}

// For each particle: body(i, gradient of the field there, its ripple).
template <class Body>
void Solid::with_gradients(std::span<const Vec3> field, const Body& body) {
  parallel_for(size(), [&](std::size_t begin, std::size_t end) {
    std::array<Wide, default_chunk> wide;
    sums_.outer({NeighbourSums::Slopes::own, NeighbourSums::Precision::exact}, field[0].data(), begin, end,
                wide.data());
    for (std::size_t i = begin; i < end; ++i) body(i, wide[i - begin].tensor(), wide[i - begin].last());
  });
}

void Solid::assemble(double h, solve::Problem& problem) {
  if (!shaped_) find_shapes(state_, shape_);
  shaped_ = true;
  for_each([&](std::size_t i) {
    static_cast<Shape&>(points_[i]) = shape_[i];
    points_[i].elastic_rows = points_[i].elastic_answer = false;
  });
  with_gradients(state_.velocity, [&](std::size_t i, const Mat3& L, const Vec3& ripple) {
    Point& point = points_[i];
    point.rate_before = rate(i, L);
    point.ripple_rate = point.F.transpose() * ripple + L.transpose() * point.g;
  });
  around_ = state_.velocity;
  look_ahead(h, around_);
  write_strains(h);
  solves_ = 0;
  miss_ = plastic_ ? std::numeric_limits<double>::infinity() : 0;
  const std::span<const double> start(state_.impulse);
  strain_rows_.set_start(starts_of_strains(h));
  problem.add_group(strain_rows_);
  if (balances() > 0) {
    write_balance(h);
    residual_rows_.set_start(start.subspan(strain_rows_.rows(), balances()));
    problem.add_group(residual_rows_);
  }
  if (ripples() > 0) {
    write_ripples(h);
    ripple_rows_.set_start(start.subspan(strain_rows_.rows() + balances(), ripples()));
    problem.add_group(ripple_rows_);
  }
  set_holds(h);
  problem.add_group(hold_rows_);
  bent_ = false;
  answered_ = true;
  if (plastic_ && model_.iterate)
    problem.set_bend([this, h](std::span<const double> v, solve::Problem::Bent bent) { bend(h, v, bent); });
}

void Solid::guess(std::span<double> v) const {
  for (std::size_t i = 0; i < size(); ++i) Eigen::Map<Vec3>{&v[first_column_ + 3 * i]} = state_.velocity[i];
}

// What rows answer, without the rows themselves: their axes take longer to find than the law. Only flow that
// is not associated needs them, since its tangent may have to be made positive.
void Solid::write_answers(double h) {
  const double t = relaxation(h) + 0.25 * h;
  parallel_for(size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Point& point = points_[i];
      const bool elastic = point.response.region == SoilRegion::elastic;
      if (elastic && point.elastic_answer) continue;
      point.elastic_answer = elastic;
      if (!elastic) point.elastic_rows = false;
      const material::SoilLaw& law = model_.material_of(i).law;
      Mat6 C;
      if (elastic) {
        C = law.elastic_stiffness();
      } else if (law.surface.associated()) {
        C = point.tangent + 2 * freely * law.shear * Mat6::Identity();
      } else {
        set_axes(i);
        C = point.axes * point.stiffness.asDiagonal() * point.axes.transpose();
      }
      const double impulse = h * model_.cloud.volume[i];
      const Vec6 push = -impulse * (point.response.stress + C * without_rate(point, h));
      if (model_.strain_measure == StrainMeasure::green)
        strain_rows_.set_answer(i, point.F, impulse * t * C, push);
      else
        strain_rows_.set_answer(i, point.F, impulse * t * (point.Q * C * point.Q), point.Q * push);
    }
  });
}

void Solid::bend(double h, std::span<const double> v, solve::Problem::Bent bent) {
  bent_ = true;
  const double* const given = &v[first_column_];
  if (double* const around = around_[0].data(); !std::equal(around, around + 3 * size(), given)) {
    std::copy(given, given + 3 * size(), around);
    look_ahead(h, around_);
    answered_ = false;
  }
  if (bent == solve::Problem::Bent::whole)
    write_strains(h);
  else if (!answered_)
    write_answers(h);
  answered_ = true;
}

// Impulses of the last stress along the axes of now.
std::vector<double> Solid::starts_of_strains(double h) const {
  std::vector<double> start(strain_rows_.rows());
  for_each([&](std::size_t i) {
    Eigen::Map<Vec6>{&start[6 * i]} =
        -h * model_.cloud.volume[i] * (points_[i].axes.transpose() * state_.stress[i]);
  });
  return start;
}

void Solid::set_holds(double h) {
  std::size_t row = 0;
  const std::size_t first = strain_rows_.rows() + balances() + ripples();
  const double d = model_.cloud.spacing;
  for (const Hold& hold : model_.holds) {
    const double way = hold.way.value(time_ + h);
    for (const std::uint32_t i : hold.particles) {
      // In long steps what is around a particle is harder to move than its mass.
      const double inertia = mass_[i] + h * h * young(i) * model_.cloud.volume[i] / (d * d);
      const double gone = hold.direction.dot(state_.position[i]) - state_.hold_origin[row];
      hold_rows_.set(
          row,
          {.sigma = hold_trace / inertia, .rhs = (way - gone) / h, .start = state_.impulse[first + row]});
      ++row;
    }
  }
}

void Solid::set_elastic_axes(std::size_t i) {
  const material::SoilLaw& law = model_.material_of(i).law;
  points_[i].axes = isotropic_axes();
  points_[i].stiffness.setConstant(2 * law.shear);
  points_[i].stiffness[0] = 3 * law.bulk;
}

// The law at a strain.
void Solid::look_at(std::size_t i, const Vec6& strain) {
  Point& point = points_[i];
  Mat6 tangent;
  point.at = strain;
  point.response = respond(model_.material_of(i).law, strain, state_.plastic[i], tangent);
  if (point.response.region != SoilRegion::elastic) point.tangent = 0.5 * (tangent + tangent.transpose());
}

// Its stiffness there, as rows need it.
void Solid::set_axes(std::size_t i) {
  Point& point = points_[i];
  if (point.response.region == SoilRegion::elastic) return set_elastic_axes(i);
  const Eigen::SelfAdjointEigenSolver<Mat6> principal(point.tangent);
  point.axes = principal.eigenvectors();
  point.stiffness = principal.eigenvalues().cwiseMax(2 * freely * model_.material_of(i).law.shear);
}

// The law where these velocities lead.
void Solid::look_ahead(double h, std::span<const Vec3> velocity) {
  const double tau = relaxation(h);
  with_gradients(velocity, [&](std::size_t i, const Mat3& L, const Vec3& ripple) {
    Point& point = points_[i];
    const Vec6 after = point.rate_after = rate(i, L);
    point.ripple_rate_after = point.F.transpose() * ripple + L.transpose() * point.g;
    look_at(i, point.strain + tau * after + 0.25 * h * (after - point.rate_before));
  });
}

void Solid::write_strains(double h) {
  const double t = relaxation(h) + 0.25 * h;
  for_each([&](std::size_t i) {
    Point& point = points_[i];
    const bool elastic = point.response.region == SoilRegion::elastic;
    if (elastic && point.elastic_rows && point.elastic_answer) return;
    point.elastic_rows = point.elastic_answer = elastic;
    set_axes(i);
    const double V = model_.cloud.volume[i];
    strain_rows_.set_frame(i, point.F, point.Q * point.axes);
    const Vec6 without = without_rate(point, h);
    for (Eigen::Index a = 0; a < 6; ++a) {
      const double c = point.stiffness[a];
      strain_rows_.set(6 * i + static_cast<std::size_t>(a), 1 / (h * V * c * t),
                       -point.axes.col(a).dot(point.response.stress / c + without) / t);
    }
    strain_rows_.complete(i);
  });
}

// Linear over the step, with the stiffness where the last velocities lead: the newest one would jump while
// plasticity is iterated, and forces with it; the elastic one would resist soil that flows, the more the
// longer the step.
void Solid::write_balance(double h) {
  const double t = relaxation(h) + 0.25 * h;
  parallel_for(size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const material::SoilLaw& law = model_.material_of(i).law;
      const Vec6 stress = respond(law, points_[i].strain, state_.plastic[i]).stress;
      const Point& point = points_[i];
      const Mat6 axes = point.Q * point.axes;
      residual_rows_.set_point(
          i, {point.F, tensor(point.Q * stress), axes * point.stiffness.asDiagonal() * axes.transpose(),
              gradient_.radius() / young(i)});
    }
  });
  for (std::size_t i = 0; i < size(); ++i)
    Eigen::Map<Vec3>{&column_[first_column_ + 3 * i]} = state_.velocity[i];
  residual_rows_.apply(column_, product_);
  parallel_for(size(), [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double V = model_.cloud.volume[i];
      const Vec3 before = Eigen::Map<const Vec3>(&product_[3 * i]);
      const Vec3 rhs = (0.25 * h * before - residual_rows_.violation(i, weight_[i] / V)) / t;
      for (std::size_t a = 0; a < 3; ++a)
        residual_rows_.set(3 * i + a, 1 / (model_.stabilisation * V * young(i) * h * t),
                           rhs[static_cast<Eigen::Index>(a)]);
    }
  });
  residual_rows_.complete();
}

// Of one particle, where its strain is not the one around which its rows are linear.
Solid::Miss Solid::miss_of(std::size_t i, const Vec6& strain, double impulse) const {
  const Point& point = points_[i];
  const Vec6 way = strain - point.at;
  const Vec6 change = point.axes * point.stiffness.cwiseProduct(point.axes.transpose() * way);
  const Vec6 by_rows = point.response.stress + change;
  const material::SoilLaw& law = model_.material_of(i).law;
  const Vec6 by_law = respond(law, strain, state_.plastic[i]).stress;
  return {(by_rows - by_law).norm() / std::max(by_law.norm(), law.surface.k), impulse * way.dot(change),
          impulse * way.dot(by_law - by_rows)};
}

// Along the way from where rows are linear to where they lead, the slope of what is minimised goes from -fall
// to 0 by the rows, and to `rise` by the law. Where that is more than half of the fall, the next rows are
// linear around the zero of the secant.
double Solid::correct(double h, const solve::Problem&, std::span<const double> impulse) {
  constexpr double too_far = 0.5, least = 0.1;
  if (!plastic_) return 0;
  const double tau = relaxation(h), t = tau + 0.25 * h;
  const bool first = solves_++ == 0;  // without any impulse: nothing to learn
  if (first) return std::numeric_limits<double>::infinity();
  for_each([&](std::size_t i) {
    trial_[i] = state_.velocity[i] +
                (Eigen::Map<const Vec3>(&impulse[first_column_ + 3 * i]) + h * force_[i]) / mass_[i];
  });
  const Miss all = parallel_reduce(
      size(), Miss{},
      [&](std::size_t begin, std::size_t end) {
        Miss sum;
        for (std::size_t i = begin; i < end; ++i) {
          const Mat3 L = gradient_.of(i, [&](std::size_t j) -> const Vec3& { return trial_[j]; });
          const Vec6 after = rate(i, L);
          sum =
              sum + miss_of(i, points_[i].strain + tau * after + 0.25 * h * (after - points_[i].rate_before),
                            h * model_.cloud.volume[i] / t);
          sum.fall += mass_[i] * (trial_[i] - around_[i]).squaredNorm();
        }
        return sum;
      },
      [](const Miss& a, const Miss& b) { return a + b; });
  miss_ = all.most;
  if (!model_.iterate || bent_ || miss_ <= agreed || solves_ > most_solves()) return 0;
  const double share = all.rise > too_far * all.fall ? std::max(least, all.fall / (all.fall + all.rise)) : 1;
  for (std::size_t i = 0; i < size(); ++i) around_[i] += share * (trial_[i] - around_[i]);
  look_ahead(h, around_);
  write_strains(h);
  return miss_ * model_.cloud.spacing / h;
}

// ---- the next state

solve::StepReport Solid::advance(double h, std::span<const double> impulse, std::span<const double> lambda) {
  next_ = state_;
  for_each([&](std::size_t i) {
    next_.velocity[i] += (Eigen::Map<const Vec3>(&impulse[first_column_ + 3 * i]) + h * force_[i]) / mass_[i];
    next_.position[i] += h * next_.velocity[i];
  });
  look_ahead(h, next_.velocity);  // the rows stay those of lambda: the books need them
  for_each([&](std::size_t i) {
    next_.plastic[i] = points_[i].response.plastic_strain;
    next_.stress[i] = points_[i].response.stress;
    if (ripples() > 0) next_.ripple[i] += (1 - points_[i].kept) * ripple_ahead(i, h);
  });
  std::ranges::copy(lambda, next_.impulse.begin());
  const auto of_holds = lambda.subspan(strain_rows_.rows() + balances() + ripples());
  std::size_t row = 0;
  for (std::size_t k = 0; k < model_.holds.size(); ++k) {
    next_.hold_force[k] = 0;
    for (std::size_t n = 0; n < model_.holds[k].particles.size(); ++n)
      next_.hold_force[k] += of_holds[row++] / h;
  }
  if (const std::string fault = fault_of_next(); !fault.empty()) return solve::StepReport::failure(fault);
  book(h, lambda);
  return {};
}

void Solid::find_shapes(const State& state, std::vector<Shape>& shape) {
  shape.resize(size());
  with_gradients(state.position, [&](std::size_t i, const Mat3& F, const Vec3& ripple) {
    shape[i].F = F;
    shape[i].g = ripple;
    shape[i].strain = strain_of(model_.strain_measure, F, shape[i].Q);
  });
}

double Solid::stored_energy(const State& state, const std::vector<Shape>& shape) {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const material::SoilLaw& law = model_.material_of(i).law;
    const auto& [F, g, strain, Q] = shape[i];
    const Vec6 elastic = strain - state.plastic[i];
    sum += model_.cloud.volume[i] * law.elastic_energy(elastic);
    if (ripples() > 0)
      sum += 0.5 * model_.cloud.volume[i] * ripple_stiffness(i) *
             (F.transpose() * g - state.ripple[i]).squaredNorm();
    if (balances() > 0)
      residual_rows_.set_point(
          i, {F, tensor(Q * law.elastic_stress(elastic)), Mat6::Zero(), gradient_.radius() / young(i)});
  }
  for (std::size_t i = 0; i < size() && balances() > 0; ++i) {
    const double V = model_.cloud.volume[i];
    sum +=
        0.5 * model_.stabilisation * V * young(i) * residual_rows_.violation(i, weight_[i] / V).squaredNorm();
  }
  return sum;
}

std::string Solid::fault_of_next() {
  find_shapes(next_, next_shape_);
  for (std::size_t i = 0; i < size(); ++i) {
    const Mat3& F = next_shape_[i].F;
    const Vec3& x = next_.position[i];
    const auto where = [&] {
      return fmt::format("particle {} of the solid, at ({:.4g}, {:.4g}, {:.4g}) m,", i, x.x(), x.y(), x.z());
    };
    if (!F.allFinite() || !next_.stress[i].allFinite()) return where() + " has no finite strain any more";
    if (!(F.determinant() > 0))
      return where() + " was turned inside out: the step is too long, or the load too large for the soil";
    if (const double change = (next_shape_[i].strain - points_[i].strain).norm(); change > most_strain)
      return fmt::format(
          "{} was strained by {:.2g} in one step, at most {} is allowed: a shorter step is needed", where(),
          change, most_strain);
  }
  return {};
}

void Solid::commit() {
  std::swap(state_, next_);
  std::swap(shape_, next_shape_);
}

void Solid::begin() {
  state_.books = {};
  find_shapes(state_, shape_);
  shaped_ = true;
  state_.books.stored = state_.books.first_stored = stored_energy(state_, shape_);
  state_.books.impulse = momentum();
  state_.books.angular_impulse = angular_momentum();
  state_.hold_origin.clear();
  for (const Hold& hold : model_.holds)
    for (const std::uint32_t i : hold.particles)
      state_.hold_origin.push_back(hold.direction.dot(state_.position[i]));
}

}  // namespace hardpan::meshfree
