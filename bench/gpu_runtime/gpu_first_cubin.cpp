// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first launch of a program that carries machine code, and of a process at all.

// BUILD: -fsycl-targets=nvidia_gpu_sm_90

#include "gpu_first_launch.hpp"

namespace {

int run() {
  const bench::folder folder;
  const std::string ptx = bench::find_ptx("/proc/self/exe", "first_kernel");
  if (ptx.empty()) {
    bench::fail("gpu_first_cubin", "there is no PTX in this program");
  }
  const bench::raw_device device;
  const std::string file = folder.add("code", bench::link_ptx({ptx}));
  const std::vector<std::string> settings = {
      "BENCH_CODE=" + file, "BENCH_KERNEL=" + bench::kernel_of(ptx, "first_kernel"),
      "TENON_CACHE=0", "CUDA_CACHE_DISABLE=1"};
  std::vector<std::string> whole = settings;
  whole.push_back("BENCH_WHOLE=1");
  bench::process_row("first launch, machine code, context there", "<= 1.10", settings);
  bench::process_row("process start to the first kernel's end, machine code", "<= 1.10", whole);
  bench::process_row("process start to the first device listed", "<= 1.10", settings, "list-tenon",
                     "list-cuda");
  return 0;
}

}  // namespace

int main(int count, char **words) {
  try {
    const int answer = first_launch::answer_question(count, words);
    return answer >= 0 ? answer : run();
  } catch (const std::exception &error) {
    bench::fail("gpu_first_cubin", error.what());
  }
}
