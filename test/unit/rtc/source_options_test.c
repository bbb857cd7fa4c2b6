// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of builds at run time: what they change, which are refused and how, and that this table
// and tenon++'s agree where they name the same.
#include "rtc/source_options.h"

#include "base/thread.h"
#include "compile/command/option_table.h"
#include "unit/rtc/source_build.h"

static const char kernel[] =
    "#include \"kernel.h\"\n"
    "#ifdef WANTED\n"
    "KERNEL void k(float *p) { *p = *p * 2 + 1; }\n"
    "KERNEL void l(float *p) { *p = 2; }\n"
    "#endif\n";

static tn_source_options read_words(tn_arena *arena, const char *const *words, size_t count,
                                    tn_target *target, tn_buf *log) {
  const tn_source_words given = {words, count, TN_LANGUAGE_SYCL};
  tn_source_options options;
  tn_diag diag = {0};
  const tn_status status = tn_source_options_read(&given, arena, target, &options, log, &diag);
  if (status != TN_OK) {
    print_message("%s\n", diag.text);
  }
  assert_int_equal(status, TN_OK);
  return options;
}

static void options_are_sorted(void **state) {
  (void)state;
  static const char *const words[] = {"-DA=1",
                                      "-I",
                                      "dir",
                                      "-O3",
                                      "-g",
                                      "-fsycl-device-code-split=per_kernel",
                                      "-Xs",
                                      "-march=sm_90 -v",
                                      "-std=c++20",
                                      "-Xsycl-target-frontend=nvptx64-nvidia-cuda",
                                      "-DB '-DC=a b'",
                                      "-Xsycl-target-frontend=spirv64",
                                      "-DNOT",
                                      "-fsycl",
                                      "-include",
                                      "x.h",
                                      "-fno-sycl-rdc",
                                      "-fno-sycl-allow-device-image-dependencies",
                                      "-Xarch_device",
                                      "-DE",
                                      "--cuda-path=/opt/cuda",
                                      "-ffast-math",
                                      "-funknown",
                                      "-fsycl-unnamed-lambda",
                                      "--auto-pch",
                                      "--persistent-auto-pch=/pch"};
  static const char *const left[] = {"-DA=1",      "-I",          "dir",      "-O3",      "-g",
                                     "-std=c++20", "-DB",         "-DC=a b",  "-include", "x.h",
                                     "-DE",        "-ffast-math", "-funknown"};
  tn_arena arena;
  tn_buf log;
  tn_target target;
  tn_diag diag = {0};
  tn_arena_init(&arena);
  tn_buf_init(&log, 4096);
  assert_int_equal(tn_target_read(&arena, "", TN_STR_LIT("nvptx64-nvidia-cuda"), &target, &diag),
                   TN_OK);
  const tn_source_options o = read_words(&arena, words, TN_COUNT(words), &target, &log);
  assert_int_equal(o.clang.list.count, TN_COUNT(left));
  for (size_t i = 0; i < TN_COUNT(left); i++) {
    assert_string_equal(tn_args_at(&o.clang, i), left[i]);
  }
  assert_int_equal(o.opt_level, 3);
  assert_true(o.debug && o.alone && o.refuses_imports && o.auto_pch);
  assert_int_equal(o.split, TN_SPLIT_PER_KERNEL);
  assert_string_equal(o.cuda_path, "/opt/cuda");
  assert_string_equal(o.pch_folder, "/pch");
  assert_string_equal(target.processor, "sm_90");
  assert_int_equal(o.tool_words.list.count, 0);
  assert_string_equal(tn_buf_text(&log),
                      "warning: -Xs '-v' has no effect: no compiler of machine code is run for "
                      "nvptx64-nvidia-cuda at run time\n");
  tn_buf_deinit(&log);
  tn_arena_deinit(&arena);
}

static void the_last_one_counts(void **state) {
  (void)state;
  static const struct {
    const char *words[2];
    uint32_t level;
  } levels[] = {{{"-O0", "-O3"}, 3}, {{"-O3", "-O"}, 1},     {{"-O1", "-Os"}, 2},
                {{"-g", "-O0"}, 0},  {{"-Ofast", "-g0"}, 3}, {{"-w", "-w"}, 2}};
  tn_arena arena;
  tn_arena_init(&arena);
  for (size_t i = 0; i < TN_COUNT(levels); i++) {
    tn_target target = tn_target_default();
    const tn_source_options o = read_words(&arena, levels[i].words, 2, &target, NULL);
    assert_int_equal(o.opt_level, levels[i].level);
    assert_int_equal(o.debug, i == 3);
  }
  tn_arena_deinit(&arena);
}

