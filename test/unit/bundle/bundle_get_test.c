// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel ids, which images a bundle has, and all that asking for one can be wrong about.
#include "run/bundle/bundle.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "unit/bundle/bundle_world.h"

// Bitcode of four kernels in three images, and machine code of one of them.
static const image_maker app_images[] = {
    {BITCODE, .kernels = {"add", "own@0000000000000007"}, .imports = {"weak:absent"}},
    {BITCODE, .kernels = {"heavy"}, NEEDS_FP64},
    {BITCODE, .kernels = {"scale"}, .exports = {"scaled"}},
    {.target = "native_cpu", .kernels = {"scale"}},
    {BITCODE, .exports = {"no_kernel"}},
    {.target = "spirv64", .format = TN_IMAGE_FORMAT_SPIRV, .kernels = {"add", "foreign"}},
};
static const image_maker lib_image = {.kernels = {"add", "plain"}};

static tn_module app;
static tn_module lib;

static void test_ids(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  maker_register(&lib, &lib_image, 1);
  tn_kernel_id *add = bundle_id_of(&app, "add");
  tn_kernel_id *again = bundle_id_of(&app, "add");
  tn_kernel_id *other = bundle_id_of(&lib, "add");  // a kernel belongs to the module that names it
  tn_kernel_id *own = bundle_id_of(&app, "own");
  assert_string_equal(tn_kernel_id_name(add), "add");
  assert_string_equal(tn_kernel_id_name(own), "own");
  assert_true(tn_kernel_id_equals(add, again) && !tn_kernel_id_equals(add, other));
  assert_true(!tn_kernel_id_equals(add, own));
  assert_int_equal(tn_kernel_id_hash(add), tn_kernel_id_hash(again));
  assert_int_not_equal(tn_kernel_id_hash(add), tn_kernel_id_hash(other));
  tn_kernel_id *all[8] = {NULL};
  size_t count = 0;
  static const char *const names[] = {"add", "foreign", "heavy", "own", "scale", "add", "plain"};
  assert_int_equal(tn_kernel_id_list(all, 8, &count, NULL), TN_OK);
  assert_int_equal(count, TN_COUNT(names));
  for (size_t i = 0; i < count; i++) {
    assert_string_equal(tn_kernel_id_name(all[i]), names[i]);
    tn_kernel_id_release(all[i]);
  }
  assert_ptr_equal(all[0], add);
  assert_int_equal(tn_kernel_id_list(all, 1, &count, NULL), TN_OK);  // how many there are
  assert_int_equal(count, TN_COUNT(names));
  tn_kernel_id_release(all[0]);
  tn_kernel_id_retain(add);
  tn_kernel_id_release(add);
  // Names stay when the module goes.
  maker_unregister(&app);
  assert_string_equal(tn_kernel_id_name(add), "add");
  assert_int_equal(tn_kernel_id_list(NULL, 0, &count, NULL), TN_OK);
  assert_int_equal(count, 2);
  tn_kernel_id *const held[] = {add, again, other, own, NULL};
  for (size_t i = 0; i < TN_COUNT(held); i++) {
    tn_kernel_id_release(held[i]);
  }
  maker_unregister(&lib);
  bundle_check_clean(live);
}

