// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// join, compile, link, build. Source: SYCL 2020 sections 4.11.10, 4.11.11.
#ifndef TENON_SYCL_DETAIL_BUNDLE_BUILDS_HPP
#define TENON_SYCL_DETAIL_BUNDLE_BUILDS_HPP

#include <sycl/detail/bundle_queries.hpp>

namespace sycl {

namespace detail {
using input_bundle = kernel_bundle<bundle_state::input>;
using object_bundle = kernel_bundle<bundle_state::object>;
using executable_bundle = kernel_bundle<bundle_state::executable>;
using bundle_list = small_list<tn_bundle *>;

bundle_handle join_bundles(bundle_state state, bundle_list &bundles);

using translate_function = tn_status (*)(tn_bundle *input, tn_device *const *devices,
                                         std::size_t device_count, tn_bundle **out, tn_diag *diag);
// `devs` NULL: the bundle's.
bundle_handle translate(translate_function function, tn_bundle *input,
                        const std::vector<device> *devs);
// `devs` NULL: those that all bundles have.
bundle_handle link_list(tn_bundle *const *bundles, std::size_t count,
                        const std::vector<device> *devs);

template <class Bundle>
void add_bundles(bundle_list &to, const std::vector<Bundle> &bundles) {
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    to.push(bundles[i].tn_get());
  }
}
template <class Bundle>
bundle_handle link_bundles(const std::vector<Bundle> &bundles, const std::vector<device> *devs) {
  bundle_list list;
  add_bundles(list, bundles);
  return link_list(list.data(), list.size(), devs);
}
template <class Bundle>
bundle_handle link_bundles(const Bundle &bundle, const std::vector<device> *devs) {
  tn_bundle *object = bundle.tn_get();
  return link_list(&object, 1, devs);
}
}  // namespace detail

// Of no bundles: one of the default device's, with nothing in it.
template <bundle_state State>
kernel_bundle<State> join(const std::vector<kernel_bundle<State>> &bundles) {
  detail::bundle_list list;
  detail::add_bundles(list, bundles);
  return kernel_bundle<State>(detail::join_bundles(State, list));
}

// SYCL defines no properties for these, and neither does Tenon: lists are not looked at. All are
// templates so that bundles are only compiled where they are used.
template <class Result = detail::object_bundle>
Result compile(const detail::input_bundle &inputBundle, const std::vector<device> &devs,
               const property_list & = {}) {
  return Result(detail::translate(tn_bundle_compile, inputBundle.tn_get(), &devs));
}
template <class Result = detail::object_bundle>
Result compile(const detail::input_bundle &inputBundle, const property_list & = {}) {
  return Result(detail::translate(tn_bundle_compile, inputBundle.tn_get(), nullptr));
}

template <class Result = detail::executable_bundle>
Result build(const detail::input_bundle &inputBundle, const std::vector<device> &devs,
             const property_list & = {}) {
  return Result(detail::translate(tn_bundle_build, inputBundle.tn_get(), &devs));
}
template <class Result = detail::executable_bundle>
Result build(const detail::input_bundle &inputBundle, const property_list & = {}) {
  return Result(detail::translate(tn_bundle_build, inputBundle.tn_get(), nullptr));
}

template <class Result = detail::executable_bundle>
Result link(const std::vector<detail::object_bundle> &objectBundles,
            const std::vector<device> &devs, const property_list & = {}) {
  return Result(detail::link_bundles(objectBundles, &devs));
}
template <class Result = detail::executable_bundle>
Result link(const detail::object_bundle &objectBundle, const std::vector<device> &devs,
            const property_list & = {}) {
  return Result(detail::link_bundles(objectBundle, &devs));
}
// For the devices that all of them have.
template <class Result = detail::executable_bundle>
Result link(const std::vector<detail::object_bundle> &objectBundles, const property_list & = {}) {
  return Result(detail::link_bundles(objectBundles, nullptr));
}
template <class Result = detail::executable_bundle>
Result link(const detail::object_bundle &objectBundle, const property_list & = {}) {
  return Result(detail::link_bundles(objectBundle, nullptr));
}

#ifndef __SYCL_DEVICE_ONLY__

namespace detail {

TN_SYCL_COLD inline bundle_handle join_bundles(bundle_state state, bundle_list &bundles) {
  if (bundles.size() == 0) {
    const context ctxt;
    const std::vector<kernel_id> none;
    return get_bundle(state, ctxt, ctxt.get_devices(), &none, nullptr);
  }
  bundle_handle joined;
  tn_diag diag;
  check(tn_bundle_join(bundles.data(), bundles.size(), joined.out(), &diag), diag);
  return joined;
}

TN_SYCL_COLD inline bundle_handle translate(translate_function function, tn_bundle *input,
                                            const std::vector<device> *devs) {
  device_list devices;
  if (devs) {
    add_devices(devices, *devs);
  } else {
    for (std::size_t i = 0; i < tn_bundle_device_count(input); ++i) {
      devices.push(tn_bundle_device_at(input, i));
    }
  }
  bundle_handle result;
  tn_diag diag;
  check(function(input, devices.data(), devices.size(), result.out(), &diag), diag);
  return result;
}

TN_SYCL_COLD inline bundle_handle link_list(tn_bundle *const *bundles, std::size_t count,
                                            const std::vector<device> *devs) {
  device_list devices;
  if (devs) {
    add_devices(devices, *devs);
  }
  bundle_handle result;
  tn_diag diag;
  check(tn_bundle_link(bundles, count, devs ? devices.data() : nullptr, devices.size(),
                       result.out(), &diag),
        diag);
  return result;
}

}  // namespace detail

#endif

}  // namespace sycl

#endif
