// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared state of a buffer's copies, sub-buffers aside, and of the accessors to them.
#ifndef TENON_SYCL_DETAIL_BUFFER_STATE_HPP
#define TENON_SYCL_DETAIL_BUFFER_STATE_HPP

#include "tenon/memory.h"
#include <sycl/detail/check.hpp>
#include <sycl/property.hpp>

namespace sycl::detail {

struct buffer_state {
  std::size_t references = 1;  // atomic
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

#ifndef __SYCL_DEVICE_ONLY__
inline void buffer_retain(buffer_state *state) noexcept {
  __atomic_fetch_add(&state->references, 1, __ATOMIC_RELAXED);
}
inline void buffer_release(buffer_state *state) noexcept {
  if (__atomic_fetch_sub(&state->references, 1, __ATOMIC_ACQ_REL) == 1) {
    tn_buffer_release(state->object);  // waits and writes back; `keep` goes after it
    delete state;
  }
}
#endif

}  // namespace sycl::detail

#endif
