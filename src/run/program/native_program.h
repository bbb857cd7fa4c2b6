// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: programs whose machine code lies in their module.
#ifndef TN_RUN_PROGRAM_NATIVE_PROGRAM_H
#define TN_RUN_PROGRAM_NATIVE_PROGRAM_H

#include "run/program/program_object.h"
#include "run/program/spec_values.h"

// The program, with a reference for the caller, when its module has machine code for the request
// that this processor can run, and no variable requires other code (TENON_CHECK, TENON_JIT_OPT,
// TENON_SUB_GROUP_SIZE). *out is NULL, with TN_OK, when it has not: the program is to be built.
// Machine code for an image is its own, or that of another image with all its kernels.
// *out_kernel: which of the request's names the kernel has. With values of specialization constants
// that are not the defaults it is a program of its own: slower than code that is built for them,
// but there without the compiler's library.
TN_MUST_USE tn_status tn_native_program_find(const tn_program_request *request, tn_device *device,
                                             const tn_spec_settled *specs, tn_program **out,
                                             tn_str *out_kernel, tn_diag *diag);
// A kernel of a program with a home, by its device symbol.
TN_MUST_USE tn_status tn_native_program_get_kernel(tn_program *program, tn_str name,
                                                   tn_kernel **out, tn_diag *diag);
// Whether an image of machine code, if its table is there, is what runs on the device.
bool tn_native_is_usable(const tn_registered *registered, const tn_device *device,
                         const tn_image *image);
// Forgets the programs of a module that is gone.
void tn_native_program_forget(uint64_t module);

#endif
