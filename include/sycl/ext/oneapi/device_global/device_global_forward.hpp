// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// device_global as queue and handler know it before it is there.
#ifndef TENON_SYCL_EXT_DEVICE_GLOBAL_FORWARD_HPP
#define TENON_SYCL_EXT_DEVICE_GLOBAL_FORWARD_HPP

#include <cstddef>
#include <type_traits>

namespace sycl {

namespace ext::oneapi::experimental {
template <class T, class PropertyListT>
class device_global;
}

namespace detail {
using ext::oneapi::experimental::device_global;

template <class T>
using global_element = std::remove_all_extents_t<T>;
template <class T>
inline constexpr std::size_t global_element_count = sizeof(T) / sizeof(global_element<T>);
// So many elements in bytes; more than any device global has when that is no number.
template <class T>
constexpr std::size_t global_bytes(std::size_t count) noexcept {
  constexpr std::size_t size = sizeof(global_element<T>);
  return count > ~std::size_t{0} / size ? ~std::size_t{0} : count * size;
}
}  // namespace detail

}  // namespace sycl

#endif
