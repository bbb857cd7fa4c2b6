// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code of several images by the device's own linker, and what their functions read.
#include "run/program/linked_code.h"

#include "base/blake3.h"
#include "base/log.h"
#include "run/program/symbol_role.h"

static const char *piece_name(const tn_link_member *member, tn_arena *arena) {
  return member->owner->fatbin->image_count == 1
             ? tn_link_owner_path(member->owner)
             : tn_arena_format(arena, "%s, image %u", tn_link_owner_path(member->owner),
                               member->image_index);
}

// `prepared` holds the piece's code where it is not the image's own.
static tn_status make_piece(const tn_program_recipe *recipe, size_t index, tn_arena *arena,
                            tn_adapter_prepared *prepared, tn_adapter_code *out, tn_diag *diag) {
  const tn_link_member *member = tn_link_set_at(recipe->set, index);
  const char *name = piece_name(member, arena);
  tn_bytes code = {NULL, 0};
  if (!name) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link %zu images", recipe->set->members.count);
  }
  tn_status status = tn_image_code(&member->image, arena, &code, diag);
  if (status == TN_OK) {
    status = tn_symbol_prepare(recipe->set, index, recipe->device, code, name, prepared, diag);
  }
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", name);
    return status;
  }
  *out = prepared->code ? (tn_adapter_code){prepared->code, prepared->size, name}
                        : (tn_adapter_code){code.data, code.size, name};
  return TN_OK;
}

static tn_status link_all(const tn_program_recipe *recipe, tn_arena *arena,
                          tn_adapter_prepared *prepared, void **out, size_t *out_size,
                          tn_diag *diag) {
  const tn_link_set *set = recipe->set;
  const size_t count = set->members.count;
  tn_device *device = recipe->device;
  tn_adapter_code *pieces = tn_arena_alloc_array(arena, count, sizeof(*pieces));
  if (!pieces) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link %zu images", count);
  }
  for (size_t i = 0; i < count; i++) {
    TN_TRY(make_piece(recipe, i, arena, &prepared[i], &pieces[i], diag));
    TN_LOG(program, "to be linked for %s: %s, %s of %zu bytes", device->name, pieces[i].name,
           tn_image_format_name(tn_link_set_at(set, i)->image.format), (size_t)pieces[i].size);
  }
  return device->api->program_link(device->adapter_device, pieces, count, recipe->group_shape, out,
                                   out_size, diag);
}

tn_status tn_linked_code_make(const tn_program_recipe *recipe, void **out, size_t *out_size,
                              tn_diag *diag) {
  *out = NULL;
  const size_t count = recipe->set->members.count;
  tn_arena arena;
  tn_arena_init(&arena);
  tn_adapter_prepared *prepared = tn_arena_alloc_array(&arena, count, sizeof(*prepared));
  const tn_status status =
      prepared ? link_all(recipe, &arena, prepared, out, out_size, diag)
               : TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link %zu images", count);
  for (size_t i = 0; i < count && prepared; i++) {
    tn_symbol_free_prepared(recipe->device, &prepared[i]);
  }
  tn_arena_deinit(&arena);
  return status;
}

// Values of specialization constants are not in the code, so they are not in the key. The linker is
// part of the device's identity.
bool tn_linked_code_key(const tn_program_recipe *recipe, uint8_t out[TN_STORE_KEY_SIZE]) {
  static const tn_spec_settled no_values;
  const tn_program_recipe code = {
      .set = recipe->set, .device = recipe->device, .specs = &no_values,
      .group_shape = recipe->group_shape};
  uint8_t linker[TN_STORE_KEY_SIZE];
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add(&hash, TN_STR_LIT("linked").data, sizeof("linked"));
  tn_blake3_finish(&hash, linker);
  return tn_program_key(&code, linker, out);
}

static tn_str variable_of(const tn_image *image) {
  tn_prop prop;
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_MISC);
  const bool has = tn_prop_set_find(&set, TN_STR_LIT(TN_MISC_SPEC_VARIABLE), &prop) &&
                   prop.type == TN_PROP_BYTES;
  return has ? (tn_str){(const char *)prop.bytes.data, prop.bytes.size} : (tn_str){0};
}

// Constants, and behind them the addresses of the image's device globals in its own order.
static tn_status write_values(const tn_program_recipe *recipe, const tn_image *image, tn_buf *out,
                              tn_diag *diag) {
  const tn_bytes defaults = tn_image_spec_defaults(image);
  tn_buf_init(out, (size_t)1 << 30);
  tn_buf_add(out, defaults.data, defaults.size);
  TN_TRY(tn_buf_status(out, diag));
  if (defaults.size > 0) {
    tn_spec_values_write(image, recipe->specs, (uint8_t *)out->data);
  }
  tn_buf_align(out, sizeof(uint64_t));
  for (uint32_t i = 0; i < tn_image_global_count(image); i++) {
    const tn_linked_global *global =
        tn_map_find(&recipe->set->globals_by_name, tn_image_global_at(image, i).name);
    tn_buf_add_u64(out, global ? (uint64_t)(uintptr_t)global->memory : 0);
  }
  return tn_buf_status(out, diag);
}

// Into the image's variable or, where its code has none, as the constants of the image.
static tn_status give(const tn_program_recipe *recipe, size_t index, tn_str name,
                      tn_program *program, tn_diag *diag) {
  const tn_adapter_api *api = program->device->api;
  const tn_link_member *member = tn_link_set_at(recipe->set, index);
  tn_buf variable;
  tn_buf values;
  tn_buf_init(&variable, 1u << 12);
  tn_buf_add_str(&variable, name);
  tn_status status = write_values(recipe, &member->image, &values, diag);
  if (status == TN_OK && values.size > 0) {
    status = name.size > 0
                 ? api->program_set_variable(program->adapter_program, tn_buf_text(&variable),
                                             values.data, values.size, diag)
                 : api->program_set_image_specs(program->adapter_program, index, values.data,
                                                values.size, diag);
  }
  tn_buf_deinit(&values);
  tn_buf_deinit(&variable);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", tn_link_owner_path(member->owner));
  }
  return status;
}

tn_status tn_linked_code_give_values(const tn_program_recipe *recipe, tn_program *program,
                                     tn_diag *diag) {
  const bool can_set = TN_ADAPTER_HAS(program->device->api, program_set_variable);
  const bool has_own = TN_ADAPTER_HAS(program->device->api, program_set_image_specs);
  for (size_t i = 0; i < recipe->set->members.count; i++) {
    const tn_link_member *member = tn_link_set_at(recipe->set, i);
    const tn_str name = variable_of(&member->image);
    if (name.size > 0 && !can_set) {
      return TN_FAIL(diag, UNSUPPORTED,
                     "%.300s: functions in it use specialization constants or device globals, and "
                     "device %s cannot tell them where those are",
                     tn_link_owner_path(member->owner), program->device->name);
    }
    if (name.size > 0 || (has_own && i > 0)) {
      TN_TRY(give(recipe, i, name, program, diag));
    }
  }
  return TN_OK;
}
