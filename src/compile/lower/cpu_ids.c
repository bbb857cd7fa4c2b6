// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ids and sizes on the CPU: loads from tn_cpu_group, and the loop's own counters.
// needs: functions that ask for ids inlined into those that tn_cpu_item_make made.
// keeps: all else.  breaks: nothing.
#include "compile/lower/cpu_ids.h"

#include "compile/lower/cpu_check.h"
#include "compile/lower/lower.h"
#include "tenon/cpu_kernel.h"

#define TN_BUILTIN "__spirv_BuiltIn"
// base/host_function.h
#define TN_CPU_ASSERT_FUNCTION "tn_cpu_assert_fail"
#define TN_CPU_SPACE_FUNCTION "tn_cpu_is_in_space"

typedef struct id_kind {
  const char *name;
  size_t offset;  // in tn_cpu_group
  bool is_item;   // the work-item's id in the group is added
  bool is_local;  // only that id
} id_kind;

// By tn_cpu_id, the first one left out.
static const id_kind kinds[] = {
    {"GlobalInvocationId", offsetof(tn_cpu_group, base), true, false},
    {"LocalInvocationId", 0, false, true},
    {"GlobalSize", offsetof(tn_cpu_group, global_size), false, false},
    {"GlobalOffset", offsetof(tn_cpu_group, global_offset), false, false},
    {"NumWorkgroups", offsetof(tn_cpu_group, group_count), false, false},
    {"WorkgroupSize", offsetof(tn_cpu_group, enqueued_local_size), false, false},
    {"WorkgroupId", offsetof(tn_cpu_group, group_id), false, false},
};

// "GlobalSize" of "_Z25__spirv_BuiltInGlobalSizei" or "__spirv_BuiltInGlobalSize"; else empty.
static tn_str builtin_of(LLVMValueRef function) {
  const tn_str name = tn_value_name(function);
  const size_t at = tn_str_find(name, TN_STR_LIT(TN_BUILTIN));
  if (at == SIZE_MAX || !tn_function_is_builtin_name(name)) {
    return (tn_str){NULL, 0};
  }
  size_t size = name.size - at;
  uint64_t length = 0;
  if (at > 2 && tn_str_to_u64(tn_str_slice(name, 2, at - 2), &length) && length <= size) {
    size = (size_t)length;
  }
  return tn_str_slice(name, at + sizeof(TN_BUILTIN) - 1, size - (sizeof(TN_BUILTIN) - 1));
}

static const struct {
  const char *name;
  size_t offset;  // in tn_cpu_group
} memories[] = {
    {"__tenon_local_memory", offsetof(tn_cpu_group, local_memory)},
    {"__tenon_group_scratch", offsetof(tn_cpu_group, scratch)},
    {"__tenon_root_word", offsetof(tn_cpu_group, root)},
    {TN_SPEC_BUFFER_FUNCTION, offsetof(tn_cpu_group, spec_constants)},
};

// The pointer of tn_cpu_group that a function returns; SIZE_MAX when it is another.
static size_t memory_of(LLVMValueRef function) {
  for (size_t i = 0; i < TN_COUNT(memories); ++i) {
    if (tn_str_find(tn_value_name(function), tn_str_from(memories[i].name)) != SIZE_MAX) {
      return memories[i].offset;
    }
  }
  return SIZE_MAX;
}

static bool is_space_query(LLVMValueRef function) {
  return tn_str_find(tn_value_name(function), TN_STR_LIT("__tenon_is_in_space")) != SIZE_MAX;
}

static bool is_builtin(LLVMValueRef function) {
  return !tn_function_is_defined(function) &&
         (builtin_of(function).size != 0 || memory_of(function) != SIZE_MAX ||
          tn_is_group_memory(function) || is_space_query(function) ||
          tn_group_op_of_name(tn_value_name(function)) != TN_GROUP_OP_NONE);
}

static LLVMValueRef calling_function(LLVMValueRef call) {
  return LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
}

static bool is_call_of(LLVMValueRef user, LLVMValueRef function) {
  return LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function;
}

// A growing set of functions whose callers are still to be looked at.
typedef struct worklist {
  tn_arena arena;
  tn_list items;
  bool out_of_memory;
} worklist;

static void add_work(worklist *work, LLVMValueRef function) {
  for (size_t i = 0; i < work->items.count; ++i) {
    if (work->items.items[i] == (void *)function) {
      return;
    }
  }
  work->out_of_memory = !tn_list_add(&work->items, &work->arena, function) || work->out_of_memory;
}

