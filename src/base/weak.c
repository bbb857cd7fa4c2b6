// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weak references to counted objects. An object points to its weak reference from the first use on;
// the weak reference points back until the object's count is 0.
//
// Invariant: whoever drops the last reference takes the weak reference's lock before the object is
// destroyed (tn_ref_expire), so under that lock `ref` is NULL or can be read.
#include "base/weak.h"

#include "base/alloc.h"

struct tn_weak {
  _Atomic uint32_t count;
  tn_mutex mu;
  tn_ref *ref TN_GUARDED_BY(&mu);  // borrowed; NULL once the object is gone
  void *object;                    // borrowed; good as long as `ref`
  const tn_weak_type *type;        // static
  tn_weak *also;                   // counted; may be NULL
};

void tn_weak_up(tn_weak *weak) {
  if (weak != NULL) {
    atomic_fetch_add_explicit(&weak->count, 1, memory_order_relaxed);
  }
}

void tn_weak_down(tn_weak *weak) {
  if (weak != NULL && atomic_fetch_sub_explicit(&weak->count, 1, memory_order_acq_rel) == 1) {
    tn_weak_down(weak->also);
    tn_mutex_deinit(&weak->mu);
    tn_free(weak);
  }
}

static tn_weak *create(tn_ref *ref, void *object, const tn_weak_type *type,
                       tn_weak *also) TN_NO_ANALYSIS {
  tn_weak *made = tn_alloc(sizeof(*made));
  if (made != NULL) {
    atomic_init(&made->count, 1);
    tn_mutex_init(&made->mu, TN_RANK_LEAF);
    made->ref = ref;
    made->object = object;
    made->type = type;
    made->also = also;
    tn_weak_up(also);
  }
  return made;
}

tn_weak *tn_weak_of(tn_ref *ref, void *object, const tn_weak_type *type, tn_weak *also) {
  tn_weak *weak = atomic_load_explicit(&ref->weak, memory_order_acquire);
  if (weak != NULL) {
    return weak;
  }
  tn_weak *made = create(ref, object, type, also);
  if (made != NULL && !atomic_compare_exchange_strong_explicit(
                          &ref->weak, &weak, made, memory_order_acq_rel, memory_order_acquire)) {
    tn_weak_down(made);
    return weak;
  }
  return made;
}

void tn_ref_expire(tn_ref *ref) {
  tn_weak *weak = atomic_load_explicit(&ref->weak, memory_order_relaxed);
  tn_mutex_lock(&weak->mu);
  weak->ref = NULL;
  tn_mutex_unlock(&weak->mu);
  tn_weak_down(weak);
}

static bool raise_count(tn_weak *weak) {
  tn_mutex_lock(&weak->mu);
  const bool is_raised = weak->ref != NULL && tn_ref_try_up(weak->ref);
  tn_mutex_unlock(&weak->mu);
  return is_raised;
}

bool tn_weak_take(tn_weak *weak) {
  if (!raise_count(weak)) {
    return false;
  }
  if (weak->also != NULL && !raise_count(weak->also)) {
    weak->type->release(weak->object);
    return false;
  }
  if (weak->type->take == NULL || weak->type->take(weak->object)) {
    return true;
  }
  if (weak->also != NULL) {
    weak->also->type->release(weak->also->object);
  }
  return false;
}

bool tn_weak_is_gone(tn_weak *weak) {
  tn_mutex_lock(&weak->mu);
  const tn_ref *ref = weak->ref;
  const bool is_gone = ref == NULL ||
                       atomic_load_explicit(&ref->count, memory_order_acquire) == 0 ||
                       (weak->type->is_closed != NULL && weak->type->is_closed(weak->object));
  tn_mutex_unlock(&weak->mu);
  return is_gone;
}
