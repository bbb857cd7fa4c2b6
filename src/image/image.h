// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What compiler and runtime agree on: device images, their property sets, and the fat binary that
// carries them (docs/formats/fat-binary.md). Pure functions on bytes; nothing points into a fat
// binary but offsets, and every bound is checked once, in tn_fatbin_parse.
#ifndef TN_IMAGE_IMAGE_H
#define TN_IMAGE_IMAGE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

// What an image's code is. Values are part of the format.
typedef enum tn_image_format {
  TN_IMAGE_FORMAT_NONE = 0,
  TN_IMAGE_FORMAT_BITCODE = 1,  // LLVM bitcode for the image's target triple
  TN_IMAGE_FORMAT_SPIRV = 2,
  TN_IMAGE_FORMAT_PTX = 3,
  TN_IMAGE_FORMAT_CUBIN = 4,
  TN_IMAGE_FORMAT_NATIVE = 5,  // relocatable host object with work-group functions
  TN_IMAGE_FORMAT_HOST = 6,    // the name of a tn_native_table (tenon/cpu_kernel.h) in the file
                               // that carries the fat binary; the n-th such image has the n-th
                               // table of the file's tn_module
  TN_IMAGE_FORMAT_ELF = 7,     // a vendor's machine code in an ELF file (AMD code object, zebin)
} tn_image_format;
const char *tn_image_format_name(uint32_t format);  // "bitcode"; "unknown" for others

// Targets by the names users give to -fsycl-targets=.
#define TN_TARGET_NATIVE_CPU "native_cpu"
#define TN_TARGET_SPIRV64 "spirv64"

// Property set names: seed 000's and DPC++'s where they have one.
#define TN_PROPS_IMPORTED "SYCL/imported symbols"
#define TN_PROPS_EXPORTED "SYCL/exported symbols"
#define TN_PROPS_KERNELS "TENON/kernels"
#define TN_PROPS_GLOBALS "SYCL/device globals"
#define TN_PROPS_SPECS "SYCL/specialization constants"
// One property, TN_PROP_SPEC_DEFAULTS: the buffer of all of the image's constants.
#define TN_PROPS_SPEC_DEFAULTS "SYCL/specialization constants default values"
#define TN_PROP_SPEC_DEFAULTS "all"
// What all of the image's kernels and exports ask of a device together: "aspects" (bytes: a u32
// each, ascending), "reqd_work_group_size" (bytes: u32 for each dimension), "reqd_sub_group_size"
// (u32).
#define TN_PROPS_REQUIREMENTS "SYCL/device requirements"
// For each kernel, in bytes: a bit for each 8 bytes of its block of arguments, the first one
// lowest; 1 when the kernel never reads them.
#define TN_PROPS_ARGUMENT_MASKS "SYCL/kernel param opt"
#define TN_PROPS_MISC "SYCL/misc properties"  // "optLevel" (u32), "moduleId" (bytes), "debug" (u32)

typedef enum tn_prop_type { TN_PROP_U32 = 1, TN_PROP_BYTES = 2 } tn_prop_type;

typedef struct tn_prop {
  tn_str name;     // NUL-terminated inside the fat binary; borrowed from it
  uint32_t type;   // tn_prop_type
  uint32_t u32;    // for TN_PROP_U32
  tn_bytes bytes;  // for TN_PROP_BYTES; borrowed
} tn_prop;

typedef struct tn_fatbin {
  tn_bytes bytes;  // borrowed from the caller of tn_fatbin_parse
  uint32_t image_count;
} tn_fatbin;

typedef struct tn_image {
  tn_str target;    // "native_cpu"; borrowed, NUL-terminated
  tn_str triple;    // LLVM triple of the code
  uint32_t format;  // tn_image_format
  tn_bytes code;    // borrowed
  tn_bytes props;   // private: the validated property area
  tn_bytes base;    // private: the whole fat binary
} tn_image;

typedef struct tn_prop_set {
  tn_str name;
  uint32_t count;
  tn_bytes records;  // private
  tn_bytes base;     // private
} tn_prop_set;

