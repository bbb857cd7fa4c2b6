// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::kernel_bundle. Source: SYCL 2020 section 4.11.12.
#ifndef TENON_SYCL_DETAIL_BUNDLE_CLASS_HPP
#define TENON_SYCL_DETAIL_BUNDLE_CLASS_HPP

#include "tenon/rtc.h"
#include <sycl/detail/owner_order.hpp>
#include <sycl/detail/spec_list.hpp>
#include <sycl/device_image.hpp>
#include <sycl/kernel.hpp>

namespace sycl {

namespace detail {
bool are_bundles_equal(const tn_bundle *a, const tn_bundle *b) noexcept;
std::size_t hash_bundle(const tn_bundle *bundle) noexcept;
void raise_no_kernel(tn_bundle *bundle, const kernel_id &id);
void set_bundle_spec(tn_bundle *bundle, const tn_spec_value &value);
// Of bundles that were built of a source.
kernel_id find_named_kernel(const tn_bundle *bundle, const char *name);
bool has_named_kernel(const tn_bundle *bundle, const char *name, const device &dev);
const char *raw_kernel_name(const tn_bundle *bundle, const char *name);
void find_device_global(const tn_bundle *bundle, const std::string &name, const device &dev,
                        void **address, std::size_t *size);

// What iterators of a bundle and its copies point into. Not a shared_ptr, which would point into
// the code of the library that made it: a bundle may outlive that.
template <bundle_state State>
struct shared_images {
  std::size_t count = 1;
  std::size_t size = 0;
  device_image<State> *list;  // owned

  explicit shared_images(tn_bundle *bundle)
      : list(static_cast<device_image<State> *>(
            ::operator new(tn_bundle_image_count(bundle) * sizeof(device_image<State>)))) {
    while (size < tn_bundle_image_count(bundle)) {
      ::new (static_cast<void *>(list + size))
          device_image<State>(tn_bundle_image_at(bundle, size));
      ++size;
    }
  }
  shared_images(const shared_images &) = delete;
  ~shared_images() {
    while (size > 0) {
      list[--size].~device_image();
    }
    ::operator delete(list);
  }

  static void retain(shared_images *images) {
    __atomic_fetch_add(&images->count, 1, __ATOMIC_RELAXED);
  }
  static void release(shared_images *images) {
    if (__atomic_fetch_sub(&images->count, 1, __ATOMIC_ACQ_REL) == 1) {
      delete images;
    }
  }
};
}  // namespace detail

// Copies are the same bundle: a constant that is set in one is set in all.
template <bundle_state State>
class TN_SYCL_SHARED kernel_bundle : public detail::owner_order<kernel_bundle<State>> {
  template <bundle_state S, bundle_state Needed>
  using if_state = std::enable_if_t<S == Needed, int>;
  using shared_images = detail::shared_images<State>;

 public:
  using device_image_iterator = const device_image<State> *;

  kernel_bundle() = delete;
  // The runtime's way of making one.
  explicit kernel_bundle(detail::bundle_handle object)
      : object_(std::move(object)), images_(new shared_images(object_.get())) {}
  tn_bundle *tn_get() const noexcept { return object_.get(); }

  // One that is made of a native program has no images that a program can look at.
  bool empty() const noexcept {
    return tn_bundle_image_count(object_.get()) == 0 && !tn_bundle_is_native(object_.get());
  }
  backend get_backend() const noexcept { return get_context().get_backend(); }
  context get_context() const noexcept { return context(tn_bundle_context(object_.get())); }
  std::vector<device> get_devices() const noexcept;

  bool has_kernel(const kernel_id &kernelId) const noexcept {
    return tn_bundle_has_kernel(object_.get(), kernelId.tn_get(), nullptr) != 0;
  }
  // Also false when the device cannot run it.
  bool has_kernel(const kernel_id &kernelId, const device &dev) const noexcept {
    return tn_bundle_has_kernel(object_.get(), kernelId.tn_get(), dev.tn_get()) != 0;
  }
  template <class KernelName>
  TN_SYCL_HIDDEN bool has_kernel() const noexcept {
    return has_kernel(get_kernel_id<KernelName>());
  }
  template <class KernelName>
  TN_SYCL_HIDDEN bool has_kernel(const device &dev) const noexcept {
    return has_kernel(get_kernel_id<KernelName>(), dev);
  }
  std::vector<kernel_id> get_kernel_ids() const;

  template <bundle_state S = State, if_state<S, bundle_state::executable> = 0>
  kernel get_kernel(const kernel_id &kernelId) const {
    if (!has_kernel(kernelId)) {
      detail::raise_no_kernel(object_.get(), kernelId);
    }
    return kernel(object_.get(), kernelId);
  }
  template <class KernelName, bundle_state S = State, if_state<S, bundle_state::executable> = 0>
  TN_SYCL_HIDDEN kernel get_kernel() const {
    return get_kernel(get_kernel_id<KernelName>());
  }

