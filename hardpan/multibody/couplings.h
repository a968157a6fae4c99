// The list of coupling kinds. A new kind is one header and one line here.
#pragma once

#include <tuple>
#include <vector>

#include "hardpan/multibody/coupling_converter.h"
#include "hardpan/multibody/coupling_elastic.h"
#include "hardpan/multibody/coupling_engine.h"
#include "hardpan/multibody/coupling_friction.h"
#include "hardpan/multibody/coupling_motor.h"
#include "hardpan/multibody/coupling_one_way.h"
#include "hardpan/multibody/coupling_servo.h"
#include "hardpan/multibody/coupling_stop.h"
#include "hardpan/multibody/coupling_tie.h"

namespace hardpan::multibody {

template <CouplingKind... Kinds>
using CouplingPoolsOf = std::tuple<std::vector<Kinds>...>;

using CouplingPools = CouplingPoolsOf<Tie,        //
                                      Elastic,    //
                                      Stop,       //
                                      Friction,   //
                                      Motor,      //
                                      OneWay,     //
                                      Engine,     //
                                      Converter,  //
                                      Servo>;

}  // namespace hardpan::multibody
