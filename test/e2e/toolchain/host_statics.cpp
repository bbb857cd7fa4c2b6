// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A class whose first virtual function is defined here: Clang would make its table for devices as
// well, and with it those functions and what they use: variables of static storage with
// constructors, and of threads, which no device has.
// RUN: %tenonxx -fsycl -O0 -fsycl-targets=spirv64,native_cpu %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 -fsycl-targets=spirv64,native_cpu %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 -fsycl-targets=nvptx64-nvidia-cuda,native_cpu %s -o %t && %t
// RUN: %tenonxx -fsycl -fsycl-device-only -S -emit-llvm %s -o - | %FileCheck %s --implicit-check-not=worker
// CHECK: define {{.*}}only_kernel
#include "../headers/Inputs/expect.hpp"
#include <sycl/sycl.hpp>

#include <memory>

struct counted {
  counted() : value(42) {}
  ~counted() { value = 0; }
  int value;
};

template <class T>
struct one {
  static T &get() {
    if (!owned) {
      owned.reset(new T);
    }
    return *owned;
  }
  static std::unique_ptr<T> owned;
  static T plain;
};
template <class T>
std::unique_ptr<T> one<T>::owned;
template <class T>
T one<T>::plain;
inline counted common;

struct worker {
  worker();
  virtual ~worker() {}
  virtual void work();
  int sum = 0;
};
worker::worker() {}
void worker::work() {
  static counted local;
  thread_local counted of_thread;
  sum += one<counted>::get().value + one<counted>::plain.value + common.value + local.value +
         of_thread.value;
}

int main() {
  worker w;
  w.work();
  EXPECT(w.sum == 5 * 42);
  sycl::queue q;
  int *shared = sycl::malloc_shared<int>(1, q);
  q.single_task<class only_kernel>([=] { *shared = 7; }).wait();
  EXPECT(*shared == 7);
  sycl::free(shared, q);
  return failures;
}
