// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The key of a program on disk: a hash of everything that its code depends on. What is hashed is
// preceded by its size or has a fixed one, so that no two recipes are the same bytes.
#include "run/program/program_key.h"

#include "base/blake3.h"
#include "base/config.h"
#include "run/program/symbol_text.h"
#include "tenon/tenon.h"

#include <stdlib.h>

// Another number for every change of what is hashed, or of what the code is like.
#define KEY_HEAD "tenon program 5"
enum { TEXT_MAXIMUM = 4096, NAMES_MAXIMUM = 1 << 24, SHOWN_KERNELS = 4, SHOWN_NAME = 60 };

_Static_assert((int)TN_STORE_KEY_SIZE == (int)TN_BLAKE3_SIZE, "a key is a hash");

// What was compiled with -g -O0 is to be stepped through, unless TENON_JIT_OPT says otherwise.
static uint32_t level_for(const tn_image *image) {
  const tn_config *config = tn_config_get();
  const bool is_for_debugger = tn_image_misc_number(image, TN_MISC_OPT_LEVEL, 2) == 0 &&
                               tn_image_misc_number(image, TN_MISC_DEBUG, 0) == 1;
  return is_for_debugger && !config->has_opt_level ? 0 : config->opt_level;
}

// Of kernels that require none; 0, the compiler's choice, where the device does not tell.
static uint32_t sub_group_size(const tn_device *device) {
  uint32_t size = 0;
  return tn_device_get_info(device, TN_DEVICE_INFO_SUB_GROUP_SIZE, &size, sizeof(size), NULL,
                            NULL) == TN_OK
             ? size
             : 0;
}

tn_program_recipe tn_program_recipe_of(const tn_link_set *set, tn_device *device,
                                       const tn_spec_settled *specs) {
  return (tn_program_recipe){.set = set,
                             .device = device,
                             .specs = specs,
                             .opt_level = level_for(&tn_link_set_at(set, 0)->image),
                             .sub_group_size = sub_group_size(device),
                             .check = tn_config_get()->check};
}

static void add_str(tn_blake3 *hash, tn_str text) {
  tn_blake3_add_bytes(hash, text.data, text.size);
}

static void add_prop(tn_blake3 *hash, const tn_prop *prop) {
  add_str(hash, prop->name);
  tn_blake3_add_number(hash, prop->type);
  if (prop->type == TN_PROP_U32) {
    tn_blake3_add_number(hash, prop->u32);
  } else {
    tn_blake3_add_bytes(hash, prop->bytes.data, prop->bytes.size);
  }
}

static void add_image(tn_blake3 *hash, const tn_image *image) {
  const uint32_t set_count = tn_image_prop_set_count(image);
  tn_blake3_add_number(hash, image->format);
  add_str(hash, image->target);
  add_str(hash, image->triple);
  tn_blake3_add_bytes(hash, image->code.data, image->code.size);
  tn_blake3_add_number(hash, set_count);
  for (uint32_t s = 0; s < set_count; s++) {
    const tn_prop_set set = tn_image_prop_set_at(image, s);
    add_str(hash, set.name);
    tn_blake3_add_number(hash, set.count);
    for (uint32_t p = 0; p < set.count; p++) {
      const tn_prop prop = tn_prop_set_at(&set, p);
      add_prop(hash, &prop);
    }
  }
}

// An image of the program, and what is taken from it.
typedef struct member_digest {
  tn_str symbols;  // it defines; by these images are sorted, as in seed 000
  uint8_t hash[TN_BLAKE3_SIZE];
} member_digest;

