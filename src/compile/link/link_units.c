// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device link of translation units.
#include "base/map.h"
#include "compile/link/merge.h"

// A symbol's first definition.
typedef struct definition {
  LLVMValueRef function;
  const char *name;  // the object's
} definition;

typedef struct unit_linker {
  tn_arena *arena;
  tn_buf *messages;
  tn_map definitions;  // symbol → definition
  size_t errors;
  const char *first;
} unit_linker;

static void add_error(unit_linker *l, const definition *old, LLVMValueRef function,
                      const char *object, const char *sentence) {
  tn_place_write(l->messages, tn_place_of_function(function), object);
  tn_buf_add_format(l->messages, "error: %s, in %s\n", sentence, object);
  tn_place_write(l->messages, tn_place_of_function(old->function), old->name);
  tn_buf_add_format(l->messages, "note: also defined here, in %s\n", old->name);
  if (l->errors++ == 0) {
    l->first = tn_arena_format(l->arena, "%s, in %s and in %s", sentence, old->name, object);
  }
}

static void check_again(unit_linker *l, const definition *old, LLVMValueRef function,
                        const char *object) {
  const tn_str symbol = tn_value_name(function);
  if (!tn_function_is_kernel(function)) {
    const char *shown = tn_demangle(l->arena, symbol);
    const char *sentence = tn_arena_format(
        l->arena, "SYCL_EXTERNAL function '%s' is defined twice", shown ? shown : "?");
    add_error(l, old, function, object, sentence ? sentence : "a function is defined twice");
    return;
  }
  if (!tn_str_equals(tn_function_attr(function, TN_ATTR_ARG_SIZE),
                     tn_function_attr(old->function, TN_ATTR_ARG_SIZE))) {
    const char *shown = tn_demangle_kernel(l->arena, symbol);
    const char *sentence = tn_arena_format(
        l->arena, "kernel name '%s' is used for two different kernels", shown ? shown : "?");
    add_error(l, old, function, object, sentence ? sentence : "two kernels have one name");
  }
}

static bool is_strong_definition(LLVMValueRef function) {
  return tn_function_is_defined(function) && LLVMGetLinkage(function) == LLVMExternalLinkage;
}

static tn_status note_definitions(unit_linker *l, LLVMModuleRef module, const char *object,
                                  tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!tn_function_is_kernel(f) && !is_strong_definition(f)) {
      continue;
    }
    const definition *old = tn_map_find(&l->definitions, tn_value_name(f));
    if (old) {
      check_again(l, old, f, object);
      continue;
    }
    definition *fresh = tn_arena_alloc(l->arena, sizeof(*fresh));
    if (!fresh || !tn_map_set(&l->definitions, tn_value_name(f), fresh)) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link device code");
    }
    *fresh = (definition){f, object};
  }
  return TN_OK;
}

static tn_status check_definitions(LLVMModuleRef *modules, const tn_link_source *units,
                                   size_t count, tn_arena *arena, tn_buf *messages,
                                   tn_diag *diag) {
  unit_linker l = {.arena = arena, .messages = messages};
  tn_map_init(&l.definitions);
  tn_status status = TN_OK;
  for (size_t i = 0; i < count && status == TN_OK; ++i) {
    status = note_definitions(&l, modules[i], units[i].name, diag);
  }
  if (status == TN_OK && l.errors != 0) {
    status = TN_FAIL(diag, BUILD_FAILED, "%s", l.first ? l.first : "a symbol is defined twice");
  }
  tn_map_deinit(&l.definitions);
  return status;
}

tn_status tn_link_units(tn_llvm_job *job, const tn_link_source *units, size_t count,
                        tn_arena *arena, LLVMModuleRef *out, tn_buf *messages, tn_diag *diag) {
  *out = NULL;
  LLVMModuleRef *modules = NULL;
  TN_TRY(tn_merge_parse(job, units, count, arena, &modules, diag));
  tn_status status = check_definitions(modules, units, count, arena, messages, diag);
  if (status == TN_OK) {
    status = tn_merge_all(job, modules, units, count, out, diag);
  }
  tn_merge_dispose(modules, count);
  return status;
}
