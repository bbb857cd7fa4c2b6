// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unsampled bindless images of all dimensions and several types of pixels: kernels read them at
// other places than they write, also outside; image arrays, cubemaps, levels of mipmaps; copies of
// boxes between all kinds of memory; an atlas of handles in memory; copies as commands of queues.
// RUN: %tenonxx -fsycl -O0 -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"
#include <sycl/ext/oneapi/bindless_images.hpp>

#include <cstring>
#include <numeric>
#include <vector>

namespace syclexp = sycl::ext::oneapi::experimental;
using sycl::image_channel_type;
using syclexp::image_descriptor;
using syclexp::image_type;

template <class T>
T make(int seed) {
  T value;
  unsigned char bytes[sizeof(T)];
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    // No bits of a NaN, which a copy may change.
    bytes[i] = static_cast<unsigned char>((seed * 7 + static_cast<int>(i) * 3) % 60);
  }
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}
template <class T>
bool is_same(const T &a, const T &b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
std::vector<T> make_all(std::size_t count) {
  std::vector<T> all(count);
  for (std::size_t i = 0; i < count; ++i) {
    all[i] = make<T>(static_cast<int>(i));
  }
  return all;
}

template <int Dims>
auto place(int x, int y, int z) {
  if constexpr (Dims == 1) {
    return x;
  } else if constexpr (Dims == 2) {
    return sycl::int2(x, y);
  } else {
    return sycl::int3(x, y, z);
  }
}

struct own_pixel {
  float x, y, z, w;
};
template <class T>
using hint_of = std::conditional_t<std::is_same_v<T, own_pixel>, sycl::float4, T>;

// Each pixel becomes its neighbor, in all dimensions; the last ones read outside.
template <class T, int Dims>
void shift(sycl::queue &q, unsigned channels, image_channel_type type) {
  constexpr int w = 13, h = Dims > 1 ? 5 : 1, d = Dims > 2 ? 3 : 1;
  const image_descriptor desc(sycl::range<3>(w, Dims > 1 ? h : 0, Dims > 2 ? d : 0), channels,
                              type);
  const std::vector<T> in = make_all<T>(w * h * d);
  std::vector<T> out(in.size(), make<T>(5));
  syclexp::image_mem from(desc, q), to(desc, q);
  auto source = syclexp::create_image(from, desc, q);
  auto target = syclexp::create_image(to, desc, q);
  q.ext_oneapi_copy(in.data(), from.get_handle(), desc);
  q.wait_and_throw();
  q.parallel_for(sycl::range<3>(d, h, w), [=](sycl::id<3> id) {
    const int x = static_cast<int>(id[2]);
    const int y = static_cast<int>(id[1]);
    const int z = static_cast<int>(id[0]);
    const auto there = place<Dims>(x + 1, y + 1, z + 1);
    syclexp::write_image(target, place<Dims>(x, y, z),
                         syclexp::fetch_image<T, hint_of<T>>(source, there));
    // Nothing is written outside.
    syclexp::write_image(target, place<Dims>(x + w, y, z), T{});
    syclexp::write_image(target, place<Dims>(-1 - x, y, z), T{});
  });
  q.wait_and_throw();
  q.ext_oneapi_copy(to.get_handle(), out.data(), desc);
  q.wait_and_throw();
  int wrong = 0;
  for (int z = 0; z < d; ++z) {
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        const bool is_inside = x + 1 < w && (Dims < 2 || y + 1 < h) && (Dims < 3 || z + 1 < d);
        const int sy = Dims > 1 ? y + 1 : 0, sz = Dims > 2 ? z + 1 : 0;
        const T want = is_inside ? in[(sz * h + sy) * w + x + 1] : T{};
        wrong += !is_same(out[(z * h + y) * w + x], want);
      }
    }
  }
  EXPECT(wrong == 0);
  syclexp::destroy_image_handle(source, q);
  syclexp::destroy_image_handle(target, q);
}
template <class T>
void shift_all(sycl::queue &q, unsigned channels, image_channel_type type) {
  shift<T, 1>(q, channels, type);
  shift<T, 2>(q, channels, type);
  shift<T, 3>(q, channels, type);
}

