// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of byte strings, found again by keys of 32 bytes: what was costly to make, kept between
// processes. It can do no harm: whatever is wrong with the folder or an entry is a miss, never an
// error, and what was put is gone sooner or later. Any thread, any number of processes at a time.
#ifndef TN_BASE_STORE_H
#define TN_BASE_STORE_H

#include "base/buf.h"

#define TN_STORE_KEY_SIZE 32

typedef struct tn_store tn_store;
enum { TN_STORE_SYNC = 1u << 0 };

// The store `name` (one path component) below `root`, which is an absolute path; both are made when
// they are not there. At most about `maximum` bytes are kept, the least recently used go first;
// 0 is no bound. TN_STORE_SYNC waits until an entry is on the disk; without it a power failure may
// lose entries, which are missed then. NULL, with a line of TENON_LOG=cache, when there can be
// none: an empty root, a folder that others than its owner can enter or that belongs to another, no
// permission, no memory.
tn_store *tn_store_open(const char *root, const char *name, uint64_t maximum, uint32_t flags);
void tn_store_close(tn_store *store);  // NULL-safe

// Replaces what is in `out`; false, and nothing in it, on a miss. A NULL store always misses.
bool tn_store_get(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_buf *out);
// Keeps a copy if that is possible. Keys are content hashes: the value of a key never changes, and
// the first bytes of keys are spread evenly.
void tn_store_put(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_bytes value);

#endif
