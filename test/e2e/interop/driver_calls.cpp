// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that calls NVIDIA's driver itself, in the streams, events, memory and graphs of SYCL
// objects. Without such a device it has nothing to do.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t -ldl && %t
#ifdef WITH_CUDA_H
#include <cuda.h>
#endif

#include "../headers/Inputs/expect.hpp"
#include <sycl/backend.hpp>

#include <cstring>
#include <dlfcn.h>

namespace ex = sycl::ext::oneapi::experimental;
constexpr sycl::backend cuda = sycl::backend::ext_oneapi_cuda;
constexpr int size = 1 << 16;

// The driver's functions, as far as this needs them.
struct fill_node {
  CUdeviceptr to;
  std::size_t pitch;
  unsigned value;
  unsigned element_size;
  std::size_t width;
  std::size_t height;
};
static struct {
  int (*context_set)(CUcontext);
  int (*fill)(CUdeviceptr, unsigned, std::size_t, CUstream);
  int (*copy)(CUdeviceptr, CUdeviceptr, std::size_t, CUstream);
  int (*stream_create)(CUstream *, unsigned);
  int (*stream_sync)(CUstream);
  int (*stream_wait)(CUstream, CUevent, unsigned);
  int (*event_create)(CUevent *, unsigned);
  int (*event_record)(CUevent, CUstream);
  int (*graph_fill)(void **, CUgraph, void *const *, std::size_t, const fill_node *, CUcontext);
  int (*function_get)(int *, int, CUfunction);
  int (*begin_capture)(CUstream, CUgraph, const void *, const void *, std::size_t, int);
  int (*end_capture)(CUstream, CUgraph *);
} cu;

template <class F>
static void find(void *library, const char *name, F &out) {
  void *symbol = dlsym(library, name);
  std::memcpy(&out, &symbol, sizeof(out));
}

static bool find_driver() {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return false;
  }
  find(library, "cuCtxSetCurrent", cu.context_set);
  find(library, "cuMemsetD32Async", cu.fill);
  find(library, "cuMemcpyAsync", cu.copy);
  find(library, "cuStreamCreate", cu.stream_create);
  find(library, "cuStreamSynchronize", cu.stream_sync);
  find(library, "cuStreamWaitEvent", cu.stream_wait);
  find(library, "cuEventCreate", cu.event_create);
  find(library, "cuEventRecord", cu.event_record);
  find(library, "cuGraphAddMemsetNode", cu.graph_fill);
  find(library, "cuFuncGetAttribute", cu.function_get);
  find(library, "cuStreamBeginCaptureToGraph", cu.begin_capture);
  find(library, "cuStreamEndCapture", cu.end_capture);
  return true;
}

static CUdeviceptr address(const void *memory) {
  return static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(memory));
}

static bool all_are(sycl::buffer<int> &buffer, int value) {
  sycl::host_accessor view(buffer);
  for (int i = 0; i < size; ++i) {
    if (view[static_cast<std::size_t>(i)] != value) {
      std::printf("element %d is %d, not %d\n", i, view[static_cast<std::size_t>(i)], value);
      return false;
    }
  }
  return true;
}

static void add(sycl::queue q, sycl::buffer<int> &buffer, int value) {
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor at(buffer, cgh, sycl::read_write);
    cgh.parallel_for(size, [=](sycl::id<1> i) { at[i] += value; });
  });
}

// The driver's work between kernels, waited for by the host task, or by the device.
static void in_commands(sycl::queue q) {
  sycl::buffer<int> buffer{sycl::range<1>(size)};
  add(q, buffer, 0);
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor at(buffer, cgh, sycl::write_only);
    cgh.host_task([=](sycl::interop_handle handle) {
      EXPECT(cu.context_set(handle.get_native_context<cuda>()) == 0);
      const CUstream stream = handle.get_native_queue<cuda>();
      EXPECT(cu.fill(handle.get_native_mem<cuda>(at), 40, size, stream) == 0);
      EXPECT(cu.stream_sync(stream) == 0);
      EXPECT(handle.get_native_device<cuda>() >= 0);
    });
  });
  add(q, buffer, 2);
  EXPECT(all_are(buffer, 42));
  for (int i = 1; i <= 20; ++i) {
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor at(buffer, cgh, sycl::write_only);
      cgh.ext_codeplay_enqueue_native_command([=](sycl::interop_handle handle) {
        EXPECT(cu.fill(handle.get_native_mem<cuda>(at), static_cast<unsigned>(i), size,
                       handle.get_native_queue<cuda>()) == 0);
        EXPECT(sycl::get_native<cuda>(q) == handle.get_native_queue<cuda>());
      });
    });
    add(q, buffer, 1000);
    EXPECT(all_are(buffer, 1000 + i));
  }
  // One host task with one accessor to each side.
  int seen = 0;
  q.submit([&](sycl::handler &cgh) {
     sycl::accessor at(buffer, cgh, sycl::read_only_host_task);
     cgh.host_task([=, &seen](sycl::interop_handle) { seen = at[size - 1]; });
   }).wait();
  EXPECT(seen == 1020);
}

