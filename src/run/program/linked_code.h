// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: machine code of several images by the device's own linker
// (docs/decisions/gpu-linking.md).
#ifndef TN_RUN_PROGRAM_LINKED_CODE_H
#define TN_RUN_PROGRAM_LINKED_CODE_H

#include "run/program/program_key.h"

// Of all the set's images, for a device that can link; the adapter's code_free frees it.
// BUILD_FAILED with the driver's words.
TN_MUST_USE tn_status tn_linked_code_make(const tn_program_recipe *recipe, void **out,
                                          size_t *out_size, tn_diag *diag);
// What it is found by on disk. False as tn_program_key.
bool tn_linked_code_key(const tn_program_recipe *recipe, uint8_t out[TN_STORE_KEY_SIZE]);
// After loading, before a kernel is found: functions of each image get the values of their image's
// specialization constants and the addresses of its device globals.
TN_MUST_USE tn_status tn_linked_code_give_values(const tn_program_recipe *recipe,
                                                 tn_program *program, tn_diag *diag);

#endif
