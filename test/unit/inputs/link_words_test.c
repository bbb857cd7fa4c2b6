// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files and libraries a link's words name, under which state; and those of linker scripts.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compile/inputs/inputs.h"
#include "compile/inputs/link_words.h"

static tn_arena arena;

static tn_status add_word(void *user, const tn_link_word *word, tn_diag *diag) {
  (void)diag;
  tn_buf_add_format(user, "%s%s%s%s ", word->library ? "-l" : "",
                    word->library ? word->library : word->file, word->is_static ? "!static" : "",
                    word->is_whole ? "!whole" : "");
  return TN_OK;
}

static void expect(const char *line, const char *expected) {
  tn_args words;
  tn_command command;
  tn_buf out;
  tn_args_init(&words, &arena);
  tn_buf_init(&out, 1 << 12);
  tn_str rest = tn_str_from(line);
  while (rest.data) {
    tn_args_add(&words, tn_arena_str(&arena, tn_str_split(&rest, ' ')));
  }
  assert_int_equal(tn_command_parse(&words, &command, NULL), TN_OK);
  assert_int_equal(tn_link_words_walk(&command, add_word, &out, NULL), TN_OK);
  assert_string_equal(tn_buf_text(&out), expected);
  tn_buf_deinit(&out);
}

static void words_are_read_in_order(void **state) {
  (void)state;
  expect("-fsycl a.o -lx lib.a -l y", "a.o -lx lib.a -ly ");
  expect("-fsycl -Wl,a.o,-lx,--library=y,--library,z -Xlinker b.o", "a.o -lx -ly -lz b.o ");
  expect("-fsycl -Wl,-l -Wl,x -Xlinker -l -Xlinker y", "-lx -ly ");
  expect("-fsycl -Wl,-rpath,d.o -Wl,-soname,b.o,-z,defs,-u,e,c.o -Xlinker --entry -Xlinker m",
         "c.o ");
  expect("-fsycl -Wl,--start-group,a.a,b.a,--end-group -Wl,--export-dynamic c.o", "a.a b.a c.o ");
}

static void states_are_kept(void **state) {
  (void)state;
  expect("-fsycl -Wl,-Bstatic -la -Wl,-Bdynamic -lb", "-la!static -lb ");
  expect("-fsycl -Wl,--whole-archive a.a -Wl,--no-whole-archive b.a", "a.a!whole b.a ");
  expect(
      "-fsycl -Wl,-whole-archive,-Bstatic a.a -Wl,--push-state,--no-whole-archive b.a "
      "-Wl,--pop-state c.a",
      "a.a!static!whole b.a!static c.a!static!whole ");
  expect("-fsycl -Wl,--pop-state,--pop-state a.a", "a.a ");
}

static void expect_script(const char *text, const char *expected) {
  tn_list names = {0};
  tn_buf out;
  tn_buf_init(&out, 1 << 12);
  assert_int_equal(tn_link_script_read(tn_bytes_from(text, strlen(text)), &arena, &names, NULL),
                   TN_OK);
  for (size_t i = 0; i < names.count; i++) {
    tn_buf_add_format(&out, "%s ", (const char *)names.items[i]);
  }
  assert_string_equal(tn_buf_text(&out), expected);
  tn_buf_deinit(&out);
}

static void scripts_are_read(void **state) {
  (void)state;
  expect_script(
      "/* GNU ld script: libnot.a */\nOUTPUT_FORMAT(elf64-x86-64)\n"
      "GROUP ( /lib/libc.so.6 libx.a  AS_NEEDED ( -ly ) )",
      "libx.a -ly ");
  expect_script("INPUT(a.o,b.a)", "a.o b.a ");
  expect_script("libx.a -ly", "");
  expect_script("/* never ends INPUT(a.a)", "");
  expect_script("", "");
}

static void definitions_are_found_in_traces(void **state) {
  (void)state;
  const tn_str gnu = TN_STR_LIT(
      "a.o\n/usr/bin/ld: a.o: reference to f\n"
      "/usr/bin/ld: ./lib x.a(m.o): definition of f\n");
  const tn_str lld = TN_STR_LIT("lib.a(m.o): lazy definition of g\nb.o: definition of ff\n");
  assert_true(tn_link_trace_defines(lld, gnu, TN_STR_LIT("f")));
  assert_true(tn_link_trace_defines(lld, gnu, TN_STR_LIT("ff")));
  assert_false(tn_link_trace_defines(lld, gnu, TN_STR_LIT("g")));
  assert_false(tn_link_trace_defines((tn_str){0}, (tn_str){0}, TN_STR_LIT("f")));
}

static int set_up(void **state) {
  (void)state;
  tn_arena_init(&arena);
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  tn_arena_deinit(&arena);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_read_in_order),
      cmocka_unit_test(states_are_kept),
      cmocka_unit_test(scripts_are_read),
      cmocka_unit_test(definitions_are_found_in_traces),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
