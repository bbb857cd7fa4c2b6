// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weak references to counted objects: locking, expiry, what is held together, threads.
#include "base/weak.h"

#include "base/alloc.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

enum { ROUND_COUNT = 2000, THREAD_COUNT = 3 };

typedef struct thing {
  tn_ref ref;
  _Atomic int users;
} thing;

static void release(void *object) {
  thing *t = object;
  if (tn_ref_down(&t->ref)) {
    tn_free(t);
  }
}

static const tn_weak_type plain = {.release = release};

static thing *create(void) {
  thing *t = tn_alloc(sizeof(*t));
  assert_non_null(t);
  tn_ref_init(&t->ref);
  atomic_init(&t->users, 0);
  return t;
}

static void test_locking(void **state) {
  (void)state;
  thing *t = create();
  tn_weak *weak = tn_weak_of(&t->ref, t, &plain, NULL);
  assert_non_null(weak);
  assert_ptr_equal(tn_weak_of(&t->ref, t, &plain, NULL), weak);
  tn_weak_up(weak);
  assert_false(tn_weak_is_gone(weak));
  assert_true(tn_weak_take(weak));
  release(t);
  assert_false(tn_weak_is_gone(weak));
  release(t);
  assert_true(tn_weak_is_gone(weak));
  assert_false(tn_weak_take(weak));
  // Another object at the same address is another object.
  thing *second = create();
  assert_ptr_not_equal(tn_weak_of(&second->ref, second, &plain, NULL), weak);
  release(second);
  tn_weak_down(weak);
}

static void test_without_memory(void **state) {
  (void)state;
  thing *t = create();
  tn_fault_arm(0);
  assert_null(tn_weak_of(&t->ref, t, &plain, NULL));
  tn_fault_arm(-1);
  assert_non_null(tn_weak_of(&t->ref, t, &plain, NULL));
  release(t);
}

static bool take_user(void *object) {
  thing *t = object;
  int users = atomic_load(&t->users);
  while (users != 0 && !atomic_compare_exchange_weak(&t->users, &users, users + 1)) {
  }
  release(t);
  return users != 0;
}
static bool has_no_user(const void *object) {
  const thing *t = object;
  return atomic_load(&t->users) == 0;
}

static void test_users(void **state) {
  (void)state;
  static const tn_weak_type by_user = {
      .release = release, .take = take_user, .is_closed = has_no_user};
  thing *t = create();
  atomic_store(&t->users, 1);
  tn_weak *weak = tn_weak_of(&t->ref, t, &by_user, NULL);
  tn_weak_up(weak);
  assert_true(tn_weak_take(weak));
  assert_int_equal(atomic_load(&t->users), 2);
  assert_int_equal(atomic_load(&t->ref.count), 1);
  atomic_store(&t->users, 0);
  assert_true(tn_weak_is_gone(weak));
  assert_false(tn_weak_take(weak));
  assert_int_equal(atomic_load(&t->ref.count), 1);
  release(t);
  assert_true(tn_weak_is_gone(weak));
  tn_weak_down(weak);
}

static void test_held_together(void **state) {
  (void)state;
  thing *owner = create();
  thing *part = create();
  tn_weak *of_owner = tn_weak_of(&owner->ref, owner, &plain, NULL);
  tn_weak *weak = tn_weak_of(&part->ref, part, &plain, of_owner);
  tn_weak_up(weak);
  assert_true(tn_weak_take(weak));
  assert_int_equal(atomic_load(&owner->ref.count), 2);
  release(part);
  release(owner);
  release(owner);  // is gone, `part` is not
  assert_false(tn_weak_take(weak));
  assert_int_equal(atomic_load(&part->ref.count), 1);
  release(part);
  tn_weak_down(weak);
}

typedef struct shared {
  tn_weak *weak;
  thing *object;  // while a reference is held
  _Atomic bool is_over;
  _Atomic int lock_count;
} shared;

static void *lock_on_and_on(void *arg) {
  shared *s = arg;
  while (!atomic_load(&s->is_over)) {
    if (tn_weak_take(s->weak)) {
      atomic_fetch_add(&s->lock_count, 1);
      release(s->object);
    }
  }
  return NULL;
}

// Sanitizers find an object that is used after its end.
static void test_threads(void **state) {
  (void)state;
  for (int i = 0; i < ROUND_COUNT / 100; i++) {
    thing *t = create();
    shared s = {.weak = tn_weak_of(&t->ref, t, &plain, NULL), .object = t};
    tn_weak_up(s.weak);
    tn_thread threads[THREAD_COUNT];
    for (size_t k = 0; k < THREAD_COUNT; k++) {
      assert_int_equal(tn_thread_create(&threads[k], "tenon-test", lock_on_and_on, &s, NULL),
                       TN_OK);
    }
    while (atomic_load(&s.lock_count) < 10) {
      tn_thread_yield();
    }
    release(t);
    while (!tn_weak_is_gone(s.weak)) {
      tn_thread_yield();
    }
    assert_false(tn_weak_take(s.weak));
    atomic_store(&s.is_over, true);
    for (size_t k = 0; k < THREAD_COUNT; k++) {
      tn_thread_join(threads[k]);
    }
    tn_weak_down(s.weak);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_locking), cmocka_unit_test(test_without_memory),
      cmocka_unit_test(test_users),   cmocka_unit_test(test_held_together),
      cmocka_unit_test(test_threads),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
