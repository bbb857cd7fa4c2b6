// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels and SYCL_EXTERNAL functions ask of a device: half, double and 64-bit atomics by the
// types in the code that they reach, everything else because [[sycl::device_has]] says so.
//
// needs: a linked module, or a unit. keeps: all code. breaks: nothing.
#include "compile/lower/lower.h"


enum { TN_ASPECT_TYPE_DEPTH = 32, TN_ASPECT_BITS = 64 };

static uint64_t bit(uint32_t aspect) { return (uint64_t)1 << aspect; }

uint64_t tn_aspects_read(tn_str text) {
  uint64_t set = 0;
  tn_str rest = text;
  while (rest.data && rest.size > 0) {
    uint64_t number = 0;
    const tn_str word = tn_str_split(&rest, ',');
    if (tn_str_to_u64(word, &number) && number < TN_ASPECT_BITS) {
      set |= bit((uint32_t)number);
    }
  }
  return set;
}

char *tn_aspects_text(tn_arena *arena, uint64_t set) {
  char *text = NULL;
  for (uint32_t i = 0; i < TN_ASPECT_BITS; ++i) {
    if (set & bit(i)) {
      text = text ? tn_arena_format(arena, "%s,%u", text, i) : tn_arena_format(arena, "%u", i);
      if (!text) {
        return NULL;
      }
    }
  }
  return text;
}

static uint64_t of_type(tn_map *types, LLVMTypeRef type, int depth);

static uint64_t of_struct(tn_map *types, LLVMTypeRef type, int depth) {
  // The value is the set and a bit of its own, so that what is known to be empty is found too.
  const uintptr_t known = (uintptr_t)tn_map_find(types, TN_POINTER_KEY(type));
  if (known != 0) {
    return known >> 1;
  }
  uint64_t set = 0;
  const unsigned count = LLVMCountStructElementTypes(type);
  for (unsigned i = 0; i < count; ++i) {
    set |= of_type(types, LLVMStructGetTypeAtIndex(type, i), depth - 1);
  }
  const bool is_kept = tn_map_set(types, TN_POINTER_KEY(type), (void *)(uintptr_t)(set << 1 | 1));
  (void)is_kept;  // it would be looked at again
  return set;
}

static uint64_t of_type(tn_map *types, LLVMTypeRef type, int depth) {
  if (depth == 0) {
    return 0;
  }
  switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
      return bit(TN_IMAGE_ASPECT_FP16);
    case LLVMDoubleTypeKind:
      return bit(TN_IMAGE_ASPECT_FP64);
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
      return of_type(types, LLVMGetElementType(type), depth - 1);
    case LLVMStructTypeKind:
      return of_struct(types, type, depth);
    default:
      return 0;
  }
}

static bool has_64_bits(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
      return LLVMGetIntTypeWidth(type) == 64;
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
      return true;
    default:
      return false;
  }
}

static uint64_t of_atomic(LLVMValueRef instruction) {
  LLVMTypeRef type = NULL;
  if (LLVMIsAAtomicRMWInst(instruction) || LLVMIsAAtomicCmpXchgInst(instruction)) {
    type = LLVMTypeOf(LLVMGetOperand(instruction, 1));
  } else if (LLVMIsALoadInst(instruction) &&
             LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic) {
    type = LLVMTypeOf(instruction);
  } else if (LLVMIsAStoreInst(instruction) &&
             LLVMGetOrdering(instruction) != LLVMAtomicOrderingNotAtomic) {
    type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
  }
  return type && has_64_bits(type) ? bit(TN_IMAGE_ASPECT_ATOMIC64) : 0;
}

// A function of another unit asks for what its declaration says.
static uint64_t of_import(LLVMValueRef instruction) {
  LLVMValueRef callee =
      LLVMIsACallInst(instruction) ? tn_reach_function_of(LLVMGetCalledValue(instruction)) : NULL;
  return callee && !tn_function_is_defined(callee)
             ? tn_aspects_read(tn_function_attr(callee, TN_ATTR_DEVICE_HAS))
             : 0;
}

