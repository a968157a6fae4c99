// Products with the stiffness of a solid of particles, K x (solve/soft_rows.h), on one thread: what conjugate
// gradients consist of. `items_per_second`: particles.
#include <cmath>

#include <benchmark/benchmark.h>

#include "hardpan/core/parallel.h"
#include "hardpan/meshfree/solid.h"
#include "hardpan/solve/soft_rows.h"

namespace {

using namespace hardpan;

void solid_product(benchmark::State& state) {
  const auto count = static_cast<std::size_t>(std::lround(std::cbrt(static_cast<double>(state.range(0)))));
  const double edge = 0.1 * static_cast<double>(count - 1);
  material::SoilParameters given;
  given.young = 1e6;
  given.poisson = 0.25;
  given.plastic = false;
  meshfree::SolidModel model;
  model.cloud = meshfree::box_lattice(Vec3::Zero(), Vec3::Constant(edge), {count, count, count});
  model.materials = {{material::SoilLaw(given), 2000}};
  model.material.assign(model.cloud.size(), 0);
  model.ripple_stiffness = 0.01 * static_cast<double>(state.range(1));
  model.stabilisation = 0.01 * static_cast<double>(state.range(2));
  meshfree::Solid solid(model);
  solve::Problem problem;
  solid.declare(problem);
  if (!solid.predict(0, 0.01, problem).ok) return state.SkipWithError("the solid does not begin");
  solid.assemble(0.01, problem);
  solve::SoftRows soft;
  soft.gather(problem);
  std::vector<double> x(problem.velocities()), out(problem.velocities());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(static_cast<double>(i));
  const int threads = thread_count();
  set_thread_count(1);
  for (auto _ : state) {
    soft.multiply(x, out);
    benchmark::DoNotOptimize(out.data());
  }
  set_thread_count(threads);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * solid.size()));
}
BENCHMARK(solid_product)
    ->ArgNames({"particles", "ripple_percent", "alpha_percent"})
    ->Args({2197, 5, 0})
    ->Args({2197, 0, 15})
    ->Args({19683, 5, 0})
    ->Args({205379, 5, 0})
    ->Unit(benchmark::kMillisecond);

}  // namespace
