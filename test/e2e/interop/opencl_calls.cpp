// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that calls OpenCL itself, in the queues, events, memory and programs of SYCL objects,
// and gives SYCL its own. Without such a device it has nothing to do.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t -ldl && %t
#ifdef WITH_CL_H
#include <CL/cl.h>
#endif

#include "Inputs/driver_functions.hpp"
#include <sycl/backend/opencl.hpp>

#include <cstdint>

constexpr sycl::backend opencl = sycl::backend::opencl;
constexpr std::size_t size = 1 << 12;

// OpenCL's functions, as far as this needs them.
static struct {
  cl_command_queue (*queue_create)(cl_context, cl_device_id, const std::uint64_t *, int *);
  int (*queue_release)(cl_command_queue);
  int (*queue_info)(cl_command_queue, unsigned, std::size_t, void *, std::size_t *);
  int (*finish)(cl_command_queue);
  int (*fill)(cl_command_queue, cl_mem, const void *, std::size_t, std::size_t, std::size_t,
              unsigned, const cl_event *, cl_event *);
  int (*marker)(cl_command_queue, unsigned, const cl_event *, cl_event *);
  cl_event (*user_event)(cl_context, int *);
  int (*set_status)(cl_event, int);
  int (*event_info)(cl_event, unsigned, std::size_t, void *, std::size_t *);
  int (*event_release)(cl_event);
  int (*context_release)(cl_context);
  int (*kernel_info)(cl_kernel, unsigned, std::size_t, void *, std::size_t *);
  int (*kernel_release)(cl_kernel);
  int (*program_info)(cl_program, unsigned, std::size_t, void *, std::size_t *);
} cl;
constexpr unsigned queue_context = 0x1090, queue_references = 0x1092, queue_properties = 0x1093;
constexpr unsigned kernel_program = 0x1194, program_devices = 0x1162, event_status = 0x11d3;
constexpr std::uint64_t out_of_order = 1;

static bool find_functions() {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  if (library == nullptr) {
    return false;
  }
  find(library, "clCreateCommandQueueWithProperties", cl.queue_create);
  find(library, "clReleaseCommandQueue", cl.queue_release);
  find(library, "clGetCommandQueueInfo", cl.queue_info);
  find(library, "clFinish", cl.finish);
  find(library, "clEnqueueFillBuffer", cl.fill);
  find(library, "clEnqueueMarkerWithWaitList", cl.marker);
  find(library, "clCreateUserEvent", cl.user_event);
  find(library, "clSetUserEventStatus", cl.set_status);
  find(library, "clGetEventInfo", cl.event_info);
  find(library, "clReleaseEvent", cl.event_release);
  find(library, "clReleaseContext", cl.context_release);
  find(library, "clGetKernelInfo", cl.kernel_info);
  find(library, "clReleaseKernel", cl.kernel_release);
  find(library, "clGetProgramInfo", cl.program_info);
  return failures == 0;
}

// What a host task and a native command give to the queue is in order with its kernels.
static void commands(sycl::queue q) {
  sycl::buffer<int> buffer{sycl::range<1>(size)};
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor out(buffer, cgh, sycl::write_only, sycl::no_init);
    cgh.parallel_for(size, [=](sycl::id<1> i) { out[i] = 1; });
  });
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor out(buffer, cgh, sycl::read_write);
    cgh.ext_codeplay_enqueue_native_command([=](sycl::interop_handle handle) {
      const int pattern = 40;
      const std::vector<cl_mem> memory = handle.get_native_mem<opencl>(out);
      EXPECT(memory.size() == 1);
      EXPECT(cl.fill(handle.get_native_queue<opencl>(), memory[0], &pattern, sizeof(pattern), 0,
                     size / 2 * sizeof(int), 0, nullptr, nullptr) == 0);
    });
  });
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor out(buffer, cgh, sycl::read_write);
    cgh.parallel_for(size, [=](sycl::id<1> i) { out[i] += 2; });
  });
  q.submit([&](sycl::handler &cgh) {
    sycl::accessor out(buffer, cgh, sycl::read_write);
    cgh.host_task([=](sycl::interop_handle handle) {
      const int pattern = 7;
      const cl_command_queue queue = handle.get_native_queue<opencl>();
      EXPECT(handle.get_native_context<opencl>() == info<cl_context>(cl.queue_info, queue,
                                                                     queue_context));
      EXPECT(cl.fill(queue, handle.get_native_mem<opencl>(out)[0], &pattern, sizeof(pattern), 0,
                     sizeof(int), 0, nullptr, nullptr) == 0);
      EXPECT(cl.finish(queue) == 0);
    });
  });
  sycl::host_accessor found(buffer);
  EXPECT(found[0] == 7 && found[1] == 42 && found[size / 2 - 1] == 42);
  EXPECT(found[size / 2] == 3 && found[size - 1] == 3);
}

