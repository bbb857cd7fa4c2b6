// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program makes of its images' symbols, and what adapters are told of it.
#include "run/program/symbol_role.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/program/program_world.h"

#define NATIVE TN_IMAGE_FORMAT_NATIVE

// The app's kernels, its own `both` and a weak `inline_one`, which the library asks for; the
// library's kernel of the same name, `twice`, `lonely`, which nobody asks for, and something weak.
static const image_maker app = {
    .format = NATIVE,
    .code = "k last both",
    .kernels = {"k", "last"},
    .imports = {"twice", "weak:absent"},
    .exports = {"both", "inline_one"}};
static const image_maker lib = {
    .format = NATIVE,
    .code = "k k2 twice lonely",
    .kernels = {"k", "k2"},
    .imports = {"both", "weak:inline_one"},
    .exports = {"twice", "lonely"}};
// Defines `both` as the app does, and comes before the library that has it as well.
static const image_maker user = {
    .format = NATIVE, .code = "k", .kernels = {"k"}, .imports = {"both", "twice"}};
static const image_maker other = {.format = NATIVE, .code = "both", .exports = {"both"}};
static const image_maker owner_of_both = {.format = NATIVE,
                                          .code = "k twice both lonely",
                                          .kernels = {"k"},
                                          .exports = {"twice", "both", "lonely"}};

enum { MODULES = 3 };
typedef struct rig {
  tn_module modules[MODULES];
  size_t count;
  tn_link_set set;
} rig;

static void rig_open(rig *r, const image_maker *const *makers, size_t count) {
  tn_link_owner *owner = NULL;
  tn_link_set_init(&r->set, false);
  r->count = count;
  for (size_t i = 0; i < count; i++) {
    maker_register(&r->modules[i], makers[i], 1);
  }
  tn_registered *registered = tn_registry_find(&r->modules[0]);
  assert_int_equal(tn_link_set_open(&r->set, registered, &owner, NULL), TN_OK);
  tn_registered_release(registered);
  assert_int_equal(tn_link_set_collect(&r->set, owner, 0, NULL), TN_OK);
  assert_int_equal(r->set.members.count, count);
}

static void open_two(rig *r, const image_maker *first, const image_maker *second) {
  rig_open(r, (const image_maker *const[]){first, second}, 2);
}

static void open_three(rig *r) {
  rig_open(r, (const image_maker *const[]){&user, &other, &owner_of_both}, 3);
}

static void rig_close(rig *r) {
  tn_link_set_deinit(&r->set);
  for (size_t i = 0; i < r->count; i++) {
    maker_unregister(&r->modules[i]);
  }
  tn_program_reap();
}

typedef struct expected_role {
  const char *name;
  uint32_t role;
} expected_role;

#define INTERNAL TN_ADAPTER_SYMBOL_INTERNAL
#define PROVIDED TN_ADAPTER_SYMBOL_PROVIDED
#define REPLACED TN_ADAPTER_SYMBOL_REPLACED
#define UNUSED TN_ADAPTER_SYMBOL_UNUSED
#define IMPORTED TN_ADAPTER_SYMBOL_IMPORTED
#define UNRESOLVED TN_ADAPTER_SYMBOL_UNRESOLVED

static void expect(const rig *r, size_t index, const expected_role *roles) {
  tn_symbol_scope scope;
  const tn_adapter_linkage linkage = tn_symbol_linkage(&r->set, index, &scope);
  assert_int_equal(linkage.image_count, r->count);
  assert_int_equal(linkage.image_index, index);
  for (size_t i = 0; roles[i].name; i++) {
    const tn_str name = tn_str_from(roles[i].name);
    if (linkage.symbol_role(linkage.user, name.data, name.size) != roles[i].role) {
      fail_msg("image %zu: the role of %s is %u", index, roles[i].name,
               linkage.symbol_role(linkage.user, name.data, name.size));
    }
  }
}

