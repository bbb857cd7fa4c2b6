// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files: whole reads, writes that are never seen half done, temporary folders.
#include "base/file.h"

#include "base/config.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NAMES_TRIED = 1000 };

static tn_status io_fail(tn_diag *diag, const char *what, const char *path, int error) {
  return TN_FAIL_NATIVE(diag, IO, error, "%s: %s: %s", path, what, strerror(error));
}

// Reads to the end into a buffer that starts at `expected` bytes. Sizes of pipes and of files in
// /proc are not known before.
static tn_status read_all(int fd, const char *path, size_t expected, size_t maximum,
                          char **out_data, size_t *out_size, tn_diag *diag) {
  tn_status status = TN_OK;
  size_t capacity = expected + 1;
  size_t size = 0;
  char *data = tn_alloc(capacity);
  if (!data) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for %zu bytes", path, capacity);
  }
  for (;;) {
    const ssize_t got = read(fd, data + size, capacity - size);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      status = io_fail(diag, "cannot be read", path, errno);
      goto done;
    }
    if (got == 0) {
      break;
    }
    size += (size_t)got;
    if (size > maximum) {
      status = TN_FAIL(diag, IO, "%s: larger than the %zu bytes that are read", path, maximum);
      goto done;
    }
    if (size == capacity) {
      char *grown = tn_realloc(data, capacity * 2);
      if (!grown) {
        status = TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for %zu bytes", path, capacity * 2);
        goto done;
      }
      data = grown;
      capacity *= 2;
    }
  }
  data[size] = '\0';
  *out_data = data;
  *out_size = size;
  data = NULL;
done:
  tn_free(data);
  return status;
}

size_t tn_file_read_head(const char *path, char *out, size_t capacity) {
  const int fd = tn_fault_hit() ? -1 : open(path, O_RDONLY | O_CLOEXEC);
  size_t size = 0;
  ssize_t got = fd >= 0 ? 1 : 0;
  while (got > 0 && size + 1 < capacity) {
    got = read(fd, out + size, capacity - 1 - size);
    size += got > 0 ? (size_t)got : 0;
  }
  out[size] = '\0';
  if (fd >= 0) {
    (void)close(fd);
  }
  return size;
}

static tn_status read_file(const char *path, bool must_be_regular, size_t maximum, char **out_data,
                           size_t *out_size, tn_diag *diag) {
  *out_data = NULL;
  *out_size = 0;
  tn_status status = TN_OK;
  struct stat info;
  // Opening a pipe that nobody writes to waits, unless O_NONBLOCK is given.
  const int flags = O_RDONLY | O_CLOEXEC | (must_be_regular ? O_NONBLOCK : 0);
  const int fd = tn_fault_hit() ? (errno = EIO, -1) : open(path, flags);
  if (fd < 0) {
    return io_fail(diag, "cannot be opened", path, errno);
  }
  if (fstat(fd, &info) != 0) {
    status = io_fail(diag, "cannot be examined", path, errno);
    goto done;
  }
  if (S_ISDIR(info.st_mode)) {
    status = TN_FAIL_NATIVE(diag, IO, EISDIR, "%s: is a directory, a file is needed", path);
    goto done;
  }
  if (must_be_regular && !S_ISREG(info.st_mode)) {
    status = TN_FAIL(diag, IO, "%s: is not a regular file", path);
    goto done;
  }
  // Files that the system makes when they are read say that they are empty.
  const size_t expected =
      S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size : 4096;
  if (S_ISREG(info.st_mode) && (size_t)info.st_size > maximum) {
    status = TN_FAIL(diag, IO, "%s: larger than the %zu bytes that are read", path, maximum);
    goto done;
  }
  status = read_all(fd, path, expected, maximum, out_data, out_size, diag);
done:
  (void)close(fd);
  return status;
}

tn_status tn_file_read(const char *path, size_t maximum, char **out_data, size_t *out_size,
                       tn_diag *diag) {
  return read_file(path, false, maximum, out_data, out_size, diag);
}

