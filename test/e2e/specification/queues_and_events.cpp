// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selectors, platforms, contexts, queues and events: what constructors take and throw, what queries
// give, waiting and profiling. Source: SYCL 2020 sections 4.6.1 to 4.6.6.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <algorithm>
#include <vector>

namespace info = sycl::info;

static void check_selectors() {
  // Every root device is asked; no device below zero is selected.
  std::vector<sycl::device> asked;
  const auto count = [&](const sycl::device &device) {
    asked.push_back(device);
    return 0;
  };
  const sycl::device chosen(count);
  const std::vector<sycl::device> all = sycl::device::get_devices();
  for (const sycl::device &device : all) {
    EXPECT(std::find(asked.begin(), asked.end(), device) != asked.end());
  }
  EXPECT(std::find(all.begin(), all.end(), chosen) != all.end());
  const auto none = [](const sycl::device &) { return -1; };
  EXPECT_ERRC(runtime, (void)sycl::device(none));
  EXPECT_ERRC(runtime, (void)sycl::platform(none));
  EXPECT_ERRC(runtime, (void)sycl::queue(none));
  // The highest score wins.
  const auto last = [&](const sycl::device &device) { return device == all.back() ? 7 : 3; };
  EXPECT(sycl::device(last) == all.back() && sycl::queue(last).get_device() == all.back());

  const sycl::aspect own[] = {sycl::aspect::cpu, sycl::aspect::gpu, sycl::aspect::accelerator};
  for (const sycl::aspect one : own) {
    if (std::none_of(all.begin(), all.end(), [&](const sycl::device &d) { return d.has(one); })) {
      EXPECT_ERRC(runtime, (void)sycl::device(sycl::aspect_selector(one)));
      EXPECT_ERRC(runtime, (void)sycl::queue(sycl::aspect_selector({one})));
    } else {
      EXPECT(sycl::device(sycl::aspect_selector(one)).has(one));
    }
  }
  const std::vector<sycl::aspect> denied(std::begin(own), std::end(own));
  if (std::all_of(all.begin(), all.end(), [&](const sycl::device &d) {
        return std::any_of(denied.begin(), denied.end(), [&](auto a) { return d.has(a); });
      })) {
    EXPECT_ERRC(runtime, (void)sycl::device(sycl::aspect_selector({}, denied)));
  }
  EXPECT(sycl::device(sycl::aspect_selector()) == sycl::device(sycl::default_selector_v));
  EXPECT(sycl::device() == sycl::device(sycl::default_selector_v));
  EXPECT(sycl::platform() == sycl::platform(sycl::default_selector_v));
  if (std::none_of(all.begin(), all.end(), [](const auto &d) { return d.is_gpu(); })) {
    EXPECT_ERRC(runtime, (void)sycl::queue(sycl::gpu_selector_v));
  }
  EXPECT_ERRC(runtime, (void)sycl::queue(sycl::accelerator_selector_v));
}

static void check_platforms_and_contexts() {
  const sycl::device device;
  const sycl::platform platform = device.get_platform();
  const std::vector<sycl::device> devices = platform.get_devices();
  EXPECT(std::find(devices.begin(), devices.end(), device) != devices.end());
  EXPECT(platform.get_devices(info::device_type::all) == devices);
  EXPECT(platform.get_devices(info::device_type::custom).empty());
  EXPECT(platform.get_backend() == device.get_backend());
  EXPECT(!platform.get_info<info::platform::name>().empty());
  EXPECT(device.get_info<info::device::platform>() == platform);
  const std::vector<sycl::platform> platforms = sycl::platform::get_platforms();
  EXPECT(std::find(platforms.begin(), platforms.end(), platform) != platforms.end());

  EXPECT_ERRC(invalid, (void)sycl::context(std::vector<sycl::device>()));
  EXPECT_ERRC(invalid,
              (void)sycl::context(std::vector<sycl::device>(), [](sycl::exception_list) {}));
  const sycl::context of_device(device), of_platform(platform), of_default;
  EXPECT(of_device.get_devices() == std::vector<sycl::device>{device});
  EXPECT(of_platform.get_devices() == devices && of_platform.get_platform() == platform);
  EXPECT(of_device.get_info<info::context::platform>() == platform &&
         of_device.get_info<info::context::devices>() == of_device.get_devices());
  EXPECT(of_default.get_devices() == std::vector<sycl::device>{device});
  // Queues without a context have the platform's default context.
  EXPECT(sycl::queue(device).get_context() == sycl::queue(device).get_context());
  EXPECT_ERRC(invalid, (void)device.get_info<info::device::parent_device>());
}

