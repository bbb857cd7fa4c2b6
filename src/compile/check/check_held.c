// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel's function object must not hold. Lambdas do not tell what they capture, but the
// device code does where it reads it: clang marks loads of references as never null, as aligned, or
// both, which it does for no pointer, and loads a captured `this` ahead of the first line.
// needs: a prepared unit as clang wrote it.  keeps: everything.  breaks: nothing.
#include "compile/check/check_code.h"
#include "compile/reach/reach.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

enum { TN_HELD_DEPTH = 1000, TN_FIELD_DEPTH = 16 };

// The headers' functions that give the kernel's block as the function object.
static bool gives_object(LLVMValueRef callee) {
  const tn_str name = tn_value_name(callee);
  return tn_str_has_prefix(name, TN_STR_LIT("_ZNK4sycl6detail14argument_"));
}

// "C::C(C const&)": other constructors that take a reference have names like it when mangled.
static bool is_copy_constructor(tn_str symbol) {
  if (tn_str_find(symbol, TN_STR_LIT("C2ERKS")) == SIZE_MAX &&
      tn_str_find(symbol, TN_STR_LIT("C1ERKS")) == SIZE_MAX) {
    return false;
  }
  tn_arena arena;
  tn_arena_init(&arena);
  const char *shown = tn_demangle(&arena, symbol);
  const tn_str text = tn_str_from(shown ? shown : "");
  const tn_str tail = TN_STR_LIT(" const&)");
  bool is_copy = false;
  // The class is named by what stands before "::", which the parameter repeats.
  for (size_t size = 1; !is_copy && tn_str_has_suffix(text, tail) &&
                        size + tail.size + 1 < text.size; ++size) {
    const char *parameter = text.data + text.size - tail.size - size;
    is_copy = parameter[-1] == '(' && strncmp(text.data + size, "::", 2) == 0 &&
              memcmp(text.data, parameter, size) == 0;
  }
  tn_arena_deinit(&arena);
  return is_copy;
}

// How many bytes of the object at its first argument a call copies; 0 when it is no copy.
static uint64_t copied_size(LLVMValueRef copy, LLVMValueRef callee) {
  if (tn_str_has_prefix(tn_value_name(callee), TN_STR_LIT("llvm.memcpy"))) {
    LLVMValueRef size = LLVMGetOperand(copy, 2);
    return LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : 0;
  }
  if (!is_copy_constructor(tn_value_name(callee))) {
    return 0;
  }
  static const char name[] = "dereferenceable";
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof(name) - 1);
  const LLVMAttributeRef size = LLVMGetEnumAttributeAtIndex(callee, 1, kind);
  return size ? LLVMGetEnumAttributeValue(size) : UINT64_MAX;
}

// What a variable is a copy of as a whole, not just its first base or member; NULL when it is none.
static LLVMValueRef copied_from(LLVMValueRef variable) {
  LLVMModuleRef module =
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(variable)));
  const uint64_t whole =
      LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module), LLVMGetAllocatedType(variable));
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef copy = LLVMGetUser(use);
    LLVMValueRef callee =
        LLVMIsACallInst(copy) ? tn_reach_function_of(LLVMGetCalledValue(copy)) : NULL;
    if (callee && LLVMGetNumArgOperands(copy) >= 2 && LLVMGetOperand(copy, 0) == variable &&
        copied_size(copy, callee) >= whole) {
      return LLVMGetOperand(copy, 1);
    }
  }
  return NULL;
}

// An address on its way back to where it is from, through the calls that lead from the kernel.
typedef struct trail {
  const tn_reach_node *node;
  LLVMValueRef address;
} trail;

// A parameter: what the caller gives for it. False at the kernel, and where another call was the
// first to lead here.
static bool go_to_caller(trail *t) {
  const tn_reach_node *node = t->node;
  unsigned index = 0;
  while (LLVMGetParam(node->function, index) != t->address) {
    ++index;
  }
  if (!node->parent || !LLVMIsACallInst(node->site) ||
      tn_reach_function_of(LLVMGetCalledValue(node->site)) != node->function ||
      index >= LLVMGetNumArgOperands(node->site)) {
    return false;
  }
  *t = (trail){node->parent, LLVMGetOperand(node->site, index)};
  return true;
}

// One step that stays in the same object; false when there is none.
static bool go_back(trail *t) {
  LLVMValueRef address = tn_value_through_slot(t->address);
  if (address != t->address) {
    t->address = address;
    return true;
  }
  if (LLVMIsAArgument(address)) {
    return go_to_caller(t);
  }
  if (LLVMIsACallInst(address)) {
    LLVMValueRef callee = tn_reach_function_of(LLVMGetCalledValue(address));
    if (!callee || !gives_object(callee) || LLVMGetNumArgOperands(address) == 0) {
      return false;
    }
  } else if (!LLVMIsAGetElementPtrInst(address) && !LLVMIsACastInst(address)) {
    return false;
  }
  t->address = LLVMGetOperand(address, 0);
  return true;
}

