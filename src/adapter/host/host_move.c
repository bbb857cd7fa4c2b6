// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills by the calling thread.
#include "adapter/host/host.h"

#include <string.h>

enum { FILL_BLOCK = 8192 };  // copied again and again from there, it stays in the cache

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

void tn_host_fill(void *to, uint64_t size, const void *pattern, uint64_t pattern_size) {
  unsigned char *dst = to;
  if (pattern_size == 1) {
    memset(dst, *(const unsigned char *)pattern, size);
    return;
  }
  uint64_t done = smaller(pattern_size, size);
  memcpy(dst, pattern, done);
  uint64_t block = done;
  while (done < size) {
    const uint64_t now = smaller(block, size - done);
    memcpy(dst + done, dst, now);
    done += now;
    if (block < FILL_BLOCK) {
      block = done;
    }
  }
}

static unsigned char *row_at(const tn_adapter_rect *rect, uint64_t row, uint64_t slice) {
  return (unsigned char *)rect->memory + slice * rect->slice_pitch + row * rect->row_pitch;
}

void tn_host_move_rows(const tn_adapter_command *command, uint64_t first, uint64_t end) {
  for (uint64_t i = first; i < end; i++) {
    const uint64_t row = i % command->extent[1];
    const uint64_t slice = i / command->extent[1];
    unsigned char *to = row_at(&command->rect_dst, row, slice);
    if (command->kind == TN_ADAPTER_FILL_RECT) {
      tn_host_fill(to, command->extent[0], command->pattern, command->pattern_size);
    } else {
      memmove(to, row_at(&command->rect_src, row, slice), command->extent[0]);
    }
  }
}

void tn_host_move(const tn_adapter_command *command) {
  switch (command->kind) {
    case TN_ADAPTER_COPY:
      memmove(command->dst, command->src, command->size);
      break;
    case TN_ADAPTER_FILL:
      tn_host_fill(command->dst, command->size, command->pattern, command->pattern_size);
      break;
    case TN_ADAPTER_COPY_RECT:
    case TN_ADAPTER_FILL_RECT:
      tn_host_move_rows(command, 0, command->extent[1] * command->extent[2]);
      break;
    default:
      break;
  }
}