static void check_queues() {
  const sycl::device device;
  const sycl::context context(device);
  sycl::queue q(context, device);
  EXPECT(q.get_device() == device && q.get_context() == context);
  EXPECT(q.get_info<info::queue::device>() == device &&
         q.get_info<info::queue::context>() == context);
  EXPECT(q.get_backend() == device.get_backend());
  for (const sycl::device &other : sycl::device::get_devices()) {
    if (other != device) {
      EXPECT_ERRC(invalid, (void)sycl::queue(context, other));
      EXPECT_ERRC(invalid, (void)sycl::queue(context, [&](const sycl::device &d) {
                    return d == other ? 1 : -1;
                  }));
    }
  }
  EXPECT_ERRC(runtime, (void)sycl::queue(context, [](const sycl::device &) { return -1; }));
  if (device.get_info<info::device::partition_max_sub_devices>() > 1) {
    const auto parts = device.create_sub_devices<info::partition_property::partition_equally>(1);
    EXPECT(sycl::queue(context, parts[0]).get_device() == parts[0]);
    EXPECT_ERRC(invalid, (void)sycl::queue(sycl::context(parts[0]), parts[1]));
    EXPECT(parts[0].get_info<info::device::parent_device>() == device);
    EXPECT(parts[0].get_platform() == device.get_platform());
  }

  // A command group is called at once, in the thread that submits, and makes at most one command.
  bool called = false;
  (void)q.submit([&](sycl::handler &) { called = true; });
  EXPECT(called);
  EXPECT_ERRC(invalid, (void)q.submit([&](sycl::handler &h) {
    h.single_task([=] {});
    h.single_task([=] {});
  }));
  EXPECT_ERRC(invalid, (void)q.submit([&](sycl::handler &h) {
    h.single_task([=] {});
    h.host_task([=] {});
  }));
  // What the function throws comes out of submit.
  try {
    (void)q.submit([&](sycl::handler &) { throw 7; });
    EXPECT(false);
  } catch (int value) {
    EXPECT(value == 7);
  }
  q.wait();

  // A secondary queue.
  sycl::queue second(context, device);
  int *shared = sycl::malloc_shared<int>(1, q);
  *shared = 0;
  q.submit([&](sycl::handler &h) { h.single_task([=] { *shared = 3; }); }, second).wait();
  EXPECT(*shared == 3);
  sycl::free(shared, q);
}

static void check_events() {
  // An event that no command made is complete.
  sycl::event empty;
  empty.wait();
  empty.wait_and_throw();
  EXPECT(empty.get_info<info::event::command_execution_status>() ==
         info::event_command_status::complete);
  EXPECT(empty.get_wait_list().empty());
  sycl::event::wait({empty, sycl::event()});
  sycl::event::wait_and_throw({});

  sycl::queue plain;
  sycl::event task = plain.single_task([] {});
  task.wait();
  EXPECT(task.get_info<info::event::command_execution_status>() ==
         info::event_command_status::complete);
  EXPECT(task.get_backend() == plain.get_backend());
  EXPECT_ERRC(invalid, (void)task.get_profiling_info<info::event_profiling::command_submit>());
  EXPECT_ERRC(invalid, (void)task.get_profiling_info<info::event_profiling::command_start>());
  EXPECT_ERRC(invalid, (void)task.get_profiling_info<info::event_profiling::command_end>());

  sycl::queue q{sycl::property::queue::enable_profiling()};
  int *data = sycl::malloc_device<int>(1024, q);
  const sycl::event fill = q.fill(data, 1, 1024);
  sycl::event after = q.submit([&](sycl::handler &h) {
    h.depends_on(fill);
    h.parallel_for(1024, [=](sycl::id<1> i) { data[i] += 1; });
  });
  // Waits for the command.
  const auto end = after.get_profiling_info<info::event_profiling::command_end>();
  EXPECT(after.get_info<info::event::command_execution_status>() ==
         info::event_command_status::complete);
  const auto submit = after.get_profiling_info<info::event_profiling::command_submit>();
  const auto start = after.get_profiling_info<info::event_profiling::command_start>();
  EXPECT(submit <= start && start <= end);
  EXPECT(fill.get_profiling_info<info::event_profiling::command_end>() <= start);
  // What an event waited for may have been dropped when it is complete.
  for (const sycl::event &one : after.get_wait_list()) {
    EXPECT(one == fill);
  }
  sycl::free(data, q);
}

int main() {
  check_selectors();
  check_platforms_and_contexts();
  check_queues();
  check_events();
  return failures != 0;
}
