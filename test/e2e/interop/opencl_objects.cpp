// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYCL objects made of what the program created with OpenCL: contexts, kernels, programs, buffers
// and images, with the references that they hold, and what is rejected. Without such a device it
// has nothing to do.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t -ldl && %t
#include "Inputs/driver_functions.hpp"
#include <sycl/backend/opencl.hpp>
#include <sycl/sycl.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#ifndef SYCL_BACKEND_OPENCL
#error the macro of the backend is not defined
#endif

constexpr sycl::backend opencl = sycl::backend::opencl;
constexpr std::size_t size = 256;

// OpenCL's functions and structures, as far as this needs them.
struct image_format {
  unsigned order, type;
};
struct image_description {
  unsigned type;
  std::size_t width, height, depth, layers, row_pitch, slice_pitch;
  unsigned levels, samples;
  cl_mem memory;
};
static struct {
  cl_context (*context_create)(const std::intptr_t *, unsigned, const cl_device_id *, void *,
                               void *, int *);
  int (*context_release)(cl_context);
  int (*context_info)(cl_context, unsigned, std::size_t, void *, std::size_t *);
  cl_command_queue (*queue_create)(cl_context, cl_device_id, const std::uint64_t *, int *);
  int (*queue_release)(cl_command_queue);
  int (*finish)(cl_command_queue);
  cl_program (*program_create)(cl_context, unsigned, const char **, const std::size_t *, int *);
  int (*program_build)(cl_program, unsigned, const cl_device_id *, const char *, void *, void *);
  int (*program_compile)(cl_program, unsigned, const cl_device_id *, const char *, unsigned,
                         const cl_program *, const char **, void *, void *);
  int (*program_release)(cl_program);
  int (*program_info)(cl_program, unsigned, std::size_t, void *, std::size_t *);
  cl_kernel (*kernel_create)(cl_program, const char *, int *);
  int (*kernel_release)(cl_kernel);
  int (*kernel_info)(cl_kernel, unsigned, std::size_t, void *, std::size_t *);
  cl_event (*user_event_create)(cl_context, int *);
  int (*user_event_set)(cl_event, int);
  int (*event_release)(cl_event);
  cl_mem (*buffer_create)(cl_context, std::uint64_t, std::size_t, void *, int *);
  cl_mem (*image_create)(cl_context, std::uint64_t, const image_format *, const image_description *,
                         void *, int *);
  int (*image_read)(cl_command_queue, cl_mem, unsigned, const std::size_t *, const std::size_t *,
                    std::size_t, std::size_t, void *, unsigned, const cl_event *, cl_event *);
  int (*memory_release)(cl_mem);
  int (*memory_info)(cl_mem, unsigned, std::size_t, void *, std::size_t *);
  int (*read)(cl_command_queue, cl_mem, unsigned, std::size_t, std::size_t, void *, unsigned,
              const cl_event *, cl_event *);
  int (*fill)(cl_command_queue, cl_mem, const void *, std::size_t, std::size_t, std::size_t,
              unsigned, const cl_event *, cl_event *);
} cl;
constexpr unsigned context_references = 0x1080, program_references = 0x1160;
constexpr unsigned kernel_references = 0x1192, memory_references = 0x1105;

static bool find_functions() {
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  if (library == nullptr) {
    return false;
  }
  find(library, "clCreateContext", cl.context_create);
  find(library, "clReleaseContext", cl.context_release);
  find(library, "clGetContextInfo", cl.context_info);
  find(library, "clCreateCommandQueueWithProperties", cl.queue_create);
  find(library, "clReleaseCommandQueue", cl.queue_release);
  find(library, "clFinish", cl.finish);
  find(library, "clCreateProgramWithSource", cl.program_create);
  find(library, "clBuildProgram", cl.program_build);
  find(library, "clCompileProgram", cl.program_compile);
  find(library, "clReleaseProgram", cl.program_release);
  find(library, "clGetProgramInfo", cl.program_info);
  find(library, "clCreateKernel", cl.kernel_create);
  find(library, "clReleaseKernel", cl.kernel_release);
  find(library, "clGetKernelInfo", cl.kernel_info);
  find(library, "clCreateUserEvent", cl.user_event_create);
  find(library, "clSetUserEventStatus", cl.user_event_set);
  find(library, "clReleaseEvent", cl.event_release);
  find(library, "clCreateBuffer", cl.buffer_create);
  find(library, "clCreateImage", cl.image_create);
  find(library, "clEnqueueReadImage", cl.image_read);
  find(library, "clReleaseMemObject", cl.memory_release);
  find(library, "clGetMemObjectInfo", cl.memory_info);
  find(library, "clEnqueueReadBuffer", cl.read);
  find(library, "clEnqueueFillBuffer", cl.fill);
  return failures == 0;
}

