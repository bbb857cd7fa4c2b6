// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::kernel: a kernel of an executable bundle, and what is known of it.
// Source: SYCL 2020 section 4.11.13.
#ifndef TENON_SYCL_KERNEL_HPP
#define TENON_SYCL_KERNEL_HPP

#include <sycl/context.hpp>
#include <sycl/detail/owner_order.hpp>
#include <sycl/device.hpp>
#include <sycl/info/info_kernel.hpp>
#include <sycl/kernel_id.hpp>

namespace sycl {

namespace detail {
using bundle_handle = handle<tn_bundle, tn_bundle_retain, tn_bundle_release>;
using kernel_handle = handle<tn_kernel, tn_kernel_retain, tn_kernel_release>;
}  // namespace detail

class TN_SYCL_SHARED kernel : public detail::owner_order<kernel> {
 public:
  kernel() = delete;
  // The runtime's way of making one: retains the bundle, which has the kernel.
  explicit kernel(tn_bundle *bundle, kernel_id id)
      : bundle_(detail::bundle_handle::retained(bundle)), id_(std::move(id)) {}
  tn_bundle *tn_get_bundle() const noexcept { return bundle_.get(); }
  const kernel_id &tn_get_id() const noexcept { return id_; }

  backend get_backend() const noexcept { return get_context().get_backend(); }
  context get_context() const { return context(tn_bundle_context(bundle_.get())); }
  template <class Bundle = kernel_bundle<bundle_state::executable>>
  Bundle get_kernel_bundle() const {
    return Bundle(bundle_);
  }
  template <class Param>
  detail::info_result<kernel, Param> get_info() const;
  template <class Param>
  detail::info_result<detail::kernel_on_device_info, Param> get_info(const device &dev) const;
  // Of DPC++: sub-groups are as large in any work-group.
  template <class Param>
  TN_SYCL_DEPRECATED("leave the work-group size out")
  typename Param::return_type get_info(const device &dev, const range<3> &) const {
    static_assert(std::is_same_v<Param, info::kernel_device_specific::max_sub_group_size>,
                  "get_info with a work-group size: the descriptor is max_sub_group_size");
    return get_info<Param>(dev);
  }
  template <class Param>
  typename Param::return_type get_backend_info() const {
    detail::raise_no_backend_info();
  }

  // sycl_ext_oneapi_launch_queries.
  template <class Param, class Queue = queue>
  typename Param::return_type ext_oneapi_get_info(const queue &of) const {
    return launch_info<Param>(static_cast<const Queue &>(of).get_device());
  }
  // Of launches with work-groups of a size; max_num_work_groups: how many are sure to run at a
  // time, one a compute unit, 0 when none does.
  // One function a dimension, so that a plain number is a range<1>; `Queue` defers the use of a
  // class that queue.hpp defines.
  template <class Param, class Queue = queue>
  typename Param::return_type ext_oneapi_get_info(const queue &of, const range<1> &workGroupSize,
                                                  std::size_t dynamicLocalMemorySize = 0) const {
    return launch_info<Param>(static_cast<const Queue &>(of).get_device(), workGroupSize,
                              dynamicLocalMemorySize);
  }
  template <class Param, class Queue = queue>
  typename Param::return_type ext_oneapi_get_info(const queue &of, const range<2> &workGroupSize,
                                                  std::size_t dynamicLocalMemorySize = 0) const {
    return launch_info<Param>(static_cast<const Queue &>(of).get_device(), workGroupSize,
                              dynamicLocalMemorySize);
  }
  template <class Param, class Queue = queue>
  typename Param::return_type ext_oneapi_get_info(const queue &of, const range<3> &workGroupSize,
                                                  std::size_t dynamicLocalMemorySize = 0) const {
    return launch_info<Param>(static_cast<const Queue &>(of).get_device(), workGroupSize,
                              dynamicLocalMemorySize);
  }

  friend bool operator==(const kernel &lhs, const kernel &rhs) noexcept {
    return lhs.tn_get_bundle() == rhs.tn_get_bundle() && lhs.id_ == rhs.id_;
  }
  friend bool operator!=(const kernel &lhs, const kernel &rhs) noexcept { return !(lhs == rhs); }

