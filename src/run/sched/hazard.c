// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of a buffer's uses (read after write, write after read, write after write), and the
// half of the buffers' API that waits.
//
// A host access is an event that is complete when the access ends; later conflicting commands wait
// for it without blocking their submitter. Host accesses do not wait for each other: several may be
// open in one thread, which has to order its own accesses (SYCL leaves that to the program).
#include "run/sched/hazard.h"

#include "base/alloc.h"

#include <string.h>

// Complete events are dropped when they are met.
typedef struct hazard {
  tn_event *writer;    // retained; the last command that writes
  tn_event **readers;  // retained; commands that read since then
  size_t reader_count;
  size_t reader_capacity;
  struct host_access *hosts;  // open ones, oldest first; owned
} hazard;
_Static_assert(sizeof(hazard) <= TN_HAZARD_SIZE, "a buffer has room for its hazards");

typedef struct host_access {
  struct host_access *next;
  tn_event *event;  // one reference
  bool writes;
} host_access;

tn_mutex tn_hazard_mu = TN_MUTEX_INIT(TN_RANK_GRAPH);

static hazard *hazard_of(tn_buffer *buffer) { return (hazard *)(void *)buffer->hazard.bytes; }

// The buffer is going and nobody uses it any more.
static void close_hazard(tn_hazard_area *area) {
  hazard *h = (hazard *)(void *)area->bytes;
  tn_event_release(h->writer);
  for (size_t i = 0; i < h->reader_count; i++) {
    tn_event_release(h->readers[i]);
  }
  tn_free((void *)h->readers);
  while (h->hosts != NULL) {
    host_access *access = h->hosts;
    h->hosts = access->next;
    tn_event_complete_plain(access->event);
    tn_event_release(access->event);
    tn_free(access);
  }
}

static bool writes(uint32_t mode) { return (mode & TN_ACCESS_WRITE) != 0; }

static void drop_complete_readers(hazard *h) TN_REQUIRES(&tn_hazard_mu) {
  size_t kept = 0;
  for (size_t i = 0; i < h->reader_count; i++) {
    if (tn_event_is_complete(h->readers[i])) {
      tn_event_release(h->readers[i]);
    } else {
      h->readers[kept++] = h->readers[i];
    }
  }
  h->reader_count = kept;
}

static bool reserve_reader(hazard *h) TN_REQUIRES(&tn_hazard_mu) {
  if (h->reader_count < h->reader_capacity) {
    return true;
  }
  drop_complete_readers(h);
  if (h->reader_count < h->reader_capacity / 2) {
    return true;
  }
  const size_t capacity = h->reader_capacity > 0 ? h->reader_capacity * 2 : 4;
  tn_event **readers = tn_realloc((void *)h->readers, capacity * sizeof(*readers));
  if (readers == NULL) {
    return h->reader_count < h->reader_capacity;
  }
  h->readers = readers;
  h->reader_capacity = capacity;
  return true;
}

static size_t host_count(const hazard *h) TN_REQUIRES(&tn_hazard_mu) {
  size_t count = 0;
  for (const host_access *access = h->hosts; access != NULL; access = access->next) {
    count++;
  }
  return count;
}

bool tn_hazard_reserve(tn_buffer *buffer, uint32_t mode, size_t *edge_count) {
  hazard *h = hazard_of(buffer);
  buffer->hazard_close = close_hazard;
  *edge_count += 1 + host_count(h) + (writes(mode) ? h->reader_count : 0);
  return writes(mode) || reserve_reader(h);
}

void tn_hazard_use(tn_buffer *buffer, uint32_t mode, tn_node *node) {
  hazard *h = hazard_of(buffer);
  tn_event *event = node->event;
  for (const host_access *access = h->hosts; access != NULL; access = access->next) {
    if (access->writes || writes(mode)) {
      tn_node_wait_for(node, access->event, false);
    }
  }
  tn_node_wait_for(node, h->writer, false);
  if (!writes(mode)) {
    // Two accesses of one command are one use.
    const bool is_user =
        h->writer == event || (h->reader_count > 0 && h->readers[h->reader_count - 1] == event);
    if (!is_user && TN_ALWAYS(h->reader_count < h->reader_capacity)) {
      tn_event_retain(event);
      h->readers[h->reader_count++] = event;
    }
    return;
  }
  for (size_t i = 0; i < h->reader_count; i++) {
    tn_node_wait_for(node, h->readers[i], true);
    tn_event_release(h->readers[i]);
  }
  h->reader_count = 0;
  tn_event_retain(event);
  tn_event_release(h->writer);
  h->writer = event;
}

