// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes and reads files of entries. Each part has a checksum of its own: a damaged value costs one
// entry, a damaged head all that follow it, since nobody knows where they begin.
#include "base/store_pack.h"

#include "base/file.h"
#include "base/map.h"
#include "base/store_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define PACK_MAGIC "TNCX"
enum {
  PACK_VERSION = 1,
  PACK_VERSION_AT = 4,
  PACK_COUNT_AT = 8,
  PACK_SIZE_AT = 16,
  PACK_CHECKSUM_AT = 24,
  PACK_SIZE = 32,
  HEAD_KEY_AT = TN_STORE_PACK_NAME_SIZE,
  HEAD_LENGTH_AT = 40,
  HEAD_VALUE_CHECKSUM_AT = 48,
  HEAD_CHECKSUM_AT = 56,
  HEAD_SIZE = 64,
};

static uint64_t load_u64(const uint8_t *at) {
  uint64_t value = 0;
  for (size_t i = 0; i < 8; i++) {
    value |= (uint64_t)at[i] << (8 * i);
  }
  return value;
}

static tn_status fail_io(const char *path, const char *what, int failed, tn_diag *diag) {
  return TN_FAIL_NATIVE(diag, IO, failed, "%s: %s: %s", path, what, strerror(failed));
}

static void make_pack_head(uint64_t count, uint64_t size, uint8_t head[PACK_SIZE]) {
  memcpy(head, PACK_MAGIC, 4);
  tn_store_little_endian(head + PACK_VERSION_AT, PACK_VERSION, 4);
  tn_store_little_endian(head + PACK_COUNT_AT, count, 8);
  tn_store_little_endian(head + PACK_SIZE_AT, size, 8);
  tn_store_little_endian(head + PACK_CHECKSUM_AT, tn_hash_bytes(head, PACK_CHECKSUM_AT, 0), 8);
}

tn_status tn_store_pack_create(const char *path, tn_store_pack *pack, tn_diag *diag) {
  static const uint8_t later[PACK_SIZE];
  struct stat info;
  *pack = (tn_store_pack){.fd = -1, .size = PACK_SIZE};
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
    return TN_FAIL(diag, IO, "%s: is no regular file, and cannot be replaced by one", path);
  }
  tn_buf beside;
  tn_buf_init(&beside, PATH_MAX);
  tn_status status = tn_file_create_beside(path, &beside, &pack->fd, diag);
  if (status == TN_OK) {
    pack->path = tn_str_copy(tn_str_from(path));
    pack->beside = tn_str_copy(tn_buf_str(&beside));
    if (!pack->path || !pack->beside) {
      tn_file_remove(beside.data);
      status = TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for its name", path);
    }
  }
  tn_buf_deinit(&beside);
  if (status != TN_OK) {
    return status;
  }
  return tn_store_write_all(pack->fd, later, PACK_SIZE)
             ? TN_OK
             : fail_io(path, "cannot be written", errno, diag);
}

tn_status tn_store_pack_add(tn_store_pack *pack, const char *store,
                            const uint8_t key[TN_STORE_KEY_SIZE], tn_bytes value, tn_diag *diag) {
  uint8_t head[HEAD_SIZE] = {0};
  const size_t name_size = strlen(store);
  if (TN_NEVER(name_size > TN_STORE_PACK_NAME_SIZE)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: too long a name of a store", store);
  }
  memcpy(head, store, name_size);
  memcpy(head + HEAD_KEY_AT, key, TN_STORE_KEY_SIZE);
  tn_store_little_endian(head + HEAD_LENGTH_AT, value.size, 8);
  const uint64_t seed = tn_hash_bytes(head, HEAD_VALUE_CHECKSUM_AT, 0);
  tn_store_little_endian(head + HEAD_VALUE_CHECKSUM_AT, tn_hash_bytes(value.data, value.size, seed),
                         8);
  tn_store_little_endian(head + HEAD_CHECKSUM_AT, tn_hash_bytes(head, HEAD_CHECKSUM_AT, 0), 8);
  if (!tn_store_write_all(pack->fd, head, HEAD_SIZE) ||
      !tn_store_write_all(pack->fd, value.data, value.size)) {
    return fail_io(pack->path, "cannot be written", errno, diag);
  }
  pack->count++;
  pack->size += HEAD_SIZE + value.size;
  return TN_OK;
}

tn_status tn_store_pack_finish(tn_store_pack *pack, tn_diag *diag) {
  uint8_t head[PACK_SIZE];
  make_pack_head(pack->count, pack->size, head);
  if (lseek(pack->fd, 0, SEEK_SET) != 0 || !tn_store_write_all(pack->fd, head, PACK_SIZE)) {
    return fail_io(pack->path, "cannot be written", errno, diag);
  }
  const int closed = close(pack->fd);
  pack->fd = -1;
  if (closed != 0 || (tn_fault_hit() ? (errno = EIO, -1) : rename(pack->beside, pack->path)) != 0) {
    return fail_io(pack->path, "cannot be written", errno, diag);
  }
  tn_free(pack->beside);
  pack->beside = NULL;
  return TN_OK;
}

