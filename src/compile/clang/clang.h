// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's front end in this process, with a C face: sources and headers from memory, device bitcode
// and messages to memory. No process is started and no file is written.
#ifndef TN_COMPILE_CLANG_CLANG_H
#define TN_COMPILE_CLANG_CLANG_H

#include <stdio.h>

#include "base/arena.h"
#include "base/blake3.h"
#include "base/buf.h"
#include "compile/clang/clang_preamble.h"

// A file that is there in memory only. Relative names are relative to the run's folder.
typedef struct tn_clang_file {
  const char *name;
  tn_bytes text;  // borrowed during the call
} tn_clang_file;

// An argument of a kernel; the kind is TN_ARG_… in tenon/kernel.h.
typedef struct tn_clang_argument {
  const char *type;  // "float *"
  size_t size;
  size_t alignment;
  uint32_t kind;
} tn_clang_argument;

// A function that was marked by SYCL_EXT_ONEAPI_FUNCTION_PROPERTY, and is no template; or a
// variable of type device_global.
typedef struct tn_clang_kernel {
  const char *name;     // "ns::f": names it where the source ends
  const char *type;     // "void (*)(float *, int)"; "" of a variable
  const char *mangled;  // "_Z1fPfi", or "f" of extern "C"; "" of a variable
  // It returns void, and each argument is no more than its bytes. Otherwise the arguments are not
  // told, and the headers' templates have to look at them.
  bool is_plain;
  const tn_clang_argument *arguments;
  size_t argument_count;
} tn_clang_kernel;

typedef struct tn_clang_run {
  // A command line of clang++, as tn_frontend_device_args makes it: [0] is the program that Clang
  // takes itself for, the last word is the source. Nothing of it is run. Ends in NULL. "-c" and
  // "-emit-llvm" are added.
  const char *const *args;
  const tn_clang_file *files;  // found before what the disk has under the same name
  size_t file_count;
  const char *folder;  // what relative names are relative to; NULL = the process's own
  const char *installation;  // the folder that TN_CLANG_INSTALLATION stands for; NULL = none
  // A precompiled header from tn_clang_precompile with the same options, taken instead of reading
  // the header that it was made of: it is not looked at whether that has changed. Empty = none.
  tn_bytes precompiled;
  bool wants_names;   // of tn_clang_precompile: the result lists identifiers and named headers
  bool is_printed;    // the result is to have a print
  bool wants_module;  // tn_clang_compile hands the module over in `result` instead of bitcode
  // Not NULL: called when all of the source has been read, with the free-function kernels that it
  // defines; what is put into `out` is then read as the source's end (kernel entries). Not after
  // errors. On the run's own thread; tn_clang_compile only.
  void (*end)(void *user, const tn_clang_kernel *kernels, size_t count, tn_buf *out);
  void *user;
} tn_clang_run;

// A file that a run has read.
typedef struct tn_clang_input {
  const char *name;   // as it was opened
  bool is_in_memory;  // one of the run's own, or of the headers that Tenon carries
  // What Clang read of a file on the disk, which may be another thing by now. False: nothing.
  bool is_read;
  uint8_t hash[TN_BLAKE3_SIZE];
  uint64_t size;
} tn_clang_input;

// What comes out of a run, beside bitcode. Texts are the arena's.
typedef struct tn_clang_result {
  tn_arena arena;
  tn_list inputs;  // of tn_clang_input *: in the order they were first opened
  tn_list misses;  // of char *: names of files and folders that were looked for and not there
  tn_list dependencies;  // of tn_clang_dependency *: of tn_clang_precompile, without the source
  // The same: numbers of 8 bytes of its using declarations, which debug information tells of.
  tn_buf imports;
  // Of a run that wants them: tn_clang_identifier of each identifier, 4 bytes each and in no order;
  // and the headers as #include and __has_include name them, without those in quotes that lie
  // beside the file that names them.
  tn_buf identifiers;
  tn_list included;  // of char *
  // With the context that it is the only module of; both are whose who takes them out of here.
  // NULL: not wanted, or it failed.
  struct LLVMOpaqueModule *module;
  // Equal for sources that are one to the parser, but for comments, empty lines and where their
  // files lie, if all that is no source is equal as well. False: places may be told by the result,
  // or nobody asked. Debug information and messages tell places, too.
  bool has_print;
  uint8_t print[TN_BLAKE3_SIZE];
} tn_clang_result;
void tn_clang_result_init(tn_clang_result *result);
// What stands for an identifier among `identifiers`. Others may have the same.
uint32_t tn_clang_identifier(tn_str name);
void tn_clang_result_deinit(tn_clang_result *result);

// Source to bitcode. `log` gets everything that Clang says, in its own form, also warnings of a run
// that succeeds. BUILD_FAILED when there are errors, with the first in `diag`; INVALID_ARGUMENT for
// words and sources that Clang is not given at all. Any thread, several at a time.
TN_MUST_USE tn_status tn_clang_compile(const tn_clang_run *run, tn_buf *out_bitcode, tn_buf *log,
                                       tn_clang_result *result, tn_diag *diag);
