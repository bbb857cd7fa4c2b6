// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a store's files have in common: where entries lie, and how much there is. Private to store*.
#ifndef TN_BASE_STORE_FOLDER_H
#define TN_BASE_STORE_FOLDER_H

#include "base/store.h"

#include <stdatomic.h>

// Names in the store's folder: "<2 digits>/<62 digits>" an entry, "<2 digits>/tmp-…" one that is
// being written, "used" the estimate of what all take, "swept" when that was last counted.
#define TN_STORE_TEMP_PREFIX "tmp-"
enum { TN_STORE_SUB_COUNT = 256, TN_STORE_NAME_SIZE = 2 * TN_STORE_KEY_SIZE + 2 };

struct tn_store {
  int folder_fd;                 // immutable after open
  uint64_t maximum;              // immutable
  uint32_t flags;                // immutable
  _Atomic bool is_read_only;     // writing failed in a way that will not pass
  _Atomic bool is_age_known;     // this process has looked at "swept"
  _Atomic uint32_t temp_serial;  // of names
};

// The folder `name` below `root`, private to this user, or -1.
int tn_store_folder_open(const char *root, const char *name);
// To be called before `size` bytes are written: counts them and, when the estimate says that the
// bound is reached or a day has passed, counts what there is, removes leftovers and evicts.
void tn_store_account(tn_store *store, uint64_t size);
// False when a file of so many bytes is over the process's limit: writing it would end the process
// by a signal.
bool tn_store_may_write(uint64_t size);
// What an entry of so many bytes takes on a disk.
static inline uint64_t tn_store_blocks(uint64_t size) { return size / 4096 + 1; }

#endif
