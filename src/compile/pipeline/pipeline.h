// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Link, lower, emit: in memory, and the only place that knows their order. The driver and the
// run-time compiler both call it.
#ifndef TN_COMPILE_PIPELINE_PIPELINE_H
#define TN_COMPILE_PIPELINE_PIPELINE_H

#include "base/arena.h"
#include "base/buf.h"
#include "compile/pipeline/passes.h"
#include "compile/target/target.h"
#include "tenon/compiler.h"

struct LLVMOpaqueModule;  // LLVMModuleRef points to it

// What Clang makes of OpenCL C for spirv64 → SPIR-V, with its kernels as they are. Takes the
// module, which is alone in its context, over. BUILD_FAILED with the reason.
TN_MUST_USE tn_status tn_pipeline_compile_opencl(struct LLVMOpaqueModule *take_module,
                                                 const tn_target *target, uint32_t opt_level,
                                                 const char *name, tn_buf *out, tn_buf *messages,
                                                 tn_diag *diag);

// Remarks about kernels for the CPU: -Rpass, -Rpass-missed, -Rpass-analysis.
enum { TN_UNIT_REMARKS_PASSED = 1, TN_UNIT_REMARKS_MISSED = 2, TN_UNIT_REMARKS_ANALYSIS = 4 };

// One translation unit, straight from the device pass: device bitcode (any number of kernels).
typedef struct tn_unit_params {
  tn_bytes bitcode;
  const char *source;  // for messages
  const char *recorded_source;  // what the code keeps of it; NULL = `source`
  uint64_t unit_id;    // tells kernels of names without linkage apart
  const tn_target *target;
  uint32_t opt_level;  // 0..3
  uint32_t sub_group_size;  // that kernels require which name none; 0 = they require none
  uint32_t remarks;  // TN_UNIT_REMARKS_…, in the messages; 0 = none
  const char *remark_processor;  // that they are for, of -march=; NULL = this machine's
  bool debug;  // with `opt_level` 0: kernels are not vectorized
  // Bitcode by another compiler: when it marks nothing as SYCL_EXTERNAL and has no kernel, all
  // functions that a linker would see are meant for others.
  bool is_foreign;
  bool is_c;  // a source in C: its kernels are functions
  // Device code for a GPU that nobody else links to: functions that are kernels are that alone,
  // unless another function of the unit calls them.
  bool hides_kernel_functions;
} tn_unit_params;
// Diagnoses what device code may not do, within this unit; gives kernels their final names and
// linkage, marks SYCL_EXTERNAL functions with their module id, simplifies, and writes bitcode for
// the fat object and its symbol list (docs/formats/fat-object.md). Every violation becomes a line
// group in `messages` in clang's form (file:line: error: …, notes for the call chain); any
// violation makes it BUILD_FAILED with a summary in `diag`.
TN_MUST_USE tn_status tn_pipeline_unit(const tn_unit_params *params, tn_buf *out_bitcode,
                                       tn_buf *out_symbols, tn_buf *messages, tn_diag *diag);

// -fsycl-device-code-split=: which kernels share an image. BY_NEEDS is PER_SOURCE, and tells
// kernels apart by what they ask of a device besides. AUTO is the same, but that each kernel of a
// source with many or large ones has an image, where code is compiled at run time: such kernels are
// mostly instantiations of templates, of which a program launches a few.
typedef enum tn_split_mode {
  TN_SPLIT_AUTO, TN_SPLIT_PER_SOURCE, TN_SPLIT_PER_KERNEL, TN_SPLIT_OFF, TN_SPLIT_BY_NEEDS,
} tn_split_mode;
// As many kernels of a source share an image, when all its functions have no more instructions.
enum { TN_SPLIT_SHARED_KERNELS = 16, TN_SPLIT_SHARED_INSTRUCTIONS = 4000 };

typedef struct tn_link_input {
  tn_bytes bitcode;  // as tn_pipeline_unit wrote it
  tn_str symbols;    // as well; empty when there is none: then the bitcode is read for it
  const char *name;  // object or archive member, for messages
} tn_link_input;

// Where results of device links are kept by content; called from several threads at a time. A
// failure to keep is nobody's concern.
typedef struct tn_link_cache {
  void *user;
  bool (*get)(void *user, const uint8_t key[32], tn_buf *out);  // false: it is not there
  void (*put)(void *user, const uint8_t key[32], tn_bytes value);
} tn_link_cache;

