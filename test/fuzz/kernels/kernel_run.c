// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Children that compile and run a source's kernels, and what they came to.
//
// Invariant: the parent never starts Tenon's runtime, has no threads, and loads the compiler's
// library before its first child, so that all children inherit it.
#include "fuzz/kernels/kernel_run.h"

#include "base/file.h"
#include "base/process.h"
#include "fuzz/kernels/kernel_memory.h"
#include "tenon/compiler.h"
#include "tenon/tenon.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FATBIN_MAXIMUM = 64 << 20, EXPECTED_MAXIMUM = 64 << 20 };
enum { QUICK_LEVEL = 1 };  // TENON_JIT_OPT at which the quick tier runs

// What children leave for the parent.
typedef struct board {
  uint32_t current;  // the kernel that is being run
  uint32_t placement;
  uint64_t configurations;
  outcome outcomes[BATCH_MAXIMUM];
  uint64_t digests[BATCH_MAXIMUM][KERNEL_BUFFERS];
  size_t fatbin_size;
  char log[4096];
  uint8_t fatbin[FATBIN_MAXIMUM];
  uint8_t expected[EXPECTED_MAXIMUM];
} board;

typedef struct runner {
  const run_options *options;
  batch *it;
  board *board;
  uint32_t level;
  size_t expected_at[BATCH_MAXIMUM];
} runner;

const char *outcome_name(outcome_kind kind) {
  static const char *const names[] = {"right",         "wrong result", "write outside of a buffer",
                                      "crash",         "hang",         "refused",
                                      "invalid kernel"};
  return names[kind];
}

static board *the_board(void) {
  static board *it;
  if (!it) {
    it = mmap(NULL, sizeof(*it), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
              -1, 0);
    it = it == MAP_FAILED ? NULL : it;
  }
  return it;
}

static const tn_compiler *the_compiler(const run_options *options) {
  static const tn_compiler *it;
  if (!it) {
    void *library = dlopen(options->compiler_library, RTLD_NOW | RTLD_LOCAL);
    void *symbol = library ? dlsym(library, TN_COMPILER_QUERY) : NULL;
    if (!symbol) {
      (void)fprintf(stderr, "tenon-kernel-fuzz: %s\n", dlerror());
      return NULL;
    }
    tn_compiler_query_fn query;
    memcpy(&query, &symbol, sizeof(query));
    it = query(TN_COMPILER_VERSION);
  }
  return it;
}

static void note(board *to, uint32_t kernel, outcome_kind kind, uint32_t level, const char *text) {
  outcome *o = &to->outcomes[kernel];
  if (o->kind == OUTCOME_RIGHT) {
    o->kind = (uint32_t)kind;
    o->level = level;
    o->placement = to->placement;
    (void)snprintf(o->text, sizeof(o->text), "%.*s", (int)sizeof(o->text) - 1, text);
    // One line, since it becomes a comment of the find.
    for (char *at = o->text; (at = strpbrk(at, "\r\n")); at++) {
      *at = ' ';
    }
  }
}

static void silence(const run_options *options) {
  const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (!options->verbose && null >= 0) {
    (void)dup2(null, STDOUT_FILENO);
    (void)dup2(null, STDERR_FILENO);
  }
}