static void digest_member(const tn_link_member *member, uint8_t out[TN_BLAKE3_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  add_image(&hash, &member->image);
  tn_blake3_add_number(&hash, member->take.count);
  for (size_t t = 0; t < member->take.count; t++) {
    tn_blake3_add_text(&hash, member->take.items[t]);
  }
  tn_blake3_finish(&hash, out);
}

static bool list_symbols(const tn_image *image, tn_arena *arena, tn_str *out) {
  tn_buf names;
  tn_buf_init(&names, NAMES_MAXIMUM);
  for (uint32_t k = 0; k < tn_image_kernel_count(image); k++) {
    tn_buf_add_str(&names, tn_image_kernel_at(image, k).name);
    tn_buf_add_char(&names, '\n');
  }
  for (uint32_t e = 0; e < tn_image_export_count(image); e++) {
    tn_buf_add_str(&names, tn_image_export_at(image, e).name);
    tn_buf_add_char(&names, '\n');
  }
  const char *copy = names.failed == TN_OK ? tn_arena_str(arena, tn_buf_str(&names)) : NULL;
  *out = (tn_str){copy, names.size};
  tn_buf_deinit(&names);
  return copy != NULL;
}

// Images may define nothing, or the same as others: then their contents decide.
static int compare_members(const void *a, const void *b) {
  const member_digest *first = a;
  const member_digest *second = b;
  const int order = tn_str_compare(first->symbols, second->symbols);
  return order != 0 ? order : memcmp(first->hash, second->hash, sizeof(first->hash));
}

// The first image is the one whose kernels are made, so it stays first.
static bool add_members(tn_blake3 *hash, const tn_link_set *set) {
  const size_t count = set->members.count;
  tn_arena arena;
  tn_arena_init(&arena);
  member_digest *digests = tn_arena_alloc_array(&arena, count, sizeof(*digests));
  bool is_good = digests != NULL;
  for (size_t m = 0; is_good && m < count; m++) {
    const tn_link_member *member = tn_link_set_at(set, m);
    digest_member(member, digests[m].hash);
    is_good = count < 3 || list_symbols(&member->image, &arena, &digests[m].symbols);
  }
  if (is_good && count > 2) {
    qsort(digests + 1, count - 1, sizeof(*digests), compare_members);
  }
  tn_blake3_add_number(hash, count);
  for (size_t m = 0; is_good && m < count; m++) {
    tn_blake3_add(hash, digests[m].hash, sizeof(digests[m].hash));
  }
  tn_arena_deinit(&arena);
  return is_good;
}

static bool add_device(tn_blake3 *hash, const tn_device *device) {
  const char *identity = device->api->device_identity(device->adapter_device);
  char version[TEXT_MAXIMUM] = "";
  if (device->api->device_get_info(device->adapter_device, TN_DEVICE_INFO_DRIVER_VERSION, version,
                                   sizeof(version), NULL, NULL) != TN_OK) {
    version[0] = '\0';
  }
  version[sizeof(version) - 1] = '\0';
  tn_blake3_add_text(hash, device->api->name);
  tn_blake3_add_text(hash, device->target);
  tn_blake3_add_text(hash, device->name);
  tn_blake3_add_text(hash, version);
  tn_blake3_add_text(hash, identity ? identity : "");
  return identity != NULL;
}

bool tn_program_key(const tn_program_recipe *recipe, const uint8_t toolchain[TN_STORE_KEY_SIZE],
                    uint8_t out[TN_STORE_KEY_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add_text(&hash, KEY_HEAD);
  tn_blake3_add_text(&hash, tn_version());
  tn_blake3_add(&hash, toolchain, TN_STORE_KEY_SIZE);
  tn_blake3_add_number(&hash, recipe->opt_level);
  tn_blake3_add_number(&hash, recipe->check ? 1 : 0);
  tn_blake3_add_number(&hash, recipe->sub_group_size);
  tn_blake3_add_number(&hash, recipe->group_shape);
  add_str(&hash, recipe->specs->kernel);
  tn_blake3_add_number(&hash, recipe->specs->count);
  for (size_t i = 0; i < recipe->specs->count; i++) {
    const tn_build_spec *spec = &recipe->specs->items[i];
    tn_blake3_add_text(&hash, spec->name);
    tn_blake3_add_bytes(&hash, spec->value, spec->size);
  }
  const bool is_good = add_device(&hash, recipe->device) && add_members(&hash, recipe->set);
  tn_blake3_finish(&hash, out);
  return is_good;
}

static bool is_made(const tn_program_recipe *recipe, const tn_kernel_info *kernel) {
  return recipe->specs->kernel.size == 0 || tn_str_equals(kernel->name, recipe->specs->kernel);
}

static void add_kernels(const tn_program_recipe *recipe, tn_buf *out) {
  const tn_image *image = &tn_link_set_at(recipe->set, 0)->image;
  uint32_t count = 0;
  for (uint32_t k = 0; k < tn_image_kernel_count(image); k++) {
    const tn_kernel_info kernel = tn_image_kernel_at(image, k);
    if (is_made(recipe, &kernel) && count++ < SHOWN_KERNELS) {
      tn_buf_add_format(
          out, "%s%.*s", count > 1 ? ", " : "",
          TN_STR_ARG(tn_str_slice(tn_kernel_info_shown_name(&kernel), 0, SHOWN_NAME)));
    }
  }
  if (count > SHOWN_KERNELS) {
    tn_buf_add_format(out, " and %u more", count - SHOWN_KERNELS);
  }
}

void tn_program_describe(const tn_program_recipe *recipe, tn_buf *out) {
  tn_buf_add_format(out, "%s: ", recipe->device->name);
  add_kernels(recipe, out);
  tn_buf_add_format(out, " -O%u%s", recipe->opt_level, recipe->check ? " with checks" : "");
  if (recipe->group_shape != 0) {
    tn_buf_add_format(out, ", shape %u of work-groups", recipe->group_shape);
  }
  if (recipe->specs->count > 0) {
    tn_buf_add_format(out, ", %zu specialization constants set", recipe->specs->count);
  }
  tn_buf_add_format(out, "\ntarget %s, tenon %s", recipe->device->target, tn_version());
  for (size_t m = 0; m < recipe->set->members.count; m++) {
    const tn_link_member *member = tn_link_set_at(recipe->set, m);
    tn_buf_add_format(out, "\nimage %u of %.300s: %zu bytes", member->image_index,
                      tn_link_owner_path(member->owner), member->image.code.size);
  }
}

uint64_t tn_program_code_size(const tn_program_recipe *recipe) {
  uint64_t size = 0;
  for (size_t m = 0; m < recipe->set->members.count; m++) {
    const tn_image *image = &tn_link_set_at(recipe->set, m)->image;
    const uint32_t whole = tn_image_misc_number(image, TN_MISC_CODE_SIZE, 0);
    size += whole > 0 ? whole : image->code.size;
  }
  return size;
}

void tn_program_quick_key(const uint8_t key[TN_STORE_KEY_SIZE], uint8_t out[TN_STORE_KEY_SIZE]) {
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add_text(&hash, "quick tier");
  tn_blake3_add_bytes(&hash, key, TN_STORE_KEY_SIZE);
  tn_blake3_finish(&hash, out);
}
