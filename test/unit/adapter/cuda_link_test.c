// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linking images over a driver without a device (test/fake_cuda), whose linker looks at the
// directives of PTX.
#include "adapter/cuda/cuda.h"
#include "adapter/cuda/cuda_driver.h"
#include "fake_cuda/fake_fail.h"
#include "unit/sched/cmocka_all.h"
#include "unit/sched/sched_fixture.h"

static const char app[] =
    ".version 7.0\n.extern .func  (.param .b32 func_retval0) lib_one\n(\n\t.param .b32 p\n)\n;\n"
    ".visible .entry use_it(\n\t.param .b64 p\n)\n{\n}\n";
static const char lib[] =
    ".version 7.0\n.visible .global .align 8 .u64 __tenon_specs_1;\n"
    ".visible .func  (.param .b32 func_retval0) lib_one(\n\t.param .b32 p\n)\n{\n}\n";
static const char other[] =
    ".version 7.0\n.weak .func  (.param .b32 func_retval0) lib_one(\n\t.param .b32 p\n)\n{\n}\n";

typedef struct rig {
  fixture f;
  const tn_adapter_api *api;
  tn_adapter_device *device;
} rig;

static void rig_open(rig *r) {
  r->api = tn_cuda_adapter_query(TN_ADAPTER_VERSION);
  fixture_open(&r->f, r->api, 0, app, sizeof(app));
  r->device = r->f.device.adapter_device;
}

#define PIECE(text, shown) {(text), sizeof(text) - 1, (shown)}

static void test_identity(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  tn_adapter_device *second = r.api->device_at(r.f.adapter, 1);
  assert_string_equal(r.api->device_processor(r.device), "sm_80");
  assert_string_equal(r.api->device_processor(second), "sm_90");
  assert_non_null(strstr(r.api->device_identity(r.device), "sm_80, CUDA 12040, libcuda.so.1"));
  assert_string_not_equal(r.api->device_identity(r.device), r.api->device_identity(second));
  fixture_close(&r.f);
}

static void test_linked_code_is_loaded(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  const tn_adapter_code pieces[] = {PIECE(app, "a.out"), PIECE(lib, "libone.so"),
                                    PIECE(other, "libother.so")};
  void *code = NULL;
  size_t size = 0;
  MUST(r.api->program_link(r.device, pieces, 3, 0, &code, &size, diag));
  assert_true(size > sizeof(app) + sizeof(lib) && memcmp(code, "\177ELF", 4) == 0);
  tn_adapter_program *program = NULL;
  MUST(r.api->program_load(r.device, code, size, &program, diag));
  r.api->code_free(code);
  const uint64_t values[2] = {3, 4};
  MUST(r.api->program_set_variable(program, "__tenon_specs_1", values, sizeof(values), diag));
  tn_adapter_kernel *kernel = NULL;
  MUST(r.api->kernel_find(program, "use_it", &kernel, diag));
  tn_diag failure = {0};
  assert_int_not_equal(
      r.api->program_set_variable(program, "not_there", values, sizeof(values), &failure), TN_OK);
  assert_non_null(strstr(failure.text, "specialization constants of an image"));
  r.api->program_unload(program);
  // What was linked can be a piece again.
  MUST(r.api->program_link(r.device, pieces, 2, 0, &code, &size, diag));
  const tn_adapter_code machine = {code, size, "linked"};
  void *again = NULL;
  MUST(r.api->program_link(r.device, &machine, 1, 0, &again, &size, diag));
  r.api->code_free(again);
  r.api->code_free(code);
  fixture_close(&r.f);
}

static void expect_failure(const rig *r, const tn_adapter_code *pieces, size_t count,
                           const char *const *texts) {
  void *code = NULL;
  size_t size = 0;
  tn_diag failure = {0};
  assert_int_equal(r->api->program_link(r->device, pieces, count, 0, &code, &size, &failure),
                   TN_BUILD_FAILED);
  assert_null(code);
  for (size_t i = 0; texts[i]; i++) {
    if (!strstr(failure.text, texts[i])) {
      print_error("'%s' is not in: %s\n", texts[i], failure.text);
      fail();
    }
  }
}

static void test_failures_have_words(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  const tn_adapter_code missing[] = {PIECE(app, "a.out"), PIECE("\n", "/some/where/libtwo.so")};
  expect_failure(&r, missing, 2,
                 (const char *const[]){"Fake GPU 0: linking a.out and libtwo.so",
                                       "the driver says: error   : Undefined reference to "
                                       "'lib_one' in 'a.out'",
                                       NULL});
  const tn_adapter_code twice[] = {PIECE(app, "a.out"), PIECE(lib, "libone.so"),
                                   PIECE(lib, "libtwo.so")};
  expect_failure(&r, twice, 3,
                 (const char *const[]){"code of libtwo.so cannot be used",
                                       "Multiple definition of 'lib_one' in 'libtwo.so', first "
                                       "defined in 'libone.so'",
                                       NULL});
  const tn_adapter_code bad[] = {PIECE("bad code", "libbad.so")};
  expect_failure(
      &r, bad, 1,
      (const char *const[]){"code of libbad.so cannot be used",
                            "the driver says: ptxas application ptx input, line 3", NULL});
  fixture_close(&r.f);
}

// It is tried once; whatever becomes of it, code is linked afterwards.
static void test_preparing(void **state) {
  (void)state;
  rig r;
  rig_open(&r);
  const tn_adapter_code pieces[] = {PIECE(app, "a.out"), PIECE(lib, "libone.so")};
  void *code = NULL;
  size_t size = 0;
  fake_cuda_fail("cuLinkAddData_v2:0:218");
  r.api->program_prepare(r.device);
  fake_cuda_fail(NULL);
  fake_cuda_fail("cuLinkCreate_v2:1:1");  // the next one works, if it is the next
  r.api->program_prepare(r.device);
  assert_int_equal(r.api->program_link(r.device, pieces, 2, 0, &code, &size, NULL), TN_OK);
  fake_cuda_fail(NULL);
  r.api->code_free(code);
  fixture_close(&r.f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_identity),
      cmocka_unit_test(test_linked_code_is_loaded),
      cmocka_unit_test(test_failures_have_words),
      cmocka_unit_test(test_preparing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