static void test_id_failures(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, 1);
  tn_kernel_id *id = NULL;
  tn_kernel_slot slot = {.module = &app, .name = "missing", .unit_id = 7};
  assert_fails(tn_kernel_id_from_slot(&slot, &id, why), TN_KERNEL_NOT_FOUND,
               "kernel missing: its module has no device code for it; compile the file that "
               "launches it with -fsycl and link with tenon++");
  slot = (tn_kernel_slot){.module = &app, .name = "own", .unit_id = 8};  // another unit's
  assert_int_equal(tn_kernel_id_from_slot(&slot, &id, NULL), TN_KERNEL_NOT_FOUND);
  slot.module = &lib;
  assert_fails(tn_kernel_id_from_slot(&slot, &id, why), TN_KERNEL_NOT_FOUND,
               "kernel own: its module is not registered: it was unloaded, or its constructor has "
               "not run yet");
  slot.module = NULL;
  assert_fails(tn_kernel_id_from_slot(&slot, &id, why), TN_KERNEL_NOT_FOUND,
               "kernel own: the program has no device code: it was linked without tenon++ -fsycl. "
               "Link it again with tenon++ -fsycl");
  slot.name = NULL;
  assert_fails(tn_kernel_id_from_slot(&slot, &id, why), TN_INVALID_ARGUMENT,
               "tn_kernel_id_from_slot: the slot's name is NULL");
  assert_null(id);
  size_t count = 0;
  assert_fails(tn_kernel_id_list(NULL, 1, &count, why), TN_INVALID_ARGUMENT,
               "tn_kernel_id_list: the array is NULL");
  maker_unregister(&app);
  bundle_check_clean(live);
}

static void check_image(const tn_bundle *bundle, size_t index, const char *kernels) {
  const tn_bundle_image *image = tn_bundle_image_at(bundle, index);
  char text[256] = "";
  for (size_t i = 0; i < tn_bundle_image_kernel_count(image); i++) {
    const size_t used = strlen(text);
    (void)snprintf(text + used, sizeof(text) - used, "%s%s", i > 0 ? " " : "",
                   tn_kernel_id_name(tn_bundle_image_kernel_id_at(image, i)));
  }
  assert_string_equal(text, kernels);
}

static void check_kernels(const tn_bundle *bundle, const char *const *names, size_t count) {
  assert_int_equal(tn_bundle_kernel_count(bundle), count);
  for (size_t i = 0; i < count; i++) {
    assert_string_equal(tn_kernel_id_name(tn_bundle_kernel_id_at(bundle, i)), names[i]);
  }
  assert_null(tn_bundle_kernel_id_at(bundle, count));
}

// Who asks for ids that nobody holds again gets what was made of the module the first time.
static void test_ids_are_kept(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  tn_kernel_id *id = bundle_id_of(&app, "add");
  tn_kernel_id_release(id);
  const int64_t kept = tn_alloc_live();
  for (int i = 0; i < 3; i++) {
    tn_kernel_id *again = bundle_id_of(&app, "add");
    assert_ptr_equal(again, id);
    assert_int_equal(tn_alloc_live(), kept);
    tn_kernel_id_release(again);
  }
  maker_unregister(&app);
  bundle_check_clean(live);
}

static void test_images_of_states(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  static const char *const names[] = {"add", "heavy", "own", "scale"};
  maker_register(&app, app_images, TN_COUNT(app_images));
  maker_register(&lib, &lib_image, 1);
  // The kernels' names stay as long as the modules, and are read once.
  tn_kernel_id_release(bundle_id_of(&app, "add"));
  tn_kernel_id_release(bundle_id_of(&lib, "plain"));
  for (int32_t s = TN_BUNDLE_INPUT; s <= TN_BUNDLE_OBJECT; s++) {
    world_builds = 0;
    const int64_t before = tn_alloc_live();
    tn_bundle *bundle = bundle_of_state(s);
    assert_int_equal(tn_bundle_state(bundle), s);
    assert_ptr_equal(tn_bundle_context(bundle), pair_context);
    assert_int_equal(tn_bundle_image_count(bundle), 3);
    check_image(bundle, 0, "add own");
    check_image(bundle, 1, "heavy");
    check_image(bundle, 2, "scale");
    assert_null(tn_bundle_image_at(bundle, 3));
    check_kernels(bundle, names, TN_COUNT(names));
    assert_int_equal(world_builds, 0);
    tn_bundle_release(bundle);
    assert_int_equal(tn_alloc_live(), before);  // no copy of the module's images is kept
  }
  // Machine code where there is some; all is built, once for each device.
  double_load_count = 0;
  tn_bundle *bundle = bundle_of_state(TN_BUNDLE_EXECUTABLE);
  assert_int_equal(tn_bundle_image_count(bundle), 3);
  check_image(bundle, 0, "add own");
  check_image(bundle, 1, "heavy");
  check_image(bundle, 2, "scale");
  check_kernels(bundle, names, TN_COUNT(names));
  assert_int_equal(world_builds, 3);       // add twice, heavy where there is fp64
  assert_int_equal(double_load_count, 5);  // and scale twice
  tn_bundle_release(bundle);
  // What is built is found again.
  bundle = bundle_of_state(TN_BUNDLE_EXECUTABLE);
  assert_int_equal(world_builds, 3);
  tn_bundle_release(bundle);
  maker_unregister(&app);
  maker_unregister(&lib);
  bundle_check_clean(live);
}

