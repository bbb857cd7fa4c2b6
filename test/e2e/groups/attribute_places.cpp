// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel attributes wherever C++ lets an attribute of a function or lambda stand: a launch of
// another size is refused. Lambdas capture no constant that an attribute names.
// RUN: %tenonxx -fsycl -std=c++20 -Wall -Wextra -Wpedantic -Werror %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -std=c++20 -O0 -g -fno-sycl-rdc %s -o %t && %t %}
// RUN: %if !sanitizer %{ %tenonxx -fsycl -std=c++20 -save-temps=obj %s -o %t && %t %}
// RUN: %if !sanitizer %{ %tenonxx -fsycl -std=c++17 -w %s -o %t && %t %}
// In a process of its own:
// RUN: %tenonxx -fsycl -fsycl-host-only -std=c++20 -Werror -Xclang -ast-dump -Xclang -ast-dump-filter=among -fsyntax-only %s | %FileCheck %s
// CHECK: CXXMethodDecl {{.*}} operator()
// CHECK: AnnotateAttr {{.*}} "tenon.reqd_work_group_size"
#include "../headers/Inputs/expect.hpp"

#include <cstdint>

using item = sycl::nd_item<1>;
static int *out;
static sycl::queue *queue;

// Runs groups of `size` and of one more, which the attribute forbids.
template <class F>
static void check(std::size_t size, F f) {
  *out = 0;
  queue->parallel_for(sycl::nd_range<1>(size, size), f).wait();
  EXPECT(*out == static_cast<int>(size));
  EXPECT_ERRC(nd_range, queue->parallel_for(sycl::nd_range<1>(size + 1, size + 1), f));
}
static void store(int *p, item i) { *p = static_cast<int>(i.get_local_range(0)); }

constexpr std::size_t two = 2, three = 3;
#define EIGHT [[sycl::reqd_work_group_size(8)]]
#define GROUP(...) [[sycl::reqd_work_group_size(__VA_ARGS__)]]
#define SCOPE sycl
#define NAME reqd_work_group_size

// Members: before and behind, with everything that may stand around an attribute there.
struct members {
  int *p;
  auto operator()(item i) const & noexcept [[sycl::reqd_work_group_size(5)]] -> void {
    store(p, i);
  }
};
struct among_others {
  int *p;
  [[gnu::always_inline]] [[sycl::reqd_work_group_size(6)]] [[gnu::flatten]] inline void operator()(
      item i) const {
    store(p, i);
  }
};
struct among_more {
  int *p;
  [[gnu::hot, sycl::reqd_work_group_size(9), gnu::flatten]] void operator()(item i) const {
    store(p, i);
  }
};
struct declared_first {
  int *p;
  void operator()(item i) const GROUP(7);
};
void declared_first::operator()(item i) const { store(p, i); }
struct defined_later {
  int *p;
  void operator()(item i) const;
};
void defined_later::operator()(item i) const EIGHT { store(p, i); }
struct behind_name {
  int *p;
  void named [[sycl::reqd_work_group_size(26)]] (item i) const { store(p, i); }
  void operator()(item i) const { named(i); }
};
template <int... Sizes>
struct packed {
  int *p;
  void operator()(item i) const [[sycl::reqd_work_group_size(Sizes...)]] { store(p, i); }
};
template <class T>
struct generic {
  T *p;
  template <class Item>
  void operator()(Item i) const;
};
template <class T>
template <class Item>
[[sycl::reqd_work_group_size(sizeof(T) * 2 + 1)]] void generic<T>::operator()(Item i) const {
  store(p, i);
}
struct overloaded {
  int *p;
  [[sycl::reqd_work_group_size(4)]] void operator()(item i) const { store(p, i); }
  [[sycl::reqd_work_group_size(9, 9)]] void operator()(sycl::nd_item<2>) const {}
};
struct base {
  int *p;
  [[sycl::reqd_work_group_size(3)]] void operator()(item i) const { store(p, i); }
};
struct derived : base {};

// Names of what is around an attribute are found from it.
namespace sizes {
enum { eleven = 11 };
struct here {
  static constexpr int size = eleven + 1;
  int *p;
  [[sycl::reqd_work_group_size(size)]] void operator()(item i) const { store(p, i); }
};
constexpr int sum(int a, int b) { return a + b; }
template <int A, int B>
inline constexpr int product = A * B;
}  // namespace sizes

template <class A, class B>
static void check_two(A a, B b) {
  check(15, a);
  check(16, b);
}

// Lambdas.
template <int N>
static void check_in_template(int *p) {
  constexpr int local = N + 1;
  const auto whole = [=](item i) [[sycl::reqd_work_group_size(local)]] { store(p, i); };
  const auto one = [p](item i) [[sycl::reqd_work_group_size(local + 1)]] { store(p, i); };
  const auto any = [p](auto i) [[sycl::reqd_work_group_size(local + 2)]] { store(p, i); };
  const auto named = [=]<class Item>(Item i) noexcept
      [[sycl::reqd_work_group_size(sizes::product<local, 2>)]] -> void { store(p, i); };
  static_assert(sizeof(whole) == sizeof(p) && sizeof(one) == sizeof(p) &&
                sizeof(any) == sizeof(p) && sizeof(named) == sizeof(p));
  check(local, whole);
  check(local + 1, one);
  check(local + 2, any);
  check(local * 2, named);
  const auto outer = [=](auto add) {
    return [=](item i)
               [[sycl::reqd_work_group_size(local + decltype(add)::value)]] { store(p, i); };
  };
  check(local + 20, outer(std::integral_constant<int, 20>()));
  check(local + 30, outer(std::integral_constant<int, 30>()));
}

