// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels with large private arrays: on a thread with a small stack they run on the device's own
// threads; one that those cannot hold fails alone, by its name, also without optimization.
// GPU-SUITE: skip it is about the stacks of the CPU's threads
// RUN: %tenonxx -fsycl -O2 -pthread %s -o %t 2>%t.err
// RUN: %t | %FileCheck %s && env TENON_JIT_OPT=0 %t | %FileCheck %s
// RUN: env TENON_CPU_STACK_SIZE=100M %t | %FileCheck --check-prefix=LARGE %s
// RUN: %FileCheck --check-prefix=WARN %s <%t.err
// RUN: %tenonxx -fsycl -O0 -g -pthread -fsycl-targets=native_cpu -Wno-frame-larger-than %s -o %t.0 2>%t.err
// RUN: env TENON_CPU_THREADS=1 %t.0 | %FileCheck %s && %FileCheck --allow-empty --check-prefix=QUIET %s <%t.err
// RUN: not %tenonxx -fsycl -c -Werror=frame-larger-than %s -o %t.o 2>&1 | %FileCheck --check-prefix=ERROR %s
#include <pthread.h>

#include <cstdio>
#include <sycl/sycl.hpp>

template <int Bytes> struct sum {
  int *out;
  int seed;
  void operator()(sycl::id<1> id) const {
    unsigned char bytes[Bytes];
    int x = seed;
    for (int i = 0; i < Bytes; i++) {
      const int next = (x * 5 + 3) & (Bytes - 1);
      bytes[x] = (unsigned char)next;
      x = next;
    }
    out[id] = bytes[seed];
  }
};

// x → 5x + 3 comes to all numbers below a power of two: each byte has the low bits of the next one.
template <int Bytes> int wrong(sycl::queue &q, int *out) {
  q.parallel_for(sycl::range<1>(8), sum<Bytes>{out, 5}).wait();
  int count = 0;
  for (int i = 0; i < 8; i++) {
    count += out[i] != 28;
  }
  return count;
}

// WARN: kernel_stack.cpp:[[#]]:{{.*}}warning: 'sum<67108864>::operator()(
// WARN-SAME: has variables of 67{{[0-9]+}} bytes; with them a kernel needs 67{{[0-9]+}} bytes of
// WARN-SAME: stack, and the CPU's threads have 8372224 (TENON_CPU_STACK_SIZE) [-Wframe-larger-than]
// WARN: note: in kernel 'sum<67108864>'
// WARN-NOT: warning:
// QUIET-NOT: warning:
// ERROR: error: 'sum<67108864>::operator(){{.*}}[-Werror,-Wframe-larger-than]
static void *run(void *) {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(8, q);
  int count = 0;
  for (int round = 0; round < 3; round++) {
    count += wrong<16384>(q, out) + wrong<1 << 20>(q, out);
    try {
      const int large = wrong<64 << 20>(q, out);
      std::printf("64 MiB: wrong: %d\n", large);
    } catch (const sycl::exception &e) {
      std::printf("%s\n", e.what());
    }
  }
  std::printf("wrong: %d\n", count);
  sycl::free(out, q);
  return nullptr;
}
// CHECK-COUNT-3: kernel sum<67108864>: its private variables need 67{{[0-9]+}} bytes of stack
// CHECK: wrong: 0
// LARGE-COUNT-3: 64 MiB: wrong: 0
// LARGE: wrong: 0

int main() {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 * 1024);
  pthread_t thread;
  if (pthread_create(&thread, &small, run, nullptr) != 0) {
    return 1;
  }
  pthread_join(thread, nullptr);
}
