// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the registering host object as an LLVM module: fat binary → object bytes.
#include "compile/wrap/wrap.h"

#include "base/map.h"
#include "compile/module/module.h"
#include "image/image.h"
#include "tenon/register.h"

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#define WRAP_PRIORITY "101"
#define MODULE_SYMBOL "__tenon_module"
enum { WRAP_OBJECT_MAXIMUM = 0x7fffffff, WRAP_NAME_MAXIMUM = 1 << 20 };

// One emission: everything is LLVM's and goes with the context.
typedef struct wrap_job {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTypeRef ptr;
  LLVMTypeRef i32;
  LLVMTypeRef i64;
  LLVMValueRef descriptor;  // tn_module
  tn_map seen;              // markers written so far: several images may export the same symbol
  tn_buf imports;           // assembly
  bool has_imports;         // weak ones count
  LLVMValueRef *natives;    // the tables of host code, in the order of their images; owned
  size_t native_count;
  tn_list globals;          // LLVMValueRef: a tn_module_global each
  tn_arena arena;           // of the list
} wrap_job;

static LLVMValueRef add_constant_bytes(wrap_job *job, const char *name, const void *data,
                                       size_t size, bool end) {
  LLVMValueRef bytes = LLVMConstStringInContext2(job->context, data, size, !end);
  LLVMValueRef global = LLVMAddGlobal(job->module, LLVMTypeOf(bytes), name);
  LLVMSetInitializer(global, bytes);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  return global;
}

// The descriptor comes first, so that markers and hooks can refer to it; its value comes last.
static void add_descriptor(wrap_job *job, const char *symbol) {
  LLVMTypeRef fields[] = {job->i32, job->i32, job->ptr, job->i64, job->ptr,
                          job->ptr, job->i64, job->ptr, job->ptr, job->i64};
  LLVMTypeRef type = LLVMStructTypeInContext(job->context, fields, TN_COUNT(fields), false);
  job->descriptor = LLVMAddGlobal(job->module, type, symbol);
  LLVMSetVisibility(job->descriptor, LLVMHiddenVisibility);
  LLVMSetAlignment(job->descriptor, 8);
}

static LLVMValueRef add_natives(const wrap_job *job) {
  if (job->native_count == 0) {
    return LLVMConstNull(job->ptr);
  }
  LLVMValueRef list = LLVMConstArray2(job->ptr, job->natives, job->native_count);
  LLVMValueRef global = LLVMAddGlobal(job->module, LLVMTypeOf(list), "tenon_natives");
  LLVMSetInitializer(global, list);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  return global;
}

static LLVMValueRef add_globals(const wrap_job *job) {
  if (job->globals.count == 0) {
    return LLVMConstNull(job->ptr);
  }
  LLVMValueRef *items = (LLVMValueRef *)job->globals.items;
  LLVMValueRef list = LLVMConstArray2(LLVMTypeOf(items[0]), items, job->globals.count);
  LLVMValueRef global = LLVMAddGlobal(job->module, LLVMTypeOf(list), "tenon_globals");
  LLVMSetInitializer(global, list);
  LLVMSetGlobalConstant(global, true);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  return global;
}

