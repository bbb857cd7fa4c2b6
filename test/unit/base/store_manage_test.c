// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What people do with a store by hand: lists, checks, trims, clears, and why a folder is refused.
#include "base/store_manage.h"

#include "base/file.h"
#include "base/log.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 1 << 30, COUNT = 10, SIZE = 5000, DISK_SIZE = 8192 };

static char *root;      // of all tests
static char path[512];  // of the last answer of path_to
static int saved_stderr;

static const char *path_to(const char *store, const char *name) {
  (void)snprintf(path, sizeof(path), "%s/%s/%s", root, store, name);
  return path;
}

static void make_key(uint32_t number, uint8_t key[TN_STORE_KEY_SIZE]) {
  for (uint32_t i = 0; i < TN_STORE_KEY_SIZE; i++) {
    key[i] = (uint8_t)((number + 1) * 2654435761u >> (i % 4 * 8)) ^ (uint8_t)i;
  }
}

static const char *entry_path(const char *store, uint32_t number) {
  uint8_t key[TN_STORE_KEY_SIZE];
  make_key(number, key);
  int size = snprintf(path, sizeof(path), "%s/%s/%02x/", root, store, key[0]);
  for (int i = 1; i < TN_STORE_KEY_SIZE; i++) {
    size += snprintf(path + size, sizeof(path) - (size_t)size, "%02x", key[i]);
  }
  return path;
}

static void set_used(const char *name, time_t seconds_ago) {
  const struct timespec then = {.tv_sec = time(NULL) - seconds_ago};
  const struct timespec times[2] = {then, then};
  assert_int_equal(utimensat(AT_FDCWD, name, times, AT_SYMLINK_NOFOLLOW), 0);
}

// Entries 0 to 9, the first used last.
static tn_store *make_store(const char *name) {
  static uint8_t value[SIZE];
  tn_store *store = NULL;
  assert_int_equal(tn_store_open_or_make(root, name, LARGE, &store, NULL), TN_OK);
  for (uint32_t i = 0; i < COUNT; i++) {
    uint8_t key[TN_STORE_KEY_SIZE];
    make_key(i, key);
    value[0] = (uint8_t)i;
    assert_int_equal(tn_store_keep(store, key, tn_bytes_from(value, SIZE)), TN_STORE_KEPT);
    set_used(entry_path(name, i), 1000 * (i + 1));
  }
  return store;
}

static size_t count_entries(const tn_store *store) {
  tn_store_listing listing;
  assert_int_equal(tn_store_list(store, &listing, NULL), TN_OK);
  const size_t count = listing.count;
  tn_store_listing_deinit(&listing);
  return count;
}

static void test_lists(void **state) {
  (void)state;
  tn_store *store = make_store("listed");
  tn_store_listing listing;
  assert_int_equal(tn_file_write(path_to("listed", "stranger"), tn_bytes_from("x", 1), NULL),
                   TN_OK);
  (void)mkdir(path_to("listed", "00"), 0700);
  assert_int_equal(tn_file_write(path_to("listed", "00/tmp-1"), tn_bytes_from("x", 1), NULL),
                   TN_OK);
  assert_int_equal(mkdir(path_to("listed",
                                 "00/"
                                 "00000000000000000000000000000000000000000000000000"
                                 "000000000000"),
                         0700),
                   0);
  assert_int_equal(tn_store_list(store, &listing, NULL), TN_OK);
  // A folder in an entry's place is looked at like any entry.
  assert_int_equal(listing.count, COUNT + 1);
  assert_in_range(listing.disk_size, COUNT * DISK_SIZE + 4096, COUNT * DISK_SIZE + 4 * DISK_SIZE);
  assert_int_equal(listing.temp_count, 1);
  for (size_t i = 1; i < listing.count; i++) {
    assert_true(memcmp(listing.entries[i - 1].key, listing.entries[i].key, TN_STORE_KEY_SIZE) < 0);
  }
  uint8_t key[TN_STORE_KEY_SIZE];
  make_key(3, key);
  for (size_t i = 0; i < listing.count; i++) {
    if (memcmp(listing.entries[i].key, key, TN_STORE_KEY_SIZE) == 0) {
      const int64_t age = (int64_t)time(NULL) - listing.entries[i].used_ns / 1000000000;
      assert_in_range(age, 3990, 5000);
    }
  }
  tn_store_listing_deinit(&listing);
  tn_store_close(store);
}

