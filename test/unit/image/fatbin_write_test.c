// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing fat binaries and reading them back. With a file's name as argument: writes the sample
// there.
#include "base/file.h"
#include "image/fatbin_layout.h"
#include "unit/image/sample_image.h"
#include "unit/image/unit_image.h"

static tn_diag diag;

static void write_sample(tn_buf *buf) {
  tn_buf_init(buf, SIZE_MAX);
  assert_int_equal(tn_fatbin_write(sample_images, TN_COUNT(sample_images), buf, &diag), TN_OK);
}

static void kernels_and_symbols_come_back_sorted(void **state) {
  (void)state;
  tn_buf buf;
  tn_fatbin fatbin;
  write_sample(&buf);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&buf), &fatbin, &diag), TN_OK);
  assert_int_equal(fatbin.image_count, 2);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  assert_text(image.target, "native_cpu");
  assert_text(image.triple, "x86_64-pc-linux-gnu");
  assert_int_equal(image.format, TN_IMAGE_FORMAT_BITCODE);
  assert_int_equal(image.code.size, sizeof(sample_code));
  assert_memory_equal(image.code.data, sample_code, sizeof(sample_code));
  assert_int_equal((size_t)(image.code.data - fatbin.bytes.data) % 16, 0);

  assert_int_equal(tn_image_kernel_count(&image), 2);
  const tn_kernel_info first = tn_image_kernel_at(&image, 0);
  assert_text(first.name, "_ZTS5first@00000000deadbeef");
  assert_text(first.file, "");
  tn_kernel_info second;
  assert_true(tn_image_kernel_find(&image, TN_STR_LIT("_ZTS6second"), &second));
  assert_text(second.display_name, "second");
  assert_text(second.file, "app.cpp");
  assert_int_equal(second.line, 20);
  assert_int_equal(second.arg_size, 8);
  assert_int_equal(second.arg_align, 4);
  assert_int_equal(second.flags, TN_KERNEL_USES_ND_RANGE);
  assert_false(tn_image_kernel_find(&image, TN_STR_LIT("_ZTS6secon"), &second));

  assert_int_equal(tn_image_import_count(&image), 1);
  const tn_symbol_info import = tn_image_import_at(&image, 0);
  assert_text(import.name, "_Z13LibDeviceFunci");
  assert_text(import.display_name, "LibDeviceFunc(int)");
  assert_text(import.user, "second");
  assert_int_equal(import.line, 22);
  assert_int_equal(tn_image_export_count(&image), 2);
  assert_text(tn_image_export_at(&image, 0).name, "_Z3onev");
  tn_symbol_info export;
  assert_true(tn_image_export_find(&image, TN_STR_LIT("_Z5otherv"), &export));
  assert_int_equal(export.flags, TN_SYMBOL_WEAK);
  assert_false(tn_image_export_find(&image, TN_STR_LIT(""), &export));
  tn_buf_deinit(&buf);
}

static void required_sizes_come_back(void **state) {
  (void)state;
  tn_kernel_info kernels[] = {sample_kernels[0], sample_kernels[1]};
  kernels[0].flags |= TN_KERNEL_REQUIRES_GROUP_SIZE | TN_KERNEL_REQUIRES_SUB_GROUP_SIZE;
  kernels[0].sub_group_size = 16;
  for (uint32_t i = 0; i < 3; i++) {
    kernels[0].group_size[i] = i + 4;
  }
  tn_image_desc desc = sample_images[0];
  desc.kernels = kernels;
  tn_buf buf;
  tn_fatbin fatbin;
  tn_buf_init(&buf, SIZE_MAX);
  assert_int_equal(tn_fatbin_write(&desc, 1, &buf, &diag), TN_OK);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&buf), &fatbin, &diag), TN_OK);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  const tn_kernel_info without = tn_image_kernel_at(&image, 0);
  const tn_kernel_info with = tn_image_kernel_at(&image, 1);
  assert_int_equal(without.sub_group_size + without.group_size[0], 0);
  assert_int_equal(with.flags, kernels[0].flags);
  assert_int_equal(with.sub_group_size, 16);
  assert_memory_equal(with.group_size, kernels[0].group_size, sizeof(with.group_size));
  assert_text(with.file, "app.cpp");
  tn_buf_deinit(&buf);
}

