// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bindless images: memory for pixels in the driver's layout, where the device has texture units, or
// in linear USM, and the images made of it.
#include "base/alloc.h"
#include "base/log.h"
#include "run/memory/memory.h"

#include <string.h>

// Coordinates are of 32 bits, and sums of a few stay so.
enum {
  MOST_EXTENT = 0x40000000,
  LEVEL_ALIGNMENT = 128,
  LEAST_ROW_ALIGNMENT = 64,
  MOST_LEVELS = 31
};

static const struct {
  uint8_t kind;
  uint8_t size;
} channels[] = {
    [TN_CHANNEL_SNORM_INT8] = {TN_PIXELS_SNORM, 1},
    [TN_CHANNEL_SNORM_INT16] = {TN_PIXELS_SNORM, 2},
    [TN_CHANNEL_UNORM_INT8] = {TN_PIXELS_UNORM, 1},
    [TN_CHANNEL_UNORM_INT16] = {TN_PIXELS_UNORM, 2},
    [TN_CHANNEL_SIGNED_INT8] = {TN_PIXELS_SINT, 1},
    [TN_CHANNEL_SIGNED_INT16] = {TN_PIXELS_SINT, 2},
    [TN_CHANNEL_SIGNED_INT32] = {TN_PIXELS_SINT, 4},
    [TN_CHANNEL_UNSIGNED_INT8] = {TN_PIXELS_UINT, 1},
    [TN_CHANNEL_UNSIGNED_INT16] = {TN_PIXELS_UINT, 2},
    [TN_CHANNEL_UNSIGNED_INT32] = {TN_PIXELS_UINT, 4},
    [TN_CHANNEL_FP16] = {TN_PIXELS_FLOAT, 2},
    [TN_CHANNEL_FP32] = {TN_PIXELS_FLOAT, 4},
};

static uint32_t pixel_size_of(const tn_bindless_description *description) {
  return channels[description->channel_type].size * description->channel_count;
}

static uint64_t at_least_1(uint64_t extent) { return extent > 0 ? extent : 1; }

static uint32_t dimensions_of(const tn_bindless_description *description) {
  return description->extent[2] > 0 ? 3 : description->extent[1] > 0 ? 2 : 1;
}

// ---- Features of a device

static void software_facts(const tn_device *device, tn_bindless_facts *out) {
  uint64_t aspects = 0;
  const uint64_t needed = UINT64_C(1) << TN_ASPECT_USM_DEVICE_ALLOCATIONS |
                          UINT64_C(1) << TN_ASPECT_USM_HOST_ALLOCATIONS;
  const tn_status status =
      tn_device_get_info(device, TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects), NULL, NULL);
  if (status != TN_OK || (aspects & needed) != needed) {
    return;
  }
  out->features = TN_BINDLESS_HAS_IMAGES | TN_BINDLESS_HAS_1D_USM | TN_BINDLESS_HAS_2D_USM |
                  TN_BINDLESS_HAS_3D_USM | TN_BINDLESS_HAS_UNSAMPLED_USM | TN_BINDLESS_HAS_GATHER |
                  TN_BINDLESS_SAMPLES_1D_USM | TN_BINDLESS_SAMPLES_2D_USM | TN_BINDLESS_FETCHES_1D |
                  TN_BINDLESS_FETCHES_1D_USM | TN_BINDLESS_FETCHES_2D | TN_BINDLESS_FETCHES_2D_USM |
                  TN_BINDLESS_FETCHES_3D | TN_BINDLESS_HAS_CUBEMAPS | TN_BINDLESS_HAS_ARRAYS |
                  TN_BINDLESS_HAS_MIPMAPS | TN_BINDLESS_HAS_LEVEL_IMAGES |
                  TN_BINDLESS_HAS_ADDRESSING_PER_DIMENSION | TN_BINDLESS_HAS_3_CHANNELS;
  if ((aspects >> TN_ASPECT_USM_SHARED_ALLOCATIONS & 1u) != 0) {
    out->features |= TN_BINDLESS_HAS_SHARED_USM;
  }
  out->row_pitch_alignment = 1;
  out->most_linear_width = MOST_EXTENT;
  out->most_linear_height = MOST_EXTENT;
  out->most_linear_row_pitch = UINT64_C(16) * MOST_EXTENT;
  out->most_anisotropy = 1;
}

