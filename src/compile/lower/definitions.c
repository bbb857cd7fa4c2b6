// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels and inline functions of a unit with a hash of their code, so that a link can tell when
// two units mean different things by one name. Written for code as clang made it, with the names of
// its values: what is equal in the source is equal here, whatever else the unit has.
//
// needs: a checked unit, before name_unit. keeps: all. breaks: nothing.
#include "compile/lower/lower.h"
#include "compile/reach/reach.h"

enum { TN_HASH_DEPTH = 3, TN_TYPE_HASH_DEPTH = 12, TN_DEFINITIONS_MAX = 1000 };

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

static uint64_t hash_text(tn_str text) { return tn_hash_bytes(text.data, text.size, 7); }

static uint64_t hash_type(LLVMTypeRef type, int depth) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  uint64_t hash = mix(1, kind);
  if (depth == 0) {
    return hash;
  }
  switch (kind) {
    case LLVMIntegerTypeKind:
      return mix(hash, LLVMGetIntTypeWidth(type));
    case LLVMPointerTypeKind:
      return mix(hash, LLVMGetPointerAddressSpace(type));
    case LLVMArrayTypeKind:
      hash = mix(hash, LLVMGetArrayLength2(type));
      return mix(hash, hash_type(LLVMGetElementType(type), depth - 1));
    case LLVMVectorTypeKind:
      hash = mix(hash, LLVMGetVectorSize(type));
      return mix(hash, hash_type(LLVMGetElementType(type), depth - 1));
    case LLVMStructTypeKind:
      for (unsigned i = 0; i < LLVMCountStructElementTypes(type); ++i) {
        hash = mix(hash, hash_type(LLVMStructGetTypeAtIndex(type, i), depth - 1));
      }
      return hash;
    default:
      return hash;
  }
}

// Constants that clang numbers by the unit, such as ".str.4".
static bool is_numbered(tn_str name) { return name.size == 0 || name.data[0] == '.'; }

static uint64_t hash_value(LLVMValueRef value, int depth);

static uint64_t hash_operands(uint64_t hash, LLVMValueRef value, int depth) {
  const int count = LLVMGetNumOperands(value);
  for (int i = 0; i < count; ++i) {
    LLVMValueRef operand = LLVMGetOperand(value, (unsigned)i);
    hash = mix(hash, operand ? hash_value(operand, depth) : 0);
  }
  return hash;
}

static bool is_text(LLVMValueRef constant) {
  LLVMTypeRef type = LLVMTypeOf(constant);
  return LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
         LLVMGetElementType(type) == LLVMInt8TypeInContext(LLVMGetTypeContext(type));
}

static uint64_t hash_constant(LLVMValueRef value, int depth);

// What is private to the unit counts by its contents. Texts are left out: a file's name depends on
// how it was included.
static uint64_t hash_contents(LLVMValueRef variable, int depth) {
  LLVMValueRef contents = LLVMIsGlobalConstant(variable) ? LLVMGetInitializer(variable) : NULL;
  const LLVMLinkage linkage = LLVMGetLinkage(variable);
  const bool is_private = linkage == LLVMPrivateLinkage || linkage == LLVMInternalLinkage;
  return is_private && contents && !is_text(contents) && depth > 0
             ? hash_constant(contents, depth - 1)
             : 0;
}

static uint64_t hash_constant(LLVMValueRef value, int depth) {
  LLVMValueRef variable = LLVMIsAGlobalVariable(value);
  if (variable) {
    const tn_str name = tn_value_name(value);
    return mix(is_numbered(name) ? 8 : hash_text(name), hash_contents(variable, depth));
  }
  uint64_t hash = mix(2, hash_type(LLVMTypeOf(value), TN_TYPE_HASH_DEPTH));
  if (LLVMIsAConstantDataSequential(value)) {
    size_t size = 0;
    const char *data = LLVMGetRawDataValues(value, &size);
    return mix(hash, tn_hash_bytes(data, size, 9));
  }
  if (LLVMIsAGlobalValue(value)) {
    return mix(hash, hash_text(tn_value_name(value)));
  }
  if (LLVMIsAConstantInt(value)) {
    return LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64 ? mix(hash, LLVMConstIntGetZExtValue(value))
                                                        : hash;
  }
  if (LLVMIsAConstantFP(value)) {
    LLVMBool is_inexact = 0;
    const double number = LLVMConstRealGetDouble(value, &is_inexact);
    return mix(hash, tn_hash_bytes(&number, sizeof(number), 3));
  }
  return depth > 0 ? hash_operands(hash, value, depth - 1) : hash;
}

