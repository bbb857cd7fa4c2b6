// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM modules as the compiler handles them: reading and writing bitcode without LLVM ever
// ending the process, names for people, places in the source, and what a function is to SYCL.
#ifndef TN_COMPILE_MODULE_MODULE_H
#define TN_COMPILE_MODULE_MODULE_H

#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>

#include "base/arena.h"
#include "base/buf.h"
#include "compile/module/module_part.h"

// One job's LLVM context. Errors that LLVM reports through the context are kept here: without that,
// LLVM would print them and exit. Not for several threads at a time.
typedef struct tn_llvm_job {
  LLVMContextRef context;  // owned
  tn_buf error;            // first error reported since tn_llvm_job_fail, empty if none
  // Gets the text of each warning that LLVM reports; NULL: they are dropped.
  void (*note_warning)(void *user, tn_str text);
  void *note_user;
} tn_llvm_job;

// `job` stays where it is until deinit; modules of the job are disposed of before.
TN_MUST_USE tn_status tn_llvm_job_init(tn_llvm_job *job, tn_diag *diag);
// The same in a context that has a module already, which becomes the job's.
void tn_llvm_job_init_in(tn_llvm_job *job, LLVMContextRef take_context);
void tn_llvm_job_deinit(tn_llvm_job *job);  // NULL-safe members: fine after a failed init
bool tn_llvm_job_has_error(const tn_llvm_job *job);
// Moves what LLVM reported into `diag` as BUILD_FAILED and forgets it: "<what>: <LLVM's text>".
tn_status tn_llvm_job_fail(tn_llvm_job *job, tn_diag *diag, const char *what);

// LLVM's messages and errors become statuses here; both take the argument over.
tn_status tn_llvm_error_status(LLVMErrorRef take_error, tn_diag *diag, const char *what);
tn_status tn_llvm_message_status(char *take_message, tn_diag *diag, const char *what);

// Calls fn(arg), which may use LLVM in any way, on this thread. What LLVM takes for fatal, and ends
// the process for otherwise, ends the call: BUILD_FAILED with "<what>: <LLVM's reason>". What the
// call owned is lost memory then, so it should own little but LLVM's objects, and hold no lock.
TN_MUST_USE tn_status tn_llvm_guard(void (*fn)(void *arg), void *arg, const char *what,
                                    tn_diag *diag);
// The innermost guarded call that this thread is in; NULL when in none.
void *tn_llvm_guard_get(void);
// Ends such a call with BUILD_FAILED or OUT_OF_MEMORY, and does not come back. NULL: does nothing.
void tn_llvm_guard_leave(void *guard, tn_status status, const char *reason);

// Bitcode (or textual IR, for tests) into a verified module; `name` for messages. BAD_IMAGE.
TN_MUST_USE tn_status tn_module_parse(tn_llvm_job *job, tn_bytes bitcode, const char *name,
                                      LLVMModuleRef *out, tn_diag *diag);
// The same for `read` alone, in a context that ends with the call. What `read` returns.
typedef tn_status tn_module_reader(LLVMModuleRef module, void *user, tn_diag *diag);
TN_MUST_USE tn_status tn_module_read(tn_bytes bitcode, const char *name, tn_module_reader *read,
                                     void *user, tn_diag *diag);
TN_MUST_USE tn_status tn_module_write(LLVMModuleRef module, tn_buf *out, tn_diag *diag);
// INTERNAL when the module is broken; `after` names the step.
TN_MUST_USE tn_status tn_module_verify(LLVMModuleRef module, const char *after, tn_diag *diag);
void tn_module_strip_debug(LLVMModuleRef module);
// Removes "llvm.dependent-libraries", which would have a linker look for them. LLVM's C API removes
// no named metadata: a module that has it is written and read again.
TN_MUST_USE tn_status tn_module_drop_libraries(tn_llvm_job *job, LLVMModuleRef *module,
                                               tn_diag *diag);
// A textual pass pipeline; `machine` is an LLVMTargetMachineRef or NULL.
TN_MUST_USE tn_status tn_module_run_passes(tn_llvm_job *job, LLVMModuleRef module,
                                           const char *passes, void *machine, tn_diag *diag);

// Calls fn with each instruction, which it may erase, and with a builder whose place is undefined.
void tn_module_rewrite(LLVMModuleRef module,
                       void (*fn)(LLVMBuilderRef builder, LLVMValueRef instruction));