// Returns the wait status; -1 when there is no child.
static int in_child(runner *r, void (*run)(runner *r)) {
  const pid_t child = fork();
  if (child == 0) {
    silence(r->options);
    run(r);
    _exit(0);
  }
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

static void compile_device(runner *r) {
  const char *const options[] = {r->options->front, "-ffp-contract=off", "-w",
                                 "-fsycl-device-code-split=per_kernel"};
  const tn_compiler *compiler = the_compiler(r->options);
  const tn_source_params params = {
      .struct_size = sizeof(params),
      .language = TN_LANGUAGE_SYCL,
      .source = {"kernels.cpp", r->it->text, r->it->size},
      .options = options,
      .option_count = TN_COUNT(options),
      .target = r->options->target,
  };
  tn_source_result result = {.struct_size = sizeof(result)};
  tn_diag diag = {0};
  (void)alarm(20 * r->options->seconds);
  const tn_status status = compiler->compile_source(&params, &result, &diag);
  board *b = r->board;
  if (status == TN_OK && result.fatbin_size <= FATBIN_MAXIMUM) {
    memcpy(b->fatbin, result.fatbin, result.fatbin_size);
    b->fatbin_size = result.fatbin_size;
  } else {
    (void)snprintf(b->log, sizeof(b->log), "%s\n%s", diag.text, result.log ? result.log : "");
  }
}

static bool start_reference(runner *r, const char *library, tn_process *out) {
  char source[4096];
  tn_diag diag = {0};
  (void)snprintf(source, sizeof(source), "%s/kernels.cpp", r->options->work);
  FILE *file = fopen(source, "w");
  const bool is_written = file && fwrite(r->it->text, 1, r->it->size, file) == r->it->size;
  if (!file || fclose(file) != 0 || !is_written) {
    (void)fprintf(stderr, "tenon-kernel-fuzz: cannot write '%s'\n", source);
    return false;
  }
  const char *const argv[] = {r->options->cxx,
                              "-std=c++17",
                              "-O0",
                              "-w",
                              "-ffp-contract=off",
                              "-fsanitize=undefined",
                              "-fsanitize-undefined-trap-on-error",
                              "-DFUZZ_REFERENCE",
                              "-I",
                              r->options->reference,
                              "-shared",
                              "-fPIC",
                              "-o",
                              library,
                              source,
                              NULL};
  if (tn_process_start(argv, TN_PROCESS_CAPTURE_ERROR, out, &diag) != TN_OK) {
    (void)fprintf(stderr, "tenon-kernel-fuzz: %s\n", diag.text);
    return false;
  }
  return true;
}

typedef void (*launch_fn)(const void *args);

static void run_reference_kernel(runner *r, void *library, uint32_t kernel) {
  const kernel_launch *launch = &r->it->launches[kernel];
  char name[64];
  (void)snprintf(name, sizeof(name), "launch_%u", kernel);
  void *symbol = dlsym(library, name);
  launch_fn function;
  memcpy(&function, &symbol, sizeof(function));
  for (uint32_t placement = 0; placement < 2; placement++) {
    r->board->placement = placement;
    kernel_memory memory;
    if (!symbol || !memory_open(&memory, launch, placement)) {
      _exit(1);
    }
    uint8_t block[512];
    (void)kernel_block_fill(launch, memory.buffers, block);
    (void)alarm(r->options->seconds);
    function(block);
    uint8_t *to = r->board->expected + r->expected_at[kernel];
    for (uint32_t i = 0; i < launch->buffer_count; i++) {
      const size_t size = kernel_buffer_size(&launch->buffers[i]);
      memcpy(to, memory.buffers[i], size);
      r->board->digests[kernel][i] = memory_digest(to, size);
      to += size;
    }
    memory_close(&memory, launch);
  }
}

static void run_reference(runner *r) {
  char path[4096];
  (void)snprintf(path, sizeof(path), "%s/kernels.so", r->options->work);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    (void)fprintf(stderr, "%s\n", dlerror());
    _exit(1);
  }
  for (uint32_t i = r->board->current; i < r->it->count; i++) {
    r->board->current = i;
    if (r->board->outcomes[i].kind == OUTCOME_RIGHT) {
      run_reference_kernel(r, library, i);
    }
  }
}

typedef struct device_run {
  tn_device *device;
  tn_context *context;
  tn_queue *queue;
  tn_image_file *file;
  bool is_host;
} device_run;

static tn_status open_device(const runner *r, device_run *out, tn_diag *diag) {
  const board *b = r->board;
  size_t count = 0;
  tn_status status = tn_device_count(&count, diag);
  if (status != TN_OK || count == 0) {
    return status != TN_OK ? status : tn_device_fail_choice(diag);
  }
  out->device = tn_device_at(0);
  uint32_t type = 0;
  status = tn_device_get_info(out->device, TN_DEVICE_INFO_TYPE, &type, sizeof(type), NULL, diag);
  // Drivers of processors need not take the host's own memory.
  out->is_host = type == TN_DEVICE_TYPE_CPU && strcmp(r->options->target, "native_cpu") == 0;
  if (status == TN_OK) {
    status = tn_context_create(&out->device, 1, &out->context, diag);
  }
  if (status == TN_OK) {
    status = tn_queue_create(out->context, out->device, TN_QUEUE_IN_ORDER, &out->queue, diag);
  }
  if (status == TN_OK) {
    status = tn_image_open_memory(b->fatbin, b->fatbin_size, &out->file, diag);
  }
  return status;
}

