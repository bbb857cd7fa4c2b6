// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves a kernel's blocks into a function of one work-item, with its own copy of the argument block
// unless the kernel only reads it. Debug information that the kernel has goes along.
// needs: one kernel with all it calls in the module.  keeps: what a work-item computes.
// breaks: the kernel is left without a body.
#include "compile/lower/cpu_item.h"

#include "compile/lower/cpu_groupless.h"
#include "compile/lower/cpu_ids.h"

#include <llvm-c/DebugInfo.h>

enum { TN_ATTR_MAX = 128, TN_READ_ONLY_DEPTH = 32 };

void tn_cpu_copy_attrs(LLVMValueRef from, LLVMValueRef to) {
  LLVMAttributeRef attributes[TN_ATTR_MAX];
  const unsigned count = LLVMGetAttributeCountAtIndex(from, TN_ON_FUNCTION);
  if (count > TN_ATTR_MAX) {
    return;
  }
  LLVMGetAttributesAtIndex(from, TN_ON_FUNCTION, attributes);
  for (unsigned i = 0; i < count; ++i) {
    LLVMAddAttributeAtIndex(to, TN_ON_FUNCTION, attributes[i]);
  }
  tn_function_remove_enum(to, "noinline");
  tn_function_remove_enum(to, "optnone");
}

// Whether memory behind `pointer` is only read, directly, so that nobody sees whose copy it is.
static bool is_only_read(LLVMValueRef pointer, int depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const bool reads =
        LLVMIsALoadInst(user) || (LLVMIsAMemCpyInst(user) && LLVMGetOperand(user, 0) != pointer);
    const bool derives = LLVMIsAGetElementPtrInst(user) && depth < TN_READ_ONLY_DEPTH;
    if (!reads && !(derives && is_only_read(user, depth + 1))) {
      return false;
    }
  }
  return true;
}

typedef struct argument_loads {
  LLVMBuilderRef builder;  // at the end of the entry block
  LLVMBasicBlockRef entry;
  LLVMTargetDataRef layout;
  uint64_t size;  // of the argument block
} argument_loads;

static void move_to_entry(const argument_loads *a, LLVMValueRef instruction) {
  if (LLVMGetInstructionParent(instruction) != a->entry) {
    LLVMInstructionRemoveFromParent(instruction);
    LLVMInsertIntoBuilder(a->builder, instruction);
  }
}

// Loads behind `pointer`, which is `at` bytes into the block.
static void load_first(const argument_loads *a, LLVMValueRef pointer, uint64_t at, int depth) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    uint64_t offset = at;
    if (LLVMIsAGetElementPtrInst(user) && depth < TN_READ_ONLY_DEPTH &&
        tn_gep_add_offset(a->layout, user, &offset) && offset < a->size) {
      move_to_entry(a, user);
      load_first(a, user, offset, depth + 1);
    } else if (LLVMIsALoadInst(user) && !LLVMGetVolatile(user) &&
               LLVMGetOrdering(user) == LLVMAtomicOrderingNotAtomic &&
               LLVMStoreSizeOfType(a->layout, LLVMTypeOf(user)) <= a->size - at) {
      move_to_entry(a, user);
      tn_load_drop_promises(user);
      tn_load_mark_invariant(user);
    }
  }
}

// Arguments that are only read are loaded once, and in all branches: one that was read again behind
// a branch would be two values where work-items meet, and no longer the same for all.
static void load_arguments_first(LLVMValueRef item, uint64_t size) {
  argument_loads a = {.entry = LLVMGetEntryBasicBlock(item), .size = size};
  a.layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(item));
  a.builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(item)));
  LLVMPositionBuilderBefore(a.builder, LLVMGetBasicBlockTerminator(a.entry));
  load_first(&a, LLVMGetParam(item, TN_CPU_ITEM_ARGS), 0, 0);
  LLVMDisposeBuilder(a.builder);
}

// The kernel's own memory is now the work-item's: calls that get it are no longer tail calls.
static void drop_tail_calls(LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (LLVMIsACallInst(i)) {
        LLVMSetTailCall(i, 0);
      }
    }
  }
}

