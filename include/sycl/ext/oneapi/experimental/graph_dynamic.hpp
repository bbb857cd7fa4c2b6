// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a graph's nodes can be changed later: arguments and command groups. Included by
// graph.hpp. Source: the SYCL extension sycl_ext_oneapi_graph.
#ifndef TENON_SYCL_EXT_GRAPH_DYNAMIC_HPP
#define TENON_SYCL_EXT_GRAPH_DYNAMIC_HPP

#include <sycl/ext/oneapi/experimental/graph_class.hpp>
#include <sycl/ext/oneapi/experimental/raw_kernel_arg.hpp>

namespace sycl::ext::oneapi::experimental {

// An argument of kernels that take theirs by set_arg. Accessors are none of these: which buffers a
// node uses stays as it is.
template <class ValueT>
class dynamic_parameter {
  static_assert(std::is_trivially_copyable_v<ValueT> || std::is_same_v<ValueT, raw_kernel_arg>,
                "dynamic_parameter: values and pointers to USM can be changed, accessors cannot");

 public:
  using value_type = ValueT;
  dynamic_parameter(command_graph<graph_state::modifiable> graph, const ValueT &initialValue)
      : state_(new state{graph, initialValue, {}}) {}
  // Executable graphs see it with their update.
  void update(const ValueT &newValue);

  // For handler::set_arg.
  const ValueT &tn_value() const noexcept { return state_->value; }
  tn_graph *tn_get_graph() const noexcept { return state_->graph.tn_get(); }
  void tn_add(tn_graph_node *object, std::uint32_t offset) const {
    state_->uses.push_back({node(object), offset});
  }

 private:
  struct use {
    node at;
    std::uint32_t offset;
  };
  struct state {
    command_graph<graph_state::modifiable> graph;
    ValueT value;
    std::vector<use> uses;
  };
  std::shared_ptr<state> state_;
};

// Command groups with one kernel or host task each, of which a node is one at a time. They depend
// on no events.
class dynamic_command_group {
 public:
  dynamic_command_group(command_graph<graph_state::modifiable> &graph,
                        const std::vector<std::function<void(handler &)>> &cgfList);
  std::size_t get_active_index() const noexcept { return state_->active; }
  void set_active_index(std::size_t cgfIndex);

  // For command_graph::add.
  const std::function<void(handler &)> &tn_active() const { return state_->list[state_->active]; }
  tn_graph *tn_get_graph() const noexcept { return state_->graph.tn_get(); }
  void tn_add(const node &added) const { state_->nodes.push_back(added); }

 private:
  struct state {
    command_graph<graph_state::modifiable> graph;
    command_graph<graph_state::modifiable> versions;  // one node of it for each command group
    std::vector<std::function<void(handler &)>> list;
    std::vector<node> nodes;
    std::size_t active;
  };
  std::shared_ptr<state> state_;
};

#ifndef __SYCL_DEVICE_ONLY__

template <class ValueT>
void dynamic_parameter<ValueT>::update(const ValueT &newValue) {
  const void *bytes = &newValue;
  std::size_t size = sizeof(ValueT);
  if constexpr (std::is_same_v<ValueT, raw_kernel_arg>) {
    bytes = newValue.tn_bytes();
    size = newValue.tn_count();
  }
  for (const use &each : state_->uses) {
    tn_diag diag;
    sycl::detail::check(tn_graph_node_set_args(each.at.tn_get(), each.offset, bytes,
                                               static_cast<std::uint32_t>(size), &diag),
                        diag);
  }
  state_->value = newValue;
}

inline dynamic_command_group::dynamic_command_group(
    command_graph<graph_state::modifiable> &graph,
    const std::vector<std::function<void(handler &)>> &cgfList)
    : state_(new state{graph, graph.tn_make_alike(), cgfList, {}, 0}) {
  if (cgfList.empty()) {
    sycl::detail::raise(errc::invalid, "dynamic_command_group: there are no command groups");
  }
  for (const std::function<void(handler &)> &each : cgfList) {
    const node_type type = state_->versions.add(each).get_type();
    const node_type first = state_->versions.get_nodes()[0].get_type();
    if ((type != node_type::kernel && type != node_type::host_task) || type != first) {
      sycl::detail::raise(
          errc::invalid,
          "dynamic_command_group: the command groups are kernels or host tasks, all "
          "of them the same");
    }
  }
}

inline void dynamic_command_group::set_active_index(std::size_t cgfIndex) {
  if (cgfIndex >= state_->list.size()) {
    sycl::detail::raise(errc::invalid,
                        "dynamic_command_group: there is no command group of this index");
  }
  const std::vector<node> versions = state_->versions.get_nodes();
  for (const node &each : state_->nodes) {
    tn_diag diag;
    sycl::detail::check(tn_graph_node_replace(each.tn_get(), versions[cgfIndex].tn_get(), &diag),
                        diag);
  }
  state_->active = cgfIndex;
}

inline node command_graph<graph_state::modifiable>::add(dynamic_command_group &dynamicCG,
                                                        const property_list &propList) {
  if (dynamicCG.tn_get_graph() != object_.get()) {
    sycl::detail::raise(errc::invalid,
                        "command_graph::add: the dynamic_command_group is of another graph");
  }
  node added = add(dynamicCG.tn_active(), propList);
  dynamicCG.tn_add(added);
  return added;
}

#endif

}  // namespace sycl::ext::oneapi::experimental

#endif
