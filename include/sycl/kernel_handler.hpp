// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::kernel_handler: what a kernel function may take as its last parameter.
// Source: SYCL 2020 section 4.9.6.
#ifndef TENON_SYCL_KERNEL_HANDLER_HPP
#define TENON_SYCL_KERNEL_HANDLER_HPP

#include <sycl/detail/property_call.hpp>
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
    if constexpr (detail::is_spec_constexpr<SpecName>) {
      return variable;
    } else {
      return *reinterpret_cast<const detail::spec_value_t<SpecName> *>(
          __builtin_addressof(variable));
    }
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

// std::is_invocable for function objects: an error in the body of a generic lambda is reported with
// the call here and not with the library's ways around it.
template <class, class F, class... Args>
inline constexpr bool is_callable_as = false;
template <class T>
T value_of() noexcept;  // std::declval for references and complete types
template <class F, class... Args>
inline constexpr bool
    is_callable_as<std::void_t<decltype(value_of<F>()(value_of<Args>()...))>, F, Args...> = true;
template <class F, class... Args>
inline constexpr bool is_callable = is_callable_as<void, F, Args...>;

// Generic lambdas and other function objects with several call operators.
template <class F, class = void>
inline constexpr bool has_call_template = true;
template <class F>
inline constexpr bool has_call_template<F, std::void_t<decltype(&F::operator())>> = false;

// Whether a kernel function can be called with these, as it is or with a kernel_handler behind. Of
// call templates only the call itself tells: an error in the body would be one here as well.
template <class F, class... Args>
constexpr bool find_kernel_function() noexcept {
  if constexpr (has_call_template<std::remove_cv_t<std::remove_reference_t<F>>>) {
    return true;
  } else if constexpr (is_callable<F, Args...>) {
    return true;
  } else {
    return is_callable<F, Args..., kernel_handler>;
  }
}
template <class F, class... Args>
inline constexpr bool is_kernel_function = find_kernel_function<F, Args...>();

// `IsPlain`: by a function with the attributes of the function object's properties.
template <bool IsPlain = false, class F, class... Args>
void call_kernel_function(const F &f, Args &...args) {
  if constexpr (!IsPlain && gives_properties<F>) {
    property_call_of<F>::call(f, args...);
  } else if constexpr (is_callable<const F &, Args &...>) {
    f(args...);
  } else if constexpr (is_callable<const F &, Args &..., kernel_handler>) {
    f(args..., kernel_handler_maker::make());
  } else {
    f(args...);
  }
}

}  // namespace detail

}  // namespace sycl

#endif
