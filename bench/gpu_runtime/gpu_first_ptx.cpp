// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first launch of a program that carries PTX, which the driver compiles; then with what was
// kept of that on disk, by Tenon or by the driver.

// BUILD: -fsycl-targets=nvptx64-nvidia-cuda

#include "gpu_first_launch.hpp"

namespace {

int run() {
  const bench::folder folder;
  const std::string ptx = bench::find_ptx("/proc/self/exe", "first_kernel");
  if (ptx.empty()) {
    bench::fail("gpu_first_ptx", "there is no PTX in this program");
  }
  const std::string file = folder.add("code", ptx);
  const std::vector<std::string> cold = {"BENCH_CODE=" + file,
                                         "BENCH_KERNEL=" + bench::kernel_of(ptx, "first_kernel"),
                                         "TENON_CACHE=0", "CUDA_CACHE_DISABLE=1"};
  bench::process_row("first launch, PTX, nothing kept", "<= 1.10", cold);
  const std::vector<std::string> warm = {
      "BENCH_CODE=" + file,   "BENCH_KERNEL=" + bench::kernel_of(ptx, "first_kernel"),
      "TENON_CACHE=1",        "TENON_CACHE_DIR=" + folder.path + "/tenon",
      "CUDA_CACHE_DISABLE=0", "CUDA_CACHE_PATH=" + folder.path + "/cuda"};
  bench::process_row("first launch, PTX, kept from another process", "<= 1.10", warm);
  return 0;
}

}  // namespace

int main(int count, char **words) {
  try {
    const int answer = first_launch::answer_question(count, words);
    return answer >= 0 ? answer : run();
  } catch (const std::exception &error) {
    bench::fail("gpu_first_ptx", error.what());
  }
}
