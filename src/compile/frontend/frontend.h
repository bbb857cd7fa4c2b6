// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stock clang as Tenon uses it: where it is, and its command lines for the passes over a source.
#ifndef TN_COMPILE_FRONTEND_FRONTEND_H
#define TN_COMPILE_FRONTEND_FRONTEND_H

#include "base/arena.h"
#include "base/buf.h"
#include "compile/target/target.h"

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

// The clang++ that the user named: `wanted` when not empty, else TENON_CLANG. NULL when neither is
// set; a string of the arena. IO when there is no such program.
TN_MUST_USE tn_status tn_frontend_clang_find(tn_arena *arena, const char *wanted, const char **out,
                                             tn_diag *diag);
// An installed clang++: the one Tenon was built with, else clang++-22 in PATH; NULL without one.
TN_MUST_USE tn_status tn_frontend_clang_find_installed(tn_arena *arena, const char **out,
                                                       tn_diag *diag);
// Whether the user named that program: by `wanted` or TENON_CLANG.
bool tn_frontend_clang_is_named(const char *wanted);
// Whether that program is the one that Tenon was built with, which loads plugins built beside it.
bool tn_frontend_clang_takes_plugin(const char *program);
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
  const char *plugin;       // tenon-clang-plugin.so, for the device pass; NULL = none
  const char *output;       // of -o; NULL = clang's choice
  const char *action;       // "-c", "-S", "-E", "-fsyntax-only" …; NULL = none
  uint64_t unit_id;
  const tn_args *user;      // the user's options for this pass: no inputs, no -o, no -x
  bool color;               // the output will end on a terminal although it is captured
  bool is_header;           // what is made of it is a precompiled header
  bool is_plain;            // not C++: the host pass is told nothing of SYCL
  const tn_target *target;  // of the device pass; NULL = the CPU
  const struct tn_host_compiler *host;  // who runs the host pass; NULL = clang
  bool wants_closures;  // the device pass is to say where the captures of lambdas lie
  bool warns;        // the device pass warns of everything: there is no host pass that does
  bool is_silent;    // the device pass does not warn: another compiler runs the host pass
} tn_pass_params;

// What follows -O, as Clang reads it: "" is 1, s and z are 2 with other aims, and more than 3 is 3.
uint32_t tn_frontend_opt_level(const char *value);
// Adds the command line of the device pass: unoptimized bitcode for the target, with line tables.
void tn_frontend_device_args(const tn_pass_params *params, tn_args *out);
// And of the host pass.
void tn_frontend_host_args(const tn_pass_params *params, tn_args *out);

// -fsycl-host-compiler: another compiler's host pass.
typedef struct tn_host_compiler {
  const char *program;
  const tn_args *options;          // the user's for it alone: behind everything else
  const char *integration_header;  // included first; NULL when nothing but names of files is asked
  tn_args *left_out;               // gets the user's words that it is not given; NULL = nobody asks
} tn_host_compiler;
// The program's path, a string of the arena; IO when there is none.
TN_MUST_USE tn_status tn_frontend_host_compiler_find(tn_arena *arena, const char *wanted,
                                                     const char **out, tn_diag *diag);
// Splits words as a shell does, without its expansions.
TN_MUST_USE tn_status tn_frontend_split_words(const char *text, tn_args *out, tn_diag *diag);

// What the device pass made of a unit's kernels.
typedef struct tn_host_kernel {
  tn_str name;         // "_ZTS…", without the unit's id
  uint32_t size;       // of the function object
  uint32_t alignment;
  tn_str file;
  uint32_t line;       // 0 when unknown
} tn_host_kernel;
typedef struct tn_host_kernels {
  tn_host_kernel *items;  // borrowed
  size_t count;
  tn_list closures;  // as tn_frontend_read_closures gives them
} tn_host_kernels;
// Reads what a device pass that `wants_closures` says of lambdas; texts are the arena's. Checks
// what tn_frontend_check_globals does.
TN_MUST_USE tn_status tn_frontend_read_closures(tn_bytes bitcode, const char *name, tn_arena *arena,
                                                tn_list *out, tn_diag *diag);
// Of a device pass whose host pass another compiler than the Clang in tenon++ does: UNSUPPORTED
// where it has a device global without linkage (docs/decisions/device-globals.md).
TN_MUST_USE tn_status tn_frontend_check_globals(tn_bytes bitcode, const char *name, tn_diag *diag);
// The header that tells the host's compiler. `out` keeps a failure.
void tn_frontend_integration_write(const tn_host_kernels *kernels, uint64_t unit_id,
                                   tn_arena *arena, tn_buf *out);
// Whether two kernel names are the same but for the numbers of lambdas in them.
bool tn_frontend_names_match(tn_str a, tn_str b);
// Whether the kernels that its object launches are these, and as large. BUILD_FAILED with each that
// is not in `text`, in clang's form. Objects without symbols pass: then it shows at run time.
TN_MUST_USE tn_status tn_frontend_check_launches(tn_bytes object, const char *source,
                                                 const tn_host_kernels *kernels, tn_arena *arena,
                                                 tn_buf *text, tn_diag *diag);

// Whether a line of preprocessed text is a line marker, and where in it the file's path is.
bool tn_frontend_marker_path(tn_str line, size_t *out_begin, size_t *out_end);

// Hashes of preprocessed text in two parts: what comes of the file `base`, and the rest. Lines
// count, as code can ask for them; of files only the names do.
typedef struct tn_text_prints {
  uint64_t head;
  uint64_t rest;
} tn_text_prints;
tn_text_prints tn_frontend_text_prints(tn_str preprocessed, tn_str base);
// What tells a translation unit from all others, never 0: `prints` are of its text as a device pass
// sees it, `options` are the user's for that pass. Of several targets each continues with the id
// `before` it, 0 for the first. Folders and the name of the output are no part of it.
uint64_t tn_frontend_unit_id(tn_text_prints prints, const tn_args *options, uint64_t before);
// `path` as -ffile-prefix-map and -fdebug-prefix-map among `options` want it recorded: itself or a
// string of the arena.
const char *tn_frontend_map_path(tn_arena *arena, const tn_args *options, const char *path);

#endif
