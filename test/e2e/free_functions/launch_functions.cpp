// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that are functions, launched by their addresses and as kernel objects: overloads,
// templates, namespaces, extern "C", static members, structs, accessors, local memory.
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

namespace syclex = sycl::ext::oneapi::experimental;
namespace this_work_item = sycl::ext::oneapi::this_work_item;
using sycl::bundle_state;

struct pair {
  float scale;
  char add;
};

extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>)) void combine(
    const float *a, const float *b, float *out, pair p, bool twice) {
  const std::size_t i = this_work_item::get_nd_item<1>().get_global_linear_id();
  out[i] = (a[i] * p.scale + b[i] + p.add) * (twice ? 2 : 1);
}

namespace work {
template <class T>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
void put(T *to, T value) {
  *to = value;
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<2>)) SYCL_EXTERNAL void over(int *out);
void over(int *out) {
  auto item = this_work_item::get_nd_item<2>();
  out[item.get_global_linear_id()] = static_cast<int>(
      item.get_local_id(0) * 10 + this_work_item::get_work_group<2>().get_group_id(1));
}
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<3>))
void over(float *out) noexcept { out[this_work_item::get_nd_item<3>().get_global_linear_id()] = 3; }
[[maybe_unused]] void over(double *) {}
}  // namespace work

// Internal linkage, in every source of its own.
namespace {
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
void put_here(int *to) { *to = 11; }
template <class T>
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
void put_each(T *to) {
  to[this_work_item::get_nd_item<1>().get_global_linear_id()] = 12;
}
}  // namespace
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
static void put_there(int *to) { *to = 13; }

struct holder {
  SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::single_task_kernel))
  static void nothing() {}
};

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::work_group_size<8>))
void reverse(sycl::accessor<int> data, sycl::local_accessor<int> local, long add) {
  auto item = this_work_item::get_nd_item<1>();
  const std::size_t at = item.get_local_id(0);
  local[at] = data[item.get_global_id()];
  sycl::group_barrier(this_work_item::get_work_group<1>());
  data[item.get_global_id()] = local[7 - at] + static_cast<int>(add);
}

SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclex::nd_range_kernel<1>))
[[sycl::reqd_sub_group_size(32)]] void shift(syclex::work_group_memory<int[]> many,
                                             syclex::work_group_memory<int[2][4]> few,
                                             syclex::work_group_memory<double> one, int *out) {
  auto item = this_work_item::get_nd_item<1>();
  const std::size_t at = item.get_local_id(0);
  many[at] = static_cast<int>(at);
  if (at == 0) {
    one = 100;
    few[1][3] = 1000;
  }
  sycl::group_barrier(item.get_group());
  out[item.get_global_id()] =
      many[(at + 1) % 8] + static_cast<int>(one) + (&few)[0][1][3] +
      static_cast<int>(this_work_item::get_sub_group().get_max_local_range()[0] != 32) * 5000;
}

static_assert(syclex::is_kernel_v<combine> && syclex::is_nd_range_kernel_v<combine, 1> &&
              !syclex::is_nd_range_kernel_v<combine, 2> &&
              !syclex::is_single_task_kernel_v<combine>);
static_assert(syclex::is_single_task_kernel_v<work::put<int>> &&
              !syclex::is_nd_range_kernel_v<work::put<int>, 1>);
static_assert(
    syclex::is_nd_range_kernel_v<static_cast<void (*)(int *)>(work::over), 2> &&
    syclex::is_nd_range_kernel_v<static_cast<void (*)(float *) noexcept>(work::over), 3> &&
    !syclex::is_kernel_v<static_cast<void (*)(double *)>(work::over)>);
static_assert(SYCL_EXT_ONEAPI_FREE_FUNCTION_KERNELS == 1 && SYCL_EXT_ONEAPI_RAW_KERNEL_ARG == 1 &&
              SYCL_EXT_ONEAPI_WORK_GROUP_MEMORY == 1);

template <auto *F>
static sycl::kernel kernel_of(sycl::queue q) {
  auto bundle = syclex::get_kernel_bundle<F, bundle_state::executable>(q.get_context());
  EXPECT(bundle.template ext_oneapi_has_kernel<F>());
  EXPECT(bundle.template ext_oneapi_has_kernel<F>(q.get_device()));
  return bundle.template ext_oneapi_get_kernel<F>();
}

