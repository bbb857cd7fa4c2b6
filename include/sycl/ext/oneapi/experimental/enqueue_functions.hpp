// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches as functions: nd_launch(q, range, kernel_function<f>, args...), and the same for kernel
// objects and function objects. No events are given out but by submit_with_event. Source: the SYCL
// extensions sycl_ext_oneapi_enqueue_functions, sycl_ext_oneapi_free_function_kernels.
#ifndef TENON_SYCL_EXT_ENQUEUE_FUNCTIONS_HPP
#define TENON_SYCL_EXT_ENQUEUE_FUNCTIONS_HPP

#include <sycl/detail/function_launch.hpp>
#include <sycl/detail/handler_arguments.hpp>

namespace sycl {

namespace detail {
// Neither is a function object.
template <class T>
inline constexpr bool is_launched_otherwise = std::is_same_v<T, kernel>;
template <auto *Func>
inline constexpr bool is_launched_otherwise<ext::oneapi::experimental::kernel_function_s<Func>> =
    true;
template <class T>
using if_function_object = std::enable_if_t<!is_launched_otherwise<T>, int>;
}  // namespace detail

namespace ext::oneapi::experimental {

template <class CommandGroupFunc>
TN_SYCL_HIDDEN void submit(queue q, CommandGroupFunc &&cgf) {
  q.submit([&](handler &h) { cgf(h); });
}
template <class CommandGroupFunc>
TN_SYCL_HIDDEN event submit_with_event(queue q, CommandGroupFunc &&cgf) {
  return q.submit([&](handler &h) { cgf(h); });
}

// Functions.
template <auto *Func, class... ArgsT>
TN_SYCL_HIDDEN void single_task(queue q, kernel_function_s<Func>, ArgsT &&...args) {
  static_assert(sycl::detail::may_be_kernel_of<Func, 0>,
                "single_task: the function is no single_task_kernel");
  sycl::detail::submit_function<Func>(q, sycl::detail::single_launch(),
                                      std::forward<ArgsT>(args)...);
}
template <auto *Func, class... ArgsT>
TN_SYCL_HIDDEN void single_task(handler &h, kernel_function_s<Func>, ArgsT &&...args) {
  static_assert(sycl::detail::may_be_kernel_of<Func, 0>,
                "single_task: the function is no single_task_kernel");
  sycl::detail::set_function<Func>(h, sycl::detail::single_launch(), std::forward<ArgsT>(args)...);
}
template <auto *Func, int Dimensions, class... ArgsT>
TN_SYCL_HIDDEN void nd_launch(queue q, nd_range<Dimensions> r, kernel_function_s<Func>,
                              ArgsT &&...args) {
  static_assert(sycl::detail::may_be_kernel_of<Func, Dimensions>,
                "nd_launch: the function is no nd_range_kernel of these dimensions");
  sycl::detail::submit_function<Func>(q, r, std::forward<ArgsT>(args)...);
}
template <auto *Func, int Dimensions, class... ArgsT>
TN_SYCL_HIDDEN void nd_launch(handler &h, nd_range<Dimensions> r, kernel_function_s<Func>,
                              ArgsT &&...args) {
  static_assert(sycl::detail::may_be_kernel_of<Func, Dimensions>,
                "nd_launch: the function is no nd_range_kernel of these dimensions");
  sycl::detail::set_function<Func>(h, r, std::forward<ArgsT>(args)...);
}

// Kernel objects.
template <class... ArgsT>
TN_SYCL_HIDDEN void single_task(handler &h, const kernel &k, ArgsT &&...args) {
  h.set_args(std::forward<ArgsT>(args)...);
  h.single_task(k);
}
template <class... ArgsT>
TN_SYCL_HIDDEN void single_task(queue q, const kernel &k, ArgsT &&...args) {
  q.submit([&](handler &h) { experimental::single_task(h, k, std::forward<ArgsT>(args)...); });
}
template <int Dimensions, class... ArgsT>
TN_SYCL_HIDDEN void parallel_for(handler &h, range<Dimensions> r, const kernel &k,
                                 ArgsT &&...args) {
  h.set_args(std::forward<ArgsT>(args)...);
  h.parallel_for(r, k);
}
template <int Dimensions, class... ArgsT>
TN_SYCL_HIDDEN void parallel_for(queue q, range<Dimensions> r, const kernel &k, ArgsT &&...args) {
  q.submit([&](handler &h) { experimental::parallel_for(h, r, k, std::forward<ArgsT>(args)...); });
}
template <int Dimensions, class... ArgsT>
TN_SYCL_HIDDEN void nd_launch(handler &h, nd_range<Dimensions> r, const kernel &k,
                              ArgsT &&...args) {
  h.set_args(std::forward<ArgsT>(args)...);
  h.parallel_for(r, k);
}
template <int Dimensions, class... ArgsT>
TN_SYCL_HIDDEN void nd_launch(queue q, nd_range<Dimensions> r, const kernel &k, ArgsT &&...args) {
  q.submit([&](handler &h) { experimental::nd_launch(h, r, k, std::forward<ArgsT>(args)...); });
}

// Function objects.
template <class KernelName = sycl::detail::unnamed, class KernelType,
          sycl::detail::if_function_object<KernelType> = 0>
TN_SYCL_HIDDEN void single_task(queue q, const KernelType &k) {
  q.single_task<KernelName>(k);
}
template <class KernelName = sycl::detail::unnamed, class KernelType,
          sycl::detail::if_function_object<KernelType> = 0>
TN_SYCL_HIDDEN void single_task(handler &h, const KernelType &k) {
  h.single_task<KernelName>(k);
}
template <class KernelName = sycl::detail::unnamed, int Dimensions, class KernelType,
          sycl::detail::if_function_object<KernelType> = 0>
TN_SYCL_HIDDEN void parallel_for(queue q, range<Dimensions> r, const KernelType &k) {
  q.parallel_for<KernelName>(r, k);
}
template <class KernelName = sycl::detail::unnamed, int Dimensions, class KernelType,
          sycl::detail::if_function_object<KernelType> = 0>
TN_SYCL_HIDDEN void parallel_for(handler &h, range<Dimensions> r, const KernelType &k) {
  h.parallel_for<KernelName>(r, k);
}
template <class KernelName = sycl::detail::unnamed, int Dimensions, class KernelType,
          sycl::detail::if_function_object<KernelType> = 0>
TN_SYCL_HIDDEN void nd_launch(queue q, nd_range<Dimensions> r, const KernelType &k) {
  q.parallel_for<KernelName>(r, k);
}
template <class KernelName = sycl::detail::unnamed, int Dimensions, class KernelType,
          sycl::detail::if_function_object<KernelType> = 0>
TN_SYCL_HIDDEN void nd_launch(handler &h, nd_range<Dimensions> r, const KernelType &k) {
  h.parallel_for<KernelName>(r, k);
}

}  // namespace ext::oneapi::experimental
}  // namespace sycl

#endif
