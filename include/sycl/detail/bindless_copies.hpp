// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bodies of handler::ext_oneapi_copy and queue::ext_oneapi_copy. Included by
// bindless_images.hpp. Source: sycl_ext_oneapi_bindless_images.
#ifndef TENON_SYCL_DETAIL_BINDLESS_COPIES_HPP
#define TENON_SYCL_DETAIL_BINDLESS_COPIES_HPP

#include <sycl/ext/oneapi/bindless_images_interop.hpp>
#include <sycl/ext/oneapi/bindless_images_memory.hpp>
#include <sycl/queue.hpp>

#include <initializer_list>
#include <vector>

namespace sycl {

namespace detail {

// The events that a command depends on: one or several. Refers to the arguments of a call.
struct events_before {
  const event *events;
  std::size_t count;
  events_before(const event &one) : events(&one), count(1) {}
  events_before(const std::vector<event> &all) : events(all.data()), count(all.size()) {}
  events_before(std::initializer_list<event> all) : events(all.begin()), count(all.size()) {}
};

}  // namespace detail

#ifndef __SYCL_DEVICE_ONLY__

namespace detail::bindless {

using ext::oneapi::experimental::image_descriptor;
using ext::oneapi::experimental::image_mem_handle;

std::size_t pixel_size_of(const image_descriptor &desc);

inline std::size_t least_1(std::size_t extent) { return extent > 0 ? extent : 1; }

// Pixels of an image; layers are slices.
inline range<3> extent_of(const image_descriptor &desc) {
  return {desc.width, least_1(desc.height), least_1(desc.depth) * desc.array_size};
}

// One side of a copy; `x` in bytes.
struct copy_side {
  tn_rect rect = {};
  bool is_image = false;
};
inline copy_side side_of(image_mem_handle memory, const image_descriptor &desc,
                         const range<3> &offset) {
  copy_side side;
  side.rect.memory = reinterpret_cast<void *>(memory.raw_handle);
  side.rect.offset = offset[0] * pixel_size_of(desc);
  side.rect.row_pitch = offset[1];
  side.rect.slice_pitch = offset[2];
  side.is_image = true;
  if (!side.rect.memory) {
    raise(errc::invalid, "ext_oneapi_copy: the memory handle of an image is 0");
  }
  return side;
}
inline copy_side side_of(const void *memory, std::size_t row_pitch, std::size_t rows,
                         const image_descriptor &desc, const range<3> &offset) {
  if (!memory) {
    raise(errc::invalid, "ext_oneapi_copy: a pointer to memory is null");
  }
  copy_side side;
  side.rect.row_pitch = row_pitch;
  side.rect.slice_pitch = row_pitch * least_1(rows);
  side.rect.memory = static_cast<unsigned char *>(const_cast<void *>(memory)) +
                     offset[0] * pixel_size_of(desc) + offset[1] * side.rect.row_pitch +
                     offset[2] * side.rect.slice_pitch;
  return side;
}
// Without a pitch, rows have no gaps.
inline copy_side side_of(const void *memory, const image_descriptor &desc, std::size_t row_pitch,
                         const range<3> &offset) {
  const std::size_t row_size = pixel_size_of(desc) * desc.width;
  return side_of(memory, row_pitch != 0 && desc.height != 0 ? row_pitch : row_size, desc.height,
                 desc, offset);
}

// A single row needs no pitch: the extent of memory may be 0 then.
inline tn_rect fit_rect(const copy_side &side, const tn_command &command) {
  tn_rect rect = side.rect;
  if (!side.is_image && rect.row_pitch < command.rect_extent[0]) {
    if (command.rect_extent[1] > 1) {
      raise(errc::invalid, "ext_oneapi_copy: the rows are wider than a row pitch");
    }
    rect.row_pitch = command.rect_extent[0];
    rect.slice_pitch = rect.slice_pitch != 0 ? rect.slice_pitch : rect.row_pitch;
  }
  return rect;
}
inline tn_command copy_of(const copy_side &from, const copy_side &to, const image_descriptor &desc,
                          const range<3> &extent) {
  tn_command command = {};
  command.kind = TN_COMMAND_COPY_RECT;
  command.rect_extent[0] = extent[0] * pixel_size_of(desc);
  command.rect_extent[1] = least_1(extent[1]);
  command.rect_extent[2] = least_1(extent[2]);
  command.rect_src = fit_rect(from, command);
  command.rect_dst = fit_rect(to, command);
  command.flags = (from.is_image ? TN_COMMAND_IMAGE_SOURCE : 0u) |
                  (to.is_image ? TN_COMMAND_IMAGE_DESTINATION : 0u);
  return command;
}

inline bool is_of_device(tn_queue *queue, const void *memory) {
  tn_usm_info info;
  tn_diag diag;
  check(tn_usm_query(tn_queue_context(queue), memory, &info, &diag), diag);
  return info.kind == TN_USM_DEVICE || info.kind == TN_USM_SHARED;
}

inline const range<3> origin(0, 0, 0);

inline tn_command copy_image(tn_queue *, const void *from, image_mem_handle to,
                             const image_descriptor &desc) {
  return copy_of(side_of(from, desc, 0, origin), side_of(to, desc, origin), desc, extent_of(desc));
}
inline tn_command copy_image(tn_queue *, const void *from, const range<3> &from_offset,
                             const range<3> &from_extent, image_mem_handle to,
                             const range<3> &to_offset, const image_descriptor &desc,
                             const range<3> &extent) {
  return copy_of(
      side_of(from, from_extent[0] * pixel_size_of(desc), from_extent[1], desc, from_offset),
      side_of(to, desc, to_offset), desc, extent);
}
inline tn_command copy_image(tn_queue *, image_mem_handle from, const void *to,
                             const image_descriptor &desc) {
  return copy_of(side_of(from, desc, origin), side_of(to, desc, 0, origin), desc, extent_of(desc));
}
inline tn_command copy_image(tn_queue *, image_mem_handle from, const range<3> &from_offset,
                             const image_descriptor &desc, const void *to,
                             const range<3> &to_offset, const range<3> &to_extent,
                             const range<3> &extent) {
  return copy_of(side_of(from, desc, from_offset),
                 side_of(to, to_extent[0] * pixel_size_of(desc), to_extent[1], desc, to_offset),
                 desc, extent);
}
// Between host and device: the side with the pitch is the one in USM of a device.
inline tn_command copy_image(tn_queue *queue, const void *from, const void *to,
                             const image_descriptor &desc, std::size_t pitch) {
  const bool is_to_device = is_of_device(queue, to);
  const bool is_from_device = is_of_device(queue, from) || !is_to_device;
  return copy_of(side_of(from, desc, is_from_device ? pitch : 0, origin),
                 side_of(to, desc, is_to_device ? pitch : 0, origin), desc, extent_of(desc));
}
inline tn_command copy_image(tn_queue *queue, const void *from, const range<3> &from_offset,
                             const void *to, const range<3> &to_offset,
                             const image_descriptor &desc, std::size_t pitch,
                             const range<3> &host_extent, const range<3> &extent) {
  const bool is_to_device = is_of_device(queue, to);
  const bool is_from_device = is_of_device(queue, from) || !is_to_device;
  const std::size_t host_pitch = host_extent[0] * pixel_size_of(desc);
  return copy_of(side_of(from, is_from_device ? pitch : host_pitch,
                         is_from_device ? desc.height : host_extent[1], desc, from_offset),
                 side_of(to, is_to_device ? pitch : host_pitch,
                         is_to_device ? desc.height : host_extent[1], desc, to_offset),
                 desc, extent);
}
inline tn_command copy_image(tn_queue *, image_mem_handle from, const range<3> &from_offset,
                             const image_descriptor &from_desc, image_mem_handle to,
                             const range<3> &to_offset, const image_descriptor &to_desc,
                             const range<3> &extent) {
  return copy_of(side_of(from, from_desc, from_offset), side_of(to, to_desc, to_offset), from_desc,
                 extent);
}
inline tn_command copy_image(tn_queue *queue, image_mem_handle from,
                             const image_descriptor &from_desc, image_mem_handle to,
                             const image_descriptor &to_desc) {
  return copy_image(queue, from, origin, from_desc, to, origin, to_desc, extent_of(from_desc));
}
inline tn_command copy_image(tn_queue *, image_mem_handle from, const range<3> &from_offset,
                             const image_descriptor &from_desc, const void *to,
                             const range<3> &to_offset, const image_descriptor &to_desc,
                             std::size_t to_pitch, const range<3> &extent) {
  return copy_of(side_of(from, from_desc, from_offset), side_of(to, to_desc, to_pitch, to_offset),
                 from_desc, extent);
}
inline tn_command copy_image(tn_queue *queue, image_mem_handle from,
                             const image_descriptor &from_desc, const void *to,
                             const image_descriptor &to_desc, std::size_t to_pitch) {
  return copy_image(queue, from, origin, from_desc, to, origin, to_desc, to_pitch,
                    extent_of(from_desc));
}
inline tn_command copy_image(tn_queue *, const void *from, const range<3> &from_offset,
                             const image_descriptor &from_desc, std::size_t from_pitch,
                             image_mem_handle to, const range<3> &to_offset,
                             const image_descriptor &to_desc, const range<3> &extent) {
  return copy_of(side_of(from, from_desc, from_pitch, from_offset), side_of(to, to_desc, to_offset),
                 from_desc, extent);
}
inline tn_command copy_image(tn_queue *queue, const void *from, const image_descriptor &from_desc,
                             std::size_t from_pitch, image_mem_handle to,
                             const image_descriptor &to_desc) {
  return copy_image(queue, from, origin, from_desc, from_pitch, to, origin, to_desc,
                    extent_of(from_desc));
}
inline tn_command copy_image(tn_queue *, const void *from, const range<3> &from_offset,
                             const image_descriptor &from_desc, std::size_t from_pitch,
                             const void *to, const range<3> &to_offset,
                             const image_descriptor &to_desc, std::size_t to_pitch,
                             const range<3> &extent) {
  return copy_of(side_of(from, from_desc, from_pitch, from_offset),
                 side_of(to, to_desc, to_pitch, to_offset), from_desc, extent);
}
inline tn_command copy_image(tn_queue *queue, const void *from, const image_descriptor &from_desc,
                             std::size_t from_pitch, const void *to,
                             const image_descriptor &to_desc, std::size_t to_pitch) {
  return copy_image(queue, from, origin, from_desc, from_pitch, to, origin, to_desc, to_pitch,
                    extent_of(from_desc));
}

[[noreturn]] TN_SYCL_COLD inline void refuse_import() {
  raise(errc::feature_not_supported,
        "no device imports memory or semaphores of other APIs; ask for "
        "aspect::ext_oneapi_external_memory_import and ext_oneapi_external_semaphore_import first");
}

}  // namespace detail::bindless

#define TN_SYCL_COPY_BODY(parameters, names)                                              \
  TN_SYCL_COLD inline void handler::ext_oneapi_copy(TN_SYCL_BARE parameters) {            \
    set_rects(detail::bindless::copy_image(group_.queue, TN_SYCL_BARE names));            \
  }                                                                                       \
  TN_SYCL_COLD inline event queue::ext_oneapi_copy(TN_SYCL_BARE parameters,               \
                                                   const detail::events_before &before) { \
    tn_command command = detail::bindless::copy_image(object_, TN_SYCL_BARE names);       \
    return submit_plain(command, before.events, before.count);                            \
  }                                                                                       \
  inline event queue::ext_oneapi_copy(TN_SYCL_BARE parameters) {                          \
    tn_command command = detail::bindless::copy_image(object_, TN_SYCL_BARE names);       \
    return submit_plain(command, nullptr, 0);                                             \
  }
TN_SYCL_IMAGE_COPIES(TN_SYCL_COPY_BODY)
#undef TN_SYCL_COPY_BODY

TN_SYCL_COLD inline void handler::set_rects(const tn_command &copy) {
  begin_action(copy.kind);
  group_.command.rect_src = copy.rect_src;
  group_.command.rect_dst = copy.rect_dst;
  group_.command.flags = copy.flags;
  for (int i = 0; i < 3; ++i) {
    group_.command.rect_extent[i] = copy.rect_extent[i];
  }
}

#define TN_SYCL_USE_BODY(name, ...)                                             \
  inline void handler::name(__VA_ARGS__) { detail::bindless::refuse_import(); } \
  inline event queue::name(__VA_ARGS__) { detail::bindless::refuse_import(); }  \
  inline event queue::name(__VA_ARGS__, const detail::events_before &) {        \
    detail::bindless::refuse_import();                                          \
  }
TN_SYCL_SEMAPHORE_USES(TN_SYCL_USE_BODY)
#undef TN_SYCL_USE_BODY

#endif

}  // namespace sycl

#endif