static void overwrite(const char *name, off_t at, const char *bytes, size_t size) {
  const int fd = open(name, O_WRONLY);
  assert_int_equal(pwrite(fd, bytes, size, at), size);
  (void)close(fd);
}

static void test_peeks(void **state) {
  (void)state;
  tn_store *store = make_store("peeked");
  uint8_t key[TN_STORE_KEY_SIZE];
  uint64_t size = 0;
  tn_buf head;
  tn_buf whole;
  tn_buf_init(&head, 64);
  tn_buf_init(&whole, LARGE);
  make_key(3, key);
  struct stat before;
  struct stat after;
  assert_int_equal(stat(entry_path("peeked", 3), &before), 0);
  assert_int_equal(tn_store_peek(store, key, &head, &size), TN_STORE_GOOD);
  assert_int_equal(head.size, 64);
  assert_int_equal(size, SIZE);
  assert_int_equal(head.data[0], 3);
  assert_int_equal(tn_store_peek(store, key, &whole, &size), TN_STORE_GOOD);
  assert_int_equal(whole.size, SIZE);
  assert_int_equal(stat(entry_path("peeked", 3), &after), 0);
  assert_int_equal(before.st_mtim.tv_sec, after.st_mtim.tv_sec);
  // The head says nothing about the end.
  overwrite(entry_path("peeked", 3), 4000, "\1", 1);
  assert_int_equal(tn_store_peek(store, key, &head, &size), TN_STORE_GOOD);
  assert_int_equal(tn_store_peek(store, key, &whole, &size), TN_STORE_DAMAGED);
  overwrite(entry_path("peeked", 3), 41, "\1", 1);
  assert_int_equal(tn_store_peek(store, key, &head, &size), TN_STORE_DAMAGED);
  assert_int_equal(head.size, 0);
  assert_true(tn_file_exists(entry_path("peeked", 3)));
  overwrite(entry_path("peeked", 3), 4, "\7", 1);
  assert_int_equal(tn_store_peek(store, key, &head, &size), TN_STORE_FOREIGN);
  assert_true(tn_store_remove(store, key));
  assert_false(tn_store_remove(store, key));
  assert_int_equal(tn_store_peek(store, key, &head, &size), TN_STORE_UNREAD);
  tn_buf_deinit(&head);
  tn_buf_deinit(&whole);
  tn_store_close(store);
}

static void test_trims(void **state) {
  (void)state;
  tn_store *store = make_store("trimmed");
  tn_store_removed removed;
  assert_int_equal(tn_store_trim(store, COUNT * DISK_SIZE, &removed, NULL), TN_OK);
  assert_int_equal(removed.count, 0);
  assert_int_equal(tn_store_trim(store, 4 * DISK_SIZE + 100, &removed, NULL), TN_OK);
  assert_int_equal(removed.count, COUNT - 4);
  assert_int_equal(removed.disk_size, (COUNT - 4) * DISK_SIZE);
  for (uint32_t i = 0; i < COUNT; i++) {
    assert_int_equal(tn_file_exists(entry_path("trimmed", i)), i < 4);
  }
  assert_int_equal(tn_store_trim(store, 0, &removed, NULL), TN_OK);
  assert_int_equal(count_entries(store), 0);
  tn_store_close(store);
}

// In an entry's place, with something in it: nobody may remove that, not even root.
static const char *put_folder(const char *store, uint32_t number) {
  static char inner[sizeof(path) + 8];
  const char *name = entry_path(store, number);
  assert_int_equal(unlink(name), 0);
  assert_int_equal(mkdir(name, 0700), 0);
  (void)snprintf(inner, sizeof(inner), "%s/inner", name);
  assert_int_equal(mkdir(inner, 0700), 0);
  set_used(name, 1000000);
  return inner;
}

