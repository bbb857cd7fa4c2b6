// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work-group functions: all work-items of a group, a sub-group at a time where the kernel can be
// widened, and part by part where it has barriers (__spirv_ControlBarrier).
// needs: kernels in one module with all they call.  keeps: the code of work-items.
// breaks: kernels (their functions are gone), debug information when optimizing.
#include "base/host_function.h"
#include "compile/lower/cpu_check.h"
#include "compile/lower/cpu_ids.h"
#include "compile/lower/cpu_item.h"
#include "compile/lower/cpu_quick.h"
#include "compile/lower/cpu_strips.h"
#include "compile/lower/lower.h"
#include "compile/widen/widen.h"
#include "tenon/cpu_kernel.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdio.h>

enum {
  TN_GROUP_NAME_MAX = 1 << 20,
  TN_STACK_MAX = 1 << 19,  // of a thread, for the arrays of a strip
};

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
  LLVMValueRef group =
      LLVMAddFunction(module, name, LLVMFunctionType(LLVMVoidTypeInContext(context), params, 2, 0));
  tn_cpu_copy_attrs(item->function, group);
  tn_function_remove_enum(group, "alwaysinline");
  tn_function_remove_enum(group, "noinline");
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

// A kernel on its way: its item function, and the forms of that for many lanes.
typedef struct lowered {
  tn_cpu_item item;
  LLVMValueRef group;
  unsigned width;
  bool is_independent;  // neither barriers nor sub-group functions
  bool is_widened;      // else `item` is the code of each work-item
  tn_strip_code code;
  // The same for launches whose pointers do not alias; no `full`: there is none.
  tn_strip_code noalias;
  tn_widen_pointers pointers;    // that have to
  const tn_check_kernel *about;  // for people; NULL where neither checks nor remarks are wanted
  const tn_check_kernel *check;  // NULL: without
  tn_cpu_forms forms;
} lowered;

// `*slot_bytes` becomes at least what a work-item of this form needs of the group's memory.
static tn_status build_split(LLVMBuilderRef builder, const tn_strips *strips, LLVMValueRef strip,
                             uint64_t *slot_bytes, tn_diag *diag) {
  uint64_t bytes = 0;
  TN_TRY(tn_split_at_barriers(builder, strips, strip, &bytes, diag));
  const uint64_t each = bytes / strips->width + (bytes % strips->width != 0);
  *slot_bytes = each > *slot_bytes ? each : *slot_bytes;
  return TN_OK;
}

// The group in strips of one form. Unless it is the only one: if rows are multiples of its width,
// and the builder is left where it goes on if they are not.
static tn_status build_form(LLVMBuilderRef builder, const tn_strips *strips, LLVMValueRef strip,
                            bool is_only, uint64_t *slot_bytes, tn_diag *diag) {
  if (is_only) {
    return build_split(builder, strips, strip, slot_bytes, diag);
  }
  LLVMTypeRef i64 = LLVMTypeOf(strips->size[0]);
  LLVMValueRef left =
      LLVMBuildURem(builder, strips->size[0], LLVMConstInt(i64, strips->width, 0), "");
  LLVMBasicBlockRef fits = tn_strips_block(strips, "fits");
  LLVMBasicBlockRef other = tn_strips_block(strips, "other");
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntEQ, left, LLVMConstInt(i64, 0, 0), ""),
                  fits, other);
  LLVMPositionBuilderAtEnd(builder, fits);
  TN_TRY(build_split(builder, strips, strip, slot_bytes, diag));
  LLVMPositionBuilderAtEnd(builder, other);
  return TN_OK;
}

