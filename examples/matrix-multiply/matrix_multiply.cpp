// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C = A B twice: one work-item an element straight from global memory, and in 16 x 16 tiles that
// each work-group first brings into local memory.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr std::size_t rows = 192, inner = 128, columns = 256;  // multiples of the tile
constexpr std::size_t tile = 16;
using matrix = sycl::buffer<float, 2>;

static void multiply_naive(sycl::queue &q, matrix &a_buffer, matrix &b_buffer, matrix &c_buffer) {
  q.submit([&](sycl::handler &h) {
    const sycl::accessor a(a_buffer, h, sycl::read_only);
    const sycl::accessor b(b_buffer, h, sycl::read_only);
    const sycl::accessor c(c_buffer, h, sycl::write_only, sycl::no_init);
    h.parallel_for(sycl::range<2>(rows, columns), [=](sycl::id<2> at) {
      float sum = 0;
      for (std::size_t k = 0; k < inner; ++k) {
        sum += a[at[0]][k] * b[k][at[1]];
      }
      c[at] = sum;
    });
  });
}

static void multiply_tiled(sycl::queue &q, matrix &a_buffer, matrix &b_buffer, matrix &c_buffer) {
  q.submit([&](sycl::handler &h) {
    const sycl::accessor a(a_buffer, h, sycl::read_only);
    const sycl::accessor b(b_buffer, h, sycl::read_only);
    const sycl::accessor c(c_buffer, h, sycl::write_only, sycl::no_init);
    const sycl::local_accessor<float, 2> a_tile(sycl::range<2>(tile, tile), h);
    const sycl::local_accessor<float, 2> b_tile(sycl::range<2>(tile, tile), h);
    const sycl::nd_range<2> shape({rows, columns}, {tile, tile});
    h.parallel_for(shape, [=](sycl::nd_item<2> item) {
      const std::size_t row = item.get_global_id(0), column = item.get_global_id(1);
      const std::size_t y = item.get_local_id(0), x = item.get_local_id(1);
      float sum = 0;
      for (std::size_t first = 0; first < inner; first += tile) {
        a_tile[y][x] = a[row][first + x];
        b_tile[y][x] = b[first + y][column];
        sycl::group_barrier(item.get_group());  // the tiles are complete
        for (std::size_t k = 0; k < tile; ++k) {
          sum += a_tile[y][k] * b_tile[k][x];
        }
        sycl::group_barrier(item.get_group());  // all have read them
      }
      c[row][column] = sum;
    });
  });
}

static bool check(const char *what, matrix &result, const std::vector<double> &expected) {
  const sycl::host_accessor c(result, sycl::read_only);
  double error = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      error = std::fmax(error, std::fabs(c[i][j] - expected[i * columns + j]));
    }
  }
  const bool good = error < 1e-4;
  std::printf("matrix multiply, %s: %s: the largest error is %.1e\n", what,
              good ? "correct" : "WRONG", error);
  return good;
}

static int run() {
  std::vector<float> a(rows * inner), b(inner * columns);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i % 17) / 17 - 0.5f;
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = static_cast<float>(i % 23) / 23 - 0.5f;
  }
  std::vector<double> expected(rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < inner; ++k) {
      for (std::size_t j = 0; j < columns; ++j) {
        expected[i * columns + j] += static_cast<double>(a[i * inner + k]) * b[k * columns + j];
      }
    }
  }

  sycl::queue q;
  matrix a_buffer(a.data(), sycl::range<2>(rows, inner));
  matrix b_buffer(b.data(), sycl::range<2>(inner, columns));
  matrix naive(sycl::range<2>(rows, columns)), tiled(sycl::range<2>(rows, columns));
  multiply_naive(q, a_buffer, b_buffer, naive);
  multiply_tiled(q, a_buffer, b_buffer, tiled);
  q.wait_and_throw();
  const bool naive_good = check("naive", naive, expected);
  const bool tiled_good = check("tiled", tiled, expected);
  return naive_good && tiled_good ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "matrix multiply: %s\n", error.what());
    return 1;
  }
}
