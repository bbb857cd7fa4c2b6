// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a SPIR-V module of others gives and needs, told from its entry points and linkage
// decorations. SPIR-V 1.6, sections 2.3 (the physical layout) and 3.
#include "base/map.h"
#include "image/image.h"
#include "image/image_bytes.h"
#include "image/spirv_module.h"

enum { HEADER_WORDS = 5, BOUND_AT = 3, WORD = 4 };
enum { BOUND_MAXIMUM = 4194303 };  // the universal limit of ids
enum { MAGIC = 0x07230203 };
enum {
  OP_MEMORY_MODEL = 14,
  OP_ENTRY_POINT = 15,
  OP_CAPABILITY = 17,
  OP_FUNCTION = 54,
  OP_DECORATE = 71,
};
enum { CAPABILITY_KERNEL = 6, MODEL_KERNEL = 6, ADDRESSING_PHYSICAL64 = 2 };
enum { DECORATION_LINKAGE = 41, LINKAGE_EXPORT = 0, LINKAGE_IMPORT = 1, LINKAGE_ONCE = 2 };

typedef struct instruction {
  size_t at;  // in words, of the module
  uint32_t code;
  uint32_t count;  // words
  const uint8_t *words;
} instruction;

// A name and the function that has it.
typedef struct named_id {
  tn_str name;
  uint32_t id;
  uint32_t linkage;  // of decorations
} named_id;

typedef struct spirv_reader {
  tn_arena *arena;
  tn_bytes code;
  uint32_t bound;
  uint8_t *functions;  // a bit for each id
  tn_list entries;     // named_id *
  tn_list linked;      // named_id *
  bool has_kernels;
  bool is_64_bit;
} spirv_reader;

static tn_status out_of_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to read a SPIR-V module");
}

static uint32_t operand(const instruction *in, uint32_t index) {
  return tn_load_u32(in->words + (size_t)index * WORD);
}

bool tn_spirv_is_for(const char *target) { return strcmp(target, TN_TARGET_SPIRV64) == 0; }

bool tn_spirv_is_module(tn_bytes bytes) {
  static const uint8_t little[] = {0x03, 0x02, 0x23, 0x07};
  static const uint8_t big[] = {0x07, 0x23, 0x02, 0x03};
  return bytes.size >= WORD &&
         (memcmp(bytes.data, little, WORD) == 0 || memcmp(bytes.data, big, WORD) == 0);
}

// The module in little-endian words.
static tn_status normalize(tn_bytes module, tn_arena *arena, tn_bytes *out, tn_diag *diag) {
  if (module.size < HEADER_WORDS * WORD || module.size % WORD != 0 || !tn_spirv_is_module(module)) {
    return TN_FAIL(diag, BAD_IMAGE, "it is no SPIR-V module: %zu bytes without the header of one",
                   module.size);
  }
  *out = module;
  if (tn_load_u32(module.data) == MAGIC) {
    return TN_OK;
  }
  uint8_t *swapped = tn_arena_alloc(arena, module.size);
  if (!swapped) {
    return out_of_memory(diag);
  }
  for (size_t i = 0; i < module.size; i++) {
    swapped[i] = module.data[i - i % WORD + (WORD - 1 - i % WORD)];
  }
  *out = tn_bytes_from(swapped, module.size);
  return TN_OK;
}

// The text from operand `index` on, which ends with a zero byte; *out_next is the operand behind.
static tn_status read_text(const instruction *in, uint32_t index, tn_str *out, uint32_t *out_next,
                           tn_diag *diag) {
  const char *text = (const char *)in->words + (size_t)index * WORD;
  const size_t room = index < in->count ? (size_t)(in->count - index) * WORD : 0;
  const char *end = room > 0 ? memchr(text, '\0', room) : NULL;
  if (!end || end == text) {
    return TN_FAIL(diag, BAD_IMAGE, "the SPIR-V instruction at word %zu has %s name", in->at,
                   end ? "an empty" : "no end of its");
  }
  *out = tn_str_from_range(text, end);
  *out_next = index + (uint32_t)(out->size / WORD) + 1;
  return TN_OK;
}

static tn_status check_id(const spirv_reader *r, const instruction *in, uint32_t id,
                          tn_diag *diag) {
  return id > 0 && id < r->bound
             ? TN_OK
             : TN_FAIL(diag, BAD_IMAGE, "the SPIR-V instruction at word %zu names id %u of %u",
                       in->at, id, r->bound);
}

