// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_khr_dynamic_addrspace_cast: a cast to a space in which the object is not gives a null
// pointer, in plain ranges and in nd_ranges, across barriers, and for each kind of memory.
// RUN: %tenonxx -fsycl -O0 %s -o %t0 && %t0
// RUN: %tenonxx -fsycl -O2 %s -o %t2 && %t2
// RUN: env TENON_CHECK=1 %t2
// RUN: %tenonxx -fsycl -fsycl-targets=native_cpu -O2 %s -o %t3
// RUN: env TENON_COMPILER_LIBRARY=/nonexistent %t3
// RUN: %tenonxx -fsycl -fsycl-targets=nvptx64-nvidia-cuda,spirv64 -c %s -o %t4.o
#include <sycl/sycl.hpp>

#include <cstdio>

#if SYCL_KHR_DYNAMIC_ADDRSPACE_CAST != 1 || SYCL_KHR_STATIC_ADDRSPACE_CAST != 1
#error "a feature-test macro is missing"
#endif

using space = sycl::access::address_space;

static const int table[4] = {1, 2, 3, 4};

// Bit 0 global, 1 local, 2 private, 3 generic; 16 more if a cast gives another address.
template <class T>
static int spaces_of(T *pointer) {
  const auto global = sycl::khr::dynamic_addrspace_cast<space::global_space>(pointer);
  const auto local = sycl::khr::dynamic_addrspace_cast<space::local_space>(pointer);
  const auto own = sycl::khr::dynamic_addrspace_cast<space::private_space>(pointer);
  const auto any = sycl::khr::dynamic_addrspace_cast<space::generic_space>(pointer);
  int spaces = 0;
  int which = 1;
  for (T *each : {global.get_raw(), local.get_raw(), own.get_raw(), any.get_raw()}) {
    spaces |= each == pointer ? which : each != nullptr ? 16 : 0;
    which *= 2;
  }
  return spaces;
}
enum { GLOBAL = 1 + 8, LOCAL = 2 + 8, PRIVATE = 4 + 8 };

struct holder {
  int values[5];
  int where() const { return spaces_of(&values[2]); }
};

static_assert(
    std::is_same_v<decltype(sycl::khr::dynamic_addrspace_cast<space::local_space>(
                       std::declval<sycl::decorated_generic_ptr<const int>>())),
                   sycl::multi_ptr<const int, space::local_space, sycl::access::decorated::yes>>);
static_assert(
    std::is_same_v<
        decltype(sycl::khr::dynamic_addrspace_cast<space::local_space>(std::declval<float *>())),
        sycl::multi_ptr<float, space::local_space, sycl::access::decorated::no>>);

static int failures = 0;
static void expect(const char *what, const int *found, int count, int wanted) {
  for (int i = 0; i < count; ++i) {
    if (found[i] != wanted) {
      ++failures;
      std::printf("%s: work-item %d: %d, not %d\n", what, i, found[i], wanted);
      return;
    }
  }
}

int main() {
  sycl::queue queue;
  constexpr int count = 96;
  constexpr int kinds = 9;
  int *out = sycl::malloc_shared<int>(count * kinds, queue);
  int *device = sycl::malloc_device<int>(count, queue);
  int *host = sycl::malloc_host<int>(count, queue);
  const holder held = {{1, 2, 3, 4, 5}};

  queue
      .parallel_for(sycl::range<1>(count),
                    [=](sycl::item<1> item) {
                      const int i = static_cast<int>(item.get_linear_id());
                      int own[3] = {i, i + 1, i + 2};
                      holder mine = held;
                      mine.values[2] = i;
                      out[i] = spaces_of(&own[i % 3]);
                      out[count + i] = spaces_of(&out[i]);
                      out[2 * count + i] = spaces_of(device + i);
                      out[3 * count + i] = spaces_of(host + i);
                      out[4 * count + i] = spaces_of(&table[i % 4]);
                      out[5 * count + i] = mine.where();
                      out[6 * count + i] = spaces_of(sycl::generic_ptr<int>(&own[0]).get_raw());
                      out[7 * count + i] = held.where();
                      int *none = nullptr;
                      out[8 * count + i] =
                          sycl::khr::dynamic_addrspace_cast<space::global_space>(none).get_raw() ||
                          sycl::khr::dynamic_addrspace_cast<space::local_space>(none).get_raw() ||
                          sycl::khr::dynamic_addrspace_cast<space::private_space>(none).get_raw();
                    })
      .wait();
  expect("private array", out, count, PRIVATE);
  expect("shared USM", out + count, count, GLOBAL);
  expect("device USM", out + 2 * count, count, GLOBAL);
  expect("host USM", out + 3 * count, count, GLOBAL);
  expect("constant table", out + 4 * count, count, GLOBAL);
  expect("private object", out + 5 * count, count, PRIVATE);
  expect("generic pointer", out + 6 * count, count, PRIVATE);
  expect("lambda capture", out + 7 * count, count, PRIVATE);
  expect("null pointer", out + 8 * count, count, 0);

  // Private memory that is kept across a barrier, local accessors, group_local_memory.
  for (int size : {1, 8, 32}) {
    queue
        .submit([&](sycl::handler &cgh) {
          sycl::local_accessor<int, 1> local(static_cast<std::size_t>(size) + 3, cgh);
          sycl::local_accessor<double, 0> one(cgh);
          cgh.parallel_for(
              sycl::nd_range<1>(count, static_cast<std::size_t>(size)), [=](sycl::nd_item<1> item) {
                const int i = static_cast<int>(item.get_global_linear_id());
                const std::size_t l = item.get_local_linear_id();
                int own[4] = {i, i, i, i};
                int *kept = &own[i % 4];
                out[i] = spaces_of(kept);
                local[l] = i;
                sycl::group_barrier(item.get_group());
                *kept += local[(l + 1) % static_cast<std::size_t>(size)];
                out[count + i] = spaces_of(kept);
                out[2 * count + i] = spaces_of(&local[l + 2]);
                out[3 * count + i] =
                    spaces_of(one.get_multi_ptr<sycl::access::decorated::no>().get_raw());
                auto shared =
                    sycl::ext::oneapi::group_local_memory_for_overwrite<int[40]>(item.get_group());
                out[4 * count + i] = spaces_of(&(*shared)[i % 40]);
                sycl::group_barrier(item.get_group());
                device[i] = own[0] + own[1] + own[2] + own[3];
                out[5 * count + i] = spaces_of(&out[i]);
                // Half of the work-items ask.
                out[6 * count + i] = i % 2 ? spaces_of(&local[0]) : LOCAL;
              });
        })
        .wait();
    expect("before a barrier", out, count, PRIVATE);
    expect("after a barrier", out + count, count, PRIVATE);
    expect("local accessor", out + 2 * count, count, LOCAL);
    expect("local object", out + 3 * count, count, LOCAL);
    expect("group_local_memory", out + 4 * count, count, LOCAL);
    expect("global memory", out + 5 * count, count, GLOBAL);
    expect("some work-items", out + 6 * count, count, LOCAL);
  }

  // A kernel that runs where it is submitted: the host's own variables are global memory.
  if (queue.get_device().has(sycl::aspect::usm_system_allocations)) {
    int variable = 0;
    int *address = &variable;
    for (int i = 0; i < 100; ++i) {
      queue.single_task([=] { out[i % count] = spaces_of(address); }).wait();
    }
    expect("host variable", out, count, GLOBAL);
  }
  sycl::free(out, queue);
  sycl::free(device, queue);
  sycl::free(host, queue);
  return failures != 0;
}
