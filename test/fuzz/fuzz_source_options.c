// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzz target: options of builds at run time, a word a line; what is handed on to Clang is accepted
// again and comes out as it is, so that nothing refused is hidden in it.
#include "fuzz/fuzz_target.h"
#include "rtc/source_options.h"

enum { WORD_MAXIMUM = 64 };

static size_t split(tn_arena *arena, tn_str text, const char **words) {
  size_t count = 0;
  while (text.data && count < WORD_MAXIMUM) {
    const tn_str line = tn_str_split(&text, '\n');
    const char *word = tn_arena_str(arena, line);
    FUZZ_REQUIRE(word != NULL);
    words[count++] = word;
  }
  return count;
}

static tn_status read_words(tn_arena *arena, const char *const *words, size_t count,
                            tn_source_options *out) {
  const tn_source_words given = {words, count, TN_LANGUAGE_SYCL};
  tn_target target = tn_target_default();
  tn_diag diag = {0};
  tn_buf log;
  tn_buf_init(&log, (size_t)1 << 20);
  const tn_status status = tn_source_options_read(&given, arena, &target, out, &log, &diag);
  FUZZ_REQUIRE(status == TN_OK || diag.text[0] != '\0');
  (void)fuzz_touch_text(tn_str_from(tn_buf_text(&log)));
  tn_buf_deinit(&log);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *words[WORD_MAXIMUM];
  tn_arena arena;
  tn_source_options first;
  tn_source_options again;
  tn_arena_init(&arena);
  const size_t count = split(&arena, (tn_str){(const char *)data, size}, words);
  if (read_words(&arena, words, count, &first) == TN_OK) {
    const tn_list *list = &first.clang.list;
    FUZZ_REQUIRE(read_words(&arena, (const char *const *)list->items, list->count, &again) ==
                 TN_OK);
    FUZZ_REQUIRE(again.clang.list.count == list->count);
    for (size_t i = 0; i < list->count; i++) {
      FUZZ_REQUIRE(strcmp(tn_args_at(&again.clang, i), tn_args_at(&first.clang, i)) == 0);
    }
  }
  tn_arena_deinit(&arena);
  return 0;
}
