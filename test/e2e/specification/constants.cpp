// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is constexpr: objects of constants, sizes, static members, tags. check_synopses.py cannot
// tell it of functions. Source: SYCL 2020 sections 4.7.6, 4.9.1, 4.9.5, 4.14.2, 4.14.3.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -fsyntax-only %s
#include <sycl/sycl.hpp>

#include <cstddef>
#include <type_traits>

inline constexpr sycl::vec<int, 4> vec(1, 2, 3, 4), same(5), copy = vec;
inline constexpr sycl::vec<int, 4> pieces(sycl::vec<int, 2>(1, 2), 3, 4);
inline constexpr sycl::vec<float, 1> single(2.0f);
static_assert(vec.size() == 4 && vec.byte_size() == 16 && sycl::vec<int, 3>::byte_size() == 16 &&
              sycl::vec<short, 8>::size() == 8 && noexcept(vec.size()) &&
              noexcept(vec.byte_size()));
inline constexpr sycl::marray<int, 3> marray(1, 2, 3),
    all(7), copied = marray, moved = sycl::marray<int, 3>(4, 5, 6);
static_assert(marray.size() == 3 && noexcept(marray.size()) && marray[2] == 3 && all[0] == 7 &&
              copied[1] == 2 && moved[0] == 4);
inline constexpr sycl::specialization_id<float> constant(1.5f);
struct pair {
  int a;
  float b;
  constexpr pair(int first, float second) : a(first), b(second) {}
};
inline constexpr sycl::specialization_id<pair> of_pair(1, 2.0f);
static_assert(std::is_same_v<decltype(of_pair)::value_type, pair>);

static_assert(sycl::id<2>::dimensions == 2 && sycl::range<3>::dimensions == 3 &&
              sycl::nd_range<1>::dimensions == 1 && sycl::item<2>::dimensions == 2 &&
              sycl::nd_item<3>::dimensions == 3 && sycl::h_item<2>::dimensions == 2 &&
              sycl::group<2>::dimensions == 2 && sycl::sub_group::dimensions == 1);
static_assert(sycl::group<1>::fence_scope == sycl::memory_scope::work_group &&
              sycl::sub_group::fence_scope == sycl::memory_scope::sub_group);
static_assert(sycl::elem::x == 0 && sycl::elem::a == 3 && sycl::elem::sF == 15);
static_assert(sycl::is_group_v<sycl::group<1>> && sycl::is_group_v<sycl::sub_group> &&
              !sycl::is_group_v<int>);
static_assert(sycl::known_identity_v<sycl::plus<>, int> == 0 &&
              sycl::known_identity_v<sycl::multiplies<int>, int> == 1 &&
              !sycl::has_known_identity_v<sycl::plus<>, pair>);
static_assert(sycl::atomic_ref<int, sycl::memory_order::acq_rel,
                               sycl::memory_scope::device>::default_read_order ==
                  sycl::memory_order::acquire &&
              sycl::atomic_ref<int, sycl::memory_order::acq_rel,
                               sycl::memory_scope::device>::default_write_order ==
                  sycl::memory_order::release &&
              sycl::atomic_ref<int, sycl::memory_order::relaxed,
                               sycl::memory_scope::work_group>::default_scope ==
                  sycl::memory_scope::work_group);
static_assert(sycl::is_device_copyable_v<pair> && sycl::is_device_copyable_v<int> &&
              !sycl::is_device_copyable_v<sycl::queue>);

// Tags and properties are constants of distinct types.
template <class... T>
constexpr bool are_distinct = true;
template <class T, class... Rest>
constexpr bool are_distinct<T, Rest...> =
    (!std::is_same_v<T, Rest> && ...) && are_distinct<Rest...>;
static_assert(
    are_distinct<decltype(sycl::read_only), decltype(sycl::write_only), decltype(sycl::read_write),
                 decltype(sycl::read_only_host_task), decltype(sycl::write_only_host_task),
                 decltype(sycl::read_write_host_task), decltype(sycl::no_init)>);
inline constexpr auto tag = sycl::read_only;
inline constexpr auto property = sycl::no_init;
static_assert(std::is_same_v<decltype(property), const sycl::property::no_init>);
