// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources in memory become bitcode, preprocessed text and precompiled headers; messages are whole.
#include "base/thread.h"
#include "unit/clang/clang_run.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void source_with_virtual_headers(void **state) {
  (void)state;
  clang_run it;
  clang_run_init(&it, "#include \"a.h\"\n#include <lib/b.h>\n" CLANG_EXTERNAL
                      "int f(int x) { return a(x) + b(x); }\n");
  clang_run_add_file(&it, "/rtc/a.h", "inline int a(int x) { return x; }\n");
  clang_run_add_file(&it, "/carried/lib/b.h", "#include \"../lib/./c.h\"\n");
  clang_run_add_file(&it, "/carried/lib/c.h", "inline int b(int x) { return 2 * x; }\n");
  it.args[it.arg_count++] = "-isystem/carried";
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  assert_memory_equal(it.out.data, "BC\xC0\xDE", 4);
  assert_true(clang_run_has(&it.out, "_Z1fi"));
  assert_string_equal(tn_buf_text(&it.log), "");
  assert_int_equal(it.result.inputs.count, 4);
  static const char *const names[] = {"/rtc/rtc_0.cpp", "/rtc/a.h", "/carried/lib/b.h",
                                      "/carried/lib/../lib/./c.h"};
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    const tn_clang_input *input = it.result.inputs.items[i];
    assert_string_equal(input->name, names[i]);
    assert_true(input->is_in_memory);
  }
  clang_run_deinit(&it);
}

static void errors_have_line_and_name(void **state) {
  (void)state;
  clang_run it;
  clang_run_init(&it, "int unused;\n\nint f() { return undeclared; }\nint g() { return other; }\n");
  clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
  assert_string_equal(it.diag.text,
                      "/rtc/rtc_0.cpp:3:18: error: use of undeclared identifier 'undeclared'");
  assert_true(clang_run_has(&it.log, "\n    3 | int f() { return undeclared; }\n"));
  assert_true(clang_run_has(&it.log, "rtc_0.cpp:4:18: error:"));
  assert_true(clang_run_has(&it.log, "2 errors generated.\n"));
  assert_false(clang_run_has(&it.log, "\x1b"));
  assert_int_equal(it.out.size, 0);
  clang_run_deinit(&it);

  clang_run_init(&it, "#include \"none.h\"\n");
  clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
  assert_string_equal(it.diag.text, "/rtc/rtc_0.cpp:1:10: fatal error: 'none.h' file not found");
  clang_run_deinit(&it);
}

static void warnings_are_kept(void **state) {
  (void)state;
  clang_run it;
  clang_run_init(&it, "#warning look here\nint f() { int unused; return 0; }\n");
  it.args[it.arg_count++] = "-Wall";
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  assert_true(clang_run_has(&it.log, "rtc_0.cpp:1:2: warning: look here"));
  assert_true(clang_run_has(&it.log, "rtc_0.cpp:2:15: warning: unused variable 'unused'"));
  assert_true(it.out.size > 0);
  clang_run_deinit(&it);
}

static void command_lines_are_checked(void **state) {
  (void)state;
  static const struct {
    const char *word;
    tn_status status;
    const char *text;
  } cases[] = {
      {"-fno-such-thing", TN_BUILD_FAILED, "error: unknown argument: '-fno-such-thing'"},
      {"-std=c++1", TN_BUILD_FAILED, "error: invalid value 'c++1' in '-std=c++1'"},
      {"--version", TN_INVALID_ARGUMENT, "option --version asks clang a question: leave it out"},
      {"-mllvm=-debug-pass=Structure", TN_BUILD_FAILED,
       "error: options of LLVM (-mllvm) and plugins would change the whole process: leave them "
       "out"},
      {"/rtc/other.cpp", TN_BUILD_FAILED, "error: no such file or directory: '/rtc/other.cpp'"},
      {"-save-temps", TN_BUILD_FAILED,
       "error: the options ask for more than one source to be compiled to bitcode"},
  };
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    clang_run it;
    clang_run_init(&it, "");
    it.args[it.arg_count++] = cases[i].word;
    clang_run_expect(&it, tn_clang_compile, cases[i].status);
    assert_string_equal(it.diag.text, cases[i].text);
    clang_run_deinit(&it);
  }
  // Said each time, not only when the words are read first.
  for (int i = 0; i < 2; i++) {
    clang_run it;
    clang_run_init(&it, "");
    it.args[it.arg_count++] = "-Wno-such-warning";
    it.args[it.arg_count++] = "-Lplace";
    clang_run_expect(&it, tn_clang_compile, TN_OK);
    assert_true(clang_run_has(&it.log, "unknown warning option '-Wno-such-warning'"));
    assert_true(clang_run_has(&it.log, "argument unused during compilation: '-Lplace'"));
    clang_run_deinit(&it);
  }
}

