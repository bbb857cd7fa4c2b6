// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of whole images, as bundles ask for them: shared, specialized, linked with the images
// that were named first, and the kernels in them.
#include "run/program/program.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "run/registry/registry.h"
#include "unit/program/program_world.h"

#define OF(id) "_ZTS" TN_SPEC_TYPE_PREFIX id
#define BITCODE .target = "native_cpu", .format = TN_IMAGE_FORMAT_BITCODE

static tn_program *must_get(const tn_program_request *request) {
  tn_program *program = NULL;
  tn_diag diag = {0};
  if (tn_program_get(request, &program, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return program;
}

static void expect_kernel(tn_program *program, const char *name) {
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  if (tn_program_get_kernel(program, name, &kernel, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  assert_string_equal(kernel->name, name);
  assert_ptr_equal(kernel->program, program);
  tn_kernel_release(kernel);
}

static void test_a_program_is_shared_with_launches(void **state) {
  (void)state;
  tn_module module;
  const image_maker images[] = {{.kernels = {"other"}},
                                {BITCODE, .kernels = {"a", "b@0000000000000007"}}};
  const int64_t live = tn_alloc_live();
  const int builds = world_builds;
  maker_register(&module, images, 2);
  tn_registered *registered = tn_registry_find(&module);
  const tn_program_request request = {.image = {registered, 1}, .device = world_cpu_device()};
  tn_program *program = must_get(&request);
  tn_program *again = must_get(&request);
  assert_ptr_equal(program, again);
  expect_kernel(program, "a");
  expect_kernel(program, "b@0000000000000007");
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_program_get_kernel(program, "other", &kernel, &diag), TN_KERNEL_NOT_FOUND);
  assert_null(kernel);
  assert_non_null(strstr(diag.text, "other"));
  tn_kernel_slot slot = {.module = &module, .name = "a"};
  assert_int_equal(tn_kernel_from_slot(&slot, world_cpu_device(), &kernel, NULL), TN_OK);
  assert_ptr_equal(kernel->program, program);
  assert_int_equal(world_builds, builds + 1);
  tn_program_release(program);
  tn_program_release(again);
  tn_registered_release(registered);
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_values(void **state) {
  (void)state;
  tn_module module;
  const image_maker image = {BITCODE, .kernels = {"a", "b"},
                             .specs = {{OF("common"), 3}, {OF("own@0000000000000007"), 4}}};
  const int64_t live = tn_alloc_live();
  const int builds = world_builds;
  maker_register(&module, &image, 1);
  tn_registered *registered = tn_registry_find(&module);
  const uint32_t numbers[] = {3, 40, 4};
  // The image's own names; a unit's number is not looked at.
  const tn_spec_value changed[] = {{OF("common"), 1, &numbers[0], 4},
                                   {OF("own@0000000000000007"), 1, &numbers[1], 4}};
  tn_program_request request = {
      .image = {registered, 0}, .device = world_cpu_device(), .specs = changed, .spec_count = 2};
  tn_program *program = must_get(&request);
  assert_string_equal(world_specs, ":" OF("own@0000000000000007") "=28000000");
  expect_kernel(program, "a");
  expect_kernel(program, "b");
  tn_program *again = must_get(&request);
  assert_ptr_equal(program, again);
  // All as they are by default: the default program.
  const tn_spec_value same[] = {{OF("common"), 1, &numbers[0], 4},
                                {OF("own@0000000000000007"), 1, &numbers[2], 4}};
  request.specs = same;
  tn_program *plain = must_get(&request);
  request.spec_count = 0;
  tn_program *none = must_get(&request);
  assert_ptr_equal(plain, none);
  assert_int_equal(world_builds, builds + 2);
  const tn_spec_value wrong = {OF("common"), 1, &numbers[0], 2};
  request.specs = &wrong;
  request.spec_count = 1;
  tn_program *failed = NULL;
  assert_int_equal(tn_program_get(&request, &failed, NULL), TN_INVALID_ARGUMENT);
  tn_program *const all[] = {program, again, plain, none};
  for (size_t i = 0; i < TN_COUNT(all); i++) {
    tn_program_release(all[i]);
  }
  tn_registered_release(registered);
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(tn_alloc_live(), live);
}

// What is named first gives the symbol, although the importer's own module has it as well.
static void test_first_images(void **state) {
  (void)state;
  tn_module modules[2];
  const image_maker user[] = {{BITCODE, .kernels = {"k"}, .imports = {"f"}},
                              {BITCODE, .code = "mine", .exports = {"f"}}};
  const image_maker library[] = {{BITCODE, .code = "unused", .exports = {"f", "g"}},
                                 {BITCODE, .code = "theirs", .exports = {"f"}}};
  maker_register(&modules[0], user, 2);
  maker_register(&modules[1], library, 2);
  tn_registered *registered[] = {tn_registry_find(&modules[0]), tn_registry_find(&modules[1])};
  world_keeps_all = true;
  const tn_image_ref first[] = {{registered[0], 0}, {registered[1], 1}};
  tn_program_request request = {
      .image = {registered[0], 0}, .device = world_cpu_device(), .first = first, .first_count = 2};
  const int builds = world_builds;
  tn_program *theirs = must_get(&request);
  assert_string_equal(strchr(world_asked, ';'), strrchr(world_asked, ';'));
  assert_non_null(strstr(world_asked, ":f"));
  request.first_count = 0;
  tn_program *mine = must_get(&request);
  assert_ptr_not_equal(mine, theirs);
  assert_int_equal(world_builds, builds + 2);
  request.first_count = 2;
  tn_program *again = must_get(&request);
  assert_ptr_equal(again, theirs);
  assert_int_equal(world_builds, builds + 2);
  // A launch gets its own module's.
  tn_kernel_slot slot = {.module = &modules[0], .name = "k"};
  tn_kernel *kernel = NULL;
  assert_int_equal(tn_kernel_from_slot(&slot, world_cpu_device(), &kernel, NULL), TN_OK);
  assert_ptr_equal(kernel->program, mine);
  world_keeps_all = false;
  tn_program_release(theirs);
  tn_program_release(mine);
  tn_program_release(again);
  for (size_t i = 0; i < 2; i++) {
    tn_registered_release(registered[i]);
    maker_unregister(&modules[i]);
  }
  tn_program_reap();
  assert_int_equal(double_live, 0);
}

static void test_what_is_refused(void **state) {
  (void)state;
  tn_module module;
  static const uint8_t fp16[] = {TN_IMAGE_ASPECT_FP16, 0, 0, 0};
  const image_maker images[] = {{BITCODE, .kernels = {"k"}, .aspects = fp16, .aspect_count = 1},
                                {.target = "native_cpu",
                                 .format = TN_IMAGE_FORMAT_HOST,
                                 .code = "table",
                                 .kernels = {"only"}}};
  maker_register(&module, images, 2);
  tn_registered *registered = tn_registry_find(&module);
  tn_program_request request = {.image = {registered, 0}, .device = world_cpu_device()};
  tn_program *program = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_program_get(&request, &program, &diag), TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(diag.text, "aspect::fp16"));
  request.image.image_index = 1;
  assert_int_equal(tn_program_get(&request, &program, &diag), TN_UNSUPPORTED);
  assert_non_null(strstr(diag.text, "machine code"));
  request.image.image_index = 2;
  assert_int_equal(tn_program_get(&request, &program, &diag), TN_INVALID_ARGUMENT);
  request.device = NULL;
  assert_int_equal(tn_program_get(&request, &program, &diag), TN_INVALID_ARGUMENT);
  tn_kernel *kernel = NULL;
  assert_int_equal(tn_program_get_kernel(NULL, "k", &kernel, &diag), TN_INVALID_ARGUMENT);
  tn_registered_release(registered);
  maker_unregister(&module);
  tn_program_reap();
}

int main(void) {
  world_environment();
  world_set_compiler();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_program_is_shared_with_launches),
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_first_images),
      cmocka_unit_test(test_what_is_refused),
  };
  return cmocka_run_group_tests(tests, world_begin_with_compiler, world_end_with_compiler);
}
