// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Access modes, targets, address spaces and deduction tags.
// Source: SYCL 2020 sections 4.7.6.2, 4.7.6.3, 4.7.7.1.
#ifndef TENON_SYCL_ACCESS_HPP
#define TENON_SYCL_ACCESS_HPP

#include <sycl/detail/macros.hpp>

namespace sycl {

enum class access_mode : int {
  read,
  write,
  read_write,
  discard_write,
  discard_read_write,
  atomic,  // deprecated: use atomic_ref
};

// constant_buffer, local and host_buffer are deprecated. The names of images are SYCL 1.2.1's, for
// code that lists them; no accessor has such a target.
enum class target : int {
  device,
  host_task,
  host_buffer,
  local,
  constant_buffer,
  image,
  host_image,
  image_array,
  global_buffer = device
};

namespace access {
using mode = sycl::access_mode;
using sycl::target;
enum class placeholder : int { false_t, true_t };
enum class address_space : int {
  global_space,
  local_space,
  constant_space,
  private_space,
  generic_space,
  // Of the extension sycl_ext_intel_usm_address_spaces: global memory, with a hint of which USM.
  ext_intel_global_device_space,
  ext_intel_global_host_space,
};
enum class decorated : int { no, yes, legacy };
enum class fence_space : int { local_space, global_space, global_and_local };
}  // namespace access

// Of the next SYCL.
using addrspace = access::address_space;
inline constexpr addrspace addrspace_global = addrspace::global_space;
inline constexpr addrspace addrspace_local = addrspace::local_space;
inline constexpr addrspace addrspace_private = addrspace::private_space;
inline constexpr addrspace addrspace_generic = addrspace::generic_space;

namespace ext::oneapi {
template <class... Properties>
class accessor_property_list;
}

template <class DataT, int Dimensions, access_mode AccessMode, target AccessTarget,
          access::placeholder IsPlaceholder,
          class PropertyListT = ext::oneapi::accessor_property_list<>>
class accessor;
template <class ElementType, access::address_space Space,
          access::decorated DecorateAddress = access::decorated::legacy>
class multi_ptr;

namespace detail {
template <access_mode Mode, target Target>
struct access_tag {
  explicit access_tag() = default;
};
}  // namespace detail

inline constexpr detail::access_tag<access_mode::read, target::device> read_only{};
inline constexpr detail::access_tag<access_mode::read_write, target::device> read_write{};
inline constexpr detail::access_tag<access_mode::write, target::device> write_only{};
// Of DPC++; target::constant_buffer is deprecated.
inline constexpr detail::access_tag<access_mode::read, target::constant_buffer> read_constant{};
inline constexpr detail::access_tag<access_mode::read, target::host_task> read_only_host_task{};
inline constexpr detail::access_tag<access_mode::read_write, target::host_task>
    read_write_host_task{};
inline constexpr detail::access_tag<access_mode::write, target::host_task> write_only_host_task{};

}  // namespace sycl

#endif
