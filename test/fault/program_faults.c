// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs on caches that are killed, damaged, full, forbidden or shared: right results each time.
// Usage: program_faults <program> kills <number> <slow_writes library> [<folder for caches>]
//        program_faults <program> damage [<number>]
//        program_faults <program> folders
//        program_faults <program> versions <compiler library>
//        program_faults <program> crowd <processes> <no_locks library> [<folder for caches>]
#include "base/map.h"
#include "fault/program_run.h"

#include <sys/mount.h>

// What a cold run does, which others are compared with.
static program_run cold;

static void measure_cold(void) {
  static program_run warm;
  char cache[FAULT_PATH];
  (void)snprintf(cache, sizeof(cache), "%s", run_fresh());
  run_once(&cold, cache, NULL, "cold");
  NEED(cold.status == 0);
  CHECK(cold.builds > 0 && cold.hits == 0 && cold.writes == cold.builds,
        "cold: %llu builds, %llu hits, %llu writes", cold.builds, cold.hits, cold.writes);
  CHECK(run_list(cache)->count == cold.builds, "%zu entries", run_found.count);
  run_once(&warm, cache, NULL, "warm");
  CHECK(warm.builds == 0 && warm.hits == cold.builds && warm.misses == 0,
        "warm: %llu builds, %llu hits, %llu misses", warm.builds, warm.hits, warm.misses);
  printf("cold: %llu programs built in %.0f ms; warm: %llu hits, %.0f ms\n", cold.builds,
         cold.seconds * 1000, warm.hits, warm.seconds * 1000);
}

// Each is killed somewhere between its start and its end; the next one finds what it left. With
// writes that take long, many are killed while they write.
static void test_kills(uint32_t kills, const char *slow) {
  static program_run run;
  char cache[FAULT_PATH];
  unsigned long long hits = 0;
  uint32_t killed = 0;
  uint32_t cut = 0;
  (void)snprintf(cache, sizeof(cache), "%s", run_folder("killed"));
  run_preload = slow;
  run_once(&run, cache, NULL, "slow writes");
  uint32_t longest = (uint32_t)(run.seconds * 1.05e6);
  uint32_t started = 0;
  for (; killed < kills && started < 10 * kills && fault_failures == 0; started++) {
    tn_temp_dir_remove(tn_str_copy(tn_str_from(cache)));
    run_preload = slow;
    run_start(&run, cache, NULL);
    fault_sleep_us(longest / 10 + fault_random(longest));
    (void)kill(run.child, SIGKILL);
    run_end(&run);
    CHECK(run.status == 128 + SIGKILL || run.status == 0, "a program ended with %d", run.status);
    killed += run.status != 0;
    longest = run.status != 0 ? longest : (uint32_t)(run.seconds * 1.05e6);
    cut += fault_count("killed/program").temps > 0;
    run_preload = NULL;
    run_once(&run, cache, NULL, "after a kill");
    CHECK(run.builds + run.hits == cold.builds, "%llu builds and %llu hits of %llu", run.builds,
          run.hits, cold.builds);
    hits += run.hits;
  }
  CHECK(killed == kills, "only %u of %u were killed before their end", killed, started);
  printf(
      "%u programs killed before their end, %u of them while an entry was being written; %llu "
      "entries found afterwards, all results right\n",
      killed, cut, hits);
}

static void damage(const char *bytes, size_t size, char *out, size_t *out_size, uint32_t kind) {
  memcpy(out, bytes, size);
  *out_size = size;
  if (kind % 3 == 0) {
    *out_size = fault_random((uint32_t)size);
  } else {
    out[fault_random(kind % 3 == 1 ? 200 : (uint32_t)size) % size] ^= (char)(1 << fault_random(8));
  }
}

