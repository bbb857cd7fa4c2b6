// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to the registry: finds a module's record by its descriptor, in a time that does not grow
// with the number of modules.
#ifndef TN_RUN_REGISTRY_MODULE_INDEX_H
#define TN_RUN_REGISTRY_MODULE_INDEX_H

#include "base/base.h"
#include "tenon/register.h"

// The record embeds it.
typedef struct tn_module_entry tn_module_entry;
struct tn_module_entry {
  const tn_module *module;
  tn_module_entry *chain;  // the index's
};

enum { TN_MODULE_INDEX_FIRST = 32 };

// All zero is empty. Guarded by its owner. It needs memory only to stay fast: without, chains are
// long. The last removal gives all memory back.
typedef struct tn_module_index {
  tn_module_entry *few[TN_MODULE_INDEX_FIRST];  // while `many` is NULL
  tn_module_entry **many;                       // owned
  size_t capacity;                              // of `many`: a power of two
  size_t count;
} tn_module_index;

void tn_module_index_add(tn_module_index *index, tn_module_entry *entry);
void tn_module_index_remove(tn_module_index *index, tn_module_entry *entry);
tn_module_entry *tn_module_index_find(const tn_module_index *index, const tn_module *module);

#endif
