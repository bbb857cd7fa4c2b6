// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiled preambles: where they end, that results are those of builds without them, that no
// edited header is missed, that damaged files are none, and that folders which take nothing are
// told in the log.
#include "rtc/source_preamble.h"

#include "unit/rtc/source_build.h"

#include <dirent.h>
#include <stdio.h>
#include <sys/stat.h>

static char *folder;

static const char *path_of(const char *name) {
  static char path[512];
  (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
  return path;
}

static void write_file(const char *name, const char *text) {
  assert_int_equal(tn_file_write(path_of(name), tn_bytes_from(text, strlen(text)), NULL), TN_OK);
}

static void where_it_ends(void **state) {
  (void)state;
  static const struct {
    const char *preamble;
    const char *rest;
  } cases[] = {
      {"", "int a;\n"},
      {"", "#define N 1\nint a;\n"},
      {"", "// only\n/* words */\n"},
      {"", "#include <a>"},  // no newline
      {"#include <a>\n", "#define N 2\nint a;\n"},
      {"// why\n#include <a>\n#define N 2\n#include \"b.h\"\n", "\nint a;\n#include <c>\n"},
      {"  /* x\n y */ # include <a>\r\n", "int a;"},
      {"#ifdef A\n#include <a>\n#else\n#define B\n#endif\n", "int a;"},
      {"#include <a>\n", "#if A\n#include <b>\nint a;\n#endif\n"},
      {"#define A \\\n 1\n#include <a>\n", "#pragma once\n#include <b>\n"},
      {"#include <a>\n", "#line 7\n#include <b>\n"},
      {"#include <a>\n", "#endif\n#include <b>\n"},
      {"#include <a>\n", "#include <b> /* to\n the end */\n"},
      {"", "#define HERE __FILE__\n#include <a>\n"},
      {"", "#if __COUNTER__\n#endif\n#include <a>\n"},
      {"#include <a>\n", "// goes on \\\n#include <b>\n"},
  };
  for (size_t i = 0; i < TN_COUNT(cases); i++) {
    char text[256];
    size_t count = 0;
    (void)snprintf(text, sizeof(text), "%s%s", cases[i].preamble, cases[i].rest);
    const size_t size = tn_preamble_size(tn_str_from(text), &count);
    if (size != strlen(cases[i].preamble)) {
      fail_msg("%zu bytes are the preamble of: %s", size, text);
    }
  }
}

static void make_sample(tn_preamble_parts *parts, tn_arena *arena, const uint8_t *key,
                        tn_buf *out) {
  static tn_clang_input input = {.name = "/a/b.h", .is_read = true, .hash = {7}, .size = 9};
  static char miss[] = "/c/d.h";
  *parts = (tn_preamble_parts){.header = tn_bytes_from("CPCHrest", 8)};
  assert_true(tn_list_add(&parts->inputs, arena, &input));
  assert_true(tn_list_add(&parts->misses, arena, miss));
  tn_preamble_write(parts, key, out);
}

static void damaged_files(void **state) {
  (void)state;
  const uint8_t key[TN_BLAKE3_SIZE] = {1, 2, 3};
  const uint8_t other[TN_BLAKE3_SIZE] = {1, 2, 4};
  tn_arena arena;
  tn_buf bytes;
  tn_preamble_parts parts;
  tn_arena_init(&arena);
  tn_buf_init(&bytes, 1 << 16);
  make_sample(&parts, &arena, key, &bytes);
  assert_true(tn_preamble_read(tn_buf_bytes(&bytes), key, false, &arena, &parts));
  assert_int_equal(parts.header.size, 8);
  assert_string_equal(((tn_clang_input *)parts.inputs.items[0])->name, "/a/b.h");
  assert_int_equal(((tn_clang_input *)parts.inputs.items[0])->size, 9);
  assert_string_equal(parts.misses.items[0], "/c/d.h");
  assert_false(tn_preamble_read(tn_buf_bytes(&bytes), other, false, &arena, &parts));
  for (size_t size = 0; size < bytes.size; size++) {
    char *exact = size > 0 ? tn_alloc(size) : NULL;  // so that a read behind it is noticed
    if (exact) {
      memcpy(exact, bytes.data, size);
    }
    assert_false(tn_preamble_read(tn_bytes_from(exact, size), key, false, &arena, &parts));
    tn_free(exact);
  }
  for (size_t at = 0; at < bytes.size; at++) {
    bytes.data[at] ^= 0x40;
    assert_false(tn_preamble_read(tn_buf_bytes(&bytes), key, false, &arena, &parts));
    bytes.data[at] ^= 0x40;
  }
  tn_buf_deinit(&bytes);
  tn_arena_deinit(&arena);
}

// The image, and the log, of a source with three headers of its own and the host's.
typedef struct outcome {
  char *image;
  size_t size;
  size_t input_count;
  char *log;
} outcome;

static outcome run(const char *rest, const char *option, tn_status expected) {
  char text[1024];
  (void)snprintf(text, sizeof(text),
                 "// kernels\n#include <array>\n#include <algorithm>\n#include \"kernel.h\"\n"
                 "#include \"one.h\"\n#define TWO 2\n#include \"two.h\"\n%s",
                 rest);
  source_build it;
  build_of_kernels(&it, text);
  it.params.source.name = "rtc_8.cpp";
  build_add_include(&it, "two.h", "inline int two(int x) { return std::max(x, TWO); }\n");
  char include[512];
  (void)snprintf(include, sizeof(include), "-I%s", folder);
  build_add_option(&it, include);
  if (option) {
    build_add_option(&it, option);
  }
  build_run(&it, expected);
  outcome out = {.size = it.result.fatbin_size, .input_count = it.result.input_count};
  out.image = tn_alloc(out.size + 1);
  if (out.size > 0) {
    memcpy(out.image, it.result.fatbin, out.size);
  }
  out.log = tn_str_copy(tn_str_from(it.result.log));
  build_end(&it);
  return out;
}

static void forget(outcome *out) {
  tn_free(out->image);
  tn_free(out->log);
}

#define REST "KERNEL void k(int *a) { a[0] = one() + two(3); }\n"

static size_t kept_files(const char *name) {
  DIR *files = opendir(path_of(name));
  size_t count = 0;
  assert_non_null(files);
  for (const struct dirent *at = readdir(files); at; at = readdir(files)) {
    count += strstr(at->d_name, ".tnpre") != NULL ? 1 : 0;
  }
  (void)closedir(files);
  return count;
}

// With and without, in memory and in files.
static void edited_headers(void **state) {
  (void)state;
  assert_int_equal(mkdir(path_of("kept"), 0700), 0);
  char persistent[600];
  (void)snprintf(persistent, sizeof(persistent), "--persistent-auto-pch=%s/kept", folder);
  const char *const options[] = {"--auto-pch", persistent};
  for (int number = 1; number < 4; number++) {
    char header[96];
    (void)snprintf(header, sizeof(header),
                   "#include \"inner.h\"\ninline int one() { return %s; }\n",
                   number == 3   ? "INNER"
                   : number == 2 ? "22"
                                 : "1");
    write_file("inner.h", number == 3 ? "#define INNER 33\n" : "");
    write_file("one.h", header);
    outcome plain = run(REST, NULL, TN_OK);
    for (size_t i = 0; i < TN_COUNT(options); i++) {
      outcome with = run(REST, options[i], TN_OK);
      assert_string_equal(with.log, "");
      assert_true(with.input_count >= plain.input_count);
      outcome changed =
          run("\n" REST "SYCL_EXTERNAL int more() { return one(); }\n", options[i], TN_OK);
      assert_true(changed.size != with.size);
      forget(&changed);
      outcome again = run(REST, options[i], TN_OK);
      assert_int_equal(again.size, with.size);
      assert_memory_equal(again.image, with.image, with.size);
      forget(&again);
      forget(&with);
    }
    forget(&plain);
  }
  assert_true(kept_files("kept") >= 1);
}

// What a kernel computes is what its header says now: constants are in the code.
static void never_an_old_one(void **state) {
  (void)state;
  outcome all[6];
  for (int i = 0; i < 6; i++) {
    char header[64];
    (void)snprintf(header, sizeof(header), "inline int one() { return %d; }\n", 1000 + i % 3);
    write_file("one.h", header);
    all[i] = run(REST, "--auto-pch", TN_OK);
  }
  for (int i = 0; i < 3; i++) {
    assert_int_equal(all[i].size, all[i + 3].size);
    assert_memory_equal(all[i].image, all[i + 3].image, all[i].size);
    const outcome *next = &all[i == 2 ? 0 : i + 1];
    assert_false(all[i].size == next->size && memcmp(all[i].image, next->image, next->size) == 0);
  }
  for (int i = 0; i < 6; i++) {
    forget(&all[i]);
  }
}

static void messages(void **state) {
  (void)state;
  write_file("one.h", "inline int one() { return 1; }\n#warning \"old header\"\n");
  for (int i = 0; i < 2; i++) {  // said each time
    outcome said = run(REST, "--auto-pch", TN_OK);
    expect_has(said.log, "old header");
    forget(&said);
  }
  write_file("one.h", "#define REPEATED 1\ninline int one() { return 1; }\n");
  outcome plain = run("#define TWO 3\n" REST "int a = absent;\n", NULL, TN_BUILD_FAILED);
  outcome with = run("#define TWO 3\n" REST "int a = absent;\n", "--auto-pch", TN_BUILD_FAILED);
  expect_has(with.log, "rtc_8.cpp:6:9: note: previous definition is here");
  assert_string_equal(with.log, plain.log);
  forget(&plain);
  forget(&with);
}

static void folders(void **state) {
  (void)state;
  write_file("one.h", "inline int one() { return 5; }\n");
  write_file("file", "");
  char option[600];
  (void)snprintf(option, sizeof(option), "--persistent-auto-pch=%s/file", folder);
  outcome into_file = run(REST, option, TN_OK);
  expect_has(into_file.log, "nothing is kept there");
  forget(&into_file);
  (void)snprintf(option, sizeof(option), "--persistent-auto-pch=%s/none/there", folder);
  outcome into_nothing = run(REST, option, TN_OK);
  expect_has(into_nothing.log, "note: --persistent-auto-pch=");
  forget(&into_nothing);
  outcome unnamed = run(REST, "--persistent-auto-pch=", TN_INVALID_ARGUMENT);
  forget(&unnamed);
}

static int begin(void **state) {
  (void)state;
  return tn_temp_dir_create("preamble-test", &folder, NULL) == TN_OK ? 0 : -1;
}

static int end(void **state) {
  (void)state;
  tn_temp_dir_remove(folder);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(where_it_ends),  cmocka_unit_test(damaged_files),
      cmocka_unit_test(edited_headers), cmocka_unit_test(never_an_old_one),
      cmocka_unit_test(messages),       cmocka_unit_test(folders),
  };
  return cmocka_run_group_tests_name("preamble", tests, begin, end);
}
