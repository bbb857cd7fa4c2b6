// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::stream. Work-items note what to print (tenon/stream.h); the host makes text of it when
// their command is complete. Source: SYCL 2020 section 4.16.
#ifndef TENON_SYCL_STREAM_HPP
#define TENON_SYCL_STREAM_HPP

#include "tenon/stream.h"
#include <sycl/detail/owner_order.hpp>
#include <sycl/detail/small_list.hpp>
#include <sycl/detail/stream_words.hpp>
#include <sycl/detail/vec_operators.hpp>
#include <sycl/handler.hpp>

// Before `flush` and `endl` here: std::endl calls a flush that is declared after it, and would find
// these in a program that says `using namespace sycl;` first.
#include <ostream>

namespace sycl {

template <class T, int NumElements>
class vec;
template <class T, access::address_space Space, access::decorated IsDecorated>
class multi_ptr;
template <int Dimensions>
class h_item;
namespace detail {
template <class T, int... Index>
class swizzled_vec;
}

// Copies are one stream: what a work-item writes to one of them follows what it wrote to others.
class TN_SYCL_SHARED stream : private detail::stream_words, public detail::owner_order<stream> {
 public:
  // What the two sizes are for is kept by having more memory than they ask for: a work-item may
  // write as much as it likes before it flushes.
  stream(std::size_t totalBufferSize, std::size_t workItemBufferSize, handler &commandGroupHandler,
         const property_list &propList = {});
#ifndef __SYCL_DEVICE_ONLY__
  stream(const stream &other)
      : detail::stream_words(other),
        object_(other.object_),
        total_size_(other.total_size_),
        work_item_size_(other.work_item_size_),
        properties_(other.properties_),
        context_(other.context_) {
    tn_stream_retain(object_);
  }
  stream &operator=(const stream &other) {
    tn_stream_retain(other.object_);
    tn_stream_release(object_);
    static_cast<stream_words &>(*this) = other;
    object_ = other.object_;
    total_size_ = other.total_size_;
    work_item_size_ = other.work_item_size_;
    properties_ = other.properties_;
    context_ = other.context_;
    return *this;
  }
  ~stream() { tn_stream_release(object_); }
#endif

  std::size_t size() const noexcept { return total_size_; }
  std::size_t get_work_item_buffer_size() const noexcept { return work_item_size_; }
  TN_SYCL_DEPRECATED("use stream::size")
  std::size_t get_size() const noexcept { return total_size_; }
  TN_SYCL_DEPRECATED("use stream::get_work_item_buffer_size")
  std::size_t get_max_statement_size() const noexcept { return work_item_size_; }

  template <class Property>
  bool has_property() const noexcept {
    static_assert(is_property_v<Property>, "not a property");
    return (properties_ & Property::tn_bit) != 0;
  }
  template <class Property>
  Property get_property() const {
    static_assert(is_property_of_v<Property, stream>, "no property of a stream");
    tn_buffer_extra extra = {};
    extra.context = context_;
    return detail::get_property<Property>(properties_, &extra);
  }

  friend bool operator==(const stream &lhs, const stream &rhs) noexcept {
    return lhs.object_ == rhs.object_;
  }
  friend bool operator!=(const stream &lhs, const stream &rhs) noexcept { return !(lhs == rhs); }

  // For the operators.
  const detail::stream_words &tn_words() const noexcept { return *this; }
  tn_stream *tn_get() const noexcept { return object_; }
  std::size_t tn_hash() const noexcept { return detail::hash_pointer(object_); }

