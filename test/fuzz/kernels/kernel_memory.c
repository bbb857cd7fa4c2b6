// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers between pages without access.
#include "fuzz/kernels/kernel_memory.h"

#include <sys/mman.h>

enum { PAGE = 4096, GUARD = 16 * PAGE, BESIDE = 0xa5 };

static size_t whole_pages(const kernel_buffer *buffer) {
  return (kernel_buffer_size(buffer) + PAGE - 1) / PAGE * PAGE;
}

bool memory_open(kernel_memory *out, const kernel_launch *launch, uint32_t placement) {
  *out = (kernel_memory){0};
  for (uint32_t i = 0; i < launch->buffer_count; i++) {
    const kernel_buffer *b = &launch->buffers[i];
    const size_t pages = whole_pages(b);
    uint8_t *map =
        mmap(NULL, pages + 2 * (size_t)GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(map + GUARD, pages, PROT_READ | PROT_WRITE) != 0) {
      return false;
    }
    out->maps[i] = map;
    memset(map + GUARD, BESIDE, pages);
    out->buffers[i] = map + GUARD + (placement == 0 ? 0 : pages - kernel_buffer_size(b));
    kernel_buffer_fill(b, out->buffers[i]);
  }
  return true;
}

void memory_close(kernel_memory *memory, const kernel_launch *launch) {
  for (uint32_t i = 0; i < launch->buffer_count; i++) {
    (void)munmap(memory->maps[i], whole_pages(&launch->buffers[i]) + 2 * (size_t)GUARD);
  }
}

bool memory_is_whole(const kernel_memory *memory, const kernel_launch *launch, uint32_t buffer) {
  const kernel_buffer *b = &launch->buffers[buffer];
  const uint8_t *first = memory->maps[buffer] + GUARD;
  const uint8_t *data = memory->buffers[buffer];
  for (const uint8_t *at = first; at < first + whole_pages(b); at++) {
    const bool is_beside = at < data || at >= data + kernel_buffer_size(b);
    if (is_beside && *at != BESIDE) {
      return false;
    }
  }
  return true;
}

uint64_t memory_digest(const void *bytes, size_t size) {
  const uint8_t *at = bytes;
  uint64_t digest = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++) {
    digest = (digest ^ at[i]) * 0x100000001b3u;
  }
  return digest;
}
