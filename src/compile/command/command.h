// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command line, read: what is asked for, and every argument in its place.
#ifndef TN_COMPILE_COMMAND_COMMAND_H
#define TN_COMPILE_COMMAND_COMMAND_H

#include "compile/command/options.h"
#include "compile/frontend/frontend.h"
#include "compile/pipeline/pipeline.h"
#include "compile/target/target.h"

typedef enum tn_action {
  TN_ACTION_LINK, TN_ACTION_OBJECT, TN_ACTION_ASSEMBLY, TN_ACTION_PREPROCESS,
  TN_ACTION_DEPENDENCIES, TN_ACTION_SYNTAX, TN_ACTION_OTHER,
} tn_action;

typedef enum tn_input_kind {
  TN_INPUT_NONE,    // the argument is an option
  TN_INPUT_SYCL,    // C++, or C for tenoncc: a device pass and a host pass
  TN_INPUT_HEADER,  // a C++ header, to be looked at or precompiled
  TN_INPUT_HOST,    // compiled or assembled for the host only
  TN_INPUT_LINK,    // an object, a library: for the linker
} tn_input_kind;

typedef struct tn_command_arg {
  const tn_option *option;  // static; NULL for inputs and for options only clang knows
  tn_input_kind input;
  const char *text;      // as written; all strings are the arena's
  const char *value;     // joined or separate; "" when there is none
  const char *language;  // of an input: -x in force, NULL = by the name
  const char *extra[3];
  size_t extra_count;
} tn_command_arg;

// What a link makes.
typedef enum tn_link_kind {
  TN_LINK_PROGRAM,
  TN_LINK_DEVICE_OBJECT,  // -fsycl-link: a host object that registers the device code
  TN_LINK_DEVICE_IMAGES,  // -fsycl-link-targets=: a fat binary
} tn_link_kind;

// Which of a target's tools -Xsycl-target-… speaks to.
typedef enum tn_target_stage {
  TN_STAGE_FRONTEND, TN_STAGE_BACKEND, TN_STAGE_LINKER, TN_STAGE_COUNT,
} tn_target_stage;

// One -Xsycl-target-…, as written.
typedef struct tn_stage_words {
  const char *option;  // "-Xsycl-target-backend=spirv64", for messages
  const char *target;  // NULL = every one
  const char *words;
  tn_target_stage stage;
  bool is_unused;  // by any target of the command
} tn_stage_words;

// A device image of -fsycl-add-targets=.
typedef struct tn_added_image {
  tn_target target;
  const char *path;
} tn_added_image;

enum { TN_COMMAND_TARGETS = 16, TN_SAVE_TEMPS_NONE = 0, TN_SAVE_TEMPS_CWD, TN_SAVE_TEMPS_OBJ };

typedef struct tn_command {
  tn_arena *arena;  // borrowed
  tn_list args;     // of tn_command_arg
  tn_args linker_words;  // what the linker is told by -Wl, -Xlinker and -z, one word each
  tn_action action;
  const char *output;  // NULL = by the source's name
  const char *clang;   // --tenon-clang; NULL = find it
  const char *linker_name;    // of -fuse-ld= or --ld-path=,
  const char *linker_option;  // as written
  const char *standard;
  const char *processor;  // of -march=; NULL without
  const char *target_list;       // of -fsycl-targets=; NULL without, as the next ones
  const char *link_target_list;  // of -fsycl-link-targets=
  const char *device_obj;
  const char *dump_dir;
  const char *host_compiler;
  const char *host_options;
  const char *int_header;         // of -fsycl-int-header=; NULL without
  const char *dependency_output;  // of -MF; NULL without
  const char *database_file;      // of -MJ; NULL without
  tn_args arch_lists;   // of --offload-arch=
  tn_args added_lists;  // of -fsycl-add-targets=
  tn_list stage_words;  // tn_stage_words
  tn_target targets[TN_COMMAND_TARGETS];
  tn_args words[TN_COMMAND_TARGETS][TN_STAGE_COUNT];  // for each target's tools
  const char *of_intel[TN_COMMAND_TARGETS];  // one of those that Intel's GPUs alone know; or NULL
  size_t target_count;
  tn_list added;  // tn_added_image
  tn_link_kind link_kind;
  tn_split_mode split;
  uint64_t jobs;       // 0 = by the cores
  uint64_t link_jobs;  // of the device link; 0 = as `jobs`
  const char *cuda_path;  // --cuda-path=; NULL without
  uint64_t compression_level;
  uint32_t sub_group_size;  // of kernels that require none; 0 = the device's
  uint32_t opt_level;
  uint32_t save_temps;
  bool no_rdc, has_split, has_device_link, embed_ir, no_link_cache;
  bool compress, no_compress;  // neither: where images are very large
  bool no_preamble;  // what sources begin with is not precompiled
  bool remarks_preambles;
  uint32_t remarks;  // TN_UNIT_REMARKS_…
  const char *preamble_dir;  // where it is kept; NULL = among the caches
  const char *written_preambles;  // folder for those of an installation; NULL = none are written
  bool sycl, device_only, host_only, allow_imports;
  bool is_c;  // --driver-mode=gcc, which is tenoncc: sources in C are compiled for devices as well
  bool print_plan, verbose, help, version, ask;
  bool precompile;  // --precompile, unless another action wins
  bool emit_llvm, debug, lto, shared, is_static, relocatable, no_undefined;
  bool dependency_file, has_dependency_output, has_dependency_target, beside_object;
} tn_command;

static inline const tn_command_arg *tn_command_arg_at(const tn_command *command, size_t index) {
  return (const tn_command_arg *)command->args.items[index];
}

// argv[1…] with @files replaced by what they hold.
TN_MUST_USE tn_status tn_response_expand(int argc, char *const *argv, tn_args *out, tn_diag *diag);
// Reads expanded arguments. Failures are worth reporting only when out->sycl; otherwise clang says
// what it thinks of its options.
TN_MUST_USE tn_status tn_command_parse(const tn_args *words, tn_command *out, tn_diag *diag);
// How many words from words[0] on name DPC++'s runtime library, 0 to 2; words end with NULL.
size_t tn_command_runtime_words(char *const *words);
// From the words about targets, once all are read, to targets, their tools' words and added images.
TN_MUST_USE tn_status tn_command_settle_targets(tn_command *command, tn_diag *diag);
// Whether options for a stage of this target's tools reach any.
bool tn_command_stage_is_used(const tn_target *target, tn_target_stage stage);
// The level of zstd for device images; 0 = they are not compressed.
uint32_t tn_command_compression(const tn_command *command);
// What a SYCL command must be besides; needs: parsed.
TN_MUST_USE tn_status tn_command_check(const tn_command *command, tn_diag *diag);
// Whether the option is there by this spelling, itself or behind -Xclang.
bool tn_command_has_option(const tn_command *command, const char *spelling);
size_t tn_command_input_count(const tn_command *command, tn_input_kind kind);
// The user's options for one of the runs (TN_GOES_D, TN_GOES_H), without inputs.
void tn_command_options(const tn_command *command, uint32_t goes, tn_args *out);
// One argument as it was written, with those that belong to it.
void tn_command_arg_add(const tn_command_arg *arg, tn_args *out);
// By the name of a source, or by the language of -x.
tn_input_kind tn_input_classify(const char *name, const char *language);

#endif