// An operand: where it comes from, as far as `depth` goes.
static uint64_t hash_value(LLVMValueRef value, int depth) {
  if (LLVMIsABasicBlock(value)) {
    return mix(3, hash_text(tn_str_from(LLVMGetBasicBlockName(LLVMValueAsBasicBlock(value)))));
  }
  if (LLVMIsAConstant(value)) {
    return hash_constant(value, TN_HASH_DEPTH);
  }
  uint64_t hash = mix(4, hash_text(tn_value_name(value)));
  if (!LLVMIsAInstruction(value) || depth == 0) {
    return hash;
  }
  hash = mix(hash, LLVMGetInstructionOpcode(value));
  return hash_operands(hash, value, depth - 1);
}

static bool is_marker(LLVMValueRef instruction) {
  LLVMValueRef callee =
      LLVMIsACallInst(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction)) : NULL;
  return callee && (tn_str_has_prefix(tn_value_name(callee), TN_STR_LIT("llvm.lifetime.")) ||
                    tn_str_has_prefix(tn_value_name(callee), TN_STR_LIT("llvm.dbg.")));
}

static uint64_t hash_instruction(LLVMValueRef instruction) {
  uint64_t hash = mix(5, hash_type(LLVMTypeOf(instruction), TN_TYPE_HASH_DEPTH));
  if (LLVMIsAICmpInst(instruction)) {
    hash = mix(hash, LLVMGetICmpPredicate(instruction));
  } else if (LLVMIsAFCmpInst(instruction)) {
    hash = mix(hash, LLVMGetFCmpPredicate(instruction));
  } else if (LLVMIsAAllocaInst(instruction)) {
    hash = mix(hash, hash_type(LLVMGetAllocatedType(instruction), TN_TYPE_HASH_DEPTH));
  } else if (LLVMIsAGetElementPtrInst(instruction)) {
    hash = mix(hash, hash_type(LLVMGetGEPSourceElementType(instruction), TN_TYPE_HASH_DEPTH));
  } else if (LLVMIsAAtomicRMWInst(instruction)) {
    hash = mix(hash, LLVMGetAtomicRMWBinOp(instruction));
  }
  return mix(hash, hash_value(instruction, TN_HASH_DEPTH));
}

typedef struct code_hash {
  uint64_t hash;
  bool is_relaxed;  // with floating-point flags, which change what is written
} code_hash;

static code_hash hash_function(LLVMValueRef function) {
  uint64_t hash = mix(6, LLVMCountParams(function));
  bool is_relaxed = false;
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    hash = mix(hash, hash_value(LLVMBasicBlockAsValue(block), 0));
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      hash = is_marker(i) ? hash : mix(hash, hash_instruction(i));
      is_relaxed = is_relaxed || (LLVMCanValueUseFastMathFlags(i) && LLVMGetFastMathFlags(i) != 0);
    }
  }
  return (code_hash){hash, is_relaxed};
}

// Named by something that other units can name as well, and not just part of a kernel or function.
static bool is_inline_function(LLVMValueRef function) {
  const tn_str name = tn_value_name(function);
  const LLVMLinkage linkage = LLVMGetLinkage(function);
  return (linkage == LLVMLinkOnceODRLinkage || linkage == LLVMWeakODRLinkage ||
          linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMWeakAnyLinkage) &&
         tn_str_has_prefix(name, TN_STR_LIT("_Z")) && !tn_str_has_prefix(name, TN_STR_LIT("_ZZ")) &&
         tn_str_find(name, TN_STR_LIT("EUl")) == SIZE_MAX;
}

typedef struct lister {
  tn_reach *reach;
  code_hash *hashes;  // of the nodes' functions, 0 for those that are not the user's
  uint64_t unit_id;
  tn_list *out;
} lister;