// Whole runs of the program, an entry damaged before each.
static void test_damage_runs(uint32_t count, const char *cache) {
  static program_run run;
  const run_entries *entries = run_list(cache);
  const size_t entry_count = entries->count;
  NEED(entry_count > 0);
  size_t missed = 0;
  for (uint32_t i = 0; i < count && fault_failures < 10; i++) {
    char path[FAULT_PATH];
    (void)snprintf(path, sizeof(path), "%s", run_list(cache)->paths[i % entry_count]);
    char *bytes = NULL;
    size_t size = 0;
    size_t damaged_size = 0;
    NEED(tn_file_read(path, FAULT_LARGE, &bytes, &size, NULL) == TN_OK);
    char *damaged = malloc(size);
    NEED(damaged);
    damage(bytes, size, damaged, &damaged_size, i);
    run_write(path, damaged, damaged_size);
    run_once(&run, cache, NULL, "a damaged entry");
    CHECK(run.builds == 1 && run.misses == 1 && run.hits == cold.builds - 1,
          "a damaged entry: %llu builds, %llu misses, %llu hits", run.builds, run.misses, run.hits);
    missed += run.misses == 1;
    free(damaged);
    tn_free(bytes);
  }
  printf("%u runs with a damaged entry: %zu misses\n", count, missed);
}

// The store's view of real entries: all truncations, and flips by the thousand.
static void test_damage_store(uint32_t flips, const char *cache) {
  tn_store *store = tn_store_open(cache, "program", FAULT_LARGE, 0);
  NEED(store);
  const size_t entry_count = run_list(cache)->count;
  size_t cut = 0;
  size_t flipped = 0;
  tn_buf out;
  tn_buf_init(&out, FAULT_LARGE);
  for (size_t e = 0; e < entry_count; e++) {
    uint8_t key[TN_STORE_KEY_SIZE];
    const char *path = run_found.paths[e];
    char *bytes = NULL;
    size_t size = 0;
    run_key(path, key);
    NEED(tn_file_read(path, FAULT_LARGE, &bytes, &size, NULL) == TN_OK);
    CHECK(tn_store_get(store, key, &out), "an entry as it is, is a miss");
    for (size_t at = 0; e == 0 && at < size; at++) {
      run_write(path, bytes, at);
      CHECK(!tn_store_get(store, key, &out), "a hit when cut off at %zu of %zu", at, size);
      cut++;
    }
    for (uint32_t i = 0; i < flips / entry_count; i++) {
      const size_t at = fault_random((uint32_t)size);
      const char bit = (char)(1 << fault_random(8));
      bytes[at] ^= bit;
      run_write(path, bytes, size);
      bytes[at] ^= bit;
      CHECK(!tn_store_get(store, key, &out), "a hit with a flipped bit at %zu of %zu", at, size);
      flipped++;
    }
    run_write(path, bytes, size);
    tn_free(bytes);
  }
  tn_buf_deinit(&out);
  tn_store_close(store);
  printf("%zu truncations and %zu flipped bits of %zu real entries: each a miss\n", cut, flipped,
         entry_count);
}

// Values that the store vouches for and that are nonsense all the same.
static void test_nonsense(const char *cache) {
  static program_run run;
  tn_store *store = tn_store_open(cache, "program", FAULT_LARGE, 0);
  NEED(store);
  tn_buf value;
  tn_buf_init(&value, FAULT_LARGE);
  uint8_t key[TN_STORE_KEY_SIZE];
  run_key(run_list(cache)->paths[0], key);
  NEED(tn_store_get(store, key, &value));
  const size_t sizes[] = {
      0, 1, 7, 16, 40, 64, 100, value.size / 4, value.size / 2, value.size - 64, value.size - 1};
  size_t built = 0;
  for (size_t i = 0; i < 2 * TN_COUNT(sizes); i++) {
    char *bytes = malloc(value.size);
    NEED(bytes);
    memcpy(bytes, value.data, value.size);
    const size_t size = sizes[i / 2] < value.size ? sizes[i / 2] : value.size;
    if (i % 2 == 1) {
      memset(bytes + size, 0, value.size - size);
    }
    tn_store_put(store, key, tn_bytes_from(bytes, i % 2 == 1 ? value.size : size));
    run_once(&run, cache, NULL, i % 2 == 1 ? "a value with zeros behind" : "a value cut off");
    built += run.builds == 1;
    free(bytes);
  }
  const size_t last = 2 * TN_COUNT(sizes);
  printf(
      "%zu values that are cut off or zeros from somewhere on, with a good checksum: %zu built "
      "again, all results right\n",
      last, built);
  CHECK(built >= last - 2, "only %zu were noticed", built);  // the last bytes may be padding
  tn_store_put(store, key, tn_buf_bytes(&value));
  tn_buf_deinit(&value);
  tn_store_close(store);
}

