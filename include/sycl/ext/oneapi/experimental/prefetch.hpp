// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prefetches of global memory in kernels: hints. OpenCL devices do nothing.
// Source: the SYCL extension sycl_ext_oneapi_prefetch.
#ifndef TENON_SYCL_EXT_PREFETCH_HPP
#define TENON_SYCL_EXT_PREFETCH_HPP

#include <sycl/accessor.hpp>
#include <sycl/detail/group_primitives.hpp>
#include <sycl/ext/oneapi/experimental/property_types.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {

namespace ext::oneapi::experimental {

enum class cache_level { L1 = 0, L2 = 1, L3 = 2, L4 = 3 };
struct nontemporal;

struct prefetch_hint_key {
  template <cache_level Level, class Hint>
  using value_t = property_value<prefetch_hint_key, Level, std::is_same_v<Hint, nontemporal>>;
};
template <cache_level Level, class Hint>
inline constexpr prefetch_hint_key::value_t<Level, Hint> prefetch_hint;
inline constexpr prefetch_hint_key::value_t<cache_level::L1, void> prefetch_hint_L1;
inline constexpr prefetch_hint_key::value_t<cache_level::L2, void> prefetch_hint_L2;
inline constexpr prefetch_hint_key::value_t<cache_level::L3, void> prefetch_hint_L3;
inline constexpr prefetch_hint_key::value_t<cache_level::L4, void> prefetch_hint_L4;
inline constexpr prefetch_hint_key::value_t<cache_level::L1, nontemporal> prefetch_hint_L1_nt;
inline constexpr prefetch_hint_key::value_t<cache_level::L2, nontemporal> prefetch_hint_L2_nt;
inline constexpr prefetch_hint_key::value_t<cache_level::L3, nontemporal> prefetch_hint_L3_nt;
inline constexpr prefetch_hint_key::value_t<cache_level::L4, nontemporal> prefetch_hint_L4_nt;
template <>
struct is_property_key<prefetch_hint_key> : std::true_type {};

}  // namespace ext::oneapi::experimental

namespace detail {

// How near the memory is to be, as __builtin_prefetch counts: 3 is the first cache, 0 for once.
template <class Properties>
inline constexpr int prefetch_locality = 3;
template <ext::oneapi::experimental::cache_level Level, bool IsOnce, class... Rest>
inline constexpr int prefetch_locality<ext::oneapi::experimental::properties<
    ext::oneapi::experimental::property_value<ext::oneapi::experimental::prefetch_hint_key, Level,
                                              IsOnce>,
    Rest...>> = IsOnce                                                ? 0
                : Level == ext::oneapi::experimental::cache_level::L1 ? 3
                : Level == ext::oneapi::experimental::cache_level::L2 ? 2
                                                                      : 1;

// From the first byte on; what is beyond the first line begins a line. Of `count` who do it
// together, each does a part.
template <class Properties>
void prefetch_bytes(const volatile void *from, std::size_t size, std::size_t index = 0,
                    std::size_t count = 1) {
  constexpr std::size_t line = 64;
  const char *bytes = static_cast<const char *>(const_cast<const void *>(from));
  for (std::size_t at = line * index; at < size; at += line * count) {
    __builtin_prefetch(bytes + at, 0, prefetch_locality<Properties>);
  }
}
// By all of a group.
template <class Properties, class Group>
void prefetch_together(const Group &g, const volatile void *from, std::size_t size) {
  prefetch_bytes<Properties>(from, size, g.get_local_linear_id(), g.get_local_linear_range());
}

template <class T>
inline constexpr std::size_t prefetched_size =
    sizeof(std::conditional_t<std::is_void_v<T>, char, T>);

template <class Properties>
using if_of_prefetch =
    std::enable_if_t<ext::oneapi::experimental::is_property_list_v<Properties>, int>;
template <access::address_space Space>
using if_prefetched_space = std::enable_if_t<Space == access::address_space::global_space ||
                                                 Space == access::address_space::generic_space,
                                             int>;
template <access_mode Mode, int Dimensions, class Offset>
using if_prefetched_access =
    std::enable_if_t<(Mode == access_mode::read || Mode == access_mode::read_write) &&
                         (Dimensions > 0) && std::is_convertible_v<Offset, id<Dimensions>>,
                     int>;

}  // namespace detail

