// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a relocatable ELF object for x86-64 that may be damaged: afterwards every offset is inside.
#include "adapter/cpu/cpu_object.h"

#include "base/alloc.h"

#include <stddef.h>
#include <string.h>

// What a section may be aligned to; device code asks for a cache line, people for a page.
enum { ALIGNMENT_MAXIMUM = 1 << 20 };
enum { SECTION_CREL = 0x40000014 };  // LLVM's compact relocations

tn_status tn_cpu_object_fail(tn_diag *diag, const char *problem) {
  return TN_FAIL(diag, BUILD_FAILED,
                 "the object with device code cannot be loaded: %s; build it again", problem);
}

static bool is_inside(uint64_t total, uint64_t offset, uint64_t size) {
  return size <= total && offset <= total - size;
}

// For this processor at all, and for this loader.
static tn_status check_header(tn_bytes bytes, Elf64_Ehdr *out, tn_diag *diag) {
#if !defined(__x86_64__)
  (void)bytes;
  (void)out;
  return TN_FAIL(diag, UNSUPPORTED, "machine code is put into memory here on x86-64 only");
#else
  if (bytes.size < sizeof(*out) || memcmp(bytes.data, ELFMAG, SELFMAG) != 0) {
    return TN_FAIL(diag, UNSUPPORTED, "the machine code is in no ELF object");
  }
  memcpy(out, bytes.data, sizeof(*out));
  if (out->e_ident[EI_CLASS] != ELFCLASS64 || out->e_ident[EI_DATA] != ELFDATA2LSB ||
      out->e_machine != EM_X86_64) {
    return tn_cpu_object_fail(diag, "it is for another processor");
  }
  if (out->e_type != ET_REL) {
    return tn_cpu_object_fail(diag, "it is linked already");
  }
  if (out->e_shentsize != sizeof(Elf64_Shdr) ||
      !is_inside(bytes.size, out->e_shoff, (uint64_t)out->e_shnum * sizeof(Elf64_Shdr))) {
    return tn_cpu_object_fail(diag, "its section headers lie behind the end");
  }
  if (out->e_shnum == 0 || out->e_shstrndx >= out->e_shnum) {
    return tn_cpu_object_fail(diag, "it has no named sections");
  }
  return TN_OK;
#endif
}

static Elf64_Shdr header_at(const tn_cpu_object *object, size_t index) {
  Elf64_Shdr header;
  memcpy(&header, object->bytes.data + object->headers_at + index * sizeof(header), sizeof(header));
  return header;
}

static bool is_string_table(const tn_cpu_object *object, const Elf64_Shdr *header) {
  return header->sh_type == SHT_STRTAB && header->sh_size > 0 &&
         is_inside(object->bytes.size, header->sh_offset, header->sh_size) &&
         object->bytes.data[header->sh_offset + header->sh_size - 1] == '\0';
}

