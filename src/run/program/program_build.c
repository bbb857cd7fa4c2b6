// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a program: the compiler, or the device's linker, makes one object of all the set's images,
// unless the disk has it from an earlier time, and the adapter loads it.
#include "run/program/program_build.h"

#include "base/config.h"
#include "base/log.h"
#include "run/cache/cache.h"
#include "run/program/global_memory.h"
#include "run/program/image_choice.h"
#include "run/program/image_fit.h"
#include "run/program/linked_code.h"
#include "run/program/program_key.h"
#include "run/program/symbol_role.h"
#include "run/program/tier_upgrade.h"

static const char *const take_nothing[1] = {""};
enum { DESCRIPTION_MAXIMUM = 1 << 20 };

// Machine code as the compiler or the linker gave it, as it was found on disk, or as it lies in the
// image.
typedef struct loadable {
  const void *code;
  size_t size;
  const tn_compiler *compiler;  // NULL: the code is not the compiler's
  void *linked;                 // owned, of the adapter's linker; NULL: the code is not
  tn_tier_upgrade *upgrade;     // owned: of code of the quick tier
  bool is_from_disk;
  tn_disk_item item;             // holds the code from disk
  tn_disk_item quick_item;       // the same, of the quick tier
  tn_arena arena;                // holds the image's when that was compressed
  tn_adapter_prepared prepared;  // holds the image's when the adapter changed it
} loadable;

static tn_status describe_images(const tn_link_set *set, tn_arena *arena, tn_build_image **out,
                                 tn_diag *diag) {
  tn_build_image *images = tn_arena_alloc_array(arena, set->members.count, sizeof(*images));
  if (!images) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to link %zu images", set->members.count);
  }
  for (size_t i = 0; i < set->members.count; i++) {
    const tn_link_member *member = tn_link_set_at(set, i);
    tn_bytes code = {NULL, 0};
    const tn_status status = tn_image_code(&member->image, arena, &code, diag);
    if (status != TN_OK) {
      tn_diag_prepend(diag, "%s", tn_link_owner_path(member->owner));
      return status;
    }
    images[i] = (tn_build_image){
        .code = code.data,
        .size = code.size,
        .format = member->image.format,
        .flags = tn_image_misc_number(&member->image, TN_MISC_OPT_LEVEL, 2) == 0
                     ? TN_BUILD_IMAGE_UNOPTIMIZED
                     : 0,
        .name = tn_link_owner_path(member->owner),
        // An image of which nothing is taken is still there for its kernels; NULL would mean all.
        .take = member->take.count > 0 ? (const char *const *)member->take.items : take_nothing,
        .take_count = member->take.count,
    };
  }
  *out = images;
  return TN_OK;
}

static tn_status list_globals(const tn_link_set *set, tn_arena *arena, const char ***out,
                              tn_diag *diag) {
  const char **names = tn_arena_alloc_array(arena, set->globals.count + 1, sizeof(*names));
  if (!names) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu device globals", set->globals.count);
  }
  for (size_t i = 0; i < set->globals.count; i++) {
    names[i] = ((const tn_linked_global *)set->globals.items[i])->name;
  }
  *out = names;
  return TN_OK;
}

// What a program is kept by on disk; `is_found` false: it is replaced there.
typedef struct disk_key {
  uint8_t bytes[TN_STORE_KEY_SIZE];
  tn_str description;  // for people
  bool is_known;
  bool is_found;
} disk_key;

static void keep(const disk_key *key, tn_disk_item *item, const loadable *made) {
  if (key->is_known) {
    tn_disk_cache_keep(key->bytes, item, key->description, tn_bytes_from(made->code, made->size));
  }
}

static bool find(const disk_key *key, tn_disk_item *item, loadable *out) {
  if (!key->is_found || !tn_disk_cache_find(key->bytes, item)) {
    return false;
  }
  out->code = item->content.data;
  out->size = item->content.size;
  out->is_from_disk = true;
  return true;
}

static tn_status build(const tn_build_params *params, const disk_key *key, tn_disk_item *item,
                       loadable *out, tn_diag *diag) {
  const tn_compiler *compiler = NULL;
  void *object = NULL;
  TN_TRY(tn_device_get_compiler(&compiler, diag));
  TN_TRY(compiler->build(params, &object, &out->size, diag));
  tn_cache_count(TN_CACHE_BUILDS);
  out->code = object;
  out->compiler = compiler;
  keep(key, item, out);
  return TN_OK;
}

