// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// backend_traits, get_native and the make functions. The C API beneath is tenon/native.h.
//
// What get_native gives stays the runtime's: it is not to be destroyed, and is there as long as the
// SYCL object. What the make functions take stays the program's: it has to be there as long as the
// SYCL object, and is not destroyed with it. OpenCL counts references: what get_native gives is
// retained for the program, which releases it, and the make functions retain what they take.
// Source: SYCL 2020 section 4.5.1, appendix C; the SYCL extension sycl_ext_oneapi_backend_cuda.
#ifndef TENON_SYCL_BACKEND_HPP
#define TENON_SYCL_BACKEND_HPP

#include "tenon/native.h"
#include <sycl/buffer.hpp>
#include <sycl/detail/backend_types.hpp>
#include <sycl/detail/bundle_use.hpp>
#include <sycl/detail/core.hpp>
#include <sycl/interop_handle.hpp>

#include <vector>

namespace sycl {

namespace detail {

// Which of `native`'s names a class goes by.
template <class T>
struct native_name {
  using type = T;
};
template <class T, int D, access_mode M, target Tg, access::placeholder P>
struct native_name<accessor<T, D, M, Tg, P>> {
  using type = native_memory;
};
template <class T, int D, class A>
struct native_name<buffer<T, D, A>> {
  using type = native_memory;
};
template <ext::oneapi::experimental::graph_state State>
struct native_name<ext::oneapi::experimental::command_graph<State>> {
  using type = native_graph;
};
template <>
struct native<backend::ext_oneapi_cuda, kernel_bundle<bundle_state::executable>> {
  using type = native_list<CUmodule>;
};
template <bundle_state State>
struct native<backend::opencl, kernel_bundle<State>> {
  using type = native_list<cl_program>;
};

// What make functions take, where that is not what get_native gives: one object, not a list.
template <backend Backend, class T>
struct native_input : native_value<native_t<Backend, typename native_name<T>::type>> {};
template <bundle_state State>
struct native_input<backend::opencl, kernel_bundle<State>> {
  using type = cl_program;
};
template <class T, int D, class A>
struct native_input<backend::opencl, buffer<T, D, A>> {
  using type = cl_mem;
};

}  // namespace detail

template <backend Backend>
class backend_traits {
 public:
  template <class T>
  using return_type = typename detail::native_value<
      detail::native_t<Backend, typename detail::native_name<T>::type>>::type;
  template <class T>
  using input_type = typename detail::native_input<Backend, T>::type;
};
template <backend Backend, class SyclType>
using backend_input_t = typename backend_traits<Backend>::template input_type<SyclType>;
template <backend Backend, class SyclType>
using backend_return_t = typename backend_traits<Backend>::template return_type<SyclType>;

// errc::backend_mismatch when the object is of another backend.
template <backend Backend, class T>
backend_return_t<Backend, T> get_native(const T &syclObject);

// errc::invalid when there is no such device.
template <backend Backend>
device make_device(const backend_input_t<Backend, device> &backendObject);
// With CUDA of the list's devices, which are all of one platform.
template <backend Backend>
platform make_platform(const backend_input_t<Backend, platform> &backendObject);
// Of the devices of the list that are in the native context, which is retained. With CUDA only of
// those that get_native gives: the primary context of a device.
template <backend Backend>
context make_context(const backend_input_t<Backend, context> &backendObject,
                     const async_handler asyncHandler = {});
// In order, behind what the native queue was given. The device is the context's that the native
// queue is of.
template <backend Backend>
queue make_queue(const backend_input_t<Backend, queue> &backendObject, const context &targetContext,
                 const async_handler asyncHandler = {});
// With OpenCL of a list of one event.
template <backend Backend>
event make_event(const backend_input_t<Backend, event> &backendObject,
                 const context &targetContext);

// With OpenCL; errc::invalid for objects of another context than the target's, and for what the
// driver objects to, errc::feature_not_supported with CUDA.
//
// Launches set the arguments, with set_arg, of copies of the native kernel.
template <backend Backend>
kernel make_kernel(const backend_input_t<Backend, kernel> &backendObject,
                   const context &targetContext);
// In the state executable; the program is built or linked where it is none. It has no kernel ids
// and no device images: kernels of it are made with make_kernel.
template <backend Backend, bundle_state State>
kernel_bundle<State> make_kernel_bundle(
    const backend_input_t<Backend, kernel_bundle<State>> &backendObject,
    const context &targetContext);
// The memory object is the buffer's until that is destroyed, and has what it had last then. Waits
// for `availableEvent` first.
template <backend Backend, class T, int Dimensions = 1,
          class AllocatorT = buffer_allocator<std::remove_const_t<T>>>
buffer<T, Dimensions, AllocatorT> make_buffer(
    const backend_input_t<Backend, buffer<T, Dimensions, AllocatorT>> &backendObject,
    const context &targetContext, event availableEvent);
template <backend Backend, class T, int Dimensions = 1,
          class AllocatorT = buffer_allocator<std::remove_const_t<T>>>
buffer<T, Dimensions, AllocatorT> make_buffer(
    const backend_input_t<Backend, buffer<T, Dimensions, AllocatorT>> &backendObject,
    const context &targetContext);

#ifndef __SYCL_DEVICE_ONLY__

namespace detail {

template <class T>
T native_handle(std::uint64_t number) noexcept {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(static_cast<std::uintptr_t>(number));
  } else {
    return static_cast<T>(number);
  }
}
template <class T>
std::uint64_t native_number(const T &handle) noexcept {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else if constexpr (std::is_class_v<T>) {
    return native_number(handle.NativeHandle);
  } else {
    return static_cast<std::uint64_t>(handle);
  }
}

// Of backends that no device is of.
template <backend Backend>
struct native_access {
  template <class T>
  [[noreturn]] static backend_return_t<Backend, T> get(const T &) {
    raise_other_backend("get_native");
  }
};

template <>
struct native_access<backend::tenon_cpu> {
  template <class T>
  static auto get(const T &object) {
    return object.tn_get();
  }
};

inline std::vector<std::uint64_t> native_programs(tn_bundle *bundle) {
  std::vector<std::uint64_t> list;
  std::size_t count = 0;
  tn_diag diag;
  do {
    list.resize(count);
    check(tn_native_get_programs(bundle, list.data(), list.size(), &count, &diag), diag);
  } while (count > list.size());
  list.resize(count);
  return list;
}

// The driver's objects beneath SYCL's.
template <class Device, class Context, class Queue, class Event, class Kernel, class Program>
struct driver_access {
  static Device get(const device &object) {
    return number<Device>(object, TN_NATIVE_DEVICE, tn_native_get_device, object.tn_get());
  }
  // Of its first device.
  static Context get(const context &object) {
    const device first = device_of(object);
    std::uint64_t native = 0;
    tn_diag diag;
    check(tn_native_get_context(object.tn_get(), first.tn_get(), &native, &diag), diag);
    return owned<Context>(first, TN_NATIVE_CONTEXT, native);
  }
  static Queue get(const queue &object) {
    return number<Queue>(object.get_device(), TN_NATIVE_QUEUE, tn_native_get_queue,
                         object.tn_get());
  }
  static Kernel get(const kernel &object) {
    const kernel_handle built = built_kernel(object);
    std::uint64_t native = 0;
    tn_diag diag;
    check(tn_native_get_kernel(built.get(), TN_NATIVE_KERNEL, &native, &diag), diag);
    return owned<Kernel>(device_of(object.get_context()), TN_NATIVE_KERNEL, native);
  }
  static std::vector<Program> get(const kernel_bundle<bundle_state::executable> &object) {
    const device first(tn_bundle_device_at(object.tn_get(), 0));
    std::vector<Program> list;
    for (const std::uint64_t native : native_programs(object.tn_get())) {
      list.push_back(owned<Program>(first, TN_NATIVE_PROGRAM, native));
    }
    return list;
  }

