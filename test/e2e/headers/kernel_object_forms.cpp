// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms of DPC++ programs: a kernel object with the function that it was made of, comparison of
// properties, clock, feature-test macros, handler::set_arg with the lighter header.
// RUN: %tenonxx -fsycl %s -o %t && %t
// RUN: %tenonxx -fsycl -DCORE %s -o %t && %t
#ifdef CORE
#include <sycl/detail/core.hpp>

template <int Size>
struct sized {
  void operator()(sycl::nd_item<1>) const [[sycl::reqd_work_group_size(Size)]] {}
};
static bool is_refused(sycl::queue &q) {
  try {
    q.parallel_for(sycl::nd_range<1>(4, 4), sized<8>());
  } catch (const sycl::exception &error) {
    return error.code() == sycl::errc::nd_range;
  }
  return false;
}
int main(int argc, char **) {
  sycl::queue q;
  if (argc > 1) {  // only linked
    q.submit([](sycl::handler &h) {
      h.set_arg(0, 5);
      h.set_args(1, 2.0f);
      h.single_task([] {});
    });
  }
  return is_refused(q) ? 0 : 1;
}
#else
#include "Inputs/expect.hpp"

#if !defined(SYCL_EXT_ONEAPI_BFLOAT16) || !defined(SYCL_EXT_ONEAPI_PROPERTIES) ||         \
    !defined(SYCL_EXT_ONEAPI_CLOCK) || !defined(SYCL_EXT_ONEAPI_ASSERT) ||                \
    !defined(SYCL_EXT_ONEAPI_PEER_ACCESS) || !defined(SYCL_EXT_ONEAPI_DISCARD_QUEUE_EVENTS)
#error "a feature-test macro is missing"
#endif

namespace oneapi = sycl::ext::oneapi::experimental;

static_assert(oneapi::sub_group_size<8> == oneapi::sub_group_size<8>);
static_assert(oneapi::sub_group_size<8> != oneapi::sub_group_size<16>);
static_assert(!(oneapi::work_group_size<4> == oneapi::work_group_size<4, 2>));
static_assert(oneapi::device_has<sycl::aspect::cpu> != oneapi::device_has<sycl::aspect::gpu>);

struct number_key {
  template <int Number>
  using value_t = oneapi::property_value<number_key, std::integral_constant<int, Number>::value>;
};
static_assert(number_key::value_t<1>() == number_key::value_t<1>());
static_assert(number_key::value_t<1>() != number_key::value_t<2>());

class one;
class over_range;
class over_groups;

template <class Name>
static sycl::kernel kernel_of(const sycl::queue &q) {
  return sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context())
      .get_kernel(sycl::get_kernel_id<Name>());
}

static void test_kernel_objects(sycl::queue &q) {
  int *out = sycl::malloc_shared<int>(3, q);
  q.submit([&](sycl::handler &h) { h.single_task<one>(kernel_of<one>(q), [=] { out[0] = 1; }); });
  q.submit([&](sycl::handler &h) {
    h.parallel_for<over_range>(kernel_of<over_range>(q), sycl::range<1>(4), [=](sycl::id<1> i) {
      if (i[0] == 3) {
        out[1] = 2;
      }
    });
  });
  q.submit([&](sycl::handler &h) {
    h.parallel_for<over_groups>(kernel_of<over_groups>(q), sycl::nd_range<1>(4, 2),
                                [=](sycl::nd_item<1> item) {
                                  if (item.get_group(0) == 1 && item.get_local_id(0) == 1) {
                                    out[2] = 3;
                                  }
                                });
  });
  q.wait();
  EXPECT(out[0] == 1 && out[1] == 2 && out[2] == 3);
  sycl::free(out, q);
}

template <oneapi::clock_scope Scope>
static void test_clock(sycl::queue &q) {
  constexpr std::size_t count = 64;
  std::uint64_t *times = sycl::malloc_shared<std::uint64_t>(2 * count, q);
  q.parallel_for(sycl::nd_range<1>(count, 16), [=](sycl::nd_item<1> item) {
     const std::size_t i = item.get_global_id(0);
     times[i] = oneapi::clock<Scope>();
     sycl::group_barrier(item.get_group());
     times[count + i] = oneapi::clock<Scope>();
   }).wait();
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT(times[i] != 0 && times[count + i] >= times[i]);
  }
  sycl::free(times, q);
}

int main() {
  sycl::queue q;
  test_kernel_objects(q);
  test_clock<oneapi::clock_scope::sub_group>(q);
  test_clock<oneapi::clock_scope::work_group>(q);
  test_clock<oneapi::clock_scope::device>(q);
  EXPECT(q.get_device().has(sycl::aspect::ext_oneapi_clock_work_group));
  return failures;
}
#endif