static void test_damage(uint32_t count) {
  char cache[FAULT_PATH];
  static program_run run;
  (void)snprintf(cache, sizeof(cache), "%s", run_fresh());
  run_once(&run, cache, NULL, "cold");
  test_damage_store(10000, cache);
  test_nonsense(cache);
  test_damage_runs(count, cache);
}

static size_t lines_with(const char *text, const char *words) {
  size_t count = 0;
  for (const char *at = strstr(text, words); at; at = strstr(at + 1, words)) {
    count++;
  }
  return count;
}

static char log_variable[] = "TENON_LOG=cache";
static char *const with_log[] = {log_variable, NULL};

// Used by nobody, and said once however many programs are built.
static void refuse(const char *why, mode_t mode, uid_t owner) {
  static program_run run;
  char cache[FAULT_PATH];
  char folder[FAULT_PATH + 16];
  (void)snprintf(cache, sizeof(cache), "%s", run_fresh());
  (void)snprintf(folder, sizeof(folder), "%s/program", cache);
  NEED(mkdir(cache, 0700) == 0 && mkdir(folder, 0700) == 0 && chmod(folder, mode) == 0);
  NEED(chown(folder, owner, owner) == 0);
  run_once(&run, cache, with_log, why);
  const size_t said = lines_with(run.text, "not used");
  CHECK(run.builds == cold.builds && run.hits == 0 && run.writes == 0, "%s: it was used", why);
  CHECK(said == 1, "%s: said %zu times:\n%s", why, said, run.text);
  CHECK(run_list(cache)->count == 0, "%s: something was written", why);
  run_once(&run, cache, NULL, why);
  CHECK(lines_with(run.text, "cache") == 0, "%s: said without being asked:\n%s", why, run.text);
  printf("%s: refused, said once\n", why);
}

static bool mount_small(const char *folder, const char *options) {
  return geteuid() == 0 && mkdir(folder, 0700) == 0 &&
         mount("tenon-fault", folder, "tmpfs", MS_NOSUID | MS_NODEV, options) == 0;
}

static void test_full(const char *options) {
  static program_run run;
  char cache[FAULT_PATH];
  (void)snprintf(cache, sizeof(cache), "%s", run_fresh());
  if (!mount_small(cache, options)) {
    printf("disk full: a tmpfs cannot be mounted here\n");
    return;
  }
  for (int i = 0; i < 3; i++) {
    run_once(&run, cache, NULL, "disk full");
    CHECK(run.builds + run.hits == cold.builds, "disk full: %llu builds, %llu hits", run.builds,
          run.hits);
  }
  CHECK(run.builds > 0, "the disk was not full");
  printf("disk full (%s): %llu hits, the others built, all results right\n", options, run.hits);
  NEED(umount(cache) == 0);
}

