// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties of launches that a function object gives by get(properties_tag), beside those of the
// kernel (property_call.hpp). Source: the SYCL extension sycl_ext_oneapi_kernel_properties.
#ifndef TENON_SYCL_DETAIL_OWN_PROPERTIES_HPP
#define TENON_SYCL_DETAIL_OWN_PROPERTIES_HPP

#ifndef __SYCL_DEVICE_ONLY__

#include "tenon/command_group.h"
#include <sycl/detail/check.hpp>
#include <sycl/detail/property_call.hpp>
#include <sycl/ext/oneapi/experimental/use_root_sync_prop.hpp>
#include <sycl/ext/oneapi/work_group_scratch_memory.hpp>

namespace sycl::detail {

template <class Property, class List>
inline constexpr bool lists_property = false;
template <class Property, class... Properties>
inline constexpr bool
    lists_property<Property, ext::oneapi::experimental::properties<Properties...>> =
        (std::is_same_v<Properties, Property> || ...);
template <class List>
inline constexpr bool has_scratch_size =
    lists_property<ext::oneapi::experimental::work_group_scratch_size, List>;
template <class List>
inline constexpr bool has_root_sync =
    lists_property<ext::oneapi::experimental::use_root_sync_key::value_t, List>;

template <class F>
using own_list_of = std::remove_cv_t<std::remove_reference_t<properties_of<F>>>;
template <class F, bool Gives = gives_properties<F>>
inline constexpr bool has_own_unmet_properties = false;
template <class F>
inline constexpr bool has_own_unmet_properties<F, true> = has_unmet_properties<own_list_of<F>>;
template <class F, bool Gives = gives_properties<F>>
inline constexpr bool has_own_properties = false;
template <class F>
inline constexpr bool has_own_properties<F, true> =
    has_scratch_size<own_list_of<F>> || has_root_sync<own_list_of<F>> ||
    has_own_unmet_properties<F>;

TN_SYCL_COLD inline void raise_unmet_properties() {
  raise(errc::feature_not_supported,
        "a kernel asks for more forward progress than the device guarantees: ask "
        "info::device::work_group_progress_capabilities and its kin first");
}

// What a list asks of the launch itself, also a list that is given with it (property_launch.hpp).
template <class List>
void set_listed_properties(tn_capture_record &record, [[maybe_unused]] const List &list) {
  if constexpr (has_scratch_size<List>) {
    using scratch = ext::oneapi::experimental::work_group_scratch_size;
    tn_capture_record_set_scratch(&record, list.template get_property<scratch>().value);
  }
  if constexpr (has_root_sync<List>) {
    record.command_flags |= TN_COMMAND_ROOT_SYNC;
  }
}

// `tn_wrapped_function` is what a wrapper calls, by its member `f`.
template <class F, class = void>
inline constexpr bool is_function_wrapper = false;
template <class F>
inline constexpr bool is_function_wrapper<F, std::void_t<typename F::tn_wrapped_function>> = true;

template <class F>
void set_own_properties([[maybe_unused]] tn_capture_record &record, [[maybe_unused]] const F &f) {
  if constexpr (has_own_unmet_properties<F>) {
    raise_unmet_properties();
  } else if constexpr (is_function_wrapper<F>) {
    set_own_properties(record, f.f);
  } else if constexpr (has_own_properties<F>) {
    // The document's example of `get` is not const.
    set_listed_properties<own_list_of<F>>(
        record, const_cast<F &>(f).get(ext::oneapi::experimental::properties_tag()));
  }
}

}  // namespace sycl::detail

#endif
#endif
