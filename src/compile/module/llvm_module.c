// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading, checking, transforming and writing modules; LLVM's errors become statuses.
#include "compile/module/module.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Transforms/PassBuilder.h>

enum { TN_LLVM_MESSAGE_MAX = 64 * 1024 };

static void keep_message(LLVMDiagnosticInfoRef info, void *user) {
  tn_llvm_job *job = user;
  const LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
  const bool is_error = severity == LLVMDSError && job->error.size == 0;
  const bool is_warning = severity == LLVMDSWarning && job->note_warning;
  char *text = is_error || is_warning ? LLVMGetDiagInfoDescription(info) : NULL;
  if (is_error) {
    tn_buf_add_text(&job->error, text && text[0] ? text : "LLVM reports an error without words");
  } else if (is_warning && text) {
    job->note_warning(job->note_user, tn_str_from(text));
  }
  LLVMDisposeMessage(text);
}

tn_status tn_llvm_job_init(tn_llvm_job *job, tn_diag *diag) {
  *job = (tn_llvm_job){0};
  LLVMContextRef context = LLVMContextCreate();
  if (!context) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "LLVM could not make a context");
  }
  tn_llvm_job_init_in(job, context);
  return TN_OK;
}

void tn_llvm_job_init_in(tn_llvm_job *job, LLVMContextRef take_context) {
  *job = (tn_llvm_job){.context = take_context};
  tn_buf_init(&job->error, TN_LLVM_MESSAGE_MAX);
  LLVMContextSetDiagnosticHandler(take_context, keep_message, job);
}

void tn_llvm_job_deinit(tn_llvm_job *job) {
  if (job->context) {
    LLVMContextDispose(job->context);
  }
  job->context = NULL;
  tn_buf_deinit(&job->error);
}

bool tn_llvm_job_has_error(const tn_llvm_job *job) { return job->error.size != 0; }

tn_status tn_llvm_job_fail(tn_llvm_job *job, tn_diag *diag, const char *what) {
  const tn_status status =
      TN_FAIL(diag, BUILD_FAILED, "%s: %s", what,
              job->error.size ? tn_buf_text(&job->error) : "LLVM gives no reason");
  tn_buf_clear(&job->error);
  return status;
}

tn_status tn_llvm_error_status(LLVMErrorRef take_error, tn_diag *diag, const char *what) {
  if (!take_error) {
    return TN_OK;
  }
  char *text = LLVMGetErrorMessage(take_error);
  const tn_status status = TN_FAIL(diag, BUILD_FAILED, "%s: %s", what, text);
  LLVMDisposeErrorMessage(text);
  return status;
}

tn_status tn_llvm_message_status(char *take_message, tn_diag *diag, const char *what) {
  const tn_status status = TN_FAIL(diag, BUILD_FAILED, "%s: %s", what,
                                   take_message ? take_message : "LLVM gives no reason");
  LLVMDisposeMessage(take_message);
  return status;
}

static bool is_bitcode(tn_bytes bytes) {
  static const uint8_t raw[4] = {'B', 'C', 0xC0, 0xDE};
  static const uint8_t wrapped[4] = {0xDE, 0xC0, 0x17, 0x0B};
  return bytes.size >= 4 &&
         (memcmp(bytes.data, raw, 4) == 0 || memcmp(bytes.data, wrapped, 4) == 0);
}

static tn_status parse_bitcode(tn_llvm_job *job, tn_bytes bytes, const char *name,
                               LLVMModuleRef *out, tn_diag *diag) {
  LLVMMemoryBufferRef memory =
      LLVMCreateMemoryBufferWithMemoryRange((const char *)bytes.data, bytes.size, name, 0);
  const LLVMBool failed = LLVMParseBitcodeInContext2(job->context, memory, out);
  LLVMDisposeMemoryBuffer(memory);
  if (failed || tn_llvm_job_has_error(job)) {
    const tn_status status =
        TN_FAIL(diag, BAD_IMAGE, "%s: the device bitcode cannot be read: %s", name,
                job->error.size ? tn_buf_text(&job->error) : "it is damaged");
    tn_buf_clear(&job->error);
    return status;
  }
  return TN_OK;
}

static tn_status parse_text(tn_llvm_job *job, tn_bytes bytes, const char *name, LLVMModuleRef *out,
                            tn_diag *diag) {
  char *message = NULL;
  // The parser takes the buffer over and wants a NUL behind it: a copy.
  LLVMMemoryBufferRef memory =
      LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)bytes.data, bytes.size, name);
  // Text is read by its names.
  const LLVMBool discards = LLVMContextShouldDiscardValueNames(job->context);
  LLVMContextSetDiscardValueNames(job->context, false);
  const LLVMBool failed = LLVMParseIRInContext(job->context, memory, out, &message);
  LLVMContextSetDiscardValueNames(job->context, discards);
  if (failed) {
    *out = NULL;
    const tn_status status = TN_FAIL(diag, BAD_IMAGE, "%s: the device code is neither bitcode nor "
                                     "LLVM's text: %s", name, message ? message : "");
    LLVMDisposeMessage(message);
    return status;
  }
  return TN_OK;
}