 protected:
  static device device_of(const context &object) {
    return device(tn_context_device_at(object.tn_get(), 0));
  }
  // A driver that counts references has one more, the program's.
  template <class T>
  static T owned(const device &of, std::int32_t what, std::uint64_t native) {
    tn_diag diag;
    check(tn_native_retain(of.tn_get(), what, native, &diag), diag);
    return native_handle<T>(native);
  }
  template <class T, class Get, class Object>
  static T number(const device &of, std::int32_t what, Get get_number, Object *object) {
    std::uint64_t native = 0;
    tn_diag diag;
    check(get_number(object, &native, &diag), diag);
    return owned<T>(of, what, native);
  }
  static Event of_event(const event &object) {
    std::uint64_t native = 0;
    tn_diag diag;
    check(tn_native_get_event(object.tn_get(), &native, &diag), diag);
    return owned<Event>(device(tn_event_device(object.tn_get())), TN_NATIVE_EVENT, native);
  }
};

template <>
struct native_access<backend::ext_oneapi_cuda>
    : driver_access<CUdevice, CUcontext, CUstream, CUevent, CUfunction, CUmodule> {
  using driver_access::get;
  static CUevent get(const event &object) { return of_event(object); }
  static std::vector<CUdevice> get(const platform &object) {
    std::vector<CUdevice> list;
    for (std::size_t i = 0; i < tn_platform_device_count(object.tn_get()); ++i) {
      list.push_back(get(device(tn_platform_device_at(object.tn_get(), i))));
    }
    return list;
  }
};

template <>
struct native_access<backend::opencl>
    : driver_access<cl_device_id, cl_context, cl_command_queue, cl_event, cl_kernel, cl_program> {
  using driver_access::get;
  static std::vector<cl_event> get(const event &object) { return {of_event(object)}; }
  static cl_platform_id get(const platform &object) {
    std::uint64_t native = 0;
    tn_diag diag;
    check(tn_native_get_platform(object.tn_get(), &native, &diag), diag);
    return native_handle<cl_platform_id>(native);
  }
};

inline backend backend_of(const kernel_bundle<bundle_state::executable> &object) {
  return object.get_backend();
}
template <class T>
backend backend_of(const T &object) {
  return object.get_backend();
}

}  // namespace detail

