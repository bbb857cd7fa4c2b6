// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native objects: the types, the errors on devices without them, what the CPU has, host tasks with
// an interop_handle, native commands. With NVIDIA's devices also the objects themselves.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"
#include <sycl/backend.hpp>
#include <sycl/detail/common.hpp>
#include <sycl/detail/ur.hpp>

#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

// As in a program that includes cuda.h, after or before.
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef unsigned long long CUdeviceptr;

namespace ex = sycl::ext::oneapi::experimental;
constexpr sycl::backend cuda = sycl::backend::ext_oneapi_cuda;
constexpr sycl::backend cpu = sycl::backend::tenon_cpu;
constexpr sycl::backend opencl = sycl::backend::opencl;

static_assert(std::is_same_v<sycl::backend_return_t<cuda, sycl::device>, CUdevice>);
static_assert(std::is_same_v<sycl::backend_return_t<cuda, sycl::context>, CUcontext>);
static_assert(std::is_same_v<sycl::backend_return_t<cuda, sycl::queue>, CUstream>);
static_assert(std::is_same_v<sycl::backend_return_t<cuda, sycl::event>, CUevent>);
static_assert(std::is_same_v<sycl::backend_input_t<cuda, sycl::queue>, CUstream>);
static_assert(std::is_same_v<sycl::backend_return_t<cuda, sycl::platform>, std::vector<CUdevice>>);
static_assert(std::is_same_v<sycl::backend_return_t<cuda, sycl::buffer<int>>, CUdeviceptr>);
static_assert(
    std::is_same_v<sycl::backend_traits<cuda>::return_type<sycl::accessor<int>>, CUdeviceptr>);
static_assert(SYCL_EXT_ONEAPI_BACKEND_CUDA == 1);
static_assert(std::is_same_v<sycl::backend_return_t<opencl, sycl::platform>, cl_platform_id>);
static_assert(std::is_same_v<sycl::backend_return_t<opencl, sycl::device>, cl_device_id>);
static_assert(std::is_same_v<sycl::backend_return_t<opencl, sycl::queue>, cl_command_queue>);
static_assert(std::is_same_v<sycl::backend_input_t<opencl, sycl::event>, std::vector<cl_event>>);
static_assert(
    std::is_same_v<sycl::backend_return_t<opencl, sycl::buffer<int>>, std::vector<cl_mem>>);
static_assert(
    std::is_same_v<
        sycl::backend_return_t<opencl, sycl::kernel_bundle<sycl::bundle_state::executable>>,
        std::vector<cl_program>>);

constexpr int size = 100;

// What every device does.
static void host_tasks(sycl::queue q) {
  sycl::buffer<int> buffer{sycl::range<1>(size)};
  int *shared = sycl::malloc_shared<int>(1, q);
  *shared = 0;
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor out(buffer, cgh, sycl::write_only, sycl::no_init);
    cgh.parallel_for(size, [=](sycl::id<1> i) { out[i] = static_cast<int>(i); });
  });
  bool was_called = false;
  const sycl::backend expected = q.get_device().get_backend();
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor in(buffer, cgh, sycl::read_only_host_task);
    cgh.host_task([=, &was_called](sycl::interop_handle handle) {
      was_called =
          handle.get_backend() == expected && in[99] == 99 && !handle.ext_codeplay_has_graph();
    });
  });
  q.wait();
  EXPECT(was_called);
  // A native command comes after what it depends on, and before what depends on it.
  int order = 0;
  sycl::event first = q.single_task([=] { *shared = 7; });
  sycl::event second = q.submit([&](sycl::handler &cgh) {
    cgh.depends_on(first);
    cgh.ext_codeplay_enqueue_native_command([=, &order](sycl::interop_handle handle) {
      if (handle.get_backend() == cpu) {
        order = *shared;
      }
    });
  });
  q.submit([&](sycl::handler &cgh) {
     cgh.depends_on(second);
     cgh.single_task([=] { *shared += 1; });
   }).wait();
  EXPECT(*shared == 8);
  EXPECT(expected != cpu || order == 7);
  sycl::free(shared, q);
}

