// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command lines: what is an input, what belongs to an option, what is asked for, what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>

#include "base/file.h"
#include "compile/command/command.h"

typedef struct parsed {
  tn_arena arena;
  tn_args words;
  tn_command command;
  tn_status status;
  tn_diag diag;
} parsed;

// Splits at blanks, which is all these lines need.
static void parse(parsed *out, const char *line) {
  *out = (parsed){.status = TN_OK};
  tn_arena_init(&out->arena);
  tn_args_init(&out->words, &out->arena);
  tn_str rest = tn_str_from(line);
  while (rest.data) {
    const tn_str word = tn_str_split(&rest, ' ');
    tn_args_add(&out->words, tn_arena_str(&out->arena, word));
  }
  out->status = tn_command_parse(&out->words, &out->command, &out->diag);
}

static void forget(parsed *p) { tn_arena_deinit(&p->arena); }

static void expect_inputs(const char *line, tn_input_kind kind, size_t count) {
  parsed p;
  parse(&p, line);
  assert_int_equal(p.status, TN_OK);
  if (tn_command_input_count(&p.command, kind) != count) {
    fail_msg("%s: %zu inputs of kind %d, expected %zu", line,
             tn_command_input_count(&p.command, kind), (int)kind, count);
  }
  forget(&p);
}

static void arguments_are_no_inputs(void **state) {
  (void)state;
  expect_inputs("-fsycl -Xclang a.cpp -include b.cpp -MF c.cpp -o d.cpp e.cpp", TN_INPUT_SYCL, 1);
  expect_inputs("-sectcreate a.cpp b.cpp c.cpp d.cpp", TN_INPUT_SYCL, 1);
  expect_inputs("-mllvm a.cpp --param b.cpp -T c.cpp -z d.cpp e.cpp", TN_INPUT_SYCL, 1);
  expect_inputs("-Ia.cpp -Db.cpp -lc.cpp", TN_INPUT_SYCL, 0);
  expect_inputs("-- -c a.cpp", TN_INPUT_SYCL, 1);
  expect_inputs("-- -c a.cpp", TN_INPUT_LINK, 1);
}

static void inputs_by_kind(void **state) {
  (void)state;
  expect_inputs("a.cpp b.cc c.C d.cxx", TN_INPUT_SYCL, 4);
  expect_inputs("a.o libx.a liby.so.1 strange name", TN_INPUT_LINK, 5);
  expect_inputs("a.s b.S c.ll", TN_INPUT_HOST, 3);
  expect_inputs("-x c++ a b.o -x none c.o", TN_INPUT_SYCL, 2);
  expect_inputs("-xc a.cpp", TN_INPUT_HOST, 1);
  expect_inputs("-x c++ -", TN_INPUT_SYCL, 1);
  expect_inputs("a.hpp", TN_INPUT_HEADER, 1);
}

static void actions(void **state) {
  (void)state;
  static const struct { const char *line; tn_action action; } cases[] = {
      {"a.cpp", TN_ACTION_LINK},          {"-c a.cpp", TN_ACTION_OBJECT},
      {"-S a.cpp -c", TN_ACTION_ASSEMBLY}, {"-c -E a.cpp", TN_ACTION_PREPROCESS},
      {"-MM a.cpp", TN_ACTION_DEPENDENCIES}, {"-c -fsyntax-only a.cpp", TN_ACTION_SYNTAX},
      {"-c -MD a.cpp", TN_ACTION_OBJECT},
  };
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    parsed p;
    parse(&p, cases[i].line);
    assert_int_equal(p.command.action, cases[i].action);
    forget(&p);
  }
}

static void values(void **state) {
  (void)state;
  parsed p;
  parse(&p, "-fsycl -fno-sycl -fsycl -O3 -g0 -g -std=c++20 -oout -shared -Wl,-z,defs "
            "-fuse-ld=lld a.o");
  assert_int_equal(p.status, TN_OK);
  assert_true(p.command.sycl && p.command.debug && p.command.shared && p.command.no_undefined);
  assert_int_equal(p.command.opt_level, 3);
  assert_string_equal(p.command.standard, "c++20");
  assert_string_equal(p.command.output, "out");
  assert_string_equal(p.command.linker_name, "lld");
  assert_int_equal(p.command.target_count, 1);
  forget(&p);
  parse(&p, "-fsycl -fsycl-targets=native_cpu,native_cpu -O0 -Os -O -g0 -z defs -z undefs a.o");
  assert_int_equal(p.command.target_count, 1);
  assert_int_equal(p.command.opt_level, 1);
  assert_false(p.command.debug || p.command.no_undefined);
  forget(&p);
}

