// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the images' constants that a launch names, and what their values change.
#include "run/program/spec_values.h"

#include "base/alloc.h"
#include "run/program/program.h"
#include "run/program/symbol_text.h"

enum { NAME_MAXIMUM = 1 << 20, BUFFER_ALIGNMENT = 128 };
#define TYPE_PREFIX "_ZTS"

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t tn_spec_values_key_size(const tn_spec_value *values, size_t count) {
  size_t size = 0;
  for (size_t i = 0; i < count; i++) {
    size += strlen(values[i].name) + 1 + sizeof(uint64_t) + sizeof(uint64_t) + values[i].size;
  }
  return size;
}

static char *put(char *out, const void *bytes, size_t size) {
  memcpy(out, bytes, size);
  return out + size;
}

void tn_spec_values_key_write(const tn_spec_value *values, size_t count, char *out) {
  for (size_t i = 0; i < count; i++) {
    const uint64_t size = values[i].size;
    out = put(out, values[i].name, strlen(values[i].name) + 1);
    out = put(out, &values[i].unit_id, sizeof(uint64_t));
    out = put(out, &size, sizeof(size));
    out = put(out, values[i].value, values[i].size);
  }
}

void tn_spec_settled_key(const tn_spec_settled *settled, tn_buf *out) {
  tn_buf_add_str(out, settled->kernel);
  for (size_t i = 0; i < settled->count; i++) {
    const tn_build_spec *item = &settled->items[i];
    tn_buf_add_char(out, '=');
    tn_buf_add_text(out, item->name);
    tn_buf_add_char(out, '\0');
    tn_buf_add_u64(out, item->size);
    tn_buf_add(out, item->value, item->size);
  }
}

// g++ marks names in unnamed namespaces as internal, 12_GLOBAL__N_1L2id, and clang does not.
static void add_as_clang(tn_buf *out, tn_str name) {
  const tn_str mark = TN_STR_LIT("12_GLOBAL__N_1");
  const size_t found = tn_str_find(name, mark);
  size_t at = found == SIZE_MAX ? name.size : found + mark.size;
  tn_buf_add_str(out, tn_str_slice(name, 0, at));
  while (at + 1 < name.size) {
    at += name.data[at] == 'L' && is_digit(name.data[at + 1]);
    size_t end = at;
    size_t size = 0;
    while (end < name.size && is_digit(name.data[end]) && size < name.size) {
      size = 10 * size + (size_t)(name.data[end++] - '0');
    }
    if (end == at || size > name.size - end) {
      break;
    }
    tn_buf_add_str(out, tn_str_slice(name, at, end - at + size));
    at = end + size;
  }
  tn_buf_add_str(out, tn_str_slice(name, at, name.size - at));
}

void tn_spec_symbol_add(tn_buf *buf, tn_str name) {
  const tn_str prefix = TN_STR_LIT(TYPE_PREFIX);
  tn_buf_add_str(buf, prefix);
  add_as_clang(buf, tn_str_has_prefix(name, prefix) ? tn_str_slice(name, prefix.size, name.size)
                                                    : name);
}

static bool find_in(const tn_link_set *set, tn_str name, tn_spec_info *out) {
  for (size_t i = 0; i < set->members.count; i++) {
    if (tn_image_spec_find(&tn_link_set_at(set, i)->image, name, out)) {
      return true;
    }
  }
  return false;
}

// The unit's own constant, or the one that all units share.
static tn_status find_named(const tn_link_set *set, const tn_buf *name, uint64_t unit_id,
                            bool *out_found, tn_spec_info *out, tn_diag *diag) {
  TN_TRY(tn_buf_status(name, diag));
  tn_buf local_name;
  tn_buf_init(&local_name, NAME_MAXIMUM);
  tn_kernel_local_name(&local_name, tn_buf_str(name), unit_id);
  const tn_status status = tn_buf_status(&local_name, diag);
  *out_found = status == TN_OK &&
               (find_in(set, tn_buf_str(&local_name), out) || find_in(set, tn_buf_str(name), out));
  tn_buf_deinit(&local_name);
  return status;
}

static tn_status find_constant(const tn_link_set *set, const tn_spec_value *value, bool *out_found,
                               tn_spec_info *out, tn_diag *diag) {
  const tn_str given = tn_str_from(value->name);
  const bool has_prefix = tn_str_has_prefix(given, TN_STR_LIT(TYPE_PREFIX));
  tn_buf name;
  tn_buf_init(&name, NAME_MAXIMUM);
  tn_buf_add_text(&name, has_prefix ? "" : TYPE_PREFIX);
  tn_buf_add_str(&name, given);
  tn_status status = find_named(set, &name, value->unit_id, out_found, out, diag);
  if (status == TN_OK && !*out_found && !has_prefix) {
    tn_buf_clear(&name);
    tn_buf_add_text(&name, TYPE_PREFIX);
    add_as_clang(&name, given);
    status = find_named(set, &name, value->unit_id, out_found, out, diag);
  }
  tn_buf_deinit(&name);
  return status;
}

