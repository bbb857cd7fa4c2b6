// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of sycl_ext_oneapi_graph that queue and handler mention.
#ifndef TENON_SYCL_EXT_GRAPH_FORWARD_HPP
#define TENON_SYCL_EXT_GRAPH_FORWARD_HPP

namespace sycl::ext::oneapi::experimental {

enum class graph_state { modifiable, executable };
enum class queue_state { executing, recording };

template <graph_state State = graph_state::modifiable>
class command_graph;
class node;
class dynamic_command_group;
template <class ValueT>
class dynamic_parameter;
template <class DataT>
class dynamic_work_group_memory;
template <class DataT, int Dimensions>
class dynamic_local_accessor;

namespace property::node {
class depends_on;
}

}  // namespace sycl::ext::oneapi::experimental

namespace sycl::detail {
template <class T>
inline constexpr bool is_dynamic_parameter = false;
template <class T>
inline constexpr bool is_dynamic_parameter<ext::oneapi::experimental::dynamic_parameter<T>> = true;
template <class T>
inline constexpr bool is_dynamic_local = false;
template <class T>
inline constexpr bool is_dynamic_local<ext::oneapi::experimental::dynamic_work_group_memory<T>> =
    true;
template <class T, int Dimensions>
inline constexpr bool
    is_dynamic_local<ext::oneapi::experimental::dynamic_local_accessor<T, Dimensions>> = true;
}  // namespace sycl::detail

#endif
