// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which forward progress of work-groups, sub-groups and work-items a kernel counts on. No more than
// the weakest guarantee is given by any device, so kernels that want more are rejected.
// Source: the SYCL extension sycl_ext_oneapi_forward_progress.
#ifndef TENON_SYCL_EXT_FORWARD_PROGRESS_HPP
#define TENON_SYCL_EXT_FORWARD_PROGRESS_HPP

#include <sycl/device.hpp>
#include <sycl/ext/oneapi/experimental/function_properties.hpp>

#include <vector>

namespace sycl::ext::oneapi::experimental {

enum class forward_progress_guarantee { concurrent, parallel, weakly_parallel };
enum class execution_scope { work_item, sub_group, work_group, root_group };

}  // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {

using ext::oneapi::experimental::execution_scope;
using ext::oneapi::experimental::forward_progress_guarantee;

template <class Key, execution_scope Scope, forward_progress_guarantee Guarantee,
          execution_scope CoordinationScope>
struct progress_property
    : function_property<Key, mark_hint, static_cast<unsigned long>(Guarantee),
                        static_cast<unsigned long>(CoordinationScope)> {
  static_assert(CoordinationScope > Scope,
                "the coordination scope of a progress property is broader than its own");
  static constexpr bool tn_is_unmet = Guarantee != forward_progress_guarantee::weakly_parallel;
};

template <execution_scope Scope, execution_scope CoordinationScope>
struct progress_query {
  static_assert(CoordinationScope > Scope,
                "the coordination scope of progress capabilities is broader than their own");
  using return_type = std::vector<forward_progress_guarantee>;
  template <class Guarantee = forward_progress_guarantee>
  static std::vector<Guarantee> tn_query(const tn_device *) {
    return {Guarantee::weakly_parallel};
  }
};

}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

namespace info::device {

template <execution_scope CoordinationScope>
struct work_group_progress_capabilities
    : sycl::detail::progress_query<execution_scope::work_group, CoordinationScope> {};
template <execution_scope CoordinationScope>
struct sub_group_progress_capabilities
    : sycl::detail::progress_query<execution_scope::sub_group, CoordinationScope> {};
template <execution_scope CoordinationScope>
struct work_item_progress_capabilities
    : sycl::detail::progress_query<execution_scope::work_item, CoordinationScope> {};

}  // namespace info::device

struct work_group_progress_key {
  template <forward_progress_guarantee Guarantee, execution_scope CoordinationScope>
  using value_t =
      sycl::detail::progress_property<work_group_progress_key, execution_scope::work_group,
                                      Guarantee, CoordinationScope>;
};
struct sub_group_progress_key {
  template <forward_progress_guarantee Guarantee, execution_scope CoordinationScope>
  using value_t =
      sycl::detail::progress_property<sub_group_progress_key, execution_scope::sub_group, Guarantee,
                                      CoordinationScope>;
};
struct work_item_progress_key {
  template <forward_progress_guarantee Guarantee, execution_scope CoordinationScope>
  using value_t =
      sycl::detail::progress_property<work_item_progress_key, execution_scope::work_item, Guarantee,
                                      CoordinationScope>;
};

template <forward_progress_guarantee Guarantee, execution_scope CoordinationScope>
inline constexpr work_group_progress_key::value_t<Guarantee, CoordinationScope>
    work_group_progress;
template <forward_progress_guarantee Guarantee, execution_scope CoordinationScope>
inline constexpr sub_group_progress_key::value_t<Guarantee, CoordinationScope> sub_group_progress;
template <forward_progress_guarantee Guarantee, execution_scope CoordinationScope>
inline constexpr work_item_progress_key::value_t<Guarantee, CoordinationScope> work_item_progress;

template <>
struct is_property_key<work_group_progress_key> : std::true_type {};
template <>
struct is_property_key<sub_group_progress_key> : std::true_type {};
template <>
struct is_property_key<work_item_progress_key> : std::true_type {};

}  // namespace sycl::ext::oneapi::experimental

#endif
