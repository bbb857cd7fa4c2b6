// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::kernel_id: which kernel is meant. Source: SYCL 2020 section 4.11.6.
#ifndef TENON_SYCL_KERNEL_ID_HPP
#define TENON_SYCL_KERNEL_ID_HPP

#include "tenon/bundle.h"
#include <sycl/detail/bundle_types.hpp>
#include <sycl/detail/check.hpp>
#include <sycl/detail/handle.hpp>
#include <sycl/detail/kernel_named.hpp>
#include <sycl/detail/owner_order.hpp>

namespace sycl {

class TN_SYCL_SHARED kernel_id : public detail::owner_order<kernel_id> {
 public:
  kernel_id() = delete;
  // The runtime's way of making one: takes over the reference.
  explicit kernel_id(tn_kernel_id *object) noexcept : object_(object) {}
  tn_kernel_id *tn_get() const noexcept { return object_.get(); }

  // As in the source; two kernels may have equal ones. Good for as long as an id of the kernel is
  // there.
  const char *get_name() const noexcept { return tn_kernel_id_name(object_.get()); }

  friend bool operator==(const kernel_id &lhs, const kernel_id &rhs) noexcept {
    return tn_kernel_id_equals(lhs.tn_get(), rhs.tn_get()) != 0;
  }
  friend bool operator!=(const kernel_id &lhs, const kernel_id &rhs) noexcept {
    return !(lhs == rhs);
  }

 private:
  detail::handle<tn_kernel_id, tn_kernel_id_retain, tn_kernel_id_release> object_;
};

namespace detail {

kernel_id id_of_slot(const tn_kernel_slot *slot);
kernel_id id_of_linked_slot(const tn_module *own, const tn_kernel_slot *slot);

// Kernels of the headers' own, for commands that are no kernels in the source.
inline bool is_own_kernel(const char *name) noexcept {
  constexpr char copies[] = "sycl::detail::memory_kernel<";
  constexpr char sums[] = "sycl::detail::reduction_places<";
  return __builtin_strncmp(name, copies, sizeof(copies) - 1) == 0 ||
         __builtin_strncmp(name, sums, sizeof(sums) - 1) == 0;
}

}  // namespace detail

// The kernel is that of this program or shared library, or else of one that is linked; when it is
// nowhere, the linker reports that the_one_kernel_of_this_name(kernel_named<KernelName>) is
// undefined; tenon++ then links one that gives nullptr.
template <class KernelName>
TN_SYCL_HIDDEN kernel_id get_kernel_id() {
#ifdef __SYCL_DEVICE_ONLY__
  return detail::id_of_slot(nullptr);
#else
  return detail::id_of_linked_slot(
      &__TENON_MODULE__,
      the_one_kernel_of_this_name(detail::kernel_named<detail::class_name<KernelName>>()));
#endif
}

// Of every program and shared library that is loaded.
std::vector<kernel_id> get_kernel_ids();

#ifndef __SYCL_DEVICE_ONLY__

TN_SYCL_COLD inline kernel_id detail::id_of_slot(const tn_kernel_slot *slot) {
  tn_kernel_id *id = nullptr;
  tn_diag diag;
  check(tn_kernel_id_from_slot(slot, &id, &diag), diag);
  return kernel_id(id);
}

// The dynamic linker gives the first definition; a module's own kernel of the name goes before.
TN_SYCL_COLD inline kernel_id detail::id_of_linked_slot(const tn_module *own,
                                                        const tn_kernel_slot *slot) {
  tn_kernel_slot here = slot ? *slot : tn_kernel_slot();
  here.module = own;
  tn_kernel_id *id = nullptr;
  if (slot && own && own != slot->module && tn_kernel_id_from_slot(&here, &id, nullptr) == TN_OK) {
    return kernel_id(id);
  }
  return id_of_slot(slot);
}

namespace detail {

// All kernels there are but the headers' own, with a reference each.
class id_list {
 public:
  id_list() = default;
  id_list(const id_list &) = delete;
  ~id_list() { clear(); }

  void load();
  tn_kernel_id **begin() const noexcept { return ids_; }
  tn_kernel_id **end() const noexcept { return ids_ + size_; }
  // Somebody else has the references now.
  void forget() noexcept { size_ = 0; }

 private:
  void clear() noexcept {
    while (size_ > 0) {
      tn_kernel_id_release(ids_[--size_]);
    }
    delete[] ids_;
    ids_ = nullptr;
  }

  tn_kernel_id **ids_ = nullptr;  // owned
  std::size_t size_ = 0;
};

TN_SYCL_COLD inline void id_list::load() {
  tn_diag diag;
  std::size_t capacity = 0;
  std::size_t count = 0;
  check(tn_kernel_id_list(nullptr, 0, &count, &diag), diag);
  do {  // a library may be loaded meanwhile
    clear();
    capacity = count;
    ids_ = new tn_kernel_id *[capacity + 1];
    check(tn_kernel_id_list(ids_, capacity, &count, &diag), diag);
    size_ = count < capacity ? count : capacity;
  } while (count > capacity);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (is_own_kernel(tn_kernel_id_name(ids_[i]))) {
      tn_kernel_id_release(ids_[i]);
    } else {
      ids_[kept++] = ids_[i];
    }
  }
  size_ = kept;
}

}  // namespace detail

TN_SYCL_COLD inline std::vector<kernel_id> get_kernel_ids() {
  detail::id_list all;
  all.load();
  std::vector<kernel_id> ids(all.begin(), all.end());
  all.forget();
  return ids;
}

#endif

}  // namespace sycl

template <>
struct std::hash<sycl::kernel_id> {
  std::size_t operator()(const sycl::kernel_id &object) const noexcept {
    return static_cast<std::size_t>(tn_kernel_id_hash(object.tn_get()));
  }
};

#endif
