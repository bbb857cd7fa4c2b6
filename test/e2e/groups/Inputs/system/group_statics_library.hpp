// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A system header: the variables say `static` nowhere.
#pragma once
#include <sycl/sycl.hpp>

namespace library {

template <class T>
using shared = sycl::ext::oneapi::experimental::work_group_static<T>;

inline int in_function(sycl::nd_item<1> i, int value) {
  shared<int> first;
  if (i.get_local_id(0) == 0) {
    first = value;
  }
  sycl::group_barrier(i.get_group());
  return first;
}

template <class T>
T in_template(sycl::nd_item<1> i, T value) {
  shared<T> first;
  if (i.get_local_id(0) == 0) {
    first = value;
  }
  sycl::group_barrier(i.get_group());
  return first;
}

struct holder {
  int in_lambda(sycl::nd_item<1> i, int value) const {
    const auto call = [&] {
      shared<int> first;
      if (i.get_local_id(0) == 0) {
        first = value;
      }
      sycl::group_barrier(i.get_group());
      return first + 0;
    };
    return call();
  }
};

}  // namespace library
