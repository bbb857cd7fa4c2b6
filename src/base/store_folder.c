// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes and opens the private folder of a store.
#include "base/store_folder.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// Makes `path` and what is missing above it. What goes wrong shows when the folder is opened.
static void make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    (void)mkdir(path, 0700);
    *slash = '/';
  }
  (void)mkdir(path, 0700);
}

static tn_status check_private(int fd, const char *path, tn_diag *diag) {
  struct stat info;
  if (fstat(fd, &info) != 0) {
    return TN_FAIL_NATIVE(diag, IO, errno, "%s: not used: %s", path, strerror(errno));
  }
  if (info.st_uid != geteuid()) {
    return TN_FAIL(diag, IO, "%s: not used: it belongs to user %u, and this is user %u", path,
                   (unsigned)info.st_uid, (unsigned)geteuid());
  }
  if ((info.st_mode & 077) != 0) {
    return TN_FAIL(diag, IO,
                   "%s: not used: others may enter it (mode %03o); chmod 700 makes it private",
                   path, (unsigned)info.st_mode & 0777);
  }
  return TN_OK;
}

static tn_status say_unopened(const char *path, int failed, tn_diag *diag) {
  struct stat info;
  if (lstat(path, &info) == 0 && S_ISLNK(info.st_mode)) {
    return TN_FAIL_NATIVE(diag, IO, failed,
                          "%s: not used: it is a link, which is not followed here", path);
  }
  return TN_FAIL_NATIVE(diag, IO, failed, "%s: not used: %s", path, strerror(failed));
}

// A link in place of the folder is not followed: it may lead to a folder of ours that is no store.
static tn_status open_private(const char *path, bool may_miss, int *out_fd, tn_diag *diag) {
  const int fd = tn_fault_hit() ? (errno = EIO, -1)
                                : open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    return may_miss && errno == ENOENT ? TN_OK : say_unopened(path, errno, diag);
  }
  const tn_status status = check_private(fd, path, diag);
  if (status != TN_OK) {
    (void)close(fd);
    return status;
  }
  *out_fd = fd;
  return TN_OK;
}

tn_status tn_store_folder_open(const char *root, const char *name, bool may_make, int *out_fd,
                               tn_diag *diag) {
  *out_fd = -1;
  if (root[0] != '/') {
    return TN_FAIL(diag, IO, "no folder for '%s': '%s' is no absolute path", name, root);
  }
  char *path = tn_path_join(tn_str_from(root), tn_str_from(name));
  if (!path) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the path of '%s'", name);
  }
  if (may_make) {
    make_folders(path);
  }
  const tn_status status = open_private(path, !may_make, out_fd, diag);
  tn_free(path);
  return status;
}

bool tn_store_may_write(uint64_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         size <= limit.rlim_cur;
}
