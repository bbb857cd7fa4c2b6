// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps a store within its bound: an estimate that all processes share, and the sweep that counts,
// removes what dead processes left behind, and evicts what was used least recently.
//
// The estimate is the size of the file "used": a byte for each block of 4096 bytes. Who is about to
// write an entry appends to it, which is atomic; who sweeps sets it to what there is. Writing is
// counted before it is done, so what is never finished is counted too. A sweep that several do at a
// time, or that is cut short, makes the estimate wrong by no more than what is written meanwhile.
//
// A clock that is set back leaves times behind that are yet to come. They count as they would after
// as long a time; the sweep makes those of entries its own time, so that they age again.
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
  ENTRY_NAME_SIZE = 2 * TN_STORE_KEY_SIZE - 2,
};
#define SECOND_NS INT64_C(1000000000)

static bool is_apart(int64_t now, int64_t then, int64_t seconds) {
  return now - then >= seconds || then - now >= seconds;
}

static int digit_of(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

// False when it is no name of an entry.
static bool read_key(unsigned sub, const char *name, uint8_t key[TN_STORE_KEY_SIZE]) {
  if (strlen(name) != ENTRY_NAME_SIZE) {
    return false;
  }
  key[0] = (uint8_t)sub;
  for (size_t i = 1; i < TN_STORE_KEY_SIZE; i++) {
    const int high = digit_of(name[2 * i - 2]);
    const int low = digit_of(name[2 * i - 1]);
    if (high < 0 || low < 0) {
      return false;
    }
    key[i] = (uint8_t)(high << 4 | low);
  }
  return true;
}

static bool add_entry(tn_store_listing *out, const uint8_t *key, const struct stat *info) {
  if (out->count == out->capacity) {
    const size_t capacity = out->capacity > 0 ? out->capacity * 2 : 256;
    size_t size = 0;
    tn_store_listed *grown =
        tn_size_mul(capacity, sizeof(*grown), &size) ? tn_realloc(out->entries, size) : NULL;
    if (!grown) {
      return false;
    }
    out->entries = grown;
    out->capacity = capacity;
  }
  tn_store_listed *entry = &out->entries[out->count++];
  memcpy(entry->key, key, TN_STORE_KEY_SIZE);
  entry->used_ns = (int64_t)info->st_mtim.tv_sec * SECOND_NS + info->st_mtim.tv_nsec;
  entry->disk_size = tn_store_blocks((uint64_t)info->st_size) * 4096;
  out->disk_size += entry->disk_size;
  return true;
}

// What is done with each temporary file: `folder_fd` is where it lies. False when it stays, with
// the reason in errno if it was to go.
typedef bool take_temp(int folder_fd, const char *name, const struct stat *info);

// Files of other names are not ours to count or remove.
static bool look_at(tn_store_listing *out, unsigned sub, int folder_fd, const char *name,
                    take_temp *takes) {
  uint8_t key[TN_STORE_KEY_SIZE];
  struct stat info;
  const bool is_temp = strncmp(name, TN_STORE_TEMP_PREFIX, strlen(TN_STORE_TEMP_PREFIX)) == 0;
  if ((!is_temp && !read_key(sub, name, key)) ||
      fstatat(folder_fd, name, &info, AT_SYMLINK_NOFOLLOW) != 0 ||
      (is_temp && S_ISDIR(info.st_mode))) {
    return true;
  }
  if (!is_temp) {
    return add_entry(out, key, &info);
  }
  errno = 0;
  if (!takes(folder_fd, name, &info)) {
    out->temp_failed = errno != 0 ? errno : out->temp_failed;
    out->temp_count++;
    out->temp_size += tn_store_blocks((uint64_t)info.st_size) * 4096;
  }
  return true;
}

static bool look_into(const tn_store *store, tn_store_listing *out, unsigned sub,
                      take_temp *takes) {
  char name[12];
  (void)snprintf(name, sizeof(name), "%02x", sub);
  const int fd = openat(store->folder_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
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
    is_good = look_at(out, sub, fd, item->d_name, takes);
  }
  (void)closedir(folder);
  return is_good;
}

static bool take_none(int folder_fd, const char *name, const struct stat *info) {
  (void)folder_fd;
  (void)name;
  (void)info;
  return false;
}

static bool take_old(int folder_fd, const char *name, const struct stat *info) {
  if (!is_apart((int64_t)time(NULL), info->st_mtim.tv_sec, TEMP_SECONDS)) {
    return false;
  }
  const bool is_gone = unlinkat(folder_fd, name, 0) == 0;
  TN_STORE_LOG("%s: left behind, %s", name, is_gone ? "removed" : "and cannot be removed");
  return is_gone;
}

static bool take_any(int folder_fd, const char *name, const struct stat *info) {
  (void)info;
  return unlinkat(folder_fd, name, 0) == 0 || errno == ENOENT;
}

bool tn_store_collect(const tn_store *store, tn_store_temps temps, tn_store_listing *out) {
  static take_temp *const takes[] = {
      [TN_STORE_TEMPS_STAY] = take_none,
      [TN_STORE_TEMPS_OLD] = take_old,
      [TN_STORE_TEMPS_ALL] = take_any,
  };
  *out = (tn_store_listing){.count = 0};
  bool is_whole = true;
  for (unsigned sub = 0; is_whole && sub < TN_STORE_SUB_COUNT; sub++) {
    is_whole = look_into(store, out, sub, takes[temps]);
  }
  return is_whole;
}

static int by_use(const void *a, const void *b) {
  const int64_t first = ((const tn_store_listed *)a)->used_ns;
  const int64_t second = ((const tn_store_listed *)b)->used_ns;
  return first < second ? -1 : first > second ? 1 : 0;
}

void tn_store_evict(const tn_store *store, tn_store_listing *listing, uint64_t goal,
                    tn_store_removed *out_removed) {
  *out_removed = (tn_store_removed){.count = 0};
  uint64_t total = listing->disk_size + listing->temp_size;
  if (total <= goal || listing->count == 0) {
    return;
  }
  qsort(listing->entries, listing->count, sizeof(*listing->entries), by_use);
  for (size_t i = 0; i < listing->count && total > goal; i++) {
    const tn_store_listed *entry = &listing->entries[i];
    char name[TN_STORE_NAME_SIZE];
    tn_store_name_entry(entry->key, name);
    if (tn_store_entry_remove(store, name)) {
      out_removed->count++;
      out_removed->disk_size += entry->disk_size;
    } else if (errno != ENOENT) {
      out_removed->failed_count++;
      out_removed->failed = errno;
    }
    total -= entry->disk_size;
  }
  listing->disk_size = total - listing->temp_size;
  TN_STORE_LOG("%zu of %zu entries evicted", out_removed->count, listing->count);
  if (out_removed->failed_count > 0) {
    TN_STORE_LOG("%zu entries cannot be removed: %s", out_removed->failed_count,
                 strerror(out_removed->failed));
  }
}

// What was used at a time to come was used last, as far as anybody can tell, and ages from now on.
static void mend_times(const tn_store *store, tn_store_listing *listing) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_REALTIME, &now);
  const int64_t now_ns = (int64_t)now.tv_sec * SECOND_NS + now.tv_nsec;
  for (size_t i = 0; i < listing->count; i++) {
    tn_store_listed *entry = &listing->entries[i];
    if (entry->used_ns - now_ns >= TN_STORE_CLOCK_SECONDS * SECOND_NS) {
      const struct timespec times[2] = {now, now};
      char name[TN_STORE_NAME_SIZE];
      tn_store_name_entry(entry->key, name);
      (void)utimensat(store->folder_fd, name, times, AT_SYMLINK_NOFOLLOW);
      entry->used_ns = now_ns;
    }
  }
}