// The source after preprocessing, without comments and line numbers: what a cache's key is made of.
// With `precompiled`, the text of that header is not in it.
TN_MUST_USE tn_status tn_clang_preprocess(const tn_clang_run *run, tn_buf *out, tn_buf *log,
                                          tn_clang_result *result, tn_diag *diag);
// Only the print, which is the one that a compilation of the source would have, and the files.
TN_MUST_USE tn_status tn_clang_print(const tn_clang_run *run, tn_buf *log, tn_clang_result *result,
                                     tn_diag *diag);
// The source as a precompiled header; its templates' pending instances are made where the words ask
// for it. Words that begin with "-cc1" behind the program are the front end's own, with the source
// behind them.
TN_MUST_USE tn_status tn_clang_precompile(const tn_clang_run *run, tn_buf *out, tn_buf *log,
                                          tn_clang_result *result, tn_diag *diag);

// What -ftime-trace gives of a pass.
typedef struct tn_clang_trace {
  tn_buf path;  // of the file that clang++ would write
  tn_buf json;  // empty: the pass has no trace
} tn_clang_trace;
void tn_clang_trace_init(tn_clang_trace *trace);
void tn_clang_trace_deinit(tn_clang_trace *trace);
// Traces of passes over one source as one, each under its name.
void tn_clang_trace_join(const tn_clang_trace *const *traces, const char *const *names,
                         size_t count, tn_buf *out);

// A pass of clang++ over a source as the program makes it, with the disk's files: `args` ends in
// NULL and names the source and, by -o, what is written; "-o -" is `out`. The pass may be several
// runs of the front end and the assembler (-save-temps). *out_exit is the exit status. UNSUPPORTED:
// the words ask for other programs or for what is a whole process's matter (plugins, LLVM's options
// that are not set), or Clang ended half way: then the program is to be run, and what is in `out`
// and `log` does not count. Any thread, several at a time.
typedef struct tn_clang_pass_run {
  const char *const *args;
  // Instead of what the words ask for, what the preprocessor makes of the source goes to `out`,
  // with line markers; what `preamble` gives for that is left out.
  bool is_text;
  tn_buf *out;
  tn_buf *log;
  // What -v makes clang print beside its messages, as it comes, for a part of that goes to standard
  // error in any case; NULL = nothing.
  FILE *notes;
  const char *installation;  // as tn_clang_run has it
  bool says_version;     // there, first: what clang is and where it runs
  bool is_alone;         // no other pass runs in the process, so that -ftime-report is possible
  tn_clang_trace *trace;  // of -ftime-trace; NULL = none is kept
  // Not NULL: gives the precompiled header of what the source begins with; what is in `out` is
  // borrowed until the pass is over. On the pass's own thread.
  void (*preamble)(void *user, const tn_clang_preamble_query *query, tn_clang_preamble *out);
  // Not NULL: gives the bytes of a precompiled header that the words name, by -include-pch or
  // beside the header of an -include. They take the place of that file, and are borrowed until the
  // pass is over. No bytes: the pass reads the header of the -include as it is. False: the pass
  // fails, and `log` says why. On the pass's own thread.
  bool (*header)(void *header_user, const char *path, tn_bytes *out);
  void *header_user;
  // Not NULL: called on that thread when Clang has crashed. It may hold any lock of the process's
  // then, so this one should ask for none, nor for memory, and better not come back.
  void (*crashed)(void *user);
  void *user;
} tn_clang_pass_run;
TN_MUST_USE tn_status tn_clang_pass(const tn_clang_pass_run *run, int *out_exit, tn_diag *diag);
// Nothing is run: the commands that clang++ would run, as its -### prints them, go to `notes`.
TN_MUST_USE tn_status tn_clang_show(const tn_clang_pass_run *run, int *out_exit, tn_diag *diag);
// Options of LLVM (-mllvm) for all passes of the process, before the first one. INVALID_ARGUMENT
// when one is unknown. What asks LLVM a question (-help) ends the process, as with clang++.
TN_MUST_USE tn_status tn_clang_set_llvm_options(const char *const *options, size_t count,
                                                tn_diag *diag);
// The same for words that link: nothing is run, and the words of the linker, its path first, go to
// `out`, with a NUL behind each.
TN_MUST_USE tn_status tn_clang_find_linker(const tn_clang_pass_run *run, int *out_exit,
                                           tn_diag *diag);

// clang++ as a program, for a process that does nothing else: args[0] is its path, by which Clang
// runs it again; the others are clang++'s, or begin with -cc1 or -cc1as. Yields the exit status.
int tn_clang_program(size_t count, const char *const *args);
// LLVM's linker for ELF (ld.lld) in the same way.
int tn_clang_linker_program(size_t count, const char *const *args);

// Calls fn(arg), which may use LLVM in any way, on this thread, or on one of its own when this
// one's stack is too small for LLVM. What LLVM takes for fatal, and ends the process for otherwise,
// ends the call: BUILD_FAILED with its words, or OUT_OF_MEMORY. What the call owned is lost then,
// so it should own little but LLVM's objects, and hold no lock.
TN_MUST_USE tn_status tn_clang_guard(void (*fn)(void *arg), void *arg, tn_diag *diag);

#endif
