// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang: the C side of clang_program.cpp and linker_program.cpp.
#ifndef TN_COMPILE_CLANG_CLANG_PROGRAM_H
#define TN_COMPILE_CLANG_CLANG_PROGRAM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// args[0] is the program's path, by which Clang runs it again.
int tn_face_program(size_t count, const char *const *args);
int tn_face_linker(size_t count, const char *const *args);

#ifdef __cplusplus
}
#endif
#endif
