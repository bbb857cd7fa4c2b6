// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mmap of files and their parts.
#include "base/file_map.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// -1 when it is no regular file.
static int open_regular(const char *path, uint64_t *out_size) {
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat info;
  if (fd < 0) {
    return -1;
  }
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < 0) {
    (void)close(fd);
    return -1;
  }
  *out_size = (uint64_t)info.st_size;
  return fd;
}

tn_bytes tn_file_map(const char *path, size_t maximum) {
  tn_bytes file = {0};
  uint64_t size = 0;
  const int fd = open_regular(path, &size);
  if (fd < 0) {
    return file;
  }
  if (size > 0 && size <= maximum) {
    void *bytes = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes != MAP_FAILED) {
      file = tn_bytes_from(bytes, (size_t)size);
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

bool tn_file_part_map(const char *path, uint64_t offset, size_t size, tn_file_part *out) {
  *out = (tn_file_part){NULL, 0, {0}};
  const size_t skipped = (size_t)(offset % (uint64_t)sysconf(_SC_PAGESIZE));
  uint64_t file_size = 0;
  const int fd = open_regular(path, &file_size);
  if (fd < 0) {
    return false;
  }
  if (size > 0 && offset <= file_size && size <= file_size - offset) {
    void *base =
        mmap(NULL, size + skipped, PROT_READ, MAP_PRIVATE, fd, (off_t)(offset - skipped));
    if (base != MAP_FAILED) {
      *out = (tn_file_part){base, size + skipped,
                            tn_bytes_from((const uint8_t *)base + skipped, size)};
    }
  }
  (void)close(fd);
  return out->base != NULL;
}

bool tn_file_part_keep(const tn_file_part *part) {
  void *own = mmap(NULL, part->mapped_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                   0);
  if (own == MAP_FAILED) {
    return false;
  }
  memcpy(own, part->base, part->mapped_size);
  if (mprotect(own, part->mapped_size, PROT_READ) == 0 &&
      mremap(own, part->mapped_size, part->mapped_size, MREMAP_MAYMOVE | MREMAP_FIXED,
             part->base) != MAP_FAILED) {
    return true;
  }
  (void)munmap(own, part->mapped_size);
  return false;
}

void tn_file_part_unmap(tn_file_part *part) {
  if (part->base) {
    (void)munmap(part->base, part->mapped_size);
  }
  *part = (tn_file_part){NULL, 0, {0}};
}
