// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// multi_ptr: conversions, casts, comparisons, arithmetic, void, accessors; on the host and in
// kernels.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -Wno-deprecated-declarations %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <iterator>

using namespace sycl::access;
template <class T, address_space S, decorated D>
using ptr = sycl::multi_ptr<T, S, D>;
constexpr auto global = address_space::global_space;
constexpr auto local = address_space::local_space;
constexpr auto priv = address_space::private_space;
constexpr auto generic = address_space::generic_space;
template <class From, class To>
constexpr bool implicitly = std::is_convertible_v<From, To>;
template <class From, class To>
constexpr bool only_explicitly = std::is_constructible_v<To, From> && !implicitly<From, To>;
template <class From, class To>
constexpr bool never = !std::is_constructible_v<To, From>;

// The types.
static_assert(std::is_same_v<sycl::raw_global_ptr<int>, ptr<int, global, decorated::no>>);
static_assert(std::is_same_v<sycl::raw_local_ptr<int>, ptr<int, local, decorated::no>>);
static_assert(std::is_same_v<sycl::raw_private_ptr<int>, ptr<int, priv, decorated::no>>);
static_assert(std::is_same_v<sycl::decorated_global_ptr<int>, ptr<int, global, decorated::yes>>);
static_assert(std::is_same_v<sycl::decorated_local_ptr<int>, ptr<int, local, decorated::yes>>);
static_assert(std::is_same_v<sycl::decorated_private_ptr<int>, ptr<int, priv, decorated::yes>>);
static_assert(std::is_same_v<sycl::global_ptr<int>, ptr<int, global, decorated::legacy>>);
static_assert(std::is_same_v<sycl::local_ptr<int>, ptr<int, local, decorated::legacy>>);
static_assert(std::is_same_v<sycl::private_ptr<int>, ptr<int, priv, decorated::legacy>>);
static_assert(std::is_same_v<sycl::multi_ptr<int, generic>, ptr<int, generic, decorated::legacy>>);
template <class P>
constexpr bool has_types() {
  static_assert(
      std::is_same_v<sycl::remove_decoration_t<typename P::pointer>, typename P::value_type *>);
  static_assert(
      std::is_same_v<sycl::remove_decoration_t<typename P::reference>, typename P::value_type &>);
  static_assert(std::is_same_v<typename P::difference_type, std::ptrdiff_t>);
  static_assert(std::is_same_v<typename P::iterator_category, std::random_access_iterator_tag>);
  static_assert(std::is_trivially_copyable_v<P> && sycl::is_device_copyable_v<P>);
  return true;
}
static_assert(has_types<sycl::raw_global_ptr<int>>());
static_assert(has_types<sycl::decorated_local_ptr<const float>>());
static_assert(has_types<sycl::private_ptr<double>>());
static_assert(sycl::decorated_local_ptr<int>::is_decorated &&
              !sycl::raw_local_ptr<int>::is_decorated);
static_assert(sycl::raw_private_ptr<int>::address_space == priv);

// Which conversions there are, and which not.
using raw = sycl::raw_global_ptr<int>;
using dec = sycl::decorated_global_ptr<int>;
static_assert(implicitly<raw, dec> && implicitly<dec, raw> && implicitly<std::nullptr_t, raw>);
static_assert(implicitly<raw, sycl::raw_global_ptr<const int>>);
static_assert(implicitly<dec, sycl::raw_global_ptr<const int>>);
static_assert(never<sycl::raw_global_ptr<const int>, raw>);
static_assert(implicitly<raw, sycl::raw_global_ptr<void>>);
static_assert(implicitly<sycl::raw_global_ptr<const int>, sycl::raw_global_ptr<const void>>);
static_assert(never<sycl::raw_global_ptr<const int>, sycl::raw_global_ptr<void>>);
static_assert(only_explicitly<sycl::raw_global_ptr<void>, raw>);
static_assert(only_explicitly<sycl::raw_global_ptr<const void>, sycl::raw_global_ptr<const int>>);
static_assert(implicitly<sycl::raw_global_ptr<void>, sycl::raw_global_ptr<const void>>);
static_assert(implicitly<raw, ptr<int, generic, decorated::no>>);
static_assert(implicitly<sycl::raw_local_ptr<int>, ptr<int, generic, decorated::yes>>);
static_assert(only_explicitly<ptr<int, generic, decorated::no>, raw>);
static_assert(
    only_explicitly<ptr<int, generic, decorated::no>, sycl::decorated_local_ptr<const int>>);
