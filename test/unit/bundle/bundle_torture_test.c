// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All that bundles do, with each fallible event failing in turn, and from many threads while
// modules come and go: no leak, no crash, a status with words. And how it grows with many kernels.
#include "run/bundle/bundle.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "unit/bundle/bundle_world.h"

#define OF(id) "_ZTS" TN_SPEC_TYPE_PREFIX id

static const image_maker app_images[] = {
    {BITCODE, .kernels = {"add", "own@0000000000000007"}, .imports = {"given"},
     .specs = {{OF("number"), 3}}},
    {BITCODE, .kernels = {"heavy"}, NEEDS_FP64},
    {.target = "native_cpu", .kernels = {"scale"}},
};
static const image_maker lib_image = {BITCODE, .kernels = {"library"}, .exports = {"given"}};

static tn_module app;
static tn_module lib;

// Everything that is made on the way, in the order of its making.
typedef struct journey {
  tn_kernel_id *id;
  tn_kernel_id *all[8];
  tn_bundle *bundles[6];
  tn_kernel *kernels[2];
} journey;

static int keep_all(void *user, tn_bundle_image *image) {
  (void)user;
  return tn_bundle_image_kernel_count(image) > 0;
}

static tn_status travel_to_objects(journey *j, tn_diag *diag) {
  const tn_kernel_slot slot = {.module = &app, .name = "own", .unit_id = 7};
  const uint32_t number = 30;
  const tn_spec_value value = {OF("number"), 7, &number, sizeof(number)};
  tn_bundle_query query = bundle_query(TN_BUNDLE_INPUT);
  size_t count = 0;
  int found = 0;
  TN_TRY(tn_kernel_id_from_slot(&slot, &j->id, diag));
  TN_TRY(tn_kernel_id_list(j->all, TN_COUNT(j->all), &count, diag));
  TN_TRY(tn_kernel_ids_are_compatible(j->all, count, with_fp64, &found, diag));
  TN_TRY(tn_bundle_exists(&query, &found, diag));
  query.select = keep_all;
  TN_TRY(tn_bundle_get(&query, &j->bundles[0], diag));
  query.has_ids = 1;
  query.ids = &j->id;
  query.id_count = 1;
  TN_TRY(tn_bundle_exists(&query, &found, diag));
  TN_TRY(tn_bundle_get(&query, &j->bundles[1], diag));
  TN_TRY(tn_bundle_set_spec(j->bundles[0], &value, diag));
  TN_TRY(tn_bundle_join(&j->bundles[0], 2, &j->bundles[2], diag));
  return tn_bundle_compile(j->bundles[0], pair, 2, &j->bundles[3], diag);
}

static tn_status travel(journey *j, tn_diag *diag) {
  const tn_kernel_slot slot = {.module = &app, .name = "own", .unit_id = 7};
  tn_bundle_query query = bundle_query(TN_BUNDLE_EXECUTABLE);
  uint64_t group = 0;
  TN_TRY(travel_to_objects(j, diag));
  TN_TRY(tn_bundle_link(&j->bundles[3], 1, NULL, 0, &j->bundles[4], diag));
  TN_TRY(tn_bundle_get_slot(j->bundles[4], &slot, without_fp64, &j->kernels[0], diag));
  TN_TRY(tn_bundle_get_kernel(j->bundles[4], j->id, with_fp64, &j->kernels[1], diag));
  TN_TRY(tn_kernel_get_info(j->kernels[0], TN_KERNEL_INFO_COMPILE_SUB_GROUP_SIZE, &group,
                            sizeof(group), NULL, diag));
  // The application's other kernels, which import nothing: "heavy" and "scale".
  tn_kernel_id *const two[] = {j->all[1], j->all[3]};
  query.has_ids = 1;
  query.ids = two;
  query.id_count = 2;
  return tn_bundle_get(&query, &j->bundles[5], diag);
}

