// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: what tn_fatbin_parse accepts, every accessor must bear, and the writer must repeat.
#include "fuzz/fuzz_target.h"
#include "image/fatbin_layout.h"

static size_t touch_symbol(const tn_symbol_info *info) {
  return fuzz_touch_text(info->name) + fuzz_touch_text(info->display_name) +
         fuzz_touch_text(info->user) + fuzz_touch_text(info->file);
}

static size_t touch_props(const tn_image *image) {
  size_t sum = 0;
  for (uint32_t i = 0; i < tn_image_prop_set_count(image); i++) {
    const tn_prop_set set = tn_image_prop_set_at(image, i);
    sum += fuzz_touch_text(set.name);
    FUZZ_REQUIRE(tn_image_prop_set_find(image, set.name.data).count == set.count);
    for (uint32_t j = 0; j < set.count; j++) {
      const tn_prop prop = tn_prop_set_at(&set, j);
      tn_prop found;
      FUZZ_REQUIRE(tn_prop_set_find(&set, prop.name, &found) && found.name.data == prop.name.data);
      sum += fuzz_touch_text(prop.name) + fuzz_touch(prop.bytes);
    }
  }
  return sum;
}

// Compressed code decompresses to what it says, or not at all.
static size_t touch_code(const tn_image *image) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_bytes code = {NULL, 0};
  const bool is_good = tn_image_code(image, &arena, &code, NULL) == TN_OK;
  FUZZ_REQUIRE(is_good || (tn_image_is_compressed(image) && code.size == 0));
  const size_t sum = fuzz_touch(code);
  tn_arena_deinit(&arena);
  return sum;
}

static size_t touch_specs(const tn_image *image) {
  size_t sum = fuzz_touch(tn_image_spec_defaults(image));
  for (uint32_t i = 0; i < tn_image_spec_count(image); i++) {
    const tn_spec_info info = tn_image_spec_at(image, i);
    tn_spec_info found;
    FUZZ_REQUIRE(tn_image_spec_find(image, info.name, &found));
    FUZZ_REQUIRE(info.size != 0 && info.value.size == info.size);
    uint8_t *copy = tn_alloc(info.size);
    if (copy) {
      tn_spec_value_copy(&info, info.value.data, copy);
      sum += fuzz_touch(tn_bytes_from(copy, info.size));
    }
    tn_free(copy);
    sum += fuzz_touch_text(info.name);
  }
  return sum;
}

static size_t touch_image(const tn_image *image) {
  size_t sum = fuzz_touch_text(image->target) + fuzz_touch_text(image->triple);
  sum += fuzz_touch(image->code) + touch_code(image) + touch_props(image);
  sum += touch_specs(image);
  for (uint32_t i = 0; i < tn_image_kernel_count(image); i++) {
    const tn_kernel_info info = tn_image_kernel_at(image, i);
    tn_kernel_info found;
    FUZZ_REQUIRE(tn_image_kernel_find(image, info.name, &found));
    FUZZ_REQUIRE(info.arg_align != 0);
    sum += fuzz_touch_text(info.name) + fuzz_touch_text(info.display_name);
    sum += fuzz_touch_text(info.file);
  }
  for (uint32_t i = 0; i < tn_image_import_count(image); i++) {
    const tn_symbol_info info = tn_image_import_at(image, i);
    sum += touch_symbol(&info);
  }
  for (uint32_t i = 0; i < tn_image_export_count(image); i++) {
    const tn_symbol_info info = tn_image_export_at(image, i);
    tn_symbol_info found;
    FUZZ_REQUIRE(tn_image_export_find(image, info.name, &found));
    sum += touch_symbol(&info);
  }
  uint32_t size[3] = {0};
  for (uint32_t i = 0; i < tn_image_aspect_count(image); i++) {
    sum += tn_image_aspect_at(image, i);
  }
  sum += tn_image_required_group_size(image, size) ? size[0] + size[1] + size[2] : 0;
  sum += tn_image_required_sub_group_size(image);
  return sum;
}

// An image written alone must parse, and be written again as the same bytes.
static void rewrite(const tn_image *image) {
  tn_buf once;
  tn_buf twice;
  tn_buf_init(&once, SIZE_MAX);
  tn_buf_init(&twice, SIZE_MAX);
  tn_fatbin parsed;
  FUZZ_REQUIRE(tn_image_write(image, &once, NULL) == TN_OK);
  FUZZ_REQUIRE(tn_fatbin_parse(tn_buf_bytes(&once), &parsed, NULL) == TN_OK);
  const tn_image again = tn_fatbin_image_at(&parsed, 0);
  FUZZ_REQUIRE(touch_image(&again) == touch_image(image));
  FUZZ_REQUIRE(tn_image_write(&again, &twice, NULL) == TN_OK);
  FUZZ_REQUIRE(tn_str_equals(tn_buf_str(&once), tn_buf_str(&twice)));
  tn_buf_deinit(&once);
  tn_buf_deinit(&twice);
}

static void parse(tn_bytes bytes) {
  tn_fatbin fatbin;
  tn_diag diag = {0};
  const tn_status status = tn_fatbin_parse(bytes, &fatbin, &diag);
  if (status != TN_OK) {
    FUZZ_REQUIRE(status == TN_BAD_IMAGE && diag.code == (int32_t)status && diag.text[0] != '\0');
    return;
  }
  for (uint32_t i = 0; i < fatbin.image_count; i++) {
    const tn_image image = tn_fatbin_image_at(&fatbin, i);
    touch_image(&image);
    rewrite(&image);
  }
  FUZZ_REQUIRE(tn_fatbin_hash(&fatbin) == tn_fatbin_hash(&fatbin));
}

// Few inputs have a header whose size and checksum are right, so each is tried with these put right
// as well.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  parse(tn_bytes_from(data, size));
  if (size < TN_HEADER_SIZE) {
    return 0;
  }
  uint8_t *copy = tn_alloc(size);
  FUZZ_REQUIRE(copy != NULL);
  memcpy(copy, data, size);
  memcpy(copy, TN_FATBIN_MAGIC, 4);
  tn_store_u32(copy + TN_HEADER_VERSION_AT, TN_FATBIN_VERSION);
  tn_store_u64(copy + TN_HEADER_SIZE_AT, size);
  tn_store_u64(copy + TN_HEADER_CHECKSUM_AT, tn_fatbin_checksum(tn_bytes_from(copy, size)));
  parse(tn_bytes_from(copy, size));
  tn_free(copy);
  return 0;
}
