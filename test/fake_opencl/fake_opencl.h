// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the files of the stand-in for OpenCL's loader share. Two things tell it what to be:
//
//   FAKE_OPENCL       words: gpu (with memory of its own), no-usm, no-svm, no-fp64, no-il,
//                     no-generic, no-compiler, no-device, no-platform; command-buffer,
//                     old-command-buffer (revision 0.9.4), and of these no-simultaneous,
//                     no-mutable, no-branches
//   FAKE_OPENCL_FAIL  function:call:code, the call of the function that fails, from 1 on
#ifndef TN_TEST_FAKE_OPENCL_FAKE_OPENCL_H
#define TN_TEST_FAKE_OPENCL_FAKE_OPENCL_H

#include "adapter/opencl/opencl_driver.h"

#include <pthread.h>
#include <stdbool.h>

#define EXPORT __attribute__((visibility("default")))

enum { UNITS = 4, CALLBACKS = 4 };

typedef struct callback {
  tn_cl_event_fn function;
  void *user;
} callback;

typedef struct tn_cl_event_handle {
  _Atomic int references;
  pthread_mutex_t mu;
  pthread_cond_t cond;
  tn_cl_int status;  // 1 pending, 0 complete, negative
  callback callbacks[CALLBACKS];
  int callback_count;
  uint64_t start_ns;
  uint64_t end_ns;
  tn_cl_queue queue;
} event;

typedef struct job {
  struct job *next;
  void (*run)(struct job *job);
  tn_cl_event waits[4];  // retained
  tn_cl_uint wait_count;
  tn_cl_event done;  // retained; NULL: nobody asked
  void *to;
  const void *from;
  size_t size;
  unsigned char pattern[128];
  size_t pattern_size;
  unsigned char args[4096];
  size_t global[3];
  size_t offset[3];
} job;

typedef struct tn_cl_queue_handle {
  _Atomic int references;
  pthread_t thread;
  pthread_mutex_t mu;
  pthread_cond_t cond;
  job *first;
  job *last;
  bool is_busy;
  bool is_ending;
  tn_cl_context context;
  tn_cl_device device;
  tn_cl_bits properties;
} queue;

struct tn_cl_context_handle {
  _Atomic int references;
  tn_cl_device devices[UNITS];
  tn_cl_uint device_count;
};
struct tn_cl_program_handle {
  _Atomic int references;
  tn_cl_context context;
  unsigned char *code;  // owned
  size_t size;
  bool is_built;
  bool is_compiled;
};
struct tn_cl_kernel_handle {
  _Atomic int references;
  tn_cl_program program;  // retained
  char name[512];
  unsigned char args[4096];
};
struct tn_cl_memory_handle {
  _Atomic int references;
  _Atomic int maps;  // that were not undone
  tn_cl_context context;
  unsigned char *bytes;  // owned, unless `is_of_host`
  size_t size;
  bool is_of_host;
  tn_cl_image_format format;  // of an image; else 0
};
struct tn_cl_device_handle {
  tn_cl_uint units;
  bool is_part;
  _Atomic int references;
};

// Objects that were made and not released yet: 0 at the end, when nothing leaked.
EXPORT int fake_opencl_objects(void);
extern _Atomic int fake_objects;

bool fake_is(const char *word);
// FAKE_OPENCL_FAIL for this call; 0: it goes on.
tn_cl_int fake_failure(const char *function);
#define FAIL(name)                              \
  do {                                          \
    const tn_cl_int code_ = fake_failure(name); \
    if (code_ != 0) {                           \
      return code_;                             \
    }                                           \
  } while (0)
tn_cl_int fake_enqueue(tn_cl_queue of, const job *wanted, tn_cl_uint count,
                       const tn_cl_event *after, tn_cl_event *out);
void fake_event_end(tn_cl_event of, tn_cl_int status);
tn_cl_event fake_event_create(void);
void fake_event_release(tn_cl_event of);
void fake_event_retain(tn_cl_event of);
tn_cl_int fake_answer(const void *value, size_t value_size, size_t size, void *out,
                      size_t *out_size);
void *fake_find_extension(const char *name);

// What a command does; nothing where it cannot be, and a code.
job fake_copy_job(void *to, const void *from, size_t size);
tn_cl_int fake_fill_job(void *to, const void *pattern, size_t pattern_size, size_t size, job *out);
job fake_kernel_job(tn_cl_kernel kernel, tn_cl_uint dims, const size_t *offset,
                    const size_t *global);
// cl_khr_command_buffer.
bool fake_has_command_buffers(void);
tn_cl_int fake_command_buffer_info(tn_cl_uint what, size_t size, void *out, size_t *out_size);
void *fake_find_command_buffer(const char *name);

#endif
