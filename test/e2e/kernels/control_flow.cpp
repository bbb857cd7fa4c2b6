// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What work-items do differently: branches, loops, breaks, switches, gathered memory, arrays of
// their own; counts that fill no whole vector. Each kernel's body also runs on the host.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <vector>

template <class Body>
void same_as_host(sycl::queue &q, const char *name, int n, Body body) {
  std::vector<float> in(n);
  std::vector<int> want(n, -1);
  for (int i = 0; i < n; ++i) {
    in[i] = 0.5f * i;
  }
  for (int i = 0; i < n; ++i) {
    body(i, n, in.data(), want.data());
  }
  float *a = sycl::malloc_shared<float>(n, q);
  int *out = sycl::malloc_shared<int>(n, q);
  for (int i = 0; i < n; ++i) {
    a[i] = in[i];
    out[i] = -1;
  }
  q.parallel_for(n, [=](sycl::id<1> i) { body(static_cast<int>(i[0]), n, a, out); }).wait();
  for (int i = 0; i < n; ++i) {
    if (out[i] != want[i]) {
      std::printf("%s: n=%d i=%d: %d instead of %d\n", name, n, i, out[i], want[i]);
      ++failures;
      break;
    }
  }
  sycl::free(a, q);
  sycl::free(out, q);
}

struct branches {
  void operator()(int i, int, const float *a, int *out) const {
    if (i % 3 == 0) {
      out[i] = 7;
    } else if (i % 3 == 1) {
      out[i] = static_cast<int>(a[i] * 4) + (a[i] > 3 && i % 2 ? 100 : 200);
    }
  }
};

struct collatz {
  void operator()(int i, int, const float *, int *out) const {
    int steps = 0;
    for (unsigned x = i + 1; x != 1; ++steps) {
      x = x % 2 ? 3 * x + 1 : x / 2;
    }
    out[i] = steps;
  }
};

struct nested_loops {
  void operator()(int i, int n, const float *a, int *out) const {
    int sum = 0;
    for (int k = 0; k < n; ++k) {
      if (k == i) {
        continue;
      }
      if (k > i + 5) {
        break;
      }
      for (int j = 0; j < k % 4; ++j) {
        if (j * k > 60 + i) {
          goto out_of_both;
        }
        sum += j * static_cast<int>(a[(i * 7 + k) % n]);
      }
    }
  out_of_both:
    out[i] = sum;
  }
};

struct private_array {
  void operator()(int i, int, const float *, int *out) const {
    int t[8];
    for (int k = 0; k < 8; ++k) {
      t[k] = k * i;
    }
    t[i % 8] += 100;
    int sum = 0;
    for (int k = 0; k < 8; ++k) {
      sum += t[(k * 3) % 8] * (k + 1);
    }
    switch (i % 5) {
      case 0:
        sum += 1;
        break;
      case 1:
        sum *= 2;
        [[fallthrough]];
      case 2:
        sum -= 3;
        break;
      default:
        sum ^= 5;
    }
    out[i] = sum;
  }
};

struct early_return {
  void operator()(int i, int, const float *, int *out) const {
    if (i % 4 == 0) {
      return;
    }
    out[i] = 1000 / (i % 4);
  }
};

// A loop that all leave together, entered by some only; and one inside another that is not.
struct uniform_in_divergent {
  void operator()(int i, int n, const float *a, int *out) const {
    int sum = 0;
    if (i & 1) {
      for (int k = 0; k < 10; ++k) {
        sum += static_cast<int>(a[k % n]) + k;
      }
    }
    for (int rest = i; rest > 0; rest -= 3) {
      for (int k = 0; k < 3; ++k) {
        sum += rest * k;
      }
    }
    out[i] = sum;
  }
};

struct narrow_types {
  void operator()(int i, int n, const float *a, int *out) const {
    signed char c = static_cast<signed char>(i * 37);
    const unsigned short s = static_cast<unsigned short>(i * 40503u);
    const long long wide = (1ll << 40) * i - s;
    c = static_cast<signed char>(c + (wide & 0xff));
    const double d = a[n - 1 - i] * 0.25 + c;
    out[i] = static_cast<int>(d) + static_cast<int>(wide >> 33) + (s >> 3) + (c < 0);
  }
};

struct structs {
  struct pair {
    int first;
    float second;
  };
  static pair make(int i) { return i % 2 ? pair{i, 2.0f * i} : pair{-i, 0.5f * i}; }
  void operator()(int i, int, const float *, int *out) const {
    pair pairs[2] = {make(i), make(i + 1)};
    const pair chosen = pairs[(i / 3) % 2];
    out[i] = chosen.first * 3 + static_cast<int>(chosen.second);
  }
};

// The two outer loops become one, whose rounds begin the inner loop again for some work-items only.
struct merged_loops {
  void operator()(int i, int n, const float *, int *out) const {
    volatile int *result = out;
    result[i] = i % 4;
    bool again;
    do {
      again = false;
      for (int k = i; k < 3 * n; k += n) {
        const int bits = result[i];
        if (bits < 9 + i % 7) {
          int rest = bits;
          do {
            rest = rest / 2 - (rest == 1);
          } while (rest > 0);
          result[i] = bits + 1 - rest;
          again = true;
        }
      }
    } while (again);
    out[i] += 100;
  }
};

static void test_rows(sycl::queue &q) {
  for (int width : {1, 3, 16, 37, 200}) {
    const int height = 11;
    int *m = sycl::malloc_shared<int>(width * height, q);
    q.parallel_for(sycl::range<2>(height, width), [=](sycl::item<2> it) {
       m[it.get_linear_id()] = static_cast<int>(it.get_id(0) * 1000 + it.get_id(1));
     }).wait();
    for (int i = 0; i < width * height; ++i) {
      EXPECT(m[i] == i / width * 1000 + i % width);
    }
    sycl::free(m, q);
  }
}

int main() {
  sycl::queue q;
  for (int n : {1, 7, 16, 17, 100, 1000}) {
    same_as_host(q, "branches", n, branches());
    same_as_host(q, "collatz", n, collatz());
    same_as_host(q, "nested_loops", n, nested_loops());
    same_as_host(q, "private_array", n, private_array());
    same_as_host(q, "early_return", n, early_return());
    same_as_host(q, "uniform_in_divergent", n, uniform_in_divergent());
    same_as_host(q, "narrow_types", n, narrow_types());
    same_as_host(q, "structs", n, structs());
    same_as_host(q, "merged_loops", n, merged_loops());
  }
  test_rows(q);
  return failures != 0;
}
