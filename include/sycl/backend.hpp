// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// backend_traits, get_native and the make functions. The C API beneath is tenon/native.h.
//
// What get_native gives stays the runtime's: it is not to be destroyed, and is there as long as the
// SYCL object. What the make functions take stays the program's: it has to be there as long as the
// SYCL object, and is not destroyed with it.
// Source: SYCL 2020 section 4.5.1; the SYCL extension sycl_ext_oneapi_backend_cuda.
#ifndef TENON_SYCL_BACKEND_HPP
#define TENON_SYCL_BACKEND_HPP

#include "tenon/native.h"
#include <sycl/detail/backend_types.hpp>
#include <sycl/detail/core.hpp>
#include <sycl/detail/bundle_use.hpp>

#include <vector>

namespace sycl {

namespace detail {

template <class T>
struct native_value {
  using type = T;
};
template <class T>
struct native_value<native_list<T>> {
  using type = std::vector<T>;
};

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

}  // namespace detail

template <backend Backend>
class backend_traits {
 public:
  template <class T>
  using return_type = typename detail::native_value<
      detail::native_t<Backend, typename detail::native_name<T>::type>>::type;
  template <class T>
  using input_type = return_type<T>;
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
// Of the list's devices, which are all of one platform.
template <backend Backend>
platform make_platform(const backend_input_t<Backend, platform> &backendObject);
// The primary context of a device only.
template <backend Backend>
context make_context(const backend_input_t<Backend, context> &backendObject,
                     const async_handler asyncHandler = {});
// In order, behind what the native queue was given. The device is the context's that the native
// queue is of.
template <backend Backend>
queue make_queue(const backend_input_t<Backend, queue> &backendObject, const context &targetContext,
                 const async_handler asyncHandler = {});
template <backend Backend>
event make_event(const backend_input_t<Backend, event> &backendObject,
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
std::uint64_t native_number(T handle) noexcept {
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<std::uintptr_t>(handle);
  } else {
    return static_cast<std::uint64_t>(handle);
  }
}

template <backend Backend>
struct native_access;

template <>
struct native_access<backend::tenon_cpu> {
  template <class T>
  static auto get(const T &object) {
    return object.tn_get();
  }
};

template <>
struct native_access<backend::ext_oneapi_cuda> {
  static CUdevice get(const device &object) {
    return number<CUdevice>(tn_native_get_device, object.tn_get());
  }
  static std::vector<CUdevice> get(const platform &object) {
    std::vector<CUdevice> list;
    for (std::size_t i = 0; i < tn_platform_device_count(object.tn_get()); ++i) {
      list.push_back(get(device(tn_platform_device_at(object.tn_get(), i))));
    }
    return list;
  }
  // Of its first device.
  static CUcontext get(const context &object) {
    std::uint64_t native = 0;
    tn_diag diag;
    check(tn_native_get_context(object.tn_get(), tn_context_device_at(object.tn_get(), 0), &native,
                                &diag),
          diag);
    return native_handle<CUcontext>(native);
  }
  static CUstream get(const queue &object) {
    return number<CUstream>(tn_native_get_queue, object.tn_get());
  }
  static CUevent get(const event &object) {
    return number<CUevent>(tn_native_get_event, object.tn_get());
  }
  static CUfunction get(const kernel &object) {
    return of_kernel<CUfunction>(built_kernel(object).get(), TN_NATIVE_KERNEL);
  }
  static std::vector<CUmodule> get(const kernel_bundle<bundle_state::executable> &object) {
    std::vector<CUmodule> list;
    tn_bundle *bundle = object.tn_get();
    for (std::size_t i = 0; i < tn_bundle_kernel_count(bundle); ++i) {
      kernel_handle built;
      tn_diag diag;
      check(tn_bundle_get_kernel(bundle, tn_bundle_kernel_id_at(bundle, i),
                                 tn_bundle_device_at(bundle, 0), built.out(), &diag),
            diag);
      const CUmodule module = of_kernel<CUmodule>(built.get(), TN_NATIVE_PROGRAM);
      bool is_new = true;
      for (CUmodule each : list) {
        is_new = is_new && each != module;
      }
      if (is_new) {
        list.push_back(module);
      }
    }
    return list;
  }

 private:
  template <class T, class Get, class Object>
  static T number(Get get_number, Object *object) {
    std::uint64_t native = 0;
    tn_diag diag;
    check(get_number(object, &native, &diag), diag);
    return native_handle<T>(native);
  }
  template <class T>
  static T of_kernel(const tn_kernel *kernel, std::int32_t what) {
    std::uint64_t native = 0;
    tn_diag diag;
    check(tn_native_get_kernel(kernel, what, &native, &diag), diag);
    return native_handle<T>(native);
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
  if (detail::backend_of(syclObject) != Backend) {
    detail::raise_other_backend("get_native");
  }
  return detail::native_access<Backend>::get(syclObject);
}

namespace detail {
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
  if (backendObject.empty()) {
    detail::raise(errc::invalid, "make_platform: the list of native devices is empty");
  }
  return make_device<Backend>(backendObject.front()).get_platform();
}
template <backend Backend>
context make_context(const backend_input_t<Backend, context> &backendObject,
                     const async_handler asyncHandler) {
  const device of =
      detail::find_device<Backend>(detail::native_number(backendObject), tn_native_find_context);
  return asyncHandler ? context(of, asyncHandler) : context(of);
}
template <backend Backend>
queue make_queue(const backend_input_t<Backend, queue> &backendObject, const context &targetContext,
                 const async_handler asyncHandler) {
  tn_queue *made = nullptr;
  tn_diag diag;
  if (targetContext.get_backend() != Backend) {
    detail::raise_other_backend("make_queue");
  }
  detail::check(tn_native_make_queue(targetContext.tn_get(), nullptr,
                                     detail::native_number(backendObject), 0, &made, &diag),
                diag);
  tn_queue_add_handle(made);
  tn_queue_set_reporter(made, detail::make_reporter(asyncHandler), detail::erased::free);
  return queue(made);
}
template <backend Backend>
event make_event(const backend_input_t<Backend, event> &backendObject,
                 const context &targetContext) {
  tn_event *made = nullptr;
  tn_diag diag;
  if (targetContext.get_backend() != Backend) {
    detail::raise_other_backend("make_event");
  }
  detail::check(tn_native_make_event(targetContext.tn_get(), detail::native_number(backendObject),
                                     0, &made, &diag),
                diag);
  return event(made, nullptr);
}

#endif

}  // namespace sycl

#endif