// Layers, and the faces of a cube, change places.
template <class T, int Dims>
void swap_layers(sycl::queue &q, image_type type, unsigned layers) {
  constexpr int w = 6, h = Dims > 1 ? 6 : 1;
  const image_descriptor desc(sycl::range<3>(w, Dims > 1 ? h : 0, 0), 1,
                              image_channel_type::unsigned_int32, type, 1, layers);
  const std::vector<T> in = make_all<T>(w * h * layers);
  std::vector<T> out(in.size());
  syclexp::image_mem from(desc, q), to(desc, q);
  auto source = syclexp::create_image(from.get_handle(), desc, q);
  auto target = syclexp::create_image(to.get_handle(), desc, q);
  q.ext_oneapi_copy(in.data(), from.get_handle(), desc);
  q.wait_and_throw();
  q.parallel_for(sycl::range<3>(layers, h, w), [=](sycl::id<3> id) {
    const int x = static_cast<int>(id[2]);
    const int y = static_cast<int>(id[1]);
    const auto layer = static_cast<unsigned>(id[0]);
    if constexpr (Dims == 2) {
      if (type == image_type::cubemap) {
        const T pixel = syclexp::fetch_cubemap<T>(source, sycl::int2(x, y), layers - 1 - layer);
        syclexp::write_cubemap(target, sycl::int2(x, y), static_cast<int>(layer), pixel);
        return;
      }
    }
    const auto at = place<Dims>(x, y, 0);
    syclexp::write_image_array(target, at, layer,
                               syclexp::fetch_image_array<T>(source, at, layers - 1 - layer));
  });
  q.wait_and_throw();
  q.ext_oneapi_copy(to.get_handle(), out.data(), desc);
  q.wait_and_throw();
  int wrong = 0;
  for (unsigned layer = 0; layer < layers; ++layer) {
    for (int i = 0; i < w * h; ++i) {
      wrong += !is_same(out[layer * w * h + i], in[(layers - 1 - layer) * w * h + i]);
    }
  }
  EXPECT(wrong == 0);
  syclexp::destroy_image_handle(source, q);
  syclexp::destroy_image_handle(target, q);
}

// A box goes from the host into an image, from there into another, into USM, back and to the host.
void copy_boxes(sycl::queue &q) {
  constexpr std::size_t w = 8, h = 6, d = 4;
  const image_descriptor desc({w, h, d}, 2, image_channel_type::signed_int16);
  const image_descriptor rows({w, h}, 2, image_channel_type::signed_int16);
  const std::vector<sycl::short2> in = make_all<sycl::short2>(w * h * d);
  std::vector<sycl::short2> out(in.size());
  syclexp::image_mem first(desc, q), second(desc, q), flat(rows, q);
  const sycl::range<3> host(w, h, d), box(3, 2, 2), low(1, 2, 1), high(5, 3, 2), none(0, 0, 0);
  q.ext_oneapi_copy(in.data(), first.get_handle(), desc).wait();
  q.ext_oneapi_copy(out.data(), second.get_handle(), desc).wait();
  // From (1, 2, 1) to (5, 3, 2), and one slice on into an image of 2 dimensions.
  q.ext_oneapi_copy(first.get_handle(), low, desc, second.get_handle(), high, desc, box).wait();
  q.ext_oneapi_copy(in.data(), low, host, second.get_handle(), none, desc, box).wait();
  q.ext_oneapi_copy(second.get_handle(), none, desc, out.data(), none, host, host).wait();
  int wrong = 0;
  for (std::size_t z = 0; z < d; ++z) {
    for (std::size_t y = 0; y < h; ++y) {
      for (std::size_t x = 0; x < w; ++x) {
        const bool at_high = x >= 5 && y >= 3 && y < 5 && z >= 2;
        const bool at_none = x < 3 && y < 2 && z < 2;
        const std::size_t sx = at_high ? x - 4 : x + 1;
        const std::size_t sy = at_high ? y - 1 : y + 2;
        const std::size_t sz = at_high ? z - 1 : z + 1;
        const sycl::short2 want =
            at_high || at_none ? in[(sz * h + sy) * w + sx] : sycl::short2(0, 0);
        wrong += !is_same(out[(z * h + y) * w + x], want);
      }
    }
  }
  EXPECT(wrong == 0);
  // A row, of memory whose extent is 0; dimensions of 0 are 1.
  const sycl::range<3> three(3, 0, 0);
  q.ext_oneapi_copy(in.data(), three, none, second.get_handle(), none, desc, three).wait();
  q.ext_oneapi_copy(second.get_handle(), none, desc, out.data(), sycl::range<3>(1, 0, 0), none,
                    three)
      .wait();
  EXPECT(is_same(out[1], in[3]) && is_same(out[3], in[5]));
  // USM with rows that are apart.
  std::size_t pitch = 0;
  void *usm = syclexp::pitched_alloc_device(&pitch, rows, q);
  void *other = syclexp::pitched_alloc_device(&pitch, w * 4, h, 4, q);
  EXPECT(pitch >= w * 4);
  q.ext_oneapi_copy(in.data(), usm, rows, pitch).wait();
  q.ext_oneapi_copy(usm, rows, pitch, other, rows, pitch).wait();
  q.ext_oneapi_copy(other, rows, pitch, flat.get_handle(), rows).wait();
  q.ext_oneapi_copy(usm, sycl::range<3>(2, 1, 0), rows, pitch, flat.get_handle(), none, rows,
                    sycl::range<3>(4, 2, 1))
      .wait();
  q.ext_oneapi_copy(flat.get_handle(), rows, usm, rows, pitch).wait();
  q.ext_oneapi_copy(flat.get_handle(), none, rows, usm, sycl::range<3>(4, 4, 0), rows, pitch,
                    sycl::range<3>(2, 2, 1))
      .wait();
  q.ext_oneapi_copy(usm, none, other, none, rows, pitch, sycl::range<3>(w, h, 1),
                    sycl::range<3>(w, h, 1))
      .wait();
  q.ext_oneapi_copy(other, out.data(), rows, pitch).wait();
  wrong = 0;
  for (std::size_t y = 0; y < h; ++y) {
    for (std::size_t x = 0; x < w; ++x) {
      std::size_t sx = x, sy = y;
      if (x >= 4 && x < 6 && y >= 4) {
        sx = x - 4;
        sy = y - 4;
      }
      if (sx < 4 && sy < 2) {
        sx += 2;
        sy += 1;
      }
      wrong += !is_same(out[y * w + x], in[sy * w + sx]);
    }
  }
  EXPECT(wrong == 0);
  sycl::free(usm, q);
  sycl::free(other, q);
}

