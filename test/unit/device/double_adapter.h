// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An adapter that a test can look into: it counts what is loaded, fails when told to, and can be
// held up in the middle of a load. Code is text: the names of its kernels, separated by spaces.
#ifndef TN_TEST_DOUBLE_ADAPTER_H
#define TN_TEST_DOUBLE_ADAPTER_H

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "image/image.h"
#include "tenon/adapter.h"

struct tn_adapter_device {
  const char *name;
  const char *target;
  uint32_t type;
};
struct tn_adapter {
  tn_adapter_device *devices;
  size_t device_count;
};
struct tn_adapter_kernel {
  char *name;
  tn_adapter_kernel *next;
};
struct tn_adapter_program {
  char *code;
  tn_mutex mu;
  tn_adapter_kernel *kernels;
};

static _Atomic int double_load_count;  // since start
static _Atomic int double_live;        // loaded and not unloaded
static _Atomic bool double_fails;      // the next loads fail
static _Atomic int double_holds;       // loads wait while this is not 0
static _Atomic int double_waiting;     // loads that wait now

static uint64_t (*double_aspects)(const tn_adapter_device *device);  // NULL: it knows of none

static inline tn_status double_device_get_info(tn_adapter_device *device, int32_t what, void *out,
                                               size_t size, size_t *out_size, tn_diag *diag) {
  const uint64_t aspects = double_aspects ? double_aspects(device) : 0;
  const void *answer = device->name;
  size_t needed = strlen(device->name) + 1;
  if (what == TN_DEVICE_INFO_TYPE) {
    answer = &device->type;
    needed = sizeof(device->type);
  } else if (what == TN_DEVICE_INFO_ASPECTS) {
    answer = &aspects;
    needed = sizeof(aspects);
  } else if (what != TN_DEVICE_INFO_NAME) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "no such information");
  }
  if (out_size) {
    *out_size = needed;
  }
  if (out && size >= needed) {
    memcpy(out, answer, needed);
  }
  return size >= needed || !out ? TN_OK : TN_FAIL(diag, INVALID_ARGUMENT, "too small");
}

static inline tn_status double_get_info(tn_adapter *adapter, int32_t what, void *out, size_t size,
                                        size_t *out_size, tn_diag *diag) {
  (void)what;
  return double_device_get_info(&adapter->devices[0], TN_DEVICE_INFO_NAME, out, size, out_size,
                                diag);
}

static inline size_t double_device_count(tn_adapter *adapter) {
  return adapter->device_count;
}
static inline tn_adapter_device *double_device_at(tn_adapter *adapter, size_t index) {
  return &adapter->devices[index];
}
static inline const char *double_device_target(tn_adapter_device *device) {
  return device->target;
}

static inline tn_status double_program_load(tn_adapter_device *device, const void *code,
                                            size_t size, tn_adapter_program **out, tn_diag *diag) {
  (void)device;
  *out = NULL;
  double_waiting++;
  while (double_holds != 0) {
    sched_yield();
  }
  double_waiting--;
  double_load_count++;
  if (double_fails || tn_fault_hit()) {
    return TN_FAIL(diag, BUILD_FAILED, "the double was told to fail");
  }
  tn_adapter_program *program = tn_alloc(sizeof(*program));
  char *copy = tn_str_copy((tn_str){code, size});
  if (!program || !copy) {
    tn_free(program);
    tn_free(copy);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory");
  }
  program->code = copy;
  tn_mutex_init(&program->mu, TN_RANK_ADAPTER);
  double_live++;
  *out = program;
  return TN_OK;
}

static inline void double_program_unload(tn_adapter_program *program) {
  double_live--;
  while (program->kernels) {
    tn_adapter_kernel *next = program->kernels->next;
    tn_free(program->kernels->name);
    tn_free(program->kernels);
    program->kernels = next;
  }
  tn_mutex_deinit(&program->mu);
  tn_free(program->code);
  tn_free(program);
}

static inline bool double_code_has(const char *code, tn_str name) {
  tn_str rest = tn_str_from(code);
  for (tn_str word = tn_str_split(&rest, ' '); word.data; word = tn_str_split(&rest, ' ')) {
    if (tn_str_equals(word, name)) {
      return true;
    }
  }
  return false;
}

static inline tn_status double_kernel_find(tn_adapter_program *program, const char *name,
                                           tn_adapter_kernel **out, tn_diag *diag) {
  *out = NULL;
  if (tn_fault_hit()) {
    return TN_FAIL(diag, DEVICE_FAILED, "the double was told to fail");
  }
  if (!double_code_has(program->code, tn_str_from(name))) {
    return TN_FAIL(diag, KERNEL_NOT_FOUND, "not in \"%s\"", program->code);
  }
  tn_adapter_kernel *kernel = tn_alloc(sizeof(*kernel));
  char *copy = tn_str_copy(tn_str_from(name));
  if (!kernel || !copy) {
    tn_free(kernel);
    tn_free(copy);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory");
  }
  kernel->name = copy;
  tn_mutex_lock(&program->mu);
  kernel->next = program->kernels;
  program->kernels = kernel;
  tn_mutex_unlock(&program->mu);
  *out = kernel;
  return TN_OK;
}

// For target mock, code is taken as it is; for others bitcode is compiled, and PTX by the driver.
static inline uint32_t double_image_fit(tn_adapter_device *device, const tn_adapter_image *image,
                                        uint32_t *out_flags, tn_diag *diag) {
  (void)diag;
  const bool is_mock = strcmp(device->target, "mock") == 0;
  *out_flags = is_mock                                    ? TN_ADAPTER_IMAGE_IS_WHOLE
               : image->format == TN_IMAGE_FORMAT_BITCODE ? TN_ADAPTER_IMAGE_IS_COMPILED
               : image->format == TN_IMAGE_FORMAT_PTX     ? TN_ADAPTER_IMAGE_IS_PORTABLE
                                                          : 0;
  return 1;
}

// The rest of the table is not called by the components under test.
#define DOUBLE_ADAPTER(adapter_name, create_fn)                                               \
  {.size = sizeof(tn_adapter_api), .version = TN_ADAPTER_VERSION, .name = (adapter_name),     \
   .create = (create_fn), .get_info = double_get_info, .device_count = double_device_count,   \
   .device_at = double_device_at, .device_get_info = double_device_get_info,                  \
   .device_target = double_device_target, .program_load = double_program_load,                \
   .program_unload = double_program_unload, .kernel_find = double_kernel_find,                \
   .image_fit = double_image_fit}

#endif
