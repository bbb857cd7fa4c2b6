// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bundles from bundles: join, compile, link and build; what constants' values do on the way; and
// the kernels that come out, also when their module is gone.
#include "run/bundle/bundle.h"
#include "run/registry/registry.h"

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
    {BITCODE, .kernels = {"add"}, .imports = {"given"},
     .specs = {{OF("shared"), 3}, {OF("own@0000000000000007"), 4}}},
    {BITCODE, .kernels = {"heavy"}, NEEDS_FP64},
};
static const image_maker lib_image = {BITCODE, .kernels = {"library"}, .exports = {"given"},
                                      .specs = {{OF("libs"), 5}}};

static tn_module app;
static tn_module lib;

static tn_bundle *get_of(int32_t state, const tn_module *module, const char *kernel) {
  tn_kernel_id *id = bundle_id_of(module, kernel);
  tn_bundle_query query = bundle_query(state);
  query.has_ids = 1;
  query.ids = &id;
  query.id_count = 1;
  tn_bundle *bundle = bundle_must_get(&query);
  tn_kernel_id_release(id);
  return bundle;
}

static void set(tn_bundle *bundle, const char *name, uint64_t unit_id, uint32_t number) {
  const tn_spec_value value = {name, unit_id, &number, sizeof(number)};
  tn_diag diag = {0};
  if (tn_bundle_set_spec(bundle, &value, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
}

// 0 when it was not set.
static uint32_t get(const tn_bundle *bundle, const char *name, uint64_t unit_id) {
  uint32_t number = 0;
  const int found = tn_bundle_get_spec(bundle, name, unit_id, &number, sizeof(number));
  assert_int_equal(found, number != 0);
  return number;
}

static void test_join(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  maker_register(&lib, &lib_image, 1);
  tn_bundle *all = bundle_of_state(TN_BUNDLE_INPUT);
  tn_bundle *add = get_of(TN_BUNDLE_INPUT, &app, "add");
  tn_bundle *library = get_of(TN_BUNDLE_INPUT, &lib, "library");
  tn_bundle *joined = NULL;
  tn_bundle *const parts[] = {library, add, library, all};
  assert_int_equal(tn_bundle_join(parts, 4, &joined, NULL), TN_OK);
  assert_int_equal(tn_bundle_image_count(joined), 3);  // equal ones once
  assert_int_equal(tn_bundle_kernel_count(joined), 3);
  assert_int_equal(tn_bundle_state(joined), TN_BUNDLE_INPUT);
  assert_int_equal(tn_bundle_device_count(joined), 2);
  // Images with different values are different, and each keeps its own.
  set(add, OF("shared"), 1, 30);
  set(joined, OF("libs"), 1, 50);
  assert_int_equal(get(joined, OF("shared"), 1), 0);
  tn_bundle *const again[] = {add, joined};
  tn_bundle *both = NULL;
  assert_int_equal(tn_bundle_join(again, 2, &both, NULL), TN_OK);
  assert_int_equal(tn_bundle_image_count(both), 4);
  assert_int_equal(tn_bundle_kernel_count(both), 3);
  assert_int_equal(get(both, OF("shared"), 1), 30);
  assert_int_equal(get(both, OF("libs"), 1), 50);
  tn_bundle_release(both);
  // What is set in the union holds for all, and not for what it was made of.
  tn_bundle *const pair_of[] = {add, all};
  assert_int_equal(tn_bundle_join(pair_of, 2, &both, NULL), TN_OK);
  set(both, OF("shared"), 1, 31);
  tn_bundle *const alone[] = {both, both};
  tn_bundle *same = NULL;
  assert_int_equal(tn_bundle_join(alone, 2, &same, NULL), TN_OK);
  assert_int_equal(tn_bundle_image_count(same), 3);
  assert_int_equal(get(same, OF("shared"), 1), 31);
  assert_int_equal(get(add, OF("shared"), 1), 30);
  tn_bundle *const held[] = {all, add, library, joined, both, same};
  for (size_t i = 0; i < TN_COUNT(held); i++) {
    tn_bundle_release(held[i]);
  }
  maker_unregister(&app);
  maker_unregister(&lib);
  bundle_check_clean(live);
}

// Executable ones with what was built of them: equal ones once, and no build.
static void test_join_of_executables(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  maker_register(&lib, &lib_image, 1);
  tn_bundle *input = get_of(TN_BUNDLE_INPUT, &lib, "library");
  tn_bundle *first = get_of(TN_BUNDLE_EXECUTABLE, &lib, "library");
  tn_bundle *second = get_of(TN_BUNDLE_EXECUTABLE, &lib, "library");
  tn_bundle *third = NULL;
  set(input, OF("libs"), 1, 50);
  assert_int_equal(tn_bundle_build(input, NULL, 0, &third, NULL), TN_OK);
  world_builds = 0;
  tn_bundle *joined = NULL;
  tn_bundle *const parts[] = {first, second, third};
  assert_int_equal(tn_bundle_join(parts, 3, &joined, NULL), TN_OK);
  assert_int_equal(world_builds, 0);
  assert_int_equal(tn_bundle_image_count(joined), 2);
  assert_int_equal(tn_bundle_kernel_count(joined), 1);
  tn_kernel *kernel = NULL;
  assert_int_equal(
      tn_bundle_get_kernel(joined, tn_bundle_kernel_id_at(joined, 0), with_fp64, &kernel, NULL),
      TN_OK);
  tn_kernel_release(kernel);
  tn_bundle *const held[] = {input, first, second, third, joined};
  for (size_t i = 0; i < TN_COUNT(held); i++) {
    tn_bundle_release(held[i]);
  }
  maker_unregister(&app);
  maker_unregister(&lib);
  bundle_check_clean(live);
}

static void test_failures(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  maker_register(&lib, &lib_image, 1);
  tn_bundle *out = NULL;
  tn_context *other_context = NULL;
  assert_int_equal(tn_context_create(pair, 2, &other_context, NULL), TN_OK);
  tn_bundle_query query = bundle_query(TN_BUNDLE_INPUT);
  tn_bundle *input = bundle_must_get(&query);
  query.device_count = 1;
  tn_bundle *few = bundle_must_get(&query);
  query.context = other_context;
  tn_bundle *foreign = bundle_must_get(&query);
  tn_bundle *object = bundle_of_state(TN_BUNDLE_OBJECT);
  query = bundle_query(TN_BUNDLE_OBJECT);
  query.devices = &without_fp64;
  query.device_count = 1;
  tn_bundle *elsewhere = bundle_must_get(&query);
  assert_fails(tn_bundle_join(NULL, 0, &out, why), TN_INVALID_ARGUMENT,
               "joining kernel bundles: there are no kernel bundles");
  tn_bundle *parts[] = {input, NULL};
  assert_fails(tn_bundle_join(parts, 2, &out, why), TN_INVALID_ARGUMENT,
               "joining kernel bundles: kernel bundle 1 is NULL");
  parts[1] = foreign;
  assert_fails(tn_bundle_join(parts, 2, &out, why), TN_INVALID_ARGUMENT,
               "joining kernel bundles: kernel bundle 1 is of another context than the first");
  parts[1] = few;
  assert_fails(tn_bundle_join(parts, 2, &out, why), TN_INVALID_ARGUMENT,
               "joining kernel bundles: kernel bundle 1 is for other devices than the first");
  parts[1] = object;
  assert_fails(
      tn_bundle_join(parts, 2, &out, why), TN_INVALID_ARGUMENT,
      "joining kernel bundles: kernel bundle 1 is in state object, but state input is needed");
  assert_fails(
      tn_bundle_link(parts, 2, NULL, 0, &out, why), TN_INVALID_ARGUMENT,
      "linking kernel bundles: kernel bundle 0 is in state input, but state object is needed");
  assert_fails(
      tn_bundle_compile(object, pair, 2, &out, why), TN_INVALID_ARGUMENT,
      "compiling a kernel bundle: kernel bundle 0 is in state object, but state input is needed");
  assert_fails(tn_bundle_build(input, pair, 0, &out, why), TN_INVALID_ARGUMENT,
               "building a kernel bundle: there are no devices");
  assert_fails(tn_bundle_build(few, pair, 2, &out, why), TN_INVALID_ARGUMENT,
               "building a kernel bundle: device Mock 1 is not one of the kernel bundle's");
  assert_fails(tn_bundle_compile(input, &plain, 1, &out, why), TN_INVALID_ARGUMENT,
               "compiling a kernel bundle: device Double CPU is not one of the kernel bundle's");
  tn_device *const nothing[] = {NULL};
  assert_fails(tn_bundle_compile(input, nothing, 1, &out, why), TN_INVALID_ARGUMENT,
               "compiling a kernel bundle: device 0 is NULL");
  tn_bundle *objects[] = {object, elsewhere};
  assert_fails(
      tn_bundle_link(objects, 2, pair, 2, &out, why), TN_INVALID_ARGUMENT,
      "linking kernel bundles: device Mock 0 is not one of the kernel bundle's, or not of all of "
      "them");
  tn_bundle *compiled = NULL;
  assert_int_equal(tn_bundle_compile(input, &with_fp64, 1, &compiled, NULL), TN_OK);
  objects[0] = compiled;
  assert_fails(tn_bundle_link(objects, 2, NULL, 0, &out, why), TN_INVALID_ARGUMENT,
               "linking kernel bundles: there are no devices that all kernel bundles have");
  assert_null(out);
  tn_bundle *const held[] = {input, few, foreign, object, elsewhere, compiled};
  for (size_t i = 0; i < TN_COUNT(held); i++) {
    tn_bundle_release(held[i]);
  }
  tn_context_release(other_context);
  maker_unregister(&app);
  maker_unregister(&lib);
  bundle_check_clean(live);
}

// One image with what it imports, which only the other bundle gives.
static void test_link(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  maker_register(&lib, &lib_image, 1);
  tn_bundle *input = get_of(TN_BUNDLE_INPUT, &app, "add");
  tn_bundle *library = get_of(TN_BUNDLE_INPUT, &lib, "library");
  set(input, OF("own"), 7, 40);
  set(library, OF("libs"), 1, 50);
  tn_bundle *objects[2] = {NULL, NULL};
  world_builds = 0;
  assert_int_equal(tn_bundle_compile(input, pair, 2, &objects[0], NULL), TN_OK);
  assert_int_equal(tn_bundle_compile(library, pair, 2, &objects[1], NULL), TN_OK);
  assert_int_equal(tn_bundle_state(objects[0]), TN_BUNDLE_OBJECT);
  assert_int_equal(get(objects[0], OF("own"), 7), 40);
  assert_int_equal(world_builds, 0);
  tn_bundle *out = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_bundle_link(objects, 1, NULL, 0, &out, &diag), TN_BUILD_FAILED);
  assert_non_null(strstr(diag.text, "given"));
  // A kernel of another module that was loaded afterwards makes no difference.
  tn_device *const twice[] = {with_fp64, with_fp64};
  assert_int_equal(tn_bundle_link(objects, 2, twice, 2, &out, NULL), TN_OK);
  assert_int_equal(tn_bundle_state(out), TN_BUNDLE_EXECUTABLE);
  assert_int_equal(tn_bundle_device_count(out), 1);
  assert_int_equal(tn_bundle_kernel_count(out), 2);
  assert_int_equal(world_builds, 2);
  tn_bundle_release(out);
  tn_bundle *const only[] = {objects[1], objects[0]};
  assert_int_equal(tn_bundle_link(only, 2, NULL, 0, &out, NULL), TN_OK);
  assert_int_equal(tn_bundle_device_count(out), 2);
  // The last that was built is the importer, with its own value and the library's.
  assert_string_equal(world_specs,
                      ":" OF("libs") "=32000000," OF("own@0000000000000007") "=28000000");
  assert_non_null(strstr(world_asked, "given"));
  assert_int_equal(get(out, OF("libs"), 1), 50);
  assert_int_equal(get(out, OF("own"), 7), 40);
  assert_int_equal(get(out, OF("own"), 8), 0);
  tn_bundle_release(out);
  // The same kernel with two values cannot be in one program.
  tn_bundle *other = NULL;
  set(library, OF("libs"), 1, 51);
  assert_int_equal(tn_bundle_compile(library, NULL, 0, &other, NULL), TN_OK);
  tn_bundle *const three[] = {objects[0], objects[1], other};
  assert_fails(
      tn_bundle_link(three, 3, NULL, 0, &out, why), TN_INVALID_ARGUMENT,
      "linking kernel bundles: kernel library is in two of the kernel bundles, with different "
      "values of specialization constants: link them one by one");
  tn_bundle *const equal[] = {objects[0], objects[1], objects[0], objects[1]};
  assert_int_equal(tn_bundle_link(equal, 4, NULL, 0, &out, NULL), TN_OK);
  assert_int_equal(tn_bundle_image_count(out), 2);
  tn_bundle *const held[] = {input, library, objects[0], objects[1], other, out};
  for (size_t i = 0; i < TN_COUNT(held); i++) {
    tn_bundle_release(held[i]);
  }
  maker_unregister(&app);
  maker_unregister(&lib);
  bundle_check_clean(live);
}

static void test_build_for_some_devices(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, &app_images[1], 1);
  maker_register(&lib, &lib_image, 1);
  tn_bundle *input = bundle_of_state(TN_BUNDLE_INPUT);
  tn_bundle *out = NULL;
  assert_int_equal(tn_bundle_kernel_count(input), 2);
  // Kernels that none of the devices can run are not in the new bundle.
  assert_int_equal(tn_bundle_compile(input, &without_fp64, 1, &out, NULL), TN_OK);
  assert_int_equal(tn_bundle_kernel_count(out), 1);
  tn_bundle_release(out);
  assert_int_equal(tn_bundle_build(input, &without_fp64, 1, &out, NULL), TN_OK);
  assert_int_equal(tn_bundle_kernel_count(out), 1);
  assert_string_equal(tn_kernel_id_name(tn_bundle_kernel_id_at(out, 0)), "library");
  tn_bundle_release(out);
  assert_int_equal(tn_bundle_build(input, NULL, 0, &out, NULL), TN_OK);
  assert_int_equal(tn_bundle_kernel_count(out), 2);
  tn_bundle_release(out);
  tn_bundle_release(input);
  maker_unregister(&app);
  maker_unregister(&lib);
  // What the compiler refuses.
  maker_register(&app, app_images, 1);
  input = bundle_of_state(TN_BUNDLE_INPUT);
  tn_diag diag = {0};
  assert_int_equal(tn_bundle_build(input, NULL, 0, &out, &diag), TN_BUILD_FAILED);
  assert_null(out);
  assert_true(diag.text[0] != '\0');
  tn_bundle_release(input);
  maker_unregister(&app);
  bundle_check_clean(live);
}