static void options_by_run(void **state) {
  (void)state;
  parsed p;
  parse(&p, "-fsycl -DA=1 -MD -MF x.d -Lfoo -lm -Wl,-s -fsanitize=address -O2 -Wall a.cpp "
            "-Xarch_device -DB -fsycl-targets=native_cpu");
  assert_int_equal(p.status, TN_OK);
  static const struct { uint32_t goes; const char *text; } cases[] = {
      {TN_GOES_D, "-DA=1 -O2 -Wall -DB "},
      {TN_GOES_H, "-DA=1 -MD -MF x.d -fsanitize=address -O2 -Wall "},
      {TN_GOES_L, "-Lfoo -lm -Wl,-s -fsanitize=address -O2 -Wall "},
  };
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    tn_args args;
    tn_buf text;
    tn_args_init(&args, &p.arena);
    tn_buf_init(&text, 4096);
    tn_command_options(&p.command, cases[i].goes, &args);
    for (size_t a = 0; a < args.list.count; a++) {
      tn_buf_add_format(&text, "%s ", tn_args_at(&args, a));
    }
    assert_string_equal(tn_buf_text(&text), cases[i].text);
    tn_buf_deinit(&text);
  }
  forget(&p);
}

static void expect_refusal(const char *line, const char *words) {
  parsed p;
  parse(&p, line);
  if (p.status == TN_OK) {
    p.status = tn_command_check(&p.command, &p.diag);
  }
  assert_true(p.command.sycl);
  if (p.status == TN_OK || !strstr(p.diag.text, words)) {
    fail_msg("%s: '%s' does not say '%s'", line, p.status == TN_OK ? "" : p.diag.text, words);
  }
  forget(&p);
}

static void refusals(void **state) {
  (void)state;
  expect_refusal("-fsycl -o", "argument to '-o' is missing");
  expect_refusal("-fsycl -sectcreate a b", "argument to '-sectcreate' is missing");
  expect_refusal("-fsycl-bogus a.cpp -fsycl", "-fsycl-bogus");
  expect_refusal("-fsycl --tenon-bogus", "--tenon-bogus");
  expect_refusal("-fsycl --tenon-jobs=0", "--tenon-jobs=0");
  expect_refusal("-fsycl -fsycl-targets=native_gpu", "no such target");
  expect_refusal("-fsycl", "no input files");
  expect_refusal("-fsycl -std=gnu++14 x.cpp", "C++17");
  expect_refusal("-fsycl /nonexistent/x.cpp", "no such file or directory: '/nonexistent/x.cpp'");
  expect_refusal("-fsycl -flto x.cpp", "-flto");
  expect_refusal("-fsycl -fsycl-device-only -fsycl-host-only x.cpp", "exclude each other");
  expect_refusal("-fsycl -c -o x /dev/null -x c++ /dev/null /dev/null", "cannot specify -o");
  expect_refusal("-fsycl --save-temps=here x.cpp", "cwd or obj");
}

