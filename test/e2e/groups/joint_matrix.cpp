// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// joint_matrix: products of several types, sizes and layouts against a reference, elements of
// work-items with and without their places, copies, the query.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <sycl/sycl.hpp>

#include <cmath>

constexpr std::size_t lanes = 32;
namespace mx = sycl::ext::oneapi::experimental::matrix;
using sycl::ext::oneapi::bfloat16;

template <class T>
static auto global(T *p) {
  return sycl::address_space_cast<sycl::access::address_space::global_space,
                                  sycl::access::decorated::no>(p);
}
template <class T>
using element = typename std::conditional_t<std::is_same_v<T, mx::precision::tf32>,
                                            std::common_type<float>, std::common_type<T>>::type;

static std::size_t place(std::size_t row, std::size_t column, std::size_t stride, mx::layout layout,
                         std::size_t together) {
  return layout == mx::layout::row_major   ? row * stride + column
         : layout == mx::layout::col_major ? column * stride + row
                                           : row / together * stride + column * together +
                                                 row % together;
}

// D = 2 * (A * B + C) of two sub-groups, each with rows of its own.
template <class Ta, class Tb, class Tc, std::size_t M, std::size_t N, std::size_t K,
          mx::layout LayoutA, mx::layout LayoutB, mx::layout LayoutC>
static void multiply(sycl::queue &q, const char *what) {
  constexpr std::size_t groups = 2, space = 4096;
  constexpr std::size_t together = sizeof(element<Tb>) < 4 ? 4 / sizeof(element<Tb>) : 1;
  constexpr std::size_t stride_a = (LayoutA == mx::layout::row_major ? K : M) + 3;
  constexpr std::size_t stride_b = LayoutB == mx::layout::row_major   ? N + 1
                                   : LayoutB == mx::layout::col_major ? K + 1
                                                                      : N * together;
  constexpr std::size_t stride_c = (LayoutC == mx::layout::row_major ? N : M) + 2;
  auto *a = sycl::malloc_shared<element<Ta>>(groups * space, q);
  auto *b = sycl::malloc_shared<element<Tb>>(space, q);
  auto *c = sycl::malloc_shared<element<Tc>>(groups * space, q);
  auto *d = sycl::malloc_shared<element<Tc>>(groups * space, q);
  for (std::size_t i = 0; i < groups * space; ++i) {
    a[i] = static_cast<element<Ta>>(static_cast<float>(i * 7 % 11));
    c[i] = static_cast<element<Tc>>(static_cast<float>(i * 5 % 13));
    d[i] = static_cast<element<Tc>>(0.0f);
  }
  for (std::size_t i = 0; i < space; ++i) {
    b[i] = static_cast<element<Tb>>(static_cast<float>(i * 3 % 7));
  }
  q.parallel_for(sycl::nd_range<1>(groups * lanes, lanes), [=](sycl::nd_item<1> item)
                     [[sycl::reqd_sub_group_size(lanes)]] {
    const sycl::sub_group sg = item.get_sub_group();
    const std::size_t from = item.get_group(0) * space;
    mx::joint_matrix<sycl::sub_group, Ta, mx::use::a, M, K, LayoutA> ma;
    mx::joint_matrix<sycl::sub_group, Tb, mx::use::b, K, N, LayoutB> mb;
    mx::joint_matrix<sycl::sub_group, Tc, mx::use::accumulator, M, N> mc, copy;
    joint_matrix_load(sg, ma, global(a + from), stride_a);
    joint_matrix_load(sg, mb, global(b), stride_b);
    joint_matrix_load(sg, mc, global(c + from), stride_c, LayoutC);
    joint_matrix_mad(sg, mc, ma, mb, mc);
    joint_matrix_copy(sg, mc, copy);
    joint_matrix_apply(sg, mc, copy, [](element<Tc> &x, element<Tc> &y) { x = x + y; });
    joint_matrix_store(sg, mc, global(d + from), stride_c, LayoutC);
  });
  q.wait_and_throw();
  const int before = failures;
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t m = 0; m < M; ++m) {
      for (std::size_t n = 0; n < N; ++n) {
        const std::size_t at = g * space + place(m, n, stride_c, LayoutC, 1);
        double sum = static_cast<double>(c[at]);
        for (std::size_t k = 0; k < K; ++k) {
          sum += static_cast<double>(a[g * space + place(m, k, stride_a, LayoutA, 1)]) *
                 static_cast<double>(b[place(k, n, stride_b, LayoutB, together)]);
        }
        EXPECT(static_cast<double>(d[at]) == 2 * sum);
      }
    }
  }
  if (failures != before) {
    std::printf("%s\n", what);
  }
  sycl::free(a, q);
  sycl::free(b, q);
  sycl::free(c, q);
  sycl::free(d, q);
}