// The dynamic linker goes by who calls dlsym, so it must be the module itself. In a static
// executable there is no dlsym.
static LLVMValueRef add_resolver(wrap_job *job) {
  if (!job->has_imports) {
    return LLVMConstNull(job->ptr);
  }
  LLVMTypeRef dlsym_types[] = {job->ptr, job->ptr};
  LLVMTypeRef dlsym_type = LLVMFunctionType(job->ptr, dlsym_types, 2, false);
  LLVMValueRef dlsym = LLVMAddFunction(job->module, "dlsym", dlsym_type);
  LLVMSetLinkage(dlsym, LLVMExternalWeakLinkage);
  LLVMTypeRef type = LLVMFunctionType(job->ptr, &job->ptr, 1, false);
  LLVMValueRef resolver = LLVMAddFunction(job->module, "tenon_resolve", type);
  LLVMSetLinkage(resolver, LLVMInternalLinkage);
  LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(job->context, resolver, "");
  LLVMBasicBlockRef ask = LLVMAppendBasicBlockInContext(job->context, resolver, "");
  LLVMBasicBlockRef none = LLVMAppendBasicBlockInContext(job->context, resolver, "");
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(job->context);
  LLVMPositionBuilderAtEnd(builder, entry);
  LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, dlsym, ""), none, ask);
  LLVMPositionBuilderAtEnd(builder, ask);
  LLVMValueRef arguments[] = {LLVMConstNull(job->ptr), LLVMGetParam(resolver, 0)};  // RTLD_DEFAULT
  LLVMValueRef call = LLVMBuildCall2(builder, dlsym_type, dlsym, arguments, 2, "");
  LLVMSetTailCallKind(call, LLVMTailCallKindNoTail);
  LLVMBuildRet(builder, call);
  LLVMPositionBuilderAtEnd(builder, none);
  LLVMBuildRet(builder, LLVMConstNull(job->ptr));
  LLVMDisposeBuilder(builder);
  return resolver;
}

static void fill_descriptor(wrap_job *job, tn_bytes fatbin) {
  LLVMValueRef image = LLVMConstNull(job->ptr);
  if (fatbin.size > 0) {
    image = add_constant_bytes(job, "tenon_fatbin", fatbin.data, fatbin.size, false);
    LLVMSetSection(image, TN_SECTION_FATBIN);
    LLVMSetAlignment(image, 16);
  }
  LLVMValueRef fields[] = {
      LLVMConstInt(job->i32, sizeof(tn_module), false),
      LLVMConstInt(job->i32, TN_MODULE_VERSION, false),
      image,
      LLVMConstInt(job->i64, fatbin.size, false),
      LLVMConstNull(job->ptr),
      add_natives(job),
      LLVMConstInt(job->i64, job->native_count, false),
      add_resolver(job),
      add_globals(job),
      LLVMConstInt(job->i64, job->globals.count, false),
  };
  LLVMSetInitializer(job->descriptor,
                     LLVMConstStructInContext(job->context, fields, TN_COUNT(fields), false));
}

// A function that calls `callee` with the descriptor, and its address in `section`. The section is
// written here because LLVM's own lists of constructors come out as .ctors, which lld does not run.
static LLVMValueRef add_hook(wrap_job *job, const char *name, const char *callee,
                             const char *section) {
  LLVMTypeRef nothing = LLVMVoidTypeInContext(job->context);
  LLVMTypeRef hook_type = LLVMFunctionType(nothing, NULL, 0, false);
  LLVMTypeRef callee_type = LLVMFunctionType(nothing, &job->ptr, 1, false);
  LLVMValueRef target = LLVMAddFunction(job->module, callee, callee_type);
  LLVMValueRef hook = LLVMAddFunction(job->module, name, hook_type);
  LLVMSetLinkage(hook, LLVMInternalLinkage);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(job->context);
  LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(job->context, hook, ""));
  LLVMBuildCall2(builder, callee_type, target, &job->descriptor, 1, "");
  LLVMBuildRetVoid(builder);
  LLVMDisposeBuilder(builder);

  LLVMValueRef entry = LLVMAddGlobal(job->module, job->ptr, "tenon_hook");
  LLVMSetInitializer(entry, hook);
  LLVMSetLinkage(entry, LLVMPrivateLinkage);
  LLVMSetSection(entry, section);
  LLVMSetAlignment(entry, 8);
  return entry;
}

// Nobody mentions the hooks: the C library runs what lies in their sections.
static void add_hooks(wrap_job *job) {
  LLVMValueRef hooks[] = {
      add_hook(job, "tenon_register", "tn_register_module", ".init_array." WRAP_PRIORITY),
      add_hook(job, "tenon_unregister", "tn_unregister_module", ".fini_array." WRAP_PRIORITY)};
  LLVMValueRef list = LLVMConstArray2(job->ptr, hooks, TN_COUNT(hooks));
  LLVMValueRef used = LLVMAddGlobal(job->module, LLVMTypeOf(list), "llvm.used");
  LLVMSetInitializer(used, list);
  LLVMSetLinkage(used, LLVMAppendingLinkage);
  LLVMSetSection(used, "llvm.metadata");
}

