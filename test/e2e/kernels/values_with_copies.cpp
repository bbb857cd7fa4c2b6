// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects that know their own addresses, passed to functions and returned: the copy constructor
// and the destructor of their class run, whatever the device. SYCL 2020 section 5.4: device code
// has C++'s functions and classes.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror -O0 %s -o %t.O0 && %t.O0
#include "../headers/Inputs/expect.hpp"

#include <sycl/sycl.hpp>

static constexpr long broken = -1000000;
class own {
 public:
  own(long value, int *copies) : value_(value), copies_(copies), self_(this) {}
  own(const own &other) : value_(other.get()), copies_(other.copies_), self_(this) { ++*copies_; }
  ~own() {
    --*copies_;
    self_ = nullptr;
  }
  long get() const { return self_ == this ? value_ : broken; }
  void add(long more) { value_ += more; }

 private:
  long value_;
  int *copies_;
  own *self_;
};
// Trivially destructible, and not copied as bytes all the same.
struct self_made {
  explicit self_made(long v) : value(v), self(this) {}
  self_made(const self_made &other) : value(other.get()), self(this) {}
  long get() const { return self == this ? value : broken; }
  long value;
  self_made *self;
};

__attribute__((noinline)) static long by_value(int number, own x) {
  x.add(number);
  return x.get();
}
__attribute__((noinline)) static own returned(own x, const own &y) {
  own both(x);
  both.add(y.get());
  return both;
}
__attribute__((noinline)) static long two(self_made x, int number, self_made y) {
  return x.get() * number + y.get();
}
template <int Depth, class T>
__attribute__((noinline)) static long deep(T x) {
  if constexpr (Depth == 0) {
    return x.get();
  } else {
    return deep<Depth - 1>(x) + 1;
  }
}
struct holder {
  own held;
  long operator()(own x) const { return held.get() + x.get(); }
};

int main() {
  sycl::queue q;
  long *out = sycl::malloc_shared<long>(8, q);
  out[0] = 5;
  q.single_task([=] {
     int copies = 0;
     {
       own x(out[0], &copies);
       out[1] = by_value(2, x);
       out[2] = x.get();
       out[3] = returned(x, own(7, &copies)).get();
       out[4] = deep<3>(x);
       out[5] = holder{x}(x);
       const auto lambda = [](own y, long z) { return y.get() * z; };
       out[6] = lambda(x, 3);
       const self_made s(out[0]);
       out[7] = two(s, 100, self_made(1)) + deep<2>(s);
     }
     out[0] = copies;
   }).wait();
  const long expected[8] = {-2, 7, 5, 12, 8, 10, 15, 508};
  for (int i = 0; i < 8; ++i) {
    if (out[i] != expected[i]) {
      std::printf("%d: expected %ld, got %ld\n", i, expected[i], out[i]);
      ++failures;
    }
  }
  sycl::free(out, q);
  return failures;
}
