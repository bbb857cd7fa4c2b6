// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stock clang as Tenon uses it: where it is, and its command lines for the passes over a source.
#ifndef TN_COMPILE_FRONTEND_FRONTEND_H
#define TN_COMPILE_FRONTEND_FRONTEND_H

#include "base/arena.h"
#include "base/buf.h"

// A command line that grows in an arena. The first failure sticks, as with tn_buf.
typedef struct tn_args {
  tn_arena *arena;  // borrowed
  tn_list list;     // of const char *
  bool failed;
} tn_args;

void tn_args_init(tn_args *args, tn_arena *arena);
void tn_args_add(tn_args *args, const char *text);  // borrowed as long as the arena
void tn_args_add_all(tn_args *args, const tn_args *more);
void tn_args_add_format(tn_args *args, const char *format, ...) TN_PRINTF(2, 3);
static inline const char *tn_args_at(const tn_args *args, size_t index) {
  return (const char *)args->list.items[index];
}
// The array that starts a process: ends in NULL. NULL when there was no memory.
const char *const *tn_args_argv(tn_args *args);

// The clang++ to run: `wanted` when not empty, else TENON_CLANG, else the one Tenon was built with,
// else clang++-22 in PATH. A string of the arena. IO with what to install when there is none.
TN_MUST_USE tn_status tn_frontend_clang_find(tn_arena *arena, const char *wanted, const char **out,
                                             tn_diag *diag);
// Whether the user named that program: by `wanted` or TENON_CLANG.
bool tn_frontend_clang_is_named(const char *wanted);
// Asks the program for its version. UNSUPPORTED, with what it is, when it is no clang 22.
TN_MUST_USE tn_status tn_frontend_clang_check(const char *program, tn_diag *diag);
// The same of what --version printed.
TN_MUST_USE tn_status tn_frontend_version_check(const char *program, tn_str text, tn_diag *diag);

// One source, once for the device or the host.
typedef struct tn_pass_params {
  const char *clang;
  const char *source;       // as clang takes it
  const char *language;     // of -x; NULL = by the file's name
  const char *include_dir;  // where sycl/sycl.hpp lies; NULL = nowhere
  const char *output;       // of -o; NULL = clang's choice
  const char *action;       // "-c", "-S", "-E", "-fsyntax-only" …; NULL = none
  uint64_t unit_id;
  const tn_args *user;      // the user's options for this pass: no inputs, no -o, no -x
  bool color;               // the output will end on a terminal although it is captured
  bool is_plain;            // not C++: the host pass is told nothing of SYCL
} tn_pass_params;

// Adds the command line of the device pass: unoptimized bitcode for this machine, with line tables.
void tn_frontend_device_args(const tn_pass_params *params, tn_args *out);
// And of the host pass.
void tn_frontend_host_args(const tn_pass_params *params, tn_args *out);

// What makes a translation unit that one and no other: equal on every run of the same command, and
// never 0. `source` is resolved to its real path; `output` may be NULL.
uint64_t tn_frontend_unit_id(const char *source, const tn_args *options, const char *output);

#endif
