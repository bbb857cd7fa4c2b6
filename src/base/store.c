// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds and keeps: the entries are store_entry.c's, the bound store_sweep.c's, who makes what is
// missing store_claim.c's.
//
// 1. Reading and writing takes no locks: two who write one key write the same bytes, and what
//    another removes meanwhile is a miss.
// 2. What is damaged is removed and missed; what another version wrote is missed.
#include "base/store.h"

#include "base/map.h"
#include "base/store_folder.h"

#include <errno.h>
#include <unistd.h>

static tn_store *make_store(int take_fd, uint64_t maximum, uint32_t flags) {
  tn_store *store = tn_alloc(sizeof(*store));
  if (!store) {
    (void)close(take_fd);
    return NULL;
  }
  store->folder_fd = take_fd;
  store->maximum = maximum > 0 ? maximum : UINT64_MAX;
  store->flags = flags;
  return store;
}

static tn_status open_store(const char *root, const char *name, bool may_make, uint64_t maximum,
                            uint32_t flags, tn_store **out_store, tn_diag *diag) {
  *out_store = NULL;
  int fd = -1;
  TN_TRY(tn_store_folder_open(root, name, may_make, &fd, diag));
  if (fd >= 0) {
    *out_store = make_store(fd, maximum, flags);
    if (!*out_store) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "%s/%s: not used: no memory", root, name);
    }
  }
  return TN_OK;
}

tn_status tn_store_open_existing(const char *root, const char *name, tn_store **out_store,
                                 tn_diag *diag) {
  return open_store(root, name, false, 0, 0, out_store, diag);
}

tn_status tn_store_open_or_make(const char *root, const char *name, uint64_t maximum,
                                tn_store **out_store, tn_diag *diag) {
  return open_store(root, name, true, maximum, TN_STORE_SYNC, out_store, diag);
}

// Once a process for each reason, of the last few: stores may be opened again and again.
static void say_once(const char *reason) {
  enum { REMEMBERED = 8 };
  static _Atomic uint64_t said[REMEMBERED];
  static _Atomic uint32_t next;
  const uint64_t hash = tn_hash_bytes(reason, strlen(reason), 0) | 1;
  for (size_t i = 0; i < REMEMBERED; i++) {
    if (atomic_load_explicit(&said[i], memory_order_relaxed) == hash) {
      return;
    }
  }
  const uint32_t at = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  atomic_store_explicit(&said[at % REMEMBERED], hash, memory_order_relaxed);
  TN_STORE_LOG("%s", reason);
}

tn_store *tn_store_open(const char *root, const char *name, uint64_t maximum, uint32_t flags) {
  tn_store *store = NULL;
  tn_diag diag = {0};
  if (open_store(root, name, true, maximum, flags, &store, &diag) != TN_OK) {
    say_once(diag.text);
  }
  return store;
}

void tn_store_close(tn_store *store) {
  if (store) {
    (void)close(store->folder_fd);
    tn_free(store);
  }
}

tn_store_state tn_store_look(tn_store *store, const char *name, const uint8_t *key, tn_buf *out) {
  const tn_store_state state = tn_store_entry_read(store, name, key, false, out);
  if (state == TN_STORE_DAMAGED && tn_store_entry_remove(store, name)) {
    errno = 0;
  }
  return state;
}

bool tn_store_get(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_buf *out) {
  if (!store) {
    tn_buf_clear(out);
    return false;
  }
  char name[TN_STORE_NAME_SIZE];
  tn_store_name_entry(key, name);
  const tn_store_state state = tn_store_look(store, name, key, out);
  switch (state) {
    case TN_STORE_GOOD:
      TN_STORE_LOG("%.16s: hit", name);
      break;
    case TN_STORE_DAMAGED:
      TN_STORE_LOG("%.16s: damaged, %s%s", name, errno == 0 ? "removed" : "and cannot be removed: ",
                   errno == 0 ? "" : strerror(errno));
      break;
    case TN_STORE_FOREIGN:
      TN_STORE_LOG("%.16s: miss, another version of Tenon wrote it", name);
      break;
    case TN_STORE_UNREAD:
      TN_STORE_LOG("%.16s: %s", name, errno == ENOENT ? "miss" : strerror(errno));
      break;
  }
  return state == TN_STORE_GOOD;
}

tn_store_kept tn_store_keep(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_bytes value) {
  char name[TN_STORE_NAME_SIZE];
  const uint64_t size = tn_store_entry_size(value.size);
  tn_store_name_entry(key, name);
  // What is large beside the bound would drive out too much.
  if (value.size > store->maximum / 4 || !tn_store_may_write(size)) {
    TN_STORE_LOG("%.16s: not kept, %zu bytes are too many", name, value.size);
    return TN_STORE_TOO_LARGE;
  }
  tn_store_account(store, size);
  if (tn_store_entry_write(store, name, key, value)) {
    TN_STORE_LOG("%.16s: kept, %zu bytes", name, value.size);
    return TN_STORE_KEPT;
  }
  const int failed = errno;
  // Somebody who clears the store took the file away, or a folder lies in the entry's place: the
  // next one may stay.
  const bool passes = failed == ENOENT || failed == EISDIR;
  TN_STORE_LOG("%.16s: not kept%s: %s", name, passes ? "" : ", nor anything more by this process",
               strerror(failed));
  if (!passes) {
    atomic_store_explicit(&store->is_read_only, true, memory_order_relaxed);
  }
  errno = failed;
  return TN_STORE_NOT_KEPT;
}

bool tn_store_put(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_bytes value) {
  return store && !atomic_load_explicit(&store->is_read_only, memory_order_relaxed) &&
         tn_store_keep(store, key, value) == TN_STORE_KEPT;
}
