// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = A x for a sparse matrix in compressed rows (CSR): one work-item a row, rows of any length.
#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <random>
#include <vector>

constexpr std::size_t rows = 20000, columns = 15000;

// Row i has the elements row_starts[i] up to row_starts[i + 1].
struct sparse_matrix {
  std::vector<std::uint32_t> row_starts{0};
  std::vector<std::uint32_t> column;
  std::vector<float> value;
};

// Most rows are short, some are empty, and a few are long.
static sparse_matrix make_matrix(std::mt19937 &random) {
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  std::uniform_int_distribution<std::uint32_t> column(0, columns - 1), length(0, 15);
  sparse_matrix a;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t elements = row % 1000 == 7 ? 2000 : length(random);
    for (std::uint32_t i = 0; i < elements; ++i) {
      a.column.push_back(column(random));
      a.value.push_back(value(random));
    }
    a.row_starts.push_back(static_cast<std::uint32_t>(a.column.size()));
  }
  return a;
}

static void multiply(sycl::queue &q, const sparse_matrix &a, const std::vector<float> &x,
                     std::vector<float> &y) {
  sycl::buffer row_starts_buffer(a.row_starts);
  sycl::buffer column_buffer(a.column);
  sycl::buffer value_buffer(a.value);
  sycl::buffer x_buffer(x);
  sycl::buffer y_buffer(y);
  q.submit([&](sycl::handler &h) {
    const sycl::accessor row_starts(row_starts_buffer, h, sycl::read_only);
    const sycl::accessor column(column_buffer, h, sycl::read_only);
    const sycl::accessor value(value_buffer, h, sycl::read_only);
    const sycl::accessor in(x_buffer, h, sycl::read_only);
    const sycl::accessor out(y_buffer, h, sycl::write_only, sycl::no_init);
    h.parallel_for(sycl::range<1>(rows), [=](sycl::id<1> row) {
      float sum = 0;
      for (std::uint32_t i = row_starts[row]; i < row_starts[row + 1]; ++i) {
        sum += value[i] * in[column[i]];
      }
      out[row] = sum;
    });
  });
  q.wait_and_throw();
}  // y is written back here

static int run() {
  std::mt19937 random(1);
  const sparse_matrix a = make_matrix(random);
  std::uniform_real_distribution<float> value(-1.0f, 1.0f);
  std::vector<float> x(columns), y(rows);
  for (float &element : x) {
    element = value(random);
  }
  sycl::queue q;
  multiply(q, a, x, y);

  double error = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::uint32_t i = a.row_starts[row]; i < a.row_starts[row + 1]; ++i) {
      sum += static_cast<double>(a.value[i]) * x[a.column[i]];
    }
    error = std::fmax(error, std::fabs(y[row] - sum));
  }
  const bool good = error < 1e-4;
  std::printf("spmv: %s: %zu elements, the largest error is %.1e\n", good ? "correct" : "WRONG",
              a.value.size(), error);
  return good ? 0 : 1;
}

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    std::fprintf(stderr, "spmv: %s\n", error.what());
    return 1;
  }
}
