// Writes results for the browser tests: things that no scenario can make yet, and results of a wanted size.
//   hardpan_make_result gallery FOLDER               one of everything that a scene can hold
//   hardpan_make_result grains FOLDER COUNT FRAMES   many spheres
//   hardpan_make_result ellipsoids FOLDER COUNT      grains of another shape that cut into each other
//   hardpan_make_result growing FOLDER SECONDS       a run that goes on for so long, ten frames a second
//   hardpan_make_result odd FOLDER                   a body that falls far, one that diverges, grains that
//   appear late,
//                                                    a height field with a moving hole
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include <fmt/core.h>

#include "hardpan/record/run_writer.h"
#include "hardpan/record/scene.h"

namespace {

using namespace hardpan;
using namespace hardpan::record;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

RunWriter create(const std::string& folder, const std::string& title, const RecordLimits& limits = {}) {
  return RunWriter::create(folder, {"title: " + title + "\n", "0123456789abcdef", "0.0.0", "any"}, true,
                           limits);
}

double wave(double x, double y, double t) { return 0.06 * std::sin(4 * x - 3 * t) * std::cos(3 * y); }

// ---- gallery

constexpr int sheet = 30, field_columns = 60, field_rows = 40, grains = 20'000, contacts = 12;

SceneMesh wedge() {
  return {{{-0.2, -0.2, -0.1},
           {0.2, -0.2, -0.1},
           {-0.2, 0.2, -0.1},
           {0.2, 0.2, -0.1},
           {-0.2, -0.2, 0.2},
           {-0.2, 0.2, 0.2}},
          {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {2, 5, 3}, {0, 4, 2}, {2, 4, 5}, {1, 3, 4}, {4, 3, 5}}};
}

Triangles sheet_triangles() {
  Triangles list;
  for (int j = 0; j + 1 < sheet; ++j)
    for (int i = 0; i + 1 < sheet; ++i) {
      const int a = j * sheet + i;
      list.push_back({a, a + 1, a + sheet + 1});
      list.push_back({a, a + sheet + 1, a + sheet});
    }
  return list;
}

Scene gallery_scene() {
  Scene scene;
  scene.bodies = {{"ball", {{geometry::Sphere{0.2}}}, 1.0, false},
                  {"block", {{geometry::Box{{0.5, 0.3, 0.2}}}}, 2.0, false},
                  {"drum", {{geometry::Cylinder{0.2, 0.4}}}, 3.0, false},
                  {"wedge", {{wedge()}}, 4.0, true},
                  {"<b>point</b>", {}, 5.0, false}};
  scene.joints = {{"pin", "hinge"}, {"rod", "distance"}};
  scene.spheres = {{"sand", "sand/position", "sand/radius"}};
  scene.surfaces = {{"membrane", "membrane/position", sheet_triangles()}};
  scene.height_fields = {{"ground", "ground/height", {-1.5, -1.0}, {0.05, 0.05}}};
  scene.arrows = {{"contact force", "contacts/position", "contacts/force"}};
  return scene;
}

void put_bodies(Archive& frame, double t) {
  std::vector<double> x, q, v;
  for (int i = 0; i < 5; ++i) {
    const double angle = t + i, half = angle / 2;
    for (double c : {-1.0 + 0.5 * i, 0.8 * std::cos(angle), 0.6 + 0.1 * std::sin(angle)}) x.push_back(c);
    for (double c : {std::cos(half), std::sin(half), 0.0, 0.0}) q.push_back(c);
    for (double c : {0.0, -0.8 * std::sin(angle), 0.1 * std::cos(angle)}) v.push_back(c);
  }
  frame.put("bodies/position", x, {5, 3}, "m");
  frame.put("bodies/orientation", q, {5, 4});
  frame.put("bodies/velocity", v, {5, 3}, "m/s");
  std::vector<double> from(x.begin(), x.begin() + 6), to(x.begin() + 3, x.begin() + 9);
  frame.put("joints/position", from, {2, 3}, "m");
  frame.put("joints/orientation", std::span(q).subspan(0, 8), {2, 4});
  frame.put("joints/end", to, {2, 3}, "m");
  frame.put("joints/force", std::vector<double>{0, 0, 50, 20, 0, 30}, {2, 3}, "N");
  frame.put("joints/torque", std::vector<double>(6, 0.0), {2, 3}, "N m");
}

void put_sand(Archive& frame, std::size_t count, double t) {
  std::vector<double> x, radius, pressure;
  const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(count))));
  const double d = 1.0 / static_cast<double>(side);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t a = i % side, b = i / side % side, c = i / (side * side);
    const double u = static_cast<double>(a) * d - 0.5, v = static_cast<double>(b) * d - 0.5,
                 w = static_cast<double>(c) * d;
    x.insert(x.end(), {u - 1.0, v + 1.8, w + wave(u, v, t) + 0.1});
    radius.push_back(0.5 * d * (0.7 + 0.3 * std::sin(static_cast<double>(i))));
    pressure.push_back(1e4 * (1 - w) * (1 + 0.3 * std::sin(3 * t + 5 * u)));
  }
  frame.put("sand/position", x, {count, 3}, "m");
  frame.put("sand/radius", radius, {count}, "m");
  frame.put("sand/pressure", pressure, {count}, "Pa");
}

