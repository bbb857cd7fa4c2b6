// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: offload binaries; every entry that is handed out can be read and written again.
#include "fuzz/fuzz_target.h"
#include "image/image.h"

static tn_status same_entry(void *user, const tn_offload_entry *entry, tn_diag *diag) {
  (void)diag;
  const tn_offload_entry *expected = user;
  FUZZ_REQUIRE(tn_str_equals(entry->triple, expected->triple));
  FUZZ_REQUIRE(tn_str_equals(entry->arch, expected->arch));
  FUZZ_REQUIRE(entry->image.size == expected->image.size);
  FUZZ_REQUIRE(fuzz_touch(entry->image) == fuzz_touch(expected->image));
  return TN_OK;
}

static tn_status check_entry(void *user, const tn_offload_entry *entry, tn_diag *diag) {
  (void)user;
  (void)diag;
  fuzz_touch_text(entry->triple);
  fuzz_touch_text(entry->arch);
  fuzz_touch(entry->image);
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
