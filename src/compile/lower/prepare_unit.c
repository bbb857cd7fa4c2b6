// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Brings a module as clang's device pass leaves it into the form that the compiler reads.
// needs: a module straight from clang's device pass.  keeps: all code that device code reaches.
// breaks: annotations, constructors, virtual tables and attributes of one processor are gone.
#include "compile/lower/attribute_annotations.h"
#include "compile/lower/cpu_check.h"
#include "compile/lower/device_globals.h"
#include "compile/lower/function_marks.h"
#include "compile/lower/group_statics.h"
#include "compile/lower/lower.h"

#include <llvm-c/Target.h>

#define TN_ANNOTATION "tenon.sycl_external"
enum { TN_PLACE_SEARCH = 64 };

static void mark_externals(LLVMModuleRef module, const char *module_id) {
  LLVMValueRef annotations = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  LLVMValueRef list = annotations ? LLVMGetInitializer(annotations) : NULL;
  const int count = list ? LLVMGetNumOperands(list) : 0;
  for (int i = 0; i < count; ++i) {
    LLVMValueRef entry = LLVMGetOperand(list, (unsigned)i);
    if (LLVMGetNumOperands(entry) < 2) {
      continue;
    }
    LLVMValueRef function = tn_function_of_constant(LLVMGetOperand(entry, 0));
    if (function &&
        tn_str_equals(tn_constant_text(LLVMGetOperand(entry, 1)), TN_STR_LIT(TN_ANNOTATION))) {
      tn_function_set_attr(function, TN_ATTR_MODULE_ID, module_id);
    }
  }
}

static void drop_special_variables(LLVMModuleRef module) {
  static const char *const names[] = {"llvm.global.annotations", "llvm.global_ctors",
                                      "llvm.global_dtors", "llvm.used", "llvm.compiler.used"};
  for (size_t i = 0; i < TN_COUNT(names); ++i) {
    LLVMValueRef variable = LLVMGetNamedGlobal(module, names[i]);
    if (variable) {
      LLVMDeleteGlobal(variable);
    }
  }
}

// One array of a virtual table, without functions and type information; offsets stay, because
// conversions to virtual bases read them.
static LLVMValueRef bare_slots(LLVMValueRef array, tn_arena *arena) {
  LLVMTypeRef type = LLVMTypeOf(array);
  const int count = LLVMGetNumOperands(array);
  if (LLVMGetTypeKind(type) != LLVMArrayTypeKind || count <= 0) {
    return array;
  }
  LLVMValueRef *slots = tn_arena_alloc_array(arena, (size_t)count, sizeof(*slots));
  if (!slots) {
    return NULL;
  }
  LLVMTypeRef slot_type = LLVMGetElementType(type);
  for (int i = 0; i < count; ++i) {
    LLVMValueRef slot = LLVMGetOperand(array, (unsigned)i);
    slots[i] = LLVMIsAGlobalValue(slot) ? LLVMConstNull(slot_type) : slot;
  }
  return LLVMConstArray2(slot_type, slots, (uint64_t)count);
}

static tn_status empty_vtable(LLVMValueRef table, tn_arena *arena, tn_diag *diag) {
  LLVMValueRef old = LLVMGetInitializer(table);
  const int count = old && LLVMIsAConstantStruct(old) ? LLVMGetNumOperands(old) : 0;
  if (count <= 0) {
    return TN_OK;
  }
  LLVMValueRef *arrays = tn_arena_alloc_array(arena, (size_t)count, sizeof(*arrays));
  bool complete = arrays != NULL;
  for (int i = 0; complete && i < count; ++i) {
    arrays[i] = bare_slots(LLVMGetOperand(old, (unsigned)i), arena);
    complete = arrays[i] != NULL;
  }
  if (!complete) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read the device code's virtual tables");
  }
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(old));
  LLVMSetInitializer(table, LLVMConstStructInContext(context, arrays, (unsigned)count, 0));
  return TN_OK;
}

static tn_status empty_vtables(LLVMModuleRef module, tn_arena *arena, tn_diag *diag) {
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    const tn_str name = tn_value_name(g);
    if (tn_str_has_prefix(name, TN_STR_LIT("_ZTV")) ||
        tn_str_has_prefix(name, TN_STR_LIT("_ZTC"))) {
      TN_TRY(empty_vtable(g, arena, diag));
    }
  }
  return TN_OK;
}

static uint64_t enum_attr(LLVMValueRef function, LLVMAttributeIndex index, const char *name) {
  LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
      function, index, LLVMGetEnumAttributeKindForName(name, strlen(name)));
  return attribute ? LLVMGetEnumAttributeValue(attribute) : 0;
}

// The largest value of an attribute at the calls that get `argument` as a whole.
static uint64_t promised(LLVMValueRef argument, const char *name) {
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  uint64_t value = 0;
  for (LLVMUseRef use = LLVMGetFirstUse(argument); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef call = LLVMGetUser(use);
    const unsigned count = LLVMIsACallInst(call) ? LLVMGetNumArgOperands(call) : 0;
    for (unsigned i = 0; i < count; ++i) {
      LLVMAttributeRef attribute =
          LLVMGetOperand(call, i) == argument
              ? LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)(i + 1), kind)
              : NULL;
      const uint64_t here = attribute ? LLVMGetEnumAttributeValue(attribute) : 0;
      value = here > value ? here : value;
    }
  }
  return value;
}

