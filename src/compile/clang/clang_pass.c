// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass as the program makes it, on a thread of its own with a deep stack.
#include "base/thread.h"
#include "compile/clang/clang.h"
#include "compile/clang/clang_face.h"
#include "compile/clang/clang_program.h"
#include "compile/clang/clang_words.h"
#include "compile/module/module.h"

#if defined(__has_feature)
#define TN_HAS_ADDRESS_SANITIZER __has_feature(address_sanitizer)
#else
#define TN_HAS_ADDRESS_SANITIZER 0
#endif

typedef struct pass_work {
  tn_face_pass face;
  const tn_clang_pass_run *run;
  int (*call)(const tn_face_pass *pass);
  size_t out_before, log_before;  // sizes
  int exit;
  tn_status guarded;
  tn_diag guard_diag;
} pass_work;

static void take_output(void *user, const char *data, size_t size) {
  tn_buf_add(((pass_work *)user)->run->out, data, size);
}

static void take_log(void *user, const char *data, size_t size) {
  tn_buf_add(((pass_work *)user)->run->log, data, size);
}

static void take_note(void *user, const char *data, size_t size) {
  FILE *notes = ((pass_work *)user)->run->notes;
  (void)fwrite(data, 1, size, notes);
  (void)fflush(notes);
}

static void take_trace(void *user, const char *path, const char *json, size_t size) {
  tn_clang_trace *trace = ((pass_work *)user)->run->trace;
  if (trace) {
    tn_buf_clear(&trace->path);
    tn_buf_clear(&trace->json);
    tn_buf_add_text(&trace->path, path);
    tn_buf_add(&trace->json, json, size);
  }
}

static void forget(void *user) {
  pass_work *work = user;
  work->run->out->size = work->out_before;
  work->run->log->size = work->log_before;
}

static void call_face(void *arg) {
  pass_work *work = arg;
  work->exit = work->call(&work->face);
}

// Of what Clang makes for debug information it leaves a part behind when a source has errors.
#if defined(__SANITIZE_ADDRESS__) || TN_HAS_ADDRESS_SANITIZER
void __lsan_disable(void);
static void forgive_leaks(void) { __lsan_disable(); }
#else
static void forgive_leaks(void) {}
#endif

static void *run_face(void *arg) {
  pass_work *work = arg;
  forgive_leaks();
  work->guarded = tn_clang_guard(call_face, work, &work->guard_diag);
  return NULL;
}

static void find_preamble(void *user, const tn_clang_preamble_query *query,
                          tn_clang_preamble *out) {
  const pass_work *work = user;
  work->run->preamble(work->run->user, query, out);
}

static int find_header(void *user, const char *path, tn_face_text *out) {
  const pass_work *work = user;
  tn_bytes bytes = {NULL, 0};
  const bool is_found = work->run->header(work->run->header_user, path, &bytes);
  *out = (tn_face_text){(const char *)bytes.data, bytes.size};
  return is_found;
}

static void tell_of_crash(void *user) {
  const pass_work *work = user;
  work->run->crashed(work->run->user);
}

// Whether the next word is not for Clang's driver.
static bool is_of_front_end(const char *word) {
  return strcmp(word, "-mllvm") == 0 || strcmp(word, "-Xclang") == 0;
}

