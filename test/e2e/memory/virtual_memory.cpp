// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory: a vector that grows without moving, one physical memory at two addresses, access
// modes, parts of mappings, and arguments that are errors; errors alone without the aspect.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"
#include <sycl/sycl.hpp>

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace syclex = sycl::ext::oneapi::experimental;
using syclex::address_access_mode;

// Whether writing there ends a process.
static bool write_faults(int *at) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    *const_cast<volatile int *>(at) = 1;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV;
}

static void grow(sycl::queue &q, std::size_t unit) {
  const sycl::context context = q.get_context();
  const std::size_t most = 8 * unit, count = unit / sizeof(int);
  const std::uintptr_t base = syclex::reserve_virtual_mem(most, context);
  int *data = reinterpret_cast<int *>(base);
  std::vector<syclex::physical_mem> parts;
  for (std::size_t i = 0; i < 4; ++i) {
    parts.emplace_back(q, unit);
    EXPECT(parts.back().size() == unit && parts.back().get_device() == q.get_device());
    void *at = parts.back().map(base + i * unit, unit, address_access_mode::read_write);
    EXPECT(at == data + i * count);
    q.parallel_for(count, [=](sycl::id<1> id) {
      data[i * count + id[0]] = static_cast<int>(i * count + id[0]);
    });
    q.wait_and_throw();
  }
  EXPECT(parts[0] != parts[1] && syclex::physical_mem(parts[0]) == parts[0]);
  std::vector<int> copy(4 * count);
  q.copy(data, copy.data(), copy.size()).wait_and_throw();
  bool is_right = true;
  for (std::size_t i = 0; i < copy.size(); ++i) {
    is_right = is_right && copy[i] == static_cast<int>(i);
  }
  EXPECT(is_right);
  EXPECT_ERRC(invalid, syclex::free_virtual_mem(base, most, context));
  syclex::unmap(data, 4 * unit, context);
  // The memory outlives its mapping, and keeps its contents.
  parts[2].map(base + 7 * unit, unit, address_access_mode::read);
  EXPECT(data[7 * count] == static_cast<int>(2 * count));
  syclex::unmap(data + 7 * count, unit, context);
  syclex::free_virtual_mem(base, most, context);
}

static void two_addresses(sycl::queue &q, std::size_t unit) {
  const sycl::context context = q.get_context();
  const std::uintptr_t one = syclex::reserve_virtual_mem(3 * unit, context);
  const std::uintptr_t other = syclex::reserve_virtual_mem(one + 64 * unit, unit, context);
  int *at_one = reinterpret_cast<int *>(one), *at_other = reinterpret_cast<int *>(other);
  const std::size_t count = unit / sizeof(int);
  {
    // Mappings keep the memory.
    const syclex::physical_mem memory(q.get_device(), context, 3 * unit);
    memory.map(one, 3 * unit, address_access_mode::read_write);
    memory.map(other, unit, address_access_mode::read, unit);
    EXPECT_ERRC(invalid, memory.map(one + unit, unit, address_access_mode::read));
    EXPECT_ERRC(invalid, memory.map(other, unit, address_access_mode::read, 3 * unit));
    EXPECT_ERRC(invalid, memory.map(other + unit, unit, address_access_mode::read));
  }
  q.single_task([=] { at_one[count] = 42; }).wait_and_throw();
  EXPECT(*at_other == 42);
  EXPECT(write_faults(at_other) && !write_faults(at_one));

  EXPECT(syclex::get_access_mode(at_one, 3 * unit, context) == address_access_mode::read_write);
  syclex::set_access_mode(at_one + count, unit, address_access_mode::none, context);
  EXPECT(syclex::get_access_mode(at_one + count, unit, context) == address_access_mode::none);
  EXPECT(syclex::get_access_mode(at_one + 2 * count, unit, context) ==
         address_access_mode::read_write);
  EXPECT_ERRC(invalid, syclex::get_access_mode(at_one, 3 * unit, context));
  EXPECT(write_faults(at_one + count) && !write_faults(at_one + 2 * count));
  syclex::set_access_mode(at_one, 3 * unit, address_access_mode::read_write, context);
  EXPECT(at_one[count] == 42 && !write_faults(at_one + count));

  // The middle goes, and another memory comes there.
  syclex::unmap(at_one + count, unit, context);
  EXPECT_ERRC(invalid, syclex::unmap(at_one, 3 * unit, context));
  EXPECT_ERRC(invalid,
              syclex::set_access_mode(at_one, 2 * unit, address_access_mode::read, context));
  const syclex::physical_mem fresh(q, unit);
  fresh.map(one + unit, unit, address_access_mode::read_write);
  EXPECT(at_one[count] == 0 && *at_other == 1);  // write_faults wrote to shared memory
  syclex::unmap(at_one, 3 * unit, context);
  syclex::unmap(at_other, unit, context);
  EXPECT_ERRC(invalid, syclex::free_virtual_mem(one, unit, context));
  syclex::free_virtual_mem(one, 3 * unit, context);
  EXPECT_ERRC(invalid, syclex::free_virtual_mem(one, 3 * unit, context));
  syclex::free_virtual_mem(other, unit, context);
}

static void errors(sycl::queue &q, std::size_t unit) {
  const sycl::context context = q.get_context(), foreign{q.get_device()};
  EXPECT_ERRC(invalid, syclex::reserve_virtual_mem(unit + 1, context));
  EXPECT_ERRC(invalid, syclex::reserve_virtual_mem(0, context));
  EXPECT_ERRC(invalid, syclex::physical_mem(q, unit / 2));
  EXPECT_ERRC(memory_allocation, syclex::physical_mem(q, std::size_t{1} << 62));
  const std::uintptr_t base = syclex::reserve_virtual_mem(unit, context);
  const syclex::physical_mem memory(foreign.get_devices()[0], foreign, unit);
  EXPECT_ERRC(invalid, memory.map(base, unit, address_access_mode::read));
  EXPECT_ERRC(invalid, syclex::free_virtual_mem(base, unit, foreign));
  EXPECT_ERRC(invalid, syclex::unmap(reinterpret_cast<void *>(base), unit, context));
  syclex::free_virtual_mem(base, unit, context);
}

int main() {
  sycl::queue q;
  if (!q.get_device().has(sycl::aspect::ext_oneapi_virtual_mem)) {
    EXPECT_ERRC(feature_not_supported, syclex::get_mem_granularity(q.get_context()));
    EXPECT_ERRC(feature_not_supported, syclex::reserve_virtual_mem(1 << 21, q.get_context()));
    EXPECT_ERRC(feature_not_supported, syclex::physical_mem(q, 1 << 21));
    return failures;
  }
  const std::size_t unit = syclex::get_mem_granularity(q.get_device(), q.get_context());
  EXPECT(unit > 0 &&
         syclex::get_mem_granularity(q.get_context(), syclex::granularity_mode::minimum) == unit);
  grow(q, unit);
  two_addresses(q, unit);
  errors(q, unit);
  return failures;
}
