// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders that are full, fixed, somebody else's or open to others, clocks that go backwards, and
// stores of another version: no error, no wrong value, nothing left behind.
#include "base/log.h"
#include "fault/fault_world.h"

#include <sys/mount.h>
#include <sys/resource.h>

enum { OTHER_USER = 12345, ENTRIES = 60 };

// How many of the entries are hits; none may be wrong.
static size_t hits_of(tn_store *store) {
  size_t hits = 0;
  for (uint32_t i = 0; i < ENTRIES; i++) {
    const fault_answer answer = fault_get(store, i);
    CHECK(answer != FAULT_WRONG, "entry %u has other bytes than were put", i);
    hits += answer == FAULT_HIT;
  }
  return hits;
}

static bool mount_small(const char *folder, const char *options) {
  return geteuid() == 0 && mkdir(folder, 0700) == 0 &&
         mount("tenon-fault", folder, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
}

// Puts go on after the disk is full, and what was there before stays right.
static void fill(const char *kind) {
  tn_store *store = tn_store_open(fault_root, "full", FAULT_LARGE, TN_STORE_SYNC);
  NEED(store);
  for (uint32_t i = 0; i < ENTRIES; i++) {
    fault_put(store, i);
  }
  const size_t hits = hits_of(store);
  CHECK(hits > 0 && hits < ENTRIES, "%s: %zu of %d kept: the disk was not filled", kind, hits,
        ENTRIES);
  CHECK(fault_count("full").temps == 0, "%s: %zu leftovers", kind, fault_found.temps);
  tn_store_close(store);
  store = tn_store_open(fault_root, "full", FAULT_LARGE, TN_STORE_SYNC);
  CHECK(hits_of(store) == hits, "%s: not found any more by the next process", kind);
  tn_store_close(store);
  printf("disk full (%s): %zu of %d entries kept, the others missed\n", kind, hits, ENTRIES);
}

static void test_full(void) {
  char folder[FAULT_PATH];
  (void)snprintf(folder, sizeof(folder), "%s/full", fault_root);
  if (mount_small(folder, "size=400k,mode=700")) {
    fill("tmpfs of 400 kB");
    CHECK(umount(folder) == 0, "the store holds files open: %s", strerror(errno));
    (void)rmdir(folder);
  } else {
    printf("disk full: a tmpfs cannot be mounted here, only the limit of file sizes is tried\n");
  }
  const pid_t child = fork();
  NEED(child >= 0);
  if (child == 0) {
    const struct rlimit limit = {.rlim_cur = 10000, .rlim_max = 10000};
    NEED(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    fill("files of at most 10,000 bytes");
    exit(fault_failures != 0);
  }
  CHECK(fault_wait(child) == 0, "a process with a limit of file sizes ended");
}

static void test_fixed(void) {
  char folder[FAULT_PATH];
  (void)snprintf(folder, sizeof(folder), "%s/fixed", fault_root);
  if (!mount_small(folder, "size=64m,mode=700")) {
    printf("read-only: a tmpfs cannot be mounted here\n");
    return;
  }
  tn_store *store = tn_store_open(fault_root, "fixed", FAULT_LARGE, TN_STORE_SYNC);
  for (uint32_t i = 0; i < ENTRIES / 2; i++) {
    fault_put(store, i);
  }
  tn_store_close(store);
  NEED(mount(NULL, folder, NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) == 0);
  store = tn_store_open(fault_root, "fixed", FAULT_LARGE, TN_STORE_SYNC);
  CHECK(store != NULL, "a read-only store is not read");
  for (uint32_t i = 0; i < ENTRIES; i++) {
    fault_put(store, i);
  }
  const size_t hits = hits_of(store);
  CHECK(hits == ENTRIES / 2, "read-only: %zu hits", hits);
  tn_store_close(store);
  // Warmed while it could be written, read by an application that may not.
  CHECK(umount(folder) == 0, "the store holds files open: %s", strerror(errno));
  printf("read-only file system: %zu of %d entries found, none kept\n", hits, ENTRIES);
}

static void refuse(const char *why, mode_t mode, uid_t owner) {
  char folder[FAULT_PATH];
  (void)snprintf(folder, sizeof(folder), "%s/refused", fault_root);
  NEED(mkdir(folder, 0700) == 0 && chmod(folder, mode) == 0 && chown(folder, owner, owner) == 0);
  tn_store *store = tn_store_open(fault_root, "refused", FAULT_LARGE, TN_STORE_SYNC);
  CHECK(store == NULL, "%s: used all the same", why);
  fault_put(store, 1);
  CHECK(fault_get(store, 1) == FAULT_MISS, "%s: a hit", why);
  tn_store_close(store);
  CHECK(fault_count("refused").entries == 0, "%s: something was written", why);
  NEED(rmdir(folder) == 0);
  printf("%s: refused\n", why);
}

static void test_refused(void) {
  const uid_t me = geteuid();
  refuse("a folder that its group may write", 0770, me);
  refuse("a folder that others may read", 0744, me);
  refuse("a folder that all may write, as /tmp", 01777, me);
  if (me == 0) {
    refuse("a folder of another user", 0700, OTHER_USER);
  } else {
    printf("a folder of another user: not tried, only root can give one away\n");
  }
}

static void date(const char *path, time_t seconds) {
  const struct timespec times[2] = {{.tv_sec = time(NULL) + seconds},
                                    {.tv_sec = time(NULL) + seconds}};
  CHECK(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0, "%s: %s", path,
        strerror(errno));
}

static void date_entries(time_t seconds) {
  uint8_t key[TN_STORE_KEY_SIZE];
  for (uint32_t i = 0; i < ENTRIES; i++) {
    fault_key(i, key);
    date(fault_entry_path("clock", key), seconds + (time_t)i);
  }
}

// All that is there is from the future, as after a clock that was wrong is put right.
static void test_clock(void) {
  enum { DAY = 86400, YEAR = 365 * DAY, SMALL = 1 << 20 };
  tn_store *store = tn_store_open(fault_root, "clock", FAULT_LARGE, TN_STORE_SYNC);
  uint8_t key[TN_STORE_KEY_SIZE];
  for (uint32_t i = 0; i < ENTRIES; i++) {
    fault_put(store, i);
  }
  date_entries(YEAR);
  const uint64_t bytes = fault_count("clock").bytes;
  tn_store_close(store);
  fault_age("clock", -YEAR);
  // A leftover of then, too.
  fault_key(3, key);
  char temp[FAULT_PATH];
  (void)snprintf(
      temp, sizeof(temp), "%.*s/tmp-1-2-3",
      (int)(strrchr(fault_entry_path("clock", key), '/') - fault_entry_path("clock", key)),
      fault_entry_path("clock", key));
  tn_diag diag = {0};
  NEED(tn_file_write(temp, tn_bytes_from("x", 1), &diag) == TN_OK);
  date(temp, YEAR);
  store = tn_store_open(fault_root, "clock", SMALL, TN_STORE_SYNC);
  CHECK(hits_of(store) == ENTRIES, "entries from the future are not found");
  date_entries(YEAR);
  for (uint32_t i = 0; i < 90; i++) {
    fault_put(store, ENTRIES + 5 + 8 * i);  // none of the large ones
  }
  for (uint32_t i = 40; i < 90; i++) {
    CHECK(fault_get(store, ENTRIES + 5 + 8 * i) == FAULT_HIT, "the future outlives what is new");
  }
  CHECK(fault_count("clock").bytes <= SMALL * 5 / 4, "%llu bytes kept, the bound is %d",
        (unsigned long long)fault_found.bytes, SMALL);
  tn_store_close(store);
  // Evicting took them by age at the latest; a leftover goes when its day has come.
  fault_age("clock", 2 * DAY);
  store = tn_store_open(fault_root, "clock", SMALL, TN_STORE_SYNC);
  fault_put(store, 1);
  CHECK(fault_count("clock").temps == 0, "a leftover stays for ever");
  tn_store_close(store);
  printf("entries a year ahead: %d found, %llu bytes brought down to %llu of %d\n", ENTRIES,
         (unsigned long long)bytes, (unsigned long long)fault_found.bytes, SMALL);
}

// A mark from the future must not keep the store from being looked after.
static void test_mark_from_the_future(void) {
  enum { YEAR = 365 * 86400 };
  tn_store *store = tn_store_open(fault_root, "marked", FAULT_LARGE, 0);
  uint8_t key[TN_STORE_KEY_SIZE];
  fault_put(store, 1);
  tn_store_close(store);
  fault_key(1, key);
  char temp[FAULT_PATH];
  (void)snprintf(temp, sizeof(temp), "%s/marked/%02x/tmp-1-2-3", fault_root, key[0]);
  tn_diag diag = {0};
  NEED(tn_file_write(temp, tn_bytes_from("x", 1), &diag) == TN_OK);
  fault_age("marked", -YEAR);
  date(temp, -2 * 86400);
  store = tn_store_open(fault_root, "marked", FAULT_LARGE, 0);
  fault_put(store, 2);
  tn_store_close(store);
  CHECK(fault_count("marked").temps == 0, "nothing is swept before the clock is there again");
  printf("the last sweep a year ahead: swept\n");
}

// What another version wrote under the same key is not this one's, and the other way round.
static void test_versions(void) {
  tn_store *store = tn_store_open(fault_root, "versions", FAULT_LARGE, 0);
  uint8_t key[TN_STORE_KEY_SIZE];
  size_t missed = 0;
  for (uint32_t i = 0; i < 20; i++) {
    fault_put(store, i);
    fault_key(i, key);
    const int fd = open(fault_entry_path("versions", key), O_RDWR);
    NEED(fd >= 0);
    // The version is the word behind the magic number.
    const char version[4] = {(char)(i + 100), 0, 0, 0};
    NEED(pwrite(fd, version, sizeof(version), 4) == (ssize_t)sizeof(version));
    (void)close(fd);
    missed += fault_get(store, i) == FAULT_MISS;
    fault_put(store, i);
    CHECK(fault_get(store, i) == FAULT_HIT, "this version's entry is not kept after another's");
  }
  CHECK(missed == 20, "%zu of 20 entries of other versions are missed", missed);
  tn_store_close(store);
  printf("entries of other versions: %zu of 20 missed\n", missed);
}

int main(void) {
  fault_open_root();
  test_full();
  test_fixed();
  test_refused();
  test_clock();
  test_mark_from_the_future();
  test_versions();
  return fault_close_root();
}
