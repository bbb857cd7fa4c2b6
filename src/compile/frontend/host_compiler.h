// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to frontend: the host pass by a compiler that is not Tenon's clang.
#ifndef TN_COMPILE_FRONTEND_HOST_COMPILER_H
#define TN_COMPILE_FRONTEND_HOST_COMPILER_H

#include "compile/frontend/frontend.h"

// Adds the whole command line; params->host is not NULL.
void tn_host_compiler_args(const tn_pass_params *params, tn_args *out);
// Adds action, output, language and source, as every pass ends.
void tn_pass_add_source(const tn_pass_params *params, tn_args *out);

// The part of the integration header that finds captures. `closures` is of tn_closure.
void tn_captures_write(const tn_list *closures, tn_arena *arena, tn_buf *out);
// Places as a kernel's mark in the host's object has them ("Ll0ELl8E…"). False, with why in
// `messages`, when the kernel's lambda has its captures elsewhere.
bool tn_captures_check(const tn_list *closures, tn_str kernel, tn_str places, tn_arena *arena,
                       tn_buf *messages);

#endif
