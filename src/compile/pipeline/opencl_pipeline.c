// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C to SPIR-V. LLVM's back end knows OpenCL's own functions by their names.
#include "compile/emit/emit.h"
#include "compile/module/module.h"
#include "compile/pipeline/pipeline.h"

tn_status tn_pipeline_compile_opencl(LLVMModuleRef take_module, const tn_target *target,
                                     uint32_t opt_level, const char *name, tn_buf *out,
                                     tn_buf *messages, tn_diag *diag) {
  const tn_device_params params = {.target = target, .opt_level = opt_level, .name = name};
  tn_llvm_job job;
  tn_device_code code;
  tn_llvm_job_init_in(&job, LLVMGetModuleContext(take_module));
  tn_device_code_init(&code);
  tn_status status = tn_emit_device(&job, take_module, &params, &code, messages, diag);
  if (status == TN_OK) {
    tn_buf_add(out, code.code.data, code.code.size);
    status = tn_buf_status(out, diag);
  }
  tn_device_code_deinit(&code);
  LLVMDisposeModule(take_module);
  tn_llvm_job_deinit(&job);
  return status;
}
