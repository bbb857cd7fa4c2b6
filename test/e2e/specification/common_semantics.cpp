// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies are the object, moves replace it, equal objects have equal hashes, and the operators are
// hidden friends. Source: SYCL 2020 sections 4.5.2, 4.5.3.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <functional>
#include <type_traits>
#include <utility>

template <class T>
constexpr bool copies_and_moves =
    std::is_copy_constructible_v<T> && std::is_copy_assignable_v<T> &&
    std::is_move_constructible_v<T> && std::is_move_assignable_v<T> && std::is_destructible_v<T>;
template <class T, class = void>
constexpr bool has_hash = false;
template <class T>
constexpr bool has_hash<T, std::enable_if_t<std::is_same_v<
                               decltype(std::hash<T>()(std::declval<const T &>())), std::size_t>>> =
    true;
template <class T>
constexpr bool compares =
    std::is_same_v<decltype(std::declval<const T &>() == std::declval<const T &>()), bool> &&
    std::is_same_v<decltype(std::declval<const T &>() != std::declval<const T &>()), bool>;
template <class T>
constexpr bool is_reference = copies_and_moves<T> && compares<T> && has_hash<T>;
template <class T>
constexpr bool is_value = copies_and_moves<T> && compares<T>;

using executable = sycl::kernel_bundle<sycl::bundle_state::executable>;
using device_image = sycl::device_image<sycl::bundle_state::executable>;
static_assert(is_reference<sycl::accessor<int>> && is_reference<sycl::buffer<int>> &&
              is_reference<sycl::context> && is_reference<sycl::device> &&
              is_reference<device_image> && is_reference<sycl::event> &&
              is_reference<sycl::host_accessor<int>> && is_reference<sycl::kernel> &&
              is_reference<sycl::kernel_id> && is_reference<executable> &&
              is_reference<sycl::local_accessor<int>> && is_reference<sycl::platform> &&
              is_reference<sycl::queue> && is_reference<sycl::stream>);
static_assert(
    is_reference<sycl::sampled_image<>> && is_reference<sycl::unsampled_image<>> &&
    is_reference<sycl::sampled_image_accessor<sycl::float4, 1>> &&
    is_reference<sycl::unsampled_image_accessor<sycl::float4, 1, sycl::access_mode::read>> &&
    is_reference<sycl::host_sampled_image_accessor<sycl::float4, 1>> &&
    is_reference<sycl::host_unsampled_image_accessor<sycl::float4, 1>>);
static_assert(is_value<sycl::id<2>> && is_value<sycl::range<2>> && is_value<sycl::item<2>> &&
              is_value<sycl::nd_item<2>> && is_value<sycl::h_item<2>> && is_value<sycl::group<2>> &&
              is_value<sycl::sub_group> && is_value<sycl::nd_range<2>>);
static_assert(std::is_copy_constructible_v<sycl::exception>);

// Operators are not found for a type that only converts.
template <class C, class = void>
constexpr bool are_hidden = true;
template <class C>
constexpr bool are_hidden<C, std::void_t<decltype(std::declval<C>() == std::declval<C>())>> = false;
struct to_queue {
  operator sycl::queue() const;
};
struct to_device {
  operator sycl::device() const;
};
struct to_event {
  operator sycl::event() const;
};
struct to_context {
  operator sycl::context() const;
};
struct to_platform {
  operator sycl::platform() const;
};
struct to_buffer {
  operator sycl::buffer<int>() const;
};
struct to_kernel_id {
  operator sycl::kernel_id() const;
};
struct to_id {
  operator sycl::id<2>() const;
};
struct to_range {
  operator sycl::range<2>() const;
};
static_assert(are_hidden<to_queue> && are_hidden<to_device> && are_hidden<to_event> &&
              are_hidden<to_context> && are_hidden<to_platform> && are_hidden<to_buffer> &&
              are_hidden<to_kernel_id> && are_hidden<to_id> && are_hidden<to_range>);

// `one` and `other` are not copies of each other.
template <class T>
static void check(const T &one, const T &other) {
  const std::hash<T> hash;
  T copy = one;
  EXPECT(copy == one && one == copy && one == one && !(copy != one));
  EXPECT(hash(copy) == hash(one));
  EXPECT(one != other && other != one && !(one == other));
  EXPECT(hash(one) != hash(other));
  T moved = std::move(copy);
  EXPECT(moved == one && hash(moved) == hash(one));
  copy = other;
  EXPECT(copy == other && copy != one);
  copy = std::move(moved);
  EXPECT(copy == one);
}

int main() {
  const sycl::device device;
  const sycl::context first(device), second(device);
  const sycl::queue q(first, device), r(first, device);
  check(first, second);
  check(q, r);
  check(sycl::queue(q).submit([](sycl::handler &h) { h.single_task([=] {}); }),
        sycl::queue(q).submit([](sycl::handler &h) { h.single_task([=] {}); }));
  check(sycl::event(), sycl::event());
  sycl::buffer<int> b(4), c(4);
  check(b, c);
  check(sycl::host_accessor(b), sycl::host_accessor(c));
  check(sycl::accessor(b), sycl::accessor(c));
  check(sycl::unsampled_image<1>(sycl::image_format::r32g32b32a32_sfloat, sycl::range<1>(4)),
        sycl::unsampled_image<1>(sycl::image_format::r32g32b32a32_sfloat, sycl::range<1>(4)));
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(first);
  const auto other = sycl::get_kernel_bundle<sycl::bundle_state::executable>(second);
  check(bundle, other);
  EXPECT(sycl::queue(q).get_device() == device && q.get_context() == first);
  EXPECT(device.get_platform() == sycl::platform(device.get_platform()));

  // What a copy does is done to the object.
  sycl::buffer<int> same = b;
  sycl::queue(q).submit([&](sycl::handler &h) {
    sycl::accessor a(same, h, sycl::write_only);
    h.parallel_for(4, [=](sycl::id<1> i) { a[i] = static_cast<int>(i) + 1; });
  });
  EXPECT(sycl::host_accessor(b)[3] == 4);

  // Only the last copy of a buffer writes back.
  int values[4] = {0, 0, 0, 0};
  {
    sycl::buffer<int> keeper(values, 4);
    {
      sycl::buffer<int> gone = keeper;
      sycl::queue(q).submit([&](sycl::handler &h) {
        sycl::accessor a(gone, h, sycl::write_only);
        h.parallel_for(4, [=](sycl::id<1> i) { a[i] = 5; });
      });
    }
    sycl::host_accessor a(keeper);
    a[0] = 6;
  }
  EXPECT(values[0] == 6 && values[3] == 5);
  return failures != 0;
}