// With barriers the strips of a group are all of one form.
static tn_status build_parts(LLVMBuilderRef builder, const tn_strips *strips, const lowered *kernel,
                             uint64_t *slot_bytes, tn_diag *diag) {
  if (!kernel->is_widened) {
    return build_split(builder, strips, kernel->item.function, slot_bytes, diag);
  }
  const bool is_only = kernel->forms.form != TN_CPU_FORM_ANY;
  if (kernel->code.wide) {
    tn_strips wide = *strips;
    wide.width = kernel->forms.wide_width;
    TN_TRY(build_form(builder, &wide, kernel->code.wide, is_only, slot_bytes, diag));
  }
  if (kernel->code.full) {
    TN_TRY(build_form(builder, strips, kernel->code.full, is_only, slot_bytes, diag));
  }
  if (kernel->code.folded) {
    const tn_strips folded = tn_strips_fold(builder, strips);
    LLVMBasicBlockRef row = is_only ? NULL : tn_strips_have_rows(builder, strips, &folded);
    TN_TRY(build_split(builder, &folded, kernel->code.folded, slot_bytes, diag));
    if (row) {
      LLVMPositionBuilderAtEnd(builder, row);
    }
  }
  return kernel->code.part ? build_split(builder, strips, kernel->code.part, slot_bytes, diag)
                           : TN_OK;
}

// What the adapter has to know of the group's memory. compile/emit fills in the stack size.
static tn_status add_needs(const lowered *kernel, uint64_t slot_bytes, unsigned slot_width,
                           tn_diag *diag) {
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(kernel->group)));
  const tn_str group = tn_value_name(kernel->group);
  tn_buf name;
  tn_buf_init(&name, TN_GROUP_NAME_MAX);
  tn_buf_add_str(&name, tn_str_slice(group, 0, group.size - strlen(TN_CPU_KERNEL_SUFFIX)));
  tn_buf_add_text(&name, TN_CPU_NEEDS_SUFFIX);
  const tn_status status = tn_buf_status(&name, diag);
  if (status == TN_OK) {
    const tn_cpu_needs what = {.slot_bytes = slot_bytes,
                               .slot_width = slot_width,
                               .group_memory = kernel->item.group_memory,
                               .forms = kernel->forms,
                               .is_groupless = kernel->item.is_groupless && !kernel->check,
                               .noalias_pointers = kernel->pointers.all,
                               .noalias_written = kernel->pointers.written};
    uint64_t needs[sizeof(what) / sizeof(uint64_t)];
    _Static_assert(sizeof(needs) == sizeof(what), "it is words");
    memcpy(needs, &what, sizeof(needs));
    LLVMValueRef values[TN_COUNT(needs)];
    for (size_t i = 0; i < TN_COUNT(needs); i++) {
      values[i] = LLVMConstInt(i64, needs[i], 0);
    }
    LLVMTypeRef type = LLVMArrayType2(i64, TN_COUNT(needs));
    LLVMValueRef facts =
        LLVMAddGlobal(LLVMGetGlobalParent(kernel->group), type, tn_buf_text(&name));
    LLVMSetInitializer(facts, LLVMConstArray2(i64, values, TN_COUNT(needs)));
    LLVMSetGlobalConstant(facts, 1);
    // Constants of the program that look the same must not become this one, which is written to.
    LLVMSetExternallyInitialized(facts, 1);
  }
  tn_buf_deinit(&name);
  return status;
}

// Where the pointers do not alias. The builder is left where the group goes on if not.
static void build_noalias(LLVMBuilderRef builder, const tn_strips *strips, const lowered *kernel) {
  if (!kernel->noalias.full) {
    return;
  }
  LLVMValueRef are_apart = tn_strips_field(builder, strips, offsetof(tn_cpu_group, noalias));
  LLVMBasicBlockRef apart = tn_strips_block(strips, "apart");
  LLVMBasicBlockRef other = tn_strips_block(strips, "other");
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(are_apart));
  LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntNE, are_apart, zero, ""), apart, other);
  LLVMPositionBuilderAtEnd(builder, apart);
  tn_strips_build_rows(builder, strips, &kernel->noalias);
  LLVMPositionBuilderAtEnd(builder, other);
}

