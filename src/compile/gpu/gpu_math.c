// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mathematics by name: what C and LLVM call a function, and what the device's library calls it.
// needs: all code in one module.  keeps: functions that the device's back end has itself.
// breaks: nothing.
// Sources: CUDA's libdevice, OpenCL C 3.0 section 6.15.2, ROCm's OCML.
#include "compile/gpu/gpu_math.h"

enum { NAME_MAX_SIZE = 64, FUNCTION_PARAMS = 4 };

// A function by its name in C, for double; float's ends in f.
typedef struct math_row {
  const char *name;
  // What the libraries call it; NULL: as C does, "": they have none.
  const char *nvptx, *opencl, *ocml;
  // Where LLVM's intrinsic of that name is left to the back end.
  bool nvptx_has, amdgpu_has;
} math_row;

static const math_row rows[] = {
    {"acos", NULL, NULL, NULL, false, false},      {"acosh", NULL, NULL, NULL, false, false},
    {"asin", NULL, NULL, NULL, false, false},      {"asinh", NULL, NULL, NULL, false, false},
    {"atan", NULL, NULL, NULL, false, false},      {"atan2", NULL, NULL, NULL, false, false},
    {"atanh", NULL, NULL, NULL, false, false},     {"cbrt", NULL, NULL, NULL, false, false},
    {"ceil", NULL, NULL, NULL, true, true},        {"copysign", NULL, NULL, NULL, true, true},
    {"cos", NULL, NULL, NULL, false, false},       {"cosh", NULL, NULL, NULL, false, false},
    {"erf", NULL, NULL, NULL, false, false},       {"erfc", NULL, NULL, NULL, false, false},
    {"exp", NULL, NULL, NULL, false, false},       {"exp10", NULL, NULL, NULL, false, false},
    {"exp2", NULL, NULL, NULL, false, false},      {"expm1", NULL, NULL, NULL, false, false},
    {"fabs", NULL, NULL, NULL, true, true},        {"fdim", NULL, NULL, NULL, false, false},
    {"floor", NULL, NULL, NULL, true, true},       {"fma", NULL, NULL, NULL, true, true},
    {"fmax", NULL, NULL, NULL, true, true},        {"fmin", NULL, NULL, NULL, true, true},
    {"fmod", NULL, NULL, NULL, false, false},      {"frexp", NULL, NULL, "", false, false},
    {"hypot", NULL, NULL, NULL, false, false},     {"ilogb", NULL, NULL, NULL, false, false},
    {"ldexp", NULL, NULL, NULL, false, true},      {"lgamma", NULL, NULL, NULL, false, false},
    {"lgamma_r", "", NULL, "", false, false},      {"log", NULL, NULL, NULL, false, false},
    {"log10", NULL, NULL, NULL, false, false},     {"log1p", NULL, NULL, NULL, false, false},
    {"log2", NULL, NULL, NULL, false, false},      {"logb", NULL, NULL, NULL, false, false},
    {"llrint", NULL, "", "", false, true},         {"llround", NULL, "", "", false, true},
    {"lrint", "llrint", "", "", false, true},      {"lround", "llround", "", "", false, true},
    {"modf", NULL, NULL, "", false, false},        {"nearbyint", NULL, "rint", NULL, true, true},
    {"nextafter", NULL, NULL, NULL, false, false}, {"pow", NULL, NULL, NULL, false, false},
    {"powi", NULL, "pown", "pown", false, false},  {"remainder", NULL, NULL, NULL, false, false},
    {"remquo", NULL, NULL, "", false, false},      {"rint", NULL, NULL, NULL, true, true},
    {"round", NULL, NULL, NULL, true, true},       {"scalbn", NULL, "ldexp", "ldexp", false, false},
    {"sin", NULL, NULL, NULL, false, false},       {"sincos", NULL, NULL, "", false, false},
    {"sinh", NULL, NULL, NULL, false, false},      {"sqrt", NULL, NULL, NULL, true, true},
    {"tan", NULL, NULL, NULL, false, false},       {"tanh", NULL, NULL, NULL, false, false},
    {"tgamma", NULL, NULL, NULL, false, false},    {"trunc", NULL, NULL, NULL, true, true},
};

