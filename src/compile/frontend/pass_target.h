// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to frontend: what the device pass is told for devices other than the CPU.
#ifndef TN_COMPILE_FRONTEND_PASS_TARGET_H
#define TN_COMPILE_FRONTEND_PASS_TARGET_H

#include "compile/frontend/frontend.h"

// Whether the pass is for a processor other than this machine's.
bool tn_pass_is_foreign(const tn_target *target);  // NULL is this machine
// Adds the user's options but those that speak of the host's processor, of tools that watch host
// code, or of a GPU's mathematics.
void tn_pass_add_user(const tn_args *user, tn_args *out);
// For the CPU's device pass: names the host as the target that a device's code lies beside. Clang
// asks it for the name of __bf16 in symbols, which <immintrin.h> has, without looking for one.
void tn_pass_add_host(const tn_args *user, tn_args *out);
// How exact NVIDIA GPUs compute (pass_math.c): whether a word is one of the options that only these
// have, what stands before the user's options, and what follows from these.
bool tn_pass_is_math(const char *word);
void tn_pass_add_contraction(const tn_target *target, tn_args *out);
void tn_pass_add_math(const tn_target *target, const tn_args *user, tn_args *out);
// Adds the triple, the processor and the target's macros.
void tn_pass_add_target(const tn_target *target, tn_args *out);

#endif