// Size and alignment of the functor block: of the byval type, or, where the functor is not
// trivially copyable and comes by reference, what its function call operator is promised.
static void measure_argument(LLVMModuleRef module, LLVMValueRef kernel, uint64_t *size,
                             uint64_t *align) {
  LLVMValueRef argument = LLVMGetParam(kernel, 0);
  LLVMAttributeRef byval =
      LLVMGetEnumAttributeAtIndex(kernel, 1, LLVMGetEnumAttributeKindForName("byval", 5));
  byval = byval ? byval
                : LLVMGetEnumAttributeAtIndex(kernel, 1,
                                              LLVMGetEnumAttributeKindForName("byref", 5));
  if (byval) {
    *size = LLVMABISizeOfType(LLVMGetModuleDataLayout(module), LLVMGetTypeAttributeValue(byval));
    *align = enum_attr(kernel, 1, "align");
  } else {
    *size = promised(argument, "dereferenceable");
    *align = promised(argument, "align");
  }
  *align = *align != 0 ? *align : 1;
}

static tn_status record_argument(LLVMModuleRef module, LLVMValueRef kernel, tn_arena *arena,
                                 tn_diag *diag) {
  const unsigned count = LLVMCountParams(kernel);
  uint64_t size = 0;
  uint64_t align = 1;
  if (count == 1) {
    measure_argument(module, kernel, &size, &align);
  }
  if (count > 1 || (count == 1 && size == 0)) {
    const char *name = tn_demangle_kernel(arena, tn_value_name(kernel));
    return TN_FAIL(diag, BUILD_FAILED, "kernel '%s' takes its arguments in a form Tenon does not "
                   "know; a kernel has one function object, passed by value", name ? name : "?");
  }
  const char *size_text = tn_arena_format(arena, "%llu", (unsigned long long)size);
  const char *align_text = tn_arena_format(arena, "%llu", (unsigned long long)align);
  if (!size_text || !align_text) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a kernel");
  }
  tn_function_set_attr(kernel, TN_ATTR_ARG_SIZE, size_text);
  tn_function_set_attr(kernel, TN_ATTR_ARG_ALIGN, align_text);
  return TN_OK;
}

// Adds the functions that `function` calls and that are not yet in the list.
static size_t add_callees(LLVMValueRef function, LLVMValueRef *list, size_t count) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
       block = LLVMGetNextBasicBlock(block)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
      LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
      bool wanted = callee && tn_function_is_defined(callee) && count < TN_PLACE_SEARCH;
      for (size_t k = 0; wanted && k < count; ++k) {
        wanted = list[k] != callee;
      }
      if (wanted) {
        list[count++] = callee;
      }
    }
  }
  return count;
}

// Clang gives the kernel itself no line, unless it is a function of C: its place is that of the
// user's function object, the first function on the way that is not the headers'.
static tn_place kernel_place(LLVMValueRef kernel) {
  const tn_place own = tn_place_of_function(kernel);
  if (own.file.size != 0 && own.line != 0) {
    return own;
  }
  LLVMValueRef list[TN_PLACE_SEARCH] = {kernel};
  size_t count = add_callees(kernel, list, 1);
  const tn_place first = count > 1 ? tn_place_of_function(list[1]) : (tn_place){{NULL, 0}, 0, 0};
  for (size_t i = 1; i < count; ++i) {
    const tn_place place = tn_place_of_function(list[i]);
    if (place.file.size != 0 && !tn_is_library_header(place.file)) {
      return place;
    }
    count = add_callees(list[i], list, count);
  }
  return first;
}

// A kernel asks for what the functions ask for that it is made of; the nearest one first.
static void inherit_sizes(LLVMValueRef kernel) {
  LLVMValueRef list[TN_PLACE_SEARCH] = {kernel};
  size_t count = add_callees(kernel, list, 1);
  for (size_t i = 1; i < count; ++i) {
    tn_attributes_inherit(kernel, list[i]);
    count = add_callees(list[i], list, count);
  }
}

static tn_status record_place(LLVMValueRef kernel, tn_arena *arena, tn_diag *diag) {
  const tn_place place = kernel_place(kernel);
  if (place.file.size == 0) {
    return TN_OK;
  }
  const char *file = tn_arena_str(arena, place.file);
  const char *line = tn_arena_format(arena, "%u", place.line);
  if (!file || !line) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to describe a kernel");
  }
  tn_function_set_attr(kernel, TN_ATTR_KERNEL_FILE, file);
  tn_function_set_attr(kernel, TN_ATTR_KERNEL_LINE, line);
  return TN_OK;
}

tn_status tn_lower_prepare_unit(LLVMModuleRef module, const char *module_id, tn_arena *arena,
                                tn_diag *diag) {
  mark_externals(module, module_id);
  TN_TRY(tn_annotations_apply(module, arena, diag));
  TN_TRY(tn_globals_mark(module, arena, diag));
  TN_TRY(tn_group_statics_mark(module, arena, diag));
  drop_special_variables(module);
  TN_TRY(empty_vtables(module, arena, diag));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    tn_function_remove_attr(f, "target-cpu");
    tn_function_remove_attr(f, "target-features");
    tn_function_remove_attr(f, "tune-cpu");
    if (tn_cpu_is_check(f)) {
      tn_cpu_check_mark(f);
    }
    if (tn_function_is_kernel(f)) {
      TN_TRY(record_argument(module, f, arena, diag));
      TN_TRY(record_place(f, arena, diag));
      inherit_sizes(f);
      TN_TRY(tn_function_marks_inherit(f, arena, diag));
    }
  }
  return TN_OK;
}
