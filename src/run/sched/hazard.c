// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hazards: the order of a buffer's uses (read after write, write after read, write after write), by
// commands and by host accesses.
//
// Uses conflict when they have a byte in common that one of them writes. A write replaces all uses
// of bytes that it covers, because it depends on them; so a buffer that is used as a whole has one
// writer at most, and the readers since then.
//
// A host access is an event that is complete when the access ends; later conflicting commands wait
// for it without blocking their submitter. Host accesses do not wait for each other: several may be
// open in one thread, which has to order its own accesses (SYCL leaves that to the program).
#include "run/sched/hazard.h"

#include "base/alloc.h"
#include "run/sched/transfer.h"

#include <string.h>

typedef struct use {
  tn_event *event;  // retained
  tn_span bytes;    // of the whole buffer
  bool writes;
} use;

typedef struct hazard {
  use *more;        // owned; NULL while `one` is enough
  size_t capacity;  // of `more`
  size_t count;
  struct host_access *hosts;  // open ones, oldest first; owned
  use one;
} hazard;
_Static_assert(sizeof(hazard) <= TN_HAZARD_SIZE, "a buffer has room for its hazards");

typedef struct host_access {
  struct host_access *next;
  tn_event *event;  // one reference
  tn_span bytes;
  bool writes;
} host_access;

tn_mutex tn_hazard_mu = TN_MUTEX_INIT(TN_RANK_GRAPH);

// Parts share the hazards of the whole.
static hazard *hazard_of(tn_buffer *buffer) {
  return (hazard *)(void *)tn_buffer_whole(buffer)->hazard.bytes;
}

static use *uses_of(hazard *h) { return h->more != NULL ? h->more : &h->one; }

// An empty buffer is used like one of one byte.
static tn_span span_of(const tn_buffer *buffer) {
  const tn_span bytes = {buffer->offset, buffer->offset + (buffer->size > 0 ? buffer->size : 1)};
  return bytes;
}

static bool writes(uint32_t mode) { return (mode & TN_ACCESS_WRITE) != 0; }

static bool covers(tn_span whole, tn_span part) {
  return whole.begin <= part.begin && part.end <= whole.end;
}

static bool conflict(tn_span a, bool a_writes, tn_span b, bool b_writes) {
  return (a_writes || b_writes) && tn_span_overlaps(a, b);
}

static void end_host_access(host_access *take_access) {
  tn_event_complete_plain(take_access->event);
  tn_event_release(take_access->event);
  tn_free(take_access);
}

// The buffer is about to be destroyed, and nothing uses it any more.
static void close_hazard(tn_hazard_area *area) {
  hazard *h = (hazard *)(void *)area->bytes;
  const use *uses = uses_of(h);
  for (size_t i = 0; i < h->count; i++) {
    tn_event_release(uses[i].event);
  }
  tn_free(h->more);
  while (h->hosts != NULL) {
    host_access *access = h->hosts;
    h->hosts = access->next;
    end_host_access(access);
  }
}

// Nothing has to wait for it, and no failure has to be passed on.
static bool is_obsolete(const use *each) {
  return tn_event_is_complete(each->event) && (!each->writes || each->event->status == TN_OK);
}

static void drop_obsolete_uses(hazard *h) TN_REQUIRES(&tn_hazard_mu) {
  use *uses = uses_of(h);
  size_t kept = 0;
  for (size_t i = 0; i < h->count; i++) {
    if (is_obsolete(&uses[i])) {
      tn_event_release(uses[i].event);
    } else {
      uses[kept++] = uses[i];
    }
  }
  h->count = kept;
}

// Room for `count` more uses.
static bool reserve_uses(hazard *h, size_t count) TN_REQUIRES(&tn_hazard_mu) {
  const size_t capacity = h->more != NULL ? h->capacity : 1;
  if (count <= capacity - h->count) {
    return true;
  }
  drop_obsolete_uses(h);
  const size_t needed = h->count + count;
  // Half of the room has to be free after that, so that the next uses need not search again.
  if (needed <= capacity / 2 || (needed == 1 && capacity == 1)) {
    return true;
  }
  const size_t more_capacity = needed > 2 ? 2 * needed : 4;
  use *more = tn_alloc_array(more_capacity, sizeof(*more));
  if (more == NULL) {
    return needed <= capacity;
  }
  if (h->count > 0) {
    memcpy(more, uses_of(h), h->count * sizeof(*more));
  }
  tn_free(h->more);
  h->more = more;
  h->capacity = more_capacity;
  return true;
}

// The edges to uses that conflict with one, at most.
static size_t count_conflicts(hazard *h, tn_span bytes, bool is_write) TN_REQUIRES(&tn_hazard_mu) {
  size_t count = 0;
  for (const host_access *access = h->hosts; access != NULL; access = access->next) {
    count += conflict(access->bytes, access->writes, bytes, is_write) ? 1 : 0;
  }
  const use *uses = uses_of(h);
  for (size_t i = 0; i < h->count; i++) {
    count += conflict(uses[i].bytes, uses[i].writes, bytes, is_write) ? 1 : 0;
  }
  return count;
}

