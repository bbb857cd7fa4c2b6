// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialization constants of machine code: addresses in a buffer that comes with the launch.
// needs: an image's code with its variables.  keeps: all else.  breaks: the variables are gone.
#include "base/map.h"
#include "compile/lower/lower.h"
#include "compile/lower/spec_constants.h"

typedef struct rewriter {
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef get_buffer;  // declaration of TN_SPEC_BUFFER_FUNCTION
  tn_map bases;             // function → call of get_buffer at its begin
  tn_map addresses;         // function → the address that was read there, of the pointer at hand
  tn_diag *diag;
} rewriter;

static tn_status no_memory(const rewriter *r) {
  return TN_FAIL(r->diag, OUT_OF_MEMORY, "no memory to lower specialization constants");
}

// `space` is that of the variables, so that what is made of their addresses can be made again.
static void declare(rewriter *r, unsigned space) {
  LLVMContextRef context = LLVMGetModuleContext(r->module);
  LLVMTypeRef type = LLVMFunctionType(LLVMPointerTypeInContext(context, space), NULL, 0, 0);
  r->get_buffer = LLVMAddFunction(r->module, TN_SPEC_BUFFER_FUNCTION, type);
  tn_function_add_enum(r->get_buffer, "nounwind");
  tn_function_add_enum(r->get_buffer, "willreturn");
  tn_function_add_enum(r->get_buffer, "memory");  // none
}

// The buffer's address in a function: where it begins, so that it is known everywhere in it.
static LLVMValueRef base_in(rewriter *r, LLVMValueRef function) {
  LLVMValueRef base = tn_map_find(&r->bases, TN_POINTER_KEY(function));
  if (!base) {
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    LLVMPositionBuilderBefore(r->builder, first);
    base = LLVMBuildCall2(r->builder, LLVMGlobalGetValueType(r->get_buffer), r->get_buffer, NULL, 0,
                          "specs");
    if (!tn_map_set(&r->bases, TN_POINTER_KEY(function), base)) {
      return NULL;
    }
  }
  LLVMPositionBuilderBefore(r->builder, LLVMGetNextInstruction(base));
  return base;
}

// The variable, or an address that is made of it.
typedef struct spec_place {
  LLVMValueRef value;
  const struct spec_place *of;  // NULL for the variable
  uint32_t offset;              // of the variable, in the buffer
  bool is_pointer;              // there is its address only
} spec_place;

static LLVMValueRef derive(rewriter *r, LLVMValueRef expression, LLVMValueRef from) {
  if (LLVMGetConstOpcode(expression) != LLVMGetElementPtr) {
    return LLVMBuildCast(r->builder, LLVMGetConstOpcode(expression), from, LLVMTypeOf(expression),
                         "");
  }
  enum { INDICES_MAXIMUM = 32 };
  LLVMValueRef indices[INDICES_MAXIMUM];
  const unsigned count = LLVMGetNumIndices(expression);
  for (unsigned i = 0; i < count && i < INDICES_MAXIMUM; ++i) {
    indices[i] = LLVMGetOperand(expression, i + 1);
  }
  return count <= INDICES_MAXIMUM
             ? LLVMBuildGEP2(r->builder, LLVMGetGEPSourceElementType(expression), from, indices,
                             count, "")
             : NULL;
}

static void mark_invariant(LLVMValueRef load) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(load));
  LLVMSetMetadata(load, LLVMGetMDKindIDInContext(context, "invariant.load", 14),
                  LLVMMDNodeInContext(context, NULL, 0));
}

// What stands for the place in a function; NULL: no memory.
static LLVMValueRef address_in(rewriter *r, const spec_place *place, LLVMValueRef function) {
  if (place->of) {
    LLVMValueRef from = address_in(r, place->of, function);
    return from ? derive(r, place->value, from) : NULL;
  }
  LLVMValueRef known = tn_map_find(&r->addresses, TN_POINTER_KEY(function));
  if (known) {
    LLVMPositionBuilderBefore(r->builder, LLVMGetNextInstruction(known));
    return known;
  }
  LLVMContextRef context = LLVMGetModuleContext(r->module);
  LLVMValueRef base = base_in(r, function);
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context), place->offset, 0);
  LLVMValueRef at = base ? LLVMBuildInBoundsGEP2(r->builder, LLVMInt8TypeInContext(context), base,
                                                 &offset, 1, "spec")
                         : NULL;
  if (!at || !place->is_pointer) {
    return at;
  }
  LLVMValueRef address = LLVMBuildLoad2(r->builder, LLVMTypeOf(place->value), at, "global");
  mark_invariant(address);
  return tn_map_set(&r->addresses, TN_POINTER_KEY(function), address) ? address : NULL;
}

