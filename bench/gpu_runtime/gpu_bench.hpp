// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the benchmarks of this folder share: CUDA's driver by hand, times of both sides in turn,
// lines of the table, and processes that are started for one measurement.
#ifndef TENON_BENCH_GPU_BENCH_HPP
#define TENON_BENCH_GPU_BENCH_HPP

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <vector>

namespace bench {

[[noreturn]] inline void fail(const char *what, const char *why) {
  std::fprintf(stderr, "%s: %s\n", what, why);
  std::exit(1);
}

inline double now_us() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) * 1e6 + double(t.tv_nsec) / 1e3;
}

inline double median(std::vector<double> values) {
  if (values.empty()) {
    return NAN;
  }
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// ---- CUDA's driver: declared here, so that nothing of CUDA is needed to build.

using address = unsigned long long;

struct driver {
  int (*init)(unsigned);
  int (*device_count)(int *);
  int (*device_get)(int *, int);
  int (*device_name)(char *, int, int);
  int (*device_attribute)(int *, int, int);
  int (*primary_retain)(void **, int);
  int (*context_set)(void *);
  int (*module_load)(void **, const void *);
  int (*module_unload)(void *);
  int (*module_function)(void **, void *, const char *);
  int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                void *, void **, void **);
  int (*stream_create)(void **, unsigned);
  int (*stream_sync)(void *);
  int (*stream_wait)(void *, void *, unsigned);
  int (*event_create)(void **, unsigned);
  int (*event_record)(void *, void *);
  int (*event_sync)(void *);
  int (*event_destroy)(void *);
  int (*allocate)(address *, std::size_t);
  int (*release)(address);
  int (*host_allocate)(void **, std::size_t, unsigned);
  int (*to_device)(address, const void *, std::size_t);
  int (*to_host)(void *, address, std::size_t);
  int (*copy)(address, address, std::size_t);
  int (*copy_async)(address, address, std::size_t, void *);
  int (*peer_enable)(void *, unsigned);
  int (*peer_can)(int *, int, int);
  int (*copy_peer_async)(address, void *, address, void *, std::size_t, void *);
  int (*link_create)(unsigned, int *, void **, void **);
  int (*link_add)(void *, int, void *, std::size_t, const char *, unsigned, int *, void **);
  int (*link_complete)(void *, void **, std::size_t *);
  int (*link_destroy)(void *);
  int (*error_text)(int, const char **);
};

template <class F>
void find(void *library, const char *name, F &out) {
  void *symbol = dlsym(library, name);
  if (!symbol) {
    fail(name, "libcuda.so.1 does not have it");
  }
  std::memcpy(&out, &symbol, sizeof(out));
}

// NULL where there is no driver.
inline const driver *find_driver() {
  static driver d;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    return nullptr;
  }
  find(library, "cuInit", d.init);
  find(library, "cuDeviceGetCount", d.device_count);
  find(library, "cuDeviceGet", d.device_get);
  find(library, "cuDeviceGetName", d.device_name);
  find(library, "cuDeviceGetAttribute", d.device_attribute);
  find(library, "cuDevicePrimaryCtxRetain", d.primary_retain);
  find(library, "cuCtxSetCurrent", d.context_set);
  find(library, "cuModuleLoadData", d.module_load);
  find(library, "cuModuleUnload", d.module_unload);
  find(library, "cuModuleGetFunction", d.module_function);
  find(library, "cuLaunchKernel", d.launch);
  find(library, "cuStreamCreate", d.stream_create);
  find(library, "cuStreamSynchronize", d.stream_sync);
  find(library, "cuStreamWaitEvent", d.stream_wait);
  find(library, "cuEventCreate", d.event_create);
  find(library, "cuEventRecord", d.event_record);
  find(library, "cuEventSynchronize", d.event_sync);
  find(library, "cuEventDestroy_v2", d.event_destroy);
  find(library, "cuMemAlloc_v2", d.allocate);
  find(library, "cuMemFree_v2", d.release);
  find(library, "cuMemHostAlloc", d.host_allocate);
  find(library, "cuMemcpyHtoD_v2", d.to_device);
  find(library, "cuMemcpyDtoH_v2", d.to_host);
  find(library, "cuMemcpy", d.copy);
  find(library, "cuMemcpyAsync", d.copy_async);
  find(library, "cuCtxEnablePeerAccess", d.peer_enable);
  find(library, "cuDeviceCanAccessPeer", d.peer_can);
  find(library, "cuMemcpyPeerAsync", d.copy_peer_async);
  find(library, "cuLinkCreate_v2", d.link_create);
  find(library, "cuLinkAddData_v2", d.link_add);
  find(library, "cuLinkComplete", d.link_complete);
  find(library, "cuLinkDestroy", d.link_destroy);
  find(library, "cuGetErrorString", d.error_text);
  return &d;
}

