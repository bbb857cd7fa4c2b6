// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of a library's text a module gets what it asks for, what that needs, and no more.
#include "compile/gpu/gpu_library.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>
// clang-format on

enum { PICK_MAX = 1 << 20 };

static const char *const small[] = {
    "declare i32 @register()\n"
    "define internal i32 @inner() #0 {\n  %r = call i32 @register()\n  ret i32 %r\n}\n"
    "@data = internal global i32 1\n",
    "define linkonce_odr i32 @asked() #0 {\n  %r = call i32 @inner()\n  ret i32 %r\n}\n"
    "define linkonce_odr ptr @pointer() #0 {\n  ret ptr @data\n}\n"
    "define linkonce_odr i32 @never() #0 {\n  %r = call i32 @inner()\n  ret i32 %r\n}\n"
    "attributes #0 = { alwaysinline }\n",
    NULL};

static void pick(const char *const *library, const char *module_text, tn_buf *out) {
  tn_llvm_job job;
  tn_diag diag = {0};
  LLVMModuleRef module = NULL;
  const char *const *lists[] = {library, NULL};
  assert_int_equal(tn_llvm_job_init(&job, &diag), TN_OK);
  assert_int_equal(
      tn_module_parse(&job, tn_bytes_from(module_text, strlen(module_text)), "t", &module, &diag),
      TN_OK);
  assert_int_equal(tn_gpu_library_pick(lists, module, out, &diag), TN_OK);
  LLVMDisposeModule(module);
  tn_llvm_job_deinit(&job);
}

static void test_what_is_asked_for(void **state) {
  (void)state;
  tn_buf text;
  tn_buf_init(&text, PICK_MAX);
  pick(small, "declare i32 @asked()\ndefine i32 @k() {\n  ret i32 0\n}\n", &text);
  const char *found = tn_buf_text(&text);
  assert_non_null(strstr(found, "define linkonce_odr i32 @asked"));
  assert_non_null(strstr(found, "define internal i32 @inner"));
  assert_non_null(strstr(found, "declare i32 @register"));
  assert_non_null(strstr(found, "attributes #0"));
  assert_null(strstr(found, "@never"));
  assert_null(strstr(found, "@pointer"));
  assert_null(strstr(found, "@data"));
  tn_buf_deinit(&text);
}

static void test_variables(void **state) {
  (void)state;
  tn_buf text;
  tn_buf_init(&text, PICK_MAX);
  pick(small, "declare ptr @pointer()\n", &text);
  assert_non_null(strstr(tn_buf_text(&text), "@data = internal"));
  assert_null(strstr(tn_buf_text(&text), "@inner"));
  tn_buf_deinit(&text);
}

static void test_nothing(void **state) {
  (void)state;
  tn_buf text;
  tn_buf_init(&text, PICK_MAX);
  pick(small, "define i32 @asked() {\n  ret i32 0\n}\n", &text);
  assert_int_equal(text.size, 0);
  tn_buf_deinit(&text);
}

// Every function of the libraries can be had by itself, and what is picked is valid.
static void each_of(const char *const *first, const char *const *second) {
  const char *const *lists[] = {first, second ? second : NULL, NULL};
  size_t tried = 0;
  for (size_t k = 0; k < 2 && lists[k]; ++k) {
    for (size_t i = 0; lists[k][i]; ++i) {
      for (const char *at = lists[k][i]; (at = strstr(at, "define linkonce_odr ")); ++at) {
        const char *name = strchr(at, '@') + 1;
        tn_llvm_job job;
        tn_diag diag = {0};
        tn_buf text;
        LLVMModuleRef module = NULL;
        tn_buf_init(&text, PICK_MAX);
        assert_int_equal(tn_llvm_job_init(&job, &diag), TN_OK);
        module = LLVMModuleCreateWithNameInContext("t", job.context);
        char symbol[128];
        (void)snprintf(symbol, sizeof(symbol), "%.*s", (int)strcspn(name, "("), name);
        LLVMAddFunction(module, symbol,
                        LLVMFunctionType(LLVMVoidTypeInContext(job.context), NULL, 0, 0));
        assert_int_equal(tn_gpu_library_pick(lists, module, &text, &diag), TN_OK);
        LLVMDisposeModule(module);
        const tn_status status = tn_module_parse(&job, tn_buf_bytes(&text), symbol, &module, &diag);
        if (status != TN_OK) {
          print_message("%s: %s\n", symbol, diag.text);
        }
        assert_int_equal(status, TN_OK);
        assert_non_null(LLVMGetNamedFunction(module, symbol));
        LLVMDisposeModule(module);
        tn_llvm_job_deinit(&job);
        tn_buf_deinit(&text);
        ++tried;
      }
    }
  }
  assert_true(tried > 2);
}

static void test_the_libraries(void **state) {
  (void)state;
  each_of(tn_gpu_library_ids, tn_gpu_library_nvptx);
  each_of(tn_gpu_library_ids, tn_gpu_library_amdgpu);
  each_of(tn_gpu_library_spirv, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_asked_for),
      cmocka_unit_test(test_variables),
      cmocka_unit_test(test_nothing),
      cmocka_unit_test(test_the_libraries),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