static bool is_behind_pointer(const spec_place *place) {
  return place->of ? is_behind_pointer(place->of) : place->is_pointer;
}

static tn_status replace_in(rewriter *r, const spec_place *place, LLVMValueRef instruction) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
  LLVMValueRef address = address_in(r, place, function);
  if (!address) {
    return no_memory(r);
  }
  const int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count; ++i) {
    if (LLVMGetOperand(instruction, (unsigned)i) == place->value) {
      LLVMSetOperand(instruction, (unsigned)i, address);
    }
  }
  if (LLVMIsALoadInst(instruction) && !is_behind_pointer(place)) {
    mark_invariant(instruction);
  }
  return TN_OK;
}

static bool is_derived(LLVMValueRef user, LLVMValueRef from) {
  if (!LLVMIsAConstantExpr(user) || LLVMGetOperand(user, 0) != from) {
    return false;
  }
  switch (LLVMGetConstOpcode(user)) {
    case LLVMGetElementPtr:
    case LLVMAddrSpaceCast:
    case LLVMBitCast:
    case LLVMPtrToInt:
      return true;
    default:
      return false;
  }
}

static tn_status replace_all(rewriter *r, const spec_place *place) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_list users = {0};
  tn_status status = TN_OK;
  for (LLVMUseRef use = LLVMGetFirstUse(place->value); use; use = LLVMGetNextUse(use)) {
    if (!tn_list_add(&users, &arena, LLVMGetUser(use))) {
      status = no_memory(r);
    }
  }
  for (size_t i = 0; i < users.count && status == TN_OK; ++i) {
    LLVMValueRef user = users.items[i];
    if (LLVMIsAInstruction(user)) {
      status = replace_in(r, place, user);
    } else if (is_derived(user, place->value)) {
      const spec_place derived = {.value = user, .of = place};
      status = replace_all(r, &derived);
    } else {
      status = TN_FAIL(r->diag, UNSUPPORTED,
                       "the address of a %s is used in a way that machine code cannot be made of",
                       is_behind_pointer(place) ? "device global" : "specialization constant");
    }
  }
  tn_arena_deinit(&arena);
  return status;
}

static void init(rewriter *r, LLVMModuleRef module, tn_diag *diag) {
  *r = (rewriter){.module = module,
                  .diag = diag,
                  .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
                  .get_buffer = LLVMGetNamedFunction(module, TN_SPEC_BUFFER_FUNCTION)};
  tn_map_init(&r->bases);
  tn_map_init(&r->addresses);
}

static void deinit(rewriter *r) {
  tn_map_deinit(&r->bases);
  tn_map_deinit(&r->addresses);
  LLVMDisposeBuilder(r->builder);
}

static tn_status replace_variable(rewriter *r, const spec_place *place) {
  if (!r->get_buffer) {
    declare(r, LLVMGetPointerAddressSpace(LLVMTypeOf(place->value)));
  }
  tn_map_deinit(&r->addresses);
  tn_map_init(&r->addresses);
  TN_TRY(replace_all(r, place));
  LLVMReplaceAllUsesWith(place->value, LLVMGetPoison(LLVMTypeOf(place->value)));
  LLVMDeleteGlobal(place->value);
  return TN_OK;
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
      const spec_place place = {.value = variable, .offset = specs->items[i].offset};
      status = replace_variable(&r, &place);
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
      const spec_place place = {
          .value = g, .offset = offset + (uint32_t)(index * sizeof(uint64_t)), .is_pointer = true};
      status = replace_variable(&r, &place);
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
