// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks over calls: up from a function to all that lead to it, and down from a kernel.
#include "compile/gpu/gpu_calls.h"

#include "base/map.h"
#include "compile/gpu/gpu_library.h"

// Functions that are still to be looked at, each once.
typedef struct worklist {
  tn_arena arena;
  tn_list items;
  tn_map seen;
  bool out_of_memory;
} worklist;

static void work_init(worklist *work) {
  *work = (worklist){0};
  tn_arena_init(&work->arena);
  tn_map_init(&work->seen);
}

static void work_add(worklist *work, LLVMValueRef function) {
  if (tn_map_find(&work->seen, TN_POINTER_KEY(function))) {
    return;
  }
  work->out_of_memory = !tn_map_set(&work->seen, TN_POINTER_KEY(function), function) ||
                        !tn_list_add(&work->items, &work->arena, function) || work->out_of_memory;
}

static tn_status work_end(worklist *work, tn_diag *diag) {
  const bool out_of_memory = work->out_of_memory;
  tn_map_deinit(&work->seen);
  tn_arena_deinit(&work->arena);
  return out_of_memory ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels") : TN_OK;
}

static LLVMValueRef function_around(LLVMValueRef instruction) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

static void allow_inlining(LLVMValueRef call) {
  LLVMRemoveCallSiteEnumAttribute(call, TN_ON_FUNCTION,
                                  LLVMGetEnumAttributeKindForName("noinline", 8));
}

static void add_callers(worklist *work, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function) {
      continue;
    }
    allow_inlining(user);
    LLVMValueRef caller = function_around(user);
    if (!tn_function_is_kernel(caller)) {
      tn_function_remove_enum(caller, "noinline");
      tn_function_remove_enum(caller, "optnone");
      tn_function_add_enum(caller, "alwaysinline");
      work_add(work, caller);
    }
  }
}

tn_status tn_gpu_calls_inline(LLVMModuleRef module, const char *name, tn_diag *diag) {
  LLVMValueRef first = LLVMGetNamedFunction(module, name);
  if (!first) {
    return TN_OK;
  }
  worklist work;
  work_init(&work);
  work_add(&work, first);
  for (size_t i = 0; i < work.items.count; ++i) {
    add_callers(&work, work.items.items[i]);
  }
  return work_end(&work, diag);
}

// Of these a plain range's work-items have nothing to ask, or they ask by themselves whether they
// are outside.
static bool is_of_group(tn_str name) {
  static const char *const parts[] = {"__spirv_ControlBarrier",
                                      "__spirv_BuiltInSubgroup",
                                      "__spirv_BuiltInNumSubgroups",
                                      "__spirv_GroupNonUniform",
                                      "__spirv_BuiltInNumWorkgroups",
                                      "__spirv_BuiltInWorkgroup",
                                      "__spirv_BuiltInLocalInvocation",
                                      "__tenon_sub_group_",
                                      "__tenon_local_memory",
                                      "__tenon_group_scratch",
                                      "__tenon_root_word",
                                      TN_GROUP_MEMORY_FUNCTION,
                                      "__tenon_group_any",
                                      "__tenon_is_outside"};
  for (size_t i = 0; i < TN_COUNT(parts); ++i) {
    if (tn_str_find(name, tn_str_from(parts[i])) != SIZE_MAX) {
      return true;
    }
  }
  return false;
}

static bool is_plain_range(LLVMValueRef call) {
  LLVMValueRef number = LLVMIsAConstantInt(LLVMGetOperand(call, 0));
  return number && LLVMConstIntGetSExtValue(number) > 0;
}

// How many dimensions the launches of a kernel have that asks by TN_GPU_OUTSIDE_FUNCTION.
static uint32_t asked_dims(LLVMValueRef call) {
  LLVMValueRef number = LLVMIsAConstantInt(LLVMGetOperand(call, 0));
  const long long dims = number ? LLVMConstIntGetSExtValue(number) : 0;
  return number ? (uint32_t)(dims == 0 ? 1 : dims < 0 ? -dims : dims) : 0;
}

static void look_at_call(worklist *work, LLVMValueRef root, LLVMValueRef call, tn_gpu_calls *out) {
  LLVMValueRef called = LLVMGetCalledValue(call);
  LLVMValueRef callee = LLVMIsAFunction(called);
  if (!callee) {
    out->is_open = out->is_open || !LLVMIsAInlineAsm(called);
    return;
  }
  const tn_str name = tn_value_name(callee);
  out->asks_group = out->asks_group || is_of_group(name);
  if (tn_str_equals(name, TN_STR_LIT(TN_GPU_OUTSIDE_FUNCTION))) {
    out->dims = asked_dims(call);
    out->is_plain = is_plain_range(call);
  }
  if (tn_str_equals(name, TN_STR_LIT(TN_GPU_LAUNCH))) {
    out->asks_through = out->asks_through || function_around(call) != root;
  } else if (tn_function_is_defined(callee)) {
    work_add(work, callee);
  } else {
    out->is_open = out->is_open || tn_function_is_external(callee);
  }
}

tn_status tn_gpu_calls_of(LLVMValueRef function, tn_gpu_calls *out, tn_diag *diag) {
  *out = (tn_gpu_calls){0};
  worklist work;
  work_init(&work);
  work_add(&work, function);
  for (size_t n = 0; n < work.items.count; ++n) {
    LLVMValueRef each = work.items.items[n];
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(each); b; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsACallInst(i)) {
          look_at_call(&work, function, i, out);
        }
      }
    }
  }
  return work_end(&work, diag);
}
