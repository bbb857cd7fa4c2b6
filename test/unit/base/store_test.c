// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The store of byte strings: what is found, what is doubted, and that nothing about it is an error.
#include "base/store.h"

#include "base/file.h"
#include "base/store_folder.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 1 << 30, KEYS = 48 };

static char *root;      // of all tests
static char path[512];  // of the last answer of path_to

static const char *path_to(const char *store, const char *name) {
  (void)snprintf(path, sizeof(path), "%s/%s/%s", root, store, name);
  return path;
}

// Keys of small numbers, spread like hashes.
static void make_key(uint32_t number, uint8_t key[TN_STORE_KEY_SIZE]) {
  for (uint32_t i = 0; i < TN_STORE_KEY_SIZE; i++) {
    key[i] = (uint8_t)((number + 1) * 2654435761u >> (i % 4 * 8)) ^ (uint8_t)i;
  }
}

static const char *entry_path(const char *store, const uint8_t *key) {
  int size = snprintf(path, sizeof(path), "%s/%s/%02x/", root, store, key[0]);
  for (int i = 1; i < TN_STORE_KEY_SIZE; i++) {
    size += snprintf(path + size, sizeof(path) - (size_t)size, "%02x", key[i]);
  }
  return path;
}

// Each key has one value: its bytes again and again, so many as the key says.
static void make_value(const uint8_t *key, size_t size, uint8_t *value) {
  for (size_t i = 0; i < size; i++) {
    value[i] = (uint8_t)(key[i % TN_STORE_KEY_SIZE] + i / 251);
  }
}

static void put(tn_store *store, uint32_t number, size_t size) {
  uint8_t key[TN_STORE_KEY_SIZE];
  uint8_t *value = malloc(size + 1);
  make_key(number, key);
  if (value) {
    make_value(key, size, value);
    tn_store_put(store, key, tn_bytes_from(value, size));
  }
  free(value);
}

typedef enum answer { MISS, HIT, WRONG } answer;

static answer get(tn_store *store, uint32_t number, size_t size) {
  uint8_t key[TN_STORE_KEY_SIZE];
  tn_buf out;
  tn_buf_init(&out, LARGE);
  make_key(number, key);
  answer result = tn_store_get(store, key, &out) ? HIT : MISS;
  uint8_t *value = malloc(size + 1);
  if (result == HIT && value) {
    make_value(key, size, value);
    result = out.size == size && (size == 0 || memcmp(out.data, value, size) == 0) ? HIT : WRONG;
  } else if (out.size != 0) {
    result = WRONG;
  }
  free(value);
  tn_buf_deinit(&out);
  return result;
}

static size_t file_count;
static size_t temp_count;
static int count_file(const char *name, const struct stat *info, int kind, struct FTW *where) {
  (void)info;
  const char *base = name + where->base;
  file_count += kind == FTW_F && strlen(base) > 8 ? 1 : 0;
  temp_count += strncmp(base, "tmp-", 4) == 0 ? 1 : 0;
  return 0;
}
static void count_files(const char *store) {
  file_count = 0;
  temp_count = 0;
  (void)nftw(path_to(store, ""), count_file, 16, FTW_PHYS);
}

static void test_hits_and_misses(void **state) {
  (void)state;
  tn_store *store = tn_store_open(root, "plain", LARGE, 0);
  assert_non_null(store);
  assert_int_equal(get(store, 1, 100), MISS);
  put(store, 1, 100);
  put(store, 2, 0);
  put(store, 3, 300000);
  assert_int_equal(get(store, 1, 100), HIT);
  assert_int_equal(get(store, 2, 0), HIT);
  assert_int_equal(get(store, 3, 300000), HIT);
  assert_int_equal(get(store, 4, 1), MISS);
  tn_store_close(store);
  store = tn_store_open(root, "plain", LARGE, TN_STORE_SYNC);
  assert_int_equal(get(store, 3, 300000), HIT);
  put(store, 3, 300000);
  assert_int_equal(get(store, 3, 300000), HIT);
  struct stat info;
  assert_int_equal(stat(path_to("plain", "."), &info), 0);
  assert_int_equal(info.st_mode & 0777, 0700);
  count_files("plain");
  assert_int_equal(file_count, 3);
  assert_int_equal(temp_count, 0);
  tn_store_close(store);
}

