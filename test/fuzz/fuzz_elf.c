// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: ELF files; sections and symbols that are found lie within the file.
#include "fuzz/fuzz_target.h"
#include "image/image.h"

static void check_globals(tn_bytes elf) {
  tn_diag diag = {0};
  size_t cursor = 0;
  bool done = false;
  for (int k = 0; k < 64 && !done; k++) {
    tn_str name = {NULL, 0};
    const size_t before = cursor;
    if (tn_elf_global_next(elf, &cursor, &done, &name, &diag) != TN_OK) {
      FUZZ_REQUIRE(diag.text[0] != '\0');
      return;
    }
    FUZZ_REQUIRE(done || cursor > before);
    fuzz_touch(tn_bytes_from(name.data, name.size));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const tn_bytes elf = tn_bytes_from(data, size);
  const tn_file_kind kind = tn_file_kind_of(elf);
  FUZZ_REQUIRE((unsigned)kind <= TN_FILE_BITCODE);
  check_globals(elf);
  static const char *const names[] = {TN_SECTION_OFFLOAD, TN_SECTION_FATBIN, ".text", ""};
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    tn_diag diag = {0};
    size_t cursor = 0;
    bool found = true;
    // A few are enough: hostile files can name the same bytes as often as they like.
    for (int k = 0; k < 8 && found; k++) {
      tn_bytes contents = {NULL, 0};
      const tn_status status =
          tn_elf_section_next(elf, names[i], &cursor, &found, &contents, &diag);
      FUZZ_REQUIRE(status == TN_OK || (!found && diag.text[0] != '\0'));
      fuzz_touch(contents);
    }
  }
  return 0;
}
