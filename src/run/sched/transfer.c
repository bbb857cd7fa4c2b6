// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transfers: bringing the bytes of buffers to where commands and host accesses need them.
//
// A transfer is a command of its own that reads these bytes of the buffer, so later writers depend
// on it. Between two devices of one driver's bytes go from one to the other, otherwise through the
// host.
#include "run/sched/transfer.h"

#include "base/alloc.h"
#include "base/log.h"
#include "run/sched/park.h"

#include <string.h>

// ---- Transfers as commands

typedef struct transfer {
  tn_buffer *whole;
  tn_buffer_copy *from;
  tn_buffer_copy *to;
  tn_span bytes;
} transfer;

// A node that is one of the queue's commands, still without edges.
static tn_status take_node(tn_queue *queue, tn_buffer *whole, tn_node **out,
                           tn_buffer_arrival **out_arrival, tn_diag *diag) {
  tn_event *event = NULL;
  *out_arrival = tn_alloc(sizeof(**out_arrival));
  if (*out_arrival == NULL || !tn_node_take(queue->pool, out, &event)) {
    tn_free(*out_arrival);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the transfer of a buffer");
  }
  tn_node *node = *out;
  event->queue = queue;
  node->queue = queue;
  node->kind = TN_COMMAND_COPY;
  node->is_transfer = true;
  tn_buffer_ref(whole);
  node->buffers[node->buffer_count++] = whole;
  return TN_OK;
}

static void discard(tn_node *node, tn_buffer_arrival *arrival) {
  tn_event *event = node->event;
  tn_node_recycle(node);
  tn_event_release(event);
  tn_free(arrival);
}

static void fill_transfer(tn_node *node, const transfer *what, void *host_memory) {
  tn_device *device = what->to->device != NULL ? what->to->device : what->from->device;
  unsigned char *to = what->to->device != NULL ? what->to->memory : host_memory;
  const unsigned char *from = what->from->device != NULL ? what->from->memory : host_memory;
  node->device = device;
  node->in_stream = device == node->queue->device && tn_queue_has_stream_pool(node->queue);
  node->event->device = device;
  node->command = (tn_adapter_command){
      .kind = TN_ADAPTER_COPY,
      .dst = to + what->bytes.begin,
      .src = from + what->bytes.begin,
      .size = what->bytes.end - what->bytes.begin,
  };
}

// A location where the first of these bytes are valid, and how many of them.
static tn_buffer_copy *find_valid(tn_buffer *whole, tn_span *bytes) TN_REQUIRES(&tn_hazard_mu) {
  tn_buffer_copy *copy = &whole->host;
  tn_buffer_copy *next = atomic_load_explicit(&whole->copies, memory_order_acquire);
  while (copy != NULL) {
    tn_span stale;
    if (!tn_spans_find(&copy->stale, *bytes, &stale)) {
      return copy;
    }
    if (stale.begin > bytes->begin) {
      bytes->end = stale.begin;
      return copy;
    }
    copy = next;
    next = copy != NULL ? copy->next : NULL;
  }
  return NULL;
}

// Whether one copy command transfers bytes from one to the other.
static bool are_peers(const tn_device *a, const tn_device *b) {
  return a->api == b->api && a->platform == b->platform &&
         TN_ADAPTER_HAS(a->api, device_peer);
}

// The next step of bringing the bytes to `to`. False when they are valid there.
static bool plan(tn_buffer *whole, tn_buffer_copy *to, tn_span wanted, transfer *out)
    TN_REQUIRES(&tn_hazard_mu) {
  if (!tn_spans_find(&to->stale, wanted, &out->bytes)) {
    return false;
  }
  out->whole = whole;
  out->from = find_valid(whole, &out->bytes);
  const bool is_direct = to->device == NULL || TN_NEVER(out->from == NULL) ||
                         out->from->device == NULL ||
                         are_peers(to->device, out->from->device);
  out->to = is_direct ? to : &whole->host;
  return out->from != NULL;
}

static bool enter(tn_queue *queue, tn_node *node, const transfer *what,
                  tn_buffer_arrival *take_arrival) TN_REQUIRES(&tn_hazard_mu) {
  tn_buffer part = {.whole = what->whole,
                    .offset = what->bytes.begin,
                    .size = what->bytes.end - what->bytes.begin};
  const tn_access access = {.buffer = &part, .mode = TN_ACCESS_READ, .arg_offset = TN_NO_ARG};
  size_t edges = 1;
  if (!tn_hazard_reserve(&access, 0, &edges) ||
      !tn_residence_reserve(what->from->device, &access, 1, &edges) ||
      !tn_node_reserve_edges(node, edges)) {
    return false;
  }
  atomic_fetch_add_explicit(&queue->state, TN_STATE_COUNT, memory_order_acq_rel);
  tn_residence_wait_for_arrivals(what->from, what->bytes, node);
  tn_hazard_use(&access, node);
  tn_event_retain(node->event);
  *take_arrival = (tn_buffer_arrival){what->to->arrivals, what->bytes, node->event};
  what->to->arrivals = take_arrival;
  tn_residence_set_stale(what->to, what->bytes, false);
  return true;
}

