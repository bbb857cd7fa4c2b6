// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs on disk: found again instead of compiled, told apart by all that they depend on, made
// anew when they are of no use, and never a reason to fail.
#include "run/program/program.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "run/cache/cache.h"
#include "run/program/program_key.h"
#include "run/registry/registry.h"
#include "tenon/cache.h"
#include "unit/program/program_world.h"

#define OF(id) "_ZTS" TN_SPEC_TYPE_PREFIX id
#define BITCODE .target = "native_cpu", .format = TN_IMAGE_FORMAT_BITCODE

static tn_cache_stats stats(void) {
  tn_cache_stats now = {.struct_size = sizeof(now)};
  tn_cache_get_stats(&now);
  return now;
}

static bool fault_fired;

// A process's first launch: nothing in memory, nothing left behind. `fault`: what is to fail, or
// -1.
static tn_status launch_once(const image_maker *images, size_t count, const tn_spec_value *value,
                             int64_t fault) {
  tn_module module;
  maker_register(&module, images, count);
  tn_kernel_slot slot = {.module = &module, .name = "a"};
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  tn_fault_arm(fault);
  const tn_status status =
      value ? tn_kernel_specialize(&slot, world_cpu_device(), value, 1, &kernel, &diag)
            : tn_kernel_from_slot(&slot, world_cpu_device(), &kernel, &diag);
  fault_fired = tn_fault_fired();
  tn_fault_arm(-1);
  if (status != TN_OK && status != TN_OUT_OF_MEMORY && !strstr(diag.text, "told to fail")) {
    fail_msg("%d: %s", (int)status, diag.text);
  }
  if (status == TN_OK) {
    assert_string_equal(kernel->name, "a");
    assert_string_equal(kernel->adapter_kernel->name, "a");
  }
  if (value) {
    tn_kernel_release(kernel);
  }
  maker_unregister(&module);
  tn_program_reap();
  assert_int_equal(double_live, 0);
  return status;
}

static void must_launch(const image_maker *images, size_t count, const tn_spec_value *value) {
  assert_int_equal(launch_once(images, count, value, -1), TN_OK);
}

static void test_compiled_once(void **state) {
  (void)state;
  const image_maker images[] = {{BITCODE, .kernels = {"a", "b"}, .specs = {{OF("c"), 3}}}};
  const int builds = world_builds;
  must_launch(images, 1, NULL);
  assert_int_equal(world_builds, builds + 1);
  const int64_t live = tn_alloc_live();
  must_launch(images, 1, NULL);
  assert_int_equal(world_builds, builds + 1);
  assert_int_equal(tn_alloc_live(), live);
  // Another value is another program, and the default one is the same.
  const uint32_t numbers[] = {3, 4, 5};
  const int expected[] = {1, 2, 3, 3};
  for (size_t i = 0; i < 4; i++) {
    const tn_spec_value value = {OF("c"), 1, &numbers[i % 3], 4};
    must_launch(images, 1, &value);
    assert_int_equal(world_builds, builds + expected[i]);
  }
  assert_int_equal(stats().builds, world_builds);
  assert_int_equal(stats().disk_writes, world_builds);
  assert_int_equal(stats().disk_misses, world_builds);
  assert_int_equal(stats().disk_hits, 3);
}

static void test_other_images_are_others(void **state) {
  (void)state;
  const image_maker images[][2] = {
      {{BITCODE, .kernels = {"a"}, .code = "a x"}, {BITCODE, .exports = {"f"}}},
      {{BITCODE, .kernels = {"a"}, .code = "a y"}, {BITCODE, .exports = {"f"}}},
      {{BITCODE, .kernels = {"a"}, .code = "a x", .imports = {"f"}}, {BITCODE, .exports = {"f"}}},
      {{BITCODE, .kernels = {"a"}, .code = "a x", .imports = {"f"}},
       {BITCODE, .exports = {"f"}, .code = "z"}},
      {{BITCODE, .kernels = {"a", "b"}, .code = "a x"}, {BITCODE, .exports = {"f"}}},
  };
  const int builds = world_builds;
  for (int i = 0; i < (int)TN_COUNT(images); i++) {
    must_launch(images[i], 2, NULL);
    assert_int_equal(world_builds, builds + i + 1);
    must_launch(images[i], 2, NULL);
    assert_int_equal(world_builds, builds + i + 1);
  }
}

static void key_of(const tn_link_set *set, uint8_t *out) {
  static const tn_spec_settled none;
  static const uint8_t toolchain[TN_STORE_KEY_SIZE] = {1};
  const tn_program_recipe recipe = {.set = set, .device = world_cpu_device(), .specs = &none};
  assert_true(tn_program_key(&recipe, toolchain, out));
}

static const char *world_identity;
static const char *identity_of(tn_adapter_device *device) {
  (void)device;
  return world_identity;
}

