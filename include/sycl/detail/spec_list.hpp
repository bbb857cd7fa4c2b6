// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of specialization constants that a command group has set, as the runtime takes them.
// Source: SYCL 2020 section 4.9.5.1.
#ifndef TENON_SYCL_DETAIL_SPEC_LIST_HPP
#define TENON_SYCL_DETAIL_SPEC_LIST_HPP

#include "tenon/kernel.h"
#include <sycl/detail/small_list.hpp>
#include <sycl/specialization_id.hpp>

#if defined(__TENON_INTEGRATION_HEADER__) && !defined(__SYCL_DEVICE_ONLY__)
#include <typeinfo>
#endif

namespace sycl::detail {

template <auto &Id>
const char *spec_name() noexcept {
#ifdef __SYCL_DEVICE_ONLY__
  return nullptr;  // never called
#elif defined(__TENON_INTEGRATION_HEADER__)
  return typeid(spec_constant<Id>).name();
#else
  return __builtin_sycl_unique_stable_name(spec_constant<Id>);
#endif
}

#ifndef __SYCL_DEVICE_ONLY__

class spec_list {
 public:
  spec_list() = default;
  spec_list(const spec_list &) = delete;
  ~spec_list() {
    for (const tn_spec_value &value : values_) {
      free_value(const_cast<void *>(value.value));
    }
  }

  template <auto &Id>
  void set(const spec_value_t<Id> &value) {
    using type = spec_value_t<Id>;
    static_assert(alignof(type) <= alignment, "the type's alignment is larger than 128 bytes");
    void *place = find(&Id);
    if (!place) {
      place = ::operator new(sizeof(type), std::align_val_t(alignment));
      ids_.push(&Id);
      values_.push({spec_name<Id>(), __TENON_UNIT_ID__, place, sizeof(type)});
    }
    __builtin_memcpy(place, &value, sizeof(type));
  }
  template <auto &Id>
  const spec_value_t<Id> &get() const noexcept {
    const void *place = find(&Id);
    return place ? *static_cast<const spec_value_t<Id> *>(place) : spec_access::default_of(Id);
  }

  const tn_spec_value *data() noexcept { return values_.data(); }
  std::size_t size() const noexcept { return values_.size(); }

 private:
  static constexpr std::size_t alignment = 128;
  static void free_value(void *place) { ::operator delete(place, std::align_val_t(alignment)); }
  void *find(const void *id) const noexcept {
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (ids_[i] == id) {
        return const_cast<void *>(values_[i].value);
      }
    }
    return nullptr;
  }

  small_list<const void *> ids_;  // the specialization_id objects
  small_list<tn_spec_value> values_;
};

#endif

}  // namespace sycl::detail

#endif
