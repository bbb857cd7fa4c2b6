// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Closing a buffer: its last owner waits for the uses of the buffer and has it written back.
#include "base/log.h"
#include "base/weak.h"
#include "run/sched/transfer.h"
#include "tenon/weak.h"

void tn_buffer_close(tn_buffer *buffer) {
  if (buffer == NULL || buffer->whole != NULL || !tn_buffer_begin_close(buffer)) {
    return;
  }
  if (tn_buffer_must_wait(buffer)) {
    tn_hazard_await_uses(buffer);
    tn_diag diag = {0};
    if (tn_transfer_to_host_now(buffer, TN_ACCESS_READ, &diag) != TN_OK) {
      TN_LOG(memory, "buffer %p is not written back: %s", (void *)buffer, diag.text);
      atomic_store_explicit(&buffer->modified, false, memory_order_relaxed);
    }
  }
  tn_buffer_write_back(buffer);
  tn_buffer_close_native(buffer);
}

static void lose_owner(tn_buffer *buffer) {
  if (!tn_ref_down(&buffer->owners)) {
    return;
  }
  if (buffer->whole != NULL) {
    lose_owner(buffer->whole);
  } else {
    tn_buffer_close(buffer);
  }
}

void tn_buffer_disown(tn_buffer *buffer) {
  if (buffer != NULL) {
    lose_owner(buffer);
    tn_buffer_release(buffer);
  }
}

void tn_buffer_release(tn_buffer *buffer) {
  if (buffer == NULL || !tn_ref_down(&buffer->users)) {
    return;
  }
  tn_buffer *whole = buffer->whole;
  if (whole != NULL && atomic_load_explicit(&buffer->owners.count, memory_order_relaxed) != 0) {
    lose_owner(whole);  // a part whose owners were released, not disowned
  }
  tn_buffer_close(buffer);
  tn_buffer_free_kept(buffer);
  tn_buffer_unref(buffer);
  tn_buffer_release(whole);
}

static void unref(void *object) { tn_buffer_unref(object); }

// Owners are users. Those who only release a buffer leave `owners` as it was, so both are asked.
static bool take_owner(void *object) {
  tn_buffer *buffer = object;
  bool is_taken = false;
  if (tn_ref_try_up(&buffer->users)) {
    is_taken = tn_ref_try_up(&buffer->owners);
    if (!is_taken) {
      tn_buffer_release(buffer);
    }
  }
  tn_buffer_unref(buffer);
  return is_taken;
}

static bool has_no_owner(const void *object) {
  const tn_buffer *buffer = object;
  return atomic_load_explicit(&buffer->owners.count, memory_order_acquire) == 0 ||
         atomic_load_explicit(&buffer->users.count, memory_order_acquire) == 0;
}

tn_weak *tn_buffer_weak(tn_buffer *buffer) {
  static const tn_weak_type type = {
      .release = unref, .take = take_owner, .is_closed = has_no_owner};
  return buffer != NULL ? tn_weak_of(&buffer->ref, buffer, &type, NULL) : NULL;
}

static void release(void *object) { tn_buffer_release(object); }

tn_weak *tn_buffer_weak_use(tn_buffer *buffer) {
  static const tn_weak_type type = {.release = release};
  return buffer != NULL ? tn_weak_of(&buffer->users, buffer, &type, NULL) : NULL;
}