void put_surfaces(Archive& frame, double t) {
  std::vector<double> x, strain, height, depth;
  for (int k = 0; k < sheet * sheet; ++k) {
    const double u = 0.03 * (k % sheet), v = 0.03 * (k / sheet);
    x.insert(x.end(), {0.6 + u, 1.3 + v, 0.5 + 2 * wave(u, v, t)});
    strain.push_back(std::abs(wave(u, v, t)));
  }
  frame.put("membrane/position", x, {sheet * sheet, 3}, "m");
  frame.put("membrane/strain", strain, {sheet * sheet});
  for (int j = 0; j < field_rows; ++j)
    for (int i = 0; i < field_columns; ++i) {
      const double u = 0.05 * i - 1.5, v = 0.05 * j - 1.0,
                   rut = 0.15 * std::exp(-20 * v * v) * (u < t - 1 ? 1 : 0);
      height.push_back(0.02 * std::sin(9 * u) - rut);
      depth.push_back(rut);
    }
  frame.put("ground/height", height, {field_rows, field_columns}, "m");
  frame.put("ground/rut", depth, {field_rows, field_columns}, "m");
}

void put_contacts(Archive& frame, double t) {
  std::vector<double> x(3 * contacts, nan), force(3 * contacts, nan);
  const int there = 4 + static_cast<int>(4 + 4 * std::sin(3 * t));
  for (int i = 0; i < there; ++i)
    for (int c = 0; c < 3; ++c) {
      x[static_cast<std::size_t>(3 * i + c)] = c == 0 ? -1.2 + 0.2 * i : c == 1 ? 0.0 : 0.02;
      force[static_cast<std::size_t>(3 * i + c)] = c == 2 ? 100.0 * (1 + i) : 10.0 * i;
    }
  frame.put("contacts/position", x, {contacts, 3}, "m");
  frame.put("contacts/force", force, {contacts, 3}, "N");
}

Archive gallery_frame(double t) {
  Archive frame;
  put_bodies(frame, t);
  put_sand(frame, grains, t);
  put_surfaces(frame, t);
  put_contacts(frame, t);
  return frame;
}

const std::vector<Column> columns = {
    {"time", "s"}, {"ball.position.y", "m"}, {"ball.position.z", "m"}, {"load", "N"}};

std::vector<double> series_row(double t) {
  return {t, 0.8 * std::cos(t), 0.6 + 0.1 * std::sin(t), 1e3 * std::sin(5 * t)};
}

void write_gallery(const std::string& folder) {
  RunWriter writer = create(folder, "Gallery of everything");
  writer.write_text(scene_name, scene_json(gallery_scene()));
  writer.series_header(columns);
  for (int step = 0; step <= 40; ++step) {
    const double t = 0.05 * step;
    writer.frame(t, step, gallery_frame(t));
    for (int k = 0; k < 5; ++k) writer.series_row(series_row(t + 0.01 * k));
  }
  writer.close();
  writer.write_text(summary_name, R"({"format":1,"status":"done"})");
}

// ---- many spheres

void write_grains(const std::string& folder, std::size_t count, int frames) {
  Scene scene;
  scene.spheres = {{"sand", "sand/position", "sand/radius"}};
  RunWriter writer = create(folder, "Grains");
  writer.write_text(scene_name, scene_json(scene));
  for (int step = 0; step < frames; ++step) {
    Archive frame;
    put_sand(frame, count, 0.05 * step);
    writer.frame(0.05 * step, step, frame);
  }
  writer.close();
  writer.write_text(summary_name, R"({"format":1,"status":"done"})");
}

// ---- ellipsoids; ellipsoids.mjs knows these numbers

