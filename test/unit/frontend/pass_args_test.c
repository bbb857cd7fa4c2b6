// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command lines of the two passes, and the names of translation units.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/frontend/frontend.h"

typedef struct lines {
  tn_arena arena;
  tn_args user;
  tn_buf text;
} lines;

static void begin(lines *l, const char *user) {
  tn_arena_init(&l->arena);
  tn_args_init(&l->user, &l->arena);
  tn_buf_init(&l->text, 1 << 16);
  tn_str rest = tn_str_from(user);
  while (rest.data && rest.size > 0) {
    tn_args_add(&l->user, tn_arena_str(&l->arena, tn_str_split(&rest, ' ')));
  }
}

static const char *device(lines *l, bool is_host, const tn_pass_params *params) {
  tn_args args;
  tn_args_init(&args, &l->arena);
  if (is_host) {
    tn_frontend_host_args(params, &args);
  } else {
    tn_frontend_device_args(params, &args);
  }
  assert_non_null(tn_args_argv(&args));
  for (size_t i = 0; i < args.list.count; i++) {
    tn_buf_add_format(&l->text, "%s ", tn_args_at(&args, i));
  }
  return tn_buf_text(&l->text);
}

static void end(lines *l) {
  tn_buf_deinit(&l->text);
  tn_arena_deinit(&l->arena);
}

#define USES \
  "-Wno-unused-variable -Wno-unused-but-set-variable -Wno-unused-const-variable " \
  "-Wno-unused-parameter -Wno-unused-but-set-parameter -Wno-unused-function " \
  "-Wno-unused-member-function -Wno-unused-template -Wno-unused-local-typedef " \
  "-Wno-unused-private-field -Wno-unused-lambda-capture -Wno-unused-label " \
  "-Wno-unused-macros -Wno-unneeded-internal-declaration -Wno-undefined-internal " \
  "-Wno-undefined-inline "

static void device_pass(void **state) {
  (void)state;
  lines l;
  begin(&l, "-DA");
  tn_pass_params params = {.clang = "clang", .source = "a.cpp", .include_dir = "/inc",
                           .output = "-", .action = "-c", .unit_id = 0x12, .user = &l.user};
  assert_string_equal(device(&l, false, &params),
                      "clang -D__SYCL_UNNAMED_LAMBDA__=1 -DA -Xclang -fsycl-is-device "
                      "-D__TENON_UNIT_ID__=0x0000000000000012ULL "
                      "-isystem /inc -isystem /inc/sycl/detail/device_std "
                      "-Xclang -aux-triple -Xclang x86_64-pc-linux-gnu " USES
                      "-Qunused-arguments -O2 -Xclang -disable-llvm-passes "
                      "-Xclang -no-enable-noundef-analysis -fno-math-errno "
                      "-fno-discard-value-names -Xclang -mno-constructor-aliases "
                      "-fno-c++-static-destructors -gline-tables-only -emit-llvm -c -o - a.cpp ");
  end(&l);
  begin(&l, "-O0 -g");
  params.user = &l.user;
  const char *text = device(&l, false, &params);
  assert_non_null(strstr(text, "-disable-O0-optnone"));
  assert_null(strstr(text, "-O2"));
  assert_null(strstr(text, "-gline-tables-only"));
  end(&l);
}

