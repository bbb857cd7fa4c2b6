// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mock's memory: each allocation lies between guards that its free looks at.
#include "adapter/mock/mock_device.h"
#include "base/alloc.h"

#include <string.h>

enum { GUARD_SIZE = 64, GUARD_BYTE = 0xa5 };

struct mock_allocation {
  mock_allocation *next;
  unsigned char *block;   // owned: guard, memory, guard
  unsigned char *memory;  // inside block
  size_t size;
  int32_t kind;
};

tn_status tn_mock_memory_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                               size_t alignment, void **out, tn_diag *diag) {
  *out = NULL;
  const size_t before = alignment > GUARD_SIZE ? alignment : GUARD_SIZE;
  size_t total = 0;
  mock_allocation *allocation = NULL;
  unsigned char *block = NULL;
  if (!tn_mock_must_fail(device, TN_MOCK_ALLOC) && tn_size_add(size, before + GUARD_SIZE, &total)) {
    allocation = tn_alloc(sizeof(*allocation));
    block = tn_alloc_aligned(total, before);
  }
  if (allocation == NULL || block == NULL) {
    tn_free(allocation);
    tn_free_aligned(block);
    return TN_FAIL(diag, OUT_OF_MEMORY, "the mock device has no memory for %zu bytes", size);
  }
  memset(block, GUARD_BYTE, total);
  allocation->block = block;
  allocation->memory = block + before;
  allocation->size = size;
  allocation->kind = kind;
  tn_mutex_lock(&device->mu);
  allocation->next = device->allocations;
  device->allocations = allocation;
  device->memory_count++;
  tn_mutex_unlock(&device->mu);
  *out = allocation->memory;
  return TN_OK;
}

static bool is_intact(const mock_allocation *allocation) {
  for (size_t i = 1; i <= GUARD_SIZE; i++) {
    if (allocation->memory[-(ptrdiff_t)i] != GUARD_BYTE ||
        allocation->memory[allocation->size + i - 1] != GUARD_BYTE) {
      return false;
    }
  }
  return true;
}

void tn_mock_memory_free(tn_adapter_device *device, int32_t kind, void *memory) {
  tn_mutex_lock(&device->mu);
  mock_allocation **link = &device->allocations;
  while (*link != NULL && (*link)->memory != memory) {
    link = &(*link)->next;
  }
  mock_allocation *found = *link;
  if (found != NULL) {
    *link = found->next;
    device->memory_count--;
  }
  if (found == NULL || found->kind != kind || !is_intact(found)) {
    device->memory_errors++;
  }
  tn_mutex_unlock(&device->mu);
  if (found != NULL) {
    tn_free_aligned(found->block);
    tn_free(found);
  }
}

size_t tn_mock_memory_count(tn_adapter_device *device) {
  tn_mutex_lock(&device->mu);
  const size_t count = device->memory_count;
  tn_mutex_unlock(&device->mu);
  return count;
}

size_t tn_mock_memory_errors(tn_adapter_device *device) {
  tn_mutex_lock(&device->mu);
  const size_t count = device->memory_errors;
  tn_mutex_unlock(&device->mu);
  return count;
}
