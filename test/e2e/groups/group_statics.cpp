// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables that each work-group has one of: of all scopes, kinds of values and units, beside other
// local memory. Source: the SYCL extension sycl_ext_oneapi_work_group_static.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s %S/Inputs/group_statics.cpp -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s %S/Inputs/group_statics.cpp -o %t.O0 && %t.O0
#include "Inputs/group_statics.hpp"

#include "../headers/Inputs/expect.hpp"

static_assert(SYCL_EXT_ONEAPI_WORK_GROUP_STATIC == 1);

constexpr int width = 16;
constexpr int count = 64;
static const sycl::nd_range<1> many(count, width);

struct point {
  int x;
  double y;
};
ex::work_group_static<point> of_namespace;
namespace {
ex::work_group_static<float[2][width]> of_unnamed;
}
struct holder {
  static ex::work_group_static<long> member;
};
ex::work_group_static<long> holder::member;
template <class T>
ex::work_group_static<T> of_template;
static ex::work_group_static<int> own;  // another unit has one of the same name

static bool all_are(int *x, int (*wanted)(int group, int place)) {
  bool is_right = true;
  for (int i = 0; i < count; ++i) {
    is_right = is_right && x[i] == wanted(i / width, i % width);
    x[i] = -1;
  }
  return is_right;
}

static void scopes(sycl::queue q, int *x) {
  q.parallel_for(many, [=](sycl::nd_item<1> i) {
     const int place = static_cast<int>(i.get_local_id(0));
     const int group = static_cast<int>(i.get_group(0));
     static ex::work_group_static<int> said;
     ex::work_group_static<int> unsaid;
     if (place == 0) {
       of_namespace = point{group, 0.5};
       holder::member = group * 10;
       of_template<int> = 1;
       of_template<char> = 2;
       said = 3;
       unsaid = 4;
     }
     of_unnamed[1][place] = static_cast<float>(place);
     sycl::group_barrier(i.get_group());
     const point &seen = of_namespace;
     x[i.get_global_id(0)] = seen.x + static_cast<int>(2 * seen.y) +
                             static_cast<int>(holder::member) + of_template<int> +
                             of_template<char> + said + unsaid +
                             static_cast<int>((*&of_unnamed)[1][width - 1 - place]);
   }).wait();
  EXPECT(all_are(x, [](int group, int place) { return 11 * group + 11 + width - 1 - place; }));
}

template <class T>
static T first_of(sycl::nd_item<1> i, T value) {
  ex::work_group_static<T> first;
  if (i.get_local_id(0) == 0) {
    first = value;
  }
  sycl::group_barrier(i.get_group());
  const T seen = first;
  sycl::group_barrier(i.get_group());
  return seen;
}

// The same memory in each call, and in loops; each instance has its own.
static void functions(sycl::queue q, int *x) {
  q.parallel_for(many, [=](sycl::nd_item<1> i) {
     const int group = static_cast<int>(i.get_group(0));
     int sum = 0;
     for (int k = 0; k < 4; ++k) {
       sum += first_of(i, group + k) + static_cast<int>(first_of(i, 0.5 * k));
     }
     x[i.get_global_id(0)] = sum;
   }).wait();
  EXPECT(all_are(x, [](int group, int) { return 4 * group + 8; }));
}

static void units(sycl::queue q, int *x) {
  q.parallel_for(many, [=](sycl::nd_item<1> i) {
     const int place = static_cast<int>(i.get_local_id(0));
     if (place == 0) {
       named_number = 100;
       own = 1000;
     }
     (&shared_numbers)[0][place] = place;
     sycl::group_barrier(i.get_group());
     const int theirs = own_number(i);
     x[i.get_global_id(0)] = mirrored(i) + own + theirs;
   }).wait();
  EXPECT(all_are(x, [](int, int place) { return 1107 + width - 1 - place; }));
}

// Each kind of local memory is its own.
static void beside_others(sycl::queue q, int *x) {
  q.submit([&](sycl::handler &cgh) {
     sycl::local_accessor<int> local(width, cgh);
     cgh.parallel_for(
         many, ex::properties{ex::work_group_scratch_size(width * sizeof(int))},
         [=](sycl::nd_item<1> i) {
           const int place = static_cast<int>(i.get_local_id(0));
           ex::work_group_static<int[width]> mine;
           auto &made =
               *sycl::ext::oneapi::group_local_memory_for_overwrite<int[width]>(i.get_group());
           int *scratch = static_cast<int *>(ex::get_work_group_scratch_memory());
           local[place] = 1;
           mine[place] = 10;
           made[place] = 100;
           scratch[place] = 1000;
           sycl::group_barrier(i.get_group());
           const int other = width - 1 - place;
           x[i.get_global_id(0)] = local[other] + mine[other] + made[other] + scratch[other];
         });
   }).wait();
  EXPECT(all_are(x, [](int, int) { return 1111; }));
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>))
void of_function(int *x) {
  const auto i = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  ex::work_group_static<int> value;
  if (i.get_local_id(0) == 0) {
    value = static_cast<int>(i.get_group(0));
  }
  sycl::group_barrier(i.get_group());
  x[i.get_global_id(0)] = value;
}

static void in_sources(sycl::queue q, int *x) {
  const auto source =
      ex::create_kernel_bundle_from_source(q.get_context(), ex::source_language::sycl, R"(
#include <sycl/sycl.hpp>
namespace ex = sycl::ext::oneapi::experimental;
ex::work_group_static<int> first;
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ex::nd_range_kernel<1>)) void sum(int *x) {
  const auto i = sycl::ext::oneapi::this_work_item::get_nd_item<1>();
  ex::work_group_static<int> second;
  if (i.get_local_id(0) == 0) {
    first = i.get_group(0);
    second = 5;
  }
  sycl::group_barrier(i.get_group());
  x[i.get_global_id(0)] = first + second;
}
)");
  const sycl::kernel sum = ex::build(source).ext_oneapi_get_kernel("sum");
  ex::nd_launch(q, many, sum, x);
  q.wait();
  EXPECT(all_are(x, [](int group, int) { return group + 5; }));
}

int main() {
  sycl::queue q;
  int *x = sycl::malloc_shared<int>(count, q);
  scopes(q, x);
  functions(q, x);
  units(q, x);
  beside_others(q, x);
  ex::nd_launch(q, many, ex::kernel_function<of_function>, x);
  q.wait();
  EXPECT(all_are(x, [](int group, int) { return group; }));
  in_sources(q, x);
  sycl::free(x, q);
  return failures;
}
