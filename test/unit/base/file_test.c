// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files, temporary folders and paths, with every event failing once.
#include "base/file.h"

#include "base/config.h"
#include "base/file_map.h"
#include "base/thread.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <dirent.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char *folder;

static char *path_to(const char *name) {
  char *path = tn_path_join(tn_str_from(folder), tn_str_from(name));
  assert_non_null(path);
  return path;
}

static size_t count_entries(const char *path) {
  size_t count = 0;
  DIR *dir = opendir(path);
  assert_non_null(dir);
  for (struct dirent *entry = NULL; (entry = readdir(dir)) != NULL;) {
    count += entry->d_name[0] == '.' ? 0 : 1;
  }
  (void)closedir(dir);
  return count;
}

static void test_writes_and_reads(void **state) {
  (void)state;
  char *path = path_to("data");
  char *data = NULL;
  size_t size = 0;
  assert_int_equal(tn_file_write(path, tn_bytes_from("a\0b", 3), NULL), TN_OK);
  assert_int_equal(tn_file_write(path, tn_bytes_from("c\0de", 4), NULL), TN_OK);
  assert_int_equal(tn_file_read(path, 4, &data, &size, NULL), TN_OK);
  assert_int_equal(size, 4);
  assert_memory_equal(data, "c\0de", 5);
  tn_free(data);
  assert_int_equal(count_entries(folder), 1);
  tn_file_remove(path);
  assert_false(tn_file_exists(path));
  tn_free(path);
}

// As an earlier process of this number leaves them when it is killed.
static void test_files_left_beside_are_passed_over(void **state) {
  (void)state;
  enum { LEFT = 40 };
  char *path = path_to("data");
  char left[LEFT][512];
  for (unsigned i = 0; i < LEFT; i++) {
    (void)snprintf(left[i], sizeof(left[i]), "%s.%d-%u.tmp", path, (int)getpid(), i);
    FILE *file = fopen(left[i], "we");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
  }
  for (int i = 0; i < LEFT; i++) {
    tn_diag diag = {0};
    assert_int_equal(tn_file_write(path, tn_bytes_from("abc", 3), &diag), TN_OK);
  }
  assert_int_equal(count_entries(folder), LEFT + 1);
  for (unsigned i = 0; i < LEFT; i++) {
    tn_file_remove(left[i]);
  }
  tn_file_remove(path);
  tn_free(path);
}

static _Atomic bool is_writing;

static void *write_file(void *path) {
  atomic_store(&is_writing, true);
  assert_int_equal(tn_file_write(path, tn_bytes_from("abc", 3), NULL), TN_OK);
  return NULL;
}

static void test_writes_are_held(void **state) {
  (void)state;
  char *path = path_to("data");
  tn_file_hold_writes(1000);
  tn_thread writer;
  assert_int_equal(tn_thread_create(&writer, "writer", write_file, path, NULL), TN_OK);
  while (!atomic_load(&is_writing)) {
    (void)sched_yield();
  }
  const struct timespec some = {.tv_nsec = 20000000};
  (void)nanosleep(&some, NULL);
  assert_int_equal(count_entries(folder), 0);
  tn_file_release_writes();
  tn_thread_join(writer);
  assert_int_equal(count_entries(folder), 1);
  tn_file_remove(path);
  tn_free(path);
}

static void test_empty_files(void **state) {
  (void)state;
  char *path = path_to("empty");
  char *data = NULL;
  size_t size = 1;
  assert_int_equal(tn_file_write(path, tn_bytes_from(NULL, 0), NULL), TN_OK);
  assert_int_equal(tn_file_read(path, 0, &data, &size, NULL), TN_OK);
  assert_int_equal(size, 0);
  assert_string_equal(data, "");
  tn_free(data);
  tn_file_remove(path);
  tn_free(path);
}

// What the system makes as it is read says that it is empty; and its beginning can be asked for.
static void test_files_of_the_system(void **state) {
  (void)state;
  char *data = NULL;
  size_t size = 0;
  assert_int_equal(tn_file_read("/proc/self/maps", 1 << 24, &data, &size, NULL), TN_OK);
  assert_true(size > 100);
  tn_free(data);
  char head[17];
  assert_int_equal(tn_file_read_head("/proc/self/maps", head, sizeof(head)), 16);
  assert_int_equal(strlen(head), 16);
  assert_int_equal(tn_file_read_head("/nonexistent/file", head, sizeof(head)), 0);
  assert_string_equal(head, "");
}