// One step nearer. *out_more is false when there was none to submit.
static tn_status transfer_step(tn_queue *queue, tn_buffer *whole, tn_buffer_copy *to,
                               tn_span wanted, bool *out_more, tn_diag *diag) {
  void *host_memory = NULL;
  tn_node *node = NULL;
  tn_buffer_arrival *arrival = NULL;
  transfer what = {0};
  TN_TRY(tn_buffer_get_memory(whole, &host_memory, diag));
  TN_TRY(take_node(queue, whole, &node, &arrival, diag));
  tn_mutex_lock(&tn_hazard_mu);
  *out_more = plan(whole, to, wanted, &what);
  bool is_in = false;
  if (*out_more) {
    fill_transfer(node, &what, host_memory);
    is_in = enter(queue, node, &what, arrival);
  }
  tn_mutex_unlock(&tn_hazard_mu);
  if (!is_in) {
    discard(node, arrival);
    return *out_more ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the transfer of a buffer")
                     : TN_OK;
  }
  tn_queue_retain(queue);
  atomic_fetch_add_explicit(&queue->submitted_nodes, 1, memory_order_release);
  TN_LOG(sched, "event %p brings bytes %zu to %zu of buffer %p to %s", (void *)node->event,
         what.bytes.begin, what.bytes.end, (void *)whole,
         what.to->device != NULL ? what.to->device->name : "the host");
  tn_node_flush_sources(node);
  tn_node_unblock(node);
  return TN_OK;
}

tn_status tn_transfer_to(tn_queue *queue, tn_device *location, const tn_access *accesses,
                         size_t count, tn_diag *diag) {
  for (size_t i = 0; i < count; i++) {
    tn_buffer *whole = tn_buffer_whole(accesses[i].buffer);
    bool more = location != NULL || !tn_residence_is_on_host_only(whole);
    tn_buffer_copy *to = &whole->host;
    if (location != NULL) {
      TN_TRY(tn_buffer_get_copy(whole, location, &to, diag));
    }
    while (more) {
      tn_span wanted;
      tn_mutex_lock(&tn_hazard_mu);
      more = tn_residence_find_stale(location, &accesses[i], &wanted);
      tn_mutex_unlock(&tn_hazard_mu);
      if (more) {
        TN_TRY(transfer_step(queue, whole, to, wanted, &more, diag));
      }
    }
  }
  return TN_OK;
}

// ---- To the host, now

typedef struct wait_state {
  tn_status status;
  tn_diag diag;
  _Atomic bool is_done;
} wait_state;

static bool is_done(const void *what) {
  const wait_state *state = what;
  return atomic_load_explicit(&state->is_done, memory_order_seq_cst);
}

static void notify(void *user, tn_status status, const tn_diag *diag, uint64_t start_ns,
                   uint64_t end_ns) {
  (void)start_ns;
  (void)end_ns;
  wait_state *state = user;
  state->status = status;
  if (diag != NULL) {
    state->diag = *diag;
  }
  atomic_store_explicit(&state->is_done, true, memory_order_seq_cst);
  tn_park_wake(state);
}

static tn_status copy_now(const transfer *what, void *host_memory, tn_diag *diag) {
  wait_state state = {.status = TN_OK};
  tn_device *device = what->from->device;
  const tn_adapter_command command = {
      .kind = TN_ADAPTER_COPY,
      .dst = (unsigned char *)host_memory + what->bytes.begin,
      .src = (const unsigned char *)what->from->memory + what->bytes.begin,
      .size = what->bytes.end - what->bytes.begin,
  };
  TN_TRY(device->api->submit(device->adapter_device, &command, notify, &state, diag));
  (void)device->api->await(device->adapter_device, &state);
  tn_park_wait(device, &state, is_done);
  if (state.status != TN_OK && diag != NULL) {
    *diag = state.diag;
  }
  return state.status;
}

// Steps are decided when a host access takes its position among the buffer's uses: commands that
// are submitted after that wait for it, but change at once which bytes are known as valid.
struct tn_host_step {
  tn_host_step *next;
  transfer what;
};

