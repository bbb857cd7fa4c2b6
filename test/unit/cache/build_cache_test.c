// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The build cache: one builder, the same result or diagnosis to all, bounds, forgetting, no leaks.
#include "run/cache/cache.h"

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "tenon/cache.h"

#include <sched.h>

enum { THREADS = 8 };

typedef struct value {
  tn_ref ref;
} value;

static void value_retain(void *v) {
  tn_ref_up(&((value *)v)->ref);
}
static void value_release(void *v) {
  if (tn_ref_down(&((value *)v)->ref)) {
    tn_free(v);
  }
}
static const tn_cache_ops ops = {"test", value_retain, value_release, true};

static _Atomic int build_count;
static _Atomic int build_holds;
static _Atomic bool build_fails;

static tn_status build(void *user, void **out, tn_diag *diag) {
  (void)user;
  build_count++;
  while (build_holds != 0) {
    sched_yield();
  }
  if (build_fails) {
    return TN_FAIL(diag, BUILD_FAILED, "failure number %d", build_count);
  }
  value *v = tn_alloc(sizeof(*v));
  if (!v) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory");
  }
  tn_ref_init(&v->ref);
  *out = v;
  return TN_OK;
}

static tn_cache_key key_of(const char *name, uint64_t module) {
  return (tn_cache_key){.name = tn_str_from(name), .module = module};
}

static int reset(void **state) {
  (void)state;
  build_count = 0;
  build_holds = 0;
  build_fails = false;
  return 0;
}

