// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the greatest error of a function among results, on several threads.
#ifndef TEST_ACCURACY_ROW_JUDGE_HPP
#define TEST_ACCURACY_ROW_JUDGE_HPP

#include "argument_samples.hpp"

#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace accuracy {

const char *name_of(accuracy_row row);
double limit_of(accuracy_row row, number_type type);
unsigned flags_of(accuracy_row row);

// Calls work(first, end, thread) for parts of 0 … count - 1.
template <class Work>
void on_threads(unsigned threads, std::size_t count, Work work) {
  std::vector<std::thread> started;
  for (unsigned t = 0; t < threads; ++t) {
    started.emplace_back([=] { work(count * t / threads, count * (t + 1) / threads, t); });
  }
  for (std::thread &thread : started) {
    thread.join();
  }
}

struct judgment {
  double error = 0;
  std::uint64_t index = 0;          // of the arguments with that error
  double result = 0;                // at that error
  std::uint64_t beyond_count = 0;   // arguments whose error is beyond the limit
  std::uint64_t sign_count = 0;     // arguments at which only the sign of a zero is wrong
  std::uint64_t sign_index = 0;     // one of them
  std::uint64_t doubted_count = 0;  // arguments at which the two references differ
  std::uint64_t doubted_index = 0;  // one of them

  void add(const judgment &other);
};

struct row_judge {
  sampling from;
  bool may_flush;             // subnormal arguments and results may be zero
  std::uint64_t check_every;  // how often MPFR confirms the faster reference; a power of two

  // Of the results of places `first` and on.
  void judge(const void *results, std::uint64_t first, std::size_t begin, std::size_t end,
             judgment &worst) const;
  void judge_one(const accuracy_arguments &arguments, std::uint64_t index, double result,
                 double error, judgment &worst) const;
  // The error that a judgment reports, by MPFR where it has the function.
  double confirmed(const judgment &worst) const;
};

}  // namespace accuracy

#endif
