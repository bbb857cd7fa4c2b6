// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of entries: what was written is read, and whatever happens to them never is anything else.
#include "base/store_pack.h"

#include "base/file.h"
#include "base/map.h"

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
#include <unistd.h>

enum { COUNT = 4, LARGEST = 90, PACK_HEAD = 32, ENTRY_HEAD = 64 };

static char *folder;
static char path[512];

static const size_t sizes[COUNT] = {0, 7, LARGEST, 33};

static void make_entry(uint32_t number, uint8_t key[TN_STORE_KEY_SIZE], uint8_t value[LARGEST]) {
  for (uint32_t i = 0; i < TN_STORE_KEY_SIZE; i++) {
    key[i] = (uint8_t)(number * 31 + i);
  }
  for (uint32_t i = 0; i < LARGEST; i++) {
    value[i] = (uint8_t)(number + i * 7);
  }
}

static const char *store_of(uint32_t number) { return number % 2 == 0 ? "program" : "exactly8"; }

static tn_status write_pack(tn_diag *diag) {
  tn_store_pack pack;
  tn_status status = tn_store_pack_create(path, &pack, diag);
  for (uint32_t i = 0; i < COUNT && status == TN_OK; i++) {
    uint8_t key[TN_STORE_KEY_SIZE];
    uint8_t value[LARGEST];
    make_entry(i, key, value);
    status = tn_store_pack_add(&pack, store_of(i), key, tn_bytes_from(value, sizes[i]), diag);
  }
  if (status == TN_OK) {
    status = tn_store_pack_finish(&pack, diag);
  }
  tn_store_pack_close(&pack);
  return status;
}

typedef struct seen {
  uint32_t count;
  uint32_t wrong;
} seen;

// Right is what is one of the entries, whole, in their order.
static tn_status take(void *user, tn_str store, const uint8_t *key, tn_bytes value, tn_diag *diag) {
  (void)diag;
  seen *s = user;
  uint8_t right_key[TN_STORE_KEY_SIZE];
  uint8_t right_value[LARGEST];
  bool is_right = false;
  for (uint32_t i = 0; i < COUNT && !is_right; i++) {
    make_entry(i, right_key, right_value);
    is_right = memcmp(key, right_key, TN_STORE_KEY_SIZE) == 0 && value.size == sizes[i] &&
               memcmp(value.data, right_value, value.size) == 0 &&
               tn_str_equals(store, tn_str_from(store_of(i)));
  }
  s->count++;
  s->wrong += is_right ? 0 : 1;
  return TN_OK;
}

static tn_status read_pack(seen *s, tn_store_pack_found *found, tn_diag *diag) {
  *s = (seen){0};
  return tn_store_pack_read(path, take, s, found, diag);
}

static void test_what_is_written_is_read(void **state) {
  (void)state;
  seen s;
  tn_store_pack_found found;
  assert_int_equal(write_pack(NULL), TN_OK);
  assert_int_equal(read_pack(&s, &found, NULL), TN_OK);
  assert_int_equal(found.count, COUNT);
  assert_int_equal(found.good, COUNT);
  assert_int_equal(s.count, COUNT);
  assert_int_equal(s.wrong, 0);
}

static void test_every_truncation(void **state) {
  (void)state;
  struct stat info;
  assert_int_equal(write_pack(NULL), TN_OK);
  assert_int_equal(stat(path, &info), 0);
  size_t least = 0;
  for (off_t size = 0; size < info.st_size; size++) {
    seen s;
    tn_store_pack_found found;
    tn_diag diag = {0};
    assert_int_equal(write_pack(NULL), TN_OK);
    assert_int_equal(truncate(path, size), 0);
    const tn_status status = read_pack(&s, &found, &diag);
    assert_int_equal(status, size < PACK_HEAD ? TN_BAD_IMAGE : TN_OK);
    assert_int_equal(s.wrong, 0);
    assert_int_equal(s.count, found.good);
    assert_true(s.count >= least && s.count < COUNT);
    assert_true(status == TN_OK ? found.count == COUNT : diag.text[0] != '\0');
    least = s.count;
  }
  assert_int_equal(least, COUNT - 1);
}

static void flip(off_t at, unsigned bit) {
  uint8_t byte = 0;
  const int fd = open(path, O_RDWR);
  assert_int_equal(pread(fd, &byte, 1, at), 1);
  byte ^= (uint8_t)(1u << bit);
  assert_int_equal(pwrite(fd, &byte, 1, at), 1);
  (void)close(fd);
}

