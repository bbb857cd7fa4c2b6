// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes what goes into a group, and packs what comes out.
#include "compile/pipeline/group_key.h"

#include <llvm-c/blake3.h>

#include "compile/emit/emit.h"
#include "image/image_bytes.h"

#ifndef TN_VERSION
#define TN_VERSION "unknown"
#endif
// To be raised with every change of what device code becomes.
#define RESULT_GENERATION "4"

enum { TOOLS_MAXIMUM = 1 << 16 };

static void add_bytes(llvm_blake3_hasher *hasher, const void *data, size_t size) {
  uint8_t length[8];
  tn_store_u64(length, size);
  llvm_blake3_hasher_update(hasher, length, sizeof(length));
  llvm_blake3_hasher_update(hasher, data, size);
}

static void add_text(llvm_blake3_hasher *hasher, const char *text) {
  add_bytes(hasher, text ? text : "", text ? strlen(text) : 0);
}

static void add_number(llvm_blake3_hasher *hasher, uint64_t number) {
  uint8_t bytes[8];
  tn_store_u64(bytes, number);
  llvm_blake3_hasher_update(hasher, bytes, sizeof(bytes));
}

// "native" is another processor on another machine; and names that are not known fail later.
static void add_processor(llvm_blake3_hasher *hasher, const char *name) {
  tn_cpu_processor processor;
  const bool is_this_machine = name && strcmp(name, "native") == 0;
  if (is_this_machine && tn_cpu_processor_init(&processor, name, NULL) == TN_OK) {
    add_text(hasher, tn_buf_text(&processor.tune));
    add_text(hasher, tn_buf_text(&processor.needs));
  }
  if (is_this_machine) {
    tn_cpu_processor_deinit(&processor);
  }
  add_text(hasher, name);
}

// A toolkit that is installed later makes other code.
static void add_tools(llvm_blake3_hasher *hasher, const tn_link_params *params) {
  tn_buf tools;
  tn_buf_init(&tools, TOOLS_MAXIMUM);
  tn_emit_tools(params->target, params->cuda_path, &tools);
  add_bytes(hasher, tools.data, tools.size);
  tn_buf_deinit(&tools);
}

static void add_params(llvm_blake3_hasher *hasher, const tn_link_params *params) {
  const tn_target *target = params->target;
  add_text(hasher, target->word);
  add_text(hasher, target->name);
  add_text(hasher, target->triple);
  add_number(hasher, (uint64_t)target->kind);
  add_number(hasher, target->is_aot);
  add_number(hasher, target->max_registers);
  add_text(hasher, params->output);
  add_processor(hasher, target->processor);
  add_text(hasher, params->cuda_path);
  add_tools(hasher, params);
  add_number(hasher, params->opt_level);
  add_number(hasher, (uint64_t)params->debug | (uint64_t)params->alone << 1 |
                         (uint64_t)params->allow_imports << 2 | (uint64_t)params->embed_ir << 3);
  add_number(hasher, (uint64_t)params->split);
  add_number(hasher, params->compression_level);
  size_t words = 0;
  while (params->tool_words && params->tool_words[words]) {
    add_text(hasher, params->tool_words[words++]);
  }
  add_number(hasher, words);
}

// Other units of the link decide which imports are the C library's.
static void add_library(llvm_blake3_hasher *hasher, const tn_resolve *resolve,
                        const tn_unit_symbols *symbols) {
  for (size_t i = 0; i < symbols->import_count; i++) {
    add_number(hasher, tn_resolve_is_library(resolve, symbols->imports[i].name));
  }
}

void tn_group_key_make(const tn_group_work *work, uint8_t out[TN_GROUP_KEY_SIZE]) {
  llvm_blake3_hasher hasher;
  llvm_blake3_hasher_init(&hasher);
  add_text(&hasher, "tenon device link " RESULT_GENERATION);
  add_text(&hasher, TN_VERSION);
  unsigned major = 0;
  unsigned minor = 0;
  unsigned patch = 0;
  LLVMGetVersion(&major, &minor, &patch);
  add_number(&hasher, (uint64_t)major << 32 | minor << 16 | patch);
  add_params(&hasher, work->params);
  const tn_resolve_group *group = work->group;
  add_number(&hasher, group->own_count);
  add_number(&hasher, group->unit_count);
  for (size_t i = 0; i < group->unit_count; i++) {
    const tn_resolve_unit *unit = &work->resolve->units[group->units[i]];
    add_number(&hasher, unit->symbols.is_simplified);
    add_bytes(&hasher, unit->input->bitcode.data, unit->input->bitcode.size);
    add_library(&hasher, work->resolve, &unit->symbols);
  }
  for (size_t i = 0; i < group->kept_count; i++) {
    add_bytes(&hasher, group->kept[i].data, group->kept[i].size);
  }
  llvm_blake3_hasher_finalize(&hasher, out, TN_GROUP_KEY_SIZE);
}

static void put_list(const tn_list *list, tn_buf *out) {
  tn_buf_add_u64(out, list->count);
  for (size_t i = 0; i < list->count; i++) {
    const tn_buf *buf = list->items[i];
    tn_buf_add_u64(out, buf->size);
    tn_buf_add(out, buf->data, buf->size);
  }
}

tn_status tn_group_result_put(const tn_group_work *work, tn_buf *out, tn_diag *diag) {
  put_list(&work->images, out);
  put_list(&work->natives, out);
  return tn_buf_status(out, diag);
}

static bool take_number(tn_bytes *rest, uint64_t *out) {
  if (rest->size < sizeof(*out)) {
    return false;
  }
  *out = tn_load_u64(rest->data);
  *rest = (tn_bytes){rest->data + sizeof(*out), rest->size - sizeof(*out)};
  return true;
}

static bool get_list(tn_group_work *work, tn_list *list, tn_bytes *rest) {
  uint64_t count = 0;
  bool good = take_number(rest, &count);
  for (uint64_t i = 0; i < count && good; i++) {
    uint64_t size = 0;
    good = take_number(rest, &size) && size <= rest->size;
    tn_buf *buf = good ? tn_buf_list_add(list, &work->arena, TN_GROUP_BUFFER_MAXIMUM) : NULL;
    if (buf) {
      tn_buf_add(buf, rest->data, (size_t)size);
      *rest = (tn_bytes){rest->data + size, rest->size - (size_t)size};
    }
    good = buf && buf->failed == TN_OK;
  }
  return good;
}

bool tn_group_result_get(tn_group_work *work, tn_bytes bytes) {
  tn_bytes rest = bytes;
  return get_list(work, &work->images, &rest) && get_list(work, &work->natives, &rest) &&
         rest.size == 0;
}