void write_ellipsoids(const std::string& folder, std::size_t count) {
  Scene scene;
  scene.spheres = {{"grains", "grains/position", "grains/radius", "grains/orientation", {1, 0.6, 0.8}}};
  const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(count))));
  std::vector<double> x, radius, orientation;
  for (std::size_t i = 0; i < count; ++i) {
    const auto k = static_cast<double>(i);
    for (std::size_t place : {i % side, i / side % side, i / (side * side)})
      x.push_back(0.15 * static_cast<double>(place) + 0.15);
    radius.push_back(0.1 + 0.02 * std::sin(7 * k));
    const double sine = std::sin(k), across = sine * std::sin(2 * k);
    for (double c : {std::cos(k), sine * std::cos(2 * k), 0.6 * across, 0.8 * across})
      orientation.push_back(c);
  }
  Archive frame;
  frame.put("grains/position", x, {count, 3}, "m");
  frame.put("grains/radius", radius, {count}, "m");
  frame.put("grains/orientation", orientation, {count, 4});
  RunWriter writer = create(folder, "Ellipsoids");
  writer.write_text(scene_name, scene_json(scene));
  writer.frame(0, 0, frame);
  writer.close();
  writer.write_text(summary_name, R"({"format":1,"status":"done"})");
}

// ---- a run that goes on

void write_growing(const std::string& folder, double seconds) {
  RecordLimits limits;
  limits.segment_age = limits.series_age = 0.3;
  limits.segment_age_share = 0;
  RunWriter writer = create(folder, "Growing", limits);
  Scene scene;
  scene.bodies = gallery_scene().bodies;
  writer.write_text(scene_name, scene_json(scene));
  writer.series_header(columns);
  for (int step = 0; 0.1 * step < seconds; ++step) {
    const double t = 0.1 * step;
    Archive frame;
    put_bodies(frame, t);
    writer.frame(t, step, frame);
    writer.series_row(series_row(t));
    writer.poll();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  writer.close();
  writer.write_text(summary_name, R"({"format":1,"status":"done"})");
}

// ---- what is hard to show

void write_odd(const std::string& folder) {
  Scene scene;
  scene.bodies = {{"falling", {}, 1.0, false}, {"diverging", {{geometry::Sphere{0.1}}}, 1.0, false}};
  scene.spheres = {{"sand", "sand/position", 0.05}};
  scene.height_fields = {{"ground", "ground/height", {-1, -1}, {0.25, 0.25}}};
  RunWriter writer = create(folder, "Odd");
  writer.write_text(scene_name, scene_json(scene));
  for (int step = 0; step <= 20; ++step) {
    const double t = 0.1 * step;
    Archive frame;
    frame.put("bodies/position", std::vector<double>{0, 0, -4.9 * t * t, 1, 0, step == 20 ? 1e30 : 0.0},
              {2, 3}, "m");
    frame.put("bodies/orientation", std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0}, {2, 4});
    const std::size_t count = step < 10 ? 0 : 5;
    std::vector<double> sand, heat, height;
    for (std::size_t i = 0; i < count; ++i) {
      sand.insert(sand.end(), {0.2 * static_cast<double>(i), 1, 0});
      heat.push_back(t * static_cast<double>(i));
    }
    frame.put("sand/position", sand, {count, 3}, "m");
    frame.put("sand/heat", heat, {count}, "K");
    for (int k = 0; k < 81; ++k) height.push_back(k % 9 == step % 9 ? nan : 0.0);
    frame.put("ground/height", height, {9, 9}, "m");
    writer.frame(t, step, frame);
  }
  writer.close();
  writer.write_text(summary_name, R"({"format":1,"status":"diverged","reason":"it flew apart"})");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 2 && words[0] == "gallery") {
    write_gallery(words[1]);
  } else if (words.size() == 4 && words[0] == "grains") {
    write_grains(words[1], std::stoul(words[2]), std::stoi(words[3]));
  } else if (words.size() == 3 && words[0] == "ellipsoids") {
    write_ellipsoids(words[1], std::stoul(words[2]));
  } else if (words.size() == 3 && words[0] == "growing") {
    write_growing(words[1], std::stod(words[2]));
  } else if (words.size() == 2 && words[0] == "odd") {
    write_odd(words[1]);
  } else {
    fmt::print(
        stderr,
        "usage: gallery FOLDER | grains FOLDER COUNT FRAMES | ellipsoids FOLDER COUNT | growing FOLDER "
        "SECONDS | odd FOLDER\n");
    return 2;
  }
}
