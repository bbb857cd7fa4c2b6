// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL 1.2.1's images: sycl::image, sycl::sampler, and the accessors of target::image, image_array
// and host_image. SYCL 2020 has sampled_image and unsampled_image instead.
// Source: SYCL 1.2.1 sections 4.7.4, 4.7.6.12, 4.7.8.
#ifndef TENON_SYCL_DETAIL_LEGACY_IMAGE_HPP
#define TENON_SYCL_DETAIL_LEGACY_IMAGE_HPP

#include <sycl/detail/legacy_pixels.hpp>
#include <sycl/image_accessor.hpp>

namespace sycl {

class sampler {
 public:
  sampler(coordinate_normalization_mode normalizationMode, addressing_mode addressingMode,
          filtering_mode filteringMode, const property_list & = {})
      : sampler_{addressingMode, normalizationMode, filteringMode} {}

  addressing_mode get_addressing_mode() const { return sampler_.addressing; }
  filtering_mode get_filtering_mode() const { return sampler_.filtering; }
  coordinate_normalization_mode get_coordinate_normalization_mode() const {
    return sampler_.coordinate;
  }
  template <class Property>
  bool has_property() const noexcept {
    return false;  // there are no properties of samplers
  }

  friend bool operator==(const sampler &lhs, const sampler &rhs) noexcept {
    return lhs.sampler_ == rhs.sampler_;
  }
  friend bool operator!=(const sampler &lhs, const sampler &rhs) noexcept { return !(lhs == rhs); }

  // For accessors.
  const image_sampler &tn_sampler() const noexcept { return sampler_; }

 private:
  image_sampler sampler_;
};

namespace detail {

#ifdef __SYCL_DEVICE_ONLY__
image_shape shape_of(image_channel_order order, image_channel_type type);
#else
TN_SYCL_COLD inline image_shape shape_of(image_channel_order order, image_channel_type type) {
  using t = image_channel_type;
  if (type > t::fp32 || order > image_channel_order::ext_oneapi_srgba) {
    raise(errc::invalid, "unknown channel type or order of an image");
  }
  if (order == image_channel_order::ext_oneapi_srgba && type != t::unorm_int8) {
    raise(errc::invalid, "images of the channel order ext_oneapi_srgba have channels unorm_int8");
  }
  image_shape shape;
  shape.kind = channel_layouts[static_cast<int>(type)].kind;
  shape.channel_size = channel_layouts[static_cast<int>(type)].size;
  shape.order = order;
  shape.channel_count = channel_count_of(order);
  if (is_packed(shape.kind)) {
    if (order != image_channel_order::rgb && order != image_channel_order::rgbx) {
      raise(errc::invalid, "images with packed channels are of the channel order rgb or rgbx");
    }
    shape.channel_count = 1;
  }
  return shape;
}
#endif

// Pixels at an index of the shape, which is an image's or a layer's.
template <class DataT, int Dimensions, access_mode Mode>
struct legacy_pixels {
  using element = typename pixel_element<std::remove_const_t<DataT>>::type;
  using byte = std::conditional_t<Mode == access_mode::read, const std::byte, std::byte>;

  template <class CoordT>
  vec<element, 4> read(const CoordT &coords) const noexcept {
    int at[3] = {0, 0, 0};
    image_coordinates<int, Dimensions>::write(coords, at);
    return read_legacy_pixel<element>(data, shape, at[0], at[1], at[2]);
  }
  template <class CoordT>
  vec<element, 4> read(const CoordT &coords, const sampler &smpl) const noexcept {
    float at[3] = {0, 0, 0};
    if constexpr (std::is_convertible_v<CoordT, vec<int, Dimensions == 3 ? 4 : Dimensions>> &&
                  !std::is_convertible_v<CoordT, vec<float, Dimensions == 3 ? 4 : Dimensions>>) {
      int whole[3] = {0, 0, 0};
      image_coordinates<int, Dimensions>::write(coords, whole);
      for (int d = 0; d < Dimensions; ++d) {
        at[d] = static_cast<float>(whole[d]);
      }
    } else {
      image_coordinates<float, Dimensions>::write(
          static_cast<typename image_coordinates<float, Dimensions>::type>(coords), at);
    }
    return sample_legacy_pixel<element, Dimensions>(data, shape, smpl.tn_sampler(), at);
  }
  template <class CoordT>
  void write(const CoordT &coords, const vec<element, 4> &color) const {
    int at[3] = {0, 0, 0};
    image_coordinates<int, Dimensions>::write(coords, at);
    write_legacy_pixel<element>(data, shape, at[0], at[1], at[2], color);
  }

