// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in the source, from debug line tables.
#include "compile/module/module.h"

static tn_place place_of(LLVMValueRef value) {
  unsigned size = 0;
  const char *file = LLVMGetDebugLocFilename(value, &size);
  if (!file || size == 0) {
    return (tn_place){{NULL, 0}, 0, 0};
  }
  return (tn_place){{file, size}, LLVMGetDebugLocLine(value), 0};
}

tn_place tn_place_of_function(LLVMValueRef function) { return place_of(function); }

tn_place tn_place_of_instruction(LLVMValueRef instruction) {
  tn_place place = place_of(instruction);
  if (place.file.size != 0) {
    place.column = LLVMGetDebugLocColumn(instruction);
    return place;
  }
  return place_of(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
}

void tn_place_write(tn_buf *buf, tn_place place, const char *fallback_file) {
  if (place.file.size == 0) {
    tn_buf_add_format(buf, "%s: ", fallback_file ? fallback_file : "device code");
    return;
  }
  tn_buf_add_str(buf, place.file);
  if (place.line != 0) {
    tn_buf_add_format(buf, ":%u", place.line);
    if (place.column != 0) {
      tn_buf_add_format(buf, ":%u", place.column);
    }
  }
  tn_buf_add_text(buf, ": ");
}
