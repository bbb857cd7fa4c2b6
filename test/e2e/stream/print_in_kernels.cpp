// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf in kernels, C's and the extension's: formats, promotions, many work-items, and that the
// text is there when the program has waited.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "Inputs/captured.hpp"
#include <sycl/ext/oneapi/experimental/builtins.hpp>

#include <algorithm>
#include <cstdio>

namespace syclexp = sycl::ext::oneapi::experimental;

#ifdef __SYCL_DEVICE_ONLY__
#define CONSTANT __attribute__((opencl_constant))
#else
#define CONSTANT
#endif

static const CONSTANT char constant_format[] = "[%d] %s|%5.2f|%g|%g|%g\n";
enum color : short { red = 7 };

static void test_formats(sycl::queue &q) {
  EXPECT_TEXT(
      captured([&] {
        q.single_task([=] {
           syclexp::printf(constant_format, 1, "text", 1.0f / 3, sycl::half(0.5f), 1e100,
                           sycl::ext::oneapi::bfloat16(2.0f));
           syclexp::printf("%d %u %ld %lld %x %c %% %hd|%4d|%-4d|%04d|%+d\n", -1, 7u, 5000000000l,
                           -5000000000ll, 255, 'c', red, 42, 42, 42, 42);
           syclexp::printf("nothing else\n");
           syclexp::printf("x");
           std::printf("%s\n", "y");
         }).wait();
      }),
      "[1] text| 0.33|0.5|1e+100|2\n-1 7 5000000000 -5000000000 ff c % 7|  42|42  |0042|+42\n"
      "nothing else\nxy\n");
  const auto address = reinterpret_cast<void *>(std::uintptr_t{0xabc0});
  EXPECT_TEXT(captured([&] {
                q.single_task([=] {
                   const std::size_t size = 12;
                   const std::ptrdiff_t distance = -3;
                   std::printf("%zu %5zd %td %jd %hhd %p %.3f\n", size, sizeof(int), distance,
                               std::intmax_t{-5}, static_cast<signed char>(-7), address, 2.5f);
                 }).wait();
              }),
              "12     4 -3 -5 -7 0xabc0 2.500\n");
  EXPECT_TEXT(captured([] { syclexp::printf("on the host %d %g\n", 3, sycl::half(1.5f)); }),
              "on the host 3 1.5\n");
}

static void print_twice(int value) {
  if (value % 2 == 0) {
    printf("even %d\n", value);
  } else {
    printf("odd %d, %f\n", value, static_cast<float>(value) / 2);
  }
}

// One line a work-item, whole; waiting by the queue and by the event.
static void test_many(sycl::queue &q) {
  constexpr int count = 500;
  const std::string text = captured([&] {
    q.parallel_for(sycl::nd_range<1>(count, 50), [=](sycl::nd_item<1> it) {
      print_twice(static_cast<int>(it.get_global_id(0)));
    });
    q.wait();
    std::printf("waited\n");
    std::fflush(stdout);
    q.parallel_for(sycl::range<1>(2), [=](sycl::id<1>) { printf("last\n"); }).wait();
  });
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; (end = text.find('\n', at)) != std::string::npos; at = end + 1) {
    lines.push_back(text.substr(at, end - at));
  }
  EXPECT(lines.size() == count + 3);
  if (lines.size() == count + 3) {
    EXPECT(lines[count] == "waited" && lines[count + 1] == "last" && lines[count + 2] == "last");
    std::sort(lines.begin(), lines.end());
    EXPECT(std::unique(lines.begin(), lines.end()) == lines.end() - 1);
    EXPECT(std::binary_search(lines.begin(), lines.end(), "even 498"));
    EXPECT(std::binary_search(lines.begin(), lines.end(), "odd 499, 249.500000"));
  }
}

int main() {
  sycl::queue in_order{sycl::property::queue::in_order()};
  sycl::queue q;
  test_formats(in_order);
  test_formats(q);
  test_many(in_order);
  test_many(q);
  return failures != 0;
}
