// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources that would end in a wrong value or in the end of the process are refused in words.
// Of one thread.
// UNSUPPORTED: thread-sanitizer
// RUN: %tenonxx -fsycl %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <string>

namespace syclexp = sycl::ext::oneapi::experimental;

static std::string failure(sycl::queue &q, const std::string &text) {
  try {
    auto source = syclexp::create_kernel_bundle_from_source(
        q.get_context(), syclexp::source_language::sycl, "#include <sycl/sycl.hpp>\n" + text);
    auto bundle = syclexp::build(source);
    int *p = sycl::malloc_shared<int>(2, q);
    p[0] = p[1] = 1;
    q.submit([&](sycl::handler &h) {
       h.set_args(p);
       h.single_task(bundle.ext_oneapi_get_kernel("k"));
     }).wait();
    sycl::free(p, q);
  } catch (const sycl::exception &e) {
    return e.what();
  }
  return "";
}

#define KERNEL                                       \
  "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((" \
  "sycl::ext::oneapi::experimental::single_task_kernel)) "

static void expect_words(const std::string &text, const char *words) {
  if (words[0] == '\0' ? !text.empty() : text.find(words) == std::string::npos) {
    std::printf("got: %s\n", text.c_str());
    ++failures;
  }
}

int main() {
  sycl::queue q;
  expect_words(failure(q,
                       "int f() { return 3; }\n"
                       "sycl::ext::oneapi::experimental::device_global<int> g{f()};\n" KERNEL
                       "void k(int *p) { p[0] = g; }\n"),
               "device global 'g' does not begin with a constant");
  expect_words(failure(q,
                       "constexpr int f() { return 3; }\n"
                       "sycl::ext::oneapi::experimental::device_global<int> g{f()};\n" KERNEL
                       "void k(int *p) { p[0] = g; }\n"),
               "");
  // OpenCL's drivers find out by themselves.
  if (q.get_backend() != sycl::backend::opencl) {
    expect_words(
        failure(q, KERNEL "void k(int *p) { int a[1 << 21]; a[p[0]] = 1; p[0] = a[p[1]]; }\n"),
        q.get_device().is_cpu() ? "bytes of stack" : "bytes of private memory");
  }
  auto bundle = syclexp::build(syclexp::create_kernel_bundle_from_source(
      q.get_context(), syclexp::source_language::sycl,
      "#include <sycl/sycl.hpp>\n"
      "sycl::ext::oneapi::experimental::device_global<long> g;\n" KERNEL
      "void k(int *p) { p[0] = static_cast<int>(g.get()); }\n"));
  EXPECT(bundle.ext_oneapi_get_device_global_size("g") == sizeof(long));
  return failures;
}