static void check_by_address(sycl::queue q, int *n, float *a, float *b) {
  const sycl::nd_range<1> sixteen(16, 8);
  syclex::nd_launch(q, sixteen, syclex::kernel_function<combine>, a, b, b, pair{2, 1}, false);
  q.wait();
  EXPECT(b[3] == 3 * 2 + 30 + 1);
  q.submit([&](sycl::handler &h) {
     syclex::nd_launch(h, sixteen, syclex::kernel_function<combine>, a, a, b, pair{1, 0}, true);
   }).wait();
  EXPECT(b[3] == 12);
  syclex::single_task(q, syclex::kernel_function<work::put<int>>, n, 5);
  q.wait();
  EXPECT(n[0] == 5);
  syclex::submit(q, [&](sycl::handler &h) {
    syclex::single_task(h, syclex::kernel_function<work::put<int>>, n, 'c');
  });
  q.wait();
  EXPECT(n[0] == 'c');
  syclex::single_task(q, syclex::kernel_function<put_here>, n);
  syclex::nd_launch(q, sycl::nd_range<1>(2, 1), syclex::kernel_function<put_each<int>>, n + 1);
  syclex::single_task(q, kernel_of<put_there>(q), n + 3);
  q.wait();
  EXPECT(n[0] == 11 && n[1] == 12 && n[2] == 12 && n[3] == 13);
  syclex::nd_launch(q, sycl::nd_range<2>({4, 4}, {2, 2}),
                    syclex::kernel_function<static_cast<void (*)(int *)>(work::over)>, n);
  q.wait();
  EXPECT(n[0] == 0 && n[7] == 11 && n[15] == 11 && n[12] == 10);
  syclex::nd_launch(q, sycl::nd_range<3>({2, 2, 2}, {1, 1, 2}),
                    syclex::kernel_function<static_cast<void (*)(float *) noexcept>(work::over)>,
                    a);
  syclex::single_task(q, syclex::kernel_function<holder::nothing>);
  q.wait();
  EXPECT(a[7] == 3 && a[8] == 8);
}

static void check_memory(sycl::queue q, int *n) {
  sycl::buffer<int> buffer{sycl::range<1>(16)};
  {
    sycl::host_accessor all(buffer);
    for (int i = 0; i < 16; ++i) {
      all[i] = i;
    }
  }
  const auto object = kernel_of<reverse>(q);
  EXPECT(object.get_info<sycl::info::kernel::num_args>() == 3);
  EXPECT(object.get_info<sycl::info::kernel_device_specific::compile_work_group_size>(
             q.get_device()) == sycl::range<3>(1, 1, 8));
  for (int round = 0; round < 2; ++round) {
    q.submit([&](sycl::handler &h) {
      sycl::accessor data(buffer, h);
      sycl::local_accessor<int> local(8, h);
      if (round == 0) {
        syclex::nd_launch(h, sycl::nd_range<1>(16, 8), syclex::kernel_function<reverse>, data,
                          local, 1);
      } else {
        syclex::nd_launch(h, sycl::nd_range<1>(16, 8), object, data, local, 10l);
      }
    });
  }
  sycl::host_accessor all(buffer);
  for (int i = 0; i < 16; ++i) {
    EXPECT(all[i] == i + 11);
  }

  const auto shifted = kernel_of<shift>(q);
  EXPECT(shifted.get_info<sycl::info::kernel_device_specific::compile_sub_group_size>(
             q.get_device()) == 32);
  for (int round = 0; round < 2; ++round) {
    q.submit([&](sycl::handler &h) {
       syclex::work_group_memory<int[]> many(8, h);
       syclex::work_group_memory<int[2][4]> few(h);
       syclex::work_group_memory<double> one(h);
       if (round == 0) {
         syclex::nd_launch(h, sycl::nd_range<1>(16, 8), syclex::kernel_function<shift>, many, few,
                           one, n);
       } else {
         h.set_arg(3, n);
         h.parallel_for(sycl::nd_range<1>(16, 8), shifted);
         h.set_arg(0, sycl::local_accessor<int>(8, h));
         h.set_arg(1, few);
         h.set_arg(2, one);
       }
     }).wait();
    EXPECT(n[0] == 1101 && n[7] == 1100 && n[14] == 1107 && n[15] == 1100);
    n[0] = n[7] = n[14] = n[15] = 0;
  }
  // The same object in a kernel that is a function object.
  q.submit([&](sycl::handler &h) {
     syclex::work_group_memory<int[8]> mine(h);
     syclex::work_group_memory<int> other{syclex::indeterminate};
     h.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> item) {
       auto copy = other;
       copy = syclex::work_group_memory<int>(syclex::indeterminate);
       mine[item.get_local_id(0)] = 1;
       sycl::group_barrier(item.get_group());
       n[item.get_local_id(0)] = mine.get_multi_ptr()[7 - item.get_local_id(0)];
     });
   }).wait();
  EXPECT(n[0] == 1 && n[7] == 1);
}