// Checks everything: magic, version, sizes, the checksum, every offset, NUL ends, names, and that
// kernel, import and export records decode. BAD_IMAGE with a sentence that says what is wrong, and
// at which offset.
TN_MUST_USE tn_status tn_fatbin_parse(tn_bytes bytes, tn_fatbin *out, tn_diag *diag);
// The same without the checksum, so that code is not read: for those who want no code of it.
TN_MUST_USE tn_status tn_fatbin_parse_tables(tn_bytes bytes, tn_fatbin *out, tn_diag *diag);
// Walks the fat binaries of a section of a linked file, one for each module in it: start with
// *cursor = 0; false at the end. What is none is handed out too, for tn_fatbin_parse to refuse.
bool tn_fatbin_next(tn_bytes section, size_t *cursor, tn_bytes *out);
// Index below image_count. Borrowed views, good as long as the bytes.
tn_image tn_fatbin_image_at(const tn_fatbin *fatbin, uint32_t index);
// 64-bit content hash over the whole container, for identity of equal bytes in a process.
uint64_t tn_fatbin_hash(const tn_fatbin *fatbin);

uint32_t tn_image_prop_set_count(const tn_image *image);
tn_prop_set tn_image_prop_set_at(const tn_image *image, uint32_t index);
// An absent set is found as empty (count 0).
tn_prop_set tn_image_prop_set_find(const tn_image *image, const char *name);
tn_prop tn_prop_set_at(const tn_prop_set *set, uint32_t index);
// Empty, of no type, when it is not found.
bool tn_prop_set_find(const tn_prop_set *set, tn_str name, tn_prop *out);
// A number of the set SYCL/misc.
uint32_t tn_image_misc_number(const tn_image *image, const char *name, uint32_t otherwise);

// A kernel: a property of TENON/kernels, named by the device symbol. Names of kernels local to a
// translation unit carry the unit's id: "<name>@<16 hex digits>" (tn_kernel_local_name).
enum {
  TN_KERNEL_USES_ND_RANGE = 1u << 0,  // was submitted with an nd_range
  TN_KERNEL_REQUIRES_GROUP_SIZE = 1u << 1,
  TN_KERNEL_REQUIRES_SUB_GROUP_SIZE = 1u << 2,
  TN_KERNEL_IS_FUNCTION = 1u << 3,  // a function of its own, whose arguments are in `args`
  TN_KERNEL_IS_SINGLE_TASK = 1u << 4,  // of functions: has to be launched as one
  // Of functions with TN_KERNEL_USES_ND_RANGE, in the two bits from here on: the dimensions.
  TN_KERNEL_DIMENSIONS_AT = 5,
};
typedef struct tn_kernel_info {
  tn_str name;          // device symbol, with the unit's id where it has one
  tn_str display_name;  // demangled, for people
  tn_str file;          // source of the kernel; empty when unknown
  uint32_t line;
  uint32_t arg_size;  // bytes of the functor block
  uint32_t arg_align;
  uint32_t flags;
  uint32_t group_size[3];   // required, SYCL's order with leading ones; 0 without
  uint32_t sub_group_size;  // required; 0 without
  // Of a kernel that is a function of its own (TN_KERNEL_IS_FUNCTION): offset, size and kind of
  // each argument, three little-endian u32 each.
  tn_bytes args;
} tn_kernel_info;

// An imported or exported symbol. For an import, `user` is the kernel or function that needs it
// (demangled) with the place of its first use; for an export, the function itself.
typedef struct tn_symbol_info {
  tn_str name;          // device symbol (mangled)
  tn_str display_name;  // demangled
  tn_str user;
  tn_str file;
  uint32_t line;
  uint32_t flags;  // TN_SYMBOL_…
} tn_symbol_info;
enum {
  TN_SYMBOL_WEAK = 1u << 0,
  TN_SYMBOL_HIDDEN = 1u << 1,  // of units only: other units of the link see it, nobody else
};

