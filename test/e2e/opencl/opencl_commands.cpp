// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels, memory and copies on the devices of OpenCL drivers.
// REQUIRES: opencl
// RUN: %tenonxx -fsycl -O2 -fsycl-targets=spir64,native_cpu -Wall -Wextra -Werror %s -o %t
// GPU-SUITE: needs opencl
// RUN: env ONEAPI_DEVICE_SELECTOR='opencl:*' %t
// RUN: env ONEAPI_DEVICE_SELECTOR='opencl:*' TENON_CACHE=1 TENON_CACHE_DIR=%t.cache %t
// RUN: env ONEAPI_DEVICE_SELECTOR='opencl:*' TENON_CACHE=1 TENON_CACHE_DIR=%t.cache %t
// RUN: %t default
#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

static int failures;
static void expect(bool is_right, const char *what) {
  if (!is_right) {
    std::printf("wrong: %s\n", what);
    failures++;
  }
}

constexpr sycl::specialization_id<int> factor(3);
constexpr sycl::specialization_id<double> part(0.5);

static void test_usm(sycl::queue &q) {
  int *shared = sycl::malloc_shared<int>(1000, q);
  int *device = sycl::aligned_alloc_device<int>(4096, 1000, q);
  expect(reinterpret_cast<std::uintptr_t>(device) % 4096 == 0, "alignment of 4096");
  q.parallel_for(1000, [=](sycl::id<1> i) { device[i] = static_cast<int>(i) * 2; }).wait();
  q.memcpy(shared, device, 1000 * sizeof(int)).wait();
  expect(shared[999] == 1998, "copy from the device");
  std::vector<int> host(1000, 7);
  q.memcpy(device, host.data(), 1000 * sizeof(int)).wait();
  q.parallel_for(1000, [=](sycl::id<1> i) { shared[i] = device[i] + 1; }).wait();
  expect(shared[500] == 8, "copy from memory of the host");
  sycl::free(shared, q);
  sycl::free(device, q);
}

static void test_fills(sycl::queue &q) {
  constexpr std::size_t size = 100000;
  struct odd {
    unsigned char bytes[3];
  };
  auto *memory = sycl::malloc_shared<unsigned char>(size, q);
  q.memset(memory, 5, size).wait();
  expect(memory[0] == 5 && memory[size - 1] == 5, "memset");
  q.fill(reinterpret_cast<odd *>(memory), odd{{1, 2, 3}}, size / 3).wait();
  expect(memory[3] == 1 && memory[99998] == 3, "pattern of three bytes");
  q.fill(reinterpret_cast<unsigned *>(memory), 0x01020304u, size / 4).wait();
  unsigned last = 0;
  std::memcpy(&last, memory + size - 4, 4);
  expect(last == 0x01020304u, "pattern of four bytes");
  sycl::free(memory, q);
}

static void test_rectangles(sycl::queue &q) {
  std::vector<int> host(64 * 32);
  {
    sycl::buffer<int, 2> all(host.data(), sycl::range<2>(64, 32));
    std::vector<int> small(8 * 4, 9);
    sycl::buffer<int, 2> piece(small.data(), sycl::range<2>(8, 4));
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(piece, h, sycl::read_only);
      sycl::accessor to(all, h, sycl::range<2>(8, 4), sycl::id<2>(2, 3), sycl::write_only);
      h.copy(from, to);
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor to(all, h, sycl::range<2>(2, 2), sycl::id<2>(40, 20), sycl::write_only);
      h.fill(to, 4);
    });
  }
  expect(host[2 * 32 + 3] == 9 && host[9 * 32 + 6] == 9 && host[2 * 32 + 7] == 0, "rectangle");
  expect(host[41 * 32 + 21] == 4 && host[42 * 32 + 21] == 0, "filled rectangle");
}

static void test_groups(sycl::queue &q) {
  constexpr int count = 1024, size = 64;
  std::vector<int> v(count, 1);
  {
    sycl::buffer<int> b(v.data(), count);
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h);
      sycl::local_accessor<int> tile(size, h);
      sycl::local_accessor<char> before(1, h);
      h.parallel_for(sycl::nd_range<1>(count, size), [=](sycl::nd_item<1> it) {
        const int l = static_cast<int>(it.get_local_id(0));
        before[0] = 1;
        tile[l] = l;
        sycl::group_barrier(it.get_group());
        a[it.get_global_id()] =
            tile[size - 1 - l] + sycl::reduce_over_group(it.get_group(), 1, sycl::plus<>());
      });
    });
  }
  expect(v[0] == 127 && v[count - 1] == 64, "local memory and a reduction");
  try {
    using sycl::info::device::max_work_group_size;
    const std::size_t large = 2 * q.get_device().get_info<max_work_group_size>();
    q.parallel_for(sycl::nd_range<1>(large, large), [=](sycl::nd_item<1>) {});
    expect(false, "a work-group that is too large");
  } catch (const sycl::exception &e) {
    expect(e.code() == sycl::errc::nd_range, "errc::nd_range");
  }
}

static void test_constants(sycl::queue &q) {
  double *out = sycl::malloc_shared<double>(1, q);
  for (int i = 0; i < 3; i++) {
    q.submit([&](sycl::handler &h) {
       if (i > 0) {
         h.set_specialization_constant<factor>(10 * i);
         h.set_specialization_constant<part>(0.25);
       }
       h.single_task([=](sycl::kernel_handler k) {
         *out = k.get_specialization_constant<factor>() + k.get_specialization_constant<part>();
       });
     }).wait();
    expect(*out == (i > 0 ? 10 * i + 0.25 : 3.5), "specialization constants");
  }
  sycl::free(out, q);
}

static void test_times(sycl::device dev) {
  namespace event_profiling = sycl::info::event_profiling;
  sycl::queue q(dev, sycl::property::queue::enable_profiling());
  int *p = sycl::malloc_shared<int>(1, q);
  sycl::event e = q.single_task([=] { *p = 1; });
  e.wait();
  const auto submit = e.get_profiling_info<event_profiling::command_submit>();
  const auto start = e.get_profiling_info<event_profiling::command_start>();
  const auto end = e.get_profiling_info<event_profiling::command_end>();
  expect(submit <= start && start <= end, "order of times");
  sycl::free(p, q);
}

int main(int argc, char **) {
  sycl::queue q;
  const bool is_opencl = q.get_backend() == sycl::backend::opencl;
  if (argc > 1) {  // a CPU of OpenCL's is not the default where Tenon's is
    expect(!is_opencl || q.get_device().is_gpu(), "the default device");
    return failures != 0;
  }
  expect(is_opencl, "the backend");
  for (const sycl::device &dev : sycl::device::get_devices()) {
    sycl::queue in_order(dev, sycl::property::queue::in_order());
    q = sycl::queue(dev);
    for (sycl::queue *each : {&q, &in_order}) {
      test_usm(*each);
      test_fills(*each);
      test_rectangles(*each);
      test_groups(*each);
      test_constants(*each);
    }
    test_times(dev);
  }
  return failures != 0;
}