static void check_objects(sycl::queue q, int *n, float *a, float *b) {
  const auto object = kernel_of<combine>(q);
  EXPECT(syclex::get_kernel_id<combine>() == syclex::get_kernel_id<combine>());
  EXPECT(syclex::get_kernel_id<combine>().get_name() == std::string("combine"));
  EXPECT(syclex::get_kernel_id<work::put<long>>().get_name() == std::string("work::put<long>"));
  EXPECT(syclex::is_compatible<combine>(q.get_device()));
  EXPECT((syclex::has_kernel_bundle<combine, bundle_state::executable>(q.get_context())));
  EXPECT((syclex::get_kernel_info<combine, sycl::info::kernel::num_args>(q.get_context())) == 5);
  EXPECT((syclex::get_kernel_info<combine, sycl::info::kernel_device_specific::work_group_size>(
             q)) > 0);
  // The same in C.
  tn_kernel *built = nullptr;
  tn_kernel_arg place;
  tn_diag diag;
  EXPECT(tn_bundle_get_kernel(object.tn_get_bundle(), object.tn_get_id().tn_get(),
                              q.get_device().tn_get(), &built, &diag) == TN_OK);
  EXPECT(tn_kernel_is_function(built) == 1 && tn_kernel_arg_count(built) == 5);
  EXPECT(tn_kernel_arg_at(built, 3, &place, &diag) == TN_OK && place.offset == 24 &&
         place.size == sizeof(pair) && place.kind == TN_ARG_VALUE);
  EXPECT(tn_kernel_arg_at(built, 2, &place, &diag) == TN_OK && place.kind == TN_ARG_POINTER);
  EXPECT(tn_kernel_arg_at(built, 5, &place, &diag) == TN_INVALID_ARGUMENT &&
         std::string(diag.text) == "kernel combine has 5 arguments: there is none of index 5");
  tn_kernel_release(built);
  q.submit([&](sycl::handler &h) {
     // Bytes, and an argument that is set twice.
     const pair p{3, 2};
     h.set_args(a, a, nullptr, syclex::raw_kernel_arg(&p, sizeof(p)), false);
     h.set_arg(2, b);
     h.parallel_for(sycl::nd_range<1>(16, 8), object);
   }).wait();
  EXPECT(b[15] == 15 * 4 + 2);
  const auto task = kernel_of<work::put<long>>(q);
  long *number = sycl::malloc_shared<long>(1, q);
  q.submit([&](sycl::handler &h) {
     h.set_args(number, 7l);
     h.single_task(task);
   }).wait();
  EXPECT(*number == 7);
  syclex::single_task(q, task, number, 8l);
  q.wait();
  EXPECT(*number == 8);
  syclex::single_task(q, kernel_of<holder::nothing>(q));
  q.wait();
  // A pointer gets the buffer of an accessor.
  sycl::buffer<long> buffer{sycl::range<1>(1)};
  q.submit([&](sycl::handler &h) {
    h.set_args(sycl::accessor(buffer, h), 9l);
    h.single_task(task);
  });
  EXPECT(sycl::host_accessor(buffer)[0] == 9);
  sycl::free(number, q);
  n[0] = 0;
}

int main() {
  sycl::queue q;
  int *n = sycl::malloc_shared<int>(16, q);
  float *a = sycl::malloc_shared<float>(16, q);
  float *b = sycl::malloc_shared<float>(16, q);
  for (int i = 0; i < 16; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = static_cast<float>(10 * i);
  }
  check_objects(q, n, a, b);
  for (int i = 0; i < 16; ++i) {
    b[i] = static_cast<float>(10 * i);
  }
  check_by_address(q, n, a, b);
  check_memory(q, n);
  sycl::free(n, q);
  sycl::free(a, q);
  sycl::free(b, q);
  return failures;
}
