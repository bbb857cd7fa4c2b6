// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The capture context of the calling thread.
#include "tenon/capture.h"

static _Thread_local tn_capture *current;

tn_capture *tn_capture_set(tn_capture *capture) {
  tn_capture *before = current;
  current = capture;
  return before;
}

tn_capture *tn_capture_get(void) { return current; }
