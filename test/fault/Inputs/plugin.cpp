// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plug-in: built several times, each with its own number, its kernels with the same names.
#include <sycl/sycl.hpp>

SYCL_EXTERNAL int library_step(int x, int step);

namespace {
struct step {
  int *out;
  void operator()(sycl::id<1> i) const {
    out[i] = library_step(static_cast<int>(i[0]), PLUGIN) + PLUGIN;
  }
};
}  // namespace

// Launches the plug-in's kernel; how many results are wrong.
extern "C" int plugin_run() {
  constexpr int count = 32;
  sycl::queue q{sycl::property::queue::in_order{}};
  int *out = sycl::malloc_shared<int>(count, q);
  q.parallel_for(sycl::range<1>(count), step{out}).wait();
  int wrong = 0;
  for (int i = 0; i < count; i++) {
    wrong += out[i] != (i + PLUGIN) * 11 + PLUGIN;
  }
  sycl::free(out, q);
  return wrong;
}
