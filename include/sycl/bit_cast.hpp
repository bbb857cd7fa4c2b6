// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::bit_cast. Source: SYCL 2020 section 4.19.
#ifndef TENON_SYCL_BIT_CAST_HPP
#define TENON_SYCL_BIT_CAST_HPP

#include <type_traits>

namespace sycl {

namespace detail {
template <class To, class From>
inline constexpr bool is_bit_castable = sizeof(To) == sizeof(From) &&
                                        std::is_trivially_copyable_v<To> &&
                                        std::is_trivially_copyable_v<From>;

// With From named, the argument is converted to it, as for a function template.
template <class To, class From>
struct bit_caster {
  template <class Source = From, std::enable_if_t<is_bit_castable<To, Source>, int> = 0>
  constexpr To operator()(const std::enable_if_t<true, Source> &from) const noexcept {
    return __builtin_bit_cast(To, from);
  }
};

template <class To>
struct bit_caster<To, void> {
  template <class From, std::enable_if_t<is_bit_castable<To, From>, int> = 0>
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
