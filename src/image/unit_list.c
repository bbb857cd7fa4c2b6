// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the symbol list of a unit: docs/formats/fat-object.md.
#include "image/image.h"

enum { FIELDS_MAXIMUM = 5 };

// One line: the kind, then the fields.
typedef struct list_line {
  char kind;
  tn_str fields[FIELDS_MAXIMUM];
  uint32_t numbers[FIELDS_MAXIMUM];
} list_line;

// The kinds' fields: t is a text, n a number of 32 bits.
static const char *fields_of(char kind) {
  switch (kind) {
    case 'K':
      return "tnnnt";
    case 'X':
    case 'I':
      return "tnntt";
    case 'D':
      return "ttnt";
    default:
      return NULL;
  }
}

static bool read_number(tn_str text, uint32_t *out) {
  uint64_t value = 0;
  const bool good = tn_str_to_u64(text, &value) && value <= UINT32_MAX;
  *out = good ? (uint32_t)value : 0;
  return good;
}

static bool read_line(tn_str text, list_line *out) {
  *out = (list_line){.kind = text.size > 1 && text.data[1] == '\t' ? text.data[0] : '\0'};
  const char *form = fields_of(out->kind);
  if (!form) {
    return false;
  }
  tn_str rest = tn_str_slice(text, 2, SIZE_MAX);
  for (size_t i = 0; form[i] != '\0'; i++) {
    if (!rest.data) {
      return false;
    }
    out->fields[i] = tn_str_split(&rest, '\t');
    if (form[i] == 'n' && !read_number(out->fields[i], &out->numbers[i])) {
      return false;
    }
  }
  return !rest.data && out->fields[0].size > 0;
}

static void keep_kernel(const list_line *line, tn_unit_list *out) {
  out->kernels[out->kernel_count++] = (tn_kernel_info){
      .name = line->fields[0],
      .arg_size = line->numbers[1],
      .arg_align = line->numbers[2],
      .line = line->numbers[3],
      .file = line->fields[4],
  };
}

static tn_symbol_info symbol_of(const list_line *line) {
  return (tn_symbol_info){
      .name = line->fields[0],
      .flags = line->numbers[1],
      .line = line->numbers[2],
      .file = line->fields[3],
      .user = line->fields[4],
  };
}

static void keep_line(const list_line *line, tn_unit_list *out) {
  if (line->kind == 'K') {
    keep_kernel(line, out);
  } else if (line->kind == 'X') {
    out->exports[out->export_count++] = symbol_of(line);
  } else if (line->kind == 'D') {
    out->definitions[out->definition_count++] =
        (tn_unit_definition){line->fields[0], line->fields[1], line->fields[3], line->numbers[2]};
  } else {
    out->imports[out->import_count++] = symbol_of(line);
  }
}

static tn_status allocate(tn_str text, tn_arena *arena, tn_unit_list *out, tn_diag *diag) {
  size_t kernels = 0;
  size_t exports = 0;
  size_t imports = 0;
  size_t definitions = 0;
  for (size_t i = 0; i + 1 < text.size; i++) {
    if (text.data[i] == '\n') {
      kernels += text.data[i + 1] == 'K';
      exports += text.data[i + 1] == 'X';
      imports += text.data[i + 1] == 'I';
      definitions += text.data[i + 1] == 'D';
    }
  }
  out->kernels = tn_arena_alloc_array(arena, kernels, sizeof(*out->kernels));
  out->exports = tn_arena_alloc_array(arena, exports, sizeof(*out->exports));
  out->imports = tn_arena_alloc_array(arena, imports, sizeof(*out->imports));
  out->definitions = tn_arena_alloc_array(arena, definitions, sizeof(*out->definitions));
  return out->kernels && out->exports && out->imports && out->definitions
             ? TN_OK
             : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the symbols of device code");
}

tn_status tn_unit_list_read(tn_str text, tn_arena *arena, bool *out_known, tn_unit_list *out,
                            tn_diag *diag) {
  *out_known = false;
  *out = (tn_unit_list){.is_simplified = false};
  tn_str rest = text;
  const tn_str head = tn_str_split(&rest, '\n');
  out->is_simplified = tn_str_equals(head, TN_STR_LIT(TN_UNIT_LIST_HEAD TN_UNIT_LIST_SIMPLIFIED));
  if (!out->is_simplified && !tn_str_equals(head, TN_STR_LIT(TN_UNIT_LIST_HEAD))) {
    return TN_OK;
  }
  *out_known = true;
  TN_TRY(allocate(text, arena, out, diag));
  for (size_t number = 2; rest.data && rest.size > 0; number++) {
    list_line line;
    if (!read_line(tn_str_split(&rest, '\n'), &line)) {
      return TN_FAIL(diag, BAD_IMAGE,
                     "the list of its symbols is damaged at line %zu; compile it again", number);
    }
    keep_line(&line, out);
  }
  return TN_OK;
}
