// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of OpenCL C that LLVM's back end for SPIR-V does not know by these names: atomic
// functions of OpenCL 1.x and minima of OpenCL 2, fences of memory, barriers of sub-groups, copies
// of work-groups, and casts from the generic address space. They become instructions, or functions
// that it knows.
// needs: the module as it goes to the back end, without the library's bodies.  keeps: all else.
#include "compile/emit/emit.h"
#include "compile/emit/spirv_function.h"
#include "compile/module/module.h"

#include <stdio.h>

enum { NAME_MAXIMUM = 512 };
enum { LOCAL_FENCE = 1, GLOBAL_FENCE = 2, IMAGE_FENCE = 4, ALL_FENCES = 7 };
// SPIR-V's numbers.
enum { SCOPE_WORKGROUP = 2, SCOPE_SUBGROUP = 3, ACQUIRE_RELEASE = 0x8 };
enum { OF_WORKGROUP = 0x100, OF_CROSS_WORKGROUP = 0x200, OF_IMAGES = 0x800 };

typedef struct atomic_row {
  const char *name;  // behind atomic_ or atom_
  LLVMAtomicRMWBinOp op;
  LLVMAtomicRMWBinOp op_of_unsigned;
  int operand;     // what stands for a second argument; 0: it has one
  bool is_of_c11;  // with an order and a scope, also without saying them
} atomic_row;

static const atomic_row atomics[] = {
    {"inc", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, 1, false},
    {"dec", LLVMAtomicRMWBinOpSub, LLVMAtomicRMWBinOpSub, 1, false},
    {"xchg", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, 0, false},
    {"min", LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin, 0, false},
    {"max", LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax, 0, false},
    {"fetch_min", LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin, 0, true},
    {"fetch_max", LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax, 0, true},
    {"fetch_min_explicit", LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin, 0, true},
    {"fetch_max_explicit", LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax, 0, true},
};

// "_Z<length><name><types>"; false when it is no such name.
static bool read_name(tn_str symbol, tn_str *name, tn_str *types) {
  size_t at = 2;
  size_t length = 0;
  if (!tn_str_has_prefix(symbol, TN_STR_LIT("_Z"))) {
    return false;
  }
  while (at < symbol.size && symbol.data[at] >= '0' && symbol.data[at] <= '9' && length < 1000) {
    length = length * 10 + (size_t)(symbol.data[at++] - '0');
  }
  if (length == 0 || length > symbol.size - at) {
    return false;
  }
  *name = tn_str_slice(symbol, at, length);
  *types = tn_str_slice(symbol, at + length, SIZE_MAX);
  return true;
}

static const atomic_row *find_atomic(tn_str name) {
  const tn_str prefixes[] = {TN_STR_LIT("atomic_"), TN_STR_LIT("atom_")};
  for (size_t p = 0; p < TN_COUNT(prefixes); p++) {
    const tn_str rest = tn_str_has_prefix(name, prefixes[p])
                            ? tn_str_slice(name, prefixes[p].size, SIZE_MAX)
                            : (tn_str){0};
    for (size_t i = 0; rest.data && i < TN_COUNT(atomics); i++) {
      if (tn_str_equals(rest, tn_str_from(atomics[i].name))) {
        return &atomics[i];
      }
    }
  }
  return NULL;
}

// As Clang numbers them in OpenCL C; what is not known when it is compiled is the strictest.
static LLVMAtomicOrdering order_of(LLVMValueRef number) {
  LLVMValueRef constant = number ? LLVMIsAConstantInt(number) : NULL;
  switch (constant ? LLVMConstIntGetZExtValue(constant) : UINT64_MAX) {
    case 0:
      return LLVMAtomicOrderingMonotonic;
    case 2:
      return LLVMAtomicOrderingAcquire;
    case 3:
      return LLVMAtomicOrderingRelease;
    case 4:
      return LLVMAtomicOrderingAcquireRelease;
    default:
      return LLVMAtomicOrderingSequentiallyConsistent;
  }
}

static unsigned scope_of(LLVMContextRef context, LLVMValueRef number) {
  static const char *const names[] = {"singlethread", "workgroup", "device", "", "subgroup"};
  LLVMValueRef constant = number ? LLVMIsAConstantInt(number) : NULL;
  const uint64_t scope = constant ? LLVMConstIntGetZExtValue(constant) : number ? 3 : 2;
  const char *name = scope < TN_COUNT(names) ? names[scope] : "";
  return LLVMGetSyncScopeID(context, name, strlen(name));
}

