// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::local_accessor: memory that the work-items of a work-group share.
// Source: SYCL 2020 section 4.7.6.11; of the older accessor with target::local, section 4.7.6.9.
#ifndef TENON_SYCL_LOCAL_ACCESSOR_HPP
#define TENON_SYCL_LOCAL_ACCESSOR_HPP

#include <sycl/accessor.hpp>
#include <sycl/detail/device_builtins.hpp>
#include <sycl/detail/owner_order.hpp>
#include <sycl/multi_ptr.hpp>

namespace sycl {

namespace detail {

// What a local accessor asks for. `offset`, in the group's local memory, is written by the runtime
// at launch; the number is the same in all copies.
struct local_link {
  static constexpr std::size_t least_alignment = 16;  // of all, as the runtime sees to

  std::size_t offset = 0;
  std::size_t number = 0;  // 0: belongs to nothing
  std::size_t size = 0;
  std::size_t alignment = 1;

  local_link() = default;
#ifdef __SYCL_DEVICE_ONLY__
  local_link(const local_link &) = default;
#else
  // Says where the offset has to go when it is built inside a block being captured.
  local_link(const local_link &other) {
    tn_local_accessor_copy(reinterpret_cast<tn_local_accessor *>(this),
                           reinterpret_cast<const tn_local_accessor *>(&other));
  }
  void bind(int dimensions, const void *extents, std::size_t element_size,
            std::size_t element_alignment) {
    tn_local_accessor_init(
        reinterpret_cast<tn_local_accessor *>(this), static_cast<std::uint32_t>(dimensions),
        static_cast<const std::size_t *>(extents), element_size, element_alignment);
  }
#endif
  local_link &operator=(const local_link &) = default;

  void *address() const noexcept {
#if TN_SYCL_ON_GPU
    return __builtin_assume_aligned(static_cast<char *>(__tenon_local_memory()) + offset,
                                    least_alignment);
#elif defined(__SYCL_DEVICE_ONLY__)
    return static_cast<char *>(__tenon_local_memory()) + offset;
#else
    return nullptr;  // there is no local memory outside kernels
#endif
  }
};
static_assert(sizeof(local_link) == 32, "the layout is the same in both passes");

// What `acc[i]` gives in two and three dimensions before the last subscript.
template <class T, int Dimensions, int Left, access_mode Mode = access_mode::read_write>
class local_row {
 public:
  local_row(T *data, const range<Dimensions> &extent, std::size_t index)
      : data_(data), extent_(extent), index_(index) {}
  TN_SYCL_CHECKS decltype(auto) operator[](std::size_t index) const {
    TN_SYCL_CHECK_INDEX(index, extent_[Dimensions - Left], Dimensions - Left + 4);
    const std::size_t place = index_ * extent_[Dimensions - Left] + index;
    if constexpr (Left == 1) {
      return element_access<T, Mode, access::address_space::local_space>::of(data_[place]);
    } else {
      return local_row<T, Dimensions, Left - 1, Mode>(data_, extent_, place);
    }
  }

 private:
  T *data_;
  const range<Dimensions> &extent_;  // the accessor's
  std::size_t index_;                // row-major, of the dimensions so far
};

}  // namespace detail

template <class DataT, int Dimensions = 1>
class local_accessor : public detail::owner_order<local_accessor<DataT, Dimensions>> {
  static_assert(Dimensions >= 0 && Dimensions <= 3, "a local accessor has 0 to 3 dimensions");
  static constexpr int places = Dimensions == 0 ? 1 : Dimensions;

 public:
  using value_type = DataT;
  using reference = value_type &;
  using const_reference = const DataT &;
  using iterator = value_type *;
  using const_iterator = const value_type *;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  using difference_type = std::ptrdiff_t;
  using size_type = std::size_t;
  template <access::decorated IsDecorated>
  using accessor_ptr = multi_ptr<value_type, access::address_space::local_space, IsDecorated>;

  local_accessor() = default;
  template <int D = Dimensions, std::enable_if_t<D == 0, int> = 0>
  local_accessor(handler &, const property_list & = {}) : extent_(range<places>(1)) {
    bind();
  }
  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  local_accessor(range<places> allocationSize, handler &, const property_list & = {})
      : extent_(allocationSize) {
    bind();
  }

  template <class Other, std::enable_if_t<std::is_same_v<const Other, DataT> &&
                                              !std::is_same_v<Other, DataT>,
                                          int> = 0>
  local_accessor(const local_accessor<Other, Dimensions> &other)
      : link_(other.tn_link()), extent_(other.tn_extent()) {}

  void swap(local_accessor &other) {
    const local_accessor copy = other;
    other = *this;
    *this = copy;
  }

  size_type size() const noexcept { return extent_.size(); }
  size_type byte_size() const noexcept { return size() * sizeof(DataT); }
  size_type max_size() const noexcept { return size(); }
  bool empty() const noexcept { return size() == 0; }
  TN_SYCL_DEPRECATED("use local_accessor::byte_size")
  std::size_t get_size() const { return byte_size(); }
  TN_SYCL_DEPRECATED("use local_accessor::size")
  std::size_t get_count() const { return size(); }
  template <int D = Dimensions, std::enable_if_t<(D > 0), int> = 0>
  range<D> get_range() const noexcept {
    return extent_;
  }

