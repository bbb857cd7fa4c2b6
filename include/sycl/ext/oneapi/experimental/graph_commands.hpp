// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of command_graph and node, and what graphs add to queue and handler. Included by
// graph.hpp. Source: the SYCL extension sycl_ext_oneapi_graph.
#ifndef TENON_SYCL_EXT_GRAPH_COMMANDS_HPP
#define TENON_SYCL_EXT_GRAPH_COMMANDS_HPP

#include <sycl/ext/oneapi/experimental/graph_class.hpp>

#include <tuple>

namespace sycl {

#ifdef __SYCL_DEVICE_ONLY__

template <class T, std::enable_if_t<std::is_invocable_v<T &, handler &>, int>>
ext::oneapi::experimental::node
ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::modifiable>::add(
    T cgf, const property_list &) {
  cgf(sycl::detail::no_handler());
  return node(nullptr);
}
template <class Func, class... ArgTs>
void ext::oneapi::experimental::command_graph<
    ext::oneapi::experimental::graph_state::modifiable>::set_destruction_callback(Func &&,
                                                                                  ArgTs &&...) {}

#else

namespace ext::oneapi::experimental {

template <class Node>
std::vector<Node> node::get_predecessors() const {
  std::vector<tn_graph_node *> found(tn_graph_node_get_before(object_.get(), nullptr, 0));
  const std::size_t count = tn_graph_node_get_before(object_.get(), found.data(), found.size());
  std::vector<Node> list;
  for (std::size_t i = 0; i < count && i < found.size(); ++i) {
    list.emplace_back(found[i]);
  }
  return list;
}

template <class Node>
std::vector<Node> node::get_successors() const {
  std::vector<tn_graph_node *> found(tn_graph_node_get_after(object_.get(), nullptr, 0));
  const std::size_t count = tn_graph_node_get_after(object_.get(), found.data(), found.size());
  std::vector<Node> list;
  for (std::size_t i = 0; i < count && i < found.size(); ++i) {
    list.emplace_back(found[i]);
  }
  return list;
}

inline node node::get_node_from_event(event nodeEvent) {
  tn_graph_node *object = tn_graph_node_of_event(nodeEvent.tn_get());
  if (!object) {
    sycl::detail::raise(errc::invalid,
                        "get_node_from_event: the event is of no command that a graph recorded");
  }
  return node(object);
}

template <int Dimensions>
void node::update(const range<Dimensions> &global, const nd_range<Dimensions> *groups) {
  std::uint64_t extent[3] = {1, 1, 1};
  std::uint64_t local[3] = {1, 1, 1};
  for (int i = 0; i < Dimensions; ++i) {
    extent[i] = global[i];
    local[i] = groups ? groups->get_local_range()[i] : 1;
  }
  tn_diag diag;
  sycl::detail::check(
      tn_graph_node_set_range(object_.get(), Dimensions, extent, groups ? local : nullptr, &diag),
      diag);
}

inline command_graph<graph_state::modifiable>::command_graph(const context &syclContext,
                                                             const device &syclDevice,
                                                             const property_list &propList) {
  if (propList.has_property<property::graph::enable_native_recording>()) {
    sycl::detail::raise(errc::feature_not_supported,
                        "command_graph: no device supports enable_native_recording");
  }
  namespace of = property::graph;
  const unsigned flags =
      (propList.has_property<of::no_cycle_check>() ? TN_GRAPH_NO_CYCLE_CHECK : 0u) |
      (propList.has_property<of::assume_buffer_outlives_graph>() ? TN_GRAPH_BUFFERS_OUTLIVE : 0u);
  tn_diag diag;
  sycl::detail::check(
      tn_graph_create(syclContext.tn_get(), syclDevice.tn_get(), flags, object_.out(), &diag),
      diag);
}

inline command_graph<graph_state::modifiable>::command_graph(const device &syclDevice,
                                                             const property_list &propList)
    : command_graph(
          [&] {
            tn_context *object = nullptr;
            tn_diag diag;
            sycl::detail::check(
                tn_context_default(tn_device_platform(syclDevice.tn_get()), &object, &diag), diag);
            return context(object);
          }(),
          syclDevice, propList) {}

inline command_graph<graph_state::modifiable>
command_graph<graph_state::modifiable>::tn_make_alike() const {
  const property_list properties =
      tn_graph_flags(object_.get()) & TN_GRAPH_BUFFERS_OUTLIVE
          ? property_list{property::graph::assume_buffer_outlives_graph()}
          : property_list{};
  return command_graph(context(tn_graph_context(object_.get())),
                       device(tn_graph_device(object_.get())), properties);
}

inline command_graph<graph_state::executable> command_graph<graph_state::modifiable>::finalize(
    const property_list &propList) const {
  const unsigned flags =
      (propList.has_property<property::graph::updatable>() ? TN_GRAPH_UPDATABLE : 0u) |
      (propList.has_property<property::graph::enable_profiling>() ? TN_GRAPH_PROFILING : 0u);
  tn_graph_exec *exec = nullptr;
  tn_diag diag;
  sycl::detail::check(tn_graph_finalize(object_.get(), flags, &exec, &diag), diag);
  return command_graph<graph_state::executable>(exec);
}

inline void command_graph<graph_state::modifiable>::begin_recording(queue &recordingQueue,
                                                                    const property_list &) {
  tn_diag diag;
  sycl::detail::check(tn_graph_begin_recording(object_.get(), recordingQueue.tn_get(), &diag),
                      diag);
}
inline void command_graph<graph_state::modifiable>::begin_recording(
    const std::vector<queue> &recordingQueues, const property_list &propList) {
  for (queue each : recordingQueues) {
    begin_recording(each, propList);
  }
}
inline void command_graph<graph_state::modifiable>::end_recording() {
  tn_diag diag;
  sycl::detail::check(tn_graph_end_recording(object_.get(), nullptr, &diag), diag);
}
inline void command_graph<graph_state::modifiable>::end_recording(queue &recordingQueue) {
  tn_diag diag;
  sycl::detail::check(tn_graph_end_recording(object_.get(), recordingQueue.tn_get(), &diag), diag);
}
inline void command_graph<graph_state::modifiable>::end_recording(
    const std::vector<queue> &recordingQueues) {
  for (queue each : recordingQueues) {
    end_recording(each);
  }
}

template <class Node>
std::vector<Node> command_graph<graph_state::modifiable>::list_nodes(std::int32_t which) const {
  std::vector<tn_graph_node *> found(tn_graph_get_nodes(object_.get(), which, nullptr, 0));
  const std::size_t count = tn_graph_get_nodes(object_.get(), which, found.data(), found.size());
  std::vector<Node> list;
  for (std::size_t i = 0; i < count && i < found.size(); ++i) {
    list.emplace_back(found[i]);
  }
  return list;
}

inline void command_graph<graph_state::modifiable>::begin_adding(const property_list &properties) {
  std::vector<tn_graph_node *> after;
  if (properties.has_property<property::node::depends_on>()) {
    for (const node &each : *static_cast<const std::vector<node> *>(properties.tn_nodes())) {
      after.push_back(each.tn_get());
    }
  }
  if (properties.has_property<property::node::depends_on_all_leaves>()) {
    for (const node &each : list_nodes<node>(TN_GRAPH_LEAVES)) {
      after.push_back(each.tn_get());
    }
  }
  tn_diag diag;
  sycl::detail::check(tn_graph_begin_adding(object_.get(), after.data(), after.size(), &diag),
                      diag);
}

template <class T, std::enable_if_t<std::is_invocable_v<T &, handler &>, int>>
node command_graph<graph_state::modifiable>::add(T cgf, const property_list &propList) {
  begin_adding(propList);
  struct turn {
    tn_graph *graph;
    tn_graph_node *end() {
      return graph ? tn_graph_end_adding(std::exchange(graph, nullptr)) : nullptr;
    }
    ~turn() { end(); }
  } ours{object_.get()};
  const event added = sycl::detail::handler_access::submit(tn_graph_queue(object_.get()), cgf);
  return node(ours.end());
}

inline node command_graph<graph_state::modifiable>::add(const property_list &propList) {
  return add([](handler &) {}, propList);
}

inline void command_graph<graph_state::modifiable>::make_edge(node &src, node &dest) {
  tn_diag diag;
  sycl::detail::check(tn_graph_make_edge(object_.get(), src.tn_get(), dest.tn_get(), &diag), diag);
}

inline void command_graph<graph_state::modifiable>::print_graph(std::string path,
                                                                bool verbose) const {
  tn_diag diag;
  sycl::detail::check(tn_graph_print(object_.get(), path.c_str(), verbose, &diag), diag);
}

template <class Func, class... ArgTs>
void command_graph<graph_state::modifiable>::set_destruction_callback(Func &&callback,
                                                                      ArgTs &&...cbArgs) {
  struct call {
    std::decay_t<Func> function;
    std::tuple<std::decay_t<ArgTs>...> arguments;
  };
  auto ours = std::unique_ptr<call>(
      new call{std::forward<Func>(callback), {std::forward<ArgTs>(cbArgs)...}});
  tn_diag diag;
  sycl::detail::check(tn_graph_on_destroy(
                          object_.get(), ours.get(),
                          [](void *user) {
                            const std::unique_ptr<call> theirs(static_cast<call *>(user));
                            std::apply(theirs->function, theirs->arguments);
                          },
                          &diag),
                      diag);
  ours.release();
}

inline void command_graph<graph_state::executable>::update(node &changed) {
  tn_diag diag;
  sycl::detail::check(tn_graph_exec_update_node(object_.get(), changed.tn_get(), &diag), diag);
}
inline void command_graph<graph_state::executable>::update(const std::vector<node> &nodes) {
  for (node each : nodes) {
    update(each);
  }
}
inline void command_graph<graph_state::executable>::update(
    const command_graph<graph_state::modifiable> &source) {
  tn_diag diag;
  sycl::detail::check(tn_graph_exec_update(object_.get(), source.tn_get(), &diag), diag);
}

}  // namespace ext::oneapi::experimental

inline ext::oneapi::experimental::queue_state queue::ext_oneapi_get_state() const {
  return tn_queue_is_recording(object_) ? ext::oneapi::experimental::queue_state::recording
                                        : ext::oneapi::experimental::queue_state::executing;
}

inline ext::oneapi::experimental::command_graph<ext::oneapi::experimental::graph_state::modifiable>
queue::ext_oneapi_get_graph() const {
  tn_graph *graph = tn_graph_of_queue(object_);
  if (!graph) {
    detail::raise(errc::invalid, "ext_oneapi_get_graph: the queue records for no graph");
  }
  return ext::oneapi::experimental::command_graph<
      ext::oneapi::experimental::graph_state::modifiable>(graph);
}

inline event queue::launch_graph(tn_graph_exec *graph, const event *events, std::size_t count) {
  tn_event *done = nullptr;
  tn_diag diag;
  detail::check(tn_graph_launch(graph, object_, detail::event_objects(events), count, &done, &diag),
                diag);
  return event(done, object_);
}
inline event queue::ext_oneapi_graph(const ext::oneapi::experimental::command_graph<
                                     ext::oneapi::experimental::graph_state::executable> &graph) {
  return launch_graph(graph.tn_get(), nullptr, 0);
}
inline event queue::ext_oneapi_graph(const ext::oneapi::experimental::command_graph<
                                         ext::oneapi::experimental::graph_state::executable> &graph,
                                     event depEvent) {
  return launch_graph(graph.tn_get(), &depEvent, 1);
}
inline event queue::ext_oneapi_graph(const ext::oneapi::experimental::command_graph<
                                         ext::oneapi::experimental::graph_state::executable> &graph,
                                     const std::vector<event> &depEvents) {
  return launch_graph(graph.tn_get(), depEvents.data(), depEvents.size());
}

inline void handler::ext_oneapi_graph(const ext::oneapi::experimental::command_graph<
                                      ext::oneapi::experimental::graph_state::executable> &graph) {
  begin_action(TN_COMMAND_GRAPH);
  group_.command.graph = graph.tn_get();
  tn_graph_exec_retain(graph.tn_get());
  group_.command.user = graph.tn_get();
  group_.command.free_user = [](void *object) {
    tn_graph_exec_release(static_cast<tn_graph_exec *>(object));
  };
}

namespace ext::oneapi::experimental {
inline void execute_graph(queue q, const command_graph<graph_state::executable> &g) {
  tn_diag diag;
  sycl::detail::check(tn_graph_launch(g.tn_get(), q.tn_get(), nullptr, 0, nullptr, &diag), diag);
}
inline void execute_graph(handler &h, const command_graph<graph_state::executable> &g) {
  h.ext_oneapi_graph(g);
}
}  // namespace ext::oneapi::experimental

#endif

}  // namespace sycl

#endif
