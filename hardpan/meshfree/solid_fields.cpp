#include "hardpan/meshfree/solid_fields.h"

#include <cmath>

namespace hardpan::meshfree {

void put_solid(const Solid& solid, Archive& frame) {
  const std::size_t n = solid.size();
  std::vector<double> position, velocity, displacement, strain, strain_size, stress, pressure, shear, plastic,
      volume, kappa;
  const auto add = [](std::vector<double>& to, const auto& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  const auto plain = [](const Vec6& mandel) {  // xx, yy, zz, yz, xz, xy
    Vec6 components = mandel;
    components.tail<3>() /= std::sqrt(2.0);
    return components;
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Vec6 e = solid.strain(i), &s = solid.stress(i), &p = solid.plastic_strain(i);
    const double mean = material::trace(s) / 3;
    Vec6 deviator = s;
    deviator.head<3>().array() -= mean;
    add(position, solid.position(i));
    add(velocity, solid.velocity(i));
    displacement.push_back((solid.position(i) - solid.model().cloud.position[i]).norm());
    add(strain, plain(e));
    strain_size.push_back(e.norm());
    add(stress, plain(s));
    pressure.push_back(-mean);
    shear.push_back(std::sqrt(0.5) * deviator.norm());
    plastic.push_back(p.norm());
    volume.push_back(material::trace(p));
    const material::SoilLaw& law = solid.model().material_of(i).law;
    kappa.push_back(law.surface.compression_cap ? law.kappa(material::trace(p)) : 0.0);
  }
  const std::vector<double> radius(n, 0.5 * solid.model().cloud.spacing);
  frame.put("solid/position", position, {n, 3}, "m");
  frame.put("solid/velocity", velocity, {n, 3}, "m/s");
  frame.put("solid/radius", radius, {n}, "m");
  frame.put("solid/displacement", displacement, {n}, "m");
  frame.put("solid/strain", strain, {n, 6});
  frame.put("solid/strain_size", strain_size, {n});  // sqrt(e : e)
  frame.put("solid/stress", stress, {n, 6}, "Pa");
  frame.put("solid/pressure", pressure, {n}, "Pa");
  frame.put("solid/shear", shear, {n}, "Pa");  // sqrt(J2)
  frame.put("solid/plastic_strain", plastic, {n});
  frame.put("solid/plastic_volume_strain", volume, {n});
  frame.put("solid/kappa", kappa, {n}, "Pa");
}

}  // namespace hardpan::meshfree
