// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module becomes an ELF object for this machine, at every level.
#include "compile/emit/emit.h"

#include "base/cpu_feature.h"

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

// What code may use is what the runtime is told that it needs, and the vectors are of that.
static void test_processors(void **state) {
  (void)state;
  static const struct {
    const char *name;
    const char *needs;
    const char *needs_not;
    uint32_t vector_bytes;
  } rows[] = {
      {NULL, "", "sse3", 16},
      {"x86-64", "", "sse3", 16},
      {"x86-64-v2", "popcnt", "avx", 16},
      {"x86-64-v3", "avx2", "avx512f", 32},
      {"haswell", "fma", "avx512f", 32},
      {"skylake-avx512", "avx512vl", "avx512vnni", 64},
      {"graniterapids", "avx512fp16", "none", 64},
      {"znver2", "bmi2", "avx512f", 32},
  };
  tn_diag diag = {0};
  tn_cpu_processor processor;
  for (size_t i = 0; i < TN_COUNT(rows); i++) {
    LLVMTargetMachineRef machine = NULL;
    assert_int_equal(tn_cpu_processor_init(&processor, rows[i].name, &diag), TN_OK);
    assert_int_equal(tn_emit_machine_create_for(&processor, 2, &machine, &diag), TN_OK);
    assert_int_equal(tn_emit_vector_bytes(machine), rows[i].vector_bytes);
    const char *needs = tn_buf_text(&processor.needs);
    assert_true(rows[i].needs[0] != '\0' ? strstr(needs, rows[i].needs) != NULL
                                         : needs[0] == '\0');
    assert_null(strstr(needs, rows[i].needs_not));
    // The same list, as LLVM and as the runtime write it.
    tn_str rest = tn_buf_str(&processor.needs);
    tn_str features = tn_buf_str(&processor.features);
    while (rest.data && rest.size > 0) {
      const tn_str feature = tn_str_split(&features, ',');
      assert_true(tn_str_equals(tn_str_split(&rest, ','), tn_str_slice(feature, 1, SIZE_MAX)));
      assert_true(tn_cpu_feature_is_known(tn_str_slice(feature, 1, SIZE_MAX)));
    }
    LLVMDisposeTargetMachine(machine);
    tn_cpu_processor_deinit(&processor);
  }
  assert_int_equal(tn_cpu_processor_init(&processor, "toaster", &diag), TN_UNSUPPORTED);
  assert_non_null(strstr(diag.text, "toaster"));
  tn_cpu_processor_deinit(&processor);
  assert_int_equal(tn_cpu_processor_init(&processor, "native", &diag), TN_OK);
  assert_int_equal(tn_cpu_find_lacking(tn_buf_str(&processor.needs)).size, 0);
  tn_cpu_processor_deinit(&processor);
}

// A machine that was given back is the next one's, of its level alone.
static void test_machines_are_kept(void **state) {
  (void)state;
  tn_diag diag = {0};
  LLVMTargetMachineRef first = NULL;
  LLVMTargetMachineRef second = NULL;
  LLVMTargetMachineRef other = NULL;
  assert_int_equal(tn_emit_machine_borrow(2, &first, &diag), TN_OK);
  assert_int_equal(tn_emit_machine_borrow(2, &second, &diag), TN_OK);
  assert_ptr_not_equal(first, second);
  tn_emit_machine_return(2, first);
  assert_int_equal(tn_emit_machine_borrow(1, &other, &diag), TN_OK);
  assert_ptr_not_equal(other, first);
  LLVMTargetMachineRef again = NULL;
  assert_int_equal(tn_emit_machine_borrow(2, &again, &diag), TN_OK);
  assert_ptr_equal(again, first);
  LLVMDisposeTargetMachine(again);
  LLVMDisposeTargetMachine(second);
  LLVMDisposeTargetMachine(other);
  // More than are kept.
  LLVMTargetMachineRef many[6] = {NULL};
  for (size_t i = 0; i < TN_COUNT(many); ++i) {
    assert_int_equal(tn_emit_machine_borrow(3, &many[i], &diag), TN_OK);
  }
  for (size_t i = 0; i < TN_COUNT(many); ++i) {
    tn_emit_machine_return(3, many[i]);
  }
  tn_emit_machine_return(3, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_object_at_every_level),
                                     cmocka_unit_test(test_processors),
                                     cmocka_unit_test(test_machines_are_kept)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
