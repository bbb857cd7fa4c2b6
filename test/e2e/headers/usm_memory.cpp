// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// USM: every allocation form, queries, memcpy, copy, memset, fill, hints, the allocator.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "Inputs/expect.hpp"

#include <cstdint>
#include <vector>

using sycl::usm::alloc;

struct big {
  int values[100];
};

static bool aligned(const void *p, std::size_t a) {
  return p && reinterpret_cast<std::uintptr_t>(p) % a == 0;
}

static void check_kind(sycl::queue &q, void *p, alloc kind, std::size_t alignment = 16) {
  EXPECT(aligned(p, alignment));
  EXPECT(sycl::get_pointer_type(p, q.get_context()) == kind);
  EXPECT(sycl::get_pointer_device(p, q.get_context()) == q.get_device());
  sycl::free(p, q);
}

static void check_allocation(sycl::queue &q) {
  const sycl::device d = q.get_device();
  const sycl::context c = q.get_context();
  check_kind(q, sycl::malloc_device(100, d, c), alloc::device);
  check_kind(q, sycl::malloc_device<int>(100, d, c), alloc::device);
  check_kind(q, sycl::malloc_device(100, q), alloc::device);
  check_kind(q, sycl::malloc_device<int>(100, q), alloc::device);
  check_kind(q, sycl::aligned_alloc_device(512, 100, d, c), alloc::device, 512);
  check_kind(q, sycl::aligned_alloc_device<int>(512, 100, d, c), alloc::device, 512);
  check_kind(q, sycl::aligned_alloc_device(512, 100, q), alloc::device, 512);
  check_kind(q, sycl::aligned_alloc_device<int>(512, 100, q), alloc::device, 512);
  check_kind(q, sycl::malloc_shared(100, d, c), alloc::shared);
  check_kind(q, sycl::malloc_shared<big>(3, d, c), alloc::shared);
  check_kind(q, sycl::malloc_shared(100, q), alloc::shared);
  check_kind(q, sycl::malloc_shared<big>(3, q, sycl::property_list{}), alloc::shared);
  check_kind(q, sycl::aligned_alloc_shared(4096, 10, d, c), alloc::shared, 4096);
  check_kind(q, sycl::aligned_alloc_shared<big>(4096, 10, d, c), alloc::shared, 4096);
  check_kind(q, sycl::aligned_alloc_shared(4096, 10, q), alloc::shared, 4096);
  check_kind(q, sycl::aligned_alloc_shared<big>(4096, 10, q), alloc::shared, 4096);
  check_kind(q, sycl::malloc_host(100, c), alloc::host);
  check_kind(q, sycl::malloc_host<char>(1, c), alloc::host);
  check_kind(q, sycl::malloc_host(100, q), alloc::host);
  check_kind(q, sycl::malloc_host<double>(7, q), alloc::host);
  check_kind(q, sycl::aligned_alloc_host(128, 10, c), alloc::host, 128);
  check_kind(q, sycl::aligned_alloc_host<int>(128, 10, c), alloc::host, 128);
  check_kind(q, sycl::aligned_alloc_host(128, 10, q), alloc::host, 128);
  check_kind(q, sycl::aligned_alloc_host<int>(128, 10, q), alloc::host, 128);
  check_kind(q, sycl::malloc(10, d, c, alloc::device), alloc::device);
  check_kind(q, sycl::malloc<int>(10, d, c, alloc::host), alloc::host);
  check_kind(q, sycl::malloc(10, q, alloc::shared), alloc::shared);
  check_kind(q, sycl::malloc<int>(10, q, alloc::device), alloc::device);
  check_kind(q, sycl::aligned_alloc(256, 10, d, c, alloc::device), alloc::device, 256);
  check_kind(q, sycl::aligned_alloc<int>(256, 10, d, c, alloc::shared), alloc::shared, 256);
  check_kind(q, sycl::aligned_alloc(256, 10, q, alloc::host), alloc::host, 256);
  check_kind(q, sycl::aligned_alloc<int>(256, 10, q, alloc::shared), alloc::shared, 256);
  int local = 0;
  EXPECT(sycl::get_pointer_type(&local, c) == alloc::unknown);
  EXPECT_ERRC(invalid, (void)sycl::get_pointer_device(&local, c));
  EXPECT(sycl::aligned_alloc_device(3, 100, q) == nullptr);
  EXPECT(sycl::malloc_device<big>(~std::size_t(0) / 16, q) == nullptr);
  sycl::free(nullptr, q);
  EXPECT_ERRC(invalid, sycl::free(&local, c));
}

