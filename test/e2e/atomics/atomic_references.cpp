// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic_ref: all operations on all types, by many work-items and on the host; orders, scopes and
// their defaults; atomic_fence.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

using sycl::memory_order;
using sycl::memory_scope;
using sycl::access::address_space;

template <class T, memory_order O = memory_order::relaxed, memory_scope S = memory_scope::device,
          address_space A = address_space::generic_space>
using ref = sycl::atomic_ref<T, O, S, A>;

template <memory_order O, memory_order Read, memory_order Write, memory_scope S>
constexpr bool has_defaults() {
  using r = ref<int, O, S>;
  static_assert(r::default_read_order == Read && r::default_write_order == Write);
  static_assert(r::default_read_modify_write_order == O && r::default_scope == S);
  static_assert(r::required_alignment >= alignof(int) && r::is_always_lock_free);
  static_assert(std::is_same_v<typename r::value_type, int>);
  static_assert(std::is_same_v<typename r::difference_type, int>);
  static_assert(std::is_copy_constructible_v<r> && !std::is_copy_assignable_v<r>);
  static_assert(std::is_constructible_v<r, int &> && !std::is_convertible_v<int &, r>);
  return true;
}
static_assert(has_defaults<memory_order::relaxed, memory_order::relaxed, memory_order::relaxed,
                           memory_scope::work_item>());
static_assert(has_defaults<memory_order::acq_rel, memory_order::acquire, memory_order::release,
                           memory_scope::work_group>());
static_assert(has_defaults<memory_order::seq_cst, memory_order::seq_cst, memory_order::seq_cst,
                           memory_scope::system>());
static_assert(sycl::memory_order_seq_cst == memory_order::seq_cst &&
              sycl::memory_scope_sub_group == memory_scope::sub_group);
static_assert(std::is_same_v<ref<int *>::difference_type, std::ptrdiff_t>);

constexpr int items = 1000;

// What each of `items` work-items adds to: one place an operation.
template <class T>
struct places {
  T add, sub, min, max, exchange, weak, strong, plus, minus, stored, up, down, bit_and, bit_or,
      bit_xor, bit_or_assign;
};

template <class T>
void step(places<T> *p, int i) {
  const T one = 1, value = static_cast<T>(i);
  ref<T>(p->add).fetch_add(value);
  ref<T, memory_order::acq_rel>(p->sub).fetch_sub(one, memory_order::seq_cst);
  ref<T, memory_order::seq_cst, memory_scope::system>(p->min).fetch_min(value);
  ref<T>(p->max).fetch_max(value, memory_order::acq_rel, memory_scope::system);
  ref<T> exchanged(p->exchange);
  // What was there is added again, so that nothing gets lost.
  T kept = exchanged.exchange(0);
  exchanged += kept + one;
  ref<T> weak(p->weak);
  T expected = weak.load();
  while (!weak.compare_exchange_weak(expected, static_cast<T>(expected + 2))) {
  }
  ref<T> strong(p->strong);
  expected = strong;
  while (!strong.compare_exchange_strong(expected, static_cast<T>(expected + value),
                                         memory_order::acq_rel, memory_order::acquire)) {
  }
  ref<T>(p->plus) += value;
  ref<T>(p->minus) -= value;
  ref<T>(p->stored).store(one + one + one, memory_order::release);
  if constexpr (std::is_integral_v<T>) {
    ref<T> up(p->up), down(p->down);
    i % 2 ? ++up : up++;
    i % 2 ? --down : down--;
    ref<T>(p->bit_and).fetch_and(~(T{1} << (i % 20)));
    ref<T>(p->bit_or).fetch_or(T{1} << (i % 20));
    ref<T>(p->bit_xor).fetch_xor(value);
    ref<T>(p->bit_or_assign) |= value;
  }
}