typedef struct refusal {
  const char *words[3];
  const char *said;
} refusal;

static void what_makes_no_sense_is_refused(void **state) {
  (void)state;
  static const char writes[] = "no files are written at run time";
  static const char link[] = "nothing of the host's is linked at run time";
  static const char step[] = "from source to device images";
  static const refusal all[] = {
      {{"-o"}, "-o: there is no output file at run time; leave it out"},
      {{"-ofile"}, "-ofile: there is no output file at run time"},
      {{"-c"}, step},
      {{"-S"}, step},
      {{"-E"}, step},
      {{"-fsyntax-only"}, step},
      {{"-emit-llvm"}, step},
      {{"-fsycl-device-only"}, step},
      {{"--analyze"}, step},
      {{"-fsycl-targets=spir64"}, "-fsycl-targets=spir64: a build at run time is for the devices"},
      {{"--offload-arch=sm_90"}, "for the devices"},
      {{"-target", "x86_64"}, "for the devices"},
      {{"--target=x86_64"}, "for the devices"},
      {{"-fsycl-host-compiler=g++"}, "no host code"},
      {{"-fsanitize=address"}, "no host code"},
      {{"-lm"}, link},
      {{"-L/lib"}, link},
      {{"-shared"}, link},
      {{"-static"}, link},
      {{"-Wl,-z,defs"}, link},
      {{"-Xlinker", "x"}, link},
      {{"-flto"}, link},
      {{"-x", "c"}, "the language is that of the kernel bundle"},
      {{"-xc"}, "the language is that of the kernel bundle"},
      {{"-save-temps"}, writes},
      {{"--save-temps=obj"}, writes},
      {{"-MD"}, writes},
      {{"-MF", "deps"}, writes},
      {{"-M"}, writes},
      {{"-ftime-trace"}, writes},
      {{"-ftime-trace=a.json"}, writes},
      {{"-serialize-diagnostics", "d"}, writes},
      {{"--serialize-diagnostics", "d"}, writes},
      {{"-dependency-file", "d"}, writes},
      {{"-fmodules"}, writes},
      {{"-fmodules-cache-path=/tmp"}, writes},
      {{"--coverage"}, writes},
      {{"-fprofile-instr-generate"}, writes},
      {{"-gsplit-dwarf"}, writes},
      {{"-fstack-protector-all"}, "there is no host code"},
      {{"-gmodules"}, writes},
      {{"-fdiagnostics-format=sarif"}, "nothing is printed"},
      {{"-fdebug-pass-structure"}, "nothing is printed"},
      {{"-fdebug-types-section"}, "it would change the compiler for the whole process"},
      {{"-fsycl-dump-device-code=d"}, writes},
      {{"-fsave-optimization-record"}, writes},
      {{"-fplugin=/x.so"}, "nothing that is compiled"},
      {{"-fpass-plugin=/x.so"}, "nothing that is compiled"},
      {{"-load", "/x.so"}, "nothing that is compiled"},
      {{"-include-pch", "x"}, "nothing that is compiled"},
      {{"-ivfsoverlay", "x"}, "nothing that is compiled"},
      {{"-mllvm", "-debug"}, "-mllvm: it would change the compiler for the whole process"},
      {{"-Xclang", "-load"}, "-Xclang: words for the compiler's inner stages"},
      {{"-Wp,-MD,x"}, "inner stages"},
      {{"-Xpreprocessor", "-MD"}, "inner stages"},
      {{"--config", "x"}, "not by a file"},
      {{"--config=x"}, "not by a file"},
      {{"@words"}, "@words: options are given one by one"},
      {{"-###"}, "nothing is printed"},
      {{"-v"}, "nothing is printed"},
      {{"--help"}, "nothing is printed"},
      {{"-print-search-dirs"}, "nothing is printed"},
      {{"-B/bin"}, "no program is started"},
      {{"-working-directory", "/"}, "the folder that the process is in"},
      {{"file.cpp"}, "file.cpp: this is no option"},
      {{"-"}, "-: this is no option"},
      {{"--", "-x"}, "--: this is no option"},
      {{""}, "an option of the build is empty"},
      {{"-std=c++14"}, "-std=c++14: SYCL 2020 needs C++17"},
      {{"-std=gnu++0x"}, "SYCL 2020 needs C++17"},
      {{"--std", "c++98"}, "needs C++17"},
      {{"-I"}, "-I: its value is missing"},
      {{"-Xs"}, "-Xs: its value is missing"},
      {{"-fsycl-device-code-split=kernels"}, "there is no such mode"},
      {{"-fsycl-no-such"}, "-fsycl-no-such: a build at run time does not know this option"},
      {{"-Xsycl-target-frontend", "-o x"}, "-Xsycl-target-frontend: -o: there is no output file"},
      {{"-Xarch_device", "-MD"}, writes},
      {{"-Xarch_host", "-DX"}, "no host code"},
      {{"-Xsycl-target-backend=nowhere", "-x"}, "nowhere: there is no such target"},
      {{"-Xs", "'open"}, "-Xs: a quotation mark is not closed"},
  };
  for (size_t i = 0; i < TN_COUNT(all); i++) {
    source_build it;
    build_of_kernels(&it, kernel);
    for (size_t k = 0; k < 3 && all[i].words[k]; k++) {
      build_add_option(&it, all[i].words[k]);
    }
    build_run(&it, TN_INVALID_ARGUMENT);
    expect_has(it.diag.text, all[i].said);
    build_end(&it);
  }
}

