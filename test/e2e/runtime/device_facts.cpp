// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the CPU device says of itself is what the machine is, and what kernels see.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: env TENON_CPU_THREADS=3 %t 3
// GPU-SUITE: skip it is about what the CPU says of itself
#include "../headers/Inputs/expect.hpp"

#include <cstdlib>
#include <set>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace dev = sycl::info::device;
using sycl::aspect;
using sycl::info::fp_config;

template <class Param>
static auto get(const sycl::device &d) {
  return d.get_info<Param>();
}

template <class List>
static auto set_of(const List &list) {
  return std::set<typename List::value_type>(list.begin(), list.end());
}

// Elements of `size` bytes in the widest vector register that is good for all types.
static unsigned width(std::size_t size) {
#if defined(__x86_64__)
  const unsigned bytes = __builtin_cpu_supports("avx512f") ? 64
                         : __builtin_cpu_supports("avx2")  ? 32
                                                           : 16;
#else
  const unsigned bytes = 16;
#endif
  return bytes / unsigned(size);
}

static void check_vectors(const sycl::device &d) {
  EXPECT(get<dev::native_vector_width_char>(d) == width(1));
  EXPECT(get<dev::native_vector_width_short>(d) == width(2));
  EXPECT(get<dev::native_vector_width_int>(d) == width(4));
  EXPECT(get<dev::native_vector_width_long>(d) == width(8));
  EXPECT(get<dev::native_vector_width_long_long>(d) == width(8));
  EXPECT(get<dev::native_vector_width_float>(d) == width(4));
  EXPECT(get<dev::native_vector_width_double>(d) == width(8));
  EXPECT(get<dev::preferred_vector_width_float>(d) == width(4));
  EXPECT(get<dev::preferred_vector_width_char>(d) == width(1));
  const unsigned half = get<dev::native_vector_width_half>(d);
  EXPECT(half == width(2) || half == width(4));
  EXPECT(set_of(get<dev::sub_group_sizes>(d)) == (std::set<std::size_t>{4, 8, 16, 32, 64}));
  EXPECT(get<dev::max_num_sub_groups>(d) * 4 == get<dev::max_work_group_size>(d));
}

static void check_machine(const sycl::device &d) {
  const auto pages = std::uint64_t(sysconf(_SC_PHYS_PAGES)) * std::uint64_t(sysconf(_SC_PAGESIZE));
  EXPECT(get<dev::global_mem_size>(d) > (64u << 20) && get<dev::global_mem_size>(d) <= pages);
  EXPECT(get<dev::max_mem_alloc_size>(d) <= get<dev::global_mem_size>(d) &&
         get<dev::max_mem_alloc_size>(d) >= get<dev::global_mem_size>(d) / 4);
  const unsigned line = get<dev::global_mem_cache_line_size>(d);
  EXPECT(line >= 16 && line <= 1024 && (line & (line - 1)) == 0);
  EXPECT((get<dev::global_mem_cache_size>(d) == 0) ==
         (get<dev::global_mem_cache_type>(d) == sycl::info::global_mem_cache_type::none));
  EXPECT(get<dev::local_mem_type>(d) == sycl::info::local_mem_type::global);
  EXPECT(get<dev::local_mem_size>(d) >= 32 * 1024);
  EXPECT(get<dev::address_bits>(d) == 8 * sizeof(void *));
  EXPECT(get<dev::max_parameter_size>(d) >= 1024 && get<dev::max_constant_args>(d) >= 8);
  EXPECT(get<dev::host_unified_memory>(d) && get<dev::is_endian_little>(d));
  EXPECT(get<dev::profiling_timer_resolution>(d) == 1);
  EXPECT(!get<dev::error_correction_support>(d) && get<dev::is_available>(d));
  EXPECT(get<dev::vendor_id>(d) <= 0xffff);
#if defined(__x86_64__)
  const std::string vendor = get<dev::vendor>(d);
  EXPECT((vendor == "GenuineIntel") == bool(__builtin_cpu_is("intel")));
  EXPECT((vendor == "AuthenticAMD") == bool(__builtin_cpu_is("amd")));
  EXPECT((get<dev::vendor_id>(d) == 0x8086) == (vendor == "GenuineIntel"));
  EXPECT((get<dev::vendor_id>(d) == 0x1022) == (vendor == "AuthenticAMD"));
#endif
}

