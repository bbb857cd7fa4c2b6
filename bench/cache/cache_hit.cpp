// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a hit costs. First the one on disk: the first look-up of a kernel in this process, from slot
// to kernel, with devices and queue there already. Then the one in memory: launches that name the
// slot against launches that have the kernel in hand. Prints `name value` lines.
#include "cache_kernels.hpp"
#include <tenon/cache.h>
#include <tenon/queue.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

using steady = std::chrono::steady_clock;
static double since(steady::time_point start) {
  return std::chrono::duration<double, std::nano>(steady::now() - start).count();
}
static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static tn_diag diag;
#define MUST(call)                            \
  do {                                        \
    if ((call) != TN_OK) {                    \
      std::printf("failed: %s\n", diag.text); \
      return 1;                               \
    }                                         \
  } while (0)

// The kernel is launched by the headers somewhere, so that it is there.
int run_all(sycl::queue &q, unsigned *out) { return run_parts<0>(q, out); }

static tn_kernel_slot *slot_of_kernel() {
#ifdef __SYCL_DEVICE_ONLY__
  return nullptr;
#else
  return sycl::detail::kernel_slot<part<0>, part<0>>();
#endif
}

int main(int argc, char **argv) {
  const bool only_disk = argc > 1 && std::strcmp(argv[1], "disk") == 0;
  tn_device *device = tn_device_at(0);
  tn_context *context = nullptr;
  tn_queue *queue = nullptr;
  MUST(tn_context_create(&device, 1, &context, &diag));
  MUST(tn_queue_create(context, device, TN_QUEUE_IN_ORDER, &queue, &diag));
  tn_kernel_slot *slot = slot_of_kernel();
  tn_kernel *kernel = nullptr;
  auto start = steady::now();
  MUST(tn_kernel_from_slot(slot, device, &kernel, &diag));
  const double first = since(start);
  tn_cache_stats stats = {};
  stats.struct_size = sizeof(stats);
  tn_cache_get_stats(&stats);
  std::printf("first_ns %.0f\ndisk_hits %llu\nbuilds %llu\n", first,
              static_cast<unsigned long long>(stats.disk_hits),
              static_cast<unsigned long long>(stats.builds));
  if (only_disk) {
    return 0;
  }
  unsigned out[16] = {};
  unsigned *argument = out;
  tn_command command = {};
  command.struct_size = sizeof(command);
  command.kind = TN_COMMAND_KERNEL;
  command.args = &argument;
  command.arg_size = sizeof(argument);
  command.arg_align = alignof(unsigned *);
  command.dims = 1;
  for (int i = 0; i < 3; i++) {
    command.global[i] = command.local[i] = 1;
  }
  std::vector<double> by_slot, by_kernel, look_up, differences;
  const int launches = 20000;
  for (int round = 0; round < 41; round++) {
    double time[2] = {};
    for (int turn = 0; turn < 2; turn++) {
      const bool with_slot = (turn + round) % 2 == 0;
      command.slot = with_slot ? slot : nullptr;
      command.kernel = with_slot ? nullptr : kernel;
      start = steady::now();
      for (int i = 0; i < launches; i++) {
        MUST(tn_queue_submit(queue, &command, nullptr, &diag));
      }
      MUST(tn_queue_wait(queue, &diag));
      time[with_slot] = since(start) / launches;
    }
    by_kernel.push_back(time[0]);
    by_slot.push_back(time[1]);
    differences.push_back(time[1] - time[0]);
    start = steady::now();
    for (int i = 0; i < launches; i++) {
      MUST(tn_kernel_from_slot(slot, device, &kernel, &diag));
    }
    look_up.push_back(since(start) / launches);
  }
  std::printf("launch_by_slot_ns %.1f\nlaunch_by_kernel_ns %.1f\nadded_ns %.1f\nlook_up_ns %.1f\n",
              median(by_slot), median(by_kernel), median(differences), median(look_up));
  tn_queue_release(queue);
  tn_context_release(context);
  return 0;
}