// The value's type is the last of the mangled ones (i, j, l, m or f), before an order and a scope.
static bool is_unsigned(tn_str types) {
  static const char order[] = "12memory_order";
  size_t end = types.size;
  for (size_t i = 0; i + sizeof(order) - 1 <= types.size && end == types.size; i++) {
    if (memcmp(types.data + i, order, sizeof(order) - 1) == 0) {
      end = i;
    }
  }
  return end > 0 && (types.data[end - 1] == 'j' || types.data[end - 1] == 'm');
}

static bool replace_atomic(LLVMBuilderRef builder, LLVMValueRef call, tn_str name, tn_str types) {
  const atomic_row *row = find_atomic(name);
  const unsigned count = row ? LLVMGetNumArgOperands(call) : 0;
  const unsigned least = row && row->operand != 0 ? 1 : 2;
  if (!row || count < least || count > (row->is_of_c11 ? 4u : least)) {
    return false;
  }
  LLVMTypeRef result = LLVMTypeOf(call);
  LLVMContextRef context = LLVMGetTypeContext(result);
  LLVMValueRef operand = least == 1 ? LLVMConstInt(result, (unsigned)row->operand, false)
                                    : LLVMGetOperand(call, 1);
  LLVMValueRef order = count > 2 ? LLVMGetOperand(call, 2) : NULL;
  LLVMValueRef atomic = LLVMBuildAtomicRMWSyncScope(
      builder, is_unsigned(types) ? row->op_of_unsigned : row->op, LLVMGetOperand(call, 0), operand,
      row->is_of_c11 ? order_of(order) : LLVMAtomicOrderingMonotonic,
      scope_of(context, count > 3 ? LLVMGetOperand(call, 3) : NULL));
  LLVMReplaceAllUsesWith(call, atomic);
  return true;
}

// What flags of a fence say, as SPIR-V has it; of all memory where they are not known.
static LLVMValueRef semantics_of(LLVMValueRef flags, LLVMTypeRef number) {
  LLVMValueRef constant = LLVMIsAConstantInt(flags);
  const uint64_t bits = constant ? LLVMConstIntGetZExtValue(constant) : ALL_FENCES;
  const unsigned memory = (bits & LOCAL_FENCE ? (unsigned)OF_WORKGROUP : 0) |
                          (bits & GLOBAL_FENCE ? (unsigned)OF_CROSS_WORKGROUP : 0) |
                          (bits & IMAGE_FENCE ? (unsigned)OF_IMAGES : 0);
  return LLVMConstInt(number, ACQUIRE_RELEASE | memory, false);
}

static bool replace_fence(LLVMBuilderRef builder, LLVMValueRef call, tn_str name) {
  if ((!tn_str_equals(name, TN_STR_LIT("mem_fence")) &&
       !tn_str_equals(name, TN_STR_LIT("read_mem_fence")) &&
       !tn_str_equals(name, TN_STR_LIT("write_mem_fence"))) ||
      LLVMGetNumArgOperands(call) != 1) {
    return false;
  }
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMTypeRef number = LLVMInt32TypeInContext(context);
  LLVMValueRef arguments[] = {LLVMConstInt(number, SCOPE_WORKGROUP, false),
                              semantics_of(LLVMGetOperand(call, 0), number)};
  (void)tn_spirv_call(builder, "_Z21__spirv_MemoryBarrierjj", LLVMVoidTypeInContext(context),
                      arguments, 2);
  return true;
}

// Of a sub-group, with a scope of memory or without.
static bool replace_barrier(LLVMBuilderRef builder, LLVMValueRef call, tn_str name) {
  static const unsigned scopes[] = {4, 2, 1, 0, SCOPE_SUBGROUP};  // in OpenCL C's order
  const unsigned count = LLVMGetNumArgOperands(call);
  if (!tn_str_equals(name, TN_STR_LIT("sub_group_barrier")) || count < 1 || count > 2) {
    return false;
  }
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMTypeRef number = LLVMInt32TypeInContext(context);
  LLVMValueRef given = count == 2 ? LLVMIsAConstantInt(LLVMGetOperand(call, 1)) : NULL;
  const uint64_t scope = given ? LLVMConstIntGetZExtValue(given) : TN_COUNT(scopes);
  LLVMValueRef arguments[] = {
      LLVMConstInt(number, SCOPE_SUBGROUP, false),
      LLVMConstInt(number, scope < TN_COUNT(scopes) ? scopes[scope] : SCOPE_SUBGROUP, false),
      semantics_of(LLVMGetOperand(call, 0), number)};
  LLVMValueRef barrier = tn_spirv_call(builder, "_Z22__spirv_ControlBarrierjjj",
                                       LLVMVoidTypeInContext(context), arguments, 3);
  tn_function_add_enum(LLVMGetCalledValue(barrier), "convergent");
  return true;
}

