#include "hardpan/geometry/manifold.h"

#include <algorithm>
#include <cmath>

#include "hardpan/math/rotation.h"

namespace hardpan::geometry {
namespace {

using Outline = FacingFeatures::Outline;
using Frame = FacingFeatures::Frame;

// Relative to the smaller shape. A corner this far outside of an edge still counts as inside, so that
// equal faces on top of each other keep their own corners.
constexpr double inside_tolerance = 1e-12;
constexpr double naming_tolerance = 1e-9;
constexpr double merge_distance = 1e-6;
// What the side of a cylinder may fall off between its line and an edge beside it, and as a share of the gap
// along the line.
constexpr double bent_tolerance = 1e-9, bent_share = 0.1;
// Two edges closer to parallel than this (sine) touch along a line, others in a point.
constexpr double parallel_edges = 0.02;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

std::size_t index(int k) { return static_cast<std::size_t>(k); }

void project(const Feature& f, const Frame& frame, bool of_b, Outline& out) {
  out.count = f.count;
  out.face = f.face;
  out.round = f.round;
  out.bend = f.bend;
  for (int k = 0; k < f.count; ++k) {
    // B looks against the normal, so its corners run the other way round; edge k then ends at corner k.
    const bool turn = of_b && f.count > 2;
    const int from = turn ? f.count - 1 - k : k;
    const int edge = turn ? (f.count - 2 - k + f.count) % f.count : k;
    const Vec3& p = f.points[index(from)];
    out.at[index(k)] = frame.flat(p);
    out.height[index(k)] = frame.n.dot(p);
    out.vertex[index(k)] = f.vertex[index(from)];
    out.edge[index(k)] = f.edge[index(edge)];
  }
  if (f.count < 3) return;
  // Normal by Newell's sum: exact for planar faces and good for nearly planar ones.
  Vec3 normal = Vec3::Zero();
  for (int k = 1; k + 1 < f.count; ++k)
    normal += hardpan::cross(f.points[index(k)] - f.points[0], f.points[index(k + 1)] - f.points[0]);
  const double along = normal.dot(frame.n);
  out.slope = along != 0 ? Vec2(-frame.flat(normal) / along) : Vec2(Vec2::Zero());
  double area = 0;  // a triangle may show either side
  for (int k = 1; k + 1 < out.count; ++k)
    area += cross(out.at[index(k)] - out.at[0], out.at[index(k + 1)] - out.at[0]);
  if (area >= 0) return;
  std::reverse(out.at.begin(), out.at.begin() + out.count);
  std::reverse(out.height.begin(), out.height.begin() + out.count);
  std::reverse(out.vertex.begin(), out.vertex.begin() + out.count);
  std::reverse(out.edge.begin(), out.edge.begin() + out.count - 1);
}

// The part of the feature that a point of its outline or inside belongs to. Where a corner or an edge touches
// just so, rounding must not choose the name.
std::uint32_t part_at(const Outline& f, const Vec2& p, double tolerance) {
  for (int k = 0; k < f.count; ++k)
    if (f.count == 1 || (f.at[index(k)] - p).squaredNorm() <= tolerance * tolerance)
      return part(PartKind::vertex, f.vertex[index(k)]);
  if (f.count == 2) return part(PartKind::edge, f.edge[0]);
  for (int k = 0; k < f.count; ++k) {
    const Vec2 along = f.at[index((k + 1) % f.count)] - f.at[index(k)];
    if (cross(p - f.at[index(k)], along) >= -tolerance * along.norm())
      return part(PartKind::edge, f.edge[index(k)]);
  }
  return part(PartKind::face, f.face);
}

// A corner of the polygon being clipped, and what its outgoing edge is part of.
struct Corner {
  Vec2 at;
  std::uint32_t part_a, part_b;
  bool edge_of_a;
  std::uint32_t edge;  // position in the outline of A or B
};

struct Polygon {
  static constexpr int most = 2 * Feature::most;
  int count = 0;
  std::array<Corner, most> corners;
  void add(const Corner& c) {
    if (count < most) corners[index(count++)] = c;
  }
};

// Sutherland and Hodgman 1974: B clipped by the edges of A.
void clip(const Outline& a, const Outline& b, double tolerance, Polygon& result) {
  Polygon other;
  Polygon *in = &result, *out = &other;
  for (int k = 0; k < b.count; ++k)
    in->add({b.at[index(k)], part(PartKind::face, a.face), part(PartKind::vertex, b.vertex[index(k)]), false,
             static_cast<std::uint32_t>(k)});
  for (int e = 0; e < a.count && in->count > 0; ++e) {
    const Vec2 start = a.at[index(e)], along = a.at[index((e + 1) % a.count)] - start;
    const double length = along.norm();
    if (length == 0) continue;
    const auto outside = [&](const Vec2& p) { return cross(p - start, along) / length; };
    out->count = 0;
    const double first = outside(in->corners[0].at);
    double d0, d1 = first;
    for (int k = 0; k < in->count; ++k) {
      const bool last = k + 1 == in->count;
      const Corner& from = in->corners[index(k)];
      const Corner& to = in->corners[index(last ? 0 : k + 1)];
      d0 = d1;
      d1 = last ? first : outside(to.at);
      const bool keep = d0 <= tolerance, keep_next = d1 <= tolerance;
      if (keep) out->add(from);
      if (keep == keep_next) continue;
      Corner cut = from;
      cut.at = from.at + (to.at - from.at) * (d0 / (d0 - d1));
      if (from.edge_of_a) {  // two edges of A meet in its corner
        const bool next =
            (from.edge + 1) % static_cast<std::uint32_t>(a.count) == static_cast<std::uint32_t>(e);
        cut.part_a = part(PartKind::vertex, a.vertex[next ? index(e) : from.edge]);
        cut.part_b = part(PartKind::face, b.face);
      } else {
        cut.part_a = part(PartKind::edge, a.edge[index(e)]);
        cut.part_b = part(PartKind::edge, b.edge[from.edge]);
      }
      if (keep) cut.edge_of_a = true, cut.edge = static_cast<std::uint32_t>(e);
      out->add(cut);
    }
    std::swap(in, out);
  }
  if (in == &result) return;
  result.count = in->count;
  std::copy_n(in->corners.begin(), in->count, result.corners.begin());
}

// How far a surface bent by this radius has fallen off at a distance beside its highest line.
double fall(double bend, double beside) {
  return beside < bend ? beside * beside / (bend + std::sqrt(bend * bend - beside * beside)) : HUGE_VAL;
}

// A part of a line, by its parameter from 0 to 1.
struct Stretch {
  double from = 0, to = 1;
  bool empty() const { return from > to; }
  // To where a linear function that has these values at the ends is not positive.
  void narrow(double at_0, double at_1) {
    if (at_0 > 0 && at_1 > 0) from = 1, to = 0;
    if (at_0 > 0) from = std::max(from, at_0 / (at_0 - at_1));
    if (at_1 > 0) to = std::min(to, at_0 / (at_0 - at_1));
  }
};

// A line over a face. The line may run on a curved side, which falls off beside it. `Gap`: between the line,
// by its parameter, and a point of the face.
template <class Gap>
class LineOverFace {
 public:
  LineOverFace(const Outline& line, const Outline& face, double small, const Gap& gap)
      : line_(line), face_(face), small_(small), gap_(gap), way_(line.at[1] - line.at[0]) {
    across_ = Vec2(-way_.y(), way_.x()).normalized();
    clip();
  }

