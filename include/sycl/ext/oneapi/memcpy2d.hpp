// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl_ext_oneapi_memcpy2d: the bodies of the members that copy and fill rows of memory. Included
// by queue.hpp.
#ifndef TENON_SYCL_EXT_ONEAPI_MEMCPY2D_HPP
#define TENON_SYCL_EXT_ONEAPI_MEMCPY2D_HPP

#include <sycl/detail/handler_commands.hpp>
#include <sycl/detail/queue_commands.hpp>

namespace sycl {

namespace detail {

// For patterns longer than the runtime's fill takes.
template <class T>
struct fill_rows_function {
  T *to;
  std::size_t pitch;
  T value;
  void operator()(item<2> place) const { to[place[0] * pitch + place[1]] = value; }
};

#ifndef __SYCL_DEVICE_ONLY__

inline tn_rect rows_at(const void *memory, std::size_t pitch, std::size_t width,
                       const char *too_wide) {
  if (width > pitch) {
    raise(errc::invalid, too_wide);
  }
  tn_rect rect = {};
  rect.memory = const_cast<void *>(memory);
  rect.row_pitch = pitch;
  rect.slice_pitch = pitch;
  return rect;
}

inline void set_rows(tn_command &command, std::size_t width, std::size_t height) {
  command.rect_extent[0] = width;
  command.rect_extent[1] = height;
  command.rect_extent[2] = 1;
}

inline void set_copy_rows(tn_command &command, void *dest, std::size_t dest_pitch, const void *src,
                          std::size_t src_pitch, std::size_t width, std::size_t height) {
  command.kind = TN_COMMAND_COPY_RECT;
  command.rect_dst = rows_at(dest, dest_pitch, width,
                             "a rectangular copy: the rows are wider than the destination's pitch");
  command.rect_src = rows_at(src, src_pitch, width,
                             "a rectangular copy: the rows are wider than the source's pitch");
  set_rows(command, width, height);
}

inline void set_fill_rows(tn_command &command, void *dest, std::size_t pitch, const void *pattern,
                          std::size_t pattern_size, std::size_t width, std::size_t height) {
  command.kind = TN_COMMAND_FILL_RECT;
  command.rect_dst = rows_at(dest, pitch, width,
                             "a rectangular fill: the rows are wider than the destination's pitch");
  command.pattern = pattern;
  command.pattern_size = pattern_size;
  set_rows(command, width, height);
}

#endif

template <class T>
std::size_t row_bytes(std::size_t count) {
  return byte_count<T>(count, "a row's elements are more bytes than memory has");
}

}  // namespace detail

#ifdef __SYCL_DEVICE_ONLY__

template <class T>
void handler::ext_oneapi_copy2d(const T *, std::size_t, T *, std::size_t, std::size_t,
                                std::size_t) {}
template <class T>
void handler::ext_oneapi_fill2d(void *, std::size_t, const T &, std::size_t, std::size_t) {
  if constexpr (sizeof(T) > detail::longest_pattern) {
    using function = detail::fill_rows_function<T>;
    detail::emit_kernel<detail::memory_kernel<function>, function, detail::range_shape<2>>();
  }
}

#else

inline void handler::ext_oneapi_memcpy2d(void *dest, std::size_t destPitch, const void *src,
                                         std::size_t srcPitch, std::size_t width,
                                         std::size_t height) {
  begin_action(TN_COMMAND_COPY_RECT);
  detail::set_copy_rows(group_.command, dest, destPitch, src, srcPitch, width, height);
}

template <class T>
void handler::ext_oneapi_copy2d(const T *src, std::size_t srcPitch, T *dest, std::size_t destPitch,
                                std::size_t width, std::size_t height) {
  static_assert(is_device_copyable_v<T>, "copy2d: the type has to be device copyable");
  ext_oneapi_memcpy2d(dest, detail::row_bytes<T>(destPitch), src, detail::row_bytes<T>(srcPitch),
                      detail::row_bytes<T>(width), height);
}

inline void handler::ext_oneapi_memset2d(void *dest, std::size_t destPitch, int value,
                                         std::size_t width, std::size_t height) {
  begin_action(TN_COMMAND_FILL_RECT);
  auto *byte = static_cast<unsigned char *>(place_block(1, 1));
  *byte = static_cast<unsigned char>(value);
  detail::set_fill_rows(group_.command, dest, destPitch, byte, 1, width, height);
}

template <class T>
void handler::ext_oneapi_fill2d(void *dest, std::size_t destPitch, const T &pattern,
                                std::size_t width, std::size_t height) {
  static_assert(is_device_copyable_v<T>, "fill2d: the type has to be device copyable");
  const std::size_t row = detail::row_bytes<T>(width);
  const std::size_t pitch = detail::row_bytes<T>(destPitch);
  if constexpr (sizeof(T) > detail::longest_pattern) {
    tn_command unused = {};
    detail::set_fill_rows(unused, dest, pitch, &pattern, sizeof(T), row, height);
    using function = detail::fill_rows_function<T>;
    set_kernel<detail::memory_kernel<function>, detail::range_shape<2>>(
        function{static_cast<T *>(dest), destPitch, pattern}, range<2>(height, width));
  } else {
    begin_action(TN_COMMAND_FILL_RECT);
    void *block = place_block(sizeof(T), alignof(T));
    __builtin_memcpy(block, &pattern, sizeof(T));
    detail::set_fill_rows(group_.command, dest, pitch, block, sizeof(T), row, height);
  }
}

inline event queue::ext_oneapi_memcpy2d(void *dest, std::size_t destPitch, const void *src,
                                        std::size_t srcPitch, std::size_t width,
                                        std::size_t height) {
  tn_command command = {};
  detail::set_copy_rows(command, dest, destPitch, src, srcPitch, width, height);
  return submit_plain(command, nullptr, 0);
}
inline event queue::ext_oneapi_memcpy2d(void *dest, std::size_t destPitch, const void *src,
                                        std::size_t srcPitch, std::size_t width, std::size_t height,
                                        event depEvent) {
  tn_command command = {};
  detail::set_copy_rows(command, dest, destPitch, src, srcPitch, width, height);
  return submit_plain(command, &depEvent, 1);
}
inline event queue::ext_oneapi_memcpy2d(void *dest, std::size_t destPitch, const void *src,
                                        std::size_t srcPitch, std::size_t width, std::size_t height,
                                        const std::vector<event> &depEvents) {
  tn_command command = {};
  detail::set_copy_rows(command, dest, destPitch, src, srcPitch, width, height);
  return submit_plain(command, depEvents.data(), depEvents.size());
}

inline event queue::ext_oneapi_memset2d(void *dest, std::size_t destPitch, int value,
                                        std::size_t width, std::size_t height) {
  tn_command command = {};
  const auto byte = static_cast<unsigned char>(value);
  detail::set_fill_rows(command, dest, destPitch, &byte, 1, width, height);
  return submit_plain(command, nullptr, 0);
}
inline event queue::ext_oneapi_memset2d(void *dest, std::size_t destPitch, int value,
                                        std::size_t width, std::size_t height, event depEvent) {
  tn_command command = {};
  const auto byte = static_cast<unsigned char>(value);
  detail::set_fill_rows(command, dest, destPitch, &byte, 1, width, height);
  return submit_plain(command, &depEvent, 1);
}
inline event queue::ext_oneapi_memset2d(void *dest, std::size_t destPitch, int value,
                                        std::size_t width, std::size_t height,
                                        const std::vector<event> &depEvents) {
  tn_command command = {};
  const auto byte = static_cast<unsigned char>(value);
  detail::set_fill_rows(command, dest, destPitch, &byte, 1, width, height);
  return submit_plain(command, depEvents.data(), depEvents.size());
}

#endif

template <class T>
event queue::ext_oneapi_copy2d(const T *src, std::size_t srcPitch, T *dest, std::size_t destPitch,
                               std::size_t width, std::size_t height) {
  static_assert(is_device_copyable_v<T>, "copy2d: the type has to be device copyable");
  return ext_oneapi_memcpy2d(dest, detail::row_bytes<T>(destPitch), src,
                             detail::row_bytes<T>(srcPitch), detail::row_bytes<T>(width), height);
}
template <class T>
event queue::ext_oneapi_copy2d(const T *src, std::size_t srcPitch, T *dest, std::size_t destPitch,
                               std::size_t width, std::size_t height, event depEvent) {
  static_assert(is_device_copyable_v<T>, "copy2d: the type has to be device copyable");
  return ext_oneapi_memcpy2d(dest, detail::row_bytes<T>(destPitch), src,
                             detail::row_bytes<T>(srcPitch), detail::row_bytes<T>(width), height,
                             std::move(depEvent));
}
template <class T>
event queue::ext_oneapi_copy2d(const T *src, std::size_t srcPitch, T *dest, std::size_t destPitch,
                               std::size_t width, std::size_t height,
                               const std::vector<event> &depEvents) {
  static_assert(is_device_copyable_v<T>, "copy2d: the type has to be device copyable");
  return ext_oneapi_memcpy2d(dest, detail::row_bytes<T>(destPitch), src,
                             detail::row_bytes<T>(srcPitch), detail::row_bytes<T>(width), height,
                             depEvents);
}

template <class T>
event queue::ext_oneapi_fill2d(void *dest, std::size_t destPitch, const T &pattern,
                               std::size_t width, std::size_t height) {
  return submit(
      [&](handler &cgh) { cgh.ext_oneapi_fill2d(dest, destPitch, pattern, width, height); });
}
template <class T>
event queue::ext_oneapi_fill2d(void *dest, std::size_t destPitch, const T &pattern,
                               std::size_t width, std::size_t height, event depEvent) {
  return submit([&](handler &cgh) {
    cgh.depends_on(depEvent);
    cgh.ext_oneapi_fill2d(dest, destPitch, pattern, width, height);
  });
}
template <class T>
event queue::ext_oneapi_fill2d(void *dest, std::size_t destPitch, const T &pattern,
                               std::size_t width, std::size_t height,
                               const std::vector<event> &depEvents) {
  return submit([&](handler &cgh) {
    cgh.depends_on(depEvents);
    cgh.ext_oneapi_fill2d(dest, destPitch, pattern, width, height);
  });
}

}  // namespace sycl

#endif
