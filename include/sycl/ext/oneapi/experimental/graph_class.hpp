// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The classes of graphs. Included by graph.hpp. Source: the SYCL extension sycl_ext_oneapi_graph.
#ifndef TENON_SYCL_EXT_GRAPH_CLASS_HPP
#define TENON_SYCL_EXT_GRAPH_CLASS_HPP

#include "tenon/graph.h"
#include <sycl/detail/owner_order.hpp>
#include <sycl/ext/oneapi/experimental/graph_forward.hpp>
#include <sycl/handler.hpp>
#include <sycl/queue.hpp>

namespace sycl {

namespace detail {
using graph_handle = handle<tn_graph, tn_graph_retain, tn_graph_release>;
using graph_exec_handle = handle<tn_graph_exec, tn_graph_exec_retain, tn_graph_exec_release>;
using graph_node_handle = handle<tn_graph_node, tn_graph_node_retain, tn_graph_node_release>;
}  // namespace detail

namespace ext::oneapi::experimental {

enum class node_type {
  empty = TN_GRAPH_NODE_EMPTY,
  subgraph = TN_GRAPH_NODE_SUBGRAPH,
  kernel = TN_GRAPH_NODE_KERNEL,
  memcpy = TN_GRAPH_NODE_MEMCPY,
  memset = TN_GRAPH_NODE_MEMSET,
  memfill = TN_GRAPH_NODE_MEMFILL,
  prefetch = TN_GRAPH_NODE_PREFETCH,
  memadvise = TN_GRAPH_NODE_MEMADVISE,
  ext_oneapi_barrier = TN_GRAPH_NODE_BARRIER,
  host_task = TN_GRAPH_NODE_HOST_TASK,
  native_command = TN_GRAPH_NODE_NATIVE
};

class TN_SYCL_SHARED node {
 public:
  node() = delete;
  // The runtime's way of making one: retains the node, and with it its graph's nodes.
  explicit node(tn_graph_node *object)
      : object_(sycl::detail::graph_node_handle::retained(object)) {}
  tn_graph_node *tn_get() const noexcept { return object_.get(); }

  node_type get_type() const { return static_cast<node_type>(tn_graph_node_type(object_.get())); }
  template <class Node = node>  // see platform::get_devices
  std::vector<Node> get_predecessors() const;
  template <class Node = node>
  std::vector<Node> get_successors() const;
  static node get_node_from_event(event nodeEvent);

  template <int Dimensions>
  void update_nd_range(nd_range<Dimensions> executionRange) {
    update(executionRange.get_global_range(), &executionRange);
  }
  template <int Dimensions>
  void update_range(range<Dimensions> executionRange) {
    update(executionRange, static_cast<nd_range<Dimensions> *>(nullptr));
  }

  friend bool operator==(const node &lhs, const node &rhs) noexcept {
    return lhs.tn_get() == rhs.tn_get();
  }
  friend bool operator!=(const node &lhs, const node &rhs) noexcept { return !(lhs == rhs); }

 private:
  template <int Dimensions>
  void update(const range<Dimensions> &global, const nd_range<Dimensions> *groups);

  sycl::detail::graph_node_handle object_;
};

namespace property {
namespace node {
// What a node is added after. Beyond `few` of them: make_edge.
class depends_on {
 public:
  static constexpr unsigned tn_bit = sycl::detail::property_node_depends_on;
  template <class... Nodes,
            std::enable_if_t<(std::is_same_v<Nodes, experimental::node> && ...), int> = 0>
  depends_on(Nodes... nodes) : nodes_{new std::vector<experimental::node>{std::move(nodes)...}} {}
  depends_on(std::vector<experimental::node> nodes)
      : nodes_{new std::vector<experimental::node>(std::move(nodes))} {}
  const std::vector<experimental::node> &get_dependencies() const { return *nodes_; }