  range<Dimensions> get_range() const {
    range<Dimensions> result;
    for (int d = 0; d < Dimensions; ++d) {
      result[d] = static_cast<std::size_t>(shape.extent[d]);
    }
    return result;
  }
  std::size_t get_count() const { return get_range().size(); }

  byte *data;
  image_shape shape;
};

template <access_mode Mode>
inline constexpr bool writes_legacy_image =
    Mode == access_mode::write || Mode == access_mode::discard_write;

// What accessors of images are: Access is an accessor of bytes.
template <class Access, class DataT, int Dimensions, access_mode Mode>
class legacy_image_accessor : public image_view<Access, DataT, Dimensions> {
  using view = image_view<Access, DataT, Dimensions>;
  static_assert(Mode == access_mode::read || writes_legacy_image<Mode>,
                "an accessor of an image has access_mode::read, write or discard_write");

 public:
  using value_type = DataT;
  using reference = DataT &;
  using const_reference = const DataT &;

  std::size_t get_count() const { return this->size(); }
  range<Dimensions> get_range() const { return pixels().get_range(); }

  template <class CoordT, access_mode M = Mode, std::enable_if_t<M == access_mode::read, int> = 0>
  DataT read(const CoordT &coords) const noexcept {
    return pixels().read(coords);
  }
  template <class CoordT, access_mode M = Mode, std::enable_if_t<M == access_mode::read, int> = 0>
  DataT read(const CoordT &coords, const sampler &smpl) const noexcept {
    return pixels().read(coords, smpl);
  }
  template <class CoordT, access_mode M = Mode, std::enable_if_t<writes_legacy_image<M>, int> = 0>
  void write(const CoordT &coords, const DataT &color) const {
    pixels().write(coords, color);
  }

 protected:
  using view::view;
  legacy_pixels<DataT, Dimensions, Mode> pixels() const noexcept {
    return {this->data(), this->tn_shape()};
  }
};

}  // namespace detail

template <int Dimensions = 1, class AllocatorT = image_allocator>
class image : public detail::written_image<Dimensions, AllocatorT> {
  using base = detail::written_image<Dimensions, AllocatorT>;
  using order = image_channel_order;
  using type = image_channel_type;
  using extent = range<Dimensions>;
  using properties = property_list;
  template <int D>
  using pitch = const range<(D > 1 ? D - 1 : 1)> &;
  template <class Host>
  using if_host = detail::if_image_host<Host, const void *>;
  template <int D>
  using if_rows = std::enable_if_t<(D > 1), int>;

 public:
  image(order channels, type channel, const extent &rangeRef, const properties &propList = {})
      : base(nullptr, detail::shape_of(channels, channel), rangeRef, nullptr, AllocatorT(),
             propList) {}
  image(order channels, type channel, const extent &rangeRef, AllocatorT allocator,
        const properties &propList = {})
      : base(nullptr, detail::shape_of(channels, channel), rangeRef, nullptr, allocator, propList) {
  }
  template <int D = Dimensions, if_rows<D> = 0>
  image(order channels, type channel, const extent &rangeRef, pitch<D> pitchRef,
        const properties &propList = {})
      : base(nullptr, detail::shape_of(channels, channel), rangeRef, &pitchRef, AllocatorT(),
             propList) {}
  template <int D = Dimensions, if_rows<D> = 0>
  image(order channels, type channel, const extent &rangeRef, pitch<D> pitchRef,
        AllocatorT allocator, const properties &propList = {})
      : base(nullptr, detail::shape_of(channels, channel), rangeRef, &pitchRef, allocator,
             propList) {}
  // From memory of the host, which a pointer to const keeps unchanged.
  template <class Host, if_host<Host> = 0>
  image(Host &&hostPointer, order channels, type channel, const extent &rangeRef,
        const properties &propList = {})
      : base(hostPointer, detail::shape_of(channels, channel), rangeRef, nullptr, AllocatorT(),
             propList) {}
  template <class Host, if_host<Host> = 0>
  image(Host &&hostPointer, order channels, type channel, const extent &rangeRef,
        AllocatorT allocator, const properties &propList = {})
      : base(hostPointer, detail::shape_of(channels, channel), rangeRef, nullptr, allocator,
             propList) {}
  template <class Host, int D = Dimensions, if_host<Host> = 0, if_rows<D> = 0>
  image(Host &&hostPointer, order channels, type channel, const extent &rangeRef, pitch<D> pitchRef,
        const properties &propList = {})
      : base(hostPointer, detail::shape_of(channels, channel), rangeRef, &pitchRef, AllocatorT(),
             propList) {}
  template <class Host, int D = Dimensions, if_host<Host> = 0, if_rows<D> = 0>
  image(Host &&hostPointer, order channels, type channel, const extent &rangeRef, pitch<D> pitchRef,
        AllocatorT allocator, const properties &propList = {})
      : base(hostPointer, detail::shape_of(channels, channel), rangeRef, &pitchRef, allocator,
             propList) {}

