// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people do with a store by hand (tenon-cache): list, check, trim, clear, copy. Others may use
// the store meanwhile, so that every answer is of a moment ago.
#ifndef TN_BASE_STORE_MANAGE_H
#define TN_BASE_STORE_MANAGE_H

#include "base/store.h"

// As tn_store_open, but says why there is none, and makes no folder: *out_store is NULL, and the
// status TN_OK, when it is not there.
TN_MUST_USE tn_status tn_store_open_existing(const char *root, const char *name,
                                             tn_store **out_store, tn_diag *diag);
// As tn_store_open, but says why there is none.
TN_MUST_USE tn_status tn_store_open_or_make(const char *root, const char *name, uint64_t maximum,
                                            tn_store **out_store, tn_diag *diag);

typedef struct tn_store_listed {
  uint8_t key[TN_STORE_KEY_SIZE];
  uint64_t disk_size;  // as blocks
  int64_t used_ns;     // when it was last used, since 1970
} tn_store_listed;

typedef struct tn_store_listing {
  tn_store_listed *entries;  // owned
  size_t count;
  size_t capacity;
  uint64_t disk_size;  // of all entries
  size_t temp_count;   // files that are being written, or were when somebody died
  uint64_t temp_size;
  int temp_failed;  // errno of the last of them that could not be removed, or 0
} tn_store_listing;

// All entries by their keys: whatever lies in an entry's place, also a folder. IO when not all of
// the folder can be read.
TN_MUST_USE tn_status tn_store_list(const tn_store *store, tn_store_listing *out, tn_diag *diag);
void tn_store_listing_deinit(tn_store_listing *listing);

typedef enum tn_store_state {
  TN_STORE_GOOD,
  TN_STORE_DAMAGED,
  TN_STORE_FOREIGN,  // another version of Tenon wrote it in another format
  TN_STORE_UNREAD,   // removed meanwhile, not permitted, no memory: nothing is known
} tn_store_state;

// The value, or its first bytes when `out` cannot hold it all; then the checksum was not looked at.
// It does not count as a use, and a damaged entry stays.
tn_store_state tn_store_peek(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_buf *out,
                             uint64_t *out_size);
// False, with the reason in errno, when it is still there, or was not.
bool tn_store_remove(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE]);

typedef struct tn_store_removed {
  size_t count;
  uint64_t disk_size;
  size_t failed_count;  // that were to go and are still there
  int failed;           // errno of the last of them
} tn_store_removed;

// The least recently used go until the rest takes no more than `maximum` bytes. IO when some that
// were to go cannot be removed.
TN_MUST_USE tn_status tn_store_trim(tn_store *store, uint64_t maximum, tn_store_removed *out,
                                    tn_diag *diag);
// Removes all entries and what writers left behind; other files stay.
TN_MUST_USE tn_status tn_store_clear(tn_store *store, tn_store_removed *out, tn_diag *diag);

typedef enum tn_store_kept {
  TN_STORE_KEPT,
  TN_STORE_TOO_LARGE,  // beside the bound
  TN_STORE_NOT_KEPT,   // it cannot be written; errno says why
} tn_store_kept;
// As tn_store_put, and says what came of it.
tn_store_kept tn_store_keep(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_bytes value);

#endif