static void test_specs(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  tn_bundle *input = bundle_of_state(TN_BUNDLE_INPUT);
  assert_true(tn_bundle_has_specs(input) && tn_bundle_specs_are_native(input));
  assert_true(tn_bundle_has_spec(input, OF("shared"), 1));
  assert_true(tn_bundle_has_spec(input, TN_SPEC_TYPE_PREFIX "shared", 2));
  assert_true(tn_bundle_has_spec(input, OF("own"), 7));
  assert_false(tn_bundle_has_spec(input, OF("own"), 8));
  assert_false(tn_bundle_has_spec(input, OF("none"), 7));
  const tn_bundle_image *image = tn_bundle_image_at(input, 0);
  assert_true(tn_bundle_image_has_specs(image) && tn_bundle_image_specs_are_native(image));
  assert_true(tn_bundle_image_has_spec(image, OF("own"), 7));
  image = tn_bundle_image_at(input, 1);
  assert_false(tn_bundle_image_has_specs(image));
  assert_false(tn_bundle_image_has_spec(image, OF("own"), 7));
  assert_int_equal(get(input, OF("shared"), 1), 0);
  set(input, TN_SPEC_TYPE_PREFIX "shared", 1, 30);
  assert_int_equal(get(input, OF("shared"), 2), 30);  // all units share it
  set(input, OF("shared"), 3, 31);
  assert_int_equal(get(input, TN_SPEC_TYPE_PREFIX "shared", 1), 31);
  set(input, OF("own"), 7, 40);
  set(input, OF("own"), 8, 41);  // another unit's, in no image
  assert_int_equal(get(input, OF("own"), 7), 40);
  // What no image has is kept all the same; what looks as if without linkage is its unit's.
  set(input, OF("none"), 1, 60);
  assert_int_equal(get(input, OF("none"), 2), 60);
  set(input, OF("L_ZL4mineE"), 1, 70);
  assert_int_equal(get(input, OF("L_ZL4mineE"), 1), 70);
  assert_int_equal(get(input, OF("L_ZL4mineE"), 2), 0);
  uint64_t wide = 0;
  assert_false(tn_bundle_get_spec(input, OF("shared"), 1, &wide, sizeof(wide)));
  const tn_spec_value wrong = {OF("shared"), 1, &wide, sizeof(wide)};
  assert_fails(tn_bundle_set_spec(input, &wrong, why), TN_INVALID_ARGUMENT,
               "specialization constant " OF("shared") ": its type has 4 bytes in device code, but "
               "the value has 8; host and device code were compiled from different sources");
  const tn_spec_value empty = {OF("shared"), 1, NULL, 4};
  assert_fails(tn_bundle_set_spec(input, &empty, why), TN_INVALID_ARGUMENT,
               "tn_bundle_set_spec: the constant's value is NULL");
  const tn_spec_value nameless = {"", 1, &wide, 4};
  assert_fails(tn_bundle_set_spec(input, &nameless, why), TN_INVALID_ARGUMENT,
               "tn_bundle_set_spec: the constant's name is empty");
  const tn_spec_value sizeless = {OF("shared"), 1, &wide, 0};
  assert_fails(tn_bundle_set_spec(input, &sizeless, why), TN_INVALID_ARGUMENT,
               "tn_bundle_set_spec: the constant's value is empty");
  tn_bundle_release(input);
  tn_bundle *object = bundle_of_state(TN_BUNDLE_OBJECT);
  const tn_spec_value late = {OF("shared"), 1, &wide, 4};
  assert_fails(tn_bundle_set_spec(object, &late, why), TN_INVALID_ARGUMENT,
               "specialization constants are set in a kernel bundle in state input, not object");
  tn_bundle_release(object);
  maker_unregister(&app);
  maker_register(&app, &app_images[1], 1);
  input = bundle_of_state(TN_BUNDLE_INPUT);
  assert_false(tn_bundle_has_specs(input) || tn_bundle_specs_are_native(input));
  tn_bundle_release(input);
  maker_unregister(&app);
  bundle_check_clean(live);
}