static void on_cpu(sycl::queue q) {
  EXPECT_ERRC(backend_mismatch, (void)sycl::get_native<cuda>(q));
  EXPECT_ERRC(backend_mismatch, (void)sycl::get_native<cuda>(q.get_device()));
  EXPECT_ERRC(backend_mismatch, (void)sycl::get_native<cuda>(q.get_context()));
  EXPECT_ERRC(backend_mismatch, (void)sycl::get_native<cuda>(q.get_device().get_platform()));
  EXPECT_ERRC(backend_mismatch, (void)sycl::get_native<cuda>(q.single_task([] {})));
  EXPECT_ERRC(backend_mismatch, (void)sycl::make_queue<cuda>(nullptr, q.get_context()));
  EXPECT_ERRC(backend_mismatch, (void)sycl::make_event<cuda>(nullptr, q.get_context()));
  EXPECT_ERRC(invalid, (void)sycl::make_device<cuda>(1234));
  EXPECT_ERRC(invalid, (void)sycl::make_context<cuda>(nullptr));
  EXPECT_ERRC(invalid, (void)sycl::make_platform<cuda>({}));
  EXPECT(sycl::get_native<cpu>(q) == q.tn_get());
  EXPECT(sycl::get_native<cpu>(q.get_device()) == q.get_device().tn_get());

  std::vector<int> data(size, 5);
  sycl::buffer<int> buffer(data.data(), sycl::range<1>(size));
  int found = 0;
  int mismatches = 0;
  q.submit([&](sycl::handler &cgh) {
     sycl::accessor in(buffer, cgh, sycl::read_write);
     cgh.host_task([=, &found, &mismatches, &q](sycl::interop_handle handle) {
       int *memory = static_cast<int *>(handle.get_native_mem<cpu>(in));
       found = memory[3];
       memory[3] = 6;
       EXPECT(handle.get_native_queue<cpu>() == q.tn_get());
       EXPECT(handle.get_native_device<cpu>() == q.get_device().tn_get());
       EXPECT(handle.get_native_context<cpu>() == q.get_context().tn_get());
       try {
         (void)handle.get_native_queue<cuda>();
       } catch (const sycl::exception &e) {
         mismatches += e.code() == sycl::errc::backend_mismatch;
       }
       try {
         (void)handle.get_native_mem<cuda>(in);
       } catch (const sycl::exception &e) {
         mismatches += e.code() == sycl::errc::backend_mismatch;
       }
     });
   }).wait();
  EXPECT(found == 5);
  EXPECT(mismatches == 2);
  EXPECT(sycl::host_accessor(buffer)[3] == 6);
}

// A native command in a graph runs with it.
static void in_a_graph(sycl::queue q) {
  int *shared = sycl::malloc_shared<int>(1, q);
  *shared = 1;
  int calls = 0;
  bool had_graph = false;
  ex::command_graph graph(q);
  ex::node first = graph.add([&](sycl::handler &cgh) { cgh.single_task([=] { *shared *= 2; }); });
  ex::node second = graph.add(
      [&](sycl::handler &cgh) {
        cgh.ext_codeplay_enqueue_native_command([&, shared](sycl::interop_handle handle) {
          had_graph = handle.ext_codeplay_has_graph();
          ++calls;
          if (handle.get_backend() == cpu) {
            *shared += 10;
          }
        });
      },
      {ex::property::node::depends_on(first)});
  EXPECT(second.get_type() == ex::node_type::native_command);
  auto exec = graph.finalize();
  const bool is_cpu = q.get_device().get_backend() == cpu;
  const bool has_graphs = q.get_device().get_backend() == cuda;
  EXPECT(calls == (has_graphs ? 1 : 0));
  q.ext_oneapi_graph(exec).wait();
  q.ext_oneapi_graph(exec).wait();
  EXPECT(calls == (has_graphs ? 1 : 2));
  EXPECT(had_graph == has_graphs);
  EXPECT(*shared == (is_cpu ? 34 : 4));
  sycl::free(shared, q);
}

