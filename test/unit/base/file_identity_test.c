// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a file is: by its build-id where it has one, by its bytes otherwise, and whether it is the
// one in memory.
#include "base/file_identity.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "base/file.h"

#include <elf.h>
#include <stdio.h>

static char *folder;

typedef struct made_file {
  Elf64_Ehdr header;
  Elf64_Phdr segments[2];
  struct {
    Elf64_Nhdr note;
    char name[4];
    uint8_t contents[4];
  } notes[2];
  uint8_t rest[64];
} made_file;

static made_file make(uint8_t id, uint8_t rest) {
  made_file file = {
      .header = {.e_phoff = offsetof(made_file, segments),
                 .e_phentsize = sizeof(Elf64_Phdr),
                 .e_phnum = 2},
      .segments = {{.p_type = PT_LOAD},
                   {.p_type = PT_NOTE,
                    .p_offset = offsetof(made_file, notes),
                    .p_filesz = sizeof(file.notes)}},
      .notes = {{{4, 4, NT_GNU_ABI_TAG}, "GNU", {9}}, {{4, 4, NT_GNU_BUILD_ID}, "GNU", {id}}},
      .rest = {rest}};
  memcpy(file.header.e_ident, ELFMAG, SELFMAG);
  return file;
}

static void identify(const void *data, size_t size, uint8_t *out) {
  char path[512];
  (void)snprintf(path, sizeof(path), "%s/file", folder);
  assert_int_equal(tn_file_write(path, tn_bytes_from(data, size), NULL), TN_OK);
  assert_true(tn_file_identify(path, out));
}

static void test_build_ids_and_bytes(void **state) {
  (void)state;
  uint8_t ids[6][TN_FILE_IDENTITY_SIZE];
  const made_file files[] = {make(1, 1), make(1, 2), make(2, 1)};
  for (size_t i = 0; i < 3; i++) {
    identify(&files[i], sizeof(files[i]), ids[i]);
  }
  assert_memory_equal(ids[0], ids[1], TN_FILE_IDENTITY_SIZE);
  assert_memory_not_equal(ids[0], ids[2], TN_FILE_IDENTITY_SIZE);
  // No build-id, or one that is cut off: every byte counts.
  made_file without = make(1, 1);
  without.notes[1].note.n_type = NT_GNU_HWCAP;
  identify(&without, sizeof(without), ids[3]);
  without.rest[60] = 1;
  identify(&without, sizeof(without), ids[4]);
  identify(&files[0], sizeof(files[0]) - sizeof(files[0].rest) - 1, ids[5]);
  for (size_t i = 3; i < 6; i++) {
    for (size_t j = 0; j < i; j++) {
      assert_memory_not_equal(ids[i], ids[j], TN_FILE_IDENTITY_SIZE);
    }
  }
  uint8_t none[TN_FILE_IDENTITY_SIZE];
  assert_false(tn_file_identify("/nonexistent", none));
}

// Sizes and places that lead out of the file or the notes are no build-id, and no crash.
static void test_damaged_headers(void **state) {
  (void)state;
  made_file file = make(1, 1);
  for (size_t at = 0; at < offsetof(made_file, rest); at++) {
    made_file damaged = file;
    ((uint8_t *)&damaged)[at] ^= 0xff;
    uint8_t id[TN_FILE_IDENTITY_SIZE];
    identify(&damaged, sizeof(damaged), id);
  }
}

static void test_what_is_loaded(void **state) {
  (void)state;
  char path[512];
  char *own = tn_path_of_address((const void *)(uintptr_t)&folder);
  assert_non_null(own);
  assert_true(tn_file_is_loaded_at(own, &folder));
  const made_file file = make(1, 1);
  (void)snprintf(path, sizeof(path), "%s/file", folder);
  assert_int_equal(tn_file_write(path, tn_bytes_from(&file, sizeof(file)), NULL), TN_OK);
  assert_false(tn_file_is_loaded_at(path, &folder));
  assert_false(tn_file_is_loaded_at("/nonexistent", &folder));
  tn_free(own);
}

static int begin(void **state) {
  (void)state;
  return tn_temp_dir_create("file-identity", &folder, NULL) == TN_OK ? 0 : -1;
}
static int end(void **state) {
  (void)state;
  tn_temp_dir_remove(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_build_ids_and_bytes),
      cmocka_unit_test(test_damaged_headers),
      cmocka_unit_test(test_what_is_loaded),
  };
  return cmocka_run_group_tests_name("file_identity", tests, begin, end);
}
