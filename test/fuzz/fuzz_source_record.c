// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: records of builds on disk; what is read lies within the bytes, and is written again
// as it was.
#include "fuzz/fuzz_target.h"
#include "run/source/source_unit.h"

static void touch_all(const tn_source_unit *unit) {
  fuzz_touch(unit->fatbin);
  (void)fuzz_touch_text(unit->log);
  (void)fuzz_touch_text(tn_str_from(unit->folder));
  for (size_t i = 0; i < unit->name_count; i++) {
    (void)fuzz_touch_text(tn_str_from(unit->names[i].name));
    (void)fuzz_touch_text(tn_str_from(unit->names[i].symbol));
  }
  for (size_t i = 0; i < unit->input_count; i++) {
    (void)fuzz_touch_text(tn_str_from(unit->inputs[i].path));
  }
  for (size_t i = 0; i < unit->miss_count; i++) {
    (void)fuzz_touch_text(tn_str_from(unit->misses[i]));
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tn_source_unit unit;
  tn_source_unit_init(&unit);
  if (tn_source_unit_read(tn_bytes_from(data, size), &unit)) {
    touch_all(&unit);
    tn_buf again;
    tn_buf_init(&again, 2 * size + 64);
    tn_source_unit_write(&unit, &again);
    FUZZ_REQUIRE(again.failed == TN_OK && again.size == size &&
                 memcmp(again.data, data, size) == 0);
    tn_buf_deinit(&again);
  }
  tn_source_unit_deinit(&unit);
  return 0;
}
