// Frames of equal layout stacked along a leading axis: datasets `time` [F] and `step` [F], and each entry of
// the frames as [F, shape...]. One file holds many frames, and a reader gets a history with one slice.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hardpan/core/archive.h"

namespace hardpan::record {

class FrameStack {
 public:
  // Whether this frame has the names, units, types and shapes of those before it; an empty stack takes any.
  bool accepts(const Archive& frame) const;
  void add(double time, std::int64_t step, const Archive& frame);
  Archive stacked() const;
  void clear();

  bool empty() const { return time_.empty(); }
  const std::vector<double>& time() const { return time_; }
  const std::vector<std::int64_t>& step() const { return step_; }
  std::uint64_t bytes() const { return bytes_; }  // of the values

 private:
  std::vector<double> time_;
  std::vector<std::int64_t> step_;
  std::vector<Archive::Entry> entries_;  // shapes are those of one frame, values run over all frames
  std::uint64_t bytes_ = 0;
};

// Bytes of the values of a frame.
std::uint64_t size_of(const Archive& frame);

struct Segment {
  std::vector<double> time;        // s
  std::vector<std::int64_t> step;  // of the simulation
  Archive arrays;                  // each [F, shape...]

  std::size_t frames() const { return time.size(); }
  Archive frame(std::size_t index) const;  // shapes without the leading axis
};

// IoError, naming `where`, when the arrays are not those of a stack.
Segment unstack(const Archive& stacked, const std::string& where);

}  // namespace hardpan::record