template <class T>
bool holds(const places<T> &p) {
  const T sum = items * (items - 1) / 2, count = items;
  bool ok = p.add == sum && p.sub == T{0} - count && p.min == T{0} && p.max == count - 1;
  ok = ok && p.exchange == count && p.weak == 2 * count && p.strong == sum;
  ok = ok && p.plus == sum && p.minus == T{0} - sum && p.stored == T{3};
  if constexpr (std::is_integral_v<T>) {
    T bits = 0, all = 0;
    for (int i = 0; i < items; ++i) {
      bits ^= static_cast<T>(i);
      all |= static_cast<T>(i);
    }
    ok = ok && p.up == count && p.down == T{0} - count && p.bit_xor == bits;
    ok = ok && p.bit_and == static_cast<T>(~T{0xfffff}) && p.bit_or == T{0xfffff};
    ok = ok && p.bit_or_assign == all;
  }
  return ok;
}

// Unsigned and floating, signed: what one call gives back.
template <class T>
int results(T *at) {
  int wrong = 0;
  const T one = 1, five = 5, nine = 9;
  ref<T, memory_order::seq_cst> r(*at);
  wrong += (r = five) != five || r != five || r.load(memory_order::acquire) != five;
  wrong += r.fetch_add(one) != five || r.fetch_sub(one) != five + one || r != five;
  wrong += r.fetch_min(nine) != five || r.fetch_max(nine) != five || r.fetch_min(one) != nine;
  wrong += r.exchange(nine) != one || (r += one) != nine + one || (r -= one) != nine;
  T expected = one;
  wrong += r.compare_exchange_strong(expected, five) || expected != nine || r != nine;
  wrong += !r.compare_exchange_strong(expected, five, memory_order::relaxed) || r != five;
  expected = one;
  wrong += r.compare_exchange_weak(expected, one, memory_order::acq_rel, memory_order::relaxed);
  wrong += expected != five || !r.is_lock_free();
  if constexpr (std::is_integral_v<T>) {
    r = five;
    wrong += r++ != 5 || r-- != 6 || ++r != 6 || --r != 5;
    wrong += r.fetch_and(4) != 5 || r.fetch_or(3) != 4 || r.fetch_xor(1) != 7 || r != 6;
    wrong += (r &= 3) != 2 || (r |= 5) != 7 || (r ^= 2) != 5;
  }
  return wrong;
}

int pointers(int **at, int *data) {
  int wrong = 0;
  ref<int *> r(*at);
  r = data;
  wrong += r.fetch_add(2) != data || r.fetch_sub(1) != data + 2 || r != data + 1;
  wrong += r++ != data + 1 || r-- != data + 2 || ++r != data + 2 || --r != data + 1;
  wrong += (r += 3) != data + 4 || (r -= 4) != data || r.exchange(data + 5) != data;
  int *expected = data;
  wrong += r.compare_exchange_strong(expected, data) || expected != data + 5;
  wrong += !r.compare_exchange_strong(expected, nullptr) || r.load() != nullptr;
  return wrong;
}

template <class T>
void reset(places<T> &p) {
  p = places<T>();
  p.min = 100;
  p.bit_and = static_cast<T>(-1);
}

// The same in local memory, by one work-group.
template <class T>
void check_local(sycl::queue &q, places<T> *p) {
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<places<T>, 0> local(h);
    h.parallel_for(sycl::nd_range<1>(items, items), [=](sycl::nd_item<1> item) {
      places<T> &shared = local;
      if (item.get_group().leader()) {
        reset(shared);
      }
      sycl::group_barrier(item.get_group());
      step(&shared, static_cast<int>(item.get_local_id(0)));
      sycl::group_barrier(item.get_group());
      if (item.get_group().leader()) {
        *p = shared;
      }
    });
  });
  q.wait();
  EXPECT(holds(*p));
}

// Each work-item that takes a ticket has its own, also where only some do.
template <class Range>
static void check_tickets(sycl::queue &q, Range range) {
  int *data = sycl::malloc_shared<int>(items + 2, q);
  for (int i = 0; i < items + 2; ++i) {
    data[i] = 0;
  }
  q.parallel_for(range, [=](auto item) {
     const std::size_t i = item.get_global_linear_id();
     if (i % 3 != 1) {
       data[2 + static_cast<std::size_t>(ref<int>(data[0])++)] += 1;
     } else {
       ref<int> lowest(data[1]);
       int expected = lowest;
       while (!lowest.compare_exchange_weak(expected, expected - 1)) {
       }
     }
   }).wait();
  const int others = (items + 1) / 3, takers = items - others;
  EXPECT(data[0] == takers && data[1] == -others);
  for (int i = 0; i < items; ++i) {
    EXPECT(data[2 + i] == (i < takers));
  }
  sycl::free(data, q);
}

