// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::vec of the reference, element by element.
#ifndef TN_TEST_FUZZ_KERNELS_REFERENCE_VECTOR_HPP
#define TN_TEST_FUZZ_KERNELS_REFERENCE_VECTOR_HPP

#include "functions.hpp"

#include <cstring>

namespace sycl {

template <class T, int N>
class vec;

namespace reference {

template <class V, int... I>
struct swizzled;
template <class T, int N, int... I>
struct swizzled<vec<T, N>, I...> {
  vec<T, N> &of;
  using value = vec<T, sizeof...(I)>;
  operator value() const { return value(of[I]...); }
  const swizzled &operator=(const value &v) const {
    int n = 0;
    ((of[I] = v[n++]), ...);
    return *this;
  }
};
template <size_t Size>
struct mask_type;
template <>
struct mask_type<1> {
  using type = signed char;
};
template <>
struct mask_type<2> {
  using type = short;
};
template <>
struct mask_type<4> {
  using type = int;
};
template <>
struct mask_type<8> {
  using type = long;
};

}  // namespace reference

template <class T, int N>
class alignas((N == 3 ? 4 : N) * sizeof(T) > 64 ? 64 : (N == 3 ? 4 : N) * sizeof(T)) vec {
 public:
  using mask = vec<typename reference::mask_type<sizeof(T)>::type, N>;

  vec() = default;
  explicit vec(T all) {
    for (T &e : data_) {
      e = all;
    }
  }
  template <class... A, class = std::enable_if_t<sizeof...(A) == N && (N > 1)>>
  vec(A... values) : data_{T(values)...} {}
  template <int... I>
  vec(const reference::swizzled<vec<T, N>, I...> &v) : vec(v.operator vec()) {}

  T &operator[](int i) { return data_[i]; }
  const T &operator[](int i) const { return data_[i]; }
  T &x() { return data_[0]; }
  T &y() { return data_[1]; }
  T &z() { return data_[2]; }
  T &w() { return data_[3]; }
  vec<T, N / 2> lo() const { return part(0, 1); }
  vec<T, N / 2> hi() const { return part(N / 2, 1); }
  vec<T, N / 2> even() const { return part(0, 2); }
  vec<T, N / 2> odd() const { return part(1, 2); }
  template <int... I>
  reference::swizzled<vec, I...> swizzle() {
    return {*this};
  }
  template <class U>
  vec<U, N> convert() const {
    vec<U, N> result;
    for (int i = 0; i < N; i++) {
      result[i] = U(data_[i]);
    }
    return result;
  }

#define TN_BINARY(op)                                                     \
  friend vec operator op(const vec &a, const vec &b) {                    \
    vec result;                                                           \
    for (int i = 0; i < N; i++) {                                         \
      result[i] = T(wide_of(a[i]) op wide_of(b[i]));                      \
    }                                                                     \
    return result;                                                        \
  }                                                                       \
  friend vec operator op(const vec &a, T b) { return a op vec(b); }       \
  friend vec operator op(T a, const vec &b) { return vec(a) op b; }       \
  friend vec &operator op##=(vec &a, const vec &b) { return a = a op b; } \
  friend vec &operator op##=(vec &a, T b) { return a = a op vec(b); }
  TN_BINARY(+)
  TN_BINARY(-)
  TN_BINARY(*)
  TN_BINARY(&)
  TN_BINARY(|)
  TN_BINARY(^)
#undef TN_BINARY
#define TN_COMPARE(op)                                  \
  friend mask operator op(const vec &a, const vec &b) { \
    mask result;                                        \
    for (int i = 0; i < N; i++) {                       \
      result[i] = a[i] op b[i] ? -1 : 0;                \
    }                                                   \
    return result;                                      \
  }
  TN_COMPARE(<)
  TN_COMPARE(<=)
  TN_COMPARE(>)
  TN_COMPARE(>=)
  TN_COMPARE(==)
  TN_COMPARE(!=)
#undef TN_COMPARE
  friend vec operator~(const vec &a) {
    return a.each([](T e) { return T(~e); });
  }
  friend vec operator-(const vec &a) {
    return a.each([](T e) { return T(-wide_of(e)); });
  }

 private:
  // Integers wrap.
  static auto wide_of(T v) {
    if constexpr (reference::is_float<T>) {
      return v;
    } else {
      return uint64_t(v);
    }
  }
  template <class F>
  vec each(const F &f) const {
    vec result;
    for (int i = 0; i < N; i++) {
      result[i] = f(data_[i]);
    }
    return result;
  }
  vec<T, N / 2> part(int from, int step) const {
    vec<T, N / 2> result;
    for (int i = 0; i < N / 2; i++) {
      result[i] = data_[from + i * step];
    }
    return result;
  }

  T data_[N == 3 ? 4 : N] = {};
};

template <class T, int N>
vec<T, N> min(vec<T, N> a, vec<T, N> b) {
  for (int i = 0; i < N; i++) {
    a[i] = min(a[i], b[i]);
  }
  return a;
}
template <class T, int N>
vec<T, N> max(vec<T, N> a, vec<T, N> b) {
  for (int i = 0; i < N; i++) {
    a[i] = max(a[i], b[i]);
  }
  return a;
}

}  // namespace sycl

#endif