static void contradictions(void **state) {
  (void)state;
  static const struct { const char *line; const char *words; } cases[] = {
      {"-fsycl-device-code-split=per_kernl x.cpp", "did you mean 'per_kernel'?"},
      {"-fsycl-device-code-split=each x.cpp", "(auto, per_source, per_kernel, off)"},
      {"-fsycl-link -c x.cpp", "-fsycl-link links device code and nothing else"},
      {"-fsycl-link -shared x.o", "does not go with -shared"},
      {"-fsycl-link -r x.o", "does not go with -r"},
      {"-fsycl-link-targets=native_cpu -E x.cpp", "does not go with -E"},
      {"-fsycl-link -fsycl-link-targets=native_cpu x.o", "write different files"},
      {"-fsycl-link -fno-sycl-rdc x.o", "need no device link"},
      {"-fsycl-targets=native_cpu -fsycl-link-targets=native_cpu x.o", "both list the targets"},
      {"-fsycl-targets=native_cpu --offload-arch=sm_90 x.o", "both list the targets"},
      {"-fsycl-link-targets=native_cpu -fsycl-add-targets=native_cpu:a.bc x.o", "two steps"},
      {"-r -fsycl-add-targets=native_cpu:a.bc x.o", "give it there"},
      {"-fsycl-add-targets=a.bc x.o", "name the target and the file"},
      {"-fsycl-add-targets=:a.bc x.o", "name the target and the file"},
      {"-fsycl-add-targets=native_cpu: x.o", "name the target and the file"},
      {"-fsycl-add-targets=native_gpu:a.bc x.o", "no such target"},
      {"-fsycl-add-targets=native_cpu:/nonexistent/a.bc x.o", "/nonexistent/a.bc"},
      {"-Xsycl-target-frontend=spriv64 -O3 x.cpp", "did you mean 'spirv64'"},
      {"-Xsycl-target-frontend 'x x.cpp", "quotation mark"},
      {"-Xsycl-target-frontend", "is missing"},
      {"-fsycl-device-obj=spirv x.cpp", "hold LLVM IR"},
      {"-fsycl-device-obj=asm x.cpp", "the format is llvmir"},
      {"-fsycl-host-compiler-options=-O x.cpp", "needs -fsycl-host-compiler="},
      {"--offload-compression-level=23 x.cpp", "from 1 to 22"},
      {"-fsycl-max-parallel-link-jobs=none x.cpp", "1 or more"},
      {"-fsycl-dump-device-code= x.cpp", "needs a folder"},
      {"-fsycl-targets=amdgcn-amd-amdhsa x.cpp", "name the processor"},
      {"-fsycl-device-only -fsycl-targets=native_cpu,spirv64 -o x x.cpp", "2 targets"},
  };
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    char line[256];
    (void)snprintf(line, sizeof(line), "-fsycl %s", cases[i].line);
    expect_refusal(line, cases[i].words);
  }
}

static void expect_split(const char *line, tn_split_mode split) {
  parsed p;
  parse(&p, line);
  assert_int_equal(p.status, TN_OK);
  if (p.command.split != split) {
    fail_msg("%s: mode %d, expected %d", line, (int)p.command.split, (int)split);
  }
  forget(&p);
}

static void splits(void **state) {
  (void)state;
  expect_split("-fsycl x.cpp", TN_SPLIT_AUTO);
  expect_split("-fsycl -fsycl-device-code-split=off x.cpp", TN_SPLIT_OFF);
  expect_split("-fsycl -fsycl-device-code-split=off -fsycl-device-code-split x.cpp",
               TN_SPLIT_AUTO);
  expect_split("-fsycl -fsycl-device-code-split=per_kernel x.cpp", TN_SPLIT_PER_KERNEL);
  expect_split("-fsycl -fno-sycl-rdc x.cpp", TN_SPLIT_PER_SOURCE);
  expect_split("-fsycl -fno-sycl-rdc -fsycl-device-code-split=off x.cpp", TN_SPLIT_PER_SOURCE);
  expect_split("-fsycl -fno-sycl-rdc -fsycl-device-code-split=auto x.cpp", TN_SPLIT_AUTO);
  expect_split("-fsycl -fsycl-device-code-split=off -fno-sycl-rdc -fsycl-rdc x.cpp", TN_SPLIT_OFF);
}

static void expect_words(const tn_command *command, size_t target, tn_target_stage stage,
                         const char *expected) {
  const tn_args *words = &command->words[target][stage];
  tn_buf text;
  tn_buf_init(&text, 4096);
  for (size_t i = 0; i < words->list.count; i++) {
    tn_buf_add_format(&text, "%s ", tn_args_at(words, i));
  }
  assert_string_equal(tn_buf_text(&text), expected);
  tn_buf_deinit(&text);
}

// Empty elements are ignored, as in clang's lists; a list of them alone names the default target.
static void empty_targets(void **state) {
  (void)state;
  static const struct {
    const char *line, *target;
    size_t count;
  } cases[] = {{"-fsycl -fsycl-targets=,spirv64, x.cpp", "spirv64", 2},
               {"-fsycl -fsycl-targets= x.cpp", "native_cpu", 1},
               {"-fsycl -fsycl-targets=, x.cpp", "native_cpu", 1}};
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    parsed p;
    parse(&p, cases[i].line);
    assert_int_equal(p.status, TN_OK);
    assert_int_equal(p.command.target_count, cases[i].count);
    assert_string_equal(p.command.targets[0].name, cases[i].target);
    assert_false(p.command.targets[0].is_aot);
    forget(&p);
  }
}