static void add_private_copy(LLVMValueRef item, LLVMValueRef old_args, const tn_cpu_item *info) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(item));
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(item);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
  LLVMTypeRef block = LLVMArrayType2(LLVMInt8TypeInContext(context), info->arg_size);
  LLVMValueRef copy = LLVMBuildAlloca(builder, block, "args");
  LLVMSetAlignment(copy, (unsigned)info->arg_align);
  LLVMBuildMemCpy(builder, copy, (unsigned)info->arg_align, LLVMGetParam(item, TN_CPU_ITEM_ARGS),
                  (unsigned)info->arg_align,
                  LLVMConstInt(LLVMInt64TypeInContext(context), info->arg_size, 0));
  LLVMReplaceAllUsesWith(old_args, copy);
  drop_tail_calls(item);
  LLVMDisposeBuilder(builder);
}

static LLVMValueRef create_item(LLVMModuleRef module, LLVMValueRef kernel, bool is_stepped) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef ptr = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMTypeRef params[TN_CPU_ITEM_PARAMS] = {ptr, ptr, i64, i64, i64};
  LLVMTypeRef type =
      LLVMFunctionType(LLVMVoidTypeInContext(context), params, TN_CPU_ITEM_PARAMS, 0);
  LLVMValueRef item = LLVMAddFunction(module, "tn_item", type);
  LLVMSetLinkage(item, LLVMInternalLinkage);
  tn_cpu_copy_attrs(kernel, item);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(kernel);
  if (subprogram) {
    LLVMSetSubprogram(item, subprogram);
  }
  // What a debugger shows as the kernel: a frame of its own.
  tn_function_add_enum(item, subprogram && is_stepped ? "noinline" : "alwaysinline");
  return item;
}

// LLVMMoveBasicBlockAfter is the one of its kind that also moves between functions.
static void move_body(LLVMValueRef kernel, LLVMValueRef item) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(item));
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(context, item, "");
  LLVMBasicBlockRef last = start;
  LLVMBasicBlockRef block = NULL;
  while ((block = LLVMGetFirstBasicBlock(kernel)) != NULL) {
    LLVMMoveBasicBlockAfter(block, last);
    last = block;
  }
  LLVMDeleteBasicBlock(start);
}

static uint64_t number(LLVMValueRef function, const char *key) {
  uint64_t value = 0;
  return tn_str_to_u64(tn_function_attr(function, key), &value) ? value : 0;
}

tn_status tn_cpu_item_make(LLVMModuleRef module, LLVMValueRef kernel, unsigned width,
                           bool is_stepped, tn_cpu_item *out, tn_diag *diag) {
  const unsigned params = LLVMCountParams(kernel);
  *out = (tn_cpu_item){.arg_size = number(kernel, TN_ATTR_ARG_SIZE),
                       .arg_align = number(kernel, TN_ATTR_ARG_ALIGN)};
  const uint64_t align = out->arg_align;
  if (params > 1 || (params == 1 && (out->arg_size == 0 || out->arg_size > UINT32_MAX)) ||
      (params == 1 && (align == 0 || align > 4096 || (align & (align - 1)) != 0))) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "kernel '%.*s' does not say how its argument looks; the image "
                   "was not made by this toolchain",
                   TN_STR_ARG(tn_value_name(kernel)));
  }
  out->function = create_item(module, kernel, is_stepped);
  move_body(kernel, out->function);
  LLVMValueRef old_args = params == 1 ? LLVMGetParam(kernel, 0) : NULL;
  if (old_args && is_only_read(old_args, 0)) {
    LLVMReplaceAllUsesWith(old_args, LLVMGetParam(out->function, TN_CPU_ITEM_ARGS));
    if (!is_stepped) {
      load_arguments_first(out->function, out->arg_size);
    }
  } else if (old_args) {
    add_private_copy(out->function, old_args, out);
  }
  tn_cpu_join_sizes(out->function);
  out->is_groupless = tn_cpu_is_groupless(module, out->function);
  return tn_cpu_ids_replace(module, out->function, width, &out->group_memory, diag);
}
