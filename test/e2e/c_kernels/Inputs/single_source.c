// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One source in C for the host and for devices.
#include "kernels_of_c.h"
#include <tenon/single_source.h>

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

enum { COUNT = 256, GROUP = 32 };

typedef struct weights {
  float by;
  float more[3];
} weights;

float weighted(float x, weights w);
float weighted(float x, weights w) { return x * w.by + w.more[1]; }

TN_KERNEL void scale(float *data, weights w, bool twice) {
  const size_t i = tn_global_id(0);
  data[i] = weighted(data[i], w) + sqrtf(4.0f);
  if (twice) {
    data[i] *= 2;
  }
}
TN_KERNEL_SLOT(scale_slot, scale);

TN_KERNEL TN_GROUP_SIZE(GROUP) void total(int64_t *sum, const int32_t *in, TN_LOCAL int32_t *tile) {
  const size_t at = tn_local_id(0);
  tile[at] = in[tn_global_id(0)];
  for (size_t half = GROUP / 2; half > 0; half /= 2) {
    tn_barrier();
    if (at < half) {
      tile[at] += tile[at + half];
    }
  }
  if (at == 0) {
    tn_atomic_add(sum, (int64_t)tile[0]);
  }
}
TN_KERNEL_SLOT(total_slot, total);

static void check_scale(const world *w) {
  struct {
    float *data;
    weights w;
    bool twice;
  } args = {shared(w, COUNT * sizeof(float)), {3.0f, {0, 1.0f, 0}}, true};
  for (int i = 0; i < COUNT; i++) {
    args.data[i] = (float)i;
  }
  tn_command command = launch_of(NULL, &args, sizeof(args), COUNT, 0);
  command.slot = &scale_slot;
  launch(w, &command);
  for (int i = 0; i < COUNT; i++) {
    EXPECT(args.data[i] == 2.0f * (3.0f * (float)i + 3.0f));
  }
  unshare(w, args.data);
}

static void check_total(const world *w) {
  struct {
    int64_t *sum;
    int32_t *in;
    uint64_t tile;
  } args = {shared(w, 8), shared(w, COUNT * sizeof(int32_t)), 0};
  for (int i = 0; i < COUNT; i++) {
    args.in[i] = i;
  }
  const tn_local tile = {
      .id = 1, .size = GROUP * sizeof(int32_t), .alignment = 4, .arg_offset = 16};
  tn_command command = launch_of(NULL, &args, sizeof(args), COUNT, GROUP);
  command.slot = &total_slot;
  command.locals = &tile;
  command.local_count = 1;
  launch(w, &command);
  EXPECT(*args.sum == COUNT * (COUNT - 1) / 2);
  unshare(w, args.sum);
  unshare(w, args.in);
}

int main(void) {
  world w = world_open();
  check_scale(&w);
  check_total(&w);
  world_close(&w);
  printf("kernels of C, single source: %s\n", fabs(-1.0) == 1.0 ? "good" : "bad");
  return 0;
}