// Code for the CPU comes along with SPIR-V, once.
static void cpu_beside_spirv(void **state) {
  (void)state;
  static const struct {
    const char *line;
    size_t count;
    const char *last;
  } cases[] = {{"-fsycl -fsycl-targets=spir64 x.cpp", 2, "native_cpu"},
               {"-fsycl -fsycl-targets=spir64,nvptx64-nvidia-cuda x.cpp", 3, "native_cpu"},
               {"-fsycl -fsycl-targets=native_cpu,spir64 x.cpp", 2, "spirv64"},
               {"-fsycl -fsycl-targets=nvptx64-nvidia-cuda x.cpp", 1, "nvptx64-nvidia-cuda"},
               {"-fsycl -fsycl-device-only -fsycl-targets=spir64 -o x x.cpp", 1, "spirv64"},
               {"-fsycl -fsycl-link-targets=spir64 x.cpp", 1, "spirv64"}};
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    parsed p;
    parse(&p, cases[i].line);
    assert_int_equal(p.status, TN_OK);
    assert_int_equal(p.command.target_count, cases[i].count);
    assert_string_equal(p.command.targets[cases[i].count - 1].name, cases[i].last);
    forget(&p);
  }
}

// Words may come before the targets they speak of.
static void words_for_targets(void **state) {
  (void)state;
  parsed p;
  parse(&p, "-fsycl -Xsycl-target-frontend=spir64 -DS -Xsycl-target-frontend -DALL "
            "-Xsycl-target-backend=nvptx64-nvidia-cuda --cuda-gpu-arch=sm_90 -Xs -v "
            "-fsycl-targets=native_cpu,spirv64,nvptx64-nvidia-cuda x.cpp");
  assert_int_equal(p.status, TN_OK);
  assert_int_equal(p.command.target_count, 3);
  expect_words(&p.command, 0, TN_STAGE_FRONTEND, "-DALL ");
  expect_words(&p.command, 1, TN_STAGE_FRONTEND, "-DS -DALL ");
  expect_words(&p.command, 2, TN_STAGE_FRONTEND, "-DALL ");
  expect_words(&p.command, 2, TN_STAGE_BACKEND, "-v ");
  assert_string_equal(p.command.targets[2].processor, "sm_90");
  assert_false(tn_command_stage_is_used(&p.command.targets[0], TN_STAGE_BACKEND));
  assert_true(tn_command_stage_is_used(&p.command.targets[0], TN_STAGE_FRONTEND));
  forget(&p);
  parse(&p, "-fsycl --offload-arch=sm_80,gfx90a --offload-arch=sm_90 "
            "-Xsycl-target-backend=amdgcn-amd-amdhsa -O3 -Xsycl-target-linker=amd_gpu_gfx90a -z "
            "-Xsycl-target-backend=nvidia_gpu_sm_80 -v x.cpp");
  assert_int_equal(p.status, TN_OK);
  assert_int_equal(p.command.target_count, 3);
  assert_string_equal(p.command.targets[0].word, "nvidia_gpu_sm_80");
  expect_words(&p.command, 0, TN_STAGE_BACKEND, "-v ");
  expect_words(&p.command, 1, TN_STAGE_BACKEND, "-O3 ");
  expect_words(&p.command, 1, TN_STAGE_LINKER, "-z ");
  expect_words(&p.command, 2, TN_STAGE_BACKEND, "");
  assert_true(tn_command_stage_is_used(&p.command.targets[1], TN_STAGE_LINKER));
  assert_false(tn_command_stage_is_used(&p.command.targets[0], TN_STAGE_LINKER));
  forget(&p);
}

static void links_of_device_code(void **state) {
  (void)state;
  parsed p;
  parse(&p, "-fsycl -fsycl-link x.o");
  assert_int_equal(p.command.link_kind, TN_LINK_DEVICE_OBJECT);
  forget(&p);
  // A fat binary alone has no place for machine code of the host.
  parse(&p, "-fsycl -fsycl-link-targets=native_cpu,spirv64 x.o");
  assert_int_equal(p.command.link_kind, TN_LINK_DEVICE_IMAGES);
  assert_int_equal(p.command.target_count, 2);
  assert_false(p.command.targets[0].is_aot);
  forget(&p);
  parse(&p, "-fsycl -fsycl-add-targets=native_cpu:a:b.bc,spir64:c.spv x.o --offload-compress");
  assert_int_equal(p.status, TN_OK);
  assert_int_equal(p.command.link_kind, TN_LINK_PROGRAM);
  assert_int_equal(p.command.added.count, 2);
  const tn_added_image *first = p.command.added.items[0];
  const tn_added_image *second = p.command.added.items[1];
  assert_string_equal(first->path, "a:b.bc");
  assert_string_equal(second->target.word, "spirv64");
  assert_int_not_equal(tn_command_compression(&p.command), 0);
  forget(&p);
  parse(&p, "-fsycl --offload-compression-level=3 x.o");
  assert_int_equal(tn_command_compression(&p.command), 0);
  forget(&p);
}

