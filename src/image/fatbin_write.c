// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions of images → a fat binary. Everything is checked and sorted into a model first; then
// the model is laid out in one pass: tables are reserved, and filled in as their parts are written.
#include "image/fatbin_layout.h"

#include <stdlib.h>

typedef struct set_model {
  tn_str name;
  tn_prop *props;  // owned by the arena, sorted
  size_t count;
} set_model;

enum { KNOWN_SET_COUNT = 9 };

typedef struct image_model {
  tn_str target;
  tn_str triple;
  uint32_t format;
  tn_bytes code;
  set_model *sets;  // owned by the arena, sorted
  size_t set_count;
} image_model;

// The buffer may hold other things before the container.
typedef struct writer {
  tn_buf *out;
  size_t start;
} writer;

static size_t writer_at(const writer *w) { return w->out->size - w->start; }

static void put_zeros(writer *w, size_t size) {
  static const uint8_t zeros[64];
  while (size > 0 && w->out->failed == TN_OK) {
    const size_t part = size < sizeof(zeros) ? size : sizeof(zeros);
    tn_buf_add(w->out, zeros, part);
    size -= part;
  }
}

static size_t align_to(writer *w, size_t alignment) {
  put_zeros(w, tn_size_align(writer_at(w), alignment) - writer_at(w));
  return writer_at(w);
}

static size_t reserve_table(writer *w, size_t count, size_t record_size) {
  const size_t at = align_to(w, TN_FATBIN_TABLE_ALIGN);
  put_zeros(w, count * record_size);
  return at;
}

static void patch_u32(writer *w, size_t at, uint32_t value) {
  if (w->out->failed == TN_OK) {
    tn_store_u32((uint8_t *)w->out->data + w->start + at, value);
  }
}

static void patch_u64(writer *w, size_t at, uint64_t value) {
  if (w->out->failed == TN_OK) {
    tn_store_u64((uint8_t *)w->out->data + w->start + at, value);
  }
}

static void put_bytes(writer *w, size_t ref_at, tn_bytes bytes, size_t alignment) {
  patch_u64(w, ref_at, align_to(w, alignment));
  patch_u64(w, ref_at + 8, bytes.size);
  tn_buf_add(w->out, bytes.data, bytes.size);
}

static void put_text(writer *w, size_t ref_at, tn_str text) {
  put_bytes(w, ref_at, tn_bytes_from(text.data, text.size), 1);
  put_zeros(w, 1);
}

static void put_set(writer *w, size_t at, const set_model *set) {
  const size_t props_at = reserve_table(w, set->count, TN_PROP_SIZE);
  patch_u64(w, at + TN_SET_PROPS_AT, props_at);
  patch_u32(w, at + TN_SET_COUNT_AT, (uint32_t)set->count);
  put_text(w, at + TN_SET_NAME_AT, set->name);
  for (size_t i = 0; i < set->count; i++) {
    const tn_prop *prop = &set->props[i];
    const size_t prop_at = props_at + i * TN_PROP_SIZE;
    patch_u32(w, prop_at + TN_PROP_TYPE_AT, prop->type);
    put_text(w, prop_at + TN_PROP_NAME_AT, prop->name);
    if (prop->type == TN_PROP_U32) {
      patch_u32(w, prop_at + TN_PROP_U32_AT, prop->u32);
    } else {
      put_bytes(w, prop_at + TN_PROP_BYTES_AT, prop->bytes, 1);
    }
  }
}

static void put_image(writer *w, size_t at, const image_model *image) {
  const size_t sets_at = reserve_table(w, image->set_count, TN_SET_SIZE);
  patch_u64(w, at + TN_IMAGE_SETS_AT, sets_at);
  patch_u32(w, at + TN_IMAGE_SET_COUNT_AT, (uint32_t)image->set_count);
  patch_u32(w, at + TN_IMAGE_FORMAT_AT, image->format);
  put_text(w, at + TN_IMAGE_TARGET_AT, image->target);
  put_text(w, at + TN_IMAGE_TRIPLE_AT, image->triple);
  for (size_t i = 0; i < image->set_count; i++) {
    put_set(w, sets_at + i * TN_SET_SIZE, &image->sets[i]);
  }
  put_bytes(w, at + TN_IMAGE_CODE_AT, image->code, TN_FATBIN_CODE_ALIGN);
}

