// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of the stand-in for NVIDIA's driver share: its objects, and the jobs of its
// streams.
#ifndef TN_TEST_FAKE_CUDA_FAKE_CUDA_H
#define TN_TEST_FAKE_CUDA_FAKE_CUDA_H

#include "adapter/cuda/cuda_driver.h"

#include <pthread.h>

#define EXPORT __attribute__((visibility("default")))

enum { RECORDS = 256, DEVICES = 2, SHARED_OPTIN = 232448, DRIVER_VERSION = 12040 };
enum { CAPTURED_AFTER = 8 };

typedef struct tn_cu_context_handle {
  int device;
} context;
typedef struct tn_cu_module_handle module;
typedef struct tn_cu_function_handle {
  struct tn_cu_function_handle *next;
  char name[512];
  int dynamic_shared;
  int threads;  // that its registers allow
} function;
typedef struct tn_cu_event_handle {
  pthread_mutex_t mu;
  pthread_cond_t cond;
  unsigned long recorded;
  // The place of each record, as the event may be recorded in another stream before the last one's
  // place is reached.
  unsigned long reached[RECORDS];
  double ms;
  unsigned users;  // jobs of streams, beside who made it
} event;

typedef struct job {
  struct job *next;
  void (*run)(struct job *job);
  int is_on_memory;  // a lost context ends it
  void *to;
  const void *from;
  size_t size;
  size_t pitch;
  size_t width;
  size_t height;
  unsigned value;
  unsigned value_size;
  event *at;
  unsigned long number;
  function *kernel;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_size;
  void *params[2];
  unsigned char bytes[2][4096];
  tn_cu_copy_3d rows;
} job;

typedef struct tn_cu_stream_handle {
  pthread_t thread;
  pthread_mutex_t mu;
  pthread_cond_t cond;
  job *first;
  job *last;
  int is_busy;
  int is_ending;
  tn_cu_graph captures;  // into it
  tn_cu_node captured_after[CAPTURED_AFTER];
  size_t captured_after_count;
} stream;

// With the event's lock held.
static inline int is_reached(const event *at, unsigned long number) {
  return number == 0 || at->reached[number % RECORDS] >= number;
}

// FAKE_CUDA_FAIL for this call; what a kernel's fault left behind otherwise.
tn_cu_result fake_told_to_fail(const char *name);
tn_cu_result fake_enqueue(tn_cu_stream of, const job *wanted);
// In fake_graph.c: a node behind the others.
void fake_capture(tn_cu_stream of, const job *wanted);
tn_cu_result fake_enqueue_fill(tn_cu_address to, size_t pitch, unsigned value, unsigned size,
                               size_t width, size_t height, tn_cu_stream in);
// In fake_image.c: a byte of an array.
unsigned char *fake_array_at(tn_cu_array array, size_t x, size_t y, size_t z);
// The function's first line.
#define CALL(name)                                      \
  do {                                                  \
    const tn_cu_result told = fake_told_to_fail(#name); \
    if (told != TN_CU_SUCCESS) {                        \
      return told;                                      \
    }                                                   \
  } while (0)

#endif
