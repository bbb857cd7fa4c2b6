// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Precompiles what sources begin with, and lists what it was made of.
#include "compile/preamble/preamble_make.h"

#include <stdlib.h>

#include "base/log.h"

static bool keep_lists(const tn_clang_result *result, tn_preamble_parts *out, tn_arena *arena) {
  bool is_whole = true;
  for (size_t i = 0; is_whole && i < result->inputs.count; i++) {
    tn_clang_input *input = result->inputs.items[i];
    static const uint8_t changed[TN_BLAKE3_SIZE];
    // One that was opened and not read is no part of what was made; one that changed while it was
    // read has no hash.
    is_whole = !input->is_read || memcmp(input->hash, changed, sizeof(changed)) != 0;
    if (is_whole && input->is_read && !input->is_in_memory) {
      is_whole = tn_list_add(&out->inputs, arena, input);
    }
  }
  out->misses = result->misses;
  out->dependencies = result->dependencies;
  out->imports = tn_buf_bytes(&result->imports);
  out->included = result->included;
  out->identifiers = tn_buf_bytes(&result->identifiers);
  return is_whole;
}

static int compare_identifiers(const void *left, const void *right) {
  uint32_t a = 0;
  uint32_t b = 0;
  memcpy(&a, left, sizeof(a));
  memcpy(&b, right, sizeof(b));
  return (a > b) - (a < b);
}

static const char *const *command_of(const tn_preamble_wanted *wanted, tn_arena *arena) {
  const char **words = tn_arena_alloc_array(arena, wanted->words.count + 5, sizeof(*words));
  if (words) {
    size_t count = 0;
    words[count++] = "clang";
    words[count++] = "-cc1";
    for (size_t i = 0; i < wanted->words.count; i++) {
      words[count++] = wanted->words.items[i];
    }
    if (!wanted->base) {  // as passes do it that have no precompiled header
      words[count++] = "-fpch-instantiate-templates";
    }
    words[count++] = wanted->name;
    words[count] = NULL;
  }
  return words;
}

static tn_status precompile(const tn_preamble_wanted *wanted, const char *root, tn_arena *arena,
                            tn_buf *header, tn_buf *log, tn_clang_result *result) {
  const tn_str text = wanted->part.text;
  tn_clang_file files[2] = {{wanted->name, tn_bytes_from(text.data, text.size)}};
  tn_clang_run run = {
      .args = command_of(wanted, arena),
      .files = files,
      .file_count = 1,
      .installation = root,
      .wants_names = true};
  if (wanted->base) {
    const tn_str under = wanted->base->part.text;
    files[run.file_count++] =
        (tn_clang_file){wanted->base->name, tn_bytes_from(under.data, under.size)};
    run.precompiled = wanted->base->found.header;
    run.wants_names = false;
  }
  return run.args ? tn_clang_precompile(&run, header, log, result, NULL) : TN_OUT_OF_MEMORY;
}

// What Clang says about it has to be said in each compilation: then there is no header, and the
// source is read as it is.
static bool is_silent(const tn_preamble_wanted *wanted, const tn_buf *log) {
  if (log->size > 0) {
    TN_LOG(driver, "%s: its beginning is not precompiled: %.*s", wanted->source,
           TN_STR_ARG(tn_buf_str(log)));
  }
  return log->size == 0;
}

bool tn_preamble_make(tn_preamble_wanted *wanted, const char *root) {
  tn_arena arena;
  tn_buf header;
  tn_buf log;
  tn_clang_result result;
  tn_arena_init(&arena);
  tn_buf_init(&header, TN_PREAMBLE_MAXIMUM);
  tn_buf_init(&log, TN_PREAMBLE_MAXIMUM);
  tn_clang_result_init(&result);
  const tn_status status = precompile(wanted, root, &arena, &header, &log, &result);
  tn_preamble_parts parts = {0};
  if (is_silent(wanted, &log) && status == TN_OK) {
    parts.header = tn_buf_bytes(&header);
  }
  if (result.identifiers.size > 0) {
    qsort(result.identifiers.data, result.identifiers.size / sizeof(uint32_t), sizeof(uint32_t),
          compare_identifiers);
  }
  bool is_made =
      (status == TN_OK || status == TN_BUILD_FAILED) && keep_lists(&result, &parts, &arena);
  if (is_made) {
    tn_buf_clear(wanted->bytes);
    tn_preamble_write(&parts, wanted->key, wanted->bytes);
    is_made = wanted->bytes->failed == TN_OK;
  }
  tn_clang_result_deinit(&result);
  tn_buf_deinit(&log);
  tn_buf_deinit(&header);
  tn_arena_deinit(&arena);
  return is_made;
}
