// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of a link, as far as they hold device code: objects at once, archives on demand.
#ifndef TN_COMPILE_INPUTS_INPUTS_H
#define TN_COMPILE_INPUTS_INPUTS_H

#include "base/map.h"
#include "compile/command/command.h"
#include "image/image.h"

typedef struct tn_link_code {
  const char *name;  // object, or archive(member)
  tn_str target;     // views into the mapped file
  tn_bytes bitcode;
  tn_str symbols;
  tn_str version;   // of the Tenon that made it; empty when it does not say
  bool is_foreign;  // what a device pass alone made: to be lowered yet
} tn_link_code;

typedef struct tn_link_archive tn_link_archive;
typedef struct tn_link_member tn_link_member;
struct tn_link_member {
  tn_link_archive *archive;
  tn_archive_member place;
  const char *file;      // of a thin archive: path of the file, or of the archive it lies in
  tn_str key;            // its name in traces
  tn_link_member *twin;  // the next one of that name
  const char *proof;     // a symbol that it defines and its twins do not; NULL when unknown
  bool is_proven;        // the linker has named it as where `proof` comes from
  bool is_taken;
  size_t seen;  // of the first of its name: how often a trace has it
};

struct tn_link_archive {
  const char *path;  // real path
  tn_bytes bytes;    // mapped
  bool has_code;     // some member holds device code
  bool is_named;     // by the command, not by a thin archive or a trace alone
  bool is_whole;     // all members are taken
  bool is_listed;
  bool has_proofs;  // its members of one name have theirs
  tn_list members;  // tn_link_member, when listed
  tn_map by_name;   // key → the first of that name
};

typedef struct tn_link_inputs {
  tn_arena *arena;            // borrowed
  const tn_command *command;  // borrowed
  tn_list files;              // mapped until deinit
  tn_list code;               // tn_link_code of objects, and of the members taken so far
  tn_list archives;  // tn_link_archive with device code of which the linker decides what is taken
  tn_list all_archives;
  tn_map by_path;       // real path → tn_link_archive
  tn_map by_text;       // a path as it was found written → the same
  tn_map objects;       // real paths of objects
  tn_map thin_files;    // real path of a file → tn_link_member of a thin archive
  tn_map taken;         // address of a member's contents in the mapped archive → anything
  tn_args warnings;     // sentences
  size_t script_depth;  // of linker scripts that name each other
  size_t warned;        // of which so many were said
  tn_list lowered;      // of tn_buf: what was foreign
} tn_link_inputs;

void tn_link_inputs_init(tn_link_inputs *inputs, tn_arena *arena);
void tn_link_inputs_deinit(tn_link_inputs *inputs);
// Looks at every input of the command that is not compiled.
TN_MUST_USE tn_status tn_link_inputs_scan(tn_link_inputs *inputs, const tn_command *command,
                                          tn_diag *diag);
// Lowers what is foreign. Messages in clang's form.
TN_MUST_USE tn_status tn_link_inputs_lower(tn_link_inputs *inputs, tn_buf *messages, tn_diag *diag);
// The warnings that were not said yet, and, after a failure, whose code another version made.
void tn_link_inputs_say(tn_link_inputs *inputs, tn_buf *text);
void tn_link_inputs_say_versions(const tn_link_inputs *inputs, tn_buf *text);

// Empty bytes for what is no regular file: the linker reads the same file and says why.
TN_MUST_USE tn_status tn_link_map_file(tn_link_inputs *inputs, const char *path, tn_bytes *out,
                                       tn_diag *diag);
// The code of an object or a member goes to `code`.
TN_MUST_USE tn_status tn_link_code_read(tn_link_inputs *inputs, tn_bytes object, const char *name,
                                        tn_diag *diag);

// An archive by a path as it is written; *out is NULL when that is none. New ones are looked at.
TN_MUST_USE tn_status tn_link_archive_find(tn_link_inputs *inputs, tn_str text,
                                           tn_link_archive **out, tn_diag *diag);
// Lists its members, once.
TN_MUST_USE tn_status tn_link_archive_list(tn_link_inputs *inputs, tn_link_archive *archive,
                                           tn_diag *diag);
// A member by its name in a trace of the linker's; NULL when there is none. GNU ld names members of
// thin archives by their files alone.
tn_link_member *tn_link_member_find(const tn_link_inputs *inputs, const tn_link_archive *archive,
                                    tn_str key);
tn_link_member *tn_link_member_of_file(const tn_link_inputs *inputs, tn_str path);
TN_MUST_USE tn_status tn_link_member_bytes(tn_link_inputs *inputs, const tn_link_member *member,
                                           tn_bytes *out, tn_diag *diag);
const char *tn_link_member_name(tn_link_inputs *inputs, const tn_link_member *member);
// Its device code takes part; once.
TN_MUST_USE tn_status tn_link_member_take(tn_link_inputs *inputs, tn_link_member *member,
                                          tn_diag *diag);

// What the linker says under --trace and --trace-symbol: GNU ld, gold, lld and mold each in their
// words. Before a trial: the symbols to trace, by which members of one name are told apart.
TN_MUST_USE tn_status tn_link_trace_prepare(tn_link_inputs *inputs, tn_args *out_traced,
                                            tn_diag *diag);
// Takes the members that the trial has taken.
TN_MUST_USE tn_status tn_link_trace_take(tn_link_inputs *inputs, tn_str trace, tn_str errors,
                                         tn_diag *diag);
// Whether a traced symbol has a definition.
bool tn_link_trace_defines(tn_str trace, tn_str errors, tn_str symbol);

#endif
