// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::bit_cast. Source: SYCL 2020 section 4.19.
#ifndef TENON_SYCL_BIT_CAST_HPP
#define TENON_SYCL_BIT_CAST_HPP

#include <type_traits>

namespace sycl {

namespace detail {
template <class To, class Given>
struct bit_caster {
  template <class From,
            std::enable_if_t<sizeof(To) == sizeof(From) && std::is_trivially_copyable_v<To> &&
                                 std::is_trivially_copyable_v<From> &&
                                 (std::is_void_v<Given> || std::is_same_v<Given, From>),
                             int> = 0>
  constexpr To operator()(const From &from) const noexcept {
    return __builtin_bit_cast(To, from);
  }
};
}  // namespace detail

// An object, which argument-dependent lookup does not find: bit_cast<short>(a_half) beside `using
// std::bit_cast` is std's.
template <class To, class From = void>
inline constexpr detail::bit_caster<To, From> bit_cast{};

}  // namespace sycl

#endif