uint64_t tn_aspects_of_instruction(tn_map *types, LLVMValueRef instruction) {
  uint64_t set = of_atomic(instruction) | of_import(instruction);
  set |= of_type(types, LLVMTypeOf(instruction), TN_ASPECT_TYPE_DEPTH);
  const int count = LLVMGetNumOperands(instruction);
  for (int i = 0; i < count; ++i) {
    LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
    if (operand && !LLVMIsABasicBlock(operand)) {
      set |= of_type(types, LLVMTypeOf(operand), TN_ASPECT_TYPE_DEPTH);
    }
  }
  if (LLVMIsAAllocaInst(instruction)) {
    set |= of_type(types, LLVMGetAllocatedType(instruction), TN_ASPECT_TYPE_DEPTH);
  } else if (LLVMIsAGetElementPtrInst(instruction)) {
    set |= of_type(types, LLVMGetGEPSourceElementType(instruction), TN_ASPECT_TYPE_DEPTH);
  }
  return set;
}

// A way from a function to what it needs may lead through any number of others, and in circles.
void tn_aspects_spread(tn_reach *reach) {
  for (size_t i = 0; i < reach->nodes.count; ++i) {
    tn_reach_node *node = reach->nodes.items[i];
    node->uses |= tn_aspects_read(tn_function_attr(node->function, TN_ATTR_DEVICE_HAS)) |
                  tn_aspects_read(tn_function_attr(node->function, TN_ATTR_DECLARED));
    node->needs = node->uses;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = reach->nodes.count; i > 0; --i) {
      tn_reach_node *node = reach->nodes.items[i - 1];
      const uint64_t before = node->needs;
      for (const tn_reach_edge *edge = node->edges; edge; edge = edge->next) {
        node->needs |= edge->to->needs;
      }
      changed = changed || node->needs != before;
    }
  }
}

static void visit(void *user, tn_reach_node *node, LLVMValueRef instruction) {
  node->uses |= tn_aspects_of_instruction(user, instruction);
}

// The function object that a kernel is given is one of its types as well.
static uint64_t of_argument(tn_map *types, LLVMValueRef kernel) {
  LLVMAttributeRef byval =
      LLVMCountParams(kernel) == 0
          ? NULL
          : LLVMGetEnumAttributeAtIndex(kernel, 1, LLVMGetEnumAttributeKindForName("byval", 5));
  return byval ? of_type(types, LLVMGetTypeAttributeValue(byval), TN_ASPECT_TYPE_DEPTH) : 0;
}

static tn_status note(const tn_reach_node *node, tn_map *types, tn_arena *arena, tn_diag *diag) {
  LLVMValueRef function = node->function;
  const bool is_kernel = tn_function_is_kernel(function);
  if (!is_kernel && !tn_function_is_external(function)) {
    return TN_OK;
  }
  const uint64_t set = node->needs | (is_kernel ? of_argument(types, function) : 0);
  tn_function_remove_attr(function, TN_ATTR_ASPECTS);
  if (set == 0) {
    return TN_OK;
  }
  const char *text = tn_aspects_text(arena, set);
  if (!text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note what kernels ask of devices");
  }
  tn_function_set_attr(function, TN_ATTR_ASPECTS, text);
  return TN_OK;
}

tn_status tn_lower_note_aspects(LLVMModuleRef module, tn_arena *arena, tn_diag *diag) {
  tn_map types;
  tn_map_init(&types);
  tn_reach reach;
  tn_reach_init(&reach, arena);
  reach.visit_instruction = visit;
  reach.user = &types;
  tn_status status = tn_reach_walk(&reach, module, diag);
  if (status == TN_OK) {
    tn_aspects_spread(&reach);
  }
  for (size_t i = 0; status == TN_OK && i < reach.nodes.count; ++i) {
    status = note(reach.nodes.items[i], &types, arena, diag);
  }
  tn_reach_deinit(&reach);
  tn_map_deinit(&types);
  return status;
}