static tn_status run_words(const tn_clang_pass_run *run, int (*call)(const tn_face_pass *pass),
                           int *out_exit, tn_diag *diag) {
  *out_exit = -1;
  pass_work work = {.run = run, .call = call, .exit = TN_FACE_PASS_ELSEWHERE};
  work.out_before = run->out->size;
  work.log_before = run->log->size;
  work.face = (tn_face_pass){.args = run->args,
                             .user = &work,
                             .write = take_output,
                             .log = take_log,
                             .is_text = run->is_text,
                             .global_infix = TN_LOCAL_GLOBAL_INFIX,
                             .installation = run->installation,
                             .forget = forget,
                             .note = run->notes ? take_note : NULL,
                             .says_version = run->says_version,
                             .is_shown = call == tn_face_show,
                             .is_alone = run->is_alone,
                             .trace = take_trace,
                             .crashed = run->crashed ? tell_of_crash : NULL,
                             .header = run->header ? find_header : NULL,
                             .preamble = run->preamble ? find_preamble : NULL};
  for (; run->args[work.face.arg_count]; work.face.arg_count++) {
    const char *word = run->args[work.face.arg_count];
    if (is_of_front_end(word) && run->args[work.face.arg_count + 1]) {
      work.face.arg_count++;
    } else if (strcmp(word, "-v") != 0 && tn_clang_is_question(word)) {
      return TN_FAIL(diag, UNSUPPORTED, "option %s asks clang a question",
                     run->args[work.face.arg_count]);
    }
  }
  tn_thread thread;
  TN_TRY(tn_thread_create_deep(&thread, "tn-clang", TN_FACE_STACK_SIZE, run_face, &work, diag));
  tn_thread_join(thread);
  if (work.guarded != TN_OK || work.exit == TN_FACE_PASS_ELSEWHERE) {
    return TN_FAIL(diag, UNSUPPORTED, "%s",
                   work.guarded != TN_OK ? work.guard_diag.text : "not a run of the front end");
  }
  *out_exit = work.exit;
  return tn_buf_status(run->log, diag);
}

tn_status tn_clang_pass(const tn_clang_pass_run *run, int *out_exit, tn_diag *diag) {
  return run_words(run, tn_face_run_pass, out_exit, diag);
}

tn_status tn_clang_show(const tn_clang_pass_run *run, int *out_exit, tn_diag *diag) {
  return run_words(run, tn_face_show, out_exit, diag);
}

static void take_text(void *user, const char *data, size_t size) { tn_buf_add(user, data, size); }

tn_status tn_clang_set_llvm_options(const char *const *options, size_t count, tn_diag *diag) {
  tn_buf said;
  tn_buf_init(&said, 1 << 16);
  const bool is_set = tn_face_set_llvm_options(options, count, &said, take_text) != 0;
  const tn_str text = tn_str_trim(tn_buf_str(&said));
  const tn_status status =
      is_set ? TN_OK : TN_FAIL(diag, INVALID_ARGUMENT, "%.*s", TN_STR_ARG(text));
  tn_buf_deinit(&said);
  return status;
}

enum { TRACE_PATH_MAXIMUM = 1 << 16, TRACE_MAXIMUM = 1 << 30 };

void tn_clang_trace_init(tn_clang_trace *trace) {
  tn_buf_init(&trace->path, TRACE_PATH_MAXIMUM);
  tn_buf_init(&trace->json, TRACE_MAXIMUM);
}

void tn_clang_trace_deinit(tn_clang_trace *trace) {
  tn_buf_deinit(&trace->path);
  tn_buf_deinit(&trace->json);
}

void tn_clang_trace_join(const tn_clang_trace *const *traces, const char *const *names,
                         size_t count, tn_buf *out) {
  enum { PASSES_MAXIMUM = 64 };
  tn_face_text texts[PASSES_MAXIMUM];
  tn_face_text titles[PASSES_MAXIMUM];
  size_t used = 0;
  for (size_t i = 0; i < count && used < PASSES_MAXIMUM; i++) {
    if (traces[i]->json.size > 0) {
      titles[used] = (tn_face_text){names[i], strlen(names[i])};
      texts[used++] = (tn_face_text){traces[i]->json.data, traces[i]->json.size};
    }
  }
  tn_face_join_traces(titles, texts, used, out, take_text);
}

tn_status tn_clang_find_linker(const tn_clang_pass_run *run, int *out_exit, tn_diag *diag) {
  return run_words(run, tn_face_find_linker, out_exit, diag);
}

// As a program Clang frees nothing at its end.
int tn_clang_program(size_t count, const char *const *args) {
  forgive_leaks();
  return tn_face_program(count, args);
}

int tn_clang_linker_program(size_t count, const char *const *args) {
  return tn_face_linker(count, args);
}
