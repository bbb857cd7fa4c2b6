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
// none: an empty root, a root that others may write to (unless it is sticky) or that is neither the
// user's nor the system's, a folder in it that others can enter or that is another's, no
// permission, no memory.
tn_store *tn_store_open(const char *root, const char *name, uint64_t maximum, uint32_t flags);
void tn_store_close(tn_store *store);  // NULL-safe

// Replaces what is in `out`; false, and nothing in it, on a miss. A NULL store always misses.
bool tn_store_get(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_buf *out);
typedef enum tn_store_found {
  TN_STORE_HIT,      // `out` holds the value
  TN_STORE_CLAIMED,  // a miss, and the caller is the one to make it: tn_store_release_claim
  TN_STORE_MISS,     // a miss; others may be making it as well
} tn_store_found;
typedef struct tn_store_claim {
  int fd;  // private, as all of it
  uint32_t slot;
  uint8_t key[TN_STORE_KEY_SIZE];
} tn_store_claim;
// As tn_store_get; on a miss, of all processes and threads that ask so one is to make the value,
// and the others wait for it: until it is there, until its maker gives up or dies, at most
// `wait_ms`. One of those who wait for a dead one is CLAIMED in turn, all who wait for one that
// gave up MISS. Where the file system has no locks, or this process cannot keep entries, nobody
// waits. *out_waited says whether another was seen making it. Not from the child's side of a fork.
tn_store_found tn_store_get_or_claim(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE],
                                     uint32_t wait_ms, tn_buf *out, tn_store_claim *claim,
                                     bool *out_waited);
// After the value was put, or making it failed. Nothing happens when there is no claim.
void tn_store_release_claim(tn_store *store, tn_store_claim *claim);
// Keeps a copy if that is possible. Keys are content hashes: the value of a key never changes, and
// the first bytes of keys are spread evenly.
// True when it is kept.
bool tn_store_put(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_bytes value);

#endif
