// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entries of a store: a header that says everything about the bytes behind it, and the bytes.
//
// 1. An entry is written beside its place, synced where that is asked for, and renamed. Under its
//    name it is whole, but for what a power failure does to one that was not synced.
// 2. What does not hold by its header (version, key, length, checksum) is removed and missed.
// 3. There are no locks: two who write one key write the same bytes, and what another removes
//    meanwhile is a miss.
#include "base/store.h"

#include "base/log.h"
#include "base/map.h"
#include "base/store_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define STORE_MAGIC "TNST"
enum {
  STORE_VERSION = 1,
  HEADER_VERSION_AT = 4,
  HEADER_KEY_AT = 8,
  HEADER_LENGTH_AT = 40,
  HEADER_CHECKSUM_AT = 48,
  HEADER_SIZE = 56,
  // A hit marks an entry as used when it was not marked for so many seconds.
  TOUCH_SECONDS = 60,
};

tn_store *tn_store_open(const char *root, const char *name, uint64_t maximum, uint32_t flags) {
  tn_store *store = tn_alloc(sizeof(*store));
  if (!store) {
    return NULL;
  }
  store->folder_fd = tn_store_folder_open(root, name);
  if (store->folder_fd < 0) {
    tn_free(store);
    return NULL;
  }
  store->maximum = maximum > 0 ? maximum : UINT64_MAX;
  store->flags = flags;
  return store;
}

void tn_store_close(tn_store *store) {
  if (store) {
    (void)close(store->folder_fd);
    tn_free(store);
  }
}

static void name_entry(const uint8_t *key, char name[TN_STORE_NAME_SIZE]) {
  static const char digits[] = "0123456789abcdef";
  char *end = name;
  for (size_t i = 0; i < TN_STORE_KEY_SIZE; i++) {
    *end++ = digits[key[i] >> 4];
    *end++ = digits[key[i] & 15];
    if (i == 0) {
      *end++ = '/';
    }
  }
  *end = '\0';
}

static void store_little_endian(uint8_t *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++) {
    at[i] = (uint8_t)(value >> (8 * i));
  }
}

// Everything before the checksum is in it too.
static void make_header(const uint8_t *key, tn_bytes value, uint8_t header[HEADER_SIZE]) {
  memcpy(header, STORE_MAGIC, 4);
  store_little_endian(header + HEADER_VERSION_AT, STORE_VERSION, 4);
  memcpy(header + HEADER_KEY_AT, key, TN_STORE_KEY_SIZE);
  store_little_endian(header + HEADER_LENGTH_AT, value.size, 8);
  const uint64_t seed = tn_hash_bytes(header, HEADER_CHECKSUM_AT, 0);
  store_little_endian(header + HEADER_CHECKSUM_AT, tn_hash_bytes(value.data, value.size, seed), 8);
}

// Reads exactly so much; false when there is less, and errno is 0 then.
static bool read_exactly(int fd, void *data, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t got =
        tn_fault_hit() ? (errno = EIO, -1) : read(fd, (char *)data + done, size - done);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got <= 0) {
      errno = got < 0 ? errno : 0;
      return false;
    }
    done += (size_t)got;
  }
  return true;
}

typedef enum verdict {
  IS_GOOD,
  IS_DAMAGED,  // the entry is to go
  IS_UNREAD,   // nothing is known about it
} verdict;

static verdict read_value(int fd, const uint8_t *key, uint64_t size, tn_buf *out) {
  uint8_t header[HEADER_SIZE];
  uint8_t expected[HEADER_SIZE];
  const size_t value_size = (size_t)size - HEADER_SIZE;
  char *value = tn_alloc(value_size > 0 ? value_size : 1);
  if (!value) {
    return IS_UNREAD;
  }
  verdict result = IS_GOOD;
  if (!read_exactly(fd, header, HEADER_SIZE) || !read_exactly(fd, value, value_size)) {
    result = errno == 0 ? IS_DAMAGED : IS_UNREAD;
  } else {
    make_header(key, tn_bytes_from(value, value_size), expected);
    result = memcmp(header, expected, HEADER_SIZE) == 0 ? IS_GOOD : IS_DAMAGED;
  }
  if (result == IS_GOOD) {
    tn_buf_add(out, value, value_size);
    if (out->failed != TN_OK) {
      tn_buf_clear(out);
      result = IS_UNREAD;
    }
  }
  tn_free(value);
  return result;
}

static verdict read_entry(int fd, const uint8_t *key, tn_buf *out) {
  struct stat info;
  if (fstat(fd, &info) != 0) {
    return IS_UNREAD;
  }
  if (!S_ISREG(info.st_mode) || info.st_size < HEADER_SIZE) {
    return IS_DAMAGED;
  }
  const uint64_t size = (uint64_t)info.st_size;
  if (size - HEADER_SIZE > out->maximum) {
    return IS_UNREAD;
  }
  const verdict result = read_value(fd, key, size, out);
  if (result == IS_GOOD && time(NULL) - info.st_mtim.tv_sec >= TOUCH_SECONDS) {
    (void)futimens(fd, NULL);
  }
  return result;
}

