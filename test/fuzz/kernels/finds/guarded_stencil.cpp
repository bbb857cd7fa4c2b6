// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A guarded stencil: the index of a work-item that the guard leaves out became the base of a
// vector load. Segmentation fault at TENON_JIT_OPT=1.
#include <sycl/sycl.hpp>
#ifdef __TENON_RTC__
namespace sycl {
class handler {
 public:
  template <class Name, int D, class F> void parallel_for(range<D>, const F &) {
    detail::emit_kernel<Name, F, detail::range_shape<D>>();
  }
  template <class Name, int D, class F> void parallel_for(nd_range<D>, const F &) {
    detail::emit_kernel<Name, F, detail::nd_range_shape<D>>();
  }
};
class queue {
 public:
  template <class F> void submit(const F &f) { handler h; f(h); }
};
}
#endif

//@ kernel 0 nd 0 dims 1 global 2 1 1 local 1 1 1 sub 0
//@ buffer 5 0 count 256 low -2147483648 high 2147483647 seed 7 written 0
//@ buffer 9 0 count 64 low -10 high 10 seed 8 written 0
//@ buffer 7 0 count 24 low -9223372036854775808 high 9223372036854775807 seed 9 written 1
//@ scalar 5 value 24
namespace k0 {
class name;
struct args {
  const int *b0;
  const float *b1;
  long *b2;
  alignas(8) int s0;
};
inline double f0(const args &a, int p0, int p1) {
  return (double)0;
}
void launch(sycl::queue &q, const args &a) {
  q.submit([&](sycl::handler &h) {
    h.parallel_for<name>(sycl::range<1>(2), [a](sycl::item<1> it) {
      const unsigned long gid = it[0];
      const int x = (int)it.get_id(0);
      unsigned v5 = 16u;
      for (int i = -1; i <= 0; ++i) {
        const int j = (int)x + (int)(i * 1);
        if (j >= 0 && j < 256) {
          v5 += (unsigned)a.b0[j];
        }
      }
      a.b2[(unsigned)gid + (unsigned)0 * 6u] ^= (long)((unsigned long)0 * 31ul + (unsigned long)v5);
    });
  });
}
}
#ifdef FUZZ_REFERENCE
extern "C" void launch_0(const void *a) {
  sycl::reference::the_world()->sub_group_size = 8;
  sycl::queue q;
  k0::launch(q, *static_cast<const k0::args *>(a));
}
#endif

#if !defined(__TENON_RTC__) && !defined(FUZZ_REFERENCE)
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <sys/mman.h>
// A buffer between pages without access: behind one, or before one.
static char *guarded(size_t size, bool at_end) {
  const size_t pages = (size + 4095) / 4096 * 4096;
  char *map = (char *)mmap(nullptr, pages + 131072, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(map + 65536, pages, PROT_READ | PROT_WRITE);
  return map + 65536 + (at_end ? pages - size : 0);
}
static uint64_t random_u64(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}
template <class T> static void fill(char *to, size_t count, int64_t low, int64_t high,
                                    uint64_t seed) {
  const uint64_t span = (uint64_t)high - (uint64_t)low + 1;
  for (size_t i = 0; i < count; i++) {
    const uint64_t r = random_u64(&seed);
    const int64_t n = (int64_t)((uint64_t)low + (span == 0 ? r : r % span));
    const T v = std::is_floating_point<T>::value ? (T)n * (T)0.25 : (T)n;
    memcpy(to + i * sizeof(T), &v, sizeof(T));
  }
}
static uint64_t digest(const char *at, size_t size) {
  uint64_t d = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++) d = (d ^ (unsigned char)at[i]) * 0x100000001b3u;
  return d;
}
int main() {
  int wrong = 0;
  sycl::queue q;
#ifdef TN_TEST_FUZZ_KERNELS_REFERENCE_SYCL_HPP
  sycl::reference::the_world()->sub_group_size = 8;
#endif
  for (int at_end = 0; at_end < 2; at_end++) {
    k0::args a = {};
    char *b0 = guarded(1024, at_end);
    fill<int>(b0, 256, -2147483648l, 2147483647l, 7ul);
    a.b0 = (int *)b0;
    char *b1 = guarded(256, at_end);
    fill<float>(b1, 64, -10l, 10l, 8ul);
    a.b1 = (float *)b1;
    char *b2 = guarded(192, at_end);
    fill<long>(b2, 24, -9223372036854775807l, 9223372036854775807l, 9ul);
    a.b2 = (long *)b2;
    a.s0 = 24l;
    k0::launch(q, a);
    q.wait_and_throw();
    if (digest(b0, 1024) != 850924325271235552ul) {
      printf("buffer 0 is wrong\n");
      wrong = 1;
    }
    if (digest(b1, 256) != 1195400658247727074ul) {
      printf("buffer 1 is wrong\n");
      wrong = 1;
    }
    if (digest(b2, 192) != 15526959056675189557ul) {
      printf("buffer 2 is wrong\n");
      wrong = 1;
    }
  }
  puts(wrong ? "wrong" : "right");
  return wrong;
}
#endif
