// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native types of Level Zero, for programs that ask for them where a device is of that backend. No
// device of Tenon's is: get_native and the make functions that take a context throw
// errc::backend_mismatch, make_device, make_platform and make_context errc::invalid.
// Source: the SYCL extension sycl_ext_oneapi_backend_level_zero.
#ifndef TENON_SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO_HPP
#define TENON_SYCL_EXT_ONEAPI_BACKEND_LEVEL_ZERO_HPP

#include <sycl/backend.hpp>
#include <sycl/detail/legacy_image.hpp>
#include <sycl/ext/oneapi/backend/level_zero_ownership.hpp>
#include <sycl/ext/oneapi/experimental/graph_class.hpp>

#include <type_traits>
#include <variant>
#include <vector>

// As level_zero/ze_api.h has them, which a program may include as well.
typedef struct _ze_driver_handle_t *ze_driver_handle_t;
typedef struct _ze_device_handle_t *ze_device_handle_t;
typedef struct _ze_context_handle_t *ze_context_handle_t;
typedef struct _ze_command_queue_handle_t *ze_command_queue_handle_t;
typedef struct _ze_command_list_handle_t *ze_command_list_handle_t;
typedef struct _ze_event_handle_t *ze_event_handle_t;
typedef struct _ze_image_handle_t *ze_image_handle_t;
typedef struct _ze_kernel_handle_t *ze_kernel_handle_t;
typedef struct _ze_module_handle_t *ze_module_handle_t;

namespace sycl {

namespace detail {

using ze_queue = std::variant<ze_command_queue_handle_t, ze_command_list_handle_t>;

TN_SYCL_NATIVE(ext_oneapi_level_zero, platform, ze_driver_handle_t)
TN_SYCL_NATIVE(ext_oneapi_level_zero, device, ze_device_handle_t)
TN_SYCL_NATIVE(ext_oneapi_level_zero, context, ze_context_handle_t)
TN_SYCL_NATIVE(ext_oneapi_level_zero, queue, ze_queue)
TN_SYCL_NATIVE(ext_oneapi_level_zero, event, ze_event_handle_t)
TN_SYCL_NATIVE(ext_oneapi_level_zero, kernel, ze_kernel_handle_t)
TN_SYCL_NATIVE(ext_oneapi_level_zero, native_memory, void *)
TN_SYCL_NATIVE(ext_oneapi_level_zero, native_graph, ze_command_list_handle_t)
template <bundle_state State>
struct native<backend::ext_oneapi_level_zero, kernel_bundle<State>> {
  using type = native_list<ze_module_handle_t>;
};

// What most objects are made of: the handle, and whose it is afterwards.
template <class Handle>
struct ze_input {
  Handle NativeHandle;
  ext::oneapi::level_zero::ownership Ownership{ext::oneapi::level_zero::ownership::transfer};
};
struct ze_context_input {
  ze_context_handle_t NativeHandle;
  std::vector<device> DeviceList;
  ext::oneapi::level_zero::ownership Ownership{ext::oneapi::level_zero::ownership::transfer};
};
struct ze_queue_input {
  ze_queue NativeHandle;
  ext::oneapi::level_zero::ownership Ownership;
  property_list Properties;
  device Device;
  ze_queue_input(
      ze_queue native, device of,
      ext::oneapi::level_zero::ownership ownership = ext::oneapi::level_zero::ownership::transfer,
      property_list properties = {})
      : NativeHandle(native), Ownership(ownership), Properties(properties), Device(of) {}
};
struct ze_kernel_input {
  kernel_bundle<bundle_state::executable> KernelBundle;
  ze_kernel_handle_t NativeHandle;
  ext::oneapi::level_zero::ownership Ownership{ext::oneapi::level_zero::ownership::transfer};
};

template <>
struct native_input<backend::ext_oneapi_level_zero, context> {
  using type = ze_context_input;
};
template <>
struct native_input<backend::ext_oneapi_level_zero, queue> {
  using type = ze_queue_input;
};
template <>
struct native_input<backend::ext_oneapi_level_zero, event> {
  using type = ze_input<ze_event_handle_t>;
};
template <>
struct native_input<backend::ext_oneapi_level_zero, kernel> {
  using type = ze_kernel_input;
};
template <bundle_state State>
struct native_input<backend::ext_oneapi_level_zero, kernel_bundle<State>> {
  using type = ze_input<ze_module_handle_t>;
};
template <class T, int D, class A>
struct native_input<backend::ext_oneapi_level_zero, buffer<T, D, A>> {
  using type = ze_input<void *>;
};

// Its handle does not say what an image is like.
template <int Dimensions, class A>
struct ze_image_input {
  ze_image_handle_t ZeImageHandle;
  image_channel_order ChanOrder;
  image_channel_type ChanType;
  range<Dimensions> Range;
  ext::oneapi::level_zero::ownership Ownership{ext::oneapi::level_zero::ownership::transfer};
};
template <int Dimensions, class A>
struct native_input<backend::ext_oneapi_level_zero, image<Dimensions, A>> {
  using type = ze_image_input<Dimensions, A>;
};

}  // namespace detail

template <backend Backend, int Dimensions = 1, class AllocatorT = image_allocator,
          std::enable_if_t<Backend == backend::ext_oneapi_level_zero, int> = 0>
image<Dimensions, AllocatorT> make_image(
    const backend_input_t<Backend, image<Dimensions, AllocatorT>> &backendObject,
    const context &targetContext, const event &availableEvent = event());

#ifndef __SYCL_DEVICE_ONLY__

template <>
inline platform make_platform<backend::ext_oneapi_level_zero>(
    const backend_input_t<backend::ext_oneapi_level_zero, platform> &) {
  detail::raise(errc::invalid, "make_platform: no platform is of Level Zero");
}
template <>
inline queue make_queue<backend::ext_oneapi_level_zero>(
    const backend_input_t<backend::ext_oneapi_level_zero, queue> &, const context &,
    const async_handler) {
  detail::raise_other_backend("make_queue");
}
template <backend Backend, int Dimensions, class AllocatorT,
          std::enable_if_t<Backend == backend::ext_oneapi_level_zero, int>>
image<Dimensions, AllocatorT> make_image(
    const backend_input_t<Backend, image<Dimensions, AllocatorT>> &, const context &,
    const event &) {
  detail::raise_other_backend("make_image");
}
template <>
inline detail::ze_queue interop_handle::get_native_queue<backend::ext_oneapi_level_zero>() const {
  detail::raise_other_backend("get_native_queue");
}

#endif

}  // namespace sycl

#endif