static void test_no_store_always_misses(void **state) {
  (void)state;
  put(NULL, 1, 100);
  assert_int_equal(get(NULL, 1, 100), MISS);
  assert_null(tn_store_open("", "x", LARGE, TN_STORE_SYNC));
  assert_null(tn_store_open("relative", "x", LARGE, TN_STORE_SYNC));
  assert_null(tn_store_open("/dev/null", "x", LARGE, TN_STORE_SYNC));
  assert_null(tn_store_open("/proc/nothing", "x", LARGE, TN_STORE_SYNC));
  tn_store_close(NULL);
}

static void test_a_value_larger_than_the_buffer_stays(void **state) {
  (void)state;
  tn_store *store = tn_store_open(root, "plain", LARGE, TN_STORE_SYNC);
  uint8_t key[TN_STORE_KEY_SIZE];
  make_key(1, key);
  tn_buf small;
  tn_buf_init(&small, 99);
  assert_false(tn_store_get(store, key, &small));
  assert_int_equal(tn_buf_status(&small, NULL), TN_OK);
  tn_buf_deinit(&small);
  assert_int_equal(get(store, 1, 100), HIT);
  tn_store_close(store);
}

// Writes `size` bytes over the file from `at` on, or cuts it there when there are none.
static void damage(const char *name, off_t at, const void *bytes, size_t size) {
  const int fd = open(name, O_WRONLY);
  assert_true(fd >= 0);
  if (size == 0) {
    assert_int_equal(ftruncate(fd, at), 0);
  } else {
    assert_int_equal(pwrite(fd, bytes, size, at), size);
  }
  (void)close(fd);
}

static void test_doubt_is_a_miss_and_removes(void **state) {
  (void)state;
  static const struct {
    off_t at;
    const char *bytes;
    size_t size;
  } damages[] = {
      {0, "", 0},        {10, "", 0},  {56, "", 0},       {155, "", 0},
      {156, "x", 1},     {0, "X", 1},  {8, "another", 7}, {40, "\143", 1},
      {48, "\1\2\3", 3}, {56, "X", 1}, {155, "X", 1},     {47, "\377", 1},
  };
  tn_store *store = tn_store_open(root, "damaged", LARGE, TN_STORE_SYNC);
  uint8_t key[TN_STORE_KEY_SIZE];
  make_key(7, key);
  for (size_t i = 0; i < TN_COUNT(damages); i++) {
    put(store, 7, 100);
    assert_int_equal(get(store, 7, 100), HIT);
    damage(entry_path("damaged", key), damages[i].at, damages[i].bytes, damages[i].size);
    assert_int_equal(get(store, 7, 100), MISS);
    assert_false(tn_file_exists(entry_path("damaged", key)));
  }
  tn_store_close(store);
}

static void test_any_flipped_bit_is_noticed(void **state) {
  (void)state;
  tn_store *store = tn_store_open(root, "damaged", LARGE, TN_STORE_SYNC);
  uint8_t key[TN_STORE_KEY_SIZE];
  make_key(8, key);
  for (off_t at = 0; at < 56 + 20; at++) {
    put(store, 8, 20);
    const int fd = open(entry_path("damaged", key), O_RDWR);
    uint8_t byte = 0;
    assert_int_equal(pread(fd, &byte, 1, at), 1);
    byte ^= (uint8_t)(1u << (at % 8));
    assert_int_equal(pwrite(fd, &byte, 1, at), 1);
    (void)close(fd);
    assert_int_equal(get(store, 8, 20), MISS);
  }
  tn_store_close(store);
}

// Two versions of Tenon that meet in one folder do not remove each other's entries.
static void test_another_versions_entry_stays(void **state) {
  (void)state;
  tn_store *store = tn_store_open(root, "versions", LARGE, TN_STORE_SYNC);
  uint8_t key[TN_STORE_KEY_SIZE];
  make_key(9, key);
  put(store, 9, 100);
  damage(entry_path("versions", key), 4, "\2", 1);
  assert_int_equal(get(store, 9, 100), MISS);
  assert_int_equal(get(store, 9, 100), MISS);
  assert_true(tn_file_exists(entry_path("versions", key)));
  put(store, 9, 100);
  assert_int_equal(get(store, 9, 100), HIT);
  tn_store_close(store);
}