static tn_status note(spirv_reader *r, const instruction *in, tn_list *list, named_id named,
                      tn_diag *diag) {
  TN_TRY(check_id(r, in, named.id, diag));
  named_id *copy = tn_arena_alloc(r->arena, sizeof(*copy));
  if (!copy || !tn_list_add(list, r->arena, copy)) {
    return out_of_memory(diag);
  }
  *copy = named;
  return TN_OK;
}

static tn_status read_entry_point(spirv_reader *r, const instruction *in, tn_diag *diag) {
  enum { MODEL_AT = 1, ID_AT = 2, NAME_AT = 3 };
  uint32_t next = 0;
  named_id named = {0};
  TN_TRY(read_text(in, NAME_AT, &named.name, &next, diag));
  named.id = operand(in, ID_AT);
  return operand(in, MODEL_AT) == MODEL_KERNEL ? note(r, in, &r->entries, named, diag) : TN_OK;
}

static tn_status read_decoration(spirv_reader *r, const instruction *in, tn_diag *diag) {
  enum { ID_AT = 1, KIND_AT = 2, NAME_AT = 3 };
  if (in->count <= KIND_AT || operand(in, KIND_AT) != DECORATION_LINKAGE) {
    return TN_OK;
  }
  uint32_t next = 0;
  named_id named = {.id = operand(in, ID_AT)};
  TN_TRY(read_text(in, NAME_AT, &named.name, &next, diag));
  named.linkage = next < in->count ? operand(in, next) : UINT32_MAX;
  if (named.linkage > LINKAGE_ONCE) {
    return TN_FAIL(diag, BAD_IMAGE, "the SPIR-V decoration at word %zu has no linkage type",
                   in->at);
  }
  return note(r, in, &r->linked, named, diag);
}

static tn_status read_instruction(spirv_reader *r, const instruction *in, tn_diag *diag) {
  const uint32_t first = in->count > 1 ? operand(in, 1) : 0;
  switch (in->code) {
    case OP_CAPABILITY:
      r->has_kernels = r->has_kernels || first == CAPABILITY_KERNEL;
      return TN_OK;
    case OP_MEMORY_MODEL:
      r->is_64_bit = first == ADDRESSING_PHYSICAL64;
      return TN_OK;
    case OP_ENTRY_POINT:
      return read_entry_point(r, in, diag);
    case OP_DECORATE:
      return read_decoration(r, in, diag);
    case OP_FUNCTION: {
      const uint32_t id = in->count > 2 ? operand(in, 2) : 0;
      TN_TRY(check_id(r, in, id, diag));
      r->functions[id / 8] = (uint8_t)(r->functions[id / 8] | 1u << id % 8);
      return TN_OK;
    }
    default:
      return TN_OK;
  }
}

static tn_status read_all(spirv_reader *r, tn_diag *diag) {
  const size_t words = r->code.size / WORD;
  for (size_t at = HEADER_WORDS; at < words;) {
    const uint8_t *here = r->code.data + at * WORD;
    const instruction in = {
        .at = at, .code = tn_load_u16(here), .count = tn_load_u16(here + 2), .words = here};
    if (in.count == 0 || in.count > words - at) {
      return TN_FAIL(diag, BAD_IMAGE, "the SPIR-V instruction at word %zu of %zu has %u words", at,
                     words, in.count);
    }
    TN_TRY(read_instruction(r, &in, diag));
    at += in.count;
  }
  if (!r->has_kernels) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the SPIR-V module is not for computing with kernels: it does "
                   "not declare the capability Kernel");
  }
  return r->is_64_bit ? TN_OK
                      : TN_FAIL(diag, BAD_IMAGE,
                                "the SPIR-V module does not have 64-bit addresses "
                                "(memory model Physical64)");
}

static bool is_function(const spirv_reader *r, uint32_t id) {
  return (r->functions[id / 8] >> id % 8 & 1) != 0;
}

