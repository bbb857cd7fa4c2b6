// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Specialization constants in SPIR-V: each value that is read is one of its own, whose number says
// its place in the image's buffer of defaults and its size. What is read otherwise than by single
// values, such as an array by an index, is read from a copy of the buffer on the stack. Addresses
// of device globals are behind the constants, and are constants of 64 bits.
// needs: an image's code that reads the buffer.  keeps: all else.  breaks: the buffer is gone.
#include "base/map.h"
#include "compile/gpu/gpu.h"
#include "compile/gpu/gpu_calls.h"

#include <stdio.h>

enum { NAME_MAXIMUM = 64, DERIVE_DEPTH = 32 };

typedef struct folder {
  LLVMModuleRef module;
  const tn_lower_specs *specs;
  uint64_t size;  // of the constants and of the addresses behind them
  tn_map made;    // function, offset, type → call
  bool out_of_memory;
} folder;

// How C++ names the type in a function's symbol; NULL for types that have no specialization
// constants.
static const char *mangled(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
      return "Dh";
    case LLVMFloatTypeKind:
      return "f";
    case LLVMDoubleTypeKind:
      return "d";
    case LLVMIntegerTypeKind:
      switch (LLVMGetIntTypeWidth(type)) {
        case 8:
          return "c";
        case 16:
          return "s";
        case 32:
          return "i";
        case 64:
          return "l";
        default:
          return NULL;
      }
    default:
      return NULL;
  }
}

static LLVMValueRef default_value(const folder *f, LLVMTypeRef type, uint64_t offset,
                                  unsigned bytes) {
  LLVMContextRef context = LLVMGetModuleContext(f->module);
  uint64_t bits = 0;
  const uint64_t size = f->specs->buffer_size;
  const uint64_t there = offset < size ? size - offset : 0;
  if (there > 0) {
    memcpy(&bits, f->specs->buffer + offset, bytes < there ? bytes : (size_t)there);
  }
  LLVMValueRef value = LLVMConstInt(LLVMIntTypeInContext(context, bytes * 8), bits, 0);
  return LLVMConstBitCast(value, type);
}

static unsigned bytes_of(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
      return 2;
    case LLVMFloatTypeKind:
      return 4;
    case LLVMDoubleTypeKind:
      return 8;
    default:
      return LLVMGetIntTypeWidth(type) / 8;
  }
}

static LLVMValueRef declare(folder *f, LLVMTypeRef type) {
  char name[NAME_MAXIMUM];
  (void)snprintf(name, sizeof(name), "_Z20__spirv_SpecConstanti%s", mangled(type));
  LLVMValueRef function = LLVMGetNamedFunction(f->module, name);
  if (!function) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(f->module));
    function =
        LLVMAddFunction(f->module, name, LLVMFunctionType(type, (LLVMTypeRef[]){i32, type}, 2, 0));
    LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
    tn_function_add_enum(function, "nounwind");
  }
  return function;
}

// SpecId: the offset in the buffer times 8, and the logarithm of the size.
static uint64_t spec_id(uint64_t offset, unsigned bytes) {
  return offset << 3 | (bytes == 8 ? 3 : bytes / 2);
}

// The constant of that place and type, once in each function, at its begin.
static LLVMValueRef constant_in(folder *f, LLVMValueRef function, LLVMTypeRef type,
                                uint64_t offset) {
  const struct {
    LLVMValueRef function;
    LLVMTypeRef type;
    uint64_t offset;
  } key = {function, type, offset};
  const tn_str bytes = {(const char *)&key, sizeof(key)};
  LLVMValueRef call = tn_map_find(&f->made, bytes);
  if (call) {
    return call;
  }
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(f->module));
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef callee = declare(f, type);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(f->module));
  LLVMValueRef arguments[2] = {LLVMConstInt(i32, spec_id(offset, bytes_of(type)), 0),
                               default_value(f, type, offset, bytes_of(type))};
  call = LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, arguments, 2, "");
  LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
  LLVMDisposeBuilder(builder);
  f->out_of_memory = !tn_map_set(&f->made, bytes, call) || f->out_of_memory;
  return call;
}

