// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialization constants: variables of device code whose value comes when a kernel is launched
// (docs/decisions/specialization-constants.md).
// needs: a named unit or what was linked of them, before simplification.
// keeps: all else.  breaks: the variables are constants of one value (specialize).
#include "compile/lower/spec_constants.h"

#include "compile/lower/constant_bytes.h"
#include "compile/lower/lower.h"

#include <llvm-c/Comdat.h>

#include <stdlib.h>

#define TN_VARIABLE_PREFIX "_Z" TN_SPEC_TYPE_PREFIX
#define TN_VARIABLE_SUFFIX "E5valueE"
#define TN_NAMED_PREFIX "_ZTS" TN_SPEC_TYPE_PREFIX

enum { TN_NAME_MAX = 1 << 20, TN_SPEC_ALIGN_MAX = 128 };

bool tn_spec_is_variable(LLVMValueRef global) {
  const tn_str name = tn_value_name(global);
  const tn_str suffix = TN_STR_LIT(TN_VARIABLE_SUFFIX);
  return tn_str_has_prefix(name, TN_STR_LIT(TN_VARIABLE_PREFIX)) &&
         tn_str_equals(tn_str_slice(name, name.size - suffix.size, suffix.size), suffix);
}

bool tn_spec_is_named(LLVMValueRef global) {
  return tn_str_has_prefix(tn_value_name(global), TN_STR_LIT(TN_NAMED_PREFIX));
}

// The variable of an id that is not constexpr holds the id's address (sycl::detail::spec_reference,
// include/sycl/specialization_id.hpp).
static LLVMValueRef referenced_id(LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
  LLVMValueRef initializer = LLVMGetInitializer(variable);
  if (!name || !initializer ||
      !tn_str_has_prefix(tn_str_from(name), TN_STR_LIT("struct.sycl::detail::spec_reference"))) {
    return NULL;
  }
  LLVMValueRef id = LLVMGetOperand(initializer, 0);
  // GPUs have variables in an address space of their own.
  return LLVMIsAConstantExpr(id) && LLVMGetConstOpcode(id) == LLVMAddrSpaceCast
             ? LLVMGetOperand(id, 0)
             : id;
}

tn_status tn_spec_copy_default(LLVMValueRef *variable, tn_diag *diag) {
  LLVMValueRef old = *variable;
  LLVMValueRef id = referenced_id(old);
  if (!id) {
    return TN_OK;
  }
  LLVMValueRef value = LLVMIsAGlobalVariable(id) ? LLVMGetInitializer(id) : NULL;
  if (!value || !LLVMIsGlobalConstant(id)) {
    tn_arena arena;
    tn_arena_init(&arena);
    const tn_status status =
        TN_FAIL(diag, BUILD_FAILED,
                "specialization constant '%s': its default is not known at compile time; declare "
                "the specialization_id constexpr",
                tn_demangle(&arena, tn_value_name(id)));
    tn_arena_deinit(&arena);
    return status;
  }
  LLVMValueRef made = LLVMAddGlobalInAddressSpace(LLVMGetGlobalParent(old), LLVMTypeOf(value), "",
                                                  LLVMGetPointerAddressSpace(LLVMTypeOf(old)));
  LLVMSetInitializer(made, value);
  LLVMSetLinkage(made, LLVMGetLinkage(old));
  LLVMSetAlignment(made, LLVMGetAlignment(id));
  LLVMReplaceAllUsesWith(old, made);
  const tn_str name = tn_value_name(old);
  tn_buf kept;
  tn_buf_init(&kept, TN_NAME_MAX);
  tn_buf_add_str(&kept, name);
  const tn_status status = tn_buf_status(&kept, diag);
  if (status == TN_OK) {
    LLVMDeleteGlobal(old);
    LLVMSetValueName2(made, kept.data, kept.size);
    *variable = made;
  }
  tn_buf_deinit(&kept);
  return status;
}