static_assert(only_explicitly<ptr<int, generic, decorated::no>, sycl::raw_private_ptr<int>>);
static_assert(never<raw, ptr<float, global, decorated::no>>);
static_assert(only_explicitly<int *, raw> && implicitly<int *, sycl::global_ptr<int>>);
static_assert(implicitly<raw, int *>);

template <address_space S, decorated D>
static int walk(int *data) {
  int wrong = 0;
  ptr<int, S, D> p = sycl::address_space_cast<S, D>(data), none, null = nullptr;
  wrong += p.get() != data || p.get_raw() != data || p.get_decorated() != data;
  wrong += *p != 10 || p[2] != 12 || *(p + 1) != 11 || *(2 + data) != 12;
  wrong += *p++ != 10 || *p != 11 || *++p != 12 || *p-- != 12 || *--p != 10;
  p += 3;
  wrong += *p != 13 || *(p - 2) != 11 || p - p != 0;
  p -= 3;
  wrong += none != nullptr || !(none == null) || p == none || nullptr == p || !(nullptr != p);
  wrong += !(p < p + 1) || !(p <= p) || p > p + 1 || !(p + 1 >= p) || p <= nullptr ||
           !(nullptr < p) || p < nullptr || !(p > nullptr) || !(p >= nullptr) || nullptr >= p ||
           nullptr > p || !(nullptr <= p);
  p = nullptr;
  wrong += p != null;
  p = ptr<int, S, D>(data);
  *p = 20;
  p[1] += 5;
  wrong += data[0] != 20 || data[1] != 16;
  data[0] = 10;
  data[1] = 11;
  ptr<const int, S, D> constant = p;
  ptr<void, S, D> nothing = p;
  ptr<const void, S, D> constant_nothing = nothing;
  wrong += constant.get() != data || nothing.get() != data || constant_nothing != nothing;
  wrong += nothing == nullptr || static_cast<ptr<int, S, D>>(nothing) != p;
  ptr<int, generic, D> any = p;
  any = p;
  wrong +=
      static_cast<ptr<int, S, D>>(any) != p || static_cast<ptr<const int, S, D>>(any) != constant;
  wrong += sycl::khr::static_addrspace_cast<S>(any).get() != data ||
           sycl::khr::static_addrspace_cast<S>(data).get() != data;
  return wrong;
}

template <decorated D>
static int walk_all(int *data) {
  int own[4] = {10, 11, 12, 13};
  return walk<global, D>(data) + walk<priv, D>(own);
}

struct pair {
  int first, second;
};