static void test_refusals_name_the_path(void **state) {
  (void)state;
  char *path = path_to("large");
  char *data = NULL;
  size_t size = 0;
  tn_diag diag = {0};
  assert_int_equal(tn_file_read(path, 10, &data, &size, &diag), TN_IO);
  assert_non_null(strstr(diag.text, path));
  assert_int_equal(tn_file_write(path, tn_bytes_from("12345678901", 11), NULL), TN_OK);
  assert_int_equal(tn_file_read(path, 10, &data, &size, &diag), TN_IO);
  assert_non_null(strstr(diag.text, "10 bytes"));
  assert_int_equal(tn_file_read(folder, 10, &data, &size, &diag), TN_IO);
  assert_non_null(strstr(diag.text, "directory"));
  assert_null(data);
  assert_int_equal(tn_file_write(folder, tn_bytes_from("x", 1), &diag), TN_IO);
  tn_file_remove(path);
  tn_free(path);
}

static void test_sizes_that_are_not_known_before(void **state) {
  (void)state;
  char *data = NULL;
  size_t size = 0;
  assert_int_equal(tn_file_read("/proc/self/status", 1 << 20, &data, &size, NULL), TN_OK);
  assert_true(size > 0);
  assert_int_equal(strlen(data), size);
  tn_free(data);
  assert_int_equal(tn_file_read("/dev/zero", 100000, &data, &size, NULL), TN_IO);
}

static void test_devices_stay_devices(void **state) {
  (void)state;
  struct stat info;
  assert_int_equal(tn_file_write("/dev/null", tn_bytes_from("x", 1), NULL), TN_OK);
  assert_int_equal(stat("/dev/null", &info), 0);
  assert_true(S_ISCHR(info.st_mode));
}

static void test_pipes_and_devices_are_no_regular_files(void **state) {
  (void)state;
  char *own = NULL;
  assert_int_equal(tn_temp_dir_create("tenon-test", &own, NULL), TN_OK);
  char *named = tn_path_join(tn_str_from(own), TN_STR_LIT("pipe"));
  assert_int_equal(mkfifo(named, 0600), 0);
  const char *const paths[] = {named, "/dev/zero"};
  (void)alarm(20);
  for (size_t i = 0; i < TN_COUNT(paths); i++) {
    char *data = NULL;
    size_t size = 0;
    tn_diag diag = {0};
    assert_int_equal(tn_file_read_regular(paths[i], 1 << 20, &data, &size, &diag), TN_IO);
    assert_non_null(strstr(diag.text, paths[i]));
    assert_non_null(strstr(diag.text, "is not a regular file"));
    assert_null(data);
  }
  (void)alarm(0);
  tn_free(named);
  tn_temp_dir_remove(own);
}

static void test_every_event_may_fail(void **state) {
  (void)state;
  char *path = path_to("fault");
  bool fired = true;
  for (int64_t nth = 0; fired; nth++) {
    const int64_t live = tn_alloc_live();
    char *data = NULL;
    size_t size = 0;
    tn_diag diag = {0};
    tn_fault_arm(nth);
    tn_status status = tn_file_write(path, tn_bytes_from("abc", 3), &diag);
    if (status == TN_OK) {
      status = tn_file_read(path, 10, &data, &size, &diag);
    }
    fired = tn_fault_fired();
    tn_fault_arm(-1);
    assert_true((status == TN_OK) == !fired);
    assert_true((data != NULL) == (status == TN_OK));
    assert_true(status == TN_OK || diag.text[0] != '\0');
    tn_free(data);
    assert_int_equal(tn_alloc_live(), live);
    assert_true(count_entries(folder) <= 1);
    assert_true(nth < 100);
  }
  tn_file_remove(path);
  tn_free(path);
}

static void test_temporary_folders_clean_up(void **state) {
  (void)state;
  char *path = NULL;
  assert_int_equal(tn_temp_dir_create("tenon-test", &path, NULL), TN_OK);
  assert_true(tn_file_is_directory(path));
  char *inner = tn_path_join(tn_str_from(path), TN_STR_LIT("inner"));
  assert_int_equal(mkdir(inner, 0700), 0);
  char *link = tn_path_join(tn_str_from(inner), TN_STR_LIT("link"));
  assert_int_equal(symlink(folder, link), 0);
  char *kept = tn_str_copy(tn_str_from(path));
  tn_temp_dir_remove(path);
  tn_temp_dir_remove(NULL);
  assert_false(tn_file_exists(kept));
  assert_true(tn_file_is_directory(folder));
  tn_free(kept);
  tn_free(link);
  tn_free(inner);
  tn_fault_arm(1);
  tn_diag diag = {0};
  assert_int_equal(tn_temp_dir_create("tenon-test", &path, &diag), TN_IO);
  tn_fault_arm(-1);
  assert_null(path);
  assert_non_null(strstr(diag.text, "TMPDIR"));
}