// The kernel's own code: what it reaches and nobody else can name.
static code_hash hash_kernel(const lister *l, const tn_reach_node *kernel, tn_map *indices,
                             tn_list *queue) {
  tn_arena *arena = l->reach->arena;
  code_hash whole = {0, false};
  tn_map seen;
  tn_map_init(&seen);
  queue->count = 0;
  bool good = tn_list_add(queue, arena, kernel);
  for (size_t i = 0; i < queue->count && good; ++i) {
    const tn_reach_node *node = queue->items[i];
    const size_t index = (size_t)(uintptr_t)tn_map_find(indices, TN_POINTER_KEY(node)) - 1;
    whole.hash += l->hashes[index].hash;  // in whatever order
    whole.is_relaxed = whole.is_relaxed || l->hashes[index].is_relaxed;
    for (const tn_reach_edge *edge = node->edges; edge && good; edge = edge->next) {
      const tn_reach_node *to = edge->to;
      const bool is_own =
          !tn_function_is_external(to->function) &&
          !(is_inline_function(to->function) && tn_function_is_of_user(to->function));
      if (is_own && !tn_map_find(&seen, TN_POINTER_KEY(to))) {
        good = tn_map_set(&seen, TN_POINTER_KEY(to), queue) && tn_list_add(queue, arena, to);
      }
    }
  }
  tn_map_deinit(&seen);
  return good ? whole : (code_hash){0, false};
}

// A kernel whose name has no linkage gets the unit's id.
static char *settled_name(const lister *l, LLVMValueRef function) {
  const tn_str name = tn_value_name(function);
  return tn_function_is_kernel(function) && tn_kernel_name_is_local(name)
             ? tn_arena_format(l->reach->arena, "%.*s@%016llx", (int)name.size, name.data,
                               (unsigned long long)l->unit_id)
             : tn_arena_str(l->reach->arena, name);
}

static bool add(const lister *l, LLVMValueRef function, tn_place place, code_hash hash) {
  tn_unit_definition *definition = tn_arena_alloc(l->reach->arena, sizeof(*definition));
  const char *text = tn_arena_format(l->reach->arena, "%016llx%s", (unsigned long long)hash.hash,
                                     hash.is_relaxed ? "f" : "");
  const char *name = settled_name(l, function);
  const char *file = tn_arena_str(l->reach->arena, place.file);
  if (!definition || !text || !name || !file) {
    return false;
  }
  *definition = (tn_unit_definition){.name = tn_str_from(name),
                                     .hash = tn_str_from(text),
                                     .file = tn_str_from(file),
                                     .line = place.line};
  return tn_list_add(l->out, l->reach->arena, definition);
}

static bool list_nodes(const lister *l, tn_map *indices) {
  tn_list queue = {0};
  bool good = true;
  for (size_t i = 0; i < l->reach->nodes.count && good && l->out->count < TN_DEFINITIONS_MAX; ++i) {
    const tn_reach_node *node = l->reach->nodes.items[i];
    LLVMValueRef function = node->function;
    if (tn_function_is_kernel(function)) {
      tn_place place = {tn_function_attr(function, TN_ATTR_KERNEL_FILE), 0, 0};
      uint64_t line = 0;
      place.line = tn_str_to_u64(tn_function_attr(function, TN_ATTR_KERNEL_LINE), &line)
                       ? (uint32_t)line
                       : 0;
      good = add(l, function, place, hash_kernel(l, node, indices, &queue));
    } else if (!tn_function_is_kernel(function) && is_inline_function(function) &&
               tn_function_is_of_user(function)) {
      good = add(l, function, tn_place_of_function(function), l->hashes[i]);
    }
  }
  return good;
}

tn_status tn_lower_list_definitions(LLVMModuleRef module, uint64_t unit_id, tn_arena *arena,
                                    tn_list *out, tn_diag *diag) {
  *out = (tn_list){0};
  tn_reach reach;
  tn_reach_init(&reach, arena);
  tn_map indices;  // of nodes, and one more
  tn_map_init(&indices);
  tn_status status = tn_reach_walk(&reach, module, diag);
  if (status == TN_OK) {
    lister l = {.reach = &reach, .unit_id = unit_id, .out = out};
    l.hashes = tn_arena_alloc_array(arena, reach.nodes.count + 1, sizeof(*l.hashes));
    bool good = l.hashes != NULL;
    for (size_t i = 0; i < reach.nodes.count && good; ++i) {
      const tn_reach_node *node = reach.nodes.items[i];
      l.hashes[i] = tn_function_is_of_user(node->function) ? hash_function(node->function)
                                                           : (code_hash){0, false};
      good = tn_map_set(&indices, TN_POINTER_KEY(node), (void *)(uintptr_t)(i + 1));
    }
    if (!good || !list_nodes(&l, &indices)) {
      status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list what device code defines");
    }
  }
  tn_map_deinit(&indices);
  tn_reach_deinit(&reach);
  return status;
}
