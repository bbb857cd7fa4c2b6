// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a file is, by its first bytes, and for ELF files by what their headers say.
#include "image/image.h"
#include "image/image_bytes.h"

#include <elf.h>

// Whether the dynamic section at `at` marks a position-independent executable.
static bool dynamic_says_pie(tn_bytes elf, uint64_t at, uint64_t size) {
  if (!tn_range_is_inside(elf.size, at, size)) {
    return false;
  }
  for (uint64_t i = 0; i + sizeof(Elf64_Dyn) <= size; i += sizeof(Elf64_Dyn)) {
    const uint64_t tag = tn_load_u64(elf.data + at + i);
    if (tag == DT_NULL) {
      return false;
    }
    if (tag == DT_FLAGS_1) {
      return (tn_load_u64(elf.data + at + i + sizeof(uint64_t)) & DF_1_PIE) != 0;
    }
  }
  return false;
}

// Shared libraries and such executables are of one ELF type.
static bool is_pie(tn_bytes elf) {
  const uint64_t table = tn_load_u64(elf.data + offsetof(Elf64_Ehdr, e_phoff));
  const uint64_t count = tn_load_u16(elf.data + offsetof(Elf64_Ehdr, e_phnum));
  if (tn_load_u16(elf.data + offsetof(Elf64_Ehdr, e_phentsize)) != sizeof(Elf64_Phdr) ||
      !tn_range_is_inside(elf.size, table, count * sizeof(Elf64_Phdr))) {
    return false;
  }
  for (uint64_t i = 0; i < count; i++) {
    const uint8_t *header = elf.data + table + i * sizeof(Elf64_Phdr);
    if (tn_load_u32(header) == PT_DYNAMIC) {
      return dynamic_says_pie(elf, tn_load_u64(header + offsetof(Elf64_Phdr, p_offset)),
                              tn_load_u64(header + offsetof(Elf64_Phdr, p_filesz)));
    }
  }
  return false;
}

static tn_file_kind elf_kind(tn_bytes elf) {
  if (elf.size < sizeof(Elf64_Ehdr) || elf.data[EI_CLASS] != ELFCLASS64 ||
      elf.data[EI_DATA] != ELFDATA2LSB) {
    return TN_FILE_OTHER;
  }
  switch (tn_load_u16(elf.data + offsetof(Elf64_Ehdr, e_type))) {
    case ET_REL:
      return TN_FILE_ELF_OBJECT;
    case ET_EXEC:
      return TN_FILE_ELF_EXECUTABLE;
    case ET_DYN:
      return is_pie(elf) ? TN_FILE_ELF_EXECUTABLE : TN_FILE_ELF_SHARED;
    default:
      return TN_FILE_OTHER;
  }
}

tn_file_kind tn_file_kind_of(tn_bytes bytes) {
  static const struct {
    const char *magic;
    size_t size;
    tn_file_kind kind;
  } rows[] = {
      {"!<arch>\n", 8, TN_FILE_ARCHIVE},
      {"!<thin>\n", 8, TN_FILE_THIN_ARCHIVE},
      {"TNFB", 4, TN_FILE_FATBIN},
      {"BC\xc0\xde", 4, TN_FILE_BITCODE},
      {"\xde\xc0\x17\x0b", 4, TN_FILE_BITCODE},  // in LLVM's wrapper
  };
  if (bytes.size >= SELFMAG && memcmp(bytes.data, ELFMAG, SELFMAG) == 0) {
    return elf_kind(bytes);
  }
  for (size_t i = 0; i < TN_COUNT(rows); i++) {
    if (bytes.size >= rows[i].size && memcmp(bytes.data, rows[i].magic, rows[i].size) == 0) {
      return rows[i].kind;
    }
  }
  return TN_FILE_OTHER;
}
