// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of C: functions that TN_KERNEL marks (include/tenon/device_code.h) become kernels as
// those of C++ are: one block by value, from which the arguments are read where the kernel begins.
// needs: a module straight from clang's device pass.  keeps: the code, the annotations of kernels.
// breaks: the functions' own arguments.
#include "compile/lower/c_kernel.h"

#include "compile/lower/lower.h"

#include <llvm-c/DebugInfo.h>

#define TN_C_KERNEL_MARK "tenon-c-kernel"
#define TN_LOCAL_MARK "tenon-local"
#define TN_LOCAL_MEMORY "_Z20__tenon_local_memoryv"
enum { ARG_LOCAL = 3, AMDGPU_CONSTANT = 4, SPIRV_GENERIC = 4 };

// A kernel while it is made.
typedef struct making {
  LLVMModuleRef module;
  LLVMContextRef context;
  LLVMBuilderRef builder;  // where the kernel begins
  LLVMValueRef kernel;
  LLVMTypeRef pointer;  // to any memory
  tn_c_block block;
} making;

static bool is_kernel_convention(unsigned convention) {
  return convention == LLVMSPIRKERNELCallConv || convention == LLVMPTXKernelCallConv ||
         convention == LLVMAMDGPUKERNELCallConv;
}

// Adds the functions with the mark.
static tn_status collect(LLVMModuleRef module, tn_arena *arena, tn_list *out, tn_diag *diag) {
  LLVMValueRef annotations = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  LLVMValueRef list = annotations ? LLVMGetInitializer(annotations) : NULL;
  const int count = list ? LLVMGetNumOperands(list) : 0;
  for (int i = 0; i < count; ++i) {
    LLVMValueRef entry = LLVMGetOperand(list, (unsigned)i);
    const bool is_entry = LLVMGetNumOperands(entry) >= 2;
    const tn_str text = is_entry ? tn_constant_text(LLVMGetOperand(entry, 1)) : (tn_str){0};
    LLVMValueRef function = is_entry ? tn_function_of_constant(LLVMGetOperand(entry, 0)) : NULL;
    if (tn_str_equals(text, TN_STR_LIT(TN_LOCAL_MARK))) {
      return TN_FAIL(diag, BUILD_FAILED,
                     "variable '%.*s' is TN_LOCAL, which a variable cannot be: local memory is an "
                     "argument of the kernel, as in TN_LOCAL float *tile, and its size is given at "
                     "the launch",
                     TN_STR_ARG(tn_value_name(LLVMGetOperand(entry, 0))));
    }
    if (function && tn_str_equals(text, TN_STR_LIT(TN_C_KERNEL_MARK)) &&
        tn_function_is_defined(function) &&
        is_kernel_convention(LLVMGetFunctionCallConv(function)) &&
        !tn_list_add(out, arena, function)) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list the kernels");
    }
  }
  return TN_OK;
}

static tn_status check(LLVMValueRef function, tn_diag *diag) {
  const tn_str name = tn_value_name(function);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    if (LLVMIsAInstruction(LLVMGetUser(use))) {
      return TN_FAIL(diag, BUILD_FAILED,
                     "kernel '%.*s' is called, or its address is taken: kernels are launched; put "
                     "what is called as well into a function of its own",
                     TN_STR_ARG(name));
    }
  }
  return TN_OK;
}

static void add_block_attributes(const making *m, bool is_amdgpu) {
  LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(m->context), m->block.size);
  const char *name = is_amdgpu ? "byref" : "byval";
  LLVMAddAttributeAtIndex(
      m->kernel, 1,
      LLVMCreateTypeAttribute(m->context, LLVMGetEnumAttributeKindForName(name, 5), type));
  LLVMAddAttributeAtIndex(
      m->kernel, 1,
      LLVMCreateEnumAttribute(m->context, LLVMGetEnumAttributeKindForName("align", 5),
                              m->block.align));
}