// Reports of the full tier are for who waits for them.
static bool may_be_quick(const tn_program_recipe *recipe) {
  return recipe->may_be_quick && recipe->opt_level > 0 && !recipe->check &&
         !TN_LOG_IS_ON(vectorize) && TN_ADAPTER_HAS(recipe->device->api, program_upgrade);
}

// Code of the quick tier, from disk or from the compiler. False when the full tier has to be built
// right away.
static bool make_quickly(const tn_build_params *params, const disk_key *key, loadable *out) {
  disk_key quick_key = *key;
  tn_program_quick_key(key->bytes, quick_key.bytes);
  tn_build_params quick = *params;
  quick.flags |= TN_BUILD_QUICK;
  out->upgrade = tn_tier_upgrade_prepare(params);
  if (out->upgrade && key->is_known) {
    tn_tier_upgrade_set_key(out->upgrade, key->bytes, key->description);
  }
  if (out->upgrade && (find(&quick_key, &out->quick_item, out) ||
                       build(&quick, &quick_key, &out->quick_item, out, NULL) == TN_OK)) {
    return true;
  }
  tn_tier_upgrade_free(out->upgrade);
  out->upgrade = NULL;
  return false;
}

static tn_status compile(const tn_program_recipe *recipe, const disk_key *key, loadable *out,
                         tn_diag *diag) {
  const tn_spec_settled *specs = recipe->specs;
  tn_arena arena;
  tn_arena_init(&arena);
  tn_build_image *images = NULL;
  const char **globals = NULL;
  tn_status status = describe_images(recipe->set, &arena, &images, diag);
  if (status == TN_OK) {
    status = list_globals(recipe->set, &arena, &globals, diag);
  }
  if (status == TN_OK) {
    const tn_build_params params = {.struct_size = sizeof(params),
                                    .opt_level = recipe->opt_level,
                                    .target = recipe->device->target,
                                    .images = images,
                                    .image_count = recipe->set->members.count,
                                    .check = recipe->check ? 1 : 0,
                                    .sub_group_size = recipe->sub_group_size,
                                    .specs = specs->items,
                                    .spec_count = specs->count,
                                    .kernel = specs->kernel.size > 0 ? specs->kernel.data : NULL,
                                    .globals = globals,
                                    .global_count = recipe->set->globals.count,
                                    .group_shape = recipe->group_shape,
                                    .flags = TN_LOG_IS_ON(vectorize) ? TN_BUILD_LOG_VECTORIZE : 0};
    TN_LOG(program, "%zu images for %s, -O%u, %zu specialization constants set%s",
           params.image_count, params.target, params.opt_level, params.spec_count,
           params.check ? ", with checks" : "");
    TN_LOG(cache, "building %s", tn_link_owner_path(tn_link_set_at(recipe->set, 0)->owner));
    const bool is_quick = may_be_quick(recipe) && make_quickly(&params, key, out);
    status = is_quick ? TN_OK : build(&params, key, &out->item, out, diag);
  }
  tn_arena_deinit(&arena);
  return status;
}

static tn_status link_images(const tn_program_recipe *recipe, const disk_key *key, loadable *out,
                             tn_diag *diag) {
  TN_LOG(cache, "linking %s", tn_link_owner_path(tn_link_set_at(recipe->set, 0)->owner));
  TN_TRY(tn_linked_code_make(recipe, &out->linked, &out->size, diag));
  tn_cache_count(TN_CACHE_BUILDS);
  out->code = out->linked;
  keep(key, &out->item, out);
  return TN_OK;
}

static bool compiled_key(const tn_program_recipe *recipe, uint8_t out[TN_STORE_KEY_SIZE]) {
  uint8_t toolchain[TN_STORE_KEY_SIZE];
  return tn_device_identify_compiler(tn_disk_cache_store(), toolchain) &&
         tn_program_key(recipe, toolchain, out);
}

// Where a program's code comes from that is not in an image as it is.
typedef struct maker {
  // Keeps what it made on disk.
  tn_status (*make)(const tn_program_recipe *recipe, const disk_key *key, loadable *out,
                    tn_diag *diag);
  bool (*key)(const tn_program_recipe *recipe, uint8_t out[TN_STORE_KEY_SIZE]);
} maker;
static const maker compiler_maker = {compile, compiled_key};
static const maker linker_maker = {link_images, tn_linked_code_key};

// Whether the program may be on disk, and under which key.
static bool find_key(const tn_program_recipe *recipe, const maker *by,
                     uint8_t out[TN_STORE_KEY_SIZE]) {
  const tn_config *config = tn_config_get();
  tn_store *store = tn_disk_cache_store();
  const uint64_t size = store ? tn_program_code_size(recipe) : 0;
  return store && size >= config->cache_min_image &&
         (config->cache_max_image == 0 || size <= config->cache_max_image) && by->key(recipe, out);
}

