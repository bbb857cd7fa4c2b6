// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pointer leads to the whole of what it points into: a buffer, a part of one, a USM allocation.
#include "run/sched/launch_aliases.h"

#include "run/memory/memory.h"
#include "run/program/program.h"

#include <string.h>

enum { POINTERS_MOST = 16 };

typedef struct memory_range {
  uintptr_t begin;
  size_t size;
  bool is_written;
} memory_range;

static const tn_access *access_at(const tn_command *command, size_t offset) {
  for (size_t i = 0; i < command->access_count; i++) {
    if (command->accesses[i].arg_offset == offset) {
      return &command->accesses[i];
    }
  }
  return NULL;
}

static bool find_range(const tn_command *command, const void *args, size_t offset,
                       memory_range *out) {
  void *pointer = NULL;
  if (offset + sizeof(pointer) > command->arg_size) {
    return false;
  }
  memcpy(&pointer, (const unsigned char *)args + offset, sizeof(pointer));
  const tn_access *access = access_at(command, offset);
  if (access != NULL || pointer == NULL) {
    out->begin = (uintptr_t)pointer;
    out->size = access != NULL ? access->buffer->size : 0;
    return true;
  }
  return tn_usm_find_allocation(pointer, &out->begin, &out->size);
}

static bool overlap(const memory_range *a, const memory_range *b) {
  return a->size != 0 && b->size != 0 &&
         (a->begin < b->begin ? b->begin - a->begin < a->size : a->begin - b->begin < b->size);
}

static bool are_apart(const memory_range *ranges, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < i; k++) {
      if ((ranges[i].is_written || ranges[k].is_written) && overlap(&ranges[i], &ranges[k])) {
        return false;
      }
    }
  }
  return true;
}

uint64_t tn_launch_noalias(const tn_kernel *kernel, const tn_command *command, const void *args) {
  uint64_t pointers = 0;
  uint64_t written = 0;
  if (TN_ADAPTER_HAS(kernel->device->api, kernel_noalias)) {
    kernel->device->api->kernel_noalias(kernel->adapter_kernel, &pointers, &written);
  }
  if (written == 0) {
    return 0;
  }
  memory_range ranges[POINTERS_MOST];
  size_t count = 0;
  for (uint64_t left = pointers; left != 0; left &= left - 1) {
    const int bit = __builtin_ctzll(left);
    if (count == POINTERS_MOST ||
        !find_range(command, args, (size_t)bit * sizeof(void *), &ranges[count])) {
      return 0;
    }
    ranges[count++].is_written = (written >> bit & 1) != 0;
  }
  return are_apart(ranges, count) ? 1 : 0;
}
