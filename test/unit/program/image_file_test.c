// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Image files: opened from disk and memory, kernels by either name, what is refused and how.
#include "run/program/program.h"

#define WORLD_HAS_SPIRV  // a device for it, which comes last

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include <sys/stat.h>
#include <unistd.h>

#include "unit/program/program_world.h"

#define LITERAL(text) {(text), sizeof(text) - 1}
static const tn_kernel_info kernels[] = {
    {.name = LITERAL("_ZTS10vector_add"), .display_name = LITERAL("vector_add"),
     .arg_size = 24, .arg_align = 8},
    {.name = LITERAL("_ZTSN2ns6kernelE"),
     .display_name = LITERAL("typeinfo name for ns::kernel"), .arg_size = 8, .arg_align = 8},
    {.name = LITERAL("local@0000000000000001"), .display_name = LITERAL("local"),
     .arg_size = 8, .arg_align = 8},
    {.name = LITERAL("local@0000000000000002"), .display_name = LITERAL("local"),
     .arg_size = 8, .arg_align = 8},
};
#define CODE "_ZTS10vector_add _ZTSN2ns6kernelE local@0000000000000001 local@0000000000000002"

static void write_images(tn_buf *out) {
  const tn_image_desc images[] = {
      {.target = "mock", .triple = "x86_64-unknown-linux-gnu", .format = TN_IMAGE_FORMAT_NATIVE,
       .code = tn_bytes_from(CODE, sizeof(CODE) - 1), .kernels = kernels,
       .kernel_count = TN_COUNT(kernels)},
      {.target = "other", .triple = "x86_64-unknown-linux-gnu", .format = TN_IMAGE_FORMAT_NATIVE,
       .code = tn_bytes_from(CODE, 4), .kernels = kernels, .kernel_count = 1},
  };
  tn_buf_init(out, 1u << 16);
  assert_int_equal(tn_fatbin_write(images, TN_COUNT(images), out, NULL), TN_OK);
}

static char *write_file(const char *name, tn_bytes bytes) {
  char *path = tn_path_join(tn_str_from(world_folder), tn_str_from(name));
  assert_int_equal(tn_file_write(path, bytes, NULL), TN_OK);
  return path;
}

static void test_kernels_by_name(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_buf bytes;
  write_images(&bytes);
  char *path = write_file("kernels.tnfb", tn_buf_bytes(&bytes));
  tn_buf_deinit(&bytes);
  tn_image_file *file = NULL;
  assert_int_equal(tn_image_open(path, &file, NULL), TN_OK);
  static const char *const names[] = {"vector_add", "ns::kernel", "local@0000000000000001",
                                      "local@0000000000000002"};
  assert_int_equal(tn_image_file_kernel_count(file), TN_COUNT(names));
  assert_null(tn_image_file_kernel_name(file, TN_COUNT(names)));
  const int loads = double_load_count;
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    assert_string_equal(tn_image_file_kernel_name(file, i), names[i]);
    tn_kernel *by_text = NULL;
    tn_kernel *by_symbol = NULL;
    assert_int_equal(tn_kernel_create(file, names[i], world_device(0), &by_text, NULL), TN_OK);
    const char *symbol = kernels[i].name.data;
    assert_int_equal(tn_kernel_create(file, symbol, world_device(0), &by_symbol, NULL), TN_OK);
    assert_string_equal(by_text->name, kernels[i].name.data);
    assert_string_equal(by_symbol->name, by_text->name);
    assert_ptr_equal(by_text->program, by_symbol->program);
    assert_int_equal(tn_kernel_arg_size(by_text), kernels[i].arg_size);
    tn_kernel_release(by_text);
    tn_kernel_release(by_symbol);
  }
  assert_int_equal(double_load_count, loads + 1);
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_kernel_create(file, "local", world_device(0), &kernel, &diag),
                   TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "local@0000000000000001 or local@0000000000000002"));
  assert_int_equal(tn_kernel_create(file, "nothing", world_device(0), &kernel, &diag),
                   TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(diag.text, "vector_add, ns::kernel"));
  assert_non_null(strstr(diag.text, "kernels.tnfb"));
  assert_int_equal(tn_kernel_create(file, "vector_add", world_cpu_device(), &kernel, &diag),
                   TN_KERNEL_NOT_FOUND);
  assert_int_equal(tn_kernel_create(NULL, "k", world_device(0), &kernel, NULL),
                   TN_INVALID_ARGUMENT);
  assert_int_equal(tn_kernel_create(file, NULL, world_device(0), &kernel, NULL),
                   TN_INVALID_ARGUMENT);
  assert_int_equal(tn_kernel_create(file, "k", NULL, &kernel, NULL), TN_INVALID_ARGUMENT);
  assert_null(kernel);
  // What was built stays good without the file.
  assert_int_equal(tn_kernel_create(file, "vector_add", world_device(0), &kernel, NULL), TN_OK);
  tn_image_close(file);
  assert_string_equal(tn_kernel_name(kernel), "vector_add");
  assert_string_equal(kernel->adapter_kernel->name, "_ZTS10vector_add");
  tn_kernel_release(kernel);
  tn_program_reap();
  tn_image_close(NULL);
  tn_free(path);
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

