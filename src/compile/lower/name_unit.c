// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and linkage: which symbols of a unit are seen by the device link, and of a linked module by
// the outside.
// needs: a prepared unit (name-unit); a named unit or linked units (internalize).
// keeps: the code.  breaks: names of kernels without linkage, and what is internal may go; what was
// noted for checks goes.
#include "compile/lower/device_globals.h"
#include "compile/lower/lower.h"
#include "compile/lower/spec_constants.h"

#include <llvm-c/Comdat.h>

enum { TN_NAME_MAX = 1 << 20 };

static bool is_discardable(LLVMLinkage linkage) {
  return linkage == LLVMLinkOnceAnyLinkage || linkage == LLVMLinkOnceODRLinkage;
}
static bool is_weak(LLVMLinkage linkage) {
  return is_discardable(linkage) || linkage == LLVMWeakAnyLinkage ||
         linkage == LLVMWeakODRLinkage;
}
static bool is_private(LLVMLinkage linkage) {
  return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static void make_internal(LLVMValueRef value, bool is_object) {
  if (is_object) {
    LLVMSetComdat(value, NULL);
  }
  LLVMSetVisibility(value, LLVMDefaultVisibility);
  LLVMSetLinkage(value, LLVMInternalLinkage);
}

// Clang makes every kernel a strong definition, also where two units instantiate the same one.
static tn_status name_kernel(LLVMModuleRef module, LLVMValueRef kernel, uint64_t unit_id,
                             tn_diag *diag) {
  const tn_str name = tn_value_name(kernel);
  tn_buf text;
  tn_buf_init(&text, TN_NAME_MAX);
  if (tn_kernel_name_is_local(name)) {
    tn_kernel_local_name(&text, name, unit_id);
  } else {
    tn_buf_add_str(&text, name);
  }
  const tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK && text.size != name.size) {
    LLVMSetValueName2(kernel, text.data, text.size);
    LLVMSetLinkage(kernel, LLVMExternalLinkage);
  } else if (status == TN_OK) {
    LLVMComdatRef comdat = LLVMGetOrInsertComdat(module, tn_buf_text(&text));
    LLVMSetComdatSelectionKind(comdat, LLVMAnyComdatSelectionKind);
    LLVMSetComdat(kernel, comdat);
    LLVMSetLinkage(kernel, LLVMWeakODRLinkage);
  }
  tn_buf_deinit(&text);
  return status;
}

static void name_object(LLVMValueRef value) {
  const LLVMLinkage linkage = LLVMGetLinkage(value);
  if (linkage == LLVMAvailableExternallyLinkage) {
    // The host has the real one elsewhere; device code has only this.
    LLVMSetLinkage(value, LLVMLinkOnceODRLinkage);
  } else if (is_weak(linkage)) {
    LLVMSetLinkage(value, linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage
                              ? LLVMLinkOnceAnyLinkage : LLVMLinkOnceODRLinkage);
  } else if (!is_private(linkage) && linkage != LLVMAppendingLinkage) {
    make_internal(value, true);
  }
}

tn_status tn_lower_name_unit(LLVMModuleRef module, uint64_t unit_id, tn_diag *diag) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    tn_function_remove_attr(f, TN_ATTR_TRY_BLOCKS);
    if (tn_function_is_kernel(f)) {
      TN_TRY(name_kernel(module, f, unit_id, diag));
    } else if (tn_function_is_defined(f) && !tn_function_is_external(f)) {
      name_object(f);
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module), next; g; g = next) {
    next = LLVMGetNextGlobal(g);
    if (tn_spec_is_variable(g)) {
      TN_TRY(tn_spec_copy_default(&g, diag));
      TN_TRY(tn_spec_name(g, unit_id, diag));
    } else if (tn_global_is_marked(g) || tn_group_static_is_marked(g)) {
      TN_TRY(tn_global_settle(g, unit_id, diag));
    } else if (!LLVMIsDeclaration(g)) {
      name_object(g);
    }
  }
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a)) {
    if (LLVMGetLinkage(a) == LLVMExternalLinkage) {
      LLVMSetLinkage(a, LLVMInternalLinkage);
    }
  }
  return TN_OK;
}

static bool stays(LLVMValueRef function, tn_lower_keep_fn is_kept, const void *user) {
  const bool is_visible = tn_function_is_kernel(function) ||
                          (tn_function_is_external(function) &&
                           !is_private(LLVMGetLinkage(function)));
  return is_visible && (!is_kept || is_kept(user, tn_value_name(function)));
}

void tn_lower_internalize(LLVMModuleRef module, tn_lower_keep_fn is_kept, const void *user) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    if (!tn_function_is_defined(f)) {
      continue;
    }
    if (!stays(f, is_kept, user)) {
      make_internal(f, true);
    } else if (is_kept) {
      const bool is_strong = tn_function_is_kernel(f) || !is_weak(LLVMGetLinkage(f));
      LLVMSetComdat(f, NULL);
      LLVMSetLinkage(f, is_strong ? LLVMExternalLinkage : LLVMWeakODRLinkage);
    } else if (is_discardable(LLVMGetLinkage(f))) {
      // Other units may need it although this one does not.
      LLVMSetLinkage(f, LLVMGetLinkage(f) == LLVMLinkOnceAnyLinkage ? LLVMWeakAnyLinkage
                                                                     : LLVMWeakODRLinkage);
    }
  }
  for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
    if (!LLVMIsDeclaration(g) && !tn_spec_is_named(g) && !tn_global_is_marked(g) &&
        !tn_group_static_is_marked(g) &&
        !tn_str_has_prefix(tn_value_name(g), TN_STR_LIT("llvm."))) {
      make_internal(g, true);
    }
  }
  for (LLVMValueRef a = LLVMGetFirstGlobalAlias(module); a; a = LLVMGetNextGlobalAlias(a)) {
    make_internal(a, false);
  }
}
