// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A work-group size that the runtime chooses.
// Source: the SYCL extension sycl_ext_oneapi_auto_local_range.
#ifndef TENON_SYCL_EXT_AUTO_LOCAL_RANGE_HPP
#define TENON_SYCL_EXT_AUTO_LOCAL_RANGE_HPP

#include <sycl/range.hpp>

namespace sycl::detail {
// More than any work-group has (tn_command_set_range).
inline constexpr std::size_t open_size = ~std::size_t{0};
}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

// For an nd_range.
template <int Dimensions>
range<Dimensions> auto_range() {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "auto_range has 1, 2 or 3 dimensions");
  constexpr std::size_t open = sycl::detail::open_size;
  if constexpr (Dimensions == 1) {
    return range<1>(open);
  } else if constexpr (Dimensions == 2) {
    return range<2>(open, open);
  } else {
    return range<3>(open, open, open);
  }
}

}  // namespace sycl::ext::oneapi::experimental

#endif
