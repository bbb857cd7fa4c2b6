// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DPC++'s lists of aspects, as the headers of its CUDA migration tool use them.
// RUN: %tenonxx -fsycl -O1 -Wall -Wextra -Werror %s -o %t && %t
#include <sycl/sycl.hpp>

#include <cstdio>
#include <string>

#define __SYCL_ASPECT(ASPECT, ID) \
  case sycl::aspect::ASPECT:      \
    return #ASPECT;
#define __SYCL_ASPECT_DEPRECATED(ASPECT, ID, MESSAGE) __SYCL_ASPECT(ASPECT, ID)
#define __SYCL_ASPECT_DEPRECATED_ALIAS(ASPECT, ID, MESSAGE)
static std::string name_of(sycl::aspect aspect) {
  switch (aspect) {
#include <sycl/info/aspects.def>
#include <sycl/info/aspects_deprecated.def>
    default:
      return "unknown aspect";
  }
}
#undef __SYCL_ASPECT_DEPRECATED_ALIAS
#undef __SYCL_ASPECT_DEPRECATED
#undef __SYCL_ASPECT

int main() {
  if (name_of(sycl::aspect::cpu) != "cpu" || name_of(sycl::aspect::fp64) != "fp64" ||
      name_of(sycl::aspect::ext_oneapi_limited_graph) != "ext_oneapi_limited_graph" ||
      name_of(sycl::aspect::ext_intel_gpu_eu_count) != "ext_intel_gpu_eu_count" ||
      name_of(sycl::aspect(12345)) != "unknown aspect") {
    std::printf("wrong names\n");
    return 1;
  }
  return 0;
}
