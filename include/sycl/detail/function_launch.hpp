// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of functions by their addresses, whose arguments are known when the program is compiled.
// Source: the SYCL extension sycl_ext_oneapi_free_function_kernels.
#ifndef TENON_SYCL_DETAIL_FUNCTION_LAUNCH_HPP
#define TENON_SYCL_DETAIL_FUNCTION_LAUNCH_HPP

#include <sycl/ext/oneapi/experimental/free_function_traits.hpp>
#include <sycl/queue.hpp>

namespace sycl {

namespace ext::oneapi::experimental {
// A function as an object: what launches take.
template <auto *Func>
struct kernel_function_s {};
template <auto *Func>
inline constexpr kernel_function_s<Func> kernel_function;
}  // namespace ext::oneapi::experimental

namespace detail {

// Whether the arguments of a launch are those of the function.
template <auto *F, class... Given>
constexpr void check_function_call() noexcept {
  static_assert(may_be_kernel<F>,
                "the function is not marked as a kernel: SYCL_EXT_ONEAPI_FUNCTION_PROPERTY stands "
                "at its first declaration, with nd_range_kernel<N> or single_task_kernel");
  static_assert(std::is_invocable_v<decltype(F), Given...>,
                "the arguments of the launch are not those that the kernel function takes");
}

// The argument block as an object that is built, copied and destroyed argument by argument. It is
// what a function object is for other kernels.
template <auto *F, class Type>
class function_arguments;
template <auto *F, class... A, bool Throws>
class function_arguments<F, void (*)(A...) noexcept(Throws)> {
  using layout = argument_layout<A...>;
  using indices = std::index_sequence_for<A...>;

 public:
  template <class... Given>
  explicit function_arguments(int, Given &&...given) {
    fill(indices(), std::forward<Given>(given)...);
  }
  function_arguments(const function_arguments &other) { copy(indices(), other); }
  function_arguments &operator=(const function_arguments &) = delete;
  ~function_arguments() { destroy(indices()); }

 private:
  template <std::size_t... I, class... Given>
  void fill(std::index_sequence<I...>, Given &&...given) {
    (::new (place(layout::template place<I>)) A(std::forward<Given>(given)), ...);
  }
  template <std::size_t... I>
  void copy(std::index_sequence<I...>, const function_arguments &other) {
    (::new (place(layout::template place<I>))
         A(*static_cast<const A *>(other.at(layout::template place<I>))),
     ...);
  }
  template <std::size_t... I>
  void destroy(std::index_sequence<I...>) {
    (static_cast<A *>(place(layout::template place<I>))->~A(), ...);
  }
  void *place(std::size_t offset) noexcept { return bytes_ + offset; }
  const void *at(std::size_t offset) const noexcept { return bytes_ + offset; }

  alignas(layout::alignment) unsigned char bytes_[layout::size] = {};
};

// Nothing to check: the function takes no item.
struct function_shape {
  template <class>
  static constexpr bool check() {
    return true;
  }
};

// The kernel is made where the device pass sees the launch, or a question for the kernel.
template <auto *F>
constexpr void emit_function() noexcept {
#ifdef __SYCL_DEVICE_ONLY__
  (void)free_function<F>::entry;
#endif
}

struct single_launch {};  // the extent of a single task

template <auto *F, class Extent, class... Given>
TN_SYCL_HIDDEN void submit_function([[maybe_unused]] const queue &q,
                                    [[maybe_unused]] const Extent &extent,
                                    [[maybe_unused]] Given &&...given) {
  check_function_call<F, Given...>();
#ifdef __SYCL_DEVICE_ONLY__
  emit_function<F>();
#else
  using arguments = function_arguments<F, decltype(F)>;
  const arguments block(0, std::forward<Given>(given)...);
  if constexpr (std::is_same_v<Extent, single_launch>) {
    submit_kernel<free_kernel<F>, function_shape>(q.tn_get(), block, range_of());
  } else {
    submit_kernel<free_kernel<F>, function_shape>(q.tn_get(), block, range_of(extent));
  }
#endif
}

template <auto *F, class Extent, class... Given>
TN_SYCL_HIDDEN void set_function([[maybe_unused]] handler &cgh,
                                 [[maybe_unused]] const Extent &extent,
                                 [[maybe_unused]] Given &&...given) {
  check_function_call<F, Given...>();
#ifdef __SYCL_DEVICE_ONLY__
  emit_function<F>();
#else
  using arguments = function_arguments<F, decltype(F)>;
  const arguments block(0, std::forward<Given>(given)...);
  if constexpr (std::is_same_v<Extent, single_launch>) {
    handler_access::set_kernel<free_kernel<F>, function_shape>(cgh, block);
  } else {
    handler_access::set_kernel<free_kernel<F>, function_shape>(cgh, block, extent);
  }
#endif
}

}  // namespace detail
}  // namespace sycl

#endif
