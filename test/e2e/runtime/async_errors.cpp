// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asynchronous errors: whose handler gets them, when, and what becomes of those that no one is
// left to get; synchronous ones name the kernel and the numbers.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t 2>%t.err
// RUN: %FileCheck --check-prefix=LATE %s < %t.err
// LATE: SYCL asynchronous error, after its queue was destroyed: too late
// RUN: not --crash %t default 2>&1 | %FileCheck --check-prefix=DEFAULT %s
// DEFAULT: SYCL asynchronous error: first of two
// DEFAULT: SYCL asynchronous error: second of two
// DEFAULT: no async_handler
// RUN: not --crash %t destructor 2>&1 | %FileCheck --check-prefix=DESTRUCTOR %s
// DESTRUCTOR: SYCL asynchronous error: left behind
#include "../headers/Inputs/expect.hpp"

#include <cstring>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <unistd.h>
#include <vector>

class runtime_named_kernel;

struct error_log {
  int calls = 0;
  std::vector<std::string> texts;
  sycl::async_handler handler() {
    return [this](sycl::exception_list list) {
      ++calls;
      for (const std::exception_ptr &p : list) {
        try {
          std::rethrow_exception(p);
        } catch (const std::exception &e) {
          texts.push_back(e.what());
        } catch (...) {
          texts.push_back("unknown");
        }
      }
    };
  }
  bool has(const char *text) const {
    for (const std::string &t : texts) {
      if (t.find(text) != std::string::npos) {
        return true;
      }
    }
    return false;
  }
};

static sycl::event throwing(sycl::queue &q, const char *text) {
  return q.submit([&](sycl::handler &h) { h.host_task([=] { throw std::runtime_error(text); }); });
}

static void check_precedence() {
  sycl::device d;
  error_log of_queue, of_context;
  sycl::context c(d, of_context.handler());
  sycl::queue own(c, d, of_queue.handler()), shared(c, d), empty(c, d, sycl::async_handler());
  throwing(own, "one").wait();
  EXPECT(of_queue.calls == 0);
  own.throw_asynchronous();
  EXPECT(of_queue.calls == 1 && of_queue.has("one") && of_context.calls == 0);
  throwing(shared, "two");
  shared.wait_and_throw();
  EXPECT(of_context.calls == 1 && of_context.has("two") && of_queue.calls == 1);
  throwing(empty, "three");
  empty.wait_and_throw();
  EXPECT(of_context.calls == 2 && of_context.has("three"));
  // Consumed errors do not come again; a queue without errors calls nobody.
  own.wait_and_throw();
  shared.throw_asynchronous();
  EXPECT(of_queue.calls == 1 && of_context.calls == 2);
  // Several in one call, in the order in which they came about.
  sycl::queue line(c, d, of_queue.handler(), sycl::property::queue::in_order());
  throwing(line, "four").wait();
  throwing(own, "five").wait();
  throwing(own, "six").wait();
  own.wait_and_throw();
  EXPECT(of_queue.calls == 2 && of_queue.texts.size() == 3 && of_queue.texts[1] == "five" &&
         of_queue.texts[2] == "six");
  {
    sycl::event e = throwing(own, "seven");
    e.wait();
    EXPECT(of_queue.calls == 2);
    sycl::event::wait_and_throw({e, sycl::event()});
    EXPECT(of_queue.calls == 3 && of_queue.has("seven"));
    sycl::event copy = e;
    copy.wait_and_throw();
    EXPECT(of_queue.calls == 3);
  }
  line.wait_and_throw();
  EXPECT(of_queue.calls == 4 && of_queue.has("four"));
}

// Waiting for an event reports what failed before it in other queues, each to its own handler.
static void check_dependencies() {
  error_log first_log, second_log, third_log;
  sycl::queue first(first_log.handler()), second(second_log.handler()), third(third_log.handler());
  sycl::event failed = throwing(first, "at the root");
  sycl::event between = second.submit([&](sycl::handler &h) {
    h.depends_on(failed);
    h.single_task([] {});
  });
  sycl::event last = third.submit([&](sycl::handler &h) {
    h.depends_on(between);
    h.single_task([] {});
  });
  last.wait();
  EXPECT(first_log.calls == 0);
  last.wait_and_throw();
  EXPECT(first_log.calls == 1 && first_log.has("at the root"));
  EXPECT(second_log.calls == 0 && third_log.calls == 0);
  last.wait_and_throw();
  EXPECT(first_log.calls == 1);
}

// What the handler throws comes out of the call that triggered it.
static void check_throwing_handler() {
  sycl::queue q([](sycl::exception_list list) {
    for (const std::exception_ptr &p : list) {
      std::rethrow_exception(p);
    }
  });
  throwing(q, "through the handler");
  try {
    q.wait_and_throw();
    EXPECT(!"thrown");
  } catch (const std::runtime_error &e) {
    EXPECT(!std::strcmp(e.what(), "through the handler"));
  }
  q.wait_and_throw();
}

static void check_types() {
  int codes = 0, contexts = 0;
  sycl::queue q([&](sycl::exception_list list) {
    for (const std::exception_ptr &p : list) {
      try {
        std::rethrow_exception(p);
      } catch (const sycl::exception &e) {
        codes += e.code() == sycl::errc::nd_range;
        contexts += e.has_context();
      } catch (int value) {
        codes += value;
      }
    }
  });
  q.submit([&](sycl::handler &h) {
    h.host_task([] { throw sycl::exception(sycl::make_error_code(sycl::errc::nd_range), "own"); });
  });
  q.submit([&](sycl::handler &h) { h.host_task([] { throw 10; }); });
  // What follows is called, and adds no failure of its own.
  sycl::event failed = q.submit([&](sycl::handler &h) { h.host_task([] { throw 100; }); });
  bool called = false;
  q.submit([&](sycl::handler &h) {
    h.depends_on(failed);
    h.host_task([&] { called = true; });
  });
  q.wait_and_throw();
  EXPECT(codes == 111 && contexts == 0 && called);
}

