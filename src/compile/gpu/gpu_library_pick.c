// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Takes out of a library's text what a module needs of it.
#include "base/map.h"
#include "compile/gpu/gpu_library.h"

// A definition or a declaration.
typedef struct entity {
  tn_str text;
  bool is_taken;
} entity;

typedef struct picker {
  LLVMModuleRef module;
  tn_arena arena;
  tn_list all;     // of entity, as they stand in the text
  tn_map by_name;  // the same, by their names
  tn_list taken;   // of entity, whose text was not looked at yet in part
  bool out_of_memory;
} picker;

static bool is_of_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '$';
}

// The next name behind an '@'; `*text` becomes what follows it. Empty when there is none.
static tn_str next_name(tn_str *text) {
  const size_t at = tn_str_find_char(*text, '@');
  if (at == SIZE_MAX) {
    *text = (tn_str){0};
    return *text;
  }
  const tn_str rest = tn_str_slice(*text, at + 1, SIZE_MAX);
  size_t size = 0;
  while (size < rest.size && is_of_name(rest.data[size])) {
    size++;
  }
  *text = tn_str_slice(rest, size, SIZE_MAX);
  return tn_str_slice(rest, 0, size);
}

// Attributes and metadata have no name and belong to all.
static void add_entity(picker *p, tn_str text) {
  entity *made = tn_arena_alloc(&p->arena, sizeof(*made));
  tn_str rest = text;
  const bool has_name = !tn_str_has_prefix(text, TN_STR_LIT("attributes")) &&
                        !tn_str_has_prefix(text, TN_STR_LIT("!"));
  const tn_str name = has_name ? next_name(&rest) : (tn_str){0};
  const bool is_there = has_name && tn_map_find(&p->by_name, name) != NULL;
  if (!made || !tn_list_add(&p->all, &p->arena, made) ||
      (has_name && !is_there && !tn_map_set(&p->by_name, name, made))) {
    p->out_of_memory = true;
    return;
  }
  *made = (entity){.text = text, .is_taken = !has_name};
}

// A definition ends with a line "}", all else with its line.
static void add_piece(picker *p, tn_str text) {
  while (text.size > 0 && !p->out_of_memory) {
    const tn_str end =
        tn_str_has_prefix(text, TN_STR_LIT("define ")) ? TN_STR_LIT("\n}\n") : TN_STR_LIT("\n");
    const size_t at = tn_str_find(text, end);
    const size_t size = at == SIZE_MAX ? text.size : at + end.size;
    add_entity(p, tn_str_slice(text, 0, size));
    text = tn_str_slice(text, size, SIZE_MAX);
  }
}

static void take(picker *p, tn_str name) {
  entity *found = tn_map_find(&p->by_name, name);
  if (found && !found->is_taken) {
    found->is_taken = true;
    p->out_of_memory = !tn_list_add(&p->taken, &p->arena, found) || p->out_of_memory;
  }
}

static void take_wanted(picker *p) {
  for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
    if (!tn_function_is_defined(f)) {
      take(p, tn_value_name(f));
    }
  }
  for (size_t i = 0; i < p->taken.count && !p->out_of_memory; i++) {
    const entity *each = p->taken.items[i];
    tn_str rest = each->text;
    while (rest.size > 0) {
      take(p, next_name(&rest));
    }
  }
}

tn_status tn_gpu_library_pick(const char *const *const *lists, LLVMModuleRef module, tn_buf *out,
                              tn_diag *diag) {
  picker p = {.module = module};
  tn_arena_init(&p.arena);
  tn_map_init(&p.by_name);
  for (size_t k = 0; lists[k]; k++) {
    for (size_t i = 0; lists[k][i]; i++) {
      add_piece(&p, tn_str_from(lists[k][i]));
    }
  }
  take_wanted(&p);
  for (size_t i = 0; i < p.all.count && p.taken.count > 0; i++) {
    const entity *each = p.all.items[i];
    tn_buf_add_str(out, each->is_taken ? each->text : (tn_str){0});
  }
  const bool out_of_memory = p.out_of_memory;
  tn_map_deinit(&p.by_name);
  tn_arena_deinit(&p.arena);
  return out_of_memory ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the device library")
                       : tn_buf_status(out, diag);
}
