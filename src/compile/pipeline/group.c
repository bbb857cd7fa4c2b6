// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One group: link its units, settle what stays visible, simplify, split, write images.
#include "compile/pipeline/group.h"

#include "compile/link/link.h"
#include "compile/check/check.h"
#include "compile/lower/lower.h"
#include "compile/pipeline/compress_images.h"
#include "compile/pipeline/group_key.h"
#include "compile/pipeline/group_pieces.h"
#include "compile/pipeline/ready_unit.h"
#include "compile/pipeline/simplify.h"

void tn_group_work_init(tn_group_work *work, const tn_link_params *params,
                        const tn_resolve *resolve, const tn_resolve_group *group) {
  *work = (tn_group_work){
      .params = params, .resolve = resolve, .group = group, .threads = 1};
  tn_arena_init(&work->arena);
  tn_buf_init(&work->messages, TN_GROUP_BUFFER_MAXIMUM);
}

void tn_group_work_deinit(tn_group_work *work) {
  tn_buf_list_clear(&work->images);
  tn_buf_list_clear(&work->natives);
  tn_buf_deinit(&work->messages);
  tn_arena_deinit(&work->arena);
}

tn_status tn_group_work_take(tn_group_work *work, tn_list *images, tn_list *natives,
                             tn_arena *arena, tn_diag *diag) {
  if (work->status != TN_OK) {
    if (diag) {
      *diag = work->diag;
    }
    return work->status;
  }
  return tn_buf_list_move(&work->images, images, arena) &&
                 tn_buf_list_move(&work->natives, natives, arena)
             ? TN_OK
             : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device images");
}

static bool is_kept(const void *user, tn_str symbol) { return tn_resolve_is_kept(user, symbol); }

static tn_status link_units(tn_group_work *work, tn_llvm_job *job, LLVMModuleRef *out,
                            tn_diag *diag) {
  const tn_resolve_group *group = work->group;
  tn_ready_unit *ready = work->params->ready;
  if (ready) {
    *out = ready->module;
    ready->module = NULL;
    return TN_OK;
  }
  tn_link_source *sources =
      tn_arena_alloc_array(&work->arena, group->unit_count, sizeof(*sources));
  if (!sources) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link device code");
  }
  for (size_t i = 0; i < group->unit_count; i++) {
    const tn_link_input *input = work->resolve->units[group->units[i]].input;
    sources[i] = (tn_link_source){.bitcode = input->bitcode, .name = input->name};
  }
  return tn_link_units(job, sources, group->unit_count, group->own_count, out, diag);
}

// Lists of symbols stand beside the bitcode, so they may speak of what is not there.
static tn_status check_kept(const tn_group_work *work, LLVMModuleRef module, tn_diag *diag) {
  const tn_resolve_group *group = work->group;
  for (size_t i = 0; i < group->kept_count; i++) {
    const tn_str name = group->kept[i];
    LLVMValueRef function = LLVMGetNamedFunctionWithLength(module, name.data, name.size);
    if (!function || !tn_function_is_defined(function)) {
      return TN_FAIL(diag, BAD_IMAGE,
                     "%s: its list of symbols names '%.*s', which its device code does not "
                     "define; compile it again",
                     work->resolve->units[group->units[0]].input->name, TN_STR_ARG(name));
    }
  }
  return TN_OK;
}

// A program may declare functions of the C library SYCL_EXTERNAL, to define some of them itself.
// Those that it does not define are the library's: imports would be undefined.
static void bind_library(const tn_group_work *work, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!tn_function_is_defined(f) && tn_function_is_external(f) &&
        tn_resolve_is_library(work->resolve, tn_value_name(f))) {
      tn_function_remove_attr(f, TN_ATTR_MODULE_ID);
    }
  }
}

// Whether a unit was compiled with -O0.
static bool has_unoptimized(const tn_group_work *work) {
  const tn_resolve_group *group = work->group;
  bool has = false;
  for (size_t i = 0; i < group->unit_count; i++) {
    has = has || !work->resolve->units[group->units[i]].symbols.is_simplified;
  }
  return has;
}

