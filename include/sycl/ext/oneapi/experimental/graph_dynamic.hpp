// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What of a graph's nodes can be changed later: arguments and command groups. Included by
// graph.hpp. Source: the SYCL extension sycl_ext_oneapi_graph.
#ifndef TENON_SYCL_EXT_GRAPH_DYNAMIC_HPP
#define TENON_SYCL_EXT_GRAPH_DYNAMIC_HPP

#include <sycl/detail/handler_arguments.hpp>
#include <sycl/ext/oneapi/experimental/graph_class.hpp>
#include <sycl/ext/oneapi/experimental/graph_local.hpp>
#include <sycl/ext/oneapi/experimental/raw_kernel_arg.hpp>

namespace sycl::detail {
// The nodes of a dynamic_command_group, all of one of its command groups.
struct dynamic_nodes {
  std::vector<ext::oneapi::experimental::node> nodes;
  std::size_t active = 0;
};
// The command group that a dynamic_command_group calls on this thread.
struct dynamic_turn {
  std::weak_ptr<dynamic_nodes> group;
  std::size_t index = 0;
  bool is_version = false;  // its node stands for the command group, and runs in no graph
};
inline dynamic_turn *&current_turn() {
  static thread_local dynamic_turn *turn = nullptr;
  return turn;
}
}  // namespace sycl::detail

namespace sycl::ext::oneapi::experimental {

// An argument of kernels in nodes of any graph: a value, a pointer to USM or an accessor to a
// buffer. Kernels that are functions take it by set_arg. Kernels that are function objects take
// only accessors: those that they hold copies of.
template <class ValueT>
class dynamic_parameter {
  static constexpr bool is_accessor = sycl::detail::is_buffer_accessor<ValueT>;
  static_assert(
      std::is_trivially_copyable_v<ValueT> || is_accessor || std::is_same_v<ValueT, raw_kernel_arg>,
      "dynamic_parameter: it is a value, a pointer to USM or an accessor to a buffer; for "
      "local memory there are dynamic_work_group_memory and dynamic_local_accessor");

 public:
  using value_type = ValueT;
  dynamic_parameter(const ValueT &initialValue) : state_(new state{initialValue, {}, {}}) {
    remember(initialValue);
  }
  // The deprecated form, without regard to the graph.
  dynamic_parameter(const command_graph<graph_state::modifiable> &, const ValueT &initialValue)
      : dynamic_parameter(initialValue) {}
  // Executable graphs see it with their update. With another accessor the edges of the graph stay.
  void update(const ValueT &newValue);

  friend bool operator==(const dynamic_parameter &lhs, const dynamic_parameter &rhs) noexcept {
    return lhs.state_ == rhs.state_;
  }
  friend bool operator!=(const dynamic_parameter &lhs, const dynamic_parameter &rhs) noexcept {
    return !(lhs == rhs);
  }

  // For the handler.
  const ValueT &tn_value() const noexcept { return state_->value; }
  void tn_add(tn_graph_node *object, std::uint32_t offset) const {
    const sycl::detail::dynamic_turn *turn = sycl::detail::current_turn();
    if (!turn) {
      state_->uses.push_back({node(object), offset, {}, 0});
    } else if (turn->is_version) {
      state_->uses.push_back({node(object), offset, turn->group, turn->index});
    }
  }
  // Whether it is a copy of an accessor that the parameter has, or had.
  bool tn_had(std::size_t accessorNumber) const {
    for (const std::size_t each : state_->numbers) {
      if (each == accessorNumber) {
        return true;
      }
    }
    return false;
  }
  static void tn_set(tn_graph_node *object, std::uint32_t offset, const ValueT &value);

 private:
  struct use {
    node at;
    std::uint32_t offset;
    std::weak_ptr<sycl::detail::dynamic_nodes> group;  // whose nodes have the argument while
    std::size_t index;                                 // this command group is active
  };
  struct state {
    ValueT value;
    std::vector<use> uses;
    std::vector<std::size_t> numbers;  // of the accessors that it had
  };
  void remember([[maybe_unused]] const ValueT &value) {
#ifndef __SYCL_DEVICE_ONLY__
    if constexpr (is_accessor) {
      state_->numbers.push_back(value.tn_link().flags / TN_ACCESSOR_NUMBER);
    }
#endif
  }
  std::shared_ptr<state> state_;
};

// Command groups with one kernel or host task each, of which a node is one at a time. The events
// that they depend on are those of the one that was active when the node was added.
class dynamic_command_group {
 public:
  dynamic_command_group(const command_graph<graph_state::modifiable> &graph,
                        const std::vector<std::function<void(handler &)>> &cgfList);
  std::size_t get_active_index() const noexcept { return state_->active; }
  // What node::update_range changed of the one that was active stays with that.
  void set_active_index(std::size_t cgfIndex);

  friend bool operator==(const dynamic_command_group &lhs,
                         const dynamic_command_group &rhs) noexcept {
    return lhs.state_ == rhs.state_;
  }
  friend bool operator!=(const dynamic_command_group &lhs,
                         const dynamic_command_group &rhs) noexcept {
    return !(lhs == rhs);
  }

  // For command_graph::add.
  tn_graph *tn_get_graph() const noexcept { return state_->graph.tn_get(); }
  node tn_add_to(command_graph<graph_state::modifiable> &graph, const property_list &propList);