// Constant, so that equal loads become one; externally initialized, so that none is folded.
tn_status tn_spec_name(LLVMValueRef variable, uint64_t unit_id, tn_diag *diag) {
  const tn_str symbol = tn_value_name(variable);
  const size_t prefix = strlen("_Z");
  const size_t suffix = strlen("5valueE");
  tn_buf type;
  tn_buf name;
  tn_buf_init(&type, TN_NAME_MAX);
  tn_buf_init(&name, TN_NAME_MAX);
  tn_buf_add_text(&type, "_ZTS");
  tn_buf_add_str(&type, tn_str_slice(symbol, prefix, symbol.size - prefix - suffix));
  tn_buf_add_char(&type, 'E');
  if (LLVMGetLinkage(variable) == LLVMInternalLinkage) {
    tn_kernel_local_name(&name, tn_buf_str(&type), unit_id);
  } else {
    tn_buf_add_str(&name, tn_buf_str(&type));
  }
  tn_status status = tn_buf_status(&type, diag);
  if (status == TN_OK) {
    status = tn_buf_status(&name, diag);
  }
  if (status == TN_OK) {
    LLVMSetComdat(variable, NULL);
    LLVMSetValueName2(variable, name.data, name.size);
    LLVMSetVisibility(variable, LLVMDefaultVisibility);
    LLVMSetLinkage(variable, LLVMLinkOnceODRLinkage);
    LLVMSetGlobalConstant(variable, 1);
    LLVMSetExternallyInitialized(variable, 1);
  }
  tn_buf_deinit(&name);
  tn_buf_deinit(&type);
  return status;
}

static bool is_used_spec(LLVMValueRef global) {
  return tn_spec_is_named(global) && LLVMGetInitializer(global) && LLVMGetFirstUse(global);
}

// "specialization constant 'id'", of "sycl::detail::spec_constant<id>".
static const char *describe(LLVMValueRef global, tn_arena *arena) {
  const char *text = tn_demangle_kernel(arena, tn_value_name(global));
  tn_str shown = tn_str_from(text ? text : "?");
  const size_t open = tn_str_find_char(shown, '<');
  if (open != SIZE_MAX && shown.data[shown.size - 1] == '>') {
    shown = tn_str_slice(shown, open + 1, shown.size - open - 2);
  }
  text = tn_arena_format(arena, "specialization constant '%.*s'", TN_STR_ARG(shown));
  return text ? text : "a specialization constant";
}

static int compare_specs(const void *a, const void *b) {
  return tn_str_compare(((const tn_spec_info *)a)->name, ((const tn_spec_info *)b)->name);
}

// One after another, each where its alignment wants it.
static tn_status place_all(tn_lower_specs *specs, tn_diag *diag) {
  uint64_t end = 0;
  for (size_t i = 0; i < specs->count; ++i) {
    tn_spec_info *info = &specs->items[i];
    end = (end + info->alignment - 1) & ~(uint64_t)(info->alignment - 1);
    info->offset = (uint32_t)end;
    end += info->size;
    if (end > UINT32_MAX) {
      return TN_FAIL(diag, UNSUPPORTED, "the specialization constants are too large together");
    }
  }
  specs->buffer_size = (size_t)end;
  return TN_OK;
}

static tn_status list_one(LLVMValueRef global, LLVMTargetDataRef layout, tn_arena *arena,
                          tn_spec_info *out, tn_diag *diag) {
  const char *what = describe(global, arena);
  LLVMValueRef initializer = LLVMGetInitializer(global);
  const uint64_t size = LLVMABISizeOfType(layout, LLVMTypeOf(initializer));
  const unsigned alignment = LLVMGetAlignment(global);
  const char *name = tn_arena_str(arena, tn_value_name(global));
  uint8_t *value = size <= UINT32_MAX ? tn_arena_alloc(arena, (size_t)size) : NULL;
  if (!name || !value) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "%s: no memory for its value", what);
  }
  if (size == 0 || alignment > TN_SPEC_ALIGN_MAX) {
    return TN_FAIL(diag, UNSUPPORTED, "%s: its type has %llu bytes, aligned to %u", what,
                   (unsigned long long)size, alignment);
  }
  memset(value, 0, (size_t)size);
  tn_constant_pieces pieces = {0};
  TN_TRY(tn_constant_write(initializer, layout, what, arena, value, &pieces, diag));
  *out = (tn_spec_info){.name = tn_str_from(name),
                        .size = (uint32_t)size,
                        .alignment = alignment != 0 ? alignment : 1,
                        .piece_count = pieces.count,
                        .pieces = pieces.items,
                        .value = tn_bytes_from(value, (size_t)size)};
  return TN_OK;
}

