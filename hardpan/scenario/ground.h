// `ground`: soil, as scenarios describe it, and the models that it becomes.
#pragma once

#include <optional>

#include "hardpan/couple/grain_bed.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

Object ground_object();

// Of the resolved keys of a ground.
// `force`, or what stands for it: springs (hooke) where the material has a stiffness, else hertz.
Value grain_force(const Value& ground, const Value& material);
Vec3 grain_axes(const Value& ground);  // of a grain as an ellipsoid, over its largest

// Are there grains, and are they rigid?
bool has_rigid_grains(const Value& scenario);
// Of a tree as it was written, whatever is wrong with it: does it ask for rigid grains?
bool asks_for_rigid_grains(const Value& tree);
// Likewise: `solver.kind`, where nothing is said, becomes pgs with rigid grains, and matrix-free newton with
// bodies and a solid.
void choose_solver(Value& tree);

// Nothing where the scenario has no ground of this kind. InputError where only the numbers together tell: a
// step that is too long, a region without room, grains that overlap something.
std::optional<couple::GrainBedModel> penalty_ground(const Value& scenario,
                                                    const couple::ContactModel& contacts,
                                                    const multibody::Model& bodies);

// Likewise, rigid grains: bodies and surfaces after all others.
void add_rigid_grains(const Value& scenario, multibody::Model& bodies, couple::ContactModel& contacts);

}  // namespace hardpan::scenario