static void device_pass_for_others(void **state) {
  (void)state;
  lines l;
  tn_target target;
  tn_diag diag;
  begin(&l, "-march=native -O1 -fsanitize=address -include mine.h -mllvm -x -fopenmp -DA");
  assert_int_equal(tn_target_read(&l.arena, "", TN_STR_LIT("nvidia_gpu_sm_90a"), &target, &diag),
                   TN_OK);
  tn_pass_params params = {.clang = "clang", .source = "a.cpp", .action = "-c", .unit_id = 1,
                           .user = &l.user, .target = &target};
  const char *text = device(&l, false, &params);
  static const char begin_of_text[] =
      "clang -D__SYCL_UNNAMED_LAMBDA__=1 -ffp-contract=fast-honor-pragmas -O1 -include mine.h "
      "-mllvm -x -DA -Xclang";
  assert_true(strncmp(text, begin_of_text, sizeof(begin_of_text) - 1) == 0);
  assert_non_null(strstr(text, "-Xclang -target-feature -Xclang +ptx80 "));
  assert_non_null(strstr(text, "-Xclang -triple -Xclang nvptx64-nvidia-cuda -Xclang -aux-triple"));
  assert_non_null(strstr(text, "-Xclang -target-cpu -Xclang sm_90a -Xclang -tune-cpu"));
  assert_non_null(strstr(text, "-D__SYCL_TARGET_NVIDIA_GPU_SM_90A__=1"));
  assert_non_null(strstr(text, "-U__CUDA_ARCH__ -D__SYCL_CUDA_ARCH__=900"));
  assert_non_null(strstr(text, "-gline-directives-only"));
  end(&l);
  // SPIR-V has no processors; ptxas takes debug information of code that is not optimized.
  begin(&l, "-O0 -g");
  assert_int_equal(tn_target_read(&l.arena, "", TN_STR_LIT("spirv64"), &target, &diag), TN_OK);
  params.user = &l.user;
  text = device(&l, false, &params);
  assert_non_null(strstr(text, "-triple -Xclang spirv64-unknown-unknown"));
  assert_non_null(strstr(text, "-target-cpu -Xclang  -Xclang -tune-cpu"));
  assert_null(strstr(text, "__SYCL_TARGET_"));
  assert_null(strstr(text, "-gline"));
  end(&l);
  // The host's pass is not told.
  begin(&l, "-march=native");
  params.user = &l.user;
  text = device(&l, true, &params);
  assert_non_null(strstr(text, "-march=native"));
  assert_null(strstr(text, "-triple"));
  end(&l);
}

// What options for mathematics mean to the front end; the last word counts.
static void device_pass_mathematics(void **state) {
  (void)state;
  static const char flush[] = "-Xclang -fdenormal-fp-math-f32=preserve-sign,preserve-sign ";
  static const struct {
    const char *user, *has, *has_not;
  } rows[] = {
      {"-O2", "fast-honor-pragmas -O2", "-fdenormal"},
      {"-ffast-math", flush, "-default-function-attr"},
      {"-ffast-math -fno-fast-math", "-fno-fast-math", "-fdenormal"},
      {"-ffast-math -fno-gpu-flush-denormals-to-zero", "-ffast-math -Xclang", "-fdenormal"},
      {"-ffast-math -fdenormal-fp-math=ieee", "-fdenormal-fp-math=ieee", "-fdenormal-fp-math-f32"},
      {"-fcuda-flush-denormals-to-zero", flush, "-fcuda"},
      {"-fno-offload-fp32-prec-div", "-default-function-attr -Xclang tenon.gpu-divide=fast",
       "prec-div"},
      {"-fno-cuda-prec-sqrt -foffload-fp32-prec-sqrt", "tenon.gpu-root=exact", "gpu-root=fast"},
      {"-fno-hip-fp32-correctly-rounded-divide-sqrt", "tenon.gpu-root=fast", "-fno-hip"},
      {"-ffast-math -fno-gpu-approx-transcendentals", "tenon.gpu-transcendentals=exact", "=fast "},
  };
  lines l;
  tn_target target;
  tn_diag diag;
  for (size_t i = 0; i < TN_COUNT(rows); ++i) {
    begin(&l, rows[i].user);
    assert_int_equal(tn_target_read(&l.arena, "", TN_STR_LIT("nvptx64"), &target, &diag), TN_OK);
    tn_pass_params params = {.clang = "clang", .source = "a.cpp", .action = "-c", .unit_id = 1,
                             .user = &l.user, .target = &target};
    const char *text = device(&l, false, &params);
    if (!strstr(text, rows[i].has) || strstr(text, rows[i].has_not)) {
      fail_msg("%s: %s", rows[i].user, text);
    }
    end(&l);
  }
  // Other devices are told nothing of it.
  begin(&l, "-fno-offload-fp32-prec-div -DA");
  tn_pass_params params = {
      .clang = "clang", .source = "a.cpp", .action = "-c", .unit_id = 1, .user = &l.user};
  const char *text = device(&l, false, &params);
  assert_true(strncmp(text, "clang -D__SYCL_UNNAMED_LAMBDA__=1 -DA ", 38) == 0);
  assert_null(strstr(text, "gpu"));
  end(&l);
}

