// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C library's functions of a wider type prove that most errors are small. MPFR decides about
// those that are near the limit and greater than all before.
#include "row_judge.hpp"

#include "exact_values.h"
#include "quick_values.hpp"

#include <algorithm>
#include <cmath>

namespace accuracy {
namespace {

struct row_facts {
  const char *name;
  double limits[type_count];
  unsigned flags;
};

const row_facts rows[] = {
#define FACTS(name, float_limit, double_limit, half_limit, flags, expression) \
  {#name, {float_limit, double_limit, half_limit}, flags},
    ROWS_OF_ALL_TYPES(FACTS) ROWS_OF_FLOAT(FACTS)
#undef FACTS
};

double flushed(double x, const accuracy_format &format) {
  return std::fabs(x) < std::ldexp(1.0, format.least) ? std::copysign(0.0, x) : x;
}

double quick(const sampling &from, const accuracy_arguments &a, double result) {
  double error = 0;
  quick_errors(from.row, format_of(from.type), &a, &result, &error, 1);
  return error;
}

void read_results(const sampling &from, const void *results, std::size_t first, double *read,
                  std::size_t count) {
  const bool is_int = (flags_of(from.row) & INT_RESULT) != 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t place = first + i;
    read[i] = is_int                          ? static_cast<const int *>(results)[place]
              : from.type == number_type::f32 ? static_cast<const float *>(results)[place]
              : from.type == number_type::f64
                  ? static_cast<const double *>(results)[place]
                  : number_of_bits(from.type, static_cast<const std::uint16_t *>(results)[place]);
  }
}

// The sign of a zero is not MPFR's to judge, nor is a tie the other's. Next to a power of two the
// references may be on different sides, where the unit is twice as large on one.
bool is_doubtful(double quick_one, double exact_one, double result, double margin) {
  if (quick_one < 0 || quick_one == 0.5 || result == 0) {
    return false;
  }
  if (std::isinf(quick_one) || std::isinf(exact_one)) {
    return quick_one != exact_one;
  }
  const double allowed = margin * (1 + exact_one);
  return std::fabs(quick_one - exact_one) > allowed &&
         std::fabs(quick_one - 2 * exact_one) > allowed &&
         std::fabs(2 * quick_one - exact_one) > allowed;
}

}  // namespace

const char *name_of(accuracy_row row) { return rows[row].name; }
double limit_of(accuracy_row row, number_type type) {
  return rows[row].limits[static_cast<int>(type)];
}
unsigned flags_of(accuracy_row row) { return rows[row].flags; }

void judgment::add(const judgment &other) {
  if (other.error > error) {
    error = other.error;
    index = other.index;
    result = other.result;
  }
  beyond_count += other.beyond_count;
  sign_index = other.sign_count != 0 ? other.sign_index : sign_index;
  sign_count += other.sign_count;
  doubted_count += other.doubted_count;
  doubted_index = other.doubted_count != 0 ? other.doubted_index : doubted_index;
}

// Zero for a subnormal result, or a result for zero instead of a subnormal argument.
static double error_with_flushing(const sampling &from, const accuracy_arguments &a, double result,
                                  double error) {
  const accuracy_format &format = format_of(from.type);
  if (result == 0 && (std::isinf(error) ? quick(from, a, -result) == 0
                                        : error <= std::ldexp(1.0, format.digits - 1))) {
    return 0;
  }
  const accuracy_arguments zeros = {flushed(a.x, format), flushed(a.y, format),
                                    flushed(a.z, format), a.k};
  return std::min(error, std::max(0.0, quick(from, zeros, result)));
}

// From where on MPFR has to decide. A correctly rounded result is near its limit all the time.
static double near_limit_of(double limit, double margin) {
  return limit == ROUNDED ? limit - 2 * margin : 0.8 * limit;
}

void row_judge::judge_one(const accuracy_arguments &a, std::uint64_t index, double result,
                          double error, judgment &worst) const {
  const accuracy_format &format = format_of(from.type);
  const double limit = limit_of(from.row, from.type), margin = quick_margin(format);
  const bool has_exact = limit != OPEN && accuracy_has_exact_value(from.row);
  const double near_limit = near_limit_of(limit, margin);
  if (has_exact && index % check_every == 0) {
    const double exact = accuracy_exact_error(from.row, &format, limit, &a, result);
    if (is_doubtful(error, exact, result, margin)) {
      ++worst.doubted_count;
      worst.doubted_index = index;
    }
  }
  if (may_flush && error > limit) {
    error = error_with_flushing(from, a, result, error);
  }
  if (std::isinf(error) && result == 0 && quick(from, a, -result) == 0) {
    // Zero may also be what is left of a number that is smaller than all of the wider type.
    error = has_exact ? accuracy_exact_error(from.row, &format, limit, &a, result) : 0;
    if (error == 0) {
      ++worst.sign_count;
      worst.sign_index = index;
    }
  }
  const bool is_candidate = error > near_limit && error + margin > worst.error;
  if (has_exact && is_candidate && !std::isinf(error)) {
    const double exact = accuracy_exact_error(from.row, &format, limit, &a, result);
    error = may_flush ? std::min(error, exact) : exact;
  }
  worst.beyond_count += limit != OPEN && error > limit ? 1 : 0;
  if (error > worst.error) {
    worst.error = error;
    worst.index = index;
    worst.result = result;
  }
}

void row_judge::judge(const void *results, std::uint64_t first, std::size_t begin, std::size_t end,
                      judgment &worst) const {
  constexpr std::size_t most = 256;
  accuracy_arguments arguments[most];
  double read[most], errors[most];
  const double limit = limit_of(from.row, from.type), margin = quick_margin(format_of(from.type));
  const double near_limit = limit == OPEN ? HUGE_VAL : near_limit_of(limit, margin);
  const double beyond = limit == OPEN ? HUGE_VAL : limit;
  for (std::size_t place = begin; place < end; place += most) {
    const std::size_t count = std::min(most, end - place);
    arguments_from(from, first + place, arguments, count);
    read_results(from, results, place, read, count);
    quick_errors(from.row, format_of(from.type), arguments, read, errors, count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint64_t index = first + place + i;
      const double least = errors[i] > near_limit ? worst.error - margin : worst.error;
      if (errors[i] > least || errors[i] > beyond || index % check_every == 0) {
        judge_one(arguments[i], index, read[i], errors[i], worst);
      }
    }
  }
}

double row_judge::confirmed(const judgment &worst) const {
  const accuracy_format &format = format_of(from.type);
  if (!accuracy_has_exact_value(from.row) || worst.error == 0 || std::isinf(worst.error)) {
    return worst.error;
  }
  const accuracy_arguments a = arguments_at(from, worst.index);
  const double exact =
      accuracy_exact_error(from.row, &format, limit_of(from.row, from.type), &a, worst.result);
  return may_flush ? std::min(exact, worst.error) : exact;
}

}  // namespace accuracy
