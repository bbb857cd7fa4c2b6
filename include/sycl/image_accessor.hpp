// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accessors of images: an accessor of the image's bytes, and how pixels lie in it.
// Source: SYCL 2020 sections 4.7.6.13, 4.7.6.14.
#ifndef TENON_SYCL_IMAGE_ACCESSOR_HPP
#define TENON_SYCL_IMAGE_ACCESSOR_HPP

#include <sycl/accessor.hpp>
#include <sycl/detail/owner_order.hpp>
#include <sycl/host_accessor.hpp>
#include <sycl/image.hpp>

namespace sycl {

namespace detail {

template <class Element, int Dimensions>
struct image_coordinates;
template <class Element>
struct image_coordinates<Element, 1> {
  using type = Element;
  static void write(Element at, Element (&out)[3]) noexcept { out[0] = at; }
};
template <class Element>
struct image_coordinates<Element, 2> {
  using type = vec<Element, 2>;
  static void write(const type &at, Element (&out)[3]) noexcept {
    out[0] = at[0];
    out[1] = at[1];
  }
};
template <class Element>
struct image_coordinates<Element, 3> {
  using type = vec<Element, 4>;
  static void write(const type &at, Element (&out)[3]) noexcept {
    out[0] = at[0];
    out[1] = at[1];
    out[2] = at[2];
  }
};

// Access is an accessor of bytes.
template <class Access, class DataT, int Dimensions>
class image_view {
 public:
  using color = std::remove_const_t<DataT>;
  using element = typename pixel_element<color>::type;

  std::size_t size() const noexcept { return shape_.size(); }
  template <class Property>
  bool has_property() const noexcept {
    return access_.template has_property<Property>();
  }
  template <class Property>
  Property get_property() const {
    return access_.template get_property<Property>();
  }
  // For hashes, and accessors to const elements and others.
  const Access &tn_access() const noexcept { return access_; }
  const image_shape &tn_shape() const noexcept { return shape_; }

 protected:
  image_view(const Access &access, const image_shape &shape) : access_(access), shape_(shape) {}

  auto *data() const noexcept { return &access_[std::size_t{0}]; }
  template <class CoordT>
  color read_at(const CoordT &coords) const noexcept {
    int at[3] = {0, 0, 0};
    take(coords, at);
    return read_pixel<element>(data(), shape_, at[0], at[1], at[2]);
  }
  template <class CoordT>
  void write_at(const CoordT &coords, const color &value) const {
    int at[3] = {0, 0, 0};
    take(coords, at);
    write_pixel<element>(data(), shape_, at[0], at[1], at[2], value);
  }
  template <class CoordT>
  color sample_at(const CoordT &coords, const image_sampler &sampler) const noexcept {
    float at[3] = {0, 0, 0};
    take(coords, at);
    return sample_pixel<element, Dimensions>(data(), shape_, sampler, at);
  }

  template <class Element, class CoordT>
  static void take(const CoordT &coords, Element (&out)[3]) noexcept {
    using coordinates = image_coordinates<Element, Dimensions>;
    static_assert(std::is_convertible_v<CoordT, typename coordinates::type>,
                  "an element's place in an image is int, int2 or int4, a sample's float, float2 "
                  "or float4, by the image's dimensions");
    coordinates::write(static_cast<typename coordinates::type>(coords), out);
  }

