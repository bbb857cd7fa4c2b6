// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits into a few parts, those again, and so on, each a copy of what its entries need. A copy
// costs a little for whatever the module declares, too, so that pieces are not cut off one by one;
// three thousand kernels are copied three times.
#include "compile/pipeline/split_pieces.h"

enum { TN_SPLIT_WAYS = 16 };

typedef struct piece_of {
  size_t index;
} piece_of;

static bool is_entry(LLVMValueRef function) {
  return tn_function_is_kernel(function) || tn_function_is_export(function);
}

// A kernel, or a function that is one by itself.
static bool is_launched(LLVMValueRef entry) {
  return tn_function_is_kernel(entry) || tn_function_attr(entry, TN_ATTR_FUNCTION_KIND).size > 0;
}

// What tells an entry from others in an image; kernels of one text ask the same of a device.
static tn_status write_key(LLVMValueRef entry, tn_split_mode mode, tn_buf *out, tn_diag *diag) {
  static const char *const asked[] = {TN_ATTR_ASPECTS, TN_ATTR_WORK_GROUP_SIZE,
                                      TN_ATTR_SUB_GROUP_SIZE};
  tn_buf_clear(out);
  if (mode == TN_SPLIT_PER_KERNEL) {
    // A function that is a kernel goes with it: an image with the function alone is for nobody.
    const tn_str function = tn_function_attr(entry, TN_ATTR_FUNCTION);
    tn_buf_add_str(out, function.size > 0 ? function : tn_value_name(entry));
  } else if (mode == TN_SPLIT_BY_NEEDS) {
    for (size_t i = 0; i < TN_COUNT(asked); i++) {
      tn_buf_add_str(out, tn_function_attr(entry, asked[i]));
      tn_buf_add_char(out, ';');
    }
  } else {
    tn_buf_add_char(out, ';');
  }
  return tn_buf_status(out, diag);
}

static size_t count_instructions(LLVMValueRef function) {
  size_t count = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      count++;
    }
  }
  return count;
}

// Of many kernels, or large ones. Not where functions are exported: a library that is loaded first
// may replace them for all of the image that has them, but not a copy in a kernel's own.
static bool is_slow_to_build(LLVMModuleRef module) {
  size_t kernels = 0;
  size_t instructions = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (is_entry(f) && !is_launched(f)) {
      return false;
    }
    kernels += tn_function_is_kernel(f) ? 1 : 0;
    instructions += count_instructions(f);
  }
  return kernels > TN_SPLIT_SHARED_KERNELS || instructions > TN_SPLIT_SHARED_INSTRUCTIONS;
}

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to split device code");
}

static tn_status assign(tn_split *s, LLVMModuleRef module, tn_split_mode mode, tn_arena *arena,
                        tn_map *by_key, tn_buf *key, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!is_entry(f)) {
      continue;
    }
    TN_TRY(write_key(f, mode, key, diag));
    piece_of *piece = tn_map_find(by_key, tn_buf_str(key));
    if (!piece) {
      piece = tn_arena_alloc(arena, sizeof(*piece));
      if (!piece || !tn_map_set(by_key, tn_buf_str(key), piece)) {
        return no_memory(diag);
      }
      piece->index = s->count++;
    }
    if (!tn_map_set(&s->pieces, tn_value_name(f), piece)) {
      return no_memory(diag);
    }
  }
  return TN_OK;
}

static tn_status assign_pieces(tn_split *s, LLVMModuleRef module, tn_split_mode mode,
                               tn_arena *arena, tn_diag *diag) {
  tn_map by_key;
  tn_buf key;
  tn_map_init(&by_key);
  tn_buf_init(&key, 1 << 24);
  const tn_status status = assign(s, module, mode, arena, &by_key, &key, diag);
  tn_buf_deinit(&key);
  tn_map_deinit(&by_key);
  return status;
}

// In [begin, end) or no entry of the split, and not to be dropped where nothing mentions it.
static bool is_root(const tn_split *s, LLVMValueRef value, size_t begin, size_t end) {
  const piece_of *piece = tn_map_find(&s->pieces, tn_value_name(value));
  if (piece) {
    return piece->index >= begin && piece->index < end;
  }
  switch (LLVMGetLinkage(value)) {
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage:
    case LLVMLinkOnceAnyLinkage:
    case LLVMLinkOnceODRLinkage:
    case LLVMAvailableExternallyLinkage:
      return false;
    default:
      return !LLVMIsDeclaration(value);
  }
}

