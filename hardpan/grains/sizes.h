// Diameters of grains, drawn from a distribution.
//
//     log-normal    ln D is normal with deviation s. By mass the median is D50; by number, which is what is
//                   drawn, it is D50 exp(-3 s^2), since mass goes with D^3 (Hatch & Choate, J. Franklin Inst.
//                   207 (1929) 369-387). The uniformity Cu = D60/D10 gives s = ln Cu / (z60 - z10), z the
//                   quantiles of the normal distribution.
//     table         share of the mass that passes a sieve of size D, straight in ln D between sieves. Within
//                   a class the number then goes with D^-4 dD: its cumulative is straight in D^-3.
#pragma once

#include <span>
#include <vector>

namespace hardpan::grains {

// A cumulative distribution by number, straight between its points in D^-3: exact for sieves, fine steps for
// others.
class Sizes {
 public:
  static Sizes equal(double diameter);
  static Sizes uniform(double smallest, double largest);  // every diameter is as frequent
  // Cut off below and above, by number.
  static Sizes log_normal(double median_by_mass, double deviation, double smallest, double largest);
  // Sieves upwards; shares of the mass from 0 to 1, never falling.
  static Sizes passing(std::span<const double> diameter, std::span<const double> share);

  // Of uniform u in [0, 1).
  double diameter(double u) const;
  double smallest() const { return diameter_.front(); }
  double largest() const { return diameter_.back(); }

 private:
  void normalise();

  std::vector<double> diameter_, share_;  // share by number, from 0 to 1
};

// s of a log-normal distribution with this uniformity, D60/D10 > 1.
double deviation_of_uniformity(double uniformity);

}  // namespace hardpan::grains