  bool empty() const { return kept_.empty(); }

  struct End {
    Vec2 on_line, on_face;
    double gap;
  };
  // Inside of the face a border may be nearer than what lies right under the line.
  End end(std::size_t which) const {
    const double s = which == 0 ? kept_.from : kept_.to,
                 bend = line_.bend[0] + s * (line_.bend[1] - line_.bend[0]);
    const Vec2 p = at(s);
    if (border_[which] >= 0) {
      const double d = distance(border_[which], p);
      const Vec2 q = p + d * across_;
      return {p, q, gap_(s, q) + std::max(0.0, fall(bend, std::abs(d)) - bent_tolerance * small_)};
    }
    End best{p, p, gap_(s, p)};
    for (int e = 0; bend > 0 && e < face_.count; ++e) {
      const double d = distance(e, p);
      const Vec2 q = p + d * across_;
      if (!(std::abs(d) < bend && along(e, q) >= 0 && along(e, q) <= 1)) continue;
      const double at_border = gap_(s, q) + fall(bend, std::abs(d));
      if (at_border < best.gap) best = {p, q, at_border};
    }
    return best;
  }

 private:
  // The part inside of the face (Cyrus and Beck 1978), and what runs along a border so closely outside that
  // the curved side has hardly fallen off: so a cylinder on an edge keeps both its ends, to whichever side it
  // turns.
  void clip() {
    const auto outside = [&](int e, const Vec2& p) {
      const double d = face_.outside(e, p);
      return d <= inside_tolerance * small_ ? std::min(d, 0.0) : d;
    };
    for (int e = 0; e < face_.count; ++e) kept_.narrow(outside(e, line_.at[0]), outside(e, line_.at[1]));
    for (int e = 0; e < face_.count; ++e) {
      const Stretch along = along_border(e);
      if (along.empty()) continue;
      if (kept_.empty()) {
        kept_ = along;
        border_ = {e, e};
      } else {
        if (along.from < kept_.from) kept_.from = along.from, border_[0] = e;
        if (along.to > kept_.to) kept_.to = along.to, border_[1] = e;
      }
    }
  }

