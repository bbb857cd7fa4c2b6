// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preloaded: a process that names a file of an installed LLVM ends, with the name. TN_FORBIDDEN is
// the folder. It sees what is asked through the C library's functions.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void check(const char *path) {
  const char *forbidden = getenv("TN_FORBIDDEN");
  if (path && forbidden && strncmp(path, forbidden, strlen(forbidden)) == 0) {
    (void)dprintf(2, "no_llvm: %s\n", path);
    _exit(99);
  }
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

static int mode_of(int flags, va_list list) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(list, int) : 0;
}

#define OPEN(name)                                                  \
  int name(const char *path, int flags, ...) {                      \
    check(path);                                                    \
    va_list list;                                                   \
    va_start(list, flags);                                          \
    const int mode = mode_of(flags, list);                          \
    va_end(list);                                                   \
    return ((int (*)(const char *, int, ...))next(#name))(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                \
  int name(int folder, const char *path, int flags, ...) {          \
    check(path);                                                    \
    va_list list;                                                   \
    va_start(list, flags);                                          \
    const int mode = mode_of(flags, list);                          \
    va_end(list);                                                   \
    return ((int (*)(int, const char *, int, ...))next(#name))(folder, path, flags, mode); \
  }
OPENAT(openat)
OPENAT(openat64)

#define STAT(name)                                                  \
  int name(const char *path, struct stat *out) {                    \
    check(path);                                                    \
    return ((int (*)(const char *, struct stat *))next(#name))(path, out); \
  }
STAT(stat)
STAT(lstat)

int stat64(const char *path, struct stat64 *out) {
  check(path);
  return ((int (*)(const char *, struct stat64 *))next("stat64"))(path, out);
}

#define STREAM(name)                                                \
  FILE *name(const char *path, const char *mode) {                  \
    check(path);                                                    \
    return ((FILE * (*)(const char *, const char *)) next(#name))(path, mode); \
  }
STREAM(fopen)
STREAM(fopen64)

int access(const char *path, int mode) {
  check(path);
  return ((int (*)(const char *, int))next("access"))(path, mode);
}

int execve(const char *path, char *const *argv, char *const *environment) {
  check(path);
  return ((int (*)(const char *, char *const *, char *const *))next("execve"))(path, argv,
                                                                              environment);
}

int execv(const char *path, char *const *argv) {
  check(path);
  return ((int (*)(const char *, char *const *))next("execv"))(path, argv);
}

int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *argv, char *const *environment) {
  check(path);
  return ((int (*)(pid_t *, const char *, const posix_spawn_file_actions_t *,
                   const posix_spawnattr_t *, char *const *, char *const *))next("posix_spawn"))(
      pid, path, actions, attributes, argv, environment);
}
