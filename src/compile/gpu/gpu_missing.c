// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds what device code uses and its device does not have, and says who uses it.
// needs: code lowered for its device.  keeps: everything.  breaks: nothing.
#include "compile/gpu/gpu_missing.h"

#include "compile/gpu/gpu_library.h"
#include "compile/gpu/gpu_math.h"
#include "compile/reach/reach.h"

typedef struct finder {
  const tn_target *target;
  tn_reach_node *node;  // the first that uses something missing; NULL: there is none
  LLVMValueRef site;
  LLVMValueRef missing;
} finder;

static bool is_any(tn_str name, const char *const *names) {
  for (size_t i = 0; names[i]; ++i) {
    if (tn_str_equals(name, tn_str_from(names[i]))) {
      return true;
    }
  }
  return false;
}

// Images are linked to others on these devices when a kernel is launched.
static bool can_import(const tn_target *target) {
  return target->kind == TN_TARGET_NVPTX || (target->kind == TN_TARGET_SPIRV && !target->is_aot);
}

static bool is_there(const tn_target *target, LLVMValueRef function) {
  static const char *const ours[] = {TN_GPU_LAUNCH, TN_GPU_LOCAL, TN_GPU_SPECS, TN_GPU_HAS_ROWS,
                                     NULL};
  static const char *const cuda[] = {"__assertfail", "vprintf", "malloc", "free", NULL};
  static const char *const clocks[] = {"llvm.readcyclecounter", "llvm.readsteadycounter", NULL};
  const tn_str name = tn_value_name(function);
  if (target->kind == TN_TARGET_SPIRV && is_any(name, clocks)) {
    return false;
  }
  if (tn_function_is_defined(function) || tn_function_is_intrinsic(function) ||
      is_any(name, ours)) {
    return true;
  }
  if (tn_function_is_external(function)) {
    return can_import(target);
  }
  if (target->kind == TN_TARGET_SPIRV && tn_str_equals(name, TN_STR_LIT("printf"))) {
    return true;
  }
  return tn_gpu_math_is_library(target->kind, name) ||
         (target->kind == TN_TARGET_NVPTX && is_any(name, cuda));
}

static void look(void *user, tn_reach_node *node, LLVMValueRef instruction, LLVMValueRef value,
                 bool is_callee) {
  (void)is_callee;
  finder *f = user;
  if (!f->missing && LLVMIsAFunction(value) && !is_there(f->target, value)) {
    f->node = node;
    f->site = instruction;
    f->missing = value;
  }
}

static const char *advice(const tn_target *target, LLVMValueRef missing) {
  const tn_str name = tn_value_name(missing);
  if (tn_function_is_external(missing)) {
    return "code for this target is linked when the program is: define the function in a file of "
           "the program";
  }
  if (tn_str_equals(name, TN_STR_LIT("__assert_fail"))) {
    return "this target has no assert; compile with -DNDEBUG";
  }
  if (tn_function_is_intrinsic(missing)) {
    return "SPIR-V has no clock without an extension of the device's";
  }
  return target->kind == TN_TARGET_SPIRV
             ? "OpenCL has no function of that name"
             : "the device has no function of that name; use one of namespace sycl";
}

static tn_status report(const finder *f, tn_arena *arena, tn_diag *diag) {
  const tn_reach_node *root = f->node;
  while (root->parent) {
    root = root->parent;
  }
  const bool is_kernel = tn_function_is_kernel(root->function);
  const tn_str root_name = tn_value_name(root->function);
  const char *who =
      is_kernel ? tn_demangle_kernel(arena, root_name) : tn_demangle(arena, root_name);
  const char *what = tn_demangle(arena, tn_value_name(f->missing));
  tn_place place = tn_place_of_instruction(f->site);
  uint64_t line = place.line;
  if (place.file.size == 0) {
    place.file = tn_function_attr(root->function, TN_ATTR_KERNEL_FILE);
    line = 0;
    (void)tn_str_to_u64(tn_function_attr(root->function, TN_ATTR_KERNEL_LINE), &line);
  }
  const char *at =
      place.file.size == 0
          ? ""
          : tn_arena_format(arena, "%.*s:%llu: ", TN_STR_ARG(place.file), (unsigned long long)line);
  return TN_FAIL(diag, BUILD_FAILED, "%s%s '%s' calls '%s', which %s does not have: %s",
                 at ? at : "", is_kernel ? "kernel" : "SYCL_EXTERNAL function", who ? who : "?",
                 what ? what : "?", f->target->word, advice(f->target, f->missing));
}

tn_status tn_gpu_missing_check(LLVMModuleRef module, const tn_target *target, tn_diag *diag) {
  finder f = {.target = target};
  tn_arena arena;
  tn_arena_init(&arena);
  tn_reach reach;
  tn_reach_init(&reach, &arena);
  reach.visit = look;
  reach.user = &f;
  tn_status status = tn_reach_walk(&reach, module, diag);
  if (status == TN_OK && f.missing) {
    status = report(&f, &arena, diag);
  }
  tn_reach_deinit(&reach);
  tn_arena_deinit(&arena);
  return status;
}