// The device's driver compiles PTX, so it counts as what is to be compiled; machine code does not.
static void test_ptx_is_compiled_by_devices(void **state) {
  (void)state;
  static const image_maker images[] = {
      {.target = "native_cpu", .format = TN_IMAGE_FORMAT_PTX, .kernels = {"translated"}},
      {.target = "native_cpu", .kernels = {"ready"}},
  };
  static const char *const names[] = {"translated"};
  const int64_t live = tn_alloc_live();
  maker_register(&app, images, TN_COUNT(images));
  world_builds = 0;
  double_load_count = 0;
  for (int32_t s = TN_BUNDLE_INPUT; s <= TN_BUNDLE_OBJECT; s++) {
    tn_bundle *bundle = bundle_of_state(s);
    assert_int_equal(tn_bundle_image_count(bundle), 1);
    check_kernels(bundle, names, TN_COUNT(names));
    assert_int_equal(double_load_count, 0);
    tn_bundle_release(bundle);
  }
  tn_bundle *input = bundle_of_state(TN_BUNDLE_INPUT);
  tn_bundle *built = NULL;
  assert_int_equal(tn_bundle_build(input, NULL, 0, &built, NULL), TN_OK);
  check_kernels(built, names, TN_COUNT(names));
  assert_int_equal(double_load_count, 2);  // for each device, and nothing of Tenon's compiles it
  assert_int_equal(world_builds, 0);
  tn_bundle_release(built);
  tn_bundle_release(input);
  maker_unregister(&app);
  bundle_check_clean(live);
}

static void test_devices(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  tn_kernel_id *heavy = bundle_id_of(&app, "heavy");
  tn_kernel_id *add = bundle_id_of(&app, "add");
  tn_device *twice[] = {without_fp64, with_fp64, without_fp64, with_fp64};
  tn_bundle_query query = bundle_query(TN_BUNDLE_EXECUTABLE);
  query.devices = twice;
  query.device_count = 4;
  tn_bundle *bundle = bundle_must_get(&query);
  assert_int_equal(tn_bundle_device_count(bundle), 2);
  assert_ptr_equal(tn_bundle_device_at(bundle, 0), without_fp64);
  assert_ptr_equal(tn_bundle_device_at(bundle, 1), with_fp64);
  assert_null(tn_bundle_device_at(bundle, 2));
  assert_true(tn_bundle_has_kernel(bundle, heavy, NULL));
  assert_true(tn_bundle_has_kernel(bundle, heavy, with_fp64));
  assert_false(tn_bundle_has_kernel(bundle, heavy, without_fp64));
  assert_true(tn_bundle_has_kernel(bundle, add, without_fp64));
  assert_false(tn_bundle_has_kernel(bundle, add, plain));
  const tn_bundle_image *image = tn_bundle_image_at(bundle, 1);
  assert_true(tn_bundle_image_has_kernel(image, heavy, NULL));
  assert_true(tn_bundle_image_has_kernel(image, heavy, with_fp64));
  assert_false(tn_bundle_image_has_kernel(image, heavy, without_fp64));
  assert_false(tn_bundle_image_has_kernel(image, add, with_fp64));
  tn_bundle_release(bundle);
  // For one device, images that are of no use to it are left out.
  query.device_count = 1;
  for (query.state = 0; query.state <= TN_BUNDLE_EXECUTABLE; query.state++) {
    bundle = bundle_must_get(&query);
    assert_false(tn_bundle_has_kernel(bundle, heavy, NULL));
    assert_int_equal(tn_bundle_image_count(bundle), 2);
    tn_bundle_release(bundle);
  }
  tn_kernel_id_release(heavy);
  tn_kernel_id_release(add);
  maker_unregister(&app);
  bundle_check_clean(live);
}