static void host_pass(void **state) {
  (void)state;
  lines l;
  begin(&l, "-O3");
  tn_pass_params params = {.clang = "clang", .source = "-odd.cpp", .language = "c++",
                           .output = "a.o", .action = "-c", .unit_id = 1, .user = &l.user,
                           .color = true};
  assert_string_equal(device(&l, true, &params),
                      "clang -D__SYCL_UNNAMED_LAMBDA__=1 -O3 -fcolor-diagnostics -Xclang "
                      "-fsycl-is-host "
                      "-D__TENON_UNIT_ID__=0x0000000000000001ULL -c -o a.o -x c++ ./-odd.cpp ");
  end(&l);
  begin(&l, "-fno-color-diagnostics");
  params.user = &l.user;
  params.is_plain = true;
  assert_string_equal(device(&l, true, &params),
                      "clang -fno-color-diagnostics -c -o a.o -x c++ ./-odd.cpp ");
  end(&l);
}

static uint64_t id_of(tn_str text, const tn_args *options, uint64_t before) {
  const tn_text_prints prints = tn_frontend_text_prints(text, TN_STR_LIT("base.hpp"));
  return tn_frontend_unit_id(prints, options, before);
}

static void unit_ids(void **state) {
  (void)state;
  lines l;
  begin(&l, "-Da -O2 b");
  const tn_str text = TN_STR_LIT("# 1 \"/a/x.cpp\"\nint a;\n# 7 \"/a/i.h\" 1\nint b;");
  const uint64_t id = id_of(text, &l.user, 0);
  assert_int_not_equal(id, 0);
  assert_int_equal(id, id_of(text, &l.user, 0));
  assert_int_not_equal(id, id_of(text, &l.user, 1));
  // Folders are no part of the id; names of files, lines and the text are.
  const tn_str others[] = {
      TN_STR_LIT("# 1 \"/b/c/x.cpp\"\nint a;\n# 7 \"i.h\" 1\nint b;"),
      TN_STR_LIT("# 1 \"/a/x.cpp\"\nint a;\n# 7 \"/a/j.h\" 1\nint b;"),
      TN_STR_LIT("# 1 \"/a/x.cpp\"\nint a;\n# 8 \"/a/i.h\" 1\nint b;"),
      TN_STR_LIT("# 1 \"/a/x.cpp\"\nint a;\n# 7 \"/a/i.h\" 1\nint c;"),
      TN_STR_LIT("# 1 \"/a/x.cpp\"\nint c;\n# 7 \"/a/i.h\" 1\nint b;"), TN_STR_LIT("")};
  assert_int_equal(id, id_of(others[0], &l.user, 0));
  for (size_t i = 1; i < TN_COUNT(others); i++) {
    assert_int_not_equal(id, id_of(others[i], &l.user, 0));
  }
  lines other;
  begin(&other, "-I /d -include e.h -Df=g -ffile-prefix-map=/a= -O2 b");
  assert_int_equal(id, id_of(text, &other.user, 0));
  end(&other);
  begin(&other, "-ffast-math -O2 b");
  assert_int_not_equal(id, id_of(text, &other.user, 0));
  end(&other);
  end(&l);
}

