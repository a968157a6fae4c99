// Siconos (INRIA, Apache 2.0) on a contact form. Its headers stay in siconos.cpp.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/siconos/contact_form.h"

namespace hardpan::bench {

struct SiconosMethod {
  std::string name;
  int id;                     // its number there
  int first_limit;            // of iterations, while nothing is known of what one takes
  std::size_t most_contacts;  // beyond, a single iteration may take minutes
};
std::vector<SiconosMethod> siconos_methods();

struct SiconosResult {
  bool converged = false;  // says Siconos
  int iterations = 0;
  double seconds = 0;  // of its driver, processor time
};

class Siconos {
 public:
  // The form must outlive it.
  explicit Siconos(const ContactForm& form);
  ~Siconos();

  // The tolerance is Siconos's own: its natural map with rho = 1, summed over all contacts in squares, over
  // the norm of b. reaction: three of each contact, a guess at first.
  SiconosResult solve(const SiconosMethod& method, double tolerance, int limit, std::span<double> reaction);

 private:
  struct Problem;
  std::unique_ptr<Problem> problem_;
};

}  // namespace hardpan::bench
