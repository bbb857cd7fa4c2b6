// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small shared libraries for dynlib_test: one symbol, a different value in each.
#include "tenon/status.h"

#ifdef MARKER_USER
extern TN_API int tn_test_anchor;
TN_API int *tn_test_user_anchor = &tn_test_anchor;
#else
TN_API int tn_test_marker = MARKER_VALUE;
TN_API int tn_test_anchor = 0;
#endif
