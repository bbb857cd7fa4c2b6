// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations of every scope and order, in global and local memory: nothing is lost, the last
// to come sees what all before it wrote, and the host takes part in what is for the system.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <climits>

using sycl::memory_order;
using sycl::memory_scope;
using sycl::access::address_space;

constexpr int groups = 40, group_size = 96, items = groups * group_size;

template <class T>
struct places {
  T add, sub, min, max, swapped, bits_or, bits_and, bits_xor, cas;
};

template <memory_order O, memory_scope S, address_space A, class T>
void step(places<T> &p, int i) {
  const auto at = [](T &place) { return sycl::atomic_ref<T, O, S, A>(place); };
  const T value = static_cast<T>(i), one = 1;
  at(p.add).fetch_add(value);
  at(p.sub).fetch_sub(one);
  at(p.min).fetch_min(value);
  at(p.max).fetch_max(value);
  const T kept = at(p.swapped).exchange(0);
  at(p.swapped).fetch_add(kept + one);
  if constexpr (std::is_integral_v<T>) {
    at(p.bits_or).fetch_or(T{1} << (i % 31));
    at(p.bits_and).fetch_and(~(T{1} << (i % 31)));
    at(p.bits_xor).fetch_xor(value);
  }
  T expected = at(p.cas).load();
  while (!at(p.cas).compare_exchange_strong(expected, expected + 3)) {
  }
}

template <class T>
void reset(places<T> &p) {
  p = places<T>();
  p.min = std::is_unsigned_v<T> ? static_cast<T>(-1) : static_cast<T>(1 << 22);
  p.bits_and = static_cast<T>(-1);
}

template <class T>
bool holds(const places<T> &p, int first, int count) {
  T sum = 0;
  std::uint64_t mixed = 0;
  for (int i = first; i < first + count; ++i) {
    sum += static_cast<T>(i);
    mixed ^= static_cast<std::uint64_t>(i);
  }
  const T n = static_cast<T>(count);
  bool ok = p.add == sum && p.sub == T{0} - n && p.min == static_cast<T>(first) &&
            p.max == static_cast<T>(first + count - 1) && p.swapped == n && p.cas == 3 * n;
  if constexpr (std::is_integral_v<T>) {
    const T all = static_cast<T>(INT_MAX);
    ok = ok && p.bits_or == all && p.bits_and == static_cast<T>(~all) &&
         p.bits_xor == static_cast<T>(mixed);
  }
  return ok;
}

template <memory_order O, memory_scope S, class T>
void check(sycl::queue &q, const char *what) {
  auto *global = sycl::malloc_shared<places<T>>(1, q);
  auto *of_groups = sycl::malloc_shared<places<T>>(groups, q);
  reset(*global);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<places<T>, 0> local(h);
     h.parallel_for(sycl::nd_range<1>(items, group_size), [=](sycl::nd_item<1> item) {
       const int i = static_cast<int>(item.get_global_id(0));
       places<T> &mine = local;
       if (item.get_local_id(0) == 0) {
         reset(mine);
       }
       sycl::group_barrier(item.get_group());
       step<O, S, address_space::local_space>(mine, i);
       // In global memory, what is atomic for a work-group only is for no other.
       if constexpr (S >= memory_scope::device) {
         step<O, S, address_space::generic_space>(*global, i);
       } else {
         step<O, S, address_space::generic_space>(mine, i);
       }
       sycl::group_barrier(item.get_group());
       if (item.get_local_id(0) == 0) {
         of_groups[item.get_group_linear_id()] = mine;
       }
     });
   }).wait();
  const int failures_before = failures;
  EXPECT(S < memory_scope::device || holds(*global, 0, items));
  for (int g = 0; g < groups && failures == failures_before; ++g) {
    places<T> p = of_groups[g];
    if (S < memory_scope::device) {  // each did each step twice
      EXPECT(p.cas == static_cast<T>(6 * group_size) &&
             p.swapped == static_cast<T>(2 * group_size));
      EXPECT(p.min == static_cast<T>(g * group_size));
    } else {
      EXPECT(holds(p, g * group_size, group_size));
    }
  }
  if (failures != failures_before) {
    std::printf("  with %s\n", what);
  }
  sycl::free(global, q);
  sycl::free(of_groups, q);
}

template <memory_order O, memory_scope S>
void check_types(sycl::queue &q, const char *what) {
  check<O, S, int>(q, what);
  check<O, S, unsigned>(q, what);
  check<O, S, float>(q, what);
  if (q.get_device().has(sycl::aspect::atomic64)) {
    check<O, S, unsigned long long>(q, what);
    check<O, S, double>(q, what);
  }
}