static tn_status build_group(const lowered *kernel, tn_diag *diag) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(kernel->group));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  tn_strips strips = {.function = kernel->group,
                      .width = kernel->is_widened ? kernel->width : 1,
                      .check = kernel->is_widened ? NULL : kernel->check};
  LLVMPositionBuilderAtEnd(builder, tn_strips_block(&strips, "entry"));
  for (unsigned d = 0; d < 3; ++d) {
    strips.size[d] = tn_strips_field(builder, &strips,
                                     offsetof(tn_cpu_group, local_size) + d * sizeof(uint64_t));
  }
  tn_status status = TN_OK;
  uint64_t slot_bytes = 0;
  if (tn_has_group_barrier(kernel->item.function)) {
    status = build_parts(builder, &strips, kernel, &slot_bytes, diag);
    LLVMValueRef const taken[] = {kernel->code.full, kernel->code.part, kernel->code.wide,
                                  kernel->code.folded, kernel->item.function};
    for (size_t i = 0; i < TN_COUNT(taken); i++) {
      if (taken[i]) {
        LLVMDeleteFunction(taken[i]);
      }
    }
  } else {
    if (kernel->code.folded) {
      tn_strips_build_folded(builder, &strips, &kernel->code);
    }
    build_noalias(builder, &strips, kernel);
    tn_strips_build_rows(builder, &strips, &kernel->code);
    if (kernel->is_widened && !LLVMGetFirstUse(kernel->item.function)) {
      LLVMDeleteFunction(kernel->item.function);
    }
  }
  if (status == TN_OK) {
    status = add_needs(kernel, slot_bytes, strips.width, diag);
  }
  LLVMDisposeBuilder(builder);
  return status;
}

static bool is_width(uint64_t width) {
  return width > 1 && width <= TN_WIDTH_MAX && (width & (width - 1)) == 0;
}

static bool uses_sub_group(LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (tn_group_op_of(i) != TN_GROUP_OP_NONE && !tn_group_op_is_group_barrier(i)) {
        return true;
      }
    }
  }
  return false;
}

// The required sub-group size, or the default one: also for a kernel whose required size no device
// has, and which is therefore compiled and never launched. In a kernel that does not use sub-groups
// nobody can tell how large they are: it runs as wide as the processor's vectors are.
static unsigned width_of(LLVMValueRef kernel, const tn_cpu_target *target) {
  uint64_t asked = 0;
  if (tn_str_to_u64(tn_function_attr(kernel, TN_ATTR_SUB_GROUP_SIZE), &asked) && is_width(asked)) {
    return (unsigned)asked;
  }
  if (!uses_sub_group(kernel)) {
    return target->vector_bytes / sizeof(float);
  }
  return is_width(target->sub_group_size) ? target->sub_group_size : TN_CPU_SUB_GROUP_SIZE;
}

static const tn_check_kernel *describe(LLVMValueRef kernel, tn_arena *arena) {
  tn_check_kernel *made = tn_arena_alloc(arena, sizeof(*made));
  const char *name = tn_demangle_kernel(arena, tn_value_name(kernel));
  const char *file = tn_arena_str(arena, tn_function_attr(kernel, TN_ATTR_KERNEL_FILE));
  if (!made || !name || !file) {
    return NULL;
  }
  uint64_t line = 0;
  const bool has_line = tn_str_to_u64(tn_function_attr(kernel, TN_ATTR_KERNEL_LINE), &line);
  *made = (tn_check_kernel){
      .name = tn_str_from(name),
      .place = {.file = tn_str_from(file), .line = has_line ? (uint32_t)line : 0}};
  return made;
}

