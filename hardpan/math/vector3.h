// Three numbers of any kind: double, or a pack of them that a vector unit works on at once. For laws and
// loops that run on many points; everything else takes Vec3 (types.h). Operations in a fixed order, so that a
// pack has the bits of its numbers.
#pragma once

#include <cmath>

namespace hardpan {

template <class T>
struct Vector3 {
  T x{}, y{}, z{};

  friend Vector3 operator+(const Vector3& a, const Vector3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Vector3 operator-(const Vector3& a, const Vector3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Vector3 operator-(const Vector3& a) { return {-a.x, -a.y, -a.z}; }
  friend Vector3 operator*(const T& s, const Vector3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend T dot(const Vector3& a, const Vector3& b) { return (a.x * b.x + a.y * b.y) + a.z * b.z; }
  friend Vector3 cross(const Vector3& a, const Vector3& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
  }
  friend T norm(const Vector3& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
  }
};

// condition ? yes : no, for packs number by number.
inline double select(bool condition, double yes, double no) { return condition ? yes : no; }
inline bool any(bool condition) { return condition; }
inline double larger(double a, double b) { return a > b ? a : b; }

template <class Condition, class T>
Vector3<T> select(const Condition& condition, const Vector3<T>& yes, const Vector3<T>& no) {
  return {select(condition, yes.x, no.x), select(condition, yes.y, no.y), select(condition, yes.z, no.z)};
}

}  // namespace hardpan
