// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The Mandelbrot set, one work-item a pixel, as a picture: mandelbrot.png, or the name given.
#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

constexpr std::size_t width = 800, height = 600;
constexpr int most_steps = 255;
constexpr float left = -2.3f, top = -1.2f, pixel = 0.004f;

// How often z = z*z + c stays within 2: for device and host. No multiplication may be fused with an
// addition, for one rounding less would move pixels at the border of the set.
static std::uint8_t escape_steps(std::size_t column, std::size_t row) {
#pragma clang fp contract(off)
  const float cx = left + pixel * static_cast<float>(column);
  const float cy = top + pixel * static_cast<float>(row);
  float x = 0, y = 0;
  int steps = 0;
  while (steps < most_steps && x * x + y * y <= 4.0f) {
    const float next = x * x - y * y + cx;
    y = 2.0f * x * y + cy;
    x = next;
    ++steps;
  }
  return static_cast<std::uint8_t>(steps);
}

using bytes = std::vector<std::uint8_t>;

static void add_number(bytes &out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) {
    out.push_back(static_cast<std::uint8_t>(value >> shift));
  }
}

// A chunk: its size, its name and data, and their checksum (PNG specification, section 5.3).
static void add_chunk(bytes &out, const char *name, const bytes &data) {
  add_number(out, static_cast<std::uint32_t>(data.size()));
  const std::size_t begin = out.size();
  out.insert(out.end(), name, name + 4);
  out.insert(out.end(), data.begin(), data.end());
  std::uint32_t crc = 0xffffffffu;
  for (std::size_t i = begin; i < out.size(); ++i) {
    crc ^= out[i];
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ (crc & 1 ? 0xedb88320u : 0);
    }
  }
  add_number(out, ~crc);
}

// The zlib form of the data in stored blocks: no compression, so that no library is needed.
static bytes stored(const bytes &data) {
  bytes out = {0x78, 0x01};
  std::size_t at = 0;
  do {
    const std::size_t size = std::min<std::size_t>(data.size() - at, 65535);
    out.push_back(at + size == data.size());
    for (const std::size_t part : {size, ~size}) {
      out.push_back(static_cast<std::uint8_t>(part));
      out.push_back(static_cast<std::uint8_t>(part >> 8));
    }
    out.insert(out.end(), data.begin() + static_cast<std::ptrdiff_t>(at),
               data.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  } while (at < data.size());
  std::uint32_t low = 1, high = 0;
  for (const std::uint8_t byte : data) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  add_number(out, high << 16 | low);
  return out;
}

// Black for what never escapes; for the others a wave a color, faster where escapes are early.
static bytes palette() {
  bytes out;
  for (int steps = 0; steps <= most_steps; ++steps) {
    const double phase = 2.2 * std::log1p(steps);
    for (const double shift : {0.0, 0.6, 1.2}) {
      const double wave = 0.5 - 0.5 * std::cos(phase + shift);
      out.push_back(static_cast<std::uint8_t>(steps == most_steps ? 0 : 255 * wave));
    }
  }
  return out;
}

static bool write_png(const std::string &name, const std::uint8_t *pixels) {
  bytes header, lines;
  add_number(header, width);
  add_number(header, height);
  header.insert(header.end(), {8, 3, 0, 0, 0});  // 8 bits a pixel, numbers of palette entries
  for (std::size_t row = 0; row < height; ++row) {
    lines.push_back(0);  // not filtered
    lines.insert(lines.end(), pixels + row * width, pixels + (row + 1) * width);
  }
  bytes out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  add_chunk(out, "IHDR", header);
  add_chunk(out, "PLTE", palette());
  add_chunk(out, "IDAT", stored(lines));
  add_chunk(out, "IEND", {});
  std::FILE *const file = std::fopen(name.c_str(), "wb");
  if (file == nullptr) {
    return false;
  }
  const bool written = std::fwrite(out.data(), 1, out.size(), file) == out.size();
  return std::fclose(file) == 0 && written;
}

static int run(const std::string &name) {
  std::vector<std::uint8_t> pixels(width * height);
  {
    sycl::queue q;
    sycl::buffer<std::uint8_t, 2> buffer(pixels.data(), sycl::range<2>(height, width));
    q.submit([&](sycl::handler &h) {
      const sycl::accessor out(buffer, h, sycl::write_only, sycl::no_init);
      h.parallel_for(sycl::range<2>(height, width),
                     [=](sycl::id<2> at) { out[at] = escape_steps(at[1], at[0]); });
    });
    q.wait_and_throw();
  }  // the buffer writes back here
  std::size_t wrong = 0;
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      wrong += pixels[row * width + column] != escape_steps(column, row);
    }
  }
  if (!write_png(name, pixels.data())) {
    std::perror(name.c_str());
    return 1;
  }
  std::printf("mandelbrot: %s: %zu of %zu pixels differ; the picture is %s\n",
              wrong == 0 ? "correct" : "WRONG", wrong, width * height, name.c_str());
  return wrong == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  try {
    return run(argc > 1 ? argv[1] : "mandelbrot.png");
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "mandelbrot: %s\n", error.what());
    return 1;
  }
}
