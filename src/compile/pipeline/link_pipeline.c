// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device link: units → groups → images, the groups side by side.
#include <stdatomic.h>

#include "base/host_function.h"
#include "base/thread.h"
#include "compile/pipeline/group.h"

enum { LINK_THREADS_MAXIMUM = 65 };

// Groups are taken in order; each is written by one thread only.
typedef struct link_run {
  tn_group_work *works;
  size_t count;
  atomic_size_t next;
  atomic_bool failed;
} link_run;

void tn_link_result_init(tn_link_result *result) {
  *result = (tn_link_result){0};
  tn_arena_init(&result->arena);
}

void tn_link_result_deinit(tn_link_result *result) {
  tn_buf_list_clear(&result->images);
  tn_buf_list_clear(&result->natives);
  tn_arena_deinit(&result->arena);
  *result = (tn_link_result){0};
}

static void *run_groups(void *user) {
  link_run *run = user;
  for (;;) {
    const size_t i = atomic_fetch_add(&run->next, 1);
    if (i >= run->count || atomic_load(&run->failed)) {
      return NULL;
    }
    tn_group_work_run(&run->works[i]);
    if (run->works[i].status != TN_OK) {
      atomic_store(&run->failed, true);
    }
  }
}

static void run_all(link_run *run, uint32_t threads) {
  const size_t most = threads < LINK_THREADS_MAXIMUM ? threads : LINK_THREADS_MAXIMUM;
  tn_thread_team team;
  tn_thread_team_start(&team, "device-link", most < run->count ? most : run->count, run_groups,
                       run);
  (void)run_groups(run);
  tn_thread_team_join(&team);
}

static tn_status take_results(link_run *run, tn_link_result *result, tn_buf *messages,
                              tn_diag *diag) {
  tn_status status = TN_OK;
  for (size_t i = 0; i < run->count; i++) {
    tn_group_work *work = &run->works[i];
    tn_buf_add_str(messages, tn_buf_str(&work->messages));
    result->cached_count += work->was_cached;
    if (status == TN_OK) {
      status = tn_group_work_take(work, &result->images, &result->natives, &result->arena, diag);
    }
  }
  return status;
}

static tn_status run_link(const tn_link_params *params, const tn_resolve *resolve,
                          tn_link_result *result, tn_buf *messages, tn_diag *diag) {
  link_run run = {.count = resolve->group_count};
  run.works = tn_arena_alloc_array(&result->arena, run.count, sizeof(*run.works));
  if (!run.works) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link device code");
  }
  // Threads that have no group help those that have.
  const uint32_t share = run.count > 0 ? params->threads / (uint32_t)run.count : 1;
  for (size_t i = 0; i < run.count; i++) {
    tn_group_work_init(&run.works[i], params, resolve, &resolve->groups[i]);
    run.works[i].threads = share > 1 ? share : 1;
  }
  run_all(&run, params->threads);
  result->group_count += run.count;
  const tn_status status = take_results(&run, result, messages, diag);
  for (size_t i = 0; i < run.count; i++) {
    tn_group_work_deinit(&run.works[i]);
  }
  return status;
}

static tn_status refuse_references(const tn_link_params *params, const tn_list *missing,
                                   tn_arena *arena, tn_buf *messages, tn_diag *diag) {
  size_t errors = 0;
  const char *first = NULL;
  for (size_t i = 0; i < missing->count; i++) {
    const tn_symbol_info *import = missing->items[i];
    if ((import->flags & TN_SYMBOL_WEAK) != 0 || tn_is_host_function(import->name)) {
      continue;
    }
    const char *shown = tn_demangle(arena, import->name);
    const char *sentence = tn_arena_format(
        arena, "'%.*s' uses the SYCL_EXTERNAL function '%s', which %s does not define; "
        "-fno-sycl-rdc links each translation unit by itself: define it there, or leave "
        "-fno-sycl-rdc out", TN_STR_ARG(import->user), shown ? shown : "?",
        params->inputs[0].name);
    const tn_place place = {import->file, import->line, 0};
    tn_place_write(messages, place, params->inputs[0].name);
    tn_buf_add_format(messages, "error: %s\n", sentence ? sentence : "a function is not defined");
    first = errors++ == 0 ? sentence : first;
  }
  return errors == 0 ? TN_OK
                     : TN_FAIL(diag, BUILD_FAILED, "%s", first ? first : "undefined functions");
}

static tn_status link_resolved(const tn_link_params *params, tn_resolve *resolve,
                               tn_link_result *result, tn_buf *messages, tn_diag *diag) {
  if (params->alone && !params->allow_imports) {
    tn_list missing = {0};
    TN_TRY(tn_resolve_missing(resolve, &missing, diag));
    TN_TRY(refuse_references(params, &missing, resolve->arena, messages, diag));
  }
  TN_TRY(tn_resolve_make_groups(resolve, params->split, diag));
  return run_link(params, resolve, result, messages, diag);
}

tn_status tn_pipeline_link(const tn_link_params *params, tn_link_result *result, tn_buf *messages,
                           tn_diag *diag) {
  if (params->input_count == 0) {
    return TN_OK;
  }
  tn_arena arena;
  tn_arena_init(&arena);
  tn_resolve resolve;
  tn_status status = tn_resolve_init(&resolve, &arena, params->inputs, params->input_count,
                                     messages, diag);
  if (status == TN_OK) {
    status = link_resolved(params, &resolve, result, messages, diag);
  }
  tn_resolve_deinit(&resolve);
  tn_arena_deinit(&arena);
  return status;
}

tn_status tn_pipeline_missing(const tn_link_input *inputs, size_t count, tn_arena *arena,
                              tn_list *out, tn_diag *diag) {
  tn_buf messages;
  tn_buf_init(&messages, 1 << 24);
  tn_resolve resolve;
  tn_status status = tn_resolve_init(&resolve, arena, inputs, count, &messages, diag);
  if (status == TN_OK) {
    status = tn_resolve_missing(&resolve, out, diag);
  }
  tn_resolve_deinit(&resolve);
  tn_buf_deinit(&messages);
  return status;
}

tn_status tn_pipeline_exports(const tn_link_input *input, tn_arena *arena, tn_list *out,
                              tn_diag *diag) {
  tn_unit_symbols symbols;
  TN_TRY(tn_unit_symbols_read(input, arena, &symbols, diag));
  for (size_t i = 0; i < symbols.export_count; i++) {
    if (!tn_list_add(out, arena, &symbols.exports[i])) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the symbols of device code");
    }
  }
  return TN_OK;
}
