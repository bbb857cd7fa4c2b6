// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads where lambdas that kernels call have their captures, as the front end noted it in
// annotations (compile/clang/function_notes.hpp).
#include "base/map.h"
#include "compile/module/module.h"

// Of an entry {function, name, file, line, arguments}.
enum { ENTRY_NAME = 1, ENTRY_FILE = 2, ENTRY_FIELDS = 5 };
enum { DEPTH_MAXIMUM = 16 };  // of calls: user code begins behind a few of ours

static const tn_str closure_head = {"tenon.closure:", 14};

typedef struct walk {
  tn_arena *arena;
  tn_list *out;
  tn_map notes;  // function → its entry
  tn_map seen;   // functions of this kernel
  tn_str kernel;
  bool failed;
} walk;

static tn_str keep(walk *w, tn_str text) {
  const char *kept = tn_arena_str(w->arena, text);
  w->failed = w->failed || !kept;
  return kept ? tn_str_from(kept) : (tn_str){0};
}

// "<offset>:<name>|<offset>:<name>…"; what is not of that form ends the list.
static void read_captures(walk *w, tn_str rest, tn_closure *out) {
  size_t count = 1;
  for (size_t i = 0; i < rest.size; i++) {
    count += rest.data[i] == '|';
  }
  out->captures = tn_arena_alloc_array(w->arena, count, sizeof(*out->captures));
  w->failed = w->failed || !out->captures;
  while (!w->failed && rest.data) {
    tn_str name = tn_str_split(&rest, '|');
    uint64_t offset = 0;
    if (!tn_str_to_u64(tn_str_split(&name, ':'), &offset)) {
      return;
    }
    out->captures[out->count++] = (tn_capture){.name = keep(w, name), .offset = offset};
  }
}

static void add_closure(walk *w, LLVMValueRef function) {
  LLVMValueRef entry = tn_map_find(&w->notes, TN_POINTER_KEY(function));
  if (!entry) {
    return;
  }
  tn_closure *closure = tn_arena_alloc(w->arena, sizeof(*closure));
  if (!closure) {
    w->failed = true;
    return;
  }
  tn_str rest = tn_constant_text(LLVMGetOperand(entry, ENTRY_NAME));
  rest = tn_str_slice(rest, closure_head.size, SIZE_MAX);
  uint64_t line = 0;
  if (!tn_str_to_u64(tn_str_split(&rest, '|'), &line)) {
    return;
  }
  *closure = (tn_closure){.kernel = w->kernel,
                          .file = keep(w, tn_constant_text(LLVMGetOperand(entry, ENTRY_FILE))),
                          .line = (uint32_t)line};
  read_captures(w, rest, closure);
  w->failed = w->failed || !tn_list_add(w->out, w->arena, closure);
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

static void find_notes(walk *w, LLVMModuleRef module) {
  LLVMValueRef annotations = LLVMGetNamedGlobal(module, "llvm.global.annotations");
  LLVMValueRef list = annotations ? LLVMGetInitializer(annotations) : NULL;
  const int count = list ? LLVMGetNumOperands(list) : 0;
  for (int i = 0; i < count && !w->failed; ++i) {
    LLVMValueRef entry = LLVMGetOperand(list, (unsigned)i);
    LLVMValueRef function = LLVMGetNumOperands(entry) == ENTRY_FIELDS
                                ? tn_function_of_constant(LLVMGetOperand(entry, 0))
                                : NULL;
    if (function &&
        tn_str_has_prefix(tn_constant_text(LLVMGetOperand(entry, ENTRY_NAME)), closure_head)) {
      w->failed = !tn_map_set(&w->notes, TN_POINTER_KEY(function), entry);
    }
  }
}

bool tn_module_closures(LLVMModuleRef module, tn_arena *arena, tn_list *out) {
  walk w = {.arena = arena, .out = out};
  tn_map_init(&w.notes);
  find_notes(&w, module);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f && !w.failed; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_kernel(f)) {
      w.kernel = keep(&w, tn_value_name(f));
      tn_map_init(&w.seen);
      visit(&w, f, 0);
      tn_map_deinit(&w.seen);
    }
  }
  tn_map_deinit(&w.notes);
  return !w.failed;
}