static void expect_joined(const char *a, const char *b, const char *expected) {
  char *joined = tn_path_join(tn_str_from(a), tn_str_from(b));
  assert_string_equal(joined, expected);
  tn_free(joined);
}

static void test_paths(void **state) {
  (void)state;
  expect_joined("a", "b", "a/b");
  expect_joined("a//", "/b", "a/b");
  expect_joined("/", "b", "/b");
  expect_joined("", "b", "b");
  expect_joined("", "/b", "/b");
  assert_null(tn_path_real("/no/such/place"));
  char *mine = tn_path_of_address((const void *)(uintptr_t)&test_paths);
  char *self = tn_path_real("/proc/self/exe");
  assert_string_equal(mine, self);
  assert_true(tn_file_is_executable(mine));
  assert_false(tn_file_is_executable(folder));
  tn_free(mine);
  tn_free(self);
  char *libc = tn_path_of_address((const void *)(uintptr_t)&puts);
  assert_true(libc == NULL || tn_file_exists(libc));
  tn_free(libc);
  assert_null(tn_path_of_address(NULL));
}

// A part at any place, which is the process's own once it is kept, and the file may be emptied.
static void test_parts_of_files(void **state) {
  (void)state;
  enum { SIZE = 50000, AT = 4321, PART = 20000 };
  static uint8_t bytes[SIZE];
  for (size_t i = 0; i < SIZE; i++) {
    bytes[i] = (uint8_t)(i * 7 + i / 251);
  }
  tn_diag diag = {0};
  char *path = path_to("parts");
  assert_int_equal(tn_file_write(path, tn_bytes_from(bytes, SIZE), &diag), TN_OK);
  tn_file_part part;
  assert_true(tn_file_part_map(path, AT, PART, &part));
  assert_int_equal(part.bytes.size, PART);
  assert_memory_equal(part.bytes.data, bytes + AT, PART);
  const uint8_t *before = part.bytes.data;
  assert_true(tn_file_part_keep(&part));
  assert_int_equal(truncate(path, 0), 0);
  assert_ptr_equal(part.bytes.data, before);
  assert_memory_equal(part.bytes.data, bytes + AT, PART);
  tn_file_part_unmap(&part);
  assert_null(part.base);
  tn_file_part_unmap(&part);
  // What is not there.
  assert_int_equal(tn_file_write(path, tn_bytes_from(bytes, SIZE), &diag), TN_OK);
  assert_true(tn_file_part_map(path, SIZE - 1, 1, &part));
  assert_int_equal(part.bytes.data[0], bytes[SIZE - 1]);
  tn_file_part_unmap(&part);
  assert_false(tn_file_part_map(path, SIZE - 1, 2, &part));
  assert_false(tn_file_part_map(path, SIZE, 1, &part));
  assert_false(tn_file_part_map(path, UINT64_MAX, 1, &part));
  assert_false(tn_file_part_map(path, 0, 0, &part));
  assert_false(tn_file_part_map(folder, 0, 1, &part));
  assert_false(tn_file_part_map("/dev/zero", 0, 1, &part));
  assert_int_equal(unlink(path), 0);
  assert_false(tn_file_part_map(path, 0, 1, &part));
  assert_null(part.base);
  tn_free(path);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_writes_and_reads),
      cmocka_unit_test(test_files_left_beside_are_passed_over),
      cmocka_unit_test(test_writes_are_held),
      cmocka_unit_test(test_empty_files),
      cmocka_unit_test(test_files_of_the_system),
      cmocka_unit_test(test_refusals_name_the_path),
      cmocka_unit_test(test_sizes_that_are_not_known_before),
      cmocka_unit_test(test_devices_stay_devices),
      cmocka_unit_test(test_pipes_and_devices_are_no_regular_files),
      cmocka_unit_test(test_every_event_may_fail),
      cmocka_unit_test(test_temporary_folders_clean_up),
      cmocka_unit_test(test_paths),
      cmocka_unit_test(test_parts_of_files),
  };
  if (tn_temp_dir_create("tenon-file-test", &folder, NULL) != TN_OK) {
    return 1;
  }
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  tn_temp_dir_remove(folder);
  return failed;
}
