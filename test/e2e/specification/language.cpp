// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Headers, namespaces, macros, scalar types and classes in kernels. Source: SYCL 2020 sections 4.3,
// 4.4, 4.14.1, 5.5, 5.6.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 -DOLD -Wno-deprecated-declarations %s -o %t.old && %t.old
#ifdef OLD
#include <CL/sycl.hpp>
namespace name = cl::sycl;
#else
#include <sycl/sycl.hpp>
namespace name = ::sycl;
#endif

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <type_traits>

static_assert(SYCL_LANGUAGE_VERSION >= 202012L && SYCL_DEVICE_COPYABLE == 1 &&
              SYCL_FEATURE_SET_FULL == 1);
#ifdef SYCL_FEATURE_SET_REDUCED
#error both feature sets
#endif
#ifndef SYCL_EXTERNAL
#error device functions have external linkage here
#endif
#if defined(__SYCL_DEVICE_ONLY__) && __SYCL_DEVICE_ONLY__ != 1
#error the macro of the device pass
#endif

static_assert(sizeof(std::int8_t) == 1 && sizeof(std::int16_t) == 2 && sizeof(std::int32_t) == 4 &&
              sizeof(std::int64_t) == 8);
static_assert(sizeof(name::half) == 2 && alignof(name::half) == 2);
static_assert(std::is_same_v<name::queue, ::sycl::queue>);

template <class T>
constexpr unsigned layout = static_cast<unsigned>(sizeof(T) * 64 + alignof(T));
static constexpr unsigned layouts[] = {layout<bool>,
                                       layout<char>,
                                       layout<short>,
                                       layout<int>,
                                       layout<long>,
                                       layout<float>,
                                       layout<long long>,
                                       layout<double>,
                                       layout<std::size_t>,
                                       layout<void *>,
                                       layout<wchar_t>,
                                       layout<std::ptrdiff_t>,
                                       layout<name::half>,
                                       layout<name::vec<int, 3>>,
                                       layout<name::vec<double, 16>>,
                                       layout<name::marray<char, 3>>,
                                       layout<name::id<3>>,
                                       layout<name::accessor<int>>,
                                       layout<std::byte>,
                                       layout<char16_t>};
constexpr int count = sizeof(layouts) / sizeof(*layouts);

int main() {
  name::queue q;
  unsigned *seen = name::malloc_shared<unsigned>(count + 1, q);
  name::buffer<int> b(name::range<1>(4));
  q.submit([&](name::handler &h) {
     name::accessor a(b, h, name::write_only, name::no_init);
     name::local_accessor<int> local(4, h);
     h.parallel_for(name::nd_range<1>(4, 4), [=](name::nd_item<1> it) {
       // The device's types are the host's.
       if (it.get_global_id(0) == 0) {
         for (int i = 0; i < count; ++i) {
           seen[i] = layouts[i];
         }
         seen[count] = CHAR_MIN < 0;
       }
       name::id<1> id = it.get_global_id();
       name::range<1> range = it.get_group().get_local_range();
       name::marray<int, 2> pair(1, 2);
       name::vec<int, 4> four(1, 2, 3, 4);
       local[id] = pair[1] + four.w();
       name::group_barrier(it.get_group());
       name::atomic_ref<int, name::memory_order::relaxed, name::memory_scope::work_group> atomic(
           local[0]);
       if (id != 0) {
         atomic += static_cast<int>(range[0]);
       }
       name::group_barrier(it.get_sub_group());
       name::group_barrier(it.get_group());
       a[id] = local[0];
     });
   }).wait();
  int wrong = 0;
  for (int i = 0; i < count; ++i) {
    wrong += seen[i] != layouts[i];
  }
  wrong += seen[count] != (CHAR_MIN < 0);
  wrong += name::host_accessor(b)[3] != 6 + 3 * 4;
  name::free(seen, q);
  if (wrong) {
    std::printf("%d differences\n", wrong);
  }
  return wrong != 0;
}
