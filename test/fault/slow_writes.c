// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To be preloaded: a slow disk, so that who is killed at random is often killed while it writes.
#include <dlfcn.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

// Tests are built with hidden symbols.
#define SEEN __attribute__((visibility("default")))

int renameat(int from_folder, const char *from, int to_folder, const char *to);

static void *next_of(const char *name) {
  const struct timespec part = {.tv_nsec = 3000000};
  (void)nanosleep(&part, NULL);
  return dlsym(RTLD_NEXT, name);
}

SEEN ssize_t write(int fd, const void *data, size_t size) {
  ssize_t (*next)(int, const void *, size_t) = NULL;
  *(void **)(void *)&next = next_of("write");
  // In two parts, so that there is a half of it.
  const ssize_t first = size > 1 ? next(fd, data, size / 2) : 0;
  if (first < 0 || size <= 1) {
    return size <= 1 ? next(fd, data, size) : first;
  }
  (void)next_of("write");
  const ssize_t rest = next(fd, (const char *)data + first, size - (size_t)first);
  return rest < 0 ? first : first + rest;
}

SEEN int fdatasync(int fd) {
  int (*next)(int) = NULL;
  *(void **)(void *)&next = next_of("fdatasync");
  return next(fd);
}

SEEN int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  int (*next)(int, const char *, int, const char *) = NULL;
  *(void **)(void *)&next = next_of("renameat");
  return next(from_folder, from, to_folder, to);
}