// The back end of AMD GPUs has these for float, as exact as OCML.
static bool amdgpu_has_float(const char *name) {
  static const char *const names[] = {"exp", "exp2", "exp10", "log", "log2", "log10"};
  for (size_t i = 0; i < TN_COUNT(names); ++i) {
    if (strcmp(name, names[i]) == 0) {
      return true;
    }
  }
  return false;
}

// LLVM's back end for SPIR-V ends the process over these intrinsics.
static bool spirv_has(const char *name) {
  static const char *const missing[] = {"exp10",  "frexp", "ldexp", "llrint",
                                        "lrint", "powi",  "sincos"};
  for (size_t i = 0; i < TN_COUNT(missing); ++i) {
    if (strcmp(name, missing[i]) == 0) {
      return false;
    }
  }
  return true;
}

static const math_row *find_row(tn_str name) {
  for (size_t i = 0; i < TN_COUNT(rows); ++i) {
    if (tn_str_equals(name, tn_str_from(rows[i].name))) {
      return &rows[i];
    }
  }
  return NULL;
}

// A declared function that is mathematics.
typedef struct math_use {
  LLVMValueRef function;
  const math_row *row;
  LLVMTypeKind type;  // float, double; half is computed as float
  bool is_intrinsic;
} math_use;

static LLVMTypeRef main_type(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  return LLVMCountParamTypes(type) > 0 ? LLVMTypeOf(LLVMGetParam(function, 0)) : NULL;
}

static bool is_float_kind(LLVMTypeKind kind) {
  return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind || kind == LLVMFloatTypeKind ||
         kind == LLVMDoubleTypeKind;
}

// "sin" of "sinf", "sinl", "lgammaf_r", "llvm.sin.f32".
static const math_row *row_of_name(tn_str name, LLVMTypeKind type, bool *out_intrinsic) {
  *out_intrinsic = tn_str_has_prefix(name, TN_STR_LIT("llvm."));
  if (*out_intrinsic) {
    const tn_str rest = tn_str_slice(name, 5, SIZE_MAX);
    const size_t dot = tn_str_find_char(rest, '.');
    return dot == SIZE_MAX ? NULL : find_row(tn_str_slice(rest, 0, dot));
  }
  if (tn_str_equals(name, TN_STR_LIT("lgammaf_r"))) {
    return find_row(TN_STR_LIT("lgamma_r"));
  }
  const math_row *row = find_row(name);
  if (row && type == LLVMDoubleTypeKind) {
    return row;
  }
  const char last = name.size > 1 ? name.data[name.size - 1] : '\0';
  const bool has_suffix = type == LLVMFloatTypeKind ? last == 'f' : last == 'l';
  return has_suffix ? find_row(tn_str_slice(name, 0, name.size - 1)) : NULL;
}

static bool find_use(LLVMValueRef function, math_use *out) {
  LLVMTypeRef type = tn_function_is_defined(function) || tn_function_is_external(function)
                         ? NULL
                         : main_type(function);
  if (!type || !LLVMGetFirstUse(function) || !is_float_kind(LLVMGetTypeKind(type))) {
    return false;
  }
  *out = (math_use){.function = function, .type = LLVMGetTypeKind(type)};
  out->row = row_of_name(tn_value_name(function), out->type, &out->is_intrinsic);
  return out->row != NULL;
}

static bool back_end_has(const math_use *use, tn_target_kind kind) {
  if (!use->is_intrinsic) {
    return false;
  }
  if (kind == TN_TARGET_SPIRV) {
    return spirv_has(use->row->name);
  }
  if (kind == TN_TARGET_NVPTX) {
    return use->row->nvptx_has;
  }
  return use->row->amdgpu_has ||
         (use->type == LLVMFloatTypeKind && amdgpu_has_float(use->row->name));
}

