// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Residence: where the bytes of a buffer are valid.
//
// Validity is decided in the order of submission, under tn_hazard_mu: bytes are stale at a location
// once a command that writes them elsewhere was submitted, and valid again once a transfer was.
// Users of a transfer's destination depend on its event, an arrival. No command can be using stale
// bytes when a transfer to them starts: the writer that made them stale has waited for all of their
// users.
#include "run/sched/residence.h"

#include "base/alloc.h"

bool tn_residence_wants_content(const tn_access *access) {
  const uint32_t overwrites = TN_ACCESS_NO_INIT | TN_ACCESS_WRITE;
  return (access->mode & overwrites) != overwrites && access->buffer->size > 0 &&
         atomic_load_explicit(&tn_buffer_whole(access->buffer)->has_content, memory_order_relaxed);
}

bool tn_residence_find_stale(tn_device *location, const tn_access *access, tn_span *out) {
  const tn_buffer_copy *copy = tn_residence_copy_at(tn_buffer_whole(access->buffer), location);
  *out = tn_residence_span(access->buffer);
  return tn_residence_wants_content(access) &&
         (copy == NULL || tn_spans_find(&copy->stale, tn_residence_span(access->buffer), out));
}

bool tn_residence_is_ready(tn_device *location, const tn_access *accesses, size_t count) {
  for (size_t i = 0; i < count; i++) {
    tn_span wanted;
    if (tn_residence_find_stale(location, &accesses[i], &wanted)) {
      return false;
    }
  }
  return true;
}

bool tn_residence_reserve(tn_device *location, const tn_access *access, size_t count,
                          size_t *edge_count) {
  tn_buffer *whole = tn_buffer_whole(access->buffer);
  if (tn_residence_is_on_host_only(whole)) {
    return true;
  }
  const tn_buffer_copy *at = tn_residence_copy_at(whole, location);
  for (tn_buffer_arrival *each = at != NULL ? at->arrivals : NULL; each != NULL;
       each = each->next) {
    *edge_count += 1;
  }
  // Each access may split a span.
  bool ok = tn_spans_reserve(&whole->host.stale, 2 * count);
  for (tn_buffer_copy *copy = atomic_load_explicit(&whole->copies, memory_order_acquire);
       copy != NULL && ok; copy = copy->next) {
    ok = tn_spans_reserve(&copy->stale, 2 * count);
  }
  return ok;
}

void tn_residence_set_stale(tn_buffer_copy *copy, tn_span bytes, bool is_stale) {
  if (bytes.begin < bytes.end) {
    (is_stale ? tn_spans_add : tn_spans_remove)(&copy->stale, bytes);
  }
}

void tn_residence_note_write(tn_buffer *whole, tn_buffer_copy *written, tn_span bytes) {
  tn_residence_set_stale(&whole->host, bytes, written != &whole->host);
  for (tn_buffer_copy *copy = atomic_load_explicit(&whole->copies, memory_order_acquire);
       copy != NULL; copy = copy->next) {
    tn_residence_set_stale(copy, bytes, copy != written);
  }
}

void tn_residence_wait_for_arrivals(tn_buffer_copy *copy, tn_span bytes, tn_node *node) {
  for (tn_buffer_arrival **link = &copy->arrivals; *link != NULL;) {
    tn_buffer_arrival *each = *link;
    if (tn_span_overlaps(each->bytes, bytes)) {
      tn_node_wait_for(node, each->event, false);
    }
    if (tn_event_is_complete(each->event) && each->event->status == TN_OK) {
      *link = each->next;
      tn_event_release(each->event);
      tn_free(each);
    } else {
      link = &each->next;
    }
  }
}

void tn_residence_use(tn_device *location, const tn_access *access, tn_node *node) {
  tn_buffer *whole = tn_buffer_whole(access->buffer);
  tn_buffer_copy *copy = tn_residence_copy_at(whole, location);
  if (copy == NULL || tn_residence_is_on_host_only(whole)) {
    return;
  }
  tn_residence_wait_for_arrivals(copy, tn_residence_span(access->buffer), node);
  if ((access->mode & TN_ACCESS_WRITE) != 0) {
    tn_residence_note_write(whole, copy, tn_residence_span(access->buffer));
  }
}