void tn_bindless_get_facts(const tn_device *device, tn_bindless_facts *out) {
  *out = (tn_bindless_facts){0};
  if (device != NULL && device->api->arrays != NULL) {
    device->api->arrays->facts(device->adapter_device, out);
  } else if (device != NULL) {
    software_facts(device, out);
  }
}

static tn_status fail_type(const char *text, tn_diag *diag) {
  return TN_FAIL(diag, INVALID_ARGUMENT, "the description of an image: %s", text);
}

static tn_status check_type(const tn_bindless_description *d, tn_diag *diag) {
  const bool is_layered = d->type == TN_BINDLESS_ARRAY || d->type == TN_BINDLESS_CUBEMAP;
  uint64_t largest = d->extent[0];
  for (int i = 1; i < 3; i++) {
    largest = d->extent[i] > largest ? d->extent[i] : largest;
  }
  if (d->type < TN_BINDLESS_STANDARD || d->type > TN_BINDLESS_GATHER) {
    return fail_type("unknown image type", diag);
  }
  if (d->type == TN_BINDLESS_MIPMAP ? d->level_count < 2 : d->level_count != 1) {
    return fail_type("a mipmap has 2 levels or more, other images have 1", diag);
  }
  if (d->level_count > MOST_LEVELS || largest >> (d->level_count - 1) == 0) {
    return fail_type("a mipmap has no levels after the one of 1 pixel", diag);
  }
  if (d->type == TN_BINDLESS_ARRAY ? d->layer_count < 2 : !is_layered && d->layer_count != 1) {
    return fail_type("an image array has 2 layers or more, other images have 1", diag);
  }
  if (is_layered && d->extent[2] != 0) {
    return fail_type("layers have 1 or 2 dimensions, not 3", diag);
  }
  if (d->type == TN_BINDLESS_CUBEMAP && (d->layer_count != 6 || d->extent[0] != d->extent[1])) {
    return fail_type("a cubemap has 6 layers, which are square", diag);
  }
  if (d->type == TN_BINDLESS_GATHER && dimensions_of(d) != 2) {
    return fail_type("images for gathering have 2 dimensions", diag);
  }
  return TN_OK;
}

static tn_status check_description(const tn_bindless_description *d, tn_diag *diag) {
  if (d == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the description of an image is NULL");
  }
  if (d->channel_count < 1 || d->channel_count > 4) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "an image has 1 to 4 channels, not %u",
                   d->channel_count);
  }
  if (d->extent[0] == 0 || (d->extent[1] == 0 && d->extent[2] != 0)) {
    return fail_type("the first dimensions have 1 pixel or more, only the last ones may be 0",
                     diag);
  }
  for (int i = 0; i < 3; i++) {
    if (d->extent[i] > MOST_EXTENT) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "an image has at most %d pixels in a dimension, not %llu", MOST_EXTENT,
                     (unsigned long long)d->extent[i]);
    }
  }
  if (d->channel_type < 0 || d->channel_type > TN_CHANNEL_FP32) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "unknown channel type %d of an image", d->channel_type);
  }
  if (channels[d->channel_type].size == 0) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "bindless images have no packed channels (unorm_short_565, unorm_short_555, "
                   "unorm_int_101010)");
  }
  return check_type(d, diag);
}

static tn_status fail_feature(const tn_device *device, const char *what, tn_diag *diag) {
  return TN_FAIL(diag, UNSUPPORTED, "device %s does not support %s", device->name, what);
}

static tn_status check_usm(const tn_device *device, const tn_bindless_description *d,
                           int is_sampled, uint32_t features, tn_diag *diag) {
  static const uint32_t has[] = {TN_BINDLESS_HAS_1D_USM, TN_BINDLESS_HAS_2D_USM,
                                 TN_BINDLESS_HAS_3D_USM};
  static const char *const names[] = {"bindless images of 1 dimension in USM",
                                      "bindless images of 2 dimensions in USM",
                                      "bindless images of 3 dimensions in USM"};
  const uint32_t last = dimensions_of(d) - 1;
  if (d->type != TN_BINDLESS_STANDARD && d->type != TN_BINDLESS_GATHER) {
    return fail_feature(device, "mipmaps, image arrays and cubemaps in USM", diag);
  }
  if ((features & has[last]) == 0) {
    return fail_feature(device, names[last], diag);
  }
  return is_sampled || (features & TN_BINDLESS_HAS_UNSAMPLED_USM) != 0
             ? TN_OK
             : fail_feature(device, "unsampled bindless images in USM", diag);
}

