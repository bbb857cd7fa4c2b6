// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's precompiled headers: what a pass is given of one. Private to the driver.
#ifndef TN_COMPILE_DRIVER_USER_HEADER_H
#define TN_COMPILE_DRIVER_USER_HEADER_H

#include "compile/driver/plan.h"

// One pass and the file that it reads.
typedef struct tn_user_header {
  const tn_plan *plan;  // borrowed
  const tn_job *job;    // borrowed
  tn_buf *log;          // borrowed: gets the error
  char *data;           // owned
  bool is_found;
  uint64_t unit_id;     // of the header's text
} tn_user_header;

void tn_user_header_init(tn_user_header *header, const tn_plan *plan, const tn_job *job,
                         tn_buf *log);
void tn_user_header_deinit(tn_user_header *header);
// tn_clang_pass_run.header with a tn_user_header.
bool tn_user_header_find(void *header, const char *path, tn_bytes *out);
// For passes that are run as a process, where Clang would read the whole file: the path of a
// precompiled header of Tenon's that the words name; NULL without one.
const char *tn_user_header_in(const tn_args *words, tn_arena *arena);

#endif
