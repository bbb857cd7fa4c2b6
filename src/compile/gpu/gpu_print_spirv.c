// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// printf for SPIR-V: OpenCL's, whose format and texts are constants of their own address space, and
// which has other words for how long an integer is.
// needs: calls of C's printf.  keeps: what is printed.  breaks: nothing.
// Source: OpenCL C specification, printf.
#include "compile/gpu/gpu_print.h"

#include <stdio.h>

enum { CONSTANT_SPACE = 2, FORMAT_MAX = 1 << 16, ARGUMENTS_MAX = 64 };

typedef struct printing {
  LLVMModuleRef module;
  LLVMValueRef call;
  tn_str format;
  tn_buf out;  // the format for the driver
  LLVMValueRef arguments[ARGUMENTS_MAX];
  unsigned count;       // of them
  const char *problem;  // NULL: none
} printing;

static bool is_in(char c, const char *set) { return c != '\0' && strchr(set, c) != NULL; }

static char at(const printing *p, size_t i) {
  return i < p->format.size ? p->format.data[i] : '\0';
}

// A text in constant memory; NULL where it is not known.
static LLVMValueRef constant_text(const printing *p, LLVMValueRef pointer) {
  tn_str text = {0};
  if (!tn_gpu_print_text(pointer, &text)) {
    return NULL;
  }
  LLVMValueRef bytes =
      LLVMConstStringInContext2(LLVMGetModuleContext(p->module), text.data, text.size, 0);
  LLVMValueRef global =
      LLVMAddGlobalInAddressSpace(p->module, LLVMTypeOf(bytes), "__tenon_text", CONSTANT_SPACE);
  LLVMSetInitializer(global, bytes);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMInternalLinkage);
  return global;
}

// The next argument, which the conversion is for; texts only of constants.
static void take_argument(printing *p, bool is_text) {
  const unsigned index = p->count + 1;  // behind the format
  if (index >= LLVMGetNumArgOperands(p->call) || p->count == ARGUMENTS_MAX) {
    p->problem = "fewer arguments than its format says, or more than 64";
    return;
  }
  LLVMValueRef value = LLVMGetOperand(p->call, index);
  LLVMValueRef text = is_text ? constant_text(p, value) : value;
  if (!text) {
    p->problem = "a text that is not a constant";
    return;
  }
  // LLVM's back end takes an address that is known for a format.
  if (!is_text && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind) {
    LLVMContextRef context = LLVMGetModuleContext(p->module);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderBefore(builder, p->call);
    text = LLVMBuildPtrToInt(builder, value, LLVMInt64TypeInContext(context), "");
    LLVMDisposeBuilder(builder);
  }
  p->arguments[p->count++] = text;
}

static size_t copy_number(printing *p, size_t i) {
  if (at(p, i) == '*') {
    take_argument(p, false);
    tn_buf_add_char(&p->out, '*');
    return i + 1;
  }
  while (is_in(at(p, i), "0123456789")) {
    tn_buf_add_char(&p->out, at(p, i++));
  }
  return i;
}

// Integers of 64 bits are l, whatever C calls them.
static size_t copy_length(printing *p, size_t i) {
  if (is_in(at(p, i), "ljztq")) {
    tn_buf_add_char(&p->out, 'l');
    return i + (at(p, i) == 'l' && at(p, i + 1) == 'l' ? 2 : 1);
  }
  while (at(p, i) == 'h') {
    tn_buf_add_char(&p->out, at(p, i++));
  }
  return i;
}

// From the '%' at `i` on. Returns where the text goes on.
static size_t convert(printing *p, size_t i) {
  tn_buf_add_char(&p->out, at(p, i++));
  if (at(p, i) == '%') {
    tn_buf_add_char(&p->out, '%');
    return i + 1;
  }
  while (is_in(at(p, i), "#0- +")) {
    tn_buf_add_char(&p->out, at(p, i++));
  }
  i = copy_number(p, i);
  if (at(p, i) == '.') {
    tn_buf_add_char(&p->out, '.');
    i = copy_number(p, i + 1);
  }
  size_t letter = i;
  while (is_in(at(p, letter), "ljztqh")) {
    letter++;
  }
  if (is_in(at(p, letter), "diuoxX")) {
    i = copy_length(p, i);
  } else {
    i = letter;
  }
  const char kind = at(p, i);
  if (!is_in(kind, "diuoxXfFeEgGaAcsp")) {
    p->problem = "a conversion in its format that OpenCL has not";
    return p->format.size;
  }
  tn_buf_add_char(&p->out, kind);
  take_argument(p, kind == 's');
  return i + 1;
}

