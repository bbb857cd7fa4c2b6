// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The members that sub_group had before SYCL 2020: block loads and stores of values and vectors,
// by raw pointers and pointers to global and local memory, shuffles and barriers; full sub-groups
// and one that is not full.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl %s -o %t 2>&1 | FileCheck --check-prefix=OLD %s
// OLD-DAG: 'barrier' is deprecated: use sycl::group_barrier
// OLD-DAG: 'load' is deprecated: use sycl::ext::oneapi::experimental::group_load
// OLD-DAG: 'shuffle_xor{{.*}}' is deprecated: use sycl::permute_group_by_xor
#include "../headers/Inputs/expect.hpp"

#include <sycl/sycl.hpp>

constexpr std::size_t lanes = 32, items = 128;

template <class T>
using global = sycl::multi_ptr<T, sycl::access::address_space::global_space,
                               sycl::access::decorated::yes>;

// What each work-item found, checked on the host.
struct found {
  int one, one_raw, vector[4], local[2], wide, down, up, mask, from;
  double other;
};

static void full(sycl::queue &queue) {
  int *in = sycl::malloc_shared<int>(items * 4, queue);
  int *out = sycl::malloc_shared<int>(items * 4, queue);
  double *doubles = sycl::malloc_shared<double>(items, queue);
  found *all = sycl::malloc_shared<found>(items, queue);
  for (std::size_t i = 0; i < items * 4; ++i) {
    in[i] = static_cast<int>(7 * i);
    out[i] = -1;
  }
  queue.submit([&](sycl::handler &cgh) {
    sycl::local_accessor<int> local(items * 2, cgh);
    cgh.parallel_for(sycl::nd_range<1>(items, items / 2), [=](sycl::nd_item<1> item)
                         [[sycl::reqd_sub_group_size(lanes)]] {
      const sycl::sub_group sg = item.get_sub_group();
      const std::size_t id = item.get_global_linear_id();
      const std::size_t base = id / lanes * lanes;
      found &mine = all[id];
      const int *from = in;
      mine.one_raw = sg.load(from + base);
      mine.one = sg.load(global<const int>(in + base));
      const sycl::vec<int, 4> four = sg.load<4>(sycl::global_ptr<int>(in + base * 4));
      for (int i = 0; i < 4; ++i) {
        mine.vector[i] = four[i];
      }
      sg.store<4>(global<int>(out + base * 4), four + 1);
      sg.store(doubles + base, mine.one);
      const std::size_t block = item.get_sub_group().get_group_linear_id() * lanes * 2;
      sg.store<2>(local.get_multi_ptr<sycl::access::decorated::no>() + block,
                  sycl::vec<int, 2>(mine.one, -mine.one));
      sg.barrier();
      sg.barrier(sycl::access::fence_space::local_space);
      const sycl::vec<int, 2> two = sg.load<2>(&local[block]);
      mine.local[0] = two[0];
      mine.local[1] = two[1];
      const sycl::vec<int, 1> single = sg.load<1>(in + base);
      mine.wide = single[0];
      mine.down = sg.shuffle_down(mine.one, 1);
      mine.up = sg.shuffle_up(mine.one, 1);
      mine.mask = sg.shuffle_xor(mine.one, 3);
      mine.from = sg.shuffle(mine.one, 5);
      mine.other = sg.load(doubles + base);
    });
  });
  queue.wait();
  for (std::size_t id = 0; id < items; ++id) {
    const std::size_t base = id / lanes * lanes, lane = id % lanes;
    const found &mine = all[id];
    const int value = static_cast<int>(7 * id);
    EXPECT(mine.one == value && mine.one_raw == value && mine.wide == value);
    EXPECT(mine.other == value && doubles[id] == value);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT(mine.vector[i] == static_cast<int>(7 * (base * 4 + i * lanes + lane)));
    }
    EXPECT(mine.local[0] == value && mine.local[1] == -value);
    EXPECT(lane == lanes - 1 || mine.down == value + 7);
    EXPECT(lane == 0 || mine.up == value - 7);
    EXPECT(mine.mask == static_cast<int>(7 * (id ^ 3)));
    EXPECT(mine.from == static_cast<int>(7 * (base + 5)));
  }
  for (std::size_t i = 0; i < items * 4; ++i) {
    EXPECT(out[i] == static_cast<int>(7 * i) + 1);
  }
  sycl::free(in, queue);
  sycl::free(out, queue);
  sycl::free(doubles, queue);
  sycl::free(all, queue);
}

// A group of 36 has a sub-group of 32 and one of 4, whose vectors have gaps up to the full size.
static void partial(sycl::queue &queue) {
  constexpr std::size_t count = lanes + 4;
  sycl::buffer<float> in(2 * 2 * lanes), out(2 * 2 * lanes);
  {
    sycl::host_accessor a(in, sycl::write_only), b(out, sycl::write_only);
    for (std::size_t i = 0; i < in.size(); ++i) {
      a[i] = static_cast<float>(i);
      b[i] = -1;
    }
  }
  queue.submit([&](sycl::handler &cgh) {
    sycl::accessor a(in, cgh, sycl::read_only);
    sycl::accessor b(out, cgh, sycl::read_write);
    cgh.parallel_for(sycl::nd_range<1>(count, count), [=](sycl::nd_item<1> item)
                         [[sycl::reqd_sub_group_size(lanes)]] {
      const sycl::sub_group sg = item.get_sub_group();
      const std::size_t base = sg.get_group_linear_id() * 2 * lanes;
      const auto two = sg.load<2>(a.get_multi_ptr<sycl::access::decorated::yes>() + base);
      sg.store<2>(b.get_multi_ptr<sycl::access::decorated::yes>() + base, two);
    });
  });
  sycl::host_accessor result(out, sycl::read_only);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const bool written = i < 2 * lanes || i % lanes < 4;
    EXPECT(result[i] == (written ? static_cast<float>(i) : -1.0F));
  }
}

int main() {
  sycl::queue queue;
  full(queue);
  partial(queue);
  return failures;
}
