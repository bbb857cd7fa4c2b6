// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the sizes of a kernel attribute get from a lambda's return type to the device code: an
// address space of void stands for them (kernel_attributes.hpp). Source: SYCL 2020 section 5.8.1.
#ifndef TENON_SYCL_DETAIL_REQUIRED_SIZES_HPP
#define TENON_SYCL_DETAIL_REQUIRED_SIZES_HPP

#include <cstdint>
#include <type_traits>

namespace sycl {
class kernel_handler;
}

namespace sycl::detail {

enum class size_kind : std::uint64_t { work_group, sub_group };

struct required_sizes {
  size_kind kind;
  std::uint64_t values[3];  // with leading ones
};

// Which sizes an address space stands for: functions that instances of `attributed` define.
template <unsigned Space>
struct space_key {
#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wundefined-internal"
#else
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
  friend constexpr required_sizes tn_required_sizes(space_key);
#pragma GCC diagnostic pop
};

constexpr unsigned space_of(size_kind kind, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t hash = static_cast<std::uint64_t>(kind) + 1;
  const std::uint64_t values[] = {a, b, c};
  for (const std::uint64_t value : values) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return static_cast<unsigned>(hash % 8000000) + 1000;
}

template <size_kind Kind, std::uint64_t A, std::uint64_t B = 0, std::uint64_t C = 0>
struct attributed {
  static_assert(A != 0 && (B != 0 || C == 0), "kernel attributes: sizes are at least 1");
  static_assert(Kind == size_kind::work_group || B == 0, "reqd_sub_group_size takes one size");
  static constexpr unsigned space = space_of(Kind, A, B, C);
#ifdef __clang__
  using type = void __attribute__((address_space(space)));
#else
  using type = void;
#endif
  friend constexpr required_sizes tn_required_sizes(space_key<space>) {
    return C != 0   ? required_sizes{Kind, {A, B, C}}
           : B != 0 ? required_sizes{Kind, {1, A, B}}
                    : required_sizes{Kind, {1, 1, A}};
  }
};

template <class Result>
struct space_of_result {
  static constexpr unsigned value = 0;
};
#ifdef __clang__
template <unsigned Space>
struct space_of_result<void __attribute__((address_space(Space)))> {
  static constexpr unsigned value = Space;
};
#endif
template <class Member>
struct member_result {
  using type = void;
};
template <class F, class Result, class... Args>
struct member_result<Result (F::*)(Args...) const> {
  using type = Result;
};

// What a wrapper of the user's function object calls.
template <class F, class = void>
struct user_function {
  using type = F;
};
template <class F>
struct user_function<F, std::void_t<typename F::tn_user_function>> {
  using type = typename F::tn_user_function;
};

template <class F, class Item, class = void>
struct generic_result_with_handler {
  using type = void;
};
template <class F, class Item>
struct generic_result_with_handler<
    F, Item, std::void_t<decltype(&F::template operator()<Item, kernel_handler>)>>
    : member_result<decltype(&F::template operator()<Item, kernel_handler>)> {};
template <class F, class Item, class = void>
struct generic_result : generic_result_with_handler<F, Item> {};
template <class F, class Item>
struct generic_result<F, Item, std::void_t<decltype(&F::template operator()<Item>)>>
    : member_result<decltype(&F::template operator()<Item>)> {};
template <class F, class Item, class = void>
struct result_space : space_of_result<typename generic_result<F, Item>::type> {};
template <class F, class Item>
struct result_space<F, Item, std::void_t<decltype(&F::operator())>>
    : space_of_result<typename member_result<decltype(&F::operator())>::type> {};

}  // namespace sycl::detail

#endif
