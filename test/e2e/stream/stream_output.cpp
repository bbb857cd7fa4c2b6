// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sycl::stream: each type and manipulator, and what comes out when, whole lines of work-items that
// write at the same time, from each kind of command and queue.
// RUN: %tenonxx -fsycl -O2 %s -o %t && %t
// RUN: %tenonxx -fsycl -O0 %s -o %t.O0 && %t.O0
#include "Inputs/captured.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <sstream>
#include <vector>

// What one work-item prints.
template <class F>
static std::string printed(sycl::queue &q, F f) {
  return captured([&] {
    q.submit([&](sycl::handler &cgh) {
       sycl::stream out(4096, 256, cgh);
       cgh.single_task([=] { f(out); });
     }).wait();
  });
}

static void test_numbers(sycl::queue &q) {
  EXPECT_TEXT(printed(q,
                      [](const sycl::stream &out) {
                        out << 'c' << ' ' << static_cast<signed char>(-7) << ' '
                            << static_cast<unsigned char>(200) << ' ' << static_cast<short>(-300)
                            << ' ' << static_cast<unsigned short>(60000) << ' ' << -1 << ' '
                            << 4000000000u << ' ' << -5000000000l << ' ' << 18446744073709551615ul
                            << ' ' << std::numeric_limits<long long>::min() << ' ' << 7ull << ' '
                            << true << ' ' << false << sycl::endl;
                      }),
              "c -7 200 -300 60000 -1 4000000000 -5000000000 18446744073709551615 "
              "-9223372036854775808 7 true false\n");
  EXPECT_TEXT(printed(q,
                      [](const sycl::stream &out) {
                        using namespace sycl;
                        out << hex << 255 << ' ' << showbase << 255 << ' ' << -1 << ' '
                            << static_cast<signed char>(-1) << ' ' << oct << 8u << ' ' << noshowbase
                            << 8u << dec << ' ' << -8 << ' ' << showpos << 5 << ' ' << 6u << ' '
                            << 1.5f << noshowpos << ' ' << 5 << ' ' << 0 << endl;
                      }),
              "ff 0xff 0xffffffff 0xff 010 10 -8 +5 6 +1.5 5 0\n");
}

static void test_reals(sycl::queue &q) {
  EXPECT_TEXT(printed(q,
                      [](const sycl::stream &out) {
                        out << 1.0f << ' ' << 0.1f << ' ' << 1.0f / 3 << ' ' << 1e10f << ' '
                            << 123456.0f << ' ' << 1234567.0f << ' ' << 1e-5f << ' ' << -0.0f << ' '
                            << std::numeric_limits<float>::infinity() << ' '
                            << -std::numeric_limits<float>::infinity() << ' '
                            << std::numeric_limits<float>::quiet_NaN() << ' ' << sycl::half(0.5f)
                            << ' ' << sycl::ext::oneapi::bfloat16(-1.5f) << sycl::endl;
                      }),
              "1 0.1 0.333333 1e+10 123456 1.23457e+06 1e-05 -0 inf -inf nan 0.5 -1.5\n");
  if (!q.get_device().has(sycl::aspect::fp64)) {
    return;
  }
  EXPECT_TEXT(printed(q,
                      [](const sycl::stream &out) {
                        using namespace sycl;
                        out << setprecision(3) << 3.14159 << ' ' << fixed << 3.14159 << ' '
                            << 2.0005 << ' ' << scientific << 12345.678 << ' ' << setprecision(0)
                            << 2.5 << ' ' << fixed << 0.5 << ' ' << 1.5 << ' ' << hexfloat << 1.5
                            << ' ' << defaultfloat << setprecision(17) << 0.1 << ' ' << 5e-324
                            << endl;
                      }),
              "3.14 3.142 2.001 1.235e+04 2e+00 0 2 0x1.8p+0 0.10000000000000001 "
              "4.9406564584124654e-324\n");
}

static void test_texts(sycl::queue &q) {
  EXPECT_TEXT(printed(q,
                      [](const sycl::stream &out) {
                        using namespace sycl;
                        char letters[] = {'a', 'b', '\0'};
                        out << "" << "eight888" << letters << '|' << setw(6) << 42 << '|' << 42
                            << '|' << setw(5) << "ab" << '|' << setw(2) << "long" << '|' << setw(3)
                            << 'x' << '|' << setw(8) << 1.5f << '|' << setw(10) << fixed
                            << setprecision(2) << -1.0f << "|\n"
                            << flush;
                      }),
              "eight888ab|    42|42|   ab|long|  x|     1.5|     -1.00|\n");
}