static tn_status put_container(const image_model *images, size_t count, tn_buf *out,
                               tn_diag *diag) {
  writer w = {out, out->size};
  put_zeros(&w, TN_HEADER_SIZE);
  const size_t images_at = reserve_table(&w, count, TN_IMAGE_SIZE);
  for (size_t i = 0; i < count; i++) {
    put_image(&w, images_at + i * TN_IMAGE_SIZE, &images[i]);
  }
  const size_t size = align_to(&w, TN_FATBIN_TABLE_ALIGN);
  if (out->failed == TN_OK) {
    memcpy(out->data + w.start, TN_FATBIN_MAGIC, 4);
  }
  patch_u32(&w, TN_HEADER_VERSION_AT, TN_FATBIN_VERSION);
  patch_u64(&w, TN_HEADER_SIZE_AT, size);
  patch_u64(&w, TN_HEADER_IMAGES_AT, images_at);
  patch_u32(&w, TN_HEADER_COUNT_AT, (uint32_t)count);
  if (out->failed == TN_OK) {
    const uint64_t checksum = tn_fatbin_checksum(tn_bytes_from(out->data + w.start, size));
    patch_u64(&w, TN_HEADER_CHECKSUM_AT, checksum);
  }
  return tn_buf_status(out, diag);
}

static tn_status check_text(tn_str text, const char *what, tn_diag *diag) {
  if (text.size >= UINT32_MAX) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s is longer than a fat binary can hold: %zu bytes",
                   what, text.size);
  }
  if (tn_str_find_char(text, '\0') != SIZE_MAX) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s \"%.*s\" has a NUL character inside", what,
                   TN_STR_ARG(text));
  }
  return TN_OK;
}

static int compare_props(const void *a, const void *b) {
  return tn_str_compare(((const tn_prop *)a)->name, ((const tn_prop *)b)->name);
}

static int compare_sets(const void *a, const void *b) {
  return tn_str_compare(((const set_model *)a)->name, ((const set_model *)b)->name);
}

// Checks what all properties have in common and sorts them.
static tn_status sort_set(set_model *set, tn_diag *diag) {
  if (set->count > UINT32_MAX) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "property set %.*s has too many entries: %zu",
                   TN_STR_ARG(set->name), set->count);
  }
  qsort(set->props, set->count, sizeof(*set->props), compare_props);
  for (size_t i = 0; i < set->count; i++) {
    const tn_prop *prop = &set->props[i];
    TN_TRY(check_text(prop->name, "the name", diag));
    if (prop->name.size == 0) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "property set %.*s has an entry without a name",
                     TN_STR_ARG(set->name));
    }
    if (prop->type != TN_PROP_U32 && prop->type != TN_PROP_BYTES) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "property %.*s is of unknown type %u",
                     TN_STR_ARG(prop->name), prop->type);
    }
    if (i > 0 && tn_str_equals(set->props[i - 1].name, prop->name)) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "%.*s is twice in property set %.*s of one image",
                     TN_STR_ARG(prop->name), TN_STR_ARG(set->name));
    }
  }
  return TN_OK;
}

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to write a fat binary");
}

static tn_status set_create(set_model *set, tn_arena *arena, const char *name, size_t count,
                            tn_diag *diag) {
  *set = (set_model){tn_str_from(name), tn_arena_alloc_array(arena, count, sizeof(tn_prop)), count};
  return set->props ? TN_OK : no_memory(diag);
}

static tn_status kernels_model(set_model *set, tn_arena *arena, const tn_image_desc *desc,
                               tn_diag *diag) {
  TN_TRY(set_create(set, arena, TN_PROPS_KERNELS, desc->kernel_count, diag));
  for (size_t i = 0; i < desc->kernel_count; i++) {
    const tn_kernel_info *info = &desc->kernels[i];
    TN_TRY(check_text(info->display_name, "the display name", diag));
    TN_TRY(check_text(info->file, "the file name", diag));
    if (info->arg_align == 0 || (info->arg_align & (info->arg_align - 1)) != 0) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "kernel %.*s: its argument alignment must be a power of two, it is %u",
                     TN_STR_ARG(info->name), info->arg_align);
    }
    if (!tn_kernel_args_are_good(info) ||
        tn_kernel_info_arg_count(info) > TN_KERNEL_ARG_MAXIMUM) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "kernel %.*s: its arguments overlap, lie outside the block of %u bytes, have "
                     "sizes that are not those of their kinds, or are more than %d",
                     TN_STR_ARG(info->name), info->arg_size, TN_KERNEL_ARG_MAXIMUM);
    }
    size_t size = 0;
    const uint8_t *record = tn_kernel_record_encode(arena, info, &size);
    if (!record) {
      return no_memory(diag);
    }
    set->props[i] = (tn_prop){info->name, TN_PROP_BYTES, 0, {record, size}};
  }
  return sort_set(set, diag);
}

