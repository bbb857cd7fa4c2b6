// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a store that say what they are: a text for people, and behind it the bytes
// (docs/formats/disk-cache.md).
#ifndef TN_BASE_STORE_VALUE_H
#define TN_BASE_STORE_VALUE_H

#include "base/buf.h"

// The content lies at a multiple of it.
enum { TN_STORE_VALUE_ALIGNMENT = 64 };

// The first line of the description is for lists.
void tn_store_value_write(tn_buf *out, tn_str description, tn_bytes content);
// Views of `value`. False for what is no such value, or one of another version.
bool tn_store_value_read(tn_bytes value, tn_str *out_description, tn_bytes *out_content);

#endif
