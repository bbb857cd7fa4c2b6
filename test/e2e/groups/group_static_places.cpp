// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where variables of work-groups may be declared and how their addresses are used: in lambdas and
// classes of functions, in system headers, twice by one name, as arrays and const.
// RUN: %tenonxx -fsycl -O2 -isystem %S/Inputs/system %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -isystem %S/Inputs/system %s -o %t.O0 && %t.O0
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %tenonxx -fsycl -fsycl-targets=nvptx64-nvidia-cuda -fsycl-device-code-split=off \
// RUN:   --save-temps=cwd -isystem %S/Inputs/system %s -o %t.nv
// RUN: cat *.ptx | %FileCheck %s
#include "../headers/Inputs/expect.hpp"

#include <group_statics_library.hpp>

#include <cstdint>

namespace ex = sycl::ext::oneapi::experimental;

constexpr int width = 16;
constexpr int count = 64;
static const sycl::nd_range<1> many(count, width);

struct alignas(64) line {
  int numbers[width];
};
// CHECK-DAG: .shared .align 64 .b8 {{[^ ]+}}[64];
ex::work_group_static<line> aligned;
// CHECK-DAG: .shared .align 16 .b8 {{[^ ]+}}[132];
ex::work_group_static<int[11]> several[3];
const ex::work_group_static<int> constant{};
ex::work_group_static<int[width]> left, right;

static bool all_are(const int *x, int (*wanted)(int group, int place)) {
  bool is_right = true;
  for (int i = 0; i < count; ++i) {
    is_right = is_right && x[i] == wanted(i / width, i % width);
  }
  return is_right;
}

// Variables of one name are two, whether they say static or not.
static int twins(sycl::nd_item<1> i) {
  int sum = 0;
  {
    ex::work_group_static<int> one;
    if (i.get_local_id(0) == 0) {
      one = 1;
    }
    sycl::group_barrier(i.get_group());
    sum += one;
  }
  {
    static ex::work_group_static<double> one;
    if (i.get_local_id(0) == 0) {
      one = 20;
    }
    sycl::group_barrier(i.get_group());
    sum += static_cast<int>(one);
  }
  for (ex::work_group_static<char> one;;) {
    if (i.get_local_id(0) == 0) {
      one = 100;
    }
    sycl::group_barrier(i.get_group());
    return sum + one;
  }
}

static void functions(sycl::queue q, int *x) {
  q.parallel_for(many, [=](sycl::nd_item<1> i) {
     const int place = static_cast<int>(i.get_local_id(0));
     ex::work_group_static<int[width]> mirrored;
     const auto put = [&](int value) { mirrored[place] = value; };  // refers to it
     const auto own = [&](auto value) {
       ex::work_group_static<decltype(value)> kept;
       if (place == 0) {
         kept = value;
       }
       sycl::group_barrier(i.get_group());
       return static_cast<int>(kept);
     };
     struct local {
       static int get(int place, sycl::group<1> group) {
         ex::work_group_static<int> kept;
         if (place == 0) {
           kept = 10000;
         }
         sycl::group_barrier(group);
         return kept;
       }
     };
     put(place);
     sycl::group_barrier(i.get_group());
     x[i.get_global_id(0)] = mirrored[width - 1 - place] + own(1000) + own(2000.5) +
                             local::get(place, i.get_group()) + twins(i);
   }).wait();
  EXPECT(all_are(x, [](int, int place) { return 13121 + width - 1 - place; }));
}

static void system_headers(sycl::queue q, int *x) {
  q.parallel_for(many, [=](sycl::nd_item<1> i) {
     const int place = static_cast<int>(i.get_local_id(0));
     x[i.get_global_id(0)] = library::in_function(i, place + 1) +
                             library::in_template(i, place + 10) +
                             library::holder().in_lambda(i, place + 100);
   }).wait();
  EXPECT(all_are(x, [](int, int) { return 111; }));
}

static void set(const ex::work_group_static<int> &variable, int value) { variable = value; }

static void objects(sycl::queue q, int *x) {
  q.parallel_for(many, [=](sycl::nd_item<1> i) {
     const int place = static_cast<int>(i.get_local_id(0));
     ex::work_group_static<int> pair[2];
     const ex::work_group_static<int[2]> numbers{};
     if (place == 0) {
       set(constant, 1);
       *&constant += 1;
       pair[0] = 10;
       pair[1] = 20;
       numbers[1] = 1000;
     }
     if (place < 3) {
       several[place][10] = 100 * place;
     }
     sycl::group_barrier(i.get_group());
     x[i.get_global_id(0)] =
         constant + pair[0] + pair[1] + several[place % 3][10] + numbers[1];
   }).wait();
  EXPECT(all_are(x, [](int, int place) { return 1032 + 100 * (place % 3); }));
}

// LLVM makes constants of what is computed of them.
static void addresses(sycl::queue q, int *x) {
  q.parallel_for(many, [=](sycl::nd_item<1> i) {
     const int place = static_cast<int>(i.get_local_id(0));
     const auto l = reinterpret_cast<std::uintptr_t>(*&left);
     const auto r = reinterpret_cast<std::uintptr_t>(*&right);
     const auto low = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(&aligned));
     left[place] = place;
     right[place] = -place;
     sycl::group_barrier(i.get_group());
     x[i.get_global_id(0)] = static_cast<int>(low % 64) + (l - r == 0) + ((l ^ r) == 0) +
                             (l + r == 0) + *reinterpret_cast<int *>(l + 4) +
                             (&left)[0][width - 1 - place];
   }).wait();
  EXPECT(all_are(x, [](int, int place) { return width - place; }));
}

int main() {
  sycl::queue q;
  int *x = sycl::malloc_shared<int>(count, q);
  functions(q, x);
  system_headers(q, x);
  objects(q, x);
  addresses(q, x);
  sycl::free(x, q);
  return failures;
}