// Three arguments: offset, size, kind.
static const uint8_t three_args[] = {0,  0, 0, 0, 8, 0, 0, 0, 1, 0, 0, 0,  //
                                     8,  0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0,  //
                                     16, 0, 0, 0, 8, 0, 0, 0, 3, 0, 0, 0};

static tn_kernel_info function_kernel(const uint8_t *args) {
  tn_kernel_info kernel = sample_kernels[1];
  kernel.flags = TN_KERNEL_IS_FUNCTION | TN_KERNEL_USES_ND_RANGE | 2u << TN_KERNEL_DIMENSIONS_AT;
  kernel.args = (tn_bytes){args, sizeof(three_args)};
  return kernel;
}

static void arguments_of_functions_come_back(void **state) {
  (void)state;
  tn_kernel_info kernels[] = {sample_kernels[0], function_kernel(three_args)};
  kernels[1].flags |= TN_KERNEL_REQUIRES_SUB_GROUP_SIZE;
  kernels[1].sub_group_size = 8;
  kernels[0].flags |= TN_KERNEL_IS_FUNCTION | TN_KERNEL_IS_SINGLE_TASK;
  tn_image_desc desc = sample_images[0];
  desc.kernels = kernels;
  tn_buf buf;
  tn_fatbin fatbin;
  tn_buf_init(&buf, SIZE_MAX);
  assert_int_equal(tn_fatbin_write(&desc, 1, &buf, &diag), TN_OK);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&buf), &fatbin, &diag), TN_OK);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  const tn_kernel_info with = tn_image_kernel_at(&image, 0);
  const tn_kernel_info without = tn_image_kernel_at(&image, 1);
  assert_int_equal(with.flags, kernels[1].flags);
  assert_int_equal(with.sub_group_size, 8);
  assert_text(with.display_name, "first");
  assert_int_equal(tn_kernel_info_arg_count(&with), 3);
  const tn_kernel_arg_info last = tn_kernel_info_arg_at(&with, 2);
  assert_int_equal(last.offset, 16);
  assert_int_equal(last.size, 8);
  assert_string_equal(tn_kernel_arg_kind_name(last.kind), "local");
  assert_string_equal(tn_kernel_arg_kind_name(4), "?");
  assert_int_equal(without.flags, kernels[0].flags);
  assert_int_equal(tn_kernel_info_arg_count(&without), 0);
  tn_buf_deinit(&buf);
}

// One byte at a time: each would put an argument where it cannot be.
static void arguments_that_cannot_be_are_refused(void **state) {
  (void)state;
  static const struct {
    uint8_t at;
    uint8_t value;
  } changes[] = {
      {0, 1},    // over the next one
      {12, 7},   // before the end of the one before
      {4, 7},    // a pointer of 7 bytes
      {28, 4},   // local memory of 4 bytes
      {32, 4},   // no such kind
      {16, 0},   // no bytes
      {24, 17},  // beyond the block
      {27, 1},   // far beyond it
  };
  for (size_t i = 0; i < TN_COUNT(changes); i++) {
    uint8_t args[sizeof(three_args)];
    memcpy(args, three_args, sizeof(args));
    args[changes[i].at] = changes[i].value;
    const tn_kernel_info kernel = function_kernel(args);
    tn_image_desc desc = sample_images[0];
    desc.kernels = &kernel;
    desc.kernel_count = 1;
    tn_buf buf;
    tn_buf_init(&buf, SIZE_MAX);
    assert_fails(tn_fatbin_write(&desc, 1, &buf, &diag), INVALID_ARGUMENT, "argument");
    tn_buf_deinit(&buf);
  }
}