static void test_read_only(void) {
  static program_run run;
  char cache[FAULT_PATH];
  (void)snprintf(cache, sizeof(cache), "%s", run_fresh());
  if (!mount_small(cache, "size=64m,mode=700")) {
    printf("read-only: a tmpfs cannot be mounted here\n");
    return;
  }
  run_once(&run, cache, NULL, "cold");
  NEED(mount(NULL, cache, NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) == 0);
  run_once(&run, cache, NULL, "read-only");
  CHECK(run.hits == cold.builds && run.builds == 0, "read-only: %llu hits", run.hits);
  printf("read-only file system, warm: %llu hits, no build\n", run.hits);
  const run_entries *entries = run_list(cache);
  NEED(mount(NULL, cache, NULL, MS_REMOUNT | MS_NOSUID | MS_NODEV, NULL) == 0);
  NEED(unlink(entries->paths[0]) == 0);
  NEED(mount(NULL, cache, NULL, MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV, NULL) == 0);
  run_once(&run, cache, NULL, "read-only, one entry missing");
  CHECK(run.builds == 1, "read-only, one entry missing: %llu builds", run.builds);
  NEED(umount(cache) == 0);
}

static void test_no_folder(void) {
  static program_run run;
  static const char *const places[] = {"", "relative", "/proc/nothing", "/dev/null"};
  for (size_t i = 0; i < TN_COUNT(places); i++) {
    static char nowhere[] = "HOME=";
    static char no_xdg[] = "XDG_CACHE_HOME=";
    char *const more[] = {nowhere, no_xdg, NULL};
    run_once(&run, places[i], more, places[i]);
    CHECK(run.builds == cold.builds && run.hits == 0, "'%s': %llu builds", places[i], run.builds);
  }
  printf("no folder, or none that can be made: built each time\n");
}

static int date_one(const char *name, const struct stat *info, int kind, struct FTW *where) {
  (void)info;
  (void)kind;
  (void)where;
  const struct timespec ahead[2] = {{.tv_sec = time(NULL) + 400 * 86400},
                                    {.tv_sec = time(NULL) + 400 * 86400}};
  return utimensat(AT_FDCWD, name, ahead, AT_SYMLINK_NOFOLLOW);
}

static void test_clock(void) {
  static program_run run;
  char cache[FAULT_PATH];
  (void)snprintf(cache, sizeof(cache), "%s", run_fresh());
  run_once(&run, cache, NULL, "cold");
  NEED(nftw(cache, date_one, 16, FTW_PHYS) == 0);
  run_once(&run, cache, NULL, "dated ahead");
  CHECK(run.hits == cold.builds, "dated ahead: %llu hits", run.hits);
  printf("everything in the cache dated a year ahead: %llu hits\n", run.hits);
}

static void test_folders(void) {
  const uid_t me = geteuid();
  refuse("a folder that its group may write", 0770, me);
  refuse("a folder that others may read", 0755, me);
  if (me == 0) {
    refuse("a folder of another user", 0700, 12345);
  }
  test_no_folder();
  test_full("size=20k,mode=700");
  test_full("size=64k,nr_inodes=10,mode=700");
  test_read_only();
  test_clock();
}

// All start on one cold cache; every third is killed when `kill_some`.
static void crowd(uint32_t processes, const char *cache, bool kill_some, const char *what) {
  program_run *runs = calloc(processes, sizeof(*runs));
  NEED(runs);
  unsigned long long builds = 0;
  unsigned long long waits = 0;
  const double start = fault_seconds();
  for (uint32_t i = 0; i < processes; i++) {
    run_start(&runs[i], cache, NULL);
  }
  for (uint32_t i = 0; kill_some && i < processes; i += 3) {
    fault_sleep_us(fault_random((uint32_t)(cold.seconds * 4e5)));
    (void)kill(runs[i].child, SIGKILL);
  }
  for (uint32_t i = 0; i < processes; i++) {
    run_end(&runs[i]);
    const bool is_killed = kill_some && i % 3 == 0 && runs[i].status == 128 + SIGKILL;
    CHECK(is_killed || runs[i].status == 0, "%s: a program ended with %d:\n%s", what,
          runs[i].status, runs[i].text);
    builds += runs[i].builds;
    waits += runs[i].waits;
  }
  const double seconds = fault_seconds() - start;
  if (!kill_some && !run_preload) {
    CHECK(builds == cold.builds, "%s: %llu builds of %llu programs", what, builds, cold.builds);
  }
  printf("%s: %u processes, %llu programs: %llu builds, %llu waits, %.2f s; one alone %.2f s\n",
         what, processes, cold.builds, builds, waits, seconds, cold.seconds);
  free(runs);
}