// A command group that throws is not submitted, and its exception is its caller's.
static void check_synchronous() {
  error_log l;
  sycl::queue q(l.handler());
  try {
    q.submit([&](sycl::handler &) { throw std::logic_error("of the group"); });
    EXPECT(!"thrown");
  } catch (const std::logic_error &e) {
    EXPECT(!std::strcmp(e.what(), "of the group"));
  }
  int *p = sycl::malloc_shared<int>(1, q);
  *p = 0;
  const std::size_t largest = q.get_device().get_info<sycl::info::device::max_work_group_size>();
  const auto refused = [&](std::size_t global, std::size_t local, std::string number) {
    try {
      q.parallel_for<runtime_named_kernel>(sycl::nd_range<1>(global, local),
                                           [=](sycl::nd_item<1>) { *p = 1; });
      EXPECT(!"thrown");
    } catch (const sycl::exception &e) {
      EXPECT(e.code() == sycl::errc::nd_range);
      const std::string text = e.what();
      if (text.find("runtime_named_kernel") == text.npos || text.find(number) == text.npos) {
        std::printf("the message does not tell the kernel and %s: %s\n", number.c_str(), e.what());
        ++failures;
      }
    }
  };
  refused(100, 7, "7");
  refused(8 * largest, 2 * largest, std::to_string(2 * largest));
  refused(100, 0, "0");
  // Nothing to do is no error.
  q.parallel_for(sycl::range<2>(0, 5), [=](sycl::id<2>) { *p = 2; }).wait();
  q.parallel_for(sycl::nd_range<1>(0, 5), [=](sycl::nd_item<1>) { *p = 2; }).wait();
  q.memcpy(p, p, 0).wait();
  EXPECT(*p == 0);
  sycl::device d;
  sycl::context mine(d);
  sycl::queue elsewhere(mine, d);
  int *foreign = sycl::malloc_shared<int>(4, elsewhere);
  EXPECT_ERRC(invalid, q.memcpy(p, foreign, 5 * sizeof(int)));
  foreign[0] = 6;
  q.memcpy(p, foreign, sizeof(int)).wait();  // of another context, but of the queue's device
  EXPECT(*p == 6);
  EXPECT_ERRC(invalid, sycl::free(foreign, q));
  sycl::free(foreign, elsewhere);
  sycl::free(p, q);
  q.wait_and_throw();
  EXPECT(l.calls == 0);
}

static void check_destruction() {
  error_log l;
  {
    sycl::queue q(l.handler());
    {
      sycl::queue copy = q;
      throwing(copy, "pending").wait();
    }
    EXPECT(l.calls == 0);  // the last copy matters
  }
  EXPECT(l.calls == 1 && l.has("pending"));
  // Work that is pending when its queue goes is done all the same.
  int *p = nullptr;
  sycl::context c;
  sycl::event e;
  std::mutex mutex;
  mutex.lock();
  {
    sycl::queue q(l.handler());
    c = q.get_context();
    p = sycl::malloc_shared<int>(1, q);
    *p = 0;
    e = q.submit([&](sycl::handler &h) {
      h.host_task([&] { const std::lock_guard<std::mutex> lock(mutex); });
    });
    for (int i = 0; i < 100; ++i) {
      e = q.submit([&](sycl::handler &h) {
        h.depends_on(e);
        h.single_task([=] { *p += 1; });
      });
    }
  }
  EXPECT(*p == 0);
  mutex.unlock();
  e.wait();
  EXPECT(*p == 100 && l.calls == 1);
  // A failure after the queue went, that an event still holds.
  mutex.lock();
  {
    sycl::queue q(l.handler());
    e = q.submit([&](sycl::handler &h) {
      h.host_task([&] {
        const std::lock_guard<std::mutex> lock(mutex);
        throw std::runtime_error("held by the event");
      });
    });
  }
  mutex.unlock();
  e.wait_and_throw();
  EXPECT(l.calls == 2 && l.has("held by the event"));
  e = sycl::event();
  // And one that nothing holds: it goes to stderr.
  mutex.lock();
  auto alive = std::make_shared<int>();
  const std::weak_ptr<int> queue_is_there = alive;
  {
    sycl::queue q([alive, &l](sycl::exception_list) { ++l.calls; });
    alive.reset();
    q.submit([&](sycl::handler &h) {
      h.host_task([&] {
        const std::lock_guard<std::mutex> lock(mutex);
        throw std::runtime_error("too late");
      });
    });
  }
  EXPECT(!queue_is_there.expired());
  mutex.unlock();
  while (!queue_is_there.expired()) {
    usleep(100);
  }
  EXPECT(l.calls == 2);
  sycl::free(p, c);
}

int main(int argc, char **argv) {
  if (argc > 1) {
    const bool in_destructor = !std::strcmp(argv[1], "destructor");
    sycl::queue q;
    if (in_destructor) {
      throwing(q, "left behind").wait();
      return 0;
    }
    throwing(q, "first of two").wait();
    throwing(q, "second of two");
    q.wait_and_throw();
    return 0;
  }
  check_precedence();
  check_dependencies();
  check_throwing_handler();
  check_types();
  check_synchronous();
  check_destruction();
  return failures;
}