 private:
  Access access_;
  image_shape shape_;
};

template <access_mode Mode, image_target Target>
using image_bytes = accessor<std::byte, 1, Mode,
                             Target == image_target::device ? target::device : target::host_task>;

template <access_mode Mode>
inline constexpr bool image_reads = Mode == access_mode::read || Mode == access_mode::read_write;
template <access_mode Mode>
inline constexpr bool image_writes = Mode == access_mode::write || Mode == access_mode::read_write;

}  // namespace detail

#define TN_SYCL_IMAGE_TYPES(value) \
  using value_type = value;        \
  using reference = value_type &;  \
  using const_reference = const DataT &

#define TN_SYCL_IMAGE_EQUALITY(name)                                  \
  friend bool operator==(const name &lhs, const name &rhs) noexcept { \
    return lhs.tn_access() == rhs.tn_access();                        \
  }                                                                   \
  friend bool operator!=(const name &lhs, const name &rhs) noexcept { return !(lhs == rhs); }

#define TN_SYCL_IMAGE_READ_AND_WRITE                                          \
  template <class CoordT, access_mode M = AccessMode,                         \
            std::enable_if_t<detail::image_reads<M>, int> = 0>                \
  typename view::color read(const CoordT &coords) const noexcept {            \
    return this->read_at(coords);                                             \
  }                                                                           \
  template <class CoordT, access_mode M = AccessMode,                         \
            std::enable_if_t<detail::image_writes<M>, int> = 0>               \
  void write(const CoordT &coords, const typename view::color &color) const { \
    this->write_at(coords, color);                                            \
  }

template <class DataT, int Dimensions, access_mode AccessMode, image_target AccessTarget>
class unsampled_image_accessor
    : public detail::image_view<detail::image_bytes<AccessMode, AccessTarget>, DataT, Dimensions>,
      public detail::owner_order<
          unsampled_image_accessor<DataT, Dimensions, AccessMode, AccessTarget>> {
  using view = detail::image_view<detail::image_bytes<AccessMode, AccessTarget>, DataT, Dimensions>;
  static_assert(AccessMode == access_mode::read || AccessMode == access_mode::write,
                "an unsampled_image_accessor has access_mode::read or access_mode::write");
  static_assert(AccessMode == access_mode::read || !std::is_const_v<DataT>,
                "const elements cannot be written");

 public:
  using type = std::conditional_t<AccessMode == access_mode::read, const DataT, DataT>;
  TN_SYCL_IMAGE_TYPES(type);

  template <class AllocatorT>
  unsampled_image_accessor(unsampled_image<Dimensions, AllocatorT> &imageRef,
                           handler &commandGroupHandlerRef, const property_list &propList = {})
      : view(detail::image_bytes<AccessMode, AccessTarget>(imageRef.tn_buffer(),
                                                           commandGroupHandlerRef, propList),
             imageRef.tn_shape()) {}
  template <class Other,
            std::enable_if_t<AccessMode == access_mode::read && !std::is_same_v<Other, DataT> &&
                                 std::is_same_v<const Other, const DataT>,
                             int> = 0>
  unsampled_image_accessor(
      const unsampled_image_accessor<Other, Dimensions, AccessMode, AccessTarget> &other)
      : view(other.tn_access(), other.tn_shape()) {}

  TN_SYCL_IMAGE_READ_AND_WRITE
  TN_SYCL_IMAGE_EQUALITY(unsampled_image_accessor)
};

template <class DataT, int Dimensions, access_mode AccessMode>
class host_unsampled_image_accessor
    : public detail::image_view<host_accessor<std::byte, 1, AccessMode>, DataT, Dimensions>,
      public detail::owner_order<host_unsampled_image_accessor<DataT, Dimensions, AccessMode>> {
  using view = detail::image_view<host_accessor<std::byte, 1, AccessMode>, DataT, Dimensions>;
  static_assert(AccessMode == access_mode::read || !std::is_const_v<DataT>,
                "const elements cannot be written");

 public:
  using type = std::conditional_t<AccessMode == access_mode::read, const DataT, DataT>;
  TN_SYCL_IMAGE_TYPES(type);

  template <class AllocatorT>
  host_unsampled_image_accessor(unsampled_image<Dimensions, AllocatorT> &imageRef,
                                const property_list &propList = {})
      : view(host_accessor<std::byte, 1, AccessMode>(imageRef.tn_buffer(), propList),
             imageRef.tn_shape()) {}
  template <class Other,
            std::enable_if_t<AccessMode == access_mode::read && !std::is_same_v<Other, DataT> &&
                                 std::is_same_v<const Other, const DataT>,
                             int> = 0>
  host_unsampled_image_accessor(
      const host_unsampled_image_accessor<Other, Dimensions, AccessMode> &other)
      : view(other.tn_access(), other.tn_shape()) {}

  TN_SYCL_IMAGE_READ_AND_WRITE
  TN_SYCL_IMAGE_EQUALITY(host_unsampled_image_accessor)
};

template <class DataT, int Dimensions, image_target AccessTarget>
class sampled_image_accessor
    : public detail::image_view<detail::image_bytes<access_mode::read, AccessTarget>, DataT,
                                Dimensions>,
      public detail::owner_order<sampled_image_accessor<DataT, Dimensions, AccessTarget>> {
  using view =
      detail::image_view<detail::image_bytes<access_mode::read, AccessTarget>, DataT, Dimensions>;

 public:
  TN_SYCL_IMAGE_TYPES(const DataT);

  template <class AllocatorT>
  sampled_image_accessor(sampled_image<Dimensions, AllocatorT> &imageRef,
                         handler &commandGroupHandlerRef, const property_list &propList = {})
      : view(detail::image_bytes<access_mode::read, AccessTarget>(imageRef.tn_buffer(),
                                                                  commandGroupHandlerRef, propList),
             imageRef.tn_shape()),
        sampler_(imageRef.tn_sampler()) {}
  template <class Other,
            std::enable_if_t<
                !std::is_same_v<Other, DataT> && std::is_same_v<const Other, const DataT>, int> = 0>
  sampled_image_accessor(const sampled_image_accessor<Other, Dimensions, AccessTarget> &other)
      : view(other.tn_access(), other.tn_shape()), sampler_(other.tn_sampler()) {}

  template <class CoordT>
  typename view::color read(const CoordT &coords) const noexcept {
    return this->sample_at(coords, sampler_);
  }
  const image_sampler &tn_sampler() const noexcept { return sampler_; }
  TN_SYCL_IMAGE_EQUALITY(sampled_image_accessor)

 private:
  image_sampler sampler_;
};

template <class DataT, int Dimensions>
class host_sampled_image_accessor
    : public detail::image_view<host_accessor<std::byte, 1, access_mode::read>, DataT, Dimensions>,
      public detail::owner_order<host_sampled_image_accessor<DataT, Dimensions>> {
  using view =
      detail::image_view<host_accessor<std::byte, 1, access_mode::read>, DataT, Dimensions>;

 public:
  TN_SYCL_IMAGE_TYPES(const DataT);

  template <class AllocatorT>
  host_sampled_image_accessor(sampled_image<Dimensions, AllocatorT> &imageRef,
                              const property_list &propList = {})
      : view(host_accessor<std::byte, 1, access_mode::read>(imageRef.tn_buffer(), propList),
             imageRef.tn_shape()),
        sampler_(imageRef.tn_sampler()) {}
  template <class Other,
            std::enable_if_t<
                !std::is_same_v<Other, DataT> && std::is_same_v<const Other, const DataT>, int> = 0>
  host_sampled_image_accessor(const host_sampled_image_accessor<Other, Dimensions> &other)
      : view(other.tn_access(), other.tn_shape()), sampler_(other.tn_sampler()) {}

  template <class CoordT>
  typename view::color read(const CoordT &coords) const noexcept {
    return this->sample_at(coords, sampler_);
  }
  const image_sampler &tn_sampler() const noexcept { return sampler_; }
  TN_SYCL_IMAGE_EQUALITY(host_sampled_image_accessor)

 private:
  image_sampler sampler_;
};

template <class DataT, int D, access_mode M, image_target G>
struct is_property_of<property::no_init, unsampled_image_accessor<DataT, D, M, G>>
    : std::true_type {};
template <class DataT, int D, access_mode M>
struct is_property_of<property::no_init, host_unsampled_image_accessor<DataT, D, M>>
    : std::true_type {};

#undef TN_SYCL_IMAGE_TYPES
#undef TN_SYCL_IMAGE_EQUALITY
#undef TN_SYCL_IMAGE_READ_AND_WRITE

}  // namespace sycl

