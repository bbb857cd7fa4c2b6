// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declarations that scripts/check_synopses.py found to differ from the specification's.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -fsyntax-only %s
#include <sycl/sycl.hpp>

#include <type_traits>
#include <utility>

using sycl::access::address_space;
using sycl::access::decorated;

static_assert(std::is_same_v<sycl::addrspace, address_space>);
static_assert(sycl::addrspace_global == address_space::global_space &&
              sycl::addrspace_local == address_space::local_space &&
              sycl::addrspace_private == address_space::private_space &&
              sycl::addrspace_generic == address_space::generic_space);

using group = const sycl::group<1> &;

// A work-group converts to private memory.
void takes_memory(const sycl::private_memory<int> &memory);
static_assert(std::is_void_v<decltype(takes_memory(std::declval<group>()))>);

// Loops over work-items throw nothing.
struct body {
  void operator()(sycl::h_item<1>) const {}
};
static_assert(noexcept(std::declval<group>().parallel_for_work_item(std::declval<body>())));
static_assert(noexcept(std::declval<group>().parallel_for_work_item(std::declval<sycl::range<1>>(),
                                                                    std::declval<body>())));

// The order of template arguments.
using plus = sycl::plus<int>;
using sub_group = sycl::sub_group;
static_assert(std::is_same_v<decltype(sycl::inclusive_scan_over_group<sub_group, short, int, plus>(
                                 std::declval<sub_group>(), short(), plus(), 0)),
                             int>);
static_assert(
    std::is_same_v<decltype(sycl::joint_inclusive_scan<sub_group, const short *, int *, int, plus>(
                       std::declval<sub_group>(), nullptr, nullptr, nullptr, plus(), 0)),
                   int *>);

using vec = sycl::vec<int, 4>;
template <class T>
using pointer = sycl::multi_ptr<T, address_space::local_space, decorated::yes>;
static_assert(
    std::is_void_v<decltype(std::declval<vec &>().load<address_space::local_space, decorated::yes>(
        0, std::declval<pointer<const int>>()))>);
static_assert(std::is_void_v<decltype(std::declval<const vec &>()
                                          .store<address_space::local_space, decorated::yes>(
                                              0, std::declval<pointer<int>>()))>);
