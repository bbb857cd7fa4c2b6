// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a source is compiled with the headers that this library carries: which run of Clang, or two.
#include "rtc/carried_pch.h"
#include "rtc/carried_scan.h"
#include "rtc/source_preamble.h"

// The run with the carried headers behind its own files.
static tn_status add_files(tn_clang_run *run, tn_arena *arena, tn_diag *diag) {
  size_t count = 0;
  const tn_clang_file *carried = tn_carried_files(&count);
  tn_clang_file *all = tn_arena_alloc_array(arena, run->file_count + count, sizeof(*all));
  if (!all) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the list of headers");
  }
  memcpy(all, run->files, run->file_count * sizeof(*all));
  memcpy(all + run->file_count, carried, count * sizeof(*all));
  run->files = all;
  run->file_count += count;
  return TN_OK;
}

static tn_status add_words(tn_clang_run *run, const char *const *words, size_t count,
                           tn_arena *arena, tn_diag *diag) {
  tn_list all = {0};
  bool is_whole = tn_list_add(&all, arena, run->args[0]);
  for (size_t i = 0; i < count; i++) {
    is_whole = is_whole && tn_list_add(&all, arena, words[i]);
  }
  for (size_t i = 1; run->args[i]; i++) {
    is_whole = is_whole && tn_list_add(&all, arena, run->args[i]);
  }
  if (!is_whole || !tn_list_add(&all, arena, NULL)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the words of a command line");
  }
  run->args = (const char *const *)all.items;
  return TN_OK;
}

// The standard headers that Tenon carries in place of the host's.
static tn_status add_lean_words(tn_clang_run *run, tn_arena *arena, tn_diag *diag) {
  static const char *const words[] = {"-nostdinc", "-isystem", "/tenon/std"};
  return add_words(run, words, TN_COUNT(words), arena, diag);
}

// Before the host's: those that device code needs in another form. Behind them: those that are a
// compiler's own, where Clang is not installed.
static tn_status add_full_words(tn_clang_run *run, tn_arena *arena, tn_diag *diag) {
  static const char *const words[] = {"-isystem", "/tenon/include/sycl/detail/device_std",
                                      "-idirafter", "/tenon/std"};
  return add_words(run, words, TN_COUNT(words), arena, diag);
}

// Whether the host's headers may be what the source missed.
static bool misses_headers(const tn_buf *log) {
  const tn_str text = tn_buf_str(log);
  return tn_str_find(text, TN_STR_LIT("file not found")) != SIZE_MAX ||
         tn_str_find(text, TN_STR_LIT("std")) != SIZE_MAX;
}

// A program may bring headers of its own under these names.
static bool replaces_headers(const tn_clang_run *run) {
  size_t carried = 0;
  (void)tn_carried_files(&carried);
  for (size_t i = 0; i + carried < run->file_count; i++) {
    if (tn_str_find(tn_str_from(run->files[i].name), TN_STR_LIT("/sycl/")) != SIZE_MAX) {
      return true;
    }
  }
  return false;
}

static tn_bytes precompiled_for(const tn_clang_run *run, const tn_carried_options *options,
                                tn_arena *arena, tn_list *words) {
  const tn_bytes text = run->files[0].text;
  if (replaces_headers(run) ||
      !tn_carried_scan_begins_with_sycl((tn_str){(const char *)text.data, text.size}) ||
      !tn_carried_pch_words(run, arena, words)) {
    return (tn_bytes){0};
  }
  return tn_carried_pch_get(words, options);
}

// What a precompiled header brings is not in the print of the source.
static void complete_print(const tn_clang_run *run, const char *headers, const tn_list *words,
                           tn_clang_result *result) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add(&hash, headers, strlen(headers) + 1);
  for (size_t i = 1; run->precompiled.size > 0 && i < words->count; i++) {
    tn_blake3_add(&hash, words->items[i], strlen(words->items[i]) + 1);
  }
  tn_blake3_add(&hash, result->print, sizeof(result->print));
  tn_blake3_finish(&hash, result->print);
}

typedef tn_status (*clang_function)(const tn_clang_run *run, tn_buf *out, tn_buf *log,
                                    tn_clang_result *result, tn_diag *diag);

// Whether what the source begins with is to be precompiled, and is not only what Tenon brings so.
static bool wants_preamble(const tn_clang_run *run, const tn_carried_options *options) {
  const tn_bytes bytes = run->files[0].text;
  const tn_str text = {(const char *)bytes.data, bytes.size};
  size_t include_count = 0;
  return options && (options->auto_pch || options->pch_folder) &&
         tn_preamble_size(text, &include_count) > 0 &&
         (include_count > 1 || !tn_carried_scan_begins_with_sycl(text));
}

