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

// What stands for the place in a function; NULL: no memory.
static LLVMValueRef address_in(rewriter *r, const spec_place *place, LLVMValueRef function) {
  if (place->of) {
    LLVMValueRef from = address_in(r, place->of, function);
    return from ? derive(r, place->value, from) : NULL;
  }
  LLVMContextRef context = LLVMGetModuleContext(r->module);
  LLVMValueRef base = base_in(r, function);
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context), place->offset, 0);
  return base ? LLVMBuildInBoundsGEP2(r->builder, LLVMInt8TypeInContext(context), base, &offset, 1,
                                      "spec")
              : NULL;
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
  if (LLVMIsALoadInst(instruction)) {
    LLVMContextRef context = LLVMGetModuleContext(r->module);
    LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(context, "invariant.load", 14),
                    LLVMMDNodeInContext(context, NULL, 0));
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
                       "the address of a specialization constant is used in a way that machine "
                       "code cannot be made of");
    }
  }
  tn_arena_deinit(&arena);
  return status;
}

tn_status tn_lower_specs_from_buffer(LLVMModuleRef module, const tn_lower_specs *specs,
                                     tn_diag *diag) {
  if (specs->count == 0) {
    return TN_OK;
  }
  tn_spec_drop_marks(module);
  rewriter r = {.module = module,
                .diag = diag,
                .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
  tn_map_init(&r.bases);
  tn_status status = TN_OK;
  for (size_t i = 0; i < specs->count && status == TN_OK; ++i) {
    const tn_str name = specs->items[i].name;
    LLVMValueRef variable = LLVMGetNamedGlobalWithLength(module, name.data, name.size);
    if (!variable) {
      continue;
    }
    if (!r.get_buffer) {
      declare(&r, LLVMGetPointerAddressSpace(LLVMTypeOf(variable)));
    }
    const spec_place place = {.value = variable, .offset = specs->items[i].offset};
    status = replace_all(&r, &place);
    if (status == TN_OK) {
      LLVMReplaceAllUsesWith(variable, LLVMGetPoison(LLVMTypeOf(variable)));
      LLVMDeleteGlobal(variable);
    }
  }
  tn_map_deinit(&r.bases);
  LLVMDisposeBuilder(r.builder);
  return status;
}
