// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: the work for one group of a device link.
#ifndef TN_COMPILE_PIPELINE_GROUP_H
#define TN_COMPILE_PIPELINE_GROUP_H

#include "base/buf_list.h"
#include "compile/pipeline/resolve.h"

enum { TN_GROUP_BUFFER_MAXIMUM = 0x7fffffff };

typedef struct tn_group_work {
  const tn_link_params *params;  // borrowed, as what follows
  const tn_resolve *resolve;
  const tn_resolve_group *group;
  uint32_t threads;  // that it may use, this one included
  tn_arena arena;
  tn_status status;
  tn_diag diag;
  tn_buf messages;
  tn_list images;   // of tn_buf: fat binaries of one image each; buffers are deinitialized with it
  tn_list natives;  // of tn_buf: host objects with the code of images of format HOST
  bool was_cached;
} tn_group_work;

void tn_group_work_init(tn_group_work *work, const tn_link_params *params,
                        const tn_resolve *resolve, const tn_resolve_group *group);
void tn_group_work_deinit(tn_group_work *work);
void tn_group_work_run(tn_group_work *work);
// What became of it: its status and diagnosis, or its images and natives at the end of the lists.
TN_MUST_USE tn_status tn_group_work_take(tn_group_work *work, tn_list *images, tn_list *natives,
                                         tn_arena *arena, tn_diag *diag);

#endif
