// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills: every byte of the destination is what it is to be, and no other has changed.
#include "base/thread.h"
#include "conformance/conformance.h"

#include <stdlib.h>

enum { MEMORY = 1 << 18, ROWS = 6, SLICES = 3, PITCH = 200, SLICE = PITCH * 8 };

void conformance_done(void *user, tn_status status, const tn_diag *diag, uint64_t start_ns,
                      uint64_t end_ns) {
  ending *e = user;
  e->status = status;
  e->start_ns = start_ns;
  e->end_ns = end_ns;
  if (status != TN_OK && diag) {
    conformance_diag = *diag;
  }
  atomic_fetch_add(&e->calls, 1);
}

void conformance_await(const subject *s, ending *e) {
  const uint64_t begin = tn_time_ns();
  while (atomic_load(&e->calls) == 0 && tn_time_ns() - begin < 20000000000u) {
    if (s->has->flush) {
      s->api->flush(s->device);
    }
    if (!s->has->help || !s->api->help(s->device)) {
      tn_thread_yield();
    }
  }
  CHECK(atomic_load(&e->calls) == 1);
  CHECK(e->status == TN_OK);
  CHECK(e->start_ns <= e->end_ns);
}

void conformance_run(const subject *s, const tn_adapter_command *command) {
  bool ran = false;
  if (s->has->try_run) {
    OK(s->api->try_run(s->device, command, &ran, NULL, NULL, DIAG));
  }
  if (!ran) {
    ending e = {0};
    const tn_status status = s->api->submit(s->device, command, conformance_done, &e, DIAG);
    CHECK(status == TN_OK);
    if (status == TN_OK) {
      conformance_await(s, &e);
    }
  }
}

static void copy(const subject *s, void *to, const void *from, size_t size) {
  const tn_adapter_command command = {
      .kind = TN_ADAPTER_COPY, .dst = to, .src = from, .size = size};
  conformance_run(s, &command);
}

static void fill_random(unsigned char *out, size_t size, uint32_t seed) {
  for (size_t i = 0; i < size; i++) {
    seed = seed * 1664525u + 1013904223u;
    out[i] = (unsigned char)(seed >> 24);
  }
}

static void check_copies(const subject *s, unsigned char *memory, unsigned char *wanted,
                         unsigned char *got) {
  static const size_t sizes[] = {1, 3, 64, 4097, 32768, 40000, 200000};
  for (size_t i = 0; i < TN_COUNT(sizes); i++) {
    fill_random(wanted, MEMORY, (uint32_t)i + 1);
    copy(s, memory, wanted, MEMORY);
    // Inside the device's memory, at places that are not aligned.
    if (2 * sizes[i] + 8 < MEMORY) {
      copy(s, memory + 5, memory + sizes[i] + 7, sizes[i]);
      memmove(wanted + 5, wanted + sizes[i] + 7, sizes[i]);
    }
    copy(s, got, memory, MEMORY);
    CHECK(memcmp(got, wanted, MEMORY) == 0);
  }
}

static void check_fills(const subject *s, unsigned char *memory, unsigned char *wanted,
                        unsigned char *got) {
  static const size_t sizes[] = {1, 2, 3, 4, 7, 8, 16, 24, 32, 100, 128, 300};
  static unsigned char pattern[512];
  for (size_t i = 0; i < TN_COUNT(sizes); i++) {
    for (size_t shift = 0; shift < 2; shift++) {
      const size_t count = i % 2 == 0 ? 11 : 900;
      size_t size = sizes[i] * count;
      size = size < MEMORY - 64 ? size : MEMORY - 64 - (MEMORY - 64) % sizes[i];
      fill_random(pattern, sizes[i], (uint32_t)i + 7);
      fill_random(wanted, MEMORY, (uint32_t)i);
      copy(s, memory, wanted, MEMORY);
      const tn_adapter_command command = {.kind = TN_ADAPTER_FILL,
                                          .dst = memory + 32 + shift,
                                          .size = size,
                                          .pattern = pattern,
                                          .pattern_size = sizes[i]};
      conformance_run(s, &command);
      for (size_t k = 0; k < size; k++) {
        wanted[32 + shift + k] = pattern[k % sizes[i]];
      }
      copy(s, got, memory, MEMORY);
      CHECK(memcmp(got, wanted, MEMORY) == 0);
    }
  }
}

static void check_rects(const subject *s, unsigned char *memory, unsigned char *wanted,
                        unsigned char *got) {
  static const unsigned char pattern[4] = {1, 2, 3, 4};
  unsigned char *const source = wanted + MEMORY / 2;
  fill_random(wanted, MEMORY, 99);
  copy(s, memory, wanted, MEMORY);
  tn_adapter_command command = {.kind = TN_ADAPTER_COPY_RECT,
                                .rect_dst = {memory + 64, PITCH, SLICE},
                                .rect_src = {memory + MEMORY / 2, PITCH / 2, SLICE},
                                .extent = {PITCH / 2 - 3, ROWS, SLICES}};
  conformance_run(s, &command);
  for (size_t slice = 0; slice < SLICES; slice++) {
    for (size_t row = 0; row < ROWS; row++) {
      memcpy(wanted + 64 + slice * SLICE + row * PITCH, source + slice * SLICE + row * PITCH / 2,
             PITCH / 2 - 3);
    }
  }
  copy(s, got, memory, MEMORY);
  CHECK(memcmp(got, wanted, MEMORY) == 0);
  command = (tn_adapter_command){.kind = TN_ADAPTER_FILL_RECT,
                                 .rect_dst = {memory + 128, PITCH, SLICE},
                                 .extent = {40, ROWS, SLICES},
                                 .pattern = pattern,
                                 .pattern_size = sizeof(pattern)};
  conformance_run(s, &command);
  for (size_t slice = 0; slice < SLICES; slice++) {
    for (size_t row = 0; row < ROWS; row++) {
      for (size_t k = 0; k < 40; k++) {
        wanted[128 + slice * SLICE + row * PITCH + k] = pattern[k % 4];
      }
    }
  }
  copy(s, got, memory, MEMORY);
  CHECK(memcmp(got, wanted, MEMORY) == 0);
}

// A command's times are of the runtime's clock.
static void check_times(const subject *s, unsigned char *memory, unsigned char *from) {
  uint64_t aspects = 0;
  OK(s->api->device_get_info(s->device, TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects), NULL,
                             DIAG));
  if ((aspects >> TN_ASPECT_QUEUE_PROFILING & 1) == 0) {
    return;
  }
  const uint64_t before = tn_time_ns();
  ending e = {0};
  const tn_adapter_command command = {
      .kind = TN_ADAPTER_COPY, .wants_times = 1, .dst = memory, .src = from, .size = MEMORY};
  OK(s->api->submit(s->device, &command, conformance_done, &e, DIAG));
  conformance_await(s, &e);
  const uint64_t slack = 1000000;
  CHECK(e.start_ns + slack >= before && e.end_ns <= tn_time_ns() + slack);
}

void conformance_commands(const subject *s) {
  unsigned char *wanted = malloc(MEMORY);
  unsigned char *got = malloc(MEMORY);
  void *memory = NULL;
  OK(s->api->memory_alloc(s->device, TN_USM_DEVICE, MEMORY, 64, &memory, DIAG));
  if (memory && wanted && got) {
    check_copies(s, memory, wanted, got);
    check_fills(s, memory, wanted, got);
    check_rects(s, memory, wanted, got);
    check_times(s, memory, wanted);
    s->api->memory_free(s->device, TN_USM_DEVICE, memory);
  }
  free(wanted);
  free(got);
}