static tn_status add_marker(wrap_job *job, const tn_symbol_info *symbol, tn_diag *diag) {
  tn_buf name;
  tn_buf_init(&name, WRAP_NAME_MAXIMUM);
  tn_export_marker_name(&name, symbol->name);
  tn_status status = tn_buf_status(&name, diag);
  if (status != TN_OK || tn_map_find(&job->seen, tn_buf_str(&name))) {
    goto done;
  }
  if (!tn_map_set(&job->seen, tn_buf_str(&name), job)) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the marker of a device symbol");
    goto done;
  }
  LLVMValueRef fields[] = {
      job->descriptor,
      add_constant_bytes(job, "tenon_symbol", symbol->name.data, symbol->name.size, true)};
  LLVMValueRef value = LLVMConstStructInContext(job->context, fields, TN_COUNT(fields), false);
  LLVMValueRef marker = LLVMAddGlobal(job->module, LLVMTypeOf(value), tn_buf_text(&name));
  LLVMSetInitializer(marker, value);
  LLVMSetGlobalConstant(marker, true);
  LLVMSetAlignment(marker, 8);
  if ((symbol->flags & TN_SYMBOL_WEAK) != 0) {
    LLVMSetLinkage(marker, LLVMWeakAnyLinkage);
  }
done:
  tn_buf_deinit(&name);
  return status;
}

// A quote or a backslash in a symbol would end the assembler's string.
static bool is_plain_name(tn_str name) {
  for (size_t i = 0; i < name.size; i++) {
    const unsigned char c = (unsigned char)name.data[i];
    if (c < ' ' || c == '"' || c == '\\') {
      return false;
    }
  }
  return name.size > 0;
}

static tn_status add_import(wrap_job *job, const tn_symbol_info *symbol, tn_diag *diag) {
  job->has_imports = true;
  if ((symbol->flags & TN_SYMBOL_WEAK) != 0) {
    return TN_OK;
  }
  if (!is_plain_name(symbol->name)) {
    return TN_FAIL(diag, BAD_IMAGE, "the imported device symbol '%.*s' has a character that no "
                   "linker takes", TN_STR_ARG(symbol->name));
  }
  tn_buf_add_text(&job->imports, ".globl \"");
  tn_export_marker_name(&job->imports, symbol->name);
  tn_buf_add_text(&job->imports, "\"\n");
  return tn_buf_status(&job->imports, diag);
}

// The table of an image's machine code is defined by another object of the same link.
static tn_status add_native(wrap_job *job, const tn_image *image, tn_diag *diag) {
  const tn_str symbol = {(const char *)image->code.data, image->code.size};
  if (!is_plain_name(symbol)) {
    return TN_FAIL(diag, BAD_IMAGE, "an image of format %s does not name the table of its code",
                   tn_image_format_name(image->format));
  }
  tn_buf name;
  tn_buf_init(&name, WRAP_NAME_MAXIMUM);
  tn_buf_add_str(&name, symbol);
  const tn_status status = tn_buf_status(&name, diag);
  if (status == TN_OK) {
    LLVMValueRef table = LLVMGetNamedGlobal(job->module, tn_buf_text(&name));
    if (!table) {
      table = LLVMAddGlobal(job->module, job->i64, tn_buf_text(&name));
      LLVMSetVisibility(table, LLVMHiddenVisibility);
    }
    job->natives[job->native_count++] = table;
  }
  tn_buf_deinit(&name);
  return status;
}