static tn_status fill_kernels(const spirv_reader *r, tn_map *seen, tn_spirv_module *out,
                              tn_diag *diag) {
  out->kernels = tn_arena_alloc_array(r->arena, r->entries.count, sizeof(*out->kernels));
  out->has_object = tn_arena_alloc_array(r->arena, r->entries.count, sizeof(*out->has_object));
  uint32_t *functions = tn_arena_alloc_array(r->arena, r->entries.count, sizeof(*functions));
  if (!out->kernels || !out->has_object || !functions) {
    return out_of_memory(diag);
  }
  for (size_t i = 0; i < r->entries.count; i++) {
    const named_id *entry = r->entries.items[i];
    if (!is_function(r, entry->id) || tn_map_find(seen, entry->name)) {
      return TN_FAIL(diag, BAD_IMAGE, "the SPIR-V kernel %.*s %s",
                     TN_STR_ARG(tn_str_slice(entry->name, 0, 120)),
                     is_function(r, entry->id) ? "is there twice" : "is no function");
    }
    if (!tn_map_set(seen, entry->name, out)) {
      return out_of_memory(diag);
    }
    functions[out->kernel_count] = entry->id;
    out->kernels[out->kernel_count++] =
        (tn_kernel_info){.name = entry->name, .display_name = entry->name, .arg_align = 1};
  }
  out->code = r->code;
  return tn_spirv_read_arguments(out, r->bound, functions, r->arena, diag);
}

// Variables have linkage too, and those of the device's built-in values always.
static tn_status fill_symbols(const spirv_reader *r, tn_map *seen, tn_spirv_module *out,
                              tn_diag *diag) {
  out->exports = tn_arena_alloc_array(r->arena, r->linked.count, sizeof(*out->exports));
  out->imports = tn_arena_alloc_array(r->arena, r->linked.count, sizeof(*out->imports));
  if (!out->exports || !out->imports) {
    return out_of_memory(diag);
  }
  for (size_t i = 0; i < r->linked.count; i++) {
    const named_id *linked = r->linked.items[i];
    if (!is_function(r, linked->id) || tn_map_find(seen, linked->name)) {
      continue;
    }
    if (!tn_map_set(seen, linked->name, out)) {
      return out_of_memory(diag);
    }
    const tn_symbol_info symbol = {.name = linked->name};
    if (linked->linkage == LINKAGE_IMPORT) {
      out->imports[out->import_count++] = symbol;
    } else {
      out->exports[out->export_count++] = symbol;
    }
  }
  return TN_OK;
}

tn_status tn_spirv_read(tn_bytes module, tn_arena *arena, tn_spirv_module *out, tn_diag *diag) {
  *out = (tn_spirv_module){0};
  spirv_reader r = {.arena = arena};
  TN_TRY(normalize(module, arena, &r.code, diag));
  r.bound = tn_load_u32(r.code.data + BOUND_AT * WORD);
  if (r.bound > BOUND_MAXIMUM) {
    return TN_FAIL(diag, BAD_IMAGE, "the SPIR-V module's bound of ids, %u, is above the limit",
                   r.bound);
  }
  r.functions = tn_arena_alloc(arena, (size_t)r.bound / 8 + 1);
  if (!r.functions) {
    return out_of_memory(diag);
  }
  TN_TRY(read_all(&r, diag));
  tn_map seen;
  tn_map_init(&seen);
  tn_status status = fill_kernels(&r, &seen, out, diag);
  if (status == TN_OK) {
    status = fill_symbols(&r, &seen, out, diag);
  }
  tn_map_deinit(&seen);
  return status;
}

tn_status tn_spirv_write_fatbin(tn_bytes module, tn_buf *out, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_spirv_module read;
  tn_status status = tn_spirv_read(module, &arena, &read, diag);
  if (status == TN_OK && read.kernel_count + read.export_count == 0) {
    status = TN_FAIL(diag, BAD_IMAGE,
                     "the SPIR-V module has neither a kernel nor a function for "
                     "others");
  }
  if (status == TN_OK) {
    const tn_image_desc desc = {
        .target = TN_TARGET_SPIRV64,
        .triple = TN_TARGET_SPIRV64,
        .format = TN_IMAGE_FORMAT_SPIRV,
        .code = read.code,
        .kernels = read.kernels,
        .kernel_count = read.kernel_count,
        .imports = read.imports,
        .import_count = read.import_count,
        .exports = read.exports,
        .export_count = read.export_count,
    };
    status = tn_fatbin_write(&desc, 1, out, diag);
  }
  tn_arena_deinit(&arena);
  return status;
}
