// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Eight threads open plug-ins, launch their kernels and close them again, for some seconds: in turn
// one of their own, which really goes each time, and one that others use as well.
// Usage: storm <seconds> <eight plug-ins> <shared plug-in>...
#include <tenon/cache.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <mutex>
#include <thread>
#include <vector>

static std::atomic<unsigned long> rounds, wrong;
static std::atomic<bool> stop;

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WITH_TSAN 1
#endif
#endif
#ifdef WITH_TSAN
// The loader's own lock, which the thread sanitizer does not see: memory of a library that one
// thread closes and the next opens in the same place looks like a race without it.
static std::mutex loader;
#define LOADER_LOCK std::lock_guard<std::mutex> lock(loader)
#else
#define LOADER_LOCK (void)0
#endif

static void *open_plugin(const char *path) {
  LOADER_LOCK;
  return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}
static void close_plugin(void *handle) {
  LOADER_LOCK;
  dlclose(handle);
}

static void work(unsigned long which, unsigned long shared, char **plugins) {
  for (unsigned long i = which; !stop; i++) {
    void *handle = open_plugin(plugins[i % 4 < 3 ? which : 8 + i / 4 % shared]);
    if (!handle) {
      std::printf("%s\n", dlerror());
      wrong++;
      return;
    }
    auto run = reinterpret_cast<int (*)()>(dlsym(handle, "plugin_run"));
    wrong += static_cast<unsigned long>(run());
    close_plugin(handle);
    rounds++;
  }
}

int main(int argc, char **argv) {
  std::vector<std::thread> threads;
  const int seconds = argc > 2 ? std::atoi(argv[1]) : 0;
  for (unsigned long i = 0; i < 8 && argc > 10; i++) {
    threads.emplace_back(work, i, static_cast<unsigned long>(argc - 10), argv + 2);
  }
  std::this_thread::sleep_for(std::chrono::seconds(seconds));
  stop = true;
  for (auto &thread : threads) {
    thread.join();
  }
  tn_cache_stats stats = {};
  stats.struct_size = sizeof(stats);
  tn_cache_get_stats(&stats);
  std::printf(
      "%lu rounds of dlopen, launch, dlclose in 8 threads, %lu wrong; builds %llu hits %llu\n",
      rounds.load(), wrong.load(), static_cast<unsigned long long>(stats.builds),
      static_cast<unsigned long long>(stats.disk_hits));
  return wrong != 0 || rounds == 0 ? 1 : 0;
}
