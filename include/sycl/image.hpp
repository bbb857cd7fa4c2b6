// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::unsampled_image and sycl::sampled_image: a buffer of bytes, and how pixels lie in it.
// Source: SYCL 2020 section 4.7.3.
#ifndef TENON_SYCL_IMAGE_HPP
#define TENON_SYCL_IMAGE_HPP

#include <sycl/buffer.hpp>
#include <sycl/detail/image_pixels.hpp>
#include <sycl/detail/owner_order.hpp>

namespace sycl {

using image_allocator = buffer_allocator<std::byte>;
enum class image_target { device, host_task };

template <class DataT, int Dimensions, access_mode AccessMode,
          image_target AccessTarget = image_target::device>
class unsampled_image_accessor;
template <class DataT, int Dimensions = 1,
          access_mode AccessMode =
              (std::is_const_v<DataT> ? access_mode::read : access_mode::read_write)>
class host_unsampled_image_accessor;
template <class DataT, int Dimensions, image_target AccessTarget = image_target::device>
class sampled_image_accessor;
template <class DataT, int Dimensions>
class host_sampled_image_accessor;

namespace property::image {
using buffer::context_bound;
using buffer::use_host_ptr;
using buffer::use_mutex;
}  // namespace property::image

namespace detail {

template <class T>
inline constexpr bool is_shared_pointer = false;
template <class T>
inline constexpr bool is_shared_pointer<std::shared_ptr<T>> = true;
template <class Host, class Pointer>
using if_image_host = std::enable_if_t<
    std::is_convertible_v<Host, Pointer> || is_shared_pointer<std::remove_reference_t<Host>>, int>;

#ifdef __SYCL_DEVICE_ONLY__
template <int Dimensions, class Pitch>
image_shape make_shape(image_shape shape, const range<Dimensions> &, const Pitch *) {
  return shape;
}
#else
template <int Dimensions, class Pitch>
TN_SYCL_COLD image_shape make_shape(image_shape shape, const range<Dimensions> &extent,
                                    const Pitch *pitch) {
  for (int d = 0; d < Dimensions; ++d) {
    if (extent[d] == 0 || extent[d] > 0x40000000) {
      raise(errc::invalid, "an image has 1 to 1073741824 elements in each dimension");
    }
    shape.extent[d] = static_cast<int>(extent[d]);
  }
  const std::size_t row = extent[0] * shape.pixel_size();
  shape.row_pitch = pitch ? (*pitch)[0] : row;
  const std::size_t slice = shape.row_pitch * static_cast<std::size_t>(shape.extent[1]);
  shape.slice_pitch = slice;
  if constexpr (Dimensions == 3) {
    shape.slice_pitch = pitch ? (*pitch)[1] : slice;
  }
  if (shape.row_pitch < row || shape.slice_pitch < slice ||
      shape.row_pitch % shape.pixel_size() != 0 || shape.slice_pitch % shape.pixel_size() != 0) {
    raise(errc::invalid,
          "an image's pitch is a multiple of its element's size in bytes, and at least the size of "
          "a row (of a slice)");
  }
  return shape;
}
#endif

inline image_shape shape_of(image_format format) noexcept {
  image_shape shape;
  shape.set_format(format);
  return shape;
}

// What all kinds of images are. Of the shape that an image is made with, the pixels count.
template <int Dimensions, class AllocatorT>
class image_base {
  static_assert(Dimensions >= 1 && Dimensions <= 3, "an image has 1 to 3 dimensions");
  using storage = buffer<std::byte, 1, AllocatorT>;

 public:
  using pitch_type = range<(Dimensions > 1 ? Dimensions - 1 : 1)>;

  range<Dimensions> get_range() const { return range_; }
  template <int D = Dimensions, std::enable_if_t<(D > 1), int> = 0>
  range<D - 1> get_pitch() const {
    if constexpr (D == 2) {
      return {shape_.row_pitch};
    } else {
      return {shape_.row_pitch, shape_.slice_pitch};
    }
  }
  std::size_t byte_size() const noexcept { return shape_.byte_size(); }
  std::size_t size() const noexcept { return shape_.size(); }
  AllocatorT get_allocator() const { return buffer_.get_allocator(); }

