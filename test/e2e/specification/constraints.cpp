// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that are available only for some arguments take no part in overload resolution for
// others. Source: SYCL 2020 sections 4.6 to 4.9, 4.14.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -fsyntax-only %s
#include <sycl/sycl.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#define DETECT(name, ...)                   \
  template <class T, class P, class = void> \
  constexpr bool name = false;              \
  template <class T, class P>               \
  constexpr bool name<T, P, std::void_t<decltype(__VA_ARGS__)>> = true;

// Information queries are for descriptors of the class.
DETECT(has_info, std::declval<T &>().template get_info<P>())
DETECT(has_device_info,
       std::declval<T &>().template get_info<P>(std::declval<const sycl::device &>()))
DETECT(has_profiling_info, std::declval<T &>().template get_profiling_info<P>())
namespace info = sycl::info;
static_assert(has_info<sycl::platform, info::platform::name> &&
              !has_info<sycl::platform, info::device::name> && !has_info<sycl::platform, int>);
static_assert(has_info<sycl::device, info::device::name> &&
              has_info<sycl::device, info::device::max_work_item_sizes<2>> &&
              !has_info<sycl::device, info::platform::name> && !has_info<sycl::device, int>);
static_assert(has_info<sycl::context, info::context::devices> &&
              !has_info<sycl::context, info::queue::device> && !has_info<sycl::context, int>);
static_assert(has_info<sycl::queue, info::queue::device> &&
              !has_info<sycl::queue, info::context::devices> && !has_info<sycl::queue, int>);
static_assert(has_info<sycl::event, info::event::command_execution_status> &&
              !has_info<sycl::event, info::event_profiling::command_end> &&
              !has_info<sycl::event, int>);
static_assert(has_profiling_info<sycl::event, info::event_profiling::command_end> &&
              !has_profiling_info<sycl::event, info::event::command_execution_status>);
static_assert(has_info<sycl::kernel, info::kernel::num_args> &&
              !has_info<sycl::kernel, info::device::name> &&
              !has_info<sycl::kernel, info::kernel_device_specific::work_group_size>);
static_assert(has_device_info<sycl::kernel, info::kernel_device_specific::work_group_size> &&
              !has_device_info<sycl::kernel, info::kernel::num_args>);

// Device selectors are called with a device and give an int.
struct selector {
  int operator()(const sycl::device &) const { return 0; }
};
struct not_selector {
  int operator()(const sycl::queue &) const { return 0; }
};
static_assert(std::is_constructible_v<sycl::device, selector> &&
              std::is_constructible_v<sycl::platform, selector> &&
              std::is_constructible_v<sycl::queue, selector> &&
              std::is_constructible_v<sycl::queue, sycl::context, selector> &&
              std::is_constructible_v<sycl::queue, int (*)(const sycl::device &)>);
static_assert(!std::is_constructible_v<sycl::device, not_selector> &&
              !std::is_constructible_v<sycl::platform, not_selector> &&
              !std::is_constructible_v<sycl::queue, not_selector> &&
              !std::is_constructible_v<sycl::queue, sycl::context, not_selector> &&
              !std::is_constructible_v<sycl::device, int> &&
              !std::is_constructible_v<sycl::queue, std::string>);

// Buffers of containers and iterators.
struct not_container {
  int *data;
};
static_assert(std::is_constructible_v<sycl::buffer<int>, std::vector<int> &> &&
              std::is_constructible_v<sycl::buffer<int>, const std::vector<int> &> &&
              !std::is_constructible_v<sycl::buffer<int>, std::vector<float> &> &&
              !std::is_constructible_v<sycl::buffer<int, 2>, std::vector<int> &> &&
              !std::is_constructible_v<sycl::buffer<int>, not_container &>);
template <class T, int D, class To, int ToD, class = void>
constexpr bool reinterprets = false;
template <class T, int D, class To, int ToD>
constexpr bool reinterprets<
    T, D, To, ToD,
    std::void_t<decltype(std::declval<sycl::buffer<T, D> &>().template reinterpret<To, ToD>())>> =
    true;
static_assert(reinterprets<int, 1, char, 1> && reinterprets<int, 3, float, 3> &&
              reinterprets<int, 3, char, 1> && !reinterprets<int, 2, char, 2> &&
              !reinterprets<int, 1, int, 2>);

// Numbers of dimensions.
using size = std::size_t;
template <int D>
using id = sycl::id<D>;
template <int D>
using range = sycl::range<D>;
static_assert(std::is_constructible_v<id<1>, size> && !std::is_constructible_v<id<1>, size, size> &&
              !std::is_constructible_v<id<2>, size> && std::is_constructible_v<id<2>, size, size> &&
              std::is_constructible_v<id<3>, size, size, size> &&
              !std::is_constructible_v<id<3>, size, size> && std::is_constructible_v<id<3>>);