static void test_says_what_cannot_be_removed(void **state) {
  (void)state;
  tn_store *store = make_store("stuck");
  tn_store_removed removed;
  tn_diag diag = {0};
  uint8_t key[TN_STORE_KEY_SIZE];
  uint64_t size = 0;
  tn_buf out;
  tn_buf_init(&out, LARGE);
  const char *inner = put_folder("stuck", 4);
  make_key(4, key);
  assert_int_equal(tn_store_peek(store, key, &out, &size), TN_STORE_DAMAGED);
  assert_int_equal(tn_store_trim(store, 4 * DISK_SIZE, &removed, &diag), TN_IO);
  assert_string_equal(diag.text, "1 file cannot be removed: Directory not empty");
  assert_int_equal(removed.failed_count, 1);
  assert_in_range(removed.count, COUNT - 6, COUNT - 4);
  assert_true(tn_file_exists(entry_path("stuck", 0)));  // nothing newer went in its stead
  assert_int_equal(tn_store_clear(store, &removed, &diag), TN_IO);
  assert_string_equal(diag.text, "1 file cannot be removed: Directory not empty");
  assert_false(tn_file_exists(entry_path("stuck", 0)));
  assert_int_equal(rmdir(inner), 0);
  assert_int_equal(tn_store_clear(store, &removed, &diag), TN_OK);
  assert_int_equal(removed.count, 1);
  assert_int_equal(count_entries(store), 0);
  tn_buf_deinit(&out);
  tn_store_close(store);
}

static void test_clears_what_is_its_own(void **state) {
  (void)state;
  tn_store *store = make_store("cleared");
  tn_store_removed removed;
  tn_store_claim claim;
  bool waited = false;
  tn_buf out;
  char outside[sizeof(path)];
  tn_buf_init(&out, LARGE);
  (void)snprintf(outside, sizeof(outside), "%s/outside", root);
  assert_int_equal(mkdir(outside, 0700), 0);
  (void)snprintf(outside, sizeof(outside), "%s/outside/tmp-1", root);
  assert_int_equal(tn_file_write(outside, tn_bytes_from("x", 1), NULL), TN_OK);
  // A link to a folder in place of one of its own, and one in place of an entry.
  *strrchr(outside, '/') = '\0';
  assert_int_equal(symlink(outside, path_to("cleared", "f0")), 0);
  (void)mkdir(path_to("cleared", "00"), 0700);
  assert_int_equal(symlink(outside, path_to("cleared", "00/tmp-2")), 0);
  assert_int_equal(tn_file_write(path_to("cleared", "00/mine"), tn_bytes_from("x", 1), NULL),
                   TN_OK);
  uint8_t key[TN_STORE_KEY_SIZE];
  make_key(100, key);
  assert_int_equal(tn_store_get_or_claim(store, key, 0, &out, &claim, &waited), TN_STORE_CLAIMED);
  assert_int_equal(tn_store_clear(store, &removed, NULL), TN_OK);
  assert_int_equal(removed.count, COUNT);
  assert_int_equal(count_entries(store), 0);
  (void)snprintf(outside, sizeof(outside), "%s/outside/tmp-1", root);
  assert_true(tn_file_exists(outside));
  assert_true(tn_file_exists(path_to("cleared", "00/mine")));
  struct stat info;
  assert_int_not_equal(lstat(path_to("cleared", "00/tmp-2"), &info), 0);
  // Who makes something goes on making it, and it is kept.
  tn_store_claim second;
  assert_int_equal(tn_store_get_or_claim(store, key, 10, &out, &second, &waited), TN_STORE_MISS);
  tn_store_put(store, key, tn_bytes_from("value", 5));
  tn_store_release_claim(store, &claim);
  assert_true(tn_store_get(store, key, &out));
  tn_buf_deinit(&out);
  tn_store_close(store);
}

static void expect_refusal(const char *name, const char *words) {
  tn_store *store = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_store_open_existing(root, name, &store, &diag), TN_IO);
  assert_null(store);
  assert_non_null(strstr(diag.text, words));
  assert_non_null(strstr(diag.text, name));
  assert_int_equal(tn_store_open_or_make(root, name, LARGE, &store, &diag), TN_IO);
  assert_null(store);
}

