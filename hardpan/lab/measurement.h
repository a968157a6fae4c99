// What an experiment reads off a run: columns of a table, each the mean over an interval, and the metrics
// that follow from the table at the end.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "hardpan/couple/body_contact.h"
#include "hardpan/couple/grain_bed.h"
#include "hardpan/couple/solid_contact.h"
#include "hardpan/lab/metric.h"
#include "hardpan/meshfree/solid.h"
#include "hardpan/multibody/system.h"

namespace hardpan::lab {

struct World {
  const multibody::System& bodies;  // with grains that are rigid, if there are any
  const couple::BodyContact& contacts;
  double step;                                           // s
  const couple::GrainBed* grains;                        // that overlap, if there are any
  const meshfree::Solid* solid = nullptr;                // if there is one
  const couple::SolidContact* solid_contacts = nullptr;  // likewise
  double time = 0;                                       // s
};

struct Column {
  std::string name, unit;
};

using Row = std::vector<double>;

// A kind of measurement: data and three functions.
struct Measurement {
  std::vector<Column> columns;
  std::function<Row(const World&)> at_start;                // numbers that only the start tells
  std::function<Row(const World&, const Row& start)> read;  // one per column, now
  std::vector<std::string> metrics;                         // names, in the order of what follows
  std::function<Row(const std::vector<Row>& table, const Row& start)> reduce;
};

// Its course over a run. Everything can be packed and unpacked, so that a resumed run gives the same table.
class Recording {
 public:
  // A row for every so many steps.
  Recording(Measurement kind, std::int64_t stride) : kind_(std::move(kind)), stride_(stride) {}

  void begin(const World& world);   // at the start
  void sample(const World& world);  // after every step

  const Measurement& kind() const { return kind_; }
  std::int64_t stride() const { return stride_; }
  // The last complete row; of the start before there is one.
  const Row& last() const { return rows_.empty() ? first_ : rows_.back(); }
  const std::vector<Row>& rows() const { return rows_; }
  // Not a number where there are no rows yet.
  std::vector<Metric> metrics() const;

  std::vector<double> pack() const;
  void unpack(std::span<const double> values);  // IoError for those of another measurement

 private:
  Measurement kind_;
  std::int64_t stride_;
  std::int64_t samples_ = 0;  // in the sum
  Row start_, first_, sum_;
  std::vector<Row> rows_;
};

}  // namespace hardpan::lab