static void check_abilities(const sycl::device &d) {
  const auto aspects = set_of(get<dev::aspects>(d));
  for (int i = 0; i <= int(aspect::usm_system_allocations); ++i) {
    EXPECT(d.has(aspect(i)) == (aspects.count(aspect(i)) == 1));
    EXPECT(d.get_platform().has(aspect(i)) <= d.has(aspect(i)));
  }
  for (aspect a :
       {aspect::cpu, aspect::fp16, aspect::fp64, aspect::atomic64, aspect::queue_profiling,
        aspect::usm_device_allocations, aspect::usm_host_allocations,
        aspect::usm_shared_allocations, aspect::usm_system_allocations,
        aspect::usm_atomic_host_allocations, aspect::usm_atomic_shared_allocations}) {
    EXPECT(d.has(a));
  }
  for (aspect a :
       {aspect::gpu, aspect::accelerator, aspect::custom, aspect::emulated}) {
    EXPECT(!d.has(a));
  }
  // At least what aspect::image promises.
  EXPECT(d.has(aspect::image) && get<dev::image_support>(d) && get<dev::max_samplers>(d) >= 16);
  EXPECT(get<dev::max_read_image_args>(d) >= 128 && get<dev::max_write_image_args>(d) >= 8);
  EXPECT(get<dev::image2d_max_width>(d) >= 8192 && get<dev::image3d_max_depth>(d) >= 2048);
  if (d.get_backend() == sycl::backend::opencl) {
    EXPECT(get<dev::execution_capabilities>(d) ==
           (std::vector{sycl::info::execution_capability::exec_kernel}));
  } else {
    EXPECT_ERRC(invalid, (void)get<dev::execution_capabilities>(d));
  }
  using order = sycl::memory_order;
  using scope = sycl::memory_scope;
  const std::set<order> orders{order::relaxed, order::acquire, order::release, order::acq_rel,
                               order::seq_cst};
  const std::set<scope> scopes{scope::sub_group, scope::work_group, scope::device, scope::system};
  std::set<scope> fences = scopes;
  fences.insert(scope::work_item);
  EXPECT(set_of(get<dev::atomic_memory_order_capabilities>(d)) == orders);
  EXPECT(set_of(get<dev::atomic_fence_order_capabilities>(d)) == orders);
  EXPECT(set_of(get<dev::atomic_memory_scope_capabilities>(d)) == scopes);
  EXPECT(set_of(get<dev::atomic_fence_scope_capabilities>(d)) == fences);
  const auto singles = set_of(get<dev::single_fp_config>(d));
  const auto doubles = set_of(get<dev::double_fp_config>(d));
  const auto halves = set_of(get<dev::half_fp_config>(d));
  EXPECT(singles.count(fp_config::round_to_nearest) && singles.count(fp_config::inf_nan) &&
         singles.count(fp_config::denorm) && singles.count(fp_config::fma) &&
         singles.count(fp_config::correctly_rounded_divide_sqrt));
  EXPECT(doubles.count(fp_config::fma) && doubles.count(fp_config::round_to_zero) &&
         doubles.count(fp_config::round_to_inf) && doubles.count(fp_config::denorm));
  EXPECT(halves.count(fp_config::denorm) && !singles.count(fp_config::soft_float));
}

// What a kernel computes agrees with what the configuration promises.
static void check_kernels(const sycl::device &d) {
  sycl::queue q(d);
  float *f = sycl::malloc_shared<float>(8, q);
  _Float16 *h = sycl::malloc_shared<_Float16>(4, q);
  f[0] = 1e-38f;
  f[1] = 3.0f;
  f[2] = 0.0f;
  h[0] = _Float16(1.5f);
  h[1] = _Float16(6e-8f);
  q.single_task([=] {
     f[3] = f[0] / 1000.0f;  // a denormal
     f[4] = f[1] / f[2];     // infinity
     f[5] = 1.0f / f[1];     // correctly rounded
     h[2] = h[0] * h[0] + h[0];
     h[3] = h[1];  // a denormal half
   }).wait();
  EXPECT(f[3] > 0 && f[3] < 1.1e-41f && f[4] > 3e38f && f[5] == 1.0f / 3.0f);
  EXPECT(float(h[2]) == 3.75f && float(h[3]) > 0);
  sycl::free(f, q);
  sycl::free(h, q);
  // The largest work-group there may be, in each dimension.
  const std::size_t largest = get<dev::max_work_group_size>(d);
  int *p = sycl::malloc_shared<int>(largest, q);
  q.parallel_for(sycl::nd_range<1>(largest, largest), [=](sycl::nd_item<1> it) {
     p[it.get_local_id(0)] = int(it.get_local_range(0));
   }).wait();
  EXPECT(p[0] == int(largest) && p[largest - 1] == int(largest));
  const auto sizes = get<dev::max_work_item_sizes<3>>(d);
  q.parallel_for(sycl::nd_range<3>({sizes[0], 1, 1}, {sizes[0], 1, 1}), [=](sycl::nd_item<3> it) {
     p[it.get_local_id(0)] = 1;
   }).wait();
  EXPECT(p[sizes[0] - 1] == 1);
  EXPECT_ERRC(nd_range, q.parallel_for(sycl::nd_range<2>({2, largest}, {2, largest}),
                                       [=](sycl::nd_item<2>) { p[0] = 2; }));
  sycl::free(p, q);
}

static void check_backend_info(const sycl::device &d) {
  EXPECT_ERRC(backend_mismatch, (void)d.get_backend_info<dev::version>());
  EXPECT_ERRC(backend_mismatch,
              (void)d.get_platform().get_backend_info<sycl::info::platform::version>());
  sycl::context c(d);
  EXPECT_ERRC(backend_mismatch, (void)c.get_backend_info<sycl::info::context::platform>());
  EXPECT(c.get_info<sycl::info::context::atomic_memory_scope_capabilities>() ==
         d.get_info<dev::atomic_memory_scope_capabilities>());
}

int main(int argc, char **argv) {
  const sycl::device d(sycl::cpu_selector_v);
  const unsigned units = get<dev::max_compute_units>(d);
  if (argc > 1) {
    EXPECT(units == unsigned(std::atoi(argv[1])));
  } else if (!std::getenv("TENON_CPU_THREADS")) {
    // The container may have less than the machine.
    EXPECT(units >= 1 && units <= std::thread::hardware_concurrency());
  }
  check_machine(d);
  check_vectors(d);
  check_abilities(d);
  check_kernels(d);
  check_backend_info(d);
  return failures;
}