static void test_query_failures(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  tn_bundle *bundle = NULL;
  int exists = 1;
  tn_bundle_query query = bundle_query(TN_BUNDLE_EXECUTABLE);
  query.device_count = 0;
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
               "a kernel bundle needs at least one device");
  assert_fails(tn_bundle_exists(&query, &exists, why), TN_INVALID_ARGUMENT,
               "a kernel bundle needs at least one device");
  tn_device *mixed[] = {with_fp64, plain};
  query = bundle_query(TN_BUNDLE_EXECUTABLE);
  query.devices = mixed;
  static const char foreign[] =
      "device Double CPU is not one of the context's, nor a part of one of them: a kernel bundle "
      "can only be for devices of its context";
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT, foreign);
  assert_fails(tn_bundle_exists(&query, &exists, why), TN_INVALID_ARGUMENT, foreign);
  mixed[1] = NULL;
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
               "a kernel bundle's device 1 is NULL");
  query = bundle_query(3);
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
               "tn_bundle_get: 3 is no state of kernel bundles");
  query = bundle_query(TN_BUNDLE_INPUT);
  query.context = NULL;
  assert_fails(tn_bundle_exists(&query, &exists, why), TN_INVALID_ARGUMENT,
               "tn_bundle_exists: the context is NULL");
  query.struct_size = 8;
  static const char too_small[] =
      "tn_bundle_get: the query is NULL or its struct_size is too small; set it to "
      "sizeof(tn_bundle_query)";
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT, too_small);
  assert_fails(tn_bundle_get(NULL, &bundle, why), TN_INVALID_ARGUMENT, too_small);
  query = bundle_query(TN_BUNDLE_INPUT);
  query.struct_size += 8;
  tn_diag diag = {0};
  assert_int_equal(tn_bundle_get(&query, &bundle, &diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "tn_bundle_get: the query is of a newer version"));
  query = bundle_query(TN_BUNDLE_INPUT);
  query.reserved = 1;
  assert_int_equal(tn_bundle_exists(&query, &exists, &diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "tn_bundle_exists: the query is of a newer version"));
  query = bundle_query(TN_BUNDLE_INPUT);
  tn_kernel_id *const nothing[] = {NULL};
  query.has_ids = 1;
  query.ids = nothing;
  query.id_count = 1;
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
               "tn_bundle_get: kernel id 0 is NULL");
  // No online compiler, no online linker: asking is no error, getting is.
  query = bundle_query(TN_BUNDLE_INPUT);
  query.context = plain_context;
  query.devices = &plain;
  query.device_count = 1;
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
               "device Double CPU has no aspect::online_compiler, which a kernel bundle in state "
               "input needs");
  query.state = TN_BUNDLE_OBJECT;
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
               "device Double CPU has no aspect::online_linker, which a kernel bundle in state "
               "object needs");
  assert_int_equal(tn_bundle_exists(&query, &exists, NULL), TN_OK);
  assert_int_equal(exists, 0);
  assert_null(bundle);
  maker_unregister(&app);
  bundle_check_clean(live);
}

