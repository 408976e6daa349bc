// File: fields.h
//
// The fields of a struct without constructors, one after the other:
//
//   for_each_field(shape, [](auto& field) { ... });   // shape.B, shape.T, ...
//
// A struct has at most 18 of them, and none is a plain array.

#ifndef ANDREA_TOOLS_COURSE_JUDGE_FIELDS_H_
#define ANDREA_TOOLS_COURSE_JUDGE_FIELDS_H_

#include <cstddef>
#include <type_traits>
#include <utility>

namespace andrea::judge {

// Initialises whatever a field is.
struct Anything {
  template <typename T>
  operator T() const;
};

template <typename T, std::size_t... I>
constexpr bool takes(std::index_sequence<I...>) {
  return requires { T{(static_cast<void>(I), Anything{})...}; };
}

inline constexpr std::size_t kMostFields = 18;

// The most initialisers that T takes.
template <typename T, std::size_t most = kMostFields + 1>
constexpr std::size_t field_count() {
  if constexpr (most == 0) {
    return 0;
  } else if constexpr (takes<T>(std::make_index_sequence<most>{})) {
    return most;
  } else {
    return field_count<T, most - 1>();
  }
}

template <typename T, typename Visit>
void for_each_field(T& value, const Visit& visit) {
  constexpr std::size_t kCount = field_count<std::remove_const_t<T>>();
  static_assert(kCount >= 1 && kCount <= kMostFields, "a struct of 1 to 18 fields");
  if constexpr (kCount == 1) {
    auto& [a] = value;
    (visit(a));
  } else if constexpr (kCount == 2) {
    auto& [a, b] = value;
    (visit(a), visit(b));
  } else if constexpr (kCount == 3) {
    auto& [a, b, c] = value;
    (visit(a), visit(b), visit(c));
  } else if constexpr (kCount == 4) {
    auto& [a, b, c, d] = value;
    (visit(a), visit(b), visit(c), visit(d));
  } else if constexpr (kCount == 5) {
    auto& [a, b, c, d, e] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e));
  } else if constexpr (kCount == 6) {
    auto& [a, b, c, d, e, f] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f));
  } else if constexpr (kCount == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g));
  } else if constexpr (kCount == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h));
  } else if constexpr (kCount == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i));
  } else if constexpr (kCount == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i),
     visit(j));
  } else if constexpr (kCount == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i),
     visit(j), visit(k));
  } else if constexpr (kCount == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i),
     visit(j), visit(k), visit(l));
  } else if constexpr (kCount == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i),
     visit(j), visit(k), visit(l), visit(m));
  } else if constexpr (kCount == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i),
     visit(j), visit(k), visit(l), visit(m), visit(n));
  } else if constexpr (kCount == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i),
     visit(j), visit(k), visit(l), visit(m), visit(n), visit(o));
  } else if constexpr (kCount == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i),
     visit(j), visit(k), visit(l), visit(m), visit(n), visit(o), visit(p));
  } else if constexpr (kCount == 17) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i),
     visit(j), visit(k), visit(l), visit(m), visit(n), visit(o), visit(p), visit(q));
  } else if constexpr (kCount == 18) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r] = value;
    (visit(a), visit(b), visit(c), visit(d), visit(e), visit(f), visit(g), visit(h), visit(i),
     visit(j), visit(k), visit(l), visit(m), visit(n), visit(o), visit(p), visit(q), visit(r));
  }
}

}  // namespace andrea::judge

#endif  // ANDREA_TOOLS_COURSE_JUDGE_FIELDS_H_