// Kernels get the images from memory, and as many as there are.
void read_an_atlas(sycl::queue &q) {
  constexpr int count = 20, w = 4;
  const image_descriptor desc({w, w}, 1, image_channel_type::signed_int32);
  std::vector<syclexp::image_mem> memories;
  std::vector<syclexp::unsampled_image_handle> handles;
  for (int i = 0; i < count; ++i) {
    std::vector<int> pixels(w * w);
    std::iota(pixels.begin(), pixels.end(), 100 * i);
    memories.emplace_back(desc, q);
    handles.push_back(syclexp::create_image(memories.back(), desc, q));
    q.ext_oneapi_copy(pixels.data(), memories.back().get_handle(), desc).wait();
  }
  auto *atlas = sycl::malloc_device<syclexp::unsampled_image_handle>(count, q);
  int *sums = sycl::malloc_shared<int>(count, q);
  q.copy(handles.data(), atlas, count).wait();
  q.parallel_for(count, [=](sycl::id<1> id) {
     sums[id] = syclexp::fetch_image<int>(atlas[id], sycl::int2(1, 2)) +
                syclexp::fetch_image<int>(atlas[(id[0] + 1) % count], sycl::int2(3, 0));
   }).wait();
  for (int i = 0; i < count; ++i) {
    EXPECT(sums[i] == 100 * i + 9 + 100 * ((i + 1) % count) + 3);
  }
  for (auto &handle : handles) {
    syclexp::destroy_image_handle(handle, q);
  }
  sycl::free(atlas, q);
  sycl::free(sums, q);
}

// Copies are commands: in their order, behind their events, and in graphs.
void order_copies(sycl::queue &q) {
  constexpr int w = 1000;
  const image_descriptor desc({w}, 1, image_channel_type::signed_int32);
  syclexp::image_mem memory(desc, q);
  auto image = syclexp::create_image(memory, desc, q);
  int *numbers = sycl::malloc_shared<int>(w, q);
  std::vector<int> out(w);
  const auto square = [=](sycl::id<1> id) {
    const int x = static_cast<int>(id[0]);
    const int value = syclexp::fetch_image<int>(image, x);
    syclexp::write_image(image, x, value * value);
  };
  sycl::event made =
      q.parallel_for(w, [=](sycl::id<1> id) { numbers[id] = static_cast<int>(id[0]); });
  sycl::event there = q.ext_oneapi_copy(numbers, memory.get_handle(), desc, made);
  sycl::event squared = q.parallel_for(w, there, square);
  sycl::event back = q.submit([&](sycl::handler &cgh) {
    cgh.depends_on(squared);
    cgh.ext_oneapi_copy(memory.get_handle(), out.data(), desc);
  });
  q.ext_oneapi_copy(memory.get_handle(), numbers, desc, std::vector<sycl::event>{squared, back})
      .wait();
  int wrong = 0;
  for (int i = 0; i < w; ++i) {
    wrong += out[i] != i * i || numbers[i] != i * i;
  }
  EXPECT(wrong == 0);

  syclexp::command_graph<> graph(q.get_context(), q.get_device());
  std::vector<int> in(w, 3);
  graph.begin_recording(q);
  there = q.ext_oneapi_copy(in.data(), memory.get_handle(), desc);
  squared = q.parallel_for(w, there, square);
  q.ext_oneapi_copy(memory.get_handle(), numbers, desc, squared);
  graph.end_recording(q);
  auto exec = graph.finalize();
  q.ext_oneapi_graph(exec).wait();
  EXPECT(numbers[0] == 9 && numbers[w - 1] == 9);
  in[0] = 5;
  q.ext_oneapi_graph(exec).wait();
  EXPECT(numbers[0] == 25 && numbers[w - 1] == 9);
  sycl::free(numbers, q);
  syclexp::destroy_image_handle(image, q);
}

