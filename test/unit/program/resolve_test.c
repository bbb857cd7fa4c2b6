// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device symbols resolve as the host's do: real libraries in the real dynamic linker's scopes.
#include "run/program/link_set.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "run/program/program.h"
#include "unit/program/program_world.h"

#define BITCODE .target = "native_cpu", .format = TN_IMAGE_FORMAT_BITCODE
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static int64_t live_before;

static int begin(void **state) {
  (void)state;
  live_before = tn_alloc_live();
  world_keeps_all = false;
  world_builds = 0;
  world_asked[0] = '\0';
  return 0;
}

// Each test closes what it opened; nothing may be left of it.
static int end(void **state) {
  (void)state;
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live_before);
  return 0;
}

static tn_kernel *launch_on(made_library *library, const char *name, tn_device *device) {
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  tn_kernel_slot slot = {.module = library->module, .name = name};
  *library->slot = slot;  // a new one: as the first launch of this kernel
  if (tn_kernel_from_slot(library->slot, device, &kernel, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return kernel;
}

static void expect_failure(made_library *library, tn_device *device, tn_status code,
                           const char *const *words) {
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  *library->slot = (tn_kernel_slot){.module = library->module, .name = "k"};
  const tn_status status = tn_kernel_from_slot(library->slot, device, &kernel, &diag);
  if (status != code) {
    fail_msg("status %d, expected %d: %s", (int)status, (int)code, diag.text);
  }
  for (; *words; words++) {
    if (!strstr(diag.text, *words)) {
      fail_msg("\"%s\" does not say \"%s\"", diag.text, *words);
    }
  }
}

static void test_unresolved_is_explained(void **state) {
  (void)state;
  made_library app;
  const image_maker image = {.kernels = {"k"}, .imports = {"f"}};
  made_open(&app, world_folder, "unresolved_app.so", RTLD_LOCAL, &image, 1);
  expect_failure(&app, world_device(0), TN_BUILD_FAILED,
                 WORDS("kernel k on Mock 0", "device symbol f(int) is not resolved",
                       "imported by ", app.path, "used in the user (user.cpp:42)",
                       "searched: unresolved_app.so", "SYCL_EXTERNAL"));
  made_close(&app);
}

static void test_weak_imports_may_stay_open(void **state) {
  (void)state;
  made_library app;
  const image_maker image = {.kernels = {"k"}, .imports = {"weak:f"}};
  made_open(&app, world_folder, "weak_app.so", RTLD_LOCAL, &image, 1);
  assert_non_null(launch_on(&app, "k", world_device(0)));
  made_close(&app);
}

static void test_local_libraries_are_not_seen(void **state) {
  (void)state;
  made_library app;
  made_library lib;
  const image_maker app_image = {.kernels = {"k"}, .imports = {"local_f"}};
  const image_maker lib_image = {.exports = {"local_f"}};
  made_open(&app, world_folder, "isolated_app.so", RTLD_LOCAL, &app_image, 1);
  made_open(&lib, world_folder, "isolated_lib.so", RTLD_LOCAL, &lib_image, 1);
  expect_failure(&app, world_device(0), TN_BUILD_FAILED,
                 WORDS("local_f(int)", lib.path, "RTLD_GLOBAL", "isolated_lib.so"));
  // Promotion, as for host functions; the failure is not kept.
  void *again = dlopen(lib.path, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
  assert_non_null(again);
  assert_non_null(launch_on(&app, "k", world_device(0)));
  (void)dlclose(again);
  made_close(&app);
  made_close(&lib);
}

static void test_needed_libraries_are_seen(void **state) {
  (void)state;
  made_library lib;
  made_library app;
  const image_maker lib_image = {BITCODE, .code = "-", .exports = {"needed_f"}};
  const image_maker app_image = {BITCODE, .kernels = {"k"}, .imports = {"needed_f"}};
  made_write(&lib, world_folder, "needed_lib.so", lib_image.exports, NULL);
  made_write(&app, world_folder, "needed_app.so", NULL, lib.path);
  made_load(&app, RTLD_LOCAL, &app_image, 1);  // loads lib with it
  made_load(&lib, RTLD_LOCAL, &lib_image, 1);
  assert_non_null(launch_on(&app, "k", world_cpu_device()));
  assert_string_equal(world_asked, "needed_app.so:;needed_lib.so:needed_f");
  made_close(&lib);
  made_close(&app);
}

static void test_chain_of_four(void **state) {
  (void)state;
  made_library libs[4];
  const image_maker images[4] = {
      {BITCODE, .kernels = {"k"}, .imports = {"c1", "c3"}, .exports = {"c0"}},
      {BITCODE, .code = "-", .imports = {"c2", "c0"}, .exports = {"c1", "unused"}},
      {BITCODE, .code = "-", .imports = {"c3"}, .exports = {"c2"}},
      {BITCODE, .code = "-", .imports = {"c1"}, .exports = {"c3"}},
  };
  static const char *const names[] = {"chain0.so", "chain1.so", "chain2.so", "chain3.so"};
  for (size_t i = 0; i < 4; i++) {
    made_open(&libs[i], world_folder, names[i], RTLD_GLOBAL, &images[i], 1);
  }
  assert_non_null(launch_on(&libs[0], "k", world_cpu_device()));
  assert_string_equal(world_asked, "chain0.so:c0;chain1.so:c1;chain3.so:c3;chain2.so:c2");
  for (size_t i = 0; i < 4; i++) {
    made_close(&libs[i]);
  }
}

static void test_the_first_definition_wins(void **state) {
  (void)state;
  made_library libs[3];
  const image_maker images[3] = {
      {BITCODE, .code = "-", .exports = {"dup"}},
      {BITCODE, .code = "-", .exports = {"dup", "more"}},
      {BITCODE, .kernels = {"k"}, .imports = {"dup", "more"}},
  };
  static const char *const names[] = {"dup0.so", "dup1.so", "dup2.so"};
  for (size_t i = 0; i < 3; i++) {
    made_open(&libs[i], world_folder, names[i], RTLD_GLOBAL, &images[i], 1);
  }
  assert_non_null(launch_on(&libs[2], "k", world_cpu_device()));
  assert_string_equal(world_asked, "dup2.so:;dup0.so:dup;dup1.so:more");
  for (size_t i = 0; i < 3; i++) {
    made_close(&libs[i]);
  }
}

// An export that the linker shows to nobody else still serves its own module.
static void test_own_images(void **state) {
  (void)state;
  made_library app;
  const image_maker images[] = {{BITCODE, .kernels = {"k"}, .imports = {"own"}},
                                {BITCODE, .code = "-", .exports = {"own"}}};
  made_write(&app, world_folder, "own_app.so", NULL, NULL);  // without markers
  made_load(&app, RTLD_LOCAL, images, 2);
  assert_non_null(launch_on(&app, "k", world_cpu_device()));
  assert_string_equal(world_asked, "own_app.so:;own_app.so:own");
  made_close(&app);
}

static void test_unregistered_providers_are_named(void **state) {
  (void)state;
  made_library app;
  made_library lib;
  const image_maker app_image = {.kernels = {"k"}, .imports = {"lost_f"}};
  const image_maker lib_image = {.exports = {"lost_f"}};
  made_open(&app, world_folder, "lost_app.so", RTLD_LOCAL, &app_image, 1);
  made_open(&lib, world_folder, "lost_lib.so", RTLD_GLOBAL, &lib_image, 1);
  tn_unregister_module(lib.module);
  expect_failure(&app, world_device(0), TN_BUILD_FAILED,
                 WORDS("lost_f(int)", "the module that defines it is not registered"));
  tn_register_module(lib.module);
  assert_non_null(launch_on(&app, "k", world_device(0)));
  made_close(&app);
  made_close(&lib);
}

static void test_other_targets_are_named(void **state) {
  (void)state;
  made_library app;
  made_library lib;
  const image_maker app_image = {.kernels = {"k"}, .imports = {"target_f"}};
  const image_maker lib_image = {BITCODE, .code = "-", .exports = {"target_f"}};
  made_open(&app, world_folder, "target_app.so", RTLD_LOCAL, &app_image, 1);
  made_open(&lib, world_folder, "target_lib.so", RTLD_GLOBAL, &lib_image, 1);
  expect_failure(&app, world_device(0), TN_BUILD_FAILED,
                 WORDS("target_f(int)", lib.path, "no native image of it for target mock"));
  // The linker's answer is final: a file that has the right image is not asked.
  const image_maker file_image = {.exports = {"target_f"}};
  tn_buf bytes;
  tn_buf_init(&bytes, 1u << 16);
  maker_write(&file_image, 1, &bytes);
  tn_image_file *file = NULL;
  assert_int_equal(tn_image_open_memory(bytes.data, bytes.size, &file, NULL), TN_OK);
  tn_buf_deinit(&bytes);
  expect_failure(&app, world_device(0), TN_BUILD_FAILED, WORDS("target_f(int)", lib.path));
  tn_image_close(file);
  made_close(&app);
  made_close(&lib);
}

static void test_damaged_providers_are_named(void **state) {
  (void)state;
  made_library app;
  made_library lib;
  const image_maker app_image = {.kernels = {"k"}, .imports = {"damaged_f"}};
  const image_maker lib_image = {.exports = {"damaged_f"}};
  made_open(&app, world_folder, "damaged_app.so", RTLD_LOCAL, &app_image, 1);
  made_open(&lib, world_folder, "damaged_lib.so", RTLD_GLOBAL, &lib_image, 1);
  tn_unregister_module(lib.module);
  lib.module->fatbin_size--;
  tn_register_module(lib.module);
  expect_failure(&app, world_device(0), TN_BAD_IMAGE, WORDS("defines damaged_f", lib.path));
  made_close(&app);
  made_close(&lib);
}

// Seed 000: the library's own kernel, compiled with the application's, is not compiled again.
static void test_kernels_of_providers_are_shared(void **state) {
  (void)state;
  made_library app;
  made_library lib;
  const image_maker app_image = {BITCODE, .kernels = {"internal"}, .imports = {"shared_f"}};
  const image_maker lib_image = {BITCODE, .kernels = {"external"}, .exports = {"shared_f"}};
  made_open(&lib, world_folder, "shared_lib.so", RTLD_GLOBAL, &lib_image, 1);
  made_open(&app, world_folder, "shared_app.so", RTLD_GLOBAL, &app_image, 1);
  world_keeps_all = true;
  const tn_program *program = launch_on(&app, "internal", world_cpu_device())->program;
  assert_ptr_equal(launch_on(&lib, "external", world_cpu_device())->program, program);
  assert_int_equal(world_builds, 1);
  made_close(&app);
  made_close(&lib);
}

// But not when the library alone would have been linked with other definitions.
static void test_kernels_of_providers_keep_their_scope(void **state) {
  (void)state;
  made_library first;
  made_library app;
  made_library lib;
  const image_maker first_image = {BITCODE, .code = "-", .exports = {"clash"}};
  const image_maker app_image = {BITCODE, .kernels = {"internal"}, .imports = {"clash", "scope_f"}};
  const image_maker lib_image = {BITCODE, .kernels = {"external"}, .exports = {"scope_f", "clash"}};
  made_open(&first, world_folder, "scope_first.so", RTLD_GLOBAL, &first_image, 1);
  made_open(&lib, world_folder, "scope_lib.so", RTLD_GLOBAL, &lib_image, 1);
  made_open(&app, world_folder, "scope_app.so", RTLD_GLOBAL, &app_image, 1);
  world_keeps_all = true;
  const tn_program *program = launch_on(&app, "internal", world_cpu_device())->program;
  assert_string_equal(world_asked, "scope_app.so:;scope_first.so:clash;scope_lib.so:scope_f");
  assert_ptr_not_equal(launch_on(&lib, "external", world_cpu_device())->program, program);
  assert_int_equal(world_builds, 2);
  made_close(&app);
  made_close(&lib);
  made_close(&first);
}

static void test_files_come_last(void **state) {
  (void)state;
  made_library app;
  made_library lib;
  const image_maker app_image = {BITCODE, .kernels = {"k", "j"}, .imports = {"file_f"}};
  const image_maker lib_image = {BITCODE, .code = "-", .exports = {"file_f"}};
  tn_buf bytes;
  tn_buf_init(&bytes, 1u << 16);
  maker_write(&lib_image, 1, &bytes);
  tn_image_file *file = NULL;
  assert_int_equal(tn_image_open_memory(bytes.data, bytes.size, &file, NULL), TN_OK);
  tn_buf_deinit(&bytes);
  made_open(&app, world_folder, "file_app.so", RTLD_LOCAL, &app_image, 1);
  assert_non_null(launch_on(&app, "k", world_cpu_device()));
  assert_string_equal(world_asked, "file_app.so:;images in memory:file_f");
  // The program stays good without the file; a new look-up of the module finds it built.
  tn_image_close(file);
  assert_non_null(launch_on(&app, "j", world_cpu_device()));
  assert_int_equal(world_builds, 1);
  made_close(&app);
  // A library comes before a file.
  tn_buf_init(&bytes, 1u << 16);
  maker_write(&lib_image, 1, &bytes);
  assert_int_equal(tn_image_open_memory(bytes.data, bytes.size, &file, NULL), TN_OK);
  tn_buf_deinit(&bytes);
  made_open(&lib, world_folder, "file_lib.so", RTLD_GLOBAL, &lib_image, 1);
  made_open(&app, world_folder, "file_app2.so", RTLD_LOCAL, &app_image, 1);
  assert_non_null(launch_on(&app, "k", world_cpu_device()));
  assert_string_equal(world_asked, "file_app2.so:;file_lib.so:file_f");
  made_close(&app);
  made_close(&lib);
  tn_image_close(file);
}

// Without a dynamic linker: the order of registration.
static void test_static_programs(void **state) {
  (void)state;
  tn_module modules[3];
  const image_maker images[3] = {{.kernels = {"k"}, .imports = {"static_f"}},
                                 {.exports = {"static_f"}},
                                 {.code = "other", .exports = {"static_f"}}};
  for (size_t i = 0; i < 3; i++) {
    maker_register(&modules[i], &images[i], 1);
  }
  tn_registered *registered = tn_registry_find(&modules[0]);
  for (int asks_loader = 0; asks_loader < 2; asks_loader++) {
    tn_link_set set;
    tn_link_owner *owner = NULL;
    tn_link_set_init(&set, asks_loader == 1);
    assert_int_equal(tn_link_set_open(&set, registered, &owner, NULL), TN_OK);
    const tn_status status = tn_link_set_collect(&set, owner, 0, NULL);
    assert_int_equal(status, asks_loader == 1 ? TN_BUILD_FAILED : TN_OK);
    if (status == TN_OK) {
      assert_int_equal(set.members.count, 2);
      assert_ptr_equal(tn_registered_address(tn_link_set_at(&set, 1)->owner->registered),
                       &modules[1]);
    }
    tn_link_set_deinit(&set);
  }
  tn_registered_release(registered);
  for (size_t i = 0; i < 3; i++) {
    maker_unregister(&modules[i]);
  }
}

int main(void) {
  world_environment();
  world_set_compiler();
#define LINK_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
  const struct CMUnitTest tests[] = {
      LINK_TEST(test_unresolved_is_explained),
      LINK_TEST(test_weak_imports_may_stay_open),
      LINK_TEST(test_local_libraries_are_not_seen),
      LINK_TEST(test_needed_libraries_are_seen),
      LINK_TEST(test_chain_of_four),
      LINK_TEST(test_the_first_definition_wins),
      LINK_TEST(test_own_images),
      LINK_TEST(test_unregistered_providers_are_named),
      LINK_TEST(test_other_targets_are_named),
      LINK_TEST(test_damaged_providers_are_named),
      LINK_TEST(test_kernels_of_providers_are_shared),
      LINK_TEST(test_kernels_of_providers_keep_their_scope),
      LINK_TEST(test_files_come_last),
      LINK_TEST(test_static_programs),
  };
  return cmocka_run_group_tests_name("resolve", tests, world_begin_with_compiler,
                                     world_end_with_compiler);
}
