// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of type work_group_static: an object in the local memory of each work-group.
// needs: a unit straight from clang (mark), an image's code (to calls).
// keeps: all else.  breaks: the names of the variables (mark), the variables (to calls).
#include "compile/lower/group_statics.h"

#include "compile/lower/device_globals.h"
#include "compile/lower/lower.h"
#include "compile/lower/variable_uses.h"

#include <llvm-c/Target.h>

#define TN_GROUP_STATIC_TYPE "class.sycl::ext::oneapi::experimental::work_group_static"
#define TN_GROUP_STATIC_FUNCTION TN_GROUP_MEMORY_FUNCTION "."

bool tn_group_static_is_marked(LLVMValueRef global) {
  return tn_str_has_prefix(tn_value_name(global), TN_STR_LIT(TN_GROUP_STATIC_PREFIX));
}

bool tn_group_static_is_function(LLVMValueRef function) {
  return tn_str_has_prefix(tn_value_name(function), TN_STR_LIT(TN_GROUP_STATIC_FUNCTION));
}

static LLVMTypeRef element_of(LLVMTypeRef type) {
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
    type = LLVMGetElementType(type);
  }
  return type;
}

bool tn_group_static_is_within(LLVMTypeRef type) {
  LLVMTypeRef element = element_of(type);
  if (LLVMGetTypeKind(element) != LLVMStructTypeKind) {
    return false;
  }
  bool is_within = tn_type_is_class(element, TN_STR_LIT(TN_GROUP_STATIC_TYPE));
  const unsigned count = LLVMCountStructElementTypes(element);
  for (unsigned i = 0; i < count && !is_within; ++i) {
    is_within = tn_group_static_is_within(LLVMStructGetTypeAtIndex(element, i));
  }
  return is_within;
}

const char *tn_group_static_shown(LLVMValueRef variable, tn_arena *arena) {
  const tn_str symbol = tn_value_name(variable);
  const size_t prefix = sizeof(TN_GROUP_STATIC_PREFIX) - 1;
  const tn_str name = tn_str_slice(symbol, prefix, symbol.size - prefix);
  // Behind the @ is the unit, of one that no other unit knows.
  const char *shown = tn_demangle(arena, tn_str_slice(name, 0, tn_str_find_char(name, '@')));
  return shown ? shown : "?";
}

// Variables and arrays of them; what has one as a member is reported by compile/check.
tn_status tn_group_statics_mark(LLVMModuleRef module, tn_arena *arena, tn_diag *diag) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (tn_type_is_class(element_of(LLVMGlobalGetValueType(g)), TN_STR_LIT(TN_GROUP_STATIC_TYPE))) {
      LLVMSetGlobalConstant(g, 0);  // of const variables too the value is written
      TN_TRY(tn_global_rename(g, TN_GROUP_STATIC_PREFIX, arena, diag));
    }
  }
  return TN_OK;
}

typedef struct group_static {
  LLVMValueRef function;
  LLVMValueRef arguments[2];  // size, alignment
} group_static;

static LLVMValueRef call_in(void *user, LLVMBuilderRef builder, LLVMValueRef function) {
  group_static *it = user;
  (void)function;
  return LLVMBuildCall2(builder, LLVMGlobalGetValueType(it->function), it->function,
                        it->arguments, 2, "group");
}

// Programs put values of larger types, and vectors, into arrays of char.
static unsigned alignment_of(LLVMValueRef variable, LLVMTargetDataRef layout, uint64_t size) {
  enum { OF_ARRAYS = 16 };
  const unsigned least = LLVMABIAlignmentOfType(layout, LLVMGlobalGetValueType(variable));
  const unsigned own = LLVMGetAlignment(variable);
  const unsigned alignment = own > least ? own : least;
  return size >= OF_ARRAYS && alignment < OF_ARRAYS ? OF_ARRAYS : alignment;
}

static tn_status to_calls(LLVMModuleRef module, LLVMValueRef variable, tn_arena *arena,
                          tn_diag *diag) {
  const char *name = tn_arena_format(arena, TN_GROUP_STATIC_FUNCTION "%.*s",
                                     TN_STR_ARG(tn_value_name(variable)));
  const char *what = tn_arena_format(arena, "work_group_static variable '%.300s'",
                                     tn_group_static_shown(variable, arena));
  if (!name || !what) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower variables of work-groups");
  }
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
  LLVMTypeRef parameters[] = {i64, i64};
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
  const uint64_t size = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable));
  const unsigned alignment = alignment_of(variable, layout, size);
  group_static it = {
      .function = LLVMAddFunction(module, name, LLVMFunctionType(LLVMTypeOf(variable), parameters,
                                                                 2, 0)),
      .arguments = {LLVMConstInt(i64, size, 0), LLVMConstInt(i64, alignment, 0)}};
  tn_function_add_enum(it.function, "nounwind");
  tn_function_add_enum(it.function, "willreturn");
  tn_function_add_enum(it.function, "memory");  // none
  const tn_variable_address how = {.begin = call_in, .user = &it, .what = what};
  return tn_variable_replace(variable, &how, diag);
}

tn_status tn_group_statics_to_calls(LLVMModuleRef module, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_status status = TN_OK;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g && status == TN_OK;) {
    LLVMValueRef next = LLVMGetNextGlobal(g);
    if (tn_group_static_is_marked(g)) {
      status = to_calls(module, g, &arena, diag);
    }
    g = next;
  }
  tn_arena_deinit(&arena);
  return status;
}
