// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The capture context (design 3.1): while a command group copies its functor into the argument
// block, objects that need patching at launch see here that they are being built inside it.
#ifndef TENON_CAPTURE_H
#define TENON_CAPTURE_H

#include "tenon/queue.h"

#ifdef __cplusplus
extern "C" {
#endif

// Lives on the stack of the thread that copies; `note` is called by the object being built.
typedef struct tn_capture tn_capture;
struct tn_capture {
  const void *begin;  // the block
  const void *end;
  void (*note)(tn_capture *capture, const void *field, tn_buffer *buffer, uint32_t mode);
  // Of local memory: `field` is of 8 bytes and gets the offset; see tn_local.
  void (*note_local)(tn_capture *capture, const void *field, uint64_t id, uint64_t size,
                     uint32_t alignment);
};
// Sets the calling thread's context and returns the one before, which the caller puts back.
TN_API tn_capture *tn_capture_set(tn_capture *capture);
TN_API tn_capture *tn_capture_get(void);  // NULL outside a copy

#ifdef __cplusplus
}
#endif
#endif
