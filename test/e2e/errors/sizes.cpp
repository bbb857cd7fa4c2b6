// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that do not fit 64 bits, or the address space, are errors and never wrap around.
// RUN: %tenonxx -fsycl -w %s -o %t && %t | FileCheck-22 %s
#include <cstdint>
#include <cstdio>
#include <sycl/sycl.hpp>
#include <vector>
using sycl::errc;
struct large {
  char bytes[300];
};
static int failures;
template <class F>
static void throws(const char *name, errc expected, const F &f) {
  try {
    f();
    std::printf("%s: no exception\n", name);
    ++failures;
  } catch (const sycl::exception &e) {
    if (e.code() != expected) {
      std::printf("%s: %d: %s\n", name, e.code().value(), e.what());
      ++failures;
    }
  }
}
static void null(const char *name, void *memory) {
  if (memory) {
    std::printf("%s: %p\n", name, memory);
    ++failures;
  }
}
int main() {
  const std::size_t huge = std::size_t{1} << 62, most = ~std::size_t{0};
  const std::size_t half = std::size_t{1} << 32;
  sycl::queue q;
  int *p = sycl::malloc_shared<int>(64, q);
  const std::vector<sycl::event> none;
  throws("fill", errc::invalid, [&] { q.fill(p, 7, huge); });
  throws("fill, one more", errc::invalid, [&] { q.fill(p, 7, huge + 1); });
  throws("fill, a long pattern", errc::invalid, [&] { q.fill(p, large{}, most / 4); });
  throws("copy", errc::invalid, [&] { q.copy(p, p + 32, huge); });
  throws("copy, event", errc::invalid, [&] { q.copy(p, p + 32, huge, sycl::event()); });
  throws("copy, events", errc::invalid, [&] { q.copy(p, p + 32, huge, none); });
  throws("handler::copy", errc::invalid,
         [&] { q.submit([&](sycl::handler &h) { h.copy(p, p + 32, huge); }); });
  throws("memcpy", errc::invalid, [&] { q.memcpy(p, p + 32, most - 16); });
  throws("memset", errc::invalid, [&] { q.memset(p, 1, most - 16); });
  throws("prefetch", errc::invalid, [&] { q.prefetch(p, most - 16); });
  throws("mem_advise", errc::invalid, [&] { q.mem_advise(p, most - 16, 0); });
  null("malloc", sycl::malloc_device(most, q));
  null("malloc, elements", sycl::malloc_device<int>(huge + 1, q));
  null("malloc, aligned", sycl::aligned_alloc_shared<int>(4096, huge - 1, q));
  null("malloc, unknown", sycl::malloc(8, q, sycl::usm::alloc::unknown));
  throws("range", errc::nd_range,
         [&] { q.parallel_for(sycl::range<2>(half, half), [=](sycl::id<2>) { *p = 1; }); });
  throws("nd_range", errc::nd_range, [&] {
    q.parallel_for(sycl::nd_range<2>({half, half}, {1, 1}), [=](sycl::nd_item<2>) { *p = 1; });
  });
  throws("reduction", errc::nd_range, [&] {
    q.parallel_for(sycl::range<2>(half, half), sycl::reduction(p, sycl::plus<int>()),
                   [=](sycl::id<2>, auto &sum) { sum += 1; });
  });
  throws("local_accessor", errc::memory_allocation, [&] {
    q.submit([&](sycl::handler &h) {
      sycl::local_accessor<int, 2> local(sycl::range<2>(half, half), h);
      h.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1>) { local[0][0] = 1; });
    });
  });
  throws("buffer", errc::memory_allocation,
         [&] { sycl::buffer<int, 2> b(sycl::range<2>(half, half)); });
  sycl::buffer<int, 2> b(sycl::range<2>(8, 8));
  throws("reinterpret", errc::invalid, [&] {
    b.reinterpret<char, 2>(sycl::range<2>((std::size_t{1} << 63) + 128, 2));
  });
  throws("sub-buffer", errc::invalid,
         [&] { sycl::buffer<int, 2> s(b, sycl::id<2>(2, 0), sycl::range<2>(most, 8)); });
  throws("host_accessor", errc::invalid, [&] {
    sycl::host_accessor<int, 2> a(b, sycl::range<2>(2, 8), sycl::id<2>(most, 0));
  });
  q.wait();
  sycl::free(p, q);
  std::printf("%d failures\n", failures);
  // CHECK: {{^}}0 failures
}
