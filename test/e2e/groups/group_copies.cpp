// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// async_work_group_copy of elements of 1 to 128 bytes, aligned and not, to local memory and back,
// side by side and with strides, by groups that are larger and smaller than what they copy; also
// the bytes of an element that are no member's.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <cstdint>
#include <cstring>

struct packed {
  std::uint8_t a[7];
};
struct mixed {
  std::int16_t a;
  std::int32_t b;
  std::int64_t c[3];
};

template <class T>
void fill(T *data, std::size_t count, unsigned seed) {
  auto *bytes = reinterpret_cast<unsigned char *>(data);
  for (std::size_t i = 0; i < count * sizeof(T); ++i) {
    bytes[i] = static_cast<unsigned char>(i * 7 + i / 251 + seed);
  }
}

constexpr auto yes = sycl::access::decorated::yes;
template <class T>
auto global_pointer(T *p) {
  return sycl::address_space_cast<sycl::access::address_space::global_space, yes>(p);
}

template <class T>
void check(sycl::queue &q, const char *type, std::size_t count, std::size_t stride,
           std::size_t size) {
  const std::size_t groups = 2;
  const std::size_t all = groups * count * stride;
  T *in = sycl::malloc_shared<T>(all, q);
  T *out = sycl::malloc_shared<T>(all, q);
  fill(in, all, 1);
  fill(out, all, 2);
  T *before = new T[all];
  std::memcpy(static_cast<void *>(before), out, all * sizeof(T));
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<T, 1> local(count, h);
     h.parallel_for(sycl::nd_range<1>(groups * size, size), [=](sycl::nd_item<1> item) {
       const std::size_t first = item.get_group_linear_id() * count * stride;
       const auto kept = local.template get_multi_ptr<yes>();
       if (stride == 1) {
         item.wait_for(item.async_work_group_copy(kept, global_pointer(in + first), count));
         item.wait_for(item.async_work_group_copy(global_pointer(out + first), kept, count));
       } else {
         item.wait_for(item.async_work_group_copy(kept, global_pointer(in + first), count, stride));
         item.wait_for(
             item.async_work_group_copy(global_pointer(out + first), kept, count, stride));
       }
     });
   }).wait();
  bool good = true;
  for (std::size_t i = 0; i < all; ++i) {
    const T *expected = i % stride == 0 ? in + i : before + i;
    good = good && std::memcmp(static_cast<void *>(out + i), expected, sizeof(T)) == 0;
  }
  EXPECT(good);
  if (!good) {
    std::printf("  %s: %zu elements, stride %zu, groups of %zu\n", type, count, stride, size);
  }
  delete[] before;
  sycl::free(in, q);
  sycl::free(out, q);
}

template <class T>
void check_all(sycl::queue &q, const char *type) {
  for (std::size_t count : {1, 10, 96}) {
    for (std::size_t stride : {1, 3}) {
      check<T>(q, type, count, stride, 32);
      check<T>(q, type, count, stride, 13);
    }
  }
}
#define CHECK_ALL(...) check_all<__VA_ARGS__>(q, #__VA_ARGS__)

int main() {
  sycl::queue q;
  CHECK_ALL(char);
  CHECK_ALL(std::uint64_t);
  CHECK_ALL(packed);
  CHECK_ALL(mixed);
  CHECK_ALL(sycl::vec<std::int8_t, 16>);
  CHECK_ALL(sycl::vec<int, 3>);
  CHECK_ALL(sycl::vec<std::int64_t, 16>);
  CHECK_ALL(sycl::marray<std::uint16_t, 5>);
  return failures;
}
