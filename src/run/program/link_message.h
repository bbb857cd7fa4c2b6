// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: the sentence for a device symbol that is not resolved.
#ifndef TN_RUN_PROGRAM_LINK_MESSAGE_H
#define TN_RUN_PROGRAM_LINK_MESSAGE_H

#include "run/program/link_set.h"

// BUILD_FAILED: names the symbol, who imports and uses it where, what was searched, and what to do.
// `reason` is why the one that was found cannot be used; "" when none was found.
tn_status tn_link_message_unresolved(tn_link_set *set, const tn_link_member *importer,
                                     const tn_symbol_info *import, const char *reason,
                                     tn_diag *diag);

#endif
