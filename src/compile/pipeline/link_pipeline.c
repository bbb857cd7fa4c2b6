// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device link: units → one image with what it says about itself.
#include "compile/pipeline/pipeline_target.h"

#include "compile/link/link.h"
#include "compile/lower/lower.h"
#include "image/image.h"

enum { TN_IMAGE_CODE_MAX = 1 << 30 };

typedef struct link_job {
  tn_llvm_job llvm;
  tn_arena arena;
  const tn_link_params *params;
  tn_buf *messages;
} link_job;

static tn_status link_inputs(link_job *job, LLVMModuleRef *out, tn_diag *diag) {
  const tn_link_params *params = job->params;
  tn_link_source *units =
      tn_arena_alloc_array(&job->arena, params->input_count + 1, sizeof(*units));
  if (!units) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link device code");
  }
  for (size_t i = 0; i < params->input_count; ++i) {
    units[i] = (tn_link_source){.bitcode = params->inputs[i].bitcode,
                                .name = params->inputs[i].name ? params->inputs[i].name : "input"};
  }
  return tn_link_units(&job->llvm, units, params->input_count, &job->arena, out, job->messages,
                       diag);
}

// Simplified as far as holds for every processor: vectors and unrolling are the build's. Not LLVM's
// own list for this place: it makes vectors and library calls of a work-item's loops, and adds
// numbers up in another order without what says that they do not overflow; compile/widen needs both
// as they were written.
static const char simplifying[] =
    "inferattrs,function<eager-inv>(lower-expect,simplifycfg,sroa<modify-cfg>,early-cse),"
    "ipsccp,called-value-propagation,globalopt,"
    "function<eager-inv>(mem2reg,instcombine<no-verify-fixpoint>,simplifycfg),always-inline,"
    "require<globals-aa>,cgscc(devirt<4>(inline,function-attrs,function<eager-inv;no-rerun>("
    "sroa<modify-cfg>,early-cse<memssa>,correlated-propagation,simplifycfg,"
    "instcombine<no-verify-fixpoint>,tailcallelim,simplifycfg,constraint-elimination,"
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm<no-allowspeculation>,loop-rotate,"
    "licm<allowspeculation>),simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop(indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,gvn,sccp,bdce,"
    "instcombine<no-verify-fixpoint>,correlated-propagation,adce,memcpyopt,dse,"
    "simplifycfg,instcombine<no-verify-fixpoint>))),deadargelim,globalopt,globaldce";

static tn_status simplify(link_job *job, LLVMModuleRef module, tn_diag *diag) {
  const char *passes = job->params->opt_level == 0 ? "always-inline,globaldce" : simplifying;
  return tn_module_run_passes(&job->llvm, module, passes, NULL, diag);
}

static tn_status write_image(link_job *job, LLVMModuleRef module, const tn_lower_symbols *symbols,
                             tn_buf *out, tn_diag *diag) {
  const tn_link_params *params = job->params;
  const char *id = params->output ? params->output : "";
  tn_buf code;
  tn_buf_init(&code, TN_IMAGE_CODE_MAX);
  tn_status status = tn_module_write(module, &code, diag);
  if (status == TN_OK) {
    const tn_prop misc[] = {
        {.name = TN_STR_LIT("optLevel"), .type = TN_PROP_U32, .u32 = params->opt_level},
        {.name = TN_STR_LIT("moduleId"), .type = TN_PROP_BYTES,
         .bytes = tn_bytes_from(id, strlen(id))},
        {.name = TN_STR_LIT("debug"), .type = TN_PROP_U32, .u32 = params->debug ? 1 : 0},
    };
    const tn_image_desc desc = {
        .target = params->target,
        .triple = LLVMGetTarget(module),
        .format = TN_IMAGE_FORMAT_BITCODE,
        .code = tn_buf_bytes(&code),
        .kernels = symbols->kernels,
        .kernel_count = symbols->kernel_count,
        .imports = symbols->imports,
        .import_count = symbols->import_count,
        .exports = symbols->exports,
        .export_count = symbols->export_count,
        .misc = misc,
        .misc_count = TN_COUNT(misc),
    };
    status = tn_fatbin_write(&desc, 1, out, diag);
  }
  tn_buf_deinit(&code);
  return status;
}

static tn_status make_image(link_job *job, LLVMModuleRef module, tn_buf *out, tn_diag *diag) {
  const char *output = job->params->output ? job->params->output : "device code";
  tn_lower_symbols symbols;
  TN_TRY(tn_lower_check_linked(module, output, &job->arena, job->messages, diag));
  tn_lower_internalize(module);
  TN_TRY(simplify(job, module, diag));
  TN_TRY(tn_lower_list_symbols(module, &job->arena, &symbols, diag));
  if (symbols.kernel_count == 0 && symbols.export_count == 0) {
    return TN_OK;
  }
  tn_lower_keep_places(module);
  if (!job->params->debug) {
    tn_module_strip_debug(module);
  }
  return write_image(job, module, &symbols, out, diag);
}

static tn_status run(link_job *job, tn_buf *out_fatbin, tn_diag *diag) {
  LLVMModuleRef module = NULL;
  TN_TRY(link_inputs(job, &module, diag));
  const tn_status status = make_image(job, module, out_fatbin, diag);
  LLVMDisposeModule(module);
  return status;
}

tn_status tn_pipeline_link(const tn_link_params *params, tn_buf *out_fatbin, tn_buf *messages,
                           tn_diag *diag) {
  TN_TRY(tn_pipeline_check_target(params->target, diag));
  if (params->input_count == 0) {
    return TN_OK;
  }
  link_job job = {.params = params, .messages = messages};
  tn_arena_init(&job.arena);
  tn_status status = tn_llvm_job_init(&job.llvm, diag);
  if (status == TN_OK) {
    status = run(&job, out_fatbin, diag);
  }
  tn_llvm_job_deinit(&job.llvm);
  tn_arena_deinit(&job.arena);
  return status;
}
