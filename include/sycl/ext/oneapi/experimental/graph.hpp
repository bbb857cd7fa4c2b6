// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// command_graph: commands that are recorded once and launched as one. The C API beneath is
// tenon/graph.h. Source: the SYCL extension sycl_ext_oneapi_graph.
#ifndef TENON_SYCL_EXT_GRAPH_HPP
#define TENON_SYCL_EXT_GRAPH_HPP

#include <sycl/ext/oneapi/experimental/graph_class.hpp>
#include <sycl/ext/oneapi/experimental/graph_commands.hpp>
#include <sycl/ext/oneapi/experimental/graph_dynamic.hpp>

template <>
struct std::hash<sycl::ext::oneapi::experimental::node> {
  std::size_t operator()(const sycl::ext::oneapi::experimental::node &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get());
  }
};
template <sycl::ext::oneapi::experimental::graph_state State>
struct std::hash<sycl::ext::oneapi::experimental::command_graph<State>> {
  std::size_t operator()(
      const sycl::ext::oneapi::experimental::command_graph<State> &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_get());
  }
};

#endif
