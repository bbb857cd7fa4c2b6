// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores at any addresses, by some of the work-items: those that are not there may hold
// pointers to nowhere. Elements of all sizes, and more stores than straight code is made for.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %if !sanitizer %{ %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0 %}
#include <cstdint>
#include <cstdio>
#include <sycl/sycl.hpp>
#include <vector>

static int failures = 0;
static void expect(bool holds, const char *what, std::size_t size) {
  if (!holds) {
    std::printf("wrong: %s of %zu bytes\n", what, size);
    failures++;
  }
}

constexpr int count = 100;
static int place(int i) { return (i * 37) % count; }

// Each third work-item has no pointer.
template <class T> static void pointers(sycl::queue q) {
  T *data = sycl::malloc_shared<T>(2 * count, q), *out = data + count;
  T **from = sycl::malloc_shared<T *>(2 * count, q), **to = from + count;
  for (int i = 0; i < count; i++) {
    data[i] = static_cast<T>(i + 1);
    out[i] = 0;
    from[i] = i % 3 == 0 ? nullptr : data + place(i);
    to[i] = i % 5 == 0 ? nullptr : out + place(i);
  }
  q.parallel_for(count, [=](sycl::id<1> i) {
     T value = 7;
     if (from[i]) {
       value = *from[i];
     }
     if (to[i]) {
       *to[i] = static_cast<T>(value + 1);
     }
   }).wait();
  bool holds = true;
  for (int i = 0; i < count; i++) {
    const T value = i % 3 == 0 ? T(7) : static_cast<T>(place(i) + 1);
    holds = holds && out[place(i)] == (i % 5 == 0 ? T(0) : static_cast<T>(value + 1));
  }
  expect(holds, "pointers", sizeof(T));
  sycl::free(data, q);
  sycl::free(from, q);
}

// Twelve stores of structures' members: by all, and by some.
template <class T> struct twelve {
  T of[12];
};
template <class T> static void members(sycl::queue q) {
  twelve<T> *data = sycl::malloc_shared<twelve<T>>(count, q);
  q.parallel_for(count, [=](sycl::id<1> i) {
     T v = static_cast<T>(i[0]);
     for (T &each : data[i].of) {
       each = v++;
     }
     if (i % 2 == 1) {
       for (T &each : data[i].of) {
         each = static_cast<T>(each + 100);
       }
     }
   }).wait();
  bool holds = true;
  for (int i = 0; i < count; i++) {
    for (int k = 0; k < 12; k++) {
      holds = holds && data[i].of[k] == static_cast<T>(i + k + (i % 2 == 1 ? 100 : 0));
    }
  }
  expect(holds, "members", sizeof(T));
  sycl::free(data, q);
}

// What is aligned by more than vectors are.
struct alignas(128) wide {
  std::int32_t value;
};
static void aligned(sycl::queue q) {
  wide *data = sycl::malloc_shared<wide>(count, q);
  int *out = sycl::malloc_shared<int>(count, q);
  for (int i = 0; i < count; i++) {
    data[i].value = i;
  }
  q.parallel_for(count, [=](sycl::id<1> i) {
     out[i] = i % 2 == 0 ? data[i].value : -1;
     if (i % 4 == 0) {
       data[i].value += out[i];
     }
   }).wait();
  bool holds = true;
  for (int i = 0; i < count; i++) {
    holds = holds && out[i] == (i % 2 == 0 ? i : -1) && data[i].value == (i % 4 == 0 ? 2 * i : i);
  }
  expect(holds, "aligned", alignof(wide));
  sycl::free(data, q);
  sycl::free(out, q);
}

int main() {
  sycl::queue q;
  pointers<std::uint8_t>(q);
  pointers<std::int16_t>(q);
  pointers<std::int32_t>(q);
  pointers<float>(q);
  pointers<std::int64_t>(q);
  members<std::uint8_t>(q);
  members<std::int16_t>(q);
  members<std::int32_t>(q);
  members<std::int64_t>(q);
  aligned(q);
  return failures;
}