static tn_status symbols_model(set_model *set, tn_arena *arena, const char *name,
                               const tn_symbol_info *symbols, size_t count, tn_diag *diag) {
  TN_TRY(set_create(set, arena, name, count, diag));
  for (size_t i = 0; i < count; i++) {
    TN_TRY(check_text(symbols[i].display_name, "the display name", diag));
    TN_TRY(check_text(symbols[i].user, "the user's name", diag));
    TN_TRY(check_text(symbols[i].file, "the file name", diag));
    size_t size = 0;
    const uint8_t *record = tn_symbol_record_encode(arena, &symbols[i], &size);
    if (!record) {
      return no_memory(diag);
    }
    set->props[i] = (tn_prop){symbols[i].name, TN_PROP_BYTES, 0, {record, size}};
  }
  return sort_set(set, diag);
}

static tn_status misc_model(set_model *set, tn_arena *arena, const tn_image_desc *desc,
                            tn_diag *diag) {
  TN_TRY(set_create(set, arena, TN_PROPS_MISC, desc->misc_count, diag));
  if (desc->misc_count > 0) {
    memcpy(set->props, desc->misc, desc->misc_count * sizeof(*desc->misc));
  }
  return sort_set(set, diag);
}

static tn_status specs_model(set_model *set, tn_arena *arena, const tn_image_desc *desc,
                             tn_diag *diag) {
  TN_TRY(set_create(set, arena, TN_PROPS_SPECS, desc->spec_count, diag));
  for (size_t i = 0; i < desc->spec_count; i++) {
    const tn_spec_info *info = &desc->specs[i];
    size_t size = 0;
    const uint8_t *record = tn_spec_record_encode(arena, info, &size);
    if (!record) {
      return no_memory(diag);
    }
    tn_spec_info decoded;
    if (!tn_spec_record_decode(tn_bytes_from(record, size), &decoded) ||
        !tn_range_is_inside(desc->spec_defaults.size, info->offset, info->size)) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "specialization constant %.*s: its %u bytes at %u, aligned to %u, do not fit "
                     "into the buffer of %zu bytes, or its pieces not into it",
                     TN_STR_ARG(info->name), info->size, info->offset, info->alignment,
                     desc->spec_defaults.size);
    }
    set->props[i] = (tn_prop){info->name, TN_PROP_BYTES, 0, {record, size}};
  }
  return sort_set(set, diag);
}

static tn_status globals_model(set_model *set, tn_arena *arena, const tn_image_desc *desc,
                               tn_diag *diag) {
  TN_TRY(set_create(set, arena, TN_PROPS_GLOBALS, desc->global_count, diag));
  for (size_t i = 0; i < desc->global_count; i++) {
    const tn_global_info *info = &desc->globals[i];
    size_t size = 0;
    const uint8_t *record = tn_global_record_encode(arena, info, &size);
    if (!record) {
      return no_memory(diag);
    }
    tn_global_info decoded;
    if (!tn_global_record_decode(tn_bytes_from(record, size), &decoded)) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "device global %.*s: its %u bytes, aligned to %u, its value of %zu bytes or "
                     "its name are none",
                     TN_STR_ARG(info->name), info->size, info->alignment, info->value.size);
    }
    set->props[i] = (tn_prop){info->name, TN_PROP_BYTES, 0, {record, size}};
  }
  return sort_set(set, diag);
}

static tn_status spec_defaults_model(set_model *set, tn_arena *arena, const tn_image_desc *desc,
                                     tn_diag *diag) {
  TN_TRY(set_create(set, arena, TN_PROPS_SPEC_DEFAULTS, desc->spec_count > 0 ? 1 : 0, diag));
  if (set->count > 0) {
    set->props[0] =
        (tn_prop){TN_STR_LIT(TN_PROP_SPEC_DEFAULTS), TN_PROP_BYTES, 0, desc->spec_defaults};
  }
  return TN_OK;
}

