// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes and opens the private folder of a store.
#include "base/store_folder.h"

#include "base/file.h"
#include "base/log.h"

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

static bool is_private(int fd, const char *path) {
  struct stat info;
  if (fstat(fd, &info) != 0) {
    TN_LOG(cache, "%s: not used: %s", path, strerror(errno));
    return false;
  }
  if (info.st_uid != geteuid()) {
    TN_LOG(cache, "%s: not used: it belongs to user %u", path, (unsigned)info.st_uid);
    return false;
  }
  if ((info.st_mode & 077) != 0) {
    TN_LOG(cache, "%s: not used: others may enter it (mode %03o, 700 is needed)", path,
           (unsigned)info.st_mode & 0777);
    return false;
  }
  return true;
}

// A link in place of the folder is not followed: it may lead to a folder of ours that is no store.
static int open_private(const char *path) {
  const int fd = tn_fault_hit() ? (errno = EIO, -1)
                                : open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    TN_LOG(cache, "%s: not used: %s", path, strerror(errno));
    return -1;
  }
  if (!is_private(fd, path)) {
    (void)close(fd);
    return -1;
  }
  return fd;
}

int tn_store_folder_open(const char *root, const char *name) {
  if (root[0] != '/') {
    TN_LOG(cache, "no folder for '%s': '%s' is no absolute path", name, root);
    return -1;
  }
  char *path = tn_path_join(tn_str_from(root), tn_str_from(name));
  if (!path) {
    TN_LOG(cache, "no memory for the path of '%s'", name);
    return -1;
  }
  make_folders(path);
  const int fd = open_private(path);
  tn_free(path);
  return fd;
}

bool tn_store_may_write(uint64_t size) {
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
         size <= limit.rlim_cur;
}