static void check_operations(sycl::queue &q) {
  int *d = sycl::malloc_device<int>(64, q);
  int *s = sycl::malloc_shared<int>(64, q);
  std::vector<int> host(64);
  for (int i = 0; i < 64; ++i) {
    host[static_cast<std::size_t>(i)] = i;
  }
  sycl::event e = q.memcpy(d, host.data(), 64 * sizeof(int));
  e = q.copy(d, s, 64, e);
  e = q.memcpy(s, d, 32 * sizeof(int), {e, e});
  q.copy(d, s, 64, {e}).wait();
  EXPECT(s[0] == 0 && s[31] == 31 && s[63] == 63);
  e = q.memset(s, 0xff, 4);
  e = q.memset(s + 1, 1, 4, e);
  q.memset(s + 2, 2, 4, {e, e}).wait();
  EXPECT(s[0] == -1 && s[1] == 0x01010101 && s[2] == 0x02020202 && s[3] == 3);
  e = q.fill(s, 7, 64);
  e = q.fill(s, 8, 32, e);
  q.fill(s, 9, 16, {e, e}).wait();
  EXPECT(s[0] == 9 && s[15] == 9 && s[16] == 8 && s[31] == 8 && s[32] == 7 && s[63] == 7);
  auto *b = sycl::malloc_shared<big>(5, q);
  big pattern{};
  pattern.values[99] = 42;
  q.fill(b, pattern, 5).wait();
  EXPECT(b[0].values[99] == 42 && b[4].values[99] == 42 && b[4].values[0] == 0);
  q.submit([&](sycl::handler &h) { h.memcpy(s, host.data(), 8); }).wait();
  q.submit([&](sycl::handler &h) { h.copy(host.data() + 5, s + 2, 1); }).wait();
  q.submit([&](sycl::handler &h) { h.memset(s + 3, 3, 4); }).wait();
  q.submit([&](sycl::handler &h) { h.fill(s + 4, 4.5f, 2); }).wait();
  EXPECT(s[0] == 0 && s[1] == 1 && s[2] == 5 && s[3] == 0x03030303 &&
         reinterpret_cast<float *>(s)[5] == 4.5f);
  e = q.prefetch(s, 64);
  e = q.prefetch(s, 64, e);
  e = q.prefetch(s, 64, {e, e});
  e = q.mem_advise(s, 64, 0);
  e = q.mem_advise(s, 64, 0, e);
  q.mem_advise(s, 64, 0, {e, e}).wait();
  q.submit([&](sycl::handler &h) { h.prefetch(s, 64); }).wait();
  q.submit([&](sycl::handler &h) { h.mem_advise(s, 64, 0); }).wait();
  q.memcpy(s, d, 0).wait();
  q.ext_oneapi_submit_barrier().wait();
  q.ext_oneapi_submit_barrier({e}).wait();
  sycl::free(b, q);
  sycl::free(d, q);
  sycl::free(s, q.get_context());
}

int main() {
  for (bool in_order : {true, false}) {
    sycl::queue q = in_order ? sycl::queue{sycl::property::queue::in_order()} : sycl::queue{};
    check_allocation(q);
    check_operations(q);
    using allocator = sycl::usm_allocator<int, alloc::shared>;
    std::vector<int, allocator> v(100, 1, allocator(q));
    int *data = v.data();
    q.parallel_for(100, [=](int i) { data[i] += i; }).wait();
    EXPECT(v[0] == 1 && v[99] == 100);
    sycl::usm_allocator<int, alloc::host, 128> a(q), same = a;
    EXPECT(a == same && !(a != same));
    int *p = a.allocate(3);
    EXPECT(aligned(p, 128));
    a.deallocate(p, 3);
    sycl::usm_allocator<char, alloc::host, 128> rebound(a);
    EXPECT(rebound == a);
  }
  return failures;
}
