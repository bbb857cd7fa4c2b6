// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A failed assert in a kernel prints file, line, function and what was asserted. On the CPU it ends
// the program, as on the host; a GPU is lost to the program then, which hears of it at the wait.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O2 -DNDEBUG %s -o %t.none && %t.none
#include "Inputs/captured.hpp"

#include <cassert>
#include <csignal>
#include <sys/wait.h>

static const std::string place = "failed_assert.cpp:" + std::to_string(__LINE__ + 2) + ": ";
static int checked(int value, int limit) {
  assert(value < limit && "too large");
  return value;
}

// In a process of its own. The exit code says what was heard of it.
enum { NOTHING = 0, EXCEPTION = 3 };
static int run(int limit) {
  int heard = NOTHING;
  try {
    sycl::queue q([](sycl::exception_list list) {
      for (const std::exception_ptr &each : list) {
        std::rethrow_exception(each);
      }
    });
    int *out = sycl::malloc_host<int>(8, q);
    q.parallel_for<class asserting>(
        sycl::range<1>(8), [=](sycl::id<1> i) { out[i] = checked(static_cast<int>(i[0]), limit); });
    q.wait_and_throw();
    heard = out[7] == 7 ? NOTHING : 1;
  } catch (const sycl::exception &e) {
    heard = std::string(e.what()).find("an assert of a kernel failed") != std::string::npos &&
                    std::string(e.what()).find("asserting") != std::string::npos
                ? EXCEPTION
                : 2;
  }
  std::fflush(stdout);
  return heard;
}

static int status_of(int limit, std::string &text) {
  int status = 0;
  text = captured([&] {
    const pid_t child = fork();
    if (child == 0) {
      dup2(1, 2);
      _exit(run(limit));
    }
    waitpid(child, &status, 0);
  });
  return status;
}

int main() {
  std::string text;
  EXPECT(status_of(8, text) == 0 && text.empty());
  const int status = status_of(5, text);
#ifdef NDEBUG
  EXPECT(status == 0 && text.empty());
#else
  EXPECT((WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) ||
         (WIFEXITED(status) && WEXITSTATUS(status) == EXCEPTION));
  EXPECT(text.find(place) != std::string::npos);
  EXPECT(text.find("checked(int, int): ") != std::string::npos);
  EXPECT(text.find("Assertion `value < limit && \"too large\"") != std::string::npos);
  if (failures != 0) {
    std::printf("status %#x: %s\n", static_cast<unsigned>(status), text.c_str());
  }
#endif
  return failures != 0;
}