static tn_status fail(const printing *p, tn_diag *diag) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(p->call));
  tn_buf place;
  tn_arena arena;
  tn_buf_init(&place, 1u << 12);
  tn_arena_init(&arena);
  tn_place_write(&place, tn_place_of_instruction(p->call), NULL);
  const tn_str name = tn_value_name(function);
  const bool is_kernel = tn_function_is_kernel(function);
  const char *shown = is_kernel ? tn_demangle_kernel(&arena, name) : tn_demangle(&arena, name);
  const tn_str where = tn_buf_str(&place);
  const tn_status status = TN_FAIL(
      diag, BUILD_FAILED, "%.*s%s '%s' calls printf with %s; print with a sycl::stream",
      TN_STR_ARG(where), is_kernel ? "kernel" : "function", shown ? shown : "?", p->problem);
  tn_arena_deinit(&arena);
  tn_buf_deinit(&place);
  return status;
}

// OpenCL's gives 0 for all that it printed, C's the number of characters: nobody can count on it.
static void replace(printing *p, LLVMValueRef function) {
  LLVMContextRef context = LLVMGetModuleContext(p->module);
  LLVMValueRef text = LLVMConstStringInContext2(context, p->out.data, p->out.size, 0);
  LLVMValueRef format =
      LLVMAddGlobalInAddressSpace(p->module, LLVMTypeOf(text), "__tenon_format", CONSTANT_SPACE);
  LLVMSetInitializer(format, text);
  LLVMSetGlobalConstant(format, 1);
  LLVMSetLinkage(format, LLVMInternalLinkage);
  LLVMValueRef operands[ARGUMENTS_MAX + 1] = {format};
  memcpy(operands + 1, p->arguments, p->count * sizeof(p->arguments[0]));
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, p->call);
  LLVMValueRef made = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, operands,
                                     p->count + 1, "");
  LLVMSetInstructionCallConv(made, LLVMSPIRFUNCCallConv);
  // LLVM would make puts of it.
  LLVMAddCallSiteAttribute(
      made, TN_ON_FUNCTION,
      LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("nobuiltin", 9), 0));
  LLVMReplaceAllUsesWith(p->call, made);
  LLVMInstructionEraseFromParent(p->call);
  LLVMDisposeBuilder(builder);
}

static tn_status adapt(LLVMModuleRef module, LLVMValueRef call, LLVMValueRef function,
                       tn_diag *diag) {
  printing p = {.module = module, .call = call};
  if (!tn_gpu_print_text(LLVMGetOperand(call, 0), &p.format)) {
    p.problem = "a format that is not a constant";
    return fail(&p, diag);
  }
  tn_buf_init(&p.out, FORMAT_MAX);
  for (size_t i = 0; i < p.format.size && !p.problem;) {
    if (at(&p, i) == '%') {
      i = convert(&p, i);
    } else {
      tn_buf_add_char(&p.out, at(&p, i++));
    }
  }
  tn_status status = p.problem ? fail(&p, diag) : tn_buf_status(&p.out, diag);
  if (status == TN_OK) {
    replace(&p, function);
  }
  tn_buf_deinit(&p.out);
  return status;
}

static bool has_open_text(LLVMValueRef function) {
  bool is_open = false;
  for (LLVMUseRef use = LLVMGetFirstUse(function); use && !is_open; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    const unsigned count = LLVMIsACallInst(call) ? LLVMGetNumArgOperands(call) : 0;
    for (unsigned i = 0; i < count; ++i) {
      tn_str text;
      LLVMValueRef value = LLVMGetOperand(call, i);
      is_open = is_open || (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
                            !tn_gpu_print_text(value, &text));
    }
  }
  return is_open;
}

tn_status tn_gpu_print_for_spirv(tn_llvm_job *job, LLVMModuleRef module, tn_diag *diag) {
  LLVMValueRef old = LLVMGetNamedFunction(module, "printf");
  if (!old || tn_function_is_defined(old)) {
    return TN_OK;
  }
  // Without optimization a format, or another text, is read from a variable.
  if (has_open_text(old)) {
    TN_TRY(tn_module_run_passes(job, module, "always-inline,function(sroa,early-cse)", NULL, diag));
  }
  old = LLVMGetNamedFunction(module, "printf");
  if (!old) {
    return TN_OK;
  }
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMTypeRef format = LLVMPointerTypeInContext(context, CONSTANT_SPACE);
  LLVMSetValueName2(old, "", 0);
  LLVMValueRef function = LLVMAddFunction(
      module, "printf", LLVMFunctionType(LLVMInt32TypeInContext(context), &format, 1, 1));
  LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
  for (LLVMUseRef use = LLVMGetFirstUse(old); use;) {
    LLVMValueRef call = LLVMGetUser(use);
    use = LLVMGetNextUse(use);
    if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != old) {
      return TN_FAIL(diag, BUILD_FAILED, "the address of printf is taken, which SPIR-V has not");
    }
    TN_TRY(adapt(module, call, function, diag));
  }
  LLVMDeleteFunction(old);
  return TN_OK;
}
