// From what the user described to flat lists of rows, coordinates and axes.
#include <algorithm>

#include "hardpan/core/error.h"
#include "hardpan/multibody/system.h"

namespace hardpan::multibody {
namespace {

template <JointKind Joint>
Quat axes_of(const Joint& joint) {
  if constexpr (requires { joint.frame_A; }) return joint.frame_A;
  if constexpr (requires { joint.axis_A; }) return Quat::FromTwoVectors(Vec3::UnitZ(), joint.axis_A);
  return Quat::Identity();
}

template <JointKind Joint>
std::string_view shown_kind(const Joint& joint) {
  if constexpr (requires { joint.shown_as; })
    return joint.shown_as;
  else
    return Joint::kind;
}

}  // namespace

void System::index_joints() {
  const auto add_pool = [&]<class Joint>(const std::vector<Joint>& pool) {
    pool_start_.push_back(joints_.size());
    for (const Joint& joint : pool) {
      joints_.push_back({joint.ends.name, shown_kind(joint), joint.ends.a, joint.ends.b, joint.s_A, joint.s_B,
                         axes_of(joint), row_count_, joint.rows(), memory_size_, coordinate_count_,
                         Joint::coordinates});
      row_joint_.insert(row_joint_.end(), joint.rows(), joints_.size() - 1);
      row_count_ += joint.rows();
      memory_size_ += Joint::memory_size;
      coordinate_count_ += Joint::coordinates.size();
    }
  };
  std::apply([&](const auto&... pools) { (add_pool(pools), ...); }, model_.joints);
  joint_rows_ = row_count_;
}

void System::index_couplings() {
  joint_forces_.resize(joints_.size());
  const auto add_pool = [&]<class Coupling>(const std::vector<Coupling>& pool) {
    for (const Coupling& coupling : pool) {
      couplings_.push_back({coupling.name, Coupling::kind, row_count_, coupling.rows(), memory_size_,
                            Coupling::memory_size, plans_.size(), coupling.axes.size()});
      for (const Axis& axis : coupling.axes) {
        AxisPlan& plan = plans_.emplace_back();
        for (const Axis::Term& term : axis.terms) {
          plan.terms.push_back(find_coordinate(term.coordinate));
          plan.terms.back().factor = term.factor;
        }
      }
      const CouplingInfo& info = couplings_.back();
      for (std::size_t i = 0; i < info.rows; ++i)
        row_axis_.push_back(info.first_axis + (info.axes > 1 ? i : 0));
      row_count_ += info.rows;
      memory_size_ += Coupling::memory_size;
    }
  };
  std::apply([&](const auto&... pools) { (add_pool(pools), ...); }, model_.couplings);
  for (std::size_t i = 0; i < row_axis_.size(); ++i)
    for (const AxisTerm& term : plans_[row_axis_[i]].terms)
      if (term.relation != AxisTerm::none)
        joint_forces_[joint_of(term.relation)].push_back({joint_rows_ + i, term.relation, term.factor});
}

// The last joint whose coordinates begin at or before this one: those without coordinates come first.
std::size_t System::joint_of(std::size_t coordinate) const {
  const auto after = std::upper_bound(
      joints_.begin(), joints_.end(), coordinate,
      [](std::size_t value, const JointInfo& joint) { return value < joint.first_coordinate; });
  return static_cast<std::size_t>(after - joints_.begin()) - 1;
}

System::AxisTerm System::find_coordinate(const CoordinateRef& ref) const {
  AxisTerm term;
  if (ref.pool == CoordinateRef::shafts) {
    HARDPAN_CHECK(ref.index < model_.shafts.size(), "a coupling refers to a shaft that is not there");
    term.shaft = ref.index;
    return term;
  }
  HARDPAN_CHECK(ref.pool < pool_start_.size(), "a coupling refers to a kind of joint that is not there");
  const std::size_t end = ref.pool + 1 < pool_start_.size() ? pool_start_[ref.pool + 1] : joints_.size();
  const std::size_t joint = pool_start_[ref.pool] + ref.index;
  HARDPAN_CHECK(joint < end && ref.component < joints_[joint].coordinates.size(),
                "a coupling refers to a coordinate that is not there");
  term.relation = joints_[joint].first_coordinate + ref.component;
  return term;
}

std::size_t System::slot_of(AxisPlan& plan, BodyId id) const {
  if (!moves(id)) return AxisTerm::none;
  const std::size_t block = steps_[id.index()].block;
  const auto known = std::find(plan.blocks.begin(), plan.blocks.end(), block);
  if (known != plan.blocks.end()) return static_cast<std::size_t>(known - plan.blocks.begin());
  plan.blocks.push_back(block);
  plan.columns.push_back(steps_[id.index()].column);
  plan.bodies.push_back(id.index());
  return plan.blocks.size() - 1;
}

// Which blocks an axis touches, each once.
void System::plan_axes() {
  for (AxisPlan& plan : plans_) {
    for (auto* list : {&plan.blocks, &plan.columns, &plan.bodies}) list->clear();
    for (AxisTerm& term : plan.terms) {
      if (term.relation == AxisTerm::none) {
        term.slot_a = plan.blocks.size();
        plan.blocks.push_back(shaft_steps_[term.shaft].block);
        plan.columns.push_back(shaft_steps_[term.shaft].column);
        plan.bodies.push_back(AxisTerm::none);
        continue;
      }
      const std::size_t j = joint_of(term.relation);
      if (plan.joint == AxisTerm::none) plan.joint = j;
      term.slot_a = slot_of(plan, joints_[j].a);
      term.slot_b = slot_of(plan, joints_[j].b);
    }
  }
}

void System::plan_rows(const solve::Problem& problem) {
  group_.clear();
  for (const JointInfo& joint : joints_) {
    std::vector<std::size_t> blocks;
    for (const BodyId id : {joint.a, joint.b})
      if (moves(id)) blocks.push_back(steps_[id.index()].block);
    for (std::size_t i = 0; i < joint.rows; ++i) group_.add_row(problem, blocks);
  }
  for (const std::size_t axis : row_axis_) group_.add_row(problem, plans_[axis].blocks);
}

}  // namespace hardpan::multibody