static void memory_shadows_the_disk(void **state) {
  (void)state;
  char folder[] = "/tmp/tenon-clang-XXXXXX";
  assert_non_null(mkdtemp(folder));
  char real[64];
  (void)snprintf(real, sizeof(real), "%s/real.h", folder);
  FILE *file = fopen(real, "w");
  assert_non_null(file);
  (void)fputs("#define VALUE real\n", file);
  (void)fclose(file);
  for (int in_memory = 0; in_memory < 2; in_memory++) {
    clang_run it;
    clang_run_init(&it, "#include \"real.h\"\nint VALUE;\n");
    it.files[0].name = "sub/source.cpp";  // relative to the run's folder
    it.args[it.arg_count++] = "-I.";
    it.run.folder = folder;
    if (in_memory) {
      clang_run_add_file(&it, "./real.h", "#define VALUE virtual_one\n");
    }
    clang_run_expect(&it, tn_clang_preprocess, TN_OK);
    assert_true(clang_run_has(&it.out, in_memory ? "int virtual_one;" : "int real;"));
    assert_int_equal(it.result.inputs.count, 2);
    const tn_clang_input *input = it.result.inputs.items[1];
    assert_string_equal(input->name, "./real.h");
    assert_int_equal(input->is_in_memory, in_memory);
    assert_int_equal(input->is_read, !in_memory);
    assert_int_equal(input->size, in_memory ? 0 : strlen("#define VALUE real\n"));
    bool has_missed = false;  // before the folder of -I, the source's own was looked into
    for (size_t i = 0; i < it.result.misses.count; i++) {
      has_missed = has_missed || strstr(it.result.misses.items[i], "sub/real.h");
    }
    assert_true(has_missed);
    clang_run_deinit(&it);
  }
  (void)unlink(real);
  (void)rmdir(folder);
}

static void preprocessed_text(void **state) {
  (void)state;
  clang_run it;
  clang_run_init(&it, "#define N 3 // three\n/* gone */ int a[N]; // gone too\n#include \"b.h\"\n");
  clang_run_add_file(&it, "/rtc/b.h", "int b;\n");
  clang_run_expect(&it, tn_clang_preprocess, TN_OK);
  assert_true(clang_run_has(&it.out, "int a[3];"));
  assert_true(clang_run_has(&it.out, "int b;"));
  assert_false(clang_run_has(&it.out, "gone"));
  assert_false(clang_run_has(&it.out, "#"));
  clang_run_deinit(&it);
}

static void builtin_and_standard_headers(void **state) {
  (void)state;
  clang_run it;
  clang_run_init(
      &it,
      "#include <stddef.h>\n#include <cstdint>\nsize_t f() { return sizeof(std::uint8_t); }\n");
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  clang_run_deinit(&it);
  // The program is not there: Clang's headers are found beside its library.
  clang_run_init(&it, "#include <stddef.h>\nsize_t f() { return 1; }\n");
  it.args[0] = "/nowhere/bin/clang++";
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  clang_run_deinit(&it);
}

// ---- Precompiled headers

static void precompiled_headers(void **state) {
  (void)state;
  static const char header[] =
      "#pragma once\n#define TWICE(x) (2 * (x))\n"
      "template <class T> T add(T a, T b) { return a + b; }\n";
  clang_run made;
  clang_run_init(&made, header);
  made.files[0].name = "/carried/big.hpp";
  made.args[made.arg_count++] = "-xc++";
  clang_run_expect(&made, tn_clang_precompile, TN_OK);
  assert_true(made.out.size > 1000);
  assert_string_equal(tn_buf_text(&made.log), "");

  clang_run it;
  clang_run_init(&it, "#include <big.hpp>\nint f(int x) { return add(TWICE(x), 1); }\n");
  it.args[it.arg_count++] = "-isystem/carried";
  it.args[it.arg_count++] = "-Xclang";
  it.args[it.arg_count++] = "-fsycl-is-device";
  clang_run_add_file(&it, "/carried/big.hpp", header);
  it.run.precompiled = tn_buf_bytes(&made.out);
  clang_run_expect(&it, tn_clang_compile, TN_OK);
  for (size_t i = 0; i < it.result.inputs.count; i++) {
    const tn_clang_input *input = it.result.inputs.items[i];
    assert_null(strstr(input->name, "precompiled"));
  }
  clang_run_deinit(&it);

  // Errors that point into the header show its text.
  clang_run_init(&it, "struct S {};\nauto x = add(S(), S());\n");
  clang_run_add_file(&it, "/carried/big.hpp", header);
  it.run.precompiled = tn_buf_bytes(&made.out);
  clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
  assert_true(clang_run_has(&it.log, "/carried/big.hpp:3:47: error: invalid operands"));
  assert_true(clang_run_has(&it.log, "template <class T> T add(T a, T b) { return a + b; }"));
  clang_run_deinit(&it);

  // What is not one is refused.
  clang_run_init(&it, "int x;\n");
  it.run.precompiled = tn_bytes_from("CPCHrubbish....", 15);
  clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
  clang_run_deinit(&it);
  clang_run_deinit(&made);
}

