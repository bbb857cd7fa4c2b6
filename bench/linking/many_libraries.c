// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What many shared libraries cost: registering each, and resolving a chain through all of them. The
// libraries are real ones for the dynamic linker, opened RTLD_GLOBAL; each has ten exports and
// imports one of the next. Prints one figure a line: name, value, unit.
#include "run/program/link_set.h"
#include "run/program/program.h"

#include <malloc.h>
#include <stdlib.h>
#include <sys/resource.h>

// What the tests' headers want of cmocka.
#define fail_msg(...) ((void)fprintf(stderr, __VA_ARGS__), (void)fputc('\n', stderr), exit(1))
#define assert_true(condition) ((condition) ? (void)0 : fail_msg("failed: %s", #condition))
#define assert_int_equal(a, b) assert_true((a) == (b))
#include "unit/program/made_library.h"

enum { EXPORTS = 10, RUNS = 7, NAME_SIZE = 24 };

typedef struct chain {
  made_library *libraries;
  size_t count;
  char (*names)[EXPORTS + 1][NAME_SIZE];
  const char *folder;
} chain;

static int compare_times(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a;
  const uint64_t y = *(const uint64_t *)b;
  return x < y ? -1 : x > y ? 1 : 0;
}

static double median(uint64_t *times) {
  qsort(times, RUNS, sizeof(*times), compare_times);
  return (double)times[RUNS / 2];
}

static void open_library(chain *c, size_t at) {
  image_maker image = {.target = "native_cpu", .format = TN_IMAGE_FORMAT_BITCODE, .code = "code"};
  for (size_t e = 0; e < EXPORTS; e++) {
    (void)snprintf(c->names[at][e], NAME_SIZE, "_Z9f%05zu_%zui", at, e);
    image.exports[e] = c->names[at][e];
  }
  (void)snprintf(c->names[at][EXPORTS], NAME_SIZE, "_Z9f%05zu_0i", at + 1);
  image.imports[0] = at + 1 < c->count ? c->names[at][EXPORTS] : NULL;
  char name[32];
  (void)snprintf(name, sizeof(name), "lib%05zu.so", at);
  made_open(&c->libraries[at], c->folder, name, RTLD_GLOBAL, &image, 1);
}

static void measure_registration(const chain *c) {
  uint64_t times[RUNS];
  size_t bytes = 0;
  for (size_t run = 0; run < RUNS; run++) {
    for (size_t i = 0; i < c->count; i++) {
      tn_unregister_module(c->libraries[i].module);
    }
    tn_program_reap();
    const size_t before = mallinfo2().uordblks;
    const uint64_t start = tn_time_ns();
    for (size_t i = 0; i < c->count; i++) {
      tn_register_module(c->libraries[i].module);
    }
    times[run] = tn_time_ns() - start;
    bytes = mallinfo2().uordblks - before;
  }
  printf("registration %.3f us\n", median(times) / 1e3 / (double)c->count);
  printf("registered_memory %.0f bytes\n", (double)bytes / (double)c->count);
}

static void measure_chain(const chain *c) {
  uint64_t times[RUNS];
  size_t bytes = 0;
  for (size_t run = 0; run < RUNS; run++) {
    tn_registered *first = tn_registry_find(c->libraries[0].module);
    const size_t before = mallinfo2().uordblks;
    tn_link_set set;
    tn_link_owner *owner = NULL;
    tn_diag diag = {0};
    const uint64_t start = tn_time_ns();
    tn_link_set_init(&set, true);
    if (tn_link_set_open(&set, first, &owner, &diag) != TN_OK ||
        tn_link_set_collect(&set, owner, 0, &diag) != TN_OK) {
      fail_msg("%s", diag.text);
    }
    times[run] = tn_time_ns() - start;
    bytes = mallinfo2().uordblks - before;
    assert_int_equal(set.members.count, c->count);
    tn_link_set_deinit(&set);
    tn_registered_release(first);
    if (run == 0) {
      printf("chain_first %.2f ms\n", (double)times[0] / 1e6);
    }
  }
  printf("chain %.2f ms\n", median(times) / 1e6);
  printf("chain_memory %.0f bytes\n", (double)bytes / (double)c->count);
}

int main(int argc, char **argv) {
  chain c = {.folder = argc > 1 ? argv[1] : NULL,
             .count = argc > 2 ? (size_t)strtoull(argv[2], NULL, 10) : 1000};
  if (!c.folder || c.count == 0 || c.count > 100000) {
    (void)fprintf(stderr, "usage: many_libraries FOLDER [COUNT]\n");
    return 2;
  }
  struct rlimit files;
  if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files);
  }
  c.libraries = calloc(c.count, sizeof(*c.libraries));
  c.names = calloc(c.count, sizeof(*c.names));
  assert_true(c.libraries && c.names);
  for (size_t i = 0; i < c.count; i++) {
    open_library(&c, i);
  }
  printf("libraries %zu count\n", c.count);
  measure_registration(&c);
  measure_chain(&c);
  return 0;
}
