// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each allocation and operation on files, libraries and threads of the whole build path fails in
// turn, with the real compiler in this process: a right status with words, no leak, and the next
// launch works.
// Usage: build_faults [<step> [<scenario>]]: of each <step> events one fails; 1 tries all.
#include "base/config.h"
#include "base/thread.h"
#include "rtc/rtc.h"
#include "run/program/program.h"
#include "run/sched/sched.h"
#include "tenon/bundle.h"
#include "tenon/cache.h"
#include "unit/pipeline/device_code.h"
#include "unit/program/made_library.h"

#include <ftw.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 16, MOST_EVENTS = 20000 };

static const char app_source[] =
    "SYCL_EXTERNAL int step(int);\n"
    "void f(int *p) {\n"
    "  launch<class K>([=](item i) { p[i.get(0)] = step((int)i.get(0)); });\n"
    "  launch<class J>([=](item i) { p[i.get(0)] = (int)i.get(0) * 3; }); }\n";
static const char library_source[] = "SYCL_EXTERNAL int step(int x) { return x * 7 + 1; }\n";
static const char *const library_exports[] = {"_Z4stepi", NULL};

static char *folder;
static char cache[512];
static char compiler_path[512];
static tn_buf app_fatbin;
static tn_buf library_fatbin;
static made_library library;
static made_library plugin;  // the app's kernels in a library that comes and goes
static tn_device *device;
static tn_context *context;
static tn_queue *queue;
static int64_t fault_step = 1;

// A library's module with such images, as its constructor would register it.
static void open_library(made_library *made, int flags, const tn_buf *fatbin) {
  made->handle = dlopen(made->path, RTLD_NOW | flags);
  assert_non_null(made->handle);
  made->module = dlsym(made->handle, "made_module");
  made_file *file = (made_file *)(void *)((char *)made->module - offsetof(made_file, module));
  made->slot = &file->slot;
  for (size_t i = 0; i < MAKER_SYMBOLS && file->symbols[2 + i].st_name != 0; i++) {
    const char *name = file->strings + file->symbols[2 + i].st_name + strlen("__tenon_export_");
    file->markers[i] = (tn_export_marker){made->module, name};
  }
  *made->module = (tn_module){.size = sizeof(tn_module),
                              .version = TN_MODULE_VERSION,
                              .fatbin = fatbin->data,
                              .fatbin_size = fatbin->size};
}

static void close_library(made_library *made) {
  tn_unregister_module(made->module);
  assert_int_equal(dlclose(made->handle), 0);
  made->handle = NULL;
}

static int times_three(int i) { return i * 3; }
static int through_library(int i) { return i * 7 + 1; }

// Launches what was built; results count.
static void check_kernel(tn_kernel *kernel, int (*expected)(int)) {
  int results[ITEMS] = {0};
  int *out = results;
  tn_diag diag = {0};
  const tn_command command = {.struct_size = sizeof(command),
                              .kind = TN_COMMAND_KERNEL,
                              .kernel = kernel,
                              .args = &out,
                              .arg_size = sizeof(out),
                              .arg_align = 8,
                              .dims = 1,
                              .global = {ITEMS, 1, 1},
                              .local = {1, 1, 1}};
  tn_status status = tn_queue_submit(queue, &command, NULL, &diag);
  if (status == TN_OK) {
    status = tn_queue_wait(queue, &diag);
  }
  if (status != TN_OK) {
    print_message("%s\n", diag.text);
  }
  assert_int_equal(status, TN_OK);
  for (int i = 0; i < ITEMS; i++) {
    assert_int_equal(results[i], expected(i));
  }
}

// What is tried: gives a status and up to two kernels, borrowed or (`owned`) with a reference.
typedef struct attempt {
  tn_kernel *kernels[2];
  int (*expected[2])(int);
  bool owned;
  tn_bundle *bundle;
  tn_image_file *file;
} attempt;

static tn_status launch_slots(attempt *a, tn_diag *diag) {
  static const char *const names[] = {"_ZTSZ1fPiE1K", "_ZTSZ1fPiE1J"};
  a->expected[0] = through_library;
  a->expected[1] = times_three;
  tn_status status = TN_OK;
  for (int i = 0; i < 2 && status == TN_OK; i++) {
    *plugin.slot = (tn_kernel_slot){.module = plugin.module, .name = names[i]};
    status = tn_kernel_from_slot(plugin.slot, device, &a->kernels[i], diag);
  }
  return status;
}