static uint32_t image_count(source_build *it) {
  build_run(it, TN_OK);
  return build_images(it).image_count;
}

static uint32_t number_of(const source_build *it, const char *name) {
  const tn_fatbin images = build_images(it);
  const tn_image image = tn_fatbin_image_at(&images, 0);
  return tn_image_misc_number(&image, name, 99);
}

static void what_makes_sense_has_its_effect(void **state) {
  (void)state;
  source_build it;
  build_of_kernels(&it, kernel);
  build_run(&it, TN_BUILD_FAILED);  // without the macro there is no kernel
  expect_has(it.diag.text, "rtc_7.cpp: it has neither kernels");
  build_end(&it);
  build_add_option(&it, "-D");
  build_add_option(&it, "WANTED");
  assert_int_equal(image_count(&it), 1);
  assert_int_equal(number_of(&it, TN_MISC_OPT_LEVEL), 2);
  assert_int_equal(number_of(&it, TN_MISC_DEBUG), 0);
  build_end(&it);
  build_add_option(&it, "-O0");
  build_add_option(&it, "-g");
  build_add_option(&it, "-fsycl-device-code-split=per_kernel");
  assert_int_equal(image_count(&it), 2);  // each with its function, which is for others as well
  assert_int_equal(number_of(&it, TN_MISC_OPT_LEVEL), 0);
  assert_int_equal(number_of(&it, TN_MISC_DEBUG), 1);
  build_end(&it);
}

static bool has_fma(const char *option) {
  source_build it;
  build_of_kernels(&it, kernel);
  build_add_option(&it, "-DWANTED");
  build_add_option(&it, option);
  it.params.target = "nvptx64-nvidia-cuda";
  build_run(&it, TN_OK);
  const tn_fatbin images = build_images(&it);
  const tn_image image = tn_fatbin_image_at(&images, 0);
  const tn_str text = {(const char *)image.code.data, image.code.size};
  const bool has = tn_str_find(text, TN_STR_LIT("fma.rn.f32")) != SIZE_MAX;
  build_end(&it);
  return has;
}

static void mathematics_is_as_asked(void **state) {
  (void)state;
  assert_true(has_fma("-ffp-contract=fast"));
  assert_false(has_fma("-ffp-contract=off"));
}

static void clang_says_what_it_does_not_know(void **state) {
  (void)state;
  source_build it;
  build_of_kernels(&it, kernel);
  build_add_option(&it, "-DWANTED");
  build_add_option(&it, "-fno-such-option");
  build_run(&it, TN_BUILD_FAILED);
  expect_has(it.diag.text, "-fno-such-option");
  expect_has(it.result.log, "error: unknown argument: '-fno-such-option'");
  build_end(&it);
  it.options[1] = "-std=c++99";
  build_run(&it, TN_BUILD_FAILED);
  expect_has(it.diag.text, "c++99");
  build_end(&it);
}

