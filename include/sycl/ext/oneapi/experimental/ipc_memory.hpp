// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// USM of devices that processes on one machine share.
// Source: the SYCL extension sycl_ext_oneapi_inter_process_communication.
#ifndef TENON_SYCL_EXT_IPC_MEMORY_HPP
#define TENON_SYCL_EXT_IPC_MEMORY_HPP

#include <sycl/context.hpp>
#include <sycl/span.hpp>
#include <tenon/ipc_memory.h>

#include <cstddef>
#include <vector>

namespace sycl::ext::oneapi::experimental {

namespace ipc {

using handle_data_t = std::vector<std::byte>;
#ifdef __cpp_lib_span
using handle_data_view_t = std::span<const std::byte>;
#else
using handle_data_view_t = span<const std::byte>;
#endif

// Plain bytes; it holds no memory.
struct handle {
  handle_data_t data() const { return handle_data_t(bytes_, bytes_ + TN_IPC_MEMORY_SIZE); }
  handle_data_view_t data_view() const { return {bytes_, TN_IPC_MEMORY_SIZE}; }

  // The runtime's way of making one.
  unsigned char *tn_bytes() noexcept { return reinterpret_cast<unsigned char *>(bytes_); }

 private:
  std::byte bytes_[TN_IPC_MEMORY_SIZE];
};

namespace memory {

handle get(void *ptr, const context &ctxt);
void put(handle &ipc_handle, const context &ctxt);  // a handle holds nothing
void *open(const handle_data_view_t &handle_data, const context &ctxt, const device &dev);
void *open(const handle_data_t &handle_data, const context &ctxt, const device &dev);
void close(void *ptr, const context &ctxt);

#ifndef __SYCL_DEVICE_ONLY__
TN_SYCL_COLD inline handle get(void *ptr, const context &ctxt) {
  handle made;
  tn_diag diag;
  sycl::detail::check(tn_ipc_memory_get(ctxt.tn_get(), ptr, made.tn_bytes(), &diag), diag);
  return made;
}
inline void put(handle &, const context &) {}
TN_SYCL_COLD inline void *open(const handle_data_view_t &handle_data, const context &ctxt,
                               const device &dev) {
  void *memory = nullptr;
  tn_diag diag;
  sycl::detail::check(tn_ipc_memory_open(ctxt.tn_get(), dev.tn_get(), handle_data.data(),
                                         handle_data.size(), &memory, &diag),
                      diag);
  return memory;
}
inline void *open(const handle_data_t &handle_data, const context &ctxt, const device &dev) {
  return open(handle_data_view_t(handle_data.data(), handle_data.size()), ctxt, dev);
}
TN_SYCL_COLD inline void close(void *ptr, const context &ctxt) {
  tn_diag diag;
  sycl::detail::check(tn_ipc_memory_close(ctxt.tn_get(), ptr, &diag), diag);
}
#endif

// In the default context of the device, or of the default device's platform.
inline handle get(void *ptr) { return get(ptr, device().ext_oneapi_get_default_context()); }
inline void put(handle &ipc_handle) { put(ipc_handle, device().ext_oneapi_get_default_context()); }
inline void *open(const handle_data_view_t &handle_data, const device &dev = device()) {
  return open(handle_data, dev.ext_oneapi_get_default_context(), dev);
}
inline void *open(const handle_data_t &handle_data, const device &dev = device()) {
  return open(handle_data, dev.ext_oneapi_get_default_context(), dev);
}
inline void close(void *ptr) { close(ptr, device().ext_oneapi_get_default_context()); }

}  // namespace memory
}  // namespace ipc

// DPC++'s name of before.
namespace ipc_memory {
using namespace ipc::memory;
using ipc::handle;
using ipc::handle_data_t;
using ipc::handle_data_view_t;
}  // namespace ipc_memory

}  // namespace sycl::ext::oneapi::experimental

#endif