static void test_two_images(void **state) {
  (void)state;
  rig r;
  open_two(&r, &app, &lib);
  expect(&r, 0, (const expected_role[]){{"both", PROVIDED},
                                        {"inline_one", PROVIDED},
                                        {"twice", IMPORTED},
                                        {"absent", UNRESOLVED},
                                        {"k", INTERNAL},
                                        {"lonely", INTERNAL},
                                        {NULL, 0}});
  expect(&r, 1, (const expected_role[]){{"twice", PROVIDED},
                                        {"lonely", UNUSED},
                                        {"both", IMPORTED},
                                        {"inline_one", IMPORTED},
                                        {"unknown", INTERNAL},
                                        {"k2", INTERNAL},
                                        {NULL, 0}});
  rig_close(&r);
}

static void test_one_definition_is_taken(void **state) {
  (void)state;
  rig r;
  open_three(&r);
  expect(&r, 0, (const expected_role[]){{"both", IMPORTED}, {"twice", IMPORTED}, {NULL, 0}});
  expect(&r, 1, (const expected_role[]){{"both", PROVIDED}, {NULL, 0}});
  expect(&r, 2, (const expected_role[]){{"twice", PROVIDED},
                                        {"both", REPLACED},
                                        {"lonely", UNUSED},
                                        {NULL, 0}});
  rig_close(&r);
}

static void test_kernels_and_imports(void **state) {
  (void)state;
  rig r;
  open_two(&r, &app, &lib);
  tn_symbol_scope scope;
  const tn_adapter_linkage linkage = tn_symbol_linkage(&r.set, 1, &scope);
  assert_int_equal(linkage.import_count, 2);
  assert_int_equal(linkage.kernel_count, 2);
  assert_string_equal(linkage.kernel_name(linkage.user, 0), "k");
  assert_string_equal(linkage.kernel_name(linkage.user, 1), "k2");
  rig_close(&r);
}

// What an adapter is given, and what becomes of its answer.
static tn_adapter_prepared answer;
static tn_status answer_status;
static int freed;

static tn_status prepare(tn_adapter_device *device, const tn_adapter_image *image,
                         const tn_adapter_code *code, const tn_adapter_linkage *linkage,
                         tn_adapter_prepared *out, tn_diag *diag) {
  (void)device;
  assert_string_equal(image->target, "mock");
  assert_int_equal(image->format, NATIVE);
  assert_int_equal(image->processor_size, 0);
  assert_memory_equal(code->code, "code", code->size);
  assert_string_equal(code->name, "a.out");
  assert_int_equal(linkage->image_index, 1);
  *out = answer;
  return answer_status == TN_OK ? TN_OK : tn_diag_set(diag, answer_status, 0, "", 0, "told to");
}

static void free_code(void *code) {
  assert_ptr_equal(code, answer.code);
  freed++;
}

static void test_adapters_are_asked(void **state) {
  (void)state;
  rig r;
  open_two(&r, &app, &lib);
  const tn_bytes code = tn_bytes_from("code", 4);
  tn_adapter_api api = tn_adapter_defaults;
  tn_device device = {.api = &api, .name = "test"};
  tn_adapter_prepared out = {.needs_link = 1};
  // By default code is taken as it is.
  assert_int_equal(tn_symbol_prepare(&r.set, 1, &device, code, "a.out", &out, NULL), TN_OK);
  assert_null(out.code);
  assert_int_equal(out.needs_link, 0);
  api.image_prepare = prepare;
  api.code_free = free_code;
  answer = (tn_adapter_prepared){.code = &answer, .size = 3, .needs_link = 1};
  assert_int_equal(tn_symbol_prepare(&r.set, 1, &device, code, "a.out", &out, NULL), TN_OK);
  assert_ptr_equal(out.code, answer.code);
  assert_int_equal(out.size, 3);
  assert_int_equal(out.needs_link, 1);
  tn_symbol_free_prepared(&device, &out);
  assert_int_equal(freed, 1);
  tn_symbol_free_prepared(&device, &out);
  assert_int_equal(freed, 1);
  answer_status = TN_BAD_IMAGE;
  tn_diag diag = {0};
  assert_int_equal(tn_symbol_prepare(&r.set, 1, &device, code, "a.out", &out, &diag),
                   TN_BAD_IMAGE);
  assert_null(out.code);
  assert_string_equal(diag.text, "told to");
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_two_images),
      cmocka_unit_test(test_one_definition_is_taken),
      cmocka_unit_test(test_kernels_and_imports),
      cmocka_unit_test(test_adapters_are_asked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