static tn_status check_size(const tn_spec_info *info, const tn_spec_value *value, tn_diag *diag) {
  if (value->size == info->size) {
    return TN_OK;
  }
  tn_buf name;
  tn_buf_init(&name, NAME_MAXIMUM);
  tn_symbol_text_add(&name, info->name);
  // "sycl::detail::spec_constant<ns::id>"
  tn_str shown = tn_buf_str(&name);
  const size_t open = tn_str_find_char(shown, '<');
  if (open != SIZE_MAX) {
    shown = tn_str_slice(shown, open + 1, shown.size - open - 2);
  }
  const tn_status status = TN_FAIL(
      diag, INVALID_ARGUMENT,
      "specialization constant %.*s: its type has %u bytes in device code, but the value has "
      "%zu; host and device code were compiled from different sources",
      TN_STR_ARG(tn_str_slice(shown, 0, 300)), info->size, value->size);
  tn_buf_deinit(&name);
  return status;
}

// The last value of a name holds, as the last call to set it does.
static void enter(tn_spec_settled *settled, tn_build_spec item) {
  size_t at = 0;
  while (at < settled->count && strcmp(settled->items[at].name, item.name) < 0) {
    at++;
  }
  if (at == settled->count || strcmp(settled->items[at].name, item.name) != 0) {
    memmove(&settled->items[at + 1], &settled->items[at],
            (settled->count - at) * sizeof(settled->items[0]));
    settled->count++;
  }
  settled->items[at] = item;
}

static void drop_defaults(const tn_link_set *set, tn_spec_settled *settled) {
  size_t kept = 0;
  for (size_t i = 0; i < settled->count; i++) {
    const tn_build_spec item = settled->items[i];
    tn_spec_info info;
    if (!find_in(set, tn_str_from(item.name), &info) ||
        memcmp(info.value.data, item.value, item.size) != 0) {
      settled->items[kept++] = item;
    }
  }
  settled->count = kept;
}

tn_status tn_spec_values_settle(tn_link_set *set, const tn_spec_value *values, size_t count,
                                tn_spec_settled *out, tn_diag *diag) {
  *out =
      (tn_spec_settled){.items = tn_arena_alloc_array(&set->arena, count + 1, sizeof(*out->items))};
  if (!out->items) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu specialization constants", count);
  }
  for (size_t i = 0; i < count; i++) {
    bool found = false;
    tn_spec_info info;
    TN_TRY(find_constant(set, &values[i], &found, &info, diag));
    if (!found) {
      continue;
    }
    TN_TRY(check_size(&info, &values[i], diag));
    const char *name = tn_arena_str(&set->arena, info.name);
    uint8_t *value = tn_arena_alloc(&set->arena, info.size);
    if (!name || !value) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu specialization constants", count);
    }
    tn_spec_value_copy(&info, values[i].value, value);
    enter(out, (tn_build_spec){.name = name, .value = value, .size = info.size});
  }
  drop_defaults(set, out);
  return TN_OK;
}

void tn_spec_values_write(const tn_image *image, const tn_spec_settled *settled, uint8_t *buffer) {
  for (size_t i = 0; i < settled->count; i++) {
    const tn_build_spec *item = &settled->items[i];
    tn_spec_info info;
    if (tn_image_spec_find(image, tn_str_from(item->name), &info) && info.size == item->size) {
      memcpy(buffer + info.offset, item->value, item->size);
    }
  }
}

static tn_status create_buffer(const tn_bytes defaults, const tn_image *image,
                               const tn_spec_settled *settled, void **out, tn_diag *diag) {
  uint8_t *buffer = tn_alloc_aligned(defaults.size, BUFFER_ALIGNMENT);
  if (!buffer) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of specialization constants",
                   defaults.size);
  }
  memcpy(buffer, defaults.data, defaults.size);
  tn_spec_values_write(image, settled, buffer);
  *out = buffer;
  return TN_OK;
}

tn_status tn_program_make_specs(tn_program *program, const tn_image *image,
                                const tn_spec_settled *settled, tn_diag *diag) {
  const tn_bytes defaults = tn_image_spec_defaults(image);
  if (defaults.size == 0) {
    return TN_OK;
  }
  if (!tn_program_can_have_specs(program) && settled->count > 0) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "its %s image has specialization constants as they are by default; "
                   "device %s cannot give them other values",
                   tn_image_format_name(image->format), program->device->name);
  }
  TN_TRY(create_buffer(defaults, image, settled, &program->spec_buffer, diag));
  program->spec_size = defaults.size;
  return TN_OK;
}

bool tn_program_can_have_specs(const tn_program *program) {
  return TN_ADAPTER_HAS(program->device->api, program_set_specs);
}

tn_status tn_program_hand_specs(tn_program *program, tn_diag *diag) {
  if (!program->spec_buffer || !tn_program_can_have_specs(program)) {
    return TN_OK;  // its code has the defaults inside
  }
  return program->device->api->program_set_specs(program->adapter_program, program->spec_buffer,
                                                 program->spec_size, diag);
}