static tn_status requirements_model(set_model *set, tn_arena *arena, const tn_image_desc *desc,
                                    tn_diag *diag) {
  TN_TRY(set_create(set, arena, TN_PROPS_REQUIREMENTS, desc->requirement_count, diag));
  if (desc->requirement_count > 0) {
    memcpy(set->props, desc->requirements, desc->requirement_count * sizeof(*set->props));
  }
  return sort_set(set, diag);
}

static tn_status masks_model(set_model *set, tn_arena *arena, const tn_image_desc *desc,
                             tn_diag *diag) {
  const size_t count = desc->argument_masks ? desc->kernel_count : 0;
  TN_TRY(set_create(set, arena, TN_PROPS_ARGUMENT_MASKS, count, diag));
  if (count > 0) {
    memcpy(set->props, desc->argument_masks, count * sizeof(*set->props));
  }
  return sort_set(set, diag);
}

static tn_status check_image(const image_model *image, tn_diag *diag) {
  TN_TRY(check_text(image->target, "the target", diag));
  TN_TRY(check_text(image->triple, "the triple", diag));
  if (image->target.size == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a device image needs the name of its target");
  }
  if (image->format == TN_IMAGE_FORMAT_NONE) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the device image for %.*s has no format",
                   TN_STR_ARG(image->target));
  }
  return TN_OK;
}

static tn_status describe(image_model *image, tn_arena *arena, const tn_image_desc *desc,
                          tn_diag *diag) {
  *image = (image_model){
      .target = tn_str_from(desc->target),
      .triple = tn_str_from(desc->triple),
      .format = desc->format,
      .code = desc->code,
      .sets = tn_arena_alloc_array(arena, KNOWN_SET_COUNT, sizeof(set_model)),
  };
  TN_TRY(image->sets ? TN_OK : no_memory(diag));
  TN_TRY(check_image(image, diag));
  set_model all[KNOWN_SET_COUNT];
  TN_TRY(kernels_model(&all[0], arena, desc, diag));
  TN_TRY(symbols_model(&all[1], arena, TN_PROPS_IMPORTED, desc->imports, desc->import_count, diag));
  TN_TRY(symbols_model(&all[2], arena, TN_PROPS_EXPORTED, desc->exports, desc->export_count, diag));
  TN_TRY(misc_model(&all[3], arena, desc, diag));
  TN_TRY(specs_model(&all[4], arena, desc, diag));
  TN_TRY(spec_defaults_model(&all[5], arena, desc, diag));
  TN_TRY(requirements_model(&all[6], arena, desc, diag));
  TN_TRY(masks_model(&all[7], arena, desc, diag));
  TN_TRY(globals_model(&all[8], arena, desc, diag));
  for (size_t i = 0; i < KNOWN_SET_COUNT; i++) {
    if (all[i].count > 0) {
      image->sets[image->set_count++] = all[i];
    }
  }
  qsort(image->sets, image->set_count, sizeof(*image->sets), compare_sets);
  return TN_OK;
}

tn_status tn_fatbin_write(const tn_image_desc *images, size_t image_count, tn_buf *out,
                          tn_diag *diag) {
  tn_status status = TN_OK;
  tn_arena arena;
  tn_arena_init(&arena);
  image_model *models = NULL;
  if (image_count > UINT32_MAX) {
    status = TN_FAIL(diag, INVALID_ARGUMENT, "too many device images: %zu", image_count);
    goto done;
  }
  models = tn_arena_alloc_array(&arena, image_count, sizeof(*models));
  status = models ? TN_OK : no_memory(diag);
  for (size_t i = 0; i < image_count && status == TN_OK; i++) {
    status = describe(&models[i], &arena, &images[i], diag);
  }
  if (status == TN_OK) {
    status = put_container(models, image_count, out, diag);
  }
done:
  tn_arena_deinit(&arena);
  return status;
}

