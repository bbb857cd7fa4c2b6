// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies and fills in the process's own memory, for adapters. Any thread.
#ifndef TN_ADAPTER_HOST_HOST_H
#define TN_ADAPTER_HOST_HOST_H

#include "tenon/adapter.h"

// Repeats the pattern of `pattern_size` bytes; the last one may be cut.
void tn_host_fill(void *to, uint64_t size, const void *pattern, uint64_t pattern_size);
// Rows `first` to `end` of a COPY_RECT or FILL_RECT, counted through its slices.
void tn_host_move_rows(const tn_adapter_command *command, uint64_t first, uint64_t end);
// All of a COPY, FILL, COPY_RECT or FILL_RECT.
void tn_host_move(const tn_adapter_command *command);

#endif
