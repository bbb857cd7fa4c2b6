// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formats of printf. The driver's printf knows no z, j, t and hh, and when it meets one prints
// something else, or nothing any more: these become l, and numbers of one byte are made so before.
// needs: nothing.  keeps: what is printed.  breaks: nothing.
// Source: CUDA C++ Programming Guide, formatted output.
#include "compile/gpu/gpu_print.h"

#include <stdio.h>

enum { FORMAT_MAX = 1 << 16, ARGUMENTS_MAX = 32 };

typedef struct printing {
  LLVMModuleRef module;
  LLVMValueRef call;
  tn_str format;
  tn_buf out;       // the format for the driver
  uint64_t offset;  // behind the arguments so far
  uint32_t count;   // of them
  tn_str unknown;   // what there is no word for
} printing;

static bool is_in(char c, const char *set) { return c != '\0' && strchr(set, c) != NULL; }

static char at(const printing *p, size_t i) {
  return i < p->format.size ? p->format.data[i] : '\0';
}

static uint64_t take_argument(printing *p, uint64_t size) {
  const uint64_t place = (p->offset + size - 1) / size * size;
  p->offset = place + size;
  p->count++;
  return place;
}

// An int whose value is to be that of a char.
static void make_byte(printing *p, uint64_t place, bool is_signed) {
  LLVMContextRef context = LLVMGetModuleContext(p->module);
  LLVMTypeRef i8 = LLVMInt8TypeInContext(context);
  LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderBefore(builder, p->call);
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(context), place, 0);
  LLVMValueRef where =
      LLVMBuildInBoundsGEP2(builder, i8, LLVMGetOperand(p->call, 1), &index, 1, "");
  LLVMValueRef byte = LLVMBuildTrunc(builder, LLVMBuildLoad2(builder, i32, where, ""), i8, "");
  LLVMBuildStore(
      builder,
      is_signed ? LLVMBuildSExt(builder, byte, i32, "") : LLVMBuildZExt(builder, byte, i32, ""),
      where);
  LLVMDisposeBuilder(builder);
}

// Digits or a star, from `i` on.
static size_t copy_number(printing *p, size_t i) {
  if (at(p, i) == '*') {
    (void)take_argument(p, sizeof(int32_t));
    tn_buf_add_char(&p->out, '*');
    return i + 1;
  }
  while (is_in(at(p, i), "0123456789")) {
    tn_buf_add_char(&p->out, at(p, i++));
  }
  return i;
}

// What says how long an integer is; `*bytes` is how long.
static size_t read_length(const printing *p, size_t i, uint64_t *bytes) {
  *bytes = sizeof(int32_t);
  if (is_in(at(p, i), "ljztq")) {
    *bytes = sizeof(int64_t);
    return i + (at(p, i) == 'l' && at(p, i + 1) == 'l' ? 2 : 1);
  }
  if (at(p, i) == 'h') {
    *bytes = at(p, i + 1) == 'h' ? 1 : 2;
    return i + (*bytes == 1 ? 2 : 1);
  }
  return i;
}

// The letter at the end, and what is before it.
static bool finish_conversion(printing *p, char letter, uint64_t bytes) {
  if (is_in(letter, "diuoxX")) {
    const uint64_t place = take_argument(p, bytes == 8 ? 8 : sizeof(int32_t));
    if (bytes == 1) {
      make_byte(p, place, is_in(letter, "di"));
    }
    tn_buf_add_text(&p->out, bytes == 2 ? "h" : "");
  } else if (is_in(letter, "fFeEgGaA") && (bytes == sizeof(int32_t) || bytes == 8)) {
    (void)take_argument(p, sizeof(double));
  } else if (is_in(letter, "sp") && bytes == sizeof(int32_t)) {
    (void)take_argument(p, sizeof(uint64_t));
  } else if (letter == 'c' && bytes == sizeof(int32_t)) {
    (void)take_argument(p, sizeof(int32_t));
  } else {
    return false;
  }
  tn_buf_add_char(&p->out, letter);
  return true;
}

// From the '%' at `i` on. Returns where the text goes on.
static size_t convert(printing *p, size_t i) {
  const size_t begin = i++;
  tn_buf_add_char(&p->out, '%');
  if (at(p, i) == '%') {
    tn_buf_add_char(&p->out, '%');
    return i + 1;
  }
  while (is_in(at(p, i), "#0- +")) {
    tn_buf_add_char(&p->out, at(p, i++));
  }
  i = copy_number(p, i);
  bool is_known = true;
  if (at(p, i) == '.') {
    is_known = at(p, i + 1) != '*';
    tn_buf_add_char(&p->out, '.');
    i = copy_number(p, i + 1);
  }
  uint64_t bytes = 0;
  const size_t length = i;
  i = read_length(p, i, &bytes);
  if (bytes == 8 && is_in(at(p, i), "diuoxX")) {
    tn_buf_add_text(&p->out, at(p, length) != 'l' ? "ll" : i - length == 1 ? "l" : "ll");
  }
  is_known = finish_conversion(p, at(p, i), bytes) && is_known;
  if (!is_known && !p->unknown.data) {
    p->unknown = tn_str_slice(p->format, begin, i + 1 - begin);
  }
  return i + 1;
}