  // Not a template: those do not take part in `static_cast<int>(acc)`.
  operator std::conditional_t<Dimensions == 0, reference, detail::no_element>() const noexcept {
    if constexpr (Dimensions == 0) {
      return *data();
    } else {
      return {};
    }
  }
  template <class Assigned, int D = Dimensions,
            std::enable_if_t<D == 0 && std::is_assignable_v<DataT &, const Assigned &> &&
                                 !std::is_same_v<Assigned, local_accessor>,
                             int> = 0>
  const local_accessor &operator=(const Assigned &other) const {
    *data() = other;
    return *this;
  }
  TN_SYCL_CHECKS reference operator[](id<places> index) const noexcept {
    static_assert(Dimensions > 0, "an accessor of no dimensions is used like its one element");
    TN_SYCL_CHECK_INDEX(index[0], extent_[0], 4);
    if constexpr (places > 1) {
      TN_SYCL_CHECK_INDEX(index[1], extent_[1], 5);
    }
    if constexpr (places > 2) {
      TN_SYCL_CHECK_INDEX(index[2], extent_[2], 6);
    }
    return data()[detail::linear_index(index, extent_)];
  }
  // Templates, so that `acc[item]` prefers the id.
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  TN_SYCL_CHECKS reference operator[](std::size_t index) const noexcept {
    TN_SYCL_CHECK_INDEX(index, extent_[0], 4);
    return data()[index];
  }
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  TN_SYCL_CHECKS detail::local_row<value_type, D, D - 1> operator[](
      std::size_t index) const noexcept {
    TN_SYCL_CHECK_INDEX(index, extent_[0], 4);
    return {data(), extent_, index};
  }

  TN_SYCL_DEPRECATED("use local_accessor::get_multi_ptr")
  accessor_ptr<access::decorated::legacy> get_pointer() const noexcept {
    return accessor_ptr<access::decorated::legacy>(data());
  }
  template <access::decorated IsDecorated>
  accessor_ptr<IsDecorated> get_multi_ptr() const noexcept {
    return accessor_ptr<IsDecorated>(
        static_cast<typename accessor_ptr<IsDecorated>::pointer>(data()));
  }

  iterator begin() const noexcept { return data(); }
  iterator end() const noexcept { return data() + size(); }
  const_iterator cbegin() const noexcept { return begin(); }
  const_iterator cend() const noexcept { return end(); }
  reverse_iterator rbegin() const noexcept { return reverse_iterator(end()); }
  reverse_iterator rend() const noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator crbegin() const noexcept { return const_reverse_iterator(cend()); }
  const_reverse_iterator crend() const noexcept { return const_reverse_iterator(cbegin()); }

  friend bool operator==(const local_accessor &lhs, const local_accessor &rhs) noexcept {
    return lhs.link_.number == rhs.link_.number;
  }
  friend bool operator!=(const local_accessor &lhs, const local_accessor &rhs) noexcept {
    return !(lhs == rhs);
  }

  // For the runtime and conversions.
  const detail::local_link &tn_link() const noexcept { return link_; }
  const range<places> &tn_extent() const noexcept { return extent_; }

 protected:
  DataT *data() const noexcept { return static_cast<DataT *>(link_.address()); }
  void bind() {
#ifndef __SYCL_DEVICE_ONLY__
    link_.bind(places, &extent_, sizeof(DataT), alignof(DataT));
#endif
  }

  // Both passes have the same bytes here; the first is the offset that the runtime writes.
  detail::local_link link_;
  range<places> extent_;
};

// The older spelling. The access mode changes nothing but for access_mode::atomic.
template <class DataT, int Dimensions, access_mode AccessMode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, AccessMode, target::local, IsPlaceholder>
    : public local_accessor<DataT, Dimensions> {
 public:
  using local_accessor<DataT, Dimensions>::local_accessor;
  using local_accessor<DataT, Dimensions>::operator=;
};

template <class DataT, int Dimensions, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, access_mode::atomic, target::local, IsPlaceholder>
    : public local_accessor<DataT, Dimensions> {
  using base = local_accessor<DataT, Dimensions>;
  using element =
      detail::element_access<DataT, access_mode::atomic, access::address_space::local_space>;

 public:
  using base::base;

  operator std::conditional_t<Dimensions == 0, typename element::type, detail::no_element>()
      const noexcept {
    if constexpr (Dimensions == 0) {
      return element::of(*this->data());
    } else {
      return {};
    }
  }
  TN_SYCL_CHECKS typename element::type operator[](
      id<Dimensions == 0 ? 1 : Dimensions> index) const noexcept {
    return element::of(base::operator[](index));
  }
  template <int D = Dimensions, std::enable_if_t<D == 1, int> = 0>
  TN_SYCL_CHECKS typename element::type operator[](std::size_t index) const noexcept {
    return element::of(base::operator[](index));
  }
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  TN_SYCL_CHECKS detail::local_row<DataT, D, D - 1, access_mode::atomic> operator[](
      std::size_t index) const noexcept {
    TN_SYCL_CHECK_INDEX(index, this->extent_[0], 4);
    return {this->data(), this->extent_, index};
  }
};

}  // namespace sycl

#ifndef __TENON_RTC__
template <class DataT, int Dimensions>
struct std::hash<sycl::local_accessor<DataT, Dimensions>> {
  std::size_t operator()(const sycl::local_accessor<DataT, Dimensions> &object) const noexcept {
    return object.tn_link().number;
  }
};
template <class DataT, int Dimensions, sycl::access_mode M, sycl::access::placeholder P>
struct std::hash<sycl::accessor<DataT, Dimensions, M, sycl::target::local, P>>
    : std::hash<sycl::local_accessor<DataT, Dimensions>> {};
#endif

#endif