static void warnings_are_in_the_log(void **state) {
  (void)state;
  source_build it;
  build_of_kernels(&it,
                   "#include \"kernel.h\"\n#warning look: error: none\n"
                   "KERNEL void k(int *p) { int unused; *p = 1; }\n"
                   "static int tries(int x) { try { return x; } catch (...) { return 0; } }\n"
                   "KERNEL void l(int *p) { *p = tries(1); }\n");
  build_add_option(&it, "-Wall");
  build_run(&it, TN_OK);
  expect_has(it.result.log, "rtc_7.cpp:2:2: warning: look: error: none");
  expect_has(it.result.log, "rtc_7.cpp:3:29: warning: unused variable 'unused'");
  expect_has(it.result.log, "rtc_7.cpp:4:27: warning: 'tries(int)' has a try block");
  build_end(&it);
  build_add_option(&it, "-Werror");
  build_run(&it, TN_BUILD_FAILED);
  expect_has(it.diag.text, "rtc_7.cpp:2:2: error: look: error: none");
  build_end(&it);
  it.options[1] = "-w";
  build_run(&it, TN_OK);
  assert_string_equal(it.result.log, "");
  build_end(&it);
}

static void imports_are_left_open(void **state) {
  (void)state;
  source_build it;
  build_of_kernels(&it,
                   "#include \"kernel.h\"\nSYCL_EXTERNAL int wanted(int);\n"
                   "SYCL_EXTERNAL int given(int x) { return x; }\n"
                   "KERNEL void k(int *p) { *p = wanted(*p); }\n");
  build_run(&it, TN_OK);
  const tn_fatbin images = build_images(&it);
  bool is_wanted = false;
  bool is_given = false;
  for (uint32_t i = 0; i < images.image_count; i++) {
    const tn_image image = tn_fatbin_image_at(&images, i);
    tn_symbol_info info;
    for (uint32_t k = 0; k < tn_image_import_count(&image); k++) {
      is_wanted =
          is_wanted || tn_str_equals(tn_image_import_at(&image, k).name, TN_STR_LIT("_Z6wantedi"));
    }
    is_given = is_given || tn_image_export_find(&image, TN_STR_LIT("_Z5giveni"), &info);
  }
  assert_true(is_wanted && is_given);
  build_end(&it);
  build_add_option(&it, "-fno-sycl-allow-device-image-dependencies");
  build_run(&it, TN_BUILD_FAILED);
  expect_has(it.diag.text, "wanted(int)");
  build_end(&it);
}

static void parameters_are_checked(void **state) {
  (void)state;
  source_build it;
  build_of_kernels(&it, kernel);
  build_add_option(&it, "-DWANTED");
  it.params.target = "nowhere";
  build_run(&it, TN_INVALID_ARGUMENT);
  expect_has(it.diag.text, "nowhere");
  build_end(&it);
  it.params.target = "amdgcn-amd-amdhsa";
  build_run(&it, TN_UNSUPPORTED);
  expect_has(it.diag.text, "ahead of time");
  build_end(&it);
  it.params.target = "nvptx64-nvidia-cuda";
  it.params.processor = "sm_1";
  build_run(&it, TN_INVALID_ARGUMENT);
  expect_has(it.diag.text, "sm_1");
  build_end(&it);
  it.params.processor = "sm_999";  // of a device that is newer than the compiler
  it.params.is_device_processor = 1;
  build_run(&it, TN_OK);
  build_end(&it);
}

// A caller of an older header hands in less; nothing behind that is touched.
static void older_callers_are_refused(void **state) {
  (void)state;
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  source_build it;
  build_of_kernels(&it, kernel);
  it.result.struct_size = 8;
  it.result.owner = &it;
  assert_int_equal(compiler->compile_source(&it.params, &it.result, &it.diag), TN_INVALID_ARGUMENT);
  compiler->free_source_result(&it.result);
  assert_ptr_equal(it.result.owner, &it);
  compiler->free_source_result(NULL);
}

