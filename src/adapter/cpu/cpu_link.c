// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links an object in memory: a table of symbols' addresses, stubs, then each relocation as the ABI
// of x86-64 says it (System V ABI, AMD64 supplement, "Relocation").
#include "adapter/cpu/cpu_object.h"
#include "base/host_function.h"

#include <string.h>

// Of newer processors' longer instructions; glibc's header may not know them.
enum { CODE_4_GOTPCRELX = 43, CODE_5_GOTPCRELX = 46, CODE_6_GOTPCRELX = 49 };

// In the ABI's letters: S the symbol, A the addend, P the place, G the symbol's slot in the table,
// GOT the table, L the symbol or its stub, Z the symbol's size.
typedef enum formula {
  IS_S,              // S + A
  IS_S_FROM_P,       // S + A - P
  IS_CALL_FROM_P,    // L + A - P
  IS_SLOT_FROM_P,    // GOT + G + A - P
  IS_SLOT_FROM_GOT,  // G + A
  IS_GOT_FROM_P,     // GOT + A - P
  IS_S_FROM_GOT,     // S + A - GOT
  IS_CALL_FROM_GOT,  // L + A - GOT
  IS_SIZE,           // Z + A
} formula;
typedef enum range { ANY, SIGNED, UNSIGNED } range;

typedef struct relocation_kind {
  uint32_t type;
  uint8_t width;
  uint8_t formula;
  uint8_t range;
} relocation_kind;

static const relocation_kind kinds[] = {
    {R_X86_64_PC32, 4, IS_S_FROM_P, SIGNED},
    {R_X86_64_PLT32, 4, IS_CALL_FROM_P, SIGNED},
    {R_X86_64_64, 8, IS_S, ANY},
    {R_X86_64_GOTPCREL, 4, IS_SLOT_FROM_P, SIGNED},
    {R_X86_64_GOTPCRELX, 4, IS_SLOT_FROM_P, SIGNED},
    {R_X86_64_REX_GOTPCRELX, 4, IS_SLOT_FROM_P, SIGNED},
    {CODE_4_GOTPCRELX, 4, IS_SLOT_FROM_P, SIGNED},
    {CODE_5_GOTPCRELX, 4, IS_SLOT_FROM_P, SIGNED},
    {CODE_6_GOTPCRELX, 4, IS_SLOT_FROM_P, SIGNED},
    {R_X86_64_32, 4, IS_S, UNSIGNED},
    {R_X86_64_32S, 4, IS_S, SIGNED},
    {R_X86_64_PC64, 8, IS_S_FROM_P, ANY},
    {R_X86_64_GOT32, 4, IS_SLOT_FROM_GOT, SIGNED},
    {R_X86_64_GOT64, 8, IS_SLOT_FROM_GOT, ANY},
    {R_X86_64_GOTPLT64, 8, IS_SLOT_FROM_GOT, ANY},
    {R_X86_64_GOTPCREL64, 8, IS_SLOT_FROM_P, ANY},
    {R_X86_64_GOTPC32, 4, IS_GOT_FROM_P, SIGNED},
    {R_X86_64_GOTPC64, 8, IS_GOT_FROM_P, ANY},
    {R_X86_64_GOTOFF64, 8, IS_S_FROM_GOT, ANY},
    {R_X86_64_PLTOFF64, 8, IS_CALL_FROM_GOT, ANY},
    {R_X86_64_SIZE32, 4, IS_SIZE, UNSIGNED},
    {R_X86_64_SIZE64, 8, IS_SIZE, ANY},
    {R_X86_64_16, 2, IS_S, UNSIGNED},
    {R_X86_64_PC16, 2, IS_S_FROM_P, SIGNED},
    {R_X86_64_8, 1, IS_S, UNSIGNED},
    {R_X86_64_PC8, 1, IS_S_FROM_P, SIGNED},
};

static const relocation_kind *find_kind(uint32_t type) {
  for (size_t i = 0; i < TN_COUNT(kinds); i++) {
    if (kinds[i].type == type) {
      return &kinds[i];
    }
  }
  return NULL;
}

static uint64_t address_of(const tn_cpu_link *link, uint64_t at) {
  return (uint64_t)(uintptr_t)link->memory + at;
}

static uint64_t slot_at(const tn_cpu_link *link, size_t symbol) {
  return link->table_at + symbol * TN_CPU_SLOT_SIZE;
}

static void write_slot(const tn_cpu_link *link, size_t symbol, uint64_t address) {
  memcpy(link->memory + slot_at(link, symbol), &address, sizeof(address));
}