// Bytes that an address is behind another; false when that is not known.
static bool distance(LLVMValueRef address, uint64_t *out) {
  *out = 0;
  if (!LLVMIsAGetElementPtrInst(address)) {
    return LLVMIsAAddrSpaceCastInst(address) != NULL;
  }
  LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
  LLVMValueRef index = LLVMGetNumIndices(address) == 1 ? LLVMGetOperand(address, 1) : NULL;
  if (!index || !LLVMIsAConstantInt(index) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind) {
    return false;
  }
  *out = LLVMConstIntGetZExtValue(index) * (LLVMGetIntTypeWidth(type) / 8);
  return true;
}

// False for what is no single value of the buffer.
static bool fold_load(folder *f, LLVMValueRef load, uint64_t offset) {
  LLVMTypeRef type = LLVMTypeOf(load);
  const bool is_address = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
  LLVMTypeRef read = is_address ? LLVMInt64TypeInContext(LLVMGetModuleContext(f->module)) : type;
  if (!mangled(read) || offset + bytes_of(read) > f->size) {
    return false;
  }
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(load));
  LLVMValueRef value = constant_in(f, function, read, offset);
  if (is_address) {
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(f->module));
    LLVMPositionBuilderBefore(builder, load);
    value = LLVMBuildIntToPtr(builder, value, type, "");
    LLVMDisposeBuilder(builder);
  }
  LLVMReplaceAllUsesWith(load, value);
  LLVMInstructionEraseFromParent(load);
  return true;
}

// False when an address is used for more than reading single values.
static bool fold(folder *f, LLVMValueRef address, uint64_t offset, int depth) {
  bool complete = depth < DERIVE_DEPTH;
  for (LLVMUseRef use = LLVMGetFirstUse(address); use && complete;) {
    LLVMValueRef user = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    uint64_t further = 0;
    if (LLVMIsALoadInst(user)) {
      complete = fold_load(f, user, offset);
    } else {
      complete = LLVMIsAInstruction(user) && distance(user, &further) &&
                 fold(f, user, offset + further, depth + 1);
      if (complete) {
        LLVMInstructionEraseFromParent(user);
      }
    }
  }
  return complete;
}

// The buffer's values in a variable of the function that asks for its address.
static LLVMValueRef copy_in(folder *f, LLVMValueRef call) {
  LLVMContextRef context = LLVMGetModuleContext(f->module);
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
  LLVMTypeRef i8 = LLVMInt8TypeInContext(context);
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  const uint64_t size = f->size;
  const uint64_t words = size / sizeof(uint64_t);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  LLVMValueRef copy = LLVMBuildAlloca(builder, LLVMArrayType2(i8, size), "specs");
  LLVMSetAlignment(copy, sizeof(uint64_t));
  LLVMPositionBuilderBefore(builder, call);
  for (uint64_t at = 0; at < size; at += at < words * sizeof(uint64_t) ? sizeof(uint64_t) : 1) {
    const bool is_word = at < words * sizeof(uint64_t);
    LLVMValueRef index = LLVMConstInt(i64, at, 0);
    LLVMValueRef to = LLVMBuildInBoundsGEP2(builder, i8, copy, &index, 1, "");
    LLVMValueRef value = constant_in(f, function, is_word ? i64 : i8, at);
    LLVMSetAlignment(LLVMBuildStore(builder, value, to), is_word ? sizeof(uint64_t) : 1);
  }
  LLVMDisposeBuilder(builder);
  return copy;
}

static bool replace_address(LLVMValueRef old, LLVMValueRef made, int depth);

