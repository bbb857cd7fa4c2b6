// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asserts of kernels: the first that fails is noted in memory that the host reads, whose address is
// a specialization constant (tn_spirv_assert in image.h), and reported when a kernel is complete.
#include "adapter/opencl/opencl_device.h"
#include "base/buf.h"
#include "image/image.h"
#include "tenon/memory.h"

#include <string.h>
#include <unistd.h>

enum { NOTING = 1, NOTED = 3, MESSAGE_MAXIMUM = 1 << 12 };

static bool has_aspect(const tn_adapter_device *device, uint32_t aspect) {
  return (device->aspects >> aspect & 1) != 0;
}

tn_spirv_assert *tn_opencl_assert_memory(tn_adapter_device *device) {
  tn_spirv_assert *known = atomic_load_explicit(&device->asserts, memory_order_acquire);
  if (known) {
    return known;
  }
  const bool has_host = has_aspect(device, TN_ASPECT_USM_HOST_ALLOCATIONS);
  void *memory = NULL;
  if ((!has_host && !has_aspect(device, TN_ASPECT_USM_SHARED_ALLOCATIONS)) ||
      tn_opencl_memory_alloc(device, has_host ? TN_USM_HOST : TN_USM_SHARED,
                             sizeof(tn_spirv_assert), sizeof(uint64_t), &memory, NULL) != TN_OK) {
    return NULL;
  }
  memset(memory, 0, sizeof(tn_spirv_assert));
  if (!atomic_compare_exchange_strong(&device->asserts, &known, memory)) {
    tn_opencl_memory_free(device, TN_USM_HOST, memory);
    return known;
  }
  return memory;
}

static tn_str text_of(const char *text) {
  return (tn_str){text, strnlen(text, TN_SPIRV_ASSERT_TEXT_SIZE)};
}

static void print(const tn_spirv_assert *failed) {
  const tn_str file = text_of(failed->file);
  const tn_str function = text_of(failed->function);
  const tn_str condition = text_of(failed->condition);
  const uint64_t *global = failed->global_id;
  const uint64_t *local = failed->local_id;
  tn_buf text;
  tn_buf_init(&text, MESSAGE_MAXIMUM);
  tn_buf_add_format(&text,
                    "%.*s:%u: %.*s: global id: [%llu,%llu,%llu], local id: [%llu,%llu,%llu] "
                    "Assertion `%.*s` failed.\n",
                    TN_STR_ARG(file), failed->line, TN_STR_ARG(function),
                    (unsigned long long)global[0], (unsigned long long)global[1],
                    (unsigned long long)global[2], (unsigned long long)local[0],
                    (unsigned long long)local[1], (unsigned long long)local[2],
                    TN_STR_ARG(condition));
  if (text.size > 0 && write(STDERR_FILENO, text.data, text.size) < 0) {
    // Without a standard error the exception is all there is.
  }
  tn_buf_deinit(&text);
}

tn_status tn_opencl_assert_check(tn_adapter_device *device, const char *kernel, tn_diag *diag) {
  tn_spirv_assert *failed = atomic_load_explicit(&device->asserts, memory_order_acquire);
  if (!failed || __atomic_load_n(&failed->state, __ATOMIC_ACQUIRE) != NOTED) {
    return TN_OK;
  }
  // Of several commands that are complete one reports it.
  uint32_t state = NOTED;
  if (!__atomic_compare_exchange_n(&failed->state, &state, NOTING, false, __ATOMIC_ACQUIRE,
                                   __ATOMIC_RELAXED)) {
    return TN_OK;
  }
  print(failed);
  __atomic_store_n(&failed->state, 0, __ATOMIC_RELEASE);
  return TN_FAIL(diag, DEVICE_FAILED,
                 "kernel %.300s on device %.100s: an assert of a kernel failed", kernel,
                 device->name);
}