// The class that atomic_ref has replaced, which is made of a multi_ptr.
static void check_old_atomic(sycl::queue &q, int *data) {
  float single = 1.5f;
  sycl::atomic<float, priv> of_float{sycl::raw_private_ptr<float>(&single)};
  EXPECT(of_float.exchange(2.5f) == 1.5f && of_float.load() == 2.5f);
  data[0] = 0;
  data[1] = 7;
  data[2] = -1;
  q.parallel_for(sycl::range<1>(100), [=](sycl::id<1> i) {
     sycl::atomic<int> sum{sycl::global_ptr<int>(data)}, any{sycl::raw_global_ptr<int>(data + 1)};
     sum.fetch_add(static_cast<int>(i));
     sycl::atomic_fetch_or(any, 8);
     sycl::atomic_fetch_max(sycl::atomic<int>(sycl::global_ptr<int>(data + 2)),
                            static_cast<int>(i));
   }).wait();
  EXPECT(data[0] == 4950 && data[1] == 15 && data[2] == 99);
  sycl::atomic<int> last{sycl::global_ptr<int>(data + 2)};
  int expected = 1;
  EXPECT(!last.compare_exchange_strong(expected, 5) && expected == 99);
  EXPECT(sycl::atomic_compare_exchange_strong(last, expected, 5) && sycl::atomic_load(last) == 5);
  sycl::atomic_store(last, 6);
  EXPECT(last.fetch_sub(1) == 6 && last.fetch_and(4) == 5 && last.fetch_xor(1) == 4);
  EXPECT(sycl::atomic_fetch_min(last, 2) == 5 && sycl::atomic_exchange(last, 9) == 2);
}

int main() {
  sycl::queue q;
  int *data = sycl::malloc_shared<int>(8, q);
  int *wrong = sycl::malloc_shared<int>(3, q);
  for (int i = 0; i < 8; ++i) {
    data[i] = 10 + i;
  }
  EXPECT(walk_all<decorated::no>(data) == 0);
  EXPECT(walk_all<decorated::yes>(data) == 0);
  EXPECT(walk_all<decorated::legacy>(data) == 0);
  q.single_task([=] {
     wrong[0] = walk_all<decorated::no>(data);
     wrong[1] = walk_all<decorated::yes>(data);
     wrong[2] = walk_all<decorated::legacy>(data);
     sycl::address_space_cast<global, decorated::no>(data).prefetch(8);
   }).wait();
  EXPECT(wrong[0] == 0);
  EXPECT(wrong[1] == 0);
  EXPECT(wrong[2] == 0);
  pair two{1, 2};
  EXPECT((sycl::address_space_cast<priv, decorated::no>(&two)->second == 2));
  EXPECT((sycl::make_ptr<pair, priv, decorated::legacy>(&two)->first == 1));
  EXPECT((sycl::make_ptr<pair, priv>(&two)->first == 1));

  // Of accessors: the buffer's start, also of a ranged one, and what a kernel captures by value.
  sycl::buffer<int> buffer{sycl::range<1>(8)};
  q.submit([&](sycl::handler &h) {
    sycl::accessor all(buffer, h, sycl::write_only, sycl::no_init);
    h.parallel_for(sycl::range<1>(8), [=](sycl::id<1> i) {
      sycl::multi_ptr to(all);
      static_assert(std::is_same_v<decltype(to), sycl::raw_global_ptr<int>>);
      to[static_cast<std::ptrdiff_t>(i)] = static_cast<int>(i) * 3;
    });
  });
  q.submit([&](sycl::handler &h) {
     sycl::accessor part(buffer, h, sycl::range<1>(2), sycl::id<1>(4), sycl::read_only);
     h.single_task([=] {
       auto whole = part.get_multi_ptr<decorated::yes>();
       static_assert(std::is_same_v<decltype(whole), sycl::decorated_global_ptr<const int>>);
       sycl::global_ptr<const int> legacy = part.get_pointer();
       ptr<const void, generic, decorated::no> nothing = part;
       wrong[0] = whole[5] != 15 || legacy[1] != 3 || nothing != whole || part[0] != 12;
     });
   }).wait();
  EXPECT(wrong[0] == 0);
  sycl::raw_global_ptr<int> captured(data);
  q.parallel_for(sycl::range<1>(8), [=](sycl::id<1> i) {
     captured[static_cast<std::ptrdiff_t>(i)] += 100;
   }).wait();
  for (int i = 0; i < 8; ++i) {
    EXPECT(data[i] == 110 + i);
  }
  check_old_atomic(q, data);
  sycl::free(data, q);
  sycl::free(wrong, q);
  return failures != 0;
}
