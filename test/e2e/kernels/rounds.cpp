// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops in which each work-item reads rows of its own, element after element, for any number of
// rounds: several are read at once where all are sure to come.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t && env TENON_TIERED=1 %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 %}
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace {

constexpr std::size_t rows = 77;
constexpr std::size_t pitch = 83;

template <class T>
struct arrays {
  const T *a;  // rows * pitch
  const T *b;
  const T *v;
  T *out;
};

template <class T, class Work>
void compare(sycl::queue q, const char *what, std::size_t count, const Work &work) {
  T *a = sycl::malloc_shared<T>(rows * pitch, q);
  T *b = sycl::malloc_shared<T>(rows * pitch, q);
  T *v = sycl::malloc_shared<T>(pitch, q);
  T *out = sycl::malloc_shared<T>(rows, q);
  for (std::size_t i = 0; i < rows * pitch; ++i) {
    a[i] = T(i % 31);
    b[i] = T(i % 17);
  }
  for (std::size_t i = 0; i < pitch; ++i) {
    v[i] = T(i % 5);
  }
  std::vector<T> host(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    out[i] = host[i] = T(i % 3);
  }
  const arrays<T> on_host{a, b, v, host.data()}, on_device{a, b, v, out};
  for (std::size_t i = 0; i < rows; ++i) {
    work(i, count, on_host);
  }
  q.parallel_for(sycl::range<1>(rows), [=](sycl::id<1> i) { work(i[0], count, on_device); }).wait();
  int wrong = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    wrong += out[i] == host[i] ? 0 : 1;
  }
  if (wrong != 0) {
    std::printf("%s, %zu rounds of %zu bytes: %d differ\n", what, count, sizeof(T), wrong);
  }
  EXPECT(wrong == 0);
  sycl::free(a, q);
  sycl::free(b, q);
  sycl::free(v, q);
  sycl::free(out, q);
}

template <class T>
void all(sycl::queue q, std::size_t count) {
  using size = std::size_t;
  using m_t = arrays<T>;
  compare<T>(q, "product", count, [](size i, size n, m_t m) {
    T sum = 0;
    for (size k = 0; k < n; ++k) {
      sum += m.a[i * pitch + k] * m.v[k];
    }
    m.out[i] = sum;
  });
  compare<T>(q, "sums in memory", count, [](size i, size n, m_t m) {
    for (size k = 0; k < n; ++k) {
      m.out[i] += m.a[i * pitch + k] * m.v[k] + m.b[i * pitch + k];
    }
  });
  compare<T>(q, "from somewhere", count, [](size i, size n, m_t m) {
    T sum = 0;
    for (size k = 3; k < n; ++k) {
      sum = sum * T(3) + m.a[i * pitch + k] - m.b[(rows - 1 - i) * pitch + k];
      sum = sum > T(1000) || sum < T(-1000) ? T(1) : sum;
    }
    m.out[i] = sum;
  });
  compare<T>(q, "int counters", count, [](size i, size n, m_t m) {
    T sum = 0;
    for (int k = 1; k < int(n); k++) {
      sum += m.a[int(i) * int(pitch) + k] * m.a[int(i) * int(pitch) + k - 1];
    }
    m.out[i] = sum;
  });
  compare<T>(q, "pointers", count, [](size i, size n, m_t m) {
    T most = 0;
    const T *p = m.a + i * pitch;
    for (const T *end = p + n; p != end; ++p) {
      most = *p > most ? *p : most;
    }
    m.out[i] = most;
  });
  compare<T>(q, "every other one, and backwards", count, [](size i, size n, m_t m) {
    T sum = 0;
    for (size k = 0; k < n / 2; ++k) {
      sum += m.a[i * pitch + 2 * k];
    }
    for (size k = n; k > 0; --k) {
      sum = sum * T(2) - m.b[i * pitch + k - 1];
      sum = sum < T(-1000) ? T(7) : sum;
    }
    m.out[i] = sum;
  });
  compare<T>(q, "a loop around it", count, [](size i, size n, m_t m) {
    T sum = 0;
    for (size l = 0; l < 3; ++l) {
      for (size k = l; k < n; ++k) {
        sum += m.a[(i + l) % rows * pitch + k];
      }
      sum -= m.b[l];
    }
    m.out[i] = sum;
  });
  compare<T>(q, "until a number is found", count, [](size i, size n, m_t m) {
    size k = 0;
    while (k < n && m.a[i * pitch + k] != T(30)) {
      ++k;
    }
    m.out[i] = T(k);
  });
  compare<T>(q, "what it writes itself", count, [](size i, size n, m_t m) {
    const T *row = m.out + (i - i);
    T sum = 0;
    for (size k = 0; k < n && k < 1; ++k) {
      m.out[i] += T(1);
      sum += row[i + k] + m.a[i * pitch + k];
    }
    m.out[i] = sum;
  });
  compare<T>(q, "more rows than are read at once", count, [](size i, size n, m_t m) {
    T sum = 0;
    for (size k = 0; k < n; ++k) {
      sum += m.a[i * pitch + k] + m.b[i * pitch + k] + m.a[(i + 1) % rows * pitch + k] +
             m.b[(i + 2) % rows * pitch + k] + m.b[(i + 5) % rows * pitch + k];
    }
    m.out[i] = sum;
  });
}

}  // namespace

int main() {
  sycl::queue q;
  for (const std::size_t count :
       {0, 1, 2, 4, 7, 8, 9, 15, 16, 17, 18, 31, 32, 33, 34, 64, 65, 83}) {
    all<float>(q, count);
    all<int>(q, count);
    if (q.get_device().has(sycl::aspect::fp64)) {
      all<double>(q, count);
    }
    all<short>(q, count);
    all<long>(q, count);
  }
  return failures != 0;
}