  template <class Property>
  bool has_property() const noexcept {
    return buffer_.template has_property<Property>();
  }
  template <class Property>
  Property get_property() const {
    return buffer_.template get_property<Property>();
  }

  friend bool operator==(const image_base &lhs, const image_base &rhs) noexcept {
    return lhs.buffer_ == rhs.buffer_;
  }
  friend bool operator!=(const image_base &lhs, const image_base &rhs) noexcept {
    return !(lhs == rhs);
  }

  // For accessors.
  storage &tn_buffer() noexcept { return buffer_; }
  const storage &tn_buffer() const noexcept { return buffer_; }
  const image_shape &tn_shape() const noexcept { return shape_; }

 protected:
  // Of pixels that are there.
  image_base(storage &&pixels, const image_shape &shape, const range<Dimensions> &extent)
      : range_(extent), shape_(shape), buffer_(std::move(pixels)) {}
  // Nothing, a pointer or a shared_ptr.
  template <class Host>
  image_base(const Host &host, const image_shape &pixels, const range<Dimensions> &extent,
             const pitch_type *pitch, const AllocatorT &allocator, const property_list &properties)
      : range_(extent),
        shape_(make_shape(pixels, extent, pitch)),
        buffer_(make_buffer(host, range<1>(shape_.byte_size()), allocator, properties)) {}
  template <class Host>
  image_base(const Host &host, image_format format, const range<Dimensions> &extent,
             const pitch_type *pitch, const AllocatorT &allocator, const property_list &properties)
      : image_base(host, shape_of(format), extent, pitch, allocator, properties) {}

 private:
  static storage make_buffer(std::nullptr_t, const range<1> &size, const AllocatorT &allocator,
                             const property_list &properties) {
    return storage(size, allocator, properties);
  }
  template <class T>
  static storage make_buffer(T *host, const range<1> &size, const AllocatorT &allocator,
                             const property_list &properties) {
    using byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
    return host ? storage(reinterpret_cast<byte *>(host), size, allocator, properties)
                : storage(size, allocator, properties);
  }
  template <class T>
  static storage make_buffer(const std::shared_ptr<T> &host, const range<1> &size,
                             const AllocatorT &allocator, const property_list &properties) {
    void *bytes = const_cast<std::remove_const_t<T> *>(host.get());
    storage made(std::shared_ptr<std::byte>(host, static_cast<std::byte *>(bytes)), size, allocator,
                 properties);
    if constexpr (std::is_const_v<T>) {
      made.set_write_back(false);
    }
    return made;
  }

  range<Dimensions> range_;
  image_shape shape_;
  storage buffer_;
};

// An image whose pixels the host gets back.
template <int Dimensions, class AllocatorT>
class written_image : public image_base<Dimensions, AllocatorT> {
 public:
  template <class Destination = std::nullptr_t>
  void set_final_data(Destination finalData = nullptr) {
    if constexpr (std::is_pointer_v<Destination>) {
      this->tn_buffer().set_final_data(reinterpret_cast<std::byte *>(finalData));
    } else {
      this->tn_buffer().set_final_data(finalData);
    }
  }
  template <class T>
  void set_final_data(std::weak_ptr<T> finalData) {
    const std::shared_ptr<T> data = finalData.lock();
    void *bytes = data.get();
    this->tn_buffer().set_final_data(std::weak_ptr<std::byte>(
        std::shared_ptr<std::byte>(data, static_cast<std::byte *>(bytes))));
  }
  void set_write_back(bool flag = true) { this->tn_buffer().set_write_back(flag); }

