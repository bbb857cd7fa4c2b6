// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: kernels whose machine code lies in their module.
#ifndef TN_RUN_PROGRAM_NATIVE_KERNEL_H
#define TN_RUN_PROGRAM_NATIVE_KERNEL_H

#include "run/program/kernel_lookup.h"
#include "run/program/spec_values.h"

// The kernel, with a reference for the caller, when its module brings machine code for it that this
// processor can run and nothing asks for other code (TENON_CHECK, TENON_JIT_OPT,
// TENON_SUB_GROUP_SIZE). *out is NULL,
// with TN_OK, when it does not: then it is to be built.
TN_MUST_USE tn_status tn_native_kernel_find(const tn_kernel_query *query, tn_kernel **out,
                                            tn_diag *diag);
// The same with values of specialization constants that are not the defaults, from a program of its
// own: slower than code that is built for them, but there without the compiler's library.
TN_MUST_USE tn_status tn_native_kernel_specialize(const tn_kernel_query *query,
                                                  const tn_spec_settled *specs, tn_kernel **out,
                                                  tn_diag *diag);
// A program of the image, which is machine code or has a sibling with machine code for all its
// kernels, in the same way. Values are given as above.
TN_MUST_USE tn_status tn_native_program_find(const tn_image_ref *image, tn_device *device,
                                             const tn_spec_settled *specs, tn_program **out,
                                             tn_diag *diag);
// A kernel of a program with a home, by its device symbol.
TN_MUST_USE tn_status tn_native_program_get_kernel(tn_program *program, tn_str name,
                                                   tn_kernel **out, tn_diag *diag);
// Whether an image of machine code, if its table is there, is what runs on the device.
bool tn_native_is_usable(const tn_registered *registered, const tn_device *device,
                         const tn_image *image);
// Forgets the programs of a module that is gone.
void tn_native_kernel_forget(uint64_t module);

#endif
