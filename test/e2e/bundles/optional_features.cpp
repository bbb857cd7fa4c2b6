// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that no device, or not every device, can run: in ids, bundles and launches.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <string>

constexpr auto input = sycl::bundle_state::input;
constexpr auto object = sycl::bundle_state::object;
constexpr auto executable = sycl::bundle_state::executable;

class simple;
class on_gpus;
class huge_group;
class odd_sub_group;
class halves;
class doubles;
class images;

static void launch_all(sycl::queue &q, double *p, int *flag) {
  q.single_task<simple>([=] { p[0] = 1; });
  q.single_task<on_gpus>([=]() [[sycl::device_has(sycl::aspect::gpu)]] { *flag = 1; });
  q.parallel_for<huge_group>(sycl::nd_range<1>(1, 1),
                             [=](sycl::nd_item<1>)
                                 [[sycl::reqd_work_group_size(4294967295)]] { p[0] = 1; });
  q.parallel_for<odd_sub_group>(sycl::nd_range<1>(1, 1),
                                [=](sycl::nd_item<1>)
                                    [[sycl::reqd_sub_group_size(4099)]] { p[0] = 1; });
  q.single_task<halves>([=] { p[0] = static_cast<double>(sycl::half(*p) + sycl::half(1)); });
  q.single_task<doubles>([=] { p[0] *= 2; });
  q.single_task<images>([=]() [[sycl::device_has(sycl::aspect::image)]] { *flag = 1; });
}

template <class Name>
static void check(const sycl::queue &q, bool can) {
  const sycl::context ctx = q.get_context();
  const sycl::device dev = q.get_device();
  const auto id = sycl::get_kernel_id<Name>();
  EXPECT(sycl::is_compatible<Name>(dev) == can && sycl::is_compatible({id}, dev) == can);
  EXPECT((sycl::is_compatible({sycl::get_kernel_id<simple>(), id}, dev) == can));
  EXPECT((sycl::has_kernel_bundle<Name, input>(ctx) == can));
  EXPECT((sycl::has_kernel_bundle<Name, object>(ctx, {dev}) == can));
  EXPECT((sycl::has_kernel_bundle<executable>(ctx, {id}) == can));
  const auto all = sycl::get_kernel_bundle<executable>(ctx);
  EXPECT(all.has_kernel(id) == can && all.template has_kernel<Name>(dev) == can);
  EXPECT(sycl::get_kernel_bundle<input>(ctx).has_kernel(id) == can);
  EXPECT(sycl::build(sycl::get_kernel_bundle<input>(ctx)).has_kernel(id, dev) == can);
  bool is_selected = false;
  const auto by_selector = [&](const auto &image) {
    is_selected = is_selected || image.has_kernel(id);
    return true;
  };
  EXPECT(sycl::get_kernel_bundle<object>(ctx, by_selector).has_kernel(id) == can);
  EXPECT(is_selected == can);
  if (can) {
    EXPECT(all.template get_kernel<Name>() == all.get_kernel(id));
    return;
  }
  EXPECT_ERRC(invalid, (sycl::get_kernel_bundle<Name, input>(ctx)));
  EXPECT_ERRC(invalid, (sycl::get_kernel_bundle<Name, object>(ctx, {dev})));
  EXPECT_ERRC(invalid,
              sycl::get_kernel_bundle<executable>(ctx, {sycl::get_kernel_id<simple>(), id}));
  EXPECT_ERRC(invalid, all.template get_kernel<Name>());
  try {
    (void)sycl::get_kernel_bundle<Name, executable>(ctx);
  } catch (const sycl::exception &e) {
    EXPECT(std::string(e.what()).find(id.get_name()) != std::string::npos);
  }
}

int main(int argc, char **) {
  sycl::queue q;
  const sycl::device dev = q.get_device();
  check<simple>(q, true);
  check<on_gpus>(q, dev.has(sycl::aspect::gpu));
  check<huge_group>(q, dev.get_info<sycl::info::device::max_work_group_size>() >= 4294967295);
  check<odd_sub_group>(q, false);
  check<halves>(q, dev.has(sycl::aspect::fp16));
  check<doubles>(q, dev.has(sycl::aspect::fp64));
  check<images>(q, dev.has(sycl::aspect::image));
  EXPECT(sycl::get_kernel_ids().size() == 8);

  // A launch of what the device cannot run is refused with the bundle as it is without.
  const auto all = sycl::get_kernel_bundle<executable>(q.get_context());
  int *flag = sycl::malloc_shared<int>(1, q);
  const auto launch = [&] {
    q.submit([&](sycl::handler &cgh) {
      cgh.use_kernel_bundle(all);
      cgh.single_task<class not_here>(
          [=]() [[sycl::device_has(sycl::aspect::custom)]] { *flag = 1; });
    });
  };
  EXPECT_ERRC(kernel_not_supported, launch());
  sycl::free(flag, q);
  if (argc > 100) {
    launch_all(q, nullptr, nullptr);
  }
  return failures != 0;
}
