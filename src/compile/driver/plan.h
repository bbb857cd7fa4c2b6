// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a command comes down to: units (sources) and jobs, each with what it waits for.
#ifndef TN_COMPILE_DRIVER_PLAN_H
#define TN_COMPILE_DRIVER_PLAN_H

#include <stdio.h>

#include "compile/clang/clang.h"
#include "compile/command/command.h"
#include "compile/driver/link_cache.h"
#include "compile/inputs/inputs.h"
#include "compile/preamble/preamble.h"

// One source on its way. Jobs of one unit touch different fields; the printing of messages is
// ordered by job_run.c.
typedef struct tn_unit {
  size_t index;          // among the units of the command
  const char *source;    // as clang reads it; standard input is a temporary file
  const char *name;      // as the user wrote it
  const char *recorded_name;  // the same behind -ffile-prefix-map
  const char *device_sources[TN_COMMAND_TARGETS];  // of a preprocessed source; NULL = `source`
  const char *language;
  tn_args options;          // the user's for device passes
  uint64_t id;              // 0 until `identity` is done
  struct tn_job *identity;  // finds the id; NULL for units without device passes
  const char *host_object;  // written by the host pass; NULL without one
  const char *output;       // the fat object to make; NULL when the unit goes straight to a link
  bool is_sycl;             // C++, or C for tenoncc, and not what is compiled for the host only
  bool on_device;           // has device passes
  bool is_preprocessed;     // .ii
  bool is_header;           // to be precompiled
  const char *temps_stem;   // --save-temps: "<folder>/<name>"; NULL without
  const char *module_symbol;  // -fno-sycl-rdc: of its own descriptor; NULL without
  const char *wrapper;        // -fno-sycl-rdc: the object that registers its device code
  const char *integration_header;  // -fsycl-host-compiler: for the host pass; NULL without
  const char *dependency_file;     // -MD: what the host pass writes; NULL without
  const char *dependency_output;   // -MD, -M: what the user gets, "-" for standard output; or NULL
  const char *dependency_target;   // of the rule; NULL when clang or the user names it
  tn_list dependency_parts;        // const char *: what the passes write, to be joined
  tn_list closures;         // of its device pass, for the integration header; `arena`'s
  tn_arena arena;           // of its own device link
  bool has_wrapper;         // this run has written it: there is device code
  tn_args natives;          // -fno-sycl-rdc: the host objects with its machine code
  // -E, and of headers what is precompiled: of the host pass and of the device passes.
  tn_buf texts[TN_COMMAND_TARGETS + 1];
  tn_buf bitcode[TN_COMMAND_TARGETS];  // of the device passes
  tn_buf lowered[TN_COMMAND_TARGETS];  // what fat objects carry and the device link takes
  tn_buf symbols[TN_COMMAND_TARGETS];  // the list of its symbols
  tn_clang_trace traces[TN_COMMAND_TARGETS + 1];  // -ftime-trace: of host and device passes
  tn_buf host_text;         // what clang said about it, host and device
  tn_buf device_text;
  bool wrote_output;        // this run has put something at `output`; the runner's
  size_t pending;           // jobs whose messages are still to come; the runner's
} tn_unit;

typedef enum tn_job_kind {
  TN_JOB_IDENTITY,     // a preprocessed source → the unit's id
  TN_JOB_PASS,         // a run of clang over a source
  TN_JOB_DEPENDENCIES, // the passes' lists of what they read → one rule
  TN_JOB_TEXT,         // the passes' preprocessed texts → one text
  TN_JOB_HEADER,       // the passes' precompiled headers → one file
  TN_JOB_UNIT,         // device bitcode → the unit's lowered bitcode
  TN_JOB_EMBED,        // host object and lowered bitcode → fat object
  TN_JOB_UNIT_LINK,    // -fno-sycl-rdc: lowered bitcode → host object that registers it
  TN_JOB_JOIN,         // host objects → one, by the linker's -r
  TN_JOB_DEVICE_LINK,  // units, fat objects, archive members → fat binary
  TN_JOB_WRAP,         // fat binary → host object that registers it
  TN_JOB_HOST_LINK,    // the host's linker, through clang
} tn_job_kind;

typedef enum tn_job_state {
  TN_JOB_WAITING, TN_JOB_RUNNING, TN_JOB_DONE, TN_JOB_FAILED,
} tn_job_state;

