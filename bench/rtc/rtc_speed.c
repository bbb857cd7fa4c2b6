// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times compilation at run time, one question a process; prints "name value" lines. Milliseconds
// but for hit_us.
//
//   rtc_speed target <libtenon-compiler.so> <target> [<processor>]
//       source to image, the compiler alone
//   rtc_speed nvrtc        the same kernel by NVRTC, to PTX
//   rtc_speed cpu          source to a kernel that can be launched, and hits in memory
//   rtc_speed disk         the first of them alone: found on disk the second time
//   rtc_speed threads <libtenon-compiler.so> <n>    100 different kernels by n threads
//   rtc_speed grow <libtenon-compiler.so> <n>       resident memory before and after n builds
#include <tenon/compiler.h>
#include <tenon/tenon.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { LATER = 15, HITS = 1001, SOURCE_MAXIMUM = 2048, KERNELS = 100 };

static const char vec_add[] =
    "#include <sycl/sycl.hpp>\n"
    "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((\n"
    "    sycl::ext::oneapi::experimental::nd_range_kernel<1>))\n"
    "void vec_add(float* in1, float* in2, float* out){\n"
    "  size_t id = sycl::ext::oneapi::this_work_item::get_nd_item<1>()\n"
    "              .get_global_linear_id();\n"
    "  out[id] = in1[id] + in2[id] + %d;\n"
    "}\n";
