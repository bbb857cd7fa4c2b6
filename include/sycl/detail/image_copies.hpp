// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The overloads of ext_oneapi_copy, which handler and queue have; their bodies are in
// bindless_copies.hpp. Source: sycl_ext_oneapi_bindless_images.
#ifndef TENON_SYCL_DETAIL_IMAGE_COPIES_HPP
#define TENON_SYCL_DETAIL_IMAGE_COPIES_HPP

#include <sycl/event.hpp>
#include <sycl/range.hpp>

namespace sycl::ext::oneapi::experimental {
struct image_mem_handle;
struct image_descriptor;
struct external_semaphore;
}  // namespace sycl::ext::oneapi::experimental
namespace sycl::detail {
struct events_before;
}

// X((parameters), (their names)). Offsets and extents are in pixels, also those in memory, as DPC++
// has them. The extent of memory says how many pixels a row has, and how many rows a slice.
#define TN_SYCL_IMAGE_COPIES(X)                                                                   \
  X((const void *Src, TN_SYCL_EXP::image_mem_handle Dest,                                         \
     const TN_SYCL_EXP::image_descriptor &DestImgDesc),                                           \
    (Src, Dest, DestImgDesc))                                                                     \
  X((const void *Src, range<3> SrcOffset, range<3> SrcExtent, TN_SYCL_EXP::image_mem_handle Dest, \
     range<3> DestOffset, const TN_SYCL_EXP::image_descriptor &DestImgDesc, range<3> CopyExtent), \
    (Src, SrcOffset, SrcExtent, Dest, DestOffset, DestImgDesc, CopyExtent))                       \
  X((TN_SYCL_EXP::image_mem_handle Src, void *Dest,                                               \
     const TN_SYCL_EXP::image_descriptor &SrcImgDesc),                                            \
    (Src, Dest, SrcImgDesc))                                                                      \
  X((TN_SYCL_EXP::image_mem_handle Src, range<3> SrcOffset,                                       \
     const TN_SYCL_EXP::image_descriptor &SrcImgDesc, void *Dest, range<3> DestOffset,            \
     range<3> DestExtent, range<3> CopyExtent),                                                   \
    (Src, SrcOffset, SrcImgDesc, Dest, DestOffset, DestExtent, CopyExtent))                       \
  X((const void *Src, void *Dest, const TN_SYCL_EXP::image_descriptor &DeviceImgDesc,             \
     std::size_t DeviceRowPitch),                                                                 \
    (Src, Dest, DeviceImgDesc, DeviceRowPitch))                                                   \
  X((const void *Src, range<3> SrcOffset, void *Dest, range<3> DestOffset,                        \
     const TN_SYCL_EXP::image_descriptor &DeviceImgDesc, std::size_t DeviceRowPitch,              \
     range<3> HostExtent, range<3> CopyExtent),                                                   \
    (Src, SrcOffset, Dest, DestOffset, DeviceImgDesc, DeviceRowPitch, HostExtent, CopyExtent))    \
  X((TN_SYCL_EXP::image_mem_handle Src, const TN_SYCL_EXP::image_descriptor &SrcImgDesc,          \
     TN_SYCL_EXP::image_mem_handle Dest, const TN_SYCL_EXP::image_descriptor &DestImgDesc),       \
    (Src, SrcImgDesc, Dest, DestImgDesc))                                                         \
  X((TN_SYCL_EXP::image_mem_handle Src, range<3> SrcOffset,                                       \
     const TN_SYCL_EXP::image_descriptor &SrcImgDesc, TN_SYCL_EXP::image_mem_handle Dest,         \
     range<3> DestOffset, const TN_SYCL_EXP::image_descriptor &DestImgDesc, range<3> CopyExtent), \
    (Src, SrcOffset, SrcImgDesc, Dest, DestOffset, DestImgDesc, CopyExtent))                      \
  X((TN_SYCL_EXP::image_mem_handle Src, const TN_SYCL_EXP::image_descriptor &SrcImgDesc,          \
     void *Dest, const TN_SYCL_EXP::image_descriptor &DestImgDesc, std::size_t DestRowPitch),     \
    (Src, SrcImgDesc, Dest, DestImgDesc, DestRowPitch))                                           \
  X((TN_SYCL_EXP::image_mem_handle Src, range<3> SrcOffset,                                       \
     const TN_SYCL_EXP::image_descriptor &SrcImgDesc, void *Dest, range<3> DestOffset,            \
     const TN_SYCL_EXP::image_descriptor &DestImgDesc, std::size_t DestRowPitch,                  \
     range<3> CopyExtent),                                                                        \
    (Src, SrcOffset, SrcImgDesc, Dest, DestOffset, DestImgDesc, DestRowPitch, CopyExtent))        \
  X((const void *Src, const TN_SYCL_EXP::image_descriptor &SrcImgDesc, std::size_t SrcRowPitch,   \
     TN_SYCL_EXP::image_mem_handle Dest, const TN_SYCL_EXP::image_descriptor &DestImgDesc),       \
    (Src, SrcImgDesc, SrcRowPitch, Dest, DestImgDesc))                                            \
  X((const void *Src, range<3> SrcOffset, const TN_SYCL_EXP::image_descriptor &SrcImgDesc,        \
     std::size_t SrcRowPitch, TN_SYCL_EXP::image_mem_handle Dest, range<3> DestOffset,            \
     const TN_SYCL_EXP::image_descriptor &DestImgDesc, range<3> CopyExtent),                      \
    (Src, SrcOffset, SrcImgDesc, SrcRowPitch, Dest, DestOffset, DestImgDesc, CopyExtent))         \
  X((const void *Src, const TN_SYCL_EXP::image_descriptor &SrcImgDesc, std::size_t SrcRowPitch,   \
     void *Dest, const TN_SYCL_EXP::image_descriptor &DestImgDesc, std::size_t DestRowPitch),     \
    (Src, SrcImgDesc, SrcRowPitch, Dest, DestImgDesc, DestRowPitch))                              \
  X((const void *Src, range<3> SrcOffset, const TN_SYCL_EXP::image_descriptor &SrcImgDesc,        \
     std::size_t SrcRowPitch, void *Dest, range<3> DestOffset,                                    \
     const TN_SYCL_EXP::image_descriptor &DestImgDesc, std::size_t DestRowPitch,                  \
     range<3> CopyExtent),                                                                        \
    (Src, SrcOffset, SrcImgDesc, SrcRowPitch, Dest, DestOffset, DestImgDesc, DestRowPitch,        \
     CopyExtent))
// X(name, parameters)
#define TN_SYCL_SEMAPHORE_USES(X)                                                       \
  X(ext_oneapi_wait_external_semaphore, TN_SYCL_EXP::external_semaphore)                \
  X(ext_oneapi_wait_external_semaphore, TN_SYCL_EXP::external_semaphore, std::uint64_t) \
  X(ext_oneapi_signal_external_semaphore, TN_SYCL_EXP::external_semaphore)              \
  X(ext_oneapi_signal_external_semaphore, TN_SYCL_EXP::external_semaphore, std::uint64_t)
#define TN_SYCL_EXP ext::oneapi::experimental
// Takes the parentheses off.
#define TN_SYCL_BARE(...) __VA_ARGS__

#endif