static_assert(std::is_constructible_v<range<1>, size> && !std::is_constructible_v<range<2>, size> &&
              !std::is_constructible_v<range<3>, size, size> && std::is_constructible_v<range<3>>);
static_assert(std::is_convertible_v<id<1>, size> && !std::is_convertible_v<id<2>, size>);
static_assert(std::is_convertible_v<range<2>, id<2>> && !std::is_convertible_v<range<2>, id<1>> &&
              std::is_convertible_v<sycl::item<2>, id<2>>);
template <class T>
using offset_of = decltype(std::declval<const T &>().get_offset());
DETECT(has_offset, std::declval<offset_of<T>>(), std::declval<P>())
static_assert(has_offset<sycl::item<1, true>, int> && !has_offset<sycl::item<1, false>, int>);
static_assert(std::is_convertible_v<sycl::item<2, false>, sycl::item<2, true>>);
DETECT(adds, std::declval<T>() + std::declval<P>())
static_assert(adds<id<2>, id<2>> && adds<id<2>, int> && adds<int, id<2>> && !adds<id<2>, float> &&
              !adds<id<2>, id<3>> && adds<range<3>, size> && !adds<range<2>, double>);

// Bundles of a state.
template <sycl::bundle_state State>
using bundle = sycl::kernel_bundle<State>;
DETECT(gets_kernel, std::declval<T &>().get_kernel(std::declval<P>()))
DETECT(sets_constant, std::declval<T &>().template set_specialization_constant<P::constant>(1))
struct with_constant {
  static constexpr sycl::specialization_id<int> constant{1};
};
constexpr auto input = sycl::bundle_state::input;
constexpr auto executable = sycl::bundle_state::executable;
static_assert(gets_kernel<bundle<executable>, sycl::kernel_id> &&
              !gets_kernel<bundle<input>, sycl::kernel_id> &&
              sets_constant<bundle<input>, with_constant> &&
              !sets_constant<bundle<executable>, with_constant>);
static_assert(!std::is_default_constructible_v<bundle<input>> &&
              !std::is_default_constructible_v<sycl::kernel_id> &&
              !std::is_default_constructible_v<sycl::kernel> &&
              !std::is_default_constructible_v<sycl::interop_handle> &&
              !std::is_default_constructible_v<sycl::handler> &&
              !std::is_copy_constructible_v<sycl::handler> &&
              !std::is_move_assignable_v<sycl::handler>);
using constant = sycl::specialization_id<int>;
static_assert(!std::is_copy_constructible_v<constant> && !std::is_move_constructible_v<constant> &&
              !std::is_copy_assignable_v<constant> && !std::is_move_assignable_v<constant> &&
              std::is_constructible_v<constant, int> && !std::is_convertible_v<int, constant>);

// Vectors and arrays.
DETECT(remainder_of, std::declval<T>() % std::declval<P>())
DETECT(complement_of, ~std::declval<T>(), std::declval<P>())
DETECT(increments, ++std::declval<T &>(), std::declval<P>())
template <class T>
using vec = sycl::vec<T, 4>;
template <class T>
using marray = sycl::marray<T, 4>;
static_assert(remainder_of<vec<int>, vec<int>> && remainder_of<vec<int>, int> &&
              !remainder_of<vec<float>, vec<float>> && !remainder_of<vec<float>, float> &&
              remainder_of<marray<int>, int> && !remainder_of<marray<float>, marray<float>> &&
              !remainder_of<marray<sycl::half>, sycl::half>);
static_assert(complement_of<vec<int>, int> && complement_of<vec<std::byte>, int> &&
              !complement_of<vec<float>, int> && complement_of<marray<int>, int> &&
              !complement_of<marray<double>, int>);
static_assert(increments<vec<float>, int> && !increments<vec<bool>, int> &&
              !increments<vec<std::byte>, int>);
static_assert(!std::is_convertible_v<int, vec<int>> && std::is_constructible_v<vec<int>, int> &&
              std::is_convertible_v<int, sycl::vec<int, 1>> &&
              std::is_convertible_v<sycl::vec<int, 1>, int> &&
              !std::is_convertible_v<vec<int>, int> &&
              !std::is_convertible_v<int, sycl::marray<int, 4>> &&
              std::is_convertible_v<sycl::marray<int, 1>, int>);
static_assert(!std::is_constructible_v<vec<int>, int, int, int> &&
              !std::is_constructible_v<vec<int>, int, int, int, int, int> &&
              std::is_constructible_v<vec<int>, sycl::vec<int, 2>, int, int> &&
              !std::is_constructible_v<marray<int>, int, int, int>);
