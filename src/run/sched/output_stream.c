// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that work-items write their output to, and the command that prints it. A queue keeps the
// memory of destroyed streams for new ones.
#include "base/alloc.h"
#include "base/weak.h"
#include "run/sched/queue_state.h"
#include "run/sched/stream_text.h"
#include "tenon/stream.h"
#include "tenon/weak.h"

#include <stdio.h>

enum {
  // The shortest output that is not empty, a single character, takes three words; and while a
  // quarter of the memory is unused, work-items reserve more than they need at once.
  BYTES_A_CHARACTER = 32,
  SMALLEST = 1 << 16,
};
#define LARGEST ((size_t)1 << 34)  // what pieces can address, in bytes

struct tn_stream {
  tn_ref ref;
  tn_queue *queue;        // retained
  tn_spare_memory spare;  // owned
};

static size_t memory_size_for(size_t size) {
  size_t memory_size = SMALLEST;
  while (memory_size < LARGEST && memory_size / BYTES_A_CHARACTER < size) {
    memory_size *= 2;
  }
  return memory_size;
}

// The smallest that does, or none.
static tn_spare_memory take_spare(tn_queue *queue, size_t size) {
  tn_spare_memory found = {0};
  tn_mutex_lock(&queue->mu);
  tn_spare_memory *best = NULL;
  for (size_t i = 0; i < queue->spare_count; i++) {
    tn_spare_memory *each = &queue->spares[i];
    if (each->size >= size && (!best || each->size < best->size)) {
      best = each;
    }
  }
  if (best) {
    found = *best;
    *best = queue->spares[--queue->spare_count];
  }
  tn_mutex_unlock(&queue->mu);
  return found;
}

static void give_spare(tn_queue *queue, tn_spare_memory spare) {
  tn_mutex_lock(&queue->mu);
  const bool is_kept = queue->spare_count < TN_COUNT(queue->spares);
  if (is_kept) {
    queue->spares[queue->spare_count++] = spare;
  }
  tn_mutex_unlock(&queue->mu);
  if (!is_kept) {
    TN_IGNORE(tn_usm_free(queue->context, spare.memory, NULL), "it is our own");
  }
}

void tn_stream_drop_spares(tn_queue *queue) TN_NO_ANALYSIS {
  while (queue->spare_count > 0) {
    TN_IGNORE(tn_usm_free(queue->context, queue->spares[--queue->spare_count].memory, NULL),
              "it is our own");
  }
}

static tn_status allocate(tn_queue *queue, size_t size, tn_spare_memory *out, tn_diag *diag) {
  *out = take_spare(queue, size);
  if (out->memory) {
    return TN_OK;
  }
  uint64_t aspects = 0;
  TN_TRY(queue->api->device_get_info(queue->device->adapter_device, TN_DEVICE_INFO_ASPECTS,
                                     &aspects, sizeof(aspects), NULL, diag));
  const bool is_shared = (aspects >> TN_ASPECT_USM_SHARED_ALLOCATIONS & 1) != 0;
  out->size = size;
  return tn_usm_alloc(queue->context, is_shared ? queue->device : NULL,
                      is_shared ? TN_USM_SHARED : TN_USM_HOST, size, 64, &out->memory, diag);
}

tn_status tn_stream_create(tn_queue *queue, size_t size, tn_stream **out, tn_diag *diag) {
  *out = NULL;
  tn_stream *stream = tn_alloc(sizeof(*stream));
  if (!stream) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a stream");
  }
  const tn_status status = allocate(queue, memory_size_for(size), &stream->spare, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "a stream's memory");
    tn_free(stream);
    return status;
  }
  tn_ref_init(&stream->ref);
  tn_queue_retain(queue);
  stream->queue = queue;
  tn_stream_text_clear(stream->spare.memory, stream->spare.size);
  *out = stream;
  return TN_OK;
}

void tn_stream_retain(tn_stream *stream) { tn_ref_up(&stream->ref); }

void tn_stream_release(tn_stream *stream) {
  if (stream && tn_ref_down(&stream->ref)) {
    give_spare(stream->queue, stream->spare);
    tn_queue_release(stream->queue);
    tn_free(stream);
  }
}

static void release(void *stream) { tn_stream_release(stream); }

tn_weak *tn_stream_weak(tn_stream *stream) {
  static const tn_weak_type type = {.release = release};
  return stream != NULL ? tn_weak_of(&stream->ref, stream, &type, NULL) : NULL;
}

void *tn_stream_memory(const tn_stream *stream) { return stream->spare.memory; }

static void put(void *user, const char *text, size_t size) { (void)fwrite(text, 1, size, user); }

// The only part of the runtime that writes to the standard output.
static tn_status print(void *user, tn_diag *diag) {
  (void)diag;
  const tn_stream *stream = user;
  flockfile(stdout);
  tn_stream_text_put(stream->spare.memory, stream->spare.size, put, stdout);
  (void)fflush(stdout);
  funlockfile(stdout);
  tn_stream_text_clear(stream->spare.memory, stream->spare.size);
  return TN_OK;
}

tn_status tn_stream_print(tn_stream *stream, const tn_event *after, tn_event **out_event,
                          tn_diag *diag) {
  tn_stream_retain(stream);
  const tn_command command = {.struct_size = sizeof(command),
                              .kind = TN_COMMAND_HOST_TASK,
                              .events = &after,
                              .event_count = 1,
                              .host_task = print,
                              .user = stream,
                              .free_user = release};
  return tn_queue_submit(stream->queue, &command, out_event, diag);
}
