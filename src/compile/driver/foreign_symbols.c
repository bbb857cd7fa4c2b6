// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions device code of other makers gives and needs, told from SPIR-V's decorations,
// PTX's directives or an ELF file's symbols.
#include "base/map.h"
#include "compile/driver/device_images.h"
#include "image/image.h"

#include <elf.h>

typedef struct symbol_reader {
  tn_arena *arena;
  tn_list *exports;
  tn_list *imports;
  tn_map seen;
  bool failed;
} symbol_reader;

static void add_symbol(symbol_reader *reader, tn_str name, bool is_import) {
  if (name.size == 0 || tn_map_find(&reader->seen, name)) {
    return;
  }
  tn_symbol_info *symbol = tn_arena_alloc(reader->arena, sizeof(*symbol));
  const char *copy = tn_arena_str(reader->arena, name);
  if (!symbol || !copy || !tn_map_set(&reader->seen, name, symbol) ||
      !tn_list_add(is_import ? reader->imports : reader->exports, reader->arena, symbol)) {
    reader->failed = true;
    return;
  }
  symbol->name = tn_str_from(copy);
}

static tn_status read_spirv(symbol_reader *reader, tn_bytes code, tn_diag *diag) {
  tn_spirv_module module;
  TN_TRY(tn_spirv_read(code, reader->arena, &module, diag));
  for (size_t i = 0; i < module.export_count; i++) {
    add_symbol(reader, module.exports[i].name, false);
  }
  for (size_t i = 0; i < module.import_count; i++) {
    add_symbol(reader, module.imports[i].name, true);
  }
  return TN_OK;
}

static bool eat_word(tn_str *text, const char *word) {
  if (!tn_str_has_prefix(*text, tn_str_from(word))) {
    return false;
  }
  *text = tn_str_trim(tn_str_slice(*text, strlen(word), SIZE_MAX));
  return true;
}

// ".visible .func (.param .b32 result) name(" and the same without a result.
static void read_ptx(symbol_reader *reader, tn_bytes code) {
  tn_str rest = {(const char *)code.data, code.size};
  while (rest.data) {
    tn_str line = tn_str_trim(tn_str_split(&rest, '\n'));
    const bool is_import = eat_word(&line, ".extern");
    if (!is_import && !eat_word(&line, ".visible") && !eat_word(&line, ".weak")) {
      continue;
    }
    if (!eat_word(&line, ".func")) {
      continue;
    }
    if (line.size > 0 && line.data[0] == '(') {
      const size_t close = tn_str_find_char(line, ')');
      line = close == SIZE_MAX ? (tn_str){0} : tn_str_trim(tn_str_slice(line, close + 1, SIZE_MAX));
    }
    size_t size = 0;
    while (size < line.size && !strchr(" \t(;{", line.data[size])) {
      size++;
    }
    add_symbol(reader, tn_str_slice(line, 0, size), is_import);
  }
}

static tn_status read_elf(symbol_reader *reader, tn_bytes code, tn_diag *diag) {
  enum { CUDA_ENTRY = 0x10 };
  bool has_symbols = false;
  bool has_names = false;
  tn_bytes symbols = {0};
  tn_bytes names = {0};
  TN_TRY(tn_elf_section_find(code, ".symtab", &has_symbols, &symbols, diag));
  TN_TRY(tn_elf_section_find(code, ".strtab", &has_names, &names, diag));
  for (size_t at = 0; has_symbols && has_names && at + sizeof(Elf64_Sym) <= symbols.size;
       at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    memcpy(&symbol, symbols.data + at, sizeof(symbol));
    const bool is_function = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC;
    const bool is_seen = ELF64_ST_BIND(symbol.st_info) != STB_LOCAL;
    if (!is_function || !is_seen || (symbol.st_other & CUDA_ENTRY) != 0 ||
        symbol.st_name >= names.size) {
      continue;
    }
    const char *name = (const char *)names.data + symbol.st_name;
    const char *end = memchr(name, '\0', names.size - symbol.st_name);
    if (end) {
      add_symbol(reader, tn_str_from_range(name, end), symbol.st_shndx == SHN_UNDEF);
    }
  }
  return TN_OK;
}

tn_status tn_foreign_symbols_read(uint32_t format, tn_bytes code, tn_arena *arena, tn_list *exports,
                                  tn_list *imports, tn_diag *diag) {
  symbol_reader reader = {.arena = arena, .exports = exports, .imports = imports};
  tn_map_init(&reader.seen);
  tn_status status = TN_OK;
  switch (format) {
    case TN_IMAGE_FORMAT_SPIRV:
      status = read_spirv(&reader, code, diag);
      break;
    case TN_IMAGE_FORMAT_PTX:
      read_ptx(&reader, code);
      break;
    default:
      status = read_elf(&reader, code, diag);
      break;
  }
  if (status == TN_OK && reader.failed) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for its symbols");
  }
  tn_map_deinit(&reader.seen);
  return status;
}
