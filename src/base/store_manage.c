// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists, checks, trims and clears a store that others may be using.
#include "base/store_manage.h"

#include "base/store_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int by_key(const void *a, const void *b) {
  return memcmp(((const tn_store_listed *)a)->key, ((const tn_store_listed *)b)->key,
                TN_STORE_KEY_SIZE);
}

static tn_status say_unread(tn_diag *diag) {
  return TN_FAIL(diag, IO, "not all of the folder can be read, or there is no memory for the list");
}

tn_status tn_store_list(const tn_store *store, tn_store_listing *out, tn_diag *diag) {
  if (!tn_store_collect(store, TN_STORE_TEMPS_STAY, out)) {
    tn_store_listing_deinit(out);
    return say_unread(diag);
  }
  if (out->count > 0) {
    qsort(out->entries, out->count, sizeof(*out->entries), by_key);
  }
  return TN_OK;
}

void tn_store_listing_deinit(tn_store_listing *listing) {
  tn_free(listing->entries);
  *listing = (tn_store_listing){.count = 0};
}

tn_store_state tn_store_peek(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_buf *out,
                             uint64_t *out_size) {
  char name[TN_STORE_NAME_SIZE];
  struct stat info;
  tn_store_name_entry(key, name);
  *out_size = 0;
  const tn_store_state state = tn_store_entry_read(store, name, key, true, out);
  const int failed = errno;
  if (state == TN_STORE_GOOD && fstatat(store->folder_fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0) {
    *out_size = (uint64_t)info.st_size - tn_store_entry_size(0);
  }
  errno = failed;
  return state;
}

bool tn_store_remove(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE]) {
  char name[TN_STORE_NAME_SIZE];
  tn_store_name_entry(key, name);
  return tn_store_entry_remove(store, name);
}

static tn_status say_left(size_t count, int failed, tn_diag *diag) {
  return TN_FAIL_NATIVE(diag, IO, failed, "%zu %s cannot be removed: %s", count,
                        count == 1 ? "file" : "files", strerror(failed));
}

tn_status tn_store_trim(tn_store *store, uint64_t maximum, tn_store_removed *out, tn_diag *diag) {
  tn_store_listing found;
  *out = (tn_store_removed){.count = 0};
  const bool is_whole = tn_store_collect(store, TN_STORE_TEMPS_OLD, &found);
  if (is_whole) {
    tn_store_evict(store, &found, maximum, out);
    tn_store_set_estimate(store, found.disk_size + found.temp_size);
  }
  tn_store_listing_deinit(&found);
  if (!is_whole) {
    return say_unread(diag);
  }
  return out->failed_count > 0 ? say_left(out->failed_count, out->failed, diag) : TN_OK;
}

// Folders that are empty now; "claims" stays, so that whoever holds one goes on holding it.
static void remove_subs(const tn_store *store) {
  for (unsigned sub = 0; sub < TN_STORE_SUB_COUNT; sub++) {
    char name[12];
    (void)snprintf(name, sizeof(name), "%02x", sub);
    (void)unlinkat(store->folder_fd, name, AT_REMOVEDIR);
  }
}

tn_status tn_store_clear(tn_store *store, tn_store_removed *out, tn_diag *diag) {
  tn_store_listing found;
  *out = (tn_store_removed){.count = 0};
  const bool is_whole = tn_store_collect(store, TN_STORE_TEMPS_ALL, &found);
  tn_store_evict(store, &found, 0, out);
  const size_t left = out->failed_count + found.temp_count;
  const int failed = out->failed_count > 0 ? out->failed : found.temp_failed;
  tn_store_listing_deinit(&found);
  remove_subs(store);
  tn_store_set_estimate(store, 0);
  if (!is_whole) {
    return say_unread(diag);
  }
  return left > 0 ? say_left(left, failed, diag) : TN_OK;
}
