// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads off a linked module what its image says: kernels, exports, and imports with who needs them.
// needs: final names; line tables for the places.  keeps: everything.  breaks: nothing.
#include "base/host_function.h"
#include "compile/lower/argument_mask.h"
#include "compile/lower/function_marks.h"
#include "compile/lower/lower.h"
#include "compile/reach/reach.h"

typedef struct lister {
  tn_arena *arena;
  tn_map first_use;  // imported function → import_use
  bool out_of_memory;
} lister;

typedef struct import_use {
  const tn_reach_node *node;
  LLVMValueRef site;
} import_use;

static bool is_import(LLVMValueRef function) {
  const tn_str name = tn_value_name(function);
  return !tn_function_is_defined(function) && LLVMGetFirstUse(function) &&
         !tn_function_is_intrinsic(function) && !tn_function_is_builtin_name(name) &&
         (tn_function_is_external(function) || !tn_is_host_function(name));
}

static void note_use(void *user, tn_reach_node *node, LLVMValueRef instruction, LLVMValueRef value,
                     bool is_callee) {
  (void)is_callee;
  lister *l = user;
  if (!LLVMIsAFunction(value) || !is_import(value) ||
      tn_map_find(&l->first_use, TN_POINTER_KEY(value))) {
    return;
  }
  import_use *use = tn_arena_alloc(l->arena, sizeof(*use));
  if (!use || !tn_map_set(&l->first_use, TN_POINTER_KEY(value), use)) {
    l->out_of_memory = true;
    return;
  }
  *use = (import_use){node, instruction};
}

static tn_str view(lister *l, const char *text) {
  l->out_of_memory = l->out_of_memory || !text;
  return tn_str_from(text);
}
static tn_str copy(lister *l, tn_str s) { return view(l, tn_arena_str(l->arena, s)); }

static uint32_t number(LLVMValueRef function, const char *key) {
  uint64_t value = 0;
  return tn_str_to_u64(tn_function_attr(function, key), &value) && value <= UINT32_MAX
             ? (uint32_t)value : 0;
}

// "1,8,8"; false when there are no sizes.
static bool sizes(LLVMValueRef kernel, uint32_t out[3]) {
  tn_str text = tn_function_attr(kernel, TN_ATTR_WORK_GROUP_SIZE);
  for (int i = 0; i < 3; ++i) {
    const size_t comma = i < 2 ? tn_str_find(text, TN_STR_LIT(",")) : text.size;
    uint64_t value = 0;
    if (comma == SIZE_MAX || !tn_str_to_u64((tn_str){text.data, comma}, &value)) {
      return false;
    }
    out[i] = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
    text = (tn_str){text.data + comma + (i < 2), text.size - comma - (i < 2)};
  }
  return true;
}

static tn_kernel_info kernel_info(lister *l, LLVMValueRef kernel) {
  const tn_str name = tn_value_name(kernel);
  tn_kernel_info info = {
      .name = copy(l, name),
      .display_name = view(l, tn_demangle_kernel(l->arena, name)),
      .file = copy(l, tn_function_attr(kernel, TN_ATTR_KERNEL_FILE)),
      .line = number(kernel, TN_ATTR_KERNEL_LINE),
      .arg_size = number(kernel, TN_ATTR_ARG_SIZE),
      .arg_align = number(kernel, TN_ATTR_ARG_ALIGN),
      .sub_group_size = number(kernel, TN_ATTR_SUB_GROUP_SIZE),
  };
  const bool has_sub_group = tn_function_attr(kernel, TN_ATTR_SUB_GROUP_SIZE).size > 0;
  const bool has_group = sizes(kernel, info.group_size);
  info.flags = (has_sub_group ? TN_KERNEL_REQUIRES_SUB_GROUP_SIZE : 0u) |
               (has_group ? TN_KERNEL_REQUIRES_GROUP_SIZE : 0u);
  l->out_of_memory = !tn_function_marks_describe(kernel, l->arena, &info) || l->out_of_memory;
  return info;
}