// errc::invalid, or another code, and a sentence with these words.
template <class F>
static void rejected(F make, const char *words, sycl::errc code = sycl::errc::invalid) {
  bool was_thrown = false;
  try {
    make();
  } catch (const sycl::exception &e) {
    was_thrown = e.code() == code && std::string(e.what()).find(words) != std::string::npos;
    if (!was_thrown) {
      std::printf("%s\n", e.what());
    }
  }
  EXPECT(was_thrown);
}

static const char *const source = R"(
struct pair { int a; float b; };
__kernel void scale(__global int *data, int factor, struct pair p, __local int *shared,
                    __global const int *more) {
  size_t i = get_global_id(0);
  shared[get_local_id(0)] = data[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[i] = shared[get_local_size(0) - 1 - get_local_id(0)] * factor + p.a + (int)p.b + more[i];
}
__kernel void count(__global int *data) { data[get_global_id(0)] += 1; }
)";
struct pair {
  int a;
  float b;
};

static cl_program make_program(cl_context context, cl_device_id device, bool is_built) {
  const char *text = source;
  cl_program made = cl.program_create(context, 1, &text, nullptr, nullptr);
  EXPECT(made != nullptr);
  EXPECT(!is_built || cl.program_build(made, 1, &device, nullptr, nullptr, nullptr) == 0);
  return made;
}

static std::vector<int> read_all(cl_context context, cl_device_id device, cl_mem memory) {
  std::vector<int> found(size);
  cl_command_queue queue = cl.queue_create(context, device, nullptr, nullptr);
  EXPECT(cl.read(queue, memory, 1, 0, size * sizeof(int), found.data(), 0, nullptr, nullptr) == 0);
  EXPECT(cl.queue_release(queue) == 0);
  return found;
}

// A context, and everything that SYCL does in it.
static void contexts(const sycl::device &device, cl_device_id native_device) {
  cl_context native = cl.context_create(nullptr, 1, &native_device, nullptr, nullptr, nullptr);
  const unsigned before = info<unsigned>(cl.context_info, native, context_references);
  std::optional<sycl::buffer<int>> outlives{std::in_place, sycl::range<1>(size)};
  {
    sycl::context context = sycl::make_context<opencl>(native);
    EXPECT(info<unsigned>(cl.context_info, native, context_references) > before);
    EXPECT(sycl::get_native<opencl>(context) == native);
    EXPECT(cl.context_release(native) == 0);
    EXPECT(context.get_devices().size() == 1 && context.get_devices()[0] == device);

    for (const bool is_in_order : {true, false}) {
      sycl::property_list properties;
      sycl::queue q = is_in_order ? sycl::queue(context, device, sycl::property::queue::in_order())
                                  : sycl::queue(context, device);
      EXPECT(q.get_device() == device && q.get_context() == context);
      int *shared = sycl::malloc_shared<int>(size, q);
      EXPECT(sycl::get_pointer_device(shared, context) == device);
      q.parallel_for(size, [=](sycl::id<1> i) { shared[i] = static_cast<int>(i) * 3; }).wait();
      EXPECT(shared[size - 1] == 3 * (static_cast<int>(size) - 1));
      q.submit([&](sycl::handler &cgh) {
        sycl::accessor out(*outlives, cgh, sycl::write_only, sycl::no_init);
        cgh.parallel_for(size, [=](sycl::id<1> i) { out[i] = shared[i] + 1; });
      });
      q.wait();
      sycl::free(shared, q);
    }
    const auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(context, {device});
    EXPECT(bundle.get_devices()[0] == device);
    for (cl_program each : sycl::get_native<opencl>(bundle)) {
      EXPECT(cl.program_release(each) == 0);
    }

    cl_command_queue native_queue = cl.queue_create(native, native_device, nullptr, nullptr);
    {
      sycl::queue over = sycl::make_queue<opencl>(native_queue, context);
      EXPECT(sycl::get_native<opencl>(over) == native_queue);
      EXPECT(cl.queue_release(native_queue) == 0);
      EXPECT(over.get_device() == device);
      over.single_task([] {}).wait();
    }
    EXPECT(cl.queue_release(native_queue) == 0);
  }
  {
    sycl::host_accessor found(*outlives);  // written in the context that is gone
    EXPECT(found[1] == 4 && found[size - 1] == 3 * (static_cast<int>(size) - 1) + 1);
  }
  outlives.reset();
  EXPECT(cl.context_release(native) == 0);
}