typedef struct tn_job {
  tn_job_kind kind;
  tn_args args;         // the command, or for a step of ours what -### prints for it
  tn_unit *unit;        // borrowed; NULL for the jobs of the link
  size_t target;        // index into the command's targets
  bool is_device;       // a device pass
  bool keeps_output;    // a device pass whose bitcode is wanted in memory
  bool keeps_text;      // a pass whose text or precompiled header is wanted in memory
  bool is_direct;       // writes to our standard output and error itself
  const char *output;   // the file that a pass must leave; NULL when that cannot be told
  tn_list after;        // tn_job that must be done before
  tn_job_state state;   // the runner's
  bool was_started;     // the runner's
  bool was_run;         // the runner's: a child was started for it
  int pid;              // the runner's: a running child, for interrupts
  bool is_inside;       // the runner's: Clang runs in this process, which nothing can stop
  uint64_t started_ns, ended_ns;  // the runner's
} tn_job;

typedef struct tn_plan {
  tn_command *command;      // borrowed
  tn_arena *arena;          // borrowed
  tn_arena link_arena;      // of the jobs of the link, which run one after another
  FILE *out, *err;          // borrowed
  const char *program;      // tenon++
  const char *clang;        // a clang++ that the user named, else `program`
  bool clang_is_checked;    // it is a clang of our version
  bool is_own_clang;        // `clang` is `program`: the Clang in this library
  bool runs_inside;         // its passes run in this process, not in children of tenon++
  bool is_serial;           // one job at a time
  bool reports_times;       // -ftime-report
  bool has_llvm_options;    // -mllvm: they hold for every step of this process
  const char *root;         // <Tenon>
  const char *include_dir;  // <Tenon>/include
  const char *plugin;       // of clang; NULL: that clang does not take it
  const char *lib_dir;      // <Tenon>/lib
  char *temp_dir;           // owned; a name only when nothing is run
  bool color;
  tn_list units;
  tn_list jobs;             // in an order in which one at a time could run them
  const char *link_output;
  const char *wrapper;      // path of the wrapper object; NULL when no device code is linked
  const char *image;        // path for the fat binary under --save-temps; NULL without
  tn_args link_args;        // of the host link, but for what the device link adds
  tn_link_inputs inputs;    // what the link reads besides the units
  tn_buf fatbin;            // the device link's result
  tn_args natives;          // and the host objects that belong to it
  tn_args symbols;          // host symbols for which archive members were taken
  tn_map asked;             // the same, for finding them
  const char *host_compiler;  // path; NULL when clang compiles for the host
  tn_args host_options;     // for it
  tn_args left_out;         // the user's words that it is not given
  tn_preambles preambles;   // while the jobs run
  tn_kept_links kept;       // the same
  bool has_kept;
} tn_plan;

void tn_plan_init(tn_plan *plan, tn_command *command, tn_arena *arena, FILE *out, FILE *err);
void tn_plan_deinit(tn_plan *plan);  // removes the temporary folder
// needs: command checked, paths set, temp_dir set. Prints warnings to plan->err.
TN_MUST_USE tn_status tn_plan_make(tn_plan *plan, tn_diag *diag);
void tn_plan_print(const tn_plan *plan, FILE *out);
// The words that link Tenon's runtime.
void tn_link_add_runtime(tn_args *args, const char *lib_dir, bool is_static);
void tn_args_print(const tn_args *args, FILE *out);  // one line, quoted as clang does

// Removes what jobs that did not come to a good end were to write, as clang would: regular files
// only. An interrupted run removes what it has written.
void tn_plan_remove_outputs(const tn_plan *plan, bool is_interrupted);
// needs: `clang` is found. Sets options of LLVM, and refuses plugins of clang.
TN_MUST_USE tn_status tn_process_options_apply(tn_plan *plan, tn_diag *diag);
// -MJ: appends the units' entries.
TN_MUST_USE tn_status tn_plan_database_write(const tn_plan *plan, tn_diag *diag);
// -ftime-trace: the file of a unit whose passes are over.
TN_MUST_USE tn_status tn_unit_trace_write(const tn_plan *plan, tn_unit *unit, tn_diag *diag);
// Runs the jobs; false when any failed. Every failure has been printed to plan->err.
bool tn_plan_run(tn_plan *plan);

// What a job does, for people: "device pass of a.cpp".
void tn_job_describe(const tn_plan *plan, const tn_job *job, tn_buf *out);

// Arguments hold this many digits of the id, and these until it is known.
#define TN_UNIT_ID_UNKNOWN "0000000000000000"
enum { TN_UNIT_ID_DIGITS = 16 };
// -fno-sycl-rdc: the descriptor of a unit's device code is named by this and the id.
#define TN_UNIT_MODULE_PREFIX "__tenon_module_"

