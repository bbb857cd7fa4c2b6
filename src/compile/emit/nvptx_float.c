// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions and roots of floats on NVIDIA GPUs, where source or library ask for less than IEEE 754,
// and conversions, where nobody does.
// needs: optimized code: nothing is known of these instructions.  keeps: what has to be exact.
// breaks: nothing.
// Source: PTX ISA, div.full (2 ulp, all exponents) and sqrt.approx (1 ulp); nvcc's -prec-div and
// -prec-sqrt.
#include "compile/emit/device_machine.h"

// Of !fpmath, in ulp: what OpenCL's libraries write at divisions and roots.
static double allowed_error(LLVMValueRef instruction) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
  LLVMValueRef node = LLVMGetMetadata(instruction, LLVMGetMDKindIDInContext(context, "fpmath", 6));
  LLVMValueRef error = NULL;
  if (!node || LLVMGetMDNodeNumOperands(node) != 1) {
    return 0;
  }
  LLVMGetMDNodeOperands(node, &error);
  LLVMBool is_inexact = 0;
  return error && LLVMIsAConstantFP(error) ? LLVMConstRealGetDouble(error, &is_inexact) : 0;
}

static bool may_relax(LLVMValueRef function, LLVMValueRef instruction, const char *wish,
                      double error) {
  const tn_str said = tn_function_attr(function, wish);
  return said.size > 0 ? tn_str_equals(said, TN_STR_LIT(TN_GPU_FAST))
                       : allowed_error(instruction) >= error;
}

static bool has_flag(LLVMValueRef instruction) {
  return LLVMCanValueUseFastMathFlags(instruction) &&
         (LLVMGetFastMathFlags(instruction) & LLVMFastMathApproxFunc) != 0;
}

static void replace(LLVMModuleRef module, LLVMValueRef instruction, const char *name,
                    unsigned count) {
  LLVMTypeRef f32 = LLVMTypeOf(instruction);
  LLVMTypeRef types[2] = {f32, f32};
  LLVMTypeRef type = LLVMFunctionType(f32, types, count, 0);
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (!function) {
    function = LLVMAddFunction(module, name, type);
  }
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(builder, instruction);
  LLVMValueRef operands[2] = {LLVMGetOperand(instruction, 0),
                              count > 1 ? LLVMGetOperand(instruction, 1) : NULL};
  LLVMReplaceAllUsesWith(instruction, LLVMBuildCall2(builder, type, function, operands, count, ""));
  LLVMInstructionEraseFromParent(instruction);
  LLVMDisposeBuilder(builder);
}

static bool is_root(LLVMValueRef instruction) {
  LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  return callee && tn_str_equals(tn_value_name(callee), TN_STR_LIT("llvm.sqrt.f32"));
}

// A conversion that LLVM would take -ffp-contract=fast for leave to join with another, so that what
// a source rounds twice is rounded once: nvcc's --fmad does not mean that.
static bool rounds_by_itself(LLVMValueRef instruction) {
  const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
  return (opcode == LLVMFPTrunc || opcode == LLVMFPExt) &&
         LLVMCanValueUseFastMathFlags(instruction) &&
         LLVMGetFastMathFlags(instruction) == LLVMFastMathAllowContract;
}

// Made anew: LLVM's C interface takes no flag away.
static void keep_rounding(LLVMModuleRef module, LLVMValueRef instruction) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  LLVMPositionBuilderBefore(builder, instruction);
  LLVMReplaceAllUsesWith(
      instruction, LLVMBuildCast(builder, LLVMGetInstructionOpcode(instruction),
                                 LLVMGetOperand(instruction, 0), LLVMTypeOf(instruction), ""));
  LLVMInstructionEraseFromParent(instruction);
  LLVMDisposeBuilder(builder);
}

static void relax(LLVMModuleRef module, LLVMValueRef function, LLVMValueRef instruction) {
  const bool flushes = tn_function_flushes_floats(function);
  if (LLVMGetTypeKind(LLVMTypeOf(instruction)) != LLVMFloatTypeKind || has_flag(instruction)) {
    return;  // the back end has what flags allow
  }
  if (LLVMGetInstructionOpcode(instruction) == LLVMFDiv) {
    if (may_relax(function, instruction, TN_ATTR_GPU_DIVIDE, 2)) {
      replace(module, instruction, flushes ? "llvm.nvvm.div.full.ftz" : "llvm.nvvm.div.full", 2);
    }
  } else if (is_root(instruction) && may_relax(function, instruction, TN_ATTR_GPU_ROOT, 2)) {
    replace(module, instruction,
            flushes ? "llvm.nvvm.sqrt.approx.ftz.f" : "llvm.nvvm.sqrt.approx.f", 1);
  }
}

void tn_device_relax_floats(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;) {
        LLVMValueRef next = LLVMGetNextInstruction(i);
        if (rounds_by_itself(i)) {
          keep_rounding(module, i);
        } else {
          relax(module, f, i);
        }
        i = next;
      }
    }
  }
}
