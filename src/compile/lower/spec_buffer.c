// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialization constants of machine code: addresses in a buffer that comes with the launch.
// needs: an image's code with its variables.  keeps: all else.  breaks: the variables are gone.
#include "base/map.h"
#include "compile/lower/lower.h"
#include "compile/lower/spec_constants.h"
#include "compile/lower/variable_uses.h"

// The variable that is replaced, and the buffer.
typedef struct rewriter {
  LLVMModuleRef module;
  LLVMValueRef get_buffer;  // declaration of TN_SPEC_BUFFER_FUNCTION
  tn_map bases;             // function → call of get_buffer at its begin
  LLVMTypeRef type;         // of a pointer to the variable
  uint32_t offset;          // of the variable, in the buffer
  bool is_pointer;          // there is its address only
  tn_diag *diag;
} rewriter;

// `space` is that of the variables, so that what is made of their addresses can be made again.
static void declare(rewriter *r, unsigned space) {
  LLVMContextRef context = LLVMGetModuleContext(r->module);
  LLVMTypeRef type = LLVMFunctionType(LLVMPointerTypeInContext(context, space), NULL, 0, 0);
  r->get_buffer = LLVMAddFunction(r->module, TN_SPEC_BUFFER_FUNCTION, type);
  tn_function_add_enum(r->get_buffer, "nounwind");
  tn_function_add_enum(r->get_buffer, "willreturn");
  tn_function_add_enum(r->get_buffer, "memory");  // none
}

// The buffer's address in a function.
static LLVMValueRef base_in(rewriter *r, LLVMBuilderRef builder, LLVMValueRef function) {
  LLVMValueRef base = tn_map_find(&r->bases, TN_POINTER_KEY(function));
  if (!base) {
    base = LLVMBuildCall2(builder, LLVMGlobalGetValueType(r->get_buffer), r->get_buffer, NULL, 0,
                          "specs");
    if (!tn_map_set(&r->bases, TN_POINTER_KEY(function), base)) {
      return NULL;
    }
  }
  LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(base));
  return base;
}

static LLVMValueRef begin_in(void *user, LLVMBuilderRef builder, LLVMValueRef function) {
  rewriter *r = user;
  LLVMContextRef context = LLVMGetModuleContext(r->module);
  LLVMValueRef base = base_in(r, builder, function);
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context), r->offset, 0);
  LLVMValueRef at = base ? LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), base,
                                                 &offset, 1, "spec")
                         : NULL;
  if (!at || !r->is_pointer) {
    return at;
  }
  LLVMValueRef address = LLVMBuildLoad2(builder, r->type, at, "global");
  tn_load_mark_invariant(address);
  return address;
}

static void init(rewriter *r, LLVMModuleRef module, tn_diag *diag) {
  *r = (rewriter){.module = module,
                  .diag = diag,
                  .get_buffer = LLVMGetNamedFunction(module, TN_SPEC_BUFFER_FUNCTION)};
  tn_map_init(&r->bases);
}

static void deinit(rewriter *r) { tn_map_deinit(&r->bases); }

static tn_status replace_variable(rewriter *r, LLVMValueRef variable, uint32_t offset,
                                  bool is_pointer) {
  r->type = LLVMTypeOf(variable);
  r->offset = offset;
  r->is_pointer = is_pointer;
  if (!r->get_buffer) {
    declare(r, LLVMGetPointerAddressSpace(r->type));
  }
  const tn_variable_address how = {
      .begin = begin_in,
      .loaded = is_pointer ? NULL : tn_load_mark_invariant,
      .user = r,
      .what = is_pointer ? "device global" : "specialization constant"};
  return tn_variable_replace(variable, &how, r->diag);
}

tn_status tn_lower_specs_from_buffer(LLVMModuleRef module, const tn_lower_specs *specs,
                                     tn_diag *diag) {
  if (specs->count == 0) {
    return TN_OK;
  }
  tn_spec_drop_marks(module);
  rewriter r;
  init(&r, module, diag);
  tn_status status = TN_OK;
  for (size_t i = 0; i < specs->count && status == TN_OK; ++i) {
    const tn_str name = specs->items[i].name;
    LLVMValueRef variable = LLVMGetNamedGlobalWithLength(module, name.data, name.size);
    if (variable) {
      status = replace_variable(&r, variable, specs->items[i].offset, false);
    }
  }
  deinit(&r);
  return status;
}

static size_t find_name(const tn_str *names, size_t count, tn_str name) {
  size_t i = 0;
  while (i < count && !tn_str_equals(names[i], name)) {
    ++i;
  }
  return i;
}

tn_status tn_lower_globals_from_buffer(LLVMModuleRef module, const tn_str *names, size_t count,
                                       uint32_t offset, tn_diag *diag) {
  rewriter r;
  init(&r, module, diag);
  tn_status status = TN_OK;
  const size_t prefix = sizeof(TN_GLOBAL_PREFIX) - 1;
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g && status == TN_OK;) {
    LLVMValueRef next = LLVMGetNextGlobal(g);
    const tn_str symbol = tn_value_name(g);
    const size_t index = tn_global_is_marked(g)
                             ? find_name(names, count,
                                         tn_str_slice(symbol, prefix, symbol.size - prefix))
                             : SIZE_MAX;
    if (index < count) {
      status = replace_variable(&r, g, offset + (uint32_t)(index * sizeof(uint64_t)), true);
    } else if (index != SIZE_MAX && LLVMGetFirstUse(g)) {
      status = TN_FAIL(diag, INTERNAL, "device global %.*s has no place in what is built",
                       TN_STR_ARG(symbol));
    } else if (index != SIZE_MAX) {
      LLVMDeleteGlobal(g);
    }
    g = next;
  }
  deinit(&r);
  return status;
}

tn_status tn_lower_globals_behind_specs(LLVMModuleRef module, const tn_lower_specs *specs,
                                        const tn_lower_globals *globals, tn_diag *diag) {
  if (globals->count == 0) {
    return TN_OK;
  }
  tn_arena arena;
  tn_arena_init(&arena);
  tn_str *names = tn_arena_alloc_array(&arena, globals->count, sizeof(*names));
  for (size_t i = 0; names && i < globals->count; ++i) {
    names[i] = globals->items[i].name;
  }
  const uint64_t offset = tn_size_align(specs->buffer_size, sizeof(uint64_t));
  const tn_status status =
      names ? tn_lower_globals_from_buffer(module, names, globals->count, (uint32_t)offset, diag)
            : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu device globals", globals->count);
  tn_arena_deinit(&arena);
  return status;
}
