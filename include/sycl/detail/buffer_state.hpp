// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared state of a buffer's copies, sub-buffers aside, and of the accessors to them.
#ifndef TENON_SYCL_DETAIL_BUFFER_STATE_HPP
#define TENON_SYCL_DETAIL_BUFFER_STATE_HPP

#include "tenon/memory.h"
#include <sycl/detail/check.hpp>
#include <sycl/property.hpp>

namespace sycl::detail {

// Of a use that does not lie inside what it is of; the sizes are of the first dimension where.
[[noreturn]] void raise_outside(const char *what, int dimension, std::size_t offset,
                                std::size_t extent, std::size_t size);

// Buffers own it, everything else only keeps it: when the last owner goes, commands are waited for
// and data is written back in that thread, whoever else still has a reference.
struct buffer_state {
  std::size_t references = 1;    // atomic; owners included
  std::size_t owners = 1;        // atomic
  buffer_state *base = nullptr;  // of a sub-buffer: owned while there are owners here
  std::size_t offset = 0;        // of a sub-buffer: bytes
  tn_buffer *object = nullptr;
  property_list properties;
  std::shared_ptr<void> keep;  // the host memory that the buffer lives in, if it is owned
  bool read_only = false;      // made from const host data of a buffer of const elements
  // property::buffer::use_mutex: host memory that is only touched with the mutex held.
  std::mutex *mutex = nullptr;
  void *guarded = nullptr;
};

void buffer_retain(buffer_state *state) noexcept;
void buffer_release(buffer_state *state) noexcept;
void buffer_own(buffer_state *state) noexcept;
void buffer_disown(buffer_state *state) noexcept;

using buffer_reference = handle<buffer_state, buffer_retain, buffer_release>;

#ifndef __SYCL_DEVICE_ONLY__
[[noreturn]] TN_SYCL_COLD inline void raise_outside(const char *what, int dimension,
                                                    std::size_t offset, std::size_t extent,
                                                    std::size_t size) {
  char text[200];
  __builtin_snprintf(
      text, sizeof(text),
      "%s: %zu elements from element %zu on are asked for in dimension %d, where the "
      "buffer has %zu",
      what, extent, offset, dimension, size);
  raise(errc::invalid, text);
}
inline void buffer_retain(buffer_state *state) noexcept {
  __atomic_fetch_add(&state->references, 1, __ATOMIC_RELAXED);
}
inline void buffer_release(buffer_state *state) noexcept {
  if (__atomic_fetch_sub(&state->references, 1, __ATOMIC_ACQ_REL) == 1) {
    tn_buffer_release(state->object);
    delete state;
  }
}
inline void buffer_own(buffer_state *state) noexcept {
  __atomic_fetch_add(&state->owners, 1, __ATOMIC_RELAXED);
  buffer_retain(state);
}
inline void buffer_disown(buffer_state *state) noexcept {
  if (__atomic_fetch_sub(&state->owners, 1, __ATOMIC_ACQ_REL) == 1) {
    if (state->base) {
      buffer_disown(state->base);
    } else {
      tn_buffer_close(state->object);
    }
  }
  buffer_release(state);
}
#endif

}  // namespace sycl::detail

#endif