static const char *base_name(const math_row *row, tn_target_kind kind) {
  const char *other = kind == TN_TARGET_NVPTX   ? row->nvptx
                      : kind == TN_TARGET_SPIRV ? row->opencl
                                                : row->ocml;
  return other ? other : row->name;
}

static char mangled_type(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
      return 'f';
    case LLVMDoubleTypeKind:
      return 'd';
    case LLVMHalfTypeKind:
      return 'h';
    default:
      return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 64 ? 'l'
                                                                                             : 'i';
  }
}

// What OpenCL's name for C++ is; pointers are those of SYCL's device code, generic ones.
static void mangle(tn_buf *buf, const char *base, LLVMTypeRef type) {
  LLVMTypeRef params[FUNCTION_PARAMS] = {NULL};
  const unsigned count = LLVMCountParamTypes(type);
  tn_buf_add_format(buf, "_Z%zu%s", strlen(base), base);
  if (count > FUNCTION_PARAMS) {
    return;
  }
  LLVMGetParamTypes(type, params);
  const bool is_int = strcmp(base, "modf") != 0 && strcmp(base, "sincos") != 0;
  for (unsigned i = 0; i < count; ++i) {
    if (LLVMGetTypeKind(params[i]) == LLVMPointerTypeKind) {
      tn_buf_add_format(buf, "PU3AS4%c", is_int ? 'i' : mangled_type(params[0]));
    } else {
      tn_buf_add_char(buf, mangled_type(params[i]));
    }
  }
}

static void library_name(tn_buf *buf, tn_target_kind kind, const char *base, LLVMTypeRef type,
                         bool is_double) {
  switch (kind) {
    case TN_TARGET_NVPTX:
      tn_buf_add_format(buf, "__nv_%s%s", base, is_double ? "" : "f");
      break;
    case TN_TARGET_SPIRV:
      mangle(buf, base, type);
      break;
    default:
      tn_buf_add_format(buf, "__ocml_%s_f%d", base, is_double ? 64 : 32);
      break;
  }
}

static LLVMValueRef declare(LLVMModuleRef module, const char *name, LLVMTypeRef type,
                            tn_target_kind kind) {
  LLVMValueRef function = LLVMGetNamedFunction(module, name);
  if (!function) {
    function = LLVMAddFunction(module, name, type);
    LLVMSetFunctionCallConv(function,
                            kind == TN_TARGET_SPIRV ? LLVMSPIRFUNCCallConv : LLVMCCallConv);
    tn_function_add_enum(function, "nounwind");
  }
  return function;
}

static LLVMTypeRef widened(LLVMContextRef context, LLVMTypeRef type) {
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  return kind == LLVMHalfTypeKind || kind == LLVMBFloatTypeKind ? LLVMFloatTypeInContext(context)
                                                                : type;
}

// The type of `function` with float for the smaller types.
static LLVMTypeRef widened_type(LLVMValueRef function) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMTypeRef params[FUNCTION_PARAMS] = {NULL};
  const unsigned count = LLVMCountParamTypes(type);
  if (count > FUNCTION_PARAMS) {
    return type;
  }
  LLVMGetParamTypes(type, params);
  for (unsigned i = 0; i < count; ++i) {
    params[i] = widened(context, params[i]);
  }
  return LLVMFunctionType(widened(context, LLVMGetReturnType(type)), params, count, 0);
}

static LLVMValueRef convert_float(LLVMBuilderRef builder, LLVMValueRef x, LLVMTypeRef to) {
  if (LLVMTypeOf(x) == to) {
    return x;
  }
  return LLVMGetTypeKind(to) == LLVMFloatTypeKind ? LLVMBuildFPExt(builder, x, to, "")
                                                  : LLVMBuildFPTrunc(builder, x, to, "");
}

