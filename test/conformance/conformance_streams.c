// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Streams run in order, marks are places in them, and one stream waits for another.
#include "conformance/conformance.h"

enum { CELLS = 4096, STEPS = 40 };

static tn_adapter_command copy_of(void *to, const void *from, size_t size) {
  return (tn_adapter_command){.kind = TN_ADAPTER_COPY, .dst = to, .src = from, .size = size};
}

// Each step copies the block before it: out of order the last one lacks something.
static void check_order(const subject *s, tn_adapter_stream *stream, unsigned char *memory,
                        unsigned char *host) {
  ending e = {0};
  for (int round = 0; round < 3; round++) {
    memset(host, round + 1, CELLS);
    tn_adapter_command command = copy_of(memory, host, CELLS);
    OK(s->api->stream_launch(stream, &command, DIAG));
    for (size_t i = 1; i < STEPS; i++) {
      command = copy_of(memory + i * CELLS, memory + (i - 1) * CELLS, CELLS);
      OK(i % 5 == 0 ? s->api->stream_submit(stream, &command, conformance_done, &e, DIAG)
                    : s->api->stream_launch(stream, &command, DIAG));
      if (i % 5 == 0) {
        conformance_await(s, &e);
        atomic_store(&e.calls, 0);
      }
    }
    // A pattern that drivers have no command for.
    static const unsigned char pattern[3] = {7, 8, 9};
    command = (tn_adapter_command){.kind = TN_ADAPTER_FILL,
                                   .dst = memory + (STEPS - 1) * CELLS + 1,
                                   .size = 30,
                                   .pattern = pattern,
                                   .pattern_size = 3};
    OK(s->api->stream_launch(stream, &command, DIAG));
    command = copy_of(host, memory + (STEPS - 1) * CELLS, CELLS);
    OK(s->api->stream_launch(stream, &command, DIAG));
    OK(s->api->stream_wait(stream, DIAG));
    CHECK(host[0] == round + 1 && host[1] == 7 && host[30] == 9);
    CHECK(host[31] == round + 1 && host[CELLS - 1] == round + 1);
    CHECK(s->api->stream_is_idle(stream));
  }
}

static void check_marks(const subject *s, tn_adapter_stream *stream, tn_adapter_stream *other,
                        unsigned char *memory, unsigned char *host) {
  tn_adapter_mark *mark = NULL;
  ending e = {0};
  ending empty = {0};
  memset(host, 50, CELLS);
  tn_adapter_command command = copy_of(memory, host, CELLS);
  OK(s->api->stream_launch(stream, &command, DIAG));
  OK(s->api->mark_create(stream, &mark, DIAG));
  OK(s->api->mark_watch(mark, conformance_done, &e, DIAG));
  if (s->has->stream_after) {
    OK(s->api->stream_after(other, mark, DIAG));
    command = copy_of(memory + CELLS, memory, CELLS);
    OK(s->api->stream_launch(other, &command, DIAG));
    OK(s->api->stream_wait(other, DIAG));
    command = copy_of(host + CELLS, memory + CELLS, CELLS);
    conformance_run(s, &command);
    CHECK(host[CELLS] == 50 && host[2 * CELLS - 1] == 50);
  }
  OK(s->api->mark_wait(mark, DIAG));
  CHECK(s->api->mark_is_done(mark));
  conformance_await(s, &e);
  OK(s->api->stream_submit(stream, NULL, conformance_done, &empty, DIAG));
  conformance_await(s, &empty);
  s->api->mark_destroy(mark);
  // A mark outlives its stream.
  OK(s->api->mark_create(stream, &mark, DIAG));
  s->api->stream_destroy(stream);
  OK(s->api->mark_wait(mark, DIAG));
  s->api->mark_destroy(mark);
}

void conformance_streams(const subject *s) {
  static unsigned char host[2 * CELLS];
  tn_adapter_stream *stream = NULL;
  tn_adapter_stream *other = NULL;
  void *memory = NULL;
  if (!s->has->stream_create) {
    return;
  }
  OK(s->api->stream_create(s->device, &stream, DIAG));
  OK(s->api->stream_create(s->device, &other, DIAG));
  OK(s->api->memory_alloc(s->device, TN_USM_DEVICE, (size_t)STEPS * CELLS, 64, &memory, DIAG));
  if (stream && other && memory) {
    CHECK(s->api->stream_is_idle(stream));
    check_order(s, stream, memory, host);
    check_marks(s, stream, other, memory, host);
    s->api->stream_destroy(other);
    s->api->memory_free(s->device, TN_USM_DEVICE, memory);
  }
}