template <backend Backend, class T>
backend_return_t<Backend, T> get_native(const T &syclObject) {
  detail::check_backend(Backend, detail::backend_of(syclObject), "get_native");
  return detail::native_access<Backend>::get(syclObject);
}

namespace detail {
// Of objects that the program made: errc::invalid for whatever is wrong with them.
inline void check_native(tn_status status, const tn_diag &diag) {
  if (status == TN_DEVICE_NOT_FOUND || status == TN_BUILD_FAILED || status == TN_WRONG_CONTEXT) {
    raise(errc::invalid, diag.text);
  }
  check(status, diag);
}
template <backend Backend>
device find_device(std::uint64_t native, decltype(tn_native_find_device) find) {
  tn_device *found = nullptr;
  tn_diag diag;
  const tn_status status = find(static_cast<std::int32_t>(Backend), native, &found, &diag);
  if (status == TN_DEVICE_NOT_FOUND) {
    raise(errc::invalid, diag.text);
  }
  check(status, diag);
  return device(found);
}
}  // namespace detail

template <backend Backend>
device make_device(const backend_input_t<Backend, device> &backendObject) {
  return detail::find_device<Backend>(detail::native_number(backendObject), tn_native_find_device);
}
template <backend Backend>
platform make_platform(const backend_input_t<Backend, platform> &backendObject) {
  if constexpr (Backend == backend::opencl) {
    for (const platform &each : platform::get_platforms()) {
      if (each.get_backend() == Backend &&
          detail::native_access<Backend>::get(each) == backendObject) {
        return each;
      }
    }
    detail::raise(errc::invalid,
                  "make_platform: no platform of the list is the cl_platform_id; see "
                  "ONEAPI_DEVICE_SELECTOR");
  } else {
    if (backendObject.empty()) {
      detail::raise(errc::invalid, "make_platform: the list of native devices is empty");
    }
    return make_device<Backend>(backendObject.front()).get_platform();
  }
}
template <backend Backend>
context make_context(const backend_input_t<Backend, context> &backendObject,
                     const async_handler asyncHandler) {
  tn_context *made = nullptr;
  tn_diag diag;
  detail::check_native(tn_native_make_context(static_cast<std::int32_t>(Backend),
                                              detail::native_number(backendObject), &made, &diag),
                       diag);
  const detail::context_handle owned(made);
  if (asyncHandler) {
    tn_context_set_reporter(made, detail::make_reporter(asyncHandler), detail::erased::free);
  }
  return context(made);
}
template <backend Backend>
queue make_queue(const backend_input_t<Backend, queue> &backendObject, const context &targetContext,
                 const async_handler asyncHandler) {
  tn_queue *made = nullptr;
  tn_diag diag;
  detail::check_backend(Backend, targetContext.get_backend(), "make_queue");
  detail::check(tn_native_make_queue(targetContext.tn_get(), nullptr,
                                     detail::native_number(backendObject), 0, &made, &diag),
                diag);
  tn_queue_add_handle(made);
  tn_queue_set_reporter(made, detail::make_reporter(asyncHandler), detail::erased::free);
  return queue(made);
}
namespace detail {
template <class T>
T native_single(T native) {
  return native;
}
template <class T>
T native_single(const std::vector<T> &list) {
  if (list.size() != 1) {
    raise(errc::invalid, "make_event: the list of native events has to have one; make an event of "
                         "each");
  }
  return list.front();
}
}  // namespace detail