static void test_every_flipped_bit(void **state) {
  (void)state;
  struct stat info;
  assert_int_equal(write_pack(NULL), TN_OK);
  assert_int_equal(stat(path, &info), 0);
  for (off_t at = 0; at < info.st_size; at++) {
    for (unsigned bit = 0; bit < 8; bit++) {
      seen s;
      tn_store_pack_found found;
      flip(at, bit);
      const tn_status status = read_pack(&s, &found, NULL);
      assert_int_equal(status, at < PACK_HEAD ? TN_BAD_IMAGE : TN_OK);
      assert_int_equal(s.wrong, 0);
      assert_true(s.count < COUNT);
      flip(at, bit);
    }
  }
  // A damaged value costs no more than itself.
  seen s;
  tn_store_pack_found found;
  flip(PACK_HEAD + 2 * ENTRY_HEAD + 3, 0);
  assert_int_equal(read_pack(&s, &found, NULL), TN_OK);
  assert_int_equal(found.good, COUNT - 1);
}

static void put_number(uint8_t *at, uint64_t number) {
  for (size_t i = 0; i < 8; i++) {
    at[i] = (uint8_t)(number >> (8 * i));
  }
}

// Somebody who can count a checksum can write any length.
static void test_a_length_beyond_the_end(void **state) {
  (void)state;
  uint8_t bytes[PACK_HEAD + ENTRY_HEAD] = "TNCX\1";
  uint8_t *entry = bytes + PACK_HEAD;
  seen s;
  tn_store_pack_found found;
  put_number(bytes + 8, UINT64_MAX);
  put_number(bytes + 16, sizeof(bytes));
  put_number(bytes + 24, tn_hash_bytes(bytes, 24, 0));
  memcpy(entry, "program", 7);
  put_number(entry + 40, UINT64_C(1) << 46);
  put_number(entry + 56, tn_hash_bytes(entry, 56, 0));
  assert_int_equal(tn_file_write(path, tn_bytes_from(bytes, sizeof(bytes)), NULL), TN_OK);
  assert_int_equal(read_pack(&s, &found, NULL), TN_OK);
  assert_true(found.count == UINT64_MAX && found.good == 0 && s.count == 0);
}

static void test_what_is_no_pack(void **state) {
  (void)state;
  static const uint8_t other[64] = "TNCX\2";
  seen s;
  tn_store_pack_found found;
  tn_store_pack pack;
  tn_diag diag = {0};
  assert_int_equal(tn_file_write(path, tn_bytes_from(other, sizeof(other)), NULL), TN_OK);
  assert_int_equal(read_pack(&s, &found, &diag), TN_BAD_IMAGE);
  assert_non_null(strstr(diag.text, "another version of Tenon"));
  assert_int_equal(tn_store_pack_read(folder, take, &s, &found, &diag), TN_IO);
  assert_int_equal(tn_store_pack_read("/nowhere/at/all", take, &s, &found, &diag), TN_IO);
  assert_int_equal(tn_store_pack_create(folder, &pack, &diag), TN_IO);
  tn_store_pack_close(&pack);
  assert_int_equal(tn_store_pack_create("/nowhere/at/all", &pack, &diag), TN_IO);
  tn_store_pack_close(&pack);
}

static void test_every_event_may_fail(void **state) {
  (void)state;
  bool fired = true;
  (void)unlink(path);
  for (int64_t nth = 0; fired; nth++) {
    const int64_t live = tn_alloc_live();
    tn_diag diag = {0};
    tn_fault_arm(nth);
    const tn_status status = write_pack(&diag);
    fired = tn_fault_fired();
    tn_fault_arm(-1);
    assert_int_equal(tn_file_exists(path), status == TN_OK);
    assert_true(fired ? status != TN_OK && diag.text[0] != '\0' : status == TN_OK);
    assert_int_equal(tn_alloc_live(), live);
  }
  fired = true;
  for (int64_t nth = 0; fired; nth++) {
    const int64_t live = tn_alloc_live();
    seen s;
    tn_store_pack_found found;
    tn_fault_arm(nth);
    const tn_status status = read_pack(&s, &found, NULL);
    fired = tn_fault_fired();
    tn_fault_arm(-1);
    assert_int_equal(s.wrong, 0);
    assert_true(fired ? status != TN_OK || found.good < COUNT : found.good == COUNT);
    assert_int_equal(tn_alloc_live(), live);
  }
}

static int make_folder(void **state) {
  (void)state;
  const tn_status status = tn_temp_dir_create("tenon-pack-test", &folder, NULL);
  (void)snprintf(path, sizeof(path), "%s/pack", folder ? folder : "");
  return status == TN_OK ? 0 : -1;
}

static int remove_folder(void **state) {
  (void)state;
  tn_temp_dir_remove(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_written_is_read),
      cmocka_unit_test(test_every_truncation),
      cmocka_unit_test(test_every_flipped_bit),
      cmocka_unit_test(test_a_length_beyond_the_end),
      cmocka_unit_test(test_what_is_no_pack),
      cmocka_unit_test(test_every_event_may_fail),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