#define TN_SYCL_IMAGE_HASH(parameters, ...)                                                   \
  template <parameters>                                                                       \
  struct std::hash<__VA_ARGS__> {                                                             \
    std::size_t operator()(const __VA_ARGS__ &object) const noexcept {                        \
      using access = std::remove_cv_t<std::remove_reference_t<decltype(object.tn_access())>>; \
      return std::hash<access>()(object.tn_access());                                         \
    }                                                                                         \
  };
#define TN_SYCL_COMMA ,
TN_SYCL_IMAGE_HASH(class T TN_SYCL_COMMA int D TN_SYCL_COMMA sycl::access_mode M TN_SYCL_COMMA
                       sycl::image_target G,
                   sycl::unsampled_image_accessor<T, D, M, G>)
TN_SYCL_IMAGE_HASH(class T TN_SYCL_COMMA int D TN_SYCL_COMMA sycl::access_mode M,
                   sycl::host_unsampled_image_accessor<T, D, M>)
TN_SYCL_IMAGE_HASH(class T TN_SYCL_COMMA int D TN_SYCL_COMMA sycl::image_target G,
                   sycl::sampled_image_accessor<T, D, G>)
TN_SYCL_IMAGE_HASH(class T TN_SYCL_COMMA int D, sycl::host_sampled_image_accessor<T, D>)
#undef TN_SYCL_COMMA
#undef TN_SYCL_IMAGE_HASH

#endif
