// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code in this process: LLVM's ORC links an object into memory of its own.
//
// One linking session a code object: unloading gives all of it back, and loads on several threads
// do not meet. Objects with debug information are told to debuggers that follow LLVM's JIT
// interface, gdb among them.
#include "rtc/rtc.h"

#include <llvm-c/Core.h>
#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Object.h>
#include <llvm-c/Orc.h>
#include <llvm-c/OrcEE.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/host_function.h"
#include "compile/pipeline/pipeline.h"
#include "tenon/cpu_kernel.h"

enum { TN_LOAD_ERROR_MAX = 4096, TN_KERNEL_NAME_MAX = 1 << 20 };

struct tn_native_code {
  LLVMOrcLLJITRef jit;  // owned
  tn_buf error;         // what the session reported first while loading
};

static tn_status error_status(LLVMErrorRef take_error, tn_diag *diag, const char *what) {
  if (!take_error) {
    return TN_OK;
  }
  char *text = LLVMGetErrorMessage(take_error);
  const tn_status status = TN_FAIL(diag, BUILD_FAILED, "%s: %s", what, text);
  LLVMDisposeErrorMessage(text);
  return status;
}

// ORC tells the cause of a failure here, and the caller only that there was one.
static void keep_error(void *context, LLVMErrorRef error) {
  tn_native_code *code = context;
  char *text = LLVMGetErrorMessage(error);
  if (code->error.size == 0) {
    tn_buf_add_text(&code->error, text);
  }
  LLVMDisposeErrorMessage(text);
}

static void drop_error(void *context, LLVMErrorRef error) {
  (void)context;
  LLVMConsumeError(error);
}

// Defines what the object asks for, as far as device code may have it.
static LLVMErrorRef define_host_functions(LLVMOrcDefinitionGeneratorRef generator, void *context,
                                          LLVMOrcLookupStateRef *state, LLVMOrcLookupKind kind,
                                          LLVMOrcJITDylibRef library,
                                          LLVMOrcJITDylibLookupFlags library_flags,
                                          LLVMOrcCLookupSet wanted, size_t count) {
  (void)generator;
  (void)context;
  (void)state;
  (void)kind;
  (void)library_flags;
  for (size_t i = 0; i < count; ++i) {
    const char *name = LLVMOrcSymbolStringPoolEntryStr(wanted[i].Name);
    const uint64_t address = tn_host_function_address(tn_str_from(name));
    if (address == 0) {
      continue;
    }
    LLVMOrcRetainSymbolStringPoolEntry(wanted[i].Name);
    LLVMOrcCSymbolMapPair pair = {
        .Name = wanted[i].Name,
        .Sym = {.Address = address,
                .Flags = {LLVMJITSymbolGenericFlagsExported | LLVMJITSymbolGenericFlagsCallable,
                          0}}};
    LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(&pair, 1);
    LLVMErrorRef error = LLVMOrcJITDylibDefine(library, unit);
    if (error) {
      LLVMOrcDisposeMaterializationUnit(unit);
      return error;
    }
  }
  return LLVMErrorSuccess;
}

// ORC's usual linker has no listeners in the C interface; this one has.
static LLVMOrcObjectLayerRef create_layer_for_debuggers(void *context,
                                                        LLVMOrcExecutionSessionRef session,
                                                        const char *triple) {
  (void)context;
  (void)triple;
  LLVMOrcObjectLayerRef layer =
      LLVMOrcCreateRTDyldObjectLinkingLayerWithSectionMemoryManagerReserveAlloc(session, 1);
  LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(layer,
                                                          LLVMCreateGDBRegistrationListener());
  return layer;
}

static tn_status create_jit(tn_native_code *code, bool has_lines, tn_diag *diag) {
  TN_TRY(tn_pipeline_init(diag));
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  if (has_lines) {
    LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, create_layer_for_debuggers, NULL);
  }
  TN_TRY(error_status(LLVMOrcCreateLLJIT(&code->jit, builder), diag,
                              "LLVM cannot load machine code"));
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(code->jit), keep_error,
                                          code);
  LLVMOrcJITDylibAddGenerator(
      LLVMOrcLLJITGetMainJITDylib(code->jit),
      LLVMOrcCreateCustomCAPIDefinitionGenerator(define_host_functions, NULL, NULL));
  return TN_OK;
}

static tn_status add_object(LLVMOrcLLJITRef jit, const void *object, size_t size, tn_diag *diag) {
  LLVMMemoryBufferRef memory =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(object, size, "device code");
  return error_status(
      LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), memory), diag,
      "the object with device code cannot be loaded");
}