tn_status tn_file_read_regular(const char *path, size_t maximum, char **out_data, size_t *out_size,
                               tn_diag *diag) {
  return read_file(path, true, maximum, out_data, out_size, diag);
}

// 0, or the system's error.
static int write_all(int fd, tn_bytes bytes) {
  size_t written = 0;
  while (written < bytes.size) {
    const ssize_t put = tn_fault_hit() ? (errno = ENOSPC, -1)
                                       : write(fd, bytes.data + written, bytes.size - written);
    if (put < 0 && errno != EINTR) {
      return errno;
    }
    written += put > 0 ? (size_t)put : 0;
  }
  return 0;
}

// A device or a pipe has no place beside it to write first, and must stay what it is.
static tn_status write_in_place(const char *path, tn_bytes bytes, tn_diag *diag) {
  const int fd = tn_fault_hit() ? (errno = EIO, -1) : open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) {
    return io_fail(diag, "cannot be opened for writing", path, errno);
  }
  const int failed = write_all(fd, bytes);
  (void)close(fd);
  return failed == 0 ? TN_OK : io_fail(diag, "cannot be written", path, failed);
}

// Of a process killed while it wrote something may be left under a name that its successor of the
// same number asks for: in a container, processes have the same numbers every time.
tn_status tn_file_create_beside(const char *path, tn_buf *name, int *out_fd, tn_diag *diag) {
  static _Atomic uint32_t serial;
  *out_fd = -1;
  for (int attempt = 0; attempt < NAMES_TRIED && (attempt == 0 || errno == EEXIST); attempt++) {
    tn_buf_clear(name);
    tn_buf_add_format(name, "%s.%d-%u.tmp", path, (int)getpid(),
                      atomic_fetch_add_explicit(&serial, 1, memory_order_relaxed));
    const tn_status status = tn_buf_status(name, diag);
    if (status != TN_OK) {
      return status;
    }
    *out_fd = tn_fault_hit() ? (errno = EIO, -1)
                             : open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (*out_fd >= 0) {
      return TN_OK;
    }
  }
  return io_fail(diag, "cannot be created", path, errno);
}

static _Atomic uint32_t writes;  // under way; HELD: no further one begins
enum { WRITES_HELD = 1 << 30 };

static const struct timespec millisecond = {.tv_nsec = 1000000};

static void begin_write(void) {
  while ((atomic_fetch_add_explicit(&writes, 1, memory_order_acquire) & WRITES_HELD) != 0) {
    atomic_fetch_sub_explicit(&writes, 1, memory_order_release);
    (void)nanosleep(&millisecond, NULL);
  }
}

static void end_write(void) { atomic_fetch_sub_explicit(&writes, 1, memory_order_release); }

void tn_file_hold_writes(uint32_t milliseconds) {
  atomic_fetch_or_explicit(&writes, WRITES_HELD, memory_order_acq_rel);
  while (atomic_load_explicit(&writes, memory_order_acquire) != WRITES_HELD && milliseconds > 0) {
    (void)nanosleep(&millisecond, NULL);
    milliseconds--;
  }
}

void tn_file_release_writes(void) {
  atomic_fetch_and_explicit(&writes, ~(uint32_t)WRITES_HELD, memory_order_release);
}

static tn_status write_beside(const char *path, tn_bytes bytes, tn_diag *diag) {
  tn_buf name;
  int fd = -1;
  tn_buf_init(&name, PATH_MAX);
  tn_status status = tn_file_create_beside(path, &name, &fd, diag);
  if (status != TN_OK) {
    tn_buf_deinit(&name);
    return status;
  }
  int failed = write_all(fd, bytes);
  if (close(fd) != 0 && failed == 0) {
    failed = errno;
  }
  if (failed == 0 && (tn_fault_hit() ? (errno = EIO, -1) : rename(name.data, path)) != 0) {
    failed = errno;
  }
  if (failed != 0) {
    (void)unlink(name.data);
    status = io_fail(diag, "cannot be written", path, failed);
  }
  tn_buf_deinit(&name);
  return status;
}

