// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cmocka.h with what it needs before it.
#ifndef TN_TEST_UNIT_SCHED_CMOCKA_ALL_H
#define TN_TEST_UNIT_SCHED_CMOCKA_ALL_H

// clang-format off: the order is cmocka's
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include <cmocka.h>
// clang-format on

#include "base/alloc.h"

// Around each test: it must give back all memory.
static int64_t live_before;
static inline int note_live(void **state) {
  (void)state;
  live_before = tn_alloc_live();
  return 0;
}
// A thread of the runtime's drops its last references a moment after others see the end.
static inline void settle_live(int64_t most) {
  for (int i = 0; i < 100000 && tn_alloc_live() > most; i++) {
    usleep(1000);
  }
}
static inline int check_live(void **state) {
  (void)state;
  settle_live(live_before);
  const int64_t more = tn_alloc_live() - live_before;
  if (more != 0) {
    fprintf(stderr, "%lld allocations are left\n", (long long)more);
  }
  return more != 0;
}
#define LEAK_TEST(name) cmocka_unit_test_setup_teardown(name, note_live, check_live)

#define ASSERT_FAILS(expr, expected, word)                      \
  do {                                                          \
    tn_diag fail_diag = {0};                                    \
    tn_diag *const diag = &fail_diag;                           \
    assert_int_equal((expr), TN_##expected);                    \
    assert_int_equal(fail_diag.code, TN_##expected);            \
    if (strstr(fail_diag.text, (word)) == NULL) {               \
      fail_msg("\"%s\" is not in: %s", (word), fail_diag.text); \
    }                                                           \
  } while (0)

#endif