static void test_classes(sycl::queue &q) {
  EXPECT_TEXT(printed(q,
                      [](const sycl::stream &out) {
                        const auto *address = reinterpret_cast<int *>(std::uintptr_t{0x12ab});
                        const sycl::global_ptr<const int> pointer(address);
                        out << sycl::id<3>(1, 2, 3) << sycl::range<2>(4, 5) << ' '
                            << sycl::vec<int, 4>(1, -2, 3, 4) << ' ' << sycl::vec<float, 2>(0.5f, 2)
                            << ' ' << sycl::vec<int, 4>(1, -2, 3, 4).swizzle<3, 0>() << ' '
                            << sycl::vec<int, 4>(1, -2, 3, 4).swizzle<1>() << ' ' << address
                            << ' ' << pointer << ' '
                            << static_cast<const void *>(nullptr) << ' ' << sycl::nd_range<1>(8, 4)
                            << sycl::endl;
                      }),
              "{1, 2, 3}{4, 5} 1, -2, 3, 4 0.5, 2 4, 1 -2 0x12ab 0x12ab 0x0 "
              "nd_range(global_range: {8}, local_range: {4}, offset: {0})\n");
  EXPECT_TEXT(captured([&] {
                q.submit([&](sycl::handler &cgh) {
                   sycl::stream out(4096, 256, cgh);
                   cgh.parallel_for(sycl::nd_range<2>({2, 4}, {2, 4}), [=](sycl::nd_item<2> it) {
                     if (it.get_local_linear_id() == 6) {
                       out << it << it.get_group() << sycl::endl;
                     }
                   });
                 }).wait();
              }),
              "nd_item(global_id: {1, 2}, local_id: {1, 2})group(id: {0, 0}, local_range: {2, 4}, "
              "group_range: {1, 1})\n");
  EXPECT_TEXT(
      captured([&] {
        q.submit([&](sycl::handler &cgh) {
           sycl::stream out(4096, 256, cgh);
           cgh.parallel_for(sycl::range<1>(1), [=](sycl::item<1> it) { out << it << sycl::endl; });
         }).wait();
        q.submit([&](sycl::handler &cgh) {
           sycl::stream out(4096, 256, cgh);
           cgh.parallel_for_work_group(
               sycl::range<1>(1), sycl::range<1>(2), [=](sycl::group<1> group) {
                 group.parallel_for_work_item([&](sycl::h_item<1> it) { out << it << sycl::endl; });
               });
         }).wait();
      }),
      "item(range: {1}, id: {0}, offset: {0})\n"
      "h_item(\n  global item(range: {2}, id: {0})\n"
      "  logical local item(range: {2}, id: {0})\n"
      "  physical local item(range: {2}, id: {0})\n)\n"
      "h_item(\n  global item(range: {2}, id: {1})\n"
      "  logical local item(range: {2}, id: {1})\n"
      "  physical local item(range: {2}, id: {1})\n)\n");
}

static void test_properties(sycl::queue &q) {
  using sycl::property::buffer::context_bound;
  const sycl::context context = q.get_context();
  q.submit([&](sycl::handler &cgh) {
    const sycl::stream out(64, 8, cgh, {context_bound(context)}), plain(64, 8, cgh);
    sycl::stream copy = plain;
    copy = out;
    EXPECT(copy.has_property<context_bound>() && !plain.has_property<context_bound>());
    EXPECT(copy.get_property<context_bound>().get_context() == context);
    try {
      static_cast<void>(plain.get_property<context_bound>());
      EXPECT(!"the stream has no property");
    } catch (const sycl::exception &error) {
      EXPECT(error.code() == sycl::errc::invalid);
    }
    try {
      const sycl::stream other(64, 8, cgh, {context_bound(sycl::context(q.get_device()))});
      EXPECT(!"a stream of another context");
    } catch (const sycl::exception &error) {
      EXPECT(error.code() == sycl::errc::invalid);
    }
    cgh.single_task([=] { copy << ""; });
  });
}

static std::vector<std::string> lines_of(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    lines.push_back(line);
  }
  std::sort(lines.begin(), lines.end());
  return lines;
}

