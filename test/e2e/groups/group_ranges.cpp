// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The joint_ algorithms over ranges of many lengths; barriers, fences and copies by work-groups.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 -DLIGHT -Wno-deprecated-declarations %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

// Has no known identity.
struct larger {
  int operator()(int x, int y) const { return x > y ? x : y; }
};

// For the work-group [0] and its first sub-group [1].
struct found {
  int sum[2], sum_from[2], largest[2];
  bool any[2], all[2], none[2];
  std::ptrdiff_t ends[2][4];
};

template <class Group>
static void fill(const Group &g, int which, const int *from, std::size_t count, int *to,
                 std::size_t step, found &out) {
  const int *last = from + count;
  out.sum[which] = sycl::joint_reduce(g, from, last, sycl::plus<>());
  out.sum_from[which] = sycl::joint_reduce(g, from, last, 5, sycl::plus<>());
  out.largest[which] = sycl::joint_reduce(g, from, last, -1000, larger());
  const auto odd = [](int x) { return x % 2 != 0; };
  out.any[which] = sycl::joint_any_of(g, from, last, odd);
  out.all[which] = sycl::joint_all_of(g, from, last, odd);
  out.none[which] = sycl::joint_none_of(g, from, last, odd);
  int *const at[4] = {to, to + step, to + 2 * step, to + 3 * step};
  out.ends[which][0] = sycl::joint_inclusive_scan(g, from, last, at[0], sycl::plus<>()) - at[0];
  out.ends[which][1] = sycl::joint_inclusive_scan(g, from, last, at[1], larger(), 3) - at[1];
  out.ends[which][2] = sycl::joint_exclusive_scan(g, from, last, at[2], sycl::plus<>()) - at[2];
  // In place: the group has to have the copy before.
  for (std::size_t i = g.get_local_linear_id(); i < count; i += g.get_local_linear_range()) {
    at[3][i] = from[i];
  }
  sycl::group_barrier(g);
  out.ends[which][3] =
      sycl::joint_exclusive_scan(g, at[3], at[3] + count, at[3], 7, sycl::plus<>()) - at[3];
}

static void joint(sycl::queue &q, std::size_t local, std::size_t count) {
  const int failures_before = failures;
  int *from = sycl::malloc_shared<int>(count + 1, q);
  int *to = sycl::malloc_shared<int>(8 * (count + 1), q);
  found *out = sycl::malloc_shared<found>(local, q);
  int sum = 0, largest = -1000;
  bool any = false, all = true;
  for (std::size_t i = 0; i < count; ++i) {
    from[i] = static_cast<int>(i * i * 3 % 101) * 2 - 90 + (i == 20);
    sum += from[i];
    largest = larger()(largest, from[i]);
    any = any || i == 20;
    all = all && i == 20;
  }
  std::size_t lanes = 0;
  q.parallel_for(sycl::nd_range<1>(local, local), [=](sycl::nd_item<1> item) {
     found mine = {};
     fill(item.get_group(), 0, from, count, to, count + 1, mine);
#ifndef LIGHT
     if (item.get_sub_group().get_group_linear_id() == 0) {
       fill(item.get_sub_group(), 1, from, count, to + 4 * (count + 1), count + 1, mine);
     } else {
       mine.sum[1] = -12345;
     }
#else
     mine.sum[1] = -12345;
#endif
     out[item.get_local_linear_id()] = mine;
   }).wait();
  for (std::size_t i = 0; i < local; ++i) {
    for (int which = 0; which < 2; ++which) {
      if (which == 1 && out[i].sum[1] == -12345) {
        continue;
      }
      lanes += static_cast<std::size_t>(which);
      EXPECT(out[i].sum[which] == sum && out[i].sum_from[which] == sum + 5);
      EXPECT(out[i].largest[which] == largest);
      EXPECT(out[i].any[which] == any && out[i].all[which] == all && out[i].none[which] == !any);
      for (const std::ptrdiff_t end : out[i].ends[which]) {
        EXPECT(end == static_cast<std::ptrdiff_t>(count));
      }
    }
  }
#ifndef LIGHT
  EXPECT(lanes >= 1);
#endif
  int before = 0, above = 3;
  for (std::size_t i = 0; i < count && failures == failures_before; ++i) {
    above = larger()(above, from[i]);
    for (int which = 0; which < (lanes > 0 ? 2 : 1); ++which) {
      const int *at = to + static_cast<std::size_t>(which) * 4 * (count + 1);
      EXPECT(at[i] == before + from[i]);
      EXPECT(at[count + 1 + i] == above);
      EXPECT(at[2 * (count + 1) + i] == before);
      EXPECT(at[3 * (count + 1) + i] == before + 7);
    }
    before += from[i];
  }
  if (failures != failures_before) {
    std::printf("  with %zu elements and work-groups of %zu\n", count, local);
  }
  sycl::free(from, q);
  sycl::free(to, q);
  sycl::free(out, q);
}

// Copies with and without strides, by both kinds of pointers; then all forms of waiting.
static void copies(sycl::queue &q) {
  constexpr std::size_t size = 48;
  int *in = sycl::malloc_shared<int>(size * 8, q);
  int *out = sycl::malloc_shared<int>(size * 8, q);
  for (std::size_t i = 0; i < size * 8; ++i) {
    in[i] = static_cast<int>(i);
    out[i] = -1;
  }
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> near(sycl::range<1>(size), h);
     sycl::local_accessor<int> strided(sycl::range<1>(size), h);
     h.parallel_for(sycl::nd_range<1>(32, 16), [=](sycl::nd_item<1> item) {
       using sycl::access::address_space;
       using sycl::access::decorated;
       const auto part = static_cast<std::ptrdiff_t>(item.get_group(0) * size * 3);
       const auto from = sycl::address_space_cast<address_space::global_space, decorated::yes>(in);
       const auto to = sycl::address_space_cast<address_space::global_space, decorated::yes>(out);
       const auto dense = near.get_multi_ptr<decorated::yes>();
       const auto sparse = strided.get_multi_ptr<decorated::yes>();
       sycl::device_event first = item.async_work_group_copy(dense, from + part, size);
       sycl::device_event second =
           item.get_group().async_work_group_copy(sparse, from + part, size, 3);
       item.wait_for(first, second);
       const std::size_t i = item.get_local_id(0);
       const int neighbor = near[(i + 1) % 16] + strided[(i + 1) % 16];
       item.barrier(sycl::access::fence_space::local_space);
       near[i] = neighbor;
       item.mem_fence();
       item.get_group().mem_fence<sycl::access_mode::write>();
       sycl::group_barrier(item.get_group(), sycl::memory_scope::device);
       item.async_work_group_copy(to + part, dense, 16).wait();
       item.async_work_group_copy(to + part + 16, sparse, size, 2).wait();
     });
   }).wait();
  for (std::size_t group = 0; group < 2; ++group) {
    const std::size_t part = group * size * 3;
    for (std::size_t i = 0; i < 16; ++i) {
      EXPECT(out[part + i] == in[part + (i + 1) % 16] + in[part + (i + 1) % 16 * 3]);
    }
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT(out[part + 16 + 2 * i] == in[part + 3 * i]);
      EXPECT(out[part + 16 + 2 * i + 1] == -1);
    }
  }
  sycl::free(in, q);
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  for (const std::size_t local : {1, 7, 16, 50}) {
    for (const std::size_t count : {0, 1, 13, 32, 100, 333}) {
      joint(q, local, count);
    }
  }
  copies(q);
  return failures;
}
