// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simplifies device code as far as holds for every processor: vectors and unrolling are the
// build's. Not LLVM's own list for this place: it makes vectors and library calls of a work-item's
// loops, and adds numbers up in another order without what says that they do not overflow;
// compile/widen needs both as they were written. The many small functions that C++ is made of are
// inlined before anything costly looks at them.
#include "compile/pipeline/simplify.h"

static const char passes[] =
    "inferattrs,cgscc(inline,function<eager-inv>("
    "lower-expect,simplifycfg,sroa<modify-cfg>,early-cse)),globaldce,"
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

tn_status tn_simplify(tn_llvm_job *job, LLVMModuleRef module, uint32_t opt_level, tn_diag *diag) {
  return tn_module_run_passes(job, module, opt_level == 0 ? "always-inline,globaldce" : passes,
                              NULL, diag);
}
