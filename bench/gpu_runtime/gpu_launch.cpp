// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches of an almost empty kernel and waits for it, beside the driver's own functions.
#include "gpu_bench.hpp"
#include <sycl/sycl.hpp>

namespace {

using bench::now_us;

const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry store(.param .u64 p) {\n"
    ".reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n"
    "mov.u32 %r1, 1;\nst.global.u32 [%rd2], %r1;\nret;\n}\n";

// Fewer launches than the driver lets wait for the device, which would then be what is timed.
constexpr int BURST = 400;
constexpr int MANY = 4000;
constexpr int WAITS = 500;
constexpr int ROUNDS = 41;

struct raw_kernel {
  bench::raw_device device;
  void *module = nullptr;
  void *function = nullptr;
  bench::address memory = 0;
  raw_kernel() {
    BENCH_CHECK(module_load, &module, ptx);
    BENCH_CHECK(module_function, &function, module, "store");
    BENCH_CHECK(allocate, &memory, 4096);
  }
  void launch() { launch(device.stream); }
  void launch(void *stream) {
    void *arguments[] = {&memory};
    BENCH_CHECK(launch, function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr);
  }
};

template <class F>
double burst(int count, F one) {
  const double start = now_us();
  for (int i = 0; i < count; i++) {
    one();
  }
  return (now_us() - start) / count;
}

// Of `count` in a row, the launching alone; and until the last one has run.
template <class L, class W>
double launching(int count, L one, W wait) {
  wait();
  const double each = burst(count, one);
  wait();
  return each;
}
template <class L, class W>
double through(int count, L one, W wait) {
  wait();
  const double start = now_us();
  for (int i = 0; i < count; i++) {
    one();
  }
  wait();
  return (now_us() - start) / count;
}

void time_in_order(sycl::queue &q, int *p, raw_kernel &raw) {
  auto ours = [&] { q.single_task([=] { *p = 1; }); };
  auto theirs = [&] { raw.launch(); };
  auto wait = [&] { q.wait(); };
  auto raw_wait = [&] { raw.device.wait(); };
  (void)through(MANY, ours, wait);  // the device's clock rises
  bench::compare_row(
      "launch, in-order queue, no event", "us", "<= 1.15", ROUNDS,
      [&] { return launching(BURST, ours, wait); },
      [&] { return launching(BURST, theirs, raw_wait); });
  bench::compare_row(
      "launches without a pause, each", "us", "-", ROUNDS,
      [&] { return through(MANY, ours, wait); }, [&] { return through(MANY, theirs, raw_wait); });
  bench::compare_row(
      "launch and wait for the queue", "us", "<= 1.10", ROUNDS,
      [&] {
        return burst(WAITS, [&] {
          ours();
          wait();
        });
      },
      [&] {
        return burst(WAITS, [&] {
          theirs();
          raw_wait();
        });
      });
  bench::compare_row(
      "launch and wait for its event", "us", "-", ROUNDS,
      [&] { return burst(WAITS, [&] { q.single_task([=] { *p = 1; }).wait(); }); },
      [&] {
        return burst(WAITS, [&] {
          theirs();
          raw_wait();
        });
      });
}

// An event that is kept while others follow has to be recorded; the driver's side does that too.
void time_kept_events(sycl::queue &q, int *p, raw_kernel &raw) {
  std::vector<sycl::event> kept(BURST);
  std::vector<void *> events(BURST);
  for (void *&each : events) {
    BENCH_CHECK(event_create, &each, 2);
  }
  bench::compare_row(
      "launch, its event kept", "us", "-", ROUNDS,
      [&] {
        q.wait();
        int i = 0;
        const double each = burst(BURST, [&] { kept[i++] = q.single_task([=] { *p = 1; }); });
        q.wait();
        return each;
      },
      [&] {
        raw.device.wait();
        int i = 0;
        const double each = burst(BURST, [&] {
          raw.launch();
          BENCH_CHECK(event_record, events[i++], raw.device.stream);
        });
        raw.device.wait();
        return each;
      });
}

// Two queues by turns, each behind the other's last launch.
void time_barriers(int *p, raw_kernel &raw) {
  sycl::queue queues[2] = {sycl::queue(sycl::gpu_selector_v, sycl::property::queue::in_order()),
                           sycl::queue(sycl::gpu_selector_v, sycl::property::queue::in_order())};
  void *streams[2] = {nullptr, nullptr};
  void *events[2] = {nullptr, nullptr};
  for (int i = 0; i < 2; i++) {
    BENCH_CHECK(stream_create, &streams[i], 1);
    BENCH_CHECK(event_create, &events[i], 2);
  }
  bench::compare_row(
      "launch, and a barrier for it in another in-order queue", "us", "-", ROUNDS,
      [&] {
        int i = 0;
        return through(
            BURST,
            [&] {
              queues[i].single_task([=] { *p = 1; });
              const sycl::event last = queues[i].ext_oneapi_submit_barrier();
              i = 1 - i;
              (void)queues[i].ext_oneapi_submit_barrier({last});
            },
            [&] { queues[0].wait(), queues[1].wait(); });
      },
      [&] {
        int i = 0;
        return through(
            BURST,
            [&] {
              raw.launch(streams[i]);
              BENCH_CHECK(event_record, events[i], streams[i]);
              i = 1 - i;
              BENCH_CHECK(stream_wait, streams[i], events[1 - i], 0);
            },
            [&] {
              BENCH_CHECK(stream_sync, streams[0]);
              BENCH_CHECK(stream_sync, streams[1]);
            });
      });
}

template <class Q>
void time_accessors(const char *name, const char *bar, Q &q, raw_kernel &raw, int in_a_row) {
  sycl::buffer<int> buffer(1024);
  auto group = [&] {
    q.submit([&](sycl::handler &h) {
      const sycl::accessor at(buffer, h, sycl::read_write);
      h.single_task([=] { at[0] = 1; });
    });
  };
  auto wait = [&] { q.wait(); };
  (void)through(in_a_row, group, wait);
  bench::compare_row(
      name, "us", bar, ROUNDS, [&] { return through(in_a_row, group, wait); },
      [&] { return through(in_a_row, [&] { raw.launch(); }, [&] { raw.device.wait(); }); });
}

void time_profiling(int *p, raw_kernel &raw) {
  sycl::queue q{sycl::gpu_selector_v,
                {sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()}};
  bench::compare_row(
      "launch in a queue with profiling, each", "us", "-", ROUNDS / 2,
      [&] { return through(BURST, [&] { q.single_task([=] { *p = 1; }); }, [&] { q.wait(); }); },
      [&] { return through(BURST, [&] { raw.launch(); }, [&] { raw.device.wait(); }); });
}

int run() {
  sycl::queue in_order{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  sycl::queue free{sycl::gpu_selector_v};
  int *p = sycl::malloc_device<int>(1024, in_order);
  raw_kernel raw;
  time_in_order(in_order, p, raw);
  time_kept_events(in_order, p, raw);
  time_accessors("command group with an accessor, in order", "<= 2", in_order, raw, BURST);
  time_accessors("command group with an accessor, out of order", "<= 2", free, raw, BURST);
  bench::compare_row(
      "command group with an accessor, and wait", "us", "-", ROUNDS,
      [&, buffer = sycl::buffer<int>(1024)]() mutable {
        return burst(WAITS, [&] {
          in_order.submit([&](sycl::handler &h) {
            const sycl::accessor at(buffer, h, sycl::read_write);
            h.single_task([=] { at[0] = 1; });
          });
          in_order.wait();
        });
      },
      [&] {
        return burst(WAITS, [&] {
          raw.launch();
          raw.device.wait();
        });
      });
  bench::compare_row(
      "launch, out-of-order queue, each", "us", "-", ROUNDS,
      [&] {
        return through(BURST, [&] { free.single_task([=] { *p = 1; }); }, [&] { free.wait(); });
      },
      [&] { return through(BURST, [&] { raw.launch(); }, [&] { raw.device.wait(); }); });
  time_barriers(p, raw);
  time_profiling(p, raw);
  sycl::free(p, in_order);
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    bench::fail("gpu_launch", error.what());
  }
}
