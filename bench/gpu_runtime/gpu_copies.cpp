// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies between host, device and devices, beside the driver's own, in GB/s; and what a small one
// takes.
#include "gpu_bench.hpp"
#include <sycl/sycl.hpp>

#include <memory>

namespace {

using bench::now_us;

constexpr std::size_t MIB = 1 << 20;

double rate(std::size_t size, int count, double us) { return double(size) * count / us / 1e3; }

// Copies of `size` bytes, waited for one by one or at the end, in GB/s.
template <class C, class W>
double each_waited(std::size_t size, int count, C copy, W wait) {
  const double start = now_us();
  for (int i = 0; i < count; i++) {
    copy();
    wait();
  }
  return rate(size, count, now_us() - start);
}

struct memories {
  sycl::queue &q;
  bench::raw_device raw;
  std::size_t size;
  char *device, *other;  // device memory
  char *pinned;          // USM of the host
  std::unique_ptr<char[]> pageable;
  memories(sycl::queue &queue, std::size_t bytes)
      : q(queue),
        size(bytes),
        device(sycl::malloc_device<char>(bytes, queue)),
        other(sycl::malloc_device<char>(bytes, queue)),
        pinned(sycl::malloc_host<char>(bytes, queue)),
        pageable(new char[bytes]) {
    std::memset(pinned, 1, size);
    std::memset(pageable.get(), 1, size);
    q.fill(device, char(2), size);
    q.fill(other, char(3), size).wait();
  }
  ~memories() {
    sycl::free(device, q);
    sycl::free(other, q);
    sycl::free(pinned, q);
  }
  memories(const memories &) = delete;
};

bench::address at(const void *memory) {
  return bench::address(reinterpret_cast<std::uintptr_t>(memory));
}

std::string named(const char *what, std::size_t size) {
  char text[128];
  std::snprintf(text, sizeof(text), size >= MIB ? "%s, %zu MiB" : "%s, %zu KiB", what,
                size >= MIB ? size / MIB : size / 1024);
  return text;
}

int count_of(std::size_t size) { return size >= 64 * MIB ? 4 : size >= MIB ? 50 : 300; }

// The ratio is that of speeds: Tenon's over CUDA's.
template <class A, class B>
void rates(const std::string &name, const char *bar, A tenon, B cuda) {
  bench::compare_row(name.c_str(), "GB/s", bar, 11, tenon, cuda);
}

void time_pinned(memories &m) {
  const int count = count_of(m.size);
  const char *bar = m.size >= MIB ? ">= 0.97" : "-";
  auto wait = [&] { m.q.wait(); };
  auto raw_wait = [&] { m.raw.wait(); };
  rates(
      named("host to device, pinned", m.size), bar,
      [&] {
        return each_waited(m.size, count, [&] { m.q.memcpy(m.device, m.pinned, m.size); }, wait);
      },
      [&] {
        return each_waited(
            m.size, count,
            [&] { BENCH_CHECK(copy_async, at(m.device), at(m.pinned), m.size, m.raw.stream); },
            raw_wait);
      });
  rates(
      named("device to host, pinned", m.size), bar,
      [&] {
        return each_waited(m.size, count, [&] { m.q.memcpy(m.pinned, m.device, m.size); }, wait);
      },
      [&] {
        return each_waited(
            m.size, count,
            [&] { BENCH_CHECK(copy_async, at(m.pinned), at(m.device), m.size, m.raw.stream); },
            raw_wait);
      });
  rates(
      named("device to device", m.size), bar,
      [&] {
        return each_waited(m.size, count, [&] { m.q.memcpy(m.other, m.device, m.size); }, wait);
      },
      [&] {
        return each_waited(
            m.size, count,
            [&] { BENCH_CHECK(copy_async, at(m.other), at(m.device), m.size, m.raw.stream); },
            raw_wait);
      });
}

// CUDA's own way for memory that is not pinned waits for the end of the copy.
void time_pageable(memories &m) {
  const int count = count_of(m.size);
  const char *bar = m.size >= MIB ? ">= 0.97" : "-";
  auto wait = [&] { m.q.wait(); };
  auto none = [] {};
  rates(
      named("host to device, pageable", m.size), bar,
      [&] {
        return each_waited(
            m.size, count, [&] { m.q.memcpy(m.device, m.pageable.get(), m.size); }, wait);
      },
      [&] {
        return each_waited(
            m.size, count, [&] { BENCH_CHECK(to_device, at(m.device), m.pageable.get(), m.size); },
            none);
      });
  rates(
      named("device to host, pageable", m.size), bar,
      [&] {
        return each_waited(
            m.size, count, [&] { m.q.memcpy(m.pageable.get(), m.device, m.size); }, wait);
      },
      [&] {
        return each_waited(
            m.size, count, [&] { BENCH_CHECK(to_host, m.pageable.get(), at(m.device), m.size); },
            none);
      });
}

// Both buffers of a program that fills one on the host and reads the other there.
void time_buffers(sycl::queue &q, std::size_t size) {
  std::vector<char> from(size, 1), to(size);
  bench::raw_device raw;
  bench::address memory = 0;
  BENCH_CHECK(allocate, &memory, size);
  const int count = 5;
  rates(
      named("buffer there and back, its host memory pageable", size), "-",
      [&] {
        const double start = now_us();
        for (int i = 0; i < count; i++) {
          sycl::buffer<char> buffer(from.data(), from.size());
          q.submit([&](sycl::handler &h) {
            const sycl::accessor a(buffer, h, sycl::read_write);
            h.single_task([=] { a[0] = 7; });
          });
        }
        return rate(2 * size, count, now_us() - start);
      },
      [&] {
        const double start = now_us();
        for (int i = 0; i < count; i++) {
          BENCH_CHECK(to_device, memory, from.data(), size);
          BENCH_CHECK(to_host, to.data(), memory, size);
        }
        return rate(2 * size, count, now_us() - start);
      });
  BENCH_CHECK(release, memory);
}

// Between the first two devices, where there are two.
void time_peers(std::size_t size) {
  const char *bar = size >= MIB ? ">= 0.97" : "-";
  const auto devices = sycl::device::get_devices(sycl::info::device_type::gpu);
  if (devices.size() < 2) {
    bench::skipped(named("device to its peer", size).c_str(), "one device", bar);
    return;
  }
  const sycl::context both{std::vector<sycl::device>{devices[0], devices[1]}};
  sycl::queue first{both, devices[0], sycl::property::queue::in_order()};
  sycl::queue second{both, devices[1], sycl::property::queue::in_order()};
  char *from = sycl::malloc_device<char>(size, first);
  char *to = sycl::malloc_device<char>(size, second);
  first.fill(from, char(1), size).wait();
  second.fill(to, char(2), size).wait();
  bench::raw_device other(1), one(0);
  BENCH_CHECK(context_set, one.context);
  (void)bench::get_driver()->peer_enable(other.context, 0);  // it may be so already
  rates(
      named("device to its peer", size), bar,
      [&] {
        return each_waited(
            size, count_of(size), [&] { first.memcpy(to, from, size); }, [&] { first.wait(); });
      },
      [&] {
        BENCH_CHECK(context_set, one.context);
        return each_waited(
            size, count_of(size),
            [&] {
              BENCH_CHECK(copy_peer_async, at(to), other.context, at(from), one.context, size,
                          one.stream);
            },
            [&] { one.wait(); });
      });
  char seen = 0;
  second.memcpy(&seen, to + size - 1, 1).wait();
  if (seen != 1) {
    bench::fail("device to its peer", "the last byte did not come");
  }
  sycl::free(from, first);
  sycl::free(to, second);
}

int run() {
  sycl::queue q{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  for (const std::size_t size : {64 * MIB, 1 * MIB, std::size_t(64 * 1024)}) {
    memories m(q, size);
    time_pinned(m);
    time_pageable(m);
  }
  time_buffers(q, 64 * MIB);
  time_peers(64 * MIB);
  time_peers(64 * 1024);
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    bench::fail("gpu_copies", error.what());
  }
}
