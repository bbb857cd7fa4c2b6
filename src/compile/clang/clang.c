// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the component offers: runs Clang's face on a thread of its own with a deep stack, and
// carries what it says into buffers and lists.
#include "compile/clang/clang.h"

#include "base/map.h"
#include "base/thread.h"
#include "compile/clang/clang_face.h"
#include "compile/clang/clang_words.h"
#include "compile/module/module.h"

static const size_t text_maximum = TN_FACE_TEXT_MAXIMUM;

typedef struct clang_work {
  const tn_clang_run *run;
  tn_face_run face;
  tn_clang_result *result;
  tn_buf *out;
  tn_buf *log;
  tn_arena arena;
  tn_list kernels;  // of tn_clang_kernel
  tn_buf end;
  const char *first_error;  // the arena's
  bool has_failed;          // there was no memory
  bool is_log_cut;
  bool is_done;  // Clang has its result
  // Not OK: LLVM ended it half way.
  tn_status guarded;
  tn_diag guard_diag;
} clang_work;

void tn_clang_result_init(tn_clang_result *result) {
  *result = (tn_clang_result){0};
  tn_arena_init(&result->arena);
  tn_buf_init(&result->imports, text_maximum);
  tn_buf_init(&result->identifiers, text_maximum);
}

static void drop_module(tn_clang_result *result) {
  if (result->module) {
    tn_face_drop_module(result->module);
    result->module = NULL;
  }
}

void tn_clang_result_deinit(tn_clang_result *result) {
  drop_module(result);
  tn_buf_deinit(&result->identifiers);
  tn_buf_deinit(&result->imports);
  tn_arena_deinit(&result->arena);
  *result = (tn_clang_result){0};
}

static void take_output(void *user, const char *data, size_t size) {
  tn_buf_add(((clang_work *)user)->out, data, size);
}

static void take_module(void *user, void *module) {
  tn_clang_result *result = ((clang_work *)user)->result;
  drop_module(result);
  result->module = module;
}

// A log that does not fit is cut, and says so.
static void take_log(void *user, const char *data, size_t size) {
  static const char cut[] = "\n[the rest of the log is left out]\n";
  clang_work *work = user;
  tn_buf *log = work->log;
  const size_t room = log->maximum - log->size;
  if (work->is_log_cut || room > size + sizeof(cut)) {
    tn_buf_add(log, data, work->is_log_cut ? 0 : size);
    return;
  }
  work->is_log_cut = true;
  if (room > sizeof(cut)) {
    tn_buf_add(log, data, room - sizeof(cut));
    tn_buf_add_text(log, cut);
  }
}

static void take_error(void *user, const char *data, size_t size) {
  clang_work *work = user;
  if (!work->first_error) {
    work->first_error = tn_arena_str(&work->arena, (tn_str){data, size});
  }
}

static void take_input(void *user, const char *name, size_t size, int is_in_memory) {
  clang_work *work = user;
  tn_arena *arena = &work->result->arena;
  tn_clang_input *input = tn_arena_alloc(arena, sizeof(*input));
  if (!input) {
    work->has_failed = true;
    return;
  }
  input->name = tn_arena_str(arena, (tn_str){name, size});
  input->is_in_memory = is_in_memory != 0;
  if (!input->name || !tn_list_add(&work->result->inputs, arena, input)) {
    work->has_failed = true;
  }
}

// The input is among the last ones. One that is not the same when it is read again is no longer
// known to have been anything.
static void take_content(void *user, tn_face_text name, const char *data, size_t size) {
  const clang_work *work = user;
  const tn_list *inputs = &work->result->inputs;
  tn_clang_input *input = NULL;
  for (size_t i = inputs->count; !input && i > 0; i--) {
    tn_clang_input *other = inputs->items[i - 1];
    input = tn_str_equals(tn_str_from(other->name), (tn_str){name.data, name.size}) ? other : NULL;
  }
  if (!input) {
    return;
  }
  uint8_t found[TN_BLAKE3_SIZE];
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add(&hash, data, size);
  tn_blake3_finish(&hash, found);
  if (!input->is_read) {
    memcpy(input->hash, found, sizeof(found));
    input->size = size;
    input->is_read = true;
  } else if (memcmp(input->hash, found, sizeof(found)) != 0) {
    memset(input->hash, 0, sizeof(input->hash));
  }
}