// A function of the smaller type that calls `wide`.
static LLVMValueRef narrow_form(LLVMModuleRef module, LLVMValueRef function, LLVMValueRef wide) {
  LLVMTypeRef type = LLVMGlobalGetValueType(function);
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMValueRef made = LLVMAddFunction(module, "tn.narrow", type);
  LLVMSetLinkage(made, LLVMInternalLinkage);
  tn_function_add_enum(made, "alwaysinline");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, made, "entry"));
  LLVMValueRef arguments[FUNCTION_PARAMS];
  const unsigned count = LLVMCountParams(made);
  for (unsigned i = 0; i < count; ++i) {
    LLVMValueRef each = LLVMGetParam(made, i);
    LLVMTypeRef to = widened(context, LLVMTypeOf(each));
    arguments[i] = to == LLVMTypeOf(each) ? each : LLVMBuildFPExt(builder, each, to, "");
  }
  LLVMTypeRef wide_type = LLVMGlobalGetValueType(wide);
  LLVMValueRef call = LLVMBuildCall2(builder, wide_type, wide, arguments, count, "");
  LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(wide));
  LLVMTypeRef result = LLVMGetReturnType(type);
  LLVMBuildRet(builder,
               result == LLVMTypeOf(call) ? call : LLVMBuildFPTrunc(builder, call, result, ""));
  LLVMDisposeBuilder(builder);
  return made;
}

static void set_call_conventions(LLVMValueRef function) {
  const unsigned convention = LLVMGetFunctionCallConv(function);
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == function) {
      LLVMSetInstructionCallConv(user, convention);
    }
  }
}

// LLVM's intrinsics of two results, which libraries give through pointers: a function of the
// intrinsic's type that calls the library's.
static tn_status replace_pair(LLVMModuleRef module, tn_target_kind kind, const math_use *use,
                              tn_diag *diag) {
  LLVMTypeRef type = LLVMGlobalGetValueType(use->function);
  LLVMContextRef context = LLVMGetTypeContext(type);
  LLVMTypeRef result = LLVMGetReturnType(type);
  LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
  LLVMTypeRef x_type = widened(context, LLVMTypeOf(LLVMGetParam(use->function, 0)));
  LLVMTypeRef second_type = widened(context, LLVMStructGetTypeAtIndex(result, 1));
  // OpenCL's sincos gives the sine as its value.
  const bool is_sincos =
      strcmp(use->row->name, "sincos") == 0 && kind != TN_TARGET_SPIRV;
  LLVMTypeRef params[3] = {x_type, pointer, pointer};
  LLVMTypeRef library_type = LLVMFunctionType(is_sincos ? LLVMVoidTypeInContext(context) : x_type,
                                              params, is_sincos ? 3 : 2, 0);
  tn_buf name;
  tn_buf_init(&name, NAME_MAX_SIZE);
  library_name(&name, kind, base_name(use->row, kind), library_type,
               use->type == LLVMDoubleTypeKind);
  const tn_status status = tn_buf_status(&name, diag);
  if (status == TN_OK) {
    LLVMValueRef library = declare(module, tn_buf_text(&name), library_type, kind);
    LLVMValueRef made = LLVMAddFunction(module, "tn.pair", type);
    LLVMSetLinkage(made, LLVMInternalLinkage);
    tn_function_add_enum(made, "alwaysinline");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, made, "entry"));
    LLVMValueRef first = LLVMBuildAlloca(builder, x_type, "");
    LLVMValueRef second = LLVMBuildAlloca(builder, second_type, "");
    LLVMValueRef x = convert_float(builder, LLVMGetParam(made, 0), x_type);
    LLVMValueRef arguments[3] = {x, is_sincos ? first : second, second};
    LLVMValueRef value =
        LLVMBuildCall2(builder, library_type, library, arguments, is_sincos ? 3 : 2, "");
    value = is_sincos ? LLVMBuildLoad2(builder, x_type, first, "") : value;
    LLVMValueRef values[2] = {value, LLVMBuildLoad2(builder, second_type, second, "")};
    LLVMValueRef pair = LLVMGetUndef(result);
    for (unsigned i = 0; i < 2; ++i) {
      LLVMTypeRef to = LLVMStructGetTypeAtIndex(result, i);
      pair = LLVMBuildInsertValue(builder, pair, convert_float(builder, values[i], to), i, "");
    }
    LLVMBuildRet(builder, pair);
    LLVMDisposeBuilder(builder);
    LLVMReplaceAllUsesWith(use->function, made);
  }
  tn_buf_deinit(&name);
  return status;
}

