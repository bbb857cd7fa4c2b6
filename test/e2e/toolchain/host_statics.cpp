// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A class whose first virtual function is defined here has its functions emitted for devices as
// well, and with them the variables of static storage that they use: instances of templates and
// inline ones, with constructors and destructors.
// RUN: %tenonxx -fsycl -O0 -fsycl-targets=spirv64,native_cpu %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 -fsycl-targets=spirv64,native_cpu %s -o %t && %t
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
  sum += one<counted>::get().value + one<counted>::plain.value + common.value + local.value;
}

int main() {
  worker w;
  w.work();
  EXPECT(w.sum == 4 * 42);
  sycl::queue q;
  int *shared = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *shared = 7; }).wait();
  EXPECT(*shared == 7);
  sycl::free(shared, q);
  return failures;
}
