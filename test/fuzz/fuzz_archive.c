// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: archives; the walk ends, and its members lie within the file.
#include "fuzz/fuzz_target.h"
#include "image/image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const tn_bytes archive = tn_bytes_from(data, size);
  size_t cursor = 0;
  for (;;) {
    tn_diag diag = {0};
    bool done = false;
    tn_str name = {NULL, 0};
    tn_bytes contents = {NULL, 0};
    const size_t before = cursor;
    const tn_status status = tn_archive_next(archive, &cursor, &done, &name, &contents, &diag);
    if (status != TN_OK) {
      FUZZ_REQUIRE(diag.text[0] != '\0');
      return 0;
    }
    if (done) {
      FUZZ_REQUIRE(name.size == 0 && contents.size == 0);
      return 0;
    }
    FUZZ_REQUIRE(cursor > before);
    fuzz_touch(tn_bytes_from(name.data, name.size));
    fuzz_touch(contents);
  }
}
