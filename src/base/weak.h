// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weak references to counted objects: they neither keep an object nor its memory, and are equal for
// equal objects only, also after the object is gone.
#ifndef TN_BASE_WEAK_H
#define TN_BASE_WEAK_H

#include "base/thread.h"

// How users hold objects of a type. All of it is called without locks, but for is_closed.
typedef struct tn_weak_type {
  void (*release)(void *object);  // gives a reference of the count back
  // Exchanges a reference of the count for a user's. False when users may have none any more; the
  // reference is given back then. NULL: they are the same.
  bool (*take)(void *object);
  // Whether users may have no reference any more. Reads, and nothing else. NULL: never.
  bool (*is_closed)(const void *object);
} tn_weak_type;

// The weak reference to an object, made by the first call; borrowed, good as long as the caller's
// reference to the object. `also`, of the first call, is counted and may be NULL: an object that
// users hold together with this one, of which they have a reference of the count. NULL: no memory.
tn_weak *tn_weak_of(tn_ref *ref, void *object, const tn_weak_type *type, tn_weak *also);

void tn_weak_up(tn_weak *weak);
void tn_weak_down(tn_weak *weak);

// A user's reference to the object, and one of the count to `also`. False when it is gone.
bool tn_weak_take(tn_weak *weak);
bool tn_weak_is_gone(tn_weak *weak);

#endif
