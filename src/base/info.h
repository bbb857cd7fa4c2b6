// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers of info queries, in the form that tenon/device.h promises.
#ifndef TN_BASE_INFO_H
#define TN_BASE_INFO_H

#include "base/base.h"

// Copies the answer to `out`, or only tells its size when `out` is NULL and `size` is 0. `out_size`
// may be NULL. INVALID_ARGUMENT when `out` is too small.
TN_MUST_USE tn_status tn_info_write(const void *value, size_t value_size, void *out, size_t size,
                                    size_t *out_size, tn_diag *diag);
// The same for text, its NUL included.
TN_MUST_USE tn_status tn_info_write_text(const char *text, void *out, size_t size,
                                         size_t *out_size, tn_diag *diag);

#endif
