// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in C, compiled and launched by a program in C++: arguments of all kinds, ids,
// atomics, mathematics; includes, options and errors; and no C++ in them.
// RUN: %tenonxx -fsycl -O1 -Wall -Wextra -Werror %s -o %t && %t
#include "Inputs/sources.hpp"

using syclexp::source_language;

static source_bundle in_c(const sycl::queue &q, const std::string &text,
                          const syclexp::include_files &files = {}) {
  return syclexp::create_kernel_bundle_from_source(
      q.get_context(), source_language::c, "#include <tenon/device_code.h>\n" + text, files);
}

static const char kernels[] = R"(
struct pair { int first; short second; };
static int twice(int x) { return 2 * x; }
TN_KERNEL void values(char a, struct pair p, double d, long *out) {
  *out = a + 10 * p.first + 100 * p.second + (long)(1000 * d);
}
TN_KERNEL void ids(int *out) {
  const size_t i = tn_global_id(0);
  out[i] = twice((int)i) + (int)(1000 * tn_group_id(0)) + (int)(10000 * (tn_local_id(0) == 0));
}
TN_KERNEL void count(int *out) { tn_atomic_add(out, 1); }
TN_KERNEL void roots(const float *in, float *out) {
  out[tn_global_id(0)] = sqrtf(in[tn_global_id(0)]);
}
TN_KERNEL void options(int *out) { *out = FACTOR; }
)";

struct pair {
  int first;
  short second;
};

template <class... Args>
static void run(sycl::queue q, const executable_bundle &bundle, const char *name, std::size_t count,
                std::size_t group, const Args &...args) {
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(args...);
     cgh.parallel_for(sycl::nd_range<1>(count, group), bundle.ext_oneapi_get_kernel(name));
   }).wait_and_throw();
}

static void check_kernels(const sycl::queue &q) {
  const executable_bundle bundle =
      syclexp::build(in_c(q, kernels), syclexp::build_options{"-O3", "-DFACTOR=12"});
  for (const char *name : {"values", "ids", "count", "roots", "options"}) {
    EXPECT(bundle.ext_oneapi_has_kernel(name));
  }
  EXPECT(!bundle.ext_oneapi_has_kernel("twice"));
  constexpr std::size_t count = 64;
  long *sum = sycl::malloc_shared<long>(1, q);
  int *numbers = sycl::malloc_shared<int>(count, q);
  float *in = sycl::malloc_shared<float>(count, q);
  float *out = sycl::malloc_shared<float>(count, q);

  run(q, bundle, "values", 1, 1, static_cast<char>(3), pair{4, 5}, 2.5, sum);
  EXPECT(*sum == 3 + 40 + 500 + 2500);
  run(q, bundle, "ids", count, 16, numbers);
  bool right = true;
  for (std::size_t i = 0; i < count; ++i) {
    right = right &&
            numbers[i] == static_cast<int>(2 * i + 1000 * (i / 16) + (i % 16 == 0 ? 10000 : 0));
  }
  EXPECT(right);
  *numbers = 0;
  run(q, bundle, "count", 1000, 10, numbers);
  EXPECT(*numbers == 1000);
  for (std::size_t i = 0; i < count; ++i) {
    in[i] = static_cast<float>(i * i);
  }
  run(q, bundle, "roots", count, 8, in, out);
  right = true;
  for (std::size_t i = 0; i < count; ++i) {
    right = right && out[i] == static_cast<float>(i);
  }
  EXPECT(right);
  run(q, bundle, "options", 1, 1, numbers);
  EXPECT(*numbers == 12);
  sycl::free(sum, q);
  sycl::free(numbers, q);
  sycl::free(in, q);
  sycl::free(out, q);
}

static void check_includes_and_errors(const sycl::queue &q) {
  EXPECT(q.get_device().ext_oneapi_can_build(source_language::c));
  const executable_bundle bundle = syclexp::build(
      in_c(q, "#include \"own/value.h\"\nTN_KERNEL void f(int *out) { *out = VALUE; }\n",
           {"own/value.h", "enum { VALUE = 19 };\n"}));
  int *out = sycl::malloc_shared<int>(1, q);
  run(q, bundle, "f", 1, 1, out);
  EXPECT(*out == 19);
  sycl::free(out, q);

  EXPECT_FAILURE(build, PARTS(".c:2:", "absent"),
                 syclexp::build(in_c(q, "TN_KERNEL void f(int *out) { *out = absent; }\n")));
  EXPECT_FAILURE(build, PARTS(".c:2:"), syclexp::build(in_c(q, "class not_c {};\n")));
  EXPECT_FAILURE(build, PARTS("sycl"), syclexp::build(in_c(q, "#include <sycl/sycl.hpp>\n")));
}

int main() {
  sycl::queue q;
  check_kernels(q);
  check_includes_and_errors(q);
  return failures != 0;
}
