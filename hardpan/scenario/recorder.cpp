#include "hardpan/scenario/recorder.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/core.h>

#include "hardpan/core/error.h"
#include "hardpan/core/log.h"
#include "hardpan/core/text.h"
#include "hardpan/core/version.h"
#include "hardpan/couple/grain_fields.h"
#include "hardpan/meshfree/solid_fields.h"
#include "hardpan/record/report.h"
#include "hardpan/record/run_reader.h"
#include "hardpan/record/svg.h"
#include "hardpan/scenario/scene_builder.h"

namespace hardpan::scenario {
namespace {

constexpr double default_frame_rate = 30;        // per simulated second
constexpr double wall_between_checkpoints = 30;  // s, where the scenario does not say

std::int64_t stride_of(double every, double step) {
  return std::max<std::int64_t>(1, std::llround(std::min(every / step, 1e15)));
}

Archive state_of(const Simulation& simulation, const std::vector<Watch>& watches) {
  Archive archive = simulation.stepper.save();
  std::vector<double> memory;
  for (const Watch& watch : watches) {
    const auto numbers = watch.pack();
    memory.insert(memory.end(), numbers.begin(), numbers.end());
  }
  archive.put("watches", memory, {watches.size(), Watch::memory_size});
  if (simulation.measure) {
    const std::vector<double> table = simulation.measure->pack();
    archive.put("measure", table, {table.size()});
  }
  return archive;
}

void restore(const Archive& archive, Simulation& simulation, std::vector<Watch>& watches) {
  simulation.stepper.restore(archive);
  std::vector<double> memory(watches.size() * Watch::memory_size);
  archive.get("watches", std::span<double>(memory));
  for (std::size_t i = 0; i < watches.size(); ++i)
    watches[i].unpack(std::span(memory).subspan(i * Watch::memory_size, Watch::memory_size));
  if (!simulation.measure) return;
  const Archive::Entry* entry = archive.find("measure");
  const auto* table = entry ? std::get_if<std::vector<double>>(&entry->values) : nullptr;
  if (!table) throw IoError("saved state has no measurement");
  simulation.measure->unpack(*table);
}

// Where the joints are and what they carry; before the first step nobody knows the forces.
void put_joints(const Simulation& simulation, Archive& frame) {
  const multibody::System& system = simulation.bodies;
  const std::size_t n = system.joints().size();
  std::vector<Pose> axes;
  std::vector<Vec3> end, force, torque;
  for (const multibody::JointInfo& joint : system.joints()) {
    const Pose& A = system.pose(joint.a);
    axes.push_back({A.point(joint.point_on_a), A.q * joint.axes_on_a});
    end.push_back(system.pose(joint.b).point(joint.point_on_b));
    const Vec6 wrench = simulation.stepper.steps() == 0
                            ? Vec6::Constant(std::numeric_limits<double>::quiet_NaN())
                            : system.reaction(joint, simulation.stepper.step_size());
    force.push_back(wrench.head<3>());
    torque.push_back(wrench.tail<3>());
  }
  frame.put("joints/position", multibody::flat_positions(axes), {n, 3}, "m");
  frame.put("joints/orientation", multibody::flat_orientations(axes), {n, 4});
  frame.put("joints/end", multibody::flat(end), {n, 3}, "m");
  frame.put("joints/force", multibody::flat(force), {n, 3}, "N");
  frame.put("joints/torque", multibody::flat(torque), {n, 3}, "N m");
}

Archive frame_of(const Simulation& simulation) {
  const multibody::System& system = simulation.bodies;
  const std::size_t n = system.model().machine().size();
  std::vector<Pose> pose;
  std::vector<Vec3> velocity, spin;
  for (std::size_t i = 0; i < n; ++i) {
    pose.push_back(frame_of_user(system, i));
    velocity.push_back(velocity_of_user(system, i));
    spin.push_back(system.angular_velocity(multibody::BodyId(i)));
  }
  Archive frame;
  frame.put("bodies/position", multibody::flat_positions(pose), {n, 3}, "m");
  frame.put("bodies/orientation", multibody::flat_orientations(pose), {n, 4});
  frame.put("bodies/velocity", multibody::flat(velocity), {n, 3}, "m/s");
  frame.put("bodies/angular_velocity", multibody::flat(spin), {n, 3}, "rad/s");
  if (!system.joints().empty()) put_joints(simulation, frame);
  if (simulation.grains) couple::put_grains(*simulation.grains, frame);
  if (system.model().grains > 0)
    couple::put_grains(system, simulation.contacts, simulation.stepper.step_size(), frame);
  if (simulation.solid) meshfree::put_solid(*simulation.solid, frame);
  return frame;
}

}  // namespace

Recorder::Recorder(const Scenario& scenario, const RunOptions& options, Simulation& simulation,
                   std::vector<Watch>& watches) {
  const record::RunIdentity identity = {scenario.text, scenario.hash, std::string(version()),
                                        std::string(instruction_set())};
  bool at_the_start = true;  // a checkpoint may be one of step 0, whose row and frame are there already
  if (options.resume) {
    record::RunWriter::Resumed resumed = record::RunWriter::resume(options.out, identity);
    writer_.emplace(std::move(resumed.writer));
    if (resumed.checkpoint) {
      try {
        restore(resumed.checkpoint->state, simulation, watches);
      } catch (const IoError& error) {  // whole, but not of this run
        throw IoError(fmt::format("{}: the checkpoint of step {} cannot be taken up: {}",
                                  options.out.string(), resumed.checkpoint->step, error.what()));
      }
      resumed_from_ = resumed.checkpoint->step;
      at_the_start = false;
    }
  } else {
    writer_.emplace(record::RunWriter::create(options.out, identity, options.force));
  }
  writer_->write_text(record::scenario_name, scenario.text);
  writer_->write_text(record::scene_name, scene_of(simulation, scenario.resolved));
  plan(scenario, simulation);
  if (at_the_start) record(simulation);
}

void Recorder::plan(const Scenario& scenario, const Simulation& simulation) {
  const double step = simulation.stepper.step_size();
  frame_stride_ = stride_of(1.0 / default_frame_rate, step);
  for (const Value& output : scenario.resolved.at("outputs").items()) {
    const std::string& field = output.at("field").text();
    const double every = output.at("every").number();
    const std::int64_t stride = stride_of(every, step);
    const double rounded = static_cast<double>(stride) * step;
    if (every < 1e15 * step && std::abs(rounded - every) > 1e-6 * step)
      log::note("outputs: every {} s is no whole number of steps; '{}' is recorded every {} s",
                shortest(every), field, shortest(rounded));
    const Value *of = output.find("of"), *against = output.find("against");
    if (field == "frames") {
      frame_stride_ = stride;
    } else if (field == "checkpoint") {
      checkpoint_stride_ = stride;
    } else {
      series_stride_ = stride;  // check_output() has seen to it that all curves share one
      for (Observable& observable :
           observe(simulation, field, of ? of->text() : "", against ? against->text() : ""))
        columns_.push_back(std::move(observable));
    }
  }
  if (columns_.empty()) return;
  std::vector<record::Column> header = {{"time", "s"}};
  for (const Observable& column : columns_) header.push_back({column.name, column.unit});
  writer_->series_header(header);
}

void Recorder::record(const Simulation& simulation) {
  const std::int64_t step = simulation.stepper.steps();
  const double time = simulation.stepper.time();
  const bool last = step == simulation.step_count;
  if (series_stride_ > 0 && (step % series_stride_ == 0 || last)) {
    std::vector<double> row = {time};
    for (const Observable& column : columns_) row.push_back(column.read(simulation));
    writer_->series_row(row);
  }
  if (step % frame_stride_ == 0 || last) writer_->frame(time, step, frame_of(simulation));
}

void Recorder::after_step(const Simulation& simulation, const std::vector<Watch>& watches) {
  record(simulation);
  const bool due =
      checkpoint_stride_ > 0
          ? simulation.stepper.steps() % checkpoint_stride_ == 0
          : std::chrono::duration<double>(Clock::now() - last_checkpoint_).count() > wall_between_checkpoints;
  if (due) checkpoint(simulation, watches);
  writer_->poll();
}

void Recorder::checkpoint(const Simulation& simulation, const std::vector<Watch>& watches) {
  writer_->checkpoint(simulation.stepper.time(), simulation.stepper.steps(), simulation.stepper.save().hash(),
                      state_of(simulation, watches));
  last_checkpoint_ = Clock::now();
}

void Recorder::finish(const std::string& title, const std::string& summary) {
  writer_->close();
  if (!columns_.empty()) {
    const auto panels = record::panels_of(record::RunReader(writer_->folder()).series());
    writer_->write_text(record::curves_name, record::draw(title, panels));
  }
  writer_->write_text(record::summary_name, summary);
  writer_->write_text(record::report_name, record::report_html(record::RunReader(writer_->folder())));
}

void Recorder::write_problem(const std::string& name, const solve::Problem& problem) {
  std::ostringstream text;
  problem.write(text);
  writer_->write_text(name, text.str());
}

}  // namespace hardpan::scenario
