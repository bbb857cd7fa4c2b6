// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_ext_oneapi_memcpy2d: copies and fills of rows, with the handler, the queue's shortcuts and
// in graphs; what is rejected.
// RUN: %tenonxx -fsycl -O0 -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"
#include <sycl/ext/oneapi/memcpy2d.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#ifndef SYCL_EXT_ONEAPI_MEMCPY2D
#error "SYCL_EXT_ONEAPI_MEMCPY2D is not defined"
#endif

namespace ex = sycl::ext::oneapi::experimental;

struct pixel {
  std::uint8_t r, g, b;
  bool operator==(const pixel &other) const { return r == other.r && g == other.g && b == other.b; }
};
using block = std::array<int, 40>;  // longer than the patterns of the runtime's fill

constexpr std::size_t pitch = 7, width = 3, height = 4, count = pitch * height;

// The first `width` elements of each row are `inside`, and the others `outside`.
template <class T>
static bool is_box(const T *p, const T &inside, const T &outside) {
  bool result = true;
  for (std::size_t i = 0; i < count; ++i) {
    result = result && p[i] == (i % pitch < width ? inside : outside);
  }
  return result;
}

template <class T>
static void fills(sycl::queue &q, const T &from, const T &to) {
  T *p = sycl::malloc_shared<T>(count, q);
  q.fill(p, from, count).wait();
  q.submit([&](sycl::handler &cgh) { cgh.ext_oneapi_fill2d(p, pitch, to, width, height); }).wait();
  EXPECT(is_box(p, to, from));
  sycl::event first = q.fill(p, from, count);
  sycl::event second = q.ext_oneapi_fill2d(p, pitch, from, width, height, first);
  q.ext_oneapi_fill2d(p, pitch, to, width, height, {first, second}).wait();
  EXPECT(is_box(p, to, from));
  q.ext_oneapi_fill2d(p, pitch, from, 0, height).wait();
  q.ext_oneapi_fill2d(p, pitch, from, width, 0).wait();
  EXPECT(is_box(p, to, from));
  EXPECT_ERRC(invalid, q.ext_oneapi_fill2d(p, width - 1, to, width, height));
  sycl::free(p, q);
}

static void bytes(sycl::queue &q) {
  unsigned char *p = sycl::malloc_device<unsigned char>(count, q);
  std::vector<unsigned char> host(count, 9), back(width * height, 0);
  sycl::event first = q.memset(p, 1, count);
  sycl::event second = q.ext_oneapi_memset2d(p, pitch, 0x102, width, height, first);
  q.memcpy(host.data(), p, count, second).wait();
  EXPECT(is_box<unsigned char>(host.data(), 2, 1));
  // Out of the box, and from other rows into it.
  q.ext_oneapi_memcpy2d(back.data(), width, p, pitch, width, height).wait();
  EXPECT(back == std::vector<unsigned char>(width * height, 2));
  back.assign(width * height, 3);
  first = q.ext_oneapi_memcpy2d(p, pitch, back.data(), width, width, height, {first, second});
  q.submit([&](sycl::handler &cgh) {
     cgh.depends_on(first);
     cgh.ext_oneapi_memcpy2d(host.data(), pitch, p, pitch, width, height);
   }).wait();
  EXPECT(is_box<unsigned char>(host.data(), 3, 1));
  q.submit([&](sycl::handler &cgh) { cgh.ext_oneapi_memset2d(p, pitch, 4, pitch, height); }).wait();
  q.memcpy(host.data(), p, count).wait();
  EXPECT(host == std::vector<unsigned char>(count, 4));
  EXPECT_ERRC(invalid, q.ext_oneapi_memset2d(p, 2, 0, 3, 1));
  EXPECT_ERRC(invalid, q.ext_oneapi_memcpy2d(p, 2, host.data(), 3, 3, 1));
  EXPECT_ERRC(invalid, q.ext_oneapi_memcpy2d(p, 3, host.data(), 2, 3, 1));
  EXPECT_ERRC(invalid, q.ext_oneapi_memcpy2d(nullptr, 3, host.data(), 3, 3, 1));
  EXPECT_ERRC(invalid, q.submit([&](sycl::handler &cgh) {
    cgh.ext_oneapi_memcpy2d(p, 2, host.data(), 3, 3, 1);
  }));
  // The last row ends outside the allocation.
  EXPECT_ERRC(invalid, q.ext_oneapi_memset2d(p + pitch, pitch, 0, pitch, height));
  sycl::free(p, q);
}

static void elements(sycl::queue &q) {
  int *p = sycl::malloc_shared<int>(count, q);
  const std::vector<int> rows(width * height, 5);
  for (int way = 0; way < 4; ++way) {
    sycl::event before = q.fill(p, way, count);
    switch (way) {
      case 0:
        before.wait();
        q.ext_oneapi_copy2d(rows.data(), width, p, pitch, width, height).wait();
        break;
      case 1:
        q.ext_oneapi_copy2d(rows.data(), width, p, pitch, width, height, before).wait();
        break;
      case 2:
        q.ext_oneapi_copy2d(rows.data(), width, p, pitch, width, height, {before, before}).wait();
        break;
      default:
        q.submit([&](sycl::handler &cgh) {
           cgh.depends_on(before);
           cgh.ext_oneapi_copy2d(rows.data(), width, p, pitch, width, height);
         }).wait();
    }
    EXPECT(is_box(p, 5, way));
  }
  EXPECT_ERRC(invalid, q.ext_oneapi_copy2d(rows.data(), SIZE_MAX / 2, p, pitch, width, height));
  sycl::free(p, q);
}

static void graphs(sycl::queue &q) {
  ex::command_graph graph(q);
  int *p = sycl::malloc_device<int>(count, q);
  int *out = sycl::malloc_shared<int>(count, q);
  graph.begin_recording(q);
  sycl::event first = q.fill(p, 1, count);
  sycl::event second = q.ext_oneapi_fill2d(p, pitch, 2, width, height, first);
  sycl::event third = q.ext_oneapi_memset2d(out, pitch * 4, 0, pitch * 4, height, second);
  q.ext_oneapi_copy2d(p, pitch, out, pitch, pitch, height, third);
  graph.end_recording(q);
  auto executable = graph.finalize();
  for (int turn = 0; turn < 2; ++turn) {
    q.fill(out, 7, count).wait();
    q.ext_oneapi_graph(executable).wait();
    EXPECT(is_box(out, 2, 1));
  }
  sycl::free(p, q);
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  fills<char>(q, 1, 2);
  fills<pixel>(q, {1, 2, 3}, {4, 5, 6});
  fills<double>(q, 0.5, -3.0);
  block from = {}, to = {};
  to.fill(3);
  fills<block>(q, from, to);
  bytes(q);
  elements(q);
  graphs(q);
  return failures;
}
