// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors of results against the C library's values of a wider type: fast, and nearly exact.
#ifndef TEST_ACCURACY_QUICK_VALUES_HPP
#define TEST_ACCURACY_QUICK_VALUES_HPP

#include "function_table.h"

#include <cstddef>

namespace accuracy {

// Errors of a row's results in units in the last place; infinite where an infinity, a NaN or the
// sign of a zero is wrong, negative where any result is right.
void quick_errors(accuracy_row row, const accuracy_format &format,
                  const accuracy_arguments *arguments, const double *results, double *errors,
                  std::size_t count);

// By how much quick_error may be off, in units in the last place, where the error is small.
//
// The C library's functions of double are within 10 of double's units of the exact value, those of
// long double within 10 of its own, and what is composed here adds less than as many. A unit of
// float is 2^29 of double's, a unit of half 2^42, a unit of double 2^11 of long double's. Subnormal
// results have larger units. So the error of a float is known to 2^-24, of a double to 2^-6.
inline double quick_margin(const accuracy_format &format) {
  return format.digits == 53 ? 0x1p-6 : 0x1p-20;
}

}  // namespace accuracy

#endif
