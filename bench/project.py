# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a project of many translation units, five kernels each, for bench/run --toolchain.

One source is three things: SYCL (tenon++), the same with every function device code needs in its own
unit (-DALONE, what -fno-sycl-rdc takes), and the same work as plain loops (-DPLAIN, no SYCL in it)."""
import os

KERNELS_PER_UNIT = 5
# What the units include besides SYCL; the plain side has the same, in the same order.
STANDARD = ["algorithm", "cmath", "cstdint", "map", "string", "vector"]

SHARED_HEADER = """// Templates that all units instantiate, and how a kernel is run.
#pragma once
@standard@
#ifdef PLAIN
#define EXTERNAL
#else
#include <sycl/sycl.hpp>
#define EXTERNAL SYCL_EXTERNAL
#endif

template <int Id>
inline float blend(float a, float b) {
  float sum = a * (1.0f + Id % 7) + b;
  for (int step = 0; step < 3 + Id % 5; ++step) {
    sum = sum * 0.75f + a * (step + 1) - b * 0.125f;
  }
  return sum;
}

template <class T, int Id>
struct axpy {
  T factor;
  const T *x;
  T *y;
  void at(size_t i) const { y[i] = blend<Id>(factor * x[i], y[i]); }
#ifndef PLAIN
  void operator()(sycl::id<1> i) const { at(i[0]); }
#endif
};

template <int Id>
struct matrix_row {
  float values[4];
  explicit matrix_row(float seed) {
    for (int i = 0; i < 4; ++i) {
      values[i] = seed * (i + 1 + Id % 3);
    }
  }
  float dot(const matrix_row &other) const {
    float sum = 0;
    for (int i = 0; i < 4; ++i) {
      sum += values[i] * other.values[i];
    }
    return sum;
  }
};

#ifdef PLAIN
using queue = int;
template <class Body>
inline void over(queue &, size_t n, Body body) {
  for (size_t i = 0; i < n; ++i) {
    body(i);
  }
}
template <class Functor>
inline void over_functor(queue &, size_t n, Functor functor) {
  for (size_t i = 0; i < n; ++i) {
    functor.at(i);
  }
}
inline void sum_groups(queue &, const float *x, float *y, size_t n, float weight) {
  for (size_t group = 0; group < n / 16; ++group) {
    float sum = 0;
    for (size_t i = 0; i < 16; ++i) {
      sum += x[group * 16 + i] * weight;
    }
    y[group] += sum;
  }
}
#else
using sycl::queue;
template <class Body>
inline void over(queue &q, size_t n, Body body) {
  q.parallel_for(sycl::range<1>(n), [=](sycl::id<1> i) { body(i[0]); }).wait();
}
template <class Functor>
inline void over_functor(queue &q, size_t n, Functor functor) {
  q.parallel_for(sycl::range<1>(n), functor).wait();
}
#endif
"""

UNIT = """// Unit @unit@ of the generated project.
#include "shared.hpp"

EXTERNAL float scale_@unit@(float x, int i);
#ifdef ALONE
#define OTHER scale_@unit@
#else
EXTERNAL float scale_@other@(float x, int i);
#define OTHER scale_@other@
#endif

EXTERNAL float scale_@unit@(float x, int i) {
  return x * 0.5f + static_cast<float>((i * @odd@) & 255) * 0.001f;
}

namespace {

struct settings_@unit@ {
  std::map<std::string, float> values;
  std::vector<std::string> names;
};

settings_@unit@ make_settings() {
  settings_@unit@ settings;
  for (int i = 0; i < 8; ++i) {
    std::string name = "unit@unit@-" + std::to_string(i * @odd@ % 17);
    settings.values[name] += 0.25f * i;
    settings.names.push_back(name);
  }
  std::sort(settings.names.begin(), settings.names.end());
  return settings;
}

float total(const settings_@unit@ &settings) {
  float sum = 0;
  for (const std::string &name : settings.names) {
    sum += settings.values.at(name);
  }
  return sum;
}

}  // namespace

