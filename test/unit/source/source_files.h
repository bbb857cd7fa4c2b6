// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers on the disk for the tests of source: two folders, "a" and "b", in which sources look.
#ifndef TN_TEST_SOURCE_FILES_H
#define TN_TEST_SOURCE_FILES_H

#include "unit/source/source_world.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char *files_folder;

// Good until the next call.
static inline const char *files_path(const char *name) {
  static char path[512];
  (void)snprintf(path, sizeof(path), "%s/%s", files_folder, name);
  return path;
}

static inline int files_begin(void **state) {
  if (bundle_world_begin(state) != 0 ||
      tn_temp_dir_create("source-test", &files_folder, NULL) != TN_OK) {
    return -1;
  }
  static const char *const folders[] = {"a", "b", "a/dir", "b/dir"};
  for (size_t i = 0; i < TN_COUNT(folders); i++) {
    if (mkdir(files_path(folders[i]), 0700) != 0) {
      return -1;
    }
  }
  return 0;
}

static inline int files_end(void **state) {
  tn_temp_dir_remove(files_folder);
  return bundle_world_end(state);
}

// In place, as an editor would that keeps the inode.
static inline void files_write(const char *name, const char *text) {
  FILE *file = fopen(files_path(name), "w");
  assert_non_null(file);
  assert_int_equal(fputs(text, file) >= 0, 1);
  assert_int_equal(fclose(file), 0);
}

static inline void files_remove(const char *name) { assert_int_equal(unlink(files_path(name)), 0); }

// Its time is so many seconds ago.
static inline void files_age(const char *name, int64_t seconds) {
  const struct timespec now = {time(NULL) - seconds, 0};
  const struct timespec times[2] = {now, now};
  assert_int_equal(utimensat(AT_FDCWD, files_path(name), times, 0), 0);
}

// With both folders.
static inline tn_source_build files_build(void) {
  static char a[512];
  static char b[512];
  static const char *const options[] = {a, b};
  (void)snprintf(a, sizeof(a), "-I%s/a", files_folder);
  (void)snprintf(b, sizeof(b), "-I%s/b", files_folder);
  tn_source_build build = source_build(TN_BUNDLE_OBJECT);
  build.options = options;
  build.option_count = 2;
  return build;
}

static inline void files_expect(tn_source *source, const char *kernel) {
  const tn_source_build build = files_build();
  tn_bundle *bundle = source_must_build(source, &build);
  if (tn_bundle_has_kernel_name(bundle, kernel) != 1) {
    fail_msg("kernel %s is not there: what was built before was taken", kernel);
  }
  tn_bundle_release(bundle);
}

#endif
