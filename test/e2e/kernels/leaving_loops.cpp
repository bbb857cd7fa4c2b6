// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that all work-items leave for a count, and each for itself before that: by conditions in
// either order, in one or in several places, under masks, and inside of other loops. What they
// leave with is what a loop on the host leaves with.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: env TENON_SUB_GROUP_SIZE=8 %t
#include "../headers/Inputs/expect.hpp"

#include <vector>

namespace {

constexpr int total = 1003;

template <class F>
void compare(sycl::queue q, const char *what, const F &leave) {
  for (const int most : {0, 1, 7, 40}) {
    int *out = sycl::malloc_shared<int>(total, q);
    q.parallel_for(sycl::range<1>(total), [=](sycl::id<1> id) {
       out[id[0]] = leave(unsigned(id[0]), most);
     }).wait();
    int wrong = 0;
    for (int i = 0; i < total; ++i) {
      wrong += out[i] == leave(unsigned(i), most) ? 0 : 1;
    }
    if (wrong != 0) {
      std::printf("%s, at most %d rounds: %d of %d differ\n", what, most, wrong, total);
    }
    EXPECT(wrong == 0);
    sycl::free(out, q);
  }
}

// A walk whose length is hard to foresee: none for some work-items, long for others.
unsigned next(unsigned x) { return x * 1664525u + 1013904223u; }
bool goes_on(unsigned x) { return (x >> 24) < 235; }

}  // namespace

int main() {
  sycl::queue q;
  compare(q, "count first", [](unsigned i, int most) {
    unsigned x = next(i);
    int rounds = 0;
    while (rounds < most && goes_on(x)) {
      x = next(x);
      rounds++;
    }
    return rounds * 1000 + int(x >> 25);
  });
  compare(q, "count last", [](unsigned i, int most) {
    unsigned x = next(i);
    int rounds = 0;
    while (goes_on(x) && rounds < most) {
      x = next(x);
      rounds++;
    }
    return rounds * 1000 + int(x >> 25);
  });
  compare(q, "left when one of two holds", [](unsigned i, int most) {
    unsigned x = next(i);
    int rounds = 0;
    do {
      x = next(x);
      rounds++;
    } while (!(rounds > most || !goes_on(x) || rounds == 33));
    return rounds * 1000 + int(x >> 25);
  });
  compare(q, "left in the middle, with other values", [](unsigned i, int most) {
    unsigned x = next(i);
    int result = -1;
    for (int k = 0; k < most; ++k) {
      x = next(x);
      if (!goes_on(x)) {
        result = k;
        break;
      }
      x ^= 5u;
      if (k == 30) {
        result = int(x >> 26) + 5000;
        break;
      }
      if ((x & 255u) == 17u) {
        result = -k - 2;
        break;
      }
    }
    return result;
  });
  compare(q, "only for some, and after a part of a round that some take", [](unsigned i, int most) {
    unsigned x = next(i);
    int sum = 0;
    if ((i & 3u) != 1u) {
      for (int k = 0; k < most; ++k) {
        if (x & 0x10000u) {
          sum += k;
          x = next(x);
          if (!goes_on(x)) {
            break;
          }
        }
        if (k > 20) {
          sum += 100000;
          break;
        }
        x = next(x);
      }
    }
    return sum * 8 + int(x >> 29);
  });
  compare(q, "for the count only where some are", [](unsigned i, int most) {
    unsigned x = next(i);
    int sum = 0;
    for (int k = 0; goes_on(x) && k < 60; ++k) {
      if (x & 0x10000u) {
        sum += 3;
        if (k >= most) {
          sum += 7000;
          break;
        }
      }
      x = next(x);
    }
    return sum * 8 + int(x >> 29);
  });
  compare(q, "a loop in a loop", [](unsigned i, int most) {
    unsigned x = next(i);
    int sum = 0;
    for (int k = 0; k < most && sum < 900; ++k) {
      for (int n = 0; n < k && goes_on(x); ++n) {
        x = next(x);
        sum += n;
      }
      x = next(x);
    }
    return sum * 8 + int(x >> 29);
  });
  compare(q, "a count that work-items share only inside", [](unsigned i, int most) {
    float at = float(i & 127u) / 64.0f, y = 0;
    int rounds = 0;
    while (rounds < most && at * at + y * y < 3.0f) {
      const float to = at * at - y * y + 0.25f;
      y = 2.0f * at * y + 0.125f;
      at = to;
      rounds++;
    }
    return rounds;
  });
  compare(q, "doubles", [](unsigned i, int most) {
    double at = double(i & 127u) / 64.0;
    int rounds = 0;
    for (; rounds < most; rounds++) {
      if (at > 2.5) {
        break;
      }
      at = at * at + 0.25;
    }
    return rounds;
  });
  return failures != 0;
}