static void run_polynomial(queue &q, float *x, float *y, size_t n, float weight) {
  over(q, n, [=](size_t i) {
    float sum = 0;
    for (int power = 0; power < @powers@; ++power) {
      sum = sum * x[i] * 0.01f + weight * (power + 1);
    }
    y[i] = 0.5f * y[i] + sum;
  });
}

template <int Id>
static void run_rows(queue &q, float *x, float *y, size_t n) {
  over(q, n, [=](size_t i) {
    const matrix_row<Id> a(x[i]);
    const matrix_row<Id + 1> b(y[i]);
    matrix_row<Id> c(0.5f);
    for (int k = 0; k < 4; ++k) {
      c.values[k] += b.values[k] * 0.001f;
    }
    y[i] = a.dot(c) + std::sqrt(x[i] * x[i] + 1.0f);
  });
}

#ifdef PLAIN
static void run_local(queue &q, float *x, float *y, size_t n, float weight) {
  sum_groups(q, x, y, n, weight);
}
#else
static void run_local(queue &q, float *x, float *y, size_t n, float weight) {
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<float, 1> tile(16, h);
     h.parallel_for(sycl::nd_range<1>(n, 16), [=](sycl::nd_item<1> item) {
       const size_t local = item.get_local_id(0);
       tile[local] = x[item.get_global_id(0)] * weight;
       for (size_t half = 8; half > 0; half /= 2) {
         sycl::group_barrier(item.get_group());
         if (local < half) {
           tile[local] += tile[local + half];
         }
       }
       if (local == 0) {
         y[item.get_group(0)] += tile[0];
       }
     });
   }).wait();
}
#endif

void run_@unit@(queue &q, float *x, float *y, size_t n) {
  const float weight = 0.001f * total(make_settings());
  over_functor(q, n, axpy<float, @unit@>{weight, x, y});
  run_polynomial(q, x, y, n, weight);
  run_local(q, x, y, n, weight);
  run_rows<@unit@>(q, x, y, n);
  over(q, n, [=](size_t i) { y[i] = OTHER(y[i], static_cast<int>(i)) + weight; });
}
"""

MAIN = """// Runs every unit and prints a sum of what they leave.
#include "shared.hpp"
#include <cstdio>
#include <cstdlib>

@declarations@

int main(int argc, char **argv) {
  const size_t n = 256;
  // A number: so many units.
  const int most = argc > 1 ? std::atoi(argv[1]) : 1 << 30;
#ifdef PLAIN
  queue q = 0;
  std::vector<float> xs(n), ys(n);
  float *x = xs.data();
  float *y = ys.data();
#else
  queue q;
  float *x = sycl::malloc_shared<float>(n, q);
  float *y = sycl::malloc_shared<float>(n, q);
#endif
  for (size_t i = 0; i < n; ++i) {
    x[i] = 0.01f * i;
    y[i] = 0;
  }
@calls@
  double sum = 0;
  for (size_t i = 0; i < n; ++i) {
    sum += y[i];
  }
  std::printf("%.6g\\n", sum);
  return 0;
}
"""


def fill(text, values):
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text


def write(folder, units):
    """Writes the project; returns the names of its sources, main.cpp last."""
    os.makedirs(folder, exist_ok=True)

    def put(name, text):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)

    put("shared.hpp", fill(SHARED_HEADER, {"standard": "\n".join(f"#include <{name}>" for name in STANDARD)}))
    names = []
    for unit in range(units):
        # Every fourth unit needs another's function.
        other = (unit * 7 + 3) % units if unit % 4 == 0 else unit
        names.append(f"unit_{unit}.cpp")
        put(names[-1], fill(UNIT, {"unit": unit, "other": other, "odd": 2 * unit + 1, "powers": 3 + unit % 6}))
    put("main.cpp", fill(MAIN, {
        "declarations": "\n".join(f"void run_{u}(queue &q, float *x, float *y, size_t n);" for u in range(units)),
        "calls": "\n".join(f"  if ({u} < most) run_{u}(q, x, y, n);" for u in range(units)),
    }))
    return names + ["main.cpp"]