  std::size_t get_size() const { return this->byte_size(); }
  std::size_t get_count() const { return this->size(); }

  template <class DataT, access_mode Mode>
  accessor<DataT, Dimensions, Mode, target::image> get_access(handler &commandGroupHandler) {
    return accessor<DataT, Dimensions, Mode, target::image>(*this, commandGroupHandler);
  }
  template <class DataT, access_mode Mode>
  accessor<DataT, Dimensions, Mode, target::host_image> get_access() {
    return accessor<DataT, Dimensions, Mode, target::host_image>(*this);
  }
};

template <class DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, Mode, target::image, IsPlaceholder>
    : public detail::legacy_image_accessor<detail::image_bytes<Mode, image_target::device>, DataT,
                                           Dimensions, Mode> {
  using bytes = detail::image_bytes<Mode, image_target::device>;
  using base = detail::legacy_image_accessor<bytes, DataT, Dimensions, Mode>;

 public:
  template <class AllocatorT>
  accessor(image<Dimensions, AllocatorT> &imageRef, handler &commandGroupHandlerRef,
           const property_list &propList = {})
      : base(bytes(imageRef.tn_buffer(), commandGroupHandlerRef, propList), imageRef.tn_shape()) {}

  friend bool operator==(const accessor &lhs, const accessor &rhs) noexcept {
    return lhs.tn_access() == rhs.tn_access();
  }
  friend bool operator!=(const accessor &lhs, const accessor &rhs) noexcept {
    return !(lhs == rhs);
  }
};

template <class DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, Mode, target::host_image, IsPlaceholder>
    : public detail::legacy_image_accessor<host_accessor<std::byte, 1, Mode>, DataT, Dimensions,
                                           Mode> {
  using bytes = host_accessor<std::byte, 1, Mode>;
  using base = detail::legacy_image_accessor<bytes, DataT, Dimensions, Mode>;

 public:
  template <class AllocatorT>
  explicit accessor(image<Dimensions, AllocatorT> &imageRef, const property_list &propList = {})
      : base(bytes(imageRef.tn_buffer(), propList), imageRef.tn_shape()) {}
};

// An array of images: the layers of an image that has one dimension more.
template <class DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, Mode, target::image_array, IsPlaceholder>
    : public detail::legacy_image_accessor<detail::image_bytes<Mode, image_target::device>, DataT,
                                           Dimensions + 1, Mode> {
  static_assert(Dimensions == 1 || Dimensions == 2,
                "an accessor of an array of images has 1 or 2 dimensions");
  using bytes = detail::image_bytes<Mode, image_target::device>;
  using base = detail::legacy_image_accessor<bytes, DataT, Dimensions + 1, Mode>;

 public:
  template <class AllocatorT>
  accessor(image<Dimensions + 1, AllocatorT> &imageRef, handler &commandGroupHandlerRef,
           const property_list &propList = {})
      : base(bytes(imageRef.tn_buffer(), commandGroupHandlerRef, propList), imageRef.tn_shape()) {}

  // The layer has read and write as an accessor of one image; there is none beyond the last.
  detail::legacy_pixels<DataT, Dimensions, Mode> operator[](std::size_t index) const noexcept {
    detail::image_shape layer = this->tn_shape();
    const std::size_t pitch = Dimensions == 1 ? layer.row_pitch : layer.slice_pitch;
    layer.extent[Dimensions] = 1;
    return {this->data() + index * pitch, layer};
  }
};

template <class Property, int Dimensions, class AllocatorT>
struct is_property_of<Property, image<Dimensions, AllocatorT>>
    : is_property_of<Property, buffer<std::byte, 1, AllocatorT>> {};

}  // namespace sycl

template <int Dimensions, class AllocatorT>
struct std::hash<sycl::image<Dimensions, AllocatorT>> {
  std::size_t operator()(const sycl::image<Dimensions, AllocatorT> &image) const noexcept {
    return sycl::detail::hash_pointer(image.tn_buffer().tn_get());
  }
};
template <>
struct std::hash<sycl::sampler> {
  std::size_t operator()(const sycl::sampler &sampler) const noexcept {
    return static_cast<std::size_t>(sampler.get_addressing_mode()) * 4 +
           static_cast<std::size_t>(sampler.get_filtering_mode()) * 2 +
           static_cast<std::size_t>(sampler.get_coordinate_normalization_mode());
  }
};

#endif