 private:
  friend class sycl::property_list;
  std::shared_ptr<std::vector<experimental::node>> nodes_;
};
class depends_on_all_leaves {
 public:
  static constexpr unsigned tn_bit = sycl::detail::property_node_depends_on_all_leaves;
};
}  // namespace node
namespace graph {
class no_cycle_check {
 public:
  static constexpr unsigned tn_bit = sycl::detail::property_graph_no_cycle_check;
};
class assume_buffer_outlives_graph {
 public:
  static constexpr unsigned tn_bit = sycl::detail::property_graph_buffers_outlive;
};
class updatable {
 public:
  static constexpr unsigned tn_bit = sycl::detail::property_graph_updatable;
};
class enable_profiling {
 public:
  static constexpr unsigned tn_bit = sycl::detail::property_graph_profiling;
};
// Supported by no device: a graph with it is errc::feature_not_supported.
class enable_native_recording {
 public:
  static constexpr unsigned tn_bit = sycl::detail::property_graph_native_recording;
};
}  // namespace graph
}  // namespace property

// Mistakes are errc::invalid, with a sentence.
template <>
class TN_SYCL_SHARED command_graph<graph_state::modifiable>
    : public sycl::detail::owner_order<command_graph<graph_state::modifiable>> {
 public:
  command_graph(const context &syclContext, const device &syclDevice,
                const property_list &propList = {});
  explicit command_graph(const queue &syclQueue, const property_list &propList = {})
      : command_graph(syclQueue.get_context(), syclQueue.get_device(), propList) {}
  explicit command_graph(const device &syclDevice, const property_list &propList = {});
  // The runtime's way of making one: takes over a reference.
  explicit command_graph(tn_graph *object) : object_(object) {}
  tn_graph *tn_get() const noexcept { return object_.get(); }
  // Another one, empty, of the same properties.
  command_graph tn_make_alike() const;

  command_graph<graph_state::executable> finalize(const property_list &propList = {}) const;

  void begin_recording(queue &recordingQueue, const property_list &propList = {});
  void begin_recording(const std::vector<queue> &recordingQueues,
                       const property_list &propList = {});
  void end_recording();
  void end_recording(queue &recordingQueue);
  void end_recording(const std::vector<queue> &recordingQueues);

  node add(const property_list &propList = {});
  template <class T, std::enable_if_t<std::is_invocable_v<T &, handler &>, int> = 0>
  TN_SYCL_HIDDEN node add(T cgf, const property_list &propList = {});
  node add(dynamic_command_group &dynamicCG, const property_list &propList = {});
  void make_edge(node &src, node &dest);

  void print_graph(std::string path, bool verbose = false) const;
  template <class Node = node>
  std::vector<Node> get_nodes() const {
    return list_nodes<Node>(TN_GRAPH_ALL);
  }
  template <class Node = node>
  std::vector<Node> get_root_nodes() const {
    return list_nodes<Node>(TN_GRAPH_ROOTS);
  }
  bool empty() const { return tn_graph_get_nodes(object_.get(), TN_GRAPH_ALL, nullptr, 0) == 0; }
  std::size_t get_id() const noexcept { return tn_graph_id(object_.get()); }
  // Called with the arguments, which are copied or moved, when the graph and the executable graphs
  // that were finalized of it are destroyed; it must not throw.
  template <class Func, class... ArgTs>
  void set_destruction_callback(Func &&callback, ArgTs &&...cbArgs);

  friend bool operator==(const command_graph &lhs, const command_graph &rhs) noexcept {
    return lhs.tn_get() == rhs.tn_get();
  }
  friend bool operator!=(const command_graph &lhs, const command_graph &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  template <class Node>
  std::vector<Node> list_nodes(std::int32_t which) const;
  void begin_adding(const property_list &properties);

  sycl::detail::graph_handle object_;
};

template <>
class TN_SYCL_SHARED command_graph<graph_state::executable>
    : public sycl::detail::owner_order<command_graph<graph_state::executable>> {
 public:
  command_graph() = delete;
  explicit command_graph(tn_graph_exec *object) : object_(object) {}
  tn_graph_exec *tn_get() const noexcept { return object_.get(); }

  // What the nodes are like by now, for launches from now on.
  void update(node &changed);
  void update(const std::vector<node> &nodes);
  void update(const command_graph<graph_state::modifiable> &source);
  std::size_t get_required_mem_size() const noexcept { return 0; }  // no graph has memory

  friend bool operator==(const command_graph &lhs, const command_graph &rhs) noexcept {
    return lhs.tn_get() == rhs.tn_get();
  }
  friend bool operator!=(const command_graph &lhs, const command_graph &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  sycl::detail::graph_exec_handle object_;
};

// sycl_ext_oneapi_enqueue_functions.
void execute_graph(queue q, const command_graph<graph_state::executable> &g);
void execute_graph(handler &h, const command_graph<graph_state::executable> &g);

explicit command_graph(const queue &, const property_list & = {})
    -> command_graph<graph_state::modifiable>;
explicit command_graph(const device &, const property_list & = {})
    -> command_graph<graph_state::modifiable>;
command_graph(const context &, const device &, const property_list & = {})
    -> command_graph<graph_state::modifiable>;

}  // namespace ext::oneapi::experimental

}  // namespace sycl

#endif
