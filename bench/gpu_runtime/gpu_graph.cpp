// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs of a hundred kernels, recorded and launched again and again, beside the driver's own
// graphs.
#include "gpu_bench.hpp"
#include <sycl/sycl.hpp>

namespace {

namespace ex = sycl::ext::oneapi::experimental;
using bench::now_us;
using executable = ex::command_graph<ex::graph_state::executable>;

const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry store(.param .u64 p) {\n"
    ".reg .b64 %rd<3>;\n.reg .b32 %r<2>;\n"
    "ld.param.u64 %rd1, [p];\ncvta.to.global.u64 %rd2, %rd1;\n"
    "mov.u32 %r1, 1;\nst.global.u32 [%rd2], %r1;\nret;\n}\n";

constexpr int NODES = 100;
constexpr int BURST = 50;
constexpr int ROUNDS = 41;

struct node_params {
  void *function;
  unsigned grid[3];
  unsigned block[3];
  unsigned shared_size;
  void **parameters;
  void **extra;
};

// The driver's graphs, as far as this needs them.
struct raw_graph {
  int (*create)(void **, unsigned);
  int (*add_kernel)(void **, void *, void *const *, std::size_t, const node_params *);
  int (*instantiate)(void **, void *, unsigned long long);
  int (*launch_graph)(void *, void *);
  bench::raw_device device;
  void *function = nullptr;
  bench::address memory = 0;
  void *exec = nullptr;

  raw_graph() {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    void *module = nullptr;
    bench::find(library, "cuGraphCreate", create);
    bench::find(library, "cuGraphAddKernelNode", add_kernel);
    bench::find(library, "cuGraphInstantiateWithFlags", instantiate);
    bench::find(library, "cuGraphLaunch", launch_graph);
    BENCH_CHECK(module_load, &module, ptx);
    BENCH_CHECK(module_function, &function, module, "store");
    BENCH_CHECK(allocate, &memory, 4096);
  }
  void make(bool is_line) {
    void *graph = nullptr;
    void *last = nullptr;
    void *arguments[] = {&memory};
    bench::check(create(&graph, 0), "cuGraphCreate");
    for (int i = 0; i < NODES; i++) {
      const node_params params = {function, {1, 1, 1}, {1, 1, 1}, 0, arguments, nullptr};
      void *node = nullptr;
      bench::check(add_kernel(&node, graph, &last, is_line && last ? 1 : 0, &params),
                   "cuGraphAddKernelNode");
      last = node;
    }
    bench::check(instantiate(&exec, graph, 0), "cuGraphInstantiate");
  }
  void launch() { bench::check(launch_graph(exec, device.stream), "cuGraphLaunch"); }
  void launch_one() {
    void *arguments[] = {&memory};
    BENCH_CHECK(launch, function, 1, 1, 1, 1, 1, 1, 0, device.stream, arguments, nullptr);
  }
};

executable make(const sycl::queue &q, int *p, bool is_line) {
  ex::command_graph graph(q);
  sycl::queue recorded =
      is_line ? sycl::queue(q.get_context(), q.get_device(), sycl::property::queue::in_order())
              : sycl::queue(q.get_context(), q.get_device());
  graph.begin_recording(recorded);
  for (int i = 0; i < NODES; i++) {
    recorded.single_task([=] { *p = 1; });
  }
  graph.end_recording();
  return graph.finalize();
}

template <class F, class W>
double launching(F one, W wait) {
  wait();
  const double start = now_us();
  for (int i = 0; i < BURST; i++) {
    one();
  }
  const double each = (now_us() - start) / BURST;
  wait();
  return each;
}
template <class F, class W>
double with_wait(F one, W wait) {
  wait();
  const double start = now_us();
  for (int i = 0; i < BURST; i++) {
    one();
    wait();
  }
  return (now_us() - start) / BURST;
}

void time_graph(const char *shape, bool is_line, sycl::queue &q, int *p, raw_graph &raw) {
  const executable exec = make(q, p, is_line);
  raw.make(is_line);
  auto wait = [&] { q.wait(); };
  auto raw_wait = [&] { raw.device.wait(); };
  auto name = [&](const char *what) { return std::string(shape) + ", " + what; };
  bench::compare_row(
      name("launch and wait").c_str(), "us", "-", ROUNDS,
      [&] { return with_wait([&] { q.ext_oneapi_graph(exec); }, wait); },
      [&] { return with_wait([&] { raw.launch(); }, raw_wait); });
  bench::compare_row(
      name("launch").c_str(), "us", "-", ROUNDS,
      [&] { return launching([&] { q.ext_oneapi_graph(exec); }, wait); },
      [&] { return launching([&] { raw.launch(); }, raw_wait); });
  bench::compare_row(
      name("launch, no event").c_str(), "us", "-", ROUNDS,
      [&] { return launching([&] { ex::execute_graph(q, exec); }, wait); },
      [&] { return launching([&] { raw.launch(); }, raw_wait); });
}

int run() {
  sycl::queue q{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  int *p = sycl::malloc_device<int>(1024, q);
  raw_graph raw;
  time_graph("graph of 100 kernels in line", true, q, p, raw);
  time_graph("graph of 100 kernels side by side", false, q, p, raw);
  bench::compare_row(
      "the same 100 kernels without a graph, and wait", "us", "-", ROUNDS,
      [&] {
        return with_wait(
            [&] {
              for (int i = 0; i < NODES; i++) {
                q.single_task([=] { *p = 1; });
              }
            },
            [&] { q.wait(); });
      },
      [&] {
        return with_wait(
            [&] {
              for (int i = 0; i < NODES; i++) {
                raw.launch_one();
              }
            },
            [&] { raw.device.wait(); });
      });
  bench::compare_row(
      "making it executable", "us", "-", 9,
      [&] {
        const double start = now_us();
        const executable exec = make(q, p, true);
        return now_us() - start;
      },
      [&] {
        const double start = now_us();
        raw.make(true);
        return now_us() - start;
      });
  sycl::free(p, q);
  return 0;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const sycl::exception &error) {
    bench::fail("gpu_graph", error.what());
  }
}