static tn_status submit(const device_run *d, tn_kernel *kernel, const kernel_launch *launch,
                        void *const *buffers, tn_diag *diag) {
  uint8_t block[512];
  tn_local locals[KERNEL_LOCALS] = {0};
  const size_t first = kernel_block_fill(launch, buffers, block);
  for (uint32_t i = 0; i < launch->local_count; i++) {
    const kernel_local *l = &launch->locals[i];
    locals[i] = (tn_local){.id = i + 1,
                           .size = (uint64_t)l->count * type_of(l->type)->size,
                           .alignment = 16,
                           .arg_offset = (uint32_t)(first + (size_t)KERNEL_LOCAL_SIZE * i)};
  }
  tn_command command = {
      .struct_size = sizeof(command),
      .kind = TN_COMMAND_KERNEL,
      .kernel = kernel,
      .args = block,
      .arg_size = (uint32_t)kernel_block_size(launch),
      .arg_align = 8,
      .dims = launch->dims,
      .has_local = launch->is_nd,
      .locals = locals,
      .local_count = launch->local_count,
  };
  for (int i = 0; i < 3; i++) {
    command.global[i] = launch->global[i];
    command.local[i] = launch->is_nd ? launch->local[i] : 1;
  }
  tn_status status = tn_queue_submit(d->queue, &command, NULL, diag);
  if (status == TN_OK) {
    status = tn_queue_wait(d->queue, diag);
  }
  return status == TN_OK && tn_queue_take_error(d->queue, diag) ? (tn_status)diag->code : status;
}

static void compare(runner *r, uint32_t kernel, kernel_memory *memory) {
  const kernel_launch *launch = &r->it->launches[kernel];
  const uint8_t *expected = r->board->expected + r->expected_at[kernel];
  for (uint32_t i = 0; i < launch->buffer_count; i++) {
    const size_t size = kernel_buffer_size(&launch->buffers[i]);
    const uint8_t *is = memory->buffers[i];
    const size_t step = type_of(launch->buffers[i].type)->size;
    for (size_t at = 0; at < size; at += step) {
      if (memcmp(is + at, expected + at, step) != 0) {
        uint64_t got = 0;
        uint64_t wanted = 0;
        char text[OUTCOME_TEXT];
        memcpy(&got, is + at, step);
        memcpy(&wanted, expected + at, step);
        (void)snprintf(text, sizeof(text), "b%u, element %zu: is 0x%llx, expected 0x%llx", i,
                       at / step, (unsigned long long)got, (unsigned long long)wanted);
        note(r->board, kernel, OUTCOME_WRONG, r->level, text);
        r->board->outcomes[kernel].buffer = i;
        r->board->outcomes[kernel].element = at / step;
        return;
      }
    }
    expected += size;
    if (!memory_is_whole(memory, launch, i)) {
      note(r->board, kernel, OUTCOME_OUTSIDE, r->level, "bytes beside a buffer changed");
    }
  }
}

// Memory of the device's own, where the host's is not the kernels'.
static tn_status run_with_copies(const device_run *d, tn_kernel *kernel,
                                 const kernel_launch *launch, kernel_memory *memory,
                                 tn_diag *diag) {
  void *copies[KERNEL_BUFFERS] = {0};
  tn_status status = TN_OK;
  for (uint32_t i = 0; i < launch->buffer_count && status == TN_OK; i++) {
    const size_t size = kernel_buffer_size(&launch->buffers[i]);
    status = tn_usm_alloc(d->context, d->device, TN_USM_SHARED, size, 0, &copies[i], diag);
    if (status == TN_OK) {
      memcpy(copies[i], memory->buffers[i], size);
    }
  }
  if (status == TN_OK) {
    status = submit(d, kernel, launch, copies, diag);
  }
  for (uint32_t i = 0; i < launch->buffer_count; i++) {
    if (status == TN_OK) {
      memcpy(memory->buffers[i], copies[i], kernel_buffer_size(&launch->buffers[i]));
    }
    TN_IGNORE(tn_usm_free(d->context, copies[i], NULL), "the process ends soon");
  }
  return status;
}

static void run_kernel(runner *r, const device_run *d, uint32_t number) {
  const kernel_launch *launch = &r->it->launches[number];
  char name[64];
  tn_diag diag = {0};
  tn_kernel *kernel = NULL;
  (void)snprintf(name, sizeof(name), "k%u::name", number);
  r->board->placement = 0;
  (void)alarm(r->options->seconds);
  tn_status status = tn_kernel_create(d->file, name, d->device, &kernel, &diag);
  if (status != TN_OK) {
    note(r->board, number, OUTCOME_REFUSED, r->level, diag.text);
    return;
  }
  const uint32_t placements = d->is_host ? 2 : 1;
  for (uint32_t placement = 0; placement < placements; placement++) {
    kernel_memory memory;
    r->board->placement = placement;
    if (!memory_open(&memory, launch, placement)) {
      _exit(1);
    }
    status = d->is_host ? submit(d, kernel, launch, memory.buffers, &diag)
                        : run_with_copies(d, kernel, launch, &memory, &diag);
    if (status != TN_OK) {
      note(r->board, number, OUTCOME_REFUSED, r->level, diag.text);
    } else {
      compare(r, number, &memory);
    }
    r->board->configurations++;
    memory_close(&memory, launch);
  }
  tn_kernel_release(kernel);
}

