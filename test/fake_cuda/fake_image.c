// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the stand-in for NVIDIA's driver: arrays, which are rows without gaps in host memory, and
// textures and surfaces, which are only noted. A program that has a function fake_cuda_image is
// told of each.
#include "fake_cuda/fake_cuda.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WIDTH = 32768, MOST_LEVELS = 16 };

struct tn_cu_array_handle {
  tn_cu_array_props props;
  size_t pixel_size;
  unsigned char *bytes;
};
struct tn_cu_mipmap_handle {
  unsigned level_count;
  struct tn_cu_array_handle levels[MOST_LEVELS];
};
typedef struct object {
  int is_texture;
  int is_live;
} object;
static object objects[256];
static int live_count;

typedef void (*told_fn)(int live_count, const tn_cu_array_props *array,
                        const tn_cu_resource *resource, const tn_cu_texture_props *texture);
static void report(int more, const tn_cu_array_props *array, const tn_cu_resource *resource,
                   const tn_cu_texture_props *texture) {
  told_fn told = NULL;
  void *found = dlsym(RTLD_DEFAULT, "fake_cuda_image");
  memcpy(&told, &found, sizeof(told));
  live_count += more;
  if (told) {
    told(live_count, array, resource, texture);
  }
}

static size_t one(size_t extent) { return extent > 0 ? extent : 1; }

static size_t size_of(int format) {
  switch (format) {
    case TN_CU_FORMAT_U8:
    case TN_CU_FORMAT_S8:
      return 1;
    case TN_CU_FORMAT_U16:
    case TN_CU_FORMAT_S16:
    case TN_CU_FORMAT_HALF:
      return 2;
    default:
      return 4;
  }
}

static int fill(struct tn_cu_array_handle *out, const tn_cu_array_props *props) {
  const unsigned count = props->channel_count;
  if (props->width == 0 || props->width > MOST_WIDTH || (count != 1 && count != 2 && count != 4)) {
    return 0;
  }
  out->props = *props;
  out->pixel_size = count * size_of(props->format);
  out->bytes = calloc(one(props->depth) * one(props->height) * props->width, out->pixel_size);
  return out->bytes != NULL;
}

unsigned char *fake_array_at(tn_cu_array array, size_t x, size_t y, size_t z) {
  const size_t row = array->props.width * array->pixel_size;
  return array->bytes + (z * one(array->props.height) + y) * row + x;
}

EXPORT tn_cu_result cuArray3DCreate_v2(tn_cu_array *out, const tn_cu_array_props *props) {
  CALL(cuArray3DCreate_v2);
  struct tn_cu_array_handle *made = calloc(1, sizeof(*made));
  if (!fill(made, props)) {
    free(made);
    return TN_CU_INVALID_VALUE;
  }
  *out = made;
  report(1, props, NULL, NULL);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuArrayDestroy(tn_cu_array array) {
  CALL(cuArrayDestroy);
  free(array->bytes);
  free(array);
  report(-1, NULL, NULL, NULL);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuMipmappedArrayCreate(tn_cu_mipmap *out, const tn_cu_array_props *props,
                                           unsigned level_count) {
  CALL(cuMipmappedArrayCreate);
  if (level_count > MOST_LEVELS) {
    return TN_CU_INVALID_VALUE;
  }
  struct tn_cu_mipmap_handle *made = calloc(1, sizeof(*made));
  made->level_count = level_count;
  for (unsigned i = 0; i < level_count; i++) {
    tn_cu_array_props level = *props;
    level.width = one(props->width >> i);
    level.height = props->height > 0 ? one(props->height >> i) : 0;
    level.depth = props->depth > 0 ? one(props->depth >> i) : 0;
    if (!fill(&made->levels[i], &level)) {
      return TN_CU_INVALID_VALUE;
    }
  }
  *out = made;
  report(1, props, NULL, NULL);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuMipmappedArrayGetLevel(tn_cu_array *out, tn_cu_mipmap mipmap,
                                             unsigned level) {
  CALL(cuMipmappedArrayGetLevel);
  *out = &mipmap->levels[level];
  return level < mipmap->level_count ? TN_CU_SUCCESS : TN_CU_INVALID_VALUE;
}
EXPORT tn_cu_result cuMipmappedArrayDestroy(tn_cu_mipmap mipmap) {
  CALL(cuMipmappedArrayDestroy);
  for (unsigned i = 0; i < mipmap->level_count; i++) {
    free(mipmap->levels[i].bytes);
  }
  free(mipmap);
  report(-1, NULL, NULL, NULL);
  return TN_CU_SUCCESS;
}

static tn_cu_result make_object(unsigned long long *out, int is_texture) {
  for (size_t i = 1; i < sizeof(objects) / sizeof(objects[0]); i++) {
    if (!objects[i].is_live) {
      objects[i] = (object){.is_texture = is_texture, .is_live = 1};
      *out = i;
      return TN_CU_SUCCESS;
    }
  }
  return TN_CU_OUT_OF_MEMORY;
}
static tn_cu_result end_object(unsigned long long number, int is_texture) {
  if (number >= sizeof(objects) / sizeof(objects[0]) || !objects[number].is_live ||
      objects[number].is_texture != is_texture) {
    return TN_CU_INVALID_VALUE;
  }
  objects[number].is_live = 0;
  report(-1, NULL, NULL, NULL);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuTexObjectCreate(unsigned long long *out, const tn_cu_resource *resource,
                                      const tn_cu_texture_props *props, const void *view) {
  CALL(cuTexObjectCreate);
  if (view || (resource->kind == TN_CU_RESOURCE_ROWS && resource->of.rows.pitch % 32 != 0)) {
    return TN_CU_INVALID_VALUE;
  }
  const tn_cu_result result = make_object(out, 1);
  report(result == TN_CU_SUCCESS, NULL, resource, props);
  return result;
}
EXPORT tn_cu_result cuTexObjectDestroy(unsigned long long texture) {
  CALL(cuTexObjectDestroy);
  return end_object(texture, 1);
}
EXPORT tn_cu_result cuSurfObjectCreate(unsigned long long *out, const tn_cu_resource *resource) {
  CALL(cuSurfObjectCreate);
  if (resource->kind != TN_CU_RESOURCE_ARRAY) {
    return TN_CU_INVALID_VALUE;
  }
  const tn_cu_result result = make_object(out, 0);
  report(result == TN_CU_SUCCESS, NULL, resource, NULL);
  return result;
}
EXPORT tn_cu_result cuSurfObjectDestroy(unsigned long long surface) {
  CALL(cuSurfObjectDestroy);
  return end_object(surface, 0);
}
