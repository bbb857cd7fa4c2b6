// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-items that do not take a branch touch no memory, do not trap, and decide nothing for the
// others: arrays lie between pages that nobody may touch, at either end of their own pages. Each
// kernel is also a plain loop, which says what is right.
// GPU-SUITE: skip it reads the host's pages, beside pages that nobody may touch
// RUN: %tenonxx -fsycl %s -o %t
// RUN: env TENON_JIT_OPT=0 %t | %FileCheck %s
// RUN: env TENON_JIT_OPT=1 %t | %FileCheck %s
// RUN: env TENON_JIT_OPT=2 %t | %FileCheck %s
// RUN: env TENON_JIT_OPT=3 %t | %FileCheck %s
// CHECK: 0 wrong
#include <sycl/sycl.hpp>

#include <climits>
#include <cstdint>
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>

constexpr int items = 201;
constexpr int length = 173;  // of the arrays that are read

// `count` elements at the very beginning or the very end of pages of their own.
template <class T> T *guarded(size_t count, bool at_end) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t bytes = count * sizeof(T);
  const size_t body = (bytes + page - 1) / page * page;
  char *all = static_cast<char *>(mmap(nullptr, body + 2 * page, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(all, page, PROT_NONE);
  mprotect(all + page + body, page, PROT_NONE);
  return reinterpret_cast<T *>(all + page + (at_end ? body - bytes : 0));
}

struct arrays {
  const int *in;
  const signed char *bytes;
  const short *shorts;
  const double *doubles;
  const long *zeros;
  const int *ring;  // of 65536
  int w;         // the length
  size_t size;   // the length
  int huge;      // an index that is nowhere
  int minus_one;
};

constexpr int table[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};

[[gnu::noinline]] SYCL_EXTERNAL int divide(int a, int b) { return a / b; }
[[gnu::noinline]] SYCL_EXTERNAL int mix(int a) { return a * 31 + (a >> 3); }

struct below_zero {  // of the issue: the first lanes' index is negative
  static int at(size_t i, const arrays &a) {
    int x = static_cast<int>(i), xx = x - 2, s = 0;
    if (xx >= 0 && xx < a.w) {
      s = a.in[xx];
    }
    return s;
  }
};
struct chosen {
  static int at(size_t i, const arrays &a) {
    int xx = static_cast<int>(i) - 5;
    return xx >= 0 && xx < a.w ? a.in[xx] : -7;
  }
};
struct both_sides_read {
  static int at(size_t i, const arrays &a) {
    int xx = static_cast<int>(i) - 3;
    int s = 1;
    if (xx >= 0 && xx < a.w) {
      s += a.in[xx];
    } else if (i < a.size) {
      s -= a.in[i];
    }
    return s;
  }
};
struct one_compare {
  static int at(size_t i, const arrays &a) {
    int xx = static_cast<int>(i) - 3;
    return static_cast<unsigned>(xx) < static_cast<unsigned>(a.w) ? a.in[xx] : 5;
  }
};
struct size_below_zero {
  static int at(size_t i, const arrays &a) {
    size_t j = i - 2;
    int s = 3;
    if (j < a.size) {
      for (int k = 0; k < 4; k++) {
        s = mix(s + a.in[j]);
      }
    }
    return s;
  }
};
struct unsigned_of_size {
  static int at(size_t i, const arrays &a) {
    unsigned u = static_cast<unsigned>(i - 9);
    int s = 3;
    if (u < static_cast<unsigned>(a.w)) {
      s = mix(a.in[u]) + a.bytes[u];
    }
    return s;
  }
};
struct unsigned_wraps {
  static int at(size_t i, const arrays &a) {
    unsigned u = static_cast<unsigned>(i) + 0xFFFFFFF8u;
    return u < static_cast<unsigned>(a.w) ? a.in[u] : 1;
  }
};
struct least_number {  // the first lanes' index would be below INT_MIN
  static int at(size_t i, const arrays &a) {
    int v = static_cast<int>(i) + INT_MIN, s = 2;
    if (v >= INT_MIN + 4 && v < INT_MIN + a.w) {
      int u = v - 4;
      s = (a.in - static_cast<long>(INT_MIN))[u];
    }
    return s;
  }
};
struct greatest_number {  // and above INT_MAX
  static int at(size_t i, const arrays &a) {
    int v = INT_MAX - items + static_cast<int>(i), s = 2;
    if (i < 40) {
      int u = v + (items - 40);
      s = (a.in - (static_cast<long>(INT_MAX) - 40))[u];
    }
    return s;
  }
};
struct backwards {
  static int at(size_t i, const arrays &a) {
    int xx = a.w + 1 - static_cast<int>(i);
    return xx >= 0 && xx < a.w ? a.in[xx] + a.shorts[xx] : 4;
  }
};
struct stencil {
  static int at(size_t i, const arrays &a) {
    int x = static_cast<int>(i), s = 0;
    for (int k = -3; k <= 3; k++) {
      int xx = x + k;
      if (xx >= 0 && xx < a.w) {
        s += a.in[xx] * (k + 5);
      }
    }
    return s;
  }
};
struct moving_index {
  static int at(size_t i, const arrays &a) {
    int s = 0;
    int xx = static_cast<int>(i) - 6;
    for (int k = 0; k < a.w / 20; k++) {
      if (xx >= 0 && xx < a.w) {
        s += a.in[xx];
      }
      xx += 3;
    }
    return s;
  }
};
struct narrow {
  static int at(size_t i, const arrays &a) {
    short xx = static_cast<short>(static_cast<short>(i) - 2);
    int s = 0;
    if (xx >= 0 && xx < a.w) {
      s = a.shorts[xx] + a.bytes[xx] + static_cast<int>(a.doubles[xx]);
    }
    return s;
  }
};
struct uniform_index {  // of a place that no work-item reads
  static int at(size_t i, const arrays &a) {
    int s = 0;
    if (i < a.size && a.in[i] == 12345) {
      s = table[a.huge] + a.in[a.huge];
    }
    return s;
  }
};
struct by_zero {
  static int at(size_t i, const arrays &a) {
    int s = 8;
    long by = i < a.size ? a.zeros[i] : 0;
    if (by != 0) {
      s = static_cast<int>(1000 / by) + divide(77, static_cast<int>(by));
    }
    return s;
  }
};
struct by_uniform_zero {
  static int at(size_t i, const arrays &a) {
    int s = 8;
    if (i < a.size && a.in[i] == 12345) {
      s = divide(77, a.minus_one + 1) + 5 % (a.minus_one + 1);
    }
    return s;
  }
};
struct least_by_minus_one {
  static int at(size_t i, const arrays &a) {
    int v = i % 3 == 0 ? INT_MIN : static_cast<int>(i), s = 6;
    if (i % 3 != 0) {
      s = v / a.minus_one + v % a.minus_one;
    }
    return s;
  }
};
struct read_for_a_call {
  static int at(size_t i, const arrays &a) {
    int xx = static_cast<int>(i) - 2, s = 0;
    if (xx >= 0 && xx < a.w) {
      s = mix(a.in[xx]);
    }
    return s;
  }
};
struct aligned {
  static int at(size_t i, const arrays &a) {
    int s = 0;
    if (i % 4 == 1 && i < a.size) {
      s = *static_cast<const int *>(__builtin_assume_aligned(a.in + i - 1, 16));
    }
    return s;
  }
};
struct disjoint_bits {
  static int at(size_t i, const arrays &a) {
    int x = static_cast<int>(i) - 2, s = 0;
    if (x >= 0 && x < 8) {
      s = a.in[x | 64];
    }
    return s;
  }
};
struct around_a_ring {  // lanes on both sides of its end
  static int at(size_t i, const arrays &a) {
    return a.ring[static_cast<unsigned short>(i + 65507)] +
           a.ring[static_cast<unsigned short>(6 - i)];
  }
};
struct kept_pointer {
  static int at(size_t i, const arrays &a) {
    const int *at = a.in + static_cast<int>(i) - 2, *end = a.in + a.size;
    return at >= a.in && at < end ? *at : 11;
  }
};

static int wrong;

template <class Kernel, int Width> void run(sycl::queue &q, const arrays &a, bool at_end) {
  int *out = guarded<int>(items, at_end);
  int *scattered = guarded<int>(items, at_end);
  q.parallel_for(sycl::range<1>(items), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(Width)]] {
     out[i] = Kernel::at(i[0], a);
     int to = static_cast<int>(i[0]) - 2;
     if (to >= 0) {
       scattered[to] = out[i];
     }
   }).wait();
  for (int i = 0; i < items; i++) {
    const int right = Kernel::at(static_cast<size_t>(i), a);
    if (out[i] != right || (i >= 2 && scattered[i - 2] != right)) {
      printf("%s, %d: %d is %d, not %d\n", __PRETTY_FUNCTION__, Width, i, out[i], right);
      wrong++;
      break;
    }
  }
}

