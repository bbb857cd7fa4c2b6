// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stand-in for NVIDIA's driver, libcuda.so.1: two devices, streams with a thread each, host
// memory for all. A kernel runs as the function fake_cuda_kernel of the program, if it has one.
// FAKE_CUDA_FAIL=<function>:<n>:<code> lets the n-th call of a function fail; a running test tells
// it by fake_cuda_fail (fake_fail.h).
// cuStreamSynchronize and cuEventRecord call the function fake_cuda_returns of the program, if it
// has one, before they return: a test does there what another thread may do at that moment.
#include "fake_cuda/fake_cuda.h"

#include "fake_cuda/fake_module.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// What the program has for kernels: the two parameters as the launch gave them.
typedef void (*kernel_fn)(const char *name, const unsigned *grid, const unsigned *block,
                          void *const *params);

typedef void (*returns_fn)(const char *function);

static context contexts[DEVICES] = {{0}, {1}};
static _Thread_local context *current;
static pthread_mutex_t fail_mu = PTHREAD_MUTEX_INITIALIZER;
static _Atomic tn_cu_result sticky;
// Held to read by kernels, copies and fills that run: a context is lost between them.
static pthread_rwlock_t memory_lock = PTHREAD_RWLOCK_INITIALIZER;

static double now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

// Under fail_mu.
typedef struct failure {
  char function[64];  // empty for none
  int left;
  int code;
} failure;

static failure next_failure;

EXPORT void fake_cuda_fail(const char *told) {
  failure wanted = {0};
  if (!told || sscanf(told, "%63[^:]:%d:%d", wanted.function, &wanted.left, &wanted.code) != 3) {
    wanted = (failure){0};
  }
  pthread_mutex_lock(&fail_mu);
  next_failure = wanted;
  pthread_mutex_unlock(&fail_mu);
}

__attribute__((constructor)) static void read_environment(void) {
  fake_cuda_fail(getenv("FAKE_CUDA_FAIL"));
}

tn_cu_result fake_told_to_fail(const char *name) {
  pthread_mutex_lock(&fail_mu);
  const int is_now = strcmp(next_failure.function, name) == 0 && next_failure.left-- == 0;
  const int code = next_failure.code;
  pthread_mutex_unlock(&fail_mu);
  if (is_now && code >= 700 && code != TN_CU_LAUNCH_OUT_OF_RESOURCES) {
    pthread_rwlock_wrlock(&memory_lock);
    sticky = code;
    pthread_rwlock_unlock(&memory_lock);
  }
  return is_now ? code : sticky;
}
static void run_job(job *of) {
  if (!of->is_on_memory) {
    of->run(of);
    return;
  }
  pthread_rwlock_rdlock(&memory_lock);
  if (sticky == TN_CU_SUCCESS) {
    of->run(of);
  }
  pthread_rwlock_unlock(&memory_lock);
}
static returns_fn program_returns;
static void find_returns(void) {
  void *symbol = dlsym(RTLD_DEFAULT, "fake_cuda_returns");
  memcpy(&program_returns, &symbol, sizeof(program_returns));
}
static void call_returns(const char *name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, find_returns);
  if (program_returns) {
    program_returns(name);
  }
}

// ---- Devices