static void mark_inline(LLVMValueRef function) {
  tn_function_remove_enum(function, "noinline");
  tn_function_remove_enum(function, "optnone");
  tn_function_add_enum(function, "alwaysinline");
}

static void add_callers(worklist *work, LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (!is_call_of(user, function)) {
      continue;
    }
    LLVMValueRef caller = calling_function(user);
    if (!tn_function_is_kernel(caller)) {
      LLVMRemoveCallSiteEnumAttribute(user, TN_ON_FUNCTION,
                                      LLVMGetEnumAttributeKindForName("noinline", 8));
      mark_inline(caller);
      add_work(work, caller);
    } else {
      LLVMRemoveCallSiteEnumAttribute(user, TN_ON_FUNCTION,
                                      LLVMGetEnumAttributeKindForName("noinline", 8));
    }
  }
}

static tn_status check_inlined(LLVMModuleRef module, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMUseRef use = is_builtin(f) ? LLVMGetFirstUse(f) : NULL; use;
         use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      if (is_call_of(user, f) && tn_function_is_kernel(calling_function(user))) {
        continue;
      }
      const tn_str where =
          LLVMIsAInstruction(user) ? tn_value_name(calling_function(user)) : tn_value_name(f);
      tn_arena arena;
      tn_arena_init(&arena);
      const char *shown = tn_demangle(&arena, where);
      const tn_status status =
          TN_FAIL(diag, BUILD_FAILED,
                  "'%s' asks for the id or the range of its work-item, for memory of its "
                  "work-group or for a specialization constant, and is used through a function "
                  "pointer; on the CPU device only functions that are called by name can ask: pass "
                  "the value as an argument",
                  shown ? shown : "?");
      tn_arena_deinit(&arena);
      return status;
    }
  }
  return TN_OK;
}

tn_status tn_cpu_ids_inline(tn_llvm_job *job, LLVMModuleRef module, tn_diag *diag) {
  worklist work = {0};
  tn_arena_init(&work.arena);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (is_builtin(f) || tn_cpu_is_check(f)) {
      add_work(&work, f);
    }
  }
  const size_t builtins = work.items.count;
  for (size_t i = 0; i < work.items.count; ++i) {
    add_callers(&work, work.items.items[i]);
  }
  const bool found = work.items.count > builtins;
  const bool out_of_memory = work.out_of_memory;
  tn_arena_deinit(&work.arena);
  if (out_of_memory) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels for the CPU");
  }
  if (found) {
    TN_TRY(tn_module_run_passes(job, module, "always-inline,globaldce", NULL, diag));
  }
  return check_inlined(module, diag);
}

static bool is_integer(LLVMValueRef value, unsigned width) {
  return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(value)) == width;
}

// Anybody may declare functions of these names.
static bool has_op_type(LLVMValueRef call, tn_group_op op) {
  const unsigned count = LLVMGetNumArgOperands(call);
  switch (op) {
    case TN_GROUP_OP_NONE:
      return false;
    case TN_GROUP_OP_BARRIER:
      return count == 3 && LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind &&
             is_integer(LLVMGetOperand(call, 0), 32);
    case TN_GROUP_OP_SHUFFLE:
      return count == 3 && LLVMTypeOf(call) == LLVMTypeOf(LLVMGetOperand(call, 1)) &&
             (is_integer(call, 32) || is_integer(call, 64)) &&
             is_integer(LLVMGetOperand(call, 2), 32);
    case TN_GROUP_OP_BALLOT:
      return count == 1 && is_integer(call, 64) && is_integer(LLVMGetOperand(call, 0), 1);
    default:
      return count == 0 && is_integer(call, 32);
  }
}

// The value of one component; `dimension` is an i32, mostly a constant, which LLVM folds.
static LLVMValueRef load_component(LLVMBuilderRef builder, LLVMContextRef context,
                                   LLVMValueRef group, size_t offset, LLVMValueRef dimension) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(context);
  LLVMTypeRef i8 = LLVMInt8TypeInContext(context);
  LLVMValueRef index = LLVMBuildZExt(builder, dimension, i64, "");
  LLVMValueRef bytes = LLVMBuildAdd(
      builder, LLVMBuildMul(builder, index, LLVMConstInt(i64, sizeof(uint64_t), 0), ""),
      LLVMConstInt(i64, offset, 0), "");
  LLVMValueRef address = LLVMBuildInBoundsGEP2(builder, i8, group, &bytes, 1, "");
  LLVMValueRef load = LLVMBuildLoad2(builder, i64, address, "");
  LLVMSetAlignment(load, sizeof(uint64_t));
  tn_load_mark_invariant(load);
  return load;
}

