// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: objects with machine code for the CPU; what is loaded lies in its own memory.
#include "adapter/cpu/cpu_object.h"
#include "fuzz/fuzz_target.h"

static void check_kernel(const tn_cpu_code *code, const tn_adapter_kernel *kernel) {
  uintptr_t address = 0;
  memcpy(&address, &kernel->function, sizeof(kernel->function));
  const uintptr_t begin = (uintptr_t)code->memory;
  FUZZ_REQUIRE(address >= begin && address < begin + code->memory_size);
  FUZZ_REQUIRE(kernel->needs.slot_bytes == 0 || kernel->needs.slot_width > 0);
  FUZZ_REQUIRE(tn_cpu_code_find(code, tn_str_from(kernel->name)) == kernel);
  fuzz_touch_text(tn_str_from(kernel->name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  tn_diag diag = {0};
  tn_cpu_code code;
  const tn_status status = tn_cpu_code_load(tn_bytes_from(data, size), &code, &diag);
  FUZZ_REQUIRE(status == TN_OK || status == TN_BUILD_FAILED || status == TN_UNSUPPORTED ||
               status == TN_OUT_OF_MEMORY);
  FUZZ_REQUIRE(status == TN_OK || (diag.text[0] != '\0' && code.memory == NULL));
  for (size_t i = 0; status == TN_OK && i < code.kernel_count; i++) {
    check_kernel(&code, &code.kernels[i]);
  }
  tn_cpu_code_unload(&code);
  return 0;
}