// Adds the bytes from a GEP's pointer to its result; false, with a part added, when they are not
// constant.
bool tn_gep_add_offset(LLVMTargetDataRef layout, LLVMValueRef gep, uint64_t *offset);
// A load that is done where nobody may come to it keeps no promise about the value.
void tn_load_drop_promises(LLVMValueRef load);
// Nobody writes while the function runs.
void tn_load_mark_invariant(LLVMValueRef load);

// Values' names, borrowed from LLVM until the value is renamed or removed.
tn_str tn_value_name(LLVMValueRef value);
// A device global without linkage is known to the host's linker by a hidden symbol of its unit's,
// which the host pass gives it (compile/clang) and the wrapper refers to: its name, this, and the
// unit's id as 16 hexadecimal digits.
#define TN_LOCAL_GLOBAL_INFIX ".tenon_unit_"
// In device code a device global has its class's type.
#define TN_GLOBAL_TYPE "class.sycl::ext::oneapi::experimental::device_global"
// Whether a type is the class, whose name is as LLVM has it.
bool tn_type_is_class(LLVMTypeRef type, tn_str class);

// What a function is.
bool tn_function_is_kernel(LLVMValueRef function);     // a kernel's definition
bool tn_function_is_intrinsic(LLVMValueRef function);  // llvm.*
bool tn_function_is_external(LLVMValueRef function);   // SYCL_EXTERNAL, defined or declared
bool tn_function_is_defined(LLVMValueRef function);
bool tn_function_is_export(LLVMValueRef function);  // a SYCL_EXTERNAL definition others may see
// Removes a function; what still names it, such as llvm.used, names poison.
void tn_function_delete(LLVMValueRef function);
// Called by compiled code but never an import: __spirv_… and the like, also when mangled.
bool tn_function_is_builtin_name(tn_str symbol);
// The function that headers ask for a group's memory (group_local_memory), also when mangled.
#define TN_GROUP_MEMORY_FUNCTION "__tenon_group_memory"
bool tn_is_group_memory(LLVMValueRef function);
// The constants that a call of it has; false when they are none.
bool tn_group_memory_of(LLVMValueRef call, uint64_t *out_size, uint64_t *out_alignment);
// The place of a function's own attributes, in the type that LLVM wants.
#define TN_ON_FUNCTION ((LLVMAttributeIndex)LLVMAttributeFunctionIndex)
// The function attribute that marks SYCL_EXTERNAL functions: the unit that defines or declares it.
#define TN_ATTR_MODULE_ID "sycl-module-id"
#define TN_ATTR_ARG_SIZE "tenon-arg-size"
#define TN_ATTR_ARG_ALIGN "tenon-arg-align"
#define TN_ATTR_KERNEL_FILE "tenon-kernel-file"
#define TN_ATTR_SUB_GROUP_SIZE "tenon.reqd-sub-group-size"
#define TN_ATTR_WORK_GROUP_SIZE "tenon.reqd-work-group-size"  // "1,8,8", SYCL's order
#define TN_ATTR_ASPECTS "tenon.aspects"  // "5,6": numbers of sycl::aspect, sorted
#define TN_ATTR_KERNEL_LINE "tenon-kernel-line"
// Of kernels that are functions: "0,8,1;8,4,0": offset, size and kind of each argument; "none".
#define TN_ATTR_ARGUMENTS "tenon.arguments"
// Of free functions and of their kernels: "0" for a single task, the dimensions of an nd_range.
#define TN_ATTR_FUNCTION_KIND "tenon.function-kind"
// Of kernels that are functions: the function's symbol.
#define TN_ATTR_FUNCTION "tenon.function"
// How exact an NVIDIA GPU is to compute floats: TN_GPU_EXACT, TN_GPU_FAST; empty = as the flags of
// the instructions say.
#define TN_ATTR_GPU_TRANSCENDENTALS "tenon.gpu-transcendentals"
#define TN_ATTR_GPU_DIVIDE "tenon.gpu-divide"
#define TN_ATTR_GPU_ROOT "tenon.gpu-root"
#define TN_GPU_EXACT "exact"
#define TN_GPU_FAST "fast"
// The function that a constant names, through casts between address spaces; NULL when it is none.
LLVMValueRef tn_function_of_constant(LLVMValueRef constant);
// The text of a constant string variable, borrowed; empty when it is none.
tn_str tn_constant_text(LLVMValueRef value);
void tn_function_set_attr(LLVMValueRef function, const char *key, const char *value);
void tn_function_remove_attr(LLVMValueRef function, const char *key);
tn_str tn_function_attr(LLVMValueRef function, const char *key);  // empty when absent
// Whether its float operations take numbers too small to be normal for zeros.
bool tn_function_flushes_floats(LLVMValueRef function);
void tn_function_remove_enum(LLVMValueRef function, const char *attribute);
void tn_function_add_enum(LLVMValueRef function, const char *attribute);
// Clang forbids it at -O0, in all functions.
void tn_module_allow_inlining(LLVMModuleRef module);