static tn_status copy_attributes(const making *m, LLVMValueRef from, tn_arena *arena,
                                 tn_diag *diag) {
  const unsigned count = LLVMGetAttributeCountAtIndex(from, TN_ON_FUNCTION);
  LLVMAttributeRef *all = tn_arena_alloc_array(arena, count + (size_t)1, sizeof(*all));
  if (!all) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to make a kernel");
  }
  LLVMGetAttributesAtIndex(from, TN_ON_FUNCTION, all);
  for (unsigned i = 0; i < count; ++i) {
    LLVMAddAttributeAtIndex(m->kernel, TN_ON_FUNCTION, all[i]);
  }
  return TN_OK;
}

// The kernel with the function's body, and a new first part.
static void make_function(making *m, LLVMValueRef old) {
  const bool is_amdgpu = LLVMGetFunctionCallConv(old) == LLVMAMDGPUKERNELCallConv;
  LLVMTypeRef params[1] = {LLVMPointerTypeInContext(m->context, is_amdgpu ? AMDGPU_CONSTANT : 0)};
  const unsigned count = m->block.count > 0 ? 1 : 0;
  m->kernel = LLVMAddFunction(
      m->module, "", LLVMFunctionType(LLVMVoidTypeInContext(m->context), params, count, 0));
  LLVMSetFunctionCallConv(m->kernel, LLVMSPIRKERNELCallConv);
  LLVMMetadataRef subprogram = LLVMGetSubprogram(old);
  if (subprogram) {
    LLVMSetSubprogram(old, NULL);
    LLVMSetSubprogram(m->kernel, subprogram);
  }
  if (count > 0) {
    add_block_attributes(m, is_amdgpu);
  }
  LLVMBasicBlockRef start = LLVMAppendBasicBlockInContext(m->context, m->kernel, "");
  LLVMBasicBlockRef last = start;
  for (LLVMBasicBlockRef block; (block = LLVMGetFirstBasicBlock(old)) != NULL; last = block) {
    LLVMMoveBasicBlockAfter(block, last);
  }
  LLVMDeleteBasicBlock(start);
  LLVMPositionBuilderBefore(m->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(m->kernel)));
}

// Local memory of the launch, at the offset that the block has.
static LLVMValueRef local_pointer(const making *m, LLVMValueRef offset) {
  LLVMTypeRef type = LLVMFunctionType(m->pointer, NULL, 0, 0);
  LLVMValueRef memory = LLVMGetNamedFunction(m->module, TN_LOCAL_MEMORY);
  if (!memory) {
    memory = LLVMAddFunction(m->module, TN_LOCAL_MEMORY, type);
    tn_function_add_enum(memory, "nounwind");
  }
  LLVMValueRef start = LLVMBuildCall2(m->builder, type, memory, NULL, 0, "");
  return LLVMBuildGEP2(m->builder, LLVMInt8TypeInContext(m->context), start, &offset, 1, "");
}

static LLVMValueRef load(const making *m, LLVMTypeRef type, LLVMValueRef place, unsigned align) {
  LLVMValueRef value = LLVMBuildLoad2(m->builder, type, place, "");
  LLVMSetAlignment(value, align);
  return value;
}

static LLVMValueRef argument_value(const making *m, const tn_c_argument *argument,
                                   LLVMValueRef place) {
  LLVMTypeRef wanted = LLVMTypeOf(argument->param);
  if (argument->kind == ARG_LOCAL) {
    LLVMTypeRef number = LLVMInt64TypeInContext(m->context);
    return local_pointer(m, load(m, number, place, argument->align));
  }
  if (LLVMGetTypeKind(wanted) == LLVMPointerTypeKind) {
    return load(m, m->pointer, place, argument->align);
  }
  LLVMValueRef value = load(m, argument->type, place, argument->align);
  return argument->type == wanted ? value : LLVMBuildTrunc(m->builder, value, wanted, "");
}

// Clang says of some devices that a kernel's pointers are to global memory, and stores them in
// variables of pointers to any.
static void replace_pointer(const making *m, LLVMValueRef param, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(param); use;) {
    LLVMUseRef next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == param) {
      LLVMSetOperand(user, 0, value);
    }
    use = next;
  }
  if (LLVMGetFirstUse(param)) {
    LLVMReplaceAllUsesWith(param, LLVMBuildAddrSpaceCast(m->builder, value, LLVMTypeOf(param), ""));
  }
}