static LLVMValueRef local_component(LLVMBuilderRef builder, LLVMContextRef context,
                                    LLVMValueRef item, LLVMValueRef dimension) {
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMValueRef is_x = LLVMBuildICmp(builder, LLVMIntEQ, dimension, LLVMConstInt(i32, 0, 0), "");
  LLVMValueRef is_y = LLVMBuildICmp(builder, LLVMIntEQ, dimension, LLVMConstInt(i32, 1, 0), "");
  LLVMValueRef yz = LLVMBuildSelect(builder, is_y, LLVMGetParam(item, TN_CPU_ITEM_LOCAL + 1),
                                    LLVMGetParam(item, TN_CPU_ITEM_LOCAL + 2), "");
  return LLVMBuildSelect(builder, is_x, LLVMGetParam(item, TN_CPU_ITEM_LOCAL), yz, "");
}

static const id_kind *find_kind(tn_str name) {
  for (size_t i = 0; i < TN_COUNT(kinds); ++i) {
    if (tn_str_equals(name, tn_str_from(kinds[i].name))) {
      return &kinds[i];
    }
  }
  return NULL;
}

static bool has_expected_type(LLVMValueRef call) {
  return LLVMGetNumArgOperands(call) == 1 &&
         LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(call)) == 64 &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) == LLVMIntegerTypeKind &&
         LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(call, 0))) == 32;
}

static LLVMValueRef load_pointer(LLVMBuilderRef builder, LLVMContextRef context, LLVMValueRef item,
                                 size_t offset) {
  LLVMValueRef at = LLVMConstInt(LLVMInt64TypeInContext(context), offset, 0);
  LLVMValueRef address = LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context),
                                               LLVMGetParam(item, TN_CPU_ITEM_GROUP), &at, 1, "");
  LLVMValueRef load = LLVMBuildLoad2(builder, LLVMPointerTypeInContext(context, 0), address, "");
  tn_load_mark_invariant(load);
  return load;
}

static void replace_memory(LLVMValueRef call, LLVMValueRef item, size_t offset) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMReplaceAllUsesWith(call, load_pointer(builder, context, item, offset));
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

static bool has_space_type(LLVMValueRef call) {
  return LLVMGetNumArgOperands(call) == 2 && is_integer(call, 1) &&
         LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, 0))) == LLVMPointerTypeKind &&
         is_integer(LLVMGetOperand(call, 1), 32);
}

static LLVMValueRef space_function(LLVMModuleRef module, LLVMTypeRef *out_type) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMTypeRef types[] = {pointer, pointer, i32};
  *out_type = LLVMFunctionType(i32, types, TN_COUNT(types), 0);
  LLVMValueRef function = LLVMGetNamedFunction(module, TN_CPU_SPACE_FUNCTION);
  if (!function) {
    function = LLVMAddFunction(module, TN_CPU_SPACE_FUNCTION, *out_type);
    // It reads what does not change while the kernel runs.
    tn_function_add_enum(function, "memory");
    tn_function_add_enum(function, "nounwind");
    tn_function_add_enum(function, "willreturn");
  }
  return function;
}

static void replace_space_query(LLVMValueRef call, LLVMValueRef item) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMTypeRef type = NULL;
  LLVMValueRef function = space_function(LLVMGetGlobalParent(item), &type);
  LLVMValueRef arguments[] = {load_pointer(builder, context, item, offsetof(tn_cpu_group, memory)),
                              LLVMGetOperand(call, 0), LLVMGetOperand(call, 1)};
  LLVMValueRef answer = LLVMBuildCall2(builder, type, function, arguments, TN_COUNT(arguments), "");
  LLVMValueRef zero = LLVMConstInt(LLVMInt32TypeInContext(context), 0, 0);
  LLVMReplaceAllUsesWith(call, LLVMBuildICmp(builder, LLVMIntNE, answer, zero, ""));
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