namespace ext::oneapi::experimental {

// `count` elements, or bytes of void; one without a count.
template <class T, class Properties = empty_properties_t,
          sycl::detail::if_of_prefetch<Properties> = 0>
void prefetch(T *ptr, Properties = {}) {
  sycl::detail::prefetch_bytes<Properties>(ptr, sycl::detail::prefetched_size<T>);
}
template <class T, class Properties = empty_properties_t,
          sycl::detail::if_of_prefetch<Properties> = 0>
void prefetch(T *ptr, std::size_t count, Properties = {}) {
  sycl::detail::prefetch_bytes<Properties>(ptr, count * sycl::detail::prefetched_size<T>);
}
template <class T, access::address_space AddressSpace, access::decorated IsDecorated,
          class Properties = empty_properties_t, sycl::detail::if_of_prefetch<Properties> = 0,
          sycl::detail::if_prefetched_space<AddressSpace> = 0>
void prefetch(multi_ptr<T, AddressSpace, IsDecorated> ptr, Properties properties = {}) {
  prefetch(ptr.get_raw(), properties);
}
template <class T, access::address_space AddressSpace, access::decorated IsDecorated,
          class Properties = empty_properties_t, sycl::detail::if_of_prefetch<Properties> = 0,
          sycl::detail::if_prefetched_space<AddressSpace> = 0>
void prefetch(multi_ptr<T, AddressSpace, IsDecorated> ptr, std::size_t count,
              Properties properties = {}) {
  prefetch(ptr.get_raw(), count, properties);
}
template <class DataT, int Dimensions, access_mode AccessMode, access::placeholder IsPlaceholder,
          class Offset, class Properties = empty_properties_t,
          sycl::detail::if_of_prefetch<Properties> = 0,
          sycl::detail::if_prefetched_access<AccessMode, Dimensions, Offset> = 0>
void prefetch(accessor<DataT, Dimensions, AccessMode, target::device, IsPlaceholder> acc,
              Offset offset, Properties properties = {}) {
  prefetch(&acc[id<Dimensions>(offset)], properties);
}
template <class DataT, int Dimensions, access_mode AccessMode, access::placeholder IsPlaceholder,
          class Offset, class Properties = empty_properties_t,
          sycl::detail::if_of_prefetch<Properties> = 0,
          sycl::detail::if_prefetched_access<AccessMode, Dimensions, Offset> = 0>
void prefetch(accessor<DataT, Dimensions, AccessMode, target::device, IsPlaceholder> acc,
              Offset offset, std::size_t count, Properties properties = {}) {
  prefetch(&acc[id<Dimensions>(offset)], count, properties);
}

// The same, called by all work-items of a group with the same arguments.
template <class Group, class T, class Properties = empty_properties_t,
          std::enable_if_t<is_group_v<Group>, int> = 0,
          sycl::detail::if_of_prefetch<Properties> = 0>
void joint_prefetch(Group g, T *ptr, Properties = {}) {
  sycl::detail::prefetch_together<Properties>(g, ptr, sycl::detail::prefetched_size<T>);
}
template <class Group, class T, class Properties = empty_properties_t,
          std::enable_if_t<is_group_v<Group>, int> = 0,
          sycl::detail::if_of_prefetch<Properties> = 0>
void joint_prefetch(Group g, T *ptr, std::size_t count, Properties = {}) {
  sycl::detail::prefetch_together<Properties>(g, ptr, count * sycl::detail::prefetched_size<T>);
}
template <class Group, class T, access::address_space AddressSpace, access::decorated IsDecorated,
          class Properties = empty_properties_t, std::enable_if_t<is_group_v<Group>, int> = 0,
          sycl::detail::if_of_prefetch<Properties> = 0,
          sycl::detail::if_prefetched_space<AddressSpace> = 0>
void joint_prefetch(Group g, multi_ptr<T, AddressSpace, IsDecorated> ptr,
                    Properties properties = {}) {
  joint_prefetch(g, ptr.get_raw(), properties);
}
template <class Group, class T, access::address_space AddressSpace, access::decorated IsDecorated,
          class Properties = empty_properties_t, std::enable_if_t<is_group_v<Group>, int> = 0,
          sycl::detail::if_of_prefetch<Properties> = 0,
          sycl::detail::if_prefetched_space<AddressSpace> = 0>
void joint_prefetch(Group g, multi_ptr<T, AddressSpace, IsDecorated> ptr, std::size_t count,
                    Properties properties = {}) {
  joint_prefetch(g, ptr.get_raw(), count, properties);
}
template <class Group, class DataT, int Dimensions, access_mode AccessMode,
          access::placeholder IsPlaceholder, class Offset, class Properties = empty_properties_t,
          std::enable_if_t<is_group_v<Group>, int> = 0,
          sycl::detail::if_of_prefetch<Properties> = 0,
          sycl::detail::if_prefetched_access<AccessMode, Dimensions, Offset> = 0>
void joint_prefetch(Group g,
                    accessor<DataT, Dimensions, AccessMode, target::device, IsPlaceholder> acc,
                    Offset offset, Properties properties = {}) {
  joint_prefetch(g, &acc[id<Dimensions>(offset)], properties);
}
template <class Group, class DataT, int Dimensions, access_mode AccessMode,
          access::placeholder IsPlaceholder, class Offset, class Properties = empty_properties_t,
          std::enable_if_t<is_group_v<Group>, int> = 0,
          sycl::detail::if_of_prefetch<Properties> = 0,
          sycl::detail::if_prefetched_access<AccessMode, Dimensions, Offset> = 0>
void joint_prefetch(Group g,
                    accessor<DataT, Dimensions, AccessMode, target::device, IsPlaceholder> acc,
                    Offset offset, std::size_t count, Properties properties = {}) {
  joint_prefetch(g, &acc[id<Dimensions>(offset)], count, properties);
}

}  // namespace ext::oneapi::experimental
}  // namespace sycl

#endif