// Where a field lies in its object; UINT64_MAX when that is no plain field.
static uint64_t offset_of(LLVMValueRef field) {
  LLVMTypeRef type = LLVMIsAGetElementPtrInst(field) ? LLVMGetGEPSourceElementType(field) : NULL;
  if (!type || LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMGetNumOperands(field) != 3 ||
      !LLVMIsNull(LLVMGetOperand(field, 1)) || !LLVMIsAConstantInt(LLVMGetOperand(field, 2))) {
    return UINT64_MAX;
  }
  LLVMModuleRef module =
      LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(field)));
  const uint64_t index = LLVMConstIntGetZExtValue(LLVMGetOperand(field, 2));
  return LLVMOffsetOfElement(LLVMGetModuleDataLayout(module), type, (unsigned)index);
}

// What is stored into the field of a variable at `offset`; NULL when that does not show.
static LLVMValueRef stored_at(LLVMValueRef variable, uint64_t offset) {
  for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef field = LLVMGetUser(use);
    LLVMUseRef inner = offset_of(field) == offset ? LLVMGetFirstUse(field) : NULL;
    for (; inner; inner = LLVMGetNextUse(inner)) {
      LLVMValueRef store = LLVMGetUser(inner);
      if (LLVMIsAStoreInst(store) && LLVMGetOperand(store, 1) == field) {
        return LLVMGetOperand(store, 0);
      }
    }
  }
  return NULL;
}

// A pointer that was read from a field of an object that device code itself made, such as a lambda
// within a kernel: what was put there.
static bool go_through_field(trail *t, int depth) {
  LLVMValueRef field = LLVMIsALoadInst(t->address) ? LLVMGetOperand(t->address, 0) : NULL;
  const uint64_t offset = field ? offset_of(field) : UINT64_MAX;
  if (offset == UINT64_MAX || depth == 0) {
    return false;
  }
  trail object = {t->node, LLVMGetOperand(field, 0)};
  for (int i = 0; i < TN_HELD_DEPTH; ++i) {
    if (go_back(&object) || go_through_field(&object, depth - 1)) {
      continue;
    }
    LLVMValueRef variable = LLVMIsAAllocaInst(object.address);
    LLVMValueRef value = variable ? stored_at(variable, offset) : NULL;
    if (value) {
      *t = (trail){object.node, value};
      return true;
    }
    object.address = variable ? copied_from(variable) : NULL;
    if (!object.address) {
      return false;
    }
  }
  return false;
}

static bool go_to_original(trail *t) {
  LLVMValueRef original = LLVMIsAAllocaInst(t->address) ? copied_from(t->address) : NULL;
  t->address = original ? original : t->address;
  return original != NULL;
}

// Whether an address lies in the block of arguments of the kernel at the beginning of the way, or
// in a copy of what does.
static bool is_in_block(const tn_reach_node *node, LLVMValueRef address) {
  trail t = {node, address};
  for (int i = 0; i < TN_HELD_DEPTH &&
                  (go_back(&t) || go_through_field(&t, TN_FIELD_DEPTH) || go_to_original(&t));
       ++i) {
  }
  LLVMValueRef root = t.node->function;
  return !t.node->parent && tn_function_is_kernel(root) && LLVMCountParams(root) > 0 &&
         LLVMGetParam(root, 0) == t.address;
}

// Of a lambda's call operator, before its body: what was `this` where the lambda was written.
static bool is_captured_this(const tn_reach_node *node, LLVMValueRef load) {
  LLVMValueRef field = LLVMGetOperand(load, 0);
  if (LLVMInstructionGetDebugLoc(load) || !LLVMIsAGetElementPtrInst(field) ||
      LLVMInstructionGetDebugLoc(field) ||
      LLVMGetInstructionParent(load) != LLVMGetEntryBasicBlock(node->function)) {
    return false;
  }
  const tn_str name = tn_value_name(node->function);
  return tn_place_of_function(node->function).file.size != 0 &&
         tn_str_find(name, TN_STR_LIT("_cl")) != SIZE_MAX &&
         tn_str_find(name, TN_STR_LIT("ENKUl")) != SIZE_MAX;
}

void tn_check_held(tn_rules *rules, const tn_reach_node *node, LLVMValueRef load) {
  LLVMValueRef address = LLVMGetOperand(load, 0);
  // Variables of the function are not the kernel's to hold.
  if (LLVMGetTypeKind(LLVMTypeOf(load)) != LLVMPointerTypeKind || LLVMIsAAllocaInst(address)) {
    return;
  }
  // Not null where pointers are of the default space, aligned where the type's is more than 1.
  const bool is_reference =
      LLVMGetMetadata(load, rules->align_kind) || LLVMGetMetadata(load, rules->nonnull_kind);
  const bool is_this = !is_reference && is_captured_this(node, load);
  const bool is_vtable = !is_reference && !is_this && tn_check_is_vtable_load(rules, load);
  if ((!is_reference && !is_this && !is_vtable) || !is_in_block(node, address)) {
    return;
  }
  if (is_reference) {
    tn_report_add(&rules->report, node, load,
                  "uses what the kernel's function object holds by reference; devices cannot "
                  "follow references to the host: capture by value, [=]");
  } else if (is_vtable) {
    tn_report_add(&rules->report, node, load,
                  "uses a virtual base of the kernel's function object, or a virtual function; "
                  "devices cannot find either");
  } else {
    tn_report_warn(&rules->report, node, load,
                   "uses a captured 'this'; devices can follow it only into memory they share "
                   "with the host: capture copies of the members, or [*this]");
  }
}