  bool contains_specialization_constants() const noexcept {
    return tn_bundle_has_specs(object_.get()) != 0;
  }
  bool native_specialization_constant() const noexcept {
    return contains_specialization_constants() && tn_bundle_specs_are_native(object_.get()) != 0;
  }
  template <auto &SpecName>
  TN_SYCL_HIDDEN bool has_specialization_constant() const noexcept {
    return tn_bundle_has_spec(object_.get(), detail::spec_name<SpecName>(), __TENON_UNIT_ID__) != 0;
  }
  template <auto &SpecName, bundle_state S = State, if_state<S, bundle_state::input> = 0>
  TN_SYCL_HIDDEN void set_specialization_constant(detail::spec_value_t<SpecName> value) {
    detail::set_bundle_spec(
        object_.get(), {detail::spec_name<SpecName>(), __TENON_UNIT_ID__, &value, sizeof(value)});
  }
  // What was set in this bundle, or in one that it comes from, or the default.
  template <auto &SpecName>
  TN_SYCL_HIDDEN detail::spec_value_t<SpecName> get_specialization_constant() const {
    using type = detail::spec_value_t<SpecName>;
    alignas(type) unsigned char bytes[sizeof(type)];
    return tn_bundle_get_spec(object_.get(), detail::spec_name<SpecName>(), __TENON_UNIT_ID__,
                              bytes, sizeof(bytes))
               ? *reinterpret_cast<const type *>(bytes)
               : detail::spec_access::default_of(SpecName);
  }

  // sycl_ext_oneapi_free_function_kernels: by a function's address. In free_function_bundles.hpp.
  template <auto *Func>
  TN_SYCL_HIDDEN bool ext_oneapi_has_kernel() const;
  template <auto *Func>
  TN_SYCL_HIDDEN bool ext_oneapi_has_kernel(const device &dev) const;
  template <auto *Func>
  TN_SYCL_HIDDEN kernel ext_oneapi_get_kernel() const;

  // sycl_ext_oneapi_kernel_compiler: kernels that come from a source, by a name that was
  // registered, by that of an extern "C" function, or by the raw name.
  bool ext_oneapi_has_kernel(const std::string &name) const noexcept {
    return tn_bundle_has_kernel_name(object_.get(), name.c_str()) != 0;
  }
  // Also false when the device cannot run it.
  bool ext_oneapi_has_kernel(const std::string &name, const device &dev) const {
    return ext_oneapi_has_kernel(name) &&
           detail::has_named_kernel(object_.get(), name.c_str(), dev);
  }
  template <bundle_state S = State, if_state<S, bundle_state::executable> = 0>
  kernel ext_oneapi_get_kernel(const std::string &name) const {
    return kernel(object_.get(), detail::find_named_kernel(object_.get(), name.c_str()));
  }
  // What the compiler called it.
  std::string ext_oneapi_get_raw_kernel_name(const std::string &name) const {
    return detail::raw_kernel_name(object_.get(), name.c_str());
  }
  // Device globals of sources, by their names with their namespaces: "ns::counter".
  bool ext_oneapi_has_device_global(const std::string &name) const noexcept {
    return tn_bundle_has_device_global(object_.get(), name.c_str(), nullptr) != 0;
  }
  bool ext_oneapi_has_device_global(const std::string &name, const device &dev) const noexcept {
    return tn_bundle_has_device_global(object_.get(), name.c_str(), dev.tn_get()) != 0;
  }
  // USM device memory, which is there as long as the bundle is.
  template <bundle_state S = State, if_state<S, bundle_state::executable> = 0>
  void *ext_oneapi_get_device_global_address(const std::string &name, const device &dev) const {
    void *address = nullptr;
    detail::find_device_global(object_.get(), name, dev, &address, nullptr);
    return address;
  }
  std::size_t ext_oneapi_get_device_global_size(const std::string &name) const {
    return ext_oneapi_get_device_global_size(name, get_devices().front());
  }
  std::size_t ext_oneapi_get_device_global_size(const std::string &name, const device &dev) const {
    std::size_t size = 0;
    detail::find_device_global(object_.get(), name, dev, nullptr, &size);
    return size;
  }

  device_image_iterator begin() const { return images_.get()->list; }
  device_image_iterator end() const { return begin() + images_.get()->size; }

