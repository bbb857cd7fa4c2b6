// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cmocka with what it needs before it, and checks that the tests of image/ share.
#ifndef TN_TEST_UNIT_IMAGE_UNIT_IMAGE_H
#define TN_TEST_UNIT_IMAGE_UNIT_IMAGE_H

// clang-format off: cmocka.h needs these before it
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
// clang-format on

#include "base/str.h"

// cmocka.h needs these before it.
// clang-format off
#include <stdio.h>
// clang-format on

// Prints both texts when they differ.
#define assert_text(actual, expected)                                                    \
  do {                                                                                   \
    const tn_str assert_actual = (actual);                                               \
    char assert_copy[512];                                                               \
    (void)snprintf(assert_copy, sizeof(assert_copy), "%.*s", TN_STR_ARG(assert_actual)); \
    assert_string_equal(assert_copy, (expected));                                        \
  } while (0)

// A failure with its code, whose sentence holds a text.
#define assert_fails(call, expected_code, part)                       \
  do {                                                                \
    const tn_status assert_code = (call);                             \
    assert_string_equal(tn_status_name(assert_code), #expected_code); \
    assert_int_equal(diag.code, assert_code);                         \
    if (!strstr(diag.text, (part))) {                                 \
      fail_msg("\"%s\" does not hold \"%s\"", diag.text, (part));     \
    }                                                                 \
  } while (0)

#endif