// Streams and events of the program's, and of the queue.
static void in_streams(sycl::queue q) {
  int *x = sycl::malloc_device<int>(size, q);
  int *y = sycl::malloc_device<int>(size, q);
  int out = 0;
  EXPECT(cu.context_set(sycl::get_native<cuda>(q.get_context())) == 0);
  CUstream stream = nullptr;
  CUevent event = nullptr;
  EXPECT(cu.stream_create(&stream, 1) == 0);
  EXPECT(cu.event_create(&event, 2) == 0);
  for (int i = 0; i < 20; ++i) {
    sycl::event filled = q.fill(x, i, size);
    EXPECT(cu.stream_wait(stream, sycl::get_native<cuda>(filled), 0) == 0);
    EXPECT(cu.copy(address(y), address(x), size * sizeof(int), stream) == 0);
    EXPECT(cu.event_record(event, stream) == 0);
    sycl::event copied = sycl::make_event<cuda>(event, q.get_context());
    q.submit([&](sycl::handler &cgh) {
      cgh.depends_on(copied);
      cgh.parallel_for(size, [=](sycl::id<1> at) { y[at] += 5; });
    });
    q.wait();
    q.memcpy(&out, y + size - 1, sizeof(int)).wait();
    EXPECT(out == i + 5);
  }
  sycl::queue over = sycl::make_queue<cuda>(stream, q.get_context());
  EXPECT(cu.fill(address(y), 7, size, stream) == 0);
  over.parallel_for(size, [=](sycl::id<1> at) { y[at] *= 3; });
  EXPECT(cu.copy(address(x), address(y), size * sizeof(int), stream) == 0);
  over.wait();
  q.memcpy(&out, x + size - 1, sizeof(int)).wait();
  EXPECT(out == 21);
  sycl::free(x, q);
  sycl::free(y, q);
}

// The driver's nodes among SYCL's, added and captured.
static void in_graphs(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(size, q);
  ex::command_graph graph(q);
  ex::node first = graph.add([&](sycl::handler &cgh) { cgh.fill(x, 1, size); });
  ex::node second = graph.add(
      [&](sycl::handler &cgh) {
        cgh.ext_codeplay_enqueue_native_command([=](sycl::interop_handle handle) {
          EXPECT(handle.ext_codeplay_has_graph());
          const fill_node params = {address(x), 0, 10, 4, size / 2, 1};
          void *node = nullptr;
          EXPECT(cu.graph_fill(&node, handle.ext_codeplay_get_native_graph<cuda>(), nullptr, 0,
                               &params, handle.get_native_context<cuda>()) == 0);
        });
      },
      {ex::property::node::depends_on(first)});
  ex::node third = graph.add(
      [&](sycl::handler &cgh) {
        cgh.ext_codeplay_enqueue_native_command([=](sycl::interop_handle handle) {
          CUgraph into = handle.ext_codeplay_get_native_graph<cuda>();
          const CUstream stream = handle.get_native_queue<cuda>();
          if (cu.begin_capture) {  // of drivers for CUDA 12.3 and later
            EXPECT(cu.begin_capture(stream, into, nullptr, nullptr, 0, 0) == 0);
            EXPECT(cu.fill(address(x), 20, 1, stream) == 0);
            EXPECT(cu.end_capture(stream, &into) == 0);
          }
        });
      },
      {ex::property::node::depends_on(second)});
  graph.add([&](sycl::handler &cgh) { cgh.parallel_for(size, [=](sycl::id<1> i) { x[i] += 1; }); },
            {ex::property::node::depends_on(third)});
  auto exec = graph.finalize();
  for (int i = 0; i < 3; ++i) {
    q.ext_oneapi_graph(exec).wait();
    EXPECT(x[0] == (cu.begin_capture ? 21 : 11));
    EXPECT(x[1] == 11);
    EXPECT(x[size / 2 - 1] == 11);
    EXPECT(x[size / 2] == 2);
    EXPECT(x[size - 1] == 2);
  }
  sycl::free(x, q);
}