// The commands that conflict with a use of `mode`, retained, in an owned array. False without
// memory.
static bool collect_conflicts(const hazard *h, uint32_t mode, tn_event ***out, size_t *out_count)
    TN_REQUIRES(&tn_hazard_mu) {
  const size_t readers = writes(mode) ? h->reader_count : 0;
  tn_event **events = tn_alloc_array(readers + 1, sizeof(*events));
  if (events == NULL) {
    return false;
  }
  size_t count = 0;
  if (h->writer != NULL) {
    events[count++] = h->writer;
  }
  for (size_t i = 0; i < readers; i++) {
    events[count++] = h->readers[i];
  }
  for (size_t i = 0; i < count; i++) {
    tn_event_retain(events[i]);
  }
  *out = events;
  *out_count = count;
  return true;
}

static void await_all(tn_event **take_events, size_t count) {
  for (size_t i = 0; i < count; i++) {
    tn_event_await(take_events[i]);
    tn_event_release(take_events[i]);
  }
  tn_free((void *)take_events);
}

static void add_host_access(hazard *h, host_access *access) TN_REQUIRES(&tn_hazard_mu) {
  host_access **link = &h->hosts;
  while (*link != NULL) {
    link = &(*link)->next;
  }
  *link = access;
}

tn_status tn_buffer_begin_host_access(tn_buffer *buffer, uint32_t mode, void **out_data,
                                      tn_diag *diag) {
  *out_data = NULL;
  if (buffer == NULL || (mode & TN_ACCESS_READ_WRITE) == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a host access needs a buffer and TN_ACCESS_READ, WRITE or "
                   "both");
  }
  void *memory = NULL;
  TN_TRY(tn_buffer_get_memory(buffer, &memory, diag));
  host_access *access = tn_alloc(sizeof(*access));
  tn_event *event = tn_event_create_plain();
  tn_event **conflicts = NULL;
  size_t conflict_count = 0;
  bool ok = access != NULL && event != NULL;
  if (ok) {
    event->is_host_access = true;
    access->event = event;
    access->writes = writes(mode);
    hazard *h = hazard_of(buffer);
    tn_mutex_lock(&tn_hazard_mu);
    buffer->hazard_close = close_hazard;
    ok = collect_conflicts(h, mode, &conflicts, &conflict_count);
    if (ok) {
      add_host_access(h, access);
    }
    tn_mutex_unlock(&tn_hazard_mu);
  }
  if (!ok) {
    tn_free(access);
    tn_event_release(event);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a host access to a buffer");
  }
  await_all(conflicts, conflict_count);
  tn_buffer_note_use(buffer, mode);
  *out_data = memory;
  return TN_OK;
}

// Open accesses of one kind are interchangeable, because what conflicts with one of them conflicts
// with all: the oldest ends.
static host_access *take_host_access(hazard *h, bool is_write) TN_REQUIRES(&tn_hazard_mu) {
  for (host_access **link = &h->hosts; *link != NULL; link = &(*link)->next) {
    host_access *access = *link;
    if (access->writes == is_write) {
      *link = access->next;
      return access;
    }
  }
  return NULL;
}

void tn_buffer_end_host_access(tn_buffer *buffer, uint32_t mode) {
  if (buffer == NULL) {
    return;
  }
  tn_mutex_lock(&tn_hazard_mu);
  host_access *access = take_host_access(hazard_of(buffer), writes(mode));
  tn_mutex_unlock(&tn_hazard_mu);
  if (access != NULL) {
    tn_event_complete_plain(access->event);
    tn_event_release(access->event);
    tn_free(access);
  }
}

// Without memory for the list, one event at a time will do: no new uses come any more.
static void await_uses(tn_buffer *buffer) {
  hazard *h = hazard_of(buffer);
  for (;;) {
    tn_event *pending = NULL;
    tn_mutex_lock(&tn_hazard_mu);
    if (h->writer != NULL && !tn_event_is_complete(h->writer)) {
      pending = h->writer;
    }
    for (size_t i = 0; i < h->reader_count && pending == NULL; i++) {
      pending = tn_event_is_complete(h->readers[i]) ? NULL : h->readers[i];
    }
    tn_event_retain(pending);
    tn_mutex_unlock(&tn_hazard_mu);
    if (pending == NULL) {
      return;
    }
    tn_event_await(pending);
    tn_event_release(pending);
  }
}

void tn_buffer_close(tn_buffer *buffer) {
  if (buffer == NULL || !tn_buffer_begin_close(buffer)) {
    return;
  }
  if (tn_buffer_must_wait(buffer)) {
    await_uses(buffer);
  }
  tn_buffer_write_back(buffer);
}

void tn_buffer_release(tn_buffer *buffer) {
  if (buffer == NULL || !tn_ref_down(&buffer->users)) {
    return;
  }
  tn_buffer_close(buffer);
  tn_buffer_unref(buffer);
}