// An argument's numbers in `args`: kinds are TN_ARG_… of tenon/kernel.h.
enum { TN_KERNEL_ARG_SIZE = 12, TN_KERNEL_ARG_KINDS = 4, TN_KERNEL_ARG_MAXIMUM = 4096 };
typedef struct tn_kernel_arg_info {
  uint32_t offset;
  uint32_t size;
  uint32_t kind;
} tn_kernel_arg_info;
size_t tn_kernel_info_arg_count(const tn_kernel_info *kernel);
tn_kernel_arg_info tn_kernel_info_arg_at(const tn_kernel_info *kernel, size_t index);
const char *tn_kernel_arg_kind_name(uint32_t kind);  // "pointer"; "?" for others

uint32_t tn_image_kernel_count(const tn_image *image);
tn_kernel_info tn_image_kernel_at(const tn_image *image, uint32_t index);
bool tn_image_kernel_find(const tn_image *image, tn_str name, tn_kernel_info *out);
uint32_t tn_image_import_count(const tn_image *image);
tn_symbol_info tn_image_import_at(const tn_image *image, uint32_t index);
uint32_t tn_image_export_count(const tn_image *image);
tn_symbol_info tn_image_export_at(const tn_image *image, uint32_t index);
bool tn_image_export_find(const tn_image *image, tn_str name, tn_symbol_info *out);

// Numbers of sycl::aspect that the compiler knows by what code does; tenon/device.h has all.
enum {
  TN_IMAGE_ASPECT_FP16 = 6,
  TN_IMAGE_ASPECT_FP64 = 7,
  TN_IMAGE_ASPECT_ATOMIC64 = 8,
  TN_IMAGE_ASPECT_COUNT = 19,
};
const char *tn_aspect_name(uint32_t number);  // "fp64"; NULL for what this version does not know
bool tn_aspect_find(tn_str name, uint32_t *out_number);
// The set "SYCL/device requirements".
uint32_t tn_image_aspect_count(const tn_image *image);
uint32_t tn_image_aspect_at(const tn_image *image, uint32_t index);
bool tn_image_required_group_size(const tn_image *image, uint32_t out_size[3]);  // leading ones
uint32_t tn_image_required_sub_group_size(const tn_image *image);                // 0: none is

// A specialization constant that an image's code reads: the symbol of its tag type, "_ZTS" +
// TN_SPEC_TYPE_PREFIX …, with the unit's id behind it (tn_kernel_local_name) where the id has no
// linkage. In bitcode it is the symbol of a variable, in machine code a place in a buffer.
#define TN_SPEC_TYPE_PREFIX "N4sycl6detail13spec_constantI"
typedef struct tn_spec_piece {
  uint32_t offset;  // in the value
  uint32_t size;
} tn_spec_piece;
typedef struct tn_spec_info {
  tn_str name;
  uint32_t size;       // of the type
  uint32_t alignment;  // a power of two
  uint32_t offset;     // in the buffer
  uint32_t piece_count;
  // When describing: the bytes of a value that count, in ascending order; the rest is padding.
  const tn_spec_piece *pieces;
  tn_bytes piece_records;  // private: the same of a parsed image
  tn_bytes value;          // the default, padding is 0; empty when describing
} tn_spec_info;
uint32_t tn_image_spec_count(const tn_image *image);
tn_spec_info tn_image_spec_at(const tn_image *image, uint32_t index);
bool tn_image_spec_find(const tn_image *image, tn_str name, tn_spec_info *out);
tn_bytes tn_image_spec_defaults(const tn_image *image);  // the whole buffer
// Of a parsed image: copies a value of info->size bytes with its padding 0.
void tn_spec_value_copy(const tn_spec_info *info, const void *value, uint8_t *out);

