// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The direction of a prefetch. Source: the SYCL extension sycl_ext_oneapi_enqueue_functions.
#ifndef TENON_SYCL_EXT_ENQUEUE_TYPES_HPP
#define TENON_SYCL_EXT_ENQUEUE_TYPES_HPP

namespace sycl::ext::oneapi::experimental {

// Values as TN_PREFETCH_TO_… in tenon/queue.h.
enum class prefetch_type : int { device = 0, host = 1 };

}  // namespace sycl::ext::oneapi::experimental

#endif