static void kernels(const sycl::context &context, const sycl::device &device) {
  cl_context native_context = sycl::get_native<opencl>(context);
  cl_device_id native_device = sycl::get_native<opencl>(device);
  cl_program program = make_program(native_context, native_device, true);
  cl_kernel native = cl.kernel_create(program, "scale", nullptr);
  const unsigned before = info<unsigned>(cl.kernel_info, native, kernel_references);
  sycl::queue q{context, device};
  {
    sycl::kernel kernel = sycl::make_kernel<opencl>(native, context);
    EXPECT(info<unsigned>(cl.kernel_info, native, kernel_references) > before);
    EXPECT(sycl::get_native<opencl>(kernel) == native);
    EXPECT(cl.kernel_release(native) == 0);
    EXPECT(kernel.get_info<sycl::info::kernel::num_args>() == 5);
    EXPECT(std::string(kernel.get_info<sycl::info::kernel::function_name>()) == "scale");
    EXPECT(kernel.get_context() == context);
    const auto list = sycl::get_native<opencl>(kernel.get_kernel_bundle());
    EXPECT(list.size() == 1 && list[0] == program);
    EXPECT(cl.program_release(program) == 0);

    std::vector<int> data(size);
    int *more = sycl::malloc_shared<int>(size, q);
    for (std::size_t i = 0; i < size; ++i) {
      data[i] = static_cast<int>(i);
      more[i] = 1000;
    }
    {
      sycl::buffer<int> buffer(data);
      q.submit([&](sycl::handler &cgh) {
        sycl::accessor in_out(buffer, cgh, sycl::read_write);
        sycl::local_accessor<int> shared(16, cgh);
        cgh.set_args(in_out, 2, pair{5, 7.0f}, shared, more);
        cgh.parallel_for(sycl::nd_range<1>(size, 16), kernel);
      });
    }
    bool is_right = true;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t mirrored = i / 16 * 16 + 15 - i % 16;
      is_right = is_right && data[i] == static_cast<int>(mirrored) * 2 + 12 + 1000;
    }
    EXPECT(is_right);
    rejected(
        [&] {
          q.submit([&](sycl::handler &cgh) {
            cgh.set_args(more, 2, pair{});
            cgh.parallel_for(sycl::nd_range<1>(size, 16), kernel);
          });
        },
        "argument 3 of its 5 was not set", sycl::errc::kernel_argument);
    rejected(
        [&] {
          q.submit([&](sycl::handler &cgh) {
            cgh.set_arg(5, 1);
            cgh.single_task(kernel);
          });
        },
        "argument 5 was set, but it takes only 5", sycl::errc::kernel_argument);
    sycl::free(more, q);
  }
  EXPECT(info<unsigned>(cl.kernel_info, native, kernel_references) == before);

  sycl::context other(sycl::make_context<opencl>(
      cl.context_create(nullptr, 1, &native_device, nullptr, nullptr, nullptr)));
  rejected([&] { sycl::make_kernel<opencl>(native, other); }, "belongs to another cl_context");
  rejected([&] { sycl::make_kernel<opencl>(cl_kernel(), context); }, "native kernel is NULL");
  EXPECT(cl.context_release(sycl::get_native<opencl>(other)) == 0);
  EXPECT(cl.context_release(sycl::get_native<opencl>(other)) == 0);
  EXPECT(cl.kernel_release(native) == 0);
  EXPECT(cl.program_release(program) == 0);
  EXPECT(cl.context_release(native_context) == 0);
}