static bool add_pending(tn_host_bytes *out, tn_buffer_copy *copy, tn_span bytes)
    TN_REQUIRES(&tn_hazard_mu) {
  for (tn_buffer_arrival *each = copy->arrivals; each != NULL; each = each->next) {
    if (!tn_span_overlaps(each->bytes, bytes) || tn_event_is_complete(each->event)) {
      continue;
    }
    tn_event **grown = tn_alloc_array(out->pending_count + 1, sizeof(tn_event *));
    if (grown == NULL) {
      return false;
    }
    if (out->pending_count > 0) {
      memcpy((void *)grown, (void *)out->pending, out->pending_count * sizeof(tn_event *));
    }
    tn_free((void *)out->pending);
    out->pending = grown;
    tn_event_retain(each->event);
    out->pending[out->pending_count++] = each->event;
  }
  return true;
}

static bool add_step(tn_host_bytes *out, const transfer *what) TN_REQUIRES(&tn_hazard_mu) {
  tn_host_step *step = tn_alloc(sizeof(*step));
  tn_buffer_arrival *arrival = tn_alloc(sizeof(*arrival));
  if (step == NULL || arrival == NULL || !tn_spans_reserve(&what->whole->host.stale, 2) ||
      !add_pending(out, what->from, what->bytes)) {
    tn_free(step);
    tn_free(arrival);
    return false;
  }
  *step = (tn_host_step){out->first, *what};
  out->first = step;
  tn_event_retain(out->event);
  *arrival = (tn_buffer_arrival){what->to->arrivals, what->bytes, out->event};
  what->to->arrivals = arrival;
  tn_residence_set_stale(what->to, what->bytes, false);
  return true;
}

tn_status tn_transfer_plan_to_host(tn_buffer *buffer, uint32_t mode, tn_host_bytes *out,
                                   tn_diag *diag) {
  tn_buffer *whole = tn_buffer_whole(buffer);
  const tn_access access = {.buffer = buffer, .mode = mode, .arg_offset = TN_NO_ARG};
  *out = (tn_host_bytes){.whole = whole};
  if (tn_residence_is_on_host_only(whole)) {
    return TN_OK;
  }
  size_t edges = 0;
  out->event = tn_event_create_plain();
  // First the transfers that are under way: later the event of the steps is among them.
  bool ok = out->event != NULL && add_pending(out, &whole->host, tn_residence_span(buffer)) &&
            tn_residence_reserve(NULL, &access, 1, &edges);
  transfer what = {0};
  while (ok && tn_residence_wants_content(&access) &&
         plan(whole, &whole->host, tn_residence_span(buffer), &what)) {
    ok = add_step(out, &what);
  }
  ok = ok && tn_residence_reserve(NULL, &access, 1, &edges);
  if (ok && (mode & TN_ACCESS_WRITE) != 0) {
    tn_residence_note_write(whole, &whole->host, tn_residence_span(buffer));
  }
  return ok ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the transfer of a buffer");
}

static tn_status run_step(tn_host_bytes *bytes, const transfer *what, tn_diag *diag) {
  void *memory = NULL;
  tn_status status = tn_buffer_get_memory(bytes->whole, &memory, diag);
  if (status == TN_OK) {
    status = copy_now(what, memory, diag);
  }
  return status;
}

tn_status tn_transfer_to_host(tn_host_bytes *bytes, tn_status status, tn_diag *diag) {
  for (size_t i = 0; i < bytes->pending_count; i++) {
    if (status == TN_OK) {
      tn_event_await(bytes->pending[i]);
    }
    tn_event_release(bytes->pending[i]);
  }
  tn_free((void *)bytes->pending);
  while (bytes->first != NULL) {
    tn_host_step *step = bytes->first;
    bytes->first = step->next;
    if (status == TN_OK) {
      status = run_step(bytes, &step->what, diag);
    }
    if (status != TN_OK) {
      tn_mutex_lock(&tn_hazard_mu);
      tn_residence_set_stale(&bytes->whole->host, step->what.bytes, true);
      tn_residence_set_stale(step->what.from, step->what.bytes, false);
      tn_mutex_unlock(&tn_hazard_mu);
    }
    tn_free(step);
  }
  if (bytes->event != NULL) {
    tn_event_complete_plain(bytes->event);
    tn_event_release(bytes->event);
  }
  return status;
}

tn_status tn_transfer_to_host_now(tn_buffer *buffer, uint32_t mode, tn_diag *diag) {
  tn_host_bytes bytes;
  tn_mutex_lock(&tn_hazard_mu);
  const tn_status status = tn_transfer_plan_to_host(buffer, mode, &bytes, diag);
  tn_mutex_unlock(&tn_hazard_mu);
  return tn_transfer_to_host(&bytes, status, diag);
}
