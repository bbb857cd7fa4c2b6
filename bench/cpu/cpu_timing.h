// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The main function of both sides: <program> <kernel> prints "seconds <median> result <checksum>".
#ifndef TENON_BENCH_CPU_TIMING_H
#define TENON_BENCH_CPU_TIMING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct bench_kernel {
  const char *name;
  void (*set_up)(void);
  void (*run)(void);  // returns when the result is there
  double (*result)(void);
};

static double bench_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int bench_compare(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

// Runs for a third of a second after a warm-up of two runs and a tenth of a second.
static void bench_run(const struct bench_kernel *kernel) {
  enum { MOST = 4096, LEAST = 5 };
  static double seconds[MOST];
  kernel->set_up();
  double start = bench_now();
  for (int i = 0; i < 2 || bench_now() - start < 0.1; i++) {
    kernel->run();
  }
  int count = 0;
  start = bench_now();
  while (count < MOST && (count < LEAST || bench_now() - start < 0.33)) {
    const double before = bench_now();
    kernel->run();
    seconds[count++] = bench_now() - before;
  }
  qsort(seconds, (size_t)count, sizeof(seconds[0]), bench_compare);
  printf("seconds %.9f result %.12g\n", seconds[count / 2], kernel->result());
}

static int bench_main(int argc, char **argv, const struct bench_kernel *kernels, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (argc == 2 && strcmp(argv[1], kernels[i].name) == 0) {
      bench_run(&kernels[i]);
      return 0;
    }
  }
  fprintf(stderr, "usage: %s <kernel>; there are:", argv[0]);
  for (size_t i = 0; i < count; i++) {
    fprintf(stderr, " %s", kernels[i].name);
  }
  fprintf(stderr, "\n");
  return 2;
}

#endif