 private:
  tn_stream *object_ = nullptr;  // retained
  std::size_t total_size_;
  std::size_t work_item_size_;
  unsigned properties_;
  tn_context *context_ = nullptr;  // the queue's, which the stream keeps
};

// The host's memory of a stream is the runtime's: the others of a buffer mean nothing to it.
template <>
struct is_property_of<property::buffer::context_bound, stream> : std::true_type {};

#ifdef __SYCL_DEVICE_ONLY__

inline stream::stream(std::size_t total, std::size_t work_item, handler &, const property_list &)
    : total_size_(total), work_item_size_(work_item), properties_(0) {}

#else

// Retained.
class detail::stream_list : public detail::small_list<tn_stream *, 2> {};

class detail::stream_access {
 public:
  static tn_context *context_of(handler &cgh) { return tn_queue_context(cgh.group_.queue); }
  static tn_stream *create(handler &cgh, std::size_t size, const property_list &properties) {
    if ((properties.tn_bits() & property_context_bound) != 0 &&
        properties.tn_extra()->context != context_of(cgh)) {
      raise(errc::invalid,
            "a stream has property::buffer::context_bound, but the command group is for a queue of "
            "another context");
    }
    tn_stream *made = nullptr;
    tn_diag diag;
    check(tn_stream_create(cgh.group_.queue, size, &made, &diag), diag);
    if (!cgh.streams_) {
      cgh.streams_ = new stream_list;
    }
    cgh.streams_->push(made);
    tn_stream_retain(made);
    cgh.use_streams_ = use;
    cgh.use_parts_ = handler::use_parts;
    return made;
  }

