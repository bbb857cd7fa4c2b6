// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The build: images → an object for this machine.
#include "compile/pipeline/pipeline_target.h"

#include "compile/emit/emit.h"
#include "compile/link/link.h"
#include "compile/lower/lower.h"
#include "compile/pipeline/kernel_remarks.h"
#include "compile/pipeline/simplify.h"
#include "image/image.h"

static tn_status link_inputs(tn_llvm_job *job, const tn_build_params *params, tn_arena *arena,
                             LLVMModuleRef *out, tn_diag *diag) {
  *out = NULL;
  tn_link_source *images = tn_arena_alloc_array(arena, params->image_count + 1, sizeof(*images));
  if (!images) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link device images");
  }
  for (size_t i = 0; i < params->image_count; ++i) {
    const tn_build_image *image = &params->images[i];
    const char *name = image->name ? image->name : "device image";
    if (image->format != TN_IMAGE_FORMAT_BITCODE) {
      return TN_FAIL(diag, UNSUPPORTED, "%s: the image's code is %s; the CPU device links bitcode",
                     name, tn_image_format_name(image->format));
    }
    images[i] = (tn_link_source){.bitcode = tn_bytes_from(image->code, image->size), .name = name,
                                 .take = image->take, .take_count = image->take_count};
  }
  return tn_link_images(job, images, params->image_count, arena, out, diag);
}

// Kernels that are not asked for are not worth their time.
static tn_status keep_kernel(tn_llvm_job *job, LLVMModuleRef module, const char *name,
                             tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;) {
    LLVMValueRef next = LLVMGetNextFunction(f);
    if (tn_function_is_kernel(f) && !tn_str_equals(tn_value_name(f), tn_str_from(name))) {
      tn_function_delete(f);
    }
    f = next;
  }
  return tn_module_run_passes(job, module, "globaldce", NULL, diag);
}

static bool is_unoptimized(const tn_build_params *params) {
  bool is = false;
  for (size_t i = 0; i < params->image_count; i++) {
    is = is || (params->images[i].flags & TN_BUILD_IMAGE_UNOPTIMIZED);
  }
  return is;
}

// Specialization constants become true ones; what is read of them was unknown until now. Code that
// nothing was inlined in would become several times as much for many work-items.
static tn_status specialize(tn_llvm_job *job, LLVMModuleRef module, const tn_build_params *params,
                            tn_arena *arena, tn_diag *diag) {
  tn_lower_spec *values = tn_arena_alloc_array(arena, params->spec_count + 1, sizeof(*values));
  if (!values) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu specialization constants",
                   params->spec_count);
  }
  for (size_t i = 0; i < params->spec_count; ++i) {
    const tn_build_spec *spec = &params->specs[i];
    values[i] =
        (tn_lower_spec){tn_str_from(spec->name), tn_bytes_from(spec->value, spec->size)};
  }
  bool any = false;
  TN_TRY(tn_lower_specialize(module, values, params->spec_count, &any, diag));
  if (params->opt_level == 0) {
    return TN_OK;
  }
  return is_unoptimized(params) ? tn_simplify_unoptimized(job, module, params->opt_level, diag)
         : any                  ? tn_simplify(job, module, params->opt_level, diag)
                                : TN_OK;
}

static tn_status place_globals(LLVMModuleRef module, const tn_build_params *params,
                               tn_arena *arena, tn_diag *diag) {
  tn_str *names = tn_arena_alloc_array(arena, params->global_count + 1, sizeof(*names));
  if (!names) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu device globals", params->global_count);
  }
  for (size_t i = 0; i < params->global_count; ++i) {
    names[i] = tn_str_from(params->globals[i]);
  }
  return tn_lower_globals_from_buffer(module, names, params->global_count, 0, diag);
}

static tn_status emit(tn_llvm_job *job, LLVMModuleRef module, LLVMTargetMachineRef machine,
                      const tn_build_params *params, tn_arena *arena, tn_buf *out_object,
                      tn_diag *diag) {
  const uint32_t opt_level = params->opt_level;
  const bool is_quick = (params->flags & TN_BUILD_QUICK) != 0 && opt_level > 0;
  const bool is_logged = (params->flags & TN_BUILD_LOG_VECTORIZE) != 0 && !is_quick;
  tn_remarks remarks;
  tn_remarks_init(&remarks, arena, TN_REMARK_ALL);
  const tn_cpu_target target = {.vector_bytes = tn_emit_vector_bytes(machine),
                                .sub_group_size = params->sub_group_size,
                                .group_shape = params->group_shape,
                                .check = params->check != 0,
                                .is_quick = is_quick,
                                .remarks = is_logged ? &remarks : NULL};
  const tn_status lowered = tn_lower_cpu(job, module, &target, opt_level, diag);
  tn_kernel_remarks_log(&remarks);
  TN_TRY(lowered);
  TN_TRY(is_quick ? tn_emit_tidy(job, module, machine, diag)
                  : tn_emit_optimize(job, module, machine, opt_level, diag));
  TN_TRY(tn_lower_cpu_end(module, target.vector_bytes, diag));
  return tn_emit_object(job, module, machine, out_object, diag);
}

static tn_status run(tn_llvm_job *job, const tn_build_params *params, tn_arena *arena,
                     tn_buf *out_object, tn_diag *diag) {
  LLVMTargetMachineRef machine = NULL;
  LLVMModuleRef module = NULL;
  tn_status status = tn_emit_machine_borrow(params->opt_level, &machine, diag);
  if (status == TN_OK) {
    status = link_inputs(job, params, arena, &module, diag);
  }
  if (status == TN_OK && params->kernel) {
    status = keep_kernel(job, module, params->kernel, diag);
  }
  if (status == TN_OK) {
    status = specialize(job, module, params, arena, diag);
  }
  if (status == TN_OK) {
    status = place_globals(module, params, arena, diag);
  }
  if (status == TN_OK) {
    status = emit(job, module, machine, params, arena, out_object, diag);
  }
  if (module) {
    LLVMDisposeModule(module);
  }
  if (status == TN_OK) {
    tn_emit_machine_return(params->opt_level, machine);
  } else if (machine) {
    LLVMDisposeTargetMachine(machine);
  }
  return status;
}

tn_status tn_pipeline_init(tn_diag *diag) { return tn_emit_init(diag); }

tn_status tn_pipeline_build(const tn_build_params *params, tn_buf *out_object, tn_diag *diag) {
  TN_TRY(tn_pipeline_check_target(params->target, diag));
  if (params->image_count == 0 || !params->images) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a build needs at least one device image");
  }
  tn_arena arena;
  tn_arena_init(&arena);
  tn_llvm_job job;
  tn_status status = tn_llvm_job_init(&job, diag);
  if (status == TN_OK) {
    status = run(&job, params, &arena, out_object, diag);
  }
  tn_llvm_job_deinit(&job);
  tn_arena_deinit(&arena);
  return status;
}
