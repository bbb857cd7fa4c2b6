// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules for device code that stock clang does not check, read off the IR.
// needs: a prepared unit (check) or linked units (check-linked), nothing simplified yet.
// keeps: everything.  breaks: nothing.
#include "compile/check/check.h"

#include "base/host_function.h"
#include "compile/check/aspect_check.h"
#include "compile/check/check_code.h"
#include "compile/check/frame_check.h"
#include "compile/check/recursion.h"
#include "compile/check/try_check.h"
#include "compile/lower/lower.h"

static bool is_one_of(tn_str name, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (tn_str_equals(name, tn_str_from(names[i]))) {
      return true;
    }
  }
  return false;
}

static bool is_throw(tn_str name) {
  static const char *const throwing[] = {"__cxa_throw", "__cxa_rethrow",
                                         "__cxa_throw_bad_array_new_length"};
  return is_one_of(name, throwing, TN_COUNT(throwing)) ||
         (tn_str_has_prefix(name, TN_STR_LIT("_ZSt")) &&
          tn_str_find(name, TN_STR_LIT("__throw_")) != SIZE_MAX);
}

static bool is_allocation(tn_str name) {
  static const char *const allocating[] = {"malloc",         "calloc", "realloc",
                                           "reallocarray",   "free",   "aligned_alloc",
                                           "posix_memalign", "strdup", "alloca"};
  return is_one_of(name, allocating, TN_COUNT(allocating)) ||
         tn_str_has_prefix(name, TN_STR_LIT("_Znw")) ||
         tn_str_has_prefix(name, TN_STR_LIT("_Zna")) ||
         tn_str_has_prefix(name, TN_STR_LIT("_Zdl")) || tn_str_has_prefix(name, TN_STR_LIT("_Zda"));
}

// Part of throwing, of dynamic_cast or of statics with run-time initialization, reported where
// those are.
static bool is_companion(tn_str name) {
  static const char *const companions[] = {
      "__cxa_allocate_exception", "__cxa_free_exception", "__cxa_begin_catch",
      "__cxa_end_catch",          "__cxa_guard_acquire",  "__cxa_guard_release",
      "__cxa_guard_abort",        "__cxa_atexit",         "__cxa_bad_cast"};
  return is_one_of(name, companions, TN_COUNT(companions));
}

static bool is_jump(tn_str name) {
  static const char *const jumps[] = {"setjmp",   "_setjmp",    "__sigsetjmp",  "longjmp",
                                      "_longjmp", "siglongjmp", "__longjmp_chk"};
  return is_one_of(name, jumps, TN_COUNT(jumps));
}

static bool is_end(tn_str name) {
  static const char *const ends[] = {"abort", "exit",       "_exit",
                                     "_Exit", "quick_exit", "_ZSt9terminatev"};
  return is_one_of(name, ends, TN_COUNT(ends));
}

// What clang makes for thread-local variables; the variable is reported where it is used.
static const tn_str thread_wrapper = {"_ZTW", 4};
static bool is_of_thread_locals(const tn_reach_node *node) {
  const tn_str name = tn_value_name(node->function);
  const bool is_own = tn_str_has_prefix(name, thread_wrapper) ||
                      tn_str_has_prefix(name, TN_STR_LIT("_ZTH")) ||
                      tn_str_equals(name, TN_STR_LIT("__tls_init"));
  return is_own || (tn_str_has_prefix(name, TN_STR_LIT("__cxx_global_var_init")) && node->parent &&
                    is_of_thread_locals(node->parent));
}