// A device global of an image: the symbol of its variable, with the unit's id behind it
// (tn_kernel_local_name) where it has no linkage. An image's are in the order of their names.
typedef struct tn_global_info {
  tn_str name;
  tn_str display_name;  // as the source spells it, with its namespaces
  uint32_t size;
  uint32_t alignment;  // a power of two
  bool is_declared;    // the image uses it and defines it not
  bool is_image_scope;  // device_image_scope: the program may not ask for its address
  tn_bytes value;      // what it is at first; empty: zeros
} tn_global_info;
uint32_t tn_image_global_count(const tn_image *image);
tn_global_info tn_image_global_at(const tn_image *image, uint32_t index);
bool tn_image_global_find(const tn_image *image, tn_str name, tn_global_info *out);

// "<name>@<16 lower-case hex digits of unit_id>" into `buf`.
void tn_kernel_local_name(tn_buf *buf, tn_str name, uint64_t unit_id);
// "__tenon_export_<symbol>": the host data symbol that marks an export (design 3.3).
void tn_export_marker_name(tn_buf *buf, tn_str symbol);

// Building. Descriptions are borrowed until tn_fatbin_write returns; arrays are sorted by name in
// the output, so equal inputs give equal bytes.
typedef struct tn_image_desc {
  const char *target;
  const char *triple;
  uint32_t format;
  tn_bytes code;
  const tn_kernel_info *kernels;
  size_t kernel_count;
  const tn_symbol_info *imports;
  size_t import_count;
  const tn_symbol_info *exports;
  size_t export_count;
  const tn_prop *misc;  // SYCL/misc properties
  size_t misc_count;
  const tn_spec_info *specs;
  size_t spec_count;
  tn_bytes spec_defaults;  // the buffer of all
  const tn_global_info *globals;
  size_t global_count;
  const tn_prop *requirements;  // SYCL/device requirements
  size_t requirement_count;
  const tn_prop *argument_masks;  // SYCL/kernel param opt: one for each kernel; NULL = none
} tn_image_desc;
TN_MUST_USE tn_status tn_fatbin_write(const tn_image_desc *images, size_t image_count, tn_buf *out,
                                      tn_diag *diag);
// One image of a parsed fat binary, with all its property sets, as a fat binary of its own.
TN_MUST_USE tn_status tn_image_write(const tn_image *image, tn_buf *out, tn_diag *diag);
// The images of several fat binaries, in order, as one.
TN_MUST_USE tn_status tn_fatbin_join(const tn_bytes *parts, size_t count, tn_buf *out,
                                     tn_diag *diag);

// An image's code: as it lies there, or decompressed into `arena`. BAD_IMAGE for what is damaged;
// UNSUPPORTED, with what to install, when zstd's library is needed and not there. Formats that have
// no code, such as TN_IMAGE_FORMAT_HOST, are never compressed.
TN_MUST_USE tn_status tn_image_code(const tn_image *image, tn_arena *arena, tn_bytes *out,
                                    tn_diag *diag);
bool tn_image_is_compressed(const tn_image *image);
// As tn_image_write, with its code compressed at zstd's level 1 to 22 where that makes it smaller.
TN_MUST_USE tn_status tn_image_compress(const tn_image *image, uint32_t level, tn_buf *out,
                                        tn_diag *diag);
