// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Views of a fat binary that fatbin_parse.c has checked.
#include "image/fatbin_layout.h"

// What an index out of bounds gives: empty, and safe to read.
static const tn_str no_text = {"", 0};

tn_image tn_fatbin_image_at(const tn_fatbin *fatbin, uint32_t index) {
  if (TN_NEVER(index >= fatbin->image_count)) {
    return (tn_image){.target = no_text, .triple = no_text};
  }
  const tn_bytes base = fatbin->bytes;
  const uint8_t *record =
      base.data + tn_load_u64(base.data + TN_HEADER_IMAGES_AT) + (size_t)index * TN_IMAGE_SIZE;
  const size_t set_count = tn_load_u32(record + TN_IMAGE_SET_COUNT_AT);
  return (tn_image){
      .target = tn_fatbin_text_at(base, record + TN_IMAGE_TARGET_AT),
      .triple = tn_fatbin_text_at(base, record + TN_IMAGE_TRIPLE_AT),
      .format = tn_load_u32(record + TN_IMAGE_FORMAT_AT),
      .code = tn_fatbin_bytes_at(base, record + TN_IMAGE_CODE_AT),
      .props = {base.data + tn_load_u64(record + TN_IMAGE_SETS_AT), set_count * TN_SET_SIZE},
      .base = base,
  };
}

// tn_fatbin_parse has compared the checksum with the bytes.
uint64_t tn_fatbin_hash(const tn_fatbin *fatbin) {
  return tn_load_u64(fatbin->bytes.data + TN_HEADER_CHECKSUM_AT);
}

uint32_t tn_image_prop_set_count(const tn_image *image) {
  return (uint32_t)(image->props.size / TN_SET_SIZE);
}

tn_prop_set tn_image_prop_set_at(const tn_image *image, uint32_t index) {
  if (TN_NEVER(index >= tn_image_prop_set_count(image))) {
    return (tn_prop_set){.name = no_text};
  }
  const uint8_t *record = image->props.data + (size_t)index * TN_SET_SIZE;
  const uint32_t count = tn_load_u32(record + TN_SET_COUNT_AT);
  return (tn_prop_set){
      .name = tn_fatbin_text_at(image->base, record + TN_SET_NAME_AT),
      .count = count,
      .records = {image->base.data + tn_load_u64(record + TN_SET_PROPS_AT),
                  (size_t)count * TN_PROP_SIZE},
      .base = image->base,
  };
}

// Index of the record named `name` in a sorted table whose records begin with their name.
static bool find_record(tn_bytes base, tn_bytes records, size_t record_size, tn_str name,
                        uint32_t *out_index) {
  size_t begin = 0;
  size_t end = records.size / record_size;
  while (begin < end) {
    const size_t middle = begin + (end - begin) / 2;
    const int order =
        tn_str_compare(tn_fatbin_text_at(base, records.data + middle * record_size), name);
    if (order == 0) {
      *out_index = (uint32_t)middle;
      return true;
    }
    if (order < 0) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return false;
}

tn_prop_set tn_image_prop_set_find(const tn_image *image, const char *name) {
  uint32_t index = 0;
  if (!find_record(image->base, image->props, TN_SET_SIZE, tn_str_from(name), &index)) {
    return (tn_prop_set){.name = no_text};
  }
  return tn_image_prop_set_at(image, index);
}

tn_prop tn_prop_set_at(const tn_prop_set *set, uint32_t index) {
  if (TN_NEVER(index >= set->count)) {
    return (tn_prop){.name = no_text};
  }
  const uint8_t *record = set->records.data + (size_t)index * TN_PROP_SIZE;
  tn_prop prop = {
      .name = tn_fatbin_text_at(set->base, record + TN_PROP_NAME_AT),
      .type = tn_load_u32(record + TN_PROP_TYPE_AT),
      .u32 = tn_load_u32(record + TN_PROP_U32_AT),
  };
  if (prop.type == TN_PROP_BYTES) {
    prop.bytes = tn_fatbin_bytes_at(set->base, record + TN_PROP_BYTES_AT);
  }
  return prop;
}

bool tn_prop_set_find(const tn_prop_set *set, tn_str name, tn_prop *out) {
  uint32_t index = 0;
  if (!find_record(set->base, set->records, TN_PROP_SIZE, name, &index)) {
    *out = (tn_prop){.name = no_text};  // compilers read the type before they look at the result
    return false;
  }
  *out = tn_prop_set_at(set, index);
  return true;
}

uint32_t tn_image_misc_number(const tn_image *image, const char *name, uint32_t otherwise) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_MISC);
  tn_prop prop;
  const bool is_there =
      tn_prop_set_find(&set, tn_str_from(name), &prop) && prop.type == TN_PROP_U32;
  return is_there ? prop.u32 : otherwise;
}

static tn_kernel_info kernel_of(const tn_prop *prop) {
  tn_kernel_info info = {.name = prop->name, .display_name = no_text, .file = no_text};
  if (!TN_ALWAYS(tn_kernel_record_decode(prop->bytes, &info))) {
    info.arg_align = 1;
  }
  return info;
}

static tn_symbol_info symbol_of(const tn_prop *prop) {
  tn_symbol_info info = {
      .name = prop->name, .display_name = no_text, .user = no_text, .file = no_text};
  (void)TN_ALWAYS(tn_symbol_record_decode(prop->bytes, &info));
  return info;
}

uint32_t tn_image_kernel_count(const tn_image *image) {
  return tn_image_prop_set_find(image, TN_PROPS_KERNELS).count;
}

tn_kernel_info tn_image_kernel_at(const tn_image *image, uint32_t index) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_KERNELS);
  const tn_prop prop = tn_prop_set_at(&set, index);
  return kernel_of(&prop);
}

bool tn_image_kernel_find(const tn_image *image, tn_str name, tn_kernel_info *out) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_KERNELS);
  tn_prop prop;
  if (!tn_prop_set_find(&set, name, &prop)) {
    return false;
  }
  *out = kernel_of(&prop);
  return true;
}

uint32_t tn_image_import_count(const tn_image *image) {
  return tn_image_prop_set_find(image, TN_PROPS_IMPORTED).count;
}

tn_symbol_info tn_image_import_at(const tn_image *image, uint32_t index) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_IMPORTED);
  const tn_prop prop = tn_prop_set_at(&set, index);
  return symbol_of(&prop);
}

uint32_t tn_image_export_count(const tn_image *image) {
  return tn_image_prop_set_find(image, TN_PROPS_EXPORTED).count;
}

tn_symbol_info tn_image_export_at(const tn_image *image, uint32_t index) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_EXPORTED);
  const tn_prop prop = tn_prop_set_at(&set, index);
  return symbol_of(&prop);
}

bool tn_image_export_find(const tn_image *image, tn_str name, tn_symbol_info *out) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_EXPORTED);
  tn_prop prop;
  if (!tn_prop_set_find(&set, name, &prop)) {
    return false;
  }
  *out = symbol_of(&prop);
  return true;
}