template <class T>
void check(sycl::queue &q) {
  auto *p = sycl::malloc_shared<places<T>>(1, q);
  auto *wrong = sycl::malloc_shared<int>(1, q);
  auto *one = sycl::malloc_shared<T>(1, q);
  reset(*p);
  q.parallel_for(sycl::range<1>(items), [=](sycl::id<1> i) { step(p, static_cast<int>(i)); });
  q.wait();
  EXPECT(holds(*p));
  q.single_task([=] { *wrong = results(one); });
  q.wait();
  EXPECT(*wrong == 0);
  EXPECT(results(one) == 0);  // the host
  reset(*p);
  for (int i = 0; i < items; ++i) {
    step(p, i);
  }
  EXPECT(holds(*p));
  if constexpr (std::is_same_v<T, int> || std::is_same_v<T, unsigned long> ||
                std::is_same_v<T, float>) {
    check_local(q, p);
  }
  sycl::free(p, q);
  sycl::free(wrong, q);
  sycl::free(one, q);
}

// A flag released by one work-group's work-item and acquired by others; fences of all kinds.
static void check_fences(sycl::queue &q) {
  int *data = sycl::malloc_shared<int>(3, q);
  data[0] = data[1] = data[2] = 0;
  q.parallel_for(sycl::nd_range<1>(64, 1), [=](sycl::nd_item<1> item) {
     ref<int, memory_order::relaxed, memory_scope::device, address_space::global_space> flag(
         data[1]);
     if (item.get_global_id(0) == 0) {
       data[0] = 42;
       sycl::atomic_fence(memory_order::release, memory_scope::device);
       flag.store(1);
     } else if (flag.load()) {
       sycl::atomic_fence(memory_order::acquire, memory_scope::device);
       if (data[0] != 42) {
         ref<int>(data[2])++;
       }
     }
   }).wait();
  EXPECT(data[0] == 42 && data[1] == 1 && data[2] == 0);
  q.single_task([=] {
     for (memory_scope s : {memory_scope::work_item, memory_scope::sub_group,
                            memory_scope::work_group, memory_scope::device, memory_scope::system}) {
       for (memory_order o : {memory_order::relaxed, memory_order::acquire, memory_order::release,
                              memory_order::acq_rel, memory_order::seq_cst}) {
         data[0] += 1;
         sycl::atomic_fence(o, s);
       }
     }
   }).wait();
  EXPECT(data[0] == 67);
  sycl::atomic_fence(memory_order::seq_cst, memory_scope::system);
  sycl::free(data, q);
}

int main() {
  sycl::queue q;
  check<int>(q);
  check<unsigned>(q);
  check<long>(q);
  check<unsigned long>(q);
  check<long long>(q);
  check<unsigned long long>(q);
  check<float>(q);
  check<double>(q);
  int numbers[8] = {};
  int *place = nullptr;
  EXPECT(pointers(&place, numbers) == 0);
  int **shared = sycl::malloc_shared<int *>(1, q);
  int *data = sycl::malloc_shared<int>(9, q);
  q.single_task([=] { data[8] = pointers(shared, data); }).wait();
  EXPECT(data[8] == 0);
  *shared = data;
  q.parallel_for(sycl::range<1>(items), [=](sycl::id<1>) { ref<int *>(*shared)++; }).wait();
  EXPECT(*shared == data + items);
  sycl::free(shared, q);
  sycl::free(data, q);
  check_fences(q);
  check_tickets(q, sycl::nd_range<1>(items, 50));
  check_tickets(q, sycl::nd_range<2>({20, 50}, {4, 10}));
  return failures != 0;
}
