// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols' roles in relocatable machine code of NVIDIA's, which is ELF: of two definitions the
// linker takes the one that is not weak. A definition cannot be made local here, as the order of an
// ELF file's symbols says which ones are; so one that no other image wants is weak as well.
#include "adapter/cuda/cuda_roles.h"

#include <elf.h>

enum { CODE_MAXIMUM = 1 << 30 };

static bool read_header(tn_bytes code, Elf64_Ehdr *out) {
  if (code.size < sizeof(*out)) {
    return false;
  }
  memcpy(out, code.data, sizeof(*out));
  return memcmp(out->e_ident, ELFMAG, SELFMAG) == 0 && out->e_ident[EI_CLASS] == ELFCLASS64 &&
         out->e_ident[EI_DATA] == ELFDATA2LSB;
}

bool tn_cuda_cubin_is_relocatable(tn_bytes code) {
  Elf64_Ehdr header;
  return read_header(code, &header) && header.e_type == ET_REL;
}

static bool read_section(tn_bytes code, const Elf64_Ehdr *header, size_t index, Elf64_Shdr *out) {
  const uint64_t at = header->e_shoff + index * sizeof(*out);
  if (index >= header->e_shnum || header->e_shentsize != sizeof(*out) || at < header->e_shoff ||
      at > code.size || code.size - at < sizeof(*out)) {
    return false;
  }
  memcpy(out, (const uint8_t *)code.data + at, sizeof(*out));
  return out->sh_type == SHT_NOBITS ||
         (out->sh_offset <= code.size && out->sh_size <= code.size - out->sh_offset);
}

static tn_str symbol_name(tn_bytes code, const Elf64_Shdr *names, const Elf64_Sym *symbol) {
  if (symbol->st_name >= names->sh_size) {
    return (tn_str){0};
  }
  const char *begin = (const char *)code.data + names->sh_offset + symbol->st_name;
  const char *end = memchr(begin, 0, names->sh_size - symbol->st_name);
  return end ? (tn_str){begin, (size_t)(end - begin)} : (tn_str){0};
}

static bool is_kernel(const tn_adapter_linkage *linkage, tn_str name) {
  for (size_t k = 0; k < linkage->kernel_count; k++) {
    const tn_str kernel = tn_str_from(linkage->kernel_name(linkage->user, k));
    bool is_equal = kernel.size == name.size;
    for (size_t i = 0; i < name.size && is_equal; i++) {
      const char c = kernel.data[i] == '@' || kernel.data[i] == '.' ? '$' : kernel.data[i];
      is_equal = c == name.data[i];
    }
    if (is_equal) {
      return true;
    }
  }
  return false;
}

// The binding that the symbol gets.
static unsigned binding_of(const tn_adapter_linkage *linkage, tn_str name, unsigned binding) {
  switch (tn_cuda_role_of(linkage, name)) {
    case TN_ADAPTER_SYMBOL_PROVIDED:
      return STB_GLOBAL;
    case TN_ADAPTER_SYMBOL_REPLACED:
    case TN_ADAPTER_SYMBOL_UNUSED:
      return STB_WEAK;
    default:
      return linkage->image_index > 0 && is_kernel(linkage, name) ? STB_WEAK : binding;
  }
}

static void write_table(const tn_adapter_linkage *linkage, tn_bytes code, const Elf64_Shdr *table,
                        const Elf64_Shdr *names, uint8_t *out, bool *changed) {
  for (uint64_t at = 0; table->sh_size - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    memcpy(&symbol, (const uint8_t *)code.data + table->sh_offset + at, sizeof(symbol));
    const unsigned binding = ELF64_ST_BIND(symbol.st_info);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF ||
        binding == STB_LOCAL) {
      continue;
    }
    const unsigned wanted = binding_of(linkage, symbol_name(code, names, &symbol), binding);
    if (wanted != binding) {
      *changed = true;
      out[table->sh_offset + at + offsetof(Elf64_Sym, st_info)] =
          (uint8_t)ELF64_ST_INFO(wanted, ELF64_ST_TYPE(symbol.st_info));
    }
  }
}

tn_status tn_cuda_cubin_write_roles(const tn_adapter_linkage *linkage, tn_bytes code, tn_buf *out,
                                    tn_diag *diag) {
  Elf64_Ehdr header;
  tn_buf_init(out, CODE_MAXIMUM);
  if (!read_header(code, &header)) {
    return TN_FAIL(diag, BAD_IMAGE, "it is said to be machine code, but is not an ELF file");
  }
  bool changed = false;
  tn_buf_add(out, code.data, code.size);
  TN_TRY(tn_buf_status(out, diag));
  for (size_t i = 0; i < header.e_shnum; i++) {
    Elf64_Shdr table;
    Elf64_Shdr names;
    if (read_section(code, &header, i, &table) && table.sh_type == SHT_SYMTAB &&
        read_section(code, &header, table.sh_link, &names)) {
      write_table(linkage, code, &table, &names, (uint8_t *)(uintptr_t)tn_buf_bytes(out).data,
                  &changed);
    }
  }
  if (!changed) {
    tn_buf_clear(out);
  }
  return TN_OK;
}