// The places lie below the scratch memory, one below the other; `*used` is where the last begins.
// A variable has the same place in all calls.
static tn_status place_group_memory(LLVMValueRef call, LLVMValueRef item, bool is_placed,
                                    uint64_t *used, tn_diag *diag) {
  uint64_t size = 0;
  uint64_t alignment = 0;
  if (!tn_group_memory_of(call, &size, &alignment) || alignment > TN_CPU_GROUP_MEMORY_ALIGNMENT ||
      size > TN_CPU_GROUP_MEMORY_SIZE ||
      (!is_placed && (*used = (*used + size + alignment - 1) / alignment * alignment) >
                         TN_CPU_GROUP_MEMORY_SIZE)) {
    return TN_FAIL(diag, OUT_OF_MEMORY,
                   "%s: a kernel asks for %llu bytes, aligned to %llu, beside %llu "
                   "others; the CPU has %d bytes, aligned to %d",
                   tn_group_static_is_function(LLVMGetCalledValue(call)) ? "work_group_static"
                                                                         : "group_local_memory",
                   (unsigned long long)size, (unsigned long long)alignment,
                   (unsigned long long)*used, TN_CPU_GROUP_MEMORY_SIZE,
                   TN_CPU_GROUP_MEMORY_ALIGNMENT);
  }
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef scratch = load_pointer(builder, context, item, offsetof(tn_cpu_group, scratch));
  LLVMValueRef back = LLVMConstInt(LLVMInt64TypeInContext(context), (uint64_t)0 - *used, 1);
  LLVMReplaceAllUsesWith(
      call, LLVMBuildInBoundsGEP2(builder, LLVMInt8TypeInContext(context), scratch, &back, 1, ""));
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
  return TN_OK;
}

static tn_status place_all_group_memory(LLVMValueRef f, LLVMValueRef item, uint64_t *used,
                                        tn_diag *diag) {
  bool is_placed = false;
  for (LLVMUseRef use = LLVMGetFirstUse(f); use;) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (is_call_of(call, f) && calling_function(call) == item) {
      TN_TRY(place_group_memory(call, item, is_placed, used, diag));
      is_placed = tn_group_static_is_function(f);
    }
  }
  return TN_OK;
}

static void replace_call(LLVMValueRef call, LLVMValueRef item, const id_kind *kind) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMValueRef dimension = LLVMGetOperand(call, 0);
  LLVMValueRef value = NULL;
  if (!kind->is_local) {
    value = load_component(builder, context, LLVMGetParam(item, TN_CPU_ITEM_GROUP), kind->offset,
                           dimension);
  }
  if (kind->is_local || kind->is_item) {
    LLVMValueRef local = local_component(builder, context, item, dimension);
    value = value ? LLVMBuildNUWAdd(builder, value, local, "") : local;
    if (kind->is_item && LLVMIsAInstruction(value)) {
      LLVMSetNSW(value, 1);  // ids are far below 2^63
    }
  }
  LLVMReplaceAllUsesWith(call, value);
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

static tn_status replace_in(LLVMValueRef f, LLVMValueRef item, unsigned width, tn_diag *diag) {
  const id_kind *kind = find_kind(builtin_of(f));
  const size_t memory = memory_of(f);
  const tn_group_op op = tn_group_op_of_name(tn_value_name(f));
  for (LLVMUseRef use = LLVMGetFirstUse(f); use;) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (!is_call_of(call, f) || calling_function(call) != item) {
      continue;
    }
    const bool is_known = memory != SIZE_MAX
                              ? LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind
                          : is_space_query(f)      ? has_space_type(call)
                          : op != TN_GROUP_OP_NONE ? has_op_type(call, op)
                                                   : kind && has_expected_type(call);
    if (!is_known) {
      return TN_FAIL(diag, BUILD_FAILED,
                     "device code uses '%.*s', which the CPU device does not "
                     "have",
                     TN_STR_ARG(tn_value_name(f)));
    }
    if (memory != SIZE_MAX) {
      replace_memory(call, item, memory);
    } else if (is_space_query(f)) {
      replace_space_query(call, item);
    } else if (op == TN_GROUP_OP_MAX_COUNT) {
      LLVMReplaceAllUsesWith(call, LLVMConstInt(LLVMTypeOf(call), width, 0));
      LLVMInstructionEraseFromParent(call);
    } else if (op == TN_GROUP_OP_NONE) {
      replace_call(call, item, kind);
    }
  }
  return TN_OK;
}

// The functions that a failed assertion calls, and where each has what the C library's has.
static const struct {
  const char *name;
  unsigned order[4];  // of assertion, file, line, function
} assertions[] = {
    {"__assert_fail", {0, 1, 2, 3}},
    {"_ZSt21__glibcxx_assert_failPKciS0_S0_", {3, 0, 1, 2}},  // libstdc++'s own
};

tn_cpu_id tn_cpu_id_of(LLVMValueRef value, uint64_t *out_dimension) {
  const id_kind *kind =
      LLVMIsACallInst(value) ? find_kind(builtin_of(LLVMGetCalledValue(value))) : NULL;
  if (!kind || !has_expected_type(value) || !LLVMIsAConstantInt(LLVMGetOperand(value, 0))) {
    return TN_CPU_ID_NONE;
  }
  *out_dimension = LLVMConstIntGetZExtValue(LLVMGetOperand(value, 0));
  return (tn_cpu_id)(kind - kinds + 1);
}

