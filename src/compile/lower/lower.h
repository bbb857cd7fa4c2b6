// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What device code may not do, what its symbols are, and how its kernels become functions for a
// device. Works on modules in place.
#ifndef TN_COMPILE_LOWER_LOWER_H
#define TN_COMPILE_LOWER_LOWER_H

#include "compile/module/module.h"
#include "compile/reach/reach.h"
#include "compile/target/target.h"
#include "image/image.h"

// Before a unit of C is read whole: BUILD_FAILED for kernels that return something.
TN_MUST_USE tn_status tn_lower_check_c_kernels(tn_llvm_job *job, tn_bytes bitcode, tn_diag *diag);
TN_MUST_USE tn_status tn_lower_check_c_module(LLVMModuleRef module, tn_diag *diag);
// Before tn_lower_prepare_unit, and before the kernels of a device are made alike: the TN_KERNEL
// functions of C become kernels of one block (TN_ATTR_ARGUMENTS has its table). BUILD_FAILED for
// what cannot be a kernel.
TN_MUST_USE tn_status tn_lower_c_kernels(LLVMModuleRef module, tn_arena *arena, tn_diag *diag);

// Straight after parsing a translation unit: SYCL_EXTERNAL functions get TN_ATTR_MODULE_ID from
// clang's annotations, kernels the size of their argument and their place in the source;
// annotations, constructors and attributes of one processor are dropped, and virtual tables lose
// their functions.
TN_MUST_USE tn_status tn_lower_prepare_unit(LLVMModuleRef module, const char *module_id,
                                            tn_arena *arena, tn_diag *diag);

// What each kernel and SYCL_EXTERNAL definition asks of a device, over all that it reaches, becomes
// TN_ATTR_ASPECTS. Needs: a unit, or a linked module before it is internalized and simplified.
TN_MUST_USE tn_status tn_lower_note_aspects(LLVMModuleRef module, tn_arena *arena, tn_diag *diag);
// Aspects as sets of bits: 1 << number of sycl::aspect.
// A function's own [[sycl::device_has(…)]]: the numbers as TN_ATTR_ASPECTS has them, "none" for an
// empty list.
#define TN_ATTR_DEVICE_HAS "tenon.device-has"
// What a function and all that it reaches declare; stays when they are inlined.
#define TN_ATTR_DECLARED "tenon.declared-aspects"
// A function's kernel attribute that cannot be what it says: "<line>|<column>|<sentence>|<file>".
#define TN_ATTR_MISUSE "tenon.attribute-misuse"

// A function's try blocks, for the unit's check: "<line>:<column>,<line>:<column>…|<file>".
#define TN_ATTR_TRY_BLOCKS "tenon.try-blocks"

// Numbers with commas between them; other words count as nothing.
uint64_t tn_aspects_read(tn_str text);
// The text of a set that is not empty; NULL when there is no memory.
char *tn_aspects_text(tn_arena *arena, uint64_t set);

// What one instruction asks of a device. `types` caches answers and is the caller's.
uint64_t tn_aspects_of_instruction(tn_map *types, LLVMValueRef instruction);
// `needs` of every node from `uses` of all that it reaches, to which what is declared is added.
void tn_aspects_spread(tn_reach *reach);

// Of a checked unit, before tn_lower_name_unit: its kernels, by the names that they get there, and
// the user's inline functions that device code reaches (tn_unit_definition, of `arena`), with
// hashes of their code: a thousand at most, those that are nearest to kernels.
TN_MUST_USE tn_status tn_lower_list_definitions(LLVMModuleRef module, uint64_t unit_id,
                                                tn_arena *arena,
                                                tn_list *out, tn_diag *diag);

// Final names and linkage in a unit: kernels mergeable or named by the unit, everything that is
// neither kernel nor SYCL_EXTERNAL private to the unit or mergeable.
TN_MUST_USE tn_status tn_lower_name_unit(LLVMModuleRef module, uint64_t unit_id, tn_diag *diag);

// Removes what checks accessor indices.
void tn_cpu_check_drop(LLVMModuleRef module);

// In a linked module, before its debug information goes: checks and barriers keep their places.
void tn_lower_keep_places(LLVMModuleRef module);

// In a unit or a linked module: kernels and SYCL_EXTERNAL functions stay visible if `is_kept` says
// so (NULL: all of them), all else becomes internal.
typedef bool (*tn_lower_keep_fn)(const void *user, tn_str symbol);
void tn_lower_internalize(LLVMModuleRef module, tn_lower_keep_fn is_kept, const void *user);

// What an image says about its code; texts are in `arena`.
typedef struct tn_lower_symbols {
  tn_kernel_info *kernels;
  size_t kernel_count;
  tn_symbol_info *imports;
  size_t import_count;
  tn_symbol_info *exports;
  size_t export_count;
  tn_prop *masks;  // a kernel each: the words of its arguments that it never reads
} tn_lower_symbols;
TN_MUST_USE tn_status tn_lower_list_symbols(LLVMModuleRef module, tn_arena *arena,
                                            tn_lower_symbols *out, tn_diag *diag);

// The specialization constants that the code of an image reads, sorted by name, each with its
// default and its place in the image's buffer; all in `arena`. UNSUPPORTED when a default holds an
// address.
typedef struct tn_lower_specs {
  tn_spec_info *items;
  size_t count;
  uint8_t *buffer;  // with all defaults
  size_t buffer_size;
} tn_lower_specs;
TN_MUST_USE tn_status tn_lower_list_specs(LLVMModuleRef module, tn_arena *arena,
                                          tn_lower_specs *out, tn_diag *diag);