static void test_ids_filter(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  maker_register(&lib, &lib_image, 1);
  tn_kernel_id *own = bundle_id_of(&app, "own");
  tn_kernel_id *scale = bundle_id_of(&app, "scale");
  tn_kernel_id *heavy = bundle_id_of(&app, "heavy");
  tn_kernel_id *foreign = bundle_id_of(&app, "foreign");
  // A module that is not asked for may be damaged as it likes.
  tn_module broken = {
      .size = sizeof(broken), .version = TN_MODULE_VERSION, .fatbin = "broken", .fatbin_size = 6};
  tn_register_module(&broken);
  tn_kernel_id *ids[] = {scale, own, scale};
  tn_bundle *bundle = NULL;
  tn_bundle_query query = bundle_query(TN_BUNDLE_INPUT);
  query.has_ids = 1;
  query.ids = ids;
  query.id_count = 3;
  for (query.state = 0; query.state <= TN_BUNDLE_EXECUTABLE; query.state++) {
    bundle = bundle_must_get(&query);
    assert_int_equal(tn_bundle_image_count(bundle), 2);
    check_image(bundle, 0, "add own");  // what comes in one image with another
    check_image(bundle, 1, "scale");
    tn_bundle_release(bundle);
  }
  query = bundle_query(TN_BUNDLE_EXECUTABLE);
  tn_diag damaged = {0};
  assert_int_equal(tn_bundle_get(&query, &bundle, &damaged), TN_BAD_IMAGE);
  tn_unregister_module(&broken);
  // No ids: no images.
  query.has_ids = 1;
  bundle = bundle_must_get(&query);
  assert_int_equal(tn_bundle_image_count(bundle), 0);
  tn_bundle_release(bundle);
  // Compatible with none of the devices.
  query.ids = &heavy;
  query.id_count = 1;
  query.devices = &without_fp64;
  query.device_count = 1;
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
               "kernel heavy needs aspect::fp64, which device Mock 1 does not have");
  query = bundle_query(TN_BUNDLE_OBJECT);
  query.has_ids = 1;
  query.ids = &foreign;
  query.id_count = 1;
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
               "kernel foreign is in no image for device Mock 0 (target native_cpu); compile and "
               "link it with tenon++ -fsycl -fsycl-targets=native_cpu; nor can the other 1 devices "
               "of the bundle run it");
  maker_unregister(&app);
  query.ids = &own;
  assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
               "kernel own: its module is unloaded");
  assert_null(bundle);
  tn_kernel_id *const held[] = {own, scale, heavy, foreign};
  for (size_t i = 0; i < TN_COUNT(held); i++) {
    tn_kernel_id_release(held[i]);
  }
  maker_unregister(&lib);
  bundle_check_clean(live);
}

// An id is judged by its module, not by whether somebody still has the module's images.
static void test_ids_of_unloaded(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  tn_kernel_id *own = bundle_id_of(&app, "own");
  tn_bundle *holder = bundle_of_state(TN_BUNDLE_INPUT);
  maker_unregister(&app);
  tn_bundle *bundle = NULL;
  tn_bundle_query query = bundle_query(TN_BUNDLE_INPUT);
  query.has_ids = 1;
  query.ids = &own;
  query.id_count = 1;
  for (query.state = 0; query.state <= TN_BUNDLE_EXECUTABLE; query.state++) {
    int there = 1;
    assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
                 "kernel own: its module is unloaded");
    assert_int_equal(tn_bundle_exists(&query, &there, NULL), TN_OK);
    assert_int_equal(there, 0);
  }
  int compatible = 1;
  assert_int_equal(tn_kernel_ids_are_compatible(&own, 1, with_fp64, &compatible, NULL), TN_OK);
  assert_int_equal(compatible, 0);
  assert_true(tn_bundle_has_kernel(holder, own, NULL));  // bundles that have it are as good as ever
  assert_null(bundle);
  tn_bundle_release(holder);
  tn_kernel_id_release(own);
  bundle_check_clean(live);
}

// Keeps images with a kernel of the name; a call that comes when `calls_left` is 0 ends the query.
typedef struct chooser {
  const char *name;
  int calls;
  int calls_left;
} chooser;

static int choose(void *user, tn_bundle_image *image) {
  chooser *c = user;
  c->calls++;
  if (c->calls_left-- == 0) {
    return -5;
  }
  int found = 0;
  for (size_t i = 0; i < tn_bundle_image_kernel_count(image); i++) {
    found |= strcmp(tn_kernel_id_name(tn_bundle_image_kernel_id_at(image, i)), c->name) == 0;
  }
  return found;
}

