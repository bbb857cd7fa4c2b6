// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs of the DPC++ world use standard headers that <sycl/sycl.hpp> brings, and SYCL 1.2.1's
// name of it.
// RUN: %tenonxx -fsycl -Werror %s -o %t && %t | %FileCheck %s
// RUN: %tenonxx -fsycl -Werror -DFIRST_NAME %s -o %t && %t | %FileCheck %s
// RUN: %tenonxx -fsycl -std=c++20 %s -o %t && %t | %FileCheck %s
#ifdef FIRST_NAME
#include <CL/sycl.hpp>
using namespace cl::sycl;
#else
#include <sycl/sycl.hpp>
using namespace sycl;
#endif

#ifndef SYCL_LANGUAGE_VERSION
#error "SYCL_LANGUAGE_VERSION is missing"
#endif
#if !defined(__LIBSYCL_MAJOR_VERSION) || !defined(__LIBSYCL_MINOR_VERSION) || \
    !defined(__LIBSYCL_PATCH_VERSION) || !defined(__SYCL_COMPILER_VERSION)
#error "DPC++'s version macros are missing"
#endif

int main() {
  queue q;
  const auto begin = std::chrono::steady_clock::now();
  std::array<int, 4> numbers{3, 9, 4, 1};
  std::unordered_map<std::string, int> counts{{"one", 1}};
  std::unique_ptr<int> none;
  std::shared_ptr<int> shared = std::make_shared<int>(1);
  std::function<int()> one = [&] { return *shared + static_cast<int>(none != nullptr); };
  std::optional<int> empty;
  std::mutex mutex;
  std::unique_lock<std::mutex> lock(mutex);
  std::atomic<int> zero{0};
  int copy[4];
  memcpy(copy, numbers.data(), sizeof copy);
  std::memset(numbers.data(), 0, sizeof numbers);
  assert(numbers[0] == zero && !empty && one() == counts["one"]);
  std::stringstream text;
  text << std::setw(3) << *std::max_element(copy, copy + 4) << std::endl;
  // CHECK: 9 17 2
  std::cout << text.str()[2] << ' ' << std::accumulate(copy, copy + 4, 0) << ' ' << std::sqrt(4.0)
            << std::endl
            << std::flush;
  buffer<int, 1> seen(copy, range<1>(4));
  q.submit([&](handler &cgh) {
     stream out(256, 64, cgh);
     accessor numbers_of(seen, cgh, read_write);
     cgh.single_task([=] {
       assert(numbers_of.size() == 4);
       numbers_of[0] = std::max(numbers_of[1], INT_MIN);
       // CHECK-NEXT: in a kernel: 9
       out << "in a kernel: " << numbers_of[0] << endl << flush;
     });
   }).wait();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  // CHECK-NEXT: done
  printf("%s\n", time.count() >= 0 && std::numeric_limits<int>::max() == INT_MAX ? "done" : "");
}