// The host's object of the same name, which the host's linker binds. What device code defines is
// weak here: of an inline variable that only device code uses the host may have none.
static tn_status add_global(wrap_job *job, const tn_global_info *info, tn_diag *diag) {
  const size_t at = tn_str_find_char(info->name, '@');  // of one without linkage: the unit's id
  const char *name =
      at == SIZE_MAX ? tn_arena_str(&job->arena, info->name)
                     : tn_arena_format(&job->arena, "%.*s" TN_LOCAL_GLOBAL_INFIX "%.*s",
                                       TN_STR_ARG(tn_str_slice(info->name, 0, at)),
                                       TN_STR_ARG(tn_str_slice(info->name, at + 1, SIZE_MAX)));
  if (!name) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the table of device globals");
  }
  LLVMValueRef object = LLVMGetNamedGlobal(job->module, name);
  if (object) {
    LLVMSetLinkage(object, info->is_declared ? LLVMExternalLinkage : LLVMGetLinkage(object));
    return TN_OK;
  }
  object = LLVMAddGlobal(job->module, job->ptr, name);
  LLVMSetVisibility(object, at == SIZE_MAX ? LLVMDefaultVisibility : LLVMHiddenVisibility);
  LLVMSetLinkage(object, info->is_declared ? LLVMExternalLinkage : LLVMExternalWeakLinkage);
  LLVMValueRef fields[] = {
      add_constant_bytes(job, "tenon_symbol", info->name.data, info->name.size, true), object};
  LLVMValueRef value = LLVMConstStructInContext(job->context, fields, TN_COUNT(fields), false);
  return tn_list_add(&job->globals, &job->arena, value)
             ? TN_OK
             : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the table of device globals");
}

static tn_status add_symbols(wrap_job *job, tn_bytes bytes, tn_diag *diag) {
  tn_fatbin fatbin;
  TN_TRY(tn_fatbin_parse(bytes, &fatbin, diag));
  job->natives = tn_alloc_array((size_t)fatbin.image_count + 1, sizeof(LLVMValueRef));
  if (!job->natives) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the tables of machine code");
  }
  for (uint32_t i = 0; i < fatbin.image_count; i++) {
    const tn_image image = tn_fatbin_image_at(&fatbin, i);
    if (image.format == TN_IMAGE_FORMAT_HOST) {
      TN_TRY(add_native(job, &image, diag));
    }
    for (uint32_t g = 0; g < tn_image_global_count(&image); g++) {
      const tn_global_info info = tn_image_global_at(&image, g);
      TN_TRY(add_global(job, &info, diag));
    }
    for (uint32_t s = 0; s < tn_image_export_count(&image); s++) {
      const tn_symbol_info symbol = tn_image_export_at(&image, s);
      TN_TRY(add_marker(job, &symbol, diag));
    }
    for (uint32_t s = 0; s < tn_image_import_count(&image); s++) {
      const tn_symbol_info symbol = tn_image_import_at(&image, s);
      TN_TRY(add_import(job, &symbol, diag));
    }
  }
  if (job->imports.size > 0) {
    LLVMSetModuleInlineAsm2(job->module, job->imports.data, job->imports.size);
  }
  return TN_OK;
}

// Units of the same code have descriptors of the same name: the linker keeps one of the objects'
// contents, with its hooks.
static void share(const wrap_job *job, const char *symbol) {
  LLVMComdatRef comdat = LLVMGetOrInsertComdat(job->module, symbol);
  LLVMSetComdatSelectionKind(comdat, LLVMAnyComdatSelectionKind);
  LLVMSetLinkage(job->descriptor, LLVMWeakODRLinkage);
  for (LLVMValueRef g = LLVMGetFirstGlobal(job->module); g; g = LLVMGetNextGlobal(g)) {
    if (LLVMGetInitializer(g) && LLVMGetLinkage(g) != LLVMAppendingLinkage) {
      LLVMSetComdat(g, comdat);
    }
  }
  for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f)) {
    if (LLVMGetFirstBasicBlock(f)) {
      LLVMSetComdat(f, comdat);
    }
  }
}

