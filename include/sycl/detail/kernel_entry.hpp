// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where device code begins: one function for each kernel, which only the device pass emits.
// Source: design 2, 3.1; SYCL 2020 section 4.9.4.2.
#ifndef TENON_SYCL_DETAIL_KERNEL_ENTRY_HPP
#define TENON_SYCL_DETAIL_KERNEL_ENTRY_HPP

#include <sycl/detail/kernel_named.hpp>
#include <sycl/detail/work_item.hpp>
#include <sycl/device_copyable.hpp>  // the front end asks it for what a kernel holds
#include <sycl/kernel_handler.hpp>

namespace sycl::detail {

struct unnamed;  // no kernel name was given: the function object's type is the name

template <class Name, class F>
using kernel_name = std::conditional_t<std::is_same_v<Name, unnamed>, F, class_name<Name>>;

// How a kernel runs, and what its function is called with. `check` is for static_assert: a call
// would be code.
struct single_task_shape {
  using argument = void;
  template <class F>
  static constexpr bool check() {
    static_assert(is_kernel_function<const F &>,
                  "single_task: the kernel function takes nothing, or a kernel_handler, and is "
                  "const");
    return true;
  }
};
template <int Dimensions>
struct range_shape {
  using argument = item<Dimensions>;
  template <class F>
  static constexpr bool check() {
    static_assert(is_kernel_function<const F &, item<Dimensions> &>,
                  "parallel_for over a range: the kernel function is const and takes item, id, or "
                  "something else that an item of these dimensions converts to, and maybe a "
                  "kernel_handler");
    return true;
  }
};
template <int Dimensions>
struct nd_range_shape {
  using argument = nd_item<Dimensions>;
  template <class F>
  static constexpr bool check() {
    static_assert(is_kernel_function<const F &, nd_item<Dimensions> &>,
                  "parallel_for over an nd_range: the kernel function is const and takes nd_item, "
                  "or something else that an nd_item of these dimensions converts to, and maybe a "
                  "kernel_handler");
    return true;
  }
};

#ifdef __SYCL_DEVICE_ONLY__

// A class that is not trivial to copy would be passed by a hidden pointer; the block has to hold
// its bytes.
template <class F>
struct argument_bytes {
  alignas(F) unsigned char bytes[sizeof(F)];
  const F &get() const { return *reinterpret_cast<const F *>(bytes); }
};
template <class F>
struct argument_value {
  F value;
  const F &get() const { return value; }
};
template <class F>
using argument_block =
    std::conditional_t<__is_trivially_copyable(F), argument_value<F>, argument_bytes<F>>;

// The argument is a constant also without optimization.
#if defined(__NVPTX__) || defined(__AMDGCN__)
#define TN_SYCL_IS_OUTSIDE(dimensions) __tenon_is_outside(dimensions)
#else
#define TN_SYCL_IS_OUTSIDE(dimensions) false
#endif

template <class F>
void call_kernel(const F &f, single_task_shape) {
  static_cast<void>(TN_SYCL_IS_OUTSIDE(0));
  call_kernel_function(f);
}
template <class F, int Dimensions>
void call_kernel(const F &f, range_shape<Dimensions>) {
  if (TN_SYCL_IS_OUTSIDE(Dimensions)) {
    return;
  }
  // A variable, so that `auto &` takes it too.
  item<Dimensions> here = index_maker::item<Dimensions>();
  call_kernel_function(f, here);
}
template <class F, int Dimensions>
void call_kernel(const F &f, nd_range_shape<Dimensions>) {
  static_cast<void>(TN_SYCL_IS_OUTSIDE(-Dimensions));
  nd_item<Dimensions> here = index_maker::nd_item<Dimensions>();
  call_kernel_function(f, here);
}

#undef TN_SYCL_IS_OUTSIDE

template <class Name, class F, class Shape>
[[_Clang::__sycl_kernel_entry_point__(Name)]] void kernel_entry(argument_block<F> block) {
  call_kernel(block.get(), Shape());
}

const void *no_value();  // never called

// Called where the host pass launches, so that the entry is instantiated.
template <class Name, class F, class Shape>
void emit_kernel() {
  static_assert(Shape::template check<F>());
  static_assert(!__is_polymorphic(F),
                "the kernel function object has virtual functions, which devices cannot call");
  using block = argument_block<F>;
  static_assert(sizeof(block) == sizeof(F), "the block holds the function object and no more");
  using named = kernel_name<Name, F>;
  if constexpr (check_kernel_name<named, F>()) {
    kernel_entry<named, F, Shape>(*static_cast<const block *>(no_value()));
  }
}

#endif

}  // namespace sycl::detail

#endif