// False for uses that are neither reads nor further addresses.
static bool replace_use(LLVMValueRef user, LLVMValueRef old, LLVMValueRef made, int depth) {
  enum { INDICES_MAXIMUM = 16 };
  LLVMValueRef indices[INDICES_MAXIMUM];
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(old)));
  LLVMPositionBuilderBefore(builder, user);
  bool is_done = true;
  if (LLVMIsALoadInst(user)) {
    LLVMSetOperand(user, 0, made);
  } else if (LLVMIsAAddrSpaceCastInst(user)) {
    LLVMReplaceAllUsesWith(user, LLVMBuildAddrSpaceCast(builder, made, LLVMTypeOf(user), ""));
    LLVMInstructionEraseFromParent(user);
  } else if ((LLVMIsAMemCpyInst(user) || LLVMIsAMemMoveInst(user)) &&
             LLVMGetOperand(user, 0) != old) {
    LLVMBuildMemCpy(builder, LLVMGetOperand(user, 0), 1, made, 1, LLVMGetOperand(user, 2));
    LLVMInstructionEraseFromParent(user);
  } else if (LLVMIsAGetElementPtrInst(user) && LLVMGetNumIndices(user) <= INDICES_MAXIMUM) {
    const unsigned count = LLVMGetNumIndices(user);
    for (unsigned i = 0; i < count; ++i) {
      indices[i] = LLVMGetOperand(user, i + 1);
    }
    is_done = replace_address(
        user,
        LLVMBuildInBoundsGEP2(builder, LLVMGetGEPSourceElementType(user), made, indices, count, ""),
        depth + 1);
    if (is_done) {
      LLVMInstructionEraseFromParent(user);
    }
  } else {
    is_done = false;
  }
  LLVMDisposeBuilder(builder);
  return is_done;
}

// `made`, an address of another address space, takes the place of `old`.
static bool replace_address(LLVMValueRef old, LLVMValueRef made, int depth) {
  bool complete = depth < DERIVE_DEPTH;
  for (LLVMUseRef use; complete && (use = LLVMGetFirstUse(old)) != NULL;) {
    complete = replace_use(LLVMGetUser(use), old, made, depth);
  }
  return complete;
}

static tn_status fold_all(folder *f, LLVMValueRef get_buffer, tn_diag *diag) {
  for (LLVMUseRef use = LLVMGetFirstUse(get_buffer); use;) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (!LLVMIsACallInst(call) ||
        (!fold(f, call, 0, 0) && !replace_address(call, copy_in(f, call), 0))) {
      LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
      tn_arena arena;
      tn_arena_init(&arena);
      const char *name = tn_function_is_kernel(function)
                             ? tn_demangle_kernel(&arena, tn_value_name(function))
                             : tn_demangle(&arena, tn_value_name(function));
      const tn_status status =
          TN_FAIL(diag, UNSUPPORTED,
                  "'%s' uses the address of a specialization constant otherwise than for reading, "
                  "which SPIR-V cannot: copy its value first",
                  name ? name : "?");
      tn_arena_deinit(&arena);
      return status;
    }
    LLVMInstructionEraseFromParent(call);
  }
  return f->out_of_memory ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels") : TN_OK;
}

tn_status tn_gpu_specs_for_spirv(tn_llvm_job *job, LLVMModuleRef module,
                                 const tn_lower_specs *specs, size_t global_count, tn_diag *diag) {
  LLVMValueRef get_buffer = LLVMGetNamedFunction(module, TN_SPEC_BUFFER_FUNCTION);
  if (!get_buffer) {
    return TN_OK;
  }
  // So that what is read are single values at known places.
  static const char passes[] =
      "always-inline,function(sroa,early-cse,instcombine<no-verify-fixpoint>,"
      "infer-address-spaces,sroa,instcombine<no-verify-fixpoint>),globaldce";
  TN_TRY(tn_gpu_calls_inline(module, TN_SPEC_BUFFER_FUNCTION, diag));
  TN_TRY(tn_module_run_passes(job, module, passes, NULL, diag));
  get_buffer = LLVMGetNamedFunction(module, TN_SPEC_BUFFER_FUNCTION);
  if (!get_buffer) {
    return TN_OK;
  }
  const uint64_t addresses = global_count * sizeof(uint64_t);
  folder f = {.module = module,
              .specs = specs,
              .size = addresses == 0
                          ? specs->buffer_size
                          : tn_size_align(specs->buffer_size, sizeof(uint64_t)) + addresses};
  tn_map_init(&f.made);
  const tn_status status = fold_all(&f, get_buffer, diag);
  tn_map_deinit(&f.made);
  return status;
}
