// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All live USM allocations of the process, sorted by address: a skip list. Private to run/memory.
#ifndef TN_RUN_MEMORY_USM_TABLE_H
#define TN_RUN_MEMORY_USM_TABLE_H

#include "run/memory/memory.h"

enum { TN_USM_LEVELS = 16 };

typedef enum tn_usm_origin {
  TN_USM_ALLOCATED,
  TN_USM_OPENED,      // memory of another process (ipc_memory.c)
  TN_USM_REGISTERED,  // the program's own (host_memory.c)
} tn_usm_origin;

typedef struct tn_usm_entry tn_usm_entry;
struct tn_usm_entry {
  uintptr_t base;
  size_t size;
  int32_t kind;          // TN_USM_…
  uint32_t level_count;  // length of `next`
  tn_context *context;   // the one it was allocated in; only compared
  tn_device *device;     // whose adapter has it; static lifetime
  tn_usm_origin origin;
  tn_usm_entry *next[];  // guarded by the table's lock
};

// NULL when there is no memory.
tn_usm_entry *tn_usm_entry_create(void);
// The table owns the entry from here on. Any thread.
void tn_usm_table_add(tn_usm_entry *take_entry);
// Copies the entry whose range holds `address` (not its `next`); false when there is none.
bool tn_usm_table_find(uintptr_t address, tn_usm_entry *out);
// As tn_usm_table_add, unless another entry has some of its range: false, and nothing is owned.
bool tn_usm_table_add_apart(tn_usm_entry *take_entry);
// Takes out the entry of `context` and `origin` that begins at `base`: owned by the caller
// (tn_free); NULL when there is none.
tn_usm_entry *tn_usm_table_remove(tn_context *context, uintptr_t base, tn_usm_origin origin);

#endif
