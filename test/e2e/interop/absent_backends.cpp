// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs with native objects of Level Zero and HIP, of which no device is: they compile, and are
// told so where they do not ask for the backend first.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -DALONE=1 -fsyntax-only %s
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -DALONE=2 -fsyntax-only %s
#if ALONE == 1
#include <sycl/ext/oneapi/backend/level_zero.hpp>
sycl::ext::oneapi::level_zero::ownership kept = sycl::ext::oneapi::level_zero::ownership::keep;
#elif ALONE == 2
#include <sycl/ext/oneapi/backend/hip.hpp>
HIPdevice first = 0;
#else
#include <sycl/backend/level_zero.hpp>
#include <sycl/ext/oneapi/backend/hip.hpp>
#include <sycl/ext/oneapi/backend/level_zero.hpp>

#include "../headers/Inputs/expect.hpp"
#include <sycl/sycl.hpp>

// As in a program that includes ze_api.h.
typedef struct _ze_device_handle_t *ze_device_handle_t;
typedef struct _ze_event_handle_t *ze_event_handle_t;

namespace ex = sycl::ext::oneapi::experimental;
constexpr sycl::backend ze = sycl::backend::ext_oneapi_level_zero;
constexpr sycl::backend hip = sycl::backend::ext_oneapi_hip;
using bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;
using ze_queue = std::variant<ze_command_queue_handle_t, ze_command_list_handle_t>;
template <class T>
using ze_return = sycl::backend_return_t<ze, T>;
template <class T>
using ze_input = sycl::backend_input_t<ze, T>;
template <class T>
using hip_return = sycl::backend_return_t<hip, T>;

static_assert(std::is_same_v<ze_return<sycl::platform>, ze_driver_handle_t>);
static_assert(std::is_same_v<ze_return<sycl::device>, ze_device_handle_t>);
static_assert(std::is_same_v<ze_return<sycl::context>, ze_context_handle_t>);
static_assert(std::is_same_v<ze_return<sycl::queue>, ze_queue>);
static_assert(std::is_same_v<ze_return<sycl::event>, ze_event_handle_t>);
static_assert(std::is_same_v<ze_return<sycl::kernel>, ze_kernel_handle_t>);
static_assert(std::is_same_v<ze_return<bundle>, std::vector<ze_module_handle_t>>);
static_assert(std::is_same_v<ze_return<sycl::buffer<int>>, void *>);
static_assert(std::is_same_v<ze_input<sycl::device>, ze_device_handle_t>);
static_assert(std::is_same_v<ze_input<sycl::platform>, ze_driver_handle_t>);
static_assert(std::is_same_v<hip_return<sycl::device>, HIPdevice>);
static_assert(std::is_same_v<hip_return<sycl::context>, HIPcontext>);
static_assert(std::is_same_v<hip_return<sycl::queue>, HIPstream>);
static_assert(std::is_same_v<hip_return<sycl::event>, HIPevent>);
static_assert(std::is_same_v<hip_return<sycl::buffer<int>>, HIPdeviceptr>);
static_assert(std::is_same_v<hip_return<sycl::platform>, std::vector<HIPdevice>>);

template <class F>
static void expect_error(sycl::errc code, const F &f) {
  try {
    f();
    EXPECT(!"nothing was thrown");
  } catch (const sycl::exception &e) {
    EXPECT(e.code() == code);
  }
}
template <class F>
static void expect_mismatch(const F &f) {
  expect_error(sycl::errc::backend_mismatch, f);
}

int main() {
  sycl::queue q;
  const sycl::context context = q.get_context();
  const sycl::device device = q.get_device();
  const sycl::event done = q.single_task([] {});
  sycl::buffer<int> data(4);
  expect_mismatch([&] { (void)sycl::get_native<ze>(device); });
  expect_mismatch([&] { (void)sycl::get_native<ze>(context); });
  expect_mismatch([&] { (void)sycl::get_native<ze>(device.get_platform()); });
  expect_mismatch([&] { (void)sycl::get_native<ze>(q); });
  expect_mismatch([&] { (void)sycl::get_native<ze>(done); });
  expect_mismatch([&] { (void)sycl::get_native<hip>(device); });
  expect_mismatch([&] { (void)sycl::get_native<hip>(q); });

  const auto keep = sycl::ext::oneapi::level_zero::ownership::keep;
  ze_event_handle_t no_event = nullptr;
  ze_command_list_handle_t no_list = nullptr;
  expect_error(sycl::errc::invalid, [&] { (void)sycl::make_device<ze>(nullptr); });
  expect_error(sycl::errc::invalid, [&] { (void)sycl::make_platform<ze>(nullptr); });
  expect_error(sycl::errc::invalid,
               [&] { (void)sycl::make_context<ze>({nullptr, {device}, keep}); });
  expect_error(sycl::errc::invalid, [&] { (void)sycl::make_device<hip>(0); });
  expect_mismatch([&] { (void)sycl::make_queue<ze>({no_list, device, keep}, context); });
  expect_mismatch([&] { (void)sycl::make_event<ze>({no_event, keep}, context); });
  expect_mismatch([&] {
    (void)sycl::make_kernel_bundle<ze, sycl::bundle_state::executable>({nullptr, keep}, context);
  });
  expect_mismatch([&] {
    (void)sycl::make_kernel<ze>(
        {sycl::get_kernel_bundle<sycl::bundle_state::executable>(context), nullptr, keep}, context);
  });
  expect_mismatch([&] { (void)sycl::make_buffer<ze, int>({nullptr, keep}, context); });
  expect_mismatch([&] { (void)sycl::make_buffer<ze, int>({nullptr, keep}, context, done); });
  expect_mismatch([&] {
    (void)sycl::make_image<ze, 2>({nullptr, sycl::image_channel_order::rgba,
                                   sycl::image_channel_type::fp32, sycl::range<2>(1, 1), keep},
                                  context);
  });

  q.submit([&](sycl::handler &cgh) {
    sycl::accessor to(data, cgh);
    cgh.host_task([=](sycl::interop_handle handle) {
      expect_mismatch([&] { (void)handle.get_native_device<ze>(); });
      expect_mismatch([&] { (void)handle.get_native_queue<ze>(); });
      expect_mismatch([&] { (void)handle.get_native_mem<ze>(to); });
      expect_mismatch([&] { (void)handle.get_native_queue<hip>(); });
    });
  });
  q.wait();
  std::printf("absent_backends: %s\n", failures == 0 ? "ok" : "failed");
  return failures != 0;
}
#endif