static void take_miss(void *user, const char *name, size_t size) {
  clang_work *work = user;
  tn_arena *arena = &work->result->arena;
  const char *copy = tn_arena_str(arena, (tn_str){name, size});
  if (!copy || !tn_list_add(&work->result->misses, arena, copy)) {
    work->has_failed = true;
  }
}

static void take_dependency(void *user, const char *name, size_t size, int is_system) {
  clang_work *work = user;
  tn_arena *arena = &work->result->arena;
  tn_clang_dependency *dependency = tn_arena_alloc(arena, sizeof(*dependency));
  if (dependency) {
    *dependency = (tn_clang_dependency){tn_arena_str(arena, (tn_str){name, size}), is_system};
  }
  if (!dependency || !dependency->name ||
      !tn_list_add(&work->result->dependencies, arena, dependency)) {
    work->has_failed = true;
  }
}

static void take_import(void *user, uint64_t number) {
  tn_buf_add_u64(&((clang_work *)user)->result->imports, number);
}

uint32_t tn_clang_identifier(tn_str name) {
  return (uint32_t)tn_hash_bytes(name.data, name.size, 0);
}

static void take_identifier(void *user, const char *name, size_t size) {
  const uint32_t number = tn_clang_identifier((tn_str){name, size});
  tn_buf_add(&((clang_work *)user)->result->identifiers, &number, sizeof(number));
}

static void take_included(void *user, const char *name, size_t size) {
  clang_work *work = user;
  tn_arena *arena = &work->result->arena;
  const char *copy = tn_arena_str(arena, (tn_str){name, size});
  if (!copy || !tn_list_add(&work->result->included, arena, copy)) {
    work->has_failed = true;
  }
}

static const tn_clang_argument *copy_arguments(tn_arena *arena, const tn_face_argument *from,
                                               size_t count) {
  tn_clang_argument *arguments = tn_arena_alloc_array(arena, count, sizeof(*arguments));
  for (size_t i = 0; arguments && i < count; i++) {
    arguments[i] = (tn_clang_argument){tn_arena_str(arena, tn_str_from(from[i].type)), from[i].size,
                                       from[i].alignment, (uint32_t)from[i].kind};
    if (!arguments[i].type) {
      return NULL;
    }
  }
  return arguments;
}

static void take_kernel(void *user, const tn_face_kernel *from) {
  clang_work *work = user;
  tn_arena *arena = &work->arena;
  tn_clang_kernel *kernel = tn_arena_alloc(arena, sizeof(*kernel));
  if (!kernel) {
    work->has_failed = true;
    return;
  }
  *kernel = (tn_clang_kernel){
      .name = tn_arena_str(arena, tn_str_from(from->name)),
      .type = tn_arena_str(arena, tn_str_from(from->type)),
      .mangled = tn_arena_str(arena, tn_str_from(from->mangled)),
      .is_plain = from->is_plain != 0,
  };
  if (kernel->is_plain) {
    kernel->arguments = copy_arguments(arena, from->arguments, from->argument_count);
    kernel->argument_count = from->argument_count;
  }
  if (!kernel->name || !kernel->type || !kernel->mangled ||
      (kernel->is_plain && !kernel->arguments) || !tn_list_add(&work->kernels, arena, kernel)) {
    work->has_failed = true;
  }
}

static void take_print(void *user, const unsigned char *hash) {
  tn_clang_result *result = ((clang_work *)user)->result;
  memcpy(result->print, hash, sizeof(result->print));
  result->has_print = true;
}

static tn_face_text make_end(void *user) {
  clang_work *work = user;
  const size_t count = work->kernels.count;
  tn_clang_kernel *kernels = tn_arena_alloc_array(&work->arena, count, sizeof(*kernels));
  if (!kernels) {
    work->has_failed = true;
    return (tn_face_text){0};
  }
  for (size_t i = 0; i < count; i++) {
    kernels[i] = *(const tn_clang_kernel *)work->kernels.items[i];
  }
  work->run->end(work->run->user, kernels, count, &work->end);
  return (tn_face_text){work->end.data, work->end.size};
}

