// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A piece → a host object: work-group functions and the table that names them.
//
//     .data.rel.ro  __tenon_native_<id>_<n>   tn_native_table, hidden: all that others see
//     .text         <kernel>.tn_group         local
#include "compile/pipeline/native_image.h"

#include "compile/emit/emit.h"
#include "compile/pipeline/simplify.h"
#include "tenon/cpu_kernel.h"

#include <llvm-c/TargetMachine.h>

#include <stdlib.h>

enum { NATIVE_NAME_MAXIMUM = 1 << 20 };

typedef struct native_types {
  LLVMTypeRef ptr;
  LLVMTypeRef i32;
  LLVMTypeRef kernel;
} native_types;

static int compare_kernels(const void *a, const void *b) {
  const tn_kernel_info *const *left = a;
  const tn_kernel_info *const *right = b;
  return tn_str_compare((*left)->name, (*right)->name);
}

// The kernels in the order that the table has.
static const tn_kernel_info **sort_kernels(const tn_lower_symbols *symbols, tn_arena *arena) {
  const tn_kernel_info **sorted =
      tn_arena_alloc_array(arena, symbols->kernel_count, sizeof(*sorted));
  for (size_t i = 0; sorted && i < symbols->kernel_count; i++) {
    sorted[i] = &symbols->kernels[i];
  }
  if (sorted) {
    qsort((void *)sorted, symbols->kernel_count, sizeof(*sorted), compare_kernels);
  }
  return sorted;
}

static LLVMValueRef add_text(LLVMModuleRef module, tn_str text) {
  LLVMValueRef bytes =
      LLVMConstStringInContext2(LLVMGetModuleContext(module), text.data, text.size, false);
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(bytes), "");
  LLVMSetInitializer(global, bytes);
  LLVMSetGlobalConstant(global, true);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  return global;
}

// One entry; the functions and needs are the table's from here on, nobody else's.
static tn_status make_entry(LLVMModuleRef module, const native_types *types,
                            const tn_kernel_info *kernel, LLVMValueRef *out, tn_diag *diag) {
  tn_buf name;
  tn_buf_init(&name, NATIVE_NAME_MAXIMUM);
  tn_buf_add_format(&name, "%.*s" TN_CPU_KERNEL_SUFFIX, TN_STR_ARG(kernel->name));
  LLVMValueRef function = LLVMGetNamedFunction(module, tn_buf_text(&name));
  tn_buf_clear(&name);
  tn_buf_add_format(&name, "%.*s" TN_CPU_NEEDS_SUFFIX, TN_STR_ARG(kernel->name));
  LLVMValueRef needs = LLVMGetNamedGlobal(module, tn_buf_text(&name));
  tn_status status = tn_buf_status(&name, diag);
  tn_buf_deinit(&name);
  if (status == TN_OK && !function) {
    status =
        TN_FAIL(diag, INTERNAL, "kernel %.*s has no work-group function", TN_STR_ARG(kernel->name));
  }
  if (status != TN_OK) {
    return status;
  }
  LLVMSetLinkage(function, LLVMInternalLinkage);
  if (needs) {
    LLVMSetLinkage(needs, LLVMInternalLinkage);
  }
  LLVMValueRef fields[] = {add_text(module, kernel->name), function,
                           needs ? needs : LLVMConstNull(types->ptr)};
  *out = LLVMConstNamedStruct(types->kernel, fields, TN_COUNT(fields));
  return TN_OK;
}

static LLVMValueRef add_constant(LLVMModuleRef module, const char *name, LLVMValueRef value) {
  LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), name);
  LLVMSetInitializer(global, value);
  LLVMSetGlobalConstant(global, true);
  LLVMSetAlignment(global, 8);
  return global;
}

static tn_status add_table(LLVMModuleRef module, const char *symbol,
                           const tn_lower_symbols *symbols, tn_arena *arena, tn_diag *diag) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef ptr = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef members[] = {ptr, ptr, ptr};
  const native_types types = {ptr, LLVMInt32TypeInContext(context),
                              LLVMStructCreateNamed(context, "tn_native_kernel")};
  LLVMStructSetBody(types.kernel, members, TN_COUNT(members), false);
  const tn_kernel_info **sorted = sort_kernels(symbols, arena);
  LLVMValueRef *entries = tn_arena_alloc_array(arena, symbols->kernel_count, sizeof(*entries));
  if (!sorted || !entries) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the table of %zu kernels",
                   symbols->kernel_count);
  }
  for (size_t i = 0; i < symbols->kernel_count; i++) {
    TN_TRY(make_entry(module, &types, sorted[i], &entries[i], diag));
  }
  LLVMValueRef kernels =
      add_constant(module, "tenon_native_kernels",
                   LLVMConstArray2(types.kernel, entries, symbols->kernel_count));
  LLVMSetLinkage(kernels, LLVMInternalLinkage);
  LLVMValueRef fields[] = {LLVMConstInt(types.i32, TN_CPU_KERNEL_VERSION, false),
                           LLVMConstInt(types.i32, symbols->kernel_count, false), kernels};
  LLVMValueRef table =
      add_constant(module, symbol, LLVMConstStructInContext(context, fields, 3, false));
  LLVMSetVisibility(table, LLVMHiddenVisibility);
  // Units of the same code have equal tables (-fno-sycl-rdc).
  LLVMSetLinkage(table, LLVMWeakODRLinkage);
  return TN_OK;
}

