// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group functions: three loops over the work-items of a group, z outermost, x innermost.
// needs: kernels in one module with all they call.  keeps: the code of work-items.
// breaks: kernels (their functions are gone), debug information.
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>

#include "compile/lower/cpu_ids.h"
#include "compile/lower/cpu_item.h"
#include "compile/lower/lower.h"
#include "tenon/cpu_kernel.h"

enum { TN_GROUP_NAME_MAX = 1 << 20, TN_GROUP_ARGS = 0, TN_GROUP_GROUP = 1 };

// A fresh distinct, empty metadata node, which the C interface can only read from text.
static LLVMValueRef make_access_group(LLVMContextRef context) {
  static const char text[] = "!tn = !{!0}\n!0 = distinct !{}\n";
  LLVMMemoryBufferRef memory =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(text, sizeof(text) - 1, "access group");
  LLVMModuleRef module = NULL;
  char *message = NULL;
  LLVMValueRef node = NULL;
  if (LLVMParseIRInContext(context, memory, &module, &message)) {
    LLVMDisposeMessage(message);
    return NULL;  // the loops are then not marked, which costs speed only
  }
  if (LLVMGetNamedMetadataNumOperands(module, "tn") == 1) {
    LLVMGetNamedMetadataOperands(module, "tn", &node);
  }
  LLVMDisposeModule(module);
  return node;
}

static LLVMMetadataRef md_string(LLVMContextRef context, const char *text) {
  return LLVMMDStringInContext2(context, text, strlen(text));
}

// !0 = distinct !{!0, !{"llvm.loop.mustprogress"}, !{"llvm.loop.parallel_accesses", group}}
static LLVMValueRef loop_metadata(LLVMContextRef context, LLVMValueRef access_group) {
  LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
  LLVMMetadataRef progress = md_string(context, "llvm.loop.mustprogress");
  LLVMMetadataRef operands[3] = {self, LLVMMDNodeInContext2(context, &progress, 1), NULL};
  size_t count = 2;
  if (access_group) {
    LLVMMetadataRef parallel[2] = {md_string(context, "llvm.loop.parallel_accesses"),
                                   LLVMValueAsMetadata(access_group)};
    operands[count++] = LLVMMDNodeInContext2(context, parallel, 2);
  }
  LLVMMetadataRef node = LLVMMDNodeInContext2(context, operands, count);
  LLVMMetadataReplaceAllUsesWith(self, node);
  return LLVMMetadataAsValue(context, node);
}

static void add_param_attr(LLVMValueRef function, unsigned param, const char *name,
                           uint64_t value) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(function, param + 1, LLVMCreateEnumAttribute(context, kind, value));
}

static LLVMValueRef create_group(LLVMModuleRef module, const char *name, const tn_cpu_item *item) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef ptr = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef params[2] = {ptr, ptr};
  LLVMValueRef group = LLVMAddFunction(
      module, name, LLVMFunctionType(LLVMVoidTypeInContext(context), params, 2, 0));
  tn_cpu_copy_attrs(item->function, group);
  tn_function_remove_enum(group, "alwaysinline");
  for (unsigned i = 0; i < 2; ++i) {
    add_param_attr(group, i, "noalias", 0);
    add_param_attr(group, i, "readonly", 0);
    add_param_attr(group, i, "nofree", 0);
  }
  if (item->arg_size != 0) {
    add_param_attr(group, TN_GROUP_ARGS, "dereferenceable", item->arg_size);
    add_param_attr(group, TN_GROUP_ARGS, "align", item->arg_align);
  }
  add_param_attr(group, TN_GROUP_GROUP, "dereferenceable", sizeof(tn_cpu_group));
  add_param_attr(group, TN_GROUP_GROUP, "align", _Alignof(tn_cpu_group));
  return group;
}

typedef struct group_builder {
  LLVMContextRef context;
  LLVMBuilderRef builder;
  LLVMValueRef group;
  LLVMValueRef index[3];
  LLVMBasicBlockRef head[3];
  LLVMBasicBlockRef next[3];  // advances the index
} group_builder;

