// How the stress of particles answers a change of their deformation (P = F S, C the stiffness),
//
//     dP = dF S + F (C : sym(F^T dF))
//
// four particles at a time (math/pack.h).
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
  void set(std::size_t particle, const Mat3& F, const Mat6& C, const Mat3& S);

  // From dF to dP, in the same place, for particles from `begin`, a multiple of four, to `end`, and on to the
  // next multiple.
  enum class Parts { all, without_stress };
  void change(Parts parts, std::size_t begin, std::size_t end, std::span<PaddedTensor> tensors) const;

 private:
  struct alignas(sizeof(Pack)) Group {  // as functions for vector units expect it
    Pack F[3][3];
    Pack C[21];  // lower triangle, row by row
    Pack S[6];   // xx, yy, zz, yz, xz, xy
  };
  template <Parts parts>
  static void change_all(const Group* group, PaddedTensor* tensors, std::size_t groups);
  template <Parts parts>
  static void change_by_fours(const Group* group, PaddedTensor* tensors, std::size_t groups);

  std::vector<Group> groups_;
};

}  // namespace hardpan::meshfree
