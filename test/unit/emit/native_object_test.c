// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module becomes an ELF object for this machine, at every level.
#include "compile/emit/emit.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

static void test_object_at_every_level(void **state) {
  (void)state;
  static const char text[] =
      "define void @k(ptr %p) {\n  store i32 1, ptr %p\n  call void @h(ptr %p)\n  ret void\n}\n"
      "define internal void @h(ptr %p) alwaysinline {\n  store i32 2, ptr %p\n  ret void\n}\n";
  for (uint32_t level = 0; level <= 3; ++level) {
    tn_llvm_job job;
    tn_diag diag = {0};
    LLVMModuleRef module = NULL;
    LLVMTargetMachineRef machine = NULL;
    tn_buf object;
    tn_buf_init(&object, 1 << 20);
    assert_int_equal(tn_llvm_job_init(&job, &diag), TN_OK);
    assert_int_equal(tn_module_parse(&job, tn_bytes_from(text, sizeof(text) - 1), "t", &module,
                                     &diag), TN_OK);
    assert_int_equal(tn_emit_machine_create(level, &machine, &diag), TN_OK);
    assert_int_equal(tn_emit_optimize(&job, module, machine, level, &diag), TN_OK);
    assert_null(LLVMGetNamedFunction(module, "h"));
    assert_true(tn_function_attr(LLVMGetNamedFunction(module, "k"), "target-cpu").size != 0);
    assert_int_equal(tn_emit_object(&job, module, machine, &object, &diag), TN_OK);
    assert_true(object.size > 64);
    assert_memory_equal(object.data, "\x7f" "ELF", 4);
    tn_buf_deinit(&object);
    LLVMDisposeTargetMachine(machine);
    LLVMDisposeModule(module);
    tn_llvm_job_deinit(&job);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_object_at_every_level)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