template <class T>
struct owner {
  T *p;
  template <int N>
  void check_member() const {
    T *const copy = p;
    check(N + sizeof(T),
          [=](item i) [[sycl::reqd_work_group_size(N + sizeof(T))]] { store(copy, i); });
  }
};

static void check_lambdas(int *p) {
  constexpr int local = 4;
  constexpr int table[2] = {5, 6};
  const auto in_braces = [p](item i) [[sycl::reqd_work_group_size(table[1])]] { store(p, i); };
  static_assert(sizeof(in_braces) == sizeof(p));
  check(6, in_braces);
  check(4, [p](item i) [[sycl::reqd_work_group_size(local)]] { store(p, i); });
  check(4, [=](item i)[[]] [[sycl::reqd_work_group_size(local)]][[]] { store(p, i); });
  check(5, [=](item i) [[using sycl: reqd_work_group_size(5), work_group_size_hint(local)]] {
    store(p, i);
  });
  check(6, [=](item i) [[intel::reqd_work_group_size(6)]] { store(p, i); });
  check(7,
        [=](item i) [[cl::reqd_work_group_size(7), sycl::vec_type_hint(float)]] { store(p, i); });
  check(8, [=](item i) EIGHT { store(p, i); });
  check(9, [=](item i) GROUP(3 * three) { store(p, i); });
  check(2, [=](item i) [[SCOPE::NAME(two)]] { store(p, i); });
  check(10, [=](item i) <:<:sycl::reqd_work_group_size(10):>:> { store(p, i); });
  check(11, [=](item i) [[sycl::reqd_work_group_size(sizes::sum(5,  // a comment ]] with brackets
                                                                6))]] { store(p, i); });
  check(12, [=](item i) [[sycl::reqd_work_group_size(sizes::product<3, 4>)]] { store(p, i); });
  check(13, [=](item i) [[sycl::reqd_work_group_size((12 > 3) + 12)]] { store(p, i); });
  check(14, [=](item i) [[sycl::reqd_work_group_size([] { return 14; }())]] { store(p, i); });
  // clang-format off
  check_two([=](item i) GROUP(15) { store(p, i); }, [=](item i) GROUP(16) { store(p, i); });
  // clang-format on
  check(17,
        [=](item i) __attribute__((flatten)) [[sycl::reqd_work_group_size(17)]] { store(p, i); });
  // Where the parser reads tokens twice.
  if (const auto f = [=](item i) [[sycl::reqd_work_group_size(18)]] { store(p, i); }; p) {
    check(18, f);
  }
  for (auto f = [=](item i) [[sycl::reqd_work_group_size(19)]] { store(p, i); }; p;) {
    check(19, f);
    break;
  }
  int all[1] = {(check(20, [=](item i) [[sycl::reqd_work_group_size(20)]] { store(p, i); }), 1)};
  EXPECT(all[0] == 1);
  (check)(21, ([=](item i) [[sycl::reqd_work_group_size(21)]] { store(p, i); }));
  const auto late = [](std::size_t size, auto f) { check(size, f); };
  late(22, [=](item i) [[sycl::reqd_work_group_size(22)]] { store(p, i); });
}

#if __cplusplus >= 202002L
// Without captures a lambda may stand in an argument of a template.
template <auto F>
struct called {
  int *p;
  void operator()(item i) const {
    store(p, i);
    F(i);
  }
};
static void check_arguments_of_templates(int *p) {
  check(23, called<[](item) [[sycl::reqd_work_group_size(23)]] {}>{p});
}
#else
static void check_arguments_of_templates(int *) {}
#endif

struct in_default {
  int *p;
  void (*f)(item) = [](item) [[sycl::reqd_work_group_size(24)]] {};
  void operator()(item i) const [[sycl::reqd_work_group_size(24)]] { store(p, i); }
};
static std::size_t default_argument(
    std::size_t size =
        (check(25, [p = out](item i) [[sycl::reqd_work_group_size(25)]] { store(p, i); }), 25)) {
  return size;
}

int main() {
  sycl::queue q;
  queue = &q;
  out = sycl::malloc_shared<int>(1, q);
  int *const p = out;
  check(5, members{p});
  check(6, among_others{p});
  check(9, among_more{p});
  check(7, declared_first{p});
  check(8, defined_later{p});
  check(26, behind_name{p});
  check(3, packed<3>{p});
  EXPECT_ERRC(nd_range, check(3, packed<3, 1>{p}));
  check(9, generic<int>{p});
  check(4, overloaded{p});
  check(3, derived{{p}});
  check(12, sizes::here{p});
  check_in_template<3>(p);
  check_in_template<6>(p);
  owner<int>{p}.check_member<25>();
  check_lambdas(p);
  check_arguments_of_templates(p);
  check(24, in_default{p});
  EXPECT(default_argument() == 25);
  sycl::free(out, q);
  return failures;
}