static void replace_argument(const making *m, const tn_c_argument *argument) {
  LLVMTypeRef byte = LLVMInt8TypeInContext(m->context);
  LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(m->context), argument->offset, 0);
  LLVMValueRef place =
      LLVMBuildInBoundsGEP2(m->builder, byte, LLVMGetParam(m->kernel, 0), &offset, 1, "");
  LLVMValueRef value = argument->is_object ? place : argument_value(m, argument, place);
  if (LLVMTypeOf(value) == LLVMTypeOf(argument->param)) {
    LLVMReplaceAllUsesWith(argument->param, value);
  } else {
    replace_pointer(m, argument->param, value);
  }
}

static tn_status describe(const making *m, tn_arena *arena, tn_diag *diag) {
  tn_buf text;
  tn_buf_init(&text, (size_t)1 << 20);
  for (size_t i = 0; i < m->block.count; ++i) {
    const tn_c_argument *a = &m->block.arguments[i];
    tn_buf_add_format(&text, "%s%llu,%llu,%u", i > 0 ? ";" : "", (unsigned long long)a->offset,
                      (unsigned long long)a->size, a->kind);
  }
  tn_status status = tn_buf_status(&text, diag);
  const char *table = m->block.count == 0 ? "none" : tn_arena_str(arena, tn_buf_str(&text));
  if (status == TN_OK && !table) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a kernel");
  }
  if (status == TN_OK) {
    tn_function_set_attr(m->kernel, TN_ATTR_ARGUMENTS, table);
  }
  tn_buf_deinit(&text);
  return status;
}

static tn_status take_name(const making *m, LLVMValueRef old, tn_arena *arena, tn_diag *diag) {
  const tn_str name = tn_value_name(old);
  const char *copy = tn_arena_str(arena, name);
  if (!copy) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to make a kernel");
  }
  // Annotations are the kernel's from here on.
  LLVMReplaceAllUsesWith(old, m->kernel);
  LLVMDeleteFunction(old);
  LLVMSetValueName2(m->kernel, copy, strlen(copy));
  return TN_OK;
}

static tn_status make_kernel(making *m, LLVMValueRef old, tn_arena *arena, tn_diag *diag) {
  TN_TRY(check(old, diag));
  TN_TRY(tn_c_block_make(m->module, old, arena, &m->block, diag));
  make_function(m, old);
  for (size_t i = 0; i < m->block.count; ++i) {
    replace_argument(m, &m->block.arguments[i]);
  }
  TN_TRY(copy_attributes(m, old, arena, diag));
  TN_TRY(describe(m, arena, diag));
  return take_name(m, old, arena, diag);
}

// Nobody reads the marks after this, and they would keep variables in memory.
static void drop_marks(LLVMValueRef annotate) {
  for (LLVMUseRef use = LLVMGetFirstUse(annotate); use;) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (LLVMIsACallInst(call) &&
        tn_str_equals(tn_constant_text(LLVMGetOperand(call, 1)), TN_STR_LIT(TN_LOCAL_MARK))) {
      LLVMInstructionEraseFromParent(call);
    }
  }
}

tn_status tn_lower_c_kernels(LLVMModuleRef module, tn_arena *arena, tn_diag *diag) {
  tn_list kernels = {0};
  TN_TRY(collect(module, arena, &kernels, diag));
  if (kernels.count == 0) {
    return TN_OK;
  }
  LLVMContextRef context = LLVMGetModuleContext(module);
  const bool is_spirv = tn_str_has_prefix(tn_str_from(LLVMGetTarget(module)), TN_STR_LIT("spirv"));
  making m = {
      .module = module,
      .context = context,
      .builder = LLVMCreateBuilderInContext(context),
      .pointer = LLVMPointerTypeInContext(context, is_spirv ? SPIRV_GENERIC : 0),
  };
  tn_status status = TN_OK;
  for (size_t i = 0; i < kernels.count && status == TN_OK; ++i) {
    status = make_kernel(&m, kernels.items[i], arena, diag);
  }
  LLVMDisposeBuilder(m.builder);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_str_has_prefix(tn_value_name(f), TN_STR_LIT("llvm.var.annotation"))) {
      drop_marks(f);
    }
  }
  return status;
}