// What the adapter says that code depends on is a part of the key; what it does not know about is
// not kept.
static void test_the_identity_of_the_device_counts(void **state) {
  (void)state;
  static const char *const identities[] = {"one", "two", NULL};
  static const int expected[] = {1, 1, 2};  // builds of two launches
  tn_device *device = world_cpu_device();
  const tn_adapter_api *usual = device->api;
  tn_adapter_api api = *usual;
  api.device_identity = identity_of;
  device->api = &api;
  const image_maker image = {BITCODE, .kernels = {"a"}, .code = "a identity"};
  for (size_t i = 0; i < TN_COUNT(identities); i++) {
    const int builds = world_builds;
    world_identity = identities[i];
    must_launch(&image, 1, NULL);
    must_launch(&image, 1, NULL);
    assert_int_equal(world_builds, builds + expected[i]);
  }
  device->api = usual;
}

static void swap_members(tn_link_set *set, size_t a, size_t b) {
  void *kept = set->members.items[a];
  set->members.items[a] = set->members.items[b];
  set->members.items[b] = kept;
}

// Also with images that define the same, or nothing; but who comes first does, and what is taken.
static void test_the_order_of_images(void **state) {
  (void)state;
  static const image_maker makers[] = {{BITCODE, .kernels = {"a"}, .imports = {"f", "g", "h"}},
                                       {BITCODE, .exports = {"f"}},
                                       {BITCODE, .exports = {"g"}, .kernels = {"k"}},
                                       {BITCODE, .exports = {"h"}, .imports = {"i"}},
                                       {BITCODE, .exports = {"i", "f"}}};
  tn_module modules[TN_COUNT(makers)];
  tn_link_set set;
  tn_link_owner *first = NULL;
  tn_link_set_init(&set, false);
  for (size_t i = TN_COUNT(makers); i > 0; i--) {
    maker_register(&modules[i - 1], &makers[i - 1], 1);
    tn_registered *registered = tn_registry_find(&modules[i - 1]);
    assert_int_equal(tn_link_set_open(&set, registered, &first, NULL), TN_OK);
    tn_registered_release(registered);
  }
  assert_int_equal(tn_link_set_collect(&set, first, 0, NULL), TN_OK);
  const size_t count = set.members.count;
  assert_true(count >= 4);
  uint8_t key[TN_STORE_KEY_SIZE];
  uint8_t other[TN_STORE_KEY_SIZE];
  key_of(&set, key);
  for (size_t i = 1; i < count; i++) {
    swap_members(&set, i, 1 + i % (count - 1));
    key_of(&set, other);
    assert_memory_equal(key, other, TN_STORE_KEY_SIZE);
  }
  swap_members(&set, 0, 1);
  key_of(&set, other);
  assert_memory_not_equal(key, other, TN_STORE_KEY_SIZE);
  swap_members(&set, 0, 1);
  tn_link_set_at(&set, count - 1)->take.count--;
  key_of(&set, other);
  assert_memory_not_equal(key, other, TN_STORE_KEY_SIZE);
  tn_link_set_deinit(&set);
  for (size_t i = 0; i < TN_COUNT(makers); i++) {
    maker_unregister(&modules[i]);
  }
  tn_program_reap();
}

static void test_each_setting_counts(void **state) {
  (void)state;
  tn_module module;
  const image_maker image = {BITCODE, .kernels = {"a"}};
  maker_register(&module, &image, 1);
  tn_registered *registered = tn_registry_find(&module);
  tn_link_set set;
  tn_link_owner *owner = NULL;
  tn_link_set_init(&set, false);
  assert_int_equal(tn_link_set_open(&set, registered, &owner, NULL), TN_OK);
  assert_int_equal(tn_link_set_collect(&set, owner, 0, NULL), TN_OK);
  tn_build_spec items[] = {{"n", "1234", 4}, {"m", "1234", 4}, {"n", "12345", 5}, {"n", "1235", 4}};
  tn_device other = *world_cpu_device();
  other.name = "another";
  const tn_spec_settled specs[] = {{items, 0, {NULL, 0}},     {items, 1, {NULL, 0}},
                                   {items + 1, 1, {NULL, 0}}, {items + 2, 1, {NULL, 0}},
                                   {items + 3, 1, {NULL, 0}}, {items, 1, TN_STR_LIT("a")}};
  const uint8_t toolchains[2][TN_STORE_KEY_SIZE] = {{1}, {2}};
  uint8_t keys[16][TN_STORE_KEY_SIZE];
  size_t count = 0;
  tn_program_recipe recipe = {.set = &set, .device = world_cpu_device(), .specs = &specs[0]};
  for (size_t i = 0; i < TN_COUNT(specs); i++) {
    recipe.specs = &specs[i];
    assert_true(tn_program_key(&recipe, toolchains[0], keys[count++]));
  }
  recipe.specs = &specs[0];
  assert_true(tn_program_key(&recipe, toolchains[1], keys[count++]));
  recipe.opt_level = 1;
  assert_true(tn_program_key(&recipe, toolchains[0], keys[count++]));
  recipe.check = true;
  assert_true(tn_program_key(&recipe, toolchains[0], keys[count++]));
  recipe.sub_group_size = 16;
  assert_true(tn_program_key(&recipe, toolchains[0], keys[count++]));
  recipe.device = &other;
  assert_true(tn_program_key(&recipe, toolchains[0], keys[count++]));
  for (size_t i = 0; i < count; i++) {
    for (size_t j = 0; j < i; j++) {
      assert_memory_not_equal(keys[i], keys[j], TN_STORE_KEY_SIZE);
    }
  }
  tn_buf text;
  tn_buf_init(&text, 4096);
  recipe.specs = &specs[5];
  tn_program_describe(&recipe, &text);
  assert_non_null(
      strstr(tn_buf_text(&text), "another: a -O1 with checks, 1 specialization constants set\n"));
  tn_buf_deinit(&text);
  tn_link_set_deinit(&set);
  tn_registered_release(registered);
  maker_unregister(&module);
  tn_program_reap();
}