static void test_kernels(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, &app_images[1], 1);
  maker_register(&lib, &lib_image, 1);
  tn_bundle *input = bundle_of_state(TN_BUNDLE_INPUT);
  tn_bundle *bundle = bundle_of_state(TN_BUNDLE_EXECUTABLE);
  tn_bundle *small = get_of(TN_BUNDLE_EXECUTABLE, &lib, "library");
  tn_kernel_id *heavy = bundle_id_of(&app, "heavy");
  tn_kernel_slot slot = {.module = &app, .name = "heavy"};
  tn_kernel *kernels[3] = {NULL};
  assert_int_equal(tn_bundle_get_kernel(bundle, heavy, with_fp64, &kernels[0], NULL), TN_OK);
  assert_int_equal(tn_bundle_get_kernel(bundle, heavy, with_fp64, &kernels[1], NULL), TN_OK);
  assert_int_equal(tn_bundle_get_slot(bundle, &slot, with_fp64, &kernels[2], NULL), TN_OK);
  assert_ptr_equal(kernels[0], kernels[1]);  // found once
  assert_ptr_equal(kernels[0], kernels[2]);
  assert_string_equal(tn_kernel_name(kernels[0]), "heavy");
  assert_int_equal(tn_kernel_arg_size(kernels[0]), 8);
  for (size_t i = 0; i < TN_COUNT(kernels); i++) {
    tn_kernel_release(kernels[i]);
  }
  tn_kernel *kernel = NULL;
  assert_fails(tn_bundle_get_kernel(bundle, heavy, without_fp64, &kernel, why), TN_KERNEL_NOT_FOUND,
               "kernel heavy needs aspect::fp64, which device Mock 1 does not have");
  assert_fails(
      tn_bundle_get_kernel(bundle, heavy, plain, &kernel, why), TN_INVALID_ARGUMENT,
      "device Double CPU, for which a kernel is asked for, is none of the kernel bundle's");
  assert_fails(tn_bundle_get_kernel(small, heavy, with_fp64, &kernel, why), TN_INVALID_ARGUMENT,
               "kernel heavy is not in the kernel bundle");
  assert_fails(tn_bundle_get_kernel(input, heavy, with_fp64, &kernel, why), TN_INVALID_ARGUMENT,
               "kernels are had from a kernel bundle in state executable, not input");
  assert_fails(tn_bundle_get_kernel(bundle, NULL, with_fp64, &kernel, why), TN_INVALID_ARGUMENT,
               "tn_bundle_get_kernel: the kernel id is NULL");
  static const char missing[] =
      "kernel heavy is not in the kernel bundle that is used for its launch";
  assert_fails(tn_bundle_get_slot(small, &slot, with_fp64, &kernel, why), TN_KERNEL_NOT_FOUND,
               missing);
  slot.module = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_bundle_get_slot(bundle, &slot, with_fp64, &kernel, &diag),
                   TN_KERNEL_NOT_FOUND);
  assert_ptr_equal(strstr(diag.text, missing), diag.text);
  slot.name = NULL;
  assert_fails(tn_bundle_get_slot(bundle, &slot, with_fp64, &kernel, why), TN_INVALID_ARGUMENT,
               "tn_bundle_get_slot: the slot's name is NULL");
  assert_null(kernel);
  tn_kernel_id_release(heavy);
  tn_bundle *const held[] = {input, bundle, small};
  for (size_t i = 0; i < TN_COUNT(held); i++) {
    tn_bundle_release(held[i]);
  }
  maker_unregister(&app);
  maker_unregister(&lib);
  bundle_check_clean(live);
}