tn_status tn_module_parse(tn_llvm_job *job, tn_bytes bitcode, const char *name, LLVMModuleRef *out,
                          tn_diag *diag) {
  *out = NULL;
  LLVMModuleRef module = NULL;
  tn_status status = is_bitcode(bitcode) ? parse_bitcode(job, bitcode, name, &module, diag)
                                         : parse_text(job, bitcode, name, &module, diag);
  if (status == TN_OK) {
    char *message = NULL;
    if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
      status = TN_FAIL(diag, BAD_IMAGE, "%s: the device bitcode is not valid: %s", name,
                       message ? message : "");
    }
    LLVMDisposeMessage(message);
  }
  if (status != TN_OK) {
    if (module) {
      LLVMDisposeModule(module);
    }
    return status;
  }
  *out = module;
  return TN_OK;
}

tn_status tn_module_read(tn_bytes bitcode, const char *name, tn_module_reader *read, void *user,
                         tn_diag *diag) {
  tn_llvm_job job;
  LLVMModuleRef module = NULL;
  tn_status status = tn_llvm_job_init(&job, diag);
  if (status == TN_OK) {
    status = tn_module_parse(&job, bitcode, name, &module, diag);
  }
  if (status == TN_OK) {
    status = read(module, user, diag);
    LLVMDisposeModule(module);
  }
  tn_llvm_job_deinit(&job);
  return status;
}

tn_status tn_module_write(LLVMModuleRef module, tn_buf *out, tn_diag *diag) {
  LLVMMemoryBufferRef memory = LLVMWriteBitcodeToMemoryBuffer(module);
  if (!memory) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "LLVM could not write the device bitcode");
  }
  tn_buf_add(out, LLVMGetBufferStart(memory), LLVMGetBufferSize(memory));
  LLVMDisposeMemoryBuffer(memory);
  return tn_buf_status(out, diag);
}

tn_status tn_module_verify(LLVMModuleRef module, const char *after, tn_diag *diag) {
  char *message = NULL;
  tn_status status = TN_OK;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    status = TN_FAIL(diag, INTERNAL, "device code is broken after %s: %s", after,
                     message ? message : "");
  }
  LLVMDisposeMessage(message);
  return status;
}

void tn_module_strip_debug(LLVMModuleRef module) { LLVMStripModuleDebugInfo(module); }

tn_status tn_module_drop_libraries(tn_llvm_job *job, LLVMModuleRef *module, tn_diag *diag) {
  static const char name[] = "llvm.dependent-libraries";
  if (!LLVMGetNamedMetadata(*module, name, sizeof(name) - 1)) {
    return TN_OK;
  }
  char *text = LLVMPrintModuleToString(*module);
  char *line = text ? strstr(text, "\n!llvm.dependent-libraries = ") : NULL;
  if (!line) {
    LLVMDisposeMessage(text);
    return TN_FAIL(diag, OUT_OF_MEMORY, "LLVM could not write the device code");
  }
  for (++line; *line != '\n' && *line != '\0'; ++line) {
    *line = ' ';
  }
  LLVMModuleRef without = NULL;
  const tn_status status =
      parse_text(job, tn_bytes_from(text, strlen(text)), "device code", &without, diag);
  LLVMDisposeMessage(text);
  if (status == TN_OK) {
    LLVMDisposeModule(*module);
    *module = without;
  }
  return status;
}

tn_status tn_module_run_passes(tn_llvm_job *job, LLVMModuleRef module, const char *passes,
                               void *machine, tn_diag *diag) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  const tn_status status = tn_llvm_error_status(LLVMRunPasses(module, passes, machine, options),
                                                diag, "LLVM's passes");
  LLVMDisposePassBuilderOptions(options);
  if (status == TN_OK && tn_llvm_job_has_error(job)) {
    return tn_llvm_job_fail(job, diag, "LLVM's passes");
  }
  return status;
}

void tn_module_rewrite(LLVMModuleRef module,
                       void (*fn)(LLVMBuilderRef builder, LLVMValueRef instruction)) {
  LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
      for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;) {
        LLVMValueRef next = LLVMGetNextInstruction(i);
        fn(builder, i);
        i = next;
      }
    }
  }
  LLVMDisposeBuilder(builder);
}
