// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: SPIR-V modules; what is read of one lies within it and can be written as an image.
#include "fuzz/fuzz_target.h"
#include "image/image.h"

static void check_symbols(const tn_symbol_info *symbols, size_t count) {
  for (size_t i = 0; i < count; i++) {
    FUZZ_REQUIRE(symbols[i].name.size > 0);
    fuzz_touch_text(symbols[i].name);
  }
}

static void check_fatbin(tn_bytes module, const tn_spirv_module *read) {
  tn_buf out;
  tn_buf_init(&out, 1u << 24);
  tn_diag diag = {0};
  const tn_status status = tn_spirv_write_fatbin(module, &out, &diag);
  FUZZ_REQUIRE((status == TN_OK) == (read->kernel_count + read->export_count > 0));
  if (status == TN_OK) {
    tn_fatbin fatbin;
    FUZZ_REQUIRE(tn_fatbin_parse(tn_buf_bytes(&out), &fatbin, NULL) == TN_OK);
    const tn_image image = tn_fatbin_image_at(&fatbin, 0);
    FUZZ_REQUIRE(tn_image_kernel_count(&image) == read->kernel_count);
    FUZZ_REQUIRE(tn_image_export_count(&image) == read->export_count);
    FUZZ_REQUIRE(tn_image_import_count(&image) == read->import_count);
  }
  tn_buf_deinit(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const tn_bytes module = tn_bytes_from(data, size);
  tn_arena arena;
  tn_arena_init(&arena);
  tn_spirv_module read;
  tn_diag diag = {0};
  const tn_status status = tn_spirv_read(module, &arena, &read, &diag);
  FUZZ_REQUIRE(status == TN_OK || diag.text[0] != '\0');
  if (status == TN_OK) {
    FUZZ_REQUIRE(read.code.size == size);
    fuzz_touch(read.code);
    for (size_t i = 0; i < read.kernel_count; i++) {
      fuzz_touch_text(read.kernels[i].name);
    }
    check_symbols(read.exports, read.export_count);
    check_symbols(read.imports, read.import_count);
    check_fatbin(module, &read);
  }
  tn_arena_deinit(&arena);
  return 0;
}