bool tn_store_get(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_buf *out) {
  tn_buf_clear(out);
  if (!store) {
    return false;
  }
  char name[TN_STORE_NAME_SIZE];
  name_entry(key, name);
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int fd = tn_fault_hit() ? (errno = EIO, -1) : openat(store->folder_fd, name, flags);
  if (fd < 0) {
    TN_LOG(cache, "%.16s: %s", name, errno == ENOENT ? "miss" : strerror(errno));
    return false;
  }
  const verdict result = read_entry(fd, key, out);
  (void)close(fd);
  if (result == IS_DAMAGED) {
    (void)unlinkat(store->folder_fd, name, 0);
  }
  TN_LOG(cache, "%.16s: %s", name,
         result == IS_GOOD      ? "hit"
         : result == IS_DAMAGED ? "damaged, removed"
                                : "cannot be read");
  return result == IS_GOOD;
}

static bool write_all(int fd, const void *data, size_t size) {
  size_t done = 0;
  while (done < size) {
    const ssize_t put =
        tn_fault_hit() ? (errno = ENOSPC, -1) : write(fd, (const char *)data + done, size - done);
    if (put < 0 && errno != EINTR) {
      return false;
    }
    done += put > 0 ? (size_t)put : 0;
  }
  return true;
}

// A file to write an entry of `sub` to; its name is left in `temp`.
static int create_temp(tn_store *store, const char *sub, char *temp, size_t temp_size) {
  for (int attempt = 0; attempt < 3; attempt++) {
    struct timespec now = {0};
    (void)clock_gettime(CLOCK_REALTIME, &now);
    (void)snprintf(temp, temp_size, "%s/" TN_STORE_TEMP_PREFIX "%d-%u-%lx%08lx", sub, (int)getpid(),
                   atomic_fetch_add_explicit(&store->temp_serial, 1, memory_order_relaxed),
                   (unsigned long)now.tv_sec, (unsigned long)now.tv_nsec);
    const int fd = tn_fault_hit()
                       ? (errno = EIO, -1)
                       : openat(store->folder_fd, temp,
                                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0) {
      return fd;
    }
    const int failed = errno;
    if (failed == ENOENT && mkdirat(store->folder_fd, sub, 0700) != 0 && errno != EEXIST) {
      return -1;
    }
    errno = failed;
    if (failed != ENOENT && failed != EEXIST) {
      return -1;
    }
  }
  return -1;
}

static bool sync_entry(const tn_store *store, int fd) {
  return (store->flags & TN_STORE_SYNC) == 0 ||
         (tn_fault_hit() ? (errno = EIO, -1) : fdatasync(fd)) == 0;
}

// False, with the reason in errno, when the entry is not there in the end.
static bool write_entry(tn_store *store, const char *name, const uint8_t *header, tn_bytes value) {
  const char sub[] = {name[0], name[1], '\0'};
  char temp[96];
  const int fd = create_temp(store, sub, temp, sizeof(temp));
  if (fd < 0) {
    return false;
  }
  bool is_good = write_all(fd, header, HEADER_SIZE) && write_all(fd, value.data, value.size) &&
                 sync_entry(store, fd);
  int failed = is_good ? 0 : errno;
  if (close(fd) != 0 && is_good) {
    is_good = false;
    failed = errno;
  }
  if (is_good && (tn_fault_hit() ? (errno = EIO, -1)
                                 : renameat(store->folder_fd, temp, store->folder_fd, name)) != 0) {
    is_good = false;
    failed = errno;
  }
  if (!is_good) {
    (void)unlinkat(store->folder_fd, temp, 0);
  }
  errno = failed;
  return is_good;
}

void tn_store_put(tn_store *store, const uint8_t key[TN_STORE_KEY_SIZE], tn_bytes value) {
  if (!store || atomic_load_explicit(&store->is_read_only, memory_order_relaxed)) {
    return;
  }
  char name[TN_STORE_NAME_SIZE];
  name_entry(key, name);
  // What is large beside the bound would drive out too much.
  if (value.size > store->maximum / 4 || !tn_store_may_write((uint64_t)value.size + HEADER_SIZE)) {
    TN_LOG(cache, "%.16s: not kept, %zu bytes are too many", name, value.size);
    return;
  }
  uint8_t header[HEADER_SIZE];
  make_header(key, value, header);
  tn_store_account(store, (uint64_t)value.size + HEADER_SIZE);
  if (write_entry(store, name, header, value)) {
    TN_LOG(cache, "%.16s: kept, %zu bytes", name, value.size);
    return;
  }
  TN_LOG(cache, "%.16s: not kept, nor anything more by this process: %s", name, strerror(errno));
  atomic_store_explicit(&store->is_read_only, true, memory_order_relaxed);
}
