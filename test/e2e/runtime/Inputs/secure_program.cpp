// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints whether the system calls this a secure execution and what a kernel computes; with an
// argument, also whether a source that is compiled at run time finds a header of the caller's.
#include <sycl/sycl.hpp>

#include <sys/auxv.h>

#include <iostream>

namespace ext = sycl::ext::oneapi::experimental;

static constexpr auto text = R"(
#include <sycl/sycl.hpp>
namespace ext = sycl::ext::oneapi::experimental;
extern "C" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ext::single_task_kernel))
void look(int *out) {
#if __has_include(<header_of_the_caller.h>)
  *out = 1;
#else
  *out = 0;
#endif
}
)";

int main(int argc, char **) try {
  sycl::queue q;
  std::cout << "secure " << (getauxval(AT_SECURE) != 0) << '\n';
  int *out = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *out = 42; }).wait();
  std::cout << "kernel " << *out << '\n';
  if (argc == 1) {
    return 0;
  }
  auto source = ext::create_kernel_bundle_from_source(q.get_context(), ext::source_language::sycl,
                                                      std::string(text));
  auto built = ext::build(source);
  q.submit([&](sycl::handler &h) {
     h.set_args(out);
     h.single_task(built.ext_oneapi_get_kernel("look"));
   }).wait();
  std::cout << "caller's header " << *out << std::endl;
  sycl::free(out, q);
} catch (const std::exception &e) {
  std::cout << e.what() << std::endl;
  return 1;
}