typedef struct tn_link_params {
  const tn_target *target;
  const char *output;  // the module's name (a.out), for messages and the moduleId property
  const tn_link_input *inputs;
  size_t input_count;
  uint32_t opt_level;  // 0..3
  bool debug;          // keep full debug information
  tn_split_mode split;
  uint32_t threads;    // that lower groups, and pieces of a group; 0 is 1
  // -fno-sycl-rdc: every input by itself. A reference to another's SYCL_EXTERNAL is an error,
  // unless `allow_imports`.
  bool alone;
  bool allow_imports;
  bool embed_ir;          // intermediate code beside machine code, also where it is not needed
  const char *const *tool_words;  // for the vendor's compiler, ending in NULL; NULL = none
  const char *cuda_path;      // --cuda-path=; NULL = look for it
  const char *temps_stem;     // --save-temps: "<folder>/<name>"; NULL without
  bool verbose;               // -v: what was chosen is said in the messages
  const tn_link_cache *cache;  // NULL without
  uint32_t compression_level;  // --offload-compress: of images' code; 0 = not compressed
  struct tn_ready_unit *ready;  // the pipeline's own: the only input's code, in memory; NULL
} tn_link_params;

typedef struct tn_link_result {
  tn_arena arena;
  tn_list images;   // of tn_buf: fat binaries, to be joined in this order
  tn_list natives;  // of tn_buf: host objects with the code of images of format HOST, to be linked
  size_t group_count;   // images were made in so many steps,
  size_t cached_count;  // of which so many were had from the cache
} tn_link_result;
void tn_link_result_init(tn_link_result *result);
void tn_link_result_deinit(tn_link_result *result);
// Units → device images with their property sets; none when the inputs hold neither kernels nor
// exports. Messages as above.
TN_MUST_USE tn_status tn_pipeline_link(const tn_link_params *params, tn_link_result *result,
                                       tn_buf *messages, tn_diag *diag);
// Compresses images, at a level that takes little time, where all together have more than `most`
// bytes. What is compressed already stays as it is.
TN_MUST_USE tn_status tn_pipeline_pack(const tn_link_result *result, uint64_t most,
                                       bool *out_was_packed, tn_diag *diag);
// A program of one unit, from the device pass to its images and all in memory: as tn_pipeline_unit
// and tn_pipeline_link with that as the only input, but that nothing is compared with other units.
// `take_module` stands for the unit's bitcode and is taken over with its context, of which it is
// the only module; `link` has no inputs.
TN_MUST_USE tn_status tn_pipeline_compile(struct LLVMOpaqueModule *take_module,
                                          const tn_unit_params *unit, const tn_link_params *link,
                                          tn_link_result *result, tn_buf *messages, tn_diag *diag);
// The symbols that inputs use and none of them defines (tn_symbol_info, of `arena`), without
// linking.
TN_MUST_USE tn_status tn_pipeline_missing(const tn_link_input *inputs, size_t count,
                                          tn_arena *arena, tn_list *out, tn_diag *diag);

// The functions that one input gives to others (tn_symbol_info, of `arena` and the input).
TN_MUST_USE tn_status tn_pipeline_exports(const tn_link_input *input, tn_arena *arena, tn_list *out,
                                          tn_diag *diag);

// The kernels of a unit (tn_kernel_info, of `arena`): name, place and the argument's size, with the
// unit's id in names that have it.
TN_MUST_USE tn_status tn_pipeline_kernels(const tn_link_input *input, tn_arena *arena,
                                          tn_list *out, tn_diag *diag);

// Whether bitcode is device code: it has kernels or SYCL_EXTERNAL functions. False when LLVM cannot
// read it.
bool tn_pipeline_is_device_code(tn_bytes bitcode, const char *name);

// Images → a native object for this machine (compiler.h's `build`).
TN_MUST_USE tn_status tn_pipeline_build(const tn_build_params *params, tn_buf *out_object,
                                        tn_diag *diag);

// Bitcode of any maker → a fat binary of its images for the target its triple names: this machine's
// CPU, spirv64 or nvptx64 (compiler.h's `import_bitcode`). BAD_IMAGE for other triples, and when
// it has neither kernels nor functions for others.
TN_MUST_USE tn_status tn_pipeline_import(tn_bytes bitcode, const char *name, tn_buf *out,
                                         tn_diag *diag);

// One module for spirv64, lowered and optimized → SPIR-V (compiler.h's `emit_spirv`).
TN_MUST_USE tn_status tn_pipeline_emit_spirv(tn_bytes bitcode, uint32_t opt_level, tn_buf *out,
                                             tn_diag *diag);

// Sets LLVM's back end for this machine up, once a process; tn_pipeline_build does so by itself.
// Any thread. UNSUPPORTED when the LLVM library lacks it.
TN_MUST_USE tn_status tn_pipeline_init(tn_diag *diag);

#endif
