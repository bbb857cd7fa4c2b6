// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::host_accessor, and the deprecated accessor with target::host_buffer.
// Source: SYCL 2020 sections 4.7.6.10, 4.7.6.9.3.6.
#ifndef TENON_SYCL_HOST_ACCESSOR_HPP
#define TENON_SYCL_HOST_ACCESSOR_HPP

#include <sycl/accessor.hpp>

namespace sycl {

namespace detail {

// The host's turn with a buffer: from the construction of a host_accessor until its last copy goes.
class host_access {
 public:
  host_access(buffer_state *state, std::uint32_t mode);
  host_access(const host_access &) = delete;
  ~host_access();
  void *data() const noexcept { return data_; }

 private:
  buffer_state *state_;
  std::uint32_t mode_;
  void *data_ = nullptr;
};

#ifndef __SYCL_DEVICE_ONLY__
inline host_access::host_access(buffer_state *state, std::uint32_t mode)
    : state_(state), mode_(mode) {
  tn_diag diag;
  check(tn_buffer_begin_host_access(state->object, mode, &data_, &diag), diag);
  buffer_retain(state);
}
inline host_access::~host_access() {
  tn_buffer_end_host_access(state_->object, mode_);
  buffer_release(state_);
}
#endif

}  // namespace detail

template <class DataT, int Dimensions = 1,
          access_mode AccessMode =
              (std::is_const_v<DataT> ? access_mode::read : access_mode::read_write)>
class host_accessor : public detail::accessor_members<host_accessor<DataT, Dimensions, AccessMode>,
                                                      DataT, AccessMode, Dimensions> {
  using members = detail::accessor_members<host_accessor, DataT, AccessMode, Dimensions>;
  using tag_type = detail::access_tag<AccessMode, target::device>;
  static constexpr int places = members::places;
  using typename members::id_type;
  using typename members::range_type;
  template <class T>
  using if_shows = typename members::template if_shows<T>;
  template <class T>
  using if_dimensions = typename members::template if_dimensions<T>;

 public:
  using typename members::reference;
  using typename members::value_type;

  host_accessor() = default;

  template <class T, class A, if_shows<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, const property_list &propList = {}) {
    init(bufferRef, members::extent_of(bufferRef), id_type(), false, propList);
  }
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, tag_type, const property_list &propList = {})
      : host_accessor(bufferRef, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, range_type accessRange, id_type accessOffset,
                const property_list &propList = {}) {
    init(bufferRef, accessRange, accessOffset, true, propList);
  }
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, range_type accessRange, id_type accessOffset,
                tag_type, const property_list &propList = {})
      : host_accessor(bufferRef, accessRange, accessOffset, propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, range_type accessRange,
                const property_list &propList = {})
      : host_accessor(bufferRef, accessRange, id_type(), propList) {}
  template <class T, class A, if_dimensions<T> = 0>
  host_accessor(buffer<T, places, A> &bufferRef, range_type accessRange, tag_type,
                const property_list &propList = {})
      : host_accessor(bufferRef, accessRange, id_type(), propList) {}

  template <
      class Other, access_mode OtherMode,
      std::enable_if_t<detail::is_read_conversion<DataT, AccessMode, Other, OtherMode>, int> = 0>
  host_accessor(const host_accessor<Other, Dimensions, OtherMode> &other)
      : access_(other.tn_access()), view_(other.tn_view()) {}

  template <class Assigned, std::enable_if_t<members::template is_assignable<Assigned>, int> = 0>
  const host_accessor &operator=(const Assigned &other) const {
    static_cast<reference>(*this) = other;
    return *this;
  }

  // To the buffer's first element, also of a ranged accessor.
  std::add_pointer_t<value_type> get_pointer() const noexcept {
    return static_cast<value_type *>(tn_data());
  }

  friend bool operator==(const host_accessor &lhs, const host_accessor &rhs) noexcept {
    return lhs.access_ == rhs.access_;
  }
  friend bool operator!=(const host_accessor &lhs, const host_accessor &rhs) noexcept {
    return !(lhs == rhs);
  }

  // For conversions and the base class.
  void *tn_data() const noexcept { return access_ ? access_->data() : nullptr; }
  const std::shared_ptr<detail::host_access> &tn_access() const noexcept { return access_; }
  const detail::accessor_view<Dimensions> &tn_view() const noexcept { return view_; }
  bool tn_is_no_init() const noexcept { return no_init_; }

 private:
  template <class Buffer>
  void init(const Buffer &from, const range_type &extent, const id_type &offset, bool is_ranged,
            const property_list &properties);

  std::shared_ptr<detail::host_access> access_;
  detail::accessor_view<Dimensions> view_;
  bool no_init_ = false;
};

#ifndef __SYCL_DEVICE_ONLY__
template <class DataT, int Dimensions, access_mode AccessMode>
template <class Buffer>
void host_accessor<DataT, Dimensions, AccessMode>::init(const Buffer &from,
                                                        const range_type &extent,
                                                        const id_type &offset, bool is_ranged,
                                                        const property_list &properties) {
  no_init_ = properties.tn_has<property::no_init>();
  const std::size_t mode =
      detail::access_bits(from, AccessMode, is_ranged || Dimensions == 0, no_init_);
  view_ = detail::make_view<Dimensions>(from.get_range(), extent, offset);
  access_ =
      std::make_shared<detail::host_access>(from.tn_state(), static_cast<std::uint32_t>(mode));
}
#else
template <class DataT, int Dimensions, access_mode AccessMode>
template <class Buffer>
void host_accessor<DataT, Dimensions, AccessMode>::init(const Buffer &, const range_type &,
                                                        const id_type &, bool,
                                                        const property_list &) {}
#endif

template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, const property_list & = {}) -> host_accessor<T, D>;
template <class T, int D, class A, access_mode M>
host_accessor(buffer<T, D, A> &, detail::access_tag<M, target::device>, const property_list & = {})
    -> host_accessor<T, D, M>;
template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, range<D>, const property_list & = {}) -> host_accessor<T, D>;
template <class T, int D, class A, access_mode M>
host_accessor(buffer<T, D, A> &, range<D>, detail::access_tag<M, target::device>,
              const property_list & = {}) -> host_accessor<T, D, M>;
template <class T, int D, class A>
host_accessor(buffer<T, D, A> &, range<D>, id<D>, const property_list & = {})
    -> host_accessor<T, D>;
template <class T, int D, class A, access_mode M>
host_accessor(buffer<T, D, A> &, range<D>, id<D>, detail::access_tag<M, target::device>,
              const property_list & = {}) -> host_accessor<T, D, M>;

template <class DataT, int D, access_mode M>
struct is_property_of<property::no_init, host_accessor<DataT, D, M>> : std::true_type {};

// Deprecated: what buffer::get_access without a handler gives.
template <class DataT, int Dimensions, access_mode AccessMode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, AccessMode, target::host_buffer, IsPlaceholder>
    : public host_accessor<DataT, Dimensions, AccessMode> {
 public:
  using host_accessor<DataT, Dimensions, AccessMode>::host_accessor;
  using host_accessor<DataT, Dimensions, AccessMode>::operator=;
  bool is_placeholder() const { return false; }
  std::size_t get_size() const { return this->byte_size(); }
  std::size_t get_count() const { return this->size(); }
};

}  // namespace sycl

template <class DataT, int D, sycl::access_mode M>
struct std::hash<sycl::host_accessor<DataT, D, M>> {
  std::size_t operator()(const sycl::host_accessor<DataT, D, M> &object) const noexcept {
    return sycl::detail::hash_pointer(object.tn_access().get());
  }
};

#endif
