// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Properties: traits, has_property and get_property of each class that has them, errors.
// Source: SYCL 2020 section 4.5.4.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <mutex>
#include <type_traits>
#include <utility>

namespace property = sycl::property;

template <class Property, class... Classes>
constexpr bool belongs_to =
    std::is_base_of_v<std::true_type, sycl::is_property<Property>> &&
    sycl::is_property_v<Property> && (sycl::is_property_of_v<Property, Classes> && ...) &&
    (std::is_base_of_v<std::true_type, sycl::is_property_of<Property, Classes>> && ...) &&
    !sycl::is_property_of_v<Property, int>;

using buffer = sycl::buffer<int>;
static_assert(belongs_to<property::queue::in_order, sycl::queue>);
static_assert(belongs_to<property::queue::enable_profiling, sycl::queue>);
static_assert(belongs_to<property::buffer::use_host_ptr, buffer, sycl::buffer<float, 3>>);
static_assert(belongs_to<property::buffer::use_mutex, buffer>);
static_assert(belongs_to<property::buffer::context_bound, buffer>);
static_assert(
    belongs_to<property::image::use_host_ptr, sycl::unsampled_image<2>, sycl::sampled_image<1>>);
static_assert(
    belongs_to<property::image::use_mutex, sycl::unsampled_image<2>, sycl::sampled_image<1>>);
static_assert(
    belongs_to<property::image::context_bound, sycl::unsampled_image<2>, sycl::sampled_image<1>>);
static_assert(belongs_to<property::no_init, sycl::accessor<int>, sycl::host_accessor<int>>);
static_assert(sycl::is_property_v<property::reduction::initialize_to_identity>);
static_assert(!sycl::is_property_v<int> && !sycl::is_property_v<sycl::queue> &&
              std::is_base_of_v<std::false_type, sycl::is_property<int>>);
static_assert(!sycl::is_property_of_v<property::queue::in_order, buffer> &&
              !sycl::is_property_of_v<property::no_init, sycl::queue>);
static_assert(std::is_constructible_v<sycl::property_list> &&
              std::is_constructible_v<sycl::property_list, property::queue::in_order,
                                      property::queue::enable_profiling> &&
              !std::is_constructible_v<sycl::property_list, int> &&
              !std::is_constructible_v<sycl::property_list, property::no_init, int>);

// `has` was given to the object, `lacks` was not.
template <class Has, class Lacks, class T>
static void check(const T &object) {
  static_assert(noexcept(object.template has_property<Has>()));
  EXPECT(object.template has_property<Has>());
  EXPECT(!object.template has_property<Lacks>());
  (void)object.template get_property<Has>();
  static_assert(std::is_same_v<decltype(object.template get_property<Has>()), Has>);
  EXPECT_ERRC(invalid, (void)object.template get_property<Lacks>());
}

int main() {
  const sycl::device device;
  const sycl::context context(device);
  check<property::queue::in_order, property::queue::enable_profiling>(
      sycl::queue(device, property::queue::in_order()));
  check<property::queue::enable_profiling, property::queue::in_order>(
      sycl::queue(context, device, {property::queue::enable_profiling()}));

  std::mutex mutex;
  int values[16] = {};
  check<property::buffer::use_host_ptr, property::buffer::use_mutex>(
      buffer(values, 4, {property::buffer::use_host_ptr()}));
  const buffer with_mutex(values, 4, {property::buffer::use_mutex(mutex)});
  check<property::buffer::use_mutex, property::buffer::context_bound>(with_mutex);
  EXPECT(with_mutex.get_property<property::buffer::use_mutex>().get_mutex_ptr() == &mutex);
  const buffer bound(4, {property::buffer::context_bound(context)});
  check<property::buffer::context_bound, property::buffer::use_mutex>(bound);
  EXPECT(bound.get_property<property::buffer::context_bound>().get_context() == context);

  constexpr auto format = sycl::image_format::r32b32g32a32_sint;
  check<property::image::use_host_ptr, property::image::use_mutex>(sycl::unsampled_image<1>(
      values, format, sycl::range<1>(4), {property::image::use_host_ptr()}));
  const sycl::unsampled_image<1> image(values, format, sycl::range<1>(4),
                                       {property::image::use_mutex(mutex)});
  check<property::image::use_mutex, property::image::use_host_ptr>(image);
  EXPECT(image.get_property<property::image::use_mutex>().get_mutex_ptr() == &mutex);
  const sycl::unsampled_image<1> image_of(format, sycl::range<1>(4),
                                          {property::image::context_bound(context)});
  EXPECT(image_of.get_property<property::image::context_bound>().get_context() == context);

  const sycl::property_list none;
  EXPECT(!sycl::queue(device, none).has_property<property::queue::in_order>());
  EXPECT(!context.has_property<property::queue::in_order>());
  EXPECT_ERRC(invalid, (void)context.get_property<property::queue::in_order>());

  // Constructors with a list that is made in place, and several properties.
  sycl::queue both{device, {property::queue::enable_profiling(), property::queue::in_order()}};
  EXPECT(both.is_in_order() && both.has_property<property::queue::enable_profiling>());
  EXPECT(!sycl::queue(device).is_in_order());

  buffer plain(4);
  both.submit([&](sycl::handler &h) {
    sycl::accessor a(plain, h, sycl::write_only, sycl::no_init);
    sycl::stream out(64, 16, h);
    EXPECT(!out.has_property<property::no_init>());
    h.parallel_for(4, [=](sycl::id<1> i) { a[i] = 0; });
  });
  // Read-only accessors start from what is there.
  EXPECT_ERRC(invalid, sycl::host_accessor(plain, sycl::read_only, sycl::no_init));
  both.submit([&](sycl::handler &h) {
    EXPECT_ERRC(invalid, sycl::accessor(plain, h, sycl::read_only, sycl::no_init));
  });
  return failures != 0;
}