bool tn_gpu_print_text(LLVMValueRef pointer, tn_str *out) {
  while (LLVMIsAConstantExpr(pointer) && (LLVMGetConstOpcode(pointer) == LLVMAddrSpaceCast ||
                                          LLVMGetConstOpcode(pointer) == LLVMBitCast)) {
    pointer = LLVMGetOperand(pointer, 0);
  }
  LLVMValueRef value = LLVMIsAGlobalVariable(pointer) && LLVMIsGlobalConstant(pointer)
                           ? LLVMGetInitializer(pointer)
                           : NULL;
  if (!value || !LLVMIsAConstantDataSequential(value) || !LLVMIsConstantString(value)) {
    return false;
  }
  size_t size = 0;
  const char *text = LLVMGetAsString(value, &size);
  *out = (tn_str){text, strnlen(text, size)};
  return true;
}

static void replace_format(printing *p) {
  LLVMContextRef context = LLVMGetModuleContext(p->module);
  LLVMValueRef text = LLVMConstStringInContext2(context, p->out.data, p->out.size, 0);
  LLVMValueRef global = LLVMAddGlobal(p->module, LLVMTypeOf(text), ".format");
  LLVMSetInitializer(global, text);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  LLVMSetOperand(p->call, 0, global);
}

static tn_status fail(const printing *p, tn_diag *diag) {
  LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(p->call));
  tn_place place = tn_place_of_instruction(p->call);
  uint64_t line = place.line;
  if (place.file.size == 0) {
    place.file = tn_function_attr(function, TN_ATTR_KERNEL_FILE);
    (void)tn_str_to_u64(tn_function_attr(function, TN_ATTR_KERNEL_LINE), &line);
  }
  char where[300] = "";
  if (place.file.size > 0) {
    (void)snprintf(where, sizeof(where), "%.*s:%llu: ", TN_STR_ARG(place.file),
                   (unsigned long long)line);
  }
  tn_arena arena;
  tn_arena_init(&arena);
  const tn_str name = tn_value_name(function);
  const bool is_kernel = tn_function_is_kernel(function);
  const char *shown = is_kernel ? tn_demangle_kernel(&arena, name) : tn_demangle(&arena, name);
  char what[128];
  (void)snprintf(what, sizeof(what), "'%.*s' in its format", TN_STR_ARG(p->unknown));
  if (p->count > ARGUMENTS_MAX) {
    (void)snprintf(what, sizeof(what), "%u arguments, more than %d,", p->count, ARGUMENTS_MAX);
  }
  const tn_status status =
      TN_FAIL(diag, BUILD_FAILED, "%s%s '%s' calls printf with %s which NVIDIA's GPUs do not know",
              where, is_kernel ? "kernel" : "function", shown ? shown : "?", what);
  tn_arena_deinit(&arena);
  return status;
}

static tn_status adapt(LLVMModuleRef module, LLVMValueRef call, tn_diag *diag) {
  printing p = {.module = module, .call = call};
  if (!tn_gpu_print_text(LLVMGetOperand(call, 0), &p.format)) {
    return TN_OK;
  }
  tn_buf_init(&p.out, FORMAT_MAX);
  for (size_t i = 0; i < p.format.size;) {
    if (at(&p, i) == '%') {
      i = convert(&p, i);
    } else {
      tn_buf_add_char(&p.out, at(&p, i++));
    }
  }
  tn_status status = tn_buf_status(&p.out, diag);
  if (status == TN_OK && (p.unknown.data || p.count > ARGUMENTS_MAX)) {
    status = fail(&p, diag);
  }
  if (status == TN_OK && !tn_str_equals(tn_buf_str(&p.out), p.format)) {
    replace_format(&p);
  }
  tn_buf_deinit(&p.out);
  return status;
}

tn_status tn_gpu_print_adapt(LLVMModuleRef module, tn_diag *diag) {
  LLVMValueRef function = LLVMGetNamedFunction(module, "vprintf");
  for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use;
       use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function &&
        LLVMGetNumArgOperands(user) == 2) {
      TN_TRY(adapt(module, user, diag));
    }
  }
  return TN_OK;
}