static LLVMValueRef load_local_size(group_builder *b, unsigned dimension) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(b->context);
  LLVMValueRef offset = LLVMConstInt(
      i64, offsetof(tn_cpu_group, local_size) + dimension * sizeof(uint64_t), 0);
  LLVMValueRef address =
      LLVMBuildInBoundsGEP2(b->builder, LLVMInt8TypeInContext(b->context),
                            LLVMGetParam(b->group, TN_GROUP_GROUP), &offset, 1, "");
  LLVMValueRef load = LLVMBuildLoad2(b->builder, i64, address, "");
  LLVMSetAlignment(load, sizeof(uint64_t));
  return load;
}

static LLVMBasicBlockRef add_block(group_builder *b, const char *name) {
  return LLVMAppendBasicBlockInContext(b->context, b->group, name);
}

// The head of the loop over one dimension, entered from where the builder is; leaves the builder in
// the loop's body. `done` is where it goes at the end.
static void open_loop(group_builder *b, unsigned dimension, LLVMValueRef size,
                      LLVMBasicBlockRef done) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(b->context);
  LLVMValueRef zero = LLVMConstInt(i64, 0, 0);
  LLVMBasicBlockRef before = LLVMGetInsertBlock(b->builder);
  LLVMBasicBlockRef head = add_block(b, "head");
  LLVMBasicBlockRef body = add_block(b, "body");
  LLVMBuildBr(b->builder, head);
  LLVMPositionBuilderAtEnd(b->builder, head);
  LLVMValueRef index = LLVMBuildPhi(b->builder, i64, "id");
  LLVMAddIncoming(index, &zero, &before, 1);
  LLVMBuildCondBr(b->builder, LLVMBuildICmp(b->builder, LLVMIntULT, index, size, ""), body, done);
  b->index[dimension] = index;
  b->head[dimension] = head;
  LLVMPositionBuilderAtEnd(b->builder, body);
}

// In the loop's last block: advances and goes back. `metadata` may be NULL.
static void close_loop(group_builder *b, unsigned dimension, LLVMValueRef metadata) {
  LLVMValueRef one = LLVMConstInt(LLVMInt64TypeInContext(b->context), 1, 0);
  LLVMValueRef next = LLVMBuildNUWAdd(b->builder, b->index[dimension], one, "");
  LLVMSetNSW(next, 1);
  LLVMBasicBlockRef block = LLVMGetInsertBlock(b->builder);
  LLVMAddIncoming(b->index[dimension], &next, &block, 1);
  LLVMValueRef back = LLVMBuildBr(b->builder, b->head[dimension]);
  if (metadata) {
    LLVMSetMetadata(back, LLVMGetMDKindIDInContext(b->context, "llvm.loop", 9), metadata);
  }
}

static void build_loops(LLVMValueRef group, const tn_cpu_item *item, LLVMValueRef access_group) {
  group_builder b = {.context = LLVMGetTypeContext(LLVMTypeOf(group)), .group = group};
  b.builder = LLVMCreateBuilderInContext(b.context);
  LLVMPositionBuilderAtEnd(b.builder, add_block(&b, "entry"));
  LLVMValueRef sizes[3] = {load_local_size(&b, 0), load_local_size(&b, 1), load_local_size(&b, 2)};
  LLVMBasicBlockRef done = add_block(&b, "done");
  b.next[2] = add_block(&b, "next.z");
  b.next[1] = add_block(&b, "next.y");
  open_loop(&b, 2, sizes[2], done);
  open_loop(&b, 1, sizes[1], b.next[2]);
  open_loop(&b, 0, sizes[0], b.next[1]);
  LLVMValueRef arguments[TN_CPU_ITEM_PARAMS] = {LLVMGetParam(group, TN_GROUP_ARGS),
                                                LLVMGetParam(group, TN_GROUP_GROUP), b.index[0],
                                                b.index[1], b.index[2]};
  LLVMBuildCall2(b.builder, LLVMGlobalGetValueType(item->function), item->function, arguments,
                 TN_CPU_ITEM_PARAMS, "");
  close_loop(&b, 0, loop_metadata(b.context, item->is_parallel ? access_group : NULL));
  LLVMPositionBuilderAtEnd(b.builder, b.next[1]);
  close_loop(&b, 1, NULL);
  LLVMPositionBuilderAtEnd(b.builder, b.next[2]);
  close_loop(&b, 2, NULL);
  LLVMPositionBuilderAtEnd(b.builder, done);
  LLVMBuildRetVoid(b.builder);
  LLVMDisposeBuilder(b.builder);
}

