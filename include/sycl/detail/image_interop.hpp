// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images made of the program's own: make_unsampled_image and make_sampled_image. The image is
// retained and mapped for the host, as make_buffer does it.
// Source: SYCL 2020 section 4.5.1.3, appendix C.
#ifndef TENON_SYCL_DETAIL_IMAGE_INTEROP_HPP
#define TENON_SYCL_DETAIL_IMAGE_INTEROP_HPP

#include <sycl/backend.hpp>
#include <sycl/image.hpp>

namespace sycl {

namespace detail {

template <int D, class A>
struct native_input<backend::opencl, unsampled_image<D, A>> {
  using type = cl_mem;
};
template <int D, class A>
struct native_input<backend::opencl, sampled_image<D, A>> {
  using type = cl_mem;
};

}  // namespace detail

// errc::invalid for an image of another context or of other dimensions, for one whose pixels
// image_format does not have, and for what is no image.
template <backend Backend, int Dimensions = 1, class AllocatorT = image_allocator>
unsampled_image<Dimensions, AllocatorT> make_unsampled_image(
    const backend_input_t<Backend, unsampled_image<Dimensions, AllocatorT>> &backendObject,
    const context &targetContext, event availableEvent);
template <backend Backend, int Dimensions = 1, class AllocatorT = image_allocator>
unsampled_image<Dimensions, AllocatorT> make_unsampled_image(
    const backend_input_t<Backend, unsampled_image<Dimensions, AllocatorT>> &backendObject,
    const context &targetContext);
template <backend Backend, int Dimensions = 1, class AllocatorT = image_allocator>
sampled_image<Dimensions, AllocatorT> make_sampled_image(
    const backend_input_t<Backend, sampled_image<Dimensions, AllocatorT>> &backendObject,
    const context &targetContext, image_sampler imageSampler, event availableEvent);
template <backend Backend, int Dimensions = 1, class AllocatorT = image_allocator>
sampled_image<Dimensions, AllocatorT> make_sampled_image(
    const backend_input_t<Backend, sampled_image<Dimensions, AllocatorT>> &backendObject,
    const context &targetContext, image_sampler imageSampler);

#ifndef __SYCL_DEVICE_ONLY__

namespace detail {

template <int Dimensions, class AllocatorT>
struct native_image {
  buffer<std::byte, 1, AllocatorT> pixels;
  image_shape shape;
  range<Dimensions> extent;
};

template <int Dimensions, class AllocatorT>
TN_SYCL_COLD native_image<Dimensions, AllocatorT> open_native_image(backend of,
                                                                    std::uint64_t number,
                                                                    const context &target,
                                                                    const event &after) {
  using storage = buffer<std::byte, 1, AllocatorT>;
  tn_buffer *made = nullptr;
  tn_native_image native;
  tn_diag diag;
  check_backend(of, target.get_backend(), "make_unsampled_image, make_sampled_image");
  check_native(tn_native_make_image(target.tn_get(), number, Dimensions, after.tn_get(), &native,
                                    &made, &diag),
               diag);
  storage pixels(made, range<1>(tn_buffer_size(made)), typename storage::tn_taken());
  range<Dimensions> extent;
  range<(Dimensions > 1 ? Dimensions - 1 : 1)> pitch;
  for (int d = 0; d < Dimensions; ++d) {
    extent[d] = native.extent[d];
  }
  pitch[0] = native.row_pitch;
  if constexpr (Dimensions == 3) {
    pitch[1] = native.slice_pitch;
  }
  const image_shape shape =
      make_shape(shape_of(static_cast<image_format>(native.format)), extent, &pitch);
  return {std::move(pixels), shape, extent};
}

}  // namespace detail

template <backend Backend, int Dimensions, class AllocatorT>
unsampled_image<Dimensions, AllocatorT> make_unsampled_image(
    const backend_input_t<Backend, unsampled_image<Dimensions, AllocatorT>> &backendObject,
    const context &targetContext, event availableEvent) {
  using image = unsampled_image<Dimensions, AllocatorT>;
  auto native = detail::open_native_image<Dimensions, AllocatorT>(
      Backend, detail::native_number(backendObject), targetContext, availableEvent);
  return image(std::move(native.pixels), native.shape, native.extent, typename image::tn_taken());
}
template <backend Backend, int Dimensions, class AllocatorT>
unsampled_image<Dimensions, AllocatorT> make_unsampled_image(
    const backend_input_t<Backend, unsampled_image<Dimensions, AllocatorT>> &backendObject,
    const context &targetContext) {
  return make_unsampled_image<Backend, Dimensions, AllocatorT>(backendObject, targetContext,
                                                               event());
}
template <backend Backend, int Dimensions, class AllocatorT>
sampled_image<Dimensions, AllocatorT> make_sampled_image(
    const backend_input_t<Backend, sampled_image<Dimensions, AllocatorT>> &backendObject,
    const context &targetContext, image_sampler imageSampler, event availableEvent) {
  using image = sampled_image<Dimensions, AllocatorT>;
  auto native = detail::open_native_image<Dimensions, AllocatorT>(
      Backend, detail::native_number(backendObject), targetContext, availableEvent);
  return image(std::move(native.pixels), native.shape, native.extent, imageSampler,
               typename image::tn_taken());
}
template <backend Backend, int Dimensions, class AllocatorT>
sampled_image<Dimensions, AllocatorT> make_sampled_image(
    const backend_input_t<Backend, sampled_image<Dimensions, AllocatorT>> &backendObject,
    const context &targetContext, image_sampler imageSampler) {
  return make_sampled_image<Backend, Dimensions, AllocatorT>(backendObject, targetContext,
                                                             imageSampler, event());
}

#endif

}  // namespace sycl

#endif
