/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Preloaded into programs that use a private copy of Debian's PoCL: the program llvm-spirv, which
 * PoCL starts by its path under /usr/bin, is started from TENON_TEST_LLVM_SPIRV instead. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef int (*exec_fn)(const char *path, char *const argv[]);

int execv(const char *path, char *const argv[]);

int execv(const char *path, char *const argv[]) {
  static const char prefix[] = "/usr/bin/llvm-spirv";
  const char *other = getenv("TENON_TEST_LLVM_SPIRV");
  const exec_fn next = (exec_fn)dlsym(RTLD_NEXT, "execv");
  if (other != NULL && strncmp(path, prefix, sizeof(prefix) - 1) == 0) {
    path = other;
  }
  return next(path, argv);
}
