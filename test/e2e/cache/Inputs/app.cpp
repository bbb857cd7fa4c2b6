// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches the kernels that its arguments name, in their order, and tells what the caches did.
#include "report.hpp"
#include <sycl/sycl.hpp>

#include <dlfcn.h>
#include <stdlib.h>

SYCL_EXTERNAL int LibDeviceFunc(int i);
int EnqueueLibraryKernel(sycl::queue &q, int *out);

class InternalKernel;
class SpecializedKernel;
constexpr sycl::specialization_id<int> constant(1);

static int run_own(sycl::queue &q, int *out) {
  q.single_task<InternalKernel>([=] { *out = LibDeviceFunc(1); }).wait();
  return *out;
}

static int run_specialized(sycl::queue &q, int *out, int value) {
  q.submit([&](sycl::handler &h) {
     h.set_specialization_constant<constant>(value);
     h.single_task<SpecializedKernel>(
         [=](sycl::kernel_handler kh) { *out = 10 * kh.get_specialization_constant<constant>(); });
   }).wait();
  return *out;
}

static int run_plugin(sycl::queue &q, int *out) {
  void *plugin = dlopen("./plugin.so", RTLD_NOW);
  using run_type = int (*)(sycl::queue *, int *);
  auto run = plugin ? reinterpret_cast<run_type>(dlsym(plugin, "plugin_run")) : nullptr;
  const int result = run ? run(&q, out) : -1;
  if (plugin) {
    dlclose(plugin);
  }
  return result;
}

int main(int argc, char **argv) {
  sycl::queue q;
  int *out = sycl::malloc_shared<int>(1, q);
  for (int i = 1; i < argc; ++i) {
    const int result = strcmp(argv[i], "own") == 0      ? run_own(q, out)
                       : strcmp(argv[i], "lib") == 0    ? EnqueueLibraryKernel(q, out)
                       : strcmp(argv[i], "plugin") == 0 ? run_plugin(q, out)
                                                        : run_specialized(q, out, atoi(argv[i]));
    printf("%d%c", result, i + 1 < argc ? ' ' : '\n');
  }
  report();
  sycl::free(out, q);
  return 0;
}
