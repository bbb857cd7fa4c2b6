// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the tests' program on a cache folder, and reads what it says.
#ifndef TN_TEST_FAULT_PROGRAM_RUN_H
#define TN_TEST_FAULT_PROGRAM_RUN_H

#include "fault/fault_world.h"

#include <spawn.h>

enum { RUN_TEXT = 1 << 16, RUN_ENTRIES = 64 };

typedef struct program_run {
  pid_t child;
  int output;  // what it prints, both ways
  double start;
  int status;  // as fault_wait
  double seconds;
  unsigned long long builds, hits, misses, waits, writes;
  char text[RUN_TEXT];
} program_run;

static const char *run_program;  // the program's path
static const char *run_preload;  // NULL: none

// LD_PRELOAD takes no path with a space, LD_LIBRARY_PATH does.
static inline void run_set_preload(void) {
  const char *slash = strrchr(run_preload, '/');
  char folder[4096];
  if (slash) {
    (void)snprintf(folder, sizeof(folder), "%.*s", (int)(slash - run_preload), run_preload);
    (void)setenv("LD_LIBRARY_PATH", folder, 1);
  }
  (void)setenv("LD_PRELOAD", slash ? slash + 1 : run_preload, 1);
}

// `more` are further variables, NAME=value, and end in NULL; NULL is none.
static inline void run_start(program_run *run, const char *cache, char *const *more) {
  int ends[2];
  memset(run, 0, sizeof(*run));
  NEED(pipe2(ends, O_CLOEXEC) == 0);
  run->start = fault_seconds();
  run->child = fork();
  NEED(run->child >= 0);
  if (run->child == 0) {
    (void)dup2(ends[1], 1);
    (void)dup2(ends[1], 2);
    (void)setenv("TENON_CACHE", "1", 1);
    (void)setenv("TENON_CACHE_DIR", cache, 1);
    if (run_preload) {
      run_set_preload();
    }
    for (size_t i = 0; more && more[i]; i++) {
      (void)putenv(more[i]);
    }
    (void)execl(run_program, run_program, (char *)NULL);
    _exit(127);
  }
  (void)close(ends[1]);
  run->output = ends[0];
}

static inline void run_end(program_run *run) {
  size_t size = 0;
  ssize_t got = 0;
  while ((got = read(run->output, run->text + size, RUN_TEXT - 1 - size)) > 0) {
    size += (size_t)got;
  }
  (void)close(run->output);
  run->status = fault_wait(run->child);
  run->seconds = fault_seconds() - run->start;
  const char *line = strstr(run->text, "builds ");
  if (line) {
    (void)sscanf(line, "builds %llu hits %llu misses %llu waits %llu writes %llu", &run->builds,
                 &run->hits, &run->misses, &run->waits, &run->writes);
  }
}

// Whatever the cache is like, the program ends well and its results are right.
static inline void run_once(program_run *run, const char *cache, char *const *more,
                            const char *what) {
  run_start(run, cache, more);
  run_end(run);
  CHECK(run->status == 0, "%s: the program ended with %d:\n%s", what, run->status, run->text);
}

// The entries of programs in a cache folder, by their paths.
typedef struct run_entries {
  size_t count;
  char paths[RUN_ENTRIES][FAULT_PATH];
} run_entries;
static run_entries run_found;

// Records of toolchains lie beside them.
static inline bool run_is_program(const char *path) {
  char head[256] = "";
  const int fd = open(path, O_RDONLY);
  const ssize_t size = fd >= 0 ? read(fd, head, sizeof(head)) : 0;
  (void)close(fd);
  return size > 0 && memmem(head, (size_t)size, "toolchain of ", 13) == NULL;
}

static inline int run_look(const char *name, const struct stat *info, int kind, struct FTW *where) {
  (void)info;
  if (kind == FTW_F && strlen(name + where->base) == 2 * TN_STORE_KEY_SIZE - 2 &&
      run_found.count < RUN_ENTRIES && run_is_program(name)) {
    (void)snprintf(run_found.paths[run_found.count++], FAULT_PATH, "%s", name);
  }
  return 0;
}
static inline const run_entries *run_list(const char *cache) {
  char folder[FAULT_PATH + 16];
  (void)snprintf(folder, sizeof(folder), "%s/program", cache);
  run_found.count = 0;
  (void)nftw(folder, run_look, 16, FTW_PHYS);
  return &run_found;
}

// The key that an entry's path spells.
static inline void run_key(const char *path, uint8_t key[TN_STORE_KEY_SIZE]) {
  char digits[2 * TN_STORE_KEY_SIZE + 1];
  const char *name = strrchr(path, '/') + 1;
  (void)snprintf(digits, sizeof(digits), "%.2s%s", name - 3, name);
  for (size_t i = 0; i < TN_STORE_KEY_SIZE; i++) {
    unsigned byte = 0;
    NEED(sscanf(digits + 2 * i, "%2x", &byte) == 1);
    key[i] = (uint8_t)byte;
  }
}

static inline void run_write(const char *path, const char *bytes, size_t size) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  NEED(fd >= 0);
  NEED(write(fd, bytes, size) == (ssize_t)size);
  NEED(close(fd) == 0);
}

static inline const char *run_folder(const char *name) {
  static char path[FAULT_PATH];
  (void)snprintf(path, sizeof(path), "%s/%s", fault_root, name);
  return path;
}
// A new, empty cache folder.
static inline const char *run_fresh(void) {
  static uint32_t serial;
  static char name[32];
  (void)snprintf(name, sizeof(name), "cache%u", serial++);
  return run_folder(name);
}

#endif
