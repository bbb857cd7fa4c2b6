// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a buffer's copies and its accessors share is a tn_buffer; here is what a sycl::buffer has of
// it, whatever its elements are.
#ifndef TENON_SYCL_DETAIL_BUFFER_STATE_HPP
#define TENON_SYCL_DETAIL_BUFFER_STATE_HPP

#include "tenon/memory.h"
#include <sycl/detail/check.hpp>
#include <sycl/property.hpp>
#include <sycl/range.hpp>

namespace sycl::detail {

static_assert(unsigned{property_use_host_ptr} == TN_PROPERTY_USE_HOST_PTR,
              "the runtime looks at this bit");

// The runtime allocates it.
struct default_memory {
  default_memory() = default;
  template <class Allocator>
  explicit default_memory(const Allocator &) noexcept {}
};

// Host memory from the user's allocator.
template <class Allocator>
struct own_memory {
  Allocator allocator;
};

#ifndef __SYCL_DEVICE_ONLY__

inline tn_buffer *create_buffer(const tn_buffer_elements &elements, const std::size_t *extents,
                                std::uint32_t contents, const void *data,
                                const property_list &properties) {
  tn_buffer *object = nullptr;
  tn_diag diag;
  check(tn_buffer_create_elements(&elements, extents, contents, data, properties.tn_bits(),
                                  properties.tn_extra(), &object, &diag),
        diag);
  return object;
}

// Elements from the user's allocator, until the buffer goes.
template <class Allocator>
struct allocated_elements {
  using traits = std::allocator_traits<Allocator>;
  Allocator allocator;
  std::size_t count;
  typename traits::pointer elements;

  allocated_elements(const Allocator &from, std::size_t of) : allocator(from), count(of) {
    try {
      elements = traits::allocate(allocator, count);
    } catch (const std::bad_alloc &) {
      raise(errc::memory_allocation, "a buffer's allocator has no memory for its elements");
    }
  }
  allocated_elements(const allocated_elements &) = delete;
  ~allocated_elements() { traits::deallocate(allocator, elements, count); }
  static void free(void *self) { delete static_cast<allocated_elements *>(self); }
};

template <class Allocator>
tn_buffer *create_in_memory(const tn_buffer_elements &elements, const std::size_t *extents,
                            std::size_t count, std::uint32_t contents, const void *data,
                            const property_list &properties, const Allocator &allocator) {
  tn_buffer_extra extra = {};
  if (properties.tn_extra()) {
    extra = *properties.tn_extra();
  }
  extra.struct_size = sizeof(extra);
  // Beside the program's own memory no other is the program's: what a mutex guards is copied.
  const bool has_own_memory = data && ((properties.tn_bits() & property_use_host_ptr) != 0 ||
                                       contents == TN_CONTENTS_SHARED);
  if (count == 0 || has_own_memory || (!data && contents != TN_CONTENTS_NONE)) {
    return create_buffer(elements, extents, contents, data, properties);
  }
  // The allocator may be of another type than the buffer's elements.
  constexpr std::size_t unit = sizeof(typename std::allocator_traits<Allocator>::value_type);
  std::unique_ptr<allocated_elements<Allocator>> memory(new allocated_elements<Allocator>(
      allocator, (count * elements.size + unit - 1) / unit));
  extra.memory = std::addressof(*memory->elements);
  extra.memory_owner = memory.get();
  extra.free_memory = allocated_elements<Allocator>::free;
  tn_buffer *object = nullptr;
  tn_diag diag;
  check(tn_buffer_create_elements(&elements, extents, contents, data, properties.tn_bits(), &extra,
                                  &object, &diag),
        diag);
  memory.release();
  return object;
}

TN_SYCL_COLD inline tn_buffer *create_region(tn_buffer *whole, const tn_buffer_elements &elements,
                                             const std::size_t *extents, const std::size_t *base,
                                             const std::size_t *region) {
  tn_buffer *object = nullptr;
  tn_diag diag;
  check(tn_buffer_create_region(whole, &elements, extents, base, region, &object, &diag), diag);
  return object;
}

TN_SYCL_COLD inline tn_buffer *own_as(tn_buffer *buffer, const tn_buffer_elements &elements,
                                      const std::size_t *extents) {
  tn_diag diag;
  check(tn_buffer_check_elements(buffer, &elements, extents, &diag), diag);
  tn_buffer_own(buffer);
  return buffer;
}

// The buffer keeps what its host data lies in.
template <class T>
void keep_pointer(tn_buffer *buffer, const std::shared_ptr<T> &pointer) {
  using kept = std::shared_ptr<T>;
  tn_buffer_set_keep(buffer, new kept(pointer),
                     [](void *keep) { delete static_cast<kept *>(keep); });
}

#endif

// Owns the buffer, whereas accessors only keep it: when the last owner goes, commands are waited
// for and data is written back in that thread, whoever else still has a reference.
template <int Dimensions>
struct buffer_object {
  range<Dimensions> extent;
  tn_buffer *object = nullptr;  // owned

#ifndef __SYCL_DEVICE_ONLY__
  buffer_object(const tn_buffer_elements &elements, const range<Dimensions> &of,
                std::uint32_t contents, const void *data, const property_list &properties,
                const default_memory &)
      : extent(of),
        object(create_buffer(elements, of.tn_values(), contents, data,
                             properties)) {}
  template <class Allocator>
  buffer_object(const tn_buffer_elements &elements, const range<Dimensions> &of,
                std::uint32_t contents, const void *data, const property_list &properties,
                const own_memory<Allocator> &memory)
      : extent(of),
        object(create_in_memory(elements, of.tn_values(), of.size(), contents, data, properties,
                                memory.allocator)) {}
  // A part of a buffer; the same buffer, seen as other elements.
  buffer_object(const buffer_object &whole, const tn_buffer_elements &elements,
                const std::size_t *base, const range<Dimensions> &region)
      : extent(region),
        object(create_region(whole.object, elements, whole.extent.tn_values(), base,
                             region.tn_values())) {}
  buffer_object(tn_buffer *same, const tn_buffer_elements &elements, const range<Dimensions> &of)
      : extent(of), object(own_as(same, elements, of.tn_values())) {}

  buffer_object(tn_buffer *taken, const range<Dimensions> &of) noexcept
      : extent(of), object(taken) {}

  buffer_object(const buffer_object &other) noexcept : extent(other.extent), object(other.object) {
    tn_buffer_own(object);
  }
  buffer_object(buffer_object &&other) noexcept : extent(other.extent), object(other.object) {
    other.object = nullptr;
  }
  buffer_object &operator=(const buffer_object &other) noexcept {
    buffer_object copy(other);
    return *this = static_cast<buffer_object &&>(copy);
  }
  buffer_object &operator=(buffer_object &&other) noexcept {
    const range<Dimensions> extent_before = extent;
    tn_buffer *const object_before = object;
    extent = other.extent;
    object = other.object;
    other.extent = extent_before;
    other.object = object_before;
    return *this;
  }
  ~buffer_object() { tn_buffer_disown(object); }
#else
  template <class... Arguments>
  buffer_object(const tn_buffer_elements &, const range<Dimensions> &of, const Arguments &...)
      : extent(of) {}
  buffer_object(const buffer_object &, const tn_buffer_elements &, const std::size_t *,
                const range<Dimensions> &region)
      : extent(region) {}
  buffer_object(tn_buffer *, const tn_buffer_elements &, const range<Dimensions> &of)
      : extent(of) {}
  buffer_object(tn_buffer *, const range<Dimensions> &of) noexcept : extent(of) {}
#endif
};

}  // namespace sycl::detail

#endif