EXPORT tn_cu_result cuInit(unsigned flags) {
  (void)flags;
  CALL(cuInit);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuDriverGetVersion(int *out) {
  const char *told = getenv("FAKE_CUDA_VERSION");
  *out = told ? atoi(told) : DRIVER_VERSION;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuGetErrorName(tn_cu_result result, const char **out) {
  *out = result == TN_CU_ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS"
         : result == TN_CU_OUT_OF_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY"
                                         : "CUDA_ERROR_FAKE";
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuGetErrorString(tn_cu_result result, const char **out) {
  *out = result == TN_CU_OUT_OF_MEMORY ? "out of memory" : "told to fail";
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuDeviceGetCount(int *out) {
  CALL(cuDeviceGetCount);
  *out = DEVICES;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuDeviceGet(tn_cu_device *out, int index) {
  CALL(cuDeviceGet);
  *out = index;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuDeviceGetName(char *out, int size, tn_cu_device device) {
  CALL(cuDeviceGetName);
  (void)snprintf(out, (size_t)size, "Fake GPU %d", device);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuDeviceTotalMem_v2(size_t *out, tn_cu_device device) {
  CALL(cuDeviceTotalMem_v2);
  (void)device;
  *out = (size_t)1 << 30;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuDeviceGetAttribute(int *out, int what, tn_cu_device device) {
  CALL(cuDeviceGetAttribute);
  static const struct {
    int what;
    int value;
  } all[] = {{TN_CU_MAX_THREADS_PER_BLOCK, 1024},  {TN_CU_MAX_BLOCK_DIM_X, 1024},
             {TN_CU_MAX_BLOCK_DIM_Y, 1024},        {TN_CU_MAX_BLOCK_DIM_Z, 64},
             {TN_CU_CLOCK_RATE, 1980000},          {TN_CU_MULTIPROCESSOR_COUNT, 4},
             {TN_CU_L2_CACHE_SIZE, 1 << 20},       {TN_CU_COMPUTE_CAPABILITY_MAJOR, 8},
             {TN_CU_COMPUTE_CAPABILITY_MINOR, 0},  {TN_CU_MANAGED_MEMORY, 1},
             {TN_CU_CONCURRENT_MANAGED_ACCESS, 1}, {TN_CU_MAX_SHARED_MEMORY_OPTIN, SHARED_OPTIN},
             {TN_CU_MEMORY_CLOCK_RATE, 3201000},   {TN_CU_MEMORY_BUS_WIDTH, 6016},
             {TN_CU_PCI_IDS, 0x233510de},          {TN_CU_ECC_ENABLED, 1},
             {TN_CU_MAX_REGISTERS_PER_BLOCK, 65536}, {TN_CU_INTEGRATED, 0},
             {TN_CU_USES_HOST_POINTERS, 1},        {TN_CU_REGISTERS_READ_ONLY, 1},
             {TN_CU_TEXTURE_PITCH_ALIGNMENT, 32},  {TN_CU_MAX_LINEAR_TEXTURE_WIDTH, 131072},
             {TN_CU_MAX_LINEAR_TEXTURE_HEIGHT, 65000},
             {TN_CU_MAX_LINEAR_TEXTURE_PITCH, 2097120}};
  *out = 0;
  for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
    *out = all[i].what == what ? all[i].value : *out;
  }
  *out += what == TN_CU_COMPUTE_CAPABILITY_MAJOR ? device : 0;  // unlike ones
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuDevicePrimaryCtxRetain(tn_cu_context *out, tn_cu_device device) {
  CALL(cuDevicePrimaryCtxRetain);
  *out = &contexts[device];
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuDevicePrimaryCtxRelease_v2(tn_cu_device device) {
  CALL(cuDevicePrimaryCtxRelease_v2);
  (void)device;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuCtxGetCurrent(tn_cu_context *out) {
  *out = current;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuCtxSetCurrent(tn_cu_context given) {
  CALL(cuCtxSetCurrent);
  current = given;
  return TN_CU_SUCCESS;
}

// ---- Code

EXPORT tn_cu_result cuModuleLoadDataEx(tn_cu_module *out, const void *code, unsigned count,
                                       int *options, void **values) {
  for (unsigned i = 0; i < count && strstr(code, "bad code"); i++) {
    if (options[i] == TN_CU_JIT_ERROR_LOG) {
      strcpy(values[i], "ptxas application ptx input, line 3; error: bad code\n");
    }
  }
  if (strstr(code, "bad code")) {
    return TN_CU_INVALID_PTX;
  }
  CALL(cuModuleLoadDataEx);
  module *made = calloc(1, sizeof(*made));
  made->code = strdup(code);
  *out = made;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuModuleUnload(tn_cu_module gone) {
  fake_variables_free(gone);
  free(gone->code);
  free(gone);
  return TN_CU_SUCCESS;
}
// Functions stay for ever, as there are few.
static function *functions;
static pthread_mutex_t functions_mu = PTHREAD_MUTEX_INITIALIZER;
EXPORT tn_cu_result cuModuleGetFunction(tn_cu_function *out, tn_cu_module of, const char *name) {
  CALL(cuModuleGetFunction);
  char line[600];
  (void)snprintf(line, sizeof(line), ".entry %s(", name);
  if (!strstr(of->code, line)) {
    return TN_CU_NOT_FOUND;
  }
  function *made = calloc(1, sizeof(*made));
  (void)snprintf(made->name, sizeof(made->name), "%s", name);
  made->dynamic_shared = 48 << 10;
  const char *told = strstr(of->code, "// threads ");
  made->threads = told ? atoi(told + strlen("// threads ")) : strstr(name, "wide") ? 512 : 1024;
  pthread_mutex_lock(&functions_mu);
  made->next = functions;
  functions = made;
  pthread_mutex_unlock(&functions_mu);
  *out = made;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuFuncGetAttribute(int *out, int what, tn_cu_function of) {
  CALL(cuFuncGetAttribute);
  *out = what == TN_CU_FUNC_MAX_THREADS          ? of->threads
         : what == TN_CU_FUNC_MAX_DYNAMIC_SHARED ? of->dynamic_shared
                                                 : 0;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuFuncSetAttribute(tn_cu_function of, int what, int value) {
  CALL(cuFuncSetAttribute);
  if (what != TN_CU_FUNC_MAX_DYNAMIC_SHARED || value > SHARED_OPTIN) {
    return TN_CU_INVALID_VALUE;
  }
  of->dynamic_shared = value;
  return TN_CU_SUCCESS;
}

// ---- Memory

EXPORT tn_cu_result cuMemAlloc_v2(tn_cu_address *out, size_t size) {
  CALL(cuMemAlloc_v2);
  void *made = size > (size_t)1 << 30 ? NULL : aligned_alloc(512, (size + 511) / 512 * 512);
  *out = (tn_cu_address)(uintptr_t)made;
  return made ? TN_CU_SUCCESS : TN_CU_OUT_OF_MEMORY;
}
EXPORT tn_cu_result cuMemFree_v2(tn_cu_address memory) {
  free((void *)(uintptr_t)memory);
  return TN_CU_SUCCESS;
}
// Aligned to 256 bytes and no more, as the driver's small pieces of host memory are.
EXPORT tn_cu_result cuMemHostAlloc(void **out, size_t size, unsigned flags) {
  (void)flags;
  CALL(cuMemHostAlloc);
  unsigned char *made = aligned_alloc(4096, (256 + size + 4095) / 4096 * 4096);
  *out = made ? made + 256 : NULL;
  return made ? TN_CU_SUCCESS : TN_CU_OUT_OF_MEMORY;
}
EXPORT tn_cu_result cuMemFreeHost(void *memory) {
  free((unsigned char *)memory - 256);
  return TN_CU_SUCCESS;
}
// What is registered, once each. The numbers are the driver's, for memory that is, and is not.
enum { ALREADY_REGISTERED = 712, NOT_REGISTERED = 713 };
static void *registered[4];
EXPORT tn_cu_result cuMemHostRegister_v2(void *memory, size_t size, unsigned flags) {
  CALL(cuMemHostRegister_v2);
  const unsigned usual = TN_CU_HOST_PORTABLE | TN_CU_HOST_MAPPED;
  size_t at = 4;
  for (size_t i = 0; i < 4; i++) {
    if (registered[i] == memory) {
      return ALREADY_REGISTERED;
    }
    at = registered[i] == NULL ? i : at;
  }
  if (at == 4 || size == 0 || (flags & ~(unsigned)TN_CU_HOST_READ_ONLY) != usual) {
    return TN_CU_INVALID_VALUE;
  }
  registered[at] = memory;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuMemHostUnregister(void *memory) {
  CALL(cuMemHostUnregister);
  for (size_t i = 0; i < 4; i++) {
    if (registered[i] == memory) {
      registered[i] = NULL;
      return TN_CU_SUCCESS;
    }
  }
  return NOT_REGISTERED;
}
EXPORT tn_cu_result cuMemAllocManaged(tn_cu_address *out, size_t size, unsigned flags) {
  CALL(cuMemAllocManaged);
  (void)flags;
  return cuMemAlloc_v2(out, size);
}

// ---- Streams

// An event goes with the last who needs it: it may be destroyed while streams still wait for it.
static void keep(event *at) {
  pthread_mutex_lock(&at->mu);
  at->users++;
  pthread_mutex_unlock(&at->mu);
}
static void let_go(event *at) {
  pthread_mutex_lock(&at->mu);
  const int is_last = --at->users == 0;
  pthread_mutex_unlock(&at->mu);
  if (is_last) {
    pthread_mutex_destroy(&at->mu);
    pthread_cond_destroy(&at->cond);
    free(at);
  }
}

static void *work(void *arg) {
  stream *of = arg;
  pthread_mutex_lock(&of->mu);
  for (;;) {
    while (!of->first && !of->is_ending) {
      pthread_cond_wait(&of->cond, &of->mu);
    }
    job *next = of->first;
    if (!next) {
      break;
    }
    of->first = next->next;
    of->is_busy = 1;
    pthread_mutex_unlock(&of->mu);
    run_job(next);
    if (next->at) {
      let_go(next->at);
    }
    free(next);
    pthread_mutex_lock(&of->mu);
    of->is_busy = 0;
    pthread_cond_broadcast(&of->cond);
  }
  pthread_mutex_unlock(&of->mu);
  free(of);
  return NULL;
}
EXPORT tn_cu_result cuStreamCreate(tn_cu_stream *out, unsigned flags) {
  (void)flags;
  CALL(cuStreamCreate);
  stream *made = calloc(1, sizeof(*made));
  pthread_mutex_init(&made->mu, NULL);
  pthread_cond_init(&made->cond, NULL);
  *out = made;
  return pthread_create(&made->thread, NULL, work, made) == 0 && pthread_detach(made->thread) == 0
             ? TN_CU_SUCCESS
             : TN_CU_OUT_OF_MEMORY;
}
EXPORT tn_cu_result cuStreamDestroy_v2(tn_cu_stream of) {
  pthread_mutex_lock(&of->mu);
  of->is_ending = 1;
  pthread_cond_broadcast(&of->cond);
  pthread_mutex_unlock(&of->mu);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuStreamQuery(tn_cu_stream of) {
  CALL(cuStreamQuery);
  pthread_mutex_lock(&of->mu);
  const int is_busy = of->first || of->is_busy;
  pthread_mutex_unlock(&of->mu);
  return is_busy ? TN_CU_NOT_READY : TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuStreamSynchronize(tn_cu_stream of) {
  pthread_mutex_lock(&of->mu);
  while (of->first || of->is_busy) {
    pthread_cond_wait(&of->cond, &of->mu);
  }
  pthread_mutex_unlock(&of->mu);
  call_returns("cuStreamSynchronize");
  CALL(cuStreamSynchronize);
  return TN_CU_SUCCESS;
}

tn_cu_result fake_enqueue(tn_cu_stream of, const job *wanted) {
  if (of->captures) {
    fake_capture(of, wanted);
    return TN_CU_SUCCESS;
  }
  job *made = malloc(sizeof(*made));
  *made = *wanted;
  made->next = NULL;
  if (made->at) {
    keep(made->at);
  }
  pthread_mutex_lock(&of->mu);
  if (of->first) {
    of->last->next = made;
  } else {
    of->first = made;
  }
  of->last = made;
  pthread_cond_broadcast(&of->cond);
  pthread_mutex_unlock(&of->mu);
  return TN_CU_SUCCESS;
}

// ---- Events

EXPORT tn_cu_result cuEventCreate(tn_cu_event *out, unsigned flags) {
  (void)flags;
  CALL(cuEventCreate);
  event *made = calloc(1, sizeof(*made));
  pthread_mutex_init(&made->mu, NULL);
  pthread_cond_init(&made->cond, NULL);
  made->users = 1;
  *out = made;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuEventDestroy_v2(tn_cu_event gone) {
  let_go(gone);
  return TN_CU_SUCCESS;
}
static void reach(job *of) {
  pthread_mutex_lock(&of->at->mu);
  of->at->reached[of->number % RECORDS] = of->number;
  of->at->ms = now_ms();
  pthread_cond_broadcast(&of->at->cond);
  pthread_mutex_unlock(&of->at->mu);
}
EXPORT tn_cu_result cuEventRecord(tn_cu_event at, tn_cu_stream in) {
  CALL(cuEventRecord);
  pthread_mutex_lock(&at->mu);
  const job wanted = {.run = reach, .at = at, .number = ++at->recorded};
  pthread_mutex_unlock(&at->mu);
  const tn_cu_result result = fake_enqueue(in, &wanted);
  call_returns("cuEventRecord");
  return result;
}
EXPORT tn_cu_result cuEventQuery(tn_cu_event at) {
  CALL(cuEventQuery);
  pthread_mutex_lock(&at->mu);
  const int is_there = is_reached(at, at->recorded);
  pthread_mutex_unlock(&at->mu);
  return is_there ? TN_CU_SUCCESS : TN_CU_NOT_READY;
}
EXPORT tn_cu_result cuEventSynchronize(tn_cu_event at) {
  pthread_mutex_lock(&at->mu);
  while (!is_reached(at, at->recorded)) {
    pthread_cond_wait(&at->cond, &at->mu);
  }
  pthread_mutex_unlock(&at->mu);
  CALL(cuEventSynchronize);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuEventElapsedTime(float *out, tn_cu_event from, tn_cu_event to) {
  CALL(cuEventElapsedTime);
  pthread_mutex_lock(&from->mu);
  const double start = from->ms;
  pthread_mutex_unlock(&from->mu);
  pthread_mutex_lock(&to->mu);
  *out = (float)(to->ms - start);
  pthread_mutex_unlock(&to->mu);
  return TN_CU_SUCCESS;
}

// ---- Commands

static kernel_fn program_kernel;
static unsigned *program_shared_size;  // the program may want to know that of the last kernel
static void find_kernel(void) {
  void *symbol = dlsym(RTLD_DEFAULT, "fake_cuda_kernel");
  memcpy(&program_kernel, &symbol, sizeof(program_kernel));
  program_shared_size = dlsym(RTLD_DEFAULT, "fake_cuda_shared_size");
}
static void run_kernel(job *of) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  (void)pthread_once(&once, find_kernel);
  of->params[0] = of->bytes[0];
  of->params[1] = of->bytes[1];
  if (program_shared_size) {
    *program_shared_size = of->shared_size;
  }
  if (program_kernel) {
    program_kernel(of->kernel->name, of->grid, of->block, of->params);
  }
}
// Copies as many bytes of each parameter as can be read: it does not know how many there are.
EXPORT tn_cu_result cuLaunchKernel(tn_cu_function kernel, unsigned grid_x, unsigned grid_y,
                                   unsigned grid_z, unsigned block_x, unsigned block_y,
                                   unsigned block_z, unsigned shared_size, tn_cu_stream in,
                                   void **parameters, void **extra) {
  (void)extra;
  CALL(cuLaunchKernel);
  if ((int)shared_size > kernel->dynamic_shared || (size_t)block_x * block_y * block_z > 1024) {
    return TN_CU_INVALID_VALUE;
  }
  job wanted = {.run = run_kernel, .is_on_memory = 1,
                .kernel = kernel,
                .grid = {grid_x, grid_y, grid_z},
                .block = {block_x, block_y, block_z},
                .shared_size = shared_size};
  enum { FIRST_SIZE = 16, LAUNCH_SIZE = 56 };
  memcpy(wanted.bytes[0], parameters[0], FIRST_SIZE);
  if (!strstr(kernel->name, "no_args")) {
    memcpy(wanted.bytes[1], parameters[1], LAUNCH_SIZE);
  }
  return fake_enqueue(in, &wanted);
}
// Its groups run one after the other, as those of any launch.
EXPORT tn_cu_result cuLaunchCooperativeKernel(tn_cu_function kernel, unsigned grid_x,
                                              unsigned grid_y, unsigned grid_z, unsigned block_x,
                                              unsigned block_y, unsigned block_z,
                                              unsigned shared_size, tn_cu_stream in,
                                              void **parameters) {
  CALL(cuLaunchCooperativeKernel);
  return cuLaunchKernel(kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_size, in,
                        parameters, NULL);
}
EXPORT tn_cu_result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, tn_cu_function of,
                                                                int block_size, size_t shared) {
  (void)of;
  CALL(cuOccupancyMaxActiveBlocksPerMultiprocessor);
  *out = block_size > 1024 || shared > SHARED_OPTIN ? 0 : 2048 / block_size;
  return TN_CU_SUCCESS;
}
static void copy(job *of) { memmove(of->to, of->from, of->size); }
EXPORT tn_cu_result cuMemcpyAsync(tn_cu_address to, tn_cu_address from, size_t size,
                                  tn_cu_stream in) {
  CALL(cuMemcpyAsync);
  const job wanted = {.run = copy, .is_on_memory = 1,
                      .to = (void *)(uintptr_t)to,
                      .from = (const void *)(uintptr_t)from,
                      .size = size};
  return fake_enqueue(in, &wanted);
}
static unsigned char *row_at(const tn_cu_copy_end *end, size_t y, size_t z) {
  if (end->memory_type == TN_CU_MEMORY_ARRAY) {
    return fake_array_at(end->array, end->x, end->y + y, end->z + z);
  }
  unsigned char *memory = end->memory_type == TN_CU_MEMORY_HOST
                              ? (unsigned char *)(uintptr_t)end->host
                              : (unsigned char *)(uintptr_t)end->device;
  return memory + (z * end->height + y) * end->pitch;
}
static void copy_rows(job *of) {
  const tn_cu_copy_3d *rows = &of->rows;
  for (size_t z = 0; z < rows->depth; z++) {
    for (size_t y = 0; y < rows->height; y++) {
      memmove(row_at(&rows->to, y, z), row_at(&rows->from, y, z), rows->width);
    }
  }
}
EXPORT tn_cu_result cuMemcpy3DAsync_v2(const tn_cu_copy_3d *rows, tn_cu_stream in) {
  CALL(cuMemcpy3DAsync_v2);
  const job wanted = {.run = copy_rows, .is_on_memory = 1, .rows = *rows};
  return fake_enqueue(in, &wanted);
}
static void fill(job *of) {
  for (size_t y = 0; y < of->height; y++) {
    for (size_t x = 0; x < of->width; x++) {
      memcpy((char *)of->to + y * of->pitch + x * of->value_size, &of->value, of->value_size);
    }
  }
}
tn_cu_result fake_enqueue_fill(tn_cu_address to, size_t pitch, unsigned value, unsigned size,
                               size_t width, size_t height, tn_cu_stream in) {
  const job wanted = {.run = fill, .is_on_memory = 1,
                      .to = (void *)(uintptr_t)to,
                      .pitch = pitch,
                      .width = width,
                      .height = height,
                      .value = value,
                      .value_size = size};
  return fake_enqueue(in, &wanted);
}
EXPORT tn_cu_result cuMemsetD8Async(tn_cu_address to, unsigned char value, size_t count,
                                    tn_cu_stream in) {
  CALL(cuMemsetD8Async);
  return fake_enqueue_fill(to, 0, value, 1, count, 1, in);
}
EXPORT tn_cu_result cuMemsetD16Async(tn_cu_address to, unsigned short value, size_t count,
                                     tn_cu_stream in) {
  CALL(cuMemsetD16Async);
  return fake_enqueue_fill(to, 0, value, 2, count, 1, in);
}
EXPORT tn_cu_result cuMemsetD32Async(tn_cu_address to, unsigned value, size_t count,
                                     tn_cu_stream in) {
  CALL(cuMemsetD32Async);
  return fake_enqueue_fill(to, 0, value, 4, count, 1, in);
}
EXPORT tn_cu_result cuMemsetD2D8Async(tn_cu_address to, size_t pitch, unsigned char value,
                                      size_t width, size_t height, tn_cu_stream in) {
  CALL(cuMemsetD2D8Async);
  return fake_enqueue_fill(to, pitch, value, 1, width, height, in);
}
EXPORT tn_cu_result cuMemsetD2D32Async(tn_cu_address to, size_t pitch, unsigned value, size_t width,
                                       size_t height, tn_cu_stream in) {
  CALL(cuMemsetD2D32Async);
  return fake_enqueue_fill(to, pitch, value, 4, width, height, in);
}
