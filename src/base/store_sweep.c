// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps a store within its bound: an estimate that all processes share, and the sweep that counts,
// removes what dead processes left behind, and evicts what was used least recently.
//
// The estimate is the size of the file "used": a byte for each block of 4096 bytes. Who is about to
// write an entry appends to it, which is atomic; who sweeps sets it to what there is. Writing is
// counted before it is done, so what is never finished is counted too. A sweep that several do at a
// time, or that is cut short, makes the estimate wrong by no more than what is written meanwhile.
#include "base/log.h"
#include "base/store_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
  DAY_SECONDS = 24 * 60 * 60,
  // A temporary file of that age is no longer being written.
  TEMP_SECONDS = 60 * 60,
};

typedef struct found_entry {
  int64_t used_ns;  // when it was last used
  uint64_t size;
  uint8_t sub;
  char name[2 * TN_STORE_KEY_SIZE - 1];  // NUL-terminated
} found_entry;

typedef struct sweep {
  tn_store *store;     // borrowed
  int64_t now;         // seconds
  found_entry *found;  // owned
  size_t count;
  size_t capacity;
  uint64_t total;  // bytes on disk, as blocks
} sweep;

static bool is_entry_name(const char *name) {
  return strlen(name) == 2 * TN_STORE_KEY_SIZE - 2 &&
         strspn(name, "0123456789abcdef") == 2 * TN_STORE_KEY_SIZE - 2;
}

static bool add_found(sweep *s, unsigned sub, const char *name, const struct stat *info) {
  if (s->count == s->capacity) {
    const size_t capacity = s->capacity > 0 ? s->capacity * 2 : 256;
    size_t size = 0;
    found_entry *grown =
        tn_size_mul(capacity, sizeof(*grown), &size) ? tn_realloc(s->found, size) : NULL;
    if (!grown) {
      return false;
    }
    s->found = grown;
    s->capacity = capacity;
  }
  found_entry *entry = &s->found[s->count++];
  *entry = (found_entry){
      .used_ns = (int64_t)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec,
      .size = tn_store_blocks((uint64_t)info->st_size) * 4096,
      .sub = (uint8_t)sub,
  };
  memcpy(entry->name, name, sizeof(entry->name) - 1);
  s->total += entry->size;
  return true;
}

// Files of other names are not ours to count or remove.
static bool look_at(sweep *s, unsigned sub, int folder_fd, const char *name) {
  const bool is_temp = strncmp(name, TN_STORE_TEMP_PREFIX, strlen(TN_STORE_TEMP_PREFIX)) == 0;
  struct stat info;
  if ((!is_temp && !is_entry_name(name)) ||
      fstatat(folder_fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return true;
  }
  if (!is_temp) {
    return add_found(s, sub, name, &info);
  }
  if (s->now - info.st_mtim.tv_sec >= TEMP_SECONDS) {
    TN_LOG(cache, "%02x/%s: left behind, removed", sub, name);
    (void)unlinkat(folder_fd, name, 0);
  } else {
    s->total += tn_store_blocks((uint64_t)info.st_size) * 4096;
  }
  return true;
}

static bool look_into(sweep *s, unsigned sub) {
  char name[12];
  (void)snprintf(name, sizeof(name), "%02x", sub);
  const int fd = openat(s->store->folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    return errno == ENOENT || errno == ENOTDIR;
  }
  DIR *folder = tn_fault_hit() ? NULL : fdopendir(fd);
  if (!folder) {
    (void)close(fd);
    return false;
  }
  bool is_good = true;
  for (struct dirent *item = NULL; is_good && (item = readdir(folder)) != NULL;) {
    is_good = look_at(s, sub, fd, item->d_name);
  }
  (void)closedir(folder);
  return is_good;
}

static int by_use(const void *a, const void *b) {
  const int64_t first = ((const found_entry *)a)->used_ns;
  const int64_t second = ((const found_entry *)b)->used_ns;
  return first < second ? -1 : first > second ? 1 : 0;
}

// Down to three quarters of the bound, so that the next sweep is a quarter of it away.
static void evict(sweep *s) {
  if (s->total <= s->store->maximum || s->count == 0) {
    return;
  }
  qsort(s->found, s->count, sizeof(*s->found), by_use);
  const uint64_t goal = s->store->maximum / 4 * 3;
  size_t evicted = 0;
  for (; evicted < s->count && s->total > goal; evicted++) {
    const found_entry *entry = &s->found[evicted];
    char path[TN_STORE_NAME_SIZE];
    (void)snprintf(path, sizeof(path), "%02x/%s", entry->sub, entry->name);
    (void)unlinkat(s->store->folder_fd, path, 0);
    s->total -= entry->size;
  }
  TN_LOG(cache, "%zu of %zu entries evicted", evicted, s->count);
}

static void set_estimate(const tn_store *store, uint64_t bytes) {
  const int fd =
      openat(store->folder_fd, "used", O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) {
    return;
  }
  const uint64_t size = bytes / 4096;
  if (tn_store_may_write(size) && ftruncate(fd, (off_t)size) != 0) {
    TN_LOG(cache, "the estimate cannot be set: %s", strerror(errno));
  }
  (void)close(fd);
}

static void mark_swept(const tn_store *store) {
  const int fd =
      openat(store->folder_fd, "swept", O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd >= 0) {
    (void)futimens(fd, NULL);
    (void)close(fd);
  }
}

static void sweep_all(tn_store *store) {
  sweep s = {.store = store, .now = (int64_t)time(NULL)};
  mark_swept(store);
  // Others, who see the same estimate, go on meanwhile.
  if (store->maximum != UINT64_MAX) {
    set_estimate(store, store->maximum / 16 * 15);
  }
  bool is_whole = true;
  for (unsigned sub = 0; is_whole && sub < TN_STORE_SUB_COUNT; sub++) {
    is_whole = look_into(&s, sub);
  }
  evict(&s);
  if (is_whole) {
    set_estimate(store, s.total);
  }
  tn_free(s.found);
}

// The estimate in bytes after adding to it; 0 when there is none.
static uint64_t add_to_estimate(const tn_store *store, uint64_t size) {
  static const char zeros[4096];
  struct stat info;
  const int fd = openat(store->folder_fd, "used",
                        O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) {
    return 0;
  }
  uint64_t left = tn_store_blocks(size);
  const bool may_write = fstat(fd, &info) == 0 && tn_store_may_write((uint64_t)info.st_size + left);
  while (may_write && left > 0) {
    const ssize_t put = write(fd, zeros, left < sizeof(zeros) ? (size_t)left : sizeof(zeros));
    if (put <= 0) {
      break;
    }
    left -= (uint64_t)put;
  }
  const uint64_t estimate = fstat(fd, &info) == 0 ? (uint64_t)info.st_size * 4096 : 0;
  (void)close(fd);
  return estimate;
}

// Asked once a process.
static bool is_long_ago(tn_store *store) {
  struct stat info;
  if (atomic_exchange_explicit(&store->is_age_known, true, memory_order_relaxed)) {
    return false;
  }
  return fstatat(store->folder_fd, "swept", &info, AT_SYMLINK_NOFOLLOW) != 0 ||
         time(NULL) - info.st_mtim.tv_sec >= DAY_SECONDS;
}

void tn_store_account(tn_store *store, uint64_t size) {
  const uint64_t estimate = add_to_estimate(store, size);
  if (estimate > store->maximum || is_long_ago(store)) {
    sweep_all(store);
  }
}
