// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Commands as functions of a queue or a handler: nd_launch(q, range, kernel). No events are given
// out but by submit_with_event. Source: the SYCL extensions sycl_ext_oneapi_enqueue_functions,
// sycl_ext_oneapi_free_function_kernels.
#ifndef TENON_SYCL_EXT_ENQUEUE_FUNCTIONS_HPP
#define TENON_SYCL_EXT_ENQUEUE_FUNCTIONS_HPP

#include <sycl/detail/function_launch.hpp>
#include <sycl/detail/handler_arguments.hpp>
#include <sycl/ext/oneapi/experimental/enqueue_types.hpp>
#include <sycl/ext/oneapi/experimental/function_properties.hpp>
#include <sycl/ext/oneapi/experimental/graph.hpp>
#include <sycl/ext/oneapi/experimental/property_types.hpp>

namespace sycl {

namespace detail {

// Neither is a function object.
template <class T>
inline constexpr bool is_launched_otherwise = std::is_same_v<T, kernel>;
template <auto *Func>
inline constexpr bool is_launched_otherwise<ext::oneapi::experimental::kernel_function_s<Func>> =
    true;
// Constraints on a kernel that is a function object, and on the reductions behind it.
template <class T, class... Reductions>
using if_function_object =
    std::enable_if_t<!is_launched_otherwise<T> &&
                         (std::is_base_of_v<reduction_tag, std::decay_t<Reductions>> && ...),
                     int>;

template <class T>
inline constexpr bool is_execution_range = false;
template <int Dimensions>
inline constexpr bool is_execution_range<range<Dimensions>> = true;
template <int Dimensions>
inline constexpr bool is_execution_range<nd_range<Dimensions>> = true;

// A command for a queue or a handler.
template <class F>
TN_SYCL_HIDDEN void enqueue(queue &q, const F &command) {
  q.submit([&](handler &h) { command(h); });
}
template <class F>
TN_SYCL_HIDDEN void enqueue(handler &h, const F &command) {
  command(h);
}

template <class... ArgsT>
TN_SYCL_HIDDEN void enqueue_object(handler &h, const kernel &k, ArgsT &&...args) {
  h.set_args(std::forward<ArgsT>(args)...);
  h.single_task(k);
}
template <class Extent, class... ArgsT>
TN_SYCL_HIDDEN void enqueue_object_over(handler &h, const Extent &extent, const kernel &k,
                                        ArgsT &&...args) {
  h.set_args(std::forward<ArgsT>(args)...);
  h.parallel_for(extent, k);
}

template <auto *Func, class Extent, class... ArgsT>
TN_SYCL_HIDDEN void enqueue_function(queue &q, const Extent &extent, ArgsT &&...args) {
  submit_function<Func>(q, extent, std::forward<ArgsT>(args)...);
}
template <auto *Func, class Extent, class... ArgsT>
TN_SYCL_HIDDEN void enqueue_function(handler &h, const Extent &extent, ArgsT &&...args) {
  set_function<Func>(h, extent, std::forward<ArgsT>(args)...);
}

}  // namespace detail

namespace ext::oneapi::experimental {

// A range or nd_range, and properties of the launch: work_group_scratch_size.
template <class Range, class Properties = empty_properties_t,
          class = std::enable_if_t<sycl::detail::is_execution_range<Range> &&
                                   is_property_list_v<Properties>>>
class launch_config {
  static_assert(!sycl::detail::has_attributes<Properties>,
                "launch_config: properties of the kernel belong to its function object "
                "(get(properties_tag))");

 public:
  launch_config(Range r, Properties properties = {}) : range_(r), properties_(properties) {}

  const Range &tn_range() const noexcept { return range_; }
  const Properties &tn_properties() const noexcept { return properties_; }