static void end_journey(const journey *j) {
  tn_kernel_id_release(j->id);
  for (size_t i = 0; i < TN_COUNT(j->all); i++) {
    tn_kernel_id_release(j->all[i]);
  }
  for (size_t i = 0; i < TN_COUNT(j->bundles); i++) {
    tn_bundle_release(j->bundles[i]);
  }
  for (size_t i = 0; i < TN_COUNT(j->kernels); i++) {
    tn_kernel_release(j->kernels[i]);
  }
}

static void test_faults(void **state) {
  (void)state;
  bool passed = false;
  int failures = 0;
  for (int64_t n = 0; !passed; n++) {
    assert_true(n < 5000);
    const int64_t live = tn_alloc_live();
    maker_register(&app, app_images, TN_COUNT(app_images));
    maker_register(&lib, &lib_image, 1);
    journey j = {0};
    tn_diag diag = {0};
    tn_fault_arm(n);
    const tn_status status = travel(&j, &diag);
    passed = !tn_fault_fired();
    tn_fault_arm(-1);
    failures += status != TN_OK;
    assert_true(status == TN_OK || (diag.code == (int32_t)status && diag.text[0] != '\0'));
    if (passed && status != TN_OK) {
      fail_msg("%s", diag.text);
    }
    end_journey(&j);
    maker_unregister(&app);
    maker_unregister(&lib);
    bundle_check_clean(live);
  }
  assert_true(failures > 200);
}

enum { THREADS = 6, ROUNDS = 40 };
static tn_bundle *shared_input;
static tn_bundle *shared_executable;
static _Atomic int wrong;

// All use the same bundles: values are set and read, kernels are found.
static void *use_shared(void *arg) {
  const uint64_t unit = (uint64_t)(uintptr_t)arg;
  for (uint32_t i = 1; i <= ROUNDS; i++) {
    const tn_spec_value shared = {OF("number"), unit, &i, sizeof(i)};
    const tn_spec_value own = {OF("L_ZL4mineE"), unit, &i, sizeof(i)};
    uint32_t number = 0;
    wrong += tn_bundle_set_spec(shared_input, &shared, NULL) != TN_OK ||
             tn_bundle_set_spec(shared_input, &own, NULL) != TN_OK;
    wrong += !tn_bundle_get_spec(shared_input, OF("L_ZL4mineE"), unit, &number, 4) || number != i;
    wrong += !tn_bundle_get_spec(shared_input, OF("number"), unit, &number, 4) || number == 0;
    tn_bundle *object = NULL;
    tn_kernel *kernel = NULL;
    wrong += tn_bundle_compile(shared_input, NULL, 0, &object, NULL) != TN_OK;
    for (size_t k = 0; k < tn_bundle_kernel_count(shared_executable); k++) {
      tn_kernel_id *id = tn_bundle_kernel_id_at(shared_executable, k);
      wrong += tn_bundle_get_kernel(shared_executable, id, with_fp64, &kernel, NULL) != TN_OK ||
               strcmp(tn_kernel_name(kernel), tn_kernel_id_name(id)) != 0;
      tn_kernel_release(kernel);
    }
    tn_bundle_release(object);
  }
  return NULL;
}