// lrint and llrint where no library has them.
static bool replace_round_to_integer(LLVMModuleRef module, const math_use *use) {
  LLVMTypeRef type = LLVMGlobalGetValueType(use->function);
  LLVMContextRef context = LLVMGetTypeContext(type);
  const bool is_lrint =
      strcmp(use->row->name, "lrint") == 0 || strcmp(use->row->name, "llrint") == 0;
  if (!use->is_intrinsic || !is_lrint) {
    return false;
  }
  LLVMTypeRef x_type = LLVMTypeOf(LLVMGetParam(use->function, 0));
  LLVMValueRef rint = LLVMGetIntrinsicDeclaration(
      module, LLVMLookupIntrinsicID("llvm.rint", strlen("llvm.rint")), &x_type, 1);
  LLVMValueRef made = LLVMAddFunction(module, "tn.lrint", type);
  LLVMSetLinkage(made, LLVMInternalLinkage);
  tn_function_add_enum(made, "alwaysinline");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, made, "entry"));
  LLVMValueRef x = LLVMGetParam(made, 0);
  LLVMValueRef whole = LLVMBuildCall2(builder, LLVMGlobalGetValueType(rint), rint, &x, 1, "");
  LLVMBuildRet(builder, LLVMBuildFPToSI(builder, whole, LLVMGetReturnType(type), ""));
  LLVMDisposeBuilder(builder);
  LLVMReplaceAllUsesWith(use->function, made);
  return true;
}

static tn_status replace_use(LLVMModuleRef module, tn_target_kind kind, const math_use *use,
                             tn_diag *diag) {
  const char *base = base_name(use->row, kind);
  if (kind == TN_TARGET_SPIRV && replace_round_to_integer(module, use)) {
    return TN_OK;
  }
  if (base[0] == '\0' || LLVMCountParams(use->function) > FUNCTION_PARAMS) {
    return TN_OK;  // reported with what else the device has not
  }
  LLVMTypeRef own_type = LLVMGlobalGetValueType(use->function);
  if (LLVMGetTypeKind(LLVMGetReturnType(own_type)) == LLVMStructTypeKind) {
    return replace_pair(module, kind, use, diag);
  }
  tn_buf name;
  tn_buf_init(&name, NAME_MAX_SIZE);
  LLVMTypeRef type = widened_type(use->function);
  library_name(&name, kind, base, type, use->type == LLVMDoubleTypeKind);
  const tn_status status = tn_buf_status(&name, diag);
  if (status == TN_OK) {
    LLVMValueRef to = declare(module, tn_buf_text(&name), type, kind);
    if (type != LLVMGlobalGetValueType(use->function)) {
      to = narrow_form(module, use->function, to);
    }
    LLVMReplaceAllUsesWith(use->function, to);
    set_call_conventions(to);
  }
  tn_buf_deinit(&name);
  return status;
}

