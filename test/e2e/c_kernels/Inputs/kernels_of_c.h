// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What programs in C need to build and launch kernels of C, with checks that end the program.
#ifndef TENON_TEST_KERNELS_OF_C_H
#define TENON_TEST_KERNELS_OF_C_H

#include <tenon/tenon.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                     \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)
#define OK(call)                                                                \
  do {                                                                          \
    tn_diag diag = {0};                                                         \
    const tn_status status = (call);                                            \
    if (status != TN_OK) {                                                      \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, diag.text); \
      exit(1);                                                                  \
    }                                                                           \
  } while (0)

typedef struct world {
  tn_device *device;
  tn_context *context;
  tn_queue *queue;
} world;

static inline world world_open(void) {
  world w = {0};
  w.device = tn_device_at(0);
  EXPECT(w.device != NULL);
  OK(tn_context_create(&w.device, 1, &w.context, &diag));
  OK(tn_queue_create(w.context, w.device, TN_QUEUE_IN_ORDER, &w.queue, &diag));
  return w;
}

static inline void world_close(world *w) {
  tn_queue_release(w->queue);
  tn_context_release(w->context);
}

static inline void *shared(const world *w, size_t size) {
  void *memory = NULL;
  OK(tn_usm_alloc(w->context, w->device, TN_USM_SHARED, size, 0, &memory, &diag));
  memset(memory, 0, size);
  return memory;
}

static inline void unshare(const world *w, void *memory) {
  OK(tn_usm_free(w->context, memory, &diag));
}

// A launch of `count` work-items in work-groups of `local`, or as the device likes (0).
static inline tn_command launch_of(tn_kernel *kernel, const void *args, size_t size, size_t count,
                                   size_t local) {
  return (tn_command){
      .struct_size = sizeof(tn_command),
      .kind = TN_COMMAND_KERNEL,
      .kernel = kernel,
      .args = args,
      .arg_size = (uint32_t)size,
      .arg_align = 16,
      .dims = 1,
      .has_local = local != 0,
      .global = {count, 1, 1},
      .local = {local != 0 ? local : 1, 1, 1},
  };
}

static inline void launch(const world *w, const tn_command *command) {
  OK(tn_queue_submit(w->queue, command, NULL, &diag));
  OK(tn_queue_wait(w->queue, &diag));
}

#endif
