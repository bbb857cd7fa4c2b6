// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines of optimized code for NVIDIA GPUs: PTX has one place for each instruction and no chain of
// calls that were inlined, so that what became of Tenon's headers gets the line that uses them.
// needs: optimized code.  keeps: lines of all other files.  breaks: the lines of the headers.
#include "compile/emit/device_machine.h"

#include <llvm-c/DebugInfo.h>

enum { DEPTH_MAX = 64 };

static bool is_header(LLVMMetadataRef location) {
  LLVMMetadataRef scope = LLVMDILocationGetScope(location);
  LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
  unsigned size = 0;
  const char *name = file ? LLVMDIFileGetFilename(file, &size) : NULL;
  const tn_str text = {name, size};
  return name && (tn_str_find(text, TN_STR_LIT("include/sycl/")) != SIZE_MAX ||
                  tn_str_find(text, TN_STR_LIT("include/tenon/")) != SIZE_MAX);
}

static void move_out(LLVMValueRef instruction) {
  LLVMMetadataRef first = LLVMInstructionGetDebugLoc(instruction);
  LLVMMetadataRef location = first;
  for (int depth = 0; location && depth < DEPTH_MAX && is_header(location); ++depth) {
    LLVMMetadataRef outer = LLVMDILocationGetInlinedAt(location);
    if (!outer) {
      return;  // a function of the headers by itself
    }
    location = outer;
  }
  if (location != first) {
    LLVMInstructionSetDebugLoc(instruction, location);
  }
}

void tn_device_move_lines(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        move_out(i);
      }
    }
  }
}