static void property_sets_are_found_by_name(void **state) {
  (void)state;
  tn_buf buf;
  tn_fatbin fatbin;
  write_sample(&buf);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&buf), &fatbin, &diag), TN_OK);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  assert_int_equal(tn_image_prop_set_count(&image), 4);
  const tn_prop_set misc = tn_image_prop_set_find(&image, TN_PROPS_MISC);
  tn_prop prop;
  assert_true(tn_prop_set_find(&misc, TN_STR_LIT("optLevel"), &prop));
  assert_int_equal(prop.type, TN_PROP_U32);
  assert_int_equal(prop.u32, 2);
  assert_true(tn_prop_set_find(&misc, TN_STR_LIT("moduleId"), &prop));
  assert_int_equal(prop.bytes.size, 5);
  assert_memory_equal(prop.bytes.data, "a.out", 5);
  memset(&prop, 1, sizeof(prop));
  assert_false(tn_prop_set_find(&misc, TN_STR_LIT("debug"), &prop));
  assert_int_equal(prop.type + prop.u32 + prop.bytes.size + prop.name.size, 0);
  assert_int_equal(tn_image_prop_set_find(&image, "SYCL/nothing").count, 0);
  const tn_image bare = tn_fatbin_image_at(&fatbin, 1);
  assert_int_equal(tn_image_prop_set_count(&bare), 0);
  assert_int_equal(tn_image_kernel_count(&bare), 0);
  assert_int_equal(tn_image_prop_set_find(&bare, TN_PROPS_MISC).count, 0);
  tn_buf_deinit(&buf);
}

// The order of kernels and symbols in the description does not show; nor does what the buffer held.
static void equal_inputs_give_equal_bytes(void **state) {
  (void)state;
  const tn_kernel_info swapped[] = {sample_kernels[1], sample_kernels[0]};
  const tn_symbol_info exports[] = {sample_exports[1], sample_exports[0]};
  tn_image_desc images[] = {sample_images[0], sample_images[1]};
  images[0].kernels = swapped;
  images[0].exports = exports;
  tn_buf one;
  tn_buf two;
  write_sample(&one);
  tn_buf_init(&two, SIZE_MAX);
  tn_buf_add_text(&two, "abc");
  assert_int_equal(tn_fatbin_write(images, 2, &two, &diag), TN_OK);
  assert_int_equal(two.size, one.size + 3);
  assert_memory_equal(one.data, two.data + 3, one.size);
  tn_fatbin a;
  tn_fatbin b;
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&one), &a, &diag), TN_OK);
  assert_int_equal(tn_fatbin_parse(tn_bytes_from(two.data + 3, one.size), &b, &diag), TN_OK);
  assert_true(tn_fatbin_hash(&a) == tn_fatbin_hash(&b));
  two.data[two.size - 3] ^= 1;  // in the last image's code
  tn_store_u64((uint8_t *)two.data + 3 + TN_HEADER_CHECKSUM_AT,
               tn_fatbin_checksum(tn_bytes_from(two.data + 3, one.size)));
  assert_int_equal(tn_fatbin_parse(tn_bytes_from(two.data + 3, one.size), &b, &diag), TN_OK);
  assert_true(tn_fatbin_hash(&a) != tn_fatbin_hash(&b));
  tn_buf_deinit(&one);
  tn_buf_deinit(&two);
}

static void an_image_alone_is_the_image(void **state) {
  (void)state;
  tn_buf all;
  tn_buf alone;
  tn_buf direct;
  tn_fatbin fatbin;
  write_sample(&all);
  tn_buf_init(&alone, SIZE_MAX);
  tn_buf_init(&direct, SIZE_MAX);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&all), &fatbin, &diag), TN_OK);
  const tn_image image = tn_fatbin_image_at(&fatbin, 0);
  assert_int_equal(tn_image_write(&image, &alone, &diag), TN_OK);
  assert_int_equal(tn_fatbin_write(sample_images, 1, &direct, &diag), TN_OK);
  assert_int_equal(alone.size, direct.size);
  assert_memory_equal(alone.data, direct.data, direct.size);
  tn_buf_deinit(&all);
  tn_buf_deinit(&alone);
  tn_buf_deinit(&direct);
}

