// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sources of unusual size and names: ten thousand includes side by side and inside each other, a
// source of 50 MB, names with odd bytes. Nothing ends the process, and what is refused is told.
#include "unit/rtc/source_build.h"

#include <stdio.h>

enum { MANY = 10000 };

static char (*many_names)[32];
static char (*many_texts)[64];
static tn_source_file *many;

static tn_status build_many(const char *text, size_t count, const char *part) {
  const tn_compiler *compiler = tn_compiler_query(TN_COMPILER_VERSION);
  source_build it;
  build_of(&it, text);
  it.params.includes = many;
  it.params.include_count = count;
  const tn_status status = compiler->compile_source(&it.params, &it.result, &it.diag);
  if (status != TN_OK || part[0] != '\0') {
    expect_has(it.result.log, part);
    assert_int_not_equal(it.diag.text[0], '\0');
  }
  build_end(&it);
  return status;
}

static void make_many(bool is_chain) {
  for (size_t i = 0; i < MANY; i++) {
    (void)snprintf(many_names[i], sizeof(many_names[i]), "many/f%zu.h", i);
    if (is_chain && i + 1 < MANY) {
      (void)snprintf(many_texts[i], sizeof(many_texts[i]), "#include \"f%zu.h\"\n", i + 1);
    } else {
      (void)snprintf(many_texts[i], sizeof(many_texts[i]), "inline int f%zu() { return 1; }\n", i);
    }
    many[i] = (tn_source_file){many_names[i], many_texts[i], strlen(many_texts[i])};
  }
  many[MANY] = (tn_source_file){"kernel.h", SOURCE_STAND_IN, strlen(SOURCE_STAND_IN)};
}

#define KERNEL_TEXT "KERNEL void k(int *a) { *a = f0() + f9999(); }\n"

static void many_side_by_side(void **state) {
  (void)state;
  make_many(false);
  static const char *const forms[] = {"#include \"many/f%zu.h\"\n", "#include <many/f%zu.h>\n"};
  for (size_t form = 0; form < TN_COUNT(forms); form++) {
    tn_buf text;
    tn_buf_init(&text, 1 << 20);
    tn_buf_add_text(&text, "#include \"kernel.h\"\n");
    for (size_t i = 0; i < MANY; i++) {
      tn_buf_add_format(&text, forms[form], i);
    }
    tn_buf_add_text(&text, KERNEL_TEXT);
    assert_int_equal(build_many(tn_buf_text(&text), MANY + 1, ""), TN_OK);
    tn_buf_deinit(&text);
  }
}

static void many_inside_each_other(void **state) {
  (void)state;
  make_many(true);
  assert_int_equal(build_many("#include \"kernel.h\"\n#include \"many/f0.h\"\nKERNEL void k() {}\n",
                              MANY + 1, "#include nested too deeply"),
                   TN_BUILD_FAILED);
}

static void fifty_megabytes(void **state) {
  (void)state;
  enum { SIZE = 50 << 20 };
  char *text = tn_alloc(SIZE + 1);
  memset(text, ' ', SIZE);
  source_build it;
  build_of(&it, "");
  it.params.source = (tn_source_file){"rtc_9.cpp", text, SIZE};
  build_run(&it, TN_INVALID_ARGUMENT);
  expect_has(it.diag.text, "bytes are too many to compile (a file may have 32 MiB)");
  expect_has(it.diag.text, "rtc_9.cpp");
  build_end(&it);
  tn_free(text);
}

// The compiler itself takes whatever the runtime lets through, and more.
static void odd_names(void **state) {
  (void)state;
  static const char *const names[] = {"a b.h", "\xff\xfe.h", "a\nb.h", "\"quoted\".h", "a//b.h",
                                      "./c.h", "d/../e.h",   "%s%n.h", "-I.h",         "\\x.h"};
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    source_build it;
    build_of_kernels(&it, "#include \"kernel.h\"\nKERNEL void k() {}\n");
    build_add_include(&it, names[i], "int odd;\n");
    build_run(&it, TN_OK);
    build_end(&it);
  }
  // The source's own name hides nothing of the source.
  source_build it;
  build_of_kernels(&it, "#include \"kernel.h\"\nKERNEL void own() {}\n");
  build_add_include(&it, "rtc_7.cpp", "#error the other text\n");
  build_run(&it, TN_OK);
  build_end(&it);
}

int main(void) {
  many_names = tn_alloc_array(MANY + 1, sizeof(*many_names));
  many_texts = tn_alloc_array(MANY + 1, sizeof(*many_texts));
  many = tn_alloc_array(MANY + 1, sizeof(*many));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(many_side_by_side),
      cmocka_unit_test(many_inside_each_other),
      cmocka_unit_test(fifty_megabytes),
      cmocka_unit_test(odd_names),
  };
  const int failed = cmocka_run_group_tests_name("source_bulk", tests, NULL, NULL);
  tn_free(many);
  tn_free(many_texts);
  tn_free(many_names);
  return failed;
}