// The key of the one program of an image.
static void find_key(const image_maker *image, uint8_t *out) {
  static const tn_spec_settled none;
  tn_module module;
  uint8_t toolchain[TN_STORE_KEY_SIZE];
  maker_register(&module, image, 1);
  tn_registered *registered = tn_registry_find(&module);
  tn_link_set set;
  tn_link_owner *owner = NULL;
  tn_link_set_init(&set, false);
  assert_int_equal(tn_link_set_open(&set, registered, &owner, NULL), TN_OK);
  assert_int_equal(tn_link_set_collect(&set, owner, 0, NULL), TN_OK);
  const tn_program_recipe recipe = {
      .set = &set, .device = world_cpu_device(), .specs = &none, .opt_level = 2};
  assert_true(tn_device_identify_compiler(tn_disk_cache_store(), toolchain));
  assert_true(tn_program_key(&recipe, toolchain, out));
  tn_link_set_deinit(&set);
  tn_registered_release(registered);
  maker_unregister(&module);
  tn_program_reap();
}

static void test_what_is_of_no_use_is_made_anew(void **state) {
  (void)state;
  const image_maker image = {BITCODE, .kernels = {"a"}, .code = "a of no use"};
  uint8_t key[TN_STORE_KEY_SIZE];
  find_key(&image, key);
  tn_disk_item item;
  tn_disk_item_init(&item);
  tn_disk_cache_keep(key, &item, TN_STR_LIT("wrong"), tn_bytes_from("other kernels", 13));
  tn_disk_item_deinit(&item);
  const int builds = world_builds;
  must_launch(&image, 1, NULL);
  assert_int_equal(world_builds, builds + 1);
  must_launch(&image, 1, NULL);  // it was overwritten
  assert_int_equal(world_builds, builds + 1);
}

static void test_faults_where_it_is_on_disk(void **state) {
  (void)state;
  const image_maker image = {BITCODE, .kernels = {"a"}, .code = "a kept"};
  must_launch(&image, 1, NULL);
  const int64_t live = tn_alloc_live();
  const uint64_t hits = stats().disk_hits;
  bool complete = false;
  for (int64_t nth = 0; !complete && nth < 3000; nth++) {
    TN_IGNORE(launch_once(&image, 1, NULL, nth), "it may fail, in the ways that are checked there");
    complete = !fault_fired;
    assert_int_equal(tn_alloc_live(), live);
  }
  assert_true(complete);
  assert_true(stats().disk_hits > hits + 10);
}

static void test_faults(void **state) {
  (void)state;
  bool complete = false;
  for (int64_t nth = 0; !complete && nth < 3000; nth++) {
    char code[32];
    (void)snprintf(code, sizeof(code), "a fault %d", (int)nth);
    const image_maker image = {BITCODE, .kernels = {"a"}, .code = code};
    const int64_t live = tn_alloc_live();
    for (int round = 0; round < 2; round++) {
      TN_IGNORE(launch_once(&image, 1, NULL, nth),
                "it may fail, in the ways that are checked there");
      complete = !fault_fired;
      must_launch(&image, 1, NULL);
      assert_int_equal(tn_alloc_live(), live);
    }
  }
  assert_true(complete);
}

static char cache_folder[] = "/tmp/program-disk-XXXXXX";
static int end(void **state) {
  tn_temp_dir_remove(tn_str_copy(tn_str_from(cache_folder)));
  return world_end_with_compiler(state);
}

int main(void) {
  world_environment();
  world_set_compiler();
  if (!mkdtemp(cache_folder) || setenv("TENON_CACHE_DIR", cache_folder, 1) != 0 ||
      setenv("TENON_CACHE", "1", 1) != 0 || unsetenv("SYCL_CACHE_PERSISTENT") != 0) {
    return 1;
  }
  (void)unsetenv("TENON_JIT_OPT");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_compiled_once),
      cmocka_unit_test(test_other_images_are_others),
      cmocka_unit_test(test_the_identity_of_the_device_counts),
      cmocka_unit_test(test_the_order_of_images),
      cmocka_unit_test(test_each_setting_counts),
      cmocka_unit_test(test_what_is_of_no_use_is_made_anew),
      cmocka_unit_test(test_faults_where_it_is_on_disk),
      cmocka_unit_test(test_faults),  // the last: who could not write once does not try again
  };
  return cmocka_run_group_tests(tests, world_begin_with_compiler, end);
}