typedef struct guarded_call {
  void (*fn)(void *arg);
  void *arg;
  void *guard;
} guarded_call;

static void call_inner(void *arg) {
  const guarded_call *call = arg;
  call->fn(call->arg);
}

static void leave_guard(void *arg) {
  const guarded_call *call = arg;
  tn_llvm_guard_leave(call->guard, TN_OUT_OF_MEMORY, "");
}

static void call_guarded(void *arg) {
  guarded_call *call = arg;
  call->guard = tn_llvm_guard_get();
  tn_face_call(call_inner, call, leave_guard);
}

static tn_status guard_here(void (*fn)(void *arg), void *arg, tn_diag *diag) {
  guarded_call call = {.fn = fn, .arg = arg};
  const void *notes = tn_face_stack_notes();
  const tn_status status = tn_llvm_guard(call_guarded, &call, "LLVM cannot compile this", diag);
  if (status != TN_OK) {
    tn_face_set_stack_notes(notes);
  }
  return status;
}

typedef struct deep_call {
  void (*fn)(void *arg);
  void *arg;
  tn_diag *diag;
  tn_status status;
} deep_call;

static void *guard_deep(void *arg) {
  deep_call *call = arg;
  call->status = guard_here(call->fn, call->arg, call->diag);
  return NULL;
}

tn_status tn_clang_guard(void (*fn)(void *arg), void *arg, tn_diag *diag) {
  enum { STACK_LEAST = 4 << 20 };
  if (tn_thread_stack_left() >= STACK_LEAST) {
    return guard_here(fn, arg, diag);
  }
  deep_call call = {.fn = fn, .arg = arg, .diag = diag};
  tn_thread thread;
  TN_TRY(tn_thread_create_deep(&thread, "tn-llvm", TN_FACE_STACK_SIZE, guard_deep, &call, diag));
  tn_thread_join(thread);
  return call.status;
}

static void call_face(void *arg) {
  clang_work *work = arg;
  work->is_done = tn_face_run_clang(&work->face) != 0;
}

static void *run_face(void *arg) {
  clang_work *work = arg;
  work->guarded = tn_clang_guard(call_face, work, &work->guard_diag);
  return NULL;
}

// Whether a condition of the preprocessor is longer than its recursion over it could bear.
static bool has_deep_condition(tn_str text) {
  enum { LINE_MAXIMUM = 64 << 10 };
  if (text.size <= LINE_MAXIMUM) {
    return false;
  }
  bool is_condition = false;
  bool goes_on = false;  // after a backslash
  size_t size = 0;
  while (text.size > 0) {
    const tn_str line = tn_str_trim(tn_str_split(&text, '\n'));
    if (!goes_on) {
      const tn_str word = tn_str_trim(tn_str_slice(line, 1, 32));
      is_condition =
          tn_str_has_prefix(line, TN_STR_LIT("#")) && (tn_str_has_prefix(word, TN_STR_LIT("if")) ||
                                                       tn_str_has_prefix(word, TN_STR_LIT("elif")));
      size = 0;
    }
    size += line.size;
    if (is_condition && size > LINE_MAXIMUM) {
      return true;
    }
    goes_on = tn_str_has_suffix(line, TN_STR_LIT("\\"));
  }
  return false;
}

static tn_status check_run(const tn_clang_run *run, size_t *out_arg_count, tn_diag *diag) {
  size_t count = 0;
  while (run->args[count]) {
    if (count > 0 && tn_clang_is_question(run->args[count])) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "option %s asks clang a question: leave it out",
                     run->args[count]);
    }
    count++;
  }
  if (count < 2) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "clang was given no source");
  }
  size_t total = 0;
  for (size_t i = 0; i < run->file_count; i++) {
    const size_t size = run->files[i].text.size;
    if (size > text_maximum || (total += size) > 4 * text_maximum) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "%s: %zu bytes are too many to compile (a file may have %zu MiB): split it",
                     run->files[i].name, size, text_maximum >> 20);
    }
    const tn_str text = {(const char *)run->files[i].text.data, size};
    if (has_deep_condition(text)) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "%s: a condition of the preprocessor (#if) is longer than 64 KiB: split it",
                     run->files[i].name);
    }
  }
  *out_arg_count = count;
  return TN_OK;
}

