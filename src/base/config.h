// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment, read once into a struct: the only place that calls getenv.
#ifndef TN_BASE_CONFIG_H
#define TN_BASE_CONFIG_H

#include "base/base.h"

// The stack of a thread of the CPU device, in bytes.
#define TN_CPU_STACK_DEFAULT (UINT64_C(8) << 20)
// What is left of it for others than a kernel: functions of the C library, handlers of signals.
#define TN_CPU_STACK_RESERVE (UINT64_C(16) << 10)
#define TN_CPU_STACK_MINIMUM (UINT64_C(256) << 10)
#define TN_CPU_STACK_MAXIMUM (UINT64_C(64) << 30)

enum { TN_CACHE_TRACE_DISK = 1u << 0, TN_CACHE_TRACE_MEMORY = 1u << 1 };

// A variable whose value is of no use: it is as if it were not set.
typedef struct tn_config_ignored {
  const char *name;  // static: the variable
  const char *text;  // a sentence that says so
} tn_config_ignored;

typedef struct tn_config {
  bool is_secure;  // the program has other rights than its caller: no variable below is read
  const char *device_selector;  // ONEAPI_DEVICE_SELECTOR; texts are "" when unset, never NULL
  const char *log_topics;       // TENON_LOG
  const char *compiler_path;    // TENON_COMPILER_LIBRARY: the plug-in; "" = beside libtenon
  const char *clang;            // TENON_CLANG: clang to run; "" = the one of the build, then PATH
  uint32_t cpu_threads;         // TENON_CPU_THREADS; 0 = as many as cores
  uint64_t cpu_stack_size;      // TENON_CPU_STACK_SIZE: bytes, of the CPU device's threads
  bool mock;                    // TENON_MOCK=1: the mock device is listed
  uint32_t try_drivers;         // TENON_TRY_DRIVERS: seconds for another process; 0 = not tried
  uint32_t opt_level;           // TENON_JIT_OPT: 0..3, default 2
  bool has_opt_level;           // it is set
  uint32_t sub_group_size;      // TENON_SUB_GROUP_SIZE: of kernels that fix none; 0 = the device's
  bool tiered;                  // TENON_TIERED=0: kernels wait for the full tier
  bool check;                   // TENON_CHECK=1: kernels check their accesses and barriers
  bool perf_map;                // TENON_PERF_MAP=1: names of kernels are written for perf
  const char *temp_dir;         // TMPDIR when it is an absolute path, else "/tmp"
  const char *search_path;      // PATH
  const char *library_path;     // LIBRARY_PATH: of the host's link, folders behind those of -L
  bool cache;                   // TENON_CACHE=0 or SYCL_CACHE_PERSISTENT=0: no caches on disk
  const char *cache_dir;        // TENON_CACHE_DIR, or where caches belong; "" when there is none
  uint32_t cache_mib;           // SYCL_CACHE_MAX_SIZE: bound of each cache in MiB; 0 = none
  uint64_t cache_min_image;  // SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE: bytes; smaller is not kept on disk
  uint64_t cache_max_image;  // SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE: nor is larger; 0 = no bound
  bool cache_in_memory;      // SYCL_CACHE_IN_MEM=0: programs are not kept between look-ups
  uint32_t cache_trace;      // SYCL_CACHE_TRACE: TN_CACHE_TRACE_…; the log has topic cache then
  const char *loader_path;   // LD_LIBRARY_PATH: where the dynamic linker looks for libraries
  const char *loader_preload;  // LD_PRELOAD: and what it puts before them
  const char *cuda_path;       // CUDA_PATH: where CUDA is; "" = in its usual places
  const char *cuda_visible_devices;  // CUDA_VISIBLE_DEVICES, which is the driver's; NULL: unset
  const char *jit_processor;   // SYCL_JIT_AMDGCN_PTX_TARGET_CPU: "sm_90"; "" = the device's own
  const char *rocm_path;       // ROCM_PATH: where ROCm is; "" = in its usual place
  const char *include_paths[3];  // CPATH, C_INCLUDE_PATH, CPLUS_INCLUDE_PATH: clang's, for headers
  const tn_config_ignored *ignored;  // the log has them too, for TENON_LOG or SYCL_CACHE_TRACE
  size_t ignored_count;
} tn_config;

// Whether the system started the program with other rights than its caller's: setuid, setgid, file
// capabilities (AT_SECURE). Any time.
bool tn_config_is_secure_execution(void);

// Read on the first call, the same pointer ever after. Any thread. Values are copies.
const tn_config *tn_config_get(void);

#endif
