// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of one type, a kernel for each row of the table. Compiled once for each type:
// -DACCURACY_TYPE=float -DACCURACY_RUN=run_float, and so on.
#include "math_kernels.hpp"

#include <type_traits>

namespace accuracy {
namespace {

// `out` and `number` are what functions write through pointers.
#define FUNCTION(name, float_limit, double_limit, half_limit, flags, expression)      \
  template <class T>                                                                  \
  struct function_##name {                                                            \
    auto operator()([[maybe_unused]] T x, [[maybe_unused]] T y, [[maybe_unused]] T z, \
                    [[maybe_unused]] int k) const {                                   \
      [[maybe_unused]] T out{};                                                       \
      [[maybe_unused]] int number = 0;                                                \
      return expression;                                                              \
    }                                                                                 \
  };
ROWS_OF_ALL_TYPES(FUNCTION)
ROWS_OF_FLOAT(FUNCTION)
#undef FUNCTION

template <class T, class Function>
void run(sycl::queue *queue, const math_arrays &arrays) {
  using result_type = decltype(Function()(T{}, T{}, T{}, 0));
  const auto *x = static_cast<const T *>(arrays.x);
  const auto *y = static_cast<const T *>(arrays.y);
  const auto *z = static_cast<const T *>(arrays.z);
  const int *k = arrays.k;
  auto *results = static_cast<result_type *>(arrays.results);
  if (!queue) {
    for (std::size_t i = 0; i < arrays.count; ++i) {
      results[i] = Function()(x[i], y[i], z[i], k[i]);
    }
    return;
  }
  queue
      ->parallel_for(sycl::range<1>(arrays.count),
                     [=](sycl::id<1> i) { results[i] = Function()(x[i], y[i], z[i], k[i]); })
      .wait_and_throw();
}

}  // namespace

bool ACCURACY_RUN(accuracy_row row, sycl::queue *queue, const math_arrays &arrays) {
  using T = ACCURACY_TYPE;
  switch (row) {
#define RUN(name, ...)                         \
  case ROW_##name:                             \
    run<T, function_##name<T>>(queue, arrays); \
    return true;
    ROWS_OF_ALL_TYPES(RUN)
#ifdef ACCURACY_HAS_FLOAT_ROWS
    ROWS_OF_FLOAT(RUN)
#endif
#undef RUN
    default:
      return false;
  }
}

}  // namespace accuracy
