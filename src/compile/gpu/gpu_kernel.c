// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels' signatures: made alike in a unit, and made the device's before its code is.
// needs: linked and internalized code.  keeps: kernels' names.  breaks: their signatures.
#include "compile/gpu/gpu_kernel.h"

#include "compile/gpu/gpu.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

enum { ATTRS_MAX = 64, PARAMS_MAX = 2 };

static unsigned attr_kind(const char *name) {
  return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void copy_attrs(LLVMValueRef from, LLVMAttributeIndex from_at, LLVMValueRef to,
                       LLVMAttributeIndex to_at) {
  LLVMAttributeRef attributes[ATTRS_MAX];
  const unsigned count = LLVMGetAttributeCountAtIndex(from, from_at);
  if (count > ATTRS_MAX) {
    return;
  }
  LLVMGetAttributesAtIndex(from, from_at, attributes);
  for (unsigned i = 0; i < count; ++i) {
    LLVMAddAttributeAtIndex(to, to_at, attributes[i]);
  }
}

static void add_type_attr(LLVMValueRef function, unsigned param, const char *name,
                          LLVMTypeRef type) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function, param + 1,
                          LLVMCreateTypeAttribute(context, attr_kind(name), type));
}

static void add_align(LLVMValueRef function, unsigned param, uint64_t align) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function, param + 1,
                          LLVMCreateEnumAttribute(context, attr_kind("align"), align));
}

// A function in the place of `old`, with its body, its name and what it says of itself, but none of
// its parameters' attributes. `old` has no body afterwards.
static LLVMValueRef replace(LLVMModuleRef module, LLVMValueRef old, LLVMTypeRef *params,
                            unsigned count) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef made = LLVMAddFunction(
      module, "", LLVMFunctionType(LLVMVoidTypeInContext(context), params, count, 0));
  copy_attrs(old, TN_ON_FUNCTION, made, TN_ON_FUNCTION);
  LLVMSetLinkage(made, LLVMGetLinkage(old));
  LLVMSetVisibility(made, LLVMGetVisibility(old));
  LLVMSetFunctionCallConv(made, LLVMGetFunctionCallConv(old));
  LLVMMetadataRef subprogram = LLVMGetSubprogram(old);
  if (subprogram) {
    LLVMSetSubprogram(old, NULL);
    LLVMSetSubprogram(made, subprogram);
  }
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(context, made, "");
  LLVMBasicBlockRef last = start;
  for (LLVMBasicBlockRef block; (block = LLVMGetFirstBasicBlock(old)) != NULL; last = block) {
    LLVMMoveBasicBlockAfter(block, last);
  }
  LLVMDeleteBasicBlock(start);
  return made;
}

// With `is_final`, what PTX and ELF do not allow in a name, or read a meaning into, is a '$'.
static tn_status take_name(LLVMValueRef made, LLVMValueRef old, bool is_final, tn_diag *diag) {
  const tn_str name = tn_value_name(old);
  char *copy = tn_alloc(name.size + 1);
  if (!copy) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels");
  }
  memcpy(copy, name.data, name.size);
  for (size_t i = 0; is_final && i < name.size; ++i) {
    copy[i] = copy[i] == '@' || copy[i] == '.' ? '$' : copy[i];
  }
  LLVMDeleteFunction(old);
  LLVMSetValueName2(made, copy, name.size);
  tn_free(copy);
  return TN_OK;
}

// A block of one value that clang passes as that value: by reference again, as other blocks are.
static tn_status wrap_direct(LLVMModuleRef module, LLVMValueRef kernel, tn_diag *diag) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef old = LLVMGetParam(kernel, 0);
  LLVMTypeRef value_type = LLVMTypeOf(old);
  LLVMTypeRef params[1] = {LLVMPointerTypeInContext(context, 4)};
  LLVMValueRef made = replace(module, kernel, params, 1);
  const unsigned align = LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(module), value_type);
  add_type_attr(made, 0, "byref", value_type);
  add_align(made, 0, align);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(made)));
  LLVMValueRef load = LLVMBuildLoad2(builder, value_type, LLVMGetParam(made, 0), "");
  LLVMSetAlignment(load, align);
  LLVMReplaceAllUsesWith(old, load);
  LLVMDisposeBuilder(builder);
  return take_name(made, kernel, false, diag);
}

static bool is_device_convention(unsigned convention) {
  return convention == LLVMPTXKernelCallConv || convention == LLVMAMDGPUKERNELCallConv;
}

static bool is_by_reference(LLVMValueRef kernel) {
  return LLVMGetEnumAttributeAtIndex(kernel, 1, attr_kind("byval")) ||
         LLVMGetEnumAttributeAtIndex(kernel, 1, attr_kind("byref"));
}

