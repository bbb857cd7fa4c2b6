// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers of info queries.
#include "base/info.h"

#include <string.h>

tn_status tn_info_write(const void *value, size_t value_size, void *out, size_t size,
                            size_t *out_size, tn_diag *diag) {
  if (out_size != NULL) {
    *out_size = value_size;
  }
  if (out == NULL && size == 0) {
    return TN_OK;
  }
  if (out == NULL || size < value_size) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "an info query needs %zu bytes for its answer, not %zu",
                   value_size, out != NULL ? size : 0);
  }
  memcpy(out, value, value_size);
  return TN_OK;
}

tn_status tn_info_write_text(const char *text, void *out, size_t size, size_t *out_size,
                             tn_diag *diag) {
  return tn_info_write(text, strlen(text) + 1, out, size, out_size, diag);
}
