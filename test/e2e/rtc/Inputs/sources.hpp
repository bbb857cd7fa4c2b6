// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources as strings, and kernels of them launched with memory.
#pragma once
#include "../../headers/Inputs/expect.hpp"

#include <string>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;
using source_bundle = sycl::kernel_bundle<sycl::bundle_state::ext_oneapi_source>;
using object_bundle = sycl::kernel_bundle<sycl::bundle_state::object>;
using executable_bundle = sycl::kernel_bundle<sycl::bundle_state::executable>;

// Before each source: line 1 of a text is line 5 of what is compiled.
inline const char preamble[] = R"(#include <sycl/sycl.hpp>
namespace syclexp = sycl::ext::oneapi::experimental;
namespace work_item = sycl::ext::oneapi::this_work_item;
#define ND_KERNEL SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::nd_range_kernel<1>))
)";
#define SINGLE_KERNEL "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((syclexp::single_task_kernel))"

template <class... Props>
source_bundle source_of(const sycl::queue &q, const std::string &text, const Props &...props) {
  return syclexp::create_kernel_bundle_from_source(q.get_context(), syclexp::source_language::sycl,
                                                   preamble + text, props...);
}
template <class... Props>
executable_bundle build(const sycl::queue &q, const std::string &text, const Props &...props) {
  return syclexp::build(source_of(q, text), syclexp::properties{props...});
}

// What a kernel f(int *out) leaves in *out.
inline int result_of(sycl::queue q, const sycl::kernel &kernel) {
  int *out = sycl::malloc_shared<int>(1, q);
  *out = -1;
  q.submit([&](sycl::handler &cgh) {
     cgh.set_args(out);
     cgh.single_task(kernel);
   }).wait_and_throw();
  const int result = *out;
  sycl::free(out, q);
  return result;
}
inline int result_of(const sycl::queue &q, const executable_bundle &bundle,
                     const std::string &name = "f") {
  return result_of(q, bundle.ext_oneapi_get_kernel(name));
}
// The same for a source that defines void f(int *out).
template <class... Props>
int result_of_source(const sycl::queue &q, const std::string &text, const Props &...props) {
  return result_of(q, build(q, text, props...));
}
// A source whose f stores an expression.
inline std::string storing(const std::string &expression) {
  return "extern \"C\" " SINGLE_KERNEL " void f(int *out) { *out = " + expression + "; }\n";
}

struct failure {
  int code = 0;
  std::string text;
};
template <class F>
failure failure_of(const F &f) {
  try {
    f();
  } catch (const sycl::exception &e) {
    return {e.code().value(), e.what()};
  }
  return {0, "nothing was thrown"};
}
inline bool has(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

// The statement throws this code, with a text that has each of the parts.
template <class F>
void expect_failure(const char *where, int line, sycl::errc code,
                    std::initializer_list<const char *> parts, const F &f) {
  const failure got = failure_of(f);
  if (got.code != static_cast<int>(code)) {
    std::printf("%s:%d: expected errc %d, got %d: %s\n", where, line, static_cast<int>(code),
                got.code, got.text.c_str());
    ++failures;
  }
  for (const char *part : parts) {
    if (!has(got.text, part)) {
      std::printf("%s:%d: expected '%s' in: %s\n", where, line, part, got.text.c_str());
      ++failures;
    }
  }
}
#define EXPECT_FAILURE(code, parts, ...) \
  expect_failure(__FILE__, __LINE__, sycl::errc::code, parts, [&] { __VA_ARGS__; })
// Commas inside braces would part a macro's arguments.
#define PARTS(...) \
  std::initializer_list<const char *> { __VA_ARGS__ }
