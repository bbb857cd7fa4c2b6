// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang: what its C side and its C++ file say to each other. Plain C types, so that both
// can read it; no memory changes hands.
#ifndef TN_COMPILE_CLANG_CLANG_FACE_H
#define TN_COMPILE_CLANG_CLANG_FACE_H

#include <stddef.h>
#include <stdint.h>

#include "compile/clang/clang_preamble.h"

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

// An argument of a function that is a kernel; kinds as TN_ARG_… in tenon/kernel.h.
enum { TN_FACE_VALUE, TN_FACE_POINTER, TN_FACE_ACCESSOR };
typedef struct tn_face_argument {
  const char *type;
  size_t size;
  size_t alignment;
  int kind;
} tn_face_argument;

// A marked function, or a device global, which has only a name.
typedef struct tn_face_kernel {
  const char *name;
  const char *type;
  const char *mangled;
  int is_plain;  // it returns void, and each argument is no more than its bytes
  const tn_face_argument *arguments;  // of what is plain
  size_t argument_count;
} tn_face_kernel;

// What a run's thread is to have: parsers recurse as deep as code nests. Only what is used of it
// becomes memory.
#define TN_FACE_STACK_SIZE ((size_t)256 << 20)

// Of a file: Clang numbers the characters of all it reads with 31 bits, and what it makes of them
// is a hundred times larger.
#define TN_FACE_TEXT_MAXIMUM ((size_t)32 << 20)

enum { TN_FACE_COMPILE, TN_FACE_PREPROCESS, TN_FACE_PRECOMPILE, TN_FACE_PRINT };

// What a run is made of and whom it tells. The functions are called on the run's thread; none may
// be NULL but `end` and `print`.
typedef struct tn_face_run {
  int action;
  const char *const *args;  // of clang++; [0] names the program, the last is the source
  size_t arg_count;
  const tn_face_file *files;
  size_t file_count;
  const char *folder;        // NULL = the process's
  const char *installation;  // TN_CLANG_INSTALLATION; NULL = none
  tn_face_text precompiled;  // empty = none
  void *user;
  void (*write)(void *user, const char *data, size_t size);  // the result
  // Not NULL: instead of bitcode it gets the module, an LLVMModuleRef, with the context that it is
  // the only module of, and owns both. TN_FACE_COMPILE only.
  void (*module)(void *user, void *module);
  void (*log)(void *user, const char *data, size_t size);
  void (*error)(void *user, const char *data, size_t size);  // a line of the log; the first counts
  void (*input)(void *user, const char *name, size_t size, int is_in_memory);
  // What was read of an input on the disk, and what was looked for and is not there.
  void (*content)(void *user, tn_face_text name, const char *data, size_t size);
  void (*miss)(void *user, const char *name, size_t size);
  void (*dependency)(void *user, const char *name, size_t size, int is_system);
  void (*import)(void *user, uint64_t number);
  // Each identifier of what is precompiled, and each header as it is named in #include and
  // __has_include; NULL: they are not wanted. TN_FACE_PRECOMPILE only.
  void (*identifier)(void *user, const char *name, size_t size);
  void (*included)(void *user, const char *name, size_t size);
  void (*kernel)(void *user, const tn_face_kernel *kernel);
  // The source's print, 32 bytes, when it has one; NULL: it is not wanted.
  void (*print)(void *user, const unsigned char *hash);
  // Behind all of `kernel`: the text that the source ends with, borrowed until the run is over.
  tn_face_text (*end)(void *user);
} tn_face_run;

// A run of clang++ as the program does it; functions as above.
typedef struct tn_face_pass {
  const char *const *args;
  size_t arg_count;
  void *user;
  void (*write)(void *user, const char *data, size_t size);  // what goes to standard output
  void (*log)(void *user, const char *data, size_t size);    // and to standard error
  // The words compile; what the preprocessor makes of the source is wanted instead, with line
  // markers and without what is precompiled of it.
  int is_text;
  const char *global_infix;  // TN_LOCAL_GLOBAL_INFIX
  const char *installation;  // as tn_face_run has it
  void (*forget)(void *user);  // what was written and said so far: the run begins again
  // What -v makes clang print beside its messages. NULL: not wanted.
  void (*note)(void *user, const char *data, size_t size);
  int says_version;  // also what clang is and where it runs
  int is_shown;      // nothing is run: each word is quoted
  int is_alone;      // no other pass runs in the process: -ftime-report
  // -ftime-trace: the file that clang would write, and what would be in it.
  void (*trace)(void *user, const char *path, const char *json, size_t size);
  // Clang has crashed and may hold any lock; no memory is to be asked for. NULL: go on.
  void (*crashed)(void *user);
  // The bytes of a precompiled header that the words name, or none: the header is to be read as it
  // is; 0: the pass fails, and the log says why.
  // NULL: such headers are read from the disk.
  int (*header)(void *user, const char *path, tn_face_text *out);
  // NULL: nobody has precompiled headers.
  void (*preamble)(void *user, const tn_clang_preamble_query *query, tn_clang_preamble *out);
} tn_face_pass;

// The exit status, or this when the program has to be run, and what was said does not count.
enum { TN_FACE_PASS_ELSEWHERE = -1 };
int tn_face_run_pass(const tn_face_pass *pass);
// The words of the linker that the program would run, with a NUL behind each, are written.
int tn_face_find_linker(const tn_face_pass *pass);

// The commands that clang would run are noted.
int tn_face_show(const tn_face_pass *pass);
// -mllvm, for all passes from here on. 0, with what is wrong in `say`, when one is unknown.
int tn_face_set_llvm_options(const char *const *options, size_t count, void *user,
                             void (*say)(void *user, const char *data, size_t size));
// Traces of passes over one source as one; those that cannot be read are left out.
void tn_face_join_traces(const tn_face_text *names, const tn_face_text *traces, size_t count,
                         void *user, void (*write)(void *user, const char *data, size_t size));

// Whether the result is there; else the log says why.
int tn_face_run_clang(const tn_face_run *run);

// A module that was given away, and its context.
void tn_face_drop_module(void *module);

// Calls fn(arg), and then no_memory(arg) when LLVM ended it half way for want of memory.
void tn_face_call(void (*fn)(void *arg), void *arg, void (*no_memory)(void *arg));
// The list of what LLVM is about on this thread: its items lie on the stack, which a jump leaves.
const void *tn_face_stack_notes(void);
void tn_face_set_stack_notes(const void *notes);

#ifdef __cplusplus
}
#endif
#endif
