// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes of files' contents, remembered.
//
// What was read once is not read again while the file's inode, size and times are the same, if it
// had been left alone for a while when it was read: a file that is written twice within the clock's
// grain would look unchanged.
#include "base/file_hash.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/map.h"
#include "base/thread.h"

#include <sys/stat.h>
#include <time.h>

enum { FACT_COUNT = 7, KNOWN_MAXIMUM = 8192, SETTLED_SECONDS = 2 };
enum { FILE_MAXIMUM = 1 << 30 };

typedef struct file_facts {
  uint64_t numbers[FACT_COUNT];
  int64_t changed;  // seconds
} file_facts;

typedef struct known_file {
  file_facts facts;
  uint8_t hash[TN_BLAKE3_SIZE];
} known_file;

static tn_mutex known_mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static tn_map known_files TN_GUARDED_BY(&known_mu);  // path → known_file, owned

static bool read_facts(const char *path, file_facts *out) {
  struct stat info;
  if (stat(path, &info) != 0) {
    return false;
  }
  *out = (file_facts){
      {(uint64_t)info.st_dev, (uint64_t)info.st_ino, (uint64_t)info.st_size,
       (uint64_t)info.st_mtim.tv_sec, (uint64_t)info.st_mtim.tv_nsec, (uint64_t)info.st_ctim.tv_sec,
       (uint64_t)info.st_ctim.tv_nsec},
      info.st_mtim.tv_sec > info.st_ctim.tv_sec ? info.st_mtim.tv_sec : info.st_ctim.tv_sec};
  return true;
}

static bool same_facts(const file_facts *a, const file_facts *b) {
  return memcmp(a->numbers, b->numbers, sizeof(a->numbers)) == 0;
}

static bool find_known(const char *path, const file_facts *facts, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_mutex_lock(&known_mu);
  const known_file *known = tn_map_find(&known_files, tn_str_from(path));
  const bool is_known = known && same_facts(&known->facts, facts);
  if (is_known) {
    memcpy(out, known->hash, TN_BLAKE3_SIZE);
  }
  tn_mutex_unlock(&known_mu);
  return is_known;
}

static void forget_all(void) TN_REQUIRES(&known_mu) {
  size_t cursor = 0;
  const tn_map_entry *entry = tn_map_next(&known_files, &cursor);
  for (; entry; entry = tn_map_next(&known_files, &cursor)) {
    tn_free(entry->value);
  }
  tn_map_deinit(&known_files);
}

// Without memory it is read again the next time.
static void note_known(const char *path, const file_facts *facts, const uint8_t *hash) {
  known_file *made = tn_alloc(sizeof(*made));
  if (!made) {
    return;
  }
  made->facts = *facts;
  memcpy(made->hash, hash, sizeof(made->hash));
  tn_mutex_lock(&known_mu);
  if (known_files.count >= KNOWN_MAXIMUM) {
    forget_all();
  }
  void *old = tn_map_find(&known_files, tn_str_from(path));
  const bool is_kept = tn_map_set(&known_files, tn_str_from(path), made);
  tn_mutex_unlock(&known_mu);
  tn_free(is_kept ? old : made);
}

static bool hash_file(const char *path, uint8_t out[TN_BLAKE3_SIZE]) {
  char *data = NULL;
  size_t size = 0;
  if (tn_file_read(path, FILE_MAXIMUM, &data, &size, NULL) != TN_OK) {
    return false;
  }
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add(&hash, data, size);
  tn_blake3_finish(&hash, out);
  tn_free(data);
  return true;
}

static bool find_or_hash(const char *path, const file_facts *facts, uint8_t out[TN_BLAKE3_SIZE]) {
  if (find_known(path, facts, out)) {
    return true;
  }
  file_facts after;
  if (!hash_file(path, out) || !read_facts(path, &after) || !same_facts(facts, &after)) {
    return false;
  }
  if (facts->changed + SETTLED_SECONDS < (int64_t)time(NULL)) {
    note_known(path, facts, out);
  }
  return true;
}

bool tn_file_hash(const char *path, uint64_t size, uint8_t out[TN_BLAKE3_SIZE]) {
  file_facts facts;
  return read_facts(path, &facts) && facts.numbers[2] == size && find_or_hash(path, &facts, out);
}
