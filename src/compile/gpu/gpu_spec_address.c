// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where an image's specialization constants and the addresses of its device globals are: kernels
// are told with their launch, functions that stay by themselves read a variable of their image,
// because the kernel that calls them may be another image's.
// needs: functions inlined as far as they are to be.  keeps: all else.  breaks: nothing.
#include "compile/gpu/gpu_spec_address.h"

#include "base/blake3.h"
#include "compile/gpu/gpu.h"
#include "compile/gpu/gpu_library.h"

#include <llvm-c/BitWriter.h>

#include <stdio.h>

enum { SPECS_WORD = 6, GLOBAL_SPACE = 1 };

// Two images of one link must not have the same name for it, so it is made of all their code.
static void name_variable(LLVMModuleRef module, char out[TN_GPU_SPEC_VARIABLE_SIZE]) {
  uint8_t bytes[TN_BLAKE3_SIZE];
  tn_blake3 hash;
  tn_blake3_init(&hash);
  size_t size = 0;
  const char *id = LLVMGetModuleIdentifier(module, &size);
  tn_blake3_add(&hash, id, size);
  LLVMMemoryBufferRef code = LLVMWriteBitcodeToMemoryBuffer(module);
  tn_blake3_add(&hash, LLVMGetBufferStart(code), LLVMGetBufferSize(code));
  LLVMDisposeMemoryBuffer(code);
  tn_blake3_finish(&hash, bytes);
  int at = snprintf(out, TN_GPU_SPEC_VARIABLE_SIZE, "%s", TN_GPU_SPEC_VARIABLE);
  for (size_t i = 0; i < 8; ++i) {
    at += snprintf(out + at, TN_GPU_SPEC_VARIABLE_SIZE - (size_t)at, "%02x", bytes[i]);
  }
}

static LLVMValueRef find_variable(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (tn_str_has_prefix(tn_value_name(g), TN_STR_LIT(TN_GPU_SPEC_VARIABLE))) {
      return g;
    }
  }
  return NULL;
}

tn_str tn_gpu_spec_variable(LLVMModuleRef module) {
  LLVMValueRef variable = find_variable(module);
  return variable ? tn_value_name(variable) : (tn_str){0};
}

static LLVMValueRef variable_of(LLVMModuleRef module, LLVMTypeRef type) {
  LLVMValueRef variable = find_variable(module);
  if (!variable) {
    char name[TN_GPU_SPEC_VARIABLE_SIZE];
    name_variable(module, name);
    variable = LLVMAddGlobalInAddressSpace(module, type, name, GLOBAL_SPACE);
    LLVMSetInitializer(variable, LLVMConstNull(type));
    LLVMSetExternallyInitialized(variable, 1);
    LLVMSetAlignment(variable, sizeof(uint64_t));
  }
  return variable;
}

static LLVMValueRef launch_word(LLVMModuleRef module, LLVMBuilderRef builder, LLVMTypeRef type) {
  LLVMValueRef launch = LLVMGetNamedFunction(module, TN_GPU_LAUNCH);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(module), 0);
  if (!launch) {
    launch = LLVMAddFunction(module, TN_GPU_LAUNCH, LLVMFunctionType(pointer, NULL, 0, 0));
  }
  LLVMValueRef block = LLVMBuildCall2(builder, LLVMGlobalGetValueType(launch), launch, NULL, 0, "");
  LLVMValueRef index = LLVMConstInt(type, SPECS_WORD, 0);
  return LLVMBuildInBoundsGEP2(builder, type, block, &index, 1, "");
}

void tn_gpu_spec_address_settle(LLVMModuleRef module, bool is_linked_later) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef type = LLVMInt64TypeInContext(context);
  LLVMValueRef specs = LLVMGetNamedFunction(module, TN_GPU_SPECS);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  for (LLVMUseRef use; specs && (use = LLVMGetFirstUse(specs)) != NULL;) {
    LLVMValueRef call = LLVMGetUser(use);
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    LLVMPositionBuilderBefore(builder, call);
    LLVMValueRef place = is_linked_later && !tn_function_is_kernel(function)
                             ? variable_of(module, type)
                             : launch_word(module, builder, type);
    LLVMValueRef load = LLVMBuildLoad2(builder, type, place, "");
    LLVMSetAlignment(load, sizeof(uint64_t));
    tn_load_mark_invariant(load);
    LLVMReplaceAllUsesWith(call, load);
    LLVMInstructionEraseFromParent(call);
  }
  LLVMDisposeBuilder(builder);
}