// Each get_native gives a reference of the program's own.
static void references(sycl::queue q) {
  const cl_command_queue native = sycl::get_native<opencl>(q);
  const unsigned before = info<unsigned>(cl.queue_info, native, queue_references);
  EXPECT(sycl::get_native<opencl>(q) == native);
  EXPECT(info<unsigned>(cl.queue_info, native, queue_references) == before + 1);
  EXPECT(cl.queue_release(native) == 0);
  EXPECT(cl.queue_release(native) == 0);
  EXPECT(cl.context_release(sycl::get_native<opencl>(q.get_context())) == 0);
  q.single_task([] {}).wait();
}

// A queue of the program's, without an order: SYCL's commands are in order all the same.
static void own_queue(sycl::queue q, std::uint64_t properties) {
  const std::uint64_t list[] = {queue_properties, properties, 0};
  const cl_context context = sycl::get_native<opencl>(q.get_context());
  const cl_command_queue native =
      cl.queue_create(context, sycl::get_native<opencl>(q.get_device()), list, nullptr);
  EXPECT(native != nullptr);
  int *shared = sycl::malloc_shared<int>(size, q);
  {
    sycl::queue over = sycl::make_queue<opencl>(native, q.get_context());
    EXPECT(cl.queue_release(native) == 0);  // the SYCL queue has its own reference
    EXPECT(sycl::get_native<opencl>(over) == native);
    EXPECT(cl.queue_release(native) == 0);
    over.parallel_for(size, [=](sycl::id<1> i) { shared[i] = static_cast<int>(i); });
    for (int round = 0; round < 10; ++round) {
      over.parallel_for(size, [=](sycl::id<1> i) { shared[i] = shared[size - 1 - i] + 1; });
      over.parallel_for(size, [=](sycl::id<1> i) { shared[i] -= 1; });
      over.memcpy(shared, shared + size / 2, 64);
    }
    over.fill(shared + 1, 9, 1);
    over.wait();
    EXPECT(shared[1] == 9);
  }
  sycl::free(shared, q);
  EXPECT(cl.context_release(context) == 0);
}

static void events(sycl::queue q) {
  const cl_context context = sycl::get_native<opencl>(q.get_context());
  int *shared = sycl::malloc_shared<int>(1, q);
  *shared = 0;
  const cl_event native = cl.user_event(context, nullptr);
  sycl::event gate = sycl::make_event<opencl>({native}, q.get_context());
  EXPECT(sycl::get_native<opencl>(gate)[0] == native);
  sycl::event after = q.submit([&](sycl::handler &cgh) {
    cgh.depends_on(gate);
    cgh.single_task([=] { *shared = 5; });
  });
  EXPECT(*static_cast<volatile int *>(shared) == 0);
  EXPECT(cl.set_status(native, 0) == 0);
  after.wait();
  EXPECT(*shared == 5);
  const cl_event done = sycl::get_native<opencl>(after)[0];
  EXPECT(info<int>(cl.event_info, done, event_status) == 0);
  EXPECT(cl.event_release(done) == 0);
  EXPECT(cl.event_release(native) == 0);  // get_native's
  EXPECT(cl.event_release(native) == 0);
  sycl::free(shared, q);
  EXPECT(cl.context_release(context) == 0);
}

class named;

static void programs(sycl::queue q) {
  q.single_task<named>([] {}).wait();
  const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(
      q.get_context(), {sycl::get_kernel_id<named>()});
  const cl_kernel kernel =
      sycl::get_native<opencl>(bundle.get_kernel(sycl::get_kernel_id<named>()));
  const std::vector<cl_program> list = sycl::get_native<opencl>(bundle);
  const cl_program program = info<cl_program>(cl.kernel_info, kernel, kernel_program);
  bool is_listed = false;
  for (cl_program each : list) {
    is_listed = is_listed || each == program;
  }
  EXPECT(is_listed);
  EXPECT(info<unsigned>(cl.program_info, program, program_devices) == 1);
  EXPECT(cl.kernel_release(kernel) == 0);
}

int main() {
  sycl::queue q{sycl::property::queue::in_order()};
  if (q.get_device().get_backend() != opencl || !find_functions()) {
    return failures;
  }
  for (sycl::queue each : {q, sycl::queue()}) {
    commands(each);
    references(each);
    events(each);
    programs(each);
  }
  own_queue(q, 0);
  own_queue(q, out_of_order);
  return failures;
}