static tn_status make_item(LLVMModuleRef module, LLVMValueRef kernel, const tn_cpu_target *target,
                           uint32_t opt_level, tn_arena *arena, lowered *out, tn_diag *diag) {
  if ((target->check || target->remarks) && !(out->about = describe(kernel, arena))) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels for the CPU");
  }
  out->check = target->check ? out->about : NULL;
  tn_buf name;
  tn_buf_init(&name, TN_GROUP_NAME_MAX);
  tn_buf_add_str(&name, tn_value_name(kernel));
  tn_buf_add_text(&name, TN_CPU_KERNEL_SUFFIX);
  out->width = width_of(kernel, target);
  tn_status status = tn_buf_status(&name, diag);
  if (status == TN_OK) {
    status = tn_cpu_item_make(module, kernel, out->width, opt_level == 0, &out->item, diag);
  }
  out->code.item = out->item.function;
  if (status == TN_OK && out->check) {
    tn_cpu_check_insert(module, out->item.function, out->check);
  }
  if (status == TN_OK) {
    tn_function_delete(kernel);
    out->group = create_group(module, tn_buf_text(&name), &out->item);
  }
  tn_buf_deinit(&name);
  return status;
}

// A kernel that does not ask who it is (a single task) does the same in all lanes: one is enough.
// So it is where a group has one work-item.
static bool is_alike(LLVMValueRef item) {
  if (tn_str_equals(tn_function_attr(item, TN_ATTR_WORK_GROUP_SIZE), TN_STR_LIT("1,1,1"))) {
    return true;
  }
  for (unsigned p = TN_ITEM_X; p < TN_ITEM_PARAMS; ++p) {
    if (LLVMGetFirstUse(LLVMGetParam(item, p))) {
      return false;
    }
  }
  return true;
}

// Whether the kernel is for work-groups with several rows that may be no multiples of its
// sub-groups. A kernel that never asks where in y and z it is, is for groups of one row; launched
// with more, its sub-groups are parts of rows.
static bool may_fold(const lowered *kernel) {
  LLVMValueRef item = kernel->item.function;
  if (!LLVMGetFirstUse(LLVMGetParam(item, TN_ITEM_Y)) &&
      !LLVMGetFirstUse(LLVMGetParam(item, TN_ITEM_Z))) {
    return false;
  }
  tn_str sizes = tn_function_attr(item, TN_ATTR_WORK_GROUP_SIZE);
  uint64_t last = 1;
  while (sizes.data && sizes.size > 0) {
    if (!tn_str_to_u64(tn_str_split(&sizes, ','), &last)) {
      return true;
    }
  }
  return last % kernel->width != 0 || last == 0;
}

// Copies of instructions are where they were, in a function that has no lines.
static void drop_lines(LLVMValueRef function) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      LLVMInstructionSetDebugLoc(i, NULL);
    }
  }
}

// Bytes of a work-item's own arrays, of which each lane has a copy on the stack.
static uint64_t array_bytes(LLVMValueRef item) {
  LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(item));
  uint64_t bytes = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(item); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      bytes += LLVMIsAAllocaInst(i) ? LLVMABISizeOfType(layout, LLVMGetAllocatedType(i)) : 0;
    }
  }
  return bytes;
}

static void finish_strip(LLVMValueRef strip) {
  if (strip) {
    drop_lines(strip);
    tn_function_add_enum(strip, "alwaysinline");
  }
}

// Unless the kernel is for groups of another form. `*out` is one of the code's own functions.
static tn_status make_form(LLVMModuleRef module, const tn_cpu_target *target, const lowered *kernel,
                           tn_strip_code *code, tn_cpu_form form, LLVMValueRef *out,
                           tn_diag *diag) {
  if (kernel->forms.form != TN_CPU_FORM_ANY && kernel->forms.form != form) {
    return TN_OK;
  }
  // One form is enough to know what became of the code: that of full strips, or the only one.
  const bool is_reported =
      code == &kernel->code && (form == TN_CPU_FORM_FULL || kernel->forms.form == form);
  const tn_widen_params params = {
      .remarks = is_reported ? target->remarks : NULL,
      .width = form == TN_CPU_FORM_WIDE ? code->wide_width : kernel->width,
      .vector_bytes = target->vector_bytes,
      .is_full = form == TN_CPU_FORM_WIDE || form == TN_CPU_FORM_FULL,
      .is_folded = form == TN_CPU_FORM_FOLDED,
      .may_leave_rows = form == TN_CPU_FORM_FULL && kernel->is_independent};
  TN_TRY(tn_widen_function(module, code->item, &params, out, diag));
  finish_strip(*out);
  return TN_OK;
}

