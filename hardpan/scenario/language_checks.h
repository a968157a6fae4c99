// What the description of the language cannot say: relations between values. Each runs on a resolved object.
#pragma once

#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

void check_time(const Value& time, Complain& complain);  // step <= end, not too many
void check_solver(const Value& solver, Complain& complain);
void check_body(const Value& body, Complain& complain);      // an inertia that some mass can have
void check_joint(const Value& joint, Complain& complain);    // of any kind: something can move
void check_load(const Value& load, Complain& complain);      // acts on something, at some time
void check_output(const Value& output, Complain& complain);  // the field exists and belongs to `of`, `every`
void check_expectation(const Value& expectation, Complain& complain);
void check_scenario(const Value& scenario, Complain& complain);  // names and outputs are unique

}  // namespace hardpan::scenario