 private:
  // When the command was submitted, and once more, without its event, at the end.
  TN_SYCL_COLD static void use(handler &cgh, event *done) {
    for (tn_stream *each : *cgh.streams_) {
      if (!done) {
        tn_stream_release(each);
        continue;
      }
      tn_event *printed = nullptr;
      tn_diag diag;
      check(tn_stream_print(each, done->tn_get(), &printed, &diag), diag);
      *done = event(printed, cgh.group_.queue);
    }
    if (!done) {
      delete cgh.streams_;
    }
  }
};

TN_SYCL_COLD inline stream::stream(std::size_t totalBufferSize, std::size_t workItemBufferSize,
                                   handler &commandGroupHandler, const property_list &propList)
    : object_(detail::stream_access::create(commandGroupHandler, totalBufferSize, propList)),
      total_size_(totalBufferSize),
      work_item_size_(workItemBufferSize),
      properties_(propList.tn_bits()),
      context_(detail::stream_access::context_of(commandGroupHandler)) {
  begin(tn_stream_memory(object_));
}

#endif

enum class stream_manipulator {
  flush,
  dec,
  hex,
  oct,
  noshowbase,
  showbase,
  noshowpos,
  showpos,
  endl,
  fixed,
  scientific,
  hexfloat,
  defaultfloat
};
#define TN_SYCL_MANIPULATOR(name) \
  inline constexpr stream_manipulator name = stream_manipulator::name;
TN_SYCL_MANIPULATOR(flush)
TN_SYCL_MANIPULATOR(dec)
TN_SYCL_MANIPULATOR(hex)
TN_SYCL_MANIPULATOR(oct)
TN_SYCL_MANIPULATOR(noshowbase)
TN_SYCL_MANIPULATOR(showbase)
TN_SYCL_MANIPULATOR(noshowpos)
TN_SYCL_MANIPULATOR(showpos)
TN_SYCL_MANIPULATOR(endl)
TN_SYCL_MANIPULATOR(fixed)
TN_SYCL_MANIPULATOR(scientific)
TN_SYCL_MANIPULATOR(hexfloat)
TN_SYCL_MANIPULATOR(defaultfloat)
#undef TN_SYCL_MANIPULATOR

struct __precision_manipulator__ {
  int tn_value;
};
struct __width_manipulator__ {
  int tn_value;
};
inline __precision_manipulator__ setprecision(int precision) { return {precision}; }
inline __width_manipulator__ setw(int width) { return {width}; }

inline const stream &operator<<(const stream &os, const stream_manipulator &manipulator) {
  os.tn_words().change(static_cast<int>(manipulator));
  return os;
}
inline const stream &operator<<(const stream &os, const __precision_manipulator__ &precision) {
  os.tn_words().set_precision(precision.tn_value);
  return os;
}
inline const stream &operator<<(const stream &os, const __width_manipulator__ &width) {
  os.tn_words().set_width(width.tn_value);
  return os;
}

inline const stream &operator<<(const stream &os, const char *text) {
  os.tn_words().put_text(text);
  return os;
}
template <class T>
const stream &operator<<(const stream &os, T *pointer) {
  if constexpr (std::is_same_v<T, char>) {
    os.tn_words().put_text(pointer);
  } else {
    os.tn_words().put(TN_STREAM_ADDRESS, reinterpret_cast<std::uintptr_t>(pointer));
  }
  return os;
}
// signed char and unsigned char are numbers here, bool is a word.
template <class T, std::enable_if_t<detail::is_number<T>, int> = 0>
const stream &operator<<(const stream &os, T value) {
  if constexpr (std::is_same_v<T, char>) {
    os.tn_words().put_letters(static_cast<unsigned char>(value), 1);
  } else if constexpr (std::is_same_v<T, bool>) {
    os.tn_words().put_text(value ? "true" : "false");
  } else if constexpr (std::is_integral_v<T>) {
    os.tn_words().put(std::is_signed_v<T> ? TN_STREAM_SIGNED : TN_STREAM_UNSIGNED,
                      static_cast<std::uint64_t>(value), sizeof(T));
  } else if constexpr (!std::is_arithmetic_v<T>) {
    return os << static_cast<float>(value);
  } else {
    os.tn_words().put(TN_STREAM_REAL,
                      __builtin_bit_cast(std::uint64_t, static_cast<double>(value)));
  }
  return os;
}
template <class T, access::address_space Space, access::decorated IsDecorated>
const stream &operator<<(const stream &os, const multi_ptr<T, Space, IsDecorated> &pointer) {
  os.tn_words().put(TN_STREAM_ADDRESS, reinterpret_cast<std::uintptr_t>(pointer.get_raw()));
  return os;
}
template <class T, int NumElements>
const stream &operator<<(const stream &os, const vec<T, NumElements> &value) {
  for (int i = 0; i < NumElements; ++i) {
    if (i > 0) {
      os.tn_words().put_letters(',' | ' ' << 8, 2);
    }
    os << value[i];
  }
  return os;
}
template <class T, int... Index>
const stream &operator<<(const stream &os, const detail::swizzled_vec<T, Index...> &value) {
  return os << value.tn_value();
}

template <int Dimensions>
const stream &operator<<(const stream &os, const id<Dimensions> &value) {
  os.tn_words().put_list(Dimensions, value);
  return os;
}
template <int Dimensions>
const stream &operator<<(const stream &os, const range<Dimensions> &value) {
  os.tn_words().put_list(Dimensions, value);
  return os;
}
template <int Dimensions, bool WithOffset>
const stream &operator<<(const stream &os, const item<Dimensions, WithOffset> &value) {
  os << "item(range: " << value.get_range() << ", id: " << value.get_id();
  if constexpr (WithOffset) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    os << ", offset: " << value.get_offset();
#pragma GCC diagnostic pop
  }
  return os << ')';
}
template <int Dimensions>
const stream &operator<<(const stream &os, const nd_range<Dimensions> &value) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  return os << "nd_range(global_range: " << value.get_global_range()
            << ", local_range: " << value.get_local_range() << ", offset: " << value.get_offset()
            << ')';
#pragma GCC diagnostic pop
}
template <int Dimensions>
const stream &operator<<(const stream &os, const nd_item<Dimensions> &value) {
  return os << "nd_item(global_id: " << value.get_global_id()
            << ", local_id: " << value.get_local_id() << ')';
}
template <int Dimensions>
const stream &operator<<(const stream &os, const group<Dimensions> &value) {
  return os << "group(id: " << value.get_group_id() << ", local_range: " << value.get_local_range()
            << ", group_range: " << value.get_group_range() << ')';
}
template <int Dimensions>
const stream &operator<<(const stream &os, const h_item<Dimensions> &value) {
  return os << "h_item(\n  global " << value.get_global() << "\n  logical local "
            << value.get_logical_local() << "\n  physical local " << value.get_physical_local()
            << "\n)";
}

}  // namespace sycl

template <>
struct std::hash<sycl::stream> {
  std::size_t operator()(const sycl::stream &stream) const noexcept { return stream.tn_hash(); }
};

#endif