// How many vectors go side by side, of those that are advised: what their arrays take fits into the
// stack.
static unsigned factor_of(const lowered *kernel, uint64_t bytes, const tn_widen_advice *advice) {
  return bytes * kernel->width * advice->factor <= TN_STACK_MAX ? advice->factor : 1;
}

// Of strips so many times as wide; 0: there are none.
static unsigned wide_width_of(const lowered *kernel, unsigned factor) {
  const unsigned width = kernel->width * factor;
  return factor > 1 && width <= TN_WIDTH_MAX ? width : 0;
}

// The vectors that the processor's registers hold beside what a loop reads.
static unsigned sums_most(const tn_cpu_target *target) {
  return target->vector_bytes >= 64 ? 16 : 8;
}

// Several rows at once, in strips of up to `factor` vectors: the sums of all of them stay in
// registers.
static tn_status make_rows(LLVMModuleRef module, const tn_cpu_target *target, const lowered *kernel,
                           unsigned factor, tn_strip_code *code, tn_diag *diag) {
  if (!kernel->is_independent || !code->full ||
      !LLVMGetFirstUse(LLVMGetParam(code->item, TN_ITEM_Y))) {
    return TN_OK;
  }
  const unsigned most = sums_most(target);
  const unsigned each = tn_widen_row_vectors(code->full, target->vector_bytes);
  unsigned rows = 4;
  while (rows > 1 && each * rows > most) {
    rows /= 2;
  }
  if (each == 0 || rows == 1) {
    return TN_OK;
  }
  unsigned across = 1;
  while (across < factor && 2 * across * each * rows <= most &&
         2 * across * kernel->width <= TN_WIDTH_MAX) {
    across *= 2;
  }
  LLVMValueRef strip = code->full;
  if (across > 1) {
    const tn_widen_params params = {
        .width = kernel->width * across, .vector_bytes = target->vector_bytes, .is_full = true};
    TN_TRY(tn_widen_function(module, code->item, &params, &strip, diag));
    finish_strip(strip);
  }
  if (strip) {
    TN_TRY(tn_widen_several_rows(module, strip, rows, &code->rows, diag));
    finish_strip(code->rows);
  }
  if (code->rows) {
    code->row_count = rows;
    code->rows_width = kernel->width * across;
  }
  if (strip && strip != code->full && !LLVMGetFirstUse(strip)) {
    LLVMDeleteFunction(strip);
  }
  return TN_OK;
}

// The code for launches whose pointers do not alias.
static tn_status make_noalias(LLVMModuleRef module, const tn_cpu_target *target, lowered *kernel,
                              tn_diag *diag) {
  LLVMValueRef item = NULL;
  TN_TRY(tn_widen_noalias(module, kernel->item.function, &item, &kernel->pointers, diag));
  if (!item) {
    kernel->pointers = (tn_widen_pointers){0};
    return TN_OK;
  }
  tn_strip_code *code = &kernel->noalias;
  *code = (tn_strip_code){.item = item, .part = kernel->code.part};
  const tn_widen_advice advice =
      tn_widen_advise(item, &(tn_widen_params){.width = kernel->width,
                                               .vector_bytes = target->vector_bytes,
                                               .may_leave_rows = true});
  const unsigned factor = factor_of(kernel, array_bytes(item), &advice);
  code->wide_width = wide_width_of(kernel, factor);
  TN_TRY(make_form(module, target, kernel, code, TN_CPU_FORM_FULL, &code->full, diag));
  if (code->wide_width != 0) {
    TN_TRY(make_form(module, target, kernel, code, TN_CPU_FORM_WIDE, &code->wide, diag));
  }
  TN_TRY(make_rows(module, target, kernel, factor, code, diag));
  if (!LLVMGetFirstUse(item)) {
    LLVMDeleteFunction(item);
    code->item = NULL;
  }
  if (!code->full) {
    kernel->pointers = (tn_widen_pointers){0};
  }
  return TN_OK;
}

