// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are compiled while the program runs: bundles made of sources. docs/rtc.md shows
// their use. Source: the SYCL extension sycl_ext_oneapi_kernel_compiler.
#ifndef TENON_SYCL_EXT_KERNEL_COMPILER_HPP
#define TENON_SYCL_EXT_KERNEL_COMPILER_HPP

#include <sycl/detail/bundle_builds.hpp>
#include <sycl/detail/source_bundle.hpp>
#include <sycl/ext/oneapi/experimental/kernel_compiler_properties.hpp>

namespace sycl {

namespace detail {

namespace source_properties = ext::oneapi::experimental;

// What a call may be given: a list of properties, or one of them by itself.
template <class Given, class... Allowed>
struct takes_properties {
  static constexpr bool value = (std::is_same_v<Given, Allowed> || ...);
};
template <class... Given, class... Allowed>
struct takes_properties<source_properties::properties<Given...>, Allowed...> {
  static constexpr bool value = (takes_properties<Given, Allowed...>::value && ...);
};
// A sycl::property_list has nothing that matters here.
template <class... Allowed>
struct takes_properties<property_list, Allowed...> : std::true_type {};

template <class Given>
using if_create_properties =
    std::enable_if_t<takes_properties<Given, source_properties::include_files>::value, int>;
template <class Given>
using if_build_properties = std::enable_if_t<
    takes_properties<Given, source_properties::build_options, source_properties::save_log,
                     source_properties::registered_names>::value,
    int>;

// NULL when there is none of it.
template <class Wanted, class Given>
const Wanted *find_property(const Given &given) noexcept {
  if constexpr (std::is_same_v<Wanted, Given>) {
    return &given;
  } else if constexpr (source_properties::is_property_list_v<Given>) {
    if constexpr (Given::template has_property<Wanted>()) {
      return &given.template get_property<Wanted>();
    }
  }
  return nullptr;
}

template <class Given>
source_handle create_source(const context &ctxt, source_properties::source_language lang,
                            bool is_binary, const void *source, std::size_t size,
                            const Given &props) {
  source_request request = {lang, is_binary, source, size, nullptr, nullptr};
  if (auto *includes = find_property<source_properties::include_files>(props)) {
    request.names = &includes->tn_names();
    request.contents = &includes->tn_contents();
  }
  return create_source(ctxt, request);
}

template <class Given>
bundle_handle build_source(tn_source *source, bundle_state state, const std::vector<device> *devs,
                           const Given &props) {
  source_build_request request;
  if (auto *options = find_property<source_properties::build_options>(props)) {
    request.options = &options->tn_get();
  }
  if (auto *names = find_property<source_properties::registered_names>(props)) {
    request.names = &names->tn_get();
  }
  if (auto *log = find_property<source_properties::save_log>(props)) {
    request.log = log->log;
  }
  return build_source(source, state, devs, request);
}

}  // namespace detail

namespace ext::oneapi::experimental {

// Nothing is compiled yet. errc::invalid for a language that no device of the context takes, and
// for names of include_files that are not relative or leave their folder.
template <class PropertyListT = empty_properties_t,
          sycl::detail::if_create_properties<PropertyListT> = 0>
sycl::detail::source_bundle create_kernel_bundle_from_source(const context &ctxt,
                                                             source_language lang,
                                                             const std::string &source,
                                                             const PropertyListT &props = {}) {
  return sycl::detail::source_bundle(
      sycl::detail::create_source(ctxt, lang, false, source.data(), source.size(), props));
}
template <class PropertyListT = empty_properties_t,
          sycl::detail::if_create_properties<PropertyListT> = 0>
sycl::detail::source_bundle create_kernel_bundle_from_source(const context &ctxt,
                                                             source_language lang,
                                                             const std::vector<std::byte> &bytes,
                                                             const PropertyListT &props = {}) {
  return sycl::detail::source_bundle(
      sycl::detail::create_source(ctxt, lang, true, bytes.data(), bytes.size(), props));
}

// errc::build with what the compiler says; errc::invalid for options and names that make no sense,
// and for devices that are not the context's or do not take the language.
template <class PropertyListT = empty_properties_t,
          sycl::detail::if_build_properties<PropertyListT> = 0>
kernel_bundle<bundle_state::executable> build(const sycl::detail::source_bundle &sourceBundle,
                                              const std::vector<device> &devs,
                                              const PropertyListT &props = {}) {
  return kernel_bundle<bundle_state::executable>(
      sycl::detail::build_source(sourceBundle.tn_get(), bundle_state::executable, &devs, props));
}
template <class PropertyListT = empty_properties_t,
          sycl::detail::if_build_properties<PropertyListT> = 0>
kernel_bundle<bundle_state::executable> build(const sycl::detail::source_bundle &sourceBundle,
                                              const PropertyListT &props = {}) {
  return kernel_bundle<bundle_state::executable>(
      sycl::detail::build_source(sourceBundle.tn_get(), bundle_state::executable, nullptr, props));
}

// To be linked with others by sycl::link, of sources or of the application.
template <class PropertyListT = empty_properties_t,
          sycl::detail::if_build_properties<PropertyListT> = 0>
kernel_bundle<bundle_state::object> compile(const sycl::detail::source_bundle &sourceBundle,
                                            const std::vector<device> &devs,
                                            const PropertyListT &props = {}) {
  return kernel_bundle<bundle_state::object>(
      sycl::detail::build_source(sourceBundle.tn_get(), bundle_state::object, &devs, props));
}
template <class PropertyListT = empty_properties_t,
          sycl::detail::if_build_properties<PropertyListT> = 0>
kernel_bundle<bundle_state::object> compile(const sycl::detail::source_bundle &sourceBundle,
                                            const PropertyListT &props = {}) {
  return kernel_bundle<bundle_state::object>(
      sycl::detail::build_source(sourceBundle.tn_get(), bundle_state::object, nullptr, props));
}

}  // namespace ext::oneapi::experimental

}  // namespace sycl

#endif