enum { TN_COMPRESSION_LEVEL_DEFAULT = 10, TN_COMPRESSION_LEVEL_MAXIMUM = 22 };
// Of machine code for a CPU: what it needs of the processor beyond the architecture's baseline, a
// list by commas (base/cpu_feature.h). Absent: nothing.
#define TN_MISC_PROCESSOR "processor features"
#define TN_MISC_GPU_PROCESSOR "processor"  // bytes: "sm_90", that a GPU's code needs at least
// bytes: the variable of a GPU's code that gets the address of what the last word of a launch
// points at, for this image's functions (docs/decisions/gpu-linking.md). Absent: none of them asks
// for it.
#define TN_MISC_SPEC_VARIABLE "spec variable"
#define TN_MISC_OPT_LEVEL "optLevel"       // u32: of the compilation
#define TN_MISC_DEBUG "debug"              // u32: 1 with debug information
#define TN_MISC_COMPRESSION "compression"  // u32: 0 none, 1 zstd
#define TN_MISC_CODE_SIZE "codeSize"       // u32: bytes of the code before it was compressed
// Where SPIR-V notes a failed assert of a kernel, and the SpecId of the constant with its address,
// 0 where there is none. The first that fails has it.
enum { TN_SPIRV_ASSERT_TEXT_SIZE = 256 };
#define TN_SPIRV_ASSERT_ID 0xfffffff3u
typedef struct tn_spirv_assert {
  uint32_t state;  // 0 none; 1 it is being written; 3 it is written
  uint32_t line;
  uint64_t global_id[3];  // [0] varies fastest
  uint64_t local_id[3];
  char condition[TN_SPIRV_ASSERT_TEXT_SIZE];
  char file[TN_SPIRV_ASSERT_TEXT_SIZE];
  char function[TN_SPIRV_ASSERT_TEXT_SIZE];
} tn_spirv_assert;
// As tn_image_write, with other code and further SYCL/misc properties that it does not have yet.
TN_MUST_USE tn_status tn_image_write_code(const tn_image *image, tn_bytes code,
                                          const tn_prop *misc, size_t misc_count, tn_buf *out,
                                          tn_diag *diag);

// Fat objects: LLVM's offload binary (magic 10 FF 10 AD), one or more after another, as clang's
// -fembed-offload-object and llvm-offload-binary write and read them.
typedef struct tn_offload_entry {
  tn_str triple;   // "triple" in the string table
  tn_str arch;     // "arch": the target's word, e.g. native_cpu
  tn_bytes image;  // device bitcode
  tn_str symbols;  // "tenon.symbols": its symbol list; empty when there is none
  tn_str version;  // "tenon.version": of the Tenon that wrote it; empty when there is none
  bool is_foreign;  // when read: not by Tenon; then it may be what the device pass alone made
} tn_offload_entry;
// Each entry is written with a checksum over all three, "tenon.checksum" in its string table.
TN_MUST_USE tn_status tn_offload_write(const tn_offload_entry *entries, size_t count, tn_buf *out,
                                       tn_diag *diag);
// Calls `fn` for each image of kind bitcode and offload kind SYCL; others are skipped. Views are
// borrowed from `bytes`. Stops at the first failure of fn. A checksum is verified where there is
// one: objects that clang itself wrote have none.
typedef tn_status (*tn_offload_fn)(void *user, const tn_offload_entry *entry, tn_diag *diag);
TN_MUST_USE tn_status tn_offload_read(tn_bytes bytes, tn_offload_fn fn, void *user, tn_diag *diag);

// A kernel or inline function that other units may define as well, with a hash of its code.
typedef struct tn_unit_definition {
  tn_str name;
  // 16 hex digits, and "f" where floating-point mathematics is relaxed; those of one length, of
  // units that were optimized alike, can be compared.
  tn_str hash;
  tn_str file;
  uint32_t line;
} tn_unit_definition;
// A unit's symbol list: what it defines and needs, as text beside its bitcode.
typedef struct tn_unit_list {
  bool is_simplified;
  tn_kernel_info *kernels;  // name, place and argument only
  size_t kernel_count;
  tn_symbol_info *exports;
  size_t export_count;
  tn_symbol_info *imports;
  size_t import_count;
  tn_unit_definition *definitions;
  size_t definition_count;
} tn_unit_list;
#define TN_UNIT_LIST_HEAD "tenon-symbols 1"
#define TN_UNIT_LIST_SIMPLIFIED " simplified"
// Texts are views of `text`. *out_known is false when it is no list of this version; a list of this
// version that is damaged is BAD_IMAGE.
TN_MUST_USE tn_status tn_unit_list_read(tn_str text, tn_arena *arena, bool *out_known,
                                        tn_unit_list *out, tn_diag *diag);
// The major version of the LLVM that wrote bitcode, as its identification block says; 0 when it
// does not. `out_text` (may be NULL): "LLVM22.1.8".
uint32_t tn_bitcode_llvm_version(tn_bytes bitcode, char out_text[64]);

