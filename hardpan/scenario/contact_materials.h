// Materials, pairs of materials and collision groups: how scenarios say what touches and how.
#pragma once

#include <map>
#include <string>

#include "hardpan/couple/contact_model.h"
#include "hardpan/scenario/spec.h"

namespace hardpan::scenario {

Object material_object();
Object contact_object();                      // an entry of `contacts`: what differs for a pair
std::vector<Field> contact_fields_of_body();  // material, groups, passes_through

void check_contacts(const Value& scenario, Complain& complain);  // pairs once, at most 64 groups

couple::ContactModel contact_model(const Value& scenario, const multibody::Model& bodies);

}  // namespace hardpan::scenario
