// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tenon-cache tells about caches, as text and as JSON.
#ifndef TN_TOOLS_CACHE_PRINT_H
#define TN_TOOLS_CACHE_PRINT_H

#include "base/store_manage.h"

typedef struct tn_cache_shelf {
  const char *name;          // static: "program", "link", "source"
  tn_store *store;           // owned; NULL when there is none yet
  tn_store_listing listing;  // owned; filled by those who need it
} tn_cache_shelf;

// "3.4 MiB".
void tn_cache_print_size(tn_buf *out, uint64_t size);
// `maximum` is the bound of each; 0 is none.
void tn_cache_print_stats(tn_buf *out, const char *folder, uint64_t maximum,
                          const tn_cache_shelf *shelves, size_t count, bool as_json);
// All entries, the most recently used first.
TN_MUST_USE tn_status tn_cache_print_entries(tn_buf *out, const tn_cache_shelf *shelves,
                                             size_t count, bool as_json, tn_diag *diag);

#endif
