// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of results against MPFR's values. Any thread may call.
#ifndef TEST_ACCURACY_EXACT_VALUES_H
#define TEST_ACCURACY_EXACT_VALUES_H

#include "function_table.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// Whether MPFR computes the row.
bool accuracy_has_exact_value(accuracy_row row);

// The error of `result` in units in the last place; infinite where an infinity or a NaN is wrong.
// The sign of a zero does not count.
// At a limit of ROUNDED a tie that does not end in an even number counts as an error of one.
double accuracy_exact_error(accuracy_row row, const accuracy_format *format, double limit,
                            const accuracy_arguments *arguments, double result);

#ifdef __cplusplus
}
#endif

#endif