static void set_tune(LLVMModuleRef module, const char *tune) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f)) {
      tn_function_set_attr(f, "tune-cpu", tune);
    }
  }
}

// Where nobody will step through it, code is simplified in any case: what a kernel becomes for many
// work-items is so large that making code for it as it is takes several times as long.
static uint32_t level_of(const tn_link_params *params) {
  return params->opt_level == 0 && !params->debug ? 1 : params->opt_level;
}

static tn_status emit(const tn_piece_job *job, LLVMModuleRef module, const char *symbol,
                      const tn_lower_symbols *symbols, const tn_lower_specs *specs,
                      const tn_lower_globals *globals, const tn_cpu_processor *processor,
                      LLVMTargetMachineRef machine, tn_diag *diag) {
  tn_group_work *work = job->work;
  const uint32_t opt_level = level_of(work->params);
  const tn_cpu_target target = {.vector_bytes = tn_emit_vector_bytes(machine)};
  if (work->params->opt_level == 0 && opt_level > 0) {
    TN_TRY(tn_simplify_unoptimized(job->llvm, module, opt_level, diag));
  }
  TN_TRY(tn_lower_specs_from_buffer(module, specs, diag));
  TN_TRY(tn_lower_globals_behind_specs(module, specs, globals, diag));
  TN_TRY(tn_lower_cpu(job->llvm, module, &target, opt_level, diag));
  TN_TRY(add_table(module, symbol, symbols, &work->arena, diag));
  set_tune(module, tn_buf_text(&processor->tune));
  TN_TRY(tn_emit_optimize(job->llvm, module, machine, opt_level, diag));
  TN_TRY(tn_lower_cpu_end(module, target.vector_bytes, diag));
  tn_buf *object = tn_buf_list_add(&work->natives, &work->arena, TN_GROUP_BUFFER_MAXIMUM);
  return object ? tn_emit_object(job->llvm, module, machine, object, diag)
                : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the machine code of kernels");
}

static tn_status make(const tn_piece_job *job, LLVMModuleRef module,
                      const tn_lower_symbols *symbols, const tn_lower_specs *specs,
                      const tn_lower_globals *globals, const tn_cpu_processor *processor,
                      tn_native_image *out, tn_diag *diag) {
  tn_arena *arena = &job->work->arena;
  const char *symbol = tn_arena_format(arena, "__tenon_native_%s_%zu", job->id, job->count);
  const char *needs = tn_arena_str(arena, tn_str_from(tn_buf_text(&processor->needs)));
  if (!symbol || !needs) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the machine code of kernels");
  }
  LLVMTargetMachineRef machine = NULL;
  TN_TRY(tn_emit_machine_create_for(processor, level_of(job->work->params), &machine, diag));
  LLVMModuleRef clone = LLVMCloneModule(module);
  const tn_status status =
      emit(job, clone, symbol, symbols, specs, globals, processor, machine, diag);
  LLVMDisposeModule(clone);
  LLVMDisposeTargetMachine(machine);
  if (status == TN_OK) {
    *out = (tn_native_image){symbol, needs};
  }
  return status;
}

tn_status tn_native_image_make(const tn_piece_job *job, LLVMModuleRef module,
                               const tn_lower_symbols *symbols, const tn_lower_specs *specs,
                               const tn_lower_globals *globals, tn_native_image *out,
                               tn_diag *diag) {
  *out = (tn_native_image){NULL, ""};
  if (symbols->kernel_count == 0 || symbols->import_count > 0) {
    return TN_OK;
  }
  tn_cpu_processor processor;
  tn_status status =
      tn_cpu_processor_init(&processor, job->work->params->target->processor, diag);
  if (status == TN_OK) {
    status = make(job, module, symbols, specs, globals, &processor, out, diag);
  }
  tn_cpu_processor_deinit(&processor);
  return status;
}