static const tn_strip_code *best_code(const lowered *kernel) {
  return kernel->noalias.full ? &kernel->noalias : &kernel->code;
}

// Why work-items run one after the other.
static void report_apart(tn_remarks *remarks, const lowered *kernel, uint32_t opt_level,
                         uint64_t array_size, const tn_widen_advice *advice) {
  if (!remarks) {
    return;
  }
  char text[256];
  tn_remark_kind kind = TN_REMARK_MISSED;
  if (opt_level == 0) {
    (void)snprintf(text, sizeof(text), "compiled without optimization (-O0)");
  } else if (kernel->check) {
    (void)snprintf(text, sizeof(text), "built with checks (TENON_CHECK)");
  } else if (is_alike(kernel->item.function)) {
    kind = TN_REMARK_ANALYSIS;
    (void)snprintf(text, sizeof(text), "the code does not depend on the work-item's id");
  } else if (advice) {
    (void)snprintf(text, sizeof(text),
                   "%u of them side by side would cost about %llu instructions, one after the "
                   "other %llu",
                   kernel->width, (unsigned long long)(advice->cost_together / 2),
                   (unsigned long long)(advice->cost_apart / 2));
  } else if (array_size * kernel->width > TN_STACK_MAX) {
    (void)snprintf(text, sizeof(text), "each has %llu bytes of private arrays",
                   (unsigned long long)array_size);
  } else {
    (void)snprintf(text, sizeof(text),
                   "the control flow cannot be vectorized (an endless loop, or code that never "
                   "returns)");
  }
  const char *whole =
      tn_arena_format(remarks->arena, "work-items run one after the other: %s", text);
  if (whole) {
    tn_remarks_end(remarks, kind, whole);
  }
}

static unsigned count_barriers(LLVMValueRef function) {
  unsigned count = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      count += tn_group_op_is_group_barrier(i) ? 1 : 0;
    }
  }
  return count;
}

static void report_widened(tn_remarks *remarks, const lowered *kernel, uint32_t opt_level) {
  if (!remarks) {
    return;
  }
  tn_buf text;
  tn_buf_init(&text, 1 << 10);
  tn_buf_add_format(&text, "%u work-items side by side", kernel->width);
  const tn_strip_code *code = best_code(kernel);
  const unsigned lanes = code->rows ? code->rows_width : code->wide ? code->wide_width : 0;
  if (lanes > kernel->width) {
    tn_buf_add_format(&text, ", %u vectors of them", lanes / kernel->width);
  }
  if (code->rows) {
    tn_buf_add_format(&text, "%s %u rows", lanes > kernel->width ? " and" : ",", code->row_count);
  }
  if (lanes != 0) {
    tn_buf_add_text(&text, " at once");
  }
  const tn_cpu_form form = (tn_cpu_form)kernel->forms.form;
  if (form == TN_CPU_FORM_PART) {
    tn_buf_add_text(&text, ", under a mask: rows of the work-group are no multiple");
  } else if (form == TN_CPU_FORM_FOLDED) {
    tn_buf_add_text(&text, ", across rows of the work-group");
  }
  const unsigned barriers = count_barriers(kernel->item.function);
  if (barriers > 0) {
    tn_buf_add_format(&text, "; %u regions between barriers", barriers + 1);
  }
  if (opt_level == 0) {
    tn_buf_add_text(&text, "; compiled without optimization (-O0)");
  }
  if (tn_buf_status(&text, NULL) == TN_OK) {
    tn_remarks_end(remarks, TN_REMARK_PASSED, tn_buf_text(&text));
  }
  tn_buf_deinit(&text);
}