static void test_an_entry_of_another_key_is_doubted(void **state) {
  (void)state;
  tn_store *store = tn_store_open(root, "damaged", LARGE, TN_STORE_SYNC);
  uint8_t key[TN_STORE_KEY_SIZE];
  char from[sizeof(path)];
  put(store, 20, 50);
  put(store, 21, 50);
  make_key(20, key);
  (void)snprintf(from, sizeof(from), "%s", entry_path("damaged", key));
  make_key(21, key);
  assert_int_equal(rename(from, entry_path("damaged", key)), 0);
  assert_int_equal(get(store, 21, 50), MISS);
  // What is no file at all is no entry either.
  assert_int_equal(mkfifo(entry_path("damaged", key), 0600), 0);
  assert_int_equal(get(store, 21, 50), MISS);
  tn_store_close(store);
}

// A pipe that nobody reads would hold whoever opens it.
static void test_pipes_in_place_of_the_stores_own_files(void **state) {
  (void)state;
  static const char *const names[] = {"used", "swept", "claims"};
  assert_int_equal(mkdir(path_to("pipes", ""), 0700), 0);
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    assert_int_equal(mkfifo(path_to("pipes", names[i]), 0600), 0);
  }
  (void)alarm(20);
  tn_store *store = tn_store_open(root, "pipes", LARGE, 0);
  assert_non_null(store);
  put(store, 1, 100);
  assert_int_equal(get(store, 1, 100), HIT);
  tn_store_set_estimate(store, 4096);
  tn_store_close(store);
  // The first write of a store that was never counted counts.
  store = tn_store_open(root, "pipes", 1, 0);
  put(store, 2, 100);
  tn_store_close(store);
  (void)alarm(0);
  struct stat info;
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    assert_true(lstat(path_to("pipes", names[i]), &info) == 0 && S_ISFIFO(info.st_mode));
  }
}

static void test_a_link_or_device_in_place_of_an_entry_is_missed(void **state) {
  (void)state;
  tn_store *store = tn_store_open(root, "links", LARGE, 0);
  uint8_t key[TN_STORE_KEY_SIZE];
  char kept[sizeof(path)];
  put(store, 30, 50);
  make_key(30, key);
  (void)snprintf(kept, sizeof(kept), "%s/kept", root);
  assert_int_equal(rename(entry_path("links", key), kept), 0);
  assert_int_equal(symlink(kept, entry_path("links", key)), 0);
  assert_int_equal(get(store, 30, 50), MISS);
  (void)unlink(entry_path("links", key));
  assert_int_equal(symlink("/dev/zero", entry_path("links", key)), 0);
  assert_int_equal(get(store, 30, 50), MISS);
  (void)unlink(entry_path("links", key));
  assert_int_equal(mkdir(entry_path("links", key), 0700), 0);
  assert_int_equal(get(store, 30, 50), MISS);
  tn_store_close(store);
}

static void test_a_folder_that_others_may_enter_is_refused(void **state) {
  (void)state;
  assert_int_equal(mkdir(path_to("shared", ""), 0700), 0);
  assert_int_equal(chmod(path_to("shared", "."), 0750), 0);
  assert_null(tn_store_open(root, "shared", LARGE, TN_STORE_SYNC));
  assert_int_equal(chmod(path_to("shared", "."), 0701), 0);
  assert_null(tn_store_open(root, "shared", LARGE, TN_STORE_SYNC));
  assert_int_equal(chmod(path_to("shared", "."), 0700), 0);
  tn_store *store = tn_store_open(root, "shared", LARGE, TN_STORE_SYNC);
  assert_non_null(store);
  tn_store_close(store);
}