  Vec2 at(double s) const { return line_.at[0] + s * way_; }
  // From p to the border, square to the line; not finite if they never meet.
  double distance(int e, const Vec2& p) const { return -face_.outside(e, p) / face_.outward(e).dot(across_); }
  // From 0 at the first corner of the border to 1 at the other.
  double along(int e, const Vec2& q) const {
    const Vec2 start = face_.at[index(e)], border = face_.at[index((e + 1) % face_.count)] - start;
    return border.dot(q - start) / border.squaredNorm();
  }

  // From where the line comes nearest to the border on its way outside, it is followed over x to
  //   d^2/(2 r) <= tolerance + bent_share (rise of the gap),    d = near + growth x
  // so that it is cut where it crosses the border unless they are nearly parallel.
  Stretch along_border(int e) const {
    const double sine = std::abs(cross(face_.outward(e), across_)), skew = sine / parallel_edges;
    const double bend = 0.5 * (line_.bend[0] + line_.bend[1]) * (1 - skew * skew);
    if (!(bend > 0) || across_.isZero(0)) return {1, 0};
    const double d0 = face_.outside(e, line_.at[0]), d1 = face_.outside(e, line_.at[1]);
    Stretch out;
    out.narrow(-d0, -d1);
    if (out.empty()) return out;
    const auto border = [&](double s) -> Vec2 { return at(s) + distance(e, at(s)) * across_; };
    const double from = d0 < d1 ? out.from : out.to, to = d0 < d1 ? out.to : out.from;
    const double near = std::max(0.0, face_.outside(e, at(from))), growth = std::abs(d1 - d0);
    const double rise =
        std::max(0.0, (gap_(to, border(to)) - gap_(from, border(from))) / std::abs(to - from));
    const double a = growth * growth, b = growth * near - bend * bent_share * rise,
                 c = near * near - 2 * bend * bent_tolerance * small_;
    if (c > 0) return {1, 0};
    const double reach = a > 0 ? (std::sqrt(b * b - a * c) - b) / a : HUGE_VAL;
    if (d0 < d1)
      out.to = std::min(out.to, from + reach);
    else
      out.from = std::max(out.from, from - reach);
    const double t0 = along(e, border(0)), t1 = along(e, border(1));
    out.narrow(-t0, -t1);
    out.narrow(t0 - 1, t1 - 1);
    return out;
  }