static tn_status simplify(const tn_group_work *work, tn_llvm_job *job, LLVMModuleRef module,
                          tn_diag *diag) {
  const uint32_t opt_level = work->params->opt_level;
  if (has_unoptimized(work)) {
    return tn_simplify_unoptimized(job, module, opt_level, diag);
  }
  return work->group->unit_count == 1 ? tn_module_run_passes(job, module, "globaldce", NULL, diag)
                                      : tn_simplify(job, module, opt_level, diag);
}

static tn_status prepare(tn_group_work *work, tn_llvm_job *job, LLVMModuleRef module,
                         tn_diag *diag) {
  const tn_link_params *params = work->params;
  TN_TRY(check_kept(work, module, diag));
  TN_TRY(tn_check_linked(module, params->output ? params->output : "device code",
                               &work->arena, &work->messages, diag));
  if (work->group->unit_count > 1) {
    TN_TRY(tn_lower_note_aspects(module, &work->arena, diag));
  }
  bind_library(work, module);
  tn_lower_internalize(module, is_kept, work->group);
  return simplify(work, job, module, diag);
}

static tn_status make_images(tn_group_work *work, tn_llvm_job *job, const char *id,
                             tn_diag *diag) {
  LLVMModuleRef module = NULL;
  TN_TRY(link_units(work, job, &module, diag));
  const tn_status status = prepare(work, job, module, diag);
  if (status != TN_OK) {
    LLVMDisposeModule(module);
    return status;
  }
  return tn_group_write_pieces(work, job, module, id, diag);
}

// Code that other makers' compilers and libraries had a part in is not kept: the key does not know
// them.
static const tn_link_cache *cache_of(const tn_group_work *work) {
  const tn_target *target = work->params->target;
  const bool is_ours = target->kind == TN_TARGET_CPU ||
                       (target->kind == TN_TARGET_SPIRV && !target->tool);
  return is_ours ? work->params->cache : NULL;
}

static bool find_cached(tn_group_work *work, const uint8_t *key) {
  const tn_link_cache *cache = cache_of(work);
  tn_buf bytes;
  tn_buf_init(&bytes, TN_GROUP_BUFFER_MAXIMUM);
  const bool found = cache && cache->get(cache->user, key, &bytes) &&
                     tn_group_result_get(work, tn_buf_bytes(&bytes));
  if (!found) {
    tn_buf_list_clear(&work->images);
    tn_buf_list_clear(&work->natives);
  }
  tn_buf_deinit(&bytes);
  return found;
}

// What had something to say is made again, so that it says it again.
static void keep_cached(const tn_group_work *work, const uint8_t *key) {
  const tn_link_cache *cache = cache_of(work);
  tn_buf bytes;
  tn_buf_init(&bytes, TN_GROUP_BUFFER_MAXIMUM);
  if (cache && work->messages.size == 0 && tn_group_result_put(work, &bytes, NULL) == TN_OK) {
    cache->put(cache->user, key, tn_buf_bytes(&bytes));
  }
  tn_buf_deinit(&bytes);
}

void tn_group_work_run(tn_group_work *work) {
  uint8_t key[TN_GROUP_KEY_SIZE];
  char id[17];
  tn_group_key_make(work, key);
  for (size_t i = 0; i < sizeof(id) - 1; i++) {
    id[i] = "0123456789abcdef"[key[i / 2] >> (i % 2 == 0 ? 4 : 0) & 15];
  }
  id[sizeof(id) - 1] = '\0';
  work->was_cached = find_cached(work, key);
  if (work->was_cached) {
    return;
  }
  tn_ready_unit *ready = work->params->ready;  // the group's work is done in its context
  tn_llvm_job own = {0};
  work->status = ready ? TN_OK : tn_llvm_job_init(&own, &work->diag);
  if (work->status == TN_OK) {
    work->status = make_images(work, ready ? &ready->llvm : &own, id, &work->diag);
  }
  if (work->status == TN_OK) {
    work->status =
        tn_compress_images(&work->images, work->params->compression_level, &work->diag);
  }
  tn_llvm_job_deinit(&own);
  if (work->status == TN_OK) {
    keep_cached(work, key);
  }
}
