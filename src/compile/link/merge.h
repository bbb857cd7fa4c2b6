// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/link: parsing the sources and merging them.
#ifndef TN_COMPILE_LINK_MERGE_H
#define TN_COMPILE_LINK_MERGE_H

#include "compile/link/link.h"

// All sources parsed, of one target; free with tn_merge_dispose. The array is in `arena`.
TN_MUST_USE tn_status tn_merge_parse(tn_llvm_job *job, const tn_link_source *sources, size_t count,
                                     tn_arena *arena, LLVMModuleRef **out, tn_diag *diag);
void tn_merge_dispose(LLVMModuleRef *modules, size_t count);  // NULL-safe
// Links all into the first, which becomes the caller's; the array's entries become NULL.
TN_MUST_USE tn_status tn_merge_all(tn_llvm_job *job, LLVMModuleRef *modules,
                                   const tn_link_source *sources, size_t count, LLVMModuleRef *out,
                                   tn_diag *diag);

// LLVM's linker takes the module over, also when it fails.
TN_MUST_USE tn_status tn_merge_into(tn_llvm_job *job, LLVMModuleRef whole,
                                    LLVMModuleRef take_module, const char *name, tn_diag *diag);

#endif