// The first image's own code.
static tn_status take_code(const tn_link_set *set, tn_device *device, loadable *out,
                           tn_diag *diag) {
  const tn_link_member *first = tn_link_set_at(set, 0);
  tn_bytes code = {NULL, 0};
  tn_status status = tn_image_code(&first->image, &out->arena, &code, diag);
  if (status == TN_OK) {
    status = tn_symbol_prepare(set, 0, device, code, tn_link_owner_path(first->owner),
                               &out->prepared, diag);
  }
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", tn_link_owner_path(first->owner));
  }
  out->code = out->prepared.code ? out->prepared.code : code.data;
  out->size = out->prepared.code ? out->prepared.size : code.size;
  return status;
}

// Who makes the code: the compiler, the device's linker, or nobody, *out is NULL, when the first
// image's own is taken. A single image is linked only where its adapter asks for that, or for the
// shape of a launch: a driver that compiles it makes better code of a program that is whole, and
// keeps that itself.
static tn_status choose_maker(const tn_program_recipe *recipe, loadable *code, const maker **out,
                              tn_diag *diag) {
  const tn_link_set *set = recipe->set;
  tn_device *device = recipe->device;
  const tn_link_member *first = tn_link_set_at(set, 0);
  const bool can_link = tn_image_choice_can_link(device);
  *out = tn_image_choice_needs_compiler(&first->image, device) ? &compiler_maker
         : (set->members.count > 1 || recipe->group_shape != 0) && can_link ? &linker_maker
                                                                            : NULL;
  if (*out) {
    return TN_OK;
  }
  if (set->members.count > 1 &&
      !tn_image_has_flag(&first->image, device, TN_ADAPTER_IMAGE_IS_WHOLE)) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "%s: its %s image uses functions of other modules, and "
                   "device %s links bitcode only: link it without -fsycl-targets options that "
                   "leave the bitcode out",
                   tn_link_owner_path(first->owner), tn_image_format_name(first->image.format),
                   device->name);
  }
  TN_TRY(take_code(set, device, code, diag));
  *out = can_link && code->prepared.needs_link != 0 ? &linker_maker : NULL;
  return TN_OK;
}

// The code to load. Without `uses_disk`, an entry on disk is replaced: it could not be loaded.
static tn_status make_code(const tn_program_recipe *recipe, bool uses_disk, loadable *out,
                           tn_diag *diag) {
  const maker *by = NULL;
  TN_TRY(choose_maker(recipe, out, &by, diag));
  if (!by) {
    return TN_OK;
  }
  disk_key key = {0};
  key.is_known = find_key(recipe, by, key.bytes);
  key.is_found = key.is_known && uses_disk;
  if (find(&key, &out->item, out)) {
    return TN_OK;
  }
  tn_buf text;
  tn_buf_init(&text, DESCRIPTION_MAXIMUM);
  if (key.is_known) {
    tn_program_describe(recipe, &text);
  }
  key.description = text.failed == TN_OK ? tn_buf_str(&text) : (tn_str){"", 0};
  const tn_status status = by->make(recipe, &key, out, diag);
  tn_buf_deinit(&text);
  return status;
}

// Kernels of the first image are what was asked for. Those of the others are in the program only if
// the build kept them, which the adapter knows; one question an image tells.
static bool add_records(tn_program *program, const tn_link_set *set, const tn_spec_settled *specs) {
  const tn_adapter_api *api = program->device->api;
  // What a device's linker left of other images' kernels would be told of the first's constants.
  const bool is_linked =
      !tn_image_choice_needs_compiler(&tn_link_set_at(set, 0)->image, program->device) &&
      tn_image_choice_can_link(program->device);
  for (size_t m = 0; m < (is_linked ? 1 : set->members.count); m++) {
    const tn_link_member *member = tn_link_set_at(set, m);
    const uint32_t count = tn_image_kernel_count(&member->image);
    for (uint32_t k = 0; k < count; k++) {
      const tn_kernel_info kernel = tn_image_kernel_at(&member->image, k);
      tn_adapter_kernel *ignored = NULL;
      if (specs->kernel.size > 0 && !tn_str_equals(kernel.name, specs->kernel)) {
        continue;
      }
      if (m > 0 && tn_program_find_record(program, kernel.name)) {
        continue;  // a kernel belongs to the module that names it: this one is another's
      }
      if (m > 0 &&
          api->kernel_find(program->adapter_program, kernel.name.data, &ignored, NULL) != TN_OK) {
        break;
      }
      if (!tn_program_add_record(program, &kernel, m)) {
        return false;
      }
    }
  }
  return true;
}