static tn_symbol_info export_info(lister *l, LLVMValueRef function) {
  const tn_str name = tn_value_name(function);
  const tn_place place = tn_place_of_function(function);
  const char *shown = tn_demangle(l->arena, name);
  return (tn_symbol_info){
      .name = copy(l, name),
      .display_name = view(l, shown),
      .user = view(l, shown),
      .file = copy(l, place.file),
      .line = place.line,
      .flags = (LLVMGetLinkage(function) == LLVMExternalLinkage ? 0u : TN_SYMBOL_WEAK) |
               (LLVMGetVisibility(function) == LLVMHiddenVisibility ? TN_SYMBOL_HIDDEN : 0u),
  };
}

static tn_symbol_info import_info(lister *l, LLVMValueRef function) {
  const tn_str name = tn_value_name(function);
  tn_symbol_info info = {
      .name = copy(l, name),
      .display_name = view(l, tn_demangle(l->arena, name)),
      .flags = LLVMGetLinkage(function) == LLVMExternalWeakLinkage ? TN_SYMBOL_WEAK : 0,
  };
  const import_use *use = tn_map_find(&l->first_use, TN_POINTER_KEY(function));
  if (!use) {
    return info;
  }
  const tn_reach_node *root = use->node;
  while (root->parent) {
    root = root->parent;
  }
  const tn_str user = tn_value_name(root->function);
  const tn_place place = tn_place_of_instruction(use->site);
  info.user = view(l, tn_function_is_kernel(root->function) ? tn_demangle_kernel(l->arena, user)
                                                            : tn_demangle(l->arena, user));
  info.file = copy(l, place.file);
  info.line = place.line;
  return info;
}

static tn_prop mask_of(lister *l, LLVMModuleRef module, LLVMValueRef kernel,
                       const tn_kernel_info *info) {
  tn_prop mask = {.name = info->name, .type = TN_PROP_BYTES};
  l->out_of_memory = !tn_argument_mask_make(module, kernel, info->arg_size, l->arena,
                                            &mask.bytes) || l->out_of_memory;
  return mask;
}

static void list(lister *l, LLVMModuleRef module, tn_lower_symbols *out) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_kernel(f)) {
      const tn_kernel_info info = kernel_info(l, f);
      out->masks[out->kernel_count] = mask_of(l, module, f, &info);
      out->kernels[out->kernel_count++] = info;
    } else if (tn_function_is_export(f)) {
      out->exports[out->export_count++] = export_info(l, f);
    } else if (is_import(f)) {
      out->imports[out->import_count++] = import_info(l, f);
    }
  }
}

tn_status tn_lower_list_symbols(LLVMModuleRef module, tn_arena *arena, tn_lower_symbols *out,
                                tn_diag *diag) {
  *out = (tn_lower_symbols){0};
  size_t count = 1;
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    ++count;
  }
  lister l = {.arena = arena};
  tn_map_init(&l.first_use);
  tn_reach reach;
  tn_reach_init(&reach, arena);
  reach.visit = note_use;
  reach.user = &l;
  tn_status status = tn_reach_walk(&reach, module, diag);
  out->kernels = tn_arena_alloc_array(arena, count, sizeof(*out->kernels));
  out->imports = tn_arena_alloc_array(arena, count, sizeof(*out->imports));
  out->exports = tn_arena_alloc_array(arena, count, sizeof(*out->exports));
  out->masks = tn_arena_alloc_array(arena, count, sizeof(*out->masks));
  l.out_of_memory = l.out_of_memory || !out->kernels || !out->imports || !out->exports ||
                    !out->masks;
  if (status == TN_OK && !l.out_of_memory) {
    list(&l, module, out);
  }
  if (status == TN_OK && l.out_of_memory) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list the device code's symbols");
  }
  tn_reach_deinit(&reach);
  tn_map_deinit(&l.first_use);
  return status;
}