bool tn_cpu_knows_items(LLVMValueRef function) {
  bool is_assertion = false;
  for (size_t i = 0; i < TN_COUNT(assertions); ++i) {
    is_assertion =
        is_assertion || tn_str_equals(tn_value_name(function), tn_str_from(assertions[i].name));
  }
  return is_assertion || is_builtin(function);
}

bool tn_cpu_is_launch_memory(LLVMValueRef function) {
  return is_space_query(function) ||
         memory_of(function) == offsetof(tn_cpu_group, spec_constants);
}

LLVMValueRef tn_cpu_id_load_global_size(LLVMBuilderRef builder, LLVMValueRef item,
                                        uint64_t dimension) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(item));
  LLVMValueRef at = LLVMConstInt(LLVMInt32TypeInContext(context), dimension, 0);
  return load_component(builder, context, LLVMGetParam(item, TN_CPU_ITEM_GROUP),
                        offsetof(tn_cpu_group, global_size), at);
}

static LLVMValueRef assert_function(LLVMModuleRef module, LLVMTypeRef *out_type) {
  enum { COUNT = 10 };
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef types[COUNT];
  for (unsigned i = 0; i < COUNT; ++i) {
    types[i] = i == 2   ? LLVMInt32TypeInContext(context)
               : i < 4 ? LLVMPointerTypeInContext(context, 0)
                       : LLVMInt64TypeInContext(context);
  }
  *out_type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, COUNT, 0);
  LLVMValueRef function = LLVMGetNamedFunction(module, TN_CPU_ASSERT_FUNCTION);
  if (!function) {
    function = LLVMAddFunction(module, TN_CPU_ASSERT_FUNCTION, *out_type);
    tn_function_add_enum(function, "noreturn");
    tn_function_add_enum(function, "nounwind");
    tn_function_add_enum(function, "cold");
  }
  return function;
}

static void name_item(LLVMModuleRef module, LLVMValueRef call, LLVMValueRef item,
                      const unsigned order[4]) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, call);
  LLVMTypeRef type = NULL;
  LLVMValueRef function = assert_function(module, &type);
  LLVMValueRef arguments[10];
  for (unsigned i = 0; i < 4; ++i) {
    arguments[i] = LLVMGetOperand(call, order[i]);
  }
  for (unsigned i = 0; i < 3; ++i) {
    LLVMValueRef dimension = LLVMConstInt(LLVMInt32TypeInContext(context), i, 0);
    LLVMValueRef base = load_component(builder, context, LLVMGetParam(item, TN_CPU_ITEM_GROUP),
                                       offsetof(tn_cpu_group, base), dimension);
    arguments[7 + i] = LLVMGetParam(item, TN_CPU_ITEM_LOCAL + i);
    arguments[4 + i] = LLVMBuildAdd(builder, base, arguments[7 + i], "");
  }
  LLVMBuildCall2(builder, type, function, arguments, 10, "");
  LLVMInstructionEraseFromParent(call);
  LLVMDisposeBuilder(builder);
}

// Assertions of the item function itself, and so of all that was inlined, name the work-item.
static void name_item_in_assertions(LLVMModuleRef module, LLVMValueRef item) {
  for (size_t i = 0; i < TN_COUNT(assertions); ++i) {
    LLVMValueRef f = LLVMGetNamedFunction(module, assertions[i].name);
    for (LLVMUseRef use = f && !tn_function_is_defined(f) ? LLVMGetFirstUse(f) : NULL; use;) {
      LLVMValueRef call = LLVMGetUser(use);
      use = LLVMGetNextUse(use);
      if (is_call_of(call, f) && calling_function(call) == item &&
          LLVMGetNumArgOperands(call) == 4 &&
          is_integer(LLVMGetOperand(call, assertions[i].order[2]), 32)) {
        name_item(module, call, item, assertions[i].order);
      }
    }
  }
}

tn_status tn_cpu_ids_replace(LLVMModuleRef module, LLVMValueRef item, unsigned width,
                             uint64_t *out_group_memory, tn_diag *diag) {
  *out_group_memory = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (is_builtin(f) && tn_is_group_memory(f)) {
      TN_TRY(place_all_group_memory(f, item, out_group_memory, diag));
    } else if (is_builtin(f)) {
      TN_TRY(replace_in(f, item, width, diag));
    }
  }
  *out_group_memory = tn_size_align(*out_group_memory, TN_CPU_GROUP_MEMORY_ALIGNMENT);
  name_item_in_assertions(module, item);
  return TN_OK;
}
