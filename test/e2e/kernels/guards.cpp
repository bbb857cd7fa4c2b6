// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conditions on ids around what a kernel does: strips of work-items that are all inside run without
// masks, others with them; all compute what one work-item after the other would.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace {

constexpr int row = 64;
constexpr int rows = 48;
constexpr int total = row * rows;

struct arrays {
  float *in;
  float *out;
};

// `work(x, y, a)` for every x and y, as a kernel in work-groups of two shapes and on the host.
template <class Work>
void compare(sycl::queue q, const char *what, const Work &work) {
  arrays device{sycl::malloc_shared<float>(total, q), sycl::malloc_shared<float>(total, q)};
  std::vector<float> in(total);
  for (int i = 0; i < total; ++i) {
    in[i] = float(i % 23);
  }
  std::vector<float> out(total, -1.0f);
  arrays host{in.data(), out.data()};
  for (int y = 0; y < rows; ++y) {
    for (int x = 0; x < row; ++x) {
      work(x, y, host);
    }
  }
  for (int shape = 0; shape < 3; ++shape) {
    for (int i = 0; i < total; ++i) {
      device.in[i] = in[i];
      device.out[i] = -1.0f;
    }
    if (shape == 0) {
      q.parallel_for(sycl::range<2>(rows, row), [=](sycl::item<2> at) {
         work(int(at[1]), int(at[0]), device);
       }).wait();
    } else {
      const sycl::range<2> group = shape == 1 ? sycl::range<2>(2, 32) : sycl::range<2>(16, 4);
      q.parallel_for(sycl::nd_range<2>({rows, row}, group), [=](sycl::nd_item<2> at) {
         work(int(at.get_global_id(1)), int(at.get_global_id(0)), device);
       }).wait();
    }
    int wrong = 0;
    for (int i = 0; i < total; ++i) {
      wrong += device.out[i] == out[i] ? 0 : 1;
    }
    if (wrong != 0) {
      std::printf("%s, shape %d: %d of %d differ\n", what, shape, wrong, total);
    }
    EXPECT(wrong == 0);
  }
  sycl::free(device.in, q);
  sycl::free(device.out, q);
}

}  // namespace

int main() {
  sycl::queue q;
  for (const int count : {0, 1, 7, 8, 33, 60, 64}) {
    compare(q, "id < count", [=](int x, int y, arrays a) {
      if (x < count) {
        a.out[y * row + x] = a.in[y * row + x] * 2;
      }
    });
    compare(q, "return", [=](int x, int y, arrays a) {
      if (x >= count || y >= count) {
        return;
      }
      a.out[y * row + x] = a.in[x * rows + y];
    });
    compare(q, "a value behind it", [=](int x, int y, arrays a) {
      float value = 3;
      if (x + 2 <= count) {
        value = a.in[y * row + x] + 1;
      }
      a.out[y * row + x] = value;
    });
    compare(q, "a window", [=](int x, int y, arrays a) {
      if (x >= count && x < count + 9 && y < count) {
        a.out[y * row + x] = a.in[y * row + x] + 2;
      }
    });
    compare(q, "none of two", [=](int x, int y, arrays a) {
      if (!(x < count || y > count)) {
        a.out[y * row + x] = a.in[y * row + x] + 3;
      }
    });
    compare(q, "numbers that wrap", [=](int x, int y, arrays a) {
      if (unsigned(x) - unsigned(count) < 9u && unsigned(y) + 4294967290u > 7u) {
        a.out[y * row + x] = a.in[y * row + x] + 4;
      }
    });
    compare(q, "all but one", [=](int x, int y, arrays a) {
      if (x != count && y != count) {
        a.out[y * row + x] = a.in[y * row + x] + 5;
      }
    });
    compare(q, "downwards", [=](int x, int y, arrays a) {
      if (count - x > 3 && 2 * y >= count - x) {
        a.out[y * row + x] = a.in[y * row + x] + 6;
      }
    });
    compare(q, "one in the other, and a loop", [=](int x, int y, arrays a) {
      if (x < count) {
        float sum = 0;
        for (int i = 0; i < x % 5; ++i) {
          sum += a.in[i];
        }
        if (x > 2 && y != 3) {
          sum += a.in[y * row + x - 3];
        }
        a.out[y * row + x] = sum;
      }
    });
    compare(q, "in a loop", [=](int x, int y, arrays a) {
      float sum = 0;
      for (int i = 0; i < 4; ++i) {
        if (x + i < count) {
          sum += a.in[y * row + x + i];
        }
      }
      a.out[y * row + x] = sum;
    });
  }
  compare(q, "the inside of a grid", [](int x, int y, arrays a) {
    if (x < 1 || x > row - 2 || y < 1 || y > rows - 2) {
      return;
    }
    const int i = y * row + x;
    a.out[i] = a.in[i] + a.in[i - 1] + a.in[i + 1] + a.in[i - row] + a.in[i + row];
  });
  compare(q, "an index that is an or", [](int x, int y, arrays a) {
    const unsigned shifted = unsigned(x) + 20;
    const unsigned i = unsigned(y) << 4 | shifted;
    a.out[y * row + x] = a.in[i % total];
  });
  compare(q, "both sides", [](int x, int y, arrays a) {
    if (x < 21) {
      a.out[y * row + x] = a.in[y * row + x] + 1;
    } else {
      a.out[y * row + x] = a.in[y * row + x] - 1;
    }
  });
  return failures != 0;
}
