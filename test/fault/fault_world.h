// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the fault programs share: a folder of their own, numbers by chance that a run can repeat,
// entries whose bytes follow from their keys, children that are killed, and figures.
#ifndef TN_TEST_FAULT_WORLD_H
#define TN_TEST_FAULT_WORLD_H

#include "base/file.h"
#include "base/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { FAULT_LARGE = 1 << 30, FAULT_PATH = 1024 };

static int fault_failures;

// Says what does not hold, goes on, and makes the program fail in the end.
#define CHECK(condition, ...)                                                    \
  ((condition) ? (void)0                                                         \
               : (void)(fault_failures++, printf("%s:%d: ", __FILE__, __LINE__), \
                        printf(__VA_ARGS__), printf("\n"), fflush(stdout)))
// What nothing can be tested without.
#define NEED(condition)                                                           \
  do {                                                                            \
    if (!(condition)) {                                                           \
      printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #condition, strerror(errno)); \
      exit(1);                                                                    \
    }                                                                             \
  } while (0)

static char *fault_root;

static inline void fault_open_root(void) {
  tn_diag diag = {0};
  (void)setvbuf(stdout, NULL, _IOLBF, 0);  // so that no child repeats what is not written yet
  NEED(tn_temp_dir_create("tenon-fault", &fault_root, &diag) == TN_OK);
}
// The same in a folder that an argument names, so that tmpfs and disks can be compared.
static inline void fault_open_root_in(const char *folder) {
  if (folder) {
    NEED(setenv("TMPDIR", folder, 1) == 0);
  }
  fault_open_root();
}
static inline int fault_close_root(void) {
  tn_temp_dir_remove(fault_root);
  printf(fault_failures == 0 ? "all as it should be\n" : "%d checks failed\n", fault_failures);
  return fault_failures == 0 ? 0 : 1;
}

static inline uint32_t fault_number(int argc, char **argv, int at, uint32_t otherwise) {
  uint64_t number = 0;
  return argc > at && tn_str_to_u64(tn_str_from(argv[at]), &number) ? (uint32_t)number : otherwise;
}

static uint64_t fault_seed = 88172645463325252u;
static inline uint32_t fault_random(uint32_t below) {
  fault_seed ^= fault_seed << 13;
  fault_seed ^= fault_seed >> 7;
  fault_seed ^= fault_seed << 17;
  return (uint32_t)(fault_seed >> 33) % below;
}

// Keys of small numbers, spread like hashes; each key has one value.
static inline void fault_key(uint32_t number, uint8_t key[TN_STORE_KEY_SIZE]) {
  for (uint32_t i = 0; i < TN_STORE_KEY_SIZE; i++) {
    key[i] = (uint8_t)((number + 1) * 2654435761u >> (i % 4 * 8)) ^ (uint8_t)(i * 7);
  }
}
static inline size_t fault_size(uint32_t number) {
  return number % 8 == 0 ? 200000 + number * 977 : number * 977 % 20000;
}
static inline void fault_value(uint32_t number, uint8_t *value) {
  uint8_t key[TN_STORE_KEY_SIZE];
  fault_key(number, key);
  for (size_t i = 0; i < fault_size(number); i++) {
    value[i] = (uint8_t)(key[i % TN_STORE_KEY_SIZE] + i / 251);
  }
}

static inline void fault_put(tn_store *store, uint32_t number) {
  uint8_t key[TN_STORE_KEY_SIZE];
  uint8_t *value = malloc(fault_size(number) + 1);
  NEED(value);
  fault_key(number, key);
  fault_value(number, value);
  tn_store_put(store, key, tn_bytes_from(value, fault_size(number)));
  free(value);
}

typedef enum fault_answer { FAULT_MISS, FAULT_HIT, FAULT_WRONG } fault_answer;

static inline fault_answer fault_judge(uint32_t number, const tn_buf *out) {
  uint8_t *value = malloc(fault_size(number) + 1);
  NEED(value);
  fault_value(number, value);
  const bool is_equal = out->size == fault_size(number) &&
                        (out->size == 0 || memcmp(out->data, value, out->size) == 0);
  free(value);
  return is_equal ? FAULT_HIT : FAULT_WRONG;
}

static inline fault_answer fault_get(tn_store *store, uint32_t number) {
  uint8_t key[TN_STORE_KEY_SIZE];
  tn_buf out;
  tn_buf_init(&out, FAULT_LARGE);
  fault_key(number, key);
  const fault_answer answer = tn_store_get(store, key, &out) ? fault_judge(number, &out)
                              : out.size == 0                ? FAULT_MISS
                                                             : FAULT_WRONG;
  tn_buf_deinit(&out);
  return answer;
}

static inline const char *fault_entry_path(const char *store, const uint8_t *key) {
  static char path[FAULT_PATH];
  int size = snprintf(path, sizeof(path), "%s/%s/%02x/", fault_root, store, key[0]);
  for (int i = 1; i < TN_STORE_KEY_SIZE; i++) {
    size += snprintf(path + size, sizeof(path) - (size_t)size, "%02x", key[i]);
  }
  return path;
}
static inline const char *fault_path(const char *store, const char *name) {
  static char path[FAULT_PATH];
  (void)snprintf(path, sizeof(path), "%s/%s/%s", fault_root, store, name);
  return path;
}

// What lies in a folder: entries by their long names, what is still being written by theirs.
typedef struct fault_files {
  size_t entries;
  size_t temps;
  uint64_t bytes;
} fault_files;
static fault_files fault_found;
static time_t fault_new_time;

static inline int fault_look(const char *name, const struct stat *info, int kind,
                             struct FTW *where) {
  const char *base = name + where->base;
  const bool is_temp = kind == FTW_F && strncmp(base, "tmp-", 4) == 0;
  const bool is_entry = kind == FTW_F && strlen(base) >= 62 && !is_temp;
  fault_found.temps += is_temp ? 1 : 0;
  fault_found.entries += is_entry ? 1 : 0;
  fault_found.bytes += is_entry ? (uint64_t)info->st_size : 0;
  if (fault_new_time != 0 && kind == FTW_F && !is_entry) {
    const struct timespec times[2] = {{.tv_sec = fault_new_time}, {.tv_sec = fault_new_time}};
    (void)utimensat(AT_FDCWD, name, times, AT_SYMLINK_NOFOLLOW);
  }
  return 0;
}
static inline fault_files fault_count(const char *store) {
  fault_found = (fault_files){0};
  (void)nftw(fault_path(store, ""), fault_look, 16, FTW_PHYS);
  return fault_found;
}
// As if what is no entry had been made so long ago.
static inline void fault_age(const char *store, time_t seconds) {
  fault_new_time = time(NULL) - seconds;
  (void)fault_count(store);
  fault_new_time = 0;
}

static inline void fault_sleep_us(uint32_t us) {
  const struct timespec part = {.tv_sec = us / 1000000, .tv_nsec = (long)(us % 1000000) * 1000};
  (void)nanosleep(&part, NULL);
}

// A child's exit status, or 128 and the signal that ended it.
static inline int fault_wait(pid_t child) {
  int status = 0;
  NEED(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static inline double fault_seconds(void) {
  struct timespec now = {0};
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

#endif