static void run_device(runner *r) {
  char level[16];
  (void)snprintf(level, sizeof(level), "%u", r->level);
  (void)setenv("TENON_JIT_OPT", level, 1);
  (void)setenv("TENON_CACHE", "0", 1);
  (void)setenv("TENON_CPU_THREADS", "1", 0);
  // A kernel that is launched twice runs in one tier only.
  (void)setenv("TENON_TIERED", r->level == QUICK_LEVEL ? "1" : "0", 0);
  device_run d = {0};
  tn_diag diag = {0};
  const tn_status status = open_device(r, &d, &diag);
  for (uint32_t i = r->board->current; i < r->it->count; i++) {
    r->board->current = i;
    if (status != TN_OK) {
      note(r->board, i, OUTCOME_REFUSED, r->level, diag.text);
    } else if (r->board->outcomes[i].kind == OUTCOME_RIGHT) {
      run_kernel(r, &d, i);
    }
  }
}

// Until all kernels had their turn: a child that dies is followed by one for the rest.
static bool run_all(runner *r, void (*run)(runner *r), bool is_reference) {
  board *b = r->board;
  for (b->current = 0; b->current < r->it->count; b->current++) {
    const int status = in_child(r, run);
    if (status == -1) {
      (void)fprintf(stderr, "tenon-kernel-fuzz: cannot start a child process\n");
      return false;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      return true;
    }
    char text[OUTCOME_TEXT];
    const int signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    (void)snprintf(text, sizeof(text), "%s",
                   signal_number != 0 ? strsignal(signal_number) : "the process ended");
    note(b, b->current,
         is_reference               ? OUTCOME_INVALID
         : signal_number == SIGALRM ? OUTCOME_HANG
                                    : OUTCOME_CRASH,
         r->level, text);
  }
  return true;
}

static bool compile_both(runner *r) {
  char library[4096];
  (void)snprintf(library, sizeof(library), "%s/kernels.so", r->options->work);
  tn_process reference = {0};
  tn_buf error;
  int code = 0;
  tn_buf_init(&error, 1 << 20);
  if (!start_reference(r, library, &reference)) {
    return false;
  }
  board *b = r->board;
  b->fatbin_size = 0;
  b->log[0] = '\0';
  const int status = in_child(r, compile_device);
  const bool is_dead = status == -1 || !WIFEXITED(status);
  tn_diag diag = {0};
  const bool is_built =
      tn_process_wait(&reference, NULL, &error, &code, &diag) == TN_OK && code == 0;
  for (uint32_t i = 0; i < r->it->count; i++) {
    if (!is_built) {
      note(b, i, OUTCOME_INVALID, 0, tn_buf_text(&error));
    } else if (b->fatbin_size == 0) {
      note(b, i, is_dead ? OUTCOME_CRASH : OUTCOME_REFUSED, 0,
           is_dead ? "the compiler's process died" : b->log);
    }
  }
  tn_buf_deinit(&error);
  return true;
}

bool batch_run(const run_options *options, batch *it) {
  runner r = {.options = options, .it = it, .board = the_board()};
  if (!r.board || !the_compiler(options)) {
    return false;
  }
  size_t at = 0;
  for (uint32_t i = 0; i < it->count; i++) {
    r.expected_at[i] = at;
    for (uint32_t n = 0; n < it->launches[i].buffer_count; n++) {
      at += kernel_buffer_size(&it->launches[i].buffers[n]);
    }
  }
  memset(r.board->outcomes, 0, sizeof(r.board->outcomes));
  r.board->configurations = 0;
  if (at > EXPECTED_MAXIMUM || !compile_both(&r) || !run_all(&r, run_reference, true)) {
    return false;
  }
  for (r.level = 0; r.level <= 3; r.level++) {
    if ((options->levels >> r.level & 1) != 0 && !run_all(&r, run_device, false)) {
      return false;
    }
  }
  memcpy(it->outcomes, r.board->outcomes, sizeof(it->outcomes));
  memcpy(it->digests, r.board->digests, sizeof(it->digests));
  it->configurations = r.board->configurations;
  return true;
}
