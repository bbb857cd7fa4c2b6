// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources in OpenCL C and SPIR-V, for devices that take these: arguments of all kinds, OpenCL's own
// functions, options, messages. Other devices refuse them with a sentence.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;
using language = syclexp::source_language;

struct parts {
  int a;
  float b;
  double c;
};

static const char source[] = R"(
#include "offset.h"
typedef struct { int a; float b; double c; } parts;
constant float table[2] = {1.0f, 2.0f};
float helper(float x) { return sqrt(x) + table[1]; }
kernel void all_kinds(global float *p, float f, parts s, short h, local float *l, float4 v,
                      constant int *c) {
  size_t i = get_global_id(0), j = get_local_id(0);
  local int count;
  if (j == 0) count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&count, 1);
  l[j] = p[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[i] = l[get_local_size(0) - 1 - j] + f * 100 + s.a + (float)s.c + h + v.w + c[1];
  if (i == get_global_size(0) - 1) p[i] = count + helper(16.0f) + clamp(7.5f, 0.0f, 1.0f);
}
kernel void add(global int *out, int by) { out[get_global_id(0)] = by + OFFSET + NUMBER; }
kernel void two_locals(local int *a, local long *b, global long *out) {
  a[get_local_id(0)] = 3;
  b[get_local_id(0)] = 4;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = a[get_local_size(0) - 1] * 10 + b[0];
}
)";

static syclexp::build_options options() { return {std::vector<std::string>{"-DNUMBER=2", "-w"}}; }

static auto build(const sycl::queue &q, std::string *log) {
  const syclexp::include_files files{"offset.h", "#define OFFSET 30\n"};
  auto given = syclexp::create_kernel_bundle_from_source(q.get_context(), language::opencl,
                                                         std::string(source),
                                                         syclexp::properties{files});
  return syclexp::build(given, syclexp::properties{options(), syclexp::save_log{log}});
}

static void opencl_c(sycl::queue q) {
  std::string log;
  auto bundle = build(q, &log);
  EXPECT(log.empty());
  EXPECT(bundle.ext_oneapi_has_kernel("add") && !bundle.ext_oneapi_has_kernel("helper"));
  float *p = sycl::malloc_shared<float>(64, q);
  int *c = sycl::malloc_shared<int>(2, q);
  for (int i = 0; i < 64; ++i) {
    p[i] = static_cast<float>(i);
  }
  c[1] = 5;
  q.submit([&](sycl::handler &cgh) {
     sycl::local_accessor<float> l(16, cgh);
     cgh.set_args(p, 10.0f, parts{1, 2, 3}, static_cast<short>(7), l, sycl::float4(1, 2, 3, 4), c);
     cgh.parallel_for(sycl::nd_range<1>(64, 16), bundle.ext_oneapi_get_kernel("all_kinds"));
   }).wait();
  EXPECT(p[0] == 1000 + 20 + 15 && p[15] == 1000 + 20 && p[20] == 1000 + 20 + 27);
  EXPECT(p[63] == 16 + 4 + 2 + 1);

  sycl::buffer<int> out{sycl::range<1>(8)};
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor to(out, cgh, sycl::write_only, sycl::no_init);
    cgh.set_arg(0, to);
    cgh.set_arg(1, 10);
    cgh.parallel_for(sycl::range<1>(8), bundle.ext_oneapi_get_kernel("add"));
  });
  {
    sycl::host_accessor found(out);
    EXPECT(found[0] == 42 && found[7] == 42);
  }

  std::int64_t *wide = sycl::malloc_shared<std::int64_t>(32, q);
  q.submit([&](sycl::handler &cgh) {
     sycl::local_accessor<int> a(8, cgh);
     sycl::local_accessor<std::int64_t> b(8, cgh);
     cgh.set_args(a, b, wide);
     cgh.parallel_for(sycl::nd_range<1>(32, 8), bundle.ext_oneapi_get_kernel("two_locals"));
   }).wait();
  EXPECT(wide[0] == 34 && wide[31] == 34);
  sycl::free(wide, q);
  sycl::free(c, q);
  sycl::free(p, q);
}

static void mistakes(sycl::queue q) {
  const auto create = [&](const std::string &text) {
    return syclexp::create_kernel_bundle_from_source(q.get_context(), language::opencl, text);
  };
  std::string log;
  EXPECT_ERRC(build, syclexp::build(create("kernel void k() { nothing(3); }"),
                                    syclexp::properties{syclexp::save_log{&log}}));
  EXPECT(log.find(".cl:1:19: error: ") != std::string::npos);
  EXPECT_ERRC(build, syclexp::build(create("static int f(int x) { return x; }")));
  EXPECT_ERRC(build, syclexp::build(create("kernel void k(read_only image2d_t i) {}")));
  const std::vector<std::byte> bytes(16);
  EXPECT_ERRC(build, syclexp::build(syclexp::create_kernel_bundle_from_source(
                         q.get_context(), language::spirv, bytes)));
}

// kernel void twice(global int *p) { *p *= 2; }, as an OpenCL compiler wrote it.
static const unsigned words[] = {
    0x07230203, 0x00010000, 0,          14,         0,          0x00020011, 4,          0x00020011,
    6,          0x0003000e, 2,          2,          0x0005000f, 6,          1,          0x63697774,
    0x00000065, 0x00040015, 2,          32,         0,          0x0004002b, 2,          3,
    2,          0x00020013, 4,          0x00040020, 5,          5,          2,          0x00040021,
    6,          4,          5,          0x00050036, 4,          1,          0,          6,
    0x00030037, 5,          7,          0x000200f8, 8,          0x0006003d, 2,          9,
    7,          2,          4,          0x00050084, 2,          10,         9,          3,
    0x0005003e, 7,          10,         2,          4,          0x000100fd, 0x00010038};

static void spirv(sycl::queue q) {
  std::vector<std::byte> bytes(sizeof(words));
  std::memcpy(bytes.data(), words, sizeof(words));
  auto bundle = syclexp::build(
      syclexp::create_kernel_bundle_from_source(q.get_context(), language::spirv, bytes));
  int *p = sycl::malloc_shared<int>(1, q);
  *p = 21;
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(p);
     cgh.single_task(bundle.ext_oneapi_get_kernel("twice"));
   }).wait();
  EXPECT(*p == 42);
  sycl::free(p, q);
}

int main() {
  sycl::queue q;
  if (!q.get_device().ext_oneapi_can_build(language::opencl)) {
    std::string log;
    EXPECT_ERRC(invalid, (void)build(q, &log));
    return failures;
  }
  for (sycl::queue each : {q, sycl::queue(sycl::property::queue::in_order())}) {
    opencl_c(each);
    spirv(each);
  }
  mistakes(q);
  return failures;
}
