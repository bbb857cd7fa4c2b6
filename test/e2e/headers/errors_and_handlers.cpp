// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exception, errc, exception_list; asynchronous errors from host tasks and who gets them.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
// RUN: not --crash %t default 2>&1 | %FileCheck %s
// CHECK: SYCL asynchronous error: from the task
// CHECK: no async_handler
#include "Inputs/expect.hpp"

#include <cstring>
#include <stdexcept>
#include <vector>

static void throwing_task(sycl::queue &q, int value) {
  q.submit([&](sycl::handler &h) { h.host_task([=] { throw value; }); });
}

static void check_exception() {
  using sycl::errc;
  using sycl::exception;
  exception e(sycl::make_error_code(errc::build), "words");
  EXPECT(e.code() == errc::build && e.category() == sycl::sycl_category() &&
         !std::strcmp(e.what(), "words"));
  EXPECT(!e.has_context() && std::strlen(exception(errc::nd_range).what()) > 0);
  EXPECT(exception(2, sycl::sycl_category()).code() == errc::kernel);
  EXPECT(exception(2, sycl::sycl_category(), "x").code() == errc::kernel);
  EXPECT(exception(2, sycl::sycl_category(), std::string("x")).code() == errc::kernel);
  EXPECT_ERRC(invalid, (void)e.get_context());
  sycl::context c;
  for (const exception &with :
       {exception(c, errc::event), exception(c, errc::event, "x"),
        exception(c, errc::event, std::string("x")), exception(c, 5, sycl::sycl_category()),
        exception(c, 5, sycl::sycl_category(), "x"),
        exception(c, 5, sycl::sycl_category(), std::string("x"))}) {
    EXPECT(with.has_context() && with.get_context() == c && with.code() == errc::event);
  }
  static_assert(std::is_error_code_enum_v<errc> && std::is_base_of_v<std::exception, exception>);
  EXPECT(!std::strcmp(sycl::sycl_category().name(), "sycl") && int(errc::success) == 0);
  EXPECT(sycl::exception_list().size() == 0);
}

int main(int argc, char **) {
  if (argc > 1) {
    sycl::queue q;
    q.submit(
        [&](sycl::handler &h) { h.host_task([] { throw std::runtime_error("from the task"); }); });
    q.wait_and_throw();
    return 0;
  }
  check_exception();
  int calls = 0, sum = 0, others = 0;
  auto collect = [&](sycl::exception_list list) {
    ++calls;
    EXPECT(list.size() > 0 && list.begin() != list.end());
    for (const std::exception_ptr &p : list) {
      try {
        std::rethrow_exception(p);
      } catch (int value) {
        sum += value;
      } catch (const std::exception &) {
        ++others;
      }
    }
  };
  {
    sycl::queue q{collect};
    throwing_task(q, 1);
    q.wait();
    EXPECT(calls == 0);
    q.throw_asynchronous();
    EXPECT(calls == 1 && sum == 1);
    q.throw_asynchronous();
    EXPECT(calls == 1);
    throwing_task(q, 10);
    throwing_task(q, 20);
    q.wait_and_throw();
    EXPECT(calls == 2 && sum == 31 && others == 0);
    sycl::event e = q.submit([&](sycl::handler &h) { h.host_task([] { throw 100; }); });
    e.wait_and_throw();
    EXPECT(calls == 3 && sum == 131);
    e = q.submit([&](sycl::handler &h) { h.host_task([] { throw 1000; }); });
    sycl::event::wait_and_throw({e, sycl::event()});
    EXPECT(calls == 4 && sum == 1131);
    throwing_task(q, 10000);
    q.wait();
  }
  EXPECT(calls == 5 && sum == 11131);  // the queue's destructor
  {
    sycl::context c{collect};
    sycl::queue q{c, c.get_devices()[0]};
    throwing_task(q, 100000);
    q.wait_and_throw();
    EXPECT(calls == 6 && sum == 111131);
    int mine = 0;
    sycl::queue own{c, c.get_devices()[0],
                    [&](sycl::exception_list list) { mine += int(list.size()); }};
    throwing_task(own, 1);
    own.wait_and_throw();
    EXPECT(mine == 1 && calls == 6);
  }
  {
    // What depends on a failed command is called.
    bool called = false;
    sycl::queue q{collect};
    sycl::event e = q.submit([&](sycl::handler &h) { h.host_task([] { throw 1; }); });
    q.submit([&](sycl::handler &h) {
      h.depends_on(e);
      h.host_task([&] { called = true; });
    });
    q.wait_and_throw();
    EXPECT(called);
  }
  return failures;
}
