// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to plan*.c: how jobs are made.
#ifndef TN_COMPILE_DRIVER_PLAN_MAKE_H
#define TN_COMPILE_DRIVER_PLAN_MAKE_H

#include "compile/driver/plan.h"

// NULL, and the plan's arguments marked as failed, when there is no memory.
tn_job *tn_job_add(tn_plan *plan, tn_job_kind kind, tn_unit *unit);
// `job` waits for `before`; nothing when either is NULL.
void tn_job_wait_for(tn_plan *plan, tn_job *job, tn_job *before);
// What -### prints for a step of ours begins with this.
void tn_job_name_step(tn_job *job, const char *step);
// `clang++ -r`: the host object `first` (NULL without) and `wrapper` become one; what the run adds
// comes behind.
void tn_job_name_join(tn_plan *plan, tn_job *job, const char *first, const char *wrapper,
                      const char *output);
// The options that both kinds of device link have in common, for -###.
void tn_job_name_link(tn_plan *plan, tn_job *job);

// `job` waits for the job of its kind before it: what they write to one place is in order.
void tn_plan_keep_order(tn_plan *plan, tn_job *job);

// -M, -MD: where the rule of a source goes and what it is of.
void tn_plan_name_dependencies(tn_plan *plan, tn_unit *unit);
// What a pass is told about its list of prerequisites; `is_alone`: no other pass reads the source.
void tn_plan_add_dependency_args(const tn_plan *plan, tn_unit *unit, tn_job *pass, bool is_alone,
                                 tn_args *out);
// Joins the lists of the unit's passes, which are jobs from `first_job` on; nothing without lists.
void tn_plan_add_dependency_job(tn_plan *plan, tn_unit *unit, size_t first_job);

// -E: whether the text holds what the device passes read as well.
bool tn_plan_joins_texts(const tn_plan *plan, const tn_unit *unit);
void tn_plan_add_text_job(tn_plan *plan, tn_unit *unit, size_t first_job);
// `job` waits for the passes among the jobs from `first_job` on, whose texts stay in memory for it.
void tn_plan_take_texts(tn_plan *plan, tn_job *job, size_t first_job);

// Joins the precompiled headers of the unit's passes, which are jobs from `first_job` on.
void tn_plan_add_header_job(tn_plan *plan, tn_unit *unit, size_t first_job);

// Parts a preprocessed source into the texts of its passes, in temporary files. A text of one pass
// stays as it is where the command has no other.
TN_MUST_USE tn_status tn_plan_split_text(const tn_plan *plan, tn_unit *unit, tn_diag *diag);
// Refuses assembly and LLVM IR that launch kernels without having them, or that are device code.
TN_MUST_USE tn_status tn_plan_check_host_input(const tn_plan *plan, const tn_unit *unit,
                                               tn_diag *diag);

// A source's name without folder and extension.
tn_str tn_plan_stem_of(const char *source);
// Where --save-temps puts a file of this name.
const char *tn_plan_beside_output(const tn_plan *plan, const char *name);

TN_MUST_USE tn_status tn_plan_add_unit(tn_plan *plan, const tn_command_arg *arg, tn_diag *diag);
// After all units.
TN_MUST_USE tn_status tn_plan_add_link(tn_plan *plan, tn_diag *diag);

#endif
