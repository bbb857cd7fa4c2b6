// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code in this process: LLVM's ORC links an object into memory of its own.
//
// One linking session a code object: unloading gives all of it back, and loads on several threads
// do not meet.
#include "rtc/rtc.h"

#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "compile/emit/emit.h"
#include "compile/module/module.h"
#include "rtc/host_addresses.h"

struct tn_native_code {
  LLVMOrcLLJITRef jit;  // owned
};

// ORC reports errors of sessions here as well as to the caller, who passes them on; without this it
// would print them.
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
    const uint64_t address = tn_host_address_find(tn_str_from(name));
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

static tn_status create_jit(LLVMOrcLLJITRef *out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(tn_emit_init(diag));
  LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
  TN_TRY(tn_llvm_error_status(LLVMOrcCreateLLJIT(out, builder), diag,
                              "LLVM cannot load machine code"));
  LLVMOrcExecutionSessionSetErrorReporter(LLVMOrcLLJITGetExecutionSession(*out), drop_error, NULL);
  LLVMOrcJITDylibAddGenerator(
      LLVMOrcLLJITGetMainJITDylib(*out),
      LLVMOrcCreateCustomCAPIDefinitionGenerator(define_host_functions, NULL, NULL));
  return TN_OK;
}

static tn_status add_object(LLVMOrcLLJITRef jit, const void *object, size_t size, tn_diag *diag) {
  LLVMMemoryBufferRef memory =
      LLVMCreateMemoryBufferWithMemoryRangeCopy(object, size, "device code");
  return tn_llvm_error_status(
      LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), memory), diag,
      "the object with device code cannot be loaded");
}

tn_status tn_native_code_load(const void *object, size_t size, tn_native_code **out,
                              tn_diag *diag) {
  *out = NULL;
  tn_native_code *code = tn_alloc(sizeof(*code));
  if (!code) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to load device code");
  }
  tn_status status = create_jit(&code->jit, diag);
  if (status == TN_OK) {
    status = add_object(code->jit, object, size, diag);
  }
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
  tn_free(code);
}
