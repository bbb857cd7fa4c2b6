// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose machine code is as large as is asked for: PARTS kernels, each of LENGTH blocks of
// 16 steps that differ, so that nothing is folded. Both are macros.
#ifndef BENCH_CACHE_KERNELS_HPP
#define BENCH_CACHE_KERNELS_HPP

#include <sycl/sycl.hpp>

#ifndef PARTS
#define PARTS 1
#endif
#ifndef LENGTH
#define LENGTH 8
#endif

template <int Part, int Step>
inline unsigned step(unsigned x) {
  constexpr unsigned a = (Part * 7919u + Step * 104729u) | 1u;
  x = x * a + Step;
  x ^= x >> (Step % 13 + 3);
  if (x % (Step + 3) == 1) {
    x += x << (Part % 5 + 1);
  } else {
    x -= a >> 3;
  }
  return x;
}

// A block of 16 steps after those before it.
template <int Part, int Block>
inline unsigned steps(unsigned x) {
  if constexpr (Block > 0) {
    x = steps<Part, Block - 1>(x);
    x = step<Part, Block * 16 + 0>(step<Part, Block * 16 + 1>(step<Part, Block * 16 + 2>(x)));
    x = step<Part, Block * 16 + 3>(step<Part, Block * 16 + 4>(step<Part, Block * 16 + 5>(x)));
    x = step<Part, Block * 16 + 6>(step<Part, Block * 16 + 7>(step<Part, Block * 16 + 8>(x)));
    x = step<Part, Block * 16 + 9>(step<Part, Block * 16 + 10>(step<Part, Block * 16 + 11>(x)));
    x = step<Part, Block * 16 + 12>(step<Part, Block * 16 + 13>(step<Part, Block * 16 + 14>(x)));
    x = step<Part, Block * 16 + 15>(x);
  }
  return x;
}

template <int Part>
struct part {
  unsigned *out;
  void operator()(sycl::id<1> i) const {
    out[i] = steps<Part, LENGTH>(static_cast<unsigned>(i[0]) + Part);
  }
};

// Launches one kernel after the other; how many results are not the host's.
template <int Part>
inline int run_parts(sycl::queue &q, unsigned *out) {
  if constexpr (Part == PARTS) {
    return 0;
  } else {
    constexpr unsigned count = 16;
    q.parallel_for(sycl::range<1>(count), part<Part>{out}).wait();
    int wrong = 0;
    for (unsigned i = 0; i < count; i++) {
      wrong += out[i] != steps<Part, LENGTH>(i + Part);
    }
    return wrong + run_parts<Part + 1>(q, out);
  }
}

#endif
