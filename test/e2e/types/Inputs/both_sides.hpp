// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One list of checks, run by host code and by a kernel. CHECK notes lines that fail, and the type.
#pragma once
#include <sycl/sycl.hpp>

#include <cstdio>

struct checks {
  static constexpr int most = 16;
  const int *seed;  // values that compilers do not know
  int type;
  int width;
  int count;
  int failed;
  int lines[most];
  int types[most];
  int widths[most];

  [[gnu::noinline]] void check(bool holds, int line) {
    ++count;
    if (!holds) {
      if (failed < most) {
        lines[failed] = line;
        types[failed] = type;
        widths[failed] = width;
      }
      ++failed;
    }
  }
};

#define CHECK(condition) c.check(static_cast<bool>(condition), __LINE__)
// For i from 0 to N; a loop that stays one, so that many checks compile soon.
#define EACH(condition)                                                                           \
  {                                                                                               \
    bool all_hold = true;                                                                         \
    _Pragma("clang loop unroll(disable) vectorize(disable)") for (int i = 0;                      \
                                                                  i < static_cast<int>(N); ++i) { \
      all_hold = all_hold && (condition);                                                         \
    }                                                                                             \
    CHECK(all_hold);                                                                              \
  }

// Operators are called: inlined, so many of them would be compiled for long.
template <class F>
[[gnu::noinline]] auto call(const F &f) {
  return f();
}
#define CALL(expression) call([&] { return expression; })

inline constexpr const char *type_names[] = {
    "?",      "int8",  "uint8",  "int16", "uint16", "int32", "uint32",   "int64",
    "uint64", "float", "double", "half",  "bool",   "byte",  "bfloat16", "char"};

template <class T>
constexpr int type_number() {
  using namespace std;
  if constexpr (is_same_v<T, char>) {
    return 15;
  } else if constexpr (is_same_v<T, bool>) {
    return 12;
  } else if constexpr (is_same_v<T, byte>) {
    return 13;
  } else if constexpr (is_same_v<T, sycl::half>) {
    return 11;
  } else if constexpr (is_same_v<T, sycl::ext::oneapi::bfloat16>) {
    return 14;
  } else if constexpr (is_floating_point_v<T>) {
    return sizeof(T) == 4 ? 9 : 10;
  } else {
    return (sizeof(T) == 1 ? 1 : sizeof(T) == 2 ? 3 : sizeof(T) == 4 ? 5 : 7) + is_unsigned_v<T>;
  }
}

inline int report(const checks &c, const char *file, const char *side) {
  for (int i = 0; i < c.failed && i < checks::most; ++i) {
    std::printf("%s:%d: failed %s, for %s of width %d\n", file, c.lines[i], side,
                type_names[c.types[i]], c.widths[i]);
  }
  if (c.count == 0) {
    std::printf("%s: nothing was checked %s\n", file, side);
    return 1;
  }
  std::printf("%d checks %s, %d failed\n", c.count, side, c.failed);
  return c.failed != 0;
}

template <class F>
int on_both_sides(const char *file, F f) {
  sycl::queue q;
  int *seed = sycl::malloc_shared<int>(64, q);
  checks *c = sycl::malloc_shared<checks>(1, q);
  for (int i = 0; i < 64; ++i) {
    seed[i] = i;
  }
  *c = checks{};
  c->seed = seed;
  f(*c);
  int bad = report(*c, file, "on the host");
  *c = checks{};
  c->seed = seed;
  q.single_task([=] { f(*c); }).wait();
  bad += report(*c, file, "in a kernel");
  sycl::free(c, q);
  sycl::free(seed, q);
  return bad;
}
