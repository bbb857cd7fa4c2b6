// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device says that OpenCL C may use there, compiles and computes what it should. Source:
// sycl_ext_oneapi_kernel_compiler_opencl.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <string>

#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
using language = syclexp::source_language;

#if SYCL_EXT_ONEAPI_KERNEL_COMPILER_OPENCL != 1 || SYCL_EXT_ONEAPI_KERNEL_COMPILER_SPIRV != 1
#error "a feature-test macro is missing"
#endif

// `body` of a kernel that 8 work-items in one work-group run, with `global int *out`, all 0.
struct use {
  const char *name;
  const char *before;
  const char *body;
  int expected;
};
static const use uses[] = {
    {"cl_khr_byte_addressable_store", "", "if (get_global_id(0) == 2) ((global char *)out)[1] = 3;",
     0x300},
    {"cl_khr_fp16", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable",
     "half h = 1.5h; if (get_global_id(0) == 0) out[0] = (int)(h * 4.0h);", 6},
    // Functions of OpenCL 1.x and 2 that are in every version.
    {nullptr, "", "atomic_inc(out); atomic_dec(out + 1);", 8},
    {nullptr, "", "atomic_xchg(out, 9);", 9},
    {nullptr, "", "atomic_xchg((volatile global float *)out, 1.0f);", 0x3f800000},
    {nullptr, "", "atomic_min(out, -(int)get_global_id(0));", -7},
    {nullptr, "", "atomic_max((volatile global uint *)out, 1u + (uint)get_global_id(0));", 8},
    {nullptr, "", "atomic_min((volatile global uint *)out + 1, 5u); atomic_sub(out, 2);", -16},
    {nullptr, "", "atomic_cmpxchg(out, 0, 3);", 3},
    {nullptr, "",
     "local int n; if (get_local_id(0) == 0) n = 10; mem_fence(CLK_LOCAL_MEM_FENCE);"
     "barrier(CLK_LOCAL_MEM_FENCE); atomic_dec(&n); read_mem_fence(CLK_LOCAL_MEM_FENCE);"
     "barrier(CLK_LOCAL_MEM_FENCE); write_mem_fence(CLK_GLOBAL_MEM_FENCE); out[0] = n;",
     2},
    {"cl_khr_fp64", "", "double d = 1e9; if (get_global_id(0) == 0) out[0] = (int)(d + 0.75);",
     1000000000},
    {"cl_khr_global_int32_base_atomics", "", "atomic_add(out, 3);", 24},
    {"cl_khr_global_int32_extended_atomics", "", "atomic_max(out, (int)get_global_id(0));", 7},
    {"cl_khr_int64_base_atomics", "", "atom_add((volatile global long *)out, 5L);", 40},
    {"cl_khr_int64_extended_atomics", "",
     "atom_max((volatile global long *)out, (long)get_global_id(0));", 7},
    {"cl_khr_local_int32_base_atomics", "",
     "local int n; if (get_local_id(0) == 0) n = 0; barrier(CLK_LOCAL_MEM_FENCE);"
     "atomic_inc(&n); barrier(CLK_LOCAL_MEM_FENCE); out[0] = n;",
     8},
    {"cl_khr_local_int32_extended_atomics", "",
     "local int n; if (get_local_id(0) == 0) n = 0; barrier(CLK_LOCAL_MEM_FENCE);"
     "atomic_or(&n, 1 << get_local_id(0)); barrier(CLK_LOCAL_MEM_FENCE); out[0] = n;",
     255},
    {"cl_khr_subgroups", "",
     "local int l[8]; l[get_local_id(0)] = 1; sub_group_barrier(CLK_LOCAL_MEM_FENCE);"
     "sub_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);"
     "if (sub_group_reduce_add(l[get_local_id(0)]) == (int)get_sub_group_size()) atomic_inc(out);",
     8},
    {"__opencl_c_subgroups", "",
     "if (sub_group_broadcast((int)get_sub_group_local_id(), 0) == 0) atomic_inc(out);", 8},
    {"__opencl_c_atomic_order_acq_rel", "",
     "atomic_fetch_add_explicit((volatile global atomic_int *)out, 2, memory_order_acq_rel,"
     " memory_scope_device);",
     16},
    {"__opencl_c_atomic_order_seq_cst", "",
     "atomic_fetch_add_explicit((volatile global atomic_int *)out, 2, memory_order_seq_cst,"
     " memory_scope_device);",
     16},
    {"__opencl_c_atomic_scope_all_devices", "",
     "atomic_fetch_add_explicit((volatile global atomic_int *)out, 1, memory_order_relaxed,"
     " memory_scope_all_devices);",
     8},
    {"__opencl_c_atomic_scope_device", "",
     "atomic_fetch_add_explicit((volatile global atomic_int *)out, 1, memory_order_relaxed,"
     " memory_scope_device);",
     8},
    {"__opencl_c_atomic_order_seq_cst", "",
     "atomic_fetch_max((volatile global atomic_int *)out, (int)get_global_id(0) + 1);", 8},
    {"__opencl_c_atomic_order_seq_cst", "",
     "atomic_fetch_min_explicit((volatile global atomic_int *)out, -3, memory_order_relaxed,"
     " memory_scope_device);",
     -3},
    {"__opencl_c_generic_address_space", "",
     "int *any = out; global int *g = to_global(any);"
     "if (get_global_id(0) == 0) out[0] = g == out;",
     1},
    {"__opencl_c_fp64", "", "if (get_global_id(0) == 0) out[0] = (int)(sqrt(2.0) * 1e6);", 1414213},
    {"__opencl_c_generic_address_space", "int first(int *p) { return *p; }",
     "int mine = 4; if (get_global_id(0) == 0) { out[0] = first(&mine) + first(out); }", 4},
    {"__opencl_c_int64", "",
     "long x = 1L << 40; if (get_global_id(0) == 0) out[0] = (int)(x >> 38);",
     4},
    {"__opencl_c_program_scope_global_variables", "global int counter = 5;",
     "if (get_global_id(0) == 0) out[0] = counter;", 5},
    {"__opencl_c_work_group_collective_functions", "", "out[0] = work_group_reduce_add(3);", 24},
};

