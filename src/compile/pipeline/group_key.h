// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to pipeline: the key of a group's result in the cache, and the result as bytes.
#ifndef TN_COMPILE_PIPELINE_GROUP_KEY_H
#define TN_COMPILE_PIPELINE_GROUP_KEY_H

#include "compile/pipeline/group.h"

enum { TN_GROUP_KEY_SIZE = 32 };

// BLAKE3 over everything that decides the result: units, what is kept, options, and this Tenon.
void tn_group_key_make(const tn_group_work *work, uint8_t out[TN_GROUP_KEY_SIZE]);
// Reads a result that tn_group_result_put wrote; false when it is none.
bool tn_group_result_get(tn_group_work *work, tn_bytes bytes);
TN_MUST_USE tn_status tn_group_result_put(const tn_group_work *work, tn_buf *out, tn_diag *diag);

#endif
