// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's stack: its work-group function's frame and the largest chain of frames below it.
// needs: a module that code was just made of.  keeps: the module.  breaks: nothing.
//
// The call graph's strongly connected components (Tarjan) count as one frame, so that recursion by
// unknown pointers, which nothing else rejects, has a size too. A call through a pointer may lead
// to any function whose address is taken.
#include "compile/emit/stack_size.h"

#include "tenon/cpu_kernel.h"

#include <llvm-c/Object.h>

#include <inttypes.h>

// Of a frame, but not in its size: the return address, alignment to a vector, x86-64's red zone.
enum { UNCOUNTED = 256 };

struct tn_stack_frame {
  LLVMValueRef function;  // NULL: what calls through pointers lead to
  uint64_t size;
  uint64_t below;  // what the largest chain of the frame's callees takes
  uint64_t chain;  // and with the frame itself; known when the walk has left the frame
  uint32_t order;  // of the walk; 0: it has not been there
  uint32_t lowest;
  bool is_open;
};

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// "… stack frame size (1016) exceeds limit (0) in function 'name'"
static void note_warning(void *user, tn_str text) {
  static const tn_str head = {"stack frame size (", sizeof("stack frame size (") - 1};
  static const tn_str middle = {" in function '", sizeof(" in function '") - 1};
  tn_stack_sizes *sizes = user;
  const size_t at = tn_str_find(text, head);
  const size_t name_at = tn_str_find(text, middle);
  if (at == SIZE_MAX || name_at == SIZE_MAX || !tn_str_has_suffix(text, TN_STR_LIT("'"))) {
    return;
  }
  const tn_str number = tn_str_slice(text, at + head.size, SIZE_MAX);
  const size_t begin = name_at + middle.size;
  tn_stack_frame *frame =
      tn_map_find(&sizes->by_name, tn_str_slice(text, begin, text.size - begin - 1));
  uint64_t size = 0;
  if (frame && tn_str_to_u64(tn_str_slice(number, 0, tn_str_find_char(number, ')')), &size)) {
    frame->size = size;
  }
}

static tn_stack_frame *add_frame(tn_stack_sizes *sizes, LLVMValueRef function) {
  tn_stack_frame *frame = tn_arena_alloc(&sizes->arena, sizeof(*frame));
  if (frame) {
    frame->function = function;
  }
  return frame && tn_list_add(&sizes->frames, &sizes->arena, frame) ? frame : NULL;
}

tn_status tn_stack_sizes_begin(tn_stack_sizes *sizes, tn_llvm_job *job, LLVMModuleRef module,
                               tn_diag *diag) {
  *sizes = (tn_stack_sizes){.job = job};
  tn_arena_init(&sizes->arena);
  tn_map_init(&sizes->by_name);
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!tn_function_is_defined(f)) {
      continue;
    }
    if (tn_value_name(f).size == 0) {
      LLVMSetValueName2(f, "tn_function", strlen("tn_function"));
    }
    tn_stack_frame *frame = add_frame(sizes, f);
    if (!frame || !tn_map_set(&sizes->by_name, tn_value_name(f), frame)) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the stack sizes of functions");
    }
    tn_function_set_attr(f, "warn-stack-size", "0");
  }
  job->note_warning = note_warning;
  job->note_user = sizes;
  return TN_OK;
}

void tn_stack_sizes_deinit(tn_stack_sizes *sizes) {
  sizes->job->note_warning = NULL;
  sizes->job->note_user = NULL;
  tn_map_deinit(&sizes->by_name);
  tn_arena_deinit(&sizes->arena);
}

static bool is_call(LLVMValueRef value) {
  return LLVMIsACallInst(value) || LLVMIsAInvokeInst(value);
}

// The runtime calls kernels; the table that names them does not make them callees of others.
static bool is_entry(LLVMValueRef function) {
  return tn_str_has_suffix(tn_value_name(function), TN_STR_LIT(TN_CPU_KERNEL_SUFFIX));
}

static bool is_address_taken(LLVMValueRef function) {
  for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    const unsigned last = is_call(user) ? (unsigned)LLVMGetNumOperands(user) - 1 : 0;
    bool is_callee = is_call(user) && LLVMGetCalledValue(user) == function;
    for (unsigned i = 0; i < last && is_callee; i++) {
      is_callee = LLVMGetOperand(user, i) != function;
    }
    if (!is_callee) {
      return true;
    }
  }
  return false;
}

static bool list_called_by_pointer(tn_stack_sizes *sizes) {
  for (size_t i = 0; i < sizes->frames.count; i++) {
    tn_stack_frame *frame = sizes->frames.items[i];
    if (!is_entry(frame->function) && is_address_taken(frame->function) &&
        !tn_list_add(&sizes->called_by_pointer, &sizes->arena, frame)) {
      return false;
    }
  }
  return true;
}

static void walk(tn_stack_sizes *sizes, tn_stack_frame *frame, tn_stack_frame *by_pointer);

static void walk_edge(tn_stack_sizes *sizes, tn_stack_frame *from, tn_stack_frame *to,
                      tn_stack_frame *by_pointer) {
  if (to->order == 0) {
    walk(sizes, to, by_pointer);
    from->lowest = to->is_open && to->lowest < from->lowest ? to->lowest : from->lowest;
  } else if (to->is_open && to->order < from->lowest) {
    from->lowest = to->order;
  }
  if (!to->is_open) {
    from->below = most(from->below, to->chain);
  }
}