static void programs(const sycl::context &context, const sycl::device &device) {
  using sycl::bundle_state;
  cl_context native_context = sycl::get_native<opencl>(context);
  cl_device_id native_device = sycl::get_native<opencl>(device);
  for (const bool is_built : {true, false}) {
    cl_program program = make_program(native_context, native_device, is_built);
    const unsigned before = info<unsigned>(cl.program_info, program, program_references);
    {
      const auto bundle =
          sycl::make_kernel_bundle<opencl, bundle_state::executable>(program, context);
      EXPECT(info<unsigned>(cl.program_info, program, program_references) > before);
      EXPECT(!bundle.empty() && bundle.get_devices().size() == 1);
      EXPECT(bundle.get_kernel_ids().empty());
      EXPECT(bundle == bundle);
      EXPECT(bundle !=
             (sycl::make_kernel_bundle<opencl, bundle_state::executable>(program, context)));
      const std::vector<cl_program> list = sycl::get_native<opencl>(bundle);
      EXPECT(list.size() == 1 && list[0] == program);
      EXPECT(cl.program_release(program) == 0);
      cl_kernel kernel = cl.kernel_create(program, "count", nullptr);
      EXPECT(kernel != nullptr);  // it is built
      EXPECT(kernel == nullptr || cl.kernel_release(kernel) == 0);
    }
    EXPECT(info<unsigned>(cl.program_info, program, program_references) == before);
    rejected([&] { sycl::make_kernel_bundle<opencl, bundle_state::object>(program, context); },
             "state object", sycl::errc::feature_not_supported);
    EXPECT(cl.program_release(program) == 0);
  }
  cl_program compiled = make_program(native_context, native_device, false);
  EXPECT(cl.program_compile(compiled, 1, &native_device, nullptr, 0, nullptr, nullptr, nullptr,
                            nullptr) == 0);
  {
    const auto linked =
        sycl::make_kernel_bundle<opencl, bundle_state::executable>(compiled, context);
    const std::vector<cl_program> list = sycl::get_native<opencl>(linked);
    cl_kernel native = cl.kernel_create(list[0], "count", nullptr);
    sycl::kernel kernel = sycl::make_kernel<opencl>(native, context);
    sycl::queue q{context, device};
    int *shared = sycl::malloc_shared<int>(size, q);
    std::fill_n(shared, size, 4);
    q.submit([&](sycl::handler &cgh) {
       cgh.set_arg(0, shared);
       cgh.parallel_for(sycl::range<1>(size), kernel);
     }).wait();
    EXPECT(shared[0] == 5 && shared[size - 1] == 5);
    sycl::free(shared, q);
    EXPECT(cl.kernel_release(native) == 0);
    EXPECT(cl.program_release(list[0]) == 0);
  }
  EXPECT(cl.program_release(compiled) == 0);
  const char *wrong = "__kernel void k(__global int *p) { *p = no_such_thing; }";
  cl_program broken = cl.program_create(native_context, 1, &wrong, nullptr, nullptr);
  rejected([&] { sycl::make_kernel_bundle<opencl, bundle_state::executable>(broken, context); },
           "no_such_thing");
  EXPECT(cl.program_release(broken) == 0);
  EXPECT(cl.context_release(native_context) == 0);
}

