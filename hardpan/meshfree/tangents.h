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

#include "hardpan/core/large_pages.h"
#include "hardpan/math/pack.h"
#include "hardpan/meshfree/sums.h"

namespace hardpan::meshfree {

class Tangents {
 public:
  void resize(std::size_t particles) {
    exact_.resize((particles + pack_width - 1) / pack_width);
    rounded_.resize(exact_.size());
    stress_.resize(exact_.size());
  }

  // C in Mandel's notation, symmetric.
  void set(std::size_t particle, const Mat3& F, const Mat6& C);
  void set_stress(std::size_t particle, const Mat3& S);
  void set_ripple(std::size_t particle, const Vec3& g, double k);

  // From (dF, dg) to (dP, df) in the same place, for particles from `begin`, a multiple of four and the first
  // of `of`, to `end`, and on to the next multiple. With stress, df is 0. Rounded as W is (sums.h).
  enum class Parts { with_stress, with_ripples };
  using Precision = NeighbourSums::Precision;
  void change(Parts parts, Precision precision, std::size_t begin, std::size_t end, Wide* of) const;

 private:
  template <class Four>
  struct alignas(sizeof(Pack)) Group {  // as functions for vector units expect it
    Four F[3][3];
    Four C[21];  // lower triangle, row by row
    Four g[3], k;
  };
  struct Stress {
    Pack S[6];  // xx, yy, zz, yz, xz, xy
  };
  // Of groups one after another; `stress` is not looked at without it.
  template <Parts parts, class Four>
  static void change_all(const Group<Four>* group, const Stress* stress, Wide* of, std::size_t groups);
  // put(group) for that of a particle, in both precisions.
  void each_group(std::size_t particle, const auto& put) {
    put(exact_[particle / pack_width]);
    put(rounded_[particle / pack_width]);
  }

  LargeTable<Group<Pack>> exact_;
  LargeTable<Group<RoundedPack>> rounded_;
  std::vector<Stress> stress_;
};

}  // namespace hardpan::meshfree
