// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The whole path from loading libraries to kernels, with each fallible event failing in turn, and
// with many threads launching while libraries come and go: no leak, no crash, a status with words.
#include "run/program/program.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "unit/program/program_world.h"

#define BITCODE .target = "native_cpu", .format = TN_IMAGE_FORMAT_BITCODE

static const image_maker app_image = {BITCODE, .kernels = {"k", "j"}, .imports = {"t1", "weak:t9"}};
static const image_maker lib_images[2] = {
    {BITCODE, .kernels = {"l"}, .imports = {"t2"}, .exports = {"t1"}},
    {BITCODE, .code = "-", .exports = {"t2", "t3"}},
};

static void test_faults(void **state) {
  (void)state;
  made_library app;
  made_library libs[2];
  made_write(&app, world_folder, "fault_app.so", NULL, NULL);
  made_write(&libs[0], world_folder, "fault_lib0.so", lib_images[0].exports, NULL);
  made_write(&libs[1], world_folder, "fault_lib1.so", lib_images[1].exports, NULL);
  bool passed = false;
  int failures = 0;
  for (int64_t n = 0; !passed; n++) {
    assert_true(n < 1000);
    const int64_t live = tn_alloc_live();
    made_load(&libs[0], RTLD_GLOBAL, &lib_images[0], 1);
    made_load(&libs[1], RTLD_GLOBAL, &lib_images[1], 1);
    made_load(&app, RTLD_LOCAL, &app_image, 1);
    tn_unregister_module(libs[0].module);
    *app.slot = (tn_kernel_slot){.module = app.module, .name = "k", .unit_id = 3};
    tn_kernel_slot second = {.module = app.module, .name = "j"};
    tn_kernel_slot third = {.module = libs[0].module, .name = "l"};
    tn_kernel *kernel = NULL;
    tn_diag diag = {0};
    tn_fault_arm(n);
    tn_register_module(libs[0].module);
    tn_status status = tn_kernel_from_slot(app.slot, world_cpu_device(), &kernel, &diag);
    if (status == TN_OK) {
      status = tn_kernel_from_slot(&second, world_cpu_device(), &kernel, &diag);
    }
    if (status == TN_OK) {
      status = tn_kernel_from_slot(&third, world_cpu_device(), &kernel, &diag);
    }
    passed = !tn_fault_fired();
    tn_fault_arm(-1);
    failures += status != TN_OK;
    assert_true(status == TN_OK || (diag.code == (int32_t)status && diag.text[0] != '\0'));
    assert_true(!passed || status == TN_OK);
    made_close(&app);
    made_close(&libs[0]);
    made_close(&libs[1]);
    tn_program_reap();
    assert_int_equal(double_live, 0);
    assert_int_equal(tn_alloc_live(), live);
  }
  assert_true(failures > 20);
}

enum { PLUGINS = 3, LAUNCHERS = 3, ROUNDS = 60 };
static made_library shared_app;
static made_library shared_lib;
static made_library plugins[PLUGINS];
static _Atomic int wrong;

static void launch_checked(tn_kernel_slot *slot, const char *name) {
  tn_kernel *kernel = NULL;
  if (tn_kernel_from_slot(slot, world_cpu_device(), &kernel, NULL) != TN_OK ||
      strcmp(kernel->name, name) != 0 || strcmp(kernel->adapter_kernel->name, name) != 0) {
    wrong++;
  }
}

// A plug-in is loaded, launches its own kernel with a name that all plug-ins use, and goes.
static void *plug(void *arg) {
  made_library *plugin = arg;
  const image_maker image = {BITCODE, .kernels = {"same"}, .imports = {"t1"}};
  for (int i = 0; i < ROUNDS; i++) {
    made_load(plugin, RTLD_LOCAL, &image, 1);
    *plugin->slot = (tn_kernel_slot){.module = plugin->module, .name = "same"};
    launch_checked(plugin->slot, "same");
    made_close(plugin);
  }
  return NULL;
}

static void *launch_often(void *arg) {
  (void)arg;
  for (int i = 0; i < ROUNDS; i++) {
    tn_kernel_slot own = {.module = shared_app.module, .name = i % 2 == 0 ? "k" : "j"};
    tn_kernel *kernel = NULL;
    // The static slot, as launches do, and now and then the path behind it.
    launch_checked(shared_app.slot, "k");
    if (tn_kernel_slot_peek(shared_app.slot, world_cpu_device()) == NULL) {
      wrong++;
    }
    tn_kernel_slot missing = own;
    missing.name = "missing";
    if (tn_kernel_from_slot(&missing, world_cpu_device(), &kernel, NULL) != TN_KERNEL_NOT_FOUND) {
      wrong++;
    }
    tn_program_reap();
  }
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  made_open(&shared_lib, world_folder, "thread_lib0.so", RTLD_GLOBAL, &lib_images[0], 1);
  made_library second;
  made_open(&second, world_folder, "thread_lib1.so", RTLD_GLOBAL, &lib_images[1], 1);
  made_open(&shared_app, world_folder, "thread_app.so", RTLD_LOCAL, &app_image, 1);
  *shared_app.slot = (tn_kernel_slot){.module = shared_app.module, .name = "k"};
  static const char *const names[PLUGINS] = {"plug0.so", "plug1.so", "plug2.so"};
  tn_thread threads[PLUGINS + LAUNCHERS];
  for (size_t i = 0; i < PLUGINS; i++) {
    made_write(&plugins[i], world_folder, names[i], NULL, NULL);
  }
  for (size_t i = 0; i < PLUGINS + LAUNCHERS; i++) {
    void *arg = i < PLUGINS ? &plugins[i] : NULL;
    assert_int_equal(
        tn_thread_create(&threads[i], "torture", i < PLUGINS ? plug : launch_often, arg, NULL),
        TN_OK);
  }
  for (size_t i = 0; i < PLUGINS + LAUNCHERS; i++) {
    tn_thread_join(threads[i]);
  }
  assert_int_equal(wrong, 0);
  made_close(&shared_app);
  made_close(&second);
  made_close(&shared_lib);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  assert_int_equal(tn_alloc_live(), live);
}

int main(void) {
  world_environment();
  world_set_compiler();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests_name("torture", tests, world_begin_with_compiler,
                                     world_end_with_compiler);
}
