// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting loops.
#include "compile/widen/widen.h"

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

void tn_loop_close(LLVMBuilderRef builder, const tn_loop *loop) {
  LLVMValueRef one = LLVMConstInt(LLVMTypeOf(loop->counter), 1, 0);
  LLVMValueRef next = LLVMBuildNUWAdd(builder, loop->counter, one, "");
  LLVMSetNSW(next, 1);
  LLVMBasicBlockRef end = LLVMGetInsertBlock(builder);
  LLVMAddIncoming(loop->counter, &next, &end, 1);
  LLVMBuildBr(builder, loop->head);
  LLVMPositionBuilderAtEnd(builder, loop->done);
}
