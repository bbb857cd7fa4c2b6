// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules for device code that stock clang does not check, read off the IR.
#include <ctype.h>

#include "compile/lower/lower.h"
#include "compile/lower/recursion.h"

typedef struct checker {
  tn_report report;
  unsigned tbaa_kind;
} checker;

static bool is_throw(tn_str name) {
  static const char *const throwing[] = {"__cxa_throw", "__cxa_rethrow", "__cxa_bad_cast",
                                         "__cxa_bad_typeid", "__cxa_throw_bad_array_new_length"};
  for (size_t i = 0; i < TN_COUNT(throwing); ++i) {
    if (tn_str_equals(name, tn_str_from(throwing[i]))) {
      return true;
    }
  }
  return tn_str_has_prefix(name, TN_STR_LIT("_ZSt")) &&
         tn_str_find(name, TN_STR_LIT("__throw_")) != SIZE_MAX;
}

static bool is_allocation(tn_str name) {
  static const char *const allocating[] = {"malloc", "calloc", "realloc", "reallocarray", "free",
                                           "aligned_alloc", "posix_memalign", "strdup", "alloca"};
  for (size_t i = 0; i < TN_COUNT(allocating); ++i) {
    if (tn_str_equals(name, tn_str_from(allocating[i]))) {
      return true;
    }
  }
  return tn_str_has_prefix(name, TN_STR_LIT("_Znw")) ||
         tn_str_has_prefix(name, TN_STR_LIT("_Zna")) ||
         tn_str_has_prefix(name, TN_STR_LIT("_Zdl")) || tn_str_has_prefix(name, TN_STR_LIT("_Zda"));
}

// Part of throwing or of statics with run-time initialization, reported where those are.
static bool is_companion(tn_str name) {
  static const char *const companions[] = {"__cxa_allocate_exception", "__cxa_free_exception",
                                           "__cxa_begin_catch", "__cxa_end_catch",
                                           "__cxa_guard_acquire", "__cxa_guard_release",
                                           "__cxa_guard_abort", "__cxa_atexit"};
  for (size_t i = 0; i < TN_COUNT(companions); ++i) {
    if (tn_str_equals(name, tn_str_from(companions[i]))) {
      return true;
    }
  }
  return false;
}

static tn_str callee_name(LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction) && !LLVMIsAInvokeInst(instruction)) {
    return (tn_str){NULL, 0};
  }
  LLVMValueRef callee = tn_reach_function_of(LLVMGetCalledValue(instruction));
  return callee ? tn_value_name(callee) : (tn_str){NULL, 0};
}

// Constructs the object of a throw expression, which is reported at the throw.
static bool is_exception_setup(LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction) || LLVMGetNumArgOperands(instruction) == 0) {
    return false;
  }
  LLVMValueRef object = LLVMGetOperand(instruction, 0);
  return tn_str_equals(callee_name(object), TN_STR_LIT("__cxa_allocate_exception"));
}

static void check_function(checker *c, tn_reach_node *node, LLVMValueRef instruction,
                           LLVMValueRef function, bool is_callee) {
  const tn_str name = tn_value_name(function);
  const char *shown = tn_demangle(c->report.arena, name);
  if (is_callee && is_throw(name)) {
    tn_report_add(&c->report, node, instruction,
                  "throws an exception; device code cannot throw");
  } else if (is_allocation(name) && !tn_function_is_defined(function)) {
    tn_report_add(&c->report, node, instruction,
                  "uses '%s'; device code cannot allocate or free memory", shown ? shown : "?");
  } else if (tn_str_equals(name, TN_STR_LIT("__dynamic_cast"))) {
    tn_report_add(&c->report, node, instruction,
                  "uses dynamic_cast; device code has no run-time type information");
  } else if (!tn_function_is_defined(function) && !tn_function_is_external(function) &&
             !tn_function_is_intrinsic(function) && !tn_is_host_symbol(name) &&
             !is_companion(name) && !is_throw(name) && !is_exception_setup(instruction) &&
             (tn_str_has_prefix(name, TN_STR_LIT("__cxa_")) ||
              !tn_function_is_builtin_name(name))) {
    tn_report_add(&c->report, node, instruction,
                  "%s '%s', which is neither defined in this translation unit nor declared "
                  "SYCL_EXTERNAL", is_callee ? "calls" : "uses", shown ? shown : "?");
  }
}

