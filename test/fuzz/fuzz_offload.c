// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: offload binaries; every entry that is handed out can be read and written again, and
// its list of symbols and its bitcode's first bytes can be looked at.
#include "fuzz/fuzz_target.h"
#include "image/image.h"

static tn_status same_entry(void *user, const tn_offload_entry *entry, tn_diag *diag) {
  (void)diag;
  const tn_offload_entry *expected = user;
  FUZZ_REQUIRE(tn_str_equals(entry->triple, expected->triple));
  FUZZ_REQUIRE(tn_str_equals(entry->arch, expected->arch));
  FUZZ_REQUIRE(tn_str_equals(entry->symbols, expected->symbols));
  FUZZ_REQUIRE(tn_str_equals(entry->version, expected->version));
  FUZZ_REQUIRE(entry->image.size == expected->image.size);
  FUZZ_REQUIRE(fuzz_touch(entry->image) == fuzz_touch(expected->image));
  return TN_OK;
}

static void check_list(tn_str text) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_diag diag = {0};
  bool known = false;
  tn_unit_list list;
  const tn_status status = tn_unit_list_read(text, &arena, &known, &list, &diag);
  FUZZ_REQUIRE(status == TN_OK || (known && diag.text[0] != '\0'));
  for (size_t i = 0; i < list.kernel_count && status == TN_OK; i++) {
    FUZZ_REQUIRE(list.kernels[i].name.size > 0);
    fuzz_touch(tn_bytes_from(list.kernels[i].name.data, list.kernels[i].name.size));
  }
  for (size_t i = 0; i < list.import_count && status == TN_OK; i++) {
    fuzz_touch(tn_bytes_from(list.imports[i].user.data, list.imports[i].user.size));
  }
  tn_arena_deinit(&arena);
}

static tn_status check_entry(void *user, const tn_offload_entry *entry, tn_diag *diag) {
  (void)user;
  (void)diag;
  fuzz_touch_text(entry->triple);
  fuzz_touch_text(entry->arch);
  fuzz_touch(entry->image);
  fuzz_touch(tn_bytes_from(entry->symbols.data, entry->symbols.size));
  fuzz_touch(tn_bytes_from(entry->version.data, entry->version.size));
  check_list(entry->symbols);
  char producer[64];
  (void)tn_bitcode_llvm_version(entry->image, producer);
  FUZZ_REQUIRE(memchr(producer, '\0', sizeof(producer)) != NULL);
  tn_offload_entry copy = *entry;
  tn_buf buf;
  tn_buf_init(&buf, SIZE_MAX);
  FUZZ_REQUIRE(tn_offload_write(entry, 1, &buf, NULL) == TN_OK);
  FUZZ_REQUIRE(tn_offload_read(tn_buf_bytes(&buf), same_entry, &copy, NULL) == TN_OK);
  tn_buf_deinit(&buf);
  return TN_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tn_diag diag = {0};
  const tn_status status = tn_offload_read(tn_bytes_from(data, size), check_entry, NULL, &diag);
  FUZZ_REQUIRE(status == TN_OK || (status == TN_BAD_IMAGE && diag.text[0] != '\0'));
  return 0;
}