static bool says(const sycl::device &dev, const std::string &name) {
  return name[0] == '_' ? dev.ext_oneapi_supports_cl_c_feature(name)
                        : dev.ext_oneapi_supports_cl_extension(name);
}

static void run(sycl::queue q, const use &one) {
  const std::string source = std::string(one.before) +
      "\nkernel void k(global int *out) { " + one.body + " }\n";
  const bool is_3 =
      one.name && (one.name[0] == '_' || std::string(one.name) == "cl_khr_subgroups");
  const syclexp::build_options options{is_3 ? "-cl-std=CL3.0" : "-cl-std=CL1.2"};
  auto bundle = syclexp::build(syclexp::create_kernel_bundle_from_source(
                                   q.get_context(), language::opencl, source),
                               syclexp::properties{options});
  int *out = sycl::malloc_shared<int>(2, q);
  out[0] = out[1] = 0;
  q.submit([&](sycl::handler &h) {
     h.set_args(out);
     h.parallel_for(sycl::nd_range<1>(8, 8), bundle.ext_oneapi_get_kernel("k"));
   }).wait();
  if (out[0] != one.expected) {
    std::printf("%s: expected %d, got %d\n", one.body, one.expected, out[0]);
    ++failures;
  }
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  const sycl::device dev = q.get_device();
  const bool takes_it = dev.ext_oneapi_can_build(language::opencl);
  EXPECT(dev.ext_oneapi_cl_profile() == (takes_it ? "FULL_PROFILE" : ""));
  EXPECT(dev.ext_oneapi_supports_cl_c_version(syclexp::opencl_c_3_0) == takes_it);
  EXPECT(!dev.ext_oneapi_supports_cl_extension("cl_nobody_knows") &&
         !dev.ext_oneapi_supports_cl_c_feature("cl_khr_fp64") &&
         !dev.ext_oneapi_supports_cl_extension("__opencl_c_int64"));
  int count = 0;
  for (const use &one : uses) {
    if (one.name ? says(dev, one.name) : takes_it) {
      EXPECT(takes_it);
      ++count;
      try {
        run(q, one);
      } catch (const sycl::exception &e) {
        std::printf("%s: %.300s\n", one.body, e.what());
        ++failures;
      }
    }
  }
  syclexp::cl_version version = {};
  if (dev.ext_oneapi_supports_cl_extension("cl_khr_byte_addressable_store", &version)) {
    EXPECT(version.major == 1 && version.minor == 0);
  }
  std::printf("%d of %zu\n", count, sizeof(uses) / sizeof(uses[0]));
  return failures;
}