static bool has_debug_section(LLVMBinaryRef binary) {
  bool found = false;
  LLVMSectionIteratorRef section = LLVMObjectFileCopySectionIterator(binary);
  while (section && !found && !LLVMObjectFileIsSectionIteratorAtEnd(binary, section)) {
    found = tn_str_equals(tn_str_from(LLVMGetSectionName(section)), TN_STR_LIT(".debug_info"));
    LLVMMoveToNextSection(section);
  }
  if (section) {
    LLVMDisposeSectionIterator(section);
  }
  return found;
}

// One kernel's name in the object, empty when there is none; and whether debuggers can use it.
static tn_status read_object(const void *object, size_t size, tn_buf *out, bool *out_has_lines,
                             tn_diag *diag) {
  char *message = NULL;
  LLVMMemoryBufferRef memory =
      LLVMCreateMemoryBufferWithMemoryRange(object, size, "device code", 0);
  LLVMBinaryRef binary = LLVMCreateBinary(memory, NULL, &message);
  if (!binary) {
    LLVMDisposeMemoryBuffer(memory);
    const tn_status status = TN_FAIL(diag, BUILD_FAILED, "the object with device code cannot be "
                                     "read: %s", message ? message : "it is damaged");
    LLVMDisposeMessage(message);
    return status;
  }
  *out_has_lines = has_debug_section(binary);
  LLVMSymbolIteratorRef symbol = LLVMObjectFileCopySymbolIterator(binary);
  while (symbol && out->size == 0 && !LLVMObjectFileIsSymbolIteratorAtEnd(binary, symbol)) {
    const tn_str name = tn_str_from(LLVMGetSymbolName(symbol));
    if (tn_str_has_suffix(name, TN_STR_LIT(TN_CPU_KERNEL_SUFFIX))) {
      tn_buf_add_str(out, name);
    }
    LLVMMoveToNextSymbol(symbol);
  }
  if (symbol) {
    LLVMDisposeSymbolIterator(symbol);
  }
  LLVMDisposeBinary(binary);
  LLVMDisposeMemoryBuffer(memory);
  return tn_buf_status(out, diag);
}

// Links now what ORC would link when the first kernel is asked for: here a failure has words.
static tn_status link_now(tn_native_code *code, const char *kernel, tn_diag *diag) {
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef error = LLVMOrcLLJITLookup(code->jit, &address, kernel);
  if (error && code->error.size != 0) {
    LLVMConsumeError(error);
    return TN_FAIL(diag, BUILD_FAILED, "device code cannot be loaded: %s",
                   tn_buf_text(&code->error));
  }
  return error_status(error, diag, "device code cannot be loaded");
}

static tn_status load(tn_native_code *code, const void *object, size_t size, tn_buf *kernel,
                      tn_diag *diag) {
  bool has_lines = false;
  TN_TRY(read_object(object, size, kernel, &has_lines, diag));
  TN_TRY(create_jit(code, has_lines, diag));
  TN_TRY(add_object(code->jit, object, size, diag));
  if (kernel->size != 0) {
    TN_TRY(link_now(code, tn_buf_text(kernel), diag));
  }
  // From here on several threads may ask at once, and get their errors themselves.
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(code->jit), drop_error,
                                          NULL);
  return TN_OK;
}

tn_status tn_native_code_load(const void *object, size_t size, tn_native_code **out,
                              tn_diag *diag) {
  *out = NULL;
  tn_native_code *code = tn_alloc(sizeof(*code));
  if (!code) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to load device code");
  }
  tn_buf kernel;
  tn_buf_init(&kernel, TN_KERNEL_NAME_MAX);
  tn_buf_init(&code->error, TN_LOAD_ERROR_MAX);
  const tn_status status = load(code, object, size, &kernel, diag);
  tn_buf_deinit(&kernel);
  if (status != TN_OK) {
    tn_native_code_unload(code);
    return status;
  }
  *out = code;
  return TN_OK;
}

void *tn_native_code_find(tn_native_code *code, const char *symbol) {
  LLVMOrcExecutorAddress address = 0;
  LLVMErrorRef error = LLVMOrcLLJITLookup(code->jit, &address, symbol);
  if (error) {
    LLVMConsumeError(error);
    return NULL;
  }
  return (void *)(uintptr_t)address;
}

void tn_native_code_unload(tn_native_code *code) {
  if (!code) {
    return;
  }
  if (code->jit) {
    LLVMErrorRef error = LLVMOrcDisposeLLJIT(code->jit);
    if (error) {
      LLVMConsumeError(error);
    }
  }
  tn_buf_deinit(&code->error);
  tn_free(code);
}
