// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fat binaries as they are, bitcode through the compiler, SPIR-V by what it says of itself.
#include "run/program/image_source.h"

#include "image/image.h"
#include "run/device/device.h"
#include "run/program/bitcode_import.h"

// A program of several modules has as many containers in its section: their images, as one.
static tn_status join_containers(tn_bytes section, tn_buf *out, tn_diag *diag) {
  tn_bytes part;
  size_t count = 0;
  for (size_t at = 0; tn_fatbin_next(section, &at, &part);) {
    count++;
  }
  if (count < 2) {
    tn_buf_add(out, section.data, section.size);
    return tn_buf_status(out, diag);
  }
  tn_bytes *parts = tn_alloc_array(count, sizeof(*parts));
  if (!parts) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu fat binaries", count);
  }
  count = 0;
  for (size_t at = 0; tn_fatbin_next(section, &at, &part);) {
    parts[count++] = part;
  }
  const tn_status status = tn_fatbin_join(parts, count, out, diag);
  tn_free(parts);
  return status;
}

static tn_status read_elf(tn_bytes contents, tn_buf *out, tn_diag *diag) {
  bool is_found = false;
  tn_bytes section = {NULL, 0};
  TN_TRY(tn_elf_section_find(contents, TN_SECTION_FATBIN, &is_found, &section, diag));
  if (!is_found) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "it is an ELF file without section %s: it was not linked by "
                   "tenon++ -fsycl, or has no device code",
                   TN_SECTION_FATBIN);
  }
  if (section.size == 0) {
    return TN_FAIL(diag, BAD_IMAGE, "its section %s is empty", TN_SECTION_FATBIN);
  }
  return join_containers(section, out, diag);
}

static tn_status check_has_device(tn_diag *diag) {
  size_t count = 0;
  TN_TRY(tn_device_count(&count, diag));
  tn_buf names;
  tn_buf_init(&names, 1u << 12);
  for (size_t i = 0; i < count; i++) {
    const tn_device *device = tn_device_at(i);
    if (tn_spirv_is_for(device->target)) {
      tn_buf_deinit(&names);
      return TN_OK;
    }
    tn_buf_add_format(&names, "%s%s (%s)", i > 0 ? ", " : "", device->name, device->target);
  }
  const tn_status status =
      TN_FAIL(diag, UNSUPPORTED,
              "it is SPIR-V, which no device here takes: there %s %s; open LLVM "
              "bitcode or a fat binary for one of these",
              count == 1 ? "is" : "are", count == 0 ? "none" : tn_buf_text(&names));
  tn_buf_deinit(&names);
  return status;
}

// What is wrong with the module comes before what is missing here.
static tn_status read_spirv(tn_bytes contents, tn_buf *out, tn_diag *diag) {
  TN_TRY(tn_spirv_write_fatbin(contents, out, diag));
  return check_has_device(diag);
}

tn_status tn_image_source_read(tn_bytes contents, const char *name, tn_buf *out, tn_diag *diag) {
  switch (tn_file_kind_of(contents)) {
    case TN_FILE_FATBIN:
      return join_containers(contents, out, diag);
    case TN_FILE_ELF_OBJECT:
    case TN_FILE_ELF_EXECUTABLE:
    case TN_FILE_ELF_SHARED:
      return read_elf(contents, out, diag);
    case TN_FILE_BITCODE:
      return tn_bitcode_import(contents, name, out, diag);
    default:
      return tn_spirv_is_module(contents)
                 ? read_spirv(contents, out, diag)
                 : TN_FAIL(diag, BAD_IMAGE,
                           "it is neither a fat binary (tenon-image --extract) nor "
                           "an ELF file that carries one, nor LLVM bitcode or SPIR-V");
  }
}
