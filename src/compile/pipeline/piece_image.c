// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists what a piece says about itself and writes it as the target's formats want.
#include "compile/pipeline/piece_image.h"

#include "compile/emit/emit.h"
#include "compile/gpu/gpu.h"
#include "compile/lower/lower.h"
#include "compile/pipeline/native_image.h"
#include "compile/pipeline/requirements.h"

enum { IMAGE_CODE_MAXIMUM = 1 << 30, MISC_COUNT = 3, MISC_MAXIMUM = MISC_COUNT + 2 };

typedef struct piece {
  tn_piece_job *job;
  LLVMModuleRef module;
  tn_lower_symbols symbols;
  tn_requirements requirements;
  tn_lower_specs specs;
  tn_lower_globals globals;
  tn_prop misc[MISC_MAXIMUM];
  size_t misc_count;
} piece;

static tn_status add_image(piece *p, const char *target, uint32_t format, tn_bytes code,
                           tn_diag *diag) {
  tn_group_work *work = p->job->work;
  const tn_image_desc desc = {
      .target = target,
      .triple = LLVMGetTarget(p->module),
      .format = format,
      .code = code,
      .kernels = p->symbols.kernels,
      .kernel_count = p->symbols.kernel_count,
      .imports = p->symbols.imports,
      .import_count = p->symbols.import_count,
      .exports = p->symbols.exports,
      .export_count = p->symbols.export_count,
      .misc = p->misc,
      .misc_count = p->misc_count,
      .requirements = p->requirements.props,
      .requirement_count = p->requirements.count,
      .argument_masks = p->symbols.masks,
      .specs = p->specs.items,
      .spec_count = p->specs.count,
      .spec_defaults = tn_bytes_from(p->specs.buffer, p->specs.buffer_size),
      .globals = p->globals.items,
      .global_count = p->globals.count,
  };
  tn_buf *out = tn_buf_list_add(&work->images, &work->arena, TN_GROUP_BUFFER_MAXIMUM);
  return out ? tn_fatbin_write(&desc, 1, out, diag)
             : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a device image");
}

static tn_status add_bitcode(piece *p, const char *target, tn_diag *diag) {
  tn_buf code;
  tn_buf_init(&code, IMAGE_CODE_MAXIMUM);
  tn_status status = tn_module_write(p->module, &code, diag);
  if (status == TN_OK) {
    status = add_image(p, target, TN_IMAGE_FORMAT_BITCODE, tn_buf_bytes(&code), diag);
  }
  tn_buf_deinit(&code);
  return status;
}

static void fill_misc(piece *p) {
  const tn_link_params *params = p->job->work->params;
  const char *id = params->output ? params->output : "";
  const tn_prop misc[MISC_COUNT] = {
      {.name = TN_STR_LIT(TN_MISC_OPT_LEVEL), .type = TN_PROP_U32, .u32 = params->opt_level},
      {.name = TN_STR_LIT("moduleId"), .type = TN_PROP_BYTES,
       .bytes = tn_bytes_from(id, strlen(id))},
      {.name = TN_STR_LIT(TN_MISC_DEBUG), .type = TN_PROP_U32, .u32 = params->debug ? 1 : 0},
  };
  memcpy(p->misc, misc, sizeof(misc));
  p->misc_count = MISC_COUNT;
}

// Stands before the bitcode, which is for what the machine code is not: other processors, checks,
// functions of other modules that use its exports.
static tn_status add_native(piece *p, tn_diag *diag) {
  tn_native_image native;
  TN_TRY(tn_native_image_make(p->job, p->module, &p->symbols, &p->specs, &p->globals,
                              &native, diag));
  if (!native.symbol) {
    return TN_OK;
  }
  if (native.needs[0] != '\0') {
    p->misc[p->misc_count++] = (tn_prop){
        .name = TN_STR_LIT(TN_MISC_PROCESSOR), .type = TN_PROP_BYTES,
        .bytes = tn_bytes_from(native.needs, strlen(native.needs))};
  }
  const tn_status status =
      add_image(p, p->job->work->params->target->name, TN_IMAGE_FORMAT_HOST,
                tn_bytes_from(native.symbol, strlen(native.symbol)), diag);
  p->misc_count = MISC_COUNT;
  return status;
}

static tn_status add_cpu(piece *p, tn_diag *diag) {
  const tn_target *target = p->job->work->params->target;
  if (target->is_aot) {
    TN_TRY(add_native(p, diag));
  }
  return add_bitcode(p, target->name, diag);
}