// Where something is in the source; line 0 when unknown. Borrowed from the context.
typedef struct tn_place {
  tn_str file;
  uint32_t line;
  uint32_t column;
} tn_place;
tn_place tn_place_of_instruction(LLVMValueRef instruction);
tn_place tn_place_of_function(LLVMValueRef function);
// The innermost place of the functions inlined around a debug location (a DILocation, or NULL) that
// is in no library header; of an instruction, its location's.
tn_place tn_place_of_user(LLVMContextRef context, LLVMMetadataRef location);
// Whether a file is SYCL's or the C++ library's header.
bool tn_is_library_header(tn_str file);
// Whether a function's place is known and in no such header; costs less than its place.
bool tn_function_is_of_user(LLVMValueRef function);
// Writes beside an instruction where it is: the innermost place of the functions inlined around it
// that is not in such a header. It stays when debug information goes.
void tn_keep_place(LLVMValueRef instruction);
tn_place tn_kept_place(LLVMValueRef instruction);  // file empty when there is none
// "file:line:column: "
void tn_place_write(tn_buf *buf, tn_place place, const char *fallback_file);

// Names for people; the mangled name itself when it is none that demangles.
char *tn_demangle(tn_arena *arena, tn_str symbol);
// A kernel's: the name of its type, without the id of a translation unit.
char *tn_demangle_kernel(tn_arena *arena, tn_str symbol);
// Whether two translation units may use this kernel name (_ZTS…) for different types: true for
// names without linkage, and whenever that is not certain.
bool tn_kernel_name_is_local(tn_str symbol);

// A lambda in whose call operator a kernel's calls end up, as the front end noted it: the kernel's
// function object, or one inside. Strings are the arena's.
typedef struct tn_capture {
  tn_str name;  // "this" for the object or a copy of it
  uint64_t offset;
} tn_capture;
typedef struct tn_closure {
  tn_str kernel;  // "_ZTS…"
  tn_str file;
  uint32_t line;
  tn_capture *captures;
  size_t count;
} tn_closure;
// Adds those of all kernels to `out` (of tn_closure). False when there was no memory.
TN_MUST_USE bool tn_module_closures(LLVMModuleRef module, tn_arena *arena, tn_list *out);

// Remarks: how kernels were vectorized for the CPU, and what prevented it (-Rpass=tenon and
// TENON_LOG=vectorize). The functions do nothing where `remarks` is NULL.
typedef enum tn_remark_kind {
  TN_REMARK_PASSED = 1,
  TN_REMARK_MISSED = 2,
  TN_REMARK_ANALYSIS = 4,
  TN_REMARK_ALL = 7
} tn_remark_kind;
typedef struct tn_remark {
  tn_remark_kind kind;
  const char *subject;  // static: "loop", "load"; one remark for each line, kind and subject
  tn_place place;       // the kernel's where none is known
  const char *text;
} tn_remark;
typedef struct tn_remarks {
  tn_arena *arena;  // borrowed; owns the texts
  uint32_t kinds;   // that are collected
  tn_list list;     // of tn_remark, a kernel's own first
  const char *kernel;  // the current one, for people
  tn_place place;      // its location
  size_t first;        // index of its first remark
  bool is_over;        // the current kernel has more than TN_REMARKS_MAX
} tn_remarks;
enum { TN_REMARKS_MAX = 32 };  // of a kernel
void tn_remarks_init(tn_remarks *remarks, tn_arena *arena, uint32_t kinds);
// The remarks that follow are of this kernel. `kernel` is the arena's.
void tn_remarks_begin(tn_remarks *remarks, const char *kernel, tn_place place);
void tn_remarks_add(tn_remarks *remarks, tn_remark_kind kind, const char *subject, tn_place place,
                    const char *format, ...) TN_PRINTF(5, 6);
// Ends the kernel: the remark about it as a whole becomes its first, "kernel 'name': …".
void tn_remarks_end(tn_remarks *remarks, tn_remark_kind kind, const char *text);
static inline const tn_remark *tn_remarks_at(const tn_remarks *remarks, size_t index) {
  return (const tn_remark *)remarks->list.items[index];
}

// A set of LLVM values (or any pointers) with a value each.
#define TN_POINTER_KEY(p) ((tn_str){(const char *)&(p), sizeof(p)})

#endif