  // Those of one context, with the same devices and the same images, are equal.
  friend bool operator==(const kernel_bundle &lhs, const kernel_bundle &rhs) noexcept {
    return lhs.tn_get() == rhs.tn_get() || detail::are_bundles_equal(lhs.tn_get(), rhs.tn_get());
  }
  friend bool operator!=(const kernel_bundle &lhs, const kernel_bundle &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  detail::bundle_handle object_;
  detail::handle<shared_images, shared_images::retain, shared_images::release> images_;
};

#ifndef __SYCL_DEVICE_ONLY__

template <bundle_state State>
std::vector<device> kernel_bundle<State>::get_devices() const noexcept {
  std::vector<device> list;
  for (std::size_t i = 0; i < tn_bundle_device_count(object_.get()); ++i) {
    list.emplace_back(tn_bundle_device_at(object_.get(), i));
  }
  return list;
}

template <bundle_state State>
std::vector<kernel_id> kernel_bundle<State>::get_kernel_ids() const {
  std::vector<kernel_id> list;
  list.reserve(tn_bundle_kernel_count(object_.get()));
  for (std::size_t i = 0; i < tn_bundle_kernel_count(object_.get()); ++i) {
    tn_kernel_id *id = tn_bundle_kernel_id_at(object_.get(), i);
    if (!detail::is_own_kernel(tn_kernel_id_name(id))) {
      tn_kernel_id_retain(id);
      list.emplace_back(id);
    }
  }
  return list;
}

namespace detail {

inline bool is_same_image(const tn_bundle_image *a, const tn_bundle_image *b) {
  return tn_bundle_image_equals(a, b) != 0;
}
inline bool is_same_device(const tn_device *a, const tn_device *b) { return a == b; }

// Of each thing a bundle has one.
template <class Thing>
bool have_same(const tn_bundle *a, const tn_bundle *b, std::size_t (*count_of)(const tn_bundle *),
               Thing *(*at)(const tn_bundle *, std::size_t),
               bool (*is_same)(const Thing *, const Thing *)) {
  const std::size_t count = count_of(a);
  if (count_of(b) != count) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t k = 0;
    while (k < count && !is_same(at(a, i), at(b, (i + k) % count))) {
      ++k;
    }
    if (k == count) {
      return false;
    }
  }
  return true;
}

TN_SYCL_COLD inline bool are_bundles_equal(const tn_bundle *a, const tn_bundle *b) noexcept {
  if (tn_bundle_is_native(a) || tn_bundle_is_native(b)) {
    return a == b;
  }
  return tn_bundle_context(a) == tn_bundle_context(b) &&
         have_same(a, b, tn_bundle_device_count, tn_bundle_device_at, is_same_device) &&
         have_same(a, b, tn_bundle_image_count, tn_bundle_image_at, is_same_image);
}

TN_SYCL_COLD inline std::size_t hash_bundle(const tn_bundle *bundle) noexcept {
  std::size_t hash = hash_pointer(tn_bundle_context(bundle));
  for (std::size_t i = 0; i < tn_bundle_device_count(bundle); ++i) {
    hash += 31 * hash_pointer(tn_bundle_device_at(bundle, i));
  }
  for (std::size_t i = 0; i < tn_bundle_image_count(bundle); ++i) {
    hash += static_cast<std::size_t>(tn_bundle_image_hash(tn_bundle_image_at(bundle, i)));
  }
  return hash;
}

// With the runtime's words, which tell a kernel from another module's of the same name.
TN_SYCL_COLD inline void raise_no_kernel(tn_bundle *bundle, const kernel_id &id) {
  tn_kernel *none = nullptr;
  tn_diag diag;
  check(tn_bundle_get_kernel(bundle, id.tn_get(), tn_bundle_device_at(bundle, 0), &none, &diag),
        diag);
}

TN_SYCL_COLD inline kernel_id find_named_kernel(const tn_bundle *bundle, const char *name) {
  tn_kernel_id *id = nullptr;
  tn_diag diag;
  const tn_status status = tn_bundle_find_kernel_id(bundle, name, &id, &diag);
  if (status == TN_KERNEL_NOT_FOUND) {
    raise(errc::invalid, diag.text);
  }
  check(status, diag);
  return kernel_id(id);
}

TN_SYCL_COLD inline bool has_named_kernel(const tn_bundle *bundle, const char *name,
                                          const device &dev) {
  return tn_bundle_has_kernel(bundle, find_named_kernel(bundle, name).tn_get(), dev.tn_get()) != 0;
}

TN_SYCL_COLD inline const char *raw_kernel_name(const tn_bundle *bundle, const char *name) {
  const char *raw = tn_bundle_raw_kernel_name(bundle, name);
  if (!raw) {
    find_named_kernel(bundle, name);  // says which kernels there are
    raise(errc::invalid, "ext_oneapi_get_raw_kernel_name: the kernel has no raw name");
  }
  return raw;
}

TN_SYCL_COLD inline void find_device_global(const tn_bundle *bundle, const std::string &name,
                                            const device &dev, void **address, std::size_t *size) {
  tn_diag diag;
  check(tn_bundle_find_device_global(bundle, name.c_str(), dev.tn_get(), address, size, &diag),
        diag);
}

TN_SYCL_COLD inline void set_bundle_spec(tn_bundle *bundle, const tn_spec_value &value) {
  tn_diag diag;
  check(tn_bundle_set_spec(bundle, &value, &diag), diag);
}

}  // namespace detail

#endif

}  // namespace sycl

template <sycl::bundle_state State>
struct std::hash<sycl::kernel_bundle<State>> {
  std::size_t operator()(const sycl::kernel_bundle<State> &object) const noexcept {
    return sycl::detail::hash_bundle(object.tn_get());
  }
};

#endif
