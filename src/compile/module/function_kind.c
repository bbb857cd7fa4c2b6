// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function is to SYCL, and its attributes.
#include "compile/module/module.h"

tn_str tn_value_name(LLVMValueRef value) {
  size_t size = 0;
  const char *name = LLVMGetValueName2(value, &size);
  return (tn_str){name, size};
}

// LLVM tells types of one name apart by a number behind a dot.
bool tn_type_is_class(LLVMTypeRef type, tn_str class) {
  const char *text = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
  const tn_str name = tn_str_from(text ? text : "");
  return tn_str_has_prefix(name, class) &&
         (name.size == class.size || name.data[class.size] == '.');
}

bool tn_function_is_defined(LLVMValueRef function) { return !LLVMIsDeclaration(function); }

bool tn_function_is_kernel(LLVMValueRef function) {
  return LLVMGetFunctionCallConv(function) == LLVMSPIRKERNELCallConv &&
         tn_function_is_defined(function);
}

bool tn_function_is_intrinsic(LLVMValueRef function) {
  return tn_str_has_prefix(tn_value_name(function), TN_STR_LIT("llvm."));
}

bool tn_function_is_external(LLVMValueRef function) {
  return LLVMGetStringAttributeAtIndex(function, TN_ON_FUNCTION, TN_ATTR_MODULE_ID,
                                       sizeof(TN_ATTR_MODULE_ID) - 1) != NULL;
}

bool tn_function_is_export(LLVMValueRef function) {
  const LLVMLinkage linkage = LLVMGetLinkage(function);
  return tn_function_is_defined(function) && tn_function_is_external(function) &&
         linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage;
}

void tn_function_delete(LLVMValueRef function) {
  LLVMReplaceAllUsesWith(function, LLVMGetPoison(LLVMTypeOf(function)));
  LLVMDeleteFunction(function);
}

bool tn_function_is_builtin_name(tn_str symbol) {
  if (tn_str_has_prefix(symbol, TN_STR_LIT("__"))) {
    return true;
  }
  // _Z<length>__<rest>: a C++ function of the global namespace with a reserved name.
  if (!tn_str_has_prefix(symbol, TN_STR_LIT("_Z"))) {
    return false;
  }
  size_t at = 2;
  while (at < symbol.size && symbol.data[at] >= '0' && symbol.data[at] <= '9') {
    ++at;
  }
  return at > 2 && tn_str_has_prefix(tn_str_slice(symbol, at, 2), TN_STR_LIT("__"));
}

tn_str tn_constant_text(LLVMValueRef value) {
  LLVMValueRef variable = LLVMIsAGlobalVariable(value);
  LLVMValueRef text = variable ? LLVMGetInitializer(variable) : NULL;
  if (!text || !LLVMIsAConstantDataSequential(text) || !LLVMIsConstantString(text)) {
    return (tn_str){NULL, 0};
  }
  size_t size = 0;
  const char *data = LLVMGetAsString(text, &size);
  return (tn_str){data, size > 0 && data[size - 1] == '\0' ? size - 1 : size};
}

void tn_function_set_attr(LLVMValueRef function, const char *key, const char *value) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function, TN_ON_FUNCTION,
                          LLVMCreateStringAttribute(context, key, (unsigned)strlen(key), value,
                                                    (unsigned)strlen(value)));
}

void tn_function_remove_attr(LLVMValueRef function, const char *key) {
  LLVMRemoveStringAttributeAtIndex(function, TN_ON_FUNCTION, key,
                                   (unsigned)strlen(key));
}

tn_str tn_function_attr(LLVMValueRef function, const char *key) {
  LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(function, TN_ON_FUNCTION,
                                                             key, (unsigned)strlen(key));
  if (!attribute) {
    return (tn_str){NULL, 0};
  }
  unsigned size = 0;
  const char *text = LLVMGetStringAttributeValue(attribute, &size);
  return (tn_str){text, size};
}

bool tn_function_flushes_floats(LLVMValueRef function) {
  const tn_str own = tn_function_attr(function, "denormal-fp-math-f32");
  const tn_str mode = own.size > 0 ? own : tn_function_attr(function, "denormal-fp-math");
  return mode.size > 0 && !tn_str_has_prefix(mode, TN_STR_LIT("ieee"));
}

void tn_function_remove_enum(LLVMValueRef function, const char *attribute) {
  LLVMRemoveEnumAttributeAtIndex(function, TN_ON_FUNCTION,
                                 LLVMGetEnumAttributeKindForName(attribute, strlen(attribute)));
}

void tn_function_add_enum(LLVMValueRef function, const char *attribute) {
  const unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function, TN_ON_FUNCTION,
                          LLVMCreateEnumAttribute(context, kind, 0));
}

void tn_module_allow_inlining(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f)) {
      tn_function_remove_enum(f, "optnone");
      tn_function_remove_enum(f, "noinline");
    }
  }
}

LLVMValueRef tn_function_of_constant(LLVMValueRef constant) {
  const bool is_cast =
      LLVMIsAConstantExpr(constant) && LLVMGetConstOpcode(constant) == LLVMAddrSpaceCast;
  return LLVMIsAFunction(is_cast ? LLVMGetOperand(constant, 0) : constant);
}

bool tn_is_group_memory(LLVMValueRef function) {
  return tn_str_find(tn_value_name(function), TN_STR_LIT(TN_GROUP_MEMORY_FUNCTION)) != SIZE_MAX;
}

bool tn_group_memory_of(LLVMValueRef call, uint64_t *out_size, uint64_t *out_alignment) {
  if (LLVMGetNumArgOperands(call) != 2 ||
      LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMPointerTypeKind ||
      !LLVMIsAConstantInt(LLVMGetOperand(call, 0)) ||
      !LLVMIsAConstantInt(LLVMGetOperand(call, 1))) {
    return false;
  }
  *out_size = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 0));
  *out_alignment = LLVMConstIntGetZExtValue(LLVMGetOperand(call, 1));
  return *out_alignment > 0 && (*out_alignment & (*out_alignment - 1)) == 0;
}
