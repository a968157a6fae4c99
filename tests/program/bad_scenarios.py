"""Scenarios that are refused, and what the message must say. Each is the one in GOOD with some of its sections replaced; the
comment `#!` marks the line that the message must name."""

GOOD = {
    "hardpan": "hardpan: 1",
    "time": "time: {end: 0.1, step: 0.001}",
    "bodies": "bodies:\n"
              "  bob: {mass: 1, shape: {kind: sphere, radius: 0.1}, position: [0, 0, -1]}\n"
              "  box: {mass: 1, shape: {kind: box, size: [1, 2, 3]}}",
    "joints": "joints:\n"
              "  rope: {kind: distance, between: [world, bob], points: [[0, 0, 0], [0, 0, -1]]}",
    "outputs": "outputs:\n"
               "  - {field: position, of: bob}",
    "expect": "expect:\n"
              "  - {field: position.z, of: bob, equals: -1, tolerance: 1.0e-3, source: rest}",
}


def scenario(**sections):
    """GOOD with sections replaced; None leaves one out; new ones go to the end."""
    parts = dict(GOOD, **sections)
    return "\n".join(part for part in parts.values() if part is not None) + "\n"


def body(text):
    return scenario(bodies=GOOD["bodies"] + "\n  bad: " + text)


def joint(text):
    return scenario(joints=GOOD["joints"] + "\n  bad: " + text)


def grains(sand="{density: 2500, young: 5.0e+6}", box="fixed: true", mark="ground", **changes):
    """A good ground with keys replaced; None leaves one out. The box of GOOD stands in its middle, without material."""
    keys = {"model": "grains-penalty", "material": "sand", "diameter": "0.01",
            "fill": "{low: [0, 0, 0], high: [0.1, 0.1, 0.1]}", **changes}
    text = ", ".join("%s: %s" % pair for pair in keys.items() if pair[1] is not None)
    marks = {key: " #!" if key == mark else "" for key in ("materials", "ground")}
    return scenario(bodies=GOOD["bodies"].replace("size: [1, 2, 3]}}", "size: [1, 2, 3]}, %s}" % box),
                    materials="materials: {sand: %s}%s" % (sand, marks["materials"]),
                    ground="ground: {%s}%s" % (text, marks["ground"]))


CAP = "cap: {ratio: 2.5, start: %s, hardening: 1.0e-6, compaction: %s}"


def clay(soil):
    return scenario(materials="materials: {clay: {young: 9.1e+7, soil: {%s}}} #!" % soil)


def solid(clay="{density: 2000, young: 9.1e+7}", **changes):
    """A good block with keys replaced."""
    keys = {"material": "clay", "box": "{low: [0, 0, 0], high: [1, 1, 1]}", "spacing": "0.25", **changes}
    return scenario(materials="materials: {clay: %s}" % clay,
                    solid="solid: {%s} #!" % ", ".join("%s: %s" % pair for pair in keys.items()))


def shaped(shape):
    return solid(shape=shape).replace("box: {low: [0, 0, 0], high: [1, 1, 1]}, ", "")


def block(text):
    return scenario(outputs=None, expect=None, bodies=None, joints=None,
                    materials="materials: {clay: {density: 2000, young: 9.1e+7}}", experiment="experiment: {soil: clay, %s} #!" % text)


SHAFTS = "shafts:\n  s1: {inertia: 1}\n  s2: {inertia: 1}\n  s3: {inertia: 1}"
COORDINATES = ("joints:\n"
               "  pin: {kind: hinge, between: [world, bob], at: [0, 0, 0], axis: [0, 0, 1]}\n"
               "  rope: {kind: line, between: [world, box], points: [[0, 0, 5], [0, 0, 0]]}\n"
               "  knob: {kind: ball, between: [bob, box], at: [0, 0, 0]}")


SERVO = "motors:\n  bad: {kind: servo, coordinate: %s, stress: 1, face: [{length: 1}, {length: 1}]} #!"
SAND = {"materials": "materials: {sand: {density: 2500, young: 5.0e+6}}",
        "ground": "ground: {model: grains-penalty, material: sand, grains: [[9, 9, 9, 0.01]]}"}


def coupling(text):
    return scenario(joints=COORDINATES, shafts=SHAFTS, couplings="couplings:\n  bad: %s #!" % text)


CONE = "kind: cone-penetrometer, walls: clay, spacing: 0.1, cone_diameter: 0.3, rod_mass: 1, weight: 1, drop: 0.3, blows: 1"


def motor(text):
    return scenario(joints=COORDINATES, shafts=SHAFTS, motors="motors:\n  bad: %s #!" % text)


def converter(capacity="[[0, 15], [0.9, 20]]", torque_ratio="[[0, 2], [0.85, 1]]", turbine="s2"):
    return coupling("{kind: converter, pump: s1, turbine: %s, capacity: %s, torque_ratio: %s}" % (turbine, capacity, torque_ratio))


def engine(full="[[0, 1]]", drag="[[0, 1]]", rest="throttle: 1", on="s1"):
    return motor("{kind: engine, coordinate: %s, full: %s, drag: %s, %s}" % (on, full, drag, rest))


def output(*lines):
    return scenario(outputs=GOOD["outputs"] + "".join("\n  - " + line for line in lines))


def expectation(text):
    return scenario(expect=GOOD["expect"] + "\n  - " + text)


BALL = "shape: {kind: sphere, radius: 1}"