  const Outline &line_, &face_;
  const double small_;
  const Gap& gap_;
  const Vec2 way_;
  Vec2 across_;
  Stretch kept_;
  std::array<int, 2> border_{-1, -1};  // along which an end lies
};

void clip_edge(const Outline& edge, const Outline& face, bool edge_is_a, double small, const Frame& frame,
               LocalPoints& out) {
  const auto gap = [&](double s, const Vec2& q) {
    const double height = edge.height[0] + s * (edge.height[1] - edge.height[0]);
    return edge_is_a ? face.height_at(q) - height : height - face.height_at(q);
  };
  const LineOverFace over(edge, face, small, gap);
  if (over.empty()) return;
  const double naming = naming_tolerance * small;
  for (const std::size_t which : {0, 1}) {
    const auto end = over.end(which);
    const double h_face = face.height_at(end.on_face), h_a = edge_is_a ? h_face - end.gap : h_face;
    const std::uint32_t on_edge = part_at(edge, end.on_line, naming),
                        on_face = part_at(face, end.on_face, naming);
    out.add({frame.n, frame.lift(end.on_face, h_a), end.gap, edge_is_a ? on_edge : on_face,
             edge_is_a ? on_face : on_edge});
  }
}

// Two edges: where they cross, or the ends of their common stretch if they are nearly parallel.
void meet_edges(const Outline& a, const Outline& b, double tolerance, const Frame& frame, LocalPoints& out) {
  const Vec2 way_a = a.at[1] - a.at[0], way_b = b.at[1] - b.at[0];
  const double la = way_a.norm(), lb = way_b.norm(), turn = cross(way_a, way_b);
  if (la == 0 || lb == 0) return;
  const auto add = [&](double s, double t, std::uint32_t part_a, std::uint32_t part_b) {
    const double h_a = a.height[0] + s * (a.height[1] - a.height[0]);
    const double h_b = b.height[0] + t * (b.height[1] - b.height[0]);
    const Vec2 p = 0.5 * (a.at[0] + s * way_a + b.at[0] + t * way_b);
    out.add({frame.n, frame.lift(p, h_a), h_b - h_a, part_a, part_b});
  };
  const auto near = [&](double f, double l) { return f * l >= -tolerance && (f - 1) * l <= tolerance; };
  const std::uint32_t edge_a = part(PartKind::edge, a.edge[0]), edge_b = part(PartKind::edge, b.edge[0]);
  if (std::abs(turn) > parallel_edges * la * lb) {
    const double s = cross(b.at[0] - a.at[0], way_b) / turn, t = cross(b.at[0] - a.at[0], way_a) / turn;
    if (near(s, la) && near(t, lb)) add(std::clamp(s, 0.0, 1.0), std::clamp(t, 0.0, 1.0), edge_a, edge_b);
    return;
  }
  for (int end = 0; end < 2; ++end) {
    const double s = way_a.dot(b.at[index(end)] - a.at[0]) / (la * la);
    const double t = way_b.dot(a.at[index(end)] - b.at[0]) / (lb * lb);
    if (near(s, la)) add(s, end, edge_a, part(PartKind::vertex, b.vertex[index(end)]));
    if (near(t, lb)) add(end, t, part(PartKind::vertex, a.vertex[index(end)]), edge_b);
  }
}

void merge(LocalPoints& points, double distance) {
  int kept = 0;
  for (int k = 0; k < points.count; ++k) {
    bool apart = true;
    for (int j = 0; j < kept && apart; ++j) {
      if ((points[j].on_a - points[k].on_a).squaredNorm() > distance * distance) continue;
      apart = false;
      if (points[k].gap < points[j].gap) points[j] = points[k];
    }
    if (apart) points[kept++] = points[k];
  }
  points.count = kept;
}

// Needles and sheets can have two corners within the tolerances of one edge. A name that is taken is marked.
void tell_apart(LocalPoints& points) {
  for (int k = 1; k < points.count; ++k)
    for (int j = 0; j < k; ++j)
      if (points[j].part_a == points[k].part_a && points[j].part_b == points[k].part_b) {
        points[k].part_a ^= (static_cast<std::uint32_t>(k) << 22);
        break;
      }
}

}  // namespace

FacingFeatures::FacingFeatures(const Pair& pair, const Vec3& normal, Kind kind) : pair_(pair) {
  constexpr int rim = 8;
  Feature f;
  const auto show = [&](const Convex& c, const Vec3& direction) {
    if (kind == Kind::edges)
      edge_feature(c, direction, f);
    else
      feature(c, direction, rim, f);
  };
  frame_.n = normal;
  tangents(normal, frame_.u, frame_.v);
  show(pair.a, normal);
  project(f, frame_, false, a_);
  show(pair.b, pair.r.transpose() * -normal);
  for (int k = 0; k < f.count; ++k) f.points[index(k)] = pair.r * f.points[index(k)] + pair.t;
  project(f, frame_, true, b_);
}

void FacingFeatures::intersect(LocalPoints& out) const {
  const double tolerance = inside_tolerance * pair_.small, naming = naming_tolerance * pair_.small;
  if (a_.count > 2 && b_.count > 2) {
    Polygon polygon;
    clip(a_, b_, tolerance, polygon);
    for (int k = 0; k < polygon.count; ++k) {
      const Corner& c = polygon.corners[index(k)];
      const double h_a = a_.height_at(c.at), h_b = b_.height_at(c.at);
      out.add({frame_.n, frame_.lift(c.at, h_a), h_b - h_a, c.part_a, c.part_b});
    }
  } else if (a_.count == 2 && b_.count > 2) {
    clip_edge(a_, b_, true, pair_.small, frame_, out);
  } else if (a_.count > 2 && b_.count == 2) {
    clip_edge(b_, a_, false, pair_.small, frame_, out);
  } else if (a_.count == 2 && b_.count == 2) {
    meet_edges(a_, b_, naming, frame_, out);
  }
  merge(out, merge_distance * pair_.small);
}

void FacingFeatures::add(const Witness& witness, LocalPoints& out) const {
  const Vec2 at = frame_.flat(witness.on_a);
  const double naming = naming_tolerance * pair_.small;
  const auto name = [&](const Outline& f) {  // on a rim the corners are samples, and it is not one of them
    return f.round ? part(PartKind::surface, 0) : part_at(f, at, naming);
  };
  out.add({witness.normal, witness.on_a, witness.gap, name(a_), name(b_)});
}

void FacingFeatures::add_nearest_ends(LocalPoints& out) const {
  const Vec2 way_a = a_.at[1] - a_.at[0], way_b = b_.at[1] - b_.at[0];
  double least = HUGE_VAL;
  Vec2 on_a = a_.at[0], on_b = b_.at[0];
  const auto look = [&](const Vec2& p, const Vec2& q) {
    if ((p - q).squaredNorm() < least) least = (p - q).squaredNorm(), on_a = p, on_b = q;
  };
  const auto nearest = [](const Outline& f, const Vec2& way, const Vec2& p) -> Vec2 {
    const double length = way.squaredNorm();
    return length > 0 ? Vec2(f.at[0] + std::clamp(way.dot(p - f.at[0]) / length, 0.0, 1.0) * way) : f.at[0];
  };
  for (std::size_t end = 0; end < 2; ++end) {
    look(a_.at[end], nearest(b_, way_b, a_.at[end]));
    look(nearest(a_, way_a, b_.at[end]), b_.at[end]);
  }
  const double naming = naming_tolerance * pair_.small, h_a = std::max(a_.height[0], a_.height[1]);
  out.add({frame_.n, frame_.lift(0.5 * (on_a + on_b), h_a), 0, part_at(a_, on_a, naming),
           part_at(b_, on_b, naming)});
}

double FacingFeatures::clearance(const LocalPoints& points) const {
  const double deep = points.least_gap() + naming_tolerance * pair_.small;
  Vec2 middle = Vec2::Zero();
  int count = 0;
  for (int k = 0; k < points.count; ++k)
    if (points[k].gap <= deep) middle += frame_.flat(points[k].on_a), ++count;
  middle /= count;
  double most = 0;
  for (const Outline* f : {&a_, &b_}) {
    if (f->count < 3 || f->slope.norm() > naming_tolerance) continue;
    double inside = HUGE_VAL;
    for (int k = 0; k < f->count; ++k) inside = std::min(inside, -f->outside(k, middle));
    most = std::max(most, inside);
  }
  return most;
}

double manifold(const Pair& pair, const Witness& witness, double margin, LocalPoints& out) {
  const FacingFeatures features(pair, witness.normal);
  features.intersect(out);
  if (out.least_gap() > witness.gap + 1e-12 * pair.small + 1e-15 * pair.size) features.add(witness, out);
  const double clearance = features.clearance(out);
  const double radii = pair.a.radius + pair.b.radius;
  int kept = 0;
  for (int k = 0; k < out.count; ++k) {
    LocalPoint p = out[k];
    p.gap = std::max(p.gap, witness.gap) - radii;
    p.on_a += pair.a.radius * p.normal;
    if (p.gap <= margin) out[kept++] = p;
  }
  out.count = kept;
  reduce(out);
  tell_apart(out);
  return clearance;
}

void blunt_manifold(const Pair& pair, const Vec3& normal, double bluntness, double margin, LocalPoints& out) {
  const FacingFeatures edges(pair, normal, FacingFeatures::Kind::edges);
  edges.intersect(out);
  if (out.count == 0) edges.add_nearest_ends(out);
  if (out.count == 1) out[0].gap = normal.dot(pair.support_b(-normal) - pair.support_a(normal));
  LocalPoints of_faces;
  FacingFeatures(pair, normal).intersect(of_faces);
  const double near = std::max(bluntness, merge_distance * pair.small);
  for (int k = 0, first = out.count; k < of_faces.count; ++k) {
    bool apart = true;
    for (int j = 0; j < first; ++j) apart = apart && (out[j].on_a - of_faces[k].on_a).norm() > near;
    if (apart) out.add(of_faces[k]);
  }
  int kept = 0;
  for (int k = 0; k < out.count; ++k)
    if (out[k].gap <= margin) out[kept++] = out[k];
  out.count = kept;
  reduce(out);
  tell_apart(out);
}

void reduce(LocalPoints& points, int most) {
  if (points.count <= most) return;
  const auto choose = [&](int slot, auto&& score) {
    int best = slot;
    double highest = score(points[slot]);
    for (int k = slot + 1; k < points.count; ++k) {
      const double value = score(points[k]);
      if (value > highest) highest = value, best = k;
    }
    std::swap(points[slot], points[best]);
  };
  choose(0, [](const LocalPoint& p) { return -p.gap; });
  choose(1, [&](const LocalPoint& p) { return (p.on_a - points[0].on_a).squaredNorm(); });
  choose(2, [&](const LocalPoint& p) {
    return (p.on_a - points[0].on_a).cross(points[1].on_a - points[0].on_a).squaredNorm();
  });
  for (int slot = 3; slot < most; ++slot)
    choose(slot, [&](const LocalPoint& p) {
      double nearest = HUGE_VAL;
      for (int k = 0; k < slot; ++k) nearest = std::min(nearest, (p.on_a - points[k].on_a).squaredNorm());
      return nearest;
    });
  points.count = most;
}

}  // namespace hardpan::geometry