// The image comes from a checked container: its tables are sorted and its texts good.
static tn_status copy_model(image_model *model, tn_arena *arena, const tn_image *image,
                            tn_diag *diag) {
  const uint32_t set_count = tn_image_prop_set_count(image);
  *model = (image_model){
      .target = image->target,
      .triple = image->triple,
      .format = image->format,
      .code = image->code,
      .sets = tn_arena_alloc_array(arena, set_count, sizeof(set_model)),
      .set_count = set_count,
  };
  if (!model->sets) {
    return no_memory(diag);
  }
  for (uint32_t i = 0; i < set_count; i++) {
    const tn_prop_set set = tn_image_prop_set_at(image, i);
    tn_prop *props = tn_arena_alloc_array(arena, set.count, sizeof(*props));
    if (!props) {
      return no_memory(diag);
    }
    for (uint32_t j = 0; j < set.count; j++) {
      props[j] = tn_prop_set_at(&set, j);
    }
    model->sets[i] = (set_model){set.name, props, set.count};
  }
  return TN_OK;
}

// The set SYCL/misc properties with more in it; there may have been none.
static tn_status add_misc(image_model *model, tn_arena *arena, const tn_prop *misc, size_t count,
                          tn_diag *diag) {
  set_model *sets = tn_arena_alloc_array(arena, model->set_count + 1, sizeof(*sets));
  TN_TRY(sets ? TN_OK : no_memory(diag));
  if (model->set_count > 0) {
    memcpy(sets, model->sets, model->set_count * sizeof(*sets));
  }
  model->sets = sets;
  size_t at = 0;
  while (at < model->set_count && !tn_str_equals(sets[at].name, TN_STR_LIT(TN_PROPS_MISC))) {
    at++;
  }
  const set_model before = at < model->set_count ? sets[at] : (set_model){.count = 0};
  model->set_count += at == model->set_count ? 1 : 0;
  TN_TRY(set_create(&sets[at], arena, TN_PROPS_MISC, before.count + count, diag));
  if (before.count > 0) {
    memcpy(sets[at].props, before.props, before.count * sizeof(*misc));
  }
  memcpy(sets[at].props + before.count, misc, count * sizeof(*misc));
  TN_TRY(sort_set(&sets[at], diag));
  qsort(sets, model->set_count, sizeof(*sets), compare_sets);
  return TN_OK;
}

tn_status tn_image_write_code(const tn_image *image, tn_bytes code, const tn_prop *misc,
                              size_t misc_count, tn_buf *out, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  image_model model;
  tn_status status = copy_model(&model, &arena, image, diag);
  if (status == TN_OK && misc_count > 0) {
    status = add_misc(&model, &arena, misc, misc_count, diag);
  }
  if (status == TN_OK) {
    model.code = code;
    status = put_container(&model, 1, out, diag);
  }
  tn_arena_deinit(&arena);
  return status;
}

tn_status tn_image_write(const tn_image *image, tn_buf *out, tn_diag *diag) {
  return tn_image_write_code(image, image->code, NULL, 0, out, diag);
}

static tn_status parse_parts(const tn_bytes *parts, size_t count, tn_arena *arena,
                             tn_fatbin **out, size_t *out_images, tn_diag *diag) {
  *out = tn_arena_alloc_array(arena, count, sizeof(**out));
  *out_images = 0;
  if (!*out) {
    return no_memory(diag);
  }
  for (size_t i = 0; i < count; i++) {
    // Their code is carried as it is: nobody reads it here, so no checksum over it.
    TN_TRY(tn_fatbin_parse_tables(parts[i], &(*out)[i], diag));
    *out_images += (*out)[i].image_count;
  }
  return *out_images <= UINT32_MAX
             ? TN_OK
             : TN_FAIL(diag, INVALID_ARGUMENT, "too many device images: %zu", *out_images);
}

static tn_status join_models(const tn_fatbin *parts, size_t count, image_model *models,
                             tn_arena *arena, tn_diag *diag) {
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < parts[i].image_count; k++) {
      const tn_image image = tn_fatbin_image_at(&parts[i], k);
      TN_TRY(copy_model(&models[at++], arena, &image, diag));
    }
  }
  return TN_OK;
}

tn_status tn_fatbin_join(const tn_bytes *parts, size_t count, tn_buf *out, tn_diag *diag) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_fatbin *parsed = NULL;
  size_t images = 0;
  tn_status status = parse_parts(parts, count, &arena, &parsed, &images, diag);
  image_model *models =
      status == TN_OK ? tn_arena_alloc_array(&arena, images, sizeof(*models)) : NULL;
  if (status == TN_OK) {
    status = models ? join_models(parsed, count, models, &arena, diag) : no_memory(diag);
  }
  if (status == TN_OK) {
    status = put_container(models, images, out, diag);
  }
  tn_arena_deinit(&arena);
  return status;
}
