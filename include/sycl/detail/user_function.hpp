// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which function object of the user a kernel runs.
#ifndef TENON_SYCL_DETAIL_USER_FUNCTION_HPP
#define TENON_SYCL_DETAIL_USER_FUNCTION_HPP

#include <type_traits>

namespace sycl::detail {

// What a wrapper of the user's function object calls; other function objects are the user's.
template <class F, class = void>
struct user_function {
  using type = F;
};
template <class F>
struct user_function<F, std::void_t<typename F::tn_user_function>> {
  using type = typename F::tn_user_function;
};

}  // namespace sycl::detail

#endif
