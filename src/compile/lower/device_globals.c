// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device globals: variables that kernels change and that last (docs/decisions/device-globals.md).
// needs: a unit straight from clang (mark), one that is named (settle), an image's code (list).
// keeps: all else.  breaks: the names of the variables.
#include "compile/lower/device_globals.h"

#include "compile/lower/constant_bytes.h"
#include "compile/lower/lower.h"
#include "compile/module/module.h"

#include <llvm-c/Comdat.h>

#include <stdlib.h>

#define TN_GLOBAL_ANNOTATION "tenon.device_global"
#define TN_SCOPE_MARK_TYPE "struct.sycl::detail::device_image_scope_mark"

enum { TN_NAME_MAX = 1 << 20, TN_GLOBAL_ALIGN_MAX = 128 };

bool tn_global_is_marked(LLVMValueRef global) {
  return tn_str_has_prefix(tn_value_name(global), TN_STR_LIT(TN_GLOBAL_PREFIX));
}

static bool has_type(LLVMValueRef global) {
  return tn_type_is_class(LLVMGlobalGetValueType(global), TN_STR_LIT(TN_GLOBAL_TYPE));
}

tn_status tn_global_rename(LLVMValueRef global, const char *prefix, tn_arena *arena,
                           tn_diag *diag) {
  const char *name =
      tn_arena_format(arena, "%s%.*s", prefix, TN_STR_ARG(tn_value_name(global)));
  if (!name) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to name a variable");
  }
  LLVMSetComdat(global, NULL);
  LLVMSetValueName2(global, name, strlen(name));
  return TN_OK;
}

static tn_status mark(LLVMValueRef global, tn_arena *arena, tn_diag *diag) {
  const tn_str symbol = tn_value_name(global);
  if (tn_global_is_marked(global)) {
    return TN_OK;
  }
  if (LLVMIsThreadLocal(global) || LLVMIsGlobalConstant(global)) {
    const char *shown = tn_demangle(arena, symbol);
    return TN_FAIL(diag, BUILD_FAILED,
                   "device global '%.300s' is %s: it is one variable of each "
                   "device that kernels may change",
                   shown ? shown : "?", LLVMIsThreadLocal(global) ? "thread-local" : "constant");
  }
  return tn_global_rename(global, TN_GLOBAL_PREFIX, arena, diag);
}

static LLVMValueRef uncast(LLVMValueRef value) {
  while (LLVMIsAConstantExpr(value) && LLVMGetNumOperands(value) > 0) {
    value = LLVMGetOperand(value, 0);
  }
  return LLVMIsAGlobalVariable(value) ? value : NULL;
}

static tn_status mark_annotated(LLVMModuleRef module, tn_arena *arena, tn_diag *diag) {
  LLVMValueRef annotations = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  LLVMValueRef list = annotations ? LLVMGetInitializer(annotations) : NULL;
  const int count = list ? LLVMGetNumOperands(list) : 0;
  for (int i = 0; i < count; ++i) {
    LLVMValueRef entry = LLVMGetOperand(list, (unsigned)i);
    LLVMValueRef global = LLVMGetNumOperands(entry) > 1 ? uncast(LLVMGetOperand(entry, 0)) : NULL;
    if (global && tn_str_equals(tn_constant_text(LLVMGetOperand(entry, 1)),
                                TN_STR_LIT(TN_GLOBAL_ANNOTATION))) {
      TN_TRY(mark(global, arena, diag));
    }
  }
  return TN_OK;
}

// Clang's functions that give variables their values when a program starts.
static bool is_in_initializer(LLVMValueRef value) {
  if (LLVMIsAInstruction(value)) {
    const LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(value));
    return tn_str_has_prefix(tn_value_name(function), TN_STR_LIT("__cxx_global_var_init"));
  }
  bool is_in = false;
  for (LLVMUseRef use = LLVMIsAConstantExpr(value) ? LLVMGetFirstUse(value) : NULL; use && !is_in;
       use = LLVMGetNextUse(use)) {
    is_in = LLVMIsAInstruction(LLVMGetUser(use)) && is_in_initializer(LLVMGetUser(use));
  }
  return is_in;
}

tn_status tn_lower_check_globals(LLVMModuleRef module, tn_diag *diag) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    for (LLVMUseRef use = has_type(g) ? LLVMGetFirstUse(g) : NULL; use;
         use = LLVMGetNextUse(use)) {
      if (is_in_initializer(LLVMGetUser(use))) {
        tn_arena arena;
        tn_arena_init(&arena);
        const char *shown = tn_demangle(&arena, tn_value_name(g));
        const tn_status status =
            TN_FAIL(diag, BUILD_FAILED,
                    "device global '%.300s' does not begin with a constant: no device computes a "
                    "value before kernels run; make its initializer a constant expression",
                    shown ? shown : "?");
        tn_arena_deinit(&arena);
        return status;
      }
    }
  }
  return TN_OK;
}

tn_status tn_globals_mark(LLVMModuleRef module, tn_arena *arena, tn_diag *diag) {
  TN_TRY(mark_annotated(module, arena, diag));
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (has_type(g)) {
      TN_TRY(mark(g, arena, diag));
    }
  }
  return TN_OK;
}