void tn_store_pack_close(tn_store_pack *pack) {
  if (pack->fd >= 0) {
    (void)close(pack->fd);
  }
  if (pack->beside) {
    tn_file_remove(pack->beside);
  }
  tn_free(pack->beside);
  tn_free(pack->path);
  *pack = (tn_store_pack){.fd = -1};
}

typedef struct reader {
  const char *path;
  int fd;
  uint64_t left;  // bytes of the file that were not read
  tn_store_pack_take *take;
  void *user;
} reader;

static tn_status read_pack_head(reader *r, tn_store_pack_found *out, tn_diag *diag) {
  uint8_t head[PACK_SIZE];
  uint8_t expected[PACK_SIZE];
  if (r->left < PACK_SIZE || !tn_store_read_exactly(r->fd, head, PACK_SIZE) ||
      memcmp(head, PACK_MAGIC, 4) != 0) {
    return TN_FAIL(diag, BAD_IMAGE, "%s: is no file that tenon-cache export wrote", r->path);
  }
  make_pack_head(load_u64(head + PACK_COUNT_AT), load_u64(head + PACK_SIZE_AT), expected);
  if (memcmp(head + PACK_VERSION_AT, expected + PACK_VERSION_AT, 4) != 0) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "%s: another version of Tenon wrote it, in a format that this one does not know",
                   r->path);
  }
  if (memcmp(head, expected, PACK_SIZE) != 0) {
    return TN_FAIL(diag, BAD_IMAGE, "%s: is damaged in its first bytes; export it again", r->path);
  }
  out->count = load_u64(head + PACK_COUNT_AT);
  r->left -= PACK_SIZE;
  return TN_OK;
}

// *out_goes_on: the place of the next entry is known.
static tn_status read_entry(reader *r, tn_store_pack_found *out, bool *out_goes_on, tn_diag *diag) {
  uint8_t head[HEAD_SIZE];
  *out_goes_on = false;
  if (r->left < HEAD_SIZE || !tn_store_read_exactly(r->fd, head, HEAD_SIZE) ||
      tn_hash_bytes(head, HEAD_CHECKSUM_AT, 0) != load_u64(head + HEAD_CHECKSUM_AT)) {
    return TN_OK;
  }
  r->left -= HEAD_SIZE;
  const uint64_t length = load_u64(head + HEAD_LENGTH_AT);
  if (length > r->left) {
    return TN_OK;
  }
  r->left -= length;
  const size_t size = (size_t)length;
  char *value = tn_alloc(size > 0 ? size : 1);
  if (!value) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for an entry of %zu bytes", r->path, size);
  }
  tn_status status = TN_OK;
  *out_goes_on = tn_store_read_exactly(r->fd, value, size);
  const uint64_t seed = tn_hash_bytes(head, HEAD_VALUE_CHECKSUM_AT, 0);
  if (*out_goes_on && tn_hash_bytes(value, size, seed) == load_u64(head + HEAD_VALUE_CHECKSUM_AT)) {
    out->good++;
    const char *name = (const char *)head;
    status = r->take(r->user, (tn_str){name, strnlen(name, TN_STORE_PACK_NAME_SIZE)},
                     head + HEAD_KEY_AT, tn_bytes_from(value, size), diag);
  }
  tn_free(value);
  return status;
}

static tn_status read_entries(reader *r, tn_store_pack_found *out, tn_diag *diag) {
  bool goes_on = true;
  TN_TRY(read_pack_head(r, out, diag));
  for (uint64_t i = 0; i < out->count && goes_on; i++) {
    TN_TRY(read_entry(r, out, &goes_on, diag));
  }
  return TN_OK;
}

tn_status tn_store_pack_read(const char *path, tn_store_pack_take *take, void *user,
                             tn_store_pack_found *out, tn_diag *diag) {
  struct stat info;
  *out = (tn_store_pack_found){.count = 0};
  const int fd = tn_fault_hit() ? (errno = EIO, -1) : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    return fail_io(path, "cannot be opened", errno, diag);
  }
  tn_status status = TN_OK;
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    status = TN_FAIL(diag, IO, "%s: is no regular file", path);
  } else {
    reader r = {.path = path, .fd = fd, .left = (uint64_t)info.st_size, .take = take, .user = user};
    status = read_entries(&r, out, diag);
  }
  (void)close(fd);
  return status;
}