static void buffers(const sycl::context &context, const sycl::device &device) {
  cl_context native_context = sycl::get_native<opencl>(context);
  cl_device_id native_device = sycl::get_native<opencl>(device);
  std::vector<int> first(size, 10);
  cl_mem memory = cl.buffer_create(native_context, 1 | 1 << 5, size * sizeof(int), first.data(),
                                   nullptr);  // CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR
  const unsigned before = info<unsigned>(cl.memory_info, memory, memory_references);
  sycl::queue q{context, device};
  {
    sycl::buffer<int> buffer =
        sycl::make_buffer<opencl, int>(memory, context, q.single_task([] {}));
    EXPECT(info<unsigned>(cl.memory_info, memory, memory_references) > before);
    EXPECT(buffer.size() == size && !buffer.is_sub_buffer());
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor in_out(buffer, cgh, sycl::read_write);
      cgh.parallel_for(size, [=](sycl::id<1> i) { in_out[i] += static_cast<int>(i); });
    });
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor in_out(buffer, cgh, sycl::read_write);
      cgh.host_task([=](sycl::interop_handle handle) {
        EXPECT(handle.get_native_mem<opencl>(in_out)[0] == memory);
        const int pattern = -1;
        cl_command_queue queue = handle.get_native_queue<opencl>();
        EXPECT(cl.fill(queue, memory, &pattern, sizeof(pattern), 0, sizeof(int), 0, nullptr,
                       nullptr) == 0);
        EXPECT(cl.finish(queue) == 0);
      });
    });
    sycl::queue elsewhere{sycl::device(sycl::cpu_selector_v)};  // another context, maybe device
    elsewhere.submit([&](sycl::handler &cgh) {
      sycl::accessor in_out(buffer, cgh, sycl::read_write);
      cgh.parallel_for(size, [=](sycl::id<1> i) { in_out[i] *= 2; });
    });
    {
      sycl::host_accessor found(buffer, sycl::read_only);
      EXPECT(found[0] == -2 && found[1] == 22 && found[size - 1] == 2 * (10 + int(size) - 1));
    }
    q.submit([&](sycl::handler &cgh) {
      sycl::accessor in_out(buffer, cgh, sycl::read_write);
      cgh.parallel_for(size, [=](sycl::id<1> i) { in_out[i] += 1; });
    });
    buffer.set_final_data();  // the memory object is not what is written back to
  }
  EXPECT(info<unsigned>(cl.memory_info, memory, memory_references) == before);
  const std::vector<int> found = read_all(native_context, native_device, memory);
  EXPECT(found[0] == -1 && found[1] == 23 && found[size - 1] == 2 * (10 + int(size) - 1) + 1);

  struct three {
    char bytes[3];
  };
  rejected([&] { sycl::make_buffer<opencl, three>(memory, context); }, "elements of 3 bytes");
  rejected([&] { sycl::make_buffer<opencl, int>(cl_mem(), context); }, "memory object is NULL");
  cl_context raw = cl.context_create(nullptr, 1, &native_device, nullptr, nullptr, nullptr);
  {
    sycl::context other = sycl::make_context<opencl>(raw);
    rejected([&] { sycl::make_buffer<opencl, int>(memory, other); }, "belongs to another");
  }
  cl_mem unmapped = cl.buffer_create(raw, 1 | 1 << 9, 64, nullptr, nullptr);  // HOST_NO_ACCESS
  {
    sycl::context other = sycl::make_context<opencl>(raw);
    rejected([&] { sycl::make_buffer<opencl, int>(unmapped, other); }, "cannot be mapped");
  }
  EXPECT(cl.memory_release(unmapped) == 0);
  EXPECT(cl.context_release(raw) == 0);
  EXPECT(info<unsigned>(cl.memory_info, memory, memory_references) == before);
  EXPECT(cl.memory_release(memory) == 0);
  EXPECT(cl.context_release(native_context) == 0);
}

// A failure of the driver's event is told by who waits for it.
static void events(const sycl::context &context) {
  cl_context native_context = sycl::get_native<opencl>(context);
  int result = 0;
  cl_event failed = cl.user_event_create(native_context, &result);
  sycl::event made = sycl::make_event<opencl>({failed}, context);
  EXPECT(cl.user_event_set(failed, -5) == 0);
  try {
    made.wait_and_throw();
    EXPECT(!"the wait was to fail");
  } catch (const sycl::exception &e) {
    EXPECT(std::string(e.what()).find("the native event failed") != std::string::npos);
  }
  rejected([&] { sycl::make_event<opencl>({cl_event()}, context); }, "native event is NULL");
  EXPECT(cl.event_release(failed) == 0);
  EXPECT(cl.context_release(native_context) == 0);
}

static cl_mem make_image(cl_context context, const image_format &format, unsigned type,
                         std::size_t width, std::size_t height, std::size_t depth, void *pixels) {
  const image_description what{type, width, height, depth, 0, 0, 0, 0, 0, nullptr};
  int result = 0;
  constexpr std::uint64_t flags = 1 | 1 << 5;  // CL_MEM_READ_WRITE, CL_MEM_COPY_HOST_PTR
  cl_mem made = cl.image_create(context, flags, &format, &what, pixels, &result);
  EXPECT(made != nullptr && result == 0);
  return made;
}