bool tn_hazard_reserve(const tn_access *accesses, size_t index, size_t *edge_count) {
  const tn_access *access = &accesses[index];
  tn_buffer *whole = tn_buffer_whole(access->buffer);
  hazard *h = hazard_of(whole);
  whole->hazard_close = close_hazard;
  *edge_count += count_conflicts(h, span_of(access->buffer), writes(access->mode));
  size_t uses = 1;
  for (size_t i = 0; i < index; i++) {
    uses += tn_buffer_whole(accesses[i].buffer) == whole ? 1 : 0;
  }
  return reserve_uses(h, uses);
}

void tn_hazard_use(const tn_access *access, tn_node *node) {
  hazard *h = hazard_of(access->buffer);
  const tn_span bytes = span_of(access->buffer);
  const bool is_write = writes(access->mode);
  for (const host_access *host = h->hosts; host != NULL; host = host->next) {
    if (conflict(host->bytes, host->writes, bytes, is_write)) {
      tn_node_wait_for(node, host->event, false);
    }
  }
  use *uses = uses_of(h);
  size_t kept = 0;
  bool is_known = false;  // another access of the command is this use already
  for (size_t i = 0; i < h->count; i++) {
    use each = uses[i];
    if (conflict(each.bytes, each.writes, bytes, is_write)) {
      tn_node_wait_for(node, each.event, !each.writes);
    }
    is_known = is_known || (each.event == node->event && (each.writes || !is_write) &&
                            covers(each.bytes, bytes));
    const bool is_replaced = is_write && !is_known && covers(bytes, each.bytes);
    if (is_replaced || is_obsolete(&each)) {
      tn_event_release(each.event);
    } else {
      uses[kept++] = each;
    }
  }
  h->count = kept;
  if (!is_known && TN_ALWAYS(kept < (h->more != NULL ? h->capacity : 1))) {
    tn_event_retain(node->event);
    uses[h->count++] = (use){node->event, bytes, is_write};
  }
}

// The commands that conflict with a use, retained, in an owned array. False without memory.
static bool collect_conflicts(hazard *h, tn_span bytes, bool is_write, tn_event ***out,
                              size_t *out_count) TN_REQUIRES(&tn_hazard_mu) {
  tn_event **events = tn_alloc_array(h->count + 1, sizeof(*events));
  if (events == NULL) {
    return false;
  }
  size_t count = 0;
  const use *uses = uses_of(h);
  for (size_t i = 0; i < h->count; i++) {
    if (conflict(uses[i].bytes, uses[i].writes, bytes, is_write)) {
      tn_event_retain(uses[i].event);
      events[count++] = uses[i].event;
    }
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
  if (atomic_load_explicit(&tn_buffer_whole(buffer)->recorded, memory_order_relaxed) != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a host access to a buffer that commands use which a queue records in a graph: "
                   "end recording before");
  }
  void *memory = NULL;
  TN_TRY(tn_buffer_get_memory(buffer, &memory, diag));
  host_access *access = tn_alloc(sizeof(*access));
  tn_event *event = tn_event_create_plain();
  tn_event **conflicts = NULL;
  size_t conflict_count = 0;
  bool ok = access != NULL && event != NULL;
  tn_host_bytes bytes = {0};
  tn_status status = TN_OK;
  if (ok) {
    event->is_host_access = true;
    access->event = event;
    access->bytes = span_of(buffer);
    access->writes = writes(mode);
    hazard *h = hazard_of(buffer);
    tn_mutex_lock(&tn_hazard_mu);
    tn_buffer_whole(buffer)->hazard_close = close_hazard;
    ok = collect_conflicts(h, access->bytes, access->writes, &conflicts, &conflict_count);
    if (ok) {
      add_host_access(h, access);
      status = tn_transfer_plan_to_host(buffer, mode, &bytes, diag);
    }
    tn_mutex_unlock(&tn_hazard_mu);
  }
  if (!ok) {
    tn_free(access);
    tn_event_release(event);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a host access to a buffer");
  }
  await_all(conflicts, conflict_count);
  status = tn_transfer_to_host(&bytes, status, diag);
  if (status != TN_OK) {
    tn_buffer_end_host_access(buffer, mode);
    return status;
  }
  tn_buffer_note_use(buffer, mode);
  *out_data = memory;
  return TN_OK;
}

// Open accesses of one kind to the same bytes are interchangeable, because a use that conflicts
// with one of them conflicts with all: the oldest ends.
static host_access *take_host_access(hazard *h, tn_span bytes, bool is_write)
    TN_REQUIRES(&tn_hazard_mu) {
  for (host_access **link = &h->hosts; *link != NULL; link = &(*link)->next) {
    host_access *access = *link;
    if (access->writes == is_write && access->bytes.begin == bytes.begin &&
        access->bytes.end == bytes.end) {
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
  host_access *access = take_host_access(hazard_of(buffer), span_of(buffer), writes(mode));
  tn_mutex_unlock(&tn_hazard_mu);
  if (access != NULL) {
    end_host_access(access);
  }
}

// One event at a time, which needs no memory: no new uses are added any more.
void tn_hazard_await_uses(tn_buffer *buffer) {
  hazard *h = hazard_of(buffer);
  for (;;) {
    tn_event *pending = NULL;
    tn_mutex_lock(&tn_hazard_mu);
    const use *uses = uses_of(h);
    for (size_t i = 0; i < h->count && pending == NULL; i++) {
      pending = tn_event_is_complete(uses[i].event) ? NULL : uses[i].event;
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