// As clang's device pass leaves a specialization constant: sycl::detail::spec_constant<id>::value.
bool tn_spec_is_variable(LLVMValueRef global);
// Values for a build: every specialization constant that is read becomes a true one, of these bytes
// or its default. Before any optimization, so that all follows from it. *out_any: there was one.
typedef struct tn_lower_spec {
  tn_str name;
  tn_bytes value;
} tn_lower_spec;
TN_MUST_USE tn_status tn_lower_specialize(LLVMModuleRef module, const tn_lower_spec *values,
                                          size_t count, bool *out_any, tn_diag *diag);
// Device globals (docs/decisions/device-globals.md): what their variables' symbols begin with.
#define TN_GLOBAL_PREFIX "__tenon_global_"
bool tn_global_is_marked(LLVMValueRef global);
// Variables of type work_group_static: one for each work-group, in its local memory.
#define TN_GROUP_STATIC_PREFIX "__tenon_group_static_"
bool tn_group_static_is_marked(LLVMValueRef global);
// Whether objects of the type are or have one of work_group_static.
bool tn_group_static_is_within(LLVMTypeRef type);
// The name of a marked variable for people; of the arena.
const char *tn_group_static_shown(LLVMValueRef variable, tn_arena *arena);
// For machine code: their uses become calls of a function of each, TN_GROUP_MEMORY_FUNCTION "."
// and the variable's symbol. All calls of one in a kernel get the same memory.
TN_MUST_USE tn_status tn_group_statics_to_calls(LLVMModuleRef module, tn_diag *diag);
bool tn_group_static_is_function(LLVMValueRef function);
// Before anything else is done to a unit that has no host: BUILD_FAILED when one of its device
// globals begins with a value that code computes, which no device would run.
TN_MUST_USE tn_status tn_lower_check_globals(LLVMModuleRef module, tn_diag *diag);
typedef struct tn_lower_globals {
  tn_global_info *items;
  size_t count;
} tn_lower_globals;
// Those of an image's code, sorted by name, without the prefix; all in `arena`. UNSUPPORTED when a
// value holds an address.
TN_MUST_USE tn_status tn_lower_list_globals(LLVMModuleRef module, tn_arena *arena,
                                            tn_lower_globals *out, tn_diag *diag);
// Before tn_lower_cpu or tn_gpu_lower: the n-th name's variable is where the n-th address in the
// launch's buffer of constants says, counted from `offset` on. INTERNAL for one without a name.
TN_MUST_USE tn_status tn_lower_globals_from_buffer(LLVMModuleRef module, const tn_str *names,
                                                   size_t count, uint32_t offset, tn_diag *diag);
// The same for an image's machine code: the addresses lie behind its constants, at the next
// multiple of 8, in the order of the list.
TN_MUST_USE tn_status tn_lower_globals_behind_specs(LLVMModuleRef module,
                                                    const tn_lower_specs *specs,
                                                    const tn_lower_globals *globals,
                                                    tn_diag *diag);
// The function that machine code has the address of a launch's buffer of constants from.
#define TN_SPEC_BUFFER_FUNCTION "__tenon_spec_constants"
// For machine code, before tn_lower_cpu or tn_gpu_lower: they are read from the launch's buffer
// (tn_cpu_group.spec_constants), where `specs` has placed them.
TN_MUST_USE tn_status tn_lower_specs_from_buffer(LLVMModuleRef module, const tn_lower_specs *specs,
                                                 tn_diag *diag);

// For the CPU: kernels become work-group functions (tenon/cpu_kernel.h). Needs: all code in one
// module. Keeps: nothing but the work-group functions visible. Breaks: kernels are gone.
// `opt_level` 0 widens only kernels that use sub-groups.
typedef struct tn_cpu_target {
  uint32_t vector_bytes;  // of the processor's vectors: 16, 32, 64
  uint32_t sub_group_size;  // of kernels that use sub-groups and require none; 0: the default
  uint32_t group_shape;     // that kernels with barriers are for (tn_cpu_group_shape); 0: any
  // Kernels check their accessor indices and barriers (tn_cpu_check); only those that use
  // sub-groups are widened.
  bool check;
  // The quick tier (TN_BUILD_QUICK): no kernel is widened.
  bool is_quick;
  // Collects remarks about kernels, with places where the module has a line table. NULL: none.
  tn_remarks *remarks;
} tn_cpu_target;
TN_MUST_USE tn_status tn_lower_cpu(tn_llvm_job *job, LLVMModuleRef module,
                                   const tn_cpu_target *target, uint32_t opt_level, tn_diag *diag);
// After tn_lower_cpu and all that optimizes, before machine code is made: what follows, in order.
TN_MUST_USE tn_status tn_lower_cpu_end(LLVMModuleRef module, uint32_t vector_bytes, tn_diag *diag);
// Exchanges of values between lanes become instructions, through memory where it is not known which
// lanes.
void tn_lower_permutes(LLVMModuleRef module);
// Masks that one block leaves to another become numbers, unless the processor has registers for
// masks, which those with vectors of 64 bytes have.
TN_MUST_USE tn_status tn_lower_masks(LLVMModuleRef module, uint32_t vector_bytes, tn_diag *diag);

#endif