static void images(const sycl::context &context, const sycl::device &device) {
  if (!device.has(sycl::aspect::image)) {
    return;
  }
  constexpr std::size_t width = 13, height = 5;
  constexpr unsigned type_1d = 0x10f4, type_2d = 0x10f1, type_layers = 0x10f5;
  const image_format floats{0x10b5, 0x10de}, bytes{0x10b5, 0x10d2}, half_words{0x10b0, 0x10da};
  cl_context native_context = sycl::get_native<opencl>(context);
  cl_device_id native_device = sycl::get_native<opencl>(device);
  sycl::queue q{context, device};
  std::vector<sycl::float4> pixels(width * height), found(pixels);
  for (std::size_t i = 0; i < pixels.size(); i++) {
    pixels[i] = sycl::float4(float(i), 1, 2, 3);
  }
  cl_mem flat = make_image(native_context, floats, type_2d, width, height, 1, pixels.data());
  const unsigned before = info<unsigned>(cl.memory_info, flat, memory_references);
  {
    sycl::unsampled_image<2> image =
        sycl::make_unsampled_image<opencl, 2>(flat, context, q.single_task([] {}));
    EXPECT((image.get_range() == sycl::range<2>(width, height)));
    EXPECT(image.get_pitch()[0] >= width * sizeof(sycl::float4));
    EXPECT(info<unsigned>(cl.memory_info, flat, memory_references) > before);
    q.submit([&](sycl::handler &cgh) {
      sycl::unsampled_image_accessor<sycl::float4, 2, sycl::access_mode::read> in(image, cgh);
      sycl::unsampled_image_accessor<sycl::float4, 2, sycl::access_mode::write> out(image, cgh);
      cgh.parallel_for(sycl::range<2>(height, width), [=](sycl::item<2> i) {
        const sycl::int2 at{int(i[1]), int(i[0])};
        out.write(at, in.read(at) * 2.0f);
      });
    });
  }
  EXPECT(info<unsigned>(cl.memory_info, flat, memory_references) == before);
  int result = 0;
  cl_command_queue queue = cl.queue_create(native_context, native_device, nullptr, &result);
  const std::size_t origin[3] = {0, 0, 0}, all[3] = {width, height, 1};
  EXPECT(cl.image_read(queue, flat, 1, origin, all, 0, 0, found.data(), 0, nullptr, nullptr) == 0);
  for (std::size_t i = 0; i < pixels.size(); i++) {
    EXPECT(found[i].x() == 2 * float(i) && found[i].w() == 6);
  }
  {
    const sycl::image_sampler sampler{sycl::addressing_mode::clamp_to_edge,
                                      sycl::coordinate_normalization_mode::unnormalized,
                                      sycl::filtering_mode::linear};
    sycl::sampled_image<2> image = sycl::make_sampled_image<opencl, 2>(flat, context, sampler);
    sycl::buffer<float> means{sycl::range<1>(width - 1)};
    q.submit([&](sycl::handler &cgh) {
      sycl::sampled_image_accessor<sycl::float4, 2> in(image, cgh);
      sycl::accessor out(means, cgh, sycl::write_only);
      cgh.parallel_for(width - 1, [=](sycl::id<1> i) {
        out[i] = in.read(sycl::float2(float(i) + 1, 1.5f)).x();  // between two pixels of row 1
      });
    });
    sycl::host_accessor mean(means, sycl::read_only);
    for (std::size_t i = 0; i + 1 < width; i++) {
      EXPECT(mean[i] == 2 * float(width + i) + 1);
    }
  }
  std::uint8_t row[4 * 7] = {255, 0, 51};
  cl_mem line = make_image(native_context, bytes, type_1d, 7, 1, 1, row);
  {
    sycl::unsampled_image<1> image = sycl::make_unsampled_image<opencl>(line, context);
    EXPECT(image.size() == 7);
    sycl::host_unsampled_image_accessor<sycl::float4, 1, sycl::access_mode::read> in(image);
    const sycl::float4 first = in.read(0);
    EXPECT(first.x() == 1 && first.y() == 0 && std::abs(first.z() - 0.2f) < 1e-6f);
  }
  rejected([&] { sycl::make_unsampled_image<opencl, 2>(line, context); }, "1 dimensions, not 2");
  rejected([&] { sycl::make_unsampled_image<opencl>(cl_mem(), context); }, "memory object is NULL");
  rejected([&] { sycl::make_buffer<opencl, int>(line, context); }, "is an image, not a buffer");
  cl_mem memory = cl.buffer_create(native_context, 1, 64, nullptr, nullptr);
  rejected([&] { sycl::make_unsampled_image<opencl>(memory, context); }, "a buffer, not an image");
  std::uint8_t other[16] = {};
  cl_mem red = make_image(native_context, half_words, type_2d, 4, 4, 1, other);
  rejected([&] { sycl::make_unsampled_image<opencl, 2>(red, context); }, "none of sycl::image");
  image_description layered{type_layers, 4, 1, 1, 2, 0, 0, 0, 0, nullptr};
  cl_mem layers = cl.image_create(native_context, 1, &bytes, &layered, nullptr, &result);
  if (layers != nullptr) {
    rejected([&] { sycl::make_unsampled_image<opencl>(layers, context); }, "neither a buffer nor");
    EXPECT(cl.memory_release(layers) == 0);
  }
  for (cl_mem each : {flat, line, memory, red}) {
    EXPECT(info<unsigned>(cl.memory_info, each, memory_references) == 1);
    EXPECT(cl.memory_release(each) == 0);
  }
  EXPECT(cl.queue_release(queue) == 0);
  EXPECT(cl.context_release(native_context) == 0);
}