static void test_selector(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  world_builds = 0;
  tn_bundle *bundle = NULL;
  for (int32_t s = 0; s <= TN_BUNDLE_EXECUTABLE; s++) {
    chooser c = {.name = "scale", .calls_left = 100};
    tn_bundle_query query = bundle_query(s);
    query.select = choose;
    query.user = &c;
    bundle = bundle_must_get(&query);
    assert_int_equal(c.calls, 3);  // once for each
    assert_int_equal(tn_bundle_image_count(bundle), 1);
    check_image(bundle, 0, "scale");
    tn_bundle_release(bundle);
    c = (chooser){.name = "scale", .calls_left = 1};
    assert_fails(tn_bundle_get(&query, &bundle, why), TN_INVALID_ARGUMENT,
                 "the selector of device images ended the query with -5");
    assert_int_equal(c.calls, 2);
    c = (chooser){.name = "nothing", .calls_left = 100};
    bundle = bundle_must_get(&query);
    assert_int_equal(tn_bundle_image_count(bundle), 0);
    tn_bundle_release(bundle);
  }
  assert_int_equal(world_builds, 0);  // only what was chosen is built
  maker_unregister(&app);
  bundle_check_clean(live);
}

static int exists(const tn_bundle_query *query) {
  int answer = -1;
  tn_diag diag = {0};
  if (tn_bundle_exists(query, &answer, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return answer;
}

static void test_exists(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_bundle_query query = bundle_query(TN_BUNDLE_INPUT);
  assert_int_equal(exists(&query), 0);  // there is no kernel at all
  maker_register(&lib, &lib_image, 1);
  assert_int_equal(exists(&query), 0);  // none for these devices
  maker_register(&app, app_images, TN_COUNT(app_images));
  tn_kernel_id *heavy = bundle_id_of(&app, "heavy");
  tn_kernel_id *foreign = bundle_id_of(&app, "foreign");
  tn_kernel_id *scale = bundle_id_of(&app, "scale");
  world_builds = 0;
  for (query.state = 0; query.state <= TN_BUNDLE_EXECUTABLE; query.state++) {
    tn_kernel_id *ids[] = {heavy, scale, foreign};
    query.has_ids = 0;
    assert_int_equal(exists(&query), 1);
    query.has_ids = 1;
    query.ids = ids;
    query.id_count = 0;
    assert_int_equal(exists(&query), 1);
    query.id_count = 2;
    assert_int_equal(exists(&query), 1);
    query.id_count = 3;
    assert_int_equal(exists(&query), 0);
  }
  tn_kernel_id *const two[] = {scale, heavy};
  int answer = -1;
  assert_int_equal(tn_kernel_ids_are_compatible(two, 2, with_fp64, &answer, NULL), TN_OK);
  assert_int_equal(answer, 1);
  assert_int_equal(tn_kernel_ids_are_compatible(two, 2, without_fp64, &answer, NULL), TN_OK);
  assert_int_equal(answer, 0);
  assert_int_equal(tn_kernel_ids_are_compatible(two, 1, without_fp64, &answer, NULL), TN_OK);
  assert_int_equal(answer, 1);
  assert_int_equal(tn_kernel_ids_are_compatible(two, 1, plain, &answer, NULL), TN_OK);
  assert_int_equal(answer, 0);
  assert_int_equal(tn_kernel_ids_are_compatible(NULL, 0, plain, &answer, NULL), TN_OK);
  assert_int_equal(answer, 1);
  assert_fails(tn_kernel_ids_are_compatible(two, 1, NULL, &answer, why), TN_INVALID_ARGUMENT,
               "tn_kernel_ids_are_compatible: the device is NULL");
  maker_unregister(&app);
  query = bundle_query(TN_BUNDLE_EXECUTABLE);
  query.has_ids = 1;
  query.ids = two;
  query.id_count = 1;
  assert_int_equal(exists(&query), 0);
  assert_int_equal(tn_kernel_ids_are_compatible(two, 1, with_fp64, &answer, NULL), TN_OK);
  assert_int_equal(answer, 0);
  assert_int_equal(world_builds, 0);
  tn_kernel_id_release(heavy);
  tn_kernel_id_release(foreign);
  tn_kernel_id_release(scale);
  maker_unregister(&lib);
  bundle_check_clean(live);
}

// Machine code only: good enough to run, nothing to compile.
static void test_device_without_compiler(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&lib, &lib_image, 1);
  tn_bundle_query query = bundle_query(TN_BUNDLE_EXECUTABLE);
  query.context = plain_context;
  query.devices = &plain;
  query.device_count = 1;
  assert_int_equal(exists(&query), 1);
  world_builds = 0;
  tn_bundle *bundle = bundle_must_get(&query);
  assert_int_equal(world_builds, 0);
  tn_kernel *kernel = NULL;
  const tn_kernel_slot slot = {.module = &lib, .name = "plain"};
  assert_int_equal(tn_bundle_get_slot(bundle, &slot, plain, &kernel, NULL), TN_OK);
  assert_string_equal(kernel->adapter_kernel->name, "plain");
  tn_kernel_release(kernel);
  tn_bundle_release(bundle);
  maker_unregister(&lib);
  bundle_check_clean(live);
}

// Modules that are loaded have no kernels of image files, which are there for imports only.
static void test_files_are_no_part_of_the_program(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  tn_buf bytes;
  tn_buf_init(&bytes, 1u << 20);
  maker_write(app_images, 1, &bytes);
  tn_image_file *file = NULL;
  assert_int_equal(tn_image_open_memory(bytes.data, bytes.size, &file, NULL), TN_OK);
  tn_buf_deinit(&bytes);
  const tn_bundle_query query = bundle_query(TN_BUNDLE_EXECUTABLE);
  size_t count = 1;
  assert_int_equal(exists(&query), 0);
  assert_int_equal(tn_kernel_id_list(NULL, 0, &count, NULL), TN_OK);
  assert_int_equal(count, 0);
  tn_bundle *bundle = bundle_must_get(&query);
  assert_int_equal(tn_bundle_image_count(bundle), 0);
  tn_bundle_release(bundle);
  tn_image_close(file);
  bundle_check_clean(live);
}

// What can fail says what is NULL; what cannot has nothing to tell.
static void test_null(void **state) {
  (void)state;
  const int64_t live = tn_alloc_live();
  maker_register(&app, app_images, TN_COUNT(app_images));
  tn_kernel_id *add = bundle_id_of(&app, "add");
  tn_bundle *input = bundle_of_state(TN_BUNDLE_INPUT);
  tn_bundle *ready = bundle_of_state(TN_BUNDLE_EXECUTABLE);
  const tn_bundle_query query = bundle_query(TN_BUNDLE_INPUT);
  const tn_kernel_slot slot = {.module = &app, .name = "add", .unit_id = 7};
  tn_bundle *bundle = input;
  tn_kernel *kernel = NULL;
  assert_fails(tn_bundle_get(&query, NULL, why), TN_INVALID_ARGUMENT,
               "tn_bundle_get: the place for the kernel bundle is NULL");
  assert_fails(tn_bundle_exists(&query, NULL, why), TN_INVALID_ARGUMENT,
               "tn_bundle_exists: the place for the answer is NULL");
  assert_fails(tn_bundle_build(NULL, NULL, 0, &bundle, why), TN_INVALID_ARGUMENT,
               "tn_bundle_build: the kernel bundle is NULL");
  assert_null(bundle);
  assert_int_equal(tn_bundle_compile(NULL, NULL, 0, &bundle, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_bundle_compile(input, NULL, 0, NULL, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_bundle_build(input, NULL, 0, NULL, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_bundle_link(&input, 1, NULL, 0, NULL, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_bundle_join(&input, 1, NULL, NULL), TN_INVALID_ARGUMENT);
  assert_fails(tn_bundle_get_kernel(ready, add, with_fp64, NULL, why), TN_INVALID_ARGUMENT,
               "tn_bundle_get_kernel: the place for the kernel is NULL");
  assert_fails(tn_bundle_get_kernel(ready, add, NULL, &kernel, why), TN_INVALID_ARGUMENT,
               "tn_bundle_get_kernel: the device is NULL");
  assert_fails(tn_bundle_get_slot(NULL, &slot, with_fp64, &kernel, why), TN_INVALID_ARGUMENT,
               "tn_bundle_get_slot: the kernel bundle is NULL");
  assert_int_equal(tn_bundle_get_slot(ready, &slot, with_fp64, NULL, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_kernel_id_from_slot(&slot, NULL, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_kernel_id_list(NULL, 0, NULL, NULL), TN_INVALID_ARGUMENT);
  assert_int_equal(tn_kernel_ids_are_compatible(&add, 1, with_fp64, NULL, NULL),
                   TN_INVALID_ARGUMENT);
  assert_int_equal(tn_bundle_state(NULL), -1);
  assert_null(tn_bundle_context(NULL));
  assert_int_equal(tn_bundle_device_count(NULL) + tn_bundle_image_count(NULL), 0);
  assert_int_equal(tn_bundle_kernel_count(NULL) + tn_bundle_image_kernel_count(NULL), 0);
  assert_true(!tn_bundle_device_at(NULL, 0) && !tn_bundle_image_at(NULL, 0));
  assert_true(!tn_bundle_kernel_id_at(NULL, 0) && !tn_bundle_image_kernel_id_at(NULL, 0));
  assert_false(tn_bundle_has_kernel(NULL, add, NULL) || tn_bundle_has_kernel(input, NULL, NULL));
  tn_bundle_image *image = tn_bundle_image_at(input, 0);
  assert_false(tn_bundle_image_has_kernel(NULL, add, NULL) ||
               tn_bundle_image_has_kernel(image, NULL, NULL));
  assert_false(tn_bundle_image_equals(NULL, image) || tn_bundle_image_equals(image, NULL));
  assert_true(tn_bundle_image_equals(NULL, NULL));
  assert_int_equal(tn_bundle_image_hash(NULL), 0);
  assert_false(tn_bundle_has_specs(NULL) || tn_bundle_specs_are_native(NULL));
  assert_false(tn_bundle_image_has_specs(NULL) || tn_bundle_image_specs_are_native(NULL));
  assert_false(tn_bundle_has_spec(NULL, "x", 0) || tn_bundle_has_spec(input, NULL, 0));
  assert_false(tn_bundle_image_has_spec(NULL, "x", 0) || tn_bundle_image_has_spec(image, NULL, 0));
  int value = 0;
  assert_false(tn_bundle_get_spec(NULL, "x", 0, &value, 4) ||
               tn_bundle_get_spec(input, NULL, 0, &value, 4) ||
               tn_bundle_get_spec(input, "x", 0, NULL, 4));
  assert_string_equal(tn_kernel_id_name(NULL), "");
  assert_int_equal(tn_kernel_id_hash(NULL), 0);
  assert_false(tn_kernel_id_equals(NULL, add));
  tn_kernel_id_retain(NULL);
  tn_bundle_retain(NULL);
  tn_bundle_image_retain(NULL);
  assert_null(kernel);
  tn_bundle_release(input);
  tn_bundle_release(ready);
  tn_kernel_id_release(add);
  maker_unregister(&app);
  bundle_check_clean(live);
}

int main(void) {
  bundle_world_set_up();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ids),
      cmocka_unit_test(test_id_failures),
      cmocka_unit_test(test_ids_are_kept),
      cmocka_unit_test(test_images_of_states),
      cmocka_unit_test(test_ptx_is_compiled_by_devices),
      cmocka_unit_test(test_devices),
      cmocka_unit_test(test_query_failures),
      cmocka_unit_test(test_ids_filter),
      cmocka_unit_test(test_ids_of_unloaded),
      cmocka_unit_test(test_null),
      cmocka_unit_test(test_selector),
      cmocka_unit_test(test_exists),
      cmocka_unit_test(test_device_without_compiler),
      cmocka_unit_test(test_files_are_no_part_of_the_program),
  };
  return cmocka_run_group_tests_name("bundle_get", tests, bundle_world_begin, bundle_world_end);
}