tn_status tn_bindless_check(const tn_device *device, const tn_bindless_description *description,
                            int is_in_usm, int is_sampled, tn_diag *diag) {
  static const uint32_t needed[] = {TN_BINDLESS_HAS_IMAGES, TN_BINDLESS_HAS_MIPMAPS,
                                    TN_BINDLESS_HAS_ARRAYS, TN_BINDLESS_HAS_CUBEMAPS,
                                    TN_BINDLESS_HAS_GATHER};
  static const char *const names[] = {"bindless images", "bindless mipmaps",
                                      "arrays of bindless images", "bindless cubemaps",
                                      "gathering from bindless images"};
  tn_bindless_facts facts;
  if (device == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "a bindless image needs a device, but it is NULL");
  }
  TN_TRY(check_description(description, diag));
  tn_bindless_get_facts(device, &facts);
  if ((facts.features & TN_BINDLESS_HAS_IMAGES) == 0) {
    return fail_feature(device, names[0], diag);
  }
  if ((facts.features & needed[description->type]) == 0) {
    return fail_feature(device, names[description->type], diag);
  }
  if (description->channel_count == 3 && (facts.features & TN_BINDLESS_HAS_3_CHANNELS) == 0) {
    return fail_feature(device, "bindless images with 3 channels", diag);
  }
  return is_in_usm ? check_usm(device, description, is_sampled, facts.features, diag) : TN_OK;
}

// ---- Memory

static void describe_level(const tn_bindless_description *whole, uint32_t level,
                           tn_bindless_description *out) {
  *out = *whole;
  out->type = TN_BINDLESS_STANDARD;
  out->level_count = 1;
  for (int i = 0; i < 3; i++) {
    out->extent[i] = whole->extent[i] > 0 ? at_least_1(whole->extent[i] >> level) : 0;
  }
}

// Without gaps. False: more bytes than memory has.
static bool lay_out(tn_bindless_memory *memory, size_t *out_size) {
  const tn_bindless_description *d = &memory->description;
  size_t rows = 0;
  memory->pixel_size = pixel_size_of(d);
  memory->row_pitch = memory->pixel_size * d->extent[0];
  return !__builtin_mul_overflow(memory->row_pitch, at_least_1(d->extent[1]),
                                 &memory->slice_pitch) &&
         !__builtin_mul_overflow(memory->slice_pitch, at_least_1(d->extent[2]), &rows) &&
         !__builtin_mul_overflow(rows, d->layer_count, out_size) &&
         *out_size <= SIZE_MAX / 2 - LEVEL_ALIGNMENT;
}

static tn_status fail_size(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "an image is larger than any memory");
}

// A mipmap's levels, one behind the other, and where each begins.
static bool lay_out_levels(tn_bindless_memory *memory, size_t offsets[MOST_LEVELS],
                           size_t *out_size) {
  *out_size = 0;
  for (uint32_t i = 0; i < memory->description.level_count; i++) {
    size_t size = 0;
    offsets[i] = *out_size;
    if (!lay_out(&memory->levels[i], &size)) {
      return false;
    }
    size = (size + LEVEL_ALIGNMENT - 1) / LEVEL_ALIGNMENT * LEVEL_ALIGNMENT;
    if (__builtin_add_overflow(*out_size, size, out_size)) {
      return false;
    }
  }
  return true;
}

static tn_status create_linear(tn_bindless_memory *made, tn_diag *diag) {
  size_t size = 0;
  size_t offsets[MOST_LEVELS];
  void *pixels = NULL;
  if (!lay_out(made, &size) || (made->levels != NULL && !lay_out_levels(made, offsets, &size))) {
    return fail_size(diag);
  }
  TN_TRY(tn_usm_alloc(made->context, made->device, TN_USM_DEVICE, size, LEVEL_ALIGNMENT, &pixels,
                      diag));
  made->pixels = pixels;
  for (uint32_t i = 0; made->levels != NULL && i < made->description.level_count; i++) {
    made->levels[i].pixels = made->pixels + offsets[i];
  }
  return TN_OK;
}

