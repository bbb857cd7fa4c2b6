// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simplifies device code as far as holds for every processor: vectors and unrolling are the
// build's. Not LLVM's own list for this place: it makes vectors and library calls of a work-item's
// loops, and adds numbers up in another order without what says that they do not overflow;
// compile/widen needs both as they were written. The many small functions that C++ is made of are
// inlined before anything costly looks at them.
#include "compile/pipeline/simplify.h"

#define PASSES(loops)                                                                 \
  "inferattrs,cgscc(inline,function<eager-inv>(lower-expect,simplifycfg,"             \
  "sroa<modify-cfg>,early-cse)),globaldce,ipsccp,called-value-propagation,globalopt," \
  "function<eager-inv>(mem2reg,instcombine<no-verify-fixpoint>,simplifycfg),"         \
  "always-inline,require<globals-aa>,cgscc(devirt<4>(inline,function-attrs,"          \
  "function<eager-inv;no-rerun>(sroa<modify-cfg>,early-cse<memssa>,"                  \
  "correlated-propagation,simplifycfg,instcombine<no-verify-fixpoint>,tailcallelim,"  \
  "simplifycfg,constraint-elimination,loop-mssa(loop-instsimplify,loop-simplifycfg,"  \
  "licm<no-allowspeculation>,loop-rotate,licm<allowspeculation>),simplifycfg,"        \
  "instcombine<no-verify-fixpoint>,"                                                  \
  "loop(" loops                                                                       \
  "loop-deletion,loop-unroll-full),sroa<modify-cfg>,gvn,sccp,bdce,"                   \
  "instcombine<no-verify-fixpoint>,correlated-propagation,adce,memcpyopt,dse,"        \
  "simplifycfg,instcombine<no-verify-fixpoint>))),deadargelim,globalopt,globaldce"

// For a GPU, whose registers are of 32 bits, LLVM is to know that when it decides how wide a loop's
// counter gets; here it would make all as wide as pointers are.
static const char passes[] = PASSES("indvars,");
static const char gpu_passes[] = PASSES("");

static bool is_of_gpu(LLVMModuleRef module) {
  const tn_str triple = tn_str_from(LLVMGetTarget(module));
  return tn_str_has_prefix(triple, TN_STR_LIT("nvptx")) ||
         tn_str_has_prefix(triple, TN_STR_LIT("amdgcn"));
}

tn_status tn_simplify(tn_llvm_job *job, LLVMModuleRef module, uint32_t opt_level, tn_diag *diag) {
  const char *wanted = opt_level == 0      ? "always-inline,globaldce"
                       : is_of_gpu(module) ? gpu_passes
                                           : passes;
  return tn_module_run_passes(job, module, wanted, NULL, diag);
}

tn_status tn_simplify_unoptimized(tn_llvm_job *job, LLVMModuleRef module, uint32_t opt_level,
                                  tn_diag *diag) {
  if (opt_level > 0) {
    tn_module_allow_inlining(module);
  }
  return tn_simplify(job, module, opt_level, diag);
}
