// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmap of whole files.
#include "base/file_map.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

tn_bytes tn_file_map(const char *path, size_t maximum) {
  tn_bytes file = {0};
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat info;
  if (fd < 0) {
    return file;
  }
  if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
      (uint64_t)info.st_size <= maximum) {
    void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes != MAP_FAILED) {
      file = tn_bytes_from(bytes, (size_t)info.st_size);
    }
  }
  (void)close(fd);
  return file;
}

void tn_file_unmap(tn_bytes bytes) {
  if (bytes.size > 0) {
    (void)munmap((void *)(uintptr_t)bytes.data, bytes.size);
  }
}