// The device pass is given SPIR-V's triple as if it were of ELF.
static void settle_triple(LLVMModuleRef module) {
  static const char spirv[] = "spirv64-unknown-unknown";
  if (tn_str_has_prefix(tn_str_from(LLVMGetTarget(module)), tn_str_from(spirv))) {
    LLVMSetTarget(module, spirv);
  }
}

tn_status tn_gpu_kernels_unify(LLVMModuleRef module, tn_diag *diag) {
  settle_triple(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;) {
    LLVMValueRef next = LLVMGetNextFunction(f);
    if (tn_function_is_defined(f) && is_device_convention(LLVMGetFunctionCallConv(f))) {
      if (LLVMGetFirstUse(f)) {
        return TN_FAIL(diag, BUILD_FAILED,
                       "device code calls or takes the address of kernel '%.*s'",
                       TN_STR_ARG(tn_value_name(f)));
      }
      LLVMSetFunctionCallConv(f, LLVMSPIRKERNELCallConv);
      if (LLVMCountParams(f) == 1 && !is_by_reference(f)) {
        TN_TRY(wrap_direct(module, f, diag));
      }
    }
    f = next;
  }
  return TN_OK;
}

// Calls of the form's stand-in in this function become `value`.
static void replace_stand_in(LLVMModuleRef module, LLVMValueRef function, const char *name,
                             LLVMValueRef value) {
  LLVMValueRef stand_in = LLVMGetNamedFunction(module, name);
  LLVMTypeRef wanted = stand_in ? LLVMGetReturnType(LLVMGlobalGetValueType(stand_in)) : NULL;
  if (wanted && wanted != LLVMTypeOf(value)) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
    value = LLVMBuildAddrSpaceCast(builder, value, wanted, "");
    LLVMDisposeBuilder(builder);
  }
  for (LLVMUseRef use = stand_in ? LLVMGetFirstUse(stand_in) : NULL; use;) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsACallInst(call) &&
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)) == function) {
      LLVMReplaceAllUsesWith(call, value);
      LLVMInstructionEraseFromParent(call);
    }
  }
}

// OpenCL drivers take an argument of as many bytes as the block has where the parameter points to a
// structure, and a pointer's otherwise.
static void pass_structure(LLVMValueRef kernel) {
  static const char *const names[] = {"byval", "byref"};
  for (size_t i = 0; i < TN_COUNT(names); ++i) {
    const unsigned kind = attr_kind(names[i]);
    LLVMAttributeRef found = LLVMGetEnumAttributeAtIndex(kernel, 1, kind);
    LLVMTypeRef type = found ? LLVMGetTypeAttributeValue(found) : NULL;
    if (type) {
      LLVMTypeRef whole =
          LLVMGetTypeKind(type) == LLVMStructTypeKind
              ? type
              : LLVMStructTypeInContext(LLVMGetTypeContext(type), &type, 1, false);
      LLVMRemoveEnumAttributeAtIndex(kernel, 1, kind);
      add_type_attr(kernel, 0, "byval", whole);
    }
  }
}

tn_status tn_gpu_kernel_rebuild(LLVMModuleRef module, LLVMValueRef kernel,
                                const tn_gpu_kernel_form *form, bool has_extra, LLVMValueRef *out,
                                tn_diag *diag) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef params[PARAMS_MAX];
  unsigned count = 0;
  const bool has_block = LLVMCountParams(kernel) > 0;
  if (has_block) {
    params[count++] = LLVMTypeOf(LLVMGetParam(kernel, 0));
  }
  if (has_extra) {
    params[count++] = LLVMPointerTypeInContext(context, form->extra_space);
  }
  LLVMValueRef made = replace(module, kernel, params, count);
  if (has_block) {
    copy_attrs(kernel, 1, made, 1);
    if (form->convention == LLVMSPIRKERNELCallConv) {
      pass_structure(made);
    }
    LLVMReplaceAllUsesWith(LLVMGetParam(kernel, 0), LLVMGetParam(made, 0));
  }
  if (has_extra) {
    if (form->extra_attr) {
      add_type_attr(made, count - 1, form->extra_attr, form->extra_type);
      add_align(made, count - 1, sizeof(uint64_t));
    }
    replace_stand_in(module, made, form->stand_in, LLVMGetParam(made, count - 1));
  }
  LLVMSetFunctionCallConv(made, form->convention);
  LLVMSetLinkage(made, LLVMExternalLinkage);
  *out = made;
  return take_name(made, kernel, true, diag);
}
