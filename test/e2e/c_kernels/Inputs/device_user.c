// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that calls a device function of another source.
#include "device_sum.h"
#include "kernels_of_c.h"
#include <tenon/single_source.h>

TN_KERNEL void fill(int *out) { out[tn_global_id(0)] = added((int)tn_global_id(0)); }
TN_KERNEL_SLOT(fill_slot, fill);

int main(void) {
  world w = world_open();
  int *out = shared(&w, 16 * sizeof(*out));
  tn_command command = launch_of(NULL, &out, sizeof(out), 16, 0);
  command.slot = &fill_slot;
  launch(&w, &command);
  for (int i = 0; i < 16; i++) {
    EXPECT(out[i] == added(i));
  }
  unshare(&w, out);
  world_close(&w);
  puts("kernels of C, two sources: good");
  return 0;
}
