// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting loops.
#include "compile/widen/widen.h"

#include <llvm-c/DebugInfo.h>

tn_loop tn_loop_open(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef count,
                     const char *name) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMValueRef zero = LLVMConstInt(LLVMTypeOf(count), 0, 0);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
  tn_loop loop = {.head = LLVMAppendBasicBlockInContext(context, function, name)};
  LLVMBasicBlockRef body = LLVMAppendBasicBlockInContext(context, function, name);
  loop.done = LLVMAppendBasicBlockInContext(context, function, name);
  LLVMBuildBr(builder, loop.head);
  LLVMPositionBuilderAtEnd(builder, loop.head);
  loop.counter = LLVMBuildPhi(builder, LLVMTypeOf(count), name);
  LLVMAddIncoming(loop.counter, &zero, &before, 1);
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, loop.counter, count, ""), body,
                  loop.done);
  LLVMPositionBuilderAtEnd(builder, body);
  return loop;
}

void tn_loop_keep(LLVMValueRef branch) {
  static const char disable[] = "llvm.loop.unroll.disable";
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(branch));
  LLVMMetadataRef word = LLVMMDStringInContext2(context, disable, sizeof(disable) - 1);
  LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
  LLVMMetadataRef nodes[] = {self, LLVMMDNodeInContext2(context, &word, 1)};
  LLVMMetadataRef id = LLVMMDNodeInContext2(context, nodes, 2);
  LLVMMetadataReplaceAllUsesWith(self, id);
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "llvm.loop", strlen("llvm.loop")),
                  LLVMMetadataAsValue(context, id));
}

void tn_loop_close(LLVMBuilderRef builder, const tn_loop *loop) {
  LLVMValueRef one = LLVMConstInt(LLVMTypeOf(loop->counter), 1, 0);
  LLVMValueRef next = LLVMBuildNUWAdd(builder, loop->counter, one, "");
  LLVMSetNSW(next, 1);
  LLVMBasicBlockRef end = LLVMGetInsertBlock(builder);
  LLVMAddIncoming(loop->counter, &next, &end, 1);
  LLVMValueRef branch = LLVMBuildBr(builder, loop->head);
  if (!loop->may_unroll) {
    tn_loop_keep(branch);
  }
  LLVMPositionBuilderAtEnd(builder, loop->done);
}

void tn_call_each(LLVMBuilderRef builder, LLVMValueRef caller, LLVMValueRef function, unsigned id,
                  unsigned count, const char *name) {
  LLVMTypeRef i64 = LLVMTypeOf(LLVMGetParam(caller, id));
  const tn_loop loop = tn_loop_open(builder, caller, LLVMConstInt(i64, count, 0), name);
  LLVMValueRef arguments[TN_STRIP_PARAMS];
  const unsigned params = LLVMCountParams(function);
  for (unsigned p = 0; p < params; p++) {
    arguments[p] = LLVMGetParam(caller, p);
  }
  arguments[id] = LLVMBuildAdd(builder, arguments[id], loop.counter, "");
  (void)LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, params, "");
  tn_loop_close(builder, &loop);
  LLVMBuildRetVoid(builder);
}
