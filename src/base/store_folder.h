// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a store's files have in common: where entries lie, and how much there is. Private to store*.
#ifndef TN_BASE_STORE_FOLDER_H
#define TN_BASE_STORE_FOLDER_H

#include "base/log.h"
#include "base/store_manage.h"

#include <stdatomic.h>

// Names in the store's folder: "<2 digits>/<62 digits>" an entry, "<2 digits>/tmp-…" one that is
// being written, "used" the estimate of what all take, "swept" when that was last counted, "claims"
// where who makes an entry holds a lock.
#define TN_STORE_TEMP_PREFIX "tmp-"
enum {
  TN_STORE_SUB_COUNT = 256,
  TN_STORE_NAME_SIZE = 2 * TN_STORE_KEY_SIZE + 2,
  // Clocks of machines that share a folder differ by less.
  TN_STORE_CLOCK_SECONDS = 60,
};

// Lines of topic cache.
#define TN_STORE_LOG(...)                                                                 \
  do {                                                                                    \
    const uint32_t tn_log_now = atomic_load_explicit(&tn_log_mask, memory_order_relaxed); \
    if (__builtin_expect((tn_log_now & TN_LOG_DISK) != 0, 0)) {                           \
      tn_log_write("cache", __func__, __VA_ARGS__);                                       \
    }                                                                                     \
  } while (0)

struct tn_store {
  int folder_fd;                 // immutable after open
  uint64_t maximum;              // immutable
  uint32_t flags;                // immutable
  _Atomic bool is_read_only;     // writing failed in a way that will not pass
  _Atomic bool is_age_known;     // this process has looked at "swept"
  _Atomic uint32_t temp_serial;  // of names
};

// The folder `name` below `root`, private to this user, or -1 and why in `diag`. It is made when
// `may_make`; otherwise -1 and TN_OK when it is not there.
TN_MUST_USE tn_status tn_store_folder_open(const char *root, const char *name, bool may_make,
                                           int *out_fd, tn_diag *diag);
// False when a file of so many bytes is over the process's limit: writing it would end the process
// by a signal.
bool tn_store_may_write(uint64_t size);
// What an entry of so many bytes takes on a disk.
static inline uint64_t tn_store_blocks(uint64_t size) { return size / 4096 + 1; }

void tn_store_little_endian(uint8_t *at, uint64_t value, size_t size);
// False when there is less, and errno is 0 then, or with the reason in errno.
bool tn_store_read_exactly(int fd, void *data, size_t size);
bool tn_store_write_all(int fd, const void *data, size_t size);

void tn_store_name_entry(const uint8_t key[TN_STORE_KEY_SIZE], char name[TN_STORE_NAME_SIZE]);
// Reads the value into `out` and marks the entry as used. UNREAD has the reason in errno. A peek
// marks nothing and reads no more than `out` can hold; the state is what the header says then.
tn_store_state tn_store_entry_read(tn_store *store, const char *name, const uint8_t *key,
                                   bool is_peek, tn_buf *out);
// False, with the reason in errno, when the entry is not there in the end.
bool tn_store_entry_write(tn_store *store, const char *name, const uint8_t *key, tn_bytes value);
uint64_t tn_store_entry_size(size_t value_size);  // of the file
// Also an empty folder in its place. False, with the reason in errno, when it is there still or was
// not.
bool tn_store_entry_remove(const tn_store *store, const char *name);
// As tn_store_get, without a line that says so. Damaged entries are removed, or errno says why not.
tn_store_state tn_store_look(tn_store *store, const char *name, const uint8_t *key, tn_buf *out);

// To be called before `size` bytes are written: counts them and, when the estimate says that the
// bound is reached or a day has passed, counts what there is, removes leftovers and evicts.
void tn_store_account(tn_store *store, uint64_t size);
typedef enum tn_store_temps {
  TN_STORE_TEMPS_STAY,
  TN_STORE_TEMPS_OLD,  // those that nobody can still be writing go
  TN_STORE_TEMPS_ALL,  // all go
} tn_store_temps;
// False when not all could be read; what was found is in `out` all the same.
bool tn_store_collect(const tn_store *store, tn_store_temps temps, tn_store_listing *out);
// Removes the least recently used until all take no more than `goal` bytes. What cannot be removed
// counts as if it were gone, so that nothing else goes in its stead.
void tn_store_evict(const tn_store *store, tn_store_listing *listing, uint64_t goal,
                    tn_store_removed *out_removed);
void tn_store_set_estimate(const tn_store *store, uint64_t bytes);

#endif
