// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Closing a buffer: its last owner waits for the uses of the buffer and has it written back.
#include "base/log.h"
#include "run/sched/transfer.h"

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
