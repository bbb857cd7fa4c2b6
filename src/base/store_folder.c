// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes and opens the private folder of a store.
#include "base/store_folder.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

// Makes `path` and what is missing above it. 0, or why that failed: `path` is cut behind the folder
// that cannot be made then.
static int make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
    if (slash) {
      *slash = '\0';
    }
    if (mkdir(path, 0700) != 0 && errno != EEXIST) {
      const int failed = errno;
      // Some file systems say something else of what is there.
      if (!tn_file_is_directory(path)) {
        return failed;
      }
    }
    if (!slash) {
      return 0;
    }
    *slash = '/';
  }
}

static tn_status say_foreign(const char *path, uid_t owner, tn_diag *diag) {
  return TN_FAIL(diag, IO, "%s: not used: it belongs to user %u, and this is user %u", path,
                 (unsigned)owner, (unsigned)geteuid());
}

// Who can write to the folder that holds the store can take the store away. In one that is sticky,
// as /tmp, only its owner and the store's can. A group that has the user's number is the user's
// own, as most systems make one for each: many people's umask lets it write.
static tn_status check_root(int fd, const char *path, tn_diag *diag) {
  struct stat info;
  if (fstat(fd, &info) != 0) {
    return TN_FAIL_NATIVE(diag, IO, errno, "%s: not used: %s", path, strerror(errno));
  }
  if (info.st_uid != geteuid() && info.st_uid != 0) {
    return say_foreign(path, info.st_uid, diag);
  }
  const bool has_own_group = info.st_uid != 0 && info.st_gid == info.st_uid;
  const mode_t others = has_own_group ? S_IWOTH : S_IWOTH | S_IWGRP;
  if ((info.st_mode & others) != 0 && (info.st_mode & S_ISVTX) == 0) {
    return TN_FAIL(diag, IO,
                   "%s: not used: others may write to it (mode %03o); chmod go-w forbids it them",
                   path, (unsigned)info.st_mode & 0777);
  }
  return TN_OK;
}

static tn_status check_private(int fd, const char *path, tn_diag *diag) {
  struct stat info;
  if (fstat(fd, &info) != 0) {
    return TN_FAIL_NATIVE(diag, IO, errno, "%s: not used: %s", path, strerror(errno));
  }
  if (info.st_uid != geteuid()) {
    return say_foreign(path, info.st_uid, diag);
  }
  if ((info.st_mode & 077) != 0) {
    return TN_FAIL(diag, IO,
                   "%s: not used: others may enter it (mode %03o); chmod 700 makes it private",
                   path, (unsigned)info.st_mode & 0777);
  }
  return TN_OK;
}

static tn_status say_unopened(int root_fd, const char *name, const char *path, int failed,
                              tn_diag *diag) {
  struct stat info;
  if (fstatat(root_fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode)) {
    return TN_FAIL_NATIVE(diag, IO, failed,
                          "%s: not used: it is a link, which is not followed here", path);
  }
  return TN_FAIL_NATIVE(diag, IO, failed, "%s: not used: %s", path, strerror(failed));
}

// A link in place of the folder is not followed: it may lead to a folder of ours that is no store.
static tn_status open_private(int root_fd, const char *name, const char *path, bool may_make,
                              int *out_fd, tn_diag *diag) {
  if (may_make && mkdirat(root_fd, name, 0700) != 0 && errno != EEXIST) {
    const int failed = errno;
    if (faccessat(root_fd, name, F_OK, AT_SYMLINK_NOFOLLOW) != 0) {
      return TN_FAIL_NATIVE(diag, IO, failed, "creating %s failed: %s", path, strerror(failed));
    }
  }
  const int fd = tn_fault_hit()
                     ? (errno = EIO, -1)
                     : openat(root_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    return !may_make && errno == ENOENT ? TN_OK : say_unopened(root_fd, name, path, errno, diag);
  }
  const tn_status status = check_private(fd, path, diag);
  if (status != TN_OK) {
    (void)close(fd);
    return status;
  }
  *out_fd = fd;
  return TN_OK;
}

// A link to the folder is as good as the folder: what it leads to is looked at.
static tn_status open_root(char *root, bool may_make, int *out_fd, tn_diag *diag) {
  const int failed = may_make ? make_folders(root) : 0;
  if (failed != 0) {
    return TN_FAIL_NATIVE(diag, IO, failed, "creating %s failed: %s", root, strerror(failed));
  }
  const int fd = tn_fault_hit() ? (errno = EIO, -1) : open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    return !may_make && errno == ENOENT
               ? TN_OK
               : TN_FAIL_NATIVE(diag, IO, errno, "%s: not used: %s", root, strerror(errno));
  }
  const tn_status status = check_root(fd, root, diag);
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
  if (root[0] == '\0') {
    return TN_FAIL(diag, IO,
                   "nothing is kept: no folder for '%s', since none of TENON_CACHE_DIR, "
                   "SYCL_CACHE_DIR, XDG_CACHE_HOME and HOME is a full path",
                   name);
  }
  if (root[0] != '/') {
    return TN_FAIL(diag, IO, "nothing is kept: '%s' is no full path", root);
  }
  char *above = tn_str_copy(tn_str_from(root));
  char *path = tn_path_join(tn_str_from(root), tn_str_from(name));
  int root_fd = -1;
  tn_status status = TN_OK;
  if (!above || !path) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the path of '%s'", name);
  }
  if (status == TN_OK) {
    status = open_root(above, may_make, &root_fd, diag);
  }
  if (root_fd >= 0) {
    status = open_private(root_fd, name, path, may_make, out_fd, diag);
    (void)close(root_fd);
  }
  tn_free(above);
  tn_free(path);
  return status;
}

bool tn_store_may_write(uint64_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         size <= limit.rlim_cur;
}
