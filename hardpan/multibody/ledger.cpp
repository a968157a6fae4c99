#include "hardpan/multibody/ledger.h"

namespace hardpan::multibody {
namespace {

// Visits every number of the ledger in a fixed order; one list serves both directions.
template <class L, class Visit>
void each_number(L& ledger, Visit&& visit) {
  visit(ledger.kinetic);
  visit(ledger.turnover);
  for (auto* account :
       {&ledger.gravity, &ledger.joints, &ledger.springs, &ledger.loads, &ledger.motors, &ledger.friction,
        &ledger.impacts, &ledger.contacts, &ledger.grains, &ledger.solids}) {
    visit(account->work);
    visit(account->stored);
    visit(account->dissipated);
    visit(account->lost);
  }
  for (auto* vector : {&ledger.momentum, &ledger.angular_momentum, &ledger.impulse, &ledger.angular_impulse})
    for (auto& component : *vector) visit(component);
}

}  // namespace

std::array<double, Ledger::size> Ledger::pack() const {
  std::array<double, size> values{};
  std::size_t i = 0;
  each_number(*this, [&](const double& x) { values[i++] = x; });
  return values;
}

Ledger Ledger::unpack(std::span<const double> values) {
  Ledger ledger;
  std::size_t i = 0;
  each_number(ledger, [&](double& x) { x = values[i++]; });
  return ledger;
}

}  // namespace hardpan::multibody