inline const driver *get_driver() {
  static const driver *d = find_driver();
  if (!d) {
    fail("libcuda.so.1", "there is no NVIDIA driver");
  }
  return d;
}

inline void check(int result, const char *what) {
  if (result != 0) {
    const char *text = nullptr;
    (void)get_driver()->error_text(result, &text);
    fail(what, text ? text : "an error without a name");
  }
}

#define BENCH_CHECK(function, ...) \
  bench::check(bench::get_driver()->function(__VA_ARGS__), "cu: " #function)

// The device's primary context, which libtenon has as well, on this thread; and a stream.
struct raw_device {
  int device = 0;
  void *context = nullptr;
  void *stream = nullptr;
  explicit raw_device(int ordinal = 0) {
    BENCH_CHECK(init, 0);
    BENCH_CHECK(device_get, &device, ordinal);
    BENCH_CHECK(primary_retain, &context, device);
    BENCH_CHECK(context_set, context);
    BENCH_CHECK(stream_create, &stream, 1);
  }
  void wait() const { BENCH_CHECK(stream_sync, stream); }
};

// ---- The table: name, Tenon, CUDA, ratio, bar; by tabs.

inline void row(const char *name, const char *unit, double tenon, double cuda, double ratio,
                const char *bar) {
  char other[64] = "-", quotient[32] = "-";
  if (!std::isnan(cuda)) {
    std::snprintf(other, sizeof(other), "%.2f %s", cuda, unit);
  }
  if (!std::isnan(ratio)) {
    std::snprintf(quotient, sizeof(quotient), "%.2f", ratio);
  }
  std::printf("%s\t%.2f %s\t%s\t%s\t%s\n", name, tenon, unit, other, quotient, bar);
  std::fflush(stdout);
}

inline void skipped(const char *name, const char *why, const char *bar) {
  std::printf("%s\tskipped: %s\t-\t-\t%s\n", name, why, bar);
  std::fflush(stdout);
}

struct pair_of_times {
  double tenon, cuda, ratio;
};

// Both in turn, the first of a round the second of the next; medians, and the median of the rounds'
// ratios.
template <class A, class B>
pair_of_times compare(int rounds, A tenon, B cuda) {
  std::vector<double> a, b, ratios;
  (void)tenon();
  (void)cuda();
  for (int i = 0; i < rounds; i++) {
    double one, other;
    if (i % 2 == 0) {
      one = tenon();
      other = cuda();
    } else {
      other = cuda();
      one = tenon();
    }
    a.push_back(one);
    b.push_back(other);
    ratios.push_back(one / other);
  }
  return {median(a), median(b), median(ratios)};
}

template <class A, class B>
void compare_row(const char *name, const char *unit, const char *bar, int rounds, A tenon, B cuda) {
  const pair_of_times t = compare(rounds, tenon, cuda);
  row(name, unit, t.tenon, t.cuda, t.ratio, bar);
}

// ---- Processes of this program, each for one measurement: they print one number.

extern "C" char **environ;

// `settings`: "NAME=value" words that hold for the process alone. The time at which it was started
// is in BENCH_STARTED_US. NAN when it failed.
inline double ask_process(const char *question, const std::vector<std::string> &settings = {}) {
  int ends[2];
  if (pipe(ends) != 0) {
    return NAN;
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::vector<std::string> words(settings);
  char started[64];
  std::snprintf(started, sizeof(started), "BENCH_STARTED_US=%.1f", now_us());
  words.push_back(started);
  std::vector<char *> environment;
  for (std::string &word : words) {
    environment.push_back(&word[0]);
  }
  for (char **each = environ; *each; each++) {
    bool is_set = false;
    for (const std::string &word : words) {
      is_set = is_set || std::strncmp(*each, word.c_str(), word.find('=') + 1) == 0;
    }
    if (!is_set) {
      environment.push_back(*each);
    }
  }
  environment.push_back(nullptr);
  std::string self(4096, '\0');
  const ssize_t size = readlink("/proc/self/exe", &self[0], self.size() - 1);
  self.resize(size > 0 ? std::size_t(size) : 0);
  char *arguments[] = {&self[0], const_cast<char *>(question), nullptr};
  pid_t process;
  const bool is_started =
      posix_spawn(&process, self.c_str(), &actions, nullptr, arguments, environment.data()) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string said;
  char buffer[256];
  for (ssize_t n; is_started && (n = read(ends[0], buffer, sizeof(buffer))) > 0;) {
    said.append(buffer, std::size_t(n));
  }
  close(ends[0]);
  int status = 1;
  if (is_started) {
    waitpid(process, &status, 0);
  }
  char *end = nullptr;
  const double value = std::strtod(said.c_str(), &end);
  return status == 0 && end != said.c_str() ? value : NAN;
}

inline double started_us() {
  const char *text = std::getenv("BENCH_STARTED_US");
  return text ? std::strtod(text, nullptr) : now_us();
}

enum { PROCESSES = 9 };

// Processes in turn; milliseconds.
inline void process_row(const char *name, const char *bar, const std::vector<std::string> &settings,
                        const char *tenon_question = "tenon", const char *cuda_question = "cuda") {
  const pair_of_times t = compare(
      PROCESSES, [&] { return ask_process(tenon_question, settings); },
      [&] { return ask_process(cuda_question, settings); });
  if (std::isnan(t.tenon)) {
    skipped(name, "a process failed", bar);
    return;
  }
  row(name, "ms", t.tenon / 1e3, t.cuda / 1e3, t.ratio, bar);
}

struct folder {
  std::string path;
  folder() {
    char name[] = "/tmp/gpu-bench-XXXXXX";
    path = mkdtemp(name) ? name : "";
    if (path.empty()) {
      fail("/tmp", "no folder can be made there");
    }
  }
  ~folder() {
    const std::string command = "rm -rf " + path;
    if (std::system(command.c_str()) != 0) {
      std::fprintf(stderr, "%s stays\n", path.c_str());
    }
  }
  std::string add(const char *name, const std::string &bytes) const {
    const std::string file = path + "/" + name;
    if (std::FILE *out = std::fopen(file.c_str(), "wb")) {
      std::fwrite(bytes.data(), 1, bytes.size(), out);
      std::fclose(out);
    }
    return file;
  }
};

inline int answer(double value) {
  std::printf("%.3f\n", value);
  return 0;
}

// ---- PTX: the texts that this program, or a file, carries.

inline std::string read_file(const char *path) {
  std::string all;
  if (std::FILE *file = std::fopen(path, "rb")) {
    char buffer[65536];
    for (std::size_t n; (n = std::fread(buffer, 1, sizeof(buffer), file)) > 0;) {
      all.append(buffer, n);
    }
    std::fclose(file);
  }
  return all;
}

// The first text of PTX in the file that says `word`; empty without. An image's text ends where a
// byte comes that no text has.
inline std::string find_ptx(const char *path, const char *word) {
  const std::string all = read_file(path);
  const std::string head = std::string("\n.versio") + "n ";  // not a text of its own
  for (std::size_t at = 0; (at = all.find(head, at)) != std::string::npos; at++) {
    std::size_t end = at;
    while (end < all.size() && (all[end] == '\n' || all[end] == '\t' || all[end] == '\r' ||
                                (all[end] >= ' ' && all[end] <= '~'))) {
      end++;
    }
    const std::string text = all.substr(at, end - at);
    if (text.find(word) != std::string::npos && text.find(".address_size") != std::string::npos) {
      return text;
    }
  }
  return "";
}

// The first kernel whose name has `word` in it.
inline std::string kernel_of(const std::string &ptx, const char *word) {
  const std::string head = ".entry ";
  for (std::size_t at = 0; (at = ptx.find(head, at)) != std::string::npos;) {
    at += head.size();
    const std::string name = ptx.substr(at, ptx.find_first_of("( \n\t", at) - at);
    if (name.find(word) != std::string::npos) {
      return name;
    }
  }
  return "";
}

// Machine code of the texts, by the driver's linker.
inline std::string link_ptx(const std::vector<std::string> &texts) {
  void *state = nullptr;
  void *code = nullptr;
  std::size_t size = 0;
  BENCH_CHECK(link_create, 0, nullptr, nullptr, &state);
  for (const std::string &text : texts) {
    BENCH_CHECK(link_add, state, 1, const_cast<char *>(text.c_str()), text.size() + 1, "text", 0,
                nullptr, nullptr);
  }
  BENCH_CHECK(link_complete, state, &code, &size);
  const std::string copy(static_cast<const char *>(code), size);
  BENCH_CHECK(link_destroy, state);
  return copy;
}

}  // namespace bench
#endif