 protected:
  using image_base<Dimensions, AllocatorT>::image_base;
};

}  // namespace detail

template <int Dimensions = 1, class AllocatorT = image_allocator>
class unsampled_image : public detail::written_image<Dimensions, AllocatorT>,
                        public detail::owner_order<unsampled_image<Dimensions, AllocatorT>> {
  using base = detail::written_image<Dimensions, AllocatorT>;
  using extent = range<Dimensions>;
  using properties = property_list;
  template <int D>
  using pitch = const range<(D > 1 ? D - 1 : 1)> &;
  template <class Host>
  using if_host = detail::if_image_host<Host, void *>;
  template <int D>
  using if_rows = std::enable_if_t<(D > 1), int>;

 public:
  unsampled_image(image_format format, const extent &rangeRef, const properties &propList = {})
      : base(nullptr, format, rangeRef, nullptr, AllocatorT(), propList) {}
  unsampled_image(image_format format, const extent &rangeRef, AllocatorT allocator,
                  const properties &propList = {})
      : base(nullptr, format, rangeRef, nullptr, allocator, propList) {}
  template <int D = Dimensions, if_rows<D> = 0>
  unsampled_image(image_format format, const extent &rangeRef, pitch<D> pitchRef,
                  const properties &propList = {})
      : base(nullptr, format, rangeRef, &pitchRef, AllocatorT(), propList) {}
  template <int D = Dimensions, if_rows<D> = 0>
  unsampled_image(image_format format, const extent &rangeRef, pitch<D> pitchRef,
                  AllocatorT allocator, const properties &propList = {})
      : base(nullptr, format, rangeRef, &pitchRef, allocator, propList) {}
  template <class Host, if_host<Host> = 0>
  unsampled_image(Host &&hostPointer, image_format format, const extent &rangeRef,
                  const properties &propList = {})
      : base(hostPointer, format, rangeRef, nullptr, AllocatorT(), propList) {}
  template <class Host, if_host<Host> = 0>
  unsampled_image(Host &&hostPointer, image_format format, const extent &rangeRef,
                  AllocatorT allocator, const properties &propList = {})
      : base(hostPointer, format, rangeRef, nullptr, allocator, propList) {}
  template <class Host, int D = Dimensions, if_host<Host> = 0, if_rows<D> = 0>
  unsampled_image(Host &&hostPointer, image_format format, const extent &rangeRef,
                  pitch<D> pitchRef, const properties &propList = {})
      : base(hostPointer, format, rangeRef, &pitchRef, AllocatorT(), propList) {}
  template <class Host, int D = Dimensions, if_host<Host> = 0, if_rows<D> = 0>
  unsampled_image(Host &&hostPointer, image_format format, const extent &rangeRef,
                  pitch<D> pitchRef, AllocatorT allocator, const properties &propList = {})
      : base(hostPointer, format, rangeRef, &pitchRef, allocator, propList) {}

  template <class DataT,
            access_mode Mode = (std::is_const_v<DataT> ? access_mode::read
                                                       : access_mode::read_write),
            image_target Targ = image_target::device>
  unsampled_image_accessor<DataT, Dimensions, Mode, Targ> get_access(
      handler &commandGroupHandler, const properties &propList = {}) {
    return {*this, commandGroupHandler, propList};
  }
  template <class DataT, access_mode Mode = (std::is_const_v<DataT> ? access_mode::read
                                                                    : access_mode::read_write)>
  host_unsampled_image_accessor<DataT, Dimensions, Mode> get_host_access(
      const properties &propList = {}) {
    return {*this, propList};
  }

  // The runtime's way of making one.
  struct tn_taken {};
  unsampled_image(buffer<std::byte, 1, AllocatorT> &&pixels, const detail::image_shape &shape,
                  const extent &range, tn_taken)
      : base(std::move(pixels), shape, range) {}
  // All of one but its pixels.
  struct tn_rest {
    detail::image_shape shape;
    extent size;
    explicit tn_rest(const unsampled_image &of) noexcept
        : shape(of.tn_shape()), size(of.get_range()) {}
    unsampled_image with(buffer<std::byte, 1, AllocatorT> &&pixels) const {
      return unsampled_image(std::move(pixels), shape, size, tn_taken());
    }
  };
};

template <int Dimensions = 1, class AllocatorT = image_allocator>
class sampled_image : public detail::image_base<Dimensions, AllocatorT>,
                      public detail::owner_order<sampled_image<Dimensions, AllocatorT>> {
  using base = detail::image_base<Dimensions, AllocatorT>;
  using extent = range<Dimensions>;
  using properties = property_list;
  template <int D>
  using pitch = const range<(D > 1 ? D - 1 : 1)> &;
  template <class Host>
  using if_host = detail::if_image_host<Host, const void *>;
  template <int D>
  using if_rows = std::enable_if_t<(D > 1), int>;

 public:
  template <class Host, if_host<Host> = 0>
  sampled_image(Host &&hostPointer, image_format format, image_sampler sampler,
                const extent &rangeRef, const properties &propList = {})
      : sampled_image(hostPointer, format, sampler, rangeRef, AllocatorT(), propList) {}
  template <class Host, if_host<Host> = 0>
  sampled_image(Host &&hostPointer, image_format format, image_sampler sampler,
                const extent &rangeRef, AllocatorT allocator, const properties &propList = {})
      : base(constant(hostPointer), format, rangeRef, nullptr, allocator, propList),
        sampler_(sampler) {}
  template <class Host, int D = Dimensions, if_host<Host> = 0, if_rows<D> = 0>
  sampled_image(Host &&hostPointer, image_format format, image_sampler sampler,
                const extent &rangeRef, pitch<D> pitchRef, const properties &propList = {})
      : sampled_image(hostPointer, format, sampler, rangeRef, pitchRef, AllocatorT(), propList) {}
  template <class Host, int D = Dimensions, if_host<Host> = 0, if_rows<D> = 0>
  sampled_image(Host &&hostPointer, image_format format, image_sampler sampler,
                const extent &rangeRef, pitch<D> pitchRef, AllocatorT allocator,
                const properties &propList = {})
      : base(constant(hostPointer), format, rangeRef, &pitchRef, allocator, propList),
        sampler_(sampler) {}

  template <class DataT, image_target Targ = image_target::device>
  sampled_image_accessor<DataT, Dimensions, Targ> get_access(handler &commandGroupHandler,
                                                             const properties &propList = {}) {
    return {*this, commandGroupHandler, propList};
  }
  template <class DataT>
  host_sampled_image_accessor<DataT, Dimensions> get_host_access(const properties &propList = {}) {
    return {*this, propList};
  }

  // For accessors.
  const image_sampler &tn_sampler() const noexcept { return sampler_; }

  // The runtime's way of making one.
  struct tn_taken {};
  sampled_image(buffer<std::byte, 1, AllocatorT> &&pixels, const detail::image_shape &shape,
                const extent &range, const image_sampler &sampler, tn_taken)
      : base(std::move(pixels), shape, range), sampler_(sampler) {}
  // All of one but its pixels.
  struct tn_rest {
    detail::image_shape shape;
    extent size;
    image_sampler sampler;
    explicit tn_rest(const sampled_image &of) noexcept
        : shape(of.tn_shape()), size(of.get_range()), sampler(of.tn_sampler()) {}
    sampled_image with(buffer<std::byte, 1, AllocatorT> &&pixels) const {
      return sampled_image(std::move(pixels), shape, size, sampler, tn_taken());
    }
  };

 private:
  static std::nullptr_t constant(std::nullptr_t) noexcept { return nullptr; }
  template <class T>
  static const T *constant(T *host) noexcept {
    return host;
  }
  template <class T>
  static std::shared_ptr<const T> constant(const std::shared_ptr<T> &host) noexcept {
    return host;
  }

  image_sampler sampler_;
};

template <class Property, int Dimensions, class AllocatorT>
struct is_property_of<Property, unsampled_image<Dimensions, AllocatorT>>
    : is_property_of<Property, buffer<std::byte, 1, AllocatorT>> {};
template <class Property, int Dimensions, class AllocatorT>
struct is_property_of<Property, sampled_image<Dimensions, AllocatorT>>
    : is_property_of<Property, buffer<std::byte, 1, AllocatorT>> {};

}  // namespace sycl

template <int Dimensions, class AllocatorT>
struct std::hash<sycl::unsampled_image<Dimensions, AllocatorT>> {
  std::size_t operator()(
      const sycl::unsampled_image<Dimensions, AllocatorT> &image) const noexcept {
    return sycl::detail::hash_pointer(image.tn_buffer().tn_get());
  }
};
template <int Dimensions, class AllocatorT>
struct std::hash<sycl::sampled_image<Dimensions, AllocatorT>> {
  std::size_t operator()(const sycl::sampled_image<Dimensions, AllocatorT> &image) const noexcept {
    return sycl::detail::hash_pointer(image.tn_buffer().tn_get());
  }
};

#endif
