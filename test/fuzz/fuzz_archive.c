// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: archives, thin ones too; the walk ends, its members lie within the file and are
// found again by their places.
#include "fuzz/fuzz_target.h"
#include "image/image.h"

static void check_symbols(tn_bytes archive) {
  tn_diag diag = {0};
  bool found = false;
  tn_str names = {NULL, 0};
  if (tn_archive_symbols(archive, &found, &names, &diag) != TN_OK) {
    FUZZ_REQUIRE(diag.text[0] != '\0');
    return;
  }
  FUZZ_REQUIRE(found || names.size == 0);
  fuzz_touch(tn_bytes_from(names.data, names.size));
}

static void check_member(tn_bytes archive, const tn_archive_member *member) {
  tn_archive_member again;
  FUZZ_REQUIRE(member->name.size > 0);
  FUZZ_REQUIRE(!member->is_file || member->contents.size == 0);
  FUZZ_REQUIRE(tn_archive_at(archive, member->at, &again, NULL) == TN_OK);
  FUZZ_REQUIRE(tn_str_equals(again.name, member->name));
  FUZZ_REQUIRE(again.contents.data == member->contents.data);
  fuzz_touch(tn_bytes_from(member->name.data, member->name.size));
  fuzz_touch(member->contents);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const tn_bytes archive = tn_bytes_from(data, size);
  check_symbols(archive);
  size_t cursor = 0;
  for (;;) {
    tn_diag diag = {0};
    bool done = false;
    tn_archive_member member;
    const size_t before = cursor;
    const tn_status status = tn_archive_walk(archive, &cursor, &done, &member, &diag);
    if (status != TN_OK) {
      FUZZ_REQUIRE(diag.text[0] != '\0');
      return 0;
    }
    if (done) {
      FUZZ_REQUIRE(member.name.size == 0 && member.contents.size == 0);
      return 0;
    }
    FUZZ_REQUIRE(cursor > before);
    check_member(archive, &member);
  }
}