static tn_status build_bundle(attempt *a, tn_diag *diag) {
  const tn_bundle_query query = {.struct_size = sizeof(query),
                                 .state = TN_BUNDLE_INPUT,
                                 .context = context,
                                 .devices = &device,
                                 .device_count = 1};
  tn_bundle *input = NULL;
  tn_status status = tn_bundle_get(&query, &input, diag);
  if (status == TN_OK) {
    status = tn_bundle_build(input, &device, 1, &a->bundle, diag);
  }
  tn_bundle_release(input);
  for (size_t i = 0; status == TN_OK && i < tn_bundle_kernel_count(a->bundle) && i < 2; i++) {
    tn_kernel_id *id = tn_bundle_kernel_id_at(a->bundle, i);
    const char *name = tn_kernel_id_name(id);
    a->expected[i] = strstr(name, "J") ? times_three : through_library;
    a->owned = true;
    status = tn_bundle_get_kernel(a->bundle, id, device, &a->kernels[i], diag);
  }
  return status;
}

static tn_status open_file(attempt *a, tn_diag *diag) {
  a->owned = true;
  a->expected[0] = times_three;
  tn_status status = tn_image_open_memory(app_fatbin.data, app_fatbin.size, &a->file, diag);
  if (status == TN_OK) {
    status = tn_kernel_create(a->file, "_ZTSZ1fPiE1J", device, &a->kernels[0], diag);
  }
  return status;
}

static void end_attempt(attempt *a) {
  for (int i = 0; i < 2 && a->owned; i++) {
    tn_kernel_release(a->kernels[i]);
  }
  tn_bundle_release(a->bundle);
  tn_image_close(a->file);
  *a = (attempt){0};
}

static int remove_entry(const char *name, const struct stat *info, int kind, struct FTW *where) {
  (void)info;
  return kind == FTW_F && strlen(name + where->base) > 60 ? unlink(name) : 0;
}
// The folder stays, since the process has it open.
static void empty_cache(void) { (void)nftw(cache, remove_entry, 16, FTW_PHYS); }

typedef tn_status (*try_fn)(attempt *a, tn_diag *diag);

typedef struct scenario {
  const char *name;
  try_fn attempt_to;
  bool is_cold;
  bool is_first;  // with what happens once a process
} scenario;

static void check_attempt(const attempt *a) {
  for (int i = 0; i < 2; i++) {
    if (a->kernels[i]) {
      check_kernel(a->kernels[i], a->expected[i]);
    }
  }
}

typedef enum outcome { FAILED = 10, WENT_WELL, NOT_REACHED } outcome;

static void open_modules(void) {
  open_library(&library, RTLD_GLOBAL, &library_fatbin);
  open_library(&plugin, RTLD_LOCAL, &app_fatbin);
}
static void close_modules(void) {
  close_library(&plugin);
  close_library(&library);
}