static void test_a_link_in_place_of_the_folder_is_refused(void **state) {
  (void)state;
  char target[sizeof(path)];
  (void)snprintf(target, sizeof(target), "%s/plain", root);
  (void)snprintf(path, sizeof(path), "%s/linked", root);
  assert_int_equal(symlink(target, path), 0);
  assert_null(tn_store_open(root, "linked", LARGE, TN_STORE_SYNC));
  // Only the folder itself: what is above it may be a link.
  (void)snprintf(path, sizeof(path), "%s/above", root);
  assert_int_equal(symlink(root, path), 0);
  tn_store *store = tn_store_open(path, "plain", LARGE, TN_STORE_SYNC);
  assert_non_null(store);
  assert_int_equal(get(store, 1, 100), HIT);
  tn_store_close(store);
}

static void test_another_users_folder_is_refused(void **state) {
  (void)state;
  if (geteuid() != 0) {
    assert_null(tn_store_open("/", "root", LARGE, TN_STORE_SYNC));
    return;
  }
  assert_int_equal(mkdir(path_to("foreign", ""), 0700), 0);
  assert_int_equal(chown(path, 12345, 12345), 0);
  assert_null(tn_store_open(root, "foreign", LARGE, TN_STORE_SYNC));
}

// In a child, since root may write anywhere: as another user where that is possible.
static void test_a_folder_that_cannot_be_written_is_read(void **state) {
  (void)state;
  tn_store *store = tn_store_open(root, "fixed", LARGE, TN_STORE_SYNC);
  put(store, 1, 10);
  tn_store_close(store);
  uint8_t key[TN_STORE_KEY_SIZE];
  make_key(1, key);
  if (geteuid() == 0) {
    assert_int_equal(chmod(root, 0755), 0);
    assert_int_equal(chown(path_to("fixed", "."), 12345, 12345), 0);
    assert_int_equal(chown(entry_path("fixed", key), 12345, 12345), 0);
    *strrchr(path, '/') = '\0';
    assert_int_equal(chown(path, 12345, 12345), 0);
  }
  assert_int_equal(chmod(path_to("fixed", "."), 0500), 0);
  const pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && setuid(12345) != 0) {
      _exit(2);
    }
    tn_store *reader = tn_store_open(root, "fixed", LARGE, TN_STORE_SYNC);
    if (!reader) {
      _exit(3);
    }
    put(reader, 2, 10);
    put(reader, 3, 10);
    const bool is_good = get(reader, 1, 10) == HIT && get(reader, 2, 10) == MISS;
    tn_store_close(reader);
    _exit(is_good ? 0 : 4);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(chmod(path_to("fixed", "."), 0700), 0);
  assert_int_equal(status, 0);
}

// One failure that will not pass is enough: nothing is tried again, and nobody waits for it.
static void test_who_cannot_write_stops_trying(void **state) {
  (void)state;
  tn_store *store = tn_store_open(root, "blocked", LARGE, TN_STORE_SYNC);
  uint8_t key[TN_STORE_KEY_SIZE];
  char sub[3];
  tn_store_claim claim;
  tn_buf out;
  bool waited = false;
  tn_buf_init(&out, LARGE);
  make_key(1, key);
  (void)snprintf(sub, sizeof(sub), "%02x", key[0]);
  assert_int_equal(tn_file_write(path_to("blocked", sub), tn_bytes_from("x", 1), NULL), TN_OK);
  put(store, 1, 10);
  assert_int_equal(unlink(path_to("blocked", sub)), 0);
  put(store, 1, 10);
  assert_int_equal(tn_store_get_or_claim(store, key, 0, &out, &claim, &waited), TN_STORE_MISS);
  tn_store_close(store);
  store = tn_store_open(root, "blocked", LARGE, TN_STORE_SYNC);
  put(store, 1, 10);
  assert_int_equal(get(store, 1, 10), HIT);
  tn_buf_deinit(&out);
  tn_store_close(store);
}