static tn_status emit_object(const wrap_job *job, const char *triple, tn_buf *out, tn_diag *diag) {
  char *message = NULL;
  LLVMTargetRef target = NULL;
  LLVMTargetMachineRef machine = NULL;
  LLVMTargetDataRef layout = NULL;
  LLVMMemoryBufferRef object = NULL;
  tn_status status = TN_OK;
  if (LLVMGetTargetFromTriple(triple, &target, &message)) {
    status = TN_FAIL(diag, UNSUPPORTED, "no host object can be written for %s: %s", triple,
                     message);
    goto done;
  }
  machine = LLVMCreateTargetMachine(target, triple, "", "", LLVMCodeGenLevelNone, LLVMRelocPIC,
                                    LLVMCodeModelDefault);
  if (!machine) {
    status = TN_FAIL(diag, UNSUPPORTED, "LLVM cannot write code for %s", triple);
    goto done;
  }
  layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetModuleDataLayout(job->module, layout);
  LLVMSetTarget(job->module, triple);
  if (LLVMTargetMachineEmitToMemoryBuffer(machine, job->module, LLVMObjectFile, &message,
                                          &object)) {
    status = TN_FAIL(diag, INTERNAL, "the host object for %s could not be written: %s", triple,
                     message);
    goto done;
  }
  tn_buf_add(out, LLVMGetBufferStart(object), LLVMGetBufferSize(object));
  status = tn_buf_status(out, diag);
done:
  if (object) {
    LLVMDisposeMemoryBuffer(object);
  }
  if (layout) {
    LLVMDisposeTargetData(layout);
  }
  if (machine) {
    LLVMDisposeTargetMachine(machine);
  }
  LLVMDisposeMessage(message);
  return status;
}

void tn_wrap_host_triple(tn_buf *out) {
  char *triple = LLVMGetDefaultTargetTriple();
  tn_buf_add_text(out, triple);
  LLVMDisposeMessage(triple);
}

static void begin(wrap_job *job) {
  (void)LLVMInitializeNativeTarget();
  (void)LLVMInitializeNativeAsmPrinter();
  (void)LLVMInitializeNativeAsmParser();
  *job = (wrap_job){.context = LLVMContextCreate()};
  tn_map_init(&job->seen);
  tn_arena_init(&job->arena);
  tn_buf_init(&job->imports, WRAP_OBJECT_MAXIMUM);
  job->module = LLVMModuleCreateWithNameInContext("tenon-wrapper", job->context);
  job->ptr = LLVMPointerTypeInContext(job->context, 0);
  job->i32 = LLVMInt32TypeInContext(job->context);
  job->i64 = LLVMInt64TypeInContext(job->context);
}

static void end(wrap_job *job) {
  LLVMDisposeModule(job->module);
  LLVMContextDispose(job->context);
  tn_buf_deinit(&job->imports);
  tn_map_deinit(&job->seen);
  tn_arena_deinit(&job->arena);
  tn_free(job->natives);
}

tn_status tn_wrap_emit_nulls(const tn_list *symbols, tn_buf *out_object, tn_diag *diag) {
  wrap_job job;
  begin(&job);
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(job.context);
  LLVMTypeRef type = LLVMFunctionType(job.ptr, NULL, 0, false);
  for (size_t i = 0; i < symbols->count; i++) {
    LLVMValueRef function = LLVMAddFunction(job.module, symbols->items[i], type);
    LLVMSetVisibility(function, LLVMHiddenVisibility);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(job.context, function, ""));
    LLVMBuildRet(builder, LLVMConstNull(job.ptr));
  }
  LLVMDisposeBuilder(builder);
  char *triple = LLVMGetDefaultTargetTriple();
  const tn_status status = emit_object(&job, triple, out_object, diag);
  LLVMDisposeMessage(triple);
  end(&job);
  return status;
}

tn_status tn_wrap_emit(const tn_wrap_params *params, tn_buf *out_object, tn_diag *diag) {
  wrap_job job;
  begin(&job);
  char *native = params->triple ? NULL : LLVMGetDefaultTargetTriple();
  tn_status status = TN_OK;

  add_descriptor(&job, params->module_symbol ? params->module_symbol : MODULE_SYMBOL);
  add_hooks(&job);
  if (params->fatbin.size > 0) {
    status = add_symbols(&job, params->fatbin, diag);
  }
  if (status == TN_OK) {
    fill_descriptor(&job, params->fatbin);
    if (params->module_symbol) {
      share(&job, params->module_symbol);
    }
    status = emit_object(&job, params->triple ? params->triple : native, out_object, diag);
  }
  LLVMDisposeMessage(native);
  end(&job);
  return status;
}