static tn_status add_code(piece *p, const tn_device_code *code, tn_diag *diag) {
  const char *name = p->job->work->params->target->name;
  if (code->processor) {
    p->misc[p->misc_count++] =
        (tn_prop){.name = TN_STR_LIT(TN_MISC_GPU_PROCESSOR),
                  .type = TN_PROP_BYTES,
                  .bytes = tn_bytes_from(code->processor, strlen(code->processor))};
  }
  const tn_str variable = tn_gpu_spec_variable(p->module);
  if (variable.size > 0) {
    p->misc[p->misc_count++] =
        (tn_prop){.name = TN_STR_LIT(TN_MISC_SPEC_VARIABLE),
                  .type = TN_PROP_BYTES,
                  .bytes = tn_bytes_from(variable.data, variable.size)};
  }
  TN_TRY(add_image(p, name, code->format, tn_buf_bytes(&code->code), diag));
  return code->beside_format == TN_IMAGE_FORMAT_NONE
             ? TN_OK
             : add_image(p, name, code->beside_format, tn_buf_bytes(&code->beside), diag);
}

// "<stem>.<target>-<group's id>_<piece>": names of one link's temporary files differ.
static const char *stem_of(piece *p) {
  const char *stem = p->job->work->params->temps_stem;
  return stem ? tn_arena_format(&p->job->work->arena, "%s.%s-%s_%zu", stem,
                                p->job->work->params->target->word, p->job->id, p->job->count)
              : NULL;
}

// Without those that the device's form of the code cannot have by themselves.
static void drop_lost_exports(piece *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->symbols.export_count; ++i) {
    LLVMValueRef function = LLVMGetNamedFunctionWithLength(
        p->module, p->symbols.exports[i].name.data, p->symbols.exports[i].name.size);
    if (function && tn_function_is_defined(function)) {
      p->symbols.exports[kept++] = p->symbols.exports[i];
    }
  }
  p->symbols.export_count = kept;
}

// The device's code; before it, while it is there, the intermediate code where that is wanted.
static tn_status add_gpu(piece *p, tn_diag *diag) {
  tn_group_work *work = p->job->work;
  const tn_link_params *link = work->params;
  if (link->embed_ir) {
    TN_TRY(add_bitcode(p, tn_target_ir_name(link->target), diag));
  }
  TN_TRY(tn_lower_specs_from_buffer(p->module, &p->specs, diag));
  TN_TRY(tn_lower_globals_behind_specs(p->module, &p->specs, &p->globals, diag));
  if (link->target->kind == TN_TARGET_SPIRV) {
    TN_TRY(tn_gpu_specs_for_spirv(p->job->llvm, p->module, &p->specs, p->globals.count, diag));
  }
  TN_TRY(tn_gpu_lower(p->job->llvm, p->module, link->target, diag));
  drop_lost_exports(p);
  const tn_device_params params = {
      .target = link->target,
      .opt_level = link->opt_level,
      .debug = link->debug,
      .name = link->output,
      .tool_words = link->tool_words,
      .cuda_path = link->cuda_path,
      .temps_stem = stem_of(p),
      .verbose = link->verbose,
  };
  tn_device_code code;
  tn_device_code_init(&code);
  tn_status status =
      tn_emit_device(p->job->llvm, p->module, &params, &code, &work->messages, diag);
  if (status == TN_OK) {
    status = add_code(p, &code, diag);
  }
  tn_device_code_deinit(&code);
  return status;
}

tn_status tn_piece_image_write(void *user, LLVMModuleRef module, tn_diag *diag) {
  piece p = {.job = user, .module = module};
  tn_group_work *work = p.job->work;
  p.job->count++;
  fill_misc(&p);
  TN_TRY(tn_lower_list_symbols(module, &work->arena, &p.symbols, diag));
  TN_TRY(tn_lower_list_specs(module, &work->arena, &p.specs, diag));
  TN_TRY(tn_lower_list_globals(module, &work->arena, &p.globals, diag));
  TN_TRY(tn_requirements_list(module, &p.symbols, &work->arena, &p.requirements, diag));
  tn_lower_keep_places(module);
  if (!work->params->debug) {
    tn_module_strip_debug(module);
  }
  return work->params->target->kind == TN_TARGET_CPU ? add_cpu(&p, diag) : add_gpu(&p, diag);
}

tn_status tn_pipeline_emit_spirv(tn_bytes bitcode, uint32_t opt_level, tn_buf *out,
                                 tn_diag *diag) {
  return tn_emit_spirv(bitcode, opt_level, out, diag);
}
