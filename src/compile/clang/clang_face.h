// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang: what its C side and its C++ file say to each other. Plain C types, so that both
// can read it; no memory changes hands.
#ifndef TN_COMPILE_CLANG_CLANG_FACE_H
#define TN_COMPILE_CLANG_CLANG_FACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tn_face_text {
  const char *data;  // borrowed; need not end in NUL
  size_t size;
} tn_face_text;

typedef struct tn_face_file {
  const char *name;
  tn_face_text text;
} tn_face_file;

// What a run's thread is to have: parsers recurse as deep as code nests. Only what is used of it
// becomes memory.
#define TN_FACE_STACK_SIZE ((size_t)256 << 20)

enum { TN_FACE_COMPILE, TN_FACE_PREPROCESS, TN_FACE_PRECOMPILE };

// What a run is made of and whom it tells. The functions are called on the run's thread; none may
// be NULL but `end`.
typedef struct tn_face_run {
  int action;
  const char *const *args;  // of clang++; [0] names the program, the last is the source
  size_t arg_count;
  const tn_face_file *files;
  size_t file_count;
  const char *folder;        // NULL = the process's
  tn_face_text precompiled;  // empty = none
  void *user;
  void (*write)(void *user, const char *data, size_t size);  // the result
  void (*log)(void *user, const char *data, size_t size);
  void (*error)(void *user, const char *data, size_t size);  // a line of the log; the first counts
  void (*input)(void *user, const char *name, size_t size, int is_in_memory);
  // What was read of an input on the disk, and what was looked for and is not there.
  void (*content)(void *user, tn_face_text name, const char *data, size_t size);
  void (*miss)(void *user, const char *name, size_t size);
  void (*kernel)(void *user, const char *name, const char *type, const char *mangled);
  // Behind all of `kernel`: the text that the source ends with, borrowed until the run is over.
  tn_face_text (*end)(void *user);
} tn_face_run;

// Whether the result is there; else the log says why.
int tn_face_run_clang(const tn_face_run *run);

#ifdef __cplusplus
}
#endif
#endif