// The bundle has a kernel of the name, but of another module.
static void test_namesakes(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, &app_images[1], 1);
  maker_register(&lib, &app_images[1], 1);
  tn_bundle *bundle = get_of(TN_BUNDLE_EXECUTABLE, &lib, "heavy");
  tn_kernel_id *heavy = bundle_id_of(&app, "heavy");
  const tn_kernel_slot slot = {.module = &app, .name = "heavy"};
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  tn_buf path;
  tn_buf_init(&path, 8192);
  tn_registered *registered = tn_registry_find(&lib);
  tn_registered_path(registered, &path);
  tn_registered_release(registered);
  assert_int_equal(tn_bundle_get_kernel(bundle, heavy, with_fp64, &kernel, &diag),
                   TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text,
                         "kernel heavy is not in the kernel bundle, which has the "
                         "kernel of this name of "));
  assert_non_null(strstr(diag.text, tn_buf_text(&path)));
  assert_int_equal(tn_bundle_get_slot(bundle, &slot, with_fp64, &kernel, &diag),
                   TN_KERNEL_NOT_FOUND);
  assert_non_null(strstr(diag.text, "for its launch, which has the kernel of this name of "));
  maker_unregister(&lib);
  assert_fails(tn_bundle_get_kernel(bundle, heavy, with_fp64, &kernel, why), TN_INVALID_ARGUMENT,
               "kernel heavy is not in the kernel bundle, which has the kernel of this name of a "
               "module that is unloaded");
  assert_null(kernel);
  tn_buf_deinit(&path);
  tn_kernel_id_release(heavy);
  tn_bundle_release(bundle);
  maker_unregister(&app);
  bundle_check_clean(live);
}

