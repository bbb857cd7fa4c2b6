// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A process's time from main to the end of its first kernel, in milliseconds:
//   opencl_start sycl             a kernel whose program is in the cache on disk
//   opencl_start store <file>     makes an OpenCL C program's binary
//   opencl_start binary <file>    OpenCL by hand, of that binary
//   opencl_start cpu              the first queue alone, of the default device
#include "opencl_bench.hpp"

#include <cstring>

namespace {

const char source[] = R"(
kernel void fill(global float *p) {
  size_t i = get_global_id(0);
  float x = (float)i;
  for (int k = 0; k < 10; k++) x = sin(x) + exp(-x) * cos(x * p[i]);
  p[i] = x;
}
)";

void start_sycl() {
  sycl::queue q{sycl::property::queue::in_order()};
  float *p = sycl::malloc_device<float>(64, q);
  q.parallel_for(64, [=](sycl::id<1> i) {
     float x = float(i);
     for (int k = 0; k < 10; k++) {
       x = sycl::sin(x) + sycl::exp(-x) * sycl::cos(x * p[i]);
     }
     p[i] = x;
   }).wait();
}

struct raw_side {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  cl_context context = nullptr;
  cl_command_queue queue = nullptr;
  raw_side() {
    int result = 0;
    bench::check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    bench::check(clGetDeviceIDs(platform, bench::ALL_DEVICES, 1, &device, nullptr),
                 "clGetDeviceIDs");
    context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &result);
    bench::check(result, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, nullptr, &result);
    bench::check(result, "clCreateCommandQueueWithProperties");
  }
  void run(cl_program program) const {
    int result = 0;
    const std::size_t count = 64;
    bench::check(clBuildProgram(program, 1, &device, "", nullptr, nullptr), "clBuildProgram");
    const cl_kernel kernel = clCreateKernel(program, "fill", &result);
    bench::check(result, "clCreateKernel");
    const cl_mem memory = clCreateBuffer(context, bench::READ_WRITE, 64 * 4, nullptr, &result);
    bench::check(result, "clCreateBuffer");
    bench::check(clSetKernelArg(kernel, 0, sizeof(memory), &memory), "clSetKernelArg");
    bench::check(
        clEnqueueNDRangeKernel(queue, kernel, 1, nullptr, &count, nullptr, 0, nullptr, nullptr),
        "clEnqueueNDRangeKernel");
    bench::check(clFinish(queue), "clFinish");
  }
};

void store(const char *path) {
  int result = 0;
  const raw_side raw;
  const char *text = source;
  const cl_program program = clCreateProgramWithSource(raw.context, 1, &text, nullptr, &result);
  bench::check(result, "clCreateProgramWithSource");
  raw.run(program);
  std::size_t size = 0;
  bench::check(clGetProgramInfo(program, bench::BINARY_SIZES, sizeof(size), &size, nullptr),
               "clGetProgramInfo");
  std::vector<char> binary(size);
  char *list[] = {binary.data()};
  bench::check(clGetProgramInfo(program, bench::BINARIES, sizeof(list), list, nullptr),
               "clGetProgramInfo");
  std::ofstream(path, std::ios::binary).write(binary.data(), std::streamsize(size));
}

void start_binary(const char *path) {
  int result = 0, status = 0;
  const raw_side raw;
  const std::vector<char> binary = bench::read_file(path);
  const std::size_t size = binary.size();
  const unsigned char *bytes = reinterpret_cast<const unsigned char *>(binary.data());
  const cl_program program =
      clCreateProgramWithBinary(raw.context, 1, &raw.device, &size, &bytes, &status, &result);
  bench::check(result, "clCreateProgramWithBinary");
  raw.run(program);
}

}  // namespace

int main(int argc, char **argv) {
  const double start = bench::now_us();
  const char *mode = argc > 1 ? argv[1] : "";
  if (std::strcmp(mode, "sycl") == 0) {
    start_sycl();
  } else if (std::strcmp(mode, "store") == 0 && argc > 2) {
    store(argv[2]);
  } else if (std::strcmp(mode, "binary") == 0 && argc > 2) {
    start_binary(argv[2]);
  } else if (std::strcmp(mode, "cpu") == 0) {
    sycl::queue q;
  } else {
    return 2;
  }
  std::printf("%.3f\n", (bench::now_us() - start) / 1e3);
}