 private:
  Range range_;
  Properties properties_;
};
template <class Range>
launch_config(Range) -> launch_config<Range>;
template <class Range, class Properties>
launch_config(Range, Properties) -> launch_config<Range, Properties>;

}  // namespace ext::oneapi::experimental

namespace detail {

template <class Range, class Properties>
using config_of = ext::oneapi::experimental::launch_config<Range, Properties>;

// What a launch is over: a range, or a configuration with one, whose properties the command group
// gets before `command`.
template <class Target, class Extent, class F>
TN_SYCL_HIDDEN void enqueue_over(Target &to, const Extent &extent, const F &command) {
  command(to, extent);
}
template <class Target, class Range, class Properties, class F>
TN_SYCL_HIDDEN void enqueue_over(Target &to, const config_of<Range, Properties> &config,
                                 const F &command) {
  if constexpr (std::is_same_v<Properties, ext::oneapi::experimental::empty_properties_t>) {
    command(to, config.tn_range());
  } else {
    enqueue(to, [&](handler &h) {
      set_launch_properties(h, config.tn_properties());
      command(h, config.tn_range());
    });
  }
}

}  // namespace detail

namespace ext::oneapi::experimental {

template <class CommandGroupFunc>
TN_SYCL_HIDDEN void submit(queue q, CommandGroupFunc &&cgf) {
  q.submit([&](handler &h) { cgf(h); });
}
template <class CommandGroupFunc, class Properties,
          std::enable_if_t<is_property_list_v<Properties>, int> = 0>
TN_SYCL_HIDDEN void submit(queue q, Properties, CommandGroupFunc &&cgf) {
  q.submit([&](handler &h) { cgf(h); });
}
template <class CommandGroupFunc>
TN_SYCL_HIDDEN event submit_with_event(queue q, CommandGroupFunc &&cgf) {
  return q.submit([&](handler &h) { cgf(h); });
}
template <class CommandGroupFunc, class Properties,
          std::enable_if_t<is_property_list_v<Properties>, int> = 0>
TN_SYCL_HIDDEN event submit_with_event(queue q, Properties, CommandGroupFunc &&cgf) {
  return q.submit([&](handler &h) { cgf(h); });
}

// The functions below for `Target`, which is `queue` or `handler &`. A kernel is a function object,
// with reductions behind it; or a kernel object or a function, with its arguments behind it.
#define TN_SYCL_ENQUEUE_OVER(Target, function, extent_parameter, extent, ...)                     \
  template <class KernelName = sycl::detail::unnamed, __VA_ARGS__ class KernelType,               \
            class... Reductions, sycl::detail::if_function_object<KernelType, Reductions...> = 0> \
  TN_SYCL_HIDDEN void function(Target to, extent_parameter, const KernelType &k,                  \
                               Reductions &&...reductions) {                                      \
    sycl::detail::enqueue_over(to, extent, [&](auto &target, const auto &over) {                  \
      target.template parallel_for<KernelName>(over, std::forward<Reductions>(reductions)..., k); \
    });                                                                                           \
  }                                                                                               \
  template <__VA_ARGS__ class... ArgsT>                                                           \
  TN_SYCL_HIDDEN void function(Target to, extent_parameter, const kernel &k, ArgsT &&...args) {   \
    sycl::detail::enqueue(to, [&](handler &h) {                                                   \
      sycl::detail::enqueue_over(h, extent, [&](handler &target, const auto &over) {              \
        sycl::detail::enqueue_object_over(target, over, k, std::forward<ArgsT>(args)...);         \
      });                                                                                         \
    });                                                                                           \
  }
#define TN_SYCL_COMMA ,
#define TN_SYCL_CONFIG(Range) launch_config<Range<Dimensions> TN_SYCL_COMMA Properties> config
#define TN_SYCL_ENQUEUE(Target)                                                                 \
  template <class KernelName = sycl::detail::unnamed, class KernelType,                         \
            sycl::detail::if_function_object<KernelType> = 0>                                   \
  TN_SYCL_HIDDEN void single_task(Target to, const KernelType &k) {                             \
    to.template single_task<KernelName>(k);                                                     \
  }                                                                                             \
  template <class... ArgsT>                                                                     \
  TN_SYCL_HIDDEN void single_task(Target to, const kernel &k, ArgsT &&...args) {                \
    sycl::detail::enqueue(to, [&](handler &h) {                                                 \
      sycl::detail::enqueue_object(h, k, std::forward<ArgsT>(args)...);                         \
    });                                                                                         \
  }                                                                                             \
  template <auto *Func, class... ArgsT>                                                         \
  TN_SYCL_HIDDEN void single_task(Target to, kernel_function_s<Func>, ArgsT &&...args) {        \
    static_assert(sycl::detail::may_be_kernel_of<Func, 0>,                                      \
                  "single_task: the function is no single_task_kernel");                        \
    sycl::detail::enqueue_function<Func>(to, sycl::detail::single_launch(),                     \
                                         std::forward<ArgsT>(args)...);                         \
  }                                                                                             \
  TN_SYCL_ENQUEUE_OVER(Target, parallel_for, range<1> r, r, )                                   \
  TN_SYCL_ENQUEUE_OVER(Target, parallel_for, range<2> r, r, )                                   \
  TN_SYCL_ENQUEUE_OVER(Target, parallel_for, range<3> r, r, )                                   \
  TN_SYCL_ENQUEUE_OVER(Target, parallel_for, TN_SYCL_CONFIG(range), config, int Dimensions,     \
                       class Properties, )                                                      \
  TN_SYCL_ENQUEUE_OVER(Target, nd_launch, nd_range<Dimensions> r, r, int Dimensions, )          \
  TN_SYCL_ENQUEUE_OVER(Target, nd_launch, TN_SYCL_CONFIG(nd_range), config, int Dimensions,     \
                       class Properties, )                                                      \
  template <auto *Func, int Dimensions, class... ArgsT>                                         \
  TN_SYCL_HIDDEN void nd_launch(Target to, nd_range<Dimensions> r, kernel_function_s<Func>,     \
                                ArgsT &&...args) {                                              \
    static_assert(sycl::detail::may_be_kernel_of<Func, Dimensions>,                             \
                  "nd_launch: the function is no nd_range_kernel of these dimensions");         \
    sycl::detail::enqueue_function<Func>(to, r, std::forward<ArgsT>(args)...);                  \
  }                                                                                             \
  template <auto *Func, int Dimensions, class Properties, class... ArgsT>                       \
  TN_SYCL_HIDDEN void nd_launch(Target to, TN_SYCL_CONFIG(nd_range), kernel_function_s<Func>,   \
                                ArgsT &&...args) {                                              \
    static_assert(sycl::detail::may_be_kernel_of<Func, Dimensions>,                             \
                  "nd_launch: the function is no nd_range_kernel of these dimensions");         \
    sycl::detail::enqueue_over(to, config, [&](auto &target, const auto &over) {                \
      sycl::detail::enqueue_function<Func>(target, over, std::forward<ArgsT>(args)...);         \
    });                                                                                         \
  }                                                                                             \
  template <class T>                                                                            \
  void host_task(Target to, T &&hostTaskCallable) {                                             \
    sycl::detail::enqueue(to,                                                                   \
                          [&](handler &h) { h.host_task(std::forward<T>(hostTaskCallable)); }); \
  }                                                                                             \
  inline void memcpy(Target to, void *dest, const void *src, std::size_t numBytes) {            \
    to.memcpy(dest, src, numBytes);                                                             \
  }                                                                                             \
  template <class T>                                                                            \
  void copy(Target to, const T *src, T *dest, std::size_t count) {                              \
    to.copy(src, dest, count);                                                                  \
  }                                                                                             \
  inline void memset(Target to, void *ptr, int value, std::size_t numBytes) {                   \
    to.memset(ptr, value, numBytes);                                                            \
  }                                                                                             \
  template <class T>                                                                            \
  TN_SYCL_HIDDEN void fill(Target to, T *ptr, const T &pattern, std::size_t count) {            \
    to.fill(ptr, pattern, count);                                                               \
  }                                                                                             \
  inline void prefetch(Target to, void *ptr, std::size_t numBytes,                              \
                       prefetch_type type = prefetch_type::device) {                            \
    sycl::detail::enqueue(to, [&](handler &h) { h.prefetch(ptr, numBytes, type); });            \
  }                                                                                             \
  inline void mem_advise(Target to, void *ptr, std::size_t numBytes, int advice) {              \
    to.mem_advise(ptr, numBytes, advice);                                                       \
  }                                                                                             \
  inline void barrier(Target to) {                                                              \
    sycl::detail::enqueue(to, [](handler &h) { h.ext_oneapi_barrier(); });                      \
  }                                                                                             \
  inline void partial_barrier(Target to, const std::vector<event> &events) {                    \
    sycl::detail::enqueue(to, [&](handler &h) { h.ext_oneapi_barrier(events); });               \
  }                                                                                             \
  inline void execute_graph(Target to, command_graph<graph_state::executable> &g) {             \
    to.ext_oneapi_graph(g);                                                                     \
  }

TN_SYCL_ENQUEUE(queue)
TN_SYCL_ENQUEUE(handler &)

#undef TN_SYCL_ENQUEUE
#undef TN_SYCL_CONFIG
#undef TN_SYCL_COMMA
#undef TN_SYCL_ENQUEUE_OVER

}  // namespace ext::oneapi::experimental
}  // namespace sycl

#endif