static uint64_t read_slot(const tn_cpu_link *link, size_t symbol) {
  uint64_t address = 0;
  memcpy(&address, link->memory + slot_at(link, symbol), sizeof(address));
  return address;
}

// jmp *slot(%rip)
static void write_stub(const tn_cpu_link *link, size_t symbol) {
  const uint64_t at = link->stubs_at + (symbol - link->object->local_count) * TN_CPU_STUB_SIZE;
  uint8_t code[TN_CPU_STUB_SIZE] = {0xff, 0x25, 0, 0, 0, 0, 0xcc, 0xcc};
  const int32_t distance = (int32_t)((int64_t)slot_at(link, symbol) - (int64_t)(at + 6));
  memcpy(code + 2, &distance, sizeof(distance));
  memcpy(link->memory + at, code, sizeof(code));
}

static bool is_table(tn_str name) {
  return tn_str_equals(name, TN_STR_LIT("_GLOBAL_OFFSET_TABLE_"));
}

// 0 for what is nowhere; that is a failure when something refers to it.
static tn_status find_address(const tn_cpu_link *link, const Elf64_Sym *symbol, uint64_t *out,
                              tn_diag *diag) {
  const tn_cpu_object *object = link->object;
  *out = 0;
  const unsigned type = ELF64_ST_TYPE(symbol->st_info);
  if (symbol->st_shndx == SHN_UNDEF) {
    tn_str name = {NULL, 0};
    TN_TRY(tn_cpu_object_name(object, symbol, &name, diag));
    *out = is_table(name) ? address_of(link, link->table_at) : tn_host_function_address(name);
    return TN_OK;
  }
  if (symbol->st_shndx == SHN_COMMON) {
    return tn_cpu_object_fail(diag, "it has a variable without a section, as C once had them");
  }
  if (type == STT_GNU_IFUNC || type == STT_TLS) {
    return tn_cpu_object_fail(diag, type == STT_TLS ? "it has thread-local variables, which device "
                                                      "code cannot have"
                                                    : "it has functions that choose themselves");
  }
  if (symbol->st_shndx == SHN_ABS) {
    *out = symbol->st_value;
    return TN_OK;
  }
  if (symbol->st_shndx >= object->section_count) {
    return tn_cpu_object_fail(diag, "a symbol of it is in no section");
  }
  const tn_cpu_section *section = tn_cpu_object_section_of(object, symbol);
  if (section != NULL) {
    *out = address_of(link, section->at + symbol->st_value);
  } else if (object->sections[symbol->st_shndx].part != TN_CPU_NOT_PLACED) {
    return tn_cpu_object_fail(diag, "a symbol of it lies behind the end of its section");
  }
  return TN_OK;
}

static tn_status fill_table(const tn_cpu_link *link, tn_diag *diag) {
  for (size_t i = 0; i < link->object->symbol_count; i++) {
    const Elf64_Sym symbol = tn_cpu_object_symbol(link->object, i);
    uint64_t address = 0;
    TN_TRY(find_address(link, &symbol, &address, diag));
    write_slot(link, i, address);
    if (i >= link->object->local_count) {
      write_stub(link, i);
    }
  }
  return TN_OK;
}

// A relocation of something that has no address; that may be meant. The symbol of index 0 stands
// for no symbol, with an absolute address in the addend.
static tn_status check_nowhere(const tn_cpu_link *link, size_t index, tn_diag *diag) {
  const Elf64_Sym symbol = tn_cpu_object_symbol(link->object, index);
  if (index == 0 || symbol.st_shndx == SHN_ABS ||
      (symbol.st_shndx == SHN_UNDEF && ELF64_ST_BIND(symbol.st_info) == STB_WEAK)) {
    return TN_OK;
  }
  if (symbol.st_shndx != SHN_UNDEF) {
    return tn_cpu_object_fail(diag, "it refers to a section that is not for kernels");
  }
  tn_str name = {NULL, 0};
  TN_TRY(tn_cpu_object_name(link->object, &symbol, &name, diag));
  return TN_FAIL(diag, BUILD_FAILED,
                 "device code cannot be loaded: it calls '%.*s', which is not defined, and is none "
                 "of the C and math functions that the CPU device has",
                 TN_STR_ARG(name));
}

static bool fits(uint64_t value, uint32_t width, uint32_t within) {
  const unsigned bits = width * 8;  // fewer than 64 unless any value fits
  if (within == ANY) {
    return true;
  }
  if (within == UNSIGNED) {
    return value >> bits == 0;
  }
  const int64_t limit = INT64_C(1) << (bits - 1);
  return (int64_t)value >= -limit && (int64_t)value < limit;
}