static void test_a_limit_of_file_sizes_is_kept(void **state) {
  (void)state;
  const pid_t child = fork();
  if (child == 0) {
    tn_store *store = tn_store_open(root, "limited", LARGE, TN_STORE_SYNC);
    const struct rlimit limit = {.rlim_cur = 5000, .rlim_max = 5000};
    if (!store || setrlimit(RLIMIT_FSIZE, &limit) != 0) {
      _exit(2);
    }
    put(store, 1, 6000);
    put(store, 2, 4000);
    const bool is_good = get(store, 1, 6000) == MISS && get(store, 2, 4000) == HIT;
    tn_store_close(store);
    _exit(is_good ? 0 : 3);
  }
  int status = -1;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
}

// Injected faults are what the system says of a full disk among others.
static void test_every_event_may_fail(void **state) {
  (void)state;
  bool fired = true;
  uint32_t number = 100;
  for (int64_t nth = 0; fired; nth++, number++) {
    const int64_t live = tn_alloc_live();
    tn_fault_arm(nth);
    tn_store *store = tn_store_open(root, "faulty", LARGE, TN_STORE_SYNC);
    put(store, number, 70);
    const answer found = get(store, number, 70);
    fired = tn_fault_fired();
    tn_fault_arm(-1);
    assert_int_not_equal(found, WRONG);
    assert_true(fired || found == HIT);
    tn_store_close(store);
    assert_int_equal(tn_alloc_live(), live);
  }
  count_files("faulty");
  assert_int_equal(temp_count, 0);
}

static void set_used(const char *name, time_t seconds_ago) {
  const struct timespec then = {.tv_sec = time(NULL) - seconds_ago};
  const struct timespec times[2] = {then, then};
  assert_int_equal(utimensat(AT_FDCWD, name, times, AT_SYMLINK_NOFOLLOW), 0);
}

static void test_what_was_not_used_longest_goes_first(void **state) {
  (void)state;
  enum { COUNT = 40, SIZE = 61000, BOUND = COUNT * 61440 };  // 15 blocks each
  tn_store *store = tn_store_open(root, "bounded", BOUND, TN_STORE_SYNC);
  uint8_t key[TN_STORE_KEY_SIZE];
  for (uint32_t i = 0; i < COUNT - 1; i++) {
    put(store, i, SIZE);
    make_key(i, key);
    set_used(entry_path("bounded", key), 100000 - i);
  }
  count_files("bounded");
  assert_int_equal(file_count, COUNT - 1);
  // The oldest is used again, and so stays.
  assert_int_equal(get(store, 0, SIZE), HIT);
  put(store, 1000, SIZE);
  put(store, 1001, SIZE);
  put(store, 1002, SIZE);
  count_files("bounded");
  assert_in_range(file_count, COUNT / 2, COUNT * 3 / 4 + 2);
  assert_int_equal(get(store, 0, SIZE), HIT);
  assert_int_equal(get(store, 1, SIZE), MISS);
  assert_int_equal(get(store, 2, SIZE), MISS);
  assert_int_equal(get(store, COUNT - 2, SIZE), HIT);
  assert_int_equal(get(store, 1002, SIZE), HIT);
  // What is too large to be kept drives out nothing.
  put(store, 2000, BOUND / 2);
  assert_int_equal(get(store, 2000, BOUND / 2), MISS);
  assert_int_equal(get(store, 1002, SIZE), HIT);
  tn_store_close(store);
}

static void test_the_bound_holds_whatever_is_put(void **state) {
  (void)state;
  tn_store *store = tn_store_open(root, "churned", 1 << 20, TN_STORE_SYNC);
  for (uint32_t i = 0; i < 600; i++) {
    put(store, i, 1000 + i * 37 % 9000);
  }
  count_files("churned");
  assert_in_range(file_count, 50, 256);
  assert_int_equal(get(store, 599, 1000 + 599 * 37 % 9000), HIT);
  tn_store_close(store);
}

static void make_file(const char *name) {
  assert_int_equal(tn_file_write(name, tn_bytes_from("x", 1), NULL), TN_OK);
}