// What comes of the base has one print in any source, and is not missed where it is precompiled.
static void text_prints(void **state) {
  (void)state;
  const tn_str base = TN_STR_LIT("/b/base.hpp");
  const tn_str whole = TN_STR_LIT(
      "# 1 \"/a/x.cpp\"\n# 1 \"<built-in>\" 1\n# 1 \"<command line>\" 1\n"
      "# 1 \"/b/base.hpp\" 1\n\n# 1 \"/b/in.hpp\" 1\nint in;\n# 3 \"/b/base.hpp\" 2\nint b;\n"
      "# 2 \"<command line>\" 2\n# 1 \"<built-in>\" 2\n# 1 \"/a/x.cpp\" 2\n\n\n"
      "# 1 \"/b/own.hpp\" 1\nint own;\n# 4 \"/a/x.cpp\" 2\nint x;\n");
  const tn_str elsewhere = TN_STR_LIT(
      "# 1 \"y.cpp\"\n# 1 \"<built-in>\" 1\n# 1 \"/b/base.hpp\" 1\n# 1 \"/c/in.hpp\" 1\nint in;\n"
      "# 3 \"/b/base.hpp\" 2\nint b;\n# 1 \"<built-in>\" 2\n# 1 \"y.cpp\" 2\nint y;\n");
  const tn_str rest = TN_STR_LIT(
      "# 1 \"/a/x.cpp\"\n# 1 \"<built-in>\" 1\n# 1 \"/a/x.cpp\" 2\n# 3 \"/a/x.cpp\"\n"
      "# 1 \"/b/own.hpp\" 1\nint own;\n# 4 \"/a/x.cpp\" 2\n\n# 4 \"/a/x.cpp\"\nint x;\n");
  const tn_text_prints of_whole = tn_frontend_text_prints(whole, base);
  assert_int_not_equal(of_whole.head, 0);
  assert_int_equal(of_whole.head, tn_frontend_text_prints(elsewhere, base).head);
  assert_int_equal(of_whole.rest, tn_frontend_text_prints(rest, base).rest);
  assert_int_equal(tn_frontend_text_prints(rest, base).head, 0);
  // Another file is no base, and what is in it counts.
  const tn_text_prints of_other = tn_frontend_text_prints(whole, TN_STR_LIT("/b/in.hpp"));
  assert_int_not_equal(of_whole.head, of_other.head);
  assert_int_not_equal(of_whole.rest, of_other.rest);
  assert_int_equal(tn_frontend_text_prints(whole, TN_STR_LIT("none.hpp")).head, 0);
}

static void mapped_paths(void **state) {
  (void)state;
  lines l;
  begin(&l, "-ffile-prefix-map=/a/b=c -fdebug-prefix-map=/d=");
  assert_string_equal(tn_frontend_map_path(&l.arena, &l.user, "/a/b/x.cpp"), "c/x.cpp");
  assert_string_equal(tn_frontend_map_path(&l.arena, &l.user, "/d/x.cpp"), "/x.cpp");
  assert_string_equal(tn_frontend_map_path(&l.arena, &l.user, "x.cpp"), "x.cpp");
  end(&l);
}

static void missing_clang(void **state) {
  (void)state;
  tn_arena arena;
  tn_arena_init(&arena);
  const char *clang = NULL;
  tn_diag diag;
  assert_int_equal(tn_frontend_clang_find(&arena, "/nowhere/clang++", &clang, &diag), TN_IO);
  assert_non_null(strstr(diag.text, "/nowhere/clang++"));
  assert_int_equal(tn_frontend_clang_find(&arena, NULL, &clang, &diag), TN_OK);
  assert_null(clang);
  assert_int_equal(tn_frontend_clang_find_installed(&arena, &clang, &diag), TN_OK);
  assert_non_null(strstr(clang, "clang++"));
  tn_arena_deinit(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(device_pass), cmocka_unit_test(device_pass_for_others),
      cmocka_unit_test(device_pass_mathematics),
      cmocka_unit_test(host_pass), cmocka_unit_test(unit_ids), cmocka_unit_test(text_prints),
      cmocka_unit_test(mapped_paths), cmocka_unit_test(missing_clang)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