 private:
  template <class Param>
  typename Param::return_type launch_info(const device &dev) const;
  template <class Param, int Dimensions>
  typename Param::return_type launch_info(const device &dev, const range<Dimensions> &workGroupSize,
                                          std::size_t dynamicLocalMemorySize) const;

  detail::bundle_handle bundle_;
  kernel_id id_;
};

#ifndef __SYCL_DEVICE_ONLY__

namespace detail {

// The kernel as it is built for a device.
TN_SYCL_COLD inline kernel_handle built_kernel(const kernel &of, tn_device *device) {
  kernel_handle built;
  tn_diag diag;
  const tn_status status =
      tn_bundle_get_kernel(of.tn_get_bundle(), of.tn_get_id().tn_get(), device, built.out(), &diag);
  if (status == TN_KERNEL_NOT_FOUND) {
    raise(errc::invalid, diag.text);
  }
  check(status, diag);
  return built;
}

// The same for the first device that can run it.
TN_SYCL_COLD inline kernel_handle built_kernel(const kernel &of) {
  tn_bundle *bundle = of.tn_get_bundle();
  std::size_t index = 0;
  while (
      index + 1 < tn_bundle_device_count(bundle) &&
      !tn_bundle_has_kernel(bundle, of.tn_get_id().tn_get(), tn_bundle_device_at(bundle, index))) {
    ++index;
  }
  return built_kernel(of, tn_bundle_device_at(bundle, index));
}

template <class T>
T kernel_number(const kernel &of, const device &dev, std::int32_t what) {
  T value{};
  tn_diag diag;
  check(tn_kernel_get_info(built_kernel(of, dev.tn_get()).get(), what, &value, sizeof(value),
                           nullptr, &diag),
        diag);
  return value;
}

// Value is the descriptor's return_type.
template <class Value>
Value kernel_query(const kernel &of, info::kernel::num_args) {
  const kernel_handle built = built_kernel(of);
  if (!tn_kernel_is_function(built.get())) {
    raise(errc::invalid,
          "info::kernel::num_args: only kernels that are functions have it, not function objects");
  }
  return static_cast<Value>(tn_kernel_arg_count(built.get()));
}
template <class Value>
Value kernel_query(const kernel &of, info::kernel::attributes) {
  const kernel_handle built = built_kernel(of);
  return info_text<tn_kernel>(built.get(), TN_KERNEL_INFO_ATTRIBUTES, tn_kernel_get_info);
}
template <class Value>
Value kernel_query(const kernel &of, info::kernel::function_name) {
  return of.tn_get_id().get_name();
}
template <class Value>
Value kernel_query(const kernel &of, info::kernel::context) {
  return of.get_context();
}
template <class Value>
Value kernel_query(const kernel &, info::kernel::reference_count) {
  return 1;
}

namespace on_device = info::kernel_device_specific;

template <class Value>
Value kernel_query(const kernel &, const device &, on_device::global_work_size) {
  raise(errc::invalid,
        "info::kernel_device_specific::global_work_size: only built-in kernels and kernels on "
        "custom devices have it");
}
template <class Value>
Value kernel_query(const kernel &of, const device &dev, on_device::compile_work_group_size) {
  struct sizes {
    std::uint64_t values[3];
  };
  const auto size = kernel_number<sizes>(of, dev, TN_KERNEL_INFO_COMPILE_GROUP_SIZE);
  return {static_cast<std::size_t>(size.values[0]), static_cast<std::size_t>(size.values[1]),
          static_cast<std::size_t>(size.values[2])};
}

#define TN_SYCL_KERNEL_QUERY(name, type, what)                                      \
  template <class Value>                                                            \
  Value kernel_query(const kernel &of, const device &dev, on_device::name) {        \
    return static_cast<Value>(kernel_number<type>(of, dev, TN_KERNEL_INFO_##what)); \
  }
TN_SYCL_KERNEL_QUERY(work_group_size, std::uint64_t, GROUP_SIZE)
TN_SYCL_KERNEL_QUERY(preferred_work_group_size_multiple, std::uint64_t,
                     PREFERRED_GROUP_SIZE_MULTIPLE)
TN_SYCL_KERNEL_QUERY(private_mem_size, std::uint64_t, PRIVATE_MEM_SIZE)
TN_SYCL_KERNEL_QUERY(max_num_sub_groups, std::uint32_t, MAX_NUM_SUB_GROUPS)
TN_SYCL_KERNEL_QUERY(compile_num_sub_groups, std::uint32_t, COMPILE_NUM_SUB_GROUPS)
TN_SYCL_KERNEL_QUERY(max_sub_group_size, std::uint32_t, MAX_SUB_GROUP_SIZE)
TN_SYCL_KERNEL_QUERY(compile_sub_group_size, std::uint32_t, COMPILE_SUB_GROUP_SIZE)
#undef TN_SYCL_KERNEL_QUERY

template <class Param>
inline constexpr bool is_work_item_sizes = false;
template <int Dimensions>
inline constexpr bool is_work_item_sizes<
    ext::oneapi::experimental::info::kernel_queue_specific::max_work_item_sizes<Dimensions>> = true;

}  // namespace detail

template <class Param>
detail::info_result<kernel, Param> kernel::get_info() const {
  return detail::kernel_query<typename Param::return_type>(*this, Param());
}
template <class Param>
detail::info_result<detail::kernel_on_device_info, Param> kernel::get_info(
    const device &dev) const {
  return detail::kernel_query<typename Param::return_type>(*this, dev, Param());
}

template <class Param>
typename Param::return_type kernel::launch_info(const device &dev) const {
  namespace launch = ext::oneapi::experimental::info::kernel_queue_specific;
  using result = typename Param::return_type;
  const std::size_t most = get_info<info::kernel_device_specific::work_group_size>(dev);
  if constexpr (std::is_same_v<Param, launch::max_work_group_size>) {
    return most;
  } else {
    static_assert(detail::is_work_item_sizes<Param>,
                  "ext_oneapi_get_info without a work-group size: the descriptor is "
                  "max_work_group_size or max_work_item_sizes");
    auto sizes = dev.get_info<info::device::max_work_item_sizes<result::dimensions>>();
    for (int i = 0; i < result::dimensions; ++i) {
      sizes[i] = sizes[i] < most ? sizes[i] : most;
    }
    return sizes;
  }
}

template <class Param, int Dimensions>
typename Param::return_type kernel::launch_info(const device &dev,
                                                const range<Dimensions> &workGroupSize,
                                                std::size_t dynamicLocalMemorySize) const {
  namespace launch = ext::oneapi::experimental::info::kernel_queue_specific;
  std::size_t size = 1;
  bool fits = true;
  for (int i = 0; i < Dimensions; ++i) {
    if (workGroupSize[i] == 0) {
      detail::raise(errc::invalid, "ext_oneapi_get_info: a work-group has at least one work-item");
    }
    fits = !__builtin_mul_overflow(size, workGroupSize[i], &size) && fits;
  }
  if constexpr (std::is_same_v<Param, launch::max_num_work_groups>) {
    std::uint64_t most = 0;
    tn_diag diag;
    if (fits) {
      detail::check(tn_kernel_root_groups(detail::built_kernel(*this, dev.tn_get()).get(),
                                          dev.tn_get(), size, dynamicLocalMemorySize, &most, &diag),
                    diag);
    }
    return static_cast<std::size_t>(most);
  } else {
    constexpr bool is_count = std::is_same_v<Param, launch::num_sub_groups>;
    static_assert(is_count || std::is_same_v<Param, launch::max_sub_group_size>,
                  "ext_oneapi_get_info with a work-group size: the descriptor is "
                  "max_num_work_groups, max_sub_group_size or num_sub_groups");
    const std::uint32_t width = get_info<info::kernel_device_specific::max_sub_group_size>(dev);
    return is_count ? static_cast<std::uint32_t>((size + width - 1) / width) : width;
  }
}

#endif

}  // namespace sycl

template <>
struct std::hash<sycl::kernel> {
  std::size_t operator()(const sycl::kernel &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get_bundle()) * 31 +
           std::hash<sycl::kernel_id>()(object.tn_get_id());
  }
};

#endif