static tn_status make_files(clang_work *work, tn_diag *diag) {
  const tn_clang_run *run = work->run;
  tn_face_file *files = tn_arena_alloc_array(&work->arena, run->file_count, sizeof(*files));
  if (!files) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the list of %zu sources", run->file_count);
  }
  for (size_t i = 0; i < run->file_count; i++) {
    const tn_clang_file *file = &run->files[i];
    files[i] = (tn_face_file){file->name, {(const char *)file->text.data, file->text.size}};
  }
  work->face.files = files;
  work->face.file_count = run->file_count;
  return TN_OK;
}

static tn_status run_on_thread(clang_work *work, tn_diag *diag) {
  tn_thread thread;
  TN_TRY(tn_thread_create_deep(&thread, "tn-clang", TN_FACE_STACK_SIZE, run_face, work, diag));
  tn_thread_join(thread);
  if (work->guarded != TN_OK) {
    tn_buf_add_format(work->log, "error: %s\n", work->guard_diag.text);
    if (diag) {
      *diag = work->guard_diag;
    }
  }
  return work->guarded;
}

static tn_status run_clang(int action, const tn_clang_run *run, tn_buf *out, tn_buf *log,
                           tn_clang_result *result, tn_diag *diag) {
  size_t arg_count = 0;
  TN_TRY(check_run(run, &arg_count, diag));
  clang_work work = {.run = run, .result = result, .out = out, .log = log};
  tn_arena_init(&work.arena);
  tn_buf_init(&work.end, text_maximum);
  work.face = (tn_face_run){
      .action = action,
      .args = run->args,
      .arg_count = arg_count,
      .folder = run->folder,
      .installation = run->installation,
      .precompiled = {(const char *)run->precompiled.data, run->precompiled.size},
      .user = &work,
      .write = take_output,
      .module = run->wants_module && action == TN_FACE_COMPILE ? take_module : NULL,
      .log = take_log,
      .error = take_error,
      .input = take_input,
      .content = take_content,
      .miss = take_miss,
      .dependency = take_dependency,
      .import = take_import,
      .identifier = run->wants_names ? take_identifier : NULL,
      .included = run->wants_names ? take_included : NULL,
      .kernel = take_kernel,
      .print = run->is_printed ? take_print : NULL,
      .end = run->end && action == TN_FACE_COMPILE ? make_end : NULL,
  };
  tn_status status = make_files(&work, diag);
  if (status == TN_OK) {
    status = run_on_thread(&work, diag);
  }
  if (status == TN_OK && (work.has_failed || result->imports.failed != TN_OK ||
                          result->identifiers.failed != TN_OK ||
                          work.end.failed != TN_OK || log->failed != TN_OK)) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for what clang reads of a source");
  }
  if (status == TN_OK && !work.is_done) {
    status = TN_FAIL(diag, BUILD_FAILED, "%s",
                     work.first_error ? work.first_error
                                      : "clang gave no result and no reason; please report it");
  }
  if (status == TN_OK && out) {
    status = tn_buf_status(out, diag);
  }
  tn_buf_deinit(&work.end);
  tn_arena_deinit(&work.arena);
  return status;
}

tn_status tn_clang_compile(const tn_clang_run *run, tn_buf *out_bitcode, tn_buf *log,
                           tn_clang_result *result, tn_diag *diag) {
  return run_clang(TN_FACE_COMPILE, run, out_bitcode, log, result, diag);
}

tn_status tn_clang_preprocess(const tn_clang_run *run, tn_buf *out, tn_buf *log,
                              tn_clang_result *result, tn_diag *diag) {
  return run_clang(TN_FACE_PREPROCESS, run, out, log, result, diag);
}

tn_status tn_clang_print(const tn_clang_run *run, tn_buf *log, tn_clang_result *result,
                         tn_diag *diag) {
  tn_clang_run printed = *run;
  printed.is_printed = true;
  return run_clang(TN_FACE_PRINT, &printed, NULL, log, result, diag);
}

tn_status tn_clang_precompile(const tn_clang_run *run, tn_buf *out, tn_buf *log,
                              tn_clang_result *result, tn_diag *diag) {
  return run_clang(TN_FACE_PRECOMPILE, run, out, log, result, diag);
}