// What a SPIR-V module by another compiler says of itself: entry points of the model Kernel, with
// their arguments, and functions with linkage.
typedef struct tn_spirv_module {
  tn_bytes code;  // in little-endian words: the module's own bytes, or a copy in the arena
  tn_kernel_info *kernels;
  bool *has_object;  // for each kernel: its first argument is a structure by value
  size_t kernel_count;
  tn_symbol_info *exports;
  size_t export_count;
  tn_symbol_info *imports;
  size_t import_count;
} tn_spirv_module;
// By its magic number, of either byte order.
bool tn_spirv_is_module(tn_bytes bytes);
// Every bound is checked; texts are views of `out->code`. BAD_IMAGE with the word that is wrong,
// and for modules that are not for kernels with 64-bit addresses.
TN_MUST_USE tn_status tn_spirv_read(tn_bytes module, tn_arena *arena, tn_spirv_module *out,
                                    tn_diag *diag);
// Whether devices of the target take modules.
bool tn_spirv_is_for(const char *target);
// The module as a fat binary of one image for spirv64.
TN_MUST_USE tn_status tn_spirv_write_fatbin(tn_bytes module, tn_buf *out, tn_diag *diag);

// Host containers, as far as device code needs them; every bound checked, nothing allocated.
typedef enum tn_file_kind {
  TN_FILE_OTHER,
  TN_FILE_ELF_OBJECT,
  TN_FILE_ELF_EXECUTABLE,
  TN_FILE_ELF_SHARED,
  TN_FILE_ARCHIVE,
  TN_FILE_THIN_ARCHIVE,
  TN_FILE_FATBIN,
  TN_FILE_BITCODE,
} tn_file_kind;
tn_file_kind tn_file_kind_of(tn_bytes bytes);
#define TN_SECTION_OFFLOAD ".llvm.offloading"
#define TN_SECTION_FATBIN ".tenon.fatbin"
// Finds a section of a 64-bit little-endian ELF file; false when there is none of that name.
TN_MUST_USE tn_status tn_elf_section_find(tn_bytes elf, const char *name, bool *out_found,
                                          tn_bytes *out_contents, tn_diag *diag);
// The same for files with several sections of a name: start with *cursor = 0, call until not found.
TN_MUST_USE tn_status tn_elf_section_next(tn_bytes elf, const char *name, size_t *cursor,
                                          bool *out_found, tn_bytes *out_contents, tn_diag *diag);
// The defined, global symbols of a relocatable ELF file: start with *cursor = 0.
TN_MUST_USE tn_status tn_elf_global_next(tn_bytes elf, size_t *cursor, bool *out_done,
                                         tn_str *out_name, tn_diag *diag);
// A member of an ar archive. A thin archive's is a file of its own: `name` is its path, relative to
// the archive's folder. Where `nested_at` is not 0, that file is an archive, and the member the one
// whose header lies there.
typedef struct tn_archive_member {
  tn_str name;
  tn_bytes contents;  // empty when it is a file
  size_t at;          // of its header
  bool is_file;
  uint64_t nested_at;
} tn_archive_member;
// Walks an ar archive, plain or thin: start with *cursor = 0; *out_done at the end. Symbol tables
// are skipped.
TN_MUST_USE tn_status tn_archive_walk(tn_bytes archive, size_t *cursor, bool *out_done,
                                      tn_archive_member *out, tn_diag *diag);
TN_MUST_USE tn_status tn_archive_at(tn_bytes archive, uint64_t at, tn_archive_member *out,
                                    tn_diag *diag);
// The same of archives that are not thin.
TN_MUST_USE tn_status tn_archive_next(tn_bytes archive, size_t *cursor, bool *out_done,
                                      tn_str *out_name, tn_bytes *out_contents, tn_diag *diag);
// The symbols for which a linker takes members, each with a NUL behind it; none is found in an
// archive that has no such table, or BSD's.
TN_MUST_USE tn_status tn_archive_symbols(tn_bytes archive, bool *out_found, tn_str *out_names,
                                         tn_diag *diag);

#endif