// A module comes, is asked for by all means, and goes while its bundle is still used.
static void *come_and_go(void *arg) {
  (void)arg;
  for (int i = 0; i < ROUNDS; i++) {
    tn_module module;
    maker_register(&module, &lib_image, 1);
    const tn_kernel_slot slot = {.module = &module, .name = "library"};
    tn_kernel_id *id = NULL;
    tn_bundle *bundle = NULL;
    tn_kernel *kernel = NULL;
    tn_bundle_query query = bundle_query(TN_BUNDLE_EXECUTABLE);
    query.has_ids = 1;
    query.ids = &id;
    query.id_count = 1;
    int found = 0;
    wrong += tn_kernel_id_from_slot(&slot, &id, NULL) != TN_OK ||
             tn_bundle_get(&query, &bundle, NULL) != TN_OK ||
             tn_bundle_get_slot(bundle, &slot, without_fp64, &kernel, NULL) != TN_OK;
    tn_kernel_release(kernel);
    query.has_ids = 0;
    wrong += tn_bundle_exists(&query, &found, NULL) != TN_OK || found == 0;
    tn_unregister_module(&module);
    tn_free((void *)(uintptr_t)module.fatbin);
    tn_program_reap();
    wrong += tn_bundle_get_kernel(bundle, id, with_fp64, &kernel, NULL) != TN_OK;
    tn_kernel_release(kernel);
    tn_bundle_release(bundle);
    tn_kernel_id_release(id);
  }
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  maker_register(&lib, &lib_image, 1);
  tn_bundle *object = NULL;
  shared_input = bundle_of_state(TN_BUNDLE_INPUT);
  assert_int_equal(tn_bundle_compile(shared_input, NULL, 0, &object, NULL), TN_OK);
  assert_int_equal(tn_bundle_link(&object, 1, NULL, 0, &shared_executable, NULL), TN_OK);
  tn_bundle_release(object);
  tn_thread threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(tn_thread_create(&threads[i], "torture", i % 2 == 0 ? use_shared : come_and_go,
                                      (void *)(uintptr_t)(i + 1), NULL),
                     TN_OK);
  }
  for (size_t i = 0; i < THREADS; i++) {
    tn_thread_join(threads[i]);
  }
  assert_int_equal(wrong, 0);
  tn_bundle_release(shared_input);
  tn_bundle_release(shared_executable);
  maker_unregister(&app);
  maker_unregister(&lib);
  bundle_check_clean(live);
}

enum { MANY = 400, NAME_SIZE = 24 };

// Hundreds of modules and kernels. That nothing is looked through for each of them is seen in the
// time that it takes; that only what is asked for is read, in what is allocated.
static void test_many(void **state) {
  (void)state;
  static tn_module modules[MANY];
  static char names[MANY][NAME_SIZE];
  static tn_kernel_id *ids[MANY];
  const int64_t live = tn_alloc_live();
  for (size_t i = 0; i < MANY; i++) {
    (void)snprintf(names[i], NAME_SIZE, "kernel_%zu", i);
    const image_maker image = {BITCODE, .kernels = {names[i]}};
    maker_register(&modules[i], &image, 1);
  }
  tn_bundle_query query = bundle_query(TN_BUNDLE_INPUT);
  tn_kernel_id *last = bundle_id_of(&modules[MANY - 1], names[MANY - 1]);
  query.has_ids = 1;
  query.ids = &last;
  query.id_count = 1;
  const uint64_t before = tn_alloc_count();
  tn_bundle *bundle = bundle_must_get(&query);
  assert_true(tn_alloc_count() - before < 64);
  assert_int_equal(tn_bundle_kernel_count(bundle), 1);
  tn_bundle_release(bundle);
  bundle = bundle_of_state(TN_BUNDLE_INPUT);
  assert_int_equal(tn_bundle_kernel_count(bundle), MANY);
  for (size_t i = 0; i < MANY; i++) {
    ids[i] = bundle_id_of(&modules[i], names[i]);
    assert_true(tn_bundle_has_kernel(bundle, ids[i], with_fp64));
    assert_ptr_equal(tn_bundle_kernel_id_at(bundle, i), ids[i]);
  }
  tn_bundle_release(bundle);
  tn_kernel_id_release(last);
  for (size_t i = 0; i < MANY; i++) {
    tn_kernel_id_release(ids[i]);
    maker_unregister(&modules[i]);
  }
  bundle_check_clean(live);
}

int main(void) {
  bundle_world_set_up();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_faults),
      cmocka_unit_test(test_threads),
      cmocka_unit_test(test_many),
  };
  return cmocka_run_group_tests_name("bundle_torture", tests, bundle_world_begin, bundle_world_end);
}