static void check_variable(checker *c, tn_reach_node *node, LLVMValueRef instruction,
                           LLVMValueRef variable) {
  const tn_str name = tn_value_name(variable);
  if (tn_str_has_prefix(name, TN_STR_LIT("llvm.")) ||
      tn_str_has_prefix(name, TN_STR_LIT("__tenon_")) ||
      tn_str_has_prefix(name, TN_STR_LIT("_ZGV")) ||
      tn_str_equals(name, TN_STR_LIT("__dso_handle"))) {
    return;
  }
  const char *shown = tn_demangle(c->report.arena, name);
  shown = shown ? shown : "?";
  if (tn_str_has_prefix(name, TN_STR_LIT("_ZTI"))) {
    if (LLVMIsAInstruction(instruction)) {
      tn_report_add(&c->report, node, instruction,
                    "uses '%s'; device code has no run-time type information", shown);
    }
  } else if (LLVMIsThreadLocal(variable)) {
    tn_report_add(&c->report, node, instruction,
                  "uses the thread-local variable '%s'; device code has none", shown);
  } else if (!LLVMIsGlobalConstant(variable)) {
    tn_report_add(&c->report, node, instruction,
                  "uses the variable '%s', which is not constant; device code may only use "
                  "variables that are const or constexpr and initialized at compile time", shown);
  } else if (!LLVMGetInitializer(variable)) {
    tn_report_add(&c->report, node, instruction,
                  "uses the variable '%s', which is not defined in this translation unit", shown);
  }
}

static void check_value(void *user, tn_reach_node *node, LLVMValueRef instruction,
                        LLVMValueRef value, bool is_callee) {
  checker *c = user;
  const tn_str callee = callee_name(instruction);
  if (!is_callee && (is_throw(callee) || is_companion(callee))) {
    return;  // type and destructor of what is thrown
  }
  if (LLVMIsAFunction(value)) {
    check_function(c, node, instruction, value, is_callee);
  } else if (LLVMIsAGlobalVariable(value)) {
    check_variable(c, node, instruction, value);
  }
}

static bool is_vtable_tag(LLVMValueRef tag) {
  if (!tag || !LLVMIsAMDNode(tag) || LLVMGetMDNodeNumOperands(tag) != 3) {
    return false;
  }
  LLVMValueRef operands[3] = {NULL, NULL, NULL};
  LLVMGetMDNodeOperands(tag, operands);
  LLVMValueRef type = operands[0];
  if (!type || !LLVMIsAMDNode(type) || LLVMGetMDNodeNumOperands(type) == 0 ||
      LLVMGetMDNodeNumOperands(type) > 8) {
    return false;
  }
  LLVMValueRef parts[8] = {NULL};
  LLVMGetMDNodeOperands(type, parts);
  unsigned size = 0;
  const char *text = parts[0] ? LLVMGetMDString(parts[0], &size) : NULL;
  return text && tn_str_equals((tn_str){text, size}, TN_STR_LIT("vtable pointer"));
}

// Clang names the loaded pointer to the virtual table "vtable", at every optimization level.
static bool is_vtable_load(const checker *c, LLVMValueRef value) {
  if (!LLVMIsALoadInst(value)) {
    return false;
  }
  const tn_str name = tn_value_name(value);
  const tn_str prefix = TN_STR_LIT("vtable");
  const bool named = tn_str_has_prefix(name, prefix) &&
                     (name.size == prefix.size || isdigit((unsigned char)name.data[prefix.size]));
  return named || is_vtable_tag(LLVMGetMetadata(value, c->tbaa_kind));
}

static void check_instruction(void *user, tn_reach_node *node, LLVMValueRef instruction) {
  checker *c = user;
  if (!LLVMIsACallInst(instruction)) {
    return;
  }
  LLVMValueRef callee = LLVMGetCalledValue(instruction);
  if (!callee || !LLVMIsALoadInst(callee)) {
    return;
  }
  LLVMValueRef slot = LLVMGetOperand(callee, 0);
  if (LLVMIsAGetElementPtrInst(slot)) {
    slot = LLVMGetOperand(slot, 0);
  }
  if (is_vtable_load(c, slot)) {
    tn_report_add(&c->report, node, instruction,
                  "calls a virtual function; device code cannot make virtual calls");
  }
}

static tn_status check(LLVMModuleRef module, const char *fallback, bool whole, tn_arena *arena,
                       tn_buf *messages, tn_diag *diag) {
  checker c = {.tbaa_kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), "tbaa", 4)};
  tn_report_init(&c.report, arena, messages, fallback);
  tn_reach reach;
  tn_reach_init(&reach, arena);
  if (whole) {
    reach.visit = check_value;
    reach.visit_instruction = check_instruction;
    reach.user = &c;
  }
  tn_status status = tn_reach_walk(&reach, module, diag);
  if (status == TN_OK && !tn_recursion_report(&reach, &c.report)) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to look for recursion in device code");
  }
  if (status == TN_OK) {
    status = tn_report_finish(&c.report, diag);
  }
  tn_reach_deinit(&reach);
  tn_report_deinit(&c.report);
  return status;
}

tn_status tn_lower_check_unit(LLVMModuleRef module, const char *source, tn_arena *arena,
                              tn_buf *messages, tn_diag *diag) {
  return check(module, source, true, arena, messages, diag);
}

tn_status tn_lower_check_linked(LLVMModuleRef module, const char *output, tn_arena *arena,
                                tn_buf *messages, tn_diag *diag) {
  return check(module, output, false, arena, messages, diag);
}
