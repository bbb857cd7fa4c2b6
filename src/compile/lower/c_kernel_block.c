// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the arguments of a TN_KERNEL function lie in its block, and which are local memory.
// needs: a function as clang's device pass leaves it, not optimized.  keeps: everything.
// breaks: nothing.
#include "compile/lower/c_kernel.h"
#include "image/image.h"

#include <llvm-c/Target.h>

#define TN_LOCAL_MARK "tenon-local"
// As TN_ARG_… in tenon/kernel.h.
enum { ARG_VALUE = 0, ARG_POINTER = 1, ARG_LOCAL = 3 };
enum { PARAM_DEPTH = 4, POINTER_SIZE = 8 };

static unsigned attr_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static LLVMValueRef without_casts(LLVMValueRef pointer) {
  while (LLVMIsAAddrSpaceCastInst(pointer)) {
    pointer = LLVMGetOperand(pointer, 0);
  }
  return pointer;
}

static LLVMValueRef stored_param(LLVMValueRef variable, int depth);

// What a store to the variable, or to it in another address space, puts there.
static LLVMValueRef param_of_use(LLVMValueRef user, LLVMValueRef variable, int depth) {
  if (LLVMIsAAddrSpaceCastInst(user)) {
    return stored_param(user, depth);
  }
  if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != variable) {
    return NULL;
  }
  LLVMValueRef value = LLVMGetOperand(user, 0);
  if (LLVMIsALoadInst(value)) {
    return stored_param(without_casts(LLVMGetOperand(value, 0)), depth);
  }
  return LLVMIsAArgument(value);
}

// The parameter whose value a variable begins with; NULL when there is none. Where pointers have
// address spaces it goes through another variable.
static LLVMValueRef stored_param(LLVMValueRef variable, int depth) {
  LLVMValueRef found = NULL;
  for (LLVMUseRef use = depth > 0 ? LLVMGetFirstUse(variable) : NULL; use && !found;
       use = LLVMGetNextUse(use)) {
    found = param_of_use(LLVMGetUser(use), variable, depth - 1);
  }
  return found;
}

// The annotated variable of `call`, when it is one of TN_LOCAL.
static LLVMValueRef marked_variable(LLVMValueRef call) {
  LLVMValueRef callee = LLVMIsACallInst(call) ? LLVMIsAFunction(LLVMGetCalledValue(call)) : NULL;
  if (!callee || !tn_str_has_prefix(tn_value_name(callee), TN_STR_LIT("llvm.var.annotation"))) {
    return NULL;
  }
  const tn_str text = tn_constant_text(LLVMGetOperand(call, 1));
  return tn_str_equals(text, TN_STR_LIT(TN_LOCAL_MARK)) ? without_casts(LLVMGetOperand(call, 0))
                                                        : NULL;
}

static bool mark_local(tn_c_block *block, LLVMValueRef param) {
  for (size_t i = 0; i < block->count; ++i) {
    tn_c_argument *argument = &block->arguments[i];
    if (argument->param == param && argument->kind == ARG_POINTER) {
      argument->kind = ARG_LOCAL;
      return true;
    }
  }
  return false;
}

static tn_status find_locals(LLVMValueRef kernel, tn_c_block *block, tn_diag *diag) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      LLVMValueRef variable = marked_variable(i);
      if (variable && !mark_local(block, stored_param(variable, PARAM_DEPTH))) {
        return TN_FAIL(diag, BUILD_FAILED,
                       "kernel '%.*s': TN_LOCAL stands at something that is no pointer argument; "
                       "local memory is an argument of the kernel, as in TN_LOCAL float *tile",
                       TN_STR_ARG(tn_value_name(kernel)));
      }
    }
  }
  return TN_OK;
}

// Objects come as a pointer to a copy of them.
static LLVMTypeRef object_type(LLVMValueRef kernel, unsigned index) {
  LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(kernel, index + 1, attr_kind("byval"));
  byval = byval ? byval : LLVMGetEnumAttributeAtIndex(kernel, index + 1, attr_kind("byref"));
  return byval ? LLVMGetTypeAttributeValue(byval) : NULL;
}

// A truth value is a byte in memory.
static LLVMTypeRef memory_type(LLVMTypeRef type) {
  const bool is_bit =
      LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
  return is_bit ? LLVMInt8TypeInContext(LLVMGetTypeContext(type)) : type;
}

static void measure(LLVMModuleRef module, LLVMValueRef kernel, unsigned index, tn_c_argument *out) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  LLVMValueRef param = LLVMGetParam(kernel, index);
  LLVMTypeRef object = object_type(kernel, index);
  LLVMTypeRef type = object ? object : memory_type(LLVMTypeOf(param));
  const bool is_pointer = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  LLVMAttributeRef align =
      object ? LLVMGetEnumAttributeAtIndex(kernel, index + 1, attr_kind("align")) : NULL;
  *out = (tn_c_argument){
      .param = param,
      .type = type,
      .size = is_pointer ? POINTER_SIZE : LLVMABISizeOfType(layout, type),
      .align =
          align ? (uint32_t)LLVMGetEnumAttributeValue(align) : LLVMABIAlignmentOfType(layout, type),
      .kind = is_pointer ? ARG_POINTER : ARG_VALUE,
      .is_object = object != NULL,
  };
}

tn_status tn_c_block_make(LLVMModuleRef module, LLVMValueRef kernel, tn_arena *arena,
                          tn_c_block *out, tn_diag *diag) {
  const unsigned count = LLVMCountParams(kernel);
  *out = (tn_c_block){.count = count, .align = 1};
  if (count > TN_KERNEL_ARG_MAXIMUM) {
    return TN_FAIL(diag, BUILD_FAILED, "kernel '%.*s' has %u arguments; %d is the most",
                   TN_STR_ARG(tn_value_name(kernel)), count, TN_KERNEL_ARG_MAXIMUM);
  }
  out->arguments = tn_arena_alloc_array(arena, count + (size_t)1, sizeof(*out->arguments));
  if (!out->arguments) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read the arguments of a kernel");
  }
  for (unsigned i = 0; i < count; ++i) {
    tn_c_argument *argument = &out->arguments[i];
    measure(module, kernel, i, argument);
    if (argument->size == 0) {
      return TN_FAIL(diag, BUILD_FAILED,
                     "kernel '%.*s': argument %u is of a type without members; leave it out",
                     TN_STR_ARG(tn_value_name(kernel)), i + 1);
    }
    const uint64_t mask = argument->align - (uint64_t)1;
    argument->offset = (out->size + mask) & ~mask;
    if (argument->size > UINT32_MAX - (argument->offset & UINT32_MAX) ||
        argument->offset > UINT32_MAX) {
      return TN_FAIL(diag, BUILD_FAILED, "kernel '%.*s': its arguments are larger than 4 GiB",
                     TN_STR_ARG(tn_value_name(kernel)));
    }
    out->size = argument->offset + argument->size;
    out->align = argument->align > out->align ? argument->align : out->align;
  }
  out->size = (out->size + out->align - 1) & ~(out->align - (uint64_t)1);
  return find_locals(kernel, out, diag);
}