tn_status tn_file_write(const char *path, tn_bytes bytes, tn_diag *diag) {
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
    if (S_ISDIR(info.st_mode)) {
      return TN_FAIL_NATIVE(diag, IO, EISDIR, "%s: is a directory, cannot be written", path);
    }
    return write_in_place(path, bytes, diag);
  }
  begin_write();
  const tn_status status = write_beside(path, bytes, diag);
  end_write();
  return status;
}

bool tn_file_exists(const char *path) { return access(path, F_OK) == 0; }

bool tn_file_is_directory(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool tn_file_is_file(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISDIR(info.st_mode);
}

bool tn_file_is_executable(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

void tn_file_remove(const char *path) { (void)unlink(path); }

void tn_file_remove_regular(const char *path) {
  struct stat info;
  if (lstat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, W_OK) == 0) {
    (void)unlink(path);
  }
}

char *tn_path_real(const char *path) {
  char real[PATH_MAX];
  if (tn_fault_hit() || !realpath(path, real)) {
    return NULL;
  }
  return tn_str_copy(tn_str_from(real));
}

char *tn_path_join(tn_str a, tn_str b) {
  while (a.size > 1 && a.data[a.size - 1] == '/') {
    a.size--;
  }
  const bool ends_in_slash = a.size == 1 && a.data[0] == '/';
  while (a.size > 0 && b.size > 0 && b.data[0] == '/') {
    b = tn_str_slice(b, 1, b.size);
  }
  const size_t slash = a.size > 0 && !ends_in_slash ? 1 : 0;
  size_t size = 0;
  if (!tn_size_add(a.size, b.size, &size) || !tn_size_add(size, slash + 1, &size)) {
    return NULL;
  }
  char *joined = tn_alloc(size);
  if (!joined) {
    return NULL;
  }
  char *end = joined;
  if (a.size > 0) {
    memcpy(end, a.data, a.size);
    end += a.size;
  }
  if (slash > 0) {
    *end++ = '/';
  }
  if (b.size > 0) {
    memcpy(end, b.data, b.size);
  }
  return joined;
}

tn_status tn_temp_dir_create(const char *prefix, char **out_path, tn_diag *diag) {
  *out_path = NULL;
  const char *parent = tn_config_get()->temp_dir;
  tn_buf path;
  tn_buf_init(&path, PATH_MAX);
  tn_buf_add_format(&path, "%s/%s-XXXXXX", parent, prefix);
  tn_status status = tn_buf_status(&path, diag);
  if (status == TN_OK && (tn_fault_hit() ? (errno = EIO, NULL) : mkdtemp(path.data)) == NULL) {
    status = TN_FAIL_NATIVE(diag, IO, errno,
                            "%s: no temporary folder can be made there: %s; set TMPDIR to a folder "
                            "that can be written",
                            parent, strerror(errno));
  }
  if (status != TN_OK) {
    tn_buf_deinit(&path);
    return status;
  }
  *out_path = path.data;
  return TN_OK;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info;
  (void)kind;
  (void)where;
  (void)remove(path);
  return 0;
}

void tn_temp_dir_remove(char *path) {
  if (path) {
    (void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    tn_free(path);
  }
}

// The system knows it, without the steps of looking for a path's links: "/a/b (deleted)" when the
// file is gone.
static char *program_path(void) {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
  if (size <= 0 || (size_t)size >= sizeof(path) - 1) {
    return NULL;
  }
  path[size] = '\0';
  const tn_str text = {path, (size_t)size};
  const bool is_gone = tn_str_has_suffix(text, TN_STR_LIT(" (deleted)")) && access(path, F_OK) != 0;
  return is_gone ? NULL : tn_str_copy(text);
}

// The dynamic linker has no name for the main program.
char *tn_path_of_address(const void *address) {
  Dl_info info;
  struct link_map *map = NULL;
  if (dladdr1(address, &info, (void **)&map, RTLD_DL_LINKMAP) == 0) {
    return NULL;
  }
  const bool is_main = !map || !map->l_name || map->l_name[0] == '\0';
  return is_main ? program_path() : tn_path_real(map->l_name);
}