static void on_cuda(sycl::queue q) {
  const CUdevice device = sycl::get_native<cuda>(q.get_device());
  EXPECT(sycl::make_device<cuda>(device) == q.get_device());
  EXPECT(sycl::get_native<cuda>(q.get_device().get_platform()).size() >= 1);
  const CUcontext context = sycl::get_native<cuda>(q.get_context());
  EXPECT(context != nullptr);
  EXPECT(sycl::make_context<cuda>(context).get_devices()[0].get_backend() == cuda);
  const CUstream stream = sycl::get_native<cuda>(q);
  EXPECT(stream != nullptr);
  EXPECT(stream == sycl::get_native<cuda>(q));
  int *shared = sycl::malloc_shared<int>(1, q);
  sycl::event launched = q.single_task([=] { *shared = 3; });
  const CUevent event = sycl::get_native<cuda>(launched);
  EXPECT(event != nullptr);
  sycl::event made = sycl::make_event<cuda>(event, q.get_context());
  made.wait();
  EXPECT(*shared == 3);
  EXPECT(made.get_backend() == cuda);
  sycl::queue over = sycl::make_queue<cuda>(stream, q.get_context());
  EXPECT(over.is_in_order());
  over.submit([&](sycl::handler &cgh) {
        cgh.depends_on(made);
        cgh.single_task([=] { *shared += 1; });
      })
      .wait();
  EXPECT(*shared == 4);
  EXPECT(sycl::get_native<cuda>(over) == stream);
  sycl::free(shared, q);
}

static void on_opencl(sycl::queue q) {
  const sycl::device device = q.get_device();
  EXPECT(sycl::make_device<opencl>(sycl::get_native<opencl>(device)) == device);
  const cl_platform_id platform = sycl::get_native<opencl>(device.get_platform());
  EXPECT(sycl::make_platform<opencl>(platform) == device.get_platform());
  const cl_context context = sycl::get_native<opencl>(q.get_context());
  EXPECT(sycl::make_context<opencl>(context).get_devices()[0] == device);
  EXPECT_ERRC(invalid, (void)sycl::make_context<opencl>(nullptr));
  EXPECT_ERRC(invalid, (void)sycl::make_platform<opencl>(nullptr));
  EXPECT_ERRC(invalid, (void)sycl::make_event<opencl>({}, q.get_context()));
  const cl_command_queue native = sycl::get_native<opencl>(q);
  EXPECT(native != nullptr && native == sycl::get_native<opencl>(q));
  int *shared = sycl::malloc_shared<int>(1, q);
  const sycl::event launched = q.single_task([=] { *shared = 3; });
  sycl::event made = sycl::make_event<opencl>(sycl::get_native<opencl>(launched), q.get_context());
  made.wait();
  EXPECT(*shared == 3);
  EXPECT(made.get_backend() == opencl);
  sycl::queue over = sycl::make_queue<opencl>(native, q.get_context());
  EXPECT(over.is_in_order());
  over.submit([&](sycl::handler &cgh) {
        cgh.depends_on(made);
        cgh.single_task([=] { *shared += 1; });
      })
      .wait();
  EXPECT(*shared == 4);
  EXPECT(sycl::get_native<opencl>(over) == native);
  EXPECT_ERRC(backend_mismatch, (void)sycl::get_native<cuda>(q));
  sycl::free(shared, q);
}

// DPC++'s way to keep something as long as a context, such as a handle of cuSOLVER.
static void end_of_a_context(const sycl::device &device) {
  static_assert(std::is_pointer_v<ur_context_handle_t>);
  static std::atomic<int> calls;
  calls = 0;
  {
    sycl::context context(device);
    sycl::detail::pi::contextSetExtendedDeleter(
        context, [](void *data) { ++*static_cast<std::atomic<int> *>(data); }, &calls);
    {
      const sycl::context copy = context;
      sycl::queue(copy, device).single_task([] {}).wait();
    }
    EXPECT(calls == 0);
    EXPECT_ERRC(invalid, sycl::detail::pi::contextSetExtendedDeleter(context, nullptr, &calls));
  }
  // The driver's thread, which notified of the task's completion, may release the context last.
  for (int i = 0; i < 1000 && calls == 0; i++) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT(calls == 1);
}

int main() {
  const sycl::property_list in_order{sycl::property::queue::in_order()};
  for (sycl::queue q : {sycl::queue(), sycl::queue(in_order)}) {
    host_tasks(q);
    end_of_a_context(q.get_device());
    in_a_graph(q);
    if (q.get_device().get_backend() == cuda) {
      on_cuda(q);
    } else if (q.get_device().get_backend() == opencl) {
      on_opencl(q);
    } else {
      on_cpu(q);
    }
  }
  return failures;
}