static void equal_builds_are_equal(void **state) {
  (void)state;
  source_build all[2];
  for (size_t i = 0; i < 2; i++) {
    build_of_kernels(&all[i], kernel);
    build_add_option(&all[i], "-DWANTED");
    build_run(&all[i], TN_OK);
  }
  assert_int_equal(all[0].result.fatbin_size, all[1].result.fatbin_size);
  assert_memory_equal(all[0].result.fatbin, all[1].result.fatbin, all[0].result.fatbin_size);
  build_end(&all[0]);
  build_end(&all[1]);
}

static void *build_on_thread(void *user) {
  size_t *good = user;
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  for (int i = 0; i < 4; i++) {
    source_build it;
    build_of_kernels(&it, i % 2 == 0 ? kernel : "#include \"kernel.h\"\nint x = none;\n");
    build_add_option(&it, "-DWANTED");
    const tn_status status = compiler->compile_source(&it.params, &it.result, &it.diag);
    *good += status == (i % 2 == 0 ? TN_OK : TN_BUILD_FAILED) &&
             (i % 2 == 0 || strstr(it.diag.text, "rtc_7.cpp:2:9: error: "));
    build_end(&it);
  }
  return NULL;
}

static void threads_build_at_a_time(void **state) {
  (void)state;
  tn_thread threads[2];
  size_t good[2] = {0};
  tn_diag diag = {0};
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(tn_thread_create(&threads[i], "builder", build_on_thread, &good[i], &diag),
                     TN_OK);
  }
  for (size_t i = 0; i < 2; i++) {
    tn_thread_join(threads[i]);
    assert_int_equal(good[i], 4);
  }
}

// tenon++'s table, for the names that both have.
typedef struct driver_row {
  const char *spelling;
  const char *shape;
  const char *meaning;
} driver_row;
static const driver_row driver_rows[] = {
#define ROW(spelling, shape, meaning, goes, value, help) {spelling, #shape, #meaning},
    TN_OPTION_MAP(ROW)
#undef ROW
};

static void tables_agree(void **state) {
  (void)state;
  size_t shared = 0;
  for (size_t i = 0; i < TN_COUNT(driver_rows); i++) {
    const driver_row *theirs = &driver_rows[i];
    bool is_known = false;
    for (size_t k = 0; k < tn_source_option_count(); k++) {
      const tn_source_option_row ours = tn_source_option_at(k);
      if (strcmp(theirs->spelling, ours.spelling) != 0) {
        continue;
      }
      is_known = true;
      shared++;
      // What is refused is refused with or without a value.
      if (!ours.is_refused) {
        const bool is_either = strcmp(theirs->shape, "EITHER") == 0;
        if (ours.is_joined != (is_either || strcmp(theirs->shape, "JOINED") == 0) ||
            ours.is_separate != (is_either || strcmp(theirs->shape, "SEPARATE") == 0)) {
          fail_msg("%s has another shape in tenon++", ours.spelling);
        }
      }
    }
    // Without effect there, without effect here.
    if (strcmp(theirs->meaning, "ACCEPTED") == 0 && !is_known) {
      fail_msg("%s is not known at run time", theirs->spelling);
    }
    // Ours never reach Clang.
    if (strncmp(theirs->spelling, "-fsycl", 6) == 0 && !is_known) {
      fail_msg("%s: say whether it makes sense at run time", theirs->spelling);
    }
  }
  assert_true(shared > 150);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_are_sorted),
      cmocka_unit_test(the_last_one_counts),
      cmocka_unit_test(what_makes_no_sense_is_refused),
      cmocka_unit_test(what_makes_sense_has_its_effect),
      cmocka_unit_test(mathematics_is_as_asked),
      cmocka_unit_test(clang_says_what_it_does_not_know),
      cmocka_unit_test(warnings_are_in_the_log),
      cmocka_unit_test(imports_are_left_open),
      cmocka_unit_test(parameters_are_checked),
      cmocka_unit_test(older_callers_are_refused),
      cmocka_unit_test(equal_builds_are_equal),
      cmocka_unit_test(threads_build_at_a_time),
      cmocka_unit_test(tables_agree),
  };
  return cmocka_run_group_tests_name("source_options", tests, NULL, NULL);
}