// A level is an image.
void write_levels(sycl::queue &q) {
  const image_descriptor desc({16, 8}, 1, image_channel_type::fp32, image_type::mipmap, 4);
  syclexp::image_mem mipmap(desc, q);
  std::vector<float> out(16 * 8);
  for (unsigned level = 0; level < 4; ++level) {
    const image_descriptor at = desc.get_mip_level_desc(level);
    EXPECT(at.width == 16u >> level && at.height == 8u >> level && at.depth == 0);
    const auto memory = mipmap.get_mip_level_mem_handle(level);
    auto image = syclexp::create_image(memory, at, q);
    q.parallel_for(sycl::range<2>(at.height, at.width), [=](sycl::id<2> id) {
       const auto x = static_cast<int>(id[1]), y = static_cast<int>(id[0]);
       syclexp::write_image(image, sycl::int2(x, y), static_cast<float>(100 * level + x + y));
     }).wait();
    syclexp::destroy_image_handle(image, q);
  }
  for (unsigned level = 0; level < 4; ++level) {
    const image_descriptor at = desc.get_mip_level_desc(level);
    q.ext_oneapi_copy(mipmap.get_mip_level_mem_handle(level), out.data(), at).wait();
    for (std::size_t y = 0; y < at.height; ++y) {
      for (std::size_t x = 0; x < at.width; ++x) {
        EXPECT(out[y * at.width + x] == static_cast<float>(100 * level + x + y));
      }
    }
  }
}

int main() {
  sycl::queue q;
  const sycl::device device = q.get_device();
  if (!device.has(sycl::aspect::ext_oneapi_bindless_images)) {
    return 0;
  }
  shift_all<std::int8_t>(q, 1, image_channel_type::signed_int8);
  shift_all<std::uint16_t>(q, 1, image_channel_type::unsigned_int16);
  shift_all<sycl::uchar4>(q, 4, image_channel_type::unorm_int8);
  shift_all<float>(q, 1, image_channel_type::fp32);
  shift_all<sycl::int2>(q, 2, image_channel_type::signed_int32);
  shift_all<sycl::float4>(q, 4, image_channel_type::fp32);
  shift_all<own_pixel>(q, 4, image_channel_type::fp32);
  if (device.has(sycl::aspect::fp16)) {
    shift_all<sycl::half>(q, 1, image_channel_type::fp16);
    shift_all<sycl::half4>(q, 4, image_channel_type::fp16);
  }
  if (syclexp::is_image_handle_supported<syclexp::unsampled_image_handle>(
          image_descriptor({4, 4}, 3, image_channel_type::unsigned_int8),
          syclexp::image_memory_handle_type::opaque_handle, q)) {
    const image_descriptor desc({4, 4}, 3, image_channel_type::unsigned_int8);
    EXPECT(syclexp::image_mem(desc, q).get_channel_order() == sycl::image_channel_order::rgb);
  }
  if (device.has(sycl::aspect::ext_oneapi_image_array)) {
    swap_layers<unsigned, 1>(q, image_type::array, 3);
    swap_layers<unsigned, 2>(q, image_type::array, 5);
  }
  if (device.has(sycl::aspect::ext_oneapi_cubemap)) {
    swap_layers<unsigned, 2>(q, image_type::cubemap, 6);
  }
  if (device.has(sycl::aspect::ext_oneapi_mipmap) &&
      device.has(sycl::aspect::ext_oneapi_mipmap_level_reference)) {
    write_levels(q);
  }
  copy_boxes(q);
  read_an_atlas(q);
  order_copies(q);
  return failures != 0;
}
