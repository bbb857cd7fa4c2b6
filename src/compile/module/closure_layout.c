// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads from debug information where the captures of lambdas lie.
#include "base/map.h"
#include "compile/module/module.h"

#include <llvm-c/DebugInfo.h>

enum { OPERAND_SCOPE = 1 };  // of every scope
enum { DWARF_TAG_MEMBER = 0x0d };
enum { DEPTH_MAXIMUM = 16 };  // of calls: user code begins behind a few of ours

typedef struct node {
  LLVMValueRef value;  // NULL: there is none
  LLVMMetadataRef metadata;
} node;

static node node_of(LLVMValueRef value) {
  return (node){value, value ? LLVMValueAsMetadata(value) : NULL};
}

static unsigned operand_count(node n) { return n.value ? LLVMGetMDNodeNumOperands(n.value) : 0; }

static LLVMValueRef operand(node n, unsigned index, tn_arena *arena) {
  const unsigned count = operand_count(n);
  if (index >= count) {
    return NULL;
  }
  LLVMValueRef *operands = tn_arena_alloc_array(arena, count, sizeof(LLVMValueRef));
  if (!operands) {
    return NULL;
  }
  LLVMGetMDNodeOperands(n.value, operands);
  return operands[index];
}

static bool is_kind(node n, LLVMMetadataKind kind) {
  return n.metadata && LLVMGetMetadataKind(n.metadata) == kind;
}

// The class that a call operator belongs to.
static node class_of(LLVMValueRef function, tn_arena *arena) {
  LLVMMetadataRef program = LLVMGetSubprogram(function);
  if (!program) {
    return (node){0};
  }
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  const node subprogram = {LLVMMetadataAsValue(context, program), program};
  return node_of(operand(subprogram, OPERAND_SCOPE, arena));
}

// Of a lambda in a function: "_ZZ…E_cl…".
static bool is_call_operator(tn_str function) {
  return tn_str_has_prefix(function, TN_STR_LIT("_ZZ")) &&
         tn_str_find(function, TN_STR_LIT("Ul")) != SIZE_MAX &&
         tn_str_find(function, TN_STR_LIT("_cl")) != SIZE_MAX;
}

// The first list among the operands.
static node elements_of(node type, tn_arena *arena) {
  for (unsigned i = 0; i < operand_count(type); i++) {
    const node element = node_of(operand(type, i, arena));
    if (is_kind(element, LLVMMDTupleMetadataKind)) {
      return element;
    }
  }
  return (node){0};
}

static tn_str type_name(node type, tn_arena *arena) {
  size_t size = 0;
  const char *name = LLVMDITypeGetName(type.metadata, &size);
  return tn_str_from(tn_arena_str(arena, (tn_str){name ? name : "", name ? size : 0}));
}

static bool read_closure(node type, tn_arena *arena, tn_closure *out) {
  const node elements = elements_of(type, arena);
  const unsigned count = operand_count(elements);
  out->captures = tn_arena_alloc_array(arena, (size_t)count + 1, sizeof(*out->captures));
  if (!out->captures) {
    return false;
  }
  for (unsigned i = 0; i < count; i++) {
    const node member = node_of(operand(elements, i, arena));
    if (is_kind(member, LLVMDIDerivedTypeMetadataKind) &&
        LLVMGetDINodeTag(member.metadata) == DWARF_TAG_MEMBER) {
      out->captures[out->count++] =
          (tn_capture){.name = type_name(member, arena),
                       .offset = LLVMDITypeGetOffsetInBits(member.metadata) / 8};
    }
  }
  return true;
}

typedef struct walk {
  tn_arena *arena;
  tn_list *out;
  tn_map seen;  // functions of this kernel
  tn_str kernel;
  bool failed;
} walk;

static void add_closure(walk *w, LLVMValueRef function) {
  const node type =
      is_call_operator(tn_value_name(function)) ? class_of(function, w->arena) : (node){0};
  if (!is_kind(type, LLVMDICompositeTypeMetadataKind)) {
    return;
  }
  LLVMMetadataRef file = LLVMDIScopeGetFile(type.metadata);
  unsigned size = 0;
  const char *path = file ? LLVMDIFileGetFilename(file, &size) : "";
  tn_closure *closure = tn_arena_alloc(w->arena, sizeof(*closure));
  if (!closure) {
    w->failed = true;
    return;
  }
  *closure = (tn_closure){.kernel = w->kernel,
                          .file = tn_str_from(tn_arena_str(w->arena, (tn_str){path, size})),
                          .line = LLVMDITypeGetLine(type.metadata)};
  w->failed = !read_closure(type, w->arena, closure) || !tn_list_add(w->out, w->arena, closure) ||
              w->failed;
}

static void visit(walk *w, LLVMValueRef function, int depth);

static void visit_calls(walk *w, LLVMValueRef function, int depth) {
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      const bool is_call = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
      LLVMValueRef callee = is_call ? LLVMGetCalledValue(i) : NULL;
      if (callee && LLVMIsAFunction(callee) && tn_function_is_defined(callee)) {
        visit(w, callee, depth + 1);
      }
    }
  }
}

static void visit(walk *w, LLVMValueRef function, int depth) {
  if (depth > DEPTH_MAXIMUM || w->failed || tn_map_find(&w->seen, TN_POINTER_KEY(function))) {
    return;
  }
  w->failed = !tn_map_set(&w->seen, TN_POINTER_KEY(function), w);
  add_closure(w, function);
  visit_calls(w, function, depth);
}

bool tn_module_closures(LLVMModuleRef module, tn_arena *arena, tn_list *out) {
  bool failed = false;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !failed; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_kernel(f)) {
      walk w = {.arena = arena, .out = out};
      w.kernel = tn_str_from(tn_arena_str(arena, tn_value_name(f)));
      tn_map_init(&w.seen);
      visit(&w, f, 0);
      tn_map_deinit(&w.seen);
      failed = w.failed;
    }
  }
  return !failed;
}