// Weak and not linkonce: one that no kernel uses is there for the program.
tn_status tn_global_settle(LLVMValueRef variable, uint64_t unit_id, tn_diag *diag) {
  const tn_str symbol = tn_value_name(variable);
  if (LLVMGetLinkage(variable) == LLVMInternalLinkage) {
    tn_buf name;
    tn_buf_init(&name, TN_NAME_MAX);
    tn_kernel_local_name(&name, symbol, unit_id);
    const tn_status status = tn_buf_status(&name, diag);
    if (status == TN_OK) {
      LLVMSetValueName2(variable, name.data, name.size);
    }
    tn_buf_deinit(&name);
    TN_TRY(status);
  }
  if (LLVMIsDeclaration(variable)) {
    return TN_OK;
  }
  LLVMSetComdat(variable, NULL);
  LLVMSetVisibility(variable, LLVMDefaultVisibility);
  LLVMSetLinkage(variable, LLVMWeakODRLinkage);
  LLVMSetExternallyInitialized(variable, 1);
  return TN_OK;
}

static int compare_globals(const void *a, const void *b) {
  return tn_str_compare(((const tn_global_info *)a)->name, ((const tn_global_info *)b)->name);
}

// As the source spells it: what is in no named namespace needs no name for that.
static const char *source_name(tn_str name, tn_arena *arena) {
  static const char unnamed[] = "(anonymous namespace)::";
  char *text = tn_demangle(arena, tn_str_slice(name, 0, tn_str_find_char(name, '@')));
  for (char *at = text ? strstr(text, unnamed) : NULL; at; at = strstr(at, unnamed)) {
    memmove(at, at + sizeof(unnamed) - 1, strlen(at + sizeof(unnamed) - 1) + 1);
  }
  return text;
}

// Of a class with the mark that its value is followed by: the size of the value.
static bool find_scope_mark(LLVMTypeRef type, LLVMTargetDataRef layout, uint64_t *size) {
  const unsigned count =
      LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 0;
  for (unsigned i = 1; i < count; ++i) {
    if (tn_type_is_class(LLVMStructGetTypeAtIndex(type, i), TN_STR_LIT(TN_SCOPE_MARK_TYPE))) {
      *size = LLVMOffsetOfElement(layout, type, i);
      return true;
    }
  }
  return false;
}

static tn_status list_value(LLVMValueRef global, LLVMTargetDataRef layout, const char *what,
                            tn_arena *arena, tn_global_info *info, tn_diag *diag) {
  LLVMValueRef initializer = LLVMGetInitializer(global);
  if (!initializer || LLVMIsNull(initializer) || LLVMIsUndef(initializer)) {
    return TN_OK;
  }
  const size_t size = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(global));
  uint8_t *value = tn_arena_alloc(arena, size);
  if (!value) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for its value", what);
  }
  memset(value, 0, size);
  tn_constant_pieces pieces = {0};
  TN_TRY(tn_constant_write(initializer, layout, what, arena, value, &pieces, diag));
  info->value = tn_bytes_from(value, info->size);
  return TN_OK;
}

static tn_status list_one(LLVMValueRef global, LLVMTargetDataRef layout, tn_arena *arena,
                          tn_global_info *out, tn_diag *diag) {
  const tn_str symbol = tn_value_name(global);
  const size_t prefix = sizeof(TN_GLOBAL_PREFIX) - 1;
  const char *name = tn_arena_str(arena, tn_str_slice(symbol, prefix, symbol.size - prefix));
  if (!name) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list device globals");
  }
  const char *shown = source_name(tn_str_from(name), arena);
  const char *what = shown ? tn_arena_format(arena, "device global '%.300s'", shown) : NULL;
  if (!what) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list device globals");
  }
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  uint64_t size = LLVMABISizeOfType(layout, type);
  const bool is_image_scope = find_scope_mark(type, layout, &size);
  const unsigned alignment = LLVMGetAlignment(global);
  if (size == 0 || size > INT32_MAX || alignment > TN_GLOBAL_ALIGN_MAX) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "%s has %llu bytes, aligned to %u: it may have 1 to %d, "
                   "aligned to %d at most",
                   what, (unsigned long long)size, alignment, INT32_MAX, (int)TN_GLOBAL_ALIGN_MAX);
  }
  *out = (tn_global_info){.name = tn_str_from(name),
                          .display_name = tn_str_from(shown),
                          .is_declared = LLVMIsDeclaration(global),
                          .is_image_scope = is_image_scope,
                          .size = (uint32_t)size,
                          .alignment = alignment != 0 ? alignment : 1};
  return list_value(global, layout, what, arena, out, diag);
}

tn_status tn_lower_list_globals(LLVMModuleRef module, tn_arena *arena, tn_lower_globals *out,
                                tn_diag *diag) {
  *out = (tn_lower_globals){0};
  size_t count = 0;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    count += tn_global_is_marked(g);
  }
  if (count == 0) {
    return TN_OK;
  }
  out->items = tn_arena_alloc_array(arena, count, sizeof(*out->items));
  if (!out->items) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list device globals");
  }
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (tn_global_is_marked(g)) {
      TN_TRY(list_one(g, layout, arena, &out->items[out->count], diag));
      ++out->count;
    }
  }
  qsort(out->items, out->count, sizeof(*out->items), compare_globals);
  return TN_OK;
}