# name: (scenario, fragments of the message)
SCENARIOS = {
    # Keys
    "typo_in_top_level_key": (scenario(joints="jonits: {} #!"), ["'jonits'", "did you mean 'joints'", "allowed: hardpan"]),
    "typo_in_nested_key": (body("{mas: 1, %s} #!" % BALL), ["bodies.bad", "'mas'", "did you mean 'mass'", "allowed: mass"]),
    "key_of_a_later_version": (scenario(vehicle="vehicle: {} #!"), ["'vehicle' is not part of this version"]),
    "unknown_key_without_neighbour": (scenario(x="zzzzzzzz: 1 #!"), ["unknown key 'zzzzzzzz'", "allowed: hardpan, title"]),
    "key_of_another_kind": (joint("{kind: ball, between: [world, box], at: [0, 0, 0], axis: [0, 0, 1]} #!"),
                            ["joints.bad", "'axis' belongs to kind hinge and", "ignored"]),
    "duplicate_key": (scenario(time="time: {end: 1}\ntime: {end: 2} #!"), ["duplicate key 'time'", "line 2"]),
    "duplicate_body": (scenario(bodies="bodies:\n  bob: {mass: 1, %s}\n  bob: {mass: 2, %s} #!" % (BALL, BALL)),
                       ["duplicate key 'bob'", "line 4"]),
    # Grains
    "ground_without_density": (grains(sand="{young: 1.0e+6}"), ["ground.material", "no density"]),
    "grains_of_no_modulus": (grains(sand="{density: 2500, young: 0}", mark="materials"), ["materials.sand.young", "greater than 0"]),
    "grains_without_modulus": (grains(sand="{density: 2500}"), ["ground.material", "no young"]),
    "grains_of_no_size": (grains(diameter="0"), ["ground.diameter", "greater than 0"]),
    "no_room_for_a_grain": (grains(fill="{low: [0, 0, 0], high: [0.005, 0.1, 0.1]}"), ["ground.fill", "no room for a single grain"]),
    "too_many_grains": (grains(fill="{low: [0, 0, 0], high: [0.1, 0.1, 0.1], count: 10000}"), ["ground.fill.count", "room for 729"]),
    "growth_without_a_goal": (grains(fill="{low: [0, 0, 0], high: [0.1, 0.1, 0.1], method: growth}"),
                              ["ground.fill.method", "growth needs a void_ratio"]),
    "void_ratio_of_a_lattice": (grains(fill="{low: [0, 0, 0], high: [0.1, 0.1, 0.1], void_ratio: 0.8}"),
                                ["ground.fill.void_ratio", "belongs to method growth"]),
    "denser_than_spheres_can_be": (grains(fill="{low: [0, 0, 0], high: [0.05, 0.05, 0.05], method: growth, void_ratio: 0.3}"),
                                   ["ground.fill.void_ratio", "do not reach 0.3"]),
    "upside_down_region": (grains(fill="{low: [0, 0, 0.1], high: [0.1, 0.1, 0]}"), ["ground.fill.high", "above low"]),
    "step_of_grains_too_long": (grains(step="1.0e-3"), ["ground.step", "Rayleigh time", "safe"]),
    "grains_on_each_other": (grains(fill=None, diameter=None, grains="[[0, 0, 0, 0.01], [0, 0, 0.005, 0.01]]"),
                             ["reaches 0.005 m into grain 1"]),
    "grains_in_a_body": (grains(box="material: sand"), ["reaches", "into body 'box'"]),
    "unknown_law_of_force": (grains(force="{tangential: true-history}"),
                             ["ground.force.tangential", "incremental, displacement, pseudo, none"]),
    "unknown_experiment": (scenario(experiment="experiment: {kind: direct-sheer} #!"), ["experiment.kind", "direct-shear"]),
    "experiment_of_unknown_soil": (scenario(
        materials="materials: {sand: {}}",
        experiment="experiment: {kind: repose-angle, soil: snad, walls: sand, count: 9, diameter: 0.1, tube: 1, duration: 1} #!"),
        ["experiment.soil", "'snad'", "did you mean 'sand'"]),
    "lid_heavier_than_the_load": (scenario(
        materials="materials: {sand: {density: 2500, young: 5.0e+6}}",
        experiment="experiment: {kind: direct-shear, soil: sand, walls: sand, count: 9, diameter: 0.1, size: [1, 1], distance: 0.1, "
                   "normal_stress: 100, lid_mass: 20} #!"), ["experiment.lid_mass", "20 kg weigh 196 N", "load of 100 N"]),
    "metric_of_nothing": (scenario(expect="expect:\n  - {metric: peak, between: [0, 1], source: me} #!"), ["metric", "no 'measure'"]),
    # Contact
    "unknown_material": (body("{mass: 1, %s, material: wodo} #!" % BALL), ["bodies.bad.material", "'wodo'"]),
    "negative_friction": (scenario(materials="materials: {wood: {friction: -0.1}} #!"), ["materials.wood.friction", "at least 0"]),
    "restitution_above_one": (scenario(materials="materials: {wood: {restitution: 1.5}} #!"), ["materials.wood.restitution"]),
    "stiffness_twice": (scenario(materials="materials: {wood: {stiffness: 1e6, young: 1e9}} #!"), ["materials.wood", "stiffness", "young"]),
    "pair_given_twice": (scenario(materials="materials: {a: {}, b: {}}\ncontacts: [{between: [a, b]}, {between: [b, a]}] #!"),
                         ["contacts.1.between", "given twice"]),
    "force_against_itself": (scenario(outputs="outputs: [{field: contact_force, of: bob, against: bob}] #!"),
                             ["outputs.0.against", "another one"]),
    "against_without_contact": (scenario(outputs="outputs: [{field: position, of: bob, against: bob}] #!"),
                                ["outputs.0.against", "ignored"]),
    # Soil as a solid
    "soil_without_modulus": (scenario(materials="materials: {clay: {soil: {friction_angle_deg: 22, cohesion: 1}}} #!"),
                             ["materials.clay", "'soil' needs 'young'"]),
    "solid_without_modulus": (solid(clay="{density: 2000}"), ["solid.material", "'clay' has no young"]),
    "solid_without_density": (solid(clay="{young: 1.0e+6}"), ["solid.material", "'clay' has no density"]),
    "solid_of_one_layer": (solid(spacing="1.5"), ["solid.spacing", "more than the shortest edge of the box, 1 m"]),
    "solid_of_too_many_particles": (solid(spacing="0.001"), ["solid.spacing", "at most 5e+06 are allowed"]),
    "solid_inside_out": (solid(box="{low: [0, 0, 0], high: [1, -1, 1]}"), ["solid.box.high", "must lie above low"]),
    "solid_of_unknown_material": (solid(material="loam"), ["solid.material", "'loam'", "clay"]),
    "solid_of_two_shapes": (solid(shape="{kind: sphere, radius: 1}"), ["solid", "box", "shape"]),
    "solid_without_inside": (shaped("{kind: plane}"), ["solid.shape", "a shape with an inside"]),
    "solid_below_a_height_field_without_floor": (shaped("{kind: height-field, spacing: [1, 1], heights: [[0, 0], [0, 0]]}"),
                                                 ["solid.shape", "needs solid.floor"]),
    "solid_thinner_than_a_particle": (shaped("{kind: sphere, radius: 0.1}"), ["solid.spacing", "more than the solid is thick, 0.2 m"]),
    "hole_without_inside": (solid(holes="[{kind: plane}]"), ["solid.holes.0", "a shape with an inside"]),
    "hold_of_no_face": (solid(holds="{a: {face: left}}"), ["solid.holds.a.face", "west", "top"]),
    "hold_of_no_particle": (solid(holds="{a: {face: top, within: {low: [5, 5, 5], high: [6, 6, 6]}}}"),
                            ["solid.holds.a", "no particle of face top"]),
    "hold_with_two_ways": (solid(holds="{a: {face: top, way: 1, way_curve: [[0, 0]]}}"), ["solid.holds.a", "way"]),
    "hold_that_goes_back_in_time": (solid(holds="{a: {face: top, way_curve: [[1, 0], [0, 0]]}}"), ["solid.holds.a.way_curve"]),
    "inclusion_without_a_place": (solid(parts="[{material: clay}]"), ["solid.parts.0", "box", "ball"]),
    "particles_that_see_nobody": (solid(reach="1.4"), ["solid.reach", "at least 1.5"]),
    "nearest_in_no_lattice": (solid(reach="1", relaxations="2"), ["solid.reach", "whole lattice"]),
    "solid_that_stabilises_backwards": (solid(stabilisation="-1"), ["solid.stabilisation", "at least 0"]),
    "measure_of_no_plate": (scenario(materials="materials: {clay: {density: 2000, young: 9.1e+7}}",
                                     solid="solid: {material: clay, box: {low: [0, 0, 0], high: [1, 1, 1]}, spacing: 0.5}",
                                     measure="measure: {kind: footing, plate: lid, area: 1} #!"),
                            ["measure.plate", "solid.holds has no 'lid'"]),
    "measure_of_no_solid": (scenario(measure="measure: {kind: footing, plate: lid, area: 1} #!"), ["measure", "no solid to measure"]),
    "half_a_particle_under_the_footing": (block("kind: strip-footing, particles: 7, sinkage: 0.01"),
                                          ["experiment.particles", "must be even"]),
    "cone_on_a_particle": (block(f"{CONE}, size: [1, 1, 0.5], cone_angle_deg: 120"), ["experiment.size", "1 m is 10 times the spacing", "odd number"]),
    "cone_too_sharp": (block(f"{CONE}, size: [1.1, 1.1, 0.5], cone_angle_deg: 60"), ["experiment.cone_angle", "between 75 and 170 degrees"]),
    "rock_somewhere": (block(f"{CONE}, size: [1.1, 1.1, 0.5], cone_angle_deg: 120, rock: 0.1"), ["'rock' needs 'rock_depth'"]),
    "rock_too_deep": (block(f"{CONE}, size: [1.1, 1.1, 0.5], cone_angle_deg: 120, rock: 0.1, rock_depth: 0.4"), ["experiment.rock", "must fit into the block"]),
    "cube_pressed_flat": (block("kind: oedometer, strain: -0.7"), ["experiment.strain", "-0.6"]),
    "soil_without_friction_angle": (clay("cohesion: 1"), ["materials.clay.soil", "missing key 'friction_angle_(deg|rad)'"]),
    "tension_beyond_the_apex": (clay("friction_angle_deg: 22, cohesion: 14000, tension: 104000"),
                                ["materials.clay.soil.tension", "104000 Pa", "apex of the cone, 103954 Pa"]),
    "dilation_beyond_friction": (clay("friction_angle_deg: 22, dilation_angle_deg: 30, cohesion: 14000"),
                                 ["materials.clay.soil.dilation_angle_deg", "30 degrees", "friction angle, 22"]),
    "cap_that_yields_without_stress": (clay("friction_angle_deg: 22, cohesion: 14000, " + CAP % ("1.0e+6", "0.1")),
                                       ["materials.clay.soil.cap.start", "1000000 Pa", "at most 0 Pa"]),
    "caps_that_meet": (clay("friction_angle_deg: 22, cohesion: 14000, tension: 1000, " + CAP % ("0", "0.1")),
                       ["materials.clay.soil.cap.start", "must be at most -"]),
    "soil_that_can_vanish": (clay("friction_angle_deg: 22, cohesion: 14000, " + CAP % ("-1.0e+5", "1")),
                             ["materials.clay.soil.cap.compaction", "1"]),
    "caps_without_cohesion": (clay("friction_angle_deg: 22, cohesion: 0, " + CAP % ("-1.0e+5", "0.1")),
                              ["materials.clay.soil.cohesion", "greater than 0"]),
    "friction_beyond_a_right_angle": (clay("friction_angle_deg: 90, cohesion: 1"),
                                      ["materials.clay.soil.friction_angle_deg", "below 90"]),
    "typo_in_a_cap": (clay("friction_angle_deg: 22, cohesion: 1, cap: {ration: 2}"), ["'ration'", "did you mean 'ratio'"]),
    # Drivelines and motors
    "servo_without_ground": (scenario(
        joints="joints:\n  rail: {kind: slider, between: [world, bob], at: [0, 0, 0], axis: [0, 0, 1]}", motors=SERVO % "rail"),
        ["motors.bad", "no ground for a servo"]),
    "servo_on_a_rope": (scenario(joints=COORDINATES, motors=SERVO % "rope", **SAND), ["motors.bad.coordinate", "along a slider", "of kind line"]),
    "servo_with_two_goals": (scenario(motors="motors:\n  bad: {kind: servo, coordinate: pin, stress: 1, speed: 1, "
                                      "face: [{length: 1}, {length: 1}]} #!"), ["motors.bad", "exactly one", "stress", "speed"]),
    "unknown_coupling": (coupling("{kind: gera, between: [s1, s2]}"), ["couplings.bad.kind", "'gera'", "did you mean 'gear'", "planetary"]),
    "typo_in_coupling": (coupling("{kind: gear, betwen: [s1, s2]}"), ["'betwen'", "did you mean 'between'"]),
    "gear_without_between": (coupling("{kind: gear, ratio: 2}"), ["couplings.bad", "missing key 'between'"]),
    "unknown_shaft": (coupling("{kind: gear, between: [s1, s9]}"), ["couplings.bad.between", "'s9'", "known: s1, s2, s3, pin"]),
    "body_for_a_coordinate": (coupling("{kind: gear, between: [s1, bob]}"), ["'bob' is a body"]),
    "coordinate_of_a_ball": (coupling("{kind: brake, coordinate: knob, torque: 1}"),
                             ["couplings.bad.coordinate", "joint 'knob' of kind ball has no free coordinate"]),
    "unknown_coordinate": (coupling("{kind: gear, between: [s1, pin.angel]}"), ["no coordinate 'angel'", "allowed: pin.angle"]),
    "gear_of_angle_and_length": (coupling("{kind: gear, between: [s1, rope]}"), ["one is an angle, the other a length", "rack"]),
    "clutch_of_angle_and_length": (coupling("{kind: clutch, between: [s1, rope], torque: 1}"), ["one is an angle, the other a length"]),
    "one_coordinate_by_two_names": (coupling("{kind: gear, between: [pin, pin.angle]}"),
                                    ["couplings.bad.between", "'pin.angle' stands here twice"]),
    "differential_onto_itself": (coupling("{kind: differential, input: s1, outputs: [s1, s2]}"), ["'s1' stands here twice"]),
    "planetary_onto_itself": (coupling("{kind: planetary, sun: s1, ring: s1, carrier: s3, teeth: [30, 70]}"),
                              ["couplings.bad.ring", "'s1' stands here twice"]),
    "zero_ratio": (coupling("{kind: gear, between: [s1, s2], ratio: 0}"), ["couplings.bad.ratio", "must not be 0"]),
    "zero_radius": (coupling("{kind: rack, pinion: s1, rack: rope, radius: 0}"), ["couplings.bad.radius", "must not be 0"]),
    "rack_that_turns": (coupling("{kind: rack, pinion: s1, rack: s2, radius: 1}"), ["'s2' is an angle; here a length is needed"]),
    "no_teeth": (coupling("{kind: planetary, sun: s1, ring: s2, carrier: s3, teeth: [0, 70]}"),
                 ["couplings.bad.teeth.0", "greater than 0"]),
    "locked_and_slipping": (coupling("{kind: differential, input: s1, outputs: [s2, s3], locked: true, slip_torque: 5}"),
                            ["couplings.bad.slip_torque", "would be ignored"]),
    "clutch_without_torque": (coupling("{kind: clutch, between: [s1, s2]}"), ["exactly one must be given of: torque; torque_curve"]),
    "negative_clutch_torque": (coupling("{kind: clutch, between: [s1, s2], torque: -1}"), ["couplings.bad.torque", "at least 0 N m"]),
    "negative_torque_in_a_curve": (coupling("{kind: clutch, between: [s1, s2], torque_curve: [[0, 1], [1, -2]]}"),
                                   ["torque_curve", "a friction torque is not negative"]),
    "curve_not_increasing": (coupling("{kind: clutch, between: [s1, s2], torque_curve: [[0, 1], [0, 2]]}"),
                             ["torque_curve", "must increase: 0 follows 0"]),
    "empty_curve": (coupling("{kind: clutch, between: [s1, s2], torque_curve: []}"), ["torque_curve", "at least 1"]),
    "key_of_another_coupling": (coupling("{kind: brake, between: [s1, s2], torque: 1}"), ["'between' belongs to kind", "not to kind brake"]),
    "spring_without_spring": (coupling("{kind: spring, between: [s1, s2]}"), ["would do nothing"]),
    "converter_creates_energy_at_the_end": (converter(torque_ratio="[[0, 2]]"), ["torque_ratio", "is 2 at speed ratio 1", "create energy"]),
    "converter_creates_energy_between_points": (converter(torque_ratio="[[0, 3], [1, 1]]"), ["is 1.125 at speed ratio 0.75"]),
    "converter_torque_at_equal_speeds": (converter(capacity="[[0, 15], [1, 100]]"), ["capacity", "end the table below speed ratio 1"]),
    "converter_beyond_ratio_one": (converter(capacity="[[0, 15], [1.2, 20]]"), ["capacity", "between 0 and 1"]),
    "converter_capacity_zero": (converter(capacity="[[0, 0], [0.9, 20]]"), ["capacity", "must be positive"]),
    "converter_onto_itself": (converter(turbine="s1"), ["couplings.bad.turbine", "'s1' stands here twice"]),
    "converter_on_a_length": (converter(turbine="rope"), ["'rope' is a length; here an angle is needed"]),
    "two_rigid_motors": (scenario(joints=COORDINATES, shafts=SHAFTS, motors="motors:\n  first: {kind: speed, coordinate: s1, target: 1}\n"
                                  "  second: {kind: speed, coordinate: s1, target: 2} #!"), ["motors.second.coordinate", "another motor"]),
    "motor_that_jumps": (motor("{kind: position, coordinate: pin, target_angle_deg: 40}"), ["motors.bad", "a rigid motor would jump", "stiffness or max_force"]),
    "coefficient_without_lever": (joint("{kind: hinge, between: [world, box], at: [0, 0, 0], axis: [0, 0, 1], friction_coefficient: 0.2} #!"),
                                  ["friction_coefficient", "needs bearing_radius"]),
    "start_beyond_a_stop": (joint("{kind: hinge, between: [world, box], at: [0, 0, 0], axis: [0, 0, 1], lower_deg: 10} #!"),
                            ["joints.bad", "beyond its stop"]),
    "stops_crossed": (joint("{kind: slider, between: [world, box], at: [0, 0, 0], axis: [0, 0, 1], lower: 1, upper: -1} #!"),
                      ["lower must lie below upper"]),
    "screw_without_pitch": (joint("{kind: screw, between: [world, box], at: [0, 0, 0], axis: [0, 0, 1], pitch: 0} #!"), ["joints.bad.pitch"]),
    "universal_axes_askew": (joint("{kind: universal, between: [world, box], at: [0, 0, 0], axes: [[1, 0, 0], [1, 1, 0]]} #!"),
                             ["joints.bad.axes", "perpendicular"]),
    "negative_length": (joint("{kind: line, between: [world, box], points: [[0, 0, 5], [0, 0, 0]], upper: -1} #!"),
                        ["joints.bad.upper", "a length is not negative"]),
    "stiffness_twice": (joint("{kind: slider, between: [world, box], at: [0, 0, 0], axis: [0, 0, 1], stiffness: 1, spring_curve: [[0, 0], [1, 1]]} #!"),
                        ["joints.bad.stiffness", "spring_curve is given"]),
    "unknown_motor": (motor("{kind: sped, coordinate: s1, target: 1}"), ["motors.bad.kind", "did you mean 'speed'", "engine"]),
    "motor_on_nothing": (motor("{kind: speed, target: 1}"), ["motors.bad", "missing key 'coordinate'"]),
    "motor_on_a_ball": (motor("{kind: speed, coordinate: knob, target: 1}"), ["motors.bad.coordinate", "of kind ball has no free coordinate"]),
    "motor_without_target": (motor("{kind: speed, coordinate: s1}"), ["exactly one must be given of: target; target_curve"]),
    "motor_without_force": (motor("{kind: speed, coordinate: s1, target: 1, max_force: 0}"), ["motors.bad.max_force", "greater than 0"]),
    "motor_with_two_bounds": (motor("{kind: speed, coordinate: s1, target: 1, max_force: 1, max_force_curve: [[0, 1]]}"),
                              ["at most one may be given of: max_force; max_force_curve"]),
    "motor_with_negative_bound": (motor("{kind: speed, coordinate: s1, target: 1, max_force_curve: [[0, 1], [1, -1]]}"),
                                  ["motors.bad.max_force_curve", "a bound is not negative"]),
    "angle_in_metres": (motor("{kind: position, coordinate: pin, target: 1}"), ["motors.bad.target", "write target_angle_deg or target_angle_rad"]),
    "length_in_degrees": (motor("{kind: position, coordinate: rope, target_angle_deg: 1}"), ["'rope' is a length: write target, in m"]),
    "damping_without_stiffness": (motor("{kind: position, coordinate: pin, target_angle_deg: 1, damping: 3}"),
                                  ["motors.bad.damping", "belongs to stiffness"]),
    "engine_on_a_length": (engine(on="rope"), ["motors.bad.coordinate", "here an angle is needed"]),
    "engine_pushed_by_its_drag": (engine(drag="[[0, -1]]"), ["motors.bad.drag", "not negative"]),
    "throttle_above_one": (engine(rest="throttle: 2"), ["motors.bad.throttle", "between 0 and 1"]),
    "throttle_curve_above_one": (engine(rest="throttle_curve: [[0, 0], [1, 2]]"), ["throttle_curve", "between 0 and 1"]),
    "engine_map_not_increasing": (engine(full="[[0, 1], [0, 2]]"), ["motors.bad.full", "must increase"]),
    "turbine_torque_of_a_brake": (scenario(shafts=SHAFTS, couplings="couplings: {k: {kind: brake, coordinate: s1, torque: 1}}",
                                           outputs="outputs:\n  - {field: turbine_torque, of: k} #!"),
                                  ["'turbine_torque' belongs to couplings of kind converter"]),
    "speed_of_a_joint": (scenario(shafts=SHAFTS, outputs="outputs:\n  - {field: speed, of: rope} #!"), ["no shaft named 'rope'"]),
    # Types and ranges
    "text_for_a_number": (scenario(time="time: {end: soon} #!"), ["time.end", "expected a number in s", "'soon'"]),
    "number_for_a_map": (scenario(time="time: 3 #!"), ["time", "expected a map of keys", "3"]),
    "number_for_a_text": (scenario(title="title: 12 #!"), ["title", "expected text", "quote it"]),
    "text_for_a_truth_value": (body("{mass: 1, %s, fixed: yes} #!" % BALL), ["bodies.bad.fixed", "true or false", "yes"]),
    "vector_of_two": (scenario(gravity="gravity: [0, 0] #!"), ["gravity", "a list of 3 numbers in m/s^2"]),
    "text_in_a_vector": (scenario(gravity="gravity: [0, 0, down] #!"), ["gravity.2", "expected a number", "down"]),
    "fraction_for_a_whole_number": (scenario(seed="seed: 1.5 #!"), ["seed", "whole number", "1.5"]),
    "negative_mass": (body("{mass: -1, %s} #!" % BALL), ["bodies.bad.mass", "must be greater than 0 kg", "-1"]),
    "zero_mass": (body("{mass: 0, %s} #!" % BALL), ["bodies.bad.mass", "must be greater than 0"]),
    "zero_inertia": (body("{mass: 1, inertia: [0, 0, 0]} #!"), ["bodies.bad.inertia", "must be positive"]),
    "one_zero_inertia": (body("{mass: 1, inertia: [1, 1, 0]} #!"), ["bodies.bad.inertia", "must be positive"]),
    "impossible_inertia": (body("{mass: 1, inertia: [1, 1, 3]} #!"), ["bodies.bad.inertia", "sum of the others"]),
    "impossible_inertia_tensor": (body("{mass: 1, inertia: [1, 1, 1, 5, 0, 0]} #!"), ["bodies.bad.inertia", "positive"]),
    "missing_inertia": (body("{mass: 1} #!"), ["bodies.bad", "inertia", "shape", "needs one of them"]),
    "mass_and_density": (body("{mass: 1, density: 1, %s} #!" % BALL), ["bodies.bad", "exactly one must be given of", "mass", "density"]),
    "neither_mass_nor_density": (body("{%s} #!" % BALL), ["bodies.bad", "exactly one must be given of", "mass", "density"]),
    "density_without_shape": (body("{density: 1000, inertia: [1, 1, 1]} #!"), ["bodies.bad", "density", "shape", "volume"]),
    "density_of_no_mass": (body("{density: 1, shape: {kind: sphere, radius: 1.0e-150}} #!"), ["bodies.bad", "mass"]),
    "mass_beyond_all_numbers": (body("{density: 1, shape: {kind: sphere, radius: 1.0e150}} #!"), ["bodies.bad", "mass"]),
    "shape_of_no_size": (body("{mass: 1, shape: {kind: sphere, radius: 0}} #!"), ["bodies.bad.shape.radius", "greater than 0 m"]),
    "plane_that_falls": (body("{mass: 1, shape: {kind: plane}} #!"), ["bodies.bad.shape.kind", "only a fixed body"]),
    "mesh_without_a_file": (body("{mass: 1, shape: {kind: mesh, file: nowhere.obj}} #!"), ["bodies.bad.shape.file", "nowhere.obj"]),
    "flat_hull": (body("{mass: 1, shape: {kind: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]}} #!"),
                  ["bodies.bad.shape", "in one plane"]),
    "ragged_heights": (body("{fixed: true, shape: {kind: height-field, spacing: [1, 1], heights: [[1, 2], [1, 2, 3]]}} #!"),
                       ["bodies.bad.shape", "row 2", "3 heights"]),
    "shapes_without_mass": (body("{shapes: [{%s}]} #!" % BALL[8:-1]), ["bodies.bad", "mass; density; a density for each"]),
    "density_beside_the_mass": (body("{mass: 1, shapes: [{%s, density: 2}]} #!" % BALL[8:-1]), ["bodies.bad.shapes.0.density", "ignored"]),
    "unknown_shape": (body("{mass: 1, shape: {kind: cube, size: 1}} #!"), ["bodies.bad.shape.kind", "sphere, box, cylinder"]),
    "not_a_number": (scenario(gravity="gravity: [0, 0, .nan] #!"), ["'.nan' is not a finite number"]),
    "infinite": (scenario(gravity="gravity: [0, 0, -inf] #!"), ["'-inf' is not a finite number"]),
    "number_too_large": (scenario(time="time: {end: 1e999} #!"), ["1e999", "outside the range of double precision"]),
    "spins_too_fast_from_the_start": (body("{mass: 1, %s, angular_velocity: [0, 0, 3000]} #!" % BALL),
                                      ["bodies.bad.angular_velocity", "3 rad in a step", "time.step"]),
    # Names and references
    "unknown_body_in_a_joint": (joint("{kind: ball, between: [world, bobb], at: [0, 0, 0]} #!"),
                                ["joints.bad.between.1", "no body named 'bobb'", "did you mean 'bob'", "known: world, bob"]),
    "joint_of_a_body_with_itself": (joint("{kind: ball, between: [box, box], at: [0, 0, 0]} #!"),
                                    ["joints.bad.between", "must differ", "box"]),
    "joint_with_one_end": (joint("{kind: ball, between: [box], at: [0, 0, 0]} #!"), ["joints.bad.between", "a list of 2"]),
    "unknown_joint_kind": (joint("{kind: hing, between: [world, box]} #!"),
                           ["joints.bad.kind", "did you mean 'hinge'", "allowed: ball, hinge, "]),
    "missing_joint_kind": (joint("{between: [world, box]} #!"), ["joints.bad", "'kind'", "ball, hinge, "]),
    "reserved_name": (scenario(bodies="bodies:\n  world: {mass: 1, %s} #!" % BALL, joints=None, outputs=None, expect=None),
                      ["bodies", "'world' is reserved"]),
    "bad_characters_in_a_name": (scenario(bodies=GOOD["bodies"] + "\n  left wheel: {mass: 1, %s} #!" % BALL),
                                 ["'left wheel' is not a name", "letters, digits, _ and -"]),
    "body_and_joint_of_one_name": (scenario(
        joints="joints:\n  bob: {kind: ball, between: [world, bob], at: [0, 0, 0]} #!"),
        ["joints.bob", "the name stands in bodies too"]),
    "load_on_unknown_body": (scenario(loads="loads:\n  push: {kind: force, body: bxo, force: [1, 0, 0]} #!"),
                             ["loads.push.body", "no body named 'bxo'", "did you mean 'box'"]),
    "load_that_ends_before_it_begins": (
        scenario(loads="loads:\n  push: {kind: force, body: box, force: [1, 0, 0], from: 2.0e-3, until: 1.0e-3} #!"),
        ["loads.push.until", "later than from"]),
    "load_that_never_begins": (
        scenario(loads="loads:\n  push: {kind: force, body: box, force: [1, 0, 0], from: 1000} #!"),
        ["loads.push.from", "must be earlier than time.end", "would be ignored"]),
    "fixed_body_with_a_velocity": (body("{mass: 1, %s, fixed: true, velocity: [0, 0, 1]} #!" % BALL),
                                   ["bodies.bad.velocity", "a fixed body does not move"]),
    # Geometry
    "angle_without_unit": (body("{mass: 1, %s, orientation: {yaw: 3}} #!" % BALL),
                           ["bodies.bad.orientation", "'yaw' needs its unit", "yaw_deg or yaw_rad"]),
    "angle_with_both_units": (body("{mass: 1, %s, orientation: {yaw_deg: 3, yaw_rad: 3}} #!" % BALL),
                              ["bodies.bad.orientation", "only one of", "yaw_deg", "yaw_rad"]),
    "two_kinds_of_orientation": (body("{mass: 1, %s, orientation: {quaternion: [1, 0, 0, 0], yaw_deg: 3}} #!" % BALL),
                                 ["bodies.bad.orientation", "exactly one must be given of", "quaternion"]),
    "zero_axis": (joint("{kind: hinge, between: [world, box], at: [0, 0, 0], axis: [0, 0, 0]} #!"),
                  ["joints.bad.axis", "must not be zero"]),
    "zero_quaternion": (body("{mass: 1, %s, orientation: {quaternion: [0, 0, 0, 0]}} #!" % BALL),
                        ["bodies.bad.orientation.quaternion", "must not be zero"]),
    "points_of_a_distance_coincide": (joint("{kind: distance, between: [world, box], points: [[1, 2, 3], [1, 2, 3]]} #!"),
                                      ["joints.bad.points", "coincide", "direction"]),
    "points_of_a_distance_nearly_coincide": (
        joint("{kind: distance, between: [world, box], points: [[0, 0, 0], [1.0e-200, 0, 0]]} #!"),
        ["joints.bad.points", "coincide", "direction"]),
    "spring_that_does_nothing": (
        joint("{kind: spring, between: [world, box], points: [[0, 0, 0], [1, 0, 0]], stiffness: 0} #!"),
        ["joints.bad.stiffness", "stiffness and damping are both 0"]),
    "negative_stiffness": (
        joint("{kind: spring, between: [world, box], points: [[0, 0, 0], [1, 0, 0]], stiffness: -2} #!"),
        ["joints.bad.stiffness", "at least 0 N/m", "-2"]),
    # Time
    "step_of_zero": (scenario(time="time: {end: 1, step: 0} #!"), ["time.step", "greater than 0 s"]),
    "negative_step": (scenario(time="time: {end: 1, step: -0.1} #!"), ["time.step", "greater than 0 s", "-0.1"]),
    "step_longer_than_the_run": (scenario(time="time: {end: 0.1, step: 0.2} #!", outputs=None), ["time.step", "not be longer than end"]),
    "end_missing": (scenario(time="time: {step: 0.1} #!"), ["time", "missing key 'end'", "s"]),
    "time_missing": (scenario(time=None), ["missing key 'time'"]),
    "more_steps_than_anyone_can_count": (scenario(time="time: {end: 1.0e10, step: 1.0e-20} #!"), ["time.step", "steps"]),
    "other_version_of_the_format": (scenario(hardpan="hardpan: 2 #!"), ["hardpan", "1", "got 2"]),
    "version_missing": (scenario(hardpan=None), ["missing key 'hardpan'", "version of the scenario format"]),
    # Outputs
    "unknown_field": (output("{field: positoin, of: bob} #!"), ["outputs.1.field", "did you mean 'position'"]),
    "output_of_unknown_body": (output("{field: position, of: bobb} #!"), ["outputs.1.of", "no body named 'bobb'", "'bob'"]),
    "output_of_a_joint_field_of_a_body": (output("{field: reaction, of: bob} #!"), ["outputs.1.of", "no joint named 'bob'"]),
    "output_without_of": (output("{field: position} #!"), ["outputs.1.field", "needs 'of'"]),
    "output_with_needless_of": (output("{field: energy, of: bob} #!"), ["outputs.1.of", "ignored"]),
    "output_of_a_kind_without_it": (output("{field: angle, of: rope} #!"), ["outputs.1.field", "kind hinge"]),
    "every_shorter_than_the_step": (output("{field: frames, every: 0.0001} #!"),
                                    ["outputs.1.every", "time.step", "0.0001"]),
    "curves_of_different_every": (output("{field: energy, every: 0.02} #!"), ["outputs.1.every", "curves", "0.01"]),
    "frames_twice": (output("{field: frames, every: 0.02}", "{field: frames, every: 0.04} #!"),
                     ["outputs.2.field", "'frames'", "once"]),
    "same_output_twice": (output("{field: position, of: bob} #!"), ["outputs.1.field", "'position'", "once"]),
    # Expectations
    "expectation_without_source": (expectation("{field: position.z, of: bob, between: [0, 1]} #!"),
                                   ["expect.1", "missing key 'source'"]),
    "expectation_with_empty_source": (expectation("{field: position.z, of: bob, between: [0, 1], source: ''} #!"),
                                      ["expect.1.source", "must not be empty"]),
    "order_without_halvings": (
        expectation("{field: position.z, of: bob, equals: 0, tolerance: 1, halvings: 1, order: 1, source: a} #!"),
        ["expect.1.order", "at least 2 halvings"]),
    "between_reversed": (expectation("{field: position.z, of: bob, between: [1, 0], source: a} #!"),
                         ["expect.1.between", "[low, high]"]),
    "between_and_equals": (expectation("{field: position.z, of: bob, between: [0, 1], equals: 0, tolerance: 1, source: a} #!"),
                           ["expect.1", "exactly one must be given of"]),
    "neither_between_nor_equals": (expectation("{field: position.z, of: bob, source: a} #!"), ["expect.1", "exactly one must be given of"]),
    "equals_without_tolerance": (expectation("{field: position.z, of: bob, equals: 0, source: a} #!"),
                                 ["expect.1", "tolerance"]),
    "at_beyond_the_end": (expectation("{field: position.z, of: bob, at: 5, between: [0, 1], source: a} #!"),
                          ["expect.1.at", "not be later than time.end, 0.1 s", "5"]),
    "at_with_another_reduction": (expectation("{field: position.z, of: bob, at: 0.1, reduce: max, between: [0, 1], source: a} #!"),
                                  ["expect.1.at", "ignored"]),
    "expected_vector": (expectation("{field: position, of: bob, between: [0, 1], source: a} #!"),
                        ["expect.1.field", "position.x, position.y, position.z"]),
    "metrics_of_one_name": (scenario(
        expect="expect:\n  - {name: a, field: position.z, of: bob, between: [-2, 1], source: a}\n"
               "  - {name: a, field: position.x, of: bob, between: [-2, 1], source: a} #!"), ["expect", "name 'a'"]),
    # YAML
    "merge_key": (scenario(x="loads: {<<: {}} #!"), ["merge keys (<<) are not accepted"]),
    "anchor": (scenario(gravity="gravity: &g [0, 0, 1] #!"), ["anchors (&) and aliases (*) are not accepted"]),
    "alias": (scenario(gravity="gravity: *g #!"), ["anchors (&) and aliases (*) are not accepted"]),
    "custom_tag": (scenario(gravity="gravity: !vector [0, 0, 1] #!"), ["the tag '!vector' is not accepted"]),
    "two_documents": (scenario(x="--- #!\nhardpan: 1"), ["one YAML document"]),
    "list_at_the_top": ("- hardpan: 1 #!\n", ["top level must be a map of keys"]),
    "text_at_the_top": ("hello #!\n", ["top level must be a map of keys"]),
    "tab_in_the_indentation": ("hardpan: 1\ntime:\n\tend: 1 #!\n", ["tab", "spaces"]),
    "wrong_indentation": ("hardpan: 1\ntime:\n  end: 1\n   step: 1 #!\n", ["indentation"]),
    "deep_nesting": ("hardpan: " + "[" * 5000 + "]" * 5000 + " #!\n", ["nested deeper than the allowed"]),
    "includes_nothing_there": ("include: missing.yaml #!\n" + scenario(), ["include", "missing.yaml", "No such file"]),
    "includes_itself": ("include: case.yaml #!\n" + scenario(), ["include", "a file includes itself", "case.yaml -> case.yaml"]),
    "includes_a_folder": ("include: . #!\n" + scenario(), ["include", "Is a directory"]),
    "includes_a_number": ("include: 7 #!\n" + scenario(), ["include", "expected a file name"]),
}