static void response_files(void **state) {
  (void)state;
  char *folder = NULL;
  assert_int_equal(tn_temp_dir_create("tenon-test", &folder, NULL), TN_OK);
  char *path = tn_path_join(tn_str_from(folder), TN_STR_LIT("args"));
  static const char text[] = "-c 'a b.cpp' \"c\\\"d\" e\\ f\n\t-DX= ''\n";
  assert_int_equal(tn_file_write(path, tn_bytes_from(text, sizeof(text) - 1), NULL), TN_OK);
  tn_arena arena;
  tn_arena_init(&arena);
  tn_args words;
  tn_args_init(&words, &arena);
  char *argument = tn_arena_format(&arena, "@%s", path);
  char *const argv[] = {"tenon++", "-v", argument, "@/nonexistent", "x.cpp"};
  assert_int_equal(tn_response_expand(5, argv, &words, NULL), TN_OK);
  static const char *const expected[] = {"-v", "-c", "a b.cpp", "c\"d", "e f", "-DX=", "",
                                         "@/nonexistent", "x.cpp"};
  assert_int_equal(words.list.count, TN_COUNT(expected));
  for (size_t i = 0; i < TN_COUNT(expected); i++) {
    assert_string_equal(tn_args_at(&words, i), expected[i]);
  }
  // A file that names itself ends in an error.
  const char *circle = tn_arena_format(&arena, "@%s", path);
  assert_int_equal(tn_file_write(path, tn_bytes_from(circle, strlen(circle)), NULL), TN_OK);
  tn_diag diag;
  assert_int_equal(tn_response_expand(5, argv, &words, &diag), TN_INVALID_ARGUMENT);
  assert_non_null(strstr(diag.text, "circle"));
  tn_arena_deinit(&arena);
  tn_free(path);
  tn_temp_dir_remove(folder);
}

static void remarks_by_expressions(void **state) {
  (void)state;
  static const struct {
    const char *line;
    uint32_t remarks;
  } lines[] = {
      {"-fsycl -Rpass=tenon a.cpp", TN_UNIT_REMARKS_PASSED},
      {"-fsycl -Rpass-missed=.* -Rpass-analysis=(loop|ten)[a-z]+ a.cpp",
       TN_UNIT_REMARKS_MISSED | TN_UNIT_REMARKS_ANALYSIS},
      {"-fsycl -Rpass=loop-vectorize -Rpass-missed=^enon a.cpp", 0},
      {"-fsycl -Rpass=tenon -Rpass=inline a.cpp", 0},
      {"-fsycl -Rpass -Rpass-missed -Rno-pass a.cpp", TN_UNIT_REMARKS_MISSED},
      {"-fsycl -Rpass=(tenon a.cpp", 0},
      {"-fsycl -Rtenon-preamble a.cpp", 0},
  };
  for (size_t i = 0; i < TN_COUNT(lines); i++) {
    parsed p;
    parse(&p, lines[i].line);
    assert_int_equal(p.status, TN_OK);
    assert_int_equal(p.command.remarks, lines[i].remarks);
    forget(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arguments_are_no_inputs), cmocka_unit_test(inputs_by_kind),
      cmocka_unit_test(actions),                 cmocka_unit_test(values),
      cmocka_unit_test(options_by_run),          cmocka_unit_test(refusals),
      cmocka_unit_test(response_files),          cmocka_unit_test(contradictions),
      cmocka_unit_test(splits),                  cmocka_unit_test(empty_targets),
      cmocka_unit_test(cpu_beside_spirv),
      cmocka_unit_test(words_for_targets),
      cmocka_unit_test(links_of_device_code),
      cmocka_unit_test(remarks_by_expressions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
