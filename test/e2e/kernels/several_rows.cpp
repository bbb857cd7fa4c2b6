// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels whose rows read the same in a loop, in ranges of any size: rows at once, what is left at
// the ends, rows that conditions leave out, and private memory. The sums are exact.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t && env TENON_TIERED=1 %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace {

constexpr std::size_t depth = 24;

struct arrays {
  const float *a;  // rows * depth
  const float *b;  // depth * row
  float *c;        // planes * rows * row
};

template <class Work>
void compare(sycl::queue q, const char *what, std::size_t planes, std::size_t rows, std::size_t row,
             const Work &work) {
  const std::size_t total = planes * rows * row;
  float *a = sycl::malloc_shared<float>(rows * depth + 1, q);
  float *b = sycl::malloc_shared<float>(row * depth + 1, q);
  float *c = sycl::malloc_shared<float>(total + 1, q);
  for (std::size_t i = 0; i < rows * depth; ++i) {
    a[i] = float(i % 13) - 5.0f;
  }
  for (std::size_t i = 0; i < row * depth; ++i) {
    b[i] = float(i % 7) - 2.0f;
  }
  std::vector<float> host(total);
  for (std::size_t i = 0; i < total; ++i) {
    c[i] = host[i] = float(i % 5);
  }
  const arrays on_host{a, b, host.data()}, on_device{a, b, c};
  for (std::size_t z = 0; z < planes; ++z) {
    for (std::size_t y = 0; y < rows; ++y) {
      for (std::size_t x = 0; x < row; ++x) {
        work(x, y, z, rows, row, on_host);
      }
    }
  }
  q.parallel_for(sycl::range<3>(planes, rows, row), [=](sycl::item<3> at) {
     work(at[2], at[1], at[0], rows, row, on_device);
   }).wait();
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < total; ++i) {
    wrong += c[i] == host[i] ? 0 : 1;
  }
  if (wrong != 0) {
    std::printf("%s, %zu x %zu x %zu: %zu differ\n", what, planes, rows, row, wrong);
  }
  EXPECT(wrong == 0);
  sycl::free(a, q);
  sycl::free(b, q);
  sycl::free(c, q);
}

void all(sycl::queue q, std::size_t planes, std::size_t rows, std::size_t row) {
  using size = std::size_t;
  compare(q, "product", planes, rows, row,
          [](size x, size y, size z, size rows, size row, arrays m) {
            float sum = 0;
            for (size k = 0; k < depth; ++k) {
              sum += m.a[y * depth + k] * m.b[k * row + x];
            }
            m.c[(z * rows + y) * row + x] += sum;
          });
  compare(q, "sums in memory", planes, rows, row,
          [](size x, size y, size z, size rows, size row, arrays m) {
            const size at = (z * rows + y) * row + x;
            m.c[at] *= 2;
            for (size k = 0; k < depth; ++k) {
              m.c[at] += m.a[y * depth + k] * m.b[k * row + x];
            }
          });
  for (const size last : {size(0), rows / 2, rows - 1, rows}) {
    compare(q, "rows left out", planes, rows, row,
            [=](size x, size y, size z, size rows, size row, arrays m) {
              if (y >= last) {
                return;
              }
              for (size k = 0; k < depth; ++k) {
                m.c[(z * rows + y) * row + x] += m.a[y * depth + k] * m.b[k * row + x];
              }
            });
    compare(q, "corners left out", planes, rows, row,
            [=](size x, size y, size z, size rows, size row, arrays m) {
              float sum = 1;
              if (y < last && x < row - 1) {
                for (size k = 0; k < depth; ++k) {
                  sum += m.a[y * depth + k] * m.b[k * row + x];
                }
              }
              m.c[(z * rows + y) * row + x] = sum;
            });
    compare(q, "a condition on rows behind the loop", planes, rows, row,
            [=](size x, size y, size z, size rows, size row, arrays m) {
              float sum = 0;
              for (size k = 0; k < depth; ++k) {
                sum += m.a[y * depth + k] * m.b[k * row + x];
              }
              if (y < last) {
                m.c[(z * rows + y) * row + x] = sum;
              }
            });
    compare(q, "a condition before it, and work for all", planes, rows, row,
            [=](size x, size y, size z, size rows, size row, arrays m) {
              const float factor = y < last ? m.a[y * depth] : 3.0f;
              float sum = 0;
              if (y > last) {
                sum = m.b[x];
              }
              for (size k = 0; k < depth; ++k) {
                sum += factor * m.b[k * row + x];
              }
              m.c[(z * rows + y) * row + x] = sum;
            });
  }
  compare(q, "private memory", planes, rows, row,
          [](size x, size y, size z, size rows, size row, arrays m) {
            float kept[4] = {0, 0, 0, 0};
            for (size k = 0; k < depth; ++k) {
              kept[(k + y) % 4] += m.b[k * row + x];
            }
            m.c[(z * rows + y) * row + x] = kept[y % 4] - kept[(y + 1) % 4];
          });
  compare(q, "as many rounds as the row has", planes, rows, row,
          [](size x, size y, size z, size rows, size row, arrays m) {
            float sum = 0;
            for (size k = 0; k < y % depth; ++k) {
              sum += m.a[y * depth + k] * m.b[k * row + x];
            }
            m.c[(z * rows + y) * row + x] = sum;
          });
  compare(q, "two loops", planes, rows, row,
          [](size x, size y, size z, size rows, size row, arrays m) {
            float sum = 0;
            for (size l = 0; l < 3; ++l) {
              for (size k = l; k < depth; k += 3) {
                sum += m.a[y * depth + k] * m.b[k * row + x] - float(l);
              }
              sum *= 0.5f;
            }
            m.c[(z * rows + y) * row + x] += sum;
          });
}

}  // namespace

int main() {
  sycl::queue q;
  const std::size_t sizes[][3] = {{1, 1, 1},   {1, 4, 16}, {1, 5, 40},  {1, 3, 128},
                                  {1, 64, 64}, {2, 7, 33}, {3, 18, 80}, {1, 130, 17}};
  for (const auto &size : sizes) {
    all(q, size[0], size[1], size[2]);
  }
  return failures != 0;
}
