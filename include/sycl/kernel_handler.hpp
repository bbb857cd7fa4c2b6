// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::kernel_handler: what a kernel function may take as its last parameter.
// Source: SYCL 2020 section 4.9.6.
#ifndef TENON_SYCL_KERNEL_HANDLER_HPP
#define TENON_SYCL_KERNEL_HANDLER_HPP

#include <sycl/specialization_id.hpp>

namespace sycl {

namespace detail {
struct kernel_handler_maker;
}

class kernel_handler {
 public:
  template <auto &SpecName>
  detail::spec_value_t<SpecName> get_specialization_constant() const {
#ifdef __SYCL_DEVICE_ONLY__
    auto &variable = detail::spec_constant<SpecName>::value;
    // A read that stays when the result is not used, so that kernel bundles know of the constant;
    // compile/lower takes it out.
    (void)*reinterpret_cast<const volatile unsigned char *>(__builtin_addressof(variable));
    return variable;
#else
    return detail::spec_access::default_of(SpecName);  // the host pass compiles this, nobody calls
#endif
  }

 private:
  friend struct detail::kernel_handler_maker;
  kernel_handler() = default;
};

namespace detail {

struct kernel_handler_maker {
  static kernel_handler make() noexcept { return kernel_handler(); }
};

// Whether a kernel function can be called with these, as it is or with a kernel_handler behind.
template <class F, class... Args>
inline constexpr bool is_kernel_function =
    std::is_invocable_v<F, Args...> || std::is_invocable_v<F, Args..., kernel_handler>;

template <class F, class... Args>
void call_kernel_function(const F &f, Args &...args) {
  if constexpr (std::is_invocable_v<const F &, Args &...>) {
    f(args...);
  } else {
    f(args..., kernel_handler_maker::make());
  }
}

}  // namespace detail

}  // namespace sycl

#endif
