// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One entry of a store: a header that says everything about the bytes behind it, and the bytes
// (docs/formats/disk-cache.md).
//
// 1. An entry is written beside its place, synced where that is asked for, and renamed. Under its
//    name it is whole, but for what a power failure does to one that was not synced.
// 2. What does not hold by its header (key, length, checksum) is damaged. Another version in the
//    header is another Tenon's, whose entry it is.
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
  // A use marks an entry when it was not marked for so many seconds.
  TOUCH_SECONDS = TN_STORE_CLOCK_SECONDS,
};

uint64_t tn_store_entry_size(size_t value_size) { return (uint64_t)value_size + HEADER_SIZE; }

void tn_store_name_entry(const uint8_t key[TN_STORE_KEY_SIZE], char name[TN_STORE_NAME_SIZE]) {
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

void tn_store_little_endian(uint8_t *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++) {
    at[i] = (uint8_t)(value >> (8 * i));
  }
}

// All but the checksum.
static void begin_header(const uint8_t *key, uint64_t size, uint8_t header[HEADER_SIZE]) {
  memcpy(header, STORE_MAGIC, 4);
  tn_store_little_endian(header + HEADER_VERSION_AT, STORE_VERSION, 4);
  memcpy(header + HEADER_KEY_AT, key, TN_STORE_KEY_SIZE);
  tn_store_little_endian(header + HEADER_LENGTH_AT, size, 8);
}

// Everything before the checksum is in it too.
static void make_header(const uint8_t *key, tn_bytes value, uint8_t header[HEADER_SIZE]) {
  begin_header(key, value.size, header);
  const uint64_t seed = tn_hash_bytes(header, HEADER_CHECKSUM_AT, 0);
  tn_store_little_endian(header + HEADER_CHECKSUM_AT, tn_hash_bytes(value.data, value.size, seed),
                         8);
}

bool tn_store_read_exactly(int fd, void *data, size_t size) {
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

static bool is_of_another_version(const uint8_t header[HEADER_SIZE],
                                  const uint8_t expected[HEADER_SIZE]) {
  return memcmp(header, STORE_MAGIC, 4) == 0 &&
         memcmp(header + HEADER_VERSION_AT, expected + HEADER_VERSION_AT, 4) != 0;
}

// `file_size` is at least that of a header; `out` is empty.
static tn_store_state read_value(int fd, const uint8_t *key, uint64_t file_size, tn_buf *out) {
  uint8_t header[HEADER_SIZE];
  uint8_t expected[HEADER_SIZE];
  const uint64_t whole = file_size - HEADER_SIZE;
  const size_t size = whole < out->maximum ? (size_t)whole : out->maximum;
  tn_store_state state = TN_STORE_UNREAD;
  char *value = tn_buf_add_space(out, size);
  if (!value) {
    tn_buf_clear(out);
    errno = ENOMEM;
    return state;
  }
  if (!tn_store_read_exactly(fd, header, HEADER_SIZE) || !tn_store_read_exactly(fd, value, size)) {
    state = errno == 0 ? TN_STORE_DAMAGED : TN_STORE_UNREAD;
    goto done;
  }
  begin_header(key, whole, expected);
  if (size == whole) {
    make_header(key, tn_bytes_from(value, size), expected);
  } else {
    memcpy(expected + HEADER_CHECKSUM_AT, header + HEADER_CHECKSUM_AT, 8);
  }
  state = memcmp(header, expected, HEADER_SIZE) == 0 ? TN_STORE_GOOD
          : is_of_another_version(header, expected)  ? TN_STORE_FOREIGN
                                                     : TN_STORE_DAMAGED;
done:
  if (state != TN_STORE_GOOD) {
    tn_buf_clear(out);
  }
  return state;
}

// A time to come is no time of use: the clock was set back.
static void mark_used(int fd, const struct stat *info) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_REALTIME, &now);
  const int64_t age = (int64_t)now.tv_sec - info->st_mtim.tv_sec;
  if (age >= TOUCH_SECONDS || age <= -TOUCH_SECONDS) {
    const struct timespec times[2] = {now, now};
    (void)futimens(fd, times);
  }
}

tn_store_state tn_store_entry_read(tn_store *store, const char *name, const uint8_t *key,
                                   bool is_peek, tn_buf *out) {
  struct stat info;
  tn_buf_clear(out);
  const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const int fd = tn_fault_hit() ? (errno = EIO, -1) : openat(store->folder_fd, name, flags);
  if (fd < 0) {
    return TN_STORE_UNREAD;
  }
  tn_store_state state = TN_STORE_UNREAD;
  if (fstat(fd, &info) == 0) {
    const uint64_t size = info.st_size > 0 ? (uint64_t)info.st_size : 0;
    if (!S_ISREG(info.st_mode) || size < HEADER_SIZE) {
      state = TN_STORE_DAMAGED;
    } else if (!is_peek && size - HEADER_SIZE > out->maximum) {
      errno = EFBIG;
    } else {
      state = read_value(fd, key, size, out);
    }
  }
  const int failed = errno;
  if (state == TN_STORE_GOOD && !is_peek) {
    mark_used(fd, &info);
  }
  (void)close(fd);
  errno = failed;
  return state;
}

bool tn_store_entry_remove(const tn_store *store, const char *name) {
  if (unlinkat(store->folder_fd, name, 0) == 0) {
    return true;
  }
  return errno == EISDIR && unlinkat(store->folder_fd, name, AT_REMOVEDIR) == 0;
}

bool tn_store_write_all(int fd, const void *data, size_t size) {
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

bool tn_store_entry_write(tn_store *store, const char *name, const uint8_t *key, tn_bytes value) {
  const char sub[] = {name[0], name[1], '\0'};
  uint8_t header[HEADER_SIZE];
  char temp[96];
  make_header(key, value, header);
  const int fd = create_temp(store, sub, temp, sizeof(temp));
  if (fd < 0) {
    return false;
  }
  bool is_good = tn_store_write_all(fd, header, HEADER_SIZE) &&
                 tn_store_write_all(fd, value.data, value.size) && sync_entry(store, fd);
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