static void nothing_is_a_fat_binary_too(void **state) {
  (void)state;
  tn_buf buf;
  tn_fatbin fatbin;
  tn_buf_init(&buf, SIZE_MAX);
  assert_int_equal(tn_fatbin_write(NULL, 0, &buf, &diag), TN_OK);
  assert_int_equal(tn_fatbin_parse(tn_buf_bytes(&buf), &fatbin, &diag), TN_OK);
  assert_int_equal(fatbin.image_count, 0);
  tn_buf_deinit(&buf);
}

static void bad_descriptions_are_refused(void **state) {
  (void)state;
  tn_buf buf;
  tn_buf_init(&buf, SIZE_MAX);
  const tn_kernel_info twice[] = {sample_kernels[0], sample_kernels[0]};
  tn_image_desc desc = sample_images[0];
  desc.kernels = twice;
  assert_fails(tn_fatbin_write(&desc, 1, &buf, &diag), INVALID_ARGUMENT, "_ZTS6second is twice");
  tn_kernel_info kernel = sample_kernels[0];
  kernel.arg_align = 3;
  desc.kernels = &kernel;
  desc.kernel_count = 1;
  assert_fails(tn_fatbin_write(&desc, 1, &buf, &diag), INVALID_ARGUMENT, "power of two, it is 3");
  kernel = sample_kernels[0];
  kernel.name = TN_STR_LIT("a\0b");
  assert_fails(tn_fatbin_write(&desc, 1, &buf, &diag), INVALID_ARGUMENT, "NUL character");
  kernel.name = TN_STR_LIT("");
  assert_fails(tn_fatbin_write(&desc, 1, &buf, &diag), INVALID_ARGUMENT, "without a name");
  desc = sample_images[0];
  desc.target = "";
  assert_fails(tn_fatbin_write(&desc, 1, &buf, &diag), INVALID_ARGUMENT, "name of its target");
  desc = sample_images[0];
  desc.format = TN_IMAGE_FORMAT_NONE;
  assert_fails(tn_fatbin_write(&desc, 1, &buf, &diag), INVALID_ARGUMENT, "has no format");
  assert_int_equal(buf.size, 0);
  tn_buf_deinit(&buf);
  tn_buf_init(&buf, 100);
  assert_fails(tn_fatbin_write(sample_images, 2, &buf, &diag), INVALID_ARGUMENT, "100 bytes");
  tn_buf_deinit(&buf);
}

// Fails every allocation once: a status each time, and nothing is left.
static void writing_survives_lack_of_memory(void **state) {
  (void)state;
  const int64_t before = tn_alloc_live();
  bool has_fired = true;
  for (int64_t n = 0; has_fired; n++) {
    tn_buf buf;
    tn_buf_init(&buf, SIZE_MAX);
    tn_fault_arm(n);
    const tn_status status = tn_fatbin_write(sample_images, 2, &buf, &diag);
    has_fired = tn_fault_fired();
    tn_fault_arm(-1);
    assert_int_equal(status, has_fired ? TN_OUT_OF_MEMORY : TN_OK);
    tn_buf_deinit(&buf);
    assert_true(n < 1000);
  }
  assert_int_equal(tn_alloc_live(), before);
}

static int write_sample_file(const char *path) {
  tn_buf buf;
  tn_buf_init(&buf, SIZE_MAX);
  const bool is_good =
      tn_fatbin_write(sample_images, TN_COUNT(sample_images), &buf, NULL) == TN_OK &&
      tn_file_write(path, tn_buf_bytes(&buf), NULL) == TN_OK;
  tn_buf_deinit(&buf);
  return is_good ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc > 1) {
    return write_sample_file(argv[1]);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_and_symbols_come_back_sorted),
      cmocka_unit_test(required_sizes_come_back),
      cmocka_unit_test(arguments_of_functions_come_back),
      cmocka_unit_test(arguments_that_cannot_be_are_refused),
      cmocka_unit_test(property_sets_are_found_by_name),
      cmocka_unit_test(equal_inputs_give_equal_bytes),
      cmocka_unit_test(an_image_alone_is_the_image),
      cmocka_unit_test(nothing_is_a_fat_binary_too),
      cmocka_unit_test(bad_descriptions_are_refused),
      cmocka_unit_test(writing_survives_lack_of_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
