// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library that is opened at run time, with a kernel of its own.
#include <sycl/sycl.hpp>

class PluginKernel;
extern "C" int plugin_run(sycl::queue *q, int *out) {
  q->single_task<PluginKernel>([=] { *out = 4000; }).wait();
  return *out;
}
