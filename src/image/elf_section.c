// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections of 64-bit little-endian ELF files, found by name.
#include "image/image.h"
#include "image/image_bytes.h"

#include <elf.h>

static tn_status bad(const char *problem, tn_diag *diag) {
  return TN_FAIL(diag, BAD_IMAGE, "the ELF file is damaged: %s; build it again", problem);
}

static const uint8_t *shdr_at(tn_bytes elf, uint64_t table, uint64_t index) {
  return elf.data + table + index * sizeof(Elf64_Shdr);
}

enum { LONGEST_SYMBOL = 64 * 1024 };

#define LOAD_U32(record, type, member) tn_load_u32((record) + offsetof(type, member))
#define LOAD_U64(record, type, member) tn_load_u64((record) + offsetof(type, member))

typedef struct section_table {
  uint64_t at;
  uint64_t count;
  tn_bytes names;
} section_table;

// Counts that do not fit their 16 bits stand in section 0.
static tn_status read_table(tn_bytes elf, section_table *out, tn_diag *diag) {
  *out = (section_table){0, 0, {NULL, 0}};
  if (elf.size < sizeof(Elf64_Ehdr) || memcmp(elf.data, ELFMAG, SELFMAG) != 0 ||
      elf.data[EI_CLASS] != ELFCLASS64 || elf.data[EI_DATA] != ELFDATA2LSB) {
    return TN_FAIL(diag, BAD_IMAGE, "not a 64-bit little-endian ELF file");
  }
  const uint64_t at = LOAD_U64(elf.data, Elf64_Ehdr, e_shoff);
  if (at == 0) {
    return TN_OK;
  }
  if (tn_load_u16(elf.data + offsetof(Elf64_Ehdr, e_shentsize)) != sizeof(Elf64_Shdr)) {
    return bad("its section headers are of an unknown size", diag);
  }
  if (!tn_range_is_inside(elf.size, at, sizeof(Elf64_Shdr))) {
    return bad("its section headers lie behind the end; the file is truncated", diag);
  }
  uint64_t count = tn_load_u16(elf.data + offsetof(Elf64_Ehdr, e_shnum));
  uint64_t names = tn_load_u16(elf.data + offsetof(Elf64_Ehdr, e_shstrndx));
  count = count != 0 ? count : LOAD_U64(elf.data + at, Elf64_Shdr, sh_size);
  names = names != SHN_XINDEX ? names : LOAD_U32(elf.data + at, Elf64_Shdr, sh_link);
  if (count > elf.size / sizeof(Elf64_Shdr) ||
      !tn_range_is_inside(elf.size, at, count * sizeof(Elf64_Shdr))) {
    return bad("its section headers lie behind the end; the file is truncated", diag);
  }
  if (names == SHN_UNDEF) {
    return TN_OK;
  }
  if (names >= count) {
    return bad("its table of section names is not among its sections", diag);
  }
  const uint8_t *header = shdr_at(elf, at, names);
  const uint64_t names_at = LOAD_U64(header, Elf64_Shdr, sh_offset);
  const uint64_t names_size = LOAD_U64(header, Elf64_Shdr, sh_size);
  if (!tn_range_is_inside(elf.size, names_at, names_size)) {
    return bad("its table of section names lies behind the end", diag);
  }
  *out = (section_table){at, count, {elf.data + names_at, names_size}};
  return TN_OK;
}

static tn_status read_contents(tn_bytes elf, const uint8_t *header, const char *name, tn_bytes *out,
                               tn_diag *diag) {
  const uint64_t at = LOAD_U64(header, Elf64_Shdr, sh_offset);
  const uint64_t size = LOAD_U64(header, Elf64_Shdr, sh_size);
  if (LOAD_U64(header, Elf64_Shdr, sh_flags) & SHF_COMPRESSED) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "section %s is compressed; build it without compressing sections", name);
  }
  if (!tn_range_is_inside(elf.size, at, size)) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the ELF file is damaged: section %s lies behind the end; build it again", name);
  }
  *out = (tn_bytes){elf.data + at, size};
  return TN_OK;
}

// Files that hold debug information only (objcopy --only-keep-debug) keep the header of a section
// without its bytes; there, the section is not found.
tn_status tn_elf_section_next(tn_bytes elf, const char *name, size_t *cursor, bool *out_found,
                              tn_bytes *out_contents, tn_diag *diag) {
  *out_found = false;
  *out_contents = (tn_bytes){NULL, 0};
  section_table table;
  TN_TRY(read_table(elf, &table, diag));
  const size_t name_size = strlen(name) + 1;
  while (*cursor < table.count) {
    const uint8_t *header = shdr_at(elf, table.at, *cursor);
    const uint32_t name_at = LOAD_U32(header, Elf64_Shdr, sh_name);
    const uint32_t type = LOAD_U32(header, Elf64_Shdr, sh_type);
    ++*cursor;
    if (type != SHT_NULL && type != SHT_NOBITS &&
        tn_range_is_inside(table.names.size, name_at, name_size) &&
        memcmp(table.names.data + name_at, name, name_size) == 0) {
      TN_TRY(read_contents(elf, header, name, out_contents, diag));
      *out_found = true;
      return TN_OK;
    }
  }
  return TN_OK;
}

tn_status tn_elf_section_find(tn_bytes elf, const char *name, bool *out_found,
                              tn_bytes *out_contents, tn_diag *diag) {
  size_t cursor = 0;
  return tn_elf_section_next(elf, name, &cursor, out_found, out_contents, diag);
}

tn_status tn_elf_global_next(tn_bytes elf, size_t *cursor, bool *out_done, tn_str *out_name,
                             tn_diag *diag) {
  *out_done = false;
  *out_name = (tn_str){NULL, 0};
  tn_bytes symbols = {NULL, 0};
  tn_bytes names = {NULL, 0};
  bool found = false;
  TN_TRY(tn_elf_section_find(elf, ".symtab", &found, &symbols, diag));
  TN_TRY(tn_elf_section_find(elf, ".strtab", &found, &names, diag));
  for (; *cursor < symbols.size / sizeof(Elf64_Sym); ++*cursor) {
    const uint8_t *symbol = symbols.data + *cursor * sizeof(Elf64_Sym);
    const uint32_t name_at = LOAD_U32(symbol, Elf64_Sym, st_name);
    const uint8_t binding = symbol[offsetof(Elf64_Sym, st_info)] >> 4;
    if (binding != STB_GLOBAL || name_at >= names.size ||
        tn_load_u16(symbol + offsetof(Elf64_Sym, st_shndx)) == SHN_UNDEF) {
      continue;
    }
    const tn_str rest =
        tn_str_slice((tn_str){(const char *)names.data, names.size}, name_at, LONGEST_SYMBOL);
    const size_t end = tn_str_find_char(rest, '\0');
    if (end == SIZE_MAX) {
      return bad("a symbol's name does not end", diag);
    }
    ++*cursor;
    *out_name = (tn_str){rest.data, end};
    return TN_OK;
  }
  *out_done = true;
  return TN_OK;
}