// With the precompiled preamble, if the source has one.
static tn_status run_with_preamble(clang_function function, const tn_clang_run *run,
                                   const tn_carried_options *options, tn_arena *arena, tn_buf *out,
                                   tn_buf *log, tn_clang_result *result, tn_diag *diag) {
  tn_buf notes;
  tn_buf_init(&notes, 1 << 16);
  tn_clang_run changed = *run;
  tn_preamble *preamble = tn_preamble_get(run, options, &notes);
  if (preamble && !tn_preamble_apply(preamble, &changed, arena)) {
    tn_preamble_release(preamble);
    preamble = NULL;
  }
  tn_status status = function(preamble ? &changed : run, out, log, result, diag);
  if (preamble && !tn_preamble_complete(preamble, run, log, result) && status == TN_OK) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of headers");
  }
  tn_buf_add_str(log, tn_buf_str(&notes));
  tn_buf_deinit(&notes);
  tn_preamble_release(preamble);
  return status;
}

// Without the host's headers; *out_is_over when that is the answer, also a failure.
static tn_status run_lean(clang_function function, const tn_clang_run *full,
                          const tn_carried_options *options, tn_arena *arena, tn_buf *out,
                          tn_buf *log, tn_clang_result *result, bool *out_is_over, tn_diag *diag) {
  tn_clang_run run = *full;
  TN_TRY(add_lean_words(&run, arena, diag));
  tn_list words = {0};
  tn_status status = TN_OK;
  if (wants_preamble(&run, options)) {
    status = run_with_preamble(function, &run, options, arena, out, log, result, diag);
  } else {
    run.precompiled = options ? precompiled_for(&run, options, arena, &words) : (tn_bytes){0};
    status = function(&run, out, log, result, diag);
  }
  complete_print(&run, "lean", &words, result);
  *out_is_over = status != TN_BUILD_FAILED || !misses_headers(log);
  if (!*out_is_over) {
    tn_buf_clear(out);
    tn_buf_clear(log);
    tn_clang_result_deinit(result);
    tn_clang_result_init(result);
  }
  return status;
}

static tn_status run_carried(clang_function function, const tn_clang_run *run,
                             const tn_carried_options *options, tn_buf *out, tn_buf *log,
                             tn_clang_result *result, tn_diag *diag) {
  tn_clang_run full = *run;
  tn_arena arena;
  tn_arena_init(&arena);
  const bool is_lean = tn_carried_scan_is_lean(run);
  bool is_over = false;
  tn_status status = add_files(&full, &arena, diag);
  if (status == TN_OK && is_lean) {
    status = run_lean(function, &full, options, &arena, out, log, result, &is_over, diag);
  } else if (status != TN_OK) {
    is_over = true;
  }
  if (!is_over) {
    status = add_full_words(&full, &arena, diag);
  }
  if (!is_over && status == TN_OK) {
    status = wants_preamble(&full, options)
                 ? run_with_preamble(function, &full, options, &arena, out, log, result, diag)
                 : function(&full, out, log, result, diag);
    complete_print(&full, "full", &(tn_list){0}, result);
  }
  tn_arena_deinit(&arena);
  return status;
}

tn_status tn_carried_compile(const tn_clang_run *run, const tn_carried_options *options,
                             tn_buf *out_bitcode, tn_buf *log, tn_clang_result *result,
                             tn_diag *diag) {
  return run_carried(tn_clang_compile, run, options, out_bitcode, log, result, diag);
}

static tn_status print(const tn_clang_run *run, tn_buf *out, tn_buf *log, tn_clang_result *result,
                       tn_diag *diag) {
  (void)out;
  return tn_clang_print(run, log, result, diag);
}

tn_status tn_carried_print(const tn_clang_run *run, const tn_carried_options *options, tn_buf *log,
                           tn_clang_result *result, tn_diag *diag) {
  tn_buf none;
  tn_buf_init(&none, 0);
  const tn_status status = run_carried(print, run, options, &none, log, result, diag);
  tn_buf_deinit(&none);
  return status;
}

tn_status tn_carried_preprocess(const tn_clang_run *run, tn_buf *out, tn_buf *log,
                                tn_clang_result *result, tn_diag *diag) {
  return run_carried(tn_clang_preprocess, run, NULL, out, log, result, diag);
}