tn_status tn_lower_list_specs(LLVMModuleRef module, tn_arena *arena, tn_lower_specs *out,
                              tn_diag *diag) {
  *out = (tn_lower_specs){0};
  size_t count = 0;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    count += is_used_spec(g);
  }
  if (count == 0) {
    return TN_OK;
  }
  out->items = tn_arena_alloc_array(arena, count, sizeof(*out->items));
  if (!out->items) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list specialization constants");
  }
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (is_used_spec(g)) {
      TN_TRY(list_one(g, layout, arena, &out->items[out->count], diag));
      ++out->count;
    }
  }
  qsort(out->items, out->count, sizeof(*out->items), compare_specs);
  TN_TRY(place_all(out, diag));
  out->buffer = tn_arena_alloc(arena, out->buffer_size);
  if (!out->buffer) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list specialization constants");
  }
  memset(out->buffer, 0, out->buffer_size);
  for (size_t i = 0; i < out->count; ++i) {
    memcpy(out->buffer + out->items[i].offset, out->items[i].value.data, out->items[i].size);
  }
  return TN_OK;
}

static void drop_marks_of(LLVMValueRef pointer) {
  for (LLVMUseRef use = LLVMGetFirstUse(pointer); use;) {
    LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsAConstantExpr(user)) {
      drop_marks_of(user);  // in another address space
    } else if (LLVMIsALoadInst(user) && LLVMGetVolatile(user) && !LLVMGetFirstUse(user)) {
      LLVMInstructionEraseFromParent(user);
    }
  }
}

void tn_spec_drop_marks(LLVMModuleRef module) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (tn_spec_is_named(g)) {
      drop_marks_of(g);
    }
  }
}

static const tn_lower_spec *find_value(const tn_lower_spec *values, size_t count, tn_str name) {
  for (size_t i = 0; i < count; ++i) {
    if (tn_str_equals(values[i].name, name)) {
      return &values[i];
    }
  }
  return NULL;
}

static void make_constant(LLVMValueRef global) {
  LLVMSetComdat(global, NULL);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetExternallyInitialized(global, 0);
}

// LLVM folds loads of any type from bytes.
static tn_status give_value(LLVMModuleRef module, LLVMValueRef global, const tn_lower_spec *value,
                            tn_diag *diag) {
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  const uint64_t size = LLVMABISizeOfType(LLVMGetModuleDataLayout(module), type);
  if (size != value->value.size) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "specialization constant %.*s: its type has %llu bytes, but the value has %zu",
                   TN_STR_ARG(value->name), (unsigned long long)size, value->value.size);
  }
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMValueRef bytes =
      LLVMConstStringInContext2(context, (const char *)value->value.data, value->value.size, 1);
  LLVMValueRef made = LLVMAddGlobalInAddressSpace(module, LLVMTypeOf(bytes), "",
                                                  LLVMGetPointerAddressSpace(LLVMTypeOf(global)));
  LLVMSetInitializer(made, bytes);
  LLVMSetAlignment(made, LLVMGetAlignment(global));
  make_constant(made);
  LLVMReplaceAllUsesWith(global, made);
  LLVMDeleteGlobal(global);
  return TN_OK;
}

tn_status tn_lower_specialize(LLVMModuleRef module, const tn_lower_spec *values, size_t count,
                              bool *out_any, tn_diag *diag) {
  *out_any = false;
  tn_spec_drop_marks(module);
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g;) {
    LLVMValueRef next = LLVMGetNextGlobal(g);
    if (is_used_spec(g)) {
      *out_any = true;
      const tn_lower_spec *value = find_value(values, count, tn_value_name(g));
      if (value) {
        TN_TRY(give_value(module, g, value, diag));
      } else {
        make_constant(g);
      }
    }
    g = next;
  }
  return TN_OK;
}
