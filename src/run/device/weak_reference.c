// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weak references of the C API. Each object's own is made where the object is.
#include "tenon/weak.h"

#include "base/weak.h"

void tn_weak_retain(tn_weak *weak) { tn_weak_up(weak); }

void tn_weak_release(tn_weak *weak) { tn_weak_down(weak); }

int tn_weak_lock(tn_weak *weak) { return weak != NULL && tn_weak_take(weak); }

int tn_weak_is_expired(tn_weak *weak) { return weak == NULL || tn_weak_is_gone(weak); }