// Lines come out whole, all of them, in any order; without a flush at their end as well.
static void test_many(sycl::queue &q, bool flushes) {
  constexpr std::size_t count = 3000;
  const std::string text = captured([&] {
    q.submit([&](sycl::handler &cgh) {
      sycl::stream out(count * 64, 8, cgh);
      cgh.parallel_for(sycl::nd_range<1>(count, 100), [=](sycl::nd_item<1> it) {
        const std::size_t i = it.get_global_id(0);
        for (int k = 0; k < 2; ++k) {
          out << "work-item " << i << ", line " << k
              << ", which is longer than others: " << static_cast<float>(i) / 4;
          if (flushes) {
            out << sycl::endl;
          } else {
            out << '\n';
          }
        }
      });
    });
    q.wait();
  });
  std::vector<std::string> wanted;
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 2; ++k) {
      std::ostringstream line;
      line << "work-item " << i << ", line " << k
           << ", which is longer than others: " << static_cast<float>(i) / 4;
      wanted.push_back(line.str());
    }
  }
  std::sort(wanted.begin(), wanted.end());
  EXPECT(lines_of(text) == wanted);
}

static void by_value(sycl::stream out, int value) { out << '<' << value << '>'; }

static void test_copies(sycl::queue &q) {
  EXPECT_TEXT(captured([&] {
                q.submit([&](sycl::handler &cgh) {
                   sycl::stream out(1024, 256, cgh);
                   const sycl::stream same = out;
                   sycl::stream other(1024, 256, cgh);
                   EXPECT(same == out && other != out);
                   EXPECT(std::hash<sycl::stream>()(same) == std::hash<sycl::stream>()(out));
                   EXPECT(out.size() == 1024 && out.get_work_item_buffer_size() == 256);
                   cgh.single_task([=] {
                     out << "a";
                     by_value(out, 1);
                     out << "b";
                     const sycl::stream copy = out;
                     copy << "c" << sycl::endl;
                     out << "d";
                     other << "other" << sycl::endl;
                     out << "e" << sycl::endl;
                   });
                 }).wait();
              }),
              "a<1>bc\nde\nother\n");
}

static void test_commands(sycl::queue &q) {
  const std::string text = captured([&] {
    int *sum = sycl::malloc_shared<int>(1, q);
    *sum = 0;
    // One after the other: each prints before the next one begins.
    for (int k = 0; k < 3; ++k) {
      sycl::event done = q.submit([&](sycl::handler &cgh) {
        sycl::stream out(256, 64, cgh);
        cgh.parallel_for(sycl::range<1>(10), sycl::reduction(sum, sycl::plus<int>()),
                         [=](sycl::id<1> i, auto &total) {
                           total += static_cast<int>(i[0]);
                           if (i[0] == 9) {
                             out << "sum " << k << sycl::endl;
                           }
                         });
      });
      done.wait();
      std::printf("host %d\n", *sum);
      std::fflush(stdout);
    }
    sycl::free(sum, q);
    // No kernel that prints, and a command group that fails.
    q.submit([&](sycl::handler &cgh) { sycl::stream out(256, 64, cgh); }).wait();
    q.submit([&](sycl::handler &cgh) {
      sycl::stream out(256, 64, cgh);
      cgh.single_task([=] { static_cast<void>(out); });
    });
    EXPECT_ERRC(nd_range, q.submit([&](sycl::handler &cgh) {
      sycl::stream out(256, 64, cgh);
      cgh.parallel_for(sycl::nd_range<1>(10, 3), [=](sycl::nd_item<1>) { out << 1; });
    }));
    q.wait();
  });
  EXPECT_TEXT(text, "sum 0\nhost 45\nsum 1\nhost 90\nsum 2\nhost 135\n");
}

// What is too much is left out; what was there before is not.
static void test_overflow(sycl::queue &q) {
  const std::string text = captured([&] {
    q.submit([&](sycl::handler &cgh) {
       sycl::stream out(0, 0, cgh);
       cgh.single_task([=] {
         for (int i = 0; i < 100000; ++i) {
           out << "line" << sycl::endl;
         }
       });
     }).wait();
  });
  // How much fits depends on which memory the queue has kept; the last line may be cut.
  EXPECT(text.size() > 100 && text.size() < 500000);
  bool is_beginning = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    is_beginning = is_beginning && text[i] == "line\n"[i % 5];
  }
  EXPECT(is_beginning);
}

int main() {
  sycl::queue in_order{sycl::property::queue::in_order()};
  sycl::queue q;
  test_numbers(q);
  test_reals(q);
  test_texts(in_order);
  test_classes(in_order);
  test_properties(q);
  test_many(q, true);
  test_many(in_order, false);
  test_copies(q);
  test_commands(q);
  test_commands(in_order);
  test_overflow(in_order);
  return failures != 0;
}