static void test_leftovers_are_swept_after_a_day(void **state) {
  (void)state;
  tn_store *store = tn_store_open(root, "littered", LARGE, TN_STORE_SYNC);
  put(store, 1, 10);
  tn_store_close(store);
  (void)mkdir(path_to("littered", "42"), 0700);
  make_file(path_to("littered", "42/tmp-1-2-3"));
  set_used(path, 2 * 3600);
  make_file(path_to("littered", "42/tmp-4-5-6"));
  make_file(path_to("littered", "42/somebody's"));
  set_used(path, 2 * 3600);
  store = tn_store_open(root, "littered", LARGE, TN_STORE_SYNC);
  put(store, 2, 10);
  assert_true(tn_file_exists(path_to("littered", "42/tmp-1-2-3")));
  tn_store_close(store);
  set_used(path_to("littered", "swept"), 25 * 3600);
  store = tn_store_open(root, "littered", LARGE, TN_STORE_SYNC);
  put(store, 3, 10);
  assert_false(tn_file_exists(path_to("littered", "42/tmp-1-2-3")));
  assert_true(tn_file_exists(path_to("littered", "42/tmp-4-5-6")));
  assert_true(tn_file_exists(path_to("littered", "42/somebody's")));
  assert_int_equal(get(store, 1, 10), HIT);
  tn_store_close(store);
}

static void set_clock_back(const char *name) { set_used(name, -10L * 24 * 3600); }

static time_t used_at(const char *name) {
  struct stat info;
  assert_int_equal(lstat(name, &info), 0);
  return info.st_mtim.tv_sec;
}

// Times to come are of before somebody set the clock back.
static void test_a_clock_that_went_back(void **state) {
  (void)state;
  uint8_t key[TN_STORE_KEY_SIZE];
  tn_store *store = tn_store_open(root, "future", LARGE, TN_STORE_SYNC);
  for (uint32_t i = 0; i < 3; i++) {
    put(store, i, 10);
    make_key(i, key);
    set_clock_back(entry_path("future", key));
  }
  (void)mkdir(path_to("future", "42"), 0700);
  make_file(path_to("future", "42/tmp-1-2-3"));
  set_clock_back(path);
  make_file(path_to("future", "swept"));
  set_clock_back(path);
  const time_t now = time(NULL);
  // A hit is a use of now.
  assert_int_equal(get(store, 0, 10), HIT);
  make_key(0, key);
  assert_in_range(used_at(entry_path("future", key)), now - 5, now + 3600);
  make_key(1, key);
  assert_true(used_at(entry_path("future", key)) > now + 3600);
  tn_store_close(store);
  store = tn_store_open(root, "future", LARGE, TN_STORE_SYNC);
  put(store, 3, 10);
  assert_false(tn_file_exists(path_to("future", "42/tmp-1-2-3")));
  assert_in_range(used_at(path_to("future", "swept")), now - 5, now + 3600);
  assert_in_range(used_at(entry_path("future", key)), now - 5, now + 3600);
  assert_int_equal(get(store, 1, 10), HIT);
  tn_store_close(store);
}

// Locks, appending and times are luxuries: what remains is that a renamed file is there.
static void test_a_folder_where_only_rename_works(void **state) {
  (void)state;
  static const char *const luxuries[] = {"claims", "used", "swept"};
  tn_store *store = tn_store_open(root, "plainest", 1 << 20, TN_STORE_SYNC);
  uint8_t key[TN_STORE_KEY_SIZE];
  tn_store_claim claim;
  tn_buf out;
  bool waited = true;
  tn_buf_init(&out, LARGE);
  for (size_t i = 0; i < TN_COUNT(luxuries); i++) {
    assert_int_equal(mkdir(path_to("plainest", luxuries[i]), 0700), 0);
  }
  make_key(1, key);
  for (int i = 0; i < 2; i++) {
    assert_int_equal(tn_store_get_or_claim(store, key, 60000, &out, &claim, &waited),
                     TN_STORE_MISS);
    assert_false(waited);
    tn_store_release_claim(store, &claim);
  }
  put(store, 1, 10);
  assert_int_equal(get(store, 1, 10), HIT);
  tn_buf_deinit(&out);
  tn_store_close(store);
}

static size_t size_of(uint32_t number) { return number * 977 % 20000; }

