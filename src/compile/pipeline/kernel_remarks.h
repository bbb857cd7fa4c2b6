// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: remarks about kernels on the CPU (tn_remarks), as lines.
#ifndef TN_COMPILE_PIPELINE_KERNEL_REMARKS_H
#define TN_COMPILE_PIPELINE_KERNEL_REMARKS_H

#include "compile/pipeline/pipeline.h"
#include "compile/module/module.h"

// In clang's form: "a.cpp:12:5: remark: … [-Rpass=tenon]".
void tn_kernel_remarks_write(const tn_remarks *remarks, tn_buf *messages);
// A line each on standard error, for the runtime, whose TENON_LOG has the topic.
void tn_kernel_remarks_log(const tn_remarks *remarks);
// Lowers the kernels of a unit that is ready for the link, for the CPU that its code runs on, and
// appends the remarks to `messages`. The module is used up. A failure is no error here: the link
// reports it.
void tn_kernel_remarks_of_unit(tn_llvm_job *job, LLVMModuleRef module, const tn_unit_params *params,
                               tn_arena *arena, tn_buf *messages);

#endif
