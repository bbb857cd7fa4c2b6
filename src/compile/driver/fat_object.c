// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Appends the section with device code to a host object, in place of a run of llvm-objcopy.
#include <elf.h>
#include <inttypes.h>

#include "compile/driver/plan.h"
#include "image/image.h"

#ifndef SHT_LLVM_OFFLOADING
#define SHT_LLVM_OFFLOADING 0x6fff4c0b
#endif

typedef struct elf_view {
  Elf64_Ehdr header;
  Elf64_Shdr first;  // holds the counts that do not fit the header
  uint64_t section_count;
  uint64_t names_index;
  Elf64_Shdr names;
} elf_view;

static bool copy_at(tn_bytes from, uint64_t offset, void *to, size_t size) {
  if (offset > from.size || from.size - offset < size) {
    return false;
  }
  memcpy(to, from.data + offset, size);
  return true;
}

static bool view_object(tn_bytes object, elf_view *view) {
  *view = (elf_view){0};
  if (!copy_at(object, 0, &view->header, sizeof(view->header)) ||
      memcmp(view->header.e_ident, ELFMAG, SELFMAG) != 0 ||
      view->header.e_ident[EI_CLASS] != ELFCLASS64 ||
      view->header.e_ident[EI_DATA] != ELFDATA2LSB || view->header.e_type != ET_REL ||
      view->header.e_shentsize != sizeof(Elf64_Shdr) || view->header.e_shoff == 0 ||
      !copy_at(object, view->header.e_shoff, &view->first, sizeof(view->first))) {
    return false;
  }
  view->section_count = view->header.e_shnum ? view->header.e_shnum : view->first.sh_size;
  view->names_index =
      view->header.e_shstrndx == SHN_XINDEX ? view->first.sh_link : view->header.e_shstrndx;
  const uint64_t most = (object.size - view->header.e_shoff) / sizeof(Elf64_Shdr);
  return view->section_count <= most && view->section_count < UINT32_MAX &&
         view->names_index < view->section_count &&
         copy_at(object, view->header.e_shoff + view->names_index * sizeof(Elf64_Shdr),
                 &view->names, sizeof(view->names)) &&
         view->names.sh_offset <= object.size &&
         view->names.sh_size <= object.size - view->names.sh_offset;
}

// The new table of sections: the old one, with the name table moved and one section more.
static void add_sections(const elf_view *view, tn_bytes object, const Elf64_Shdr *added,
                         uint64_t names_offset, uint64_t names_size, tn_buf *out) {
  const uint64_t count = view->section_count + 1;
  for (uint64_t i = 0; i < view->section_count; i++) {
    Elf64_Shdr section;
    memcpy(&section, object.data + view->header.e_shoff + i * sizeof(section), sizeof(section));
    if (i == view->names_index) {
      section.sh_offset = names_offset;
      section.sh_size = names_size;
    }
    if (i == 0 && count >= SHN_LORESERVE) {
      section.sh_size = count;
    }
    tn_buf_add(out, &section, sizeof(section));
  }
  tn_buf_add(out, added, sizeof(*added));
}

tn_status tn_fat_object_write(tn_bytes object, tn_bytes payload, tn_buf *out, tn_diag *diag) {
  static const char name[] = TN_SECTION_OFFLOAD;
  elf_view view;
  if (!view_object(object, &view)) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "the host object is no 64-bit little-endian ELF object, so device code "
                   "cannot be put into it");
  }
  const size_t start = out->size;
  tn_buf_add(out, object.data, object.size);
  tn_buf_align(out, 8);
  const uint64_t payload_offset = out->size - start;
  tn_buf_add(out, payload.data, payload.size);
  const uint64_t names_offset = out->size - start;
  tn_buf_add(out, object.data + view.names.sh_offset, (size_t)view.names.sh_size);
  tn_buf_add(out, name, sizeof(name));
  tn_buf_align(out, 8);
  const uint64_t table_offset = out->size - start;
  const Elf64_Shdr added = {
      .sh_name = (Elf64_Word)view.names.sh_size,
      .sh_type = SHT_LLVM_OFFLOADING,
      .sh_flags = SHF_EXCLUDE,
      .sh_offset = payload_offset,
      .sh_size = payload.size,
      .sh_addralign = 8,
  };
  add_sections(&view, object, &added, names_offset, view.names.sh_size + sizeof(name), out);
  TN_TRY(tn_buf_status(out, diag));
  Elf64_Ehdr header = view.header;
  header.e_shoff = table_offset;
  header.e_shnum = view.section_count + 1 >= SHN_LORESERVE
                       ? 0
                       : (Elf64_Half)(view.section_count + 1);
  memcpy(out->data + start, &header, sizeof(header));
  return TN_OK;
}