template <class Kernel> void run_groups(sycl::queue &q, const arrays &a, bool at_end) {
  int *out = guarded<int>(items, at_end);
  q.parallel_for(sycl::nd_range<1>(items, items / 3),
                 [=](sycl::nd_item<1> it) {
                   const size_t i =
                       it.get_group(0) * it.get_local_range(0) + it.get_local_id(0);
                   out[i] = Kernel::at(i, a);
                 })
      .wait();
  for (int i = 0; i < items; i++) {
    wrong += out[i] != Kernel::at(static_cast<size_t>(i), a);
  }
}

template <class Kernel> void all_widths(sycl::queue &q, const arrays &a, bool at_end) {
  run<Kernel, 4>(q, a, at_end);
  run<Kernel, 8>(q, a, at_end);
  run<Kernel, 32>(q, a, at_end);
  run_groups<Kernel>(q, a, at_end);
}

template <class... Kernels> void all(sycl::queue &q, const arrays &a, bool at_end) {
  (all_widths<Kernels>(q, a, at_end), ...);
}

int main() {
  sycl::queue q{sycl::cpu_selector_v};
  for (int at_end = 0; at_end < 2; at_end++) {
    int *in = guarded<int>(length, at_end);
    auto *bytes = guarded<signed char>(length, at_end);
    auto *shorts = guarded<short>(length, at_end);
    auto *doubles = guarded<double>(length, at_end);
    auto *zeros = guarded<long>(length, at_end);
    int *ring = guarded<int>(65536, at_end);
    for (int i = 0; i < 65536; i++) {
      ring[i] = i * 3;
    }
    for (int i = 0; i < length; i++) {
      in[i] = i * 7 + 1;
      bytes[i] = static_cast<signed char>(i * 5);
      shorts[i] = static_cast<short>(i * 11);
      doubles[i] = i * 2.0;
      zeros[i] = i % 3;
    }
    const arrays a = {in, bytes, shorts, doubles, zeros, ring, length, length, 1 << 29, -1};
    all<below_zero, chosen, both_sides_read, one_compare, size_below_zero, unsigned_of_size,
        unsigned_wraps, least_number, greatest_number, backwards, stencil, moving_index, narrow,
        uniform_index, by_zero, by_uniform_zero, least_by_minus_one, read_for_a_call,
        disjoint_bits, around_a_ring, kept_pointer>(q, a, at_end != 0);
    if (at_end == 0) {
      all<aligned>(q, a, false);
    }
  }
  printf("%d wrong\n", wrong);
}