static tn_status widen(LLVMModuleRef module, const tn_cpu_target *target, uint32_t opt_level,
                       lowered *kernel, tn_diag *diag) {
  tn_remarks *remarks = target->remarks;
  if (remarks) {
    const char *name = tn_arena_str(remarks->arena, kernel->about->name);
    tn_place place = kernel->about->place;
    place.file = tn_str_from(tn_arena_str(remarks->arena, place.file));
    tn_remarks_begin(remarks, name ? name : "", place);
  }
  LLVMValueRef item = kernel->item.function;
  if (target->is_quick) {
    return is_alike(item) ? tn_cpu_quick_check_single(item, diag) : TN_OK;
  }
  const bool must = uses_sub_group(item);
  const bool has_barrier = tn_has_group_barrier(item);
  kernel->is_independent = !must && !has_barrier;
  // With barriers the arrays are in the group's memory.
  const uint64_t bytes = has_barrier ? 0 : array_bytes(item);
  const bool may = opt_level > 0 && !kernel->check && !is_alike(item) &&
                   bytes * kernel->width <= TN_STACK_MAX;
  if (kernel->width < 2 || (!must && !may)) {
    report_apart(remarks, kernel, opt_level, bytes, NULL);
    return TN_OK;
  }
  unsigned factor = 1;
  if (!must) {
    const tn_widen_advice advice =
        tn_widen_advise(item, &(tn_widen_params){.width = kernel->width,
                                                 .vector_bytes = target->vector_bytes,
                                                 .may_leave_rows = kernel->is_independent,
                                                 .remarks = remarks});
    // Values that are live across a barrier are kept in memory for each work-item, which is faster
    // with lanes.
    if (!advice.is_worth && kernel->is_independent &&
        tn_function_attr(item, TN_ATTR_SUB_GROUP_SIZE).size == 0) {
      report_apart(remarks, kernel, opt_level, bytes, &advice);
      return TN_OK;
    }
    factor = factor_of(kernel, bytes, &advice);
  }
  tn_strip_code *code = &kernel->code;
  code->wide_width = wide_width_of(kernel, factor);
  kernel->forms.wide_width = code->wide_width;
  kernel->forms.can_fold = must && may_fold(kernel);
  if (target->group_shape != 0 && has_barrier) {
    kernel->forms.form = tn_cpu_form_of(&kernel->forms, kernel->width, target->group_shape);
  }
  TN_TRY(make_form(module, target, kernel, code, TN_CPU_FORM_FULL, &code->full, diag));
  TN_TRY(make_form(module, target, kernel, code, TN_CPU_FORM_PART, &code->part, diag));
  if (kernel->forms.can_fold) {
    TN_TRY(make_form(module, target, kernel, code, TN_CPU_FORM_FOLDED, &code->folded, diag));
  }
  if (code->wide_width != 0) {
    TN_TRY(make_form(module, target, kernel, code, TN_CPU_FORM_WIDE, &code->wide, diag));
  }
  kernel->is_widened = code->full || code->part || code->folded || code->wide;
  if (must && !kernel->is_widened) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "'%.*s' uses sub-group functions in control flow that the "
                   "CPU device cannot run side by side (an endless loop, or code that never "
                   "returns)",
                   TN_STR_ARG(tn_value_name(kernel->group)));
  }
  if (!kernel->is_widened) {
    kernel->forms = (tn_cpu_forms){0};
    report_apart(remarks, kernel, opt_level, bytes, NULL);
  } else {
    if (kernel->is_independent && opt_level > 0) {
      TN_TRY(make_noalias(module, target, kernel, diag));
    }
    if (!kernel->noalias.full) {
      TN_TRY(make_rows(module, target, kernel, factor, code, diag));
    }
    kernel->forms.row_count = best_code(kernel)->row_count;
    report_widened(remarks, kernel, opt_level);
  }
  return TN_OK;
}

static size_t count_kernels(LLVMModuleRef module) {
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    count += tn_function_is_kernel(f) ? 1 : 0;
  }
  return count;
}

