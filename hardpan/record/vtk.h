// Frames as VTK files for ParaView and VisIt: of each frame the bodies in frame-000000.vtp (XML PolyData) and
// the spheres of the scene, grains say, in frame-000000-1.vtp; frames.pvd gives them their times.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "hardpan/core/archive.h"
#include "hardpan/record/run_reader.h"
#include "hardpan/record/scene.h"

namespace hardpan::record {

// One frame as the text of a .vtp file. The frame holds, for n bodies: `bodies/position` [n, 3], m, centre of
// mass in the world; `bodies/orientation` [n, 4], quaternion w, x, y, z from body to world;
// `bodies/velocity` [n, 3], m/s, and `bodies/angular_velocity` [n, 3], rad/s, both in the world; the last two
// may be missing. Every cell carries the index of its body and these velocities. `scene` is empty (all bodies
// are points) or as long as n. IoError when the frame does not fit.
std::string vtp_of(const Archive& frame, std::span<const SceneBody> scene);

// Spheres of one frame as points, with arrays of the points: `radius`, and all others of the frame that have
// a row per sphere and begin as the array of the positions does ("grains/").
std::string vtp_of_spheres(const Archive& frame, const SceneSpheres& spheres);

// Writes all frames the reader lists into `folder`, which is made; returns how many.
std::size_t export_vtk(const RunReader& run, const std::filesystem::path& folder);

}  // namespace hardpan::record