static const char cuda_vec_add[] =
    "extern \"C\" __global__ void vec_add(float* in1, float* in2, float* out) {\n"
    "  size_t id = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  out[id] = in1[id] + in2[id] + %d;\n"
    "}\n";

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_value(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
static double median(double *values, size_t count) {
  qsort(values, count, sizeof(*values), by_value);
  return values[count / 2];
}

static void fail(const char *what, const char *why) {
  fprintf(stderr, "rtc_speed: %s: %s\n", what, why);
  exit(1);
}

static long resident_kb(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long pages = 0;
  if (!file || fscanf(file, "%*d %ld", &pages) != 1) {
    fail("/proc/self/statm", "cannot be read");
  }
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}
static long peak_kb(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// ---- The compiler alone

static const tn_compiler *load_compiler(const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void *symbol = library ? dlsym(library, TN_COMPILER_QUERY) : NULL;
  if (!symbol) {
    fail(path, dlerror());
  }
  tn_compiler_query_fn query;
  memcpy(&query, &symbol, sizeof(query));
  return query(TN_COMPILER_VERSION);
}

static void compile(const tn_compiler *compiler, const char *target, const char *processor,
                    int number) {
  char source[SOURCE_MAXIMUM];
  const int size = snprintf(source, sizeof(source), vec_add, number);
  const tn_source_params params = {
      .struct_size = sizeof(params),
      .language = TN_LANGUAGE_SYCL,
      .source = {"rtc_0.cpp", source, (size_t)size},
      .target = target,
      .processor = processor,
  };
  tn_source_result result = {.struct_size = sizeof(result)};
  tn_diag diag = {0};
  if (compiler->compile_source(&params, &result, &diag) != TN_OK) {
    fail(target, diag.text);
  }
  compiler->free_source_result(&result);
}

static void print_times(double first, double *later, size_t count) {
  printf("first_ms %.3f\nlater_ms %.3f\npeak_kb %ld\n", first, median(later, count), peak_kb());
}

static void time_target(const char *library, const char *target, const char *processor) {
  double later[LATER];
  const double start = now_ms();
  const tn_compiler *compiler = load_compiler(library);
  compile(compiler, target, processor, 0);
  const double first = now_ms() - start;
  for (int i = 0; i < LATER; i++) {
    const double from = now_ms();
    compile(compiler, target, processor, i + 1);
    later[i] = now_ms() - from;
  }
  print_times(first, later, LATER);
}

typedef struct thread_work {
  const tn_compiler *compiler;
  atomic_int *next;
} thread_work;

static void *compile_some(void *arg) {
  const thread_work *work = arg;
  for (int i; (i = atomic_fetch_add(work->next, 1)) < KERNELS;) {
    compile(work->compiler, "native_cpu", NULL, 1000 + i);
  }
  return NULL;
}

static void time_threads(const char *library, int count) {
  pthread_t threads[16];
  atomic_int next = 0;
  const thread_work work = {load_compiler(library), &next};
  compile(work.compiler, "native_cpu", NULL, 0);
  const double start = now_ms();
  for (int i = 0; i < count; i++) {
    pthread_create(&threads[i], NULL, compile_some, (void *)&work);
  }
  for (int i = 0; i < count; i++) {
    pthread_join(threads[i], NULL);
  }
  printf("all_ms %.3f\n", now_ms() - start);
}

static void measure_growth(const char *library, int count) {
  const tn_compiler *compiler = load_compiler(library);
  for (int i = 0; i < 50; i++) {
    compile(compiler, "native_cpu", NULL, i);
  }
  const long before = resident_kb();
  for (int i = 0; i < count; i++) {
    compile(compiler, "native_cpu", NULL, 100 + i);
  }
  printf("growth_kb %ld\npeak_kb %ld\n", resident_kb() - before, peak_kb());
}

// ---- NVRTC, by the declarations of its manual

typedef struct nvrtc_program nvrtc_program;
typedef struct nvrtc {
  int (*create)(nvrtc_program **, const char *, const char *, int, const char *const *,
                const char *const *);
  int (*compile)(nvrtc_program *, int, const char *const *);
  int (*size)(nvrtc_program *, size_t *);
  int (*get)(nvrtc_program *, char *);
  int (*destroy)(nvrtc_program **);
  int (*version)(int *, int *);
} nvrtc;

static void *load_nvrtc(void) {
  static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
  static const char *const folders[] = {"lib64", "lib", "targets/x86_64-linux/lib"};
  const char *roots[] = {getenv("CUDA_PATH"), "/usr/local/cuda", "/opt/cuda"};
  for (size_t n = 0; n < 3; n++) {
    void *library = dlopen(names[n], RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; !library && i < 9; i++) {
      char path[4096];
      const char *root = roots[i / 3];
      if (root && snprintf(path, sizeof(path), "%s/%s/%s", root, folders[i % 3], names[n]) <
                      (int)sizeof(path)) {
        library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
      }
    }
    if (library) {
      return library;
    }
  }
  return NULL;
}

static void compile_cuda(const nvrtc *api, int number) {
  char source[SOURCE_MAXIMUM];
  const char *const options[] = {"-arch=compute_90"};
  nvrtc_program *program = NULL;
  size_t size = 0;
  snprintf(source, sizeof(source), cuda_vec_add, number);
  if (api->create(&program, source, "vec_add.cu", 0, NULL, NULL) != 0 ||
      api->compile(program, 1, options) != 0 || api->size(program, &size) != 0) {
    fail("NVRTC", "does not compile the kernel");
  }
  char *ptx = malloc(size);
  if (!ptx || api->get(program, ptx) != 0) {
    fail("NVRTC", "gives no PTX");
  }
  free(ptx);
  api->destroy(&program);
}

static void time_nvrtc(void) {
  double later[LATER];
  const double start = now_ms();
  void *library = load_nvrtc();
  if (!library) {
    printf("absent 1\n");
    return;
  }
  nvrtc api;
  *(void **)&api.create = dlsym(library, "nvrtcCreateProgram");
  *(void **)&api.compile = dlsym(library, "nvrtcCompileProgram");
  *(void **)&api.size = dlsym(library, "nvrtcGetPTXSize");
  *(void **)&api.get = dlsym(library, "nvrtcGetPTX");
  *(void **)&api.destroy = dlsym(library, "nvrtcDestroyProgram");
  *(void **)&api.version = dlsym(library, "nvrtcVersion");
  compile_cuda(&api, 0);
  const double first = now_ms() - start;
  for (int i = 0; i < LATER; i++) {
    const double from = now_ms();
    compile_cuda(&api, i + 1);
    later[i] = now_ms() - from;
  }
  int major = 0, minor = 0;
  api.version(&major, &minor);
  printf("version %d.%d\n", major, minor);
  print_times(first, later, LATER);
}

// ---- The whole way, through libtenon

static tn_context *make_context(tn_device **device) {
  tn_context *context = NULL;
  tn_diag diag = {0};
  size_t count = 0;
  if (tn_device_count(&count, &diag) != TN_OK || count == 0) {
    fail("devices", "there are none");
  }
  *device = tn_device_at(0);
  if (tn_context_create(device, 1, &context, &diag) != TN_OK) {
    fail("context", diag.text);
  }
  return context;
}

static void build(tn_context *context, tn_device *device, int number) {
  char text[SOURCE_MAXIMUM];
  const int size = snprintf(text, sizeof(text), vec_add, number);
  const tn_source_query query = {
      .struct_size = sizeof(query),
      .language = TN_SOURCE_SYCL,
      .context = context,
      .source = text,
      .source_size = (size_t)size,
  };
  const tn_source_build how = {
      .struct_size = sizeof(how),
      .state = TN_BUNDLE_EXECUTABLE,
      .devices = &device,
      .device_count = 1,
  };
  tn_source *source = NULL;
  tn_bundle *bundle = NULL;
  tn_diag diag = {0};
  if (tn_source_create(&query, &source, &diag) != TN_OK ||
      tn_source_build_bundle(source, &how, &bundle, NULL, &diag) != TN_OK) {
    fail("build", diag.text);
  }
  tn_bundle_release(bundle);
  tn_source_release(source);
}

static void time_cpu(bool only_first) {
  double later[LATER];
  double hits[HITS];
  tn_device *device = NULL;
  tn_context *context = make_context(&device);
  double from = now_ms();
  build(context, device, 0);
  const double first = now_ms() - from;
  FILE *maps = fopen("/proc/self/maps", "r");
  int has_llvm = 0;
  for (char line[4096]; maps && fgets(line, sizeof(line), maps);) {
    has_llvm |= strstr(line, "libLLVM") != NULL;
  }
  if (maps) {
    fclose(maps);
  }
  printf("llvm %d\n", has_llvm);
  if (only_first) {
    printf("first_ms %.3f\n", first);
    tn_context_release(context);
    return;
  }
  for (int i = 0; i < LATER; i++) {
    from = now_ms();
    build(context, device, i + 1);
    later[i] = now_ms() - from;
  }
  for (int i = 0; i < HITS; i++) {
    from = now_ms();
    build(context, device, 1);
    hits[i] = (now_ms() - from) * 1e3;
  }
  print_times(first, later, LATER);
  printf("hit_us %.3f\n", median(hits, HITS));
  tn_context_release(context);
}

int main(int argc, char **argv) {
  const char *mode = argc > 1 ? argv[1] : "";
  if (strcmp(mode, "target") == 0 && argc >= 4) {
    time_target(argv[2], argv[3], argc > 4 ? argv[4] : NULL);
  } else if (strcmp(mode, "nvrtc") == 0) {
    time_nvrtc();
  } else if (strcmp(mode, "threads") == 0 && argc == 4) {
    time_threads(argv[2], atoi(argv[3]) > 16 ? 16 : atoi(argv[3]));
  } else if (strcmp(mode, "grow") == 0 && argc == 4) {
    measure_growth(argv[2], atoi(argv[3]));
  } else if (strcmp(mode, "cpu") == 0 || strcmp(mode, "disk") == 0) {
    time_cpu(strcmp(mode, "disk") == 0);
  } else {
    fail("arguments", "see the top of bench/rtc/rtc_speed.c");
  }
  return 0;
}