static tn_status lower_kernels(tn_llvm_job *job, LLVMModuleRef module, const tn_cpu_target *target,
                               uint32_t opt_level, tn_arena *arena, tn_diag *diag) {
  const size_t total = count_kernels(module);
  lowered *kernels = tn_arena_alloc_array(arena, total + 1, sizeof(*kernels));
  if (!kernels) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to lower kernels for the CPU");
  }
  size_t count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && count < total;) {
    LLVMValueRef next = LLVMGetNextFunction(f);
    if (tn_function_is_kernel(f)) {
      TN_TRY(make_item(module, f, target, opt_level, arena, &kernels[count++], diag));
    }
    f = next;
  }
  // What is left is in functions that are called through pointers.
  tn_cpu_check_drop(module);
  TN_TRY(tn_widen_prepare(job, module, opt_level, diag));
  for (size_t k = 0; k < count; ++k) {
    TN_TRY(widen(module, target, opt_level, &kernels[k], diag));
    if (opt_level > 0 && target->remarks) {
      // From here on the code is what it is without remarks.
      drop_lines(kernels[k].item.function);
      LLVMSetSubprogram(kernels[k].item.function, NULL);
    }
    TN_TRY(build_group(&kernels[k], diag));
  }
  return TN_OK;
}

// Only what waits for other work-items is sensitive to who runs it together; and nothing unwinds
// through device code.
static void drop_attributes(LLVMValueRef function) {
  const unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
  if (tn_group_op_of_name(tn_value_name(function)) == TN_GROUP_OP_NONE) {
    tn_function_remove_enum(function, "convergent");
  }
  tn_function_remove_enum(function, "uwtable");
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (LLVMIsACallInst(i) && tn_group_op_of(i) == TN_GROUP_OP_NONE) {
        LLVMRemoveCallSiteEnumAttribute(i, TN_ON_FUNCTION, convergent);
      }
    }
  }
}

// What else the object would define is reached through the work-group functions only.
static void hide_rest(LLVMModuleRef module) {
  tn_lower_internalize(module, NULL, NULL);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    drop_attributes(f);
    if (tn_function_is_defined(f) && !tn_function_is_kernel(f)) {
      LLVMSetLinkage(f, LLVMInternalLinkage);
    }
  }
}

// What is still undefined must be LLVM's, the host's or for tn_lower_permutes.
static tn_status check_complete(LLVMModuleRef module, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const tn_str name = tn_value_name(f);
    if (tn_function_is_defined(f) || !LLVMGetFirstUse(f) || tn_function_is_intrinsic(f) ||
        tn_is_host_function(name) || tn_is_permute(f)) {
      continue;
    }
    return TN_FAIL(diag, BUILD_FAILED,
                   "device code uses '%.*s', which the CPU device does not "
                   "have",
                   TN_STR_ARG(name));
  }
  return TN_OK;
}

tn_status tn_lower_cpu(tn_llvm_job *job, LLVMModuleRef module, const tn_cpu_target *target,
                       uint32_t opt_level, tn_diag *diag) {
  if (target->is_quick) {
    TN_TRY(tn_cpu_quick_check(module, diag));
  }
  // Widened code has no lines: its instructions are those of many work-items.
  const bool drops_lines = opt_level > 0;
  if (drops_lines && !target->remarks) {
    LLVMStripModuleDebugInfo(module);
  }
  if (!target->check) {
    tn_cpu_check_drop(module);
  }
  hide_rest(module);
  TN_TRY(tn_group_statics_to_calls(module, diag));
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
  tn_arena arena;
  tn_arena_init(&arena);
  const tn_status status = lower_kernels(job, module, target, opt_level, &arena, diag);
  tn_arena_deinit(&arena);
  TN_TRY(status);
  if (drops_lines) {
    LLVMStripModuleDebugInfo(module);
  }
  TN_TRY(check_complete(module, diag));
#ifndef NDEBUG
  TN_TRY(tn_module_verify(module, "kernels were lowered for the CPU", diag));
#endif
  return TN_OK;
}

tn_status tn_lower_cpu_end(LLVMModuleRef module, uint32_t vector_bytes, tn_diag *diag) {
  tn_lower_permutes(module);
  return tn_lower_masks(module, vector_bytes, diag);
}
