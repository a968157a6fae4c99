#include "hardpan/scenario/body_builder.h"

#include <cmath>

#include <fmt/core.h>

#include "hardpan/scenario/numbers.h"
#include "hardpan/scenario/placement.h"

namespace hardpan::scenario {
namespace {

// Three principal moments, or six numbers Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
Mat3 inertia_of(const Value& list) {
  const auto& i = list.items();
  Mat3 m = Vec3(i[0].number(), i[1].number(), i[2].number()).asDiagonal();
  if (i.size() == 6) {
    m(0, 1) = m(1, 0) = i[3].number();
    m(0, 2) = m(2, 0) = i[4].number();
    m(1, 2) = m(2, 1) = i[5].number();
  }
  return m;
}

// A part in the frame of the user.
struct SolidPart {
  double volume, mass;
  Vec3 centre;
  Mat3 inertia;  // per unit mass, about its centre, body axes
};

struct MassProperties {
  double mass = 0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  // about the centre
};

class MassBuilder {
 public:
  MassBuilder(const std::string& name, const Value& keys, const std::vector<geometry::PlacedShape>& shapes)
      : keys_(keys), fixed_(keys.at("fixed").boolean()) {
    const std::vector<Part> parts = parts_of(keys, name);
    for (std::size_t i = 0; i < parts.size(); ++i) add(parts[i], shapes[i]);
    share_mass();
  }

  // With d from the common centre to that of a part: I = sum I_i + m_i (|d|^2 1 - d d^T) (Huygens, Steiner).
  MassProperties sum() const {
    MassProperties all;
    for (const SolidPart& part : parts_) {
      all.mass += part.mass;
      all.centre += part.mass * part.centre;
    }
    if (!(all.mass > 0)) return all;
    all.centre /= all.mass;
    for (const SolidPart& part : parts_) {
      const Vec3 d = part.centre - all.centre;
      all.inertia += part.mass * part.inertia;
      all.inertia += part.mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
    }
    all.inertia = 0.5 * (all.inertia + all.inertia.transpose()).eval();
    return all;
  }

 private:
  void add(const Part& part, const geometry::PlacedShape& placed) {
    const Value* density = part.keys->find("density");
    if (!geometry::is_solid(placed.shape)) return refuse(part, density);
    const geometry::Solid solid = geometry::solid(placed.shape);
    const Mat3 R = placed.pose.q.toRotationMatrix();
    if (!density) density = keys_.find("density");
    parts_.push_back({solid.volume, density ? density->number() * solid.volume : 0,
                      placed.pose.point(solid.centre), R * solid.inertia * R.transpose()});
  }

  void refuse(const Part& ground, const Value* density) const {
    if (!fixed_)
      throw InputError(ground.keys->mark(),
                       fmt::format("{}: the mesh is open, so it is a ground: only a fixed body can be one "
                                   "(fixed: true); a solid is closed",
                                   ground.path));
    if (density)
      throw InputError(density->mark(), fmt::format("{}.density: an open mesh has no volume", ground.path));
  }

  // By volume, where the mass of the whole is given.
  void share_mass() {
    const Value* mass = keys_.find("mass");
    if (!mass) return;
    double volume = 0;
    for (const SolidPart& part : parts_) volume += part.volume;
    for (SolidPart& part : parts_) part.mass = mass->number() * (part.volume / volume);
  }

  const Value& keys_;
  const bool fixed_;
  std::vector<SolidPart> parts_;
};

void check(const std::string& name, const Value& keys, const MassProperties& found) {
  const Vec3 moments = found.inertia.diagonal();
  if (found.mass > 0 && moments.minCoeff() > 0 && std::isfinite(found.mass) && found.inertia.allFinite() &&
      found.centre.allFinite())
    return;
  throw InputError(keys.mark(), fmt::format("bodies.{}: the shape gives a mass of {:g} kg and an inertia of "
                                            "[{:g}, {:g}, {:g}] kg m^2: they must be positive and finite",
                                            name, found.mass, moments.x(), moments.y(), moments.z()));
}

// A fixed body may have no mass at all; the rest of the world never asks.
MassProperties mass_properties(const std::string& name, const Value& keys,
                               const std::vector<geometry::PlacedShape>& shapes) {
  MassProperties found = MassBuilder(name, keys, shapes).sum();
  if (const Value* mass = keys.find("mass")) found.mass = mass->number();
  if (const Value* inertia = keys.find("inertia")) {
    found.inertia = inertia_of(*inertia);
    const Value* centre = keys.find("centre_of_mass");
    found.centre = centre ? vec3(*centre) : Vec3::Zero();
  }
  if (!keys.at("fixed").boolean() || keys.find("density")) check(name, keys, found);
  return found;
}

}  // namespace

multibody::Body build_body(const std::string& name, const Value& keys, ShapeBuilder& shapes) {
  multibody::Body body;
  body.name = name;
  body.fixed = keys.at("fixed").boolean();
  for (const Part& part : parts_of(keys, name)) body.shapes.push_back(shapes.build(part));
  const MassProperties found = mass_properties(name, keys, body.shapes);
  body.mass = found.mass;
  if (found.inertia.diagonal().minCoeff() > 0) body.inertia = found.inertia;
  body.pose.x = vec3(keys.at("position"));
  if (const Value* turn = keys.find("orientation")) body.pose.q = orientation(*turn);
  body.velocity = vec3(keys.at("velocity"));
  body.angular_velocity = vec3(keys.at("angular_velocity"));
  if (body.fixed || found.centre.isZero(0)) return body;
  // From the user's frame to that of the centre of mass, which has the same axes.
  body.origin = -found.centre;
  for (geometry::PlacedShape& placed : body.shapes) placed.pose.x += body.origin;
  const Vec3 to_centre = body.pose.turned(found.centre);
  body.pose.x += to_centre;
  body.velocity += body.angular_velocity.cross(to_centre);
  return body;
}

}  // namespace hardpan::scenario