static tn_status create_array(tn_bindless_memory *made, tn_diag *diag) {
  const tn_adapter_arrays *arrays = made->device->api->arrays;
  tn_adapter_device *device = made->device->adapter_device;
  size_t size = 0;
  if (!lay_out(made, &size)) {
    return fail_size(diag);
  }
  tn_status status = arrays->create(device, &made->description, &made->array, diag);
  const uint32_t count =
      status == TN_OK && made->levels != NULL ? made->description.level_count : 0;
  for (uint32_t i = 0; i < count && status == TN_OK; i++) {
    (void)lay_out(&made->levels[i], &size);
    status = arrays->level(device, made->array, i, &made->levels[i].array, diag);
  }
  if (status != TN_OK && made->array != NULL) {
    arrays->destroy(device, made->array, made->description.type);
  }
  return status;
}

tn_status tn_bindless_memory_create(tn_context *context, tn_device *device,
                                    const tn_bindless_description *description,
                                    tn_bindless_memory **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(tn_usm_check_alloc(context, device, TN_USM_DEVICE, 0, diag));
  device = tn_context_own_device(context, device);
  TN_TRY(tn_bindless_check(device, description, 0, 0, diag));
  const uint32_t count = description->type == TN_BINDLESS_MIPMAP ? description->level_count : 0;
  tn_bindless_memory *made = tn_alloc_array(1u + count, sizeof(*made));
  if (made == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note a bindless image");
  }
  for (uint32_t i = 0; i <= count; i++) {
    made[i] = (tn_bindless_memory){.context = context, .device = device};
    if (i > 0) {
      made[i].whole = made;
      describe_level(description, i - 1, &made[i].description);
    }
  }
  made->description = *description;
  made->levels = count > 0 ? made + 1 : NULL;
  const tn_status status =
      device->api->arrays != NULL ? create_array(made, diag) : create_linear(made, diag);
  if (status != TN_OK) {
    tn_free(made);
    return status;
  }
  tn_context_retain(context);
  TN_LOG(memory, "a bindless image of %llu x %llu x %llu pixels on %s",
         (unsigned long long)description->extent[0], (unsigned long long)description->extent[1],
         (unsigned long long)description->extent[2], device->name);
  *out = made;
  return TN_OK;
}

tn_status tn_bindless_memory_destroy(tn_bindless_memory *memory, int32_t type, tn_diag *diag) {
  if (memory == NULL || memory->whole != NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the memory of an image cannot be freed: it is %s",
                   memory == NULL ? "NULL" : "a level of a mipmap; free the mipmap");
  }
  if (memory->description.type != type) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the memory of an image is freed as another image type than it was allocated "
                   "as");
  }
  tn_status status = TN_OK;
  tn_context *context = memory->context;
  if (memory->array != NULL) {
    memory->device->api->arrays->destroy(memory->device->adapter_device, memory->array, type);
  } else {
    status = tn_usm_free(context, memory->pixels, diag);
  }
  tn_free(memory);
  tn_context_release(context);
  return status;
}

tn_status tn_bindless_memory_level(tn_bindless_memory *memory, uint32_t level,
                                   tn_bindless_memory **out, tn_diag *diag) {
  *out = NULL;
  if (memory == NULL || memory->levels == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "only the memory of a mipmap has levels");
  }
  if (level >= memory->description.level_count) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "level %u of a mipmap with %u levels", level,
                   memory->description.level_count);
  }
  *out = &memory->levels[level];
  return TN_OK;
}

tn_status tn_bindless_memory_describe(const tn_bindless_memory *memory,
                                      tn_bindless_description *out, tn_diag *diag) {
  if (memory == NULL) {
    *out = (tn_bindless_description){0};
    return TN_FAIL(diag, INVALID_ARGUMENT, "the memory of an image is NULL");
  }
  *out = memory->description;
  return TN_OK;
}