// The remainder, which is an instruction: NVIDIA's and AMD's back ends compute it inexactly.
static tn_status replace_remainder(LLVMModuleRef module, LLVMValueRef instruction,
                                   tn_target_kind kind, tn_diag *diag) {
  LLVMTypeRef own_type = LLVMTypeOf(instruction);
  if (!is_float_kind(LLVMGetTypeKind(own_type))) {
    return TN_OK;
  }
  // The remainder of halves is one: computed as float it is exact as well.
  LLVMTypeRef type = widened(LLVMGetModuleContext(module), own_type);
  const LLVMTypeKind type_kind = LLVMGetTypeKind(type);
  tn_buf name;
  tn_buf_init(&name, NAME_MAX_SIZE);
  LLVMTypeRef function_type = LLVMFunctionType(type, (LLVMTypeRef[]){type, type}, 2, 0);
  library_name(&name, kind, "fmod", function_type, type_kind == LLVMDoubleTypeKind);
  const tn_status status = tn_buf_status(&name, diag);
  if (status == TN_OK) {
    LLVMValueRef function = declare(module, tn_buf_text(&name), function_type, kind);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMPositionBuilderBefore(builder, instruction);
    LLVMValueRef operands[2] = {LLVMGetOperand(instruction, 0), LLVMGetOperand(instruction, 1)};
    for (size_t i = 0; i < 2 && type != own_type; ++i) {
      operands[i] = LLVMBuildFPExt(builder, operands[i], type, "");
    }
    LLVMValueRef result = LLVMBuildCall2(builder, function_type, function, operands, 2, "");
    if (type != own_type) {
      result = LLVMBuildFPTrunc(builder, result, own_type, "");
    }
    LLVMReplaceAllUsesWith(instruction, result);
    LLVMInstructionEraseFromParent(instruction);
    LLVMDisposeBuilder(builder);
  }
  tn_buf_deinit(&name);
  return status;
}

static tn_status replace_remainders(LLVMModuleRef module, tn_target_kind kind, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;) {
        LLVMValueRef next = LLVMGetNextInstruction(i);
        if (LLVMGetInstructionOpcode(i) == LLVMFRem) {
          TN_TRY(replace_remainder(module, i, kind, diag));
        }
        i = next;
      }
    }
  }
  return TN_OK;
}

// Libraries compute single values.
static bool has_vector_intrinsics(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    bool is_intrinsic = false;
    LLVMTypeRef type = tn_function_is_defined(f) ? NULL : main_type(f);
    if (type && LLVMGetTypeKind(type) == LLVMVectorTypeKind && LLVMGetFirstUse(f) &&
        row_of_name(tn_value_name(f), LLVMFloatTypeKind, &is_intrinsic) && is_intrinsic) {
      return true;
    }
  }
  return false;
}

tn_status tn_gpu_math_replace(tn_llvm_job *job, LLVMModuleRef module, tn_target_kind kind,
                              tn_diag *diag) {
  if (kind != TN_TARGET_SPIRV) {
    if (has_vector_intrinsics(module)) {
      TN_TRY(tn_module_run_passes(job, module, "function(scalarizer)", NULL, diag));
    }
    TN_TRY(replace_remainders(module, kind, diag));
  }
  if (kind == TN_TARGET_NVPTX) {
    tn_gpu_fast_math(module);
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;) {
    LLVMValueRef next = LLVMGetNextFunction(f);
    math_use use;
    if (find_use(f, &use) && !back_end_has(&use, kind)) {
      TN_TRY(replace_use(module, kind, &use, diag));
    }
    f = next;
  }
  return TN_OK;
}

// _Z3sinf, and what the back end knows by SPIR-V's own names.
static bool is_opencl(tn_str name) {
  uint64_t size = 0;
  size_t at = 2;
  while (at < name.size && name.data[at] >= '0' && name.data[at] <= '9') {
    ++at;
  }
  if (!tn_str_has_prefix(name, TN_STR_LIT("_Z")) ||
      !tn_str_to_u64(tn_str_slice(name, 2, at - 2), &size) || size > name.size - at) {
    return false;
  }
  const tn_str base = tn_str_slice(name, at, (size_t)size);
  for (size_t i = 0; i < TN_COUNT(rows); ++i) {
    if (tn_str_equals(base, tn_str_from(base_name(&rows[i], TN_TARGET_SPIRV)))) {
      return true;
    }
  }
  return tn_str_has_prefix(base, TN_STR_LIT("__spirv_"));
}

bool tn_gpu_math_is_library(tn_target_kind kind, tn_str name) {
  switch (kind) {
    case TN_TARGET_NVPTX:
      return tn_str_has_prefix(name, TN_STR_LIT("__nv_"));
    case TN_TARGET_SPIRV:
      return is_opencl(name);
    default:
      return tn_str_has_prefix(name, TN_STR_LIT("__ocml_"));
  }
}
