// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes and reads the symbol list of a unit.
#include "compile/pipeline/unit_symbols.h"

#include "compile/lower/lower.h"

// Tabs and line ends part the fields; in a file's name they would be nothing but a nuisance.
static void add_field(tn_buf *out, tn_str text) {
  tn_buf_add_char(out, '\t');
  for (size_t i = 0; i < text.size; i++) {
    const char c = text.data[i];
    tn_buf_add_char(out, c == '\t' || c == '\n' || c == '\0' ? '?' : c);
  }
}

static void add_number(tn_buf *out, uint32_t number) { tn_buf_add_format(out, "\t%u", number); }

static void add_symbol(tn_buf *out, char kind, const tn_symbol_info *symbol) {
  tn_buf_add_char(out, kind);
  add_field(out, symbol->name);
  add_number(out, symbol->flags);
  add_number(out, symbol->line);
  add_field(out, symbol->file);
  add_field(out, symbol->user);
  tn_buf_add_char(out, '\n');
}

static void add_kernel(tn_buf *out, const tn_kernel_info *kernel) {
  tn_buf_add_char(out, 'K');
  add_field(out, kernel->name);
  add_number(out, kernel->arg_size);
  add_number(out, kernel->arg_align);
  add_number(out, kernel->line);
  add_field(out, kernel->file);
  tn_buf_add_char(out, '\n');
}

tn_status tn_unit_symbols_write(LLVMModuleRef module, bool is_simplified, tn_arena *arena,
                                tn_buf *out, tn_diag *diag) {
  tn_lower_symbols symbols;
  TN_TRY(tn_lower_list_symbols(module, arena, &symbols, diag));
  tn_buf_add_text(out, is_simplified ? TN_UNIT_LIST_HEAD TN_UNIT_LIST_SIMPLIFIED "\n"
                                         : TN_UNIT_LIST_HEAD "\n");
  for (size_t i = 0; i < symbols.kernel_count; i++) {
    add_kernel(out, &symbols.kernels[i]);
  }
  for (size_t i = 0; i < symbols.export_count; i++) {
    add_symbol(out, 'X', &symbols.exports[i]);
  }
  for (size_t i = 0; i < symbols.import_count; i++) {
    add_symbol(out, 'I', &symbols.imports[i]);
  }
  return tn_buf_status(out, diag);
}

void tn_unit_symbols_add_definitions(const tn_list *definitions, tn_buf *out) {
  for (size_t i = 0; i < definitions->count; i++) {
    const tn_unit_definition *definition = definitions->items[i];
    tn_buf_add_char(out, 'D');
    add_field(out, definition->name);
    add_field(out, definition->hash);
    add_number(out, definition->line);
    add_field(out, definition->file);
    tn_buf_add_char(out, '\n');
  }
}

typedef struct symbols_read {
  tn_arena *arena;
  tn_lower_symbols found;
} symbols_read;

static tn_status list_symbols(LLVMModuleRef module, void *user, tn_diag *diag) {
  symbols_read *read = user;
  return tn_lower_list_symbols(module, read->arena, &read->found, diag);
}

// Made by clang alone, or by another version of Tenon.
static tn_status read_bitcode(const tn_link_input *input, tn_arena *arena, tn_unit_symbols *out,
                              tn_diag *diag) {
  symbols_read read = {.arena = arena};
  const tn_status status = tn_module_read(input->bitcode, input->name, list_symbols, &read, diag);
  const tn_lower_symbols symbols = read.found;
  *out = (tn_unit_symbols){.kernels = symbols.kernels, .kernel_count = symbols.kernel_count,
                           .exports = symbols.exports, .export_count = symbols.export_count,
                           .imports = symbols.imports, .import_count = symbols.import_count};
  return status;
}

tn_status tn_unit_symbols_read(const tn_link_input *input, tn_arena *arena, tn_unit_symbols *out,
                               tn_diag *diag) {
  bool is_known = false;
  const tn_status status = tn_unit_list_read(input->symbols, arena, &is_known, out, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", input->name);
  }
  return status == TN_OK && !is_known ? read_bitcode(input, arena, out, diag) : status;
}
