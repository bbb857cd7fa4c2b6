// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// To be preloaded: a file system without locks, as NFS without its lock service is one.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/file.h>

// Tests are built with hidden symbols.
#define SEEN __attribute__((visibility("default")))

// The system's headers may give these other names, so that there is no declaration to repeat.
int fcntl64(int fd, int command, ...);

typedef int (*control_fn)(int fd, int command, void *argument);

static int control(int fd, int command, void *argument) {
  static control_fn next;
  if (command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK ||
      command == F_SETLK || command == F_SETLKW || command == F_GETLK) {
    errno = ENOLCK;
    return -1;
  }
  if (next == NULL) {
    *(void **)(void *)&next = dlsym(RTLD_NEXT, "fcntl");
  }
  return next(fd, command, argument);
}

SEEN int fcntl(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return control(fd, command, argument);
}

SEEN int fcntl64(int fd, int command, ...) {
  va_list list;
  va_start(list, command);
  void *argument = va_arg(list, void *);
  va_end(list);
  return control(fd, command, argument);
}

SEEN int flock(int fd, int operation) {
  (void)fd;
  (void)operation;
  errno = ENOLCK;
  return -1;
}
