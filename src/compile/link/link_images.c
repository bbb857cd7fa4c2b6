// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The link of device images in a build: who gives which symbol was decided by the caller.
#include "base/host_function.h"
#include "base/map.h"
#include "compile/link/merge.h"

// The image that gives a symbol.
typedef struct giver {
  size_t image;
  bool is_weak;
} giver;

static bool is_taken(const tn_link_source *image, tn_str symbol) {
  for (size_t i = 0; image->take && i < image->take_count; ++i) {
    if (tn_str_equals(symbol, tn_str_from(image->take[i]))) {
      return true;
    }
  }
  return image->take == NULL;
}

static tn_status note_giver(tn_map *givers, const tn_link_source *images, size_t index,
                            LLVMValueRef function, tn_arena *arena, tn_diag *diag) {
  const tn_str symbol = tn_value_name(function);
  const bool is_weak = LLVMGetLinkage(function) != LLVMExternalLinkage;
  giver *known = tn_map_find(givers, symbol);
  if (known && !known->is_weak && !is_weak) {
    const char *shown = tn_demangle(arena, symbol);
    return TN_FAIL(diag, BUILD_FAILED, "device function '%s' is given by %s and by %s; only one "
                   "definition can be taken", shown ? shown : "?", images[known->image].name,
                   images[index].name);
  }
  if (known && is_weak) {
    return TN_OK;
  }
  giver *fresh = known ? known : tn_arena_alloc(arena, sizeof(*fresh));
  if (!fresh || !tn_map_set(givers, symbol, fresh)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link device images");
  }
  *fresh = (giver){index, is_weak};
  return TN_OK;
}

static tn_status find_givers(tn_map *givers, LLVMModuleRef *modules, const tn_link_source *images,
                             size_t count, tn_arena *arena, tn_diag *diag) {
  for (size_t i = 0; i < count; ++i) {
    for (LLVMValueRef f = LLVMGetFirstFunction(modules[i]); f; f = LLVMGetNextFunction(f)) {
      if (tn_function_is_export(f) && is_taken(&images[i], tn_value_name(f))) {
        TN_TRY(note_giver(givers, images, i, f, arena, diag));
      }
    }
  }
  return TN_OK;
}

// Another image's definition is used: the own one is left without users.
static tn_status make_reference(LLVMModuleRef module, LLVMValueRef function, tn_arena *arena,
                                tn_diag *diag) {
  const char *name = tn_arena_str(arena, tn_value_name(function));
  if (!name) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link device images");
  }
  LLVMSetValueName2(function, "", 0);
  LLVMSetLinkage(function, LLVMInternalLinkage);
  LLVMValueRef reference = LLVMAddFunction(module, name, LLVMGlobalGetValueType(function));
  LLVMSetFunctionCallConv(reference, LLVMGetFunctionCallConv(function));
  LLVMReplaceAllUsesWith(function, reference);
  return TN_OK;
}

static tn_status settle_image(LLVMModuleRef module, size_t index, const tn_map *givers,
                              tn_arena *arena, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;) {
    LLVMValueRef next = LLVMGetNextFunction(f);
    if (tn_function_is_kernel(f) && index != 0) {
      tn_function_delete(f);
    } else if (!tn_function_is_kernel(f) && tn_function_is_export(f)) {
      const giver *from = tn_map_find(givers, tn_value_name(f));
      if (!from) {
        LLVMSetLinkage(f, LLVMInternalLinkage);
      } else if (from->image != index) {
        TN_TRY(make_reference(module, f, arena, diag));
      }
    }
    f = next;
  }
  return TN_OK;
}

// Only kernels stay visible; what they do not need is dropped, with what that would have needed.
static tn_status drop_unused(tn_llvm_job *job, LLVMModuleRef module, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (tn_function_is_defined(f) && !tn_function_is_kernel(f)) {
      LLVMSetLinkage(f, LLVMInternalLinkage);
    }
  }
  return tn_module_run_passes(job, module, "globaldce", NULL, diag);
}

// A weak import that no image gives is a null pointer, as the host's linker makes it.
static void settle_absent_weak(LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!tn_function_is_defined(f) && LLVMGetLinkage(f) == LLVMExternalWeakLinkage) {
      LLVMReplaceAllUsesWith(f, LLVMConstNull(LLVMTypeOf(f)));
    }
  }
}

static tn_status check_complete(LLVMModuleRef module, const tn_link_source *images, size_t count,
                                tn_arena *arena, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    const tn_str name = tn_value_name(f);
    LLVMUseRef use = LLVMGetFirstUse(f);
    if (tn_function_is_defined(f) || !use || tn_function_is_intrinsic(f) ||
        tn_function_is_builtin_name(name) ||
        (!tn_function_is_external(f) && tn_is_host_function(name))) {
      continue;
    }
    tn_buf list;
    tn_buf_init(&list, 4096);
    for (size_t i = 0; i < count; ++i) {
      tn_buf_add_format(&list, "%s%s", i ? ", " : "", images[i].name);
    }
    const char *shown = tn_demangle(arena, name);
    const tn_status status =
        TN_FAIL(diag, BUILD_FAILED, "device function '%s' is not defined in any image of the "
                "build (searched: %s); link or load the library that defines it as SYCL_EXTERNAL",
                shown ? shown : "?", tn_buf_text(&list));
    tn_buf_deinit(&list);
    return status;
  }
  return TN_OK;
}

tn_status tn_link_images(tn_llvm_job *job, const tn_link_source *images, size_t count,
                         tn_arena *arena, LLVMModuleRef *out, tn_diag *diag) {
  *out = NULL;
  LLVMModuleRef *modules = NULL;
  TN_TRY(tn_merge_parse(job, images, count, arena, &modules, diag));
  LLVMModuleRef linked = NULL;
  tn_map givers;
  tn_map_init(&givers);
  tn_status status = find_givers(&givers, modules, images, count, arena, diag);
  for (size_t i = 0; i < count && status == TN_OK; ++i) {
    status = settle_image(modules[i], i, &givers, arena, diag);
  }
  if (status == TN_OK) {
    status = tn_merge_all(job, modules, images, count, &linked, diag);
  }
  if (status == TN_OK) {
    status = drop_unused(job, linked, diag);
  }
  if (status == TN_OK) {
    settle_absent_weak(linked);
    status = check_complete(linked, images, count, arena, diag);
  }
  if (status == TN_OK) {
    *out = linked;
    linked = NULL;
  }
  if (linked) {
    LLVMDisposeModule(linked);
  }
  tn_map_deinit(&givers);
  tn_merge_dispose(modules, count);
  return status;
}