// Functions that know nothing of graphs: what they give to the queue is a part of each launch.
static void captured(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(size, q);
  int *y = sycl::malloc_shared<int>(size, q);
  x[0] = 3;
  y[0] = 9;
  const auto copy = [=](CUstream stream) {
    EXPECT(cu.copy(address(y), address(x), size * sizeof(int), stream) == 0);
  };
  ex::command_graph graph(q);
  graph.begin_recording(q);
  sycl::event last = q.parallel_for(size, [=](sycl::id<1> i) { x[i] += 1; });
  for (bool asks_the_queue : {false, true}) {
    last = q.submit([&](sycl::handler &cgh) {
      cgh.depends_on(last);
      cgh.ext_codeplay_enqueue_native_command([=](sycl::interop_handle handle) {
        copy(asks_the_queue ? sycl::get_native<cuda>(q) : handle.get_native_queue<cuda>());
      });
    });
    last = q.parallel_for(size, last, [=](sycl::id<1> i) { x[i] += y[i]; });
  }
  graph.end_recording();
  auto exec = graph.finalize();
  EXPECT(y[0] == 9);
  int expected = 3;
  for (int i = 0; i < 3; ++i) {
    q.ext_oneapi_graph(exec).wait();
    expected = (expected + 1) * 4;
    EXPECT(x[0] == expected);
    EXPECT(y[0] == expected / 2);
  }
  sycl::free(x, q);
  sycl::free(y, q);
}

// A function may ask for the queue first, and for the graph then, unless it has given work.
static void captured_too_late(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(size, q);
  for (bool gives_work : {false, true}) {
    ex::command_graph graph(q);
    graph.add([&](sycl::handler &cgh) {
      cgh.ext_codeplay_enqueue_native_command([=](sycl::interop_handle handle) {
        const CUstream stream = handle.get_native_queue<cuda>();
        if (gives_work) {
          EXPECT(cu.fill(address(x), 5, size, stream) == 0);
        }
        CUgraph into = handle.ext_codeplay_get_native_graph<cuda>();
        if (cu.begin_capture) {
          EXPECT(cu.begin_capture(stream, into, nullptr, nullptr, 0, 0) == 0);
          EXPECT(cu.fill(address(x), 6, size, stream) == 0);
          EXPECT(cu.end_capture(stream, &into) == 0);
        }
      });
    });
    bool is_refused = false;
    x[0] = 1;
    try {
      auto exec = graph.finalize();
      EXPECT(x[0] == 1);
      q.ext_oneapi_graph(exec).wait();
      EXPECT(x[0] == (cu.begin_capture ? 6 : 1));
    } catch (const sycl::exception &e) {
      is_refused = std::strstr(e.what(), "request the graph first") != nullptr;
    }
    EXPECT(is_refused == gives_work);
  }
  sycl::free(x, q);
}

class named;
static void kernels(sycl::queue q) {
  q.single_task<named>([] {}).wait();
  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(
      q.get_context(), {sycl::get_kernel_id<named>()});
  int threads = 0;
  const CUfunction function = sycl::get_native<cuda>(bundle.get_kernel<named>());
  EXPECT(cu.function_get(&threads, 0, function) == 0);
  EXPECT(threads >= 32);
  EXPECT(sycl::get_native<cuda>(bundle).size() == bundle.get_devices().size());
}

int main() {
  sycl::queue q;
  if (q.get_device().get_backend() != cuda || !find_driver()) {
    std::printf("no NVIDIA device: nothing to do\n");
    return 0;
  }
  for (sycl::queue each : {q, sycl::queue(sycl::property::queue::in_order())}) {
    in_commands(each);
    in_streams(each);
    in_graphs(each);
    captured(each);
    captured_too_late(each);
    kernels(each);
  }
  return failures;
}