static void find_device(void) {
  tn_diag diag = {0};
  size_t count = 0;
  if (tn_device_count(&count, &diag) != TN_OK || count == 0) {
    fail_msg("%s", diag.text);
  }
  device = tn_device_at(0);
  if (tn_context_create(&device, 1, &context, &diag) != TN_OK ||
      tn_queue_create(context, device, 0, &queue, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
}

// All as it is without a fault, with new modules, as when a plug-in comes again.
static void try_in_peace(try_fn attempt_to, const char *when) {
  attempt a = {0};
  tn_diag diag = {0};
  open_modules();
  tn_register_module(library.module);
  tn_register_module(plugin.module);
  const tn_status status = attempt_to(&a, &diag);
  if (status != TN_OK) {
    fail_msg("%s: %s", when, diag.text);
  }
  check_attempt(&a);
  end_attempt(&a);
  close_modules();
  tn_program_reap();
}

static outcome try_event(int64_t nth, try_fn attempt_to) {
  attempt a = {0};
  tn_diag diag = {0};
  open_modules();
  tn_fault_arm(nth);
  tn_register_module(library.module);
  tn_register_module(plugin.module);
  const tn_status status = attempt_to(&a, &diag);
  const bool fired = tn_fault_fired();
  tn_fault_arm(-1);
  if (status != TN_OK && (diag.code != (int32_t)status || diag.text[0] == '\0' || !fired)) {
    fail_msg("event %lld %s: status %d, diagnosis %d '%s'", (long long)nth,
             fired ? "failed" : "did not fail", (int)status, diag.code, diag.text);
  }
  if (getenv("FAULT_VERBOSE") && status != TN_OK) {
    printf("%lld: %s\n", (long long)nth, diag.text);
  }
  if (status == TN_OK) {
    check_attempt(&a);
  }
  end_attempt(&a);
  close_modules();
  tn_program_reap();
  return status != TN_OK ? FAILED : fired ? WENT_WELL : NOT_REACHED;
}

// In a process of its own, whose store has not failed yet.
static outcome try_in_child(int64_t nth, const scenario *s) {
  find_device();
  if (!s->is_first) {
    // What lives as long as the process comes before anything is counted.
    const tn_compiler *compiler = NULL;
    assert_int_equal(tn_device_get_compiler(&compiler, NULL), TN_OK);
    try_in_peace(s->attempt_to, "before anything fails");
    if (s->is_cold) {
      empty_cache();
    }
  }
  const int64_t live = tn_alloc_live();
  const outcome result = try_event(nth, s->attempt_to);
  if (!s->is_first && tn_alloc_live() != live) {
    fail_msg("event %lld: %lld allocations are lost", (long long)nth,
             (long long)(tn_alloc_live() - live));
  }
  try_in_peace(s->attempt_to, "after an event that failed");
  tn_queue_release(queue);
  tn_context_release(context);
  return result;
}

// Fills the cache, and says whether a second process finds everything there.
static void warm_up(const scenario *s) {
  for (int i = 0; i < 2; i++) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      tn_cache_stats stats = {.struct_size = sizeof(stats)};
      find_device();
      try_in_peace(s->attempt_to, "without a fault");
      tn_cache_get_stats(&stats);
      tn_queue_release(queue);
      tn_context_release(context);
      exit(i == 0 || (stats.builds == 0 && stats.disk_hits > 0) ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
  }
}

static bool try_all(const scenario *s) {
  int64_t events = 0;
  size_t counts[3] = {0};
  size_t wrong = 0;
  const uint64_t start = tn_time_ns();
  for (int64_t n = fault_step / 2; events == 0 && n < MOST_EVENTS && wrong < 5; n += fault_step) {
    if (s->is_cold) {
      empty_cache();
    } else if (s->is_first || n == fault_step / 2) {
      warm_up(s);
    }
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      exit((int)try_in_child(n, s));
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    if (code < FAILED || code > NOT_REACHED) {
      printf("%s: event %lld: the process ended with %d\n", s->name, (long long)n, code);
      wrong++;
      continue;
    }
    counts[code - FAILED]++;
    events = code == NOT_REACHED ? n + 1 : 0;
  }
  printf(
      "%-32s about %lld events, %zu failed: %zu times an error, %zu times none, %zu wrong; "
      "%.1f s\n",
      s->name, (long long)events, counts[0] + counts[1] + wrong, counts[0], counts[1], wrong,
      (double)(tn_time_ns() - start) / 1e9);
  (void)fflush(stdout);
  return wrong == 0 && events > 0;
}

static const scenario scenarios[] = {
    {"first of all, cold", launch_slots, true, true},
    {"first of all, warm", launch_slots, false, true},
    {"libraries, cold", launch_slots, true, false},
    {"libraries, warm", launch_slots, false, false},
    {"a file's kernel, cold", open_file, true, false},
    {"a file's kernel, warm", open_file, false, false},
    {"a bundle, cold", build_bundle, true, false},
    {"a bundle, warm", build_bundle, false, false},
};

static void make_fatbin(const char *source, const char *name, tn_buf *out) {
  const char *const sources[] = {source, NULL};
  tn_buf messages;
  tn_diag diag = {0};
  tn_buf_init(out, DEVICE_CODE_MAX);
  tn_buf_init(&messages, DEVICE_CODE_MAX);
  const tn_status status = device_link(sources, "-O2", name, out, &messages, &diag);
  if (status != TN_OK) {
    fail_msg("%s\n%s", diag.text, tn_buf_text(&messages));
  }
  tn_buf_deinit(&messages);
}

int main(int argc, char **argv) {
  uint64_t number = 0;
  if (argc > 1 && tn_str_to_u64(tn_str_from(argv[1]), &number) && number > 0) {
    fault_step = (int64_t)number;
  }
  // Before the configuration is read: a cache of our own, and this program as the compiler library.
  static char made[] = "/tmp/tenon-build-faults-XXXXXX";
  if (!mkdtemp(made)) {
    perror(made);
    return 1;
  }
  (void)snprintf(cache, sizeof(cache), "%s/cache", made);
  (void)snprintf(compiler_path, sizeof(compiler_path), "%s/compiler.so", made);
  (void)setenv("TENON_COMPILER_LIBRARY", compiler_path, 1);
  (void)setenv("TENON_CACHE_DIR", cache, 1);
  (void)setenv("TENON_CACHE", "1", 1);
  (void)setenv("ONEAPI_DEVICE_SELECTOR", "*:cpu", 1);
  (void)mkdir(cache, 0700);
  folder = tn_str_copy(tn_str_from(made));
  made_library compiler;
  (void)setvbuf(stdout, NULL, _IOLBF, 0);
  made_write_absolute(&compiler, folder, "compiler.so", TN_COMPILER_QUERY,
                      (uintptr_t)tn_compiler_query);
  make_fatbin(app_source, "app.so", &app_fatbin);
  make_fatbin(library_source, "library.so", &library_fatbin);
  made_write(&library, folder, "library.so", library_exports, NULL);
  made_write(&plugin, folder, "plugin.so", NULL, NULL);
  bool is_good = true;
  for (size_t i = 0; i < TN_COUNT(scenarios); i++) {
    if (argc < 3 || strstr(scenarios[i].name, argv[2])) {
      is_good = try_all(&scenarios[i]) && is_good;
    }
  }
  tn_buf_deinit(&app_fatbin);
  tn_buf_deinit(&library_fatbin);
  tn_temp_dir_remove(folder);
  return is_good ? 0 : 1;
}
