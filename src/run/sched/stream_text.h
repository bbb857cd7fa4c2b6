// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to run/sched: the output of work-items as text.
#ifndef TN_RUN_SCHED_STREAM_TEXT_H
#define TN_RUN_SCHED_STREAM_TEXT_H

#include "base/base.h"

typedef void (*tn_stream_put)(void *user, const char *text, size_t size);

// `memory` as tenon/stream.h describes it, of `size` bytes; device code has written to it, so
// nothing in it is believed.
void tn_stream_text_clear(void *memory, size_t size);
// Hands on the text, piece by piece.
void tn_stream_text_put(const void *memory, size_t size, tn_stream_put put, void *user);

#endif