// What SYCL has in a context goes with the context. Without USM: PoCL keeps a reference for each
// allocation that is freed.
static void counted(const sycl::device &device, cl_device_id native_device) {
  cl_context native = cl.context_create(nullptr, 1, &native_device, nullptr, nullptr, nullptr);
  const unsigned before = info<unsigned>(cl.context_info, native, context_references);
  {
    const sycl::context context = sycl::make_context<opencl>(native);
    EXPECT(cl.context_release(sycl::get_native<opencl>(context)) == 0);
    buffers(context, device);
    sycl::queue q{context, device};
    cl_program program = make_program(native, native_device, true);
    cl_kernel kernel = cl.kernel_create(program, "count", nullptr);
    sycl::buffer<int> buffer{sycl::range<1>(size)};
    q.submit([&](sycl::handler &cgh) {
      cgh.set_arg(0, sycl::accessor(buffer, cgh, sycl::read_write));
      cgh.parallel_for(size, sycl::make_kernel<opencl>(kernel, context));
    });
    q.wait();
    EXPECT(cl.kernel_release(kernel) == 0);
    EXPECT(cl.program_release(program) == 0);
  }
  // Drivers may release what a command held after they have reported its completion.
  for (int i = 0; i < 500 && info<unsigned>(cl.context_info, native, context_references) != before;
       ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT(info<unsigned>(cl.context_info, native, context_references) == before);
  EXPECT(cl.context_release(native) == 0);
}

int main() {
  sycl::queue q;
  const sycl::device device = q.get_device();
  if (device.get_backend() != opencl || !find_functions()) {
    return failures;
  }
  cl_device_id native_device = sycl::get_native<opencl>(device);
  EXPECT(sycl::opencl::has_extension(device, "cl_khr_global_int32_base_atomics"));
  EXPECT(sycl::opencl::has_extension(device.get_platform(), "cl_khr_global_int32_base_atomics"));
  EXPECT(!sycl::opencl::has_extension(device, "cl_khr_global_int32"));
  contexts(device, native_device);
  cl_context native = cl.context_create(nullptr, 1, &native_device, nullptr, nullptr, nullptr);
  {
    const sycl::context own = q.get_context();
    const sycl::context made = sycl::make_context<opencl>(native);
    for (const sycl::context &each : {own, made}) {
      kernels(each, device);
      programs(each, device);
      buffers(each, device);
      images(each, device);
      events(each);
    }
  }
  EXPECT(cl.context_release(native) == 0);
  counted(device, native_device);
  rejected([] { sycl::make_context<opencl>(cl_context()); }, "native context is NULL");
  return failures;
}
