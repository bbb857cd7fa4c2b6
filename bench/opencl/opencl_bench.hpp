// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the benchmarks of this folder share: OpenCL by hand, times of both sides in turn, lines of
// the table. The programs are linked with libOpenCL.so.1; no header of OpenCL is needed.
#ifndef TENON_BENCH_OPENCL_BENCH_HPP
#define TENON_BENCH_OPENCL_BENCH_HPP

#include <sycl/sycl.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <time.h>
#include <vector>

extern "C" {
cl_command_queue clCreateCommandQueueWithProperties(cl_context, cl_device_id, const std::uint64_t *,
                                                    int *);
int clFinish(cl_command_queue);
int clFlush(cl_command_queue);
cl_mem clCreateBuffer(cl_context, std::uint64_t, std::size_t, void *, int *);
int clEnqueueReadBuffer(cl_command_queue, cl_mem, unsigned, std::size_t, std::size_t, void *,
                        unsigned, const cl_event *, cl_event *);
cl_program clCreateProgramWithSource(cl_context, unsigned, const char **, const std::size_t *,
                                     int *);
cl_program clCreateProgramWithIL(cl_context, const void *, std::size_t, int *);
cl_program clCreateProgramWithBinary(cl_context, unsigned, const cl_device_id *,
                                     const std::size_t *, const unsigned char **, int *, int *);
int clSetProgramSpecializationConstant(cl_program, unsigned, std::size_t, const void *);
int clBuildProgram(cl_program, unsigned, const cl_device_id *, const char *,
                   void (*)(cl_program, void *), void *);
int clCompileProgram(cl_program, unsigned, const cl_device_id *, const char *, unsigned,
                     const cl_program *, const char **, void (*)(cl_program, void *), void *);
cl_program clLinkProgram(cl_context, unsigned, const cl_device_id *, const char *, unsigned,
                         const cl_program *, void (*)(cl_program, void *), void *, int *);
int clGetProgramInfo(cl_program, unsigned, std::size_t, void *, std::size_t *);
int clReleaseProgram(cl_program);
cl_kernel clCreateKernel(cl_program, const char *, int *);
int clReleaseKernel(cl_kernel);
int clSetKernelArg(cl_kernel, unsigned, std::size_t, const void *);
int clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, unsigned, const std::size_t *,
                           const std::size_t *, const std::size_t *, unsigned, const cl_event *,
                           cl_event *);
int clGetPlatformIDs(unsigned, cl_platform_id *, unsigned *);
int clGetDeviceIDs(cl_platform_id, std::uint64_t, unsigned, cl_device_id *, unsigned *);
cl_context clCreateContext(const std::intptr_t *, unsigned, const cl_device_id *,
                           void (*)(const char *, const void *, std::size_t, void *), void *,
                           int *);
}

namespace bench {

constexpr unsigned BINARY_SIZES = 0x1165, BINARIES = 0x1166;
constexpr std::uint64_t READ_WRITE = 1, ALL_DEVICES = 0xffffffff;

inline void check(int result, const char *what) {
  if (result != 0) {
    std::fprintf(stderr, "%s: OpenCL reports %d\n", what, result);
    std::exit(1);
  }
}

inline double now_us() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e6 + double(t.tv_nsec) / 1e3;
}

inline std::vector<char> read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s: cannot be read\n", path.c_str());
    std::exit(1);
  }
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A line of the table: name, Tenon, OpenCL, unit, the ratio of times, by tabs. Both in turn, the
// first of a round the second of the next; the ratio is the median of the rounds'.
template <class A, class B>
void compare(const char *name, const char *unit, double scale, int rounds, A tenon, B opencl) {
  std::vector<double> a, b, ratios;
  (void)tenon();
  (void)opencl();
  for (int i = 0; i < rounds; i++) {
    double one = 0, other = 0;
    if (i % 2 == 0) {
      one = tenon();
      other = opencl();
    } else {
      other = opencl();
      one = tenon();
    }
    a.push_back(one);
    b.push_back(other);
    ratios.push_back(one / other);
  }
  std::printf("%s\t%.4g\t%.4g\t%s\t%.3f\n", name, median(a) * scale, median(b) * scale, unit,
              median(ratios));
  std::fflush(stdout);
}

template <class F>
double timed(F work) {
  const double start = now_us();
  work();
  return now_us() - start;
}

}  // namespace bench

#endif