typedef LLVMValueRef (*first_fn)(LLVMModuleRef);
typedef LLVMValueRef (*next_fn)(LLVMValueRef);

static bool list_roots(const tn_split *s, LLVMModuleRef module, size_t begin, size_t end,
                       tn_arena *arena, tn_list *out) {
  static const struct {
    first_fn first;
    next_fn next;
  } kinds[] = {{LLVMGetFirstFunction, LLVMGetNextFunction},
               {LLVMGetFirstGlobal, LLVMGetNextGlobal},
               {LLVMGetFirstGlobalAlias, LLVMGetNextGlobalAlias}};
  for (size_t i = 0; i < TN_COUNT(kinds); i++) {
    for (LLVMValueRef v = kinds[i].first(module); v; v = kinds[i].next(v)) {
      if (is_root(s, v, begin, end) && !tn_list_add(out, arena, v)) {
        return false;
      }
    }
  }
  return true;
}

// Entries of other pieces that are called from these.
static tn_status drop_others(const tn_split *s, tn_llvm_job *job, LLVMModuleRef part,
                             size_t begin, size_t end, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(part); f;) {
    LLVMValueRef next = LLVMGetNextFunction(f);
    const piece_of *piece = is_entry(f) ? tn_map_find(&s->pieces, tn_value_name(f)) : NULL;
    if (piece && (piece->index < begin || piece->index >= end)) {
      if (tn_function_is_kernel(f)) {
        tn_function_delete(f);
      } else {
        LLVMSetLinkage(f, LLVMInternalLinkage);
      }
    }
    f = next;
  }
  return tn_module_run_passes(job, part, "globaldce", NULL, diag);
}

tn_status tn_split_init(tn_split *split, LLVMModuleRef module, tn_split_mode mode,
                        tn_arena *arena, tn_diag *diag) {
  *split = (tn_split){.count = 0};
  tn_map_init(&split->pieces);
  if (mode == TN_SPLIT_AUTO) {
    mode = is_slow_to_build(module) ? TN_SPLIT_PER_KERNEL : TN_SPLIT_BY_NEEDS;
  }
  return assign_pieces(split, module, mode, arena, diag);
}

void tn_split_deinit(tn_split *split) { tn_map_deinit(&split->pieces); }

tn_status tn_split_part(const tn_split *split, tn_llvm_job *job, LLVMModuleRef module,
                        size_t begin, size_t end, LLVMModuleRef *out, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_list roots = {0};
  tn_status status = TN_OK;
  *out = NULL;
  if (list_roots(split, module, begin, end, &arena, &roots)) {
    const LLVMValueRef *const values = (const LLVMValueRef *)(void *)roots.items;
    *out = tn_module_copy_part(module, values, roots.count);
    status = drop_others(split, job, *out, begin, end, diag);
  } else {
    status = no_memory(diag);
  }
  tn_arena_deinit(&arena);
  if (status != TN_OK && *out) {
    LLVMDisposeModule(*out);
    *out = NULL;
  }
  return status;
}

tn_status tn_split_range(const tn_split *split, tn_llvm_job *job, LLVMModuleRef module,
                         size_t begin, size_t end, tn_piece_fn fn, void *user, tn_diag *diag) {
  const size_t count = end - begin;
  if (count <= 1) {
    return count == 1 ? fn(user, module, diag) : TN_OK;
  }
  const size_t ways = count < TN_SPLIT_WAYS ? count : TN_SPLIT_WAYS;
  tn_status status = TN_OK;
  for (size_t i = 0; i < ways && status == TN_OK; i++) {
    const size_t from = begin + count * i / ways;
    const size_t to = begin + count * (i + 1) / ways;
    LLVMModuleRef part = NULL;
    TN_TRY(tn_split_part(split, job, module, from, to, &part, diag));
    status = tn_split_range(split, job, part, from, to, fn, user, diag);
    LLVMDisposeModule(part);
  }
  return status;
}

tn_status tn_split_pieces(tn_llvm_job *job, LLVMModuleRef take_module, tn_split_mode mode,
                          tn_arena *arena, tn_piece_fn fn, void *user, tn_diag *diag) {
  tn_split split;
  tn_status status = tn_split_init(&split, take_module, mode, arena, diag);
  if (status == TN_OK) {
    status = tn_split_range(&split, job, take_module, 0, split.count, fn, user, diag);
  }
  LLVMDisposeModule(take_module);
  tn_split_deinit(&split);
  return status;
}
