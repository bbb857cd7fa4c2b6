// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries of stores in one file, to be taken elsewhere (docs/formats/disk-cache.md). Whoever reads
// one believes nothing of it but what its checksums say.
#ifndef TN_BASE_STORE_PACK_H
#define TN_BASE_STORE_PACK_H

#include "base/store.h"

enum { TN_STORE_PACK_NAME_SIZE = 8 };  // of a store, at most

// Written beside its place; it is there after tn_store_pack_finish, or not at all.
typedef struct tn_store_pack {
  char *path;    // owned
  char *beside;  // owned
  int fd;
  uint64_t count;
  uint64_t size;
} tn_store_pack;

TN_MUST_USE tn_status tn_store_pack_create(const char *path, tn_store_pack *pack, tn_diag *diag);
TN_MUST_USE tn_status tn_store_pack_add(tn_store_pack *pack, const char *store,
                                        const uint8_t key[TN_STORE_KEY_SIZE], tn_bytes value,
                                        tn_diag *diag);
TN_MUST_USE tn_status tn_store_pack_finish(tn_store_pack *pack, tn_diag *diag);
// Also after a failure, and after the end.
void tn_store_pack_close(tn_store_pack *pack);

typedef struct tn_store_pack_found {
  uint64_t count;  // entries that there should be
  uint64_t good;   // that there were
} tn_store_pack_found;
// `take` is called for each entry that is whole, in the file's order; its status ends the reading.
// BAD_IMAGE when the file is none of these, or its head is damaged. Damage behind that only makes
// `good` smaller than `count`.
typedef tn_status tn_store_pack_take(void *user, tn_str store, const uint8_t *key, tn_bytes value,
                                     tn_diag *diag);
TN_MUST_USE tn_status tn_store_pack_read(const char *path, tn_store_pack_take *take, void *user,
                                         tn_store_pack_found *out, tn_diag *diag);

#endif