 private:
  struct state : sycl::detail::dynamic_nodes {
    state(const command_graph<graph_state::modifiable> &of,
          const std::vector<std::function<void(handler &)>> &given)
        : graph(of), versions(graph.tn_make_alike()), list(given) {}
    command_graph<graph_state::modifiable> graph;
    command_graph<graph_state::modifiable> versions;  // one node of it for each command group
    std::vector<std::function<void(handler &)>> list;
  };
  static void replace(const node &one, const node &by);
  template <class Add>
  node take_turn(std::size_t index, bool isVersion, const Add &add) const;

  std::shared_ptr<state> state_;
};

#ifndef __SYCL_DEVICE_ONLY__

template <class ValueT>
void dynamic_parameter<ValueT>::tn_set(tn_graph_node *object, std::uint32_t offset,
                                       const ValueT &value) {
  tn_diag diag;
  const auto size = static_cast<std::uint32_t>(sizeof(ValueT));
  if constexpr (is_accessor) {
    sycl::detail::check(tn_graph_node_set_accessor(object, offset, &value.tn_link(), size, &diag),
                        diag);
  } else if constexpr (std::is_same_v<ValueT, raw_kernel_arg>) {
    sycl::detail::check(tn_graph_node_set_args(object, offset, value.tn_bytes(),
                                               static_cast<std::uint32_t>(value.tn_count()), &diag),
                        diag);
  } else {
    sycl::detail::check(tn_graph_node_set_args(object, offset, &value, size, &diag), diag);
  }
}

template <class ValueT>
void dynamic_parameter<ValueT>::update(const ValueT &newValue) {
  if constexpr (is_accessor) {
    if (!newValue.tn_link().buffer) {
      sycl::detail::raise(errc::invalid,
                          "dynamic_parameter::update: the accessor belongs to no buffer; make it "
                          "of one");
    }
  }
  for (const use &each : state_->uses) {
    tn_set(each.at.tn_get(), each.offset, newValue);
    const std::shared_ptr<sycl::detail::dynamic_nodes> group = each.group.lock();
    if (group && group->active == each.index) {
      for (const node &at : group->nodes) {
        tn_set(at.tn_get(), each.offset, newValue);
      }
    }
  }
  state_->value = newValue;
  remember(newValue);
}

template <class Add>
node dynamic_command_group::take_turn(std::size_t index, bool isVersion, const Add &add) const {
  sycl::detail::dynamic_turn turn{state_, index, isVersion};
  struct guard {
    sycl::detail::dynamic_turn *before;
    ~guard() { sycl::detail::current_turn() = before; }
  } const restore{std::exchange(sycl::detail::current_turn(), &turn)};
  return add();
}

inline dynamic_command_group::dynamic_command_group(
    const command_graph<graph_state::modifiable> &graph,
    const std::vector<std::function<void(handler &)>> &cgfList)
    : state_(new state(graph, cgfList)) {
  if (cgfList.empty()) {
    sycl::detail::raise(errc::invalid, "dynamic_command_group: there are no command groups");
  }
  for (std::size_t i = 0; i < cgfList.size(); ++i) {
    const node added = take_turn(i, true, [&] {
      return state_->versions.add([&](handler &cgh) {
        cgfList[i](cgh);
        sycl::detail::handler_access::forget_events(cgh);
      });
    });
    const node_type type = added.get_type();
    const node_type first = state_->versions.get_nodes()[0].get_type();
    if ((type != node_type::kernel && type != node_type::host_task) || type != first) {
      sycl::detail::raise(
          errc::invalid,
          "dynamic_command_group: the command groups are kernels or host tasks, all "
          "of them the same");
    }
  }
}

inline void dynamic_command_group::replace(const node &one, const node &by) {
  tn_diag diag;
  sycl::detail::check(tn_graph_node_replace(one.tn_get(), by.tn_get(), &diag), diag);
}

inline void dynamic_command_group::set_active_index(std::size_t cgfIndex) {
  if (cgfIndex >= state_->list.size()) {
    sycl::detail::raise(errc::invalid,
                        "dynamic_command_group: there is no command group of this index");
  }
  const std::vector<node> versions = state_->versions.get_nodes();
  if (!state_->nodes.empty()) {
    replace(versions[state_->active], state_->nodes[0]);
  }
  for (const node &each : state_->nodes) {
    replace(each, versions[cgfIndex]);
  }
  state_->active = cgfIndex;
}

inline node dynamic_command_group::tn_add_to(command_graph<graph_state::modifiable> &graph,
                                             const property_list &propList) {
  const std::size_t active = state_->active;
  const node added =
      take_turn(active, false, [&] { return graph.add(state_->list[active], propList); });
  replace(added, state_->versions.get_nodes()[active]);  // a range that another node was given
  state_->nodes.push_back(added);
  return added;
}

inline node command_graph<graph_state::modifiable>::add(dynamic_command_group &dynamicCG,
                                                        const property_list &propList) {
  if (dynamicCG.tn_get_graph() != object_.get()) {
    sycl::detail::raise(errc::invalid,
                        "command_graph::add: the dynamic_command_group is of another graph");
  }
  return dynamicCG.tn_add_to(*this, propList);
}

#endif

}  // namespace sycl::ext::oneapi::experimental

template <class AccessorT>
void sycl::handler::require(
    const ext::oneapi::experimental::dynamic_parameter<AccessorT> &dynamicParamAcc) {
  static_assert(detail::is_buffer_accessor<AccessorT>,
                "handler::require: a dynamic_parameter that is required is an accessor");
#ifndef __SYCL_DEVICE_ONLY__
  check_dynamic();
#endif
  require(dynamicParamAcc.tn_value());
}

#endif
