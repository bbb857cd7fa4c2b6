// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times of points between commands. No device has aspect::ext_oneapi_queue_profiling_tag, so the
// queue has to have profiling enabled.
// Source: the SYCL extension sycl_ext_oneapi_profiling_tag.
#ifndef TENON_SYCL_EXT_PROFILING_TAG_HPP
#define TENON_SYCL_EXT_PROFILING_TAG_HPP

#include <sycl/queue.hpp>

namespace sycl::ext::oneapi::experimental {

#ifdef __SYCL_DEVICE_ONLY__
event submit_profiling_tag(const queue &of);
#else
// An event whose times are all that when all commands before it have ended.
inline event submit_profiling_tag(const queue &of) {
  if (!of.has_property<sycl::property::queue::enable_profiling>()) {
    sycl::detail::raise(errc::invalid,
                        "submit_profiling_tag: the queue has no profiling, and its device no "
                        "aspect::ext_oneapi_queue_profiling_tag; make the queue with "
                        "property::queue::enable_profiling");
  }
  const event tag = queue(of).ext_oneapi_submit_barrier();
  tn_event_make_tag(tag.tn_get());
  return tag;
}
#endif

}  // namespace sycl::ext::oneapi::experimental

#endif
