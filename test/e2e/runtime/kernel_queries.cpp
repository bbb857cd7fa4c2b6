// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels say of themselves is what launches of them then have: sizes of groups and
// sub-groups, private memory, required sizes; the largest group that is told runs, and a larger one
// is refused. RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

namespace dev = sycl::info::device;
namespace of_kernel = sycl::info::kernel_device_specific;
constexpr auto executable = sycl::bundle_state::executable;

class small;
class large;
class plain;
class fixed;

static void launch_small(sycl::queue &q, int *p, std::size_t local) {
  q.parallel_for<small>(sycl::nd_range<1>(2 * local, local), [=](sycl::nd_item<1> item) {
     p[item.get_global_id(0)] = static_cast<int>(item.get_sub_group().get_max_local_range()[0]);
   }).wait();
}

// Much private memory, indexed by what is known late.
static void launch_large(sycl::queue &q, int *p, std::size_t local) {
  q.parallel_for<large>(sycl::nd_range<1>(local, local), [=](sycl::nd_item<1> item) {
     const int i = static_cast<int>(item.get_global_id(0));
     int many[512];
     for (int k = 0; k < 512; ++k) {
       many[k] = p[k % 64] + k;
     }
     sycl::group_barrier(item.get_group());
     for (int k = 0; k < 64; ++k) {
       many[(k * i + p[k]) & 511] += k;
     }
     p[i] = many[p[i] & 511] + many[i & 511];
   }).wait();
}

// Without sub-groups. On the CPU such kernels are as wide as its vectors, and that is the size to
// tell: programs make rows of it for work-items that do the same together.
static void launch_plain(sycl::queue &q, int *p, std::size_t width) {
  q.parallel_for<plain>(sycl::nd_range<2>({8, width}, {8, width}), [=](sycl::nd_item<2> item) {
     p[item.get_global_linear_id()] = static_cast<int>(item.get_local_id(1));
   }).wait();
}

static void ask_plain(sycl::queue &q, const sycl::kernel &kernel, int *p) {
  const sycl::device d = q.get_device();
  const std::size_t width = kernel.get_info<of_kernel::max_sub_group_size>(d);
  launch_plain(q, p, width);
  EXPECT(has_sub_groups_of(d, width) && p[8 * width - 1] == static_cast<int>(width) - 1);
  EXPECT(kernel.get_info<of_kernel::preferred_work_group_size_multiple>(d) % width == 0);
  if (d.is_cpu() && d.get_backend() != sycl::backend::opencl) {
    EXPECT(width == d.get_info<dev::native_vector_width_float>());
  }
}

static void launch_fixed(sycl::queue &q, int *p, std::size_t rows) {
  q.parallel_for<fixed>(sycl::nd_range<2>({2 * rows, 32}, {rows, 32}),
                        [=](sycl::nd_item<2> item)
                            [[sycl::reqd_work_group_size(2, 32), sycl::reqd_sub_group_size(32)]] {
                              p[item.get_global_linear_id()] =
                                  static_cast<int>(item.get_sub_group().get_local_linear_id());
                            })
      .wait();
}

