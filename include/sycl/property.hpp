// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::property_list and the properties.
// Source: SYCL 2020 sections 4.5.4, 4.6.5.4, 4.7.2.3, 4.7.6.4, 4.9.2.2.
#ifndef TENON_SYCL_PROPERTY_HPP
#define TENON_SYCL_PROPERTY_HPP

#ifdef __TENON_RTC__
#include <sycl/detail/device_property.hpp>
#else

#include "tenon/memory.h"
#include <sycl/detail/check.hpp>

namespace sycl {

class context;
class queue;
class property_list;

namespace detail {
enum property_bit : unsigned {
  property_in_order = 1u << 0,
  property_enable_profiling = 1u << 1,
  property_use_host_ptr = 1u << 2,
  property_use_mutex = 1u << 3,
  property_context_bound = 1u << 4,
  property_graph_buffers_outlive = 1u << 5,
  property_initialize_to_identity = 1u << 6,
  property_graph_no_cycle_check = 1u << 7,
  property_graph_updatable = 1u << 8,
  property_no_init = 1u << 9,
  property_graph_profiling = 1u << 10,
  property_node_depends_on = 1u << 11,
  property_node_depends_on_all_leaves = 1u << 12,
  property_priority_low = 1u << 13,
  property_priority_normal = 1u << 14,
  property_priority_high = 1u << 15,
  property_priorities = property_priority_low | property_priority_normal | property_priority_high,
  property_discard_events = 1u << 16,
  property_no_immediate_command_list = 1u << 17,
  property_immediate_command_list = 1u << 18,
  property_graph_native_recording = 1u << 19,
  property_use_pinned_host_memory = 1u << 20,
  property_device_read_only = 1u << 21,
  property_compute_index = 1u << 22,
  // Have no effect on commands; the queue keeps them for has_property.
  property_queue_hints = property_priorities | property_discard_events |
                         property_no_immediate_command_list | property_immediate_command_list |
                         property_compute_index,
};

// One without a value.
template <unsigned Bit>
struct plain_property {
  static constexpr unsigned tn_bit = Bit;
};

}  // namespace detail

namespace property {

namespace queue {
struct in_order : detail::plain_property<detail::property_in_order> {};
struct enable_profiling : detail::plain_property<detail::property_enable_profiling> {};
}  // namespace queue

namespace buffer {
struct use_host_ptr : detail::plain_property<detail::property_use_host_ptr> {};
class use_mutex {
 public:
  static constexpr unsigned tn_bit = detail::property_use_mutex;
  use_mutex(std::mutex &mutexRef) : mutex_(&mutexRef) {}
  std::mutex *get_mutex_ptr() const { return mutex_; }

  // The runtime's way of making one.
  explicit use_mutex(const tn_buffer_extra &extra)
      : mutex_(static_cast<std::mutex *>(extra.mutex)) {}

 private:
  std::mutex *mutex_;
};
class context_bound {
 public:
  static constexpr unsigned tn_bit = detail::property_context_bound;
  context_bound(context boundContext);
  context get_context() const;

  // The runtime's way of making one; retains the context.
  explicit context_bound(const tn_buffer_extra &extra)
      : context_(detail::context_handle::retained(extra.context)) {}

