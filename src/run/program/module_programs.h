// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: the programs that have kernels of a module. They hang on the module, so that
// the first launch of its next kernel reads no image.
#ifndef TN_RUN_PROGRAM_MODULE_PROGRAMS_H
#define TN_RUN_PROGRAM_MODULE_PROGRAMS_H

#include "run/program/link_set.h"
#include "run/program/program_object.h"

// A program with all defaults for a kernel of the module, by one of its names: the first comes
// first and may be empty. One for any work-groups or for those of the shape; `is_any`: else one for
// others, in which the kernel may be for any. Retained for the caller; NULL when there is none.
tn_program *tn_module_programs_find(tn_registered *registered, const tn_device *device,
                                    const tn_str names[2], uint32_t group_shape, bool is_any,
                                    tn_str *out_name);
// Notes a program of the set with each module whose kernels it has: with modules but the first only
// where they alone would be linked the same way. What there is no memory for is not noted.
void tn_module_programs_note(const tn_link_set *set, tn_program *program);
void tn_module_programs_forget(tn_registered *gone);

#endif