static void test_crowd(uint32_t processes, const char *shim) {
  static program_run run;
  char cache[FAULT_PATH];
  crowd(processes, run_fresh(), false, "all cold on one cache");
  (void)snprintf(cache, sizeof(cache), "%s", run_fresh());
  crowd(processes, cache, true, "every third killed");
  run_once(&run, cache, NULL, "after the kills");
  CHECK(run.builds == 0, "after the kills: %llu builds", run.builds);
  if (shim) {
    run_preload = shim;
    crowd(processes, run_fresh(), false, "no locks");
    run_preload = NULL;
  }
}

// Another compiler library is another Tenon: both share the folder, neither sees the other's.
static void test_versions(const char *library) {
  static program_run run;
  static char other[FAULT_PATH + 64];
  char cache[FAULT_PATH];
  char path[FAULT_PATH];
  char *bytes = NULL;
  size_t size = 0;
  NEED(tn_file_read(library, FAULT_LARGE, &bytes, &size, NULL) == TN_OK);
  (void)snprintf(path, sizeof(path), "%s", run_folder("libtenon-compiler.so"));
  // What tells it apart is its build-id, or all its bytes.
  static const char note[] = {4, 0, 0, 0, 20, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0};
  char *id = memmem(bytes, size, note, sizeof(note));
  if (id) {
    id[sizeof(note)]++;
  } else {
    bytes[size - 1]++;
  }
  run_write(path, bytes, size);
  NEED(chmod(path, 0700) == 0);
  tn_free(bytes);
  (void)snprintf(other, sizeof(other), "TENON_COMPILER_LIBRARY=%s", path);
  char *const more[] = {other, NULL};
  (void)snprintf(cache, sizeof(cache), "%s", run_fresh());
  run_once(&run, cache, NULL, "the first version");
  run_once(&run, cache, more, "the second version");
  CHECK(run.hits == 0 && run.builds == cold.builds,
        "another compiler library found %llu entries of the first", run.hits);
  for (int i = 0; i < 2; i++) {
    run_once(&run, cache, NULL, "the first version again");
    CHECK(run.builds == 0, "the versions drive each other out: %llu builds", run.builds);
    run_once(&run, cache, more, "the second version again");
    CHECK(run.builds == 0, "the versions drive each other out: %llu builds", run.builds);
  }
  printf("two versions on one folder: %zu entries, none shared, none driven out\n",
         run_list(cache)->count);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    printf("usage: program_faults <program> kills|damage|folders|crowd|versions ...\n");
    return 2;
  }
  const char *test = argv[2];
  run_program = argv[1];
  const bool is_placed = strcmp(test, "kills") == 0 || strcmp(test, "crowd") == 0;
  fault_open_root_in(argc > 5 && is_placed ? argv[5] : NULL);
  measure_cold();
  if (strcmp(test, "kills") == 0 && argc > 4) {
    test_kills(fault_number(argc, argv, 3, 10), argv[4]);
  } else if (strcmp(test, "damage") == 0) {
    test_damage(fault_number(argc, argv, 3, 10));
  } else if (strcmp(test, "folders") == 0) {
    test_folders();
  } else if (strcmp(test, "crowd") == 0) {
    test_crowd(fault_number(argc, argv, 3, 8), argc > 4 ? argv[4] : NULL);
  } else if (strcmp(test, "versions") == 0 && argc > 3) {
    test_versions(argv[3]);
  } else {
    CHECK(false, "no such test: %s", test);
  }
  return fault_close_root();
}