 private:
  friend class sycl::property_list;
  detail::context_handle context_;
};
}  // namespace buffer

namespace reduction {
struct initialize_to_identity : detail::plain_property<detail::property_initialize_to_identity> {};
}  // namespace reduction

struct no_init : detail::plain_property<detail::property_no_init> {};
using noinit TN_SYCL_DEPRECATED("use property::no_init") = no_init;  // DPC++'s earlier name

}  // namespace property

// sycl_ext_oneapi_queue_priority: hints, which no device of this version takes.
namespace ext::oneapi::property::queue {
struct priority_low : detail::plain_property<detail::property_priority_low> {};
struct priority_normal : detail::plain_property<detail::property_priority_normal> {};
struct priority_high : detail::plain_property<detail::property_priority_high> {};
// sycl_ext_oneapi_discard_queue_events: events of the queue can be neither waited for nor asked.
struct discard_events : detail::plain_property<detail::property_discard_events> {};
}  // namespace ext::oneapi::property::queue

// sycl_ext_intel_queue_immediate_command_list: choices of Level Zero.
namespace ext::intel::property::queue {
struct no_immediate_command_list
    : detail::plain_property<detail::property_no_immediate_command_list> {};
struct immediate_command_list : detail::plain_property<detail::property_immediate_command_list> {};
// sycl_ext_intel_queue_index: devices have one index (max_compute_queue_indices).
class compute_index {
 public:
  static constexpr unsigned tn_bit = detail::property_compute_index;
  compute_index(int idx = 0) {
    if (idx != 0) {
      detail::raise(errc::invalid,
                    "compute_index: the device has one queue index, 0; ask it for "
                    "ext::intel::info::device::max_compute_queue_indices");
    }
  }
  int get_index() const noexcept { return 0; }
};
}  // namespace ext::intel::property::queue

// sycl_ext_oneapi_use_pinned_host_memory_property: a hint.
namespace ext::oneapi::property::buffer {
struct use_pinned_host_memory : detail::plain_property<detail::property_use_pinned_host_memory> {};
}  // namespace ext::oneapi::property::buffer
// sycl_ext_oneapi_usm_device_read_only: a promise that nothing is made of.
namespace ext::oneapi::property::usm {
struct device_read_only : detail::plain_property<detail::property_device_read_only> {};
}  // namespace ext::oneapi::property::usm

inline constexpr property::no_init no_init;
TN_SYCL_DEPRECATED("use no_init") inline constexpr property::no_init noinit;

namespace detail {

inline constexpr unsigned properties_of_queues =
    property_in_order | property_enable_profiling | property_queue_hints;

template <class T, class = void>
inline constexpr unsigned property_bit_of = 0;
template <class T>
inline constexpr unsigned property_bit_of<T, std::void_t<decltype(T::tn_bit)>> = T::tn_bit;

}  // namespace detail

template <class Property>
struct is_property : std::bool_constant<detail::property_bit_of<Property> != 0> {};
template <class Property>
inline constexpr bool is_property_v = is_property<Property>::value;

// The specializations for buffer and accessor are beside those classes.
template <class Property, class SyclObject>
struct is_property_of : std::false_type {};
template <class Property>
struct is_property_of<Property, queue>
    : std::bool_constant<(detail::property_bit_of<Property> & detail::properties_of_queues) != 0> {
};
template <class Property, class SyclObject>
inline constexpr bool is_property_of_v = is_property_of<Property, SyclObject>::value;

namespace detail {

// What few lists have beside their bits; their copies share it.
struct property_payload : tn_buffer_extra {
  std::size_t references = 1;  // atomic
  void (*release)(property_payload *payload) noexcept = nullptr;
  std::shared_ptr<void> nodes;  // of a graph, a vector of them
  context_handle bound;         // what `context` is
};

template <class Property>
Property get_property(unsigned bits, const tn_buffer_extra *extra) {
  if ((bits & Property::tn_bit) == 0) {
    raise(errc::invalid,
          "get_property: the object was made without this property; ask has_property first");
  }
  if constexpr (std::is_constructible_v<Property, const tn_buffer_extra &>) {
    return Property(*extra);
  } else {
    return Property();
  }
}

}  // namespace detail

class property_list {
 public:
  template <class... Properties, std::enable_if_t<(is_property_v<Properties> && ...), int> = 0>
  property_list(Properties... props) {
    (tn_add(props), ...);
  }
  property_list(const property_list &other) noexcept
      : bits_(other.bits_), payload_(other.payload_) {
    if (payload_) {
      __atomic_fetch_add(&payload_->references, 1, __ATOMIC_RELAXED);
    }
  }
  property_list &operator=(const property_list &other) noexcept {
    property_list copy(other);
    detail::property_payload *const before = payload_;
    bits_ = copy.bits_;
    payload_ = copy.payload_;
    copy.payload_ = before;
    return *this;
  }
  ~property_list() {
    if (payload_) {
      payload_->release(payload_);
    }
  }

  // As in DPC++.
  template <class Property>
  bool has_property() const noexcept {
    static_assert(is_property_v<Property>, "not a property");
    return (bits_ & Property::tn_bit) != 0;
  }
  template <class Property>
  Property get_property() const {
    static_assert(is_property_v<Property>, "not a property");
    return detail::get_property<Property>(bits_, payload_);
  }
  // For the classes that take properties.
  unsigned tn_bits() const noexcept { return bits_; }
  const tn_buffer_extra *tn_extra() const noexcept { return payload_; }
  const void *tn_nodes() const noexcept { return payload_->nodes.get(); }

  template <class Property>
  void tn_add(const Property &property) {
    bits_ |= Property::tn_bit;
    if constexpr (std::is_same_v<Property, property::buffer::use_mutex>) {
      detail::property_payload &with = payload();
      with.mutex = property.get_mutex_ptr();
      with.lock = [](void *mutex) { static_cast<std::mutex *>(mutex)->lock(); };
      with.unlock = [](void *mutex) { static_cast<std::mutex *>(mutex)->unlock(); };
    } else if constexpr (std::is_same_v<Property, property::buffer::context_bound>) {
      detail::property_payload &with = payload();
      with.bound = property.context_;
      with.context = with.bound.get();
    } else if constexpr (Property::tn_bit == detail::property_node_depends_on) {
      payload().nodes = property.nodes_;
    }
  }

 private:
  // Programs that make no list with one do not compile what it takes.
  detail::property_payload &payload() {
    if (!payload_) {
      payload_ = new detail::property_payload{};
      payload_->struct_size = sizeof(tn_buffer_extra);
      payload_->release = [](detail::property_payload *payload) noexcept {
        if (__atomic_fetch_sub(&payload->references, 1, __ATOMIC_ACQ_REL) == 1) {
          delete payload;
        }
      };
    }
    return *payload_;
  }

  unsigned bits_ = 0;
  detail::property_payload *payload_ = nullptr;  // none in most
};

}  // namespace sycl

#endif
#endif
