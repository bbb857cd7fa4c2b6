// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with properties: those that the kernel takes over, and those of the launch itself.
// Source: the SYCL extensions sycl_ext_oneapi_kernel_properties, sycl_ext_oneapi_properties,
// sycl_ext_oneapi_work_group_scratch_memory.
#ifndef TENON_SYCL_DETAIL_PROPERTY_LAUNCH_HPP
#define TENON_SYCL_DETAIL_PROPERTY_LAUNCH_HPP

#include <sycl/detail/handler_commands.hpp>
#include <sycl/ext/oneapi/experimental/use_root_sync_prop.hpp>
#include <sycl/ext/oneapi/work_group_scratch_memory.hpp>

#include <tuple>

namespace sycl {

namespace detail {

template <class F, class Properties>
struct property_function {
  F f;
  using tn_user_function = F;
  using tn_wrapped_function = F;
  template <class... Args>
  void operator()(Args &...args) const {
    call_kernel_function(f, args...);
  }
  Properties get(ext::oneapi::experimental::properties_tag) const;  // never called
};

// A launch without properties of the kernel is one of the same kernel as any other.
template <class Properties, class F>
auto function_with(const F &f)
    -> std::conditional_t<has_attributes<Properties>, property_function<F, Properties>, const F &> {
  if constexpr (has_attributes<Properties>) {
    return {f};
  } else {
    return f;
  }
}
template <class Name, class F, class Properties>
using name_with = std::conditional_t<has_attributes<Properties>, kernel_name<Name, F>, Name>;

template <class Properties>
void set_launch_properties([[maybe_unused]] handler &cgh,
                           [[maybe_unused]] const Properties &properties) {
#ifndef __SYCL_DEVICE_ONLY__
  if constexpr (has_unmet_properties<Properties>) {
    raise_unmet_properties();
  }
  set_listed_properties(handler_access::group(cgh).captured, properties);
#endif
}

template <class Properties>
void check_object_properties() {
  static_assert(!has_attributes<Properties>,
                "a kernel object is compiled already: properties of the kernel belong to its "
                "function object (get(properties_tag))");
}

// `rest`: reductions, if there are any, and the function object; or a kernel object.
template <class Name, class Extent, class Properties, class Rest, std::size_t... I>
TN_SYCL_HIDDEN void launch_over(handler &cgh, const Extent &extent, const Rest &rest,
                                std::index_sequence<I...>) {
  constexpr std::size_t last = sizeof...(I);
  using function = std::remove_cv_t<std::remove_reference_t<std::tuple_element_t<last, Rest>>>;
  cgh.template parallel_for<name_with<Name, function, Properties>>(
      extent, std::get<I>(rest)..., function_with<Properties>(std::get<last>(rest)));
}
template <class Name, class Extent, class Properties, class... Rest>
TN_SYCL_HIDDEN void launch_with_properties(handler &cgh, const Extent &extent,
                                           const Properties &properties, const Rest &...rest) {
  set_launch_properties(cgh, properties);
  if constexpr ((std::is_same_v<Rest, kernel> && ...)) {
    check_object_properties<Properties>();
    cgh.parallel_for(extent, rest...);
  } else {
    launch_over<Name, Extent, Properties>(cgh, extent, std::tie(rest...),
                                          std::make_index_sequence<sizeof...(Rest) - 1>());
  }
}
template <class Name, class Properties, class F>
TN_SYCL_HIDDEN void launch_task_with_properties(handler &cgh, const Properties &properties,
                                                const F &f) {
  set_launch_properties(cgh, properties);
  if constexpr (std::is_same_v<F, kernel>) {
    check_object_properties<Properties>();
    cgh.single_task(f);
  } else {
    cgh.template single_task<name_with<Name, F, Properties>>(function_with<Properties>(f));
  }
}

}  // namespace detail

template <class F, class Properties>
struct is_device_copyable<detail::property_function<F, Properties>> : is_device_copyable<F> {};

}  // namespace sycl

#endif