static void walk_call(tn_stack_sizes *sizes, tn_stack_frame *from, LLVMValueRef call,
                      tn_stack_frame *by_pointer) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAFunction(callee)) {
    tn_stack_frame *to = tn_map_find(&sizes->by_name, tn_value_name(callee));
    if (to) {  // others are the host's functions, or LLVM's
      walk_edge(sizes, from, to, by_pointer);
    }
  } else if (!LLVMIsAInlineAsm(callee)) {
    walk_edge(sizes, from, by_pointer, by_pointer);
  }
}

static void walk_callees(tn_stack_sizes *sizes, tn_stack_frame *frame,
                         tn_stack_frame *by_pointer) {
  if (!frame->function) {
    for (size_t i = 0; i < sizes->called_by_pointer.count; i++) {
      walk_edge(sizes, frame, sizes->called_by_pointer.items[i], by_pointer);
    }
    return;
  }
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(frame->function); b;
       b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      if (is_call(i)) {
        walk_call(sizes, frame, i, by_pointer);
      }
    }
  }
}

// The frames of a component, which are the last ones of the list.
static void close_component(tn_stack_sizes *sizes, const tn_stack_frame *first) {
  uint64_t size = 0;
  uint64_t below = 0;
  size_t begin = sizes->open.count;
  do {
    const tn_stack_frame *frame = sizes->open.items[--begin];
    const uint64_t own = tn_u64_add_capped(frame->size, frame->function ? UNCOUNTED : 0);
    size = tn_u64_add_capped(size, own);
    below = most(below, frame->below);
  } while (sizes->open.items[begin] != first);
  for (size_t i = begin; i < sizes->open.count; i++) {
    tn_stack_frame *frame = sizes->open.items[i];
    frame->chain = tn_u64_add_capped(size, below);
    frame->is_open = false;
  }
  sizes->open.count = begin;
}

static void walk(tn_stack_sizes *sizes, tn_stack_frame *frame, tn_stack_frame *by_pointer) {
  frame->order = ++sizes->order;
  frame->lowest = frame->order;
  frame->is_open = true;
  if (!tn_list_add(&sizes->open, &sizes->arena, frame)) {
    sizes->out_of_memory = true;
    frame->is_open = false;
    return;
  }
  walk_callees(sizes, frame, by_pointer);
  if (frame->lowest == frame->order) {
    close_component(sizes, frame);
  }
}

static tn_status sum_up(tn_stack_sizes *sizes, tn_diag *diag) {
  const size_t count = sizes->frames.count;
  bool ok = list_called_by_pointer(sizes);
  tn_stack_frame *by_pointer = ok ? add_frame(sizes, NULL) : NULL;
  for (size_t i = 0; i < count && by_pointer && !sizes->out_of_memory; i++) {
    tn_stack_frame *frame = sizes->frames.items[i];
    if (frame->order == 0) {
      walk(sizes, frame, by_pointer);
    }
  }
  ok = by_pointer && !sizes->out_of_memory;
  return ok ? TN_OK : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the stack sizes of functions");
}

// Writes a kernel's size where the object has its constant.
static tn_status write_size(tn_stack_sizes *sizes, LLVMSymbolIteratorRef symbol,
                            LLVMSectionIteratorRef section, LLVMMemoryBufferRef code,
                            tn_buf *out, tn_diag *diag) {
  const tn_str suffix = TN_STR_LIT(TN_CPU_NEEDS_SUFFIX);
  const tn_str name = tn_str_from(LLVMGetSymbolName(symbol));
  if (!tn_str_has_suffix(name, suffix)) {
    return TN_OK;
  }
  const char *entry = tn_arena_format(&sizes->arena, "%.*s" TN_CPU_KERNEL_SUFFIX,
                                      (int)(name.size - suffix.size), name.data);
  if (!entry) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the stack sizes of functions");
  }
  const tn_stack_frame *frame = tn_map_find(&sizes->by_name, tn_str_from(entry));
  LLVMMoveToContainingSection(section, symbol);
  const uint64_t section_size = LLVMGetSectionSize(section);
  const uint64_t at = LLVMGetSymbolAddress(symbol);  // in the section
  if (!frame || section_size < sizeof(tn_cpu_needs) || at > section_size - sizeof(tn_cpu_needs)) {
    return TN_FAIL(diag, INTERNAL, "%.*s is not where a kernel's needs are written",
                   TN_STR_ARG(name));
  }
  const size_t begin = (size_t)(LLVMGetSectionContents(section) - LLVMGetBufferStart(code)) + at;
  memcpy(out->data + begin + offsetof(tn_cpu_needs, stack_size), &frame->chain,
         sizeof(frame->chain));
  return TN_OK;
}

tn_status tn_stack_sizes_write(tn_stack_sizes *sizes, LLVMMemoryBufferRef code, tn_buf *out,
                               tn_diag *diag) {
  TN_TRY(sum_up(sizes, diag));
  char *message = NULL;
  LLVMBinaryRef object = LLVMCreateBinary(code, sizes->job->context, &message);
  if (!object) {
    return tn_llvm_message_status(message, diag, "LLVM cannot read the object that it made");
  }
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(object);
  LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(object);
  tn_status status = TN_OK;
  while (status == TN_OK && !LLVMObjectFileIsSymbolIteratorAtEnd(object, symbol)) {
    status = write_size(sizes, symbol, section, code, out, diag);
    LLVMMoveToNextSymbol(symbol);
  }
  LLVMDisposeSymbolIterator(symbol);
  LLVMDisposeSectionIterator(section);
  LLVMDisposeBinary(object);
  return status;
}