// A module may be unloaded at any time; bundles go on, to their last state.
static void test_modules_go(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  maker_register(&lib, &lib_image, 1);
  tn_bundle *input = bundle_of_state(TN_BUNDLE_INPUT);
  maker_unregister(&app);
  maker_unregister(&lib);
  tn_program_reap();
  set(input, OF("own"), 7, 40);
  tn_bundle *object = NULL;
  tn_bundle *out = NULL;
  tn_diag diag = {0};
  assert_int_equal(tn_bundle_compile(input, NULL, 0, &object, NULL), TN_OK);
  tn_bundle_release(input);
  if (tn_bundle_link(&object, 1, NULL, 0, &out, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  tn_bundle_release(object);
  assert_int_equal(tn_bundle_kernel_count(out), 3);
  for (size_t i = 0; i < 3; i++) {
    tn_kernel *kernel = NULL;
    tn_kernel_id *id = tn_bundle_kernel_id_at(out, i);
    assert_int_equal(tn_bundle_get_kernel(out, id, with_fp64, &kernel, NULL), TN_OK);
    assert_string_equal(tn_kernel_name(kernel), tn_kernel_id_name(id));
    tn_kernel_release(kernel);
  }
  tn_bundle_release(out);
  bundle_check_clean(live);
}

int main(void) {
  bundle_world_set_up();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_join),
      cmocka_unit_test(test_join_of_executables),
      cmocka_unit_test(test_failures),
      cmocka_unit_test(test_link),
      cmocka_unit_test(test_build_for_some_devices),
      cmocka_unit_test(test_specs),
      cmocka_unit_test(test_kernels),
      cmocka_unit_test(test_namesakes),
      cmocka_unit_test(test_modules_go),
  };
  return cmocka_run_group_tests_name("bundle_link", tests, bundle_world_begin, bundle_world_end);
}