// A damaged entry is missed by the store; what can still be wrong with code from disk is that it is
// not what it says.
static tn_status find_kernel(const tn_program *program, const tn_program_recipe *recipe,
                             tn_diag *diag) {
  const tn_image *image = &tn_link_set_at(recipe->set, 0)->image;
  const char *name = recipe->specs->kernel.size > 0     ? recipe->specs->kernel.data
                     : tn_image_kernel_count(image) > 0 ? tn_image_kernel_at(image, 0).name.data
                                                        : NULL;
  tn_adapter_kernel *ignored = NULL;
  return name ? program->device->api->kernel_find(program->adapter_program, name, &ignored, diag)
              : TN_OK;
}

static tn_status load(const tn_program_recipe *recipe, const loadable *code, tn_program **out,
                      tn_diag *diag) {
  tn_device *device = recipe->device;
  tn_adapter_program *loaded = NULL;
  TN_TRY(device->api->program_load(device->adapter_device, code->code, code->size, &loaded, diag));
  tn_status status = tn_program_create(device, loaded, out, diag);
  if (status != TN_OK) {
    device->api->program_unload(loaded);
    return status;
  }
  (*out)->group_shape = recipe->group_shape;
  if (!tn_image_choice_needs_compiler(&tn_link_set_at(recipe->set, 0)->image, device)) {
    status = tn_program_make_specs(*out, &tn_link_set_at(recipe->set, 0)->image, recipe->specs,
                                   diag);  // a compiler freezes them
  }
  if (status == TN_OK) {
    status = tn_globals_give(recipe->set, *out, diag);
  }
  if (status == TN_OK) {
    status = tn_program_hand_specs(*out, diag);
  }
  if (status == TN_OK) {
    status = tn_linked_code_give_values(recipe, *out, diag);
  }
  if (status == TN_OK && code->is_from_disk && find_kernel(*out, recipe, NULL) != TN_OK) {
    status = TN_FAIL(diag, BUILD_FAILED, "the code on disk is not the program's");
  } else if (status == TN_OK && TN_ADAPTER_HAS(device->api, program_set_image_specs)) {
    status = find_kernel(*out, recipe, diag);  // it builds with all values only now
  }
  if (status == TN_OK && !add_records(*out, recipe->set, recipe->specs)) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the list of a program's kernels");
  }
  if (status != TN_OK) {
    tn_program_release(*out);
    *out = NULL;
  }
  return status;
}

static void begin(loadable *code) {
  *code = (loadable){0};
  tn_arena_init(&code->arena);
  tn_disk_item_init(&code->item);
  tn_disk_item_init(&code->quick_item);
}

static void end(const tn_program_recipe *recipe, loadable *code) {
  if (code->compiler) {
    code->compiler->free_object((void *)(uintptr_t)code->code);
  }
  if (code->linked) {
    recipe->device->api->code_free(code->linked);
  }
  tn_tier_upgrade_free(code->upgrade);
  tn_disk_item_deinit(&code->quick_item);
  tn_disk_item_deinit(&code->item);
  tn_symbol_free_prepared(recipe->device, &code->prepared);
  tn_arena_deinit(&code->arena);
}

tn_status tn_program_build(void *user, void **out, tn_diag *diag) {
  const tn_program_recipe *recipe = user;
  tn_program *program = NULL;
  tn_status status = TN_OK;
  tn_diag reason = {0};
  for (bool uses_disk = true, is_over = false; !is_over; uses_disk = false) {
    loadable code;
    begin(&code);
    status = make_code(recipe, uses_disk, &code, &reason);
    if (status == TN_OK) {
      status = load(recipe, &code, &program, &reason);
    }
    is_over = !code.is_from_disk || status == TN_OK || status == TN_OUT_OF_MEMORY;
    if (status == TN_OK) {
      TN_LOG(program, "program %p on %s: %zu bytes of code%s%s", (void *)program,
             recipe->device->name, code.size, code.is_from_disk ? " from disk" : "",
             code.upgrade ? ", quick tier" : "");
      if (code.upgrade) {
        tn_tier_upgrade_start(code.upgrade, program);
        code.upgrade = NULL;
      }
    } else if (!is_over) {
      TN_LOG(cache, "what is on disk cannot be used and is made anew: %s", reason.text);
    }
    end(recipe, &code);
  }
  if (status != TN_OK && diag) {
    *diag = reason;
  }
  *out = program;
  return status;
}