// A library of objects made with -fno-sycl-rdc has a container for each.
static void test_several_modules(void **state) {
  (void)state;
  static const tn_kernel_info more = {.name = LITERAL("_ZTS4more"),
                                      .display_name = LITERAL("more"), .arg_size = 8,
                                      .arg_align = 8};
  const tn_image_desc second = {
      .target = "mock", .triple = "x86_64-unknown-linux-gnu", .format = TN_IMAGE_FORMAT_NATIVE,
      .code = tn_bytes_from("_ZTS4more", 9), .kernels = &more, .kernel_count = 1};
  const int64_t live = tn_alloc_live();
  tn_buf bytes;
  tn_buf added;
  write_images(&bytes);
  tn_buf_init(&added, 1u << 16);
  assert_int_equal(tn_fatbin_write(&second, 1, &added, NULL), TN_OK);
  tn_buf_align(&bytes, 16);
  tn_buf_add(&bytes, added.data, added.size);
  char *path = write_file("several.tnfb", tn_buf_bytes(&bytes));
  tn_buf_deinit(&added);
  tn_buf_deinit(&bytes);
  tn_image_file *file = NULL;
  assert_int_equal(tn_image_open(path, &file, NULL), TN_OK);
  static const char *const names[] = {"vector_add", "more"};
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    tn_kernel *kernel = NULL;
    assert_int_equal(tn_kernel_create(file, names[i], world_device(0), &kernel, NULL), TN_OK);
    tn_kernel_release(kernel);
  }
  tn_image_close(file);
  tn_program_reap();
  tn_free(path);
  assert_int_equal(tn_alloc_live(), live);
}

static void expect_refused(const char *path, tn_status code, const char *words) {
  tn_image_file *file = NULL;
  tn_diag diag = {0};
  const tn_status status = tn_image_open(path, &file, &diag);
  assert_null(file);
  if (status != code || !strstr(diag.text, words) || !strstr(diag.text, path)) {
    fail_msg("status %d \"%s\", expected %d \"%s\"", (int)status, diag.text, (int)code, words);
  }
}