static void test_keys_nest(void **state) {
  (void)state;
  static tn_cache cache = TN_CACHE_INIT(&ops, 100);
  const int64_t live = tn_alloc_live();
  int device = 0;
  tn_cache_key keys[4] = {key_of("k", 1), key_of("k", 2), key_of("k", 1), key_of("j", 1)};
  keys[2].device = &device;
  void *values[4];
  for (size_t i = 0; i < 4; i++) {
    assert_null(tn_cache_find(&cache, &keys[i]));
    assert_int_equal(tn_cache_get(&cache, &keys[i], 1 + i, build, NULL, &values[i], NULL), TN_OK);
  }
  assert_int_equal(build_count, 4);
  for (size_t i = 0; i < 4; i++) {
    void *again = tn_cache_find(&cache, &keys[i]);
    assert_ptr_equal(again, values[i]);
    value_release(again);
    value_release(values[i]);
  }
  // Another tuple of a name leads to the same value.
  const tn_cache_key extra = key_of("k", 7);
  tn_cache_put(&cache, &extra, 7, values[0]);
  tn_cache_put(&cache, &keys[1], 7, values[0]);  // is there: nothing changes
  void *found = tn_cache_find(&cache, &extra);
  assert_ptr_equal(found, values[0]);
  value_release(found);
  assert_int_equal(tn_cache_size(&cache), 5);
  tn_cache_forget(&cache, 1);
  assert_null(tn_cache_find(&cache, &keys[0]));
  found = tn_cache_find(&cache, &keys[1]);
  assert_ptr_equal(found, values[1]);
  value_release(found);
  for (uint64_t owner = 2; owner < 8; owner++) {
    tn_cache_forget(&cache, owner);
  }
  assert_int_equal(tn_cache_size(&cache), 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_the_least_used_goes(void **state) {
  (void)state;
  static tn_cache cache = TN_CACHE_INIT(&ops, 2);
  const int64_t live = tn_alloc_live();
  const tn_cache_key keys[3] = {key_of("a", 1), key_of("b", 1), key_of("c", 1)};
  void *v = NULL;
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(tn_cache_get(&cache, &keys[i], 1, build, NULL, &v, NULL), TN_OK);
    value_release(v);
  }
  value_release(tn_cache_find(&cache, &keys[0]));  // now b is the older one
  assert_int_equal(tn_cache_get(&cache, &keys[2], 1, build, NULL, &v, NULL), TN_OK);
  value_release(v);
  assert_int_equal(tn_cache_size(&cache), 2);
  assert_null(tn_cache_find(&cache, &keys[1]));
  v = tn_cache_find(&cache, &keys[0]);
  assert_non_null(v);
  value_release(v);
  tn_cache_forget(&cache, 1);
  assert_int_equal(tn_alloc_live(), live);
}

typedef struct getter {
  tn_cache *cache;
  tn_thread thread;
  tn_status status;
  void *value;
  tn_diag diag;
} getter;

static _Atomic int started;

static void *get(void *arg) {
  getter *g = arg;
  const tn_cache_key key = key_of("shared", 1);
  started++;
  g->status = tn_cache_get(g->cache, &key, 1, build, NULL, &g->value, &g->diag);
  return NULL;
}

// The builder is held until all threads are on their way in. A thread that comes later than the
// result builds again after a failure, and finds the value after a success; both are right.
static void run_getters(tn_cache *cache, getter *getters) {
  started = 0;
  build_holds = 1;
  for (size_t i = 0; i < THREADS; i++) {
    getters[i] = (getter){.cache = cache};
    assert_int_equal(tn_thread_create(&getters[i].thread, "getter", get, &getters[i], NULL), TN_OK);
  }
  while (started < THREADS || build_count == 0) {
    sched_yield();
  }
  build_holds = 0;
  for (size_t i = 0; i < THREADS; i++) {
    tn_thread_join(getters[i].thread);
  }
}

static void test_one_builds(void **state) {
  (void)state;
  static tn_cache cache = TN_CACHE_INIT(&ops, 8);
  const int64_t live = tn_alloc_live();
  getter getters[THREADS];
  run_getters(&cache, getters);
  assert_int_equal(build_count, 1);
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(getters[i].status, TN_OK);
    assert_ptr_equal(getters[i].value, getters[0].value);
    value_release(getters[i].value);
  }
  tn_cache_forget(&cache, 1);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_waiters_share_the_failure(void **state) {
  (void)state;
  static tn_cache cache = TN_CACHE_INIT(&ops, 8);
  const int64_t live = tn_alloc_live();
  getter getters[THREADS];
  build_fails = true;
  run_getters(&cache, getters);
  for (size_t i = 0; i < THREADS; i++) {
    assert_int_equal(getters[i].status, TN_BUILD_FAILED);
    assert_int_equal(getters[i].diag.code, TN_BUILD_FAILED);
    assert_non_null(strstr(getters[i].diag.text, "failure number "));
    assert_null(getters[i].value);
  }
  // What failed is forgotten: the next caller may find what was missing.
  build_fails = false;
  const tn_cache_key key = key_of("shared", 1);
  void *v = NULL;
  assert_int_equal(tn_cache_get(&cache, &key, 1, build, NULL, &v, NULL), TN_OK);
  value_release(v);
  tn_cache_forget(&cache, 1);
  assert_int_equal(tn_alloc_live(), live);
}

static void *get_one(void *arg) {
  return get(arg);
}

static void test_forgotten_while_built(void **state) {
  (void)state;
  static tn_cache cache = TN_CACHE_INIT(&ops, 8);
  const int64_t live = tn_alloc_live();
  getter g = {.cache = &cache};
  build_holds = 1;
  assert_int_equal(tn_thread_create(&g.thread, "getter", get_one, &g, NULL), TN_OK);
  while (build_count == 0) {
    sched_yield();
  }
  tn_cache_forget(&cache, 1);
  build_holds = 0;
  tn_thread_join(g.thread);
  assert_int_equal(g.status, TN_OK);  // who asked for it gets it
  value_release(g.value);
  assert_int_equal(tn_cache_size(&cache), 0);
  assert_int_equal(tn_alloc_live(), live);
}

static void test_no_memory(void **state) {
  (void)state;
  static tn_cache cache = TN_CACHE_INIT(&ops, 8);
  const int64_t live = tn_alloc_live();
  bool passed = false;
  for (int64_t n = 0; !passed; n++) {
    assert_true(n < 100);
    const tn_cache_key keys[2] = {key_of("a", 1), key_of("b", 1)};
    void *v = NULL;
    tn_diag diag = {0};
    tn_fault_arm(n);
    const tn_status status = tn_cache_get(&cache, &keys[0], 1, build, NULL, &v, &diag);
    if (status == TN_OK) {
      tn_cache_put(&cache, &keys[1], 1, v);
      value_release(v);
    } else {
      assert_int_equal(status, TN_OUT_OF_MEMORY);
      assert_int_equal(diag.code, TN_OUT_OF_MEMORY);
      assert_null(v);
    }
    passed = !tn_fault_fired();
    tn_fault_arm(-1);
    tn_cache_forget(&cache, 1);
    assert_int_equal(tn_alloc_live(), live);
  }
}

// Everything at once, for the thread sanitizer.
static void *churn(void *arg) {
  tn_cache *cache = arg;
  static const char *const names[] = {"a", "b", "c", "d", "e"};
  for (uint32_t i = 0; i < 400; i++) {
    const tn_cache_key key = key_of(names[i % 5], i % 3);
    void *v = NULL;
    if (i % 7 == 0) {
      tn_cache_forget(cache, i % 3);
    } else if (tn_cache_get(cache, &key, i % 3, build, NULL, &v, NULL) == TN_OK) {
      value_release(v);
    }
  }
  return NULL;
}

static void test_threads(void **state) {
  (void)state;
  static tn_cache cache = TN_CACHE_INIT(&ops, 4);
  const int64_t live = tn_alloc_live();
  tn_thread threads[4];
  for (size_t i = 0; i < 4; i++) {
    assert_int_equal(tn_thread_create(&threads[i], "churn", churn, &cache, NULL), TN_OK);
  }
  for (size_t i = 0; i < 4; i++) {
    tn_thread_join(threads[i]);
  }
  for (uint64_t owner = 0; owner < 3; owner++) {
    tn_cache_forget(&cache, owner);
  }
  assert_int_equal(tn_alloc_live(), live);
}

static void test_counts(void **state) {
  (void)state;
  static const tn_cache_ops outer_ops = {"outer", value_retain, value_release, false};
  static tn_cache cache = TN_CACHE_INIT(&ops, 2);
  static tn_cache outer = TN_CACHE_INIT(&outer_ops, 2);
  tn_cache_stats before = {.struct_size = sizeof(before)};
  tn_cache_stats after = {.struct_size = sizeof(after)};
  tn_cache_get_stats(&before);
  const char *const names[] = {"a", "b", "c", "c"};
  for (size_t i = 0; i < 4; i++) {
    const tn_cache_key key = key_of(names[i], 1);
    void *made = NULL;
    assert_int_equal(tn_cache_get(&cache, &key, 1, build, NULL, &made, NULL), TN_OK);
    value_release(made);
  }
  // Who builds by another cache's help leaves the counting of misses to that one.
  const tn_cache_key key = key_of("d", 1);
  void *made = NULL;
  assert_int_equal(tn_cache_get(&outer, &key, 1, build, NULL, &made, NULL), TN_OK);
  value_release(made);
  value_release(tn_cache_find(&outer, &key));
  tn_cache_get_stats(&after);
  assert_int_equal(after.memory_misses - before.memory_misses, 3);
  assert_int_equal(after.memory_hits - before.memory_hits, 2);
  assert_int_equal(after.evictions - before.evictions, 1);
  // A caller of a version with fewer counts.
  tn_cache_stats few = {.struct_size = offsetof(tn_cache_stats, evictions), .evictions = 77};
  tn_cache_get_stats(&few);
  tn_cache_get_stats(NULL);  // nothing happens
  assert_int_equal(few.memory_hits, after.memory_hits);
  assert_int_equal(few.evictions, 77);
  tn_cache_forget(&cache, 1);
  tn_cache_forget(&outer, 1);
}

static size_t value_size(const void *v) {
  (void)v;
  return 100;
}

// What values take counts as well as how many there are; one that is too large is not kept at all.
static void test_bytes_are_bounded(void **state) {
  (void)state;
  static tn_cache cache = TN_CACHE_INIT_SIZED(&ops, 100, value_size, 350);
  static tn_cache tiny = TN_CACHE_INIT_SIZED(&ops, 100, value_size, 99);
  const int64_t live = tn_alloc_live();
  for (uint64_t i = 0; i < 10; i++) {
    const tn_cache_key key = key_of("sized", i);
    void *found = NULL;
    assert_int_equal(tn_cache_get(&cache, &key, 1, build, NULL, &found, NULL), TN_OK);
    value_release(found);
    assert_int_equal(tn_cache_size(&cache), i < 3 ? i + 1 : 3);
    assert_int_equal(tn_cache_get(&tiny, &key, 1, build, NULL, &found, NULL), TN_OK);
    assert_non_null(found);
    value_release(found);
    assert_int_equal(tn_cache_size(&tiny), 0);
  }
  const tn_cache_key last = key_of("sized", 9);
  void *kept = tn_cache_find(&cache, &last);
  assert_non_null(kept);
  value_release(kept);
  tn_cache_forget(&cache, 1);
  assert_int_equal(tn_alloc_live(), live);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(test_bytes_are_bounded, reset),
      cmocka_unit_test_setup(test_keys_nest, reset),
      cmocka_unit_test_setup(test_the_least_used_goes, reset),
      cmocka_unit_test_setup(test_one_builds, reset),
      cmocka_unit_test_setup(test_waiters_share_the_failure, reset),
      cmocka_unit_test_setup(test_forgotten_while_built, reset),
      cmocka_unit_test_setup(test_no_memory, reset),
      cmocka_unit_test_setup(test_threads, reset),
      cmocka_unit_test_setup(test_counts, reset),
  };
  return cmocka_run_group_tests_name("build_cache", tests, NULL, NULL);
}