// Clang calls these without mangling them.
static bool replace_cast(LLVMBuilderRef builder, LLVMValueRef call, tn_str symbol) {
  static const struct {
    tn_str symbol;
    const char *name;
    unsigned storage;
  } rows[] = {
      {{"__to_global", 11}, "_Z41__spirv_GenericCastToPtrExplicit_ToGlobalPvi", 5},
      {{"__to_local", 10}, "_Z40__spirv_GenericCastToPtrExplicit_ToLocalPvi", 4},
      {{"__to_private", 12}, "_Z42__spirv_GenericCastToPtrExplicit_ToPrivatePvi", 7},
  };
  for (size_t i = 0; i < TN_COUNT(rows) && LLVMGetNumArgOperands(call) == 1; i++) {
    if (tn_str_equals(symbol, rows[i].symbol)) {
      LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
      LLVMValueRef arguments[] = {LLVMGetOperand(call, 0),
                                  LLVMConstInt(number, rows[i].storage, false)};
      LLVMReplaceAllUsesWith(
          call, tn_spirv_call(builder, rows[i].name, LLVMTypeOf(call), arguments, 2));
      return true;
    }
  }
  return false;
}

// A pointer to the first element of an array variable, by an instruction that is not folded away:
// the back end takes the variable itself for a pointer to arrays.
static LLVMValueRef first_element(LLVMBuilderRef builder, LLVMValueRef place) {
  LLVMTypeRef type = LLVMIsAGlobalVariable(place) ? LLVMGlobalGetValueType(place) : NULL;
  if (!type || LLVMGetTypeKind(type) != LLVMArrayTypeKind) {
    return place;
  }
  while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
    type = LLVMGetElementType(type);
  }
  LLVMValueRef zero = LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(type)), 0, false);
  LLVMValueRef other = LLVMBuildFreeze(builder, place, "");
  LLVMValueRef element = LLVMBuildInBoundsGEP2(builder, type, other, &zero, 1, "");
  LLVMSetOperand(element, 0, place);
  LLVMInstructionEraseFromParent(other);
  return element;
}

// The back end gives the instruction a stride of 32 bits, for which drivers have no function, and
// loses what pointers point to.
static bool replace_copy(LLVMBuilderRef builder, LLVMValueRef call, tn_str name, tn_str types) {
  static const char last[] = "9ocl_event";
  char symbol[NAME_MAXIMUM];
  const bool has_stride = tn_str_equals(name, TN_STR_LIT("async_work_group_strided_copy"));
  const unsigned numbers = has_stride ? 2 : 1;
  if ((!has_stride && !tn_str_equals(name, TN_STR_LIT("async_work_group_copy"))) ||
      LLVMGetNumArgOperands(call) != numbers + 3 || types.size <= numbers + sizeof(last) - 1 ||
      types.size > sizeof(symbol) / 2) {
    return false;
  }
  const tn_str places = tn_str_slice(types, 0, types.size - numbers - (sizeof(last) - 1));
  const char number_type = types.data[places.size];
  (void)snprintf(symbol, sizeof(symbol), "_Z22__spirv_GroupAsyncCopyi%.*s%c%c%s",
                 TN_STR_ARG(places), number_type, number_type, last);
  LLVMValueRef count = LLVMGetOperand(call, 2);
  LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(call)));
  LLVMValueRef arguments[] = {
      LLVMConstInt(number, SCOPE_WORKGROUP, false),
      first_element(builder, LLVMGetOperand(call, 0)),
      first_element(builder, LLVMGetOperand(call, 1)),
      count,
      has_stride ? LLVMGetOperand(call, 3) : LLVMConstInt(LLVMTypeOf(count), 1, false),
      LLVMGetOperand(call, numbers + 2)};
  LLVMReplaceAllUsesWith(call, tn_spirv_call(builder, symbol, LLVMTypeOf(call), arguments,
                                             TN_COUNT(arguments)));
  return true;
}

static void replace(LLVMBuilderRef builder, LLVMValueRef instruction) {
  LLVMValueRef callee =
      LLVMIsACallInst(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction)) : NULL;
  if (!callee || !LLVMIsDeclaration(callee)) {
    return;
  }
  LLVMPositionBuilderBefore(builder, instruction);
  const tn_str symbol = tn_value_name(callee);
  tn_str name = {0};
  tn_str types = {0};
  if (replace_cast(builder, instruction, symbol) ||
      (read_name(symbol, &name, &types) &&
       (replace_atomic(builder, instruction, name, types) ||
        replace_fence(builder, instruction, name) ||
        replace_barrier(builder, instruction, name) ||
        replace_copy(builder, instruction, name, types)))) {
    LLVMInstructionEraseFromParent(instruction);
  }
}

void tn_emit_spirv_opencl(LLVMModuleRef module) { tn_module_rewrite(module, replace); }