// ---- The process

// The handlers of all signals, and the folder.
typedef struct process_state {
  struct sigaction handlers[32];
  char folder[4096];
} process_state;

static void read_process(process_state *out) {
  *out = (process_state){0};
  for (int i = 1; i < 32; i++) {
    assert_int_equal(sigaction(i, NULL, &out->handlers[i]), 0);
  }
  assert_non_null(getcwd(out->folder, sizeof(out->folder)));
}

static void process_stays_as_it_is(void **state) {
  (void)state;
  process_state before;
  process_state after;
  read_process(&before);
  static const char *const sources[] = {"#include \"h.h\"\nint x;\n", "int x = ;\n"};
  for (size_t i = 0; i < TN_COUNT(sources); i++) {
    clang_run it;
    clang_run_init(&it, sources[i]);
    it.files[0].name = "source.cpp";
    it.run.folder = "/usr";
    clang_run_add_file(&it, "h.h", "");
    clang_run_expect(&it, tn_clang_compile, i == 0 ? TN_OK : TN_BUILD_FAILED);
    clang_run_deinit(&it);
  }
  read_process(&after);
  assert_string_equal(before.folder, after.folder);
  for (int i = 1; i < 32; i++) {
    assert_ptr_equal(before.handlers[i].sa_handler, after.handlers[i].sa_handler);
  }
  assert_int_not_equal(access("source.bc", F_OK), 0);
  assert_int_not_equal(access("/usr/source.bc", F_OK), 0);

  clang_run it;
  clang_run_init(&it, "int x;\n");
  it.run.folder = "/nowhere/at/all";
  clang_run_expect(&it, tn_clang_compile, TN_BUILD_FAILED);
  assert_string_equal(it.diag.text, "error: the folder /nowhere/at/all cannot be entered");
  clang_run_deinit(&it);
}

typedef struct compiler_thread {
  tn_thread thread;
  int number;
  tn_status status;
  bool has_symbol;
} compiler_thread;

static void *compile_some(void *arg) {
  compiler_thread *me = arg;
  for (int i = 0; i < 4 && me->status == TN_OK; i++) {
    char source[200];
    char symbol[32];
    (void)snprintf(symbol, sizeof(symbol), "thread_%d_%d", me->number, i);
    (void)snprintf(source, sizeof(source),
                   "#include \"v.h\"\nextern \"C\" " CLANG_EXTERNAL "int %s() { return V; }\n",
                   symbol);
    char header[32];
    (void)snprintf(header, sizeof(header), "#define V %d\n", me->number);
    clang_run it;
    clang_run_init(&it, source);
    clang_run_add_file(&it, "/rtc/v.h", header);
    me->status = clang_run_do(&it, tn_clang_compile);
    me->has_symbol = clang_run_has(&it.out, symbol);
    clang_run_deinit(&it);
  }
  return NULL;
}

static void several_threads(void **state) {
  (void)state;
  compiler_thread threads[8] = {0};
  for (size_t i = 0; i < TN_COUNT(threads); i++) {
    threads[i].number = (int)i;
    assert_int_equal(tn_thread_create(&threads[i].thread, "test", compile_some, &threads[i], NULL),
                     TN_OK);
  }
  for (size_t i = 0; i < TN_COUNT(threads); i++) {
    tn_thread_join(threads[i].thread);
    assert_int_equal(threads[i].status, TN_OK);
    assert_true(threads[i].has_symbol);
  }
}

// Each allocation of ours and the start of the thread fail once.
static void failures_are_told(void **state) {
  (void)state;
  bool has_fired = true;
  for (int nth = 0; has_fired; nth++) {
    assert_true(nth < 1000);
    clang_run it;
    clang_run_init(&it, "#include \"h.h\"\n#warning said\nint f() { return 1; }\n");
    clang_run_add_file(&it, "/rtc/h.h", "");
    tn_fault_arm(nth);
    const tn_status status = clang_run_do(&it, tn_clang_compile);
    has_fired = tn_fault_fired();
    tn_fault_arm(-1);
    assert_true(status == TN_OUT_OF_MEMORY || (status == TN_OK && it.out.size > 0));
    assert_true(status == TN_OUT_OF_MEMORY || !has_fired);
    clang_run_deinit(&it);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(source_with_virtual_headers),
      cmocka_unit_test(errors_have_line_and_name),
      cmocka_unit_test(warnings_are_kept),
      cmocka_unit_test(command_lines_are_checked),
      cmocka_unit_test(memory_shadows_the_disk),
      cmocka_unit_test(preprocessed_text),
      cmocka_unit_test(builtin_and_standard_headers),
      cmocka_unit_test(precompiled_headers),
      cmocka_unit_test(process_stays_as_it_is),
      cmocka_unit_test(several_threads),
      cmocka_unit_test(failures_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
