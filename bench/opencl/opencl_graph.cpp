// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph of fifty small kernels, launched and waited for: beside a command buffer by hand where
// the driver has cl_khr_command_buffer, and beside the same graph given to the device node by node.
#include "opencl_bench.hpp"

extern "C" void *clGetExtensionFunctionAddressForPlatform(cl_platform_id, const char *);
extern "C" int clGetDeviceInfo(cl_device_id, unsigned, std::size_t, void *, std::size_t *);

namespace {

namespace ex = sycl::ext::oneapi::experimental;
using bench::check;
using bench::timed;
using executable = ex::command_graph<ex::graph_state::executable>;

constexpr int KERNELS = 50, ROUNDS = 201;
constexpr std::size_t ITEMS = 1024;
constexpr unsigned DEVICE_PLATFORM = 0x1031, FLAGS = 0x1293, QUEUE_PROPERTIES = 0x1093;
constexpr std::uint64_t SIMULTANEOUS = 1, PROFILING = 2;
using command_buffer = struct command_buffer_handle *;

const char source[] = "kernel void add_one(global int *p) { p[get_global_id(0)] += 1; }";

// A line: each kernel follows the one before.
class raw_graph {
 public:
  explicit raw_graph(sycl::queue &q)
      : context(sycl::get_native<sycl::backend::opencl>(q.get_context())),
        device(sycl::get_native<sycl::backend::opencl>(q.get_device())) {
    check(clGetDeviceInfo(device, DEVICE_PLATFORM, sizeof(platform), &platform, nullptr),
          "clGetDeviceInfo");
    find("clCreateCommandBufferKHR", create);
    find("clFinalizeCommandBufferKHR", finalize);
    find("clEnqueueCommandBufferKHR", enqueue);
    find("clCommandNDRangeKernelKHR", record);
  }
  bool is_there() const { return create && finalize && enqueue && record; }
  void make(int *memory) {
    const std::uint64_t properties[] = {QUEUE_PROPERTIES, PROFILING, 0};
    const std::uint64_t flags[] = {FLAGS, SIMULTANEOUS, 0};
    const char *text = source;
    int result = 0;
    queue = clCreateCommandQueueWithProperties(context, device, properties, &result);
    check(result, "clCreateCommandQueueWithProperties");
    const cl_program program = clCreateProgramWithSource(context, 1, &text, nullptr, &result);
    check(result, "clCreateProgramWithSource");
    check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    const cl_kernel kernel = clCreateKernel(program, "add_one", &result);
    check(result, "clCreateKernel");
    const cl_mem view =
        clCreateBuffer(context, bench::READ_WRITE | 1 << 3, ITEMS * sizeof(int), memory, &result);
    check(result, "clCreateBuffer");
    check(clSetKernelArg(kernel, 0, sizeof(view), &view), "clSetKernelArg");
    buffer = create(1, &queue, flags, &result);
    check(result, "clCreateCommandBufferKHR");
    unsigned point = 0;
    for (int i = 0; i < KERNELS; i++) {
      const unsigned before = point;
      check(record(buffer, nullptr, nullptr, kernel, 1, nullptr, &ITEMS, nullptr, i > 0 ? 1 : 0,
                   i > 0 ? &before : nullptr, &point, nullptr),
            "clCommandNDRangeKernelKHR");
    }
    check(finalize(buffer), "clFinalizeCommandBufferKHR");
  }
  void launch() const {
    check(enqueue(0, nullptr, buffer, 0, nullptr, nullptr), "clEnqueueCommandBufferKHR");
  }
  void wait() const { check(clFinish(queue), "clFinish"); }

 private:
  template <class F>
  void find(const char *name, F &out) const {
    out = reinterpret_cast<F>(clGetExtensionFunctionAddressForPlatform(platform, name));
  }

  cl_context context;
  cl_device_id device;
  cl_platform_id platform = nullptr;
  cl_command_queue queue = nullptr;
  command_buffer buffer = nullptr;
  command_buffer (*create)(unsigned, const cl_command_queue *, const std::uint64_t *, int *);
  int (*finalize)(command_buffer);
  int (*enqueue)(unsigned, cl_command_queue *, command_buffer, unsigned, const cl_event *,
                 cl_event *);
  int (*record)(command_buffer, cl_command_queue, const std::uint64_t *, cl_kernel, unsigned,
                const std::size_t *, const std::size_t *, const std::size_t *, unsigned,
                const unsigned *, unsigned *, void *);
};

// A graph with a native command is given to the device node by node.
executable make(sycl::queue &q, int *memory, bool is_line, bool is_replayed) {
  ex::command_graph graph(q);
  std::vector<ex::node> last;
  if (is_replayed) {
    (void)graph.add([](sycl::handler &cgh) {
      cgh.ext_codeplay_enqueue_native_command([](sycl::interop_handle) {});
    });
  }
  for (int i = 0; i < KERNELS; i++) {
    int *p = memory + (is_line ? 0 : i * ITEMS);
    auto work = [=](sycl::handler &cgh) {
      cgh.parallel_for(ITEMS, [=](sycl::id<1> at) { p[at] += 1; });
    };
    const ex::node made = last.empty() || !is_line
                              ? graph.add(work)
                              : graph.add(work, {ex::property::node::depends_on(last.back())});
    last.push_back(made);
  }
  return graph.finalize();
}

double run(sycl::queue &q, executable &graph) {
  return timed([&] { q.ext_oneapi_graph(graph).wait(); });
}

void compare_with_replay(sycl::queue &q, int *memory, bool is_line, const char *name) {
  executable ours = make(q, memory, is_line, false), replay = make(q, memory, is_line, true);
  bench::compare(
      name, "us", 1, ROUNDS, [&] { return run(q, ours); }, [&] { return run(q, replay); });
}

}  // namespace

int main() {
  sycl::queue q{sycl::property::queue::in_order()}, free{q.get_context(), q.get_device()};
  int *memory = sycl::malloc_shared<int>(ITEMS * KERNELS, q);
  std::fprintf(stderr, "%s\n", q.get_device().get_info<sycl::info::device::name>().c_str());
  raw_graph raw(q);
  if (raw.is_there()) {
    executable ours = make(q, memory, true, false);
    raw.make(memory);
    bench::compare(
        "graph of 50 kernels in line, launch and wait", "us", 1, ROUNDS,
        [&] { return run(q, ours); }, [&] { return timed([&] { raw.launch(), raw.wait(); }); });
    bench::compare(
        "graph of 50 kernels in line, 20 launches, one wait", "us", 1.0 / 20, 51,
        [&] {
          return timed([&] {
            for (int i = 0; i < 20; i++) {
              q.ext_oneapi_graph(ours);
            }
            q.wait();
          });
        },
        [&] {
          return timed([&] {
            for (int i = 0; i < 20; i++) {
              raw.launch();
            }
            raw.wait();
          });
        });
  }
  compare_with_replay(q, memory, true, "graph of 50 kernels in line against its replay, in order");
  compare_with_replay(free, memory, true, "graph of 50 kernels in line against its replay");
  compare_with_replay(free, memory, false, "graph of 50 kernels side by side against its replay");
}
