// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms that programs of the DPC++ world use: braces after compound assignment, std::plus in
// reductions, item without offset, stored groups, generic_ptr, bit_cast beside std's.
// RUN: %tenonxx -fsycl %s -o %t && %t
// RUN: %tenonxx -fsycl -std=c++20 %s -o %t && %t
#include "Inputs/expect.hpp"

#include <sycl/sycl.hpp>

#if __cplusplus >= 202002L
#include <bit>
static short bits_of(sycl::half value) {
  using std::bit_cast;
  return bit_cast<short>(value);
}
#endif

static void test_vec() {
  sycl::float4 v{1.5f, -2.5f, 2.6f, -0.5f};
  // automatic is to the nearest even number, as rte.
  const sycl::int4 near = v.convert<int>();
  EXPECT(near[0] == 2 && near[1] == -2 && near[2] == 3 && near[3] == 0);
  const sycl::int4 cut = v.convert<int, sycl::rounding_mode::rtz>();
  EXPECT(cut[0] == 1 && cut[1] == -2 && cut[2] == 2);
  v += {1, 2, 3, 4};
  EXPECT(v[0] == 2.5f && v[3] == 3.5f);
  v.lo() -= {1, 1};
  EXPECT(v[0] == 1.5f && v[1] == -1.5f && v[2] == 5.6f);
  sycl::marray<int, 2> m{1, 2};
  m *= {3, 4};
  EXPECT(m[0] == 3 && m[1] == 8);
  const int three = 3;
  const sycl::vec<float, 1> one{three};
  EXPECT(one[0] == 3.0f);
}

static void test_bit_cast() {
  static_assert(sycl::bit_cast<unsigned>(1.0f) == 0x3f800000u);
  static_assert(sycl::bit_cast<unsigned, float>(1.0f) == 0x3f800000u);
  // With both types named, the argument is converted.
  static_assert(sycl::bit_cast<double, long long>(0x7ff0000000000000ull) > 1.0);
  static_assert(sycl::bit_cast<unsigned, float>(1) == 0x3f800000u);
#if __cplusplus >= 202002L
  EXPECT(bits_of(sycl::half(1.0f)) == 0x3c00);
#endif
}

static void test_reductions(sycl::queue &queue) {
  static_assert(sycl::has_known_identity_v<std::plus<>, int>);
  static_assert(sycl::known_identity_v<std::multiplies<float>, float> == 1.0f);
  static_assert(sycl::known_identity_v<std::bit_and<>, int> == -1);
  static_assert(sycl::known_identity_v<std::bit_or<int>, int> == 0);
  static_assert(sycl::known_identity_v<std::logical_and<>, bool>);
  int sum = 0;
  {
    sycl::buffer<int> to(&sum, 1);
    queue.submit([&](sycl::handler &cgh) {
      cgh.parallel_for(sycl::range<1>(16), sycl::reduction(to, cgh, std::plus<>()),
                       [=](sycl::id<1> i, auto &reducer) {
                         reducer += static_cast<int>(i[0]);
                         reducer.combine(1);
                       });
    });
  }
  EXPECT(sum == 120 + 16);
  int *total = sycl::malloc_shared<int>(2, queue);
  total[0] = total[1] = 0;
  queue
      .parallel_for(sycl::nd_range<1>(16, 4), sycl::reduction(total, std::plus<int>()),
                    sycl::reduction(total + 1, 0, std::bit_or<>()),
                    [=](sycl::nd_item<1> item, auto &sum, auto &bits) {
                      sum += sycl::reduce_over_group(item.get_group(), 1, std::plus<>());
                      bits |= 1 << item.get_global_id(0);
                    })
      .wait();
  EXPECT(total[0] == 64 && total[1] == 0xffff);
  sycl::free(total, queue);
}

static void test_items(sycl::queue &queue) {
  int *places = sycl::malloc_shared<int>(12, queue);
  queue
      .parallel_for(sycl::range<2>(3, 4),
                    [=](sycl::item<2, false> item) {
                      places[item.get_linear_id()] = static_cast<int>(item[0] * 10 + item[1]);
                    })
      .wait();
  EXPECT(places[0] == 0 && places[11] == 23);
  sycl::free(places, queue);
}

// A group that a kernel stores is that group still on the host.
static void test_stored_groups(sycl::queue &queue) {
  using group = sycl::group<2>;
  auto *groups = static_cast<group *>(sycl::malloc_shared(4 * sizeof(group), queue));
  int *are_right = sycl::malloc_shared<int>(2, queue);
  queue
      .parallel_for(sycl::nd_range<2>({4, 6}, {2, 3}),
                    [=](sycl::nd_item<2> item) {
                      if (item.get_local_linear_id() == 0) {
                        groups[item.get_group_linear_id()] = item.get_group();
                      }
                    })
      .wait();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT(groups[i].get_group_id() == sycl::id<2>(i / 2, i % 2));
    EXPECT(groups[i].get_group_linear_id() == i);
    EXPECT(groups[i].get_local_range() == sycl::range<2>(2, 3));
    EXPECT(groups[i].get_group_range() == sycl::range<2>(2, 2));
    EXPECT((groups[i] == groups[1]) == (i == 1));
  }
  queue
      .parallel_for(sycl::nd_range<2>({4, 6}, {2, 3}),
                    [=](sycl::nd_item<2> item) {
                      if (item.get_group_linear_id() == 2 && item.get_local_linear_id() == 1) {
                        are_right[0] = groups[2] == item.get_group();
                        are_right[1] = groups[1] != item.get_group();
                      }
                    })
      .wait();
  EXPECT(are_right[0] == 1 && are_right[1] == 1);
  sycl::free(are_right, queue);
  sycl::free(groups, queue);
}

static void test_pointers() {
  int number = 1;
  const sycl::raw_generic_ptr<int> raw(&number);
  const sycl::generic_ptr<int> legacy = raw;
  const sycl::decorated_generic_ptr<int> decorated = raw;
  EXPECT(*raw == 1 && *legacy == 1 && *decorated == 1);
}

int main() {
  sycl::queue queue;
  test_vec();
  test_bit_cast();
  test_reductions(queue);
  test_items(queue);
  test_stored_groups(queue);
  test_pointers();
  return failures;
}
