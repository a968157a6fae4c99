// Numbers that can be watched during a run: `field` of `of`, as outputs and expect name them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "hardpan/scenario/build.h"

namespace hardpan::scenario {

struct Observable {
  std::string name;  // "bob.position.x"
  std::string unit;
  std::function<double(const Simulation&)> read;
};

// The components of a field ("position"), or one of them ("position.x"). `of` is the name of a body or joint
// and empty for fields of the whole system; `against` another body, where one side of a contact is meant. The
// names must have passed resolve().
std::vector<Observable> observe(const Simulation& simulation, const std::string& field, const std::string& of,
                                const std::string& against = {});

// A metric of the measurement: not a number before the last step.
Observable observe_metric(const std::string& metric);

// The frame that the user described a body in, whose origin need not be the centre of mass, and the velocity
// of its origin: what outputs and frames tell.
Pose frame_of_user(const multibody::System& system, std::size_t body);
Vec3 velocity_of_user(const multibody::System& system, std::size_t body);

}  // namespace hardpan::scenario