// Preprocesses the source for the job's target. After the last one the unit's id is known, and the
// arguments of the unit's jobs that wait for the id hold it.
TN_MUST_USE tn_status tn_unit_identify(const tn_plan *plan, tn_job *job, tn_diag *diag);

// The steps of ours; failures are for the runner to print. Messages in clang's form go to `text`.
TN_MUST_USE tn_status tn_unit_lower(tn_plan *plan, tn_unit *unit, size_t target, tn_buf *text,
                                    tn_diag *diag);
// -fsycl-host-compiler: before the host pass, from the first target's lowered code; and after it.
TN_MUST_USE tn_status tn_unit_header_write(tn_unit *unit, tn_diag *diag);
// Takes the integration header out of the host pass's dependency file.
TN_MUST_USE tn_status tn_unit_dependencies_clean(const tn_unit *unit, tn_diag *diag);
// Messages about device code, as the command's -w, -Werror, -Wno-x … want them. The number of those
// that have become errors.
size_t tn_warnings_apply(const tn_command *command, tn_str said, tn_buf *out);
// Joins the passes' dependency files to the file that the user named.
TN_MUST_USE tn_status tn_unit_dependencies_write(const tn_plan *plan, const tn_unit *unit,
                                                 tn_diag *diag);
// Adds to the first of `count` rules of make the prerequisites that only the others have.
void tn_dependencies_merge(const tn_str *parts, size_t count, bool has_phony_targets, tn_buf *out);
// -E: the passes' texts as one.
TN_MUST_USE tn_status tn_unit_text_write(const tn_plan *plan, tn_unit *unit, tn_diag *diag);
// Of a header: the passes' precompiled headers as one file.
TN_MUST_USE tn_status tn_unit_precompiled_write(const tn_plan *plan, tn_unit *unit, tn_diag *diag);
// To a file, or for "-" to standard output.
TN_MUST_USE tn_status tn_plan_write_text(const tn_plan *plan, const char *path, tn_str text,
                                         tn_diag *diag);
TN_MUST_USE tn_status tn_unit_launches_check(const tn_unit *unit, tn_buf *text, tn_diag *diag);
TN_MUST_USE tn_status tn_unit_embed(tn_plan *plan, tn_unit *unit, tn_diag *diag);
TN_MUST_USE tn_status tn_unit_link(tn_plan *plan, tn_unit *unit, tn_buf *text, tn_diag *diag);
TN_MUST_USE tn_status tn_objects_join(tn_plan *plan, tn_job *job, tn_buf *text, tn_diag *diag);
// With the archives' members that take part: first the host's linker is asked which.
TN_MUST_USE tn_status tn_members_take(tn_plan *plan, tn_job *job, tn_buf *text, tn_diag *diag);
TN_MUST_USE tn_status tn_device_link_run(tn_plan *plan, tn_job *job, tn_buf *text,
                                         tn_diag *diag);
TN_MUST_USE tn_status tn_device_link_wrap(tn_plan *plan, tn_diag *diag);
// What one target's link takes: the units, the objects, the members taken so far; of link_arena.
TN_MUST_USE tn_status tn_device_link_gather(tn_plan *plan, size_t target, tn_link_input **out,
                                            size_t *out_count, tn_diag *diag);
// False when the linker failed or a device symbol is missing; what to tell is in `text`.
TN_MUST_USE tn_status tn_host_link_run(tn_plan *plan, tn_job *job, bool *out_linked, tn_buf *text,
                                       tn_diag *diag);
// The words of the host link with what this run has made: machine code goes before the libraries.
void tn_plan_final_link_args(const tn_plan *plan, tn_args *out);
// A fat binary as a host object in a file. Any thread.
TN_MUST_USE tn_status tn_wrapper_write(const char *path, tn_bytes fatbin,
                                       const char *module_symbol, tn_diag *diag);
// A host object with functions of these symbols (const char *) that give NULL.
TN_MUST_USE tn_status tn_nulls_write(const char *path, const tn_list *symbols, tn_diag *diag);

// A copy of `object` with a further section of LLVM's offloading kind.
TN_MUST_USE tn_status tn_fat_object_write(tn_bytes object, tn_bytes payload, tn_buf *out,
                                          tn_diag *diag);

enum { TN_DRIVER_BUFFER_MAXIMUM = 0x7fffffff };

#endif