tn_status tn_bindless_alloc_rows(tn_context *context, tn_device *device, size_t row_size,
                                 size_t height, size_t *out_pitch, void **out, tn_diag *diag) {
  tn_bindless_facts facts;
  size_t size = 0;
  *out = NULL;
  *out_pitch = 0;
  tn_bindless_get_facts(device, &facts);
  const size_t alignment = facts.row_pitch_alignment > LEAST_ROW_ALIGNMENT
                               ? facts.row_pitch_alignment
                               : LEAST_ROW_ALIGNMENT;
  if (__builtin_add_overflow(row_size, alignment - 1, &row_size) ||
      __builtin_mul_overflow(row_size / alignment * alignment, at_least_1(height), &size)) {
    return fail_size(diag);
  }
  *out_pitch = row_size / alignment * alignment;
  return tn_usm_alloc(context, device, TN_USM_DEVICE, size, 0, out, diag);
}

// ---- Images

static void describe_pixels(tn_bindless_level *out, const tn_bindless_memory *memory) {
  const tn_bindless_description *d = &memory->description;
  out->pixels = (uintptr_t)memory->pixels;
  out->row_pitch = memory->row_pitch;
  out->slice_pitch = memory->slice_pitch;
  out->layer_count = (int32_t)d->layer_count;
  for (int i = 0; i < 3; i++) {
    out->extent[i] = (int32_t)at_least_1(d->extent[i]);
  }
}

// The record that kernels read, in memory that the host and the device access.
static tn_status create_record(const tn_bindless_memory *memory,
                               const tn_bindless_description *description,
                               const tn_bindless_sampler *sampler, uint64_t *out, tn_diag *diag) {
  const uint32_t count = memory->levels != NULL ? description->level_count : 1;
  void *found = NULL;
  TN_TRY(tn_usm_alloc(memory->context, memory->device, TN_USM_HOST,
                      sizeof(tn_bindless_pixels) + (count - 1) * sizeof(tn_bindless_level), 0,
                      &found, diag));
  tn_bindless_pixels *record = found;
  *record = (tn_bindless_pixels){.kind = channels[description->channel_type].kind,
                                 .channel_size = channels[description->channel_type].size,
                                 .channel_count = (uint8_t)description->channel_count,
                                 .level_count = (uint8_t)count};
  if (sampler != NULL) {
    record->sampler = *sampler;
  }
  for (uint32_t i = 0; i < count; i++) {
    describe_pixels(&record->levels[i], memory->levels != NULL ? &memory->levels[i] : memory);
  }
  *out = (uintptr_t)record;
  return TN_OK;
}

static tn_status check_sampler(const tn_bindless_sampler *sampler, tn_diag *diag) {
  for (int i = 0; sampler != NULL && i < 3; i++) {
    if (sampler->addressing[i] < TN_ADDRESSING_MIRRORED_REPEAT ||
        sampler->addressing[i] > TN_ADDRESSING_NONE) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "unknown addressing mode %d of a sampler",
                     sampler->addressing[i]);
    }
  }
  return TN_OK;
}

static tn_status create_image(const tn_bindless_memory *memory,
                              const tn_bindless_description *description,
                              const tn_bindless_sampler *sampler, uint64_t *out, tn_diag *diag) {
  const tn_adapter_arrays *arrays = memory->device->api->arrays;
  TN_TRY(check_sampler(sampler, diag));
  if (arrays == NULL) {
    return create_record(memory, description, sampler, out, diag);
  }
  const tn_adapter_pixels pixels = {
      .array = memory->array, .memory = memory->pixels, .row_pitch = memory->row_pitch};
  return arrays->open(memory->device->adapter_device, &pixels, description, sampler, out, diag);
}

static bool is_same_image(const tn_bindless_description *a, const tn_bindless_description *b) {
  return memcmp(a->extent, b->extent, sizeof(a->extent)) == 0 && a->type == b->type &&
         a->level_count == b->level_count && a->layer_count == b->layer_count &&
         pixel_size_of(a) == pixel_size_of(b);
}

tn_status tn_bindless_image_create(tn_bindless_memory *memory,
                                   const tn_bindless_description *description,
                                   const tn_bindless_sampler *sampler, uint64_t *out,
                                   tn_diag *diag) {
  *out = 0;
  if (memory == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the memory of an image is NULL");
  }
  TN_TRY(tn_bindless_check(memory->device, description, 0, sampler != NULL, diag));
  if (!is_same_image(description, &memory->description)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "an image is created with another description than its memory has");
  }
  if (sampler == NULL && description->type == TN_BINDLESS_MIPMAP) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a mipmap cannot be an unsampled image; create one of a level, or give a "
                   "sampler");
  }
  return create_image(memory, description, sampler, out, diag);
}