static void test_says_why_a_folder_is_refused(void **state) {
  (void)state;
  tn_store *store = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_store_open_existing(root, "absent", &store, &diag), TN_OK);
  assert_null(store);
  assert_false(tn_file_exists(path_to("absent", ".")));
  assert_int_equal(mkdir(path_to("open", ""), 0700), 0);
  assert_int_equal(chmod(path_to("open", "."), 0750), 0);
  expect_refusal("open", "others may enter it (mode 750)");
  (void)snprintf(path, sizeof(path), "%s/linked", root);
  assert_int_equal(symlink(root, path), 0);
  expect_refusal("linked", "it is a link");
  (void)snprintf(path, sizeof(path), "%s/file", root);
  assert_int_equal(tn_file_write(path, tn_bytes_from("x", 1), NULL), TN_OK);
  expect_refusal("file", "Not a directory");
  if (geteuid() == 0) {
    assert_int_equal(mkdir(path_to("foreign", ""), 0700), 0);
    assert_int_equal(chown(path, 12345, 12345), 0);
    expect_refusal("foreign", "it belongs to user 12345");
  }
  assert_int_equal(tn_store_open_existing("relative", "x", &store, &diag), TN_IO);
}

static const char *in_root(const char *name) {
  (void)snprintf(path, sizeof(path), "%s/%s", root, name);
  return path;
}

// Of the folder that holds the stores: "" when it is used.
static void expect_root(mode_t mode, const char *words) {
  tn_store *store = NULL;
  tn_diag diag = {0};
  char holder[sizeof(path)];
  (void)snprintf(holder, sizeof(holder), "%s", in_root("holder"));
  assert_int_equal(chmod(holder, mode), 0);
  const tn_status status = tn_store_open_or_make(holder, "x", LARGE, &store, &diag);
  assert_int_equal(status, words[0] == '\0' ? TN_OK : TN_IO);
  assert_int_equal(store != NULL, status == TN_OK);
  tn_store_close(store);
  if (!strstr(diag.text, words)) {
    fail_msg("%03o: '%s', not '%s'", (unsigned)mode, diag.text, words);
  }
  assert_int_equal(tn_file_exists(in_root("holder/x")), status == TN_OK);
  (void)rmdir(path);
}

