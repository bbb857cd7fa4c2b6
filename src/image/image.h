// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What both wings agree on: device images, their property sets, and the fat binary that carries
// them (docs/formats/fat-binary.md). Pure functions on bytes; nothing points into a fat binary but
// offsets, and every bound is checked once, in tn_fatbin_parse.
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
} tn_image_format;
const char *tn_image_format_name(uint32_t format);  // "bitcode"; "unknown" for others

// Targets by the names users give to -fsycl-targets=.
#define TN_TARGET_NATIVE_CPU "native_cpu"

// Property set names: seed 000's and DPC++'s where they have one.
#define TN_PROPS_IMPORTED "SYCL/imported symbols"
#define TN_PROPS_EXPORTED "SYCL/exported symbols"
#define TN_PROPS_KERNELS "TENON/kernels"
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
// Index below image_count. Borrowed views, good as long as the bytes.
tn_image tn_fatbin_image_at(const tn_fatbin *fatbin, uint32_t index);
// 64-bit content hash over the whole container, for identity of equal bytes in a process.
uint64_t tn_fatbin_hash(const tn_fatbin *fatbin);

uint32_t tn_image_prop_set_count(const tn_image *image);
tn_prop_set tn_image_prop_set_at(const tn_image *image, uint32_t index);
// An absent set is found as empty (count 0).
tn_prop_set tn_image_prop_set_find(const tn_image *image, const char *name);
tn_prop tn_prop_set_at(const tn_prop_set *set, uint32_t index);
bool tn_prop_set_find(const tn_prop_set *set, tn_str name, tn_prop *out);

// A kernel: a property of TENON/kernels, named by the device symbol. Names of kernels local to a
// translation unit carry the unit's id: "<name>@<16 hex digits>" (tn_kernel_local_name).
enum {
  TN_KERNEL_USES_ND_RANGE = 1u << 0,  // was submitted with an nd_range
  TN_KERNEL_REQUIRES_GROUP_SIZE = 1u << 1,
  TN_KERNEL_REQUIRES_SUB_GROUP_SIZE = 1u << 2,
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
} tn_kernel_info;

// An imported or exported symbol. For an import, `user` is the kernel or function that needs it
// (demangled) with the place of its first use; for an export, the function itself.
typedef struct tn_symbol_info {
  tn_str name;          // device symbol (mangled)
  tn_str display_name;  // demangled
  tn_str user;
  tn_str file;
  uint32_t line;
  uint32_t flags;  // TN_SYMBOL_WEAK
} tn_symbol_info;
enum { TN_SYMBOL_WEAK = 1u << 0 };

uint32_t tn_image_kernel_count(const tn_image *image);
tn_kernel_info tn_image_kernel_at(const tn_image *image, uint32_t index);
bool tn_image_kernel_find(const tn_image *image, tn_str name, tn_kernel_info *out);
uint32_t tn_image_import_count(const tn_image *image);
tn_symbol_info tn_image_import_at(const tn_image *image, uint32_t index);
uint32_t tn_image_export_count(const tn_image *image);
tn_symbol_info tn_image_export_at(const tn_image *image, uint32_t index);
bool tn_image_export_find(const tn_image *image, tn_str name, tn_symbol_info *out);

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
} tn_image_desc;
TN_MUST_USE tn_status tn_fatbin_write(const tn_image_desc *images, size_t image_count, tn_buf *out,
                                      tn_diag *diag);
// One image of a parsed fat binary, with all its property sets, as a fat binary of its own.
TN_MUST_USE tn_status tn_image_write(const tn_image *image, tn_buf *out, tn_diag *diag);

// Fat objects: LLVM's offload binary (magic 10 FF 10 AD), one or more after another, as clang's
// -fembed-offload-object and llvm-offload-binary write and read them.
typedef struct tn_offload_entry {
  tn_str triple;   // "triple" in the string table
  tn_str arch;     // "arch": the Tenon target name, e.g. native_cpu
  tn_bytes image;  // device bitcode
} tn_offload_entry;
// Each entry is written with a checksum over all three, "tenon.checksum" in its string table.
TN_MUST_USE tn_status tn_offload_write(const tn_offload_entry *entries, size_t count, tn_buf *out,
                                       tn_diag *diag);
// Calls `fn` for each image of kind bitcode and offload kind SYCL; others are skipped. Views are
// borrowed from `bytes`. Stops at the first failure of fn. A checksum is verified where there is
// one: objects that clang itself wrote have none.
typedef tn_status (*tn_offload_fn)(void *user, const tn_offload_entry *entry, tn_diag *diag);
TN_MUST_USE tn_status tn_offload_read(tn_bytes bytes, tn_offload_fn fn, void *user, tn_diag *diag);

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
// Walks an ar archive: start with *cursor = 0; *out_done at the end. Symbol tables are skipped.
TN_MUST_USE tn_status tn_archive_next(tn_bytes archive, size_t *cursor, bool *out_done,
                                      tn_str *out_name, tn_bytes *out_contents, tn_diag *diag);

#endif
