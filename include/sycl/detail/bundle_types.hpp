// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of what kernel bundles are made of, for headers that only mention them.
// Source: SYCL 2020 section 4.11.
#ifndef TENON_SYCL_DETAIL_BUNDLE_TYPES_HPP
#define TENON_SYCL_DETAIL_BUNDLE_TYPES_HPP

struct tn_bundle;  // tenon/bundle.h

namespace sycl {

// ext_oneapi_source is sycl_ext_oneapi_kernel_compiler's: a source that is not compiled yet.
enum class bundle_state : int { input, object, executable, ext_oneapi_source };

class kernel_id;
class kernel;
template <bundle_state State>
class device_image;
template <bundle_state State>
class kernel_bundle;
template <>
class kernel_bundle<bundle_state::ext_oneapi_source>;

}  // namespace sycl

#endif