// Not even root may be lent a folder: what is made there would be the lender's to replace.
static void test_the_folder_that_holds_stores(void **state) {
  (void)state;
  tn_store *store = NULL;
  assert_int_equal(mkdir(in_root("holder"), 0700), 0);
  expect_root(0755, "");
  expect_root(0777, "holder: not used: others may write to it (mode 777)");
  expect_root(0702, "holder: not used: others may write to it (mode 702)");
  expect_root(01777, "");
  struct stat info;
  assert_int_equal(stat(in_root("holder"), &info), 0);
  expect_root(0770, info.st_uid != 0 && info.st_gid == info.st_uid ? "" : "(mode 770)");
  assert_int_equal(chmod(in_root("holder"), 0700), 0);
  char target[sizeof(path)];
  (void)snprintf(target, sizeof(target), "%s", path);
  assert_int_equal(symlink(target, in_root("link-to-holder")), 0);
  assert_int_equal(tn_store_open_or_make(path, "x", LARGE, &store, NULL), TN_OK);
  tn_store_close(store);
  if (geteuid() == 0) {
    assert_int_equal(rmdir(in_root("holder/x")), 0);
    assert_int_equal(chown(in_root("holder"), 12345, 12345), 0);
    expect_root(01777, "holder: not used: it belongs to user 12345, and this is user 0");
    // The group of the user's own.
    assert_int_equal(chmod(in_root("holder"), 0770), 0);
    assert_int_equal(chmod(root, 0755), 0);
    const pid_t child = fork();
    if (child == 0) {
      const bool is_other = setgid(12345) == 0 && setuid(12345) == 0;
      const tn_status own = tn_store_open_or_make(in_root("holder"), "x", LARGE, &store, NULL);
      _exit(is_other && own == TN_OK ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
  }
}

static void test_says_what_cannot_be_made(void **state) {
  (void)state;
  tn_store *store = NULL;
  tn_diag diag = {0};
  char words[sizeof(path) + 64];
  assert_int_equal(tn_store_open_or_make(in_root("file/a/b"), "x", LARGE, &store, &diag), TN_IO);
  (void)snprintf(words, sizeof(words), "creating %s/file/a failed: Not a directory", root);
  assert_string_equal(diag.text, words);
  assert_int_equal(tn_store_open_or_make("", "x", LARGE, &store, &diag), TN_IO);
  assert_non_null(strstr(diag.text, "nothing is kept: no folder for 'x', since none of"));
}

static void begin_log(void) {
  saved_stderr = dup(STDERR_FILENO);
  const int log = open(in_root("log"), O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert_true(dup2(log, STDERR_FILENO) >= 0);
  (void)close(log);
  tn_log_set("cache");
}

static void end_log(char *text, size_t size) {
  tn_log_set("");
  assert_true(dup2(saved_stderr, STDERR_FILENO) >= 0);
  (void)close(saved_stderr);
  memset(text, 0, size);
  (void)tn_file_read_head(in_root("log"), text, size - 1);
}

// Stores are opened again and again; the line is for people.
static void test_a_refusal_is_said_once(void **state) {
  (void)state;
  char text[4096];
  begin_log();
  for (int i = 0; i < 5; i++) {
    assert_null(tn_store_open(root, "open", LARGE, 0));
    assert_null(tn_store_open(root, "file", LARGE, 0));
    assert_null(tn_store_open("", "file", LARGE, 0));
  }
  end_log(text, sizeof(text));
  size_t lines = 0;
  for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++) {
    lines++;
  }
  assert_int_equal(lines, 3);
}

static void test_says_what_became_of_a_folder_in_an_entrys_place(void **state) {
  (void)state;
  tn_store *store = make_store("folders");
  char text[4096];
  uint8_t key[TN_STORE_KEY_SIZE];
  tn_buf out;
  tn_buf_init(&out, LARGE);
  const char *inner = put_folder("folders", 4);
  make_key(4, key);
  begin_log();
  assert_false(tn_store_get(store, key, &out));
  end_log(text, sizeof(text));
  assert_non_null(strstr(text, ": damaged, and cannot be removed: Directory not empty\n"));
  // Nothing can be kept there, but elsewhere.
  assert_false(tn_store_put(store, key, tn_bytes_from("x", 1)));
  make_key(100, key);
  assert_true(tn_store_put(store, key, tn_bytes_from("x", 1)));
  assert_int_equal(rmdir(inner), 0);
  make_key(4, key);
  begin_log();
  assert_false(tn_store_get(store, key, &out));
  end_log(text, sizeof(text));
  assert_non_null(strstr(text, ": damaged, removed\n"));
  assert_false(tn_file_exists(entry_path("folders", 4)));
  tn_buf_deinit(&out);
  tn_store_close(store);
}

static int make_root(void **state) {
  (void)state;
  return tn_temp_dir_create("tenon-manage-test", &root, NULL) == TN_OK ? 0 : -1;
}

static int remove_root(void **state) {
  (void)state;
  tn_temp_dir_remove(root);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_lists),
      cmocka_unit_test(test_peeks),
      cmocka_unit_test(test_trims),
      cmocka_unit_test(test_says_what_cannot_be_removed),
      cmocka_unit_test(test_clears_what_is_its_own),
      cmocka_unit_test(test_says_why_a_folder_is_refused),
      cmocka_unit_test(test_the_folder_that_holds_stores),
      cmocka_unit_test(test_says_what_cannot_be_made),
      cmocka_unit_test(test_a_refusal_is_said_once),
      cmocka_unit_test(test_says_what_became_of_a_folder_in_an_entrys_place),
  };
  return cmocka_run_group_tests(tests, make_root, remove_root);
}