static bool is_coroutine(LLVMValueRef function) {
  static const char name[] = "presplitcoroutine";
  return LLVMGetEnumAttributeAtIndex(function, TN_ON_FUNCTION,
                                     LLVMGetEnumAttributeKindForName(name, sizeof(name) - 1));
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

// Functions that device code may not call, whoever defines them. True when it was reported.
static bool check_kind(tn_rules *c, tn_reach_node *node, LLVMValueRef instruction,
                       LLVMValueRef function, const char *shown) {
  const tn_str name = tn_value_name(function);
  if (is_jump(name)) {
    tn_report_add(&c->report, node, instruction,
                  "uses '%s'; device code cannot jump out of functions", shown);
  } else if (is_end(name)) {
    tn_report_add(&c->report, node, instruction,
                  "calls '%s', which ends the program; of device code only a failed assert() does",
                  shown);
  } else if (tn_str_has_prefix(name, thread_wrapper)) {
    const char *variable = strstr(shown, " for ");
    tn_report_add(&c->report, node, instruction,
                  "uses the thread-local variable '%s'; device code has none",
                  variable ? variable + 5 : shown);
  } else if (tn_str_equals(name, TN_STR_LIT("printf")) && !tn_function_is_defined(function)) {
    const tn_str triple = tn_str_from(LLVMGetTarget(LLVMGetGlobalParent(function)));
    if (c->is_for_cpu || tn_str_has_prefix(triple, TN_STR_LIT("spir"))) {
      return false;
    }
    // For NVIDIA's GPUs clang has made vprintf of it.
    tn_report_add(&c->report, node, instruction,
                  "calls 'printf', which this target does not have; print with a sycl::stream");
  } else if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) &&
             !tn_function_is_intrinsic(function) && !tn_function_is_builtin_name(name)) {
    tn_report_add(&c->report, node, instruction,
                  "calls '%s', which takes a variable number of arguments; device code cannot",
                  shown);
  } else {
    return false;
  }
  return true;
}

static void check_function(tn_rules *c, tn_reach_node *node, LLVMValueRef instruction,
                           LLVMValueRef function, bool is_callee) {
  const tn_str name = tn_value_name(function);
  const char *shown = tn_demangle(c->report.arena, name);
  if (is_callee && check_kind(c, node, instruction, function, shown ? shown : "?")) {
    return;
  }
  if (is_callee && is_throw(name)) {
    tn_report_add(&c->report, node, instruction, "throws an exception; device code cannot throw");
  } else if (is_allocation(name) && !tn_function_is_defined(function)) {
    if (!is_coroutine(node->function)) {  // which is reported as such
      tn_report_add(&c->report, node, instruction,
                    "uses '%s'; device code cannot allocate or free memory", shown ? shown : "?");
    }
  } else if (tn_str_equals(name, TN_STR_LIT("__cxa_bad_typeid"))) {
    tn_report_add(&c->report, node, instruction,
                  "uses typeid; device code has no run-time type information");
  } else if (tn_str_equals(name, TN_STR_LIT("__dynamic_cast"))) {
    tn_report_add(&c->report, node, instruction,
                  "uses dynamic_cast; device code has no run-time type information");
  } else if (!tn_function_is_defined(function) && !tn_function_is_external(function) &&
             !tn_function_is_intrinsic(function) && !tn_is_host_function(name) &&
             !is_companion(name) && !is_throw(name) && !is_exception_setup(instruction) &&
             (tn_str_has_prefix(name, TN_STR_LIT("__cxa_")) ||
              !tn_function_is_builtin_name(name))) {
    tn_report_add(&c->report, node, instruction,
                  "%s '%s', which is neither defined in this translation unit nor declared "
                  "SYCL_EXTERNAL",
                  is_callee ? "calls" : "uses", shown ? shown : "?");
  }
}

// A variable of type work_group_static whose address a value of constants has.
static LLVMValueRef group_static_in(LLVMValueRef value, int depth) {
  if (LLVMIsAGlobalVariable(value)) {
    return tn_group_static_is_marked(value) ? value : NULL;
  }
  const int count = depth > 0 && LLVMIsAConstant(value) ? LLVMGetNumOperands(value) : 0;
  LLVMValueRef found = NULL;
  for (int i = 0; i < count && !found; ++i) {
    found = group_static_in(LLVMGetOperand(value, (unsigned)i), depth - 1);
  }
  return found;
}

static void check_holder(tn_rules *c, tn_reach_node *node, LLVMValueRef instruction,
                         LLVMValueRef variable, const char *shown) {
  enum { DEPTH = 8 };
  LLVMValueRef held = group_static_in(LLVMGetInitializer(variable), DEPTH);
  if (held) {
    tn_report_add(&c->report, node, instruction,
                  "uses the constant '%s', which has the address of the work_group_static variable "
                  "'%s'; each work-group has a variable of its own, whose address is no constant",
                  shown, tn_group_static_shown(held, c->report.arena));
  }
}

static void check_variable(tn_rules *c, tn_reach_node *node, LLVMValueRef instruction,
                           LLVMValueRef variable) {
  const tn_str name = tn_value_name(variable);
  if (tn_str_has_prefix(name, TN_STR_LIT("llvm.")) ||
      tn_str_has_prefix(name, TN_STR_LIT("__tenon_")) ||
      tn_str_has_prefix(name, TN_STR_LIT("_ZGV")) ||
      tn_str_equals(name, TN_STR_LIT("__dso_handle")) ||
      (tn_spec_is_variable(variable) && LLVMGetInitializer(variable))) {
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
                  "variables that are const or constexpr and initialized at compile time",
                  shown);
  } else if (!LLVMGetInitializer(variable)) {
    tn_report_add(&c->report, node, instruction,
                  "uses the variable '%s', which is not defined in this translation unit", shown);
  } else {
    check_holder(c, node, instruction, variable, shown);
  }
}

