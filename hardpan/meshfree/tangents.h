// How the stress of particles answers a change of their deformation dF (P = F S, C the stiffness) and of
// their ripple dg (ripple_rows.h), four particles at a time (math/pack.h): with stress held,
//
//     dP = dF S + F (C : sym(F^T dF))
//
// and without, but with ripples g of the stiffness k,
//
//     dP = F (C : sym(F^T dF)) + g (x) s,     df = F s,     s = k (F^T dg + dF^T g)
#pragma once

#include <span>
#include <vector>

#include "hardpan/math/pack.h"
#include "hardpan/meshfree/sums.h"

namespace hardpan::meshfree {

class Tangents {
 public:
  void resize(std::size_t particles) { groups_.resize((particles + pack_width - 1) / pack_width); }
  std::size_t padded_size() const { return pack_width * groups_.size(); }

  // C in Mandel's notation, symmetric.
  void set(std::size_t particle, const Mat3& F, const Mat6& C);
  void set_stress(std::size_t particle, const Mat3& S);
  void set_ripple(std::size_t particle, const Vec3& g, double k);

  // From (dF, dg) to (dP, df) in the same place, for particles from `begin`, a multiple of four, to `end`,
  // and on to the next multiple. With stress, df is 0.
  enum class Parts { with_stress, with_ripples };
  void change(Parts parts, std::size_t begin, std::size_t end, std::span<Wide> of) const;

 private:
  struct alignas(sizeof(Pack)) Group {  // as functions for vector units expect it
    Pack F[3][3];
    Pack C[21];  // lower triangle, row by row
    Pack g[3], k;
    Pack S[6];  // xx, yy, zz, yz, xz, xy
  };
  template <Parts parts>
  static void change_all(const Group* group, Wide* of, std::size_t groups);
  template <Parts parts>
  static void change_by_fours(const Group* group, Wide* of, std::size_t groups);

  std::vector<Group> groups_;
};

}  // namespace hardpan::meshfree