static void test_refused_files(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_buf bytes;
  write_images(&bytes);
  char *cut = write_file("cut.tnfb", tn_bytes_from(bytes.data, bytes.size - 1));
  char *text = write_file("text.txt", tn_bytes_from("hello", 5));
  char *empty = write_file("empty", tn_bytes_from("", 0));
  tn_buf_deinit(&bytes);
  made_library library;
  made_write(&library, world_folder, "no_section.so", NULL, NULL);
  expect_refused("/nowhere/at.all", TN_IO, "");
  expect_refused(cut, TN_BAD_IMAGE, "");
  expect_refused(text, TN_BAD_IMAGE, "neither a fat binary");
  expect_refused(empty, TN_BAD_IMAGE, "");
  expect_refused(library.path, TN_BAD_IMAGE, ".tenon.fatbin");
  // A pipe that nobody writes to would hold whoever opens it.
  char *named = tn_path_join(tn_path_dir(tn_str_from(empty)), TN_STR_LIT("pipe"));
  assert_int_equal(mkfifo(named, 0600), 0);
  (void)alarm(20);
  expect_refused(named, TN_IO, "is not a regular file");
  expect_refused("/dev/zero", TN_IO, "is not a regular file");
  (void)alarm(0);
  tn_free(named);
  tn_image_file *file = NULL;
  assert_int_equal(tn_image_open(NULL, &file, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_image_open_memory(NULL, 4, &file, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_image_open_memory("abcd", 4, &file, NULL), TN_BAD_IMAGE);
  assert_null(file);
  tn_diag diag = {0};
  assert_int_equal(tn_image_open("", &file, &diag), TN_INVALID_ARGUMENT);
  assert_string_equal(diag.text, "opening an image file: its path is empty");
  assert_int_equal(tn_image_open(text, NULL, &diag), TN_INVALID_ARGUMENT);
  assert_string_equal(diag.text, "tn_image_open: the place for the file is NULL");
  assert_int_equal(tn_image_open_memory("abcd", 4, NULL, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_image_file_kernel_count(NULL), 0);
  assert_null(tn_image_file_kernel_name(NULL, 0));
  assert_int_equal(tn_kernel_create(file, "k", world_device(0), NULL, NULL), TN_INVALID_ARGUMENT);
  tn_free(cut);
  tn_free(text);
  tn_free(empty);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_closed_files(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_buf bytes;
  write_images(&bytes);
  tn_image_file *file = NULL;
  tn_image_file *other = NULL;
  assert_int_equal(tn_image_open_memory(bytes.data, bytes.size, &file, NULL), TN_OK);
  assert_int_equal(tn_image_open_memory(bytes.data, bytes.size, &other, NULL), TN_OK);
  tn_buf_deinit(&bytes);
  tn_image_close(file);
  tn_image_close(file);  // nothing happens
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_kernel_create(file, "vector_add", world_device(0), &kernel, &diag),
                   TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "is closed"));
  assert_int_equal(tn_kernel_create(other, "vector_add", world_device(0), &kernel, NULL), TN_OK);
  tn_kernel_release(kernel);
  tn_image_close(other);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

// A module of one kernel "k", which is what devices of target spirv64 take.
static void test_spirv(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  static const uint32_t module[] = {0x07230203, 0x10400, 0, 9, 0, 2u << 16 | 17, 6,
                                    3u << 16 | 14, 2, 2, 4u << 16 | 15, 6, 5, 'k',
                                    5u << 16 | 54, 1, 5, 0, 2};
  tn_image_file *file = NULL;
  assert_int_equal(tn_image_open_memory(module, sizeof(module), &file, NULL), TN_OK);
  assert_int_equal(tn_image_file_kernel_count(file), 1);
  assert_string_equal(tn_image_file_kernel_name(file, 0), "k");
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_kernel_create(file, "k", world_device(0), &kernel, &diag),
                   TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(diag.text, "images in memory has spirv64 spirv (1 kernel: k)"));
  tn_image_close(file);
  assert_int_equal(tn_image_open_memory(module, sizeof(module) - 4, &file, &diag), TN_BAD_IMAGE);
  assert_null(file);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

// Each event of opening a file and creating a kernel fails in turn.
static void test_faults(void **state) {
  (void)state;
  tn_buf bytes;
  write_images(&bytes);
  bool passed = false;
  for (int64_t n = 0; !passed; n++) {
    assert_true(n < 400);
    const int64_t live = tn_alloc_live();
    tn_image_file *file = NULL;
    tn_kernel *kernel = NULL;
    tn_diag diag = {0};
    tn_fault_arm(n);
    tn_status status = tn_image_open_memory(bytes.data, bytes.size, &file, &diag);
    if (status == TN_OK) {
      status = tn_kernel_create(file, "ns::kernel", world_device(0), &kernel, &diag);
    }
    passed = !tn_fault_fired();
    tn_fault_arm(-1);
    assert_true(status == TN_OK || diag.code == (int32_t)status);
    assert_true((status == TN_OK) == (kernel != NULL));
    assert_true(!passed || status == TN_OK);
    tn_kernel_release(kernel);
    tn_image_close(file);
    tn_program_reap();
    assert_int_equal(double_live, 0);
    assert_int_equal(tn_alloc_live(), live);
  }
  tn_buf_deinit(&bytes);
}

int main(void) {
  world_environment();
  world_set_compiler();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_kernels_by_name),
      cmocka_unit_test(test_several_modules),
      cmocka_unit_test(test_refused_files),
      cmocka_unit_test(test_closed_files),
      cmocka_unit_test(test_spirv),
      cmocka_unit_test(test_faults),
  };
  return cmocka_run_group_tests_name("image_file", tests, world_begin_with_compiler,
                                     world_end_with_compiler);
}
