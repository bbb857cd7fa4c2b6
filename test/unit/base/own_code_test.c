// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading all of the program's own code, of which a page may never have been read before.
#include "base/own_code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static void test_code_is_in_memory(void **state) {
  (void)state;
  tn_own_code_touch();
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  unsigned char is_there = 0;
  void *own = (void *)((uintptr_t)&tn_own_code_touch / page * page);
  assert_int_equal(mincore(own, page, &is_there), 0);
  assert_int_equal(is_there & 1, 1);
  tn_own_code_touch();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_code_is_in_memory)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
