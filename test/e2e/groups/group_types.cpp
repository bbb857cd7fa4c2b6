// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Group functions and algorithms on values of every kind of type, halves and vectors too, in
// work-groups and sub-groups that are whole and that are not.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

using sycl::half;
template <class T>
struct element {
  using type = T;
};
template <class T, int N>
struct element<sycl::vec<T, N>> {
  using type = T;
};

// Small whole numbers, so that sums of them are exact in every type.
template <class T>
T value_of(std::size_t i) {
  return T(static_cast<typename element<T>::type>(static_cast<int>(i % 7) - 2));
}
template <class T>
bool same(const T &a, const T &b) {
  return a == b;
}
template <class T, int N>
bool same(const sycl::vec<T, N> &a, const sycl::vec<T, N> &b) {
  bool all = true;
  for (int i = 0; i < N; ++i) {
    all = all && a[i] == b[i];
  }
  return all;
}

template <class T>
struct found {
  T sum, least, most, up_to, before, first, last, next, previous, crossed, picked;
  T joint_sum, joint_last;
  std::size_t begin, end;
};

template <bool Whole, class T, class Group>
void fill(const Group &g, std::size_t i, std::size_t begin, const T *in, T *scanned,
          found<T> &out) {
  const T value = in[i];
  out.sum = sycl::reduce_over_group(g, value, sycl::plus<T>());
  out.up_to = sycl::inclusive_scan_over_group(g, value, sycl::plus<T>());
  out.before = sycl::exclusive_scan_over_group(g, value, T(5), sycl::plus<T>());
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, half>) {
    out.least = sycl::reduce_over_group(g, value, sycl::minimum<T>());
    out.most = sycl::reduce_over_group(g, value, T(1), sycl::maximum<T>());
  }
  out.first = sycl::group_broadcast(g, value);
  out.last = sycl::group_broadcast(
      g, value, static_cast<typename Group::linear_id_type>(g.get_local_linear_range() - 1));
  if constexpr (!Whole) {
    out.next = sycl::shift_group_left(g, value);
    out.previous = sycl::shift_group_right(g, value);
    out.crossed = sycl::permute_group_by_xor(g, value, 3);
    out.picked = sycl::select_from_group(g, value, g.get_local_linear_range() / 2);
  }
  const std::size_t end = begin + g.get_local_linear_range();
  out.begin = begin;
  out.end = end;
  // Twice as many elements as work-items, but one.
  const T *last = in + begin + 2 * (end - begin) - 1;
  out.joint_sum = sycl::joint_reduce(g, in + begin, last, T(3), sycl::plus<T>());
  T *stop = sycl::joint_inclusive_scan(g, in + begin, last, scanned + 2 * begin, sycl::plus<T>());
  sycl::group_barrier(g);
  out.joint_last = stop[-1];
}

template <class T>
T sum_of(std::size_t begin, std::size_t end, T sum) {
  for (std::size_t i = begin; i < end; ++i) {
    sum = sum + value_of<T>(i);
  }
  return sum;
}

template <bool Whole, class T>
void check(const found<T> &f, std::size_t i) {
  const std::size_t size = f.end - f.begin, at = i - f.begin;
  EXPECT(same(f.sum, sum_of(f.begin, f.end, T(0))));
  EXPECT(same(f.up_to, sum_of(f.begin, i + 1, T(0))));
  EXPECT(same(f.before, sum_of(f.begin, i, T(5))));
  EXPECT(same(f.first, value_of<T>(f.begin)) && same(f.last, value_of<T>(f.end - 1)));
  EXPECT(same(f.joint_sum, sum_of(f.begin, f.begin + 2 * size - 1, T(3))));
  EXPECT(same(f.joint_last, sum_of(f.begin, f.begin + 2 * size - 1, T(0))));
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, half>) {
    T least = value_of<T>(f.begin), most = T(1);
    for (std::size_t k = f.begin; k < f.end; ++k) {
      const T value = value_of<T>(k);
      least = value < least ? value : least;
      most = value > most ? value : most;
    }
    EXPECT(f.least == least && f.most == most);
  }
  if constexpr (!Whole) {
    EXPECT(at + 1 >= size || same(f.next, value_of<T>(i + 1)));
    EXPECT(at == 0 || same(f.previous, value_of<T>(i - 1)));
    EXPECT((at ^ 3) >= size || same(f.crossed, value_of<T>(f.begin + (at ^ 3))));
    EXPECT(same(f.picked, value_of<T>(f.begin + size / 2)));
  }
}

template <class T>
void test(sycl::queue &q, std::size_t local, const char *type) {
  const std::size_t count = 3 * local;
  T *in = sycl::malloc_shared<T>(2 * count, q);
  T *scanned = sycl::malloc_shared<T>(4 * count, q);
  auto *out = sycl::malloc_shared<found<T>>(2 * count, q);
  for (std::size_t i = 0; i < 2 * count; ++i) {
    in[i] = value_of<T>(i);
  }
  q.parallel_for(sycl::nd_range<1>(count, local), [=](sycl::nd_item<1> item) {
     const std::size_t i = item.get_global_id(0);
     fill<true>(item.get_group(), i, i - item.get_local_id(0), in, scanned, out[2 * i]);
   }).wait();
  q.parallel_for(sycl::nd_range<1>(count, local), [=](sycl::nd_item<1> item) {
     const std::size_t i = item.get_global_id(0);
     const auto g = item.get_sub_group();
     fill<false>(g, i, i - g.get_local_linear_id(), in, scanned, out[2 * i + 1]);
   }).wait();
  const int failures_before = failures;
  for (std::size_t i = 0; i < count && failures == failures_before; ++i) {
    check<true>(out[2 * i], i);
    check<false>(out[2 * i + 1], i);
  }
  if (failures != failures_before) {
    std::printf("  of type %s, in work-groups of %zu\n", type, local);
  }
  sycl::free(in, q);
  sycl::free(scanned, q);
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  for (std::size_t local : {1, 20, 32, 96, 100}) {
    test<std::int8_t>(q, local, "int8_t");
    test<int>(q, local, "int");
    test<float>(q, local, "float");
    test<double>(q, local, "double");
    test<sycl::vec<float, 4>>(q, local, "vec<float, 4>");
    test<sycl::vec<int, 2>>(q, local, "vec<int, 2>");
    if (q.get_device().has(sycl::aspect::fp16)) {
      test<half>(q, local, "half");
    }
  }
  return failures;
}
