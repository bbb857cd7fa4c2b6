// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches reductions: cuts their work, and keeps the memory for what strips contribute with the
// queue, so that launching again allocates nothing.
#ifndef TENON_SYCL_DETAIL_REDUCTION_LAUNCH_HPP
#define TENON_SYCL_DETAIL_REDUCTION_LAUNCH_HPP

#include <sycl/detail/reduction_kernel.hpp>
#include "tenon/graph.h"
#include <sycl/ext/oneapi/experimental/auto_local_range.hpp>
#include <sycl/handler.hpp>
#include <sycl/queue.hpp>

namespace sycl::detail {

template <class Name>
class reduction_places;  // names the second kernel of a reduction over an nd_range

#ifndef __SYCL_DEVICE_ONLY__

// Memory of a queue's reductions: used by one command group at a time. While it is in a handler
// nobody else has it; afterwards it is in the store, with the event of the command that uses it.
struct reduction_block final : reduction_tail {
  reduction_block *next = nullptr;
  char *memory = nullptr;  // owned USM
  std::size_t size = 0;
  tn_event *last = nullptr;  // retained
  // The second kernel, for nd_ranges: submitted after the first one.
  event (*follow)(reduction_block &block, tn_queue *queue, const event &first) = nullptr;
  void (*destroy_function)(void *function) = nullptr;
  void *function = nullptr;
  static constexpr std::size_t small_size = 512;
  alignas(64) unsigned char small[small_size];

  static event finish(reduction_tail &tail, tn_queue *queue, event done, bool is_submitted);
  template <class F>
  void keep_function(const F &f);
  void drop_function() {
    if (function) {
      destroy_function(function);
      function = nullptr;
    }
  }
};

template <class F>
void reduction_block::keep_function(const F &f) {
  if constexpr (sizeof(F) <= small_size && alignof(F) <= 64) {
    function = ::new (static_cast<void *>(small)) F(f);
    destroy_function = [](void *object) { static_cast<F *>(object)->~F(); };
  } else {
    function = new F(f);
    destroy_function = [](void *object) { delete static_cast<F *>(object); };
  }
}

// Work-items of a GPU's group; vectors have fewer lanes.
constexpr std::size_t group_lanes = 256;

class reduction_store;

class reduction_access {
 public:
  template <class Name, class Shape, class F, class Execution>
  TN_SYCL_HIDDEN static void set_kernel(handler &cgh, const F &f, const Execution &execution) {
    cgh.set_kernel<Name, Shape>(f, execution);
  }
  static reduction_store &store(handler &cgh);
  static tn_queue *queue_of(handler &cgh) { return cgh.group_.queue; }
  static void use(handler &cgh, reduction_block &block);
};

// A queue's blocks. An in-order queue's commands follow each other, so its blocks can be used again
// at once; others wait, on the device, for the block's last command when there are many.
class reduction_store final : public erased {
 public:
  explicit reduction_store(tn_queue *queue)
      : context_(context_handle::retained(tn_queue_context(queue))),
        device_(tn_queue_device(queue)),
        is_in_order_((tn_queue_flags(queue) & TN_QUEUE_IN_ORDER) != 0) {
    const auto units = device_number<std::uint32_t>(device_, TN_DEVICE_INFO_MAX_COMPUTE_UNITS);
    const auto width = device_number<std::uint32_t>(device_, TN_DEVICE_INFO_SUB_GROUP_SIZE);
    lanes_ = width == 0 ? 1 : width;
    strips_ = 8 * std::size_t{units == 0 ? 1 : units};
    if (device_number<std::uint32_t>(device_, TN_DEVICE_INFO_BACKEND) == TN_BACKEND_CUDA) {
      reduces_by_groups_ = true;
      lanes_ = group_lanes;
    }
  }
  TN_SYCL_COLD ~reduction_store() override {
    while (reduction_block *block = free_) {
      free_ = block->next;
      release_memory(*block);
      delete block;
    }
  }
  static reduction_store &of(tn_queue *queue);

  std::size_t least_strips() const { return strips_; }
  // Work-items of a group that walk through a strip together: as many as a vector has lanes, or a
  // work-group of a GPU.
  std::size_t lanes() const { return lanes_; }
  // One kernel does all, and a group leaves one place (reduction_group.hpp).
  bool reduces_by_groups() const { return reduces_by_groups_; }
  reduction_block *take(tn_queue *queue, std::size_t size);
  void give(reduction_block *block, const event *last);
  void keep(reduction_block *block, tn_graph_node *node);

