// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_for_work_group and parallel_for_work_item in all forms, h_item, private_memory,
// variables of the work-group, local accessors, copies from and to them; refused sizes.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -Wno-deprecated-declarations %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#define WRONG_UNLESS(condition) ((condition) ? 0 : __LINE__)

// What all work-items found: 0, or a line of this file.
template <class T>
static T *zeroed(sycl::queue &q, std::size_t count) {
  T *memory = sycl::malloc_shared<T>(count, q);
  for (std::size_t i = 0; i < count; ++i) {
    memory[i] = T();
  }
  return memory;
}

struct counted {
  int value;
  counted() : value(40) {}
};

static void loops(sycl::queue &q) {
  constexpr std::size_t groups = 5, size = 12;
  int *out = zeroed<int>(q, groups * size);
  int *wrong = zeroed<int>(q, 1);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(groups), sycl::range<1>(size), [=](sycl::group<1> g) {
       int bad = WRONG_UNLESS(g.get_local_range(0) == size && g.get_group_range(0) == groups);
       int shared[size];  // the work-group's
       sycl::private_memory<counted> own(g);
       g.parallel_for_work_item([&](sycl::h_item<1> item) {
         const int i = static_cast<int>(item.get_local_id(0));
         shared[i] = i;
         own(item).value += i;
         bad += WRONG_UNLESS(item.get_global_id(0) == g[0] * size + item.get_local_id(0));
         bad += WRONG_UNLESS(item.get_global_range(0) == groups * size);
         bad += WRONG_UNLESS(item.get_local_range() == sycl::range<1>(size) &&
                             item.get_physical_local_id() == item.get_logical_local_id());
       });
       // Between the loops all work-items wait for each other.
       g.parallel_for_work_item([&](sycl::h_item<1> item) {
         const std::size_t i = item.get_local_id(0);
         out[item.get_global().get_linear_id()] = shared[size - 1 - i] * 100 + own(item).value;
       });
       if (bad) {
         *wrong = bad;
       }
     });
   }).wait();
  EXPECT(*wrong == 0);
  for (std::size_t i = 0; i < groups * size; ++i) {
    EXPECT(out[i] == static_cast<int>((size - 1 - i % size) * 100 + 40 + i % size));
  }
  sycl::free(out, q);
  sycl::free(wrong, q);
}

// Logical ranges that are not the work-group's, with and without a work-group size, in 2 and 3
// dimensions.
static void logical_ranges(sycl::queue &q) {
  int *out = zeroed<int>(q, 4 * 60);
  int *wrong = zeroed<int>(q, 1);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<2>(2, 2), [=](sycl::group<2> g) {
       sycl::private_memory<std::size_t, 2> own(g);
       g.parallel_for_work_item(sycl::range<2>(6, 10), [&](sycl::h_item<2> item) {
         own(item) = item.get_logical_local().get_linear_id() * 2;
       });
       g.parallel_for_work_item(sycl::range<2>(6, 10), [&](sycl::h_item<2> item) {
         const std::size_t i = item.get_local_id(0) * 10 + item.get_local_id(1);
         if (item.get_logical_local_range() != sycl::range<2>(6, 10) || own(item) != i * 2) {
           *wrong = __LINE__;
         }
         out[g.get_group_linear_id() * 60 + i] += static_cast<int>(i) + 1;
       });
     });
   }).wait();
  for (int i = 0; i < 240; ++i) {
    EXPECT(out[i] == i % 60 + 1);
    out[i] = 0;
  }
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(
         sycl::range<3>(2, 1, 1), sycl::range<3>(1, 2, 3), [=](sycl::group<3> g) {
           g.parallel_for_work_item(sycl::range<3>(3, 4, 5), [&](sycl::h_item<3> item) {
             const sycl::id<3> id = item.get_logical_local_id();
             const sycl::id<3> physical = item.get_physical_local_id();
             if (physical[0] != 0 || physical[1] != id[1] % 2 || physical[2] != id[2] % 3 ||
                 item.get_physical_local_range() != sycl::range<3>(1, 2, 3) ||
                 item.get_global_range() != sycl::range<3>(2, 2, 3)) {
               *wrong = __LINE__;
             }
             out[g.get_group_id(0) * 60 + (id[0] * 4 + id[1]) * 5 + id[2]] += 7;
           });
         });
   }).wait();
  EXPECT(*wrong == 0);
  for (int i = 0; i < 120; ++i) {
    EXPECT(out[i] == 7);
  }
  sycl::free(out, q);
  sycl::free(wrong, q);
}

class named_hierarchical_kernel;

// Accessors, a local accessor, and copies between them, in a kernel with a name.
static void local_memory(sycl::queue &q) {
  constexpr std::size_t groups = 3, size = 20;
  std::vector<int> data(groups * size);
  for (std::size_t i = 0; i < data.size(); ++i) {
    data[i] = static_cast<int>(i);
  }
  {
    sycl::buffer<int> buffer(data.data(), sycl::range<1>(data.size()));
    q.submit([&](sycl::handler &h) {
      sycl::accessor all(buffer, h, sycl::read_write);
      sycl::local_accessor<int> tile(sycl::range<1>(size), h);
      h.parallel_for_work_group<named_hierarchical_kernel>(
          sycl::range<1>(groups), sycl::range<1>(size), [=](sycl::group<1> g) {
            const auto from = all.get_multi_ptr<sycl::access::decorated::yes>() +
                              static_cast<std::ptrdiff_t>(g[0] * size);
            const auto to = tile.get_multi_ptr<sycl::access::decorated::yes>();
            sycl::device_event copied = g.async_work_group_copy(to, from, size);
            g.wait_for(copied);
            g.parallel_for_work_item([&](sycl::h_item<1> item) { tile[item.get_local_id()] *= 2; });
            g.async_work_group_copy(from, to, size).wait();
          });
    });
  }
  for (std::size_t i = 0; i < data.size(); ++i) {
    EXPECT(data[i] == static_cast<int>(i * 2));
  }
}

int main() {
  sycl::queue q;
  loops(q);
  logical_ranges(q);
  local_memory(q);
  const auto launch = [&](std::size_t size) {
    q.submit([&](sycl::handler &h) {
       h.parallel_for_work_group(sycl::range<1>(1), sycl::range<1>(size), [=](sycl::group<1>) {});
     }).wait();
  };
  launch(4096);
  EXPECT_ERRC(nd_range, launch(4097));
  EXPECT_ERRC(nd_range, launch(0));
  return failures;
}