template <backend Backend>
event make_event(const backend_input_t<Backend, event> &backendObject,
                 const context &targetContext) {
  tn_event *made = nullptr;
  tn_diag diag;
  detail::check_backend(Backend, targetContext.get_backend(), "make_event");
  const std::uint64_t native = detail::native_number(detail::native_single(backendObject));
  detail::check(tn_native_make_event(targetContext.tn_get(), native, 0, &made, &diag), diag);
  return event(made, nullptr);
}

template <backend Backend>
kernel make_kernel(const backend_input_t<Backend, kernel> &backendObject,
                   const context &targetContext) {
  tn_bundle *bundle = nullptr;
  tn_kernel_id *id = nullptr;
  tn_diag diag;
  detail::check_backend(Backend, targetContext.get_backend(), "make_kernel");
  detail::check_native(
      tn_native_make_kernel(targetContext.tn_get(), detail::native_number(backendObject), &bundle,
                            &id, &diag),
      diag);
  const detail::bundle_handle made(bundle);
  return kernel(bundle, kernel_id(id));
}

template <backend Backend, bundle_state State>
kernel_bundle<State> make_kernel_bundle(
    const backend_input_t<Backend, kernel_bundle<State>> &backendObject,
    const context &targetContext) {
  tn_bundle *made = nullptr;
  tn_diag diag;
  detail::check_backend(Backend, targetContext.get_backend(), "make_kernel_bundle");
  detail::check_native(
      tn_native_make_bundle(targetContext.tn_get(), detail::native_number(backendObject),
                            static_cast<std::int32_t>(State), &made, &diag),
      diag);
  return kernel_bundle<State>(detail::bundle_handle(made));
}

template <backend Backend, class T, int Dimensions, class AllocatorT>
buffer<T, Dimensions, AllocatorT> make_buffer(
    const backend_input_t<Backend, buffer<T, Dimensions, AllocatorT>> &backendObject,
    const context &targetContext, event availableEvent) {
  static_assert(Dimensions == 1,
                "make_buffer: a native memory object makes a buffer of 1 dimension");
  tn_buffer *made = nullptr;
  tn_diag diag;
  detail::check_backend(Backend, targetContext.get_backend(), "make_buffer");
  detail::check_native(
      tn_native_make_buffer(targetContext.tn_get(), detail::native_number(backendObject), sizeof(T),
                            availableEvent.tn_get(), &made, &diag),
      diag);
  using result = buffer<T, Dimensions, AllocatorT>;
  return result(made, range<1>(tn_buffer_size(made) / sizeof(T)), typename result::tn_taken());
}
template <backend Backend, class T, int Dimensions, class AllocatorT>
buffer<T, Dimensions, AllocatorT> make_buffer(
    const backend_input_t<Backend, buffer<T, Dimensions, AllocatorT>> &backendObject,
    const context &targetContext) {
  return make_buffer<Backend, T, Dimensions, AllocatorT>(backendObject, targetContext, event());
}

#endif

}  // namespace sycl

#endif
