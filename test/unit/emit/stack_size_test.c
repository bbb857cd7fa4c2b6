// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The object says what the frames of a kernel's largest chain of calls take, at every level.
#include "base/cpu_feature.h"
#include "compile/emit/emit.h"
#include "tenon/cpu_kernel.h"

#include <llvm-c/Object.h>

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

// A function that uses an array of so many bytes and then does what `body` says.
#define FUNCTION(name, size, body)                                              \
  "define internal void @" name "() noinline {\n"                               \
  "  %a = alloca [" size " x i8]\n"                                             \
  "  call void @use(ptr %a)\n" body "  call void @use(ptr %a)\n  ret void\n}\n"
#define KERNEL(name, body)                                            \
  "@\"" name                                                          \
  ".tn_needs\" = constant [9 x i64] "                                 \
  "[i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 1, i64 0, i64 0]\n" \
  "define void @\"" name ".tn_group\"(ptr %args, ptr %group) {\n" body "  ret void\n}\n"

static const char text[] =
    "declare void @use(ptr)\n"
    "@table = internal constant [2 x ptr] [ptr @target, ptr @small]\n"
    "@names = constant [1 x ptr] [ptr @\"large@1.tn_group\"]\n"  // as in tables of kernels
    KERNEL("none", "")
    KERNEL("chain", "  call void @first()\n  call void @small()\n")
    KERNEL("large@1", "  call void @large()\n")
    KERNEL("pointer", "  %p = load ptr, ptr %args\n  call void %p()\n")
    KERNEL("circle", "  call void @odd()\n")
    FUNCTION("first", "20000", "  call void @second()\n  call void @small()\n")
    FUNCTION("second", "30000", "")
    FUNCTION("small", "100", "")
    FUNCTION("large", "5000000000", "")
    FUNCTION("target", "70000", "  call void @small()\n")
    FUNCTION("odd", "10000", "  call void @even()\n")
    FUNCTION("even", "15000", "  call void @odd()\n  call void @second()\n");

// The four numbers of a kernel's constant.
static void read_needs(const tn_buf *object, const char *name, tn_cpu_needs *out) {
  char *message = NULL;
  LLVMMemoryBufferRef memory =
      LLVMCreateMemoryBufferWithMemoryRange(object->data, object->size, "object", false);
  LLVMBinaryRef binary = LLVMCreateBinary(memory, NULL, &message);
  assert_non_null(binary);
  LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(binary);
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(binary);
  bool found = false;
  for (; !LLVMObjectFileIsSymbolIteratorAtEnd(binary, symbol); LLVMMoveToNextSymbol(symbol)) {
    if (strcmp(LLVMGetSymbolName(symbol), name) == 0) {
      LLVMMoveToContainingSection(section, symbol);
      memcpy(out, LLVMGetSectionContents(section) + LLVMGetSymbolAddress(symbol), sizeof(*out));
      found = true;
    }
  }
  LLVMDisposeSectionIterator(section);
  LLVMDisposeSymbolIterator(symbol);
  LLVMDisposeBinary(binary);
  LLVMDisposeMemoryBuffer(memory);
  assert_true(found);
}

static void expect(const tn_buf *object, const char *name, uint64_t least) {
  enum { MARGIN = 2500 };  // of a few frames
  tn_cpu_needs needs = {0};
  read_needs(object, name, &needs);
  assert_in_range(needs.stack_size, least, least + MARGIN);
  assert_int_equal(needs.slot_bytes, 1);
  assert_int_equal(needs.slot_width, 2);
  assert_int_equal(needs.group_memory, 3);
}

static void test_chains(void **state) {
  (void)state;
  for (uint32_t level = 0; level <= 3; ++level) {
    tn_llvm_job job;
    tn_diag diag = {0};
    LLVMModuleRef module = NULL;
    LLVMTargetMachineRef machine = NULL;
    tn_buf object;
    tn_buf_init(&object, 1 << 20);
    assert_int_equal(tn_llvm_job_init(&job, &diag), TN_OK);
    assert_int_equal(
        tn_module_parse(&job, tn_bytes_from(text, sizeof(text) - 1), "t", &module, &diag), TN_OK);
    assert_int_equal(tn_emit_machine_create(level, &machine, &diag), TN_OK);
    // Not optimized, which would do away with most of it.
    if (tn_emit_object(&job, module, machine, &object, &diag) != TN_OK) {
      fail_msg("%s", diag.text);
    }
    expect(&object, "none.tn_needs", 0);
    expect(&object, "chain.tn_needs", 50000);
    expect(&object, "large@1.tn_needs", 5000000000);
    expect(&object, "pointer.tn_needs", 70100);
    expect(&object, "circle.tn_needs", 55000);
    tn_buf_deinit(&object);
    LLVMDisposeTargetMachine(machine);
    LLVMDisposeModule(module);
    tn_llvm_job_deinit(&job);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_chains)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
