// The contacts of a problem as most programs of others want them, without velocities:
//
//     w = W r + b,   W = G A^-1 G^T + Sigma,   b = G A^-1 p - q,
//
// three rows of each contact, its normal first, W in blocks of 3 x 3; and the yardstick for whatever they
// return.
#pragma once

#include <vector>

#include "hardpan/solve/row_table.h"

namespace hardpan::bench {

struct ContactForm {
  std::vector<std::size_t> rows;   // of the problem, three of each contact
  std::vector<double> mu;          // of each contact
  std::vector<double> b;           // of each row
  std::vector<std::size_t> start;  // of the blocks of each contact, and one more
  std::vector<std::size_t> column;
  std::vector<double> blocks;  // nine numbers each, by columns

  std::size_t contacts() const { return mu.size(); }
  // 3/trace of its own block: the impulse that a velocity asks for.
  double stiffness(std::size_t contact) const;
};

// Throws InputError where a row belongs to no contact, or where a contact has anything but a normal and two
// tangents.
ContactForm contact_form(const solve::Problem& problem, const solve::RowTable& rows);

// The largest over all contacts of what Coulomb's law is missed by, from the impulses alone: velocities
// follow from them.
struct Miss {
  double impulse = 0;   // N s: |r - P(r - rho (w + mu |w_t| n))|, P on the cone, rho = stiffness
  double velocity = 0;  // m/s: of the rows, as solve/friction.h has it
};
Miss miss(const solve::Problem& problem, const solve::RowTable& rows, const ContactForm& form,
          std::span<const double> lambda);

}  // namespace hardpan::bench
