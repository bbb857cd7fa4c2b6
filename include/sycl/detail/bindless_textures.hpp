// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pixels of bindless images on NVIDIA GPUs: a handle is a surface or texture object, which PTX's
// instructions use. Functions as in bindless_pixels.hpp.
// Source: PTX ISA, texture and surface instructions.
#ifndef TENON_SYCL_DETAIL_BINDLESS_TEXTURES_HPP
#define TENON_SYCL_DETAIL_BINDLESS_TEXTURES_HPP

#include <sycl/detail/image_pixels.hpp>

namespace sycl::detail::bindless {

// Calls `use` with PTX's name of a shape and the coordinates, which are operands of the statement.
#define TN_PTX_FOR_SHAPE(use)                          \
  if constexpr (Dimensions == 1 && !HasLayer) {        \
    use("1d", "{%[x]}")                                \
  } else if constexpr (Dimensions == 2 && !HasLayer) { \
    use("2d", "{%[x], %[y]}")                          \
  } else if constexpr (Dimensions == 3) {              \
    use("3d", "{%[x], %[y], %[z], %[z]}")              \
  } else if constexpr (Dimensions == 1) {              \
    use("a1d", "{%[l], %[x]}")                         \
  } else {                                             \
    use("a2d", "{%[l], %[x], %[y], %[y]}")             \
  }
#define TN_PTX_AT(kind) [x] kind(at[0]), [y] kind(at[1]), [z] kind(at[2]), [l] "r"(layer)

// ---- Surfaces. The first coordinate is in bytes; zeros are read outside, and nothing is written.

#define TN_PTX_LOAD(shape, place)                                                                 \
  if constexpr (size == 1) {                                                                      \
    asm volatile("suld.b." shape ".b8.zero {%[a]}, [%[s], " place "];"                            \
                 : [a] "=h"(halves[0])                                                            \
                 : [s] "l"(image), TN_PTX_AT("r"));                                               \
  } else if constexpr (size == 2) {                                                               \
    asm volatile("suld.b." shape ".b16.zero {%[a]}, [%[s], " place "];"                           \
                 : [a] "=h"(halves[0])                                                            \
                 : [s] "l"(image), TN_PTX_AT("r"));                                               \
  } else if constexpr (size == 4) {                                                               \
    asm volatile("suld.b." shape ".b32.zero {%[a]}, [%[s], " place "];"                           \
                 : [a] "=r"(words[0])                                                             \
                 : [s] "l"(image), TN_PTX_AT("r"));                                               \
  } else if constexpr (size == 8) {                                                               \
    asm volatile("suld.b." shape ".v2.b32.zero {%[a], %[b]}, [%[s], " place "];"                  \
                 : [a] "=r"(words[0]), [b] "=r"(words[1])                                         \
                 : [s] "l"(image), TN_PTX_AT("r"));                                               \
  } else {                                                                                        \
    asm volatile("suld.b." shape ".v4.b32.zero {%[a], %[b], %[c], %[d]}, [%[s], " place "];"      \
                 : [a] "=r"(words[0]), [b] "=r"(words[1]), [c] "=r"(words[2]), [d] "=r"(words[3]) \
                 : [s] "l"(image), TN_PTX_AT("r"));                                               \
  }
#define TN_PTX_STORE(shape, place)                                                            \
  if constexpr (size == 1) {                                                                  \
    asm volatile("sust.b." shape ".b8.zero [%[s], " place "], {%[a]};" ::[a] "h"(halves[0]),  \
                 [s] "l"(image), TN_PTX_AT("r")                                               \
                 : "memory");                                                                 \
  } else if constexpr (size == 2) {                                                           \
    asm volatile("sust.b." shape ".b16.zero [%[s], " place "], {%[a]};" ::[a] "h"(halves[0]), \
                 [s] "l"(image), TN_PTX_AT("r")                                               \
                 : "memory");                                                                 \
  } else if constexpr (size == 4) {                                                           \
    asm volatile("sust.b." shape ".b32.zero [%[s], " place "], {%[a]};" ::[a] "r"(words[0]),  \
                 [s] "l"(image), TN_PTX_AT("r")                                               \
                 : "memory");                                                                 \
  } else if constexpr (size == 8) {                                                           \
    asm volatile("sust.b." shape ".v2.b32.zero [%[s], " place                                 \
                 "], {%[a], %[b]};" ::[a] "r"(words[0]),                                      \
                 [b] "r"(words[1]), [s] "l"(image), TN_PTX_AT("r")                            \
                 : "memory");                                                                 \
  } else {                                                                                    \
    asm volatile("sust.b." shape ".v4.b32.zero [%[s], " place                                 \
                 "], {%[a], %[b], %[c], %[d]};" ::[a] "r"(words[0]),                          \
                 [b] "r"(words[1]), [c] "r"(words[2]), [d] "r"(words[3]), [s] "l"(image),     \
                 TN_PTX_AT("r")                                                               \
                 : "memory");                                                                 \
  }

template <class DataT, int Dimensions, bool HasLayer>
DataT fetch_raw(std::uint64_t image, const int (&pixel)[3], unsigned layer) noexcept {
  constexpr int size = sizeof(DataT);
  const int at[3] = {pixel[0] * size, pixel[1], pixel[2]};
  std::uint16_t halves[1] = {0};
  std::uint32_t words[4] = {0, 0, 0, 0};
  TN_PTX_FOR_SHAPE(TN_PTX_LOAD)
  DataT data;
  if constexpr (size < 4) {
    __builtin_memcpy(&data, halves, size);
  } else {
    __builtin_memcpy(&data, words, size);
  }
  return data;
}
template <class DataT, int Dimensions, bool HasLayer>
void write_raw(std::uint64_t image, const int (&pixel)[3], unsigned layer,
               const DataT &data) noexcept {
  constexpr int size = sizeof(DataT);
  const int at[3] = {pixel[0] * size, pixel[1], pixel[2]};
  std::uint16_t halves[1] = {0};
  std::uint32_t words[4] = {0, 0, 0, 0};
  if constexpr (size < 4) {
    __builtin_memcpy(halves, &data, size);
  } else {
    __builtin_memcpy(words, &data, size);
  }
  TN_PTX_FOR_SHAPE(TN_PTX_STORE)
}

// ---- Textures

// `rest` is the type of the coordinates and all that follows.
#define TN_PTX_READ(instruction, rest, ...)                                      \
  if constexpr (std::is_same_v<E, float>) {                                      \
    asm(instruction ".v4.f32" rest                                               \
        : [a] "=f"(out[0]), [b] "=f"(out[1]), [c] "=f"(out[2]), [d] "=f"(out[3]) \
        : [t] "l"(image), __VA_ARGS__);                                          \
  } else if constexpr (std::is_same_v<E, std::int32_t>) {                        \
    asm(instruction ".v4.s32" rest                                               \
        : [a] "=r"(out[0]), [b] "=r"(out[1]), [c] "=r"(out[2]), [d] "=r"(out[3]) \
        : [t] "l"(image), __VA_ARGS__);                                          \
  } else {                                                                       \
    asm(instruction ".v4.u32" rest                                               \
        : [a] "=r"(out[0]), [b] "=r"(out[1]), [c] "=r"(out[2]), [d] "=r"(out[3]) \
        : [t] "l"(image), __VA_ARGS__);                                          \
  }
#define TN_PTX_TO " {%[a], %[b], %[c], %[d]}, [%[t], "

#define TN_PTX_FETCH(shape, place) \
  TN_PTX_READ("tex." shape, ".s32" TN_PTX_TO place "];", TN_PTX_AT("r"))
template <int Dimensions, bool HasLayer, class E>
void fetch_texel(std::uint64_t image, const int (&at)[3], unsigned layer,
                 E (&out)[4]) noexcept {TN_PTX_FOR_SHAPE(TN_PTX_FETCH)}
#define TN_PTX_SAMPLE(shape, place) \
  TN_PTX_READ("tex." shape, ".f32" TN_PTX_TO place "];", TN_PTX_AT("f"))
template <int Dimensions, bool HasLayer, class E>
void sample_texel(std::uint64_t image, const float (&at)[3], unsigned layer, E (&out)[4]) noexcept {
  TN_PTX_FOR_SHAPE(TN_PTX_SAMPLE)
}
template <class E>
void sample_texel_of_cube(std::uint64_t image, const float (&at)[3], E (&out)[4]) noexcept {
  constexpr unsigned layer = 0;
  TN_PTX_SAMPLE("cube", "{%[x], %[y], %[z], %[z]}")
}

#define TN_PTX_SAMPLE_AT(shape, place) \
  TN_PTX_READ("tex.level." shape, ".f32" TN_PTX_TO place "], %[v];", [v] "f"(level), TN_PTX_AT("f"))
template <int Dimensions, class E>
void sample_texel_at(std::uint64_t image, const float (&at)[3], float level, E (&out)[4]) noexcept {
  constexpr bool HasLayer = false;
  constexpr unsigned layer = 0;
  TN_PTX_FOR_SHAPE(TN_PTX_SAMPLE_AT)
}

#define TN_PTX_SAMPLE_ALONG(shape, place, along)                                              \
  TN_PTX_READ("tex.grad." shape, ".f32" TN_PTX_TO place "], " along ";", [p] "f"(dx[0]),      \
              [q] "f"(dx[1]), [r] "f"(dx[2]), [u] "f"(dy[0]), [v] "f"(dy[1]), [w] "f"(dy[2]), \
              TN_PTX_AT("f"))
template <int Dimensions, class E>
void sample_texel_along(std::uint64_t image, const float (&at)[3], const float (&dx)[3],
                        const float (&dy)[3], E (&out)[4]) noexcept {
  constexpr unsigned layer = 0;
  if constexpr (Dimensions == 1) {
    TN_PTX_SAMPLE_ALONG("1d", "{%[x]}", "{%[p]}, {%[u]}")
  } else if constexpr (Dimensions == 2) {
    TN_PTX_SAMPLE_ALONG("2d", "{%[x], %[y]}", "{%[p], %[q]}, {%[u], %[v]}")
  } else {
    TN_PTX_SAMPLE_ALONG("3d", "{%[x], %[y], %[z], %[z]}",
                        "{%[p], %[q], %[r], %[r]}, {%[u], %[v], %[w], %[w]}")
  }
}

#define TN_PTX_GATHER(channel)       \
  TN_PTX_READ("tld4." channel ".2d", \
              ".f32" TN_PTX_TO "{%[x], %[y]}];", [x] "f"(at[0]), [y] "f"(at[1]))
template <class E>
void gather_texels(std::uint64_t image, const float (&at)[3], unsigned channel,
                   E (&out)[4]) noexcept {
  switch (channel & 3u) {
    case 0:
      TN_PTX_GATHER("r")
      break;
    case 1:
      TN_PTX_GATHER("g")
      break;
    case 2:
      TN_PTX_GATHER("b")
      break;
    default:
      TN_PTX_GATHER("a")
      break;
  }
}

#undef TN_PTX_FOR_SHAPE
#undef TN_PTX_AT
#undef TN_PTX_LOAD
#undef TN_PTX_STORE
#undef TN_PTX_READ
#undef TN_PTX_TO
#undef TN_PTX_FETCH
#undef TN_PTX_SAMPLE
#undef TN_PTX_SAMPLE_AT
#undef TN_PTX_SAMPLE_ALONG
#undef TN_PTX_GATHER

}  // namespace sycl::detail::bindless

#endif