// sycl_ext_oneapi_get_kernel_info and _launch_queries say the same with fewer words.
static void ask_shortly(const sycl::queue &q, const sycl::kernel &kernel) {
  namespace in_queue = sycl::ext::oneapi::experimental::info::kernel_queue_specific;
  using sycl::ext::oneapi::get_kernel_info;
  const sycl::device d = q.get_device();
  const std::size_t most = kernel.get_info<of_kernel::work_group_size>(d);
  const std::uint32_t width = kernel.get_info<of_kernel::max_sub_group_size>(d);
  EXPECT((get_kernel_info<small, of_kernel::work_group_size>(q)) == most);
  EXPECT((get_kernel_info<small, of_kernel::max_sub_group_size>(q.get_context(), d)) == width);
  EXPECT((get_kernel_info<small, sycl::info::kernel::context>(q.get_context())) == q.get_context());
  EXPECT(kernel.ext_oneapi_get_info<in_queue::max_work_group_size>(q) == most);
  const auto sizes = kernel.ext_oneapi_get_info<in_queue::max_work_item_sizes<3>>(q);
  const auto of_device = d.get_info<dev::max_work_item_sizes<3>>();
  for (int i = 0; i < 3; ++i) {
    EXPECT(sizes[i] == std::min(most, of_device[i]));
  }
  const sycl::range<2> group(2, width + 1);
  EXPECT(kernel.ext_oneapi_get_info<in_queue::max_sub_group_size>(q, group) == width);
  EXPECT(kernel.ext_oneapi_get_info<in_queue::num_sub_groups>(q, group) ==
         (2 * width + 2 + width - 1) / width);
  EXPECT(kernel.ext_oneapi_get_info<in_queue::num_sub_groups>(q, width) == 1);
  EXPECT_ERRC(invalid, kernel.ext_oneapi_get_info<in_queue::num_sub_groups>(q, 0));
}

int main() {
  sycl::queue q;
  const sycl::device d = q.get_device();
  const auto bundle = sycl::get_kernel_bundle<executable>(q.get_context());
  const sycl::kernel small_kernel = bundle.get_kernel<small>();
  const sycl::kernel large_kernel = bundle.get_kernel<large>();
  const sycl::kernel fixed_kernel = bundle.get_kernel<fixed>();
  const std::size_t device_most = d.get_info<dev::max_work_group_size>();

  const std::size_t most = small_kernel.get_info<of_kernel::work_group_size>(d);
  int *p = sycl::malloc_shared<int>(2 * device_most + 2, q);
  std::fill(p, p + 2 * device_most + 2, 0);
  EXPECT(most >= 1 && most <= device_most);
  launch_small(q, p, most);
  const std::size_t width = small_kernel.get_info<of_kernel::max_sub_group_size>(d);
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
  EXPECT(small_kernel.get_info<of_kernel::max_sub_group_size>(d, sycl::range<3>(1, 2, 3)) == width);
#pragma clang diagnostic pop
  EXPECT(has_sub_groups_of(d, width) && p[0] == static_cast<int>(width));
  EXPECT(p[2 * most - 1] == static_cast<int>(width));
  EXPECT_ERRC(nd_range, launch_small(q, p, device_most + 1));
  EXPECT(small_kernel.get_info<of_kernel::preferred_work_group_size_multiple>(d) % width == 0);
  EXPECT(small_kernel.get_info<of_kernel::max_num_sub_groups>(d) * width >= most);
  EXPECT(small_kernel.get_info<of_kernel::compile_work_group_size>(d) == sycl::range<3>(0, 0, 0));

  ask_plain(q, bundle.get_kernel<plain>(), p);
  ask_shortly(q, small_kernel);

  const std::size_t large_most = large_kernel.get_info<of_kernel::work_group_size>(d);
  EXPECT(large_most >= 1 && large_most <= device_most);
  launch_large(q, p, large_most < 64 ? large_most : 64);
  // On a CPU what does not live across a barrier is on the thread's stack.
  const std::size_t private_size = large_kernel.get_info<of_kernel::private_mem_size>(d);
  EXPECT(private_size >= 512 * sizeof(int) && private_size < (1u << 20));
  EXPECT(small_kernel.get_info<of_kernel::private_mem_size>(d) < 512);

  EXPECT(fixed_kernel.get_info<of_kernel::compile_work_group_size>(d) == sycl::range<3>(1, 2, 32));
  EXPECT(fixed_kernel.get_info<of_kernel::compile_sub_group_size>(d) == 32);
  launch_fixed(q, p, 2);
  EXPECT(p[31] == 31 && p[32] == 0 && p[127] == 31);
  EXPECT_ERRC(nd_range, launch_fixed(q, p, 1));
  sycl::free(p, q);
  return failures;
}