// The exit status of a process of several: 0 when nothing it found was wrong.
static int use_store(const char *name, uint64_t maximum, uint32_t seed, uint32_t rounds) {
  tn_store *store = tn_store_open(root, name, maximum, seed % 2 == 0 ? TN_STORE_SYNC : 0);
  uint32_t hits = 0;
  for (uint32_t i = 0; store && i < rounds; i++) {
    seed = seed * 1664525 + 1013904223;
    const uint32_t number = (seed >> 16) % KEYS;
    const answer found = get(store, number, size_of(number));
    if (found == WRONG) {
      return 1;
    }
    hits += found == HIT;
    if (found == MISS) {
      put(store, number, size_of(number));
    }
  }
  tn_store_close(store);
  return hits > 0 ? 0 : 2;
}

static void test_eight_processes_at_once(void **state) {
  (void)state;
  pid_t children[8];
  for (uint32_t i = 0; i < 8; i++) {
    children[i] = fork();
    if (children[i] == 0) {
      // The bound is about half of what all keys take, so that all of them evict.
      _exit(use_store("crowded", 1 << 18, i, 120));
    }
  }
  for (size_t i = 0; i < 8; i++) {
    int status = -1;
    assert_int_equal(waitpid(children[i], &status, 0), children[i]);
    assert_int_equal(status, 0);
  }
  count_files("crowded");
  assert_int_equal(temp_count, 0);
  assert_int_equal(use_store("crowded", LARGE, 99, 200), 0);
}

static void test_killed_writers_do_no_harm(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 8; i++) {
    const pid_t child = fork();
    if (child == 0) {
      (void)use_store("killed", 1 << 18, i, UINT32_MAX);
      _exit(1);
    }
    const struct timespec part = {.tv_nsec = 3000000 + 1700000 * (long)i};
    (void)nanosleep(&part, NULL);
    (void)kill(child, SIGKILL);
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
  }
  tn_store *store = tn_store_open(root, "killed", LARGE, TN_STORE_SYNC);
  assert_non_null(store);
  for (uint32_t i = 0; i < KEYS; i++) {
    assert_int_not_equal(get(store, i, size_of(i)), WRONG);
    put(store, i, size_of(i));
    assert_int_equal(get(store, i, size_of(i)), HIT);
  }
  tn_store_close(store);
}

static int make_root(void **state) {
  (void)state;
  return tn_temp_dir_create("tenon-store-test", &root, NULL) == TN_OK ? 0 : -1;
}

static int remove_root(void **state) {
  (void)state;
  tn_temp_dir_remove(root);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_hits_and_misses),
      cmocka_unit_test(test_no_store_always_misses),
      cmocka_unit_test(test_a_value_larger_than_the_buffer_stays),
      cmocka_unit_test(test_doubt_is_a_miss_and_removes),
      cmocka_unit_test(test_any_flipped_bit_is_noticed),
      cmocka_unit_test(test_another_versions_entry_stays),
      cmocka_unit_test(test_an_entry_of_another_key_is_doubted),
      cmocka_unit_test(test_pipes_in_place_of_the_stores_own_files),
      cmocka_unit_test(test_a_link_or_device_in_place_of_an_entry_is_missed),
      cmocka_unit_test(test_a_folder_that_others_may_enter_is_refused),
      cmocka_unit_test(test_a_link_in_place_of_the_folder_is_refused),
      cmocka_unit_test(test_another_users_folder_is_refused),
      cmocka_unit_test(test_a_folder_that_cannot_be_written_is_read),
      cmocka_unit_test(test_who_cannot_write_stops_trying),
      cmocka_unit_test(test_a_limit_of_file_sizes_is_kept),
      cmocka_unit_test(test_every_event_may_fail),
      cmocka_unit_test(test_what_was_not_used_longest_goes_first),
      cmocka_unit_test(test_the_bound_holds_whatever_is_put),
      cmocka_unit_test(test_leftovers_are_swept_after_a_day),
      cmocka_unit_test(test_a_clock_that_went_back),
      cmocka_unit_test(test_a_folder_where_only_rename_works),
      cmocka_unit_test(test_eight_processes_at_once),
      cmocka_unit_test(test_killed_writers_do_no_harm),
  };
  return cmocka_run_group_tests(tests, make_root, remove_root);
}