tn_status tn_bindless_image_create_of_usm(tn_context *context, tn_device *device, void *pixels,
                                          size_t row_pitch,
                                          const tn_bindless_description *description,
                                          const tn_bindless_sampler *sampler, uint64_t *out,
                                          tn_diag *diag) {
  *out = 0;
  TN_TRY(tn_usm_check_alloc(context, device, TN_USM_DEVICE, 0, diag));
  device = tn_context_own_device(context, device);
  if (pixels == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the memory of an image is NULL");
  }
  TN_TRY(tn_bindless_check(device, description, 1, sampler != NULL, diag));
  tn_bindless_memory memory = {
      .description = *description, .context = context, .device = device, .pixels = pixels};
  size_t size = 0;
  if (!lay_out(&memory, &size)) {
    return fail_size(diag);
  }
  // The pitch of one row is ignored.
  if (row_pitch != 0 && description->extent[1] > 0) {
    if (row_pitch < memory.row_pitch) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "the row pitch of an image is %zu bytes, but its rows have %llu", row_pitch,
                     (unsigned long long)memory.row_pitch);
    }
    memory.row_pitch = row_pitch;
    if (__builtin_mul_overflow(memory.row_pitch, at_least_1(description->extent[1]),
                               &memory.slice_pitch) ||
        __builtin_mul_overflow(memory.slice_pitch, at_least_1(description->extent[2]), &size)) {
      return fail_size(diag);
    }
    size -= memory.row_pitch - memory.pixel_size * description->extent[0];
  }
  TN_TRY(tn_usm_check_range(context, "memory of an image", pixels, size, diag));
  return create_image(&memory, description, sampler, out, diag);
}

tn_status tn_bindless_image_destroy(tn_context *context, tn_device *device, uint64_t image,
                                    int is_sampled, tn_diag *diag) {
  tn_usm_info info = {.kind = TN_USM_UNKNOWN};
  TN_TRY(tn_usm_check_alloc(context, device, TN_USM_DEVICE, 0, diag));
  device = tn_context_own_device(context, device);
  if (device->api->arrays != NULL && image != 0) {
    return device->api->arrays->close(device->adapter_device, image, is_sampled != 0, diag);
  }
  void *record = (void *)(uintptr_t)image;  // NOLINT(performance-no-int-to-ptr)
  if (image != 0) {
    TN_TRY(tn_usm_query(context, record, &info, diag));
  }
  if (info.kind != TN_USM_HOST || info.base != record) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "0x%llx is no bindless image of this context, or was destroyed already",
                   (unsigned long long)image);
  }
  return tn_usm_free(context, record, diag);
}

// ---- Copies

tn_status tn_bindless_check_box(const tn_bindless_memory *memory, const tn_device *device,
                                const char *what, const tn_rect *rect, const uint64_t extent[3],
                                tn_diag *diag) {
  if (memory == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the %s of a copy is an image, but it is NULL", what);
  }
  const tn_bindless_description *d = &memory->description;
  if (!tn_device_is(memory->device, device) && memory->device != device) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the %s of a copy is an image of device %s, but the queue is of device %s", what,
                   memory->device->name, device->name);
  }
  if (memory->levels != NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "the %s of a copy is a mipmap; copy its levels one by one", what);
  }
  const uint64_t sizes[3] = {memory->pixel_size * d->extent[0], at_least_1(d->extent[1]),
                             at_least_1(d->extent[2]) * d->layer_count};
  const uint64_t begin[3] = {rect->offset, rect->row_pitch, rect->slice_pitch};
  static const char *const units[] = {"bytes of a row", "rows", "slices"};
  for (int i = 0; i < 3; i++) {
    if (begin[i] > sizes[i] || extent[i] > sizes[i] - begin[i]) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "the %s of a copy is %llu %s from %llu on, but the image has %llu", what,
                     (unsigned long long)extent[i], units[i], (unsigned long long)begin[i],
                     (unsigned long long)sizes[i]);
    }
  }
  return TN_OK;
}