// One of the store's own files for writing, made when it is missing: -1 when something else than a
// regular file has its name.
static int open_own_file(const tn_store *store, const char *name, int more_flags) {
  struct stat info;
  const int flags = O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | more_flags;
  const int fd = openat(store->folder_fd, name, flags, 0600);
  if (fd >= 0 && (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))) {
    (void)close(fd);
    return -1;
  }
  return fd;
}

void tn_store_set_estimate(const tn_store *store, uint64_t bytes) {
  const int fd = open_own_file(store, "used", 0);
  if (fd < 0) {
    return;
  }
  const uint64_t size = bytes / 4096;
  if (tn_store_may_write(size) && ftruncate(fd, (off_t)size) != 0) {
    TN_STORE_LOG("the estimate cannot be set: %s", strerror(errno));
  }
  (void)close(fd);
}

static void mark_swept(const tn_store *store) {
  const int fd = open_own_file(store, "swept", 0);
  if (fd >= 0) {
    (void)futimens(fd, NULL);
    (void)close(fd);
  }
}

// Evicts down to three quarters of the bound, so that the next sweep is a quarter of it away.
static void sweep(const tn_store *store) {
  tn_store_listing found;
  tn_store_removed removed;
  mark_swept(store);
  // Others, who see the same estimate, go on meanwhile.
  if (store->maximum != UINT64_MAX) {
    tn_store_set_estimate(store, store->maximum / 16 * 15);
  }
  const bool is_whole = tn_store_collect(store, TN_STORE_TEMPS_OLD, &found);
  mend_times(store, &found);
  if (found.disk_size + found.temp_size > store->maximum) {
    tn_store_evict(store, &found, store->maximum / 4 * 3, &removed);
  }
  if (is_whole) {
    tn_store_set_estimate(store, found.disk_size + found.temp_size);
  }
  tn_store_listing_deinit(&found);
}

// The estimate in bytes after adding to it; 0 when there is none.
static uint64_t add_to_estimate(const tn_store *store, uint64_t size) {
  static const char zeros[4096];
  struct stat info;
  const int fd = open_own_file(store, "used", O_APPEND);
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
         is_apart((int64_t)time(NULL), info.st_mtim.tv_sec, DAY_SECONDS);
}

void tn_store_account(tn_store *store, uint64_t size) {
  const uint64_t estimate = add_to_estimate(store, size);
  if (estimate > store->maximum || is_long_ago(store)) {
    sweep(store);
  }
}