// Each work-group leaves a value and counts itself; the last one adds all of them up, without
// another barrier than the count. The same in each work-group, by work-items.
template <memory_order O, memory_scope S, bool WithFences>
void check_last(sycl::queue &q) {
  constexpr int many = 200;
  int *values = sycl::malloc_device<int>(many * 64, q);
  int *count = sycl::malloc_shared<int>(2, q);
  bool is_right = true;
  for (int round = 0; round < 20; ++round) {
    count[0] = count[1] = 0;
    q.submit([&](sycl::handler &h) {
       sycl::local_accessor<int> inside(33, h);
       h.parallel_for(sycl::nd_range<1>(many * 32, 32), [=](sycl::nd_item<1> item) {
         const int g = static_cast<int>(item.get_group_linear_id());
         const int l = static_cast<int>(item.get_local_id(0));
         if (l == 0) {
           inside[32] = 0;
         }
         sycl::group_barrier(item.get_group());
         inside[l] = l + round;
         constexpr memory_order ordered = WithFences ? memory_order::relaxed : O;
         if constexpr (WithFences) {
           sycl::atomic_fence(O, memory_scope::work_group);
         }
         sycl::atomic_ref<int, ordered, memory_scope::work_group, address_space::local_space> here(
             inside[32]);
         if (here.fetch_add(1) != 31) {
           return;
         }
         if constexpr (WithFences) {
           sycl::atomic_fence(O, memory_scope::work_group);
         }
         int sum = 0;
         for (int i = 0; i < 32; ++i) {
           sum += inside[i];
         }
         values[g * 64] = sum + g;
         if constexpr (WithFences) {
           sycl::atomic_fence(O, S);
         }
         sycl::atomic_ref<int, ordered, S, address_space::global_space> all(*count);
         if (all.fetch_add(1) != many - 1) {
           return;
         }
         if constexpr (WithFences) {
           sycl::atomic_fence(O, S);
         }
         int total = 0;
         for (int i = 0; i < many; ++i) {
           total += values[i * 64];
         }
         count[1] = total;
       });
     }).wait();
    is_right = is_right && count[0] == many &&
               count[1] == many * (31 * 16 + 32 * round) + many * (many - 1) / 2;
  }
  EXPECT(is_right);
  sycl::free(values, q);
  sycl::free(count, q);
}

// The host and the device count in one place at a time.
template <class T>
void check_with_host(sycl::queue &q, T *place) {
  constexpr int times = 20000;
  T *least = place + 1;
  *place = 0;
  *least = static_cast<T>(1 << 22);
  q.parallel_for(sycl::nd_range<1>(64 * times / 1000, 64), [=](sycl::nd_item<1> item) {
    sycl::atomic_ref<T, memory_order::relaxed, memory_scope::system> all(*place);
    sycl::atomic_ref<T, memory_order::acq_rel, memory_scope::system> low(*least);
    for (int i = 0; i < 50; ++i) {
      all.fetch_add(1);
      all.fetch_sub(1);
      all += 1;
    }
    low.fetch_min(static_cast<T>(100 + item.get_global_id(0)));
  });
  for (int i = 0; i < times; ++i) {
    __atomic_fetch_add(place, T{1}, __ATOMIC_RELAXED);
  }
  q.wait();
  EXPECT(*place == static_cast<T>(times + 64 * times / 1000 * 50) && *least == 100);
}

int main() {
  sycl::queue q;
  check_types<memory_order::relaxed, memory_scope::work_group>(q, "relaxed, work_group");
  check_types<memory_order::acq_rel, memory_scope::work_group>(q, "acq_rel, work_group");
  check_types<memory_order::relaxed, memory_scope::device>(q, "relaxed, device");
  check_types<memory_order::acq_rel, memory_scope::device>(q, "acq_rel, device");
  check_types<memory_order::seq_cst, memory_scope::device>(q, "seq_cst, device");
  check_types<memory_order::relaxed, memory_scope::system>(q, "relaxed, system");
  check_types<memory_order::acq_rel, memory_scope::system>(q, "acq_rel, system");
  check_last<memory_order::acq_rel, memory_scope::device, false>(q);
  check_last<memory_order::seq_cst, memory_scope::device, false>(q);
  check_last<memory_order::acq_rel, memory_scope::system, false>(q);
  check_last<memory_order::acq_rel, memory_scope::device, true>(q);
  check_last<memory_order::seq_cst, memory_scope::system, true>(q);
  if (q.get_device().has(sycl::aspect::usm_atomic_shared_allocations)) {
    auto *shared = sycl::malloc_shared<unsigned long long>(2, q);
    check_with_host(q, reinterpret_cast<int *>(shared));
    check_with_host(q, shared);
    sycl::free(shared, q);
  }
  return failures;
}