static void check_value(void *user, tn_reach_node *node, LLVMValueRef instruction,
                        LLVMValueRef value, bool is_callee) {
  tn_rules *c = user;
  const tn_str callee = callee_name(instruction);
  if (is_of_thread_locals(node) || (!is_callee && (is_throw(callee) || is_companion(callee)))) {
    return;  // of what is thrown the type and the destructor
  }
  if (LLVMIsAFunction(value)) {
    check_function(c, node, instruction, value, is_callee);
  } else if (LLVMIsAGlobalVariable(value)) {
    check_variable(c, node, instruction, value);
  }
}

static void check_instruction(void *user, tn_reach_node *node, LLVMValueRef instruction) {
  if (!is_of_thread_locals(node)) {
    tn_check_instruction(user, node, instruction);
  }
}

// Devices' triples; all others are a host's.
static bool is_for_cpu(LLVMModuleRef module) {
  const tn_str triple = tn_str_from(LLVMGetTarget(module));
  static const char *const devices[] = {"spir", "nvptx", "amdgcn"};
  for (size_t i = 0; i < TN_COUNT(devices); ++i) {
    if (tn_str_has_prefix(triple, tn_str_from(devices[i]))) {
      return false;
    }
  }
  return true;
}

static unsigned kind_of(LLVMModuleRef module, const char *name) {
  return LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), name, (unsigned)strlen(name));
}

// TN_ATTR_MISUSE of all functions, whether kernels reach them or not.
static void report_misuses(LLVMModuleRef module, tn_report *report) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    tn_str text = tn_function_attr(f, TN_ATTR_MISUSE);
    uint64_t line = 0;
    uint64_t column = 0;
    if (text.size > 0 && tn_str_to_u64(tn_str_split(&text, '|'), &line) &&
        tn_str_to_u64(tn_str_split(&text, '|'), &column)) {
      const tn_str sentence = tn_str_split(&text, '|');
      const tn_place place = {text, (uint32_t)line, (uint32_t)column};
      tn_report_add_at(report, place, f, "%.*s", TN_STR_ARG(sentence));
    }
  }
}

static tn_status check(LLVMModuleRef module, const char *fallback, bool whole, tn_arena *arena,
                       tn_buf *messages, tn_diag *diag) {
  tn_rules c = {
      .tbaa_kind = kind_of(module, "tbaa"),
      .nonnull_kind = kind_of(module, "nonnull"),
      .align_kind = kind_of(module, "align"),
      .is_for_cpu = is_for_cpu(module),
      .is_for_nvidia = tn_str_has_prefix(tn_str_from(LLVMGetTarget(module)), TN_STR_LIT("nvptx")),
  };
  tn_report_init(&c.report, arena, messages, fallback);
  tn_reach reach;
  tn_reach_init(&reach, arena);
  if (whole) {
    reach.visit = check_value;
    reach.visit_instruction = check_instruction;
    reach.user = &c;
  }
  report_misuses(module, &c.report);
  tn_status status = tn_reach_walk(&reach, module, diag);
  if (status == TN_OK && !tn_recursion_report(&reach, &c.report)) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to look for recursion in device code");
  }
  if (status == TN_OK && whole && c.is_for_cpu && c.report.count == 0) {
    tn_frame_check(&reach, &c.report);
  }
  if (status == TN_OK && whole) {
    tn_try_check(&reach, &c.report);
    status = tn_aspect_check(&reach, &c.report, diag);
  }
  if (status == TN_OK) {
    status = tn_report_finish(&c.report, diag);
  }
  tn_reach_deinit(&reach);
  tn_report_deinit(&c.report);
  return status;
}

tn_status tn_check_unit(LLVMModuleRef module, const char *source, tn_arena *arena,
                              tn_buf *messages, tn_diag *diag) {
  return check(module, source, true, arena, messages, diag);
}

tn_status tn_check_linked(LLVMModuleRef module, const char *output, tn_arena *arena,
                                tn_buf *messages, tn_diag *diag) {
  return check(module, output, false, arena, messages, diag);
}
