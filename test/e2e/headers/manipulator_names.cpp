// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `using namespace sycl;` before <iostream> changes neither std::endl nor sycl::endl.
// RUN: %tenonxx -fsycl -DFINE %s -o %t && %t | %FileCheck %s
// RUN: %tenonxx -fsycl %s -o %t && %t | %FileCheck %s
#ifdef FINE
#include <sycl/detail/core.hpp>
#include <sycl/stream.hpp>
#else
#include <sycl/sycl.hpp>
#endif
using namespace sycl;

#include <iomanip>
#include <iostream>

int main() {
  // CHECK: ff 1
  std::cout << std::hex << 255 << std::dec << std::setw(2) << 1 << std::endl << std::flush;
  queue q;
  q.submit([&](handler &cgh) {
     stream out(256, 64, cgh);
     // CHECK-NEXT: ff 1
     cgh.single_task([=] { out << hex << 255 << dec << setw(2) << 1 << endl << flush; });
   }).wait();
}