// The symbol itself when a call reaches it, else its stub.
static uint64_t call_target(const tn_cpu_link *link, size_t index, uint64_t address,
                            uint64_t addend, uint64_t place) {
  if (fits(address + addend - place, 4, SIGNED) || index < link->object->local_count) {
    return address;
  }
  return address_of(link, link->stubs_at + (index - link->object->local_count) * TN_CPU_STUB_SIZE);
}

static uint64_t compute(const tn_cpu_link *link, const relocation_kind *kind, size_t index,
                        uint64_t addend, uint64_t place) {
  const uint64_t table = address_of(link, link->table_at);
  const uint64_t address = read_slot(link, index);
  switch ((formula)kind->formula) {
    case IS_S:
      return address + addend;
    case IS_S_FROM_P:
      return address + addend - place;
    case IS_CALL_FROM_P:
      return call_target(link, index, address, addend, place) + addend - place;
    case IS_SLOT_FROM_P:
      return address_of(link, slot_at(link, index)) + addend - place;
    case IS_SLOT_FROM_GOT:
      return slot_at(link, index) - link->table_at + addend;
    case IS_GOT_FROM_P:
      return table + addend - place;
    case IS_S_FROM_GOT:
    case IS_CALL_FROM_GOT:
      return address + addend - table;
    case IS_SIZE:
      return tn_cpu_object_symbol(link->object, index).st_size + addend;
  }
  return 0;
}

// Another loader may know it; but LLVM's for objects with debug information ends the process when
// it does not.
static tn_status unknown(const tn_cpu_link *link, const char *what, uint32_t kind, tn_diag *diag) {
  const tn_status status = link->object->has_lines ? TN_BUILD_FAILED : TN_UNSUPPORTED;
  return tn_diag_set(diag, status, 0, __FILE__, __LINE__,
                     "the object with device code cannot be loaded: it has %s of the unknown kind "
                     "%u; build it again",
                     what, kind);
}

static tn_status relocate_one(const tn_cpu_link *link, const tn_cpu_section *section,
                              const Elf64_Rela *relocation, tn_diag *diag) {
  const uint32_t type = (uint32_t)ELF64_R_TYPE(relocation->r_info);
  const size_t index = ELF64_R_SYM(relocation->r_info);
  if (type == R_X86_64_NONE) {
    return TN_OK;
  }
  const relocation_kind *kind = find_kind(type);
  if (kind == NULL) {
    return unknown(link, "a relocation", type, diag);
  }
  if (index >= link->object->symbol_count || section->size < kind->width ||
      relocation->r_offset > section->size - kind->width) {
    return tn_cpu_object_fail(diag, "a relocation of it lies behind the end");
  }
  if (read_slot(link, index) == 0 && kind->formula != IS_GOT_FROM_P && kind->formula != IS_SIZE) {
    TN_TRY(check_nowhere(link, index, diag));
  }
  const uint64_t at = section->at + relocation->r_offset;
  const uint64_t value =
      compute(link, kind, index, (uint64_t)relocation->r_addend, address_of(link, at));
  if (!fits(value, kind->width, kind->range)) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "the object with device code cannot be loaded: what it refers to in %s is too "
                   "far away (relocation %u); build it again",
                   section->name, type);
  }
  memcpy(link->memory + at, &value, kind->width);  // little-endian, as all of x86-64
  return TN_OK;
}

static tn_status relocate_section(const tn_cpu_link *link, const tn_cpu_section *relocations,
                                  tn_diag *diag) {
  const tn_cpu_section *section = &link->object->sections[relocations->target];
  if (section->part == TN_CPU_NOT_PLACED || relocations->size == 0) {
    return TN_OK;
  }
  if (relocations->type != SHT_RELA) {
    return unknown(link, "a section of relocations", relocations->type, diag);
  }
  if (section->data == NULL) {
    return tn_cpu_object_fail(diag, "it has relocations of a section without contents");
  }
  for (uint64_t at = 0; at < relocations->size; at += sizeof(Elf64_Rela)) {
    Elf64_Rela relocation;
    memcpy(&relocation, relocations->data + at, sizeof(relocation));
    TN_TRY(relocate_one(link, section, &relocation, diag));
  }
  return TN_OK;
}

tn_status tn_cpu_link_run(const tn_cpu_link *link, tn_diag *diag) {
  TN_TRY(fill_table(link, diag));
  for (size_t i = 0; i < link->object->section_count; i++) {
    const tn_cpu_section *section = &link->object->sections[i];
    if (tn_cpu_section_has_relocations(section)) {
      TN_TRY(relocate_section(link, section, diag));
    }
  }
  return TN_OK;
}