static bool has_prefix(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Functions that somebody would have to call before and after the kernels, and thread-local
// variables: device code has neither.
static const char *refused(const Elf64_Shdr *header, const char *name) {
  if (header->sh_type == SHT_INIT_ARRAY || header->sh_type == SHT_FINI_ARRAY ||
      header->sh_type == SHT_PREINIT_ARRAY || strcmp(name, ".ctors") == 0 ||
      strcmp(name, ".dtors") == 0 || strcmp(name, ".init") == 0 || strcmp(name, ".fini") == 0) {
    return "it has functions to call before or after the kernels, which device code cannot have";
  }
  if (header->sh_flags & SHF_TLS) {
    return "it has thread-local variables, which device code cannot have";
  }
  if ((header->sh_flags & SHF_WRITE) && (header->sh_flags & SHF_EXECINSTR)) {
    return "it has a section that is both code and written to";
  }
  if ((header->sh_flags & SHF_EXECINSTR) && header->sh_type == SHT_NOBITS) {
    return "it has code without contents";
  }
  if (header->sh_flags & SHF_COMPRESSED) {
    return "a section of it is compressed";
  }
  return NULL;
}

static tn_status place_section(const tn_cpu_object *object, const Elf64_Shdr *header,
                               tn_cpu_section *section, tn_diag *diag) {
  section->part = TN_CPU_NOT_PLACED;
  // How to unwind is for exceptions, which kernels do not throw, and for debuggers.
  const bool is_unwind =
      header->sh_type == SHT_X86_64_UNWIND || strcmp(section->name, ".eh_frame") == 0;
  if (!(header->sh_flags & SHF_ALLOC) || (is_unwind && !object->has_lines)) {
    return TN_OK;
  }
  const char *problem = header->sh_size > 0 ? refused(header, section->name) : NULL;
  if (problem != NULL) {
    return tn_cpu_object_fail(diag, problem);
  }
  if (section->alignment > ALIGNMENT_MAXIMUM ||
      (section->alignment & (section->alignment - 1)) != 0) {
    return tn_cpu_object_fail(diag, "it asks for an alignment that there is not");
  }
  const bool is_fixed = has_prefix(section->name, ".data.rel.ro");  // written by relocation only
  const bool is_written = (header->sh_flags & SHF_WRITE) && !is_fixed;
  section->part = header->sh_flags & SHF_EXECINSTR              ? TN_CPU_CODE
                  : is_written || header->sh_type == SHT_NOBITS ? TN_CPU_DATA
                                                                : TN_CPU_CONSTANTS;
  return TN_OK;
}

static tn_status read_symbols(tn_cpu_object *object, const Elf64_Shdr *header, tn_diag *diag) {
  if (object->symbols != NULL) {
    return tn_cpu_object_fail(diag, "it has two symbol tables");
  }
  if (header->sh_entsize != sizeof(Elf64_Sym) || header->sh_size % sizeof(Elf64_Sym) != 0 ||
      header->sh_info > header->sh_size / sizeof(Elf64_Sym) ||
      header->sh_link >= object->section_count) {
    return tn_cpu_object_fail(diag, "its symbol table is damaged");
  }
  const Elf64_Shdr names = header_at(object, header->sh_link);
  if (!is_string_table(object, &names)) {
    return tn_cpu_object_fail(diag, "its table of symbol names is damaged");
  }
  object->symbols = object->bytes.data + header->sh_offset;
  object->symbol_count = (size_t)(header->sh_size / sizeof(Elf64_Sym));
  object->local_count = header->sh_info;
  object->names = tn_bytes_from(object->bytes.data + names.sh_offset, (size_t)names.sh_size);
  return TN_OK;
}

static tn_status check_relocations(const tn_cpu_object *object, const Elf64_Shdr *header,
                                   tn_diag *diag) {
  if (header->sh_info >= object->section_count ||
      (header->sh_type == SHT_RELA &&
       (header->sh_entsize != sizeof(Elf64_Rela) || header->sh_size % sizeof(Elf64_Rela) != 0))) {
    return tn_cpu_object_fail(diag, "its relocations are damaged");
  }
  return TN_OK;
}

static tn_status read_section(tn_cpu_object *object, size_t index, tn_bytes names, tn_diag *diag) {
  const Elf64_Shdr header = header_at(object, index);
  tn_cpu_section *section = &object->sections[index];
  const bool has_bytes = header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL;
  if (header.sh_name >= names.size ||
      (has_bytes && !is_inside(object->bytes.size, header.sh_offset, header.sh_size))) {
    return tn_cpu_object_fail(diag, "a section of it lies behind the end");
  }
  *section = (tn_cpu_section){.name = (const char *)names.data + header.sh_name,
                              .data = has_bytes ? object->bytes.data + header.sh_offset : NULL,
                              .size = header.sh_type == SHT_NULL ? 0 : header.sh_size,
                              .alignment = header.sh_addralign > 0 ? header.sh_addralign : 1,
                              .part = TN_CPU_NOT_PLACED,
                              .type = header.sh_type,
                              .target = header.sh_info};
  switch (header.sh_type) {
    case SHT_NULL:
      return TN_OK;
    case SHT_SYMTAB:
      return read_symbols(object, &header, diag);
    case SHT_SYMTAB_SHNDX:
      return tn_cpu_object_fail(diag, "it has too many sections");
    case SHT_REL:
    case SHT_RELA:
    case SECTION_CREL:
      return check_relocations(object, &header, diag);
    default:
      return place_section(object, &header, section, diag);
  }
}

static bool has_debug_section(const tn_cpu_object *object, tn_bytes names) {
  for (size_t i = 0; i < object->section_count; i++) {
    const Elf64_Shdr header = header_at(object, i);
    if (header.sh_name < names.size &&
        strcmp((const char *)names.data + header.sh_name, ".debug_info") == 0) {
      return true;
    }
  }
  return false;
}

static tn_status read_sections(tn_cpu_object *object, const Elf64_Ehdr *file, tn_diag *diag) {
  const Elf64_Shdr header = header_at(object, file->e_shstrndx);
  if (!is_string_table(object, &header)) {
    return tn_cpu_object_fail(diag, "its table of section names is damaged");
  }
  const tn_bytes names =
      tn_bytes_from(object->bytes.data + header.sh_offset, (size_t)header.sh_size);
  object->has_lines = has_debug_section(object, names);
  for (size_t i = 0; i < object->section_count; i++) {
    TN_TRY(read_section(object, i, names, diag));
  }
  return object->symbols != NULL ? TN_OK : tn_cpu_object_fail(diag, "it has no symbols");
}

tn_status tn_cpu_object_read(tn_bytes bytes, tn_cpu_object *out, tn_diag *diag) {
  *out = (tn_cpu_object){.bytes = bytes};
  Elf64_Ehdr header = {0};
  TN_TRY(check_header(bytes, &header, diag));
  out->sections = tn_alloc_array(header.e_shnum, sizeof(*out->sections));
  if (out->sections == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to load device code");
  }
  out->section_count = header.e_shnum;
  out->headers_at = header.e_shoff;
  const tn_status status = read_sections(out, &header, diag);
  if (status != TN_OK) {
    tn_cpu_object_deinit(out);
  }
  return status;
}

bool tn_cpu_section_has_relocations(const tn_cpu_section *section) {
  return section->type == SHT_RELA || section->type == SHT_REL || section->type == SECTION_CREL;
}

void tn_cpu_object_deinit(tn_cpu_object *object) {
  tn_free(object->sections);
  *object = (tn_cpu_object){.sections = NULL};
}

Elf64_Sym tn_cpu_object_symbol(const tn_cpu_object *object, size_t index) {
  Elf64_Sym symbol;
  memcpy(&symbol, object->symbols + index * sizeof(symbol), sizeof(symbol));
  return symbol;
}

const tn_cpu_section *tn_cpu_object_section_of(const tn_cpu_object *object,
                                               const Elf64_Sym *symbol) {
  if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx >= object->section_count) {
    return NULL;
  }
  const tn_cpu_section *section = &object->sections[symbol->st_shndx];
  return section->part != TN_CPU_NOT_PLACED && symbol->st_value <= section->size ? section : NULL;
}

tn_status tn_cpu_object_name(const tn_cpu_object *object, const Elf64_Sym *symbol, tn_str *out,
                             tn_diag *diag) {
  if (symbol->st_name >= object->names.size) {
    *out = TN_STR_LIT("");
    return tn_cpu_object_fail(diag, "a symbol's name lies behind the end");
  }
  *out = tn_str_from((const char *)object->names.data + symbol->st_name);
  return TN_OK;
}