// Each element is in one work-item; its place and its part are known.
static void parts(sycl::queue &q) {
  constexpr std::size_t rows = 6, columns = 10;
  int *out = sycl::malloc_shared<int>(rows * columns, q);
  int *turned = sycl::malloc_shared<int>(rows * columns, q);
  int *count = sycl::malloc_shared<int>(2, q);
  count[0] = count[1] = 0;
  q.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> item)
                     [[sycl::reqd_sub_group_size(32)]] {
    const sycl::sub_group sg = item.get_sub_group();
    mx::joint_matrix<sycl::sub_group, int, mx::use::b, rows, columns, mx::layout::row_major> b;
    mx::joint_matrix<sycl::sub_group, int, mx::use::a, rows, columns, mx::layout::col_major> a;
    joint_matrix_fill(sg, b, 1);
    int mine = 0;
    sycl::ext::intel::experimental::matrix::joint_matrix_apply(
        sg, b, [&](int &x, std::size_t row, std::size_t column) {
          x += static_cast<int>(100 * row + column);
          ++mine;
        });
    auto part = sycl::ext::oneapi::detail::get_wi_data(sg, b);
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(count[0]) +=
        mine;
    sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(count[1]) +=
        static_cast<int>(part.length());
    for (std::size_t i = 0; i < part.length(); ++i) {
      part[i] = -part[i];
    }
    joint_matrix_copy(sg, b, a);
    sycl::ext::intel::experimental::matrix::joint_matrix_store(sg, b, global(out), columns);
    sycl::ext::intel::experimental::matrix::joint_matrix_store(sg, a, global(turned), rows);
  });
  q.wait_and_throw();
  EXPECT(count[0] == rows * columns && count[1] == rows * columns);
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      const int expected = -static_cast<int>(100 * r + c + 1);
      EXPECT(out[r * columns + c] == expected && turned[c * rows + r] == expected);
    }
  }
  sycl::free(out, q);
  sycl::free(turned, q);
  sycl::free(count, q);
}

int main() {
  sycl::queue q;
  if (!has_sub_groups_of(q.get_device(), 32)) {
    return 0;
  }
  constexpr auto row = mx::layout::row_major, column = mx::layout::col_major,
                 packed = mx::layout::ext_intel_packed;
  multiply<bfloat16, bfloat16, float, 8, 16, 16, row, row, row>(q, "bf16 8x16x16");
  multiply<bfloat16, bfloat16, float, 16, 16, 16, column, packed, column>(q, "bf16 packed");
  multiply<sycl::half, sycl::half, float, 32, 64, 16, row, column, row>(q, "fp16 32x64x16");
  multiply<std::int8_t, std::int8_t, int, 8, 8, 32, row, packed, row>(q, "int8 packed");
  multiply<std::uint8_t, std::int8_t, int, 1, 4, 16, row, row, row>(q, "uint8 1x4x16");
  multiply<mx::precision::tf32, mx::precision::tf32, float, 8, 16, 8, row, row, column>(q, "tf32");
  multiply<double, double, double, 8, 8, 4, column, column, row>(q, "fp64");
  multiply<float, float, float, 5, 7, 3, row, column, row>(q, "no powers of two");
  multiply<float, float, float, 12, 24, 10, column, row, column>(q, "more of those");
  parts(q);
  EXPECT(mx::round_to_tf32(1.0f + 1.0f / 2048) == 1.0f + 1.0f / 1024 &&
         mx::round_to_tf32(-3.0f) == -3.0f && std::isinf(mx::round_to_tf32(INFINITY)));
  EXPECT(q.get_device().has(sycl::aspect::ext_intel_matrix));
  const auto all = q.get_device()
                       .get_info<sycl::ext::oneapi::experimental::info::device::
                                     matrix_combinations>();
  EXPECT(!all.empty() && all[0].atype == mx::matrix_type::bf16);
  return failures;
}
