// Loops over packs (pack.h) for the widest vector unit of the machine that the program runs on: one source,
// compiled for each, the same bits from all.
#pragma once

namespace hardpan {

enum class Unit { plain, avx2, avx512 };  // plain: what every machine has
Unit widest_unit();
// Narrower than the machine could, to compare.
void limit_unit(Unit most);

namespace detail {
template <class Body>
[[gnu::always_inline]] inline void on_four(const Body& body) {
  if constexpr (requires { body.template operator()<4>(); })
    body.template operator()<4>();
  else
    body();
}

#if defined(__x86_64__) && defined(__OPTIMIZE__)
// All that a body calls is inlined here, and so compiled for this unit.
template <class Body>
[[gnu::target("avx512f,avx512vl,avx512dq,prfchw,prefer-vector-width=512"), gnu::flatten, gnu::noinline]] void
on_avx512(const Body& body) {
  if constexpr (requires { body.template operator()<8>(); })
    body.template operator()<8>();
  else
    body();
}
template <class Body>
[[gnu::target("avx2,prfchw"), gnu::flatten, gnu::noinline]] void on_avx2(const Body& body) {
  on_four(body);
}
#endif

}  // namespace detail

// A body may be a template of the width of its packs: <8> where the unit works on as many, else <4>.
template <class Body>
void on_widest(const Body& body) {
#if defined(__x86_64__) && defined(__OPTIMIZE__)
  switch (widest_unit()) {
    case Unit::avx512:
      return detail::on_avx512(body);
    case Unit::avx2:
      return detail::on_avx2(body);
    case Unit::plain:
      break;
  }
#endif
  detail::on_four(body);
}

}  // namespace hardpan