static tn_status lower_kernel(LLVMModuleRef module, LLVMValueRef kernel, LLVMValueRef access_group,
                              tn_diag *diag) {
  tn_buf name;
  tn_buf_init(&name, TN_GROUP_NAME_MAX);
  tn_buf_add_str(&name, tn_value_name(kernel));
  tn_buf_add_text(&name, TN_CPU_KERNEL_SUFFIX);
  tn_cpu_item item;
  tn_status status = tn_buf_status(&name, diag);
  if (status == TN_OK) {
    status = tn_cpu_item_make(module, kernel, access_group, &item, diag);
  }
  if (status == TN_OK) {
    LLVMReplaceAllUsesWith(kernel, LLVMGetPoison(LLVMTypeOf(kernel)));
    LLVMDeleteFunction(kernel);
    build_loops(create_group(module, tn_buf_text(&name), &item), &item, access_group);
  }
  tn_buf_deinit(&name);
  return status;
}

// Nothing waits for other work-items, so no code is sensitive to who runs it together; and nothing
// unwinds through device code.
static void drop_attributes(LLVMValueRef function) {
  const unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
  tn_function_remove_enum(function, "convergent");
  tn_function_remove_enum(function, "uwtable");
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (LLVMIsACallInst(i)) {
        LLVMRemoveCallSiteEnumAttribute(i, TN_ON_FUNCTION, convergent);
      }
    }
  }
}

// What else the object would define is reached through the work-group functions only.
static void hide_rest(LLVMModuleRef module) {
  tn_lower_internalize(module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    drop_attributes(f);
    if (tn_function_is_defined(f) && !tn_function_is_kernel(f)) {
      LLVMSetLinkage(f, LLVMInternalLinkage);
    }
  }
}

// What is still undefined must be LLVM's or the host's.
static tn_status check_complete(LLVMModuleRef module, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const tn_str name = tn_value_name(f);
    if (tn_function_is_defined(f) || !LLVMGetFirstUse(f) || tn_function_is_intrinsic(f) ||
        tn_is_host_symbol(name)) {
      continue;
    }
    return TN_FAIL(diag, BUILD_FAILED, "device code uses '%.*s', which the CPU device does not "
                   "have", TN_STR_ARG(name));
  }
  return TN_OK;
}

tn_status tn_lower_cpu(tn_llvm_job *job, LLVMModuleRef module, uint32_t opt_level, tn_diag *diag) {
  LLVMStripModuleDebugInfo(module);
  hide_rest(module);
  TN_TRY(tn_cpu_ids_inline(job, module, diag));
  if (opt_level > 0) {
    // Calls into other images are inlined before the kernel's memory accesses are looked at.
    // Without no-verify-fixpoint LLVM ends the process where instcombine would do more.
    TN_TRY(tn_module_run_passes(job, module,
                                "cgscc(inline),globaldce,"
                                "function(sroa<modify-cfg>,early-cse,"
                                "instcombine<no-verify-fixpoint>,simplifycfg)",
                                NULL, diag));
  }
  LLVMValueRef access_group = opt_level > 0 ? make_access_group(job->context) : NULL;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;) {
    LLVMValueRef next = LLVMGetNextFunction(f);
    if (tn_function_is_kernel(f)) {
      TN_TRY(lower_kernel(module, f, access_group, diag));
    }
    f = next;
  }
  TN_TRY(check_complete(module, diag));
#ifndef NDEBUG
  TN_TRY(tn_module_verify(module, "kernels were lowered for the CPU", diag));
#endif
  return TN_OK;
}