 private:
  static bool is_complete(const reduction_block &block) {
    return !block.last || tn_event_status(block.last) == TN_EVENT_COMPLETE;
  }
  reduction_block *unlink(std::size_t size);
  void grow(reduction_block &block, std::size_t size);
  void release_memory(reduction_block &block);

  static constexpr std::size_t many_blocks = 8;
  context_handle context_;
  tn_device *device_;  // borrowed: devices live as long as the program
  bool is_in_order_;
  bool reduces_by_groups_ = false;
  std::size_t strips_;
  std::size_t lanes_;
  std::mutex mutex_;
  reduction_block *free_ = nullptr;  // oldest first; guarded by mutex_
  std::size_t count_ = 0;            // in the list; guarded by mutex_
};

TN_SYCL_COLD inline void reduction_store::release_memory(reduction_block &block) {
  tn_event_release(std::exchange(block.last, nullptr));
  tn_diag diag;
  // Of our own memory: cannot fail.
  static_cast<void>(tn_usm_free(context_.get(), std::exchange(block.memory, nullptr), &diag) ==
                    TN_OK);
  block.size = 0;
}

TN_SYCL_COLD inline void reduction_store::grow(reduction_block &block, std::size_t size) {
  release_memory(block);
  std::size_t rounded = 16384;
  while (rounded < size) {
    rounded *= 2;
  }
  void *memory = nullptr;
  tn_diag diag;
  check(tn_usm_alloc(context_.get(), device_, TN_USM_SHARED, rounded, 128, &memory, &diag), diag);
  block.memory = static_cast<char *>(memory);
  block.size = rounded;
  __builtin_memset(memory, 0, 128);
}

// One whose memory can be used, or else NULL.
inline reduction_block *reduction_store::unlink(std::size_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  reduction_block **found = nullptr;
  for (reduction_block **at = &free_; *at; at = &(*at)->next) {
    const bool is_large = (*at)->size >= size;
    const bool is_free = is_complete(**at);
    if (is_large && (is_free || is_in_order_)) {
      found = at;
      break;
    }
    if (!found && (is_free || (is_large && count_ >= many_blocks))) {
      found = at;
    }
  }
  if (!found) {
    return nullptr;
  }
  reduction_block *block = *found;
  *found = block->next;
  --count_;
  return block;
}

inline reduction_block *reduction_store::take(tn_queue *queue, std::size_t size) {
  // A graph's commands run whenever it is launched: what they use is used by nobody else.
  reduction_block *block = tn_queue_is_recording(queue) ? nullptr : unlink(size);
  if (!block) {
    block = new reduction_block;
    block->finish_command = reduction_block::finish;
  }
  if (block->size < size) {
    try {
      grow(*block, size);
    } catch (...) {
      give(block, nullptr);
      throw;
    }
  }
  return block;
}

inline void reduction_store::give(reduction_block *block, const event *last) {
  block->drop_function();
  block->follow = nullptr;
  if (last) {
    tn_event *before = std::exchange(block->last, last->tn_get());
    tn_event_retain(block->last);
    tn_event_release(before);
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  reduction_block **at = &free_;
  while (*at) {
    at = &(*at)->next;
  }
  block->next = nullptr;
  *at = block;
  ++count_;
}

// With the graph, as long as it can be launched.
TN_SYCL_COLD inline void reduction_store::keep(reduction_block *block, tn_graph_node *node) {
  struct kept {
    context_handle context;
    reduction_block *block;
  };
  block->drop_function();
  auto *ours = new kept{context_, block};
  tn_diag diag;
  check(tn_graph_keep(
            node, ours,
            [](void *user) {
              auto *given = static_cast<kept *>(user);
              tn_event_release(given->block->last);
              static_cast<void>(
                  tn_usm_free(given->context.get(), given->block->memory, nullptr) == TN_OK);
              delete given->block;
              delete given;
            },
            &diag),
        diag);
}

inline reduction_store &reduction_store::of(tn_queue *queue) {
  auto *store = static_cast<erased *>(tn_queue_user(queue));
  if (!store) {
    erased *mine = new reduction_store(queue);
    store = static_cast<erased *>(tn_queue_offer_user(queue, mine, erased::free));
    if (store != mine) {
      delete mine;
    }
  }
  return *static_cast<reduction_store *>(store);
}

inline reduction_store &reduction_access::store(handler &cgh) {
  return reduction_store::of(cgh.group_.queue);
}

// Gives the block to the command group.
inline void reduction_access::use(handler &cgh, reduction_block &block) {
  if (cgh.reduction_) {
    store(cgh).give(&block, nullptr);
    cgh.begin_action(TN_COMMAND_KERNEL);  // raises: there is one already
  }
  cgh.reduction_ = &block;
  cgh.use_parts_ = handler::use_parts;
  if (block.last && (tn_queue_flags(cgh.group_.queue) & TN_QUEUE_IN_ORDER) == 0) {
    tn_command_group_depends_on(&cgh.group_, block.last);
  }
}

// The command group's kernel was submitted, or not.
inline event reduction_block::finish(reduction_tail &tail, tn_queue *queue, event done,
                                     bool is_submitted) {
  auto &block = static_cast<reduction_block &>(tail);
  reduction_store &store = reduction_store::of(queue);
  if (is_submitted && block.follow) {
    try {
      done = block.follow(block, queue, done);
    } catch (...) {
      store.give(&block, &done);
      throw;
    }
  }
  if (tn_graph_node *node = is_submitted ? tn_graph_node_of_event(done.tn_get()) : nullptr) {
    store.keep(&block, node);
  } else {
    store.give(&block, is_submitted ? &done : nullptr);
  }
  return done;
}

// At least 8 strips a compute unit, so that they can be of different cost; more when there is much
// to do, so that a strip's cost varies little; fewer when what a strip contributes is large.
inline reduction_strips cut_strips(std::size_t total, std::size_t least, std::size_t place_size,
                                   std::size_t lanes) {
  constexpr std::size_t long_strip = 65536;
  std::size_t most = (std::size_t{1} << 19) / place_size;
  most = most < least ? least : most < 4096 ? most : 4096;
  std::size_t count = total / long_strip;
  count = count < least || lanes >= group_lanes ? least : count < most ? count : most;
  reduction_strips strips;
  strips.total = total;
  strips.length = total / count + (total % count != 0);
  const std::size_t unit = strips.length > 8 * group_lanes && lanes >= group_lanes ? 8 * lanes
                           : strips.length > 256 && lanes < group_lanes           ? 64
                                                                                  : lanes;
  strips.length = (strips.length + unit - 1) / unit * unit;
  strips.length += strips.length == 0;
  strips.count = total / strips.length + (total % strips.length != 0);
  strips.count += strips.count == 0;
  return strips;
}

constexpr std::size_t reduction_header = 128;  // bytes before the places: the counters

#endif

// Lists of types, to tell the reductions of a launch from its kernel function.
template <class... T>
struct type_list {};
template <class Seen, class... Rest>
struct split_last;
template <class... Seen, class Last>
struct split_last<type_list<Seen...>, Last> {
  using before = type_list<Seen...>;
  using last = Last;
};
template <class... Seen, class First, class... Rest>
struct split_last<type_list<Seen...>, First, Rest...>
    : split_last<type_list<Seen..., First>, Rest...> {};

template <class Name, class F, class Reductions>
struct reduction_launch;

template <class Name, class F, class... Reductions>
struct reduction_launch<Name, F, type_list<Reductions...>> {
  using list_type = reduction_list<Reductions...>;

  template <int Dimensions>
  static void check(range<Dimensions>) {
    static_assert(
        is_kernel_function<const F &, item<Dimensions>, typename Reductions::reducer_type &...>,
        "parallel_for with reductions over a range: the kernel function is const and takes item, "
        "id, or something else that an item of these dimensions converts to, a reference to a "
        "reducer for each reduction, and maybe a kernel_handler");
  }
  template <int Dimensions>
  static void check(nd_range<Dimensions>) {
    static_assert(
        is_kernel_function<const F &, nd_item<Dimensions>, typename Reductions::reducer_type &...>,
        "parallel_for with reductions over an nd_range: the kernel function is const and takes "
        "nd_item, a reference to a reducer for each reduction, and maybe a kernel_handler");
  }

#ifdef __SYCL_DEVICE_ONLY__

  template <int Dimensions>
  static void launch(handler &, range<Dimensions> extent, const Reductions &..., const F &) {
    check(extent);
    emit_kernel<Name, reduce_range<F, Dimensions, Reductions...>, nd_range_shape<1>>();
  }
  template <int Dimensions>
  static void launch(handler &, nd_range<Dimensions> execution, const Reductions &..., const F &) {
    check(execution);
    using function = reduce_nd_range<F, Dimensions, Reductions...>;
    emit_kernel<Name, function, nd_range_shape<Dimensions>>();
    emit_kernel<reduction_places<kernel_name<Name, function>>, reduce_places<Reductions...>,
                nd_range_shape<1>>();
  }

#else

  static std::size_t size_of_places() { return list_type::size_of_places(1); }

  template <int Dimensions>
  static std::size_t item_count(const range<Dimensions> &extent) {
    std::size_t count = 1;
    bool fits = true;
    bool is_empty = false;
    for (int i = 0; i < Dimensions; ++i) {
      fits = !__builtin_mul_overflow(count, extent[i], &count) && fits;
      is_empty = is_empty || extent[i] == 0;
    }
    if (!fits && !is_empty) {
      raise(errc::nd_range,
            "parallel_for with reductions: the range has more work-items than 64 bits can count");
    }
    return is_empty ? 0 : count;
  }

  // Places the strips' memory in the block at `used` bytes.
  static void place_strips(reduction_strips &strips, const reduction_block &block,
                           std::size_t used) {
    strips.ended = reinterpret_cast<unsigned *>(block.memory);
    strips.places = block.memory + used;
  }

  template <int Dimensions>
  TN_SYCL_HIDDEN static void launch(handler &cgh, range<Dimensions> extent,
                                    const Reductions &...reductions, const F &f) {
    check(extent);
    reduction_store &store = reduction_access::store(cgh);
    using function = reduce_range<F, Dimensions, Reductions...>;
    const std::size_t lanes =
        function::shares_strips(store.reduces_by_groups()) ? store.lanes() : 1;
    reduction_strips strips =
        cut_strips(item_count(extent), store.least_strips(), size_of_places(), lanes);
    reduction_block *block =
        store.take(reduction_access::queue_of(cgh),
                   reduction_header + list_type::size_of_places(strips.count * lanes));
    reduction_access::use(cgh, *block);
    place_strips(strips, *block, reduction_header);
    reduction_access::set_kernel<Name, nd_range_shape<1>>(
        cgh, function{f, extent, strips, list_type(reductions...)},
        nd_range<1>(strips.count * lanes, lanes));
  }

  template <int Dimensions>
  TN_SYCL_HIDDEN static void launch(handler &cgh, nd_range<Dimensions> execution,
                                    const Reductions &...reductions, const F &f) {
    check(execution);
    if (execution.get_local_range()[0] == open_size) {
      raise(errc::feature_not_supported,
            "parallel_for with reductions: auto_range is for kernels without reductions; give the "
            "size of the work-groups");
    }
    using function = reduce_nd_range<F, Dimensions, Reductions...>;
    reduction_store &store = reduction_access::store(cgh);
    const std::size_t count = item_count(execution.get_global_range());
    reduction_strips strips = cut_strips(count, store.least_strips(), size_of_places(), 1);
    const std::size_t used = reduction_header + list_type::size_of_places(count);
    reduction_block *block =
        store.take(reduction_access::queue_of(cgh), used + list_type::size_of_places(strips.count));
    reduction_access::use(cgh, *block);
    place_strips(strips, *block, used);
    char *places = block->memory + reduction_header;
    const list_type list(reductions...);
    auto *sub_groups = reinterpret_cast<std::size_t *>(block->memory + reduction_header / 2);
    const std::size_t groups = execution.get_group_range().size();
    if (!store.reduces_by_groups()) {
      block->keep_function(reduce_places<Reductions...>{places, groups, sub_groups, strips, list});
      block->follow = follow<kernel_name<Name, function>>;
    }
    reduction_access::set_kernel<Name, nd_range_shape<Dimensions>>(
        cgh, function{f, places, count, sub_groups, block->memory, list}, execution);
  }

  template <class FirstName>
  TN_SYCL_HIDDEN static event follow(reduction_block &block, tn_queue *queue, const event &first) {
    using function = reduce_places<Reductions...>;
    const auto command_group = [&](handler &cgh) {
      const auto &second = *static_cast<const function *>(block.function);
      // Without handler::depends_on, which rejects events of queues that discard them.
      tn_command_group_depends_on(command_group_of(&cgh), first.tn_get());
      require(cgh, second.list);
      reduction_access::set_kernel<reduction_places<FirstName>, nd_range_shape<1>>(
          cgh, second, nd_range<1>(second.strips.count, 1));
    };
    return handler_access::submit(queue, command_group);
  }

  static void require(handler &, const reduction_list<> &) {}
  template <class Head, class... Tail>
  static void require(handler &cgh, const reduction_list<Head, Tail...> &list) {
    if constexpr (!std::is_pointer_v<decltype(list.head.variable)>) {
      cgh.require(list.head.variable);
    }
    require(cgh, list.tail);
  }

#endif
};

// handler::parallel_for with reductions; `rest` are those and the kernel function.
template <class Name, class Execution, class... Rest>
TN_SYCL_HIDDEN void launch_reductions(handler &cgh, const Execution &execution,
                                      const Rest &...rest) {
  using split = split_last<type_list<>, Rest...>;
  reduction_launch<Name, typename split::last, typename split::before>::launch(cgh, execution,
                                                                               rest...);
}

}  // namespace sycl::detail

#endif
