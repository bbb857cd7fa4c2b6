// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that the program asks for by name and that no launch defines, as the host's linker
// reports them: an undefined function that sycl/detail/launch.hpp would define.
#ifndef TN_COMPILE_DRIVER_MISSING_KERNELS_H
#define TN_COMPILE_DRIVER_MISSING_KERNELS_H

#include "base/buf.h"
#include "base/map.h"

// The function's symbol in a line that the linker did not demangle; empty in other lines.
tn_str tn_missing_kernel_symbol(tn_str line);
bool tn_is_symbol_char(char c);
// Whether any line is about one.
bool tn_missing_kernels_any(tn_str errors);
// A warning for each kernel that `told` does not hold, which holds it then.
void tn_missing_kernels_warn(tn_str errors, tn_map *told, tn_buf *text);

#endif
