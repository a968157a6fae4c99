#include "bench/siconos/siconos.h"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "bench/siconos/processor_time.h"
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>
#include <dlfcn.h>

namespace hardpan::bench {
namespace {

// Siconos brings OpenBLAS along, which takes all cores unless told otherwise.
void use_one_thread() {
  if (void* set = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) reinterpret_cast<void (*)(int)>(set)(1);
}

}  // namespace

// Siconos neither copies nor frees what these point to, but for the diagonal, which it finds itself.
struct Siconos::Problem {
  SparseBlockStructuredMatrix matrix;
  std::vector<double> blocks, b, mu;
  std::vector<double*> block;
  std::vector<unsigned> ends;
  std::vector<std::size_t> start, column;
  std::vector<double> velocity;
};

std::vector<SiconosMethod> siconos_methods() {
  constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
  return {{"Siconos NSGS", SICONOS_FRICTION_3D_NSGS, 100, any},
          {"Siconos ADMM", SICONOS_FRICTION_3D_ADMM, 100, any},
          {"Siconos NSN_AC", SICONOS_FRICTION_3D_NSN_AC, 5, 3000},
          {"Siconos PROX", SICONOS_FRICTION_3D_PROX, 5, 1000}};
}

Siconos::Siconos(const ContactForm& form) : problem_(std::make_unique<Problem>()) {
  numerics_set_verbose(0);
  use_one_thread();
  Problem& p = *problem_;
  p.blocks = form.blocks;
  p.b = form.b;
  p.mu = form.mu;
  p.start = form.start;
  p.column = form.column;
  p.velocity.resize(form.b.size());
  for (std::size_t i = 0; i < p.blocks.size(); i += 9) p.block.push_back(&p.blocks[i]);
  for (std::size_t c = 0; c < form.contacts(); ++c) p.ends.push_back(static_cast<unsigned>(3 * (c + 1)));
  SBM_null(&p.matrix);
  p.matrix.nbblocks = static_cast<unsigned>(p.block.size());
  p.matrix.block = p.block.data();
  p.matrix.blocknumber0 = p.matrix.blocknumber1 = static_cast<unsigned>(form.contacts());
  p.matrix.blocksize0 = p.matrix.blocksize1 = p.ends.data();
  p.matrix.filled1 = p.start.size();
  p.matrix.filled2 = p.column.size();
  p.matrix.index1_data = p.start.data();
  p.matrix.index2_data = p.column.data();
}

Siconos::~Siconos() { std::free(problem_->matrix.diagonal_blocks); }

SiconosResult Siconos::solve(const SiconosMethod& method, double tolerance, int limit,
                             std::span<double> reaction) {
  Problem& p = *problem_;
  SolverOptions* options = solver_options_create(method.id);
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = limit;
  const int size = static_cast<int>(reaction.size());
  NumericsMatrix* matrix = NM_create_from_data(NM_SPARSE_BLOCK, size, size, &p.matrix);
  FrictionContactProblem contacts{3, static_cast<int>(p.mu.size()), matrix, p.b.data(), p.mu.data()};
  std::ranges::fill(p.velocity, 0.0);

  SiconosResult result;
  const double begin = processor_time();
  result.converged = fc3d_driver(&contacts, reaction.data(), p.velocity.data(), options) == 0;
  result.seconds = processor_time() - begin;
  result.iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];

  solver_options_delete(options);
  matrix->matrix1 = nullptr;
  NM_clear(matrix);
  std::free(matrix);
  return result;
}

}  // namespace hardpan::bench
