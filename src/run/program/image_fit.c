// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks adapters about images.
#include "run/program/image_fit.h"

tn_str tn_image_processor(const tn_image *image) {
  tn_prop prop;
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_MISC);
  const bool has = tn_prop_set_find(&set, TN_STR_LIT(TN_MISC_GPU_PROCESSOR), &prop) &&
                   prop.type == TN_PROP_BYTES;
  return has ? (tn_str){(const char *)prop.bytes.data, prop.bytes.size} : (tn_str){0};
}

tn_str tn_image_processor_of_device(const tn_device *device) {
  return tn_str_from(device->api->device_processor(device->adapter_device));
}

tn_adapter_image tn_image_for_adapter(const tn_image *image) {
  const tn_str processor = tn_image_processor(image);
  return (tn_adapter_image){.target = image->target.data,
                            .triple = image->triple.data,
                            .processor = processor.data,
                            .processor_size = processor.size,
                            .format = image->format};
}

static uint32_t ask(const tn_image *image, const tn_device *device, uint32_t *out_flags,
                    tn_diag *diag) {
  const tn_adapter_image seen = tn_image_for_adapter(image);
  *out_flags = 0;
  return device->api->image_fit(device->adapter_device, &seen, out_flags, diag);
}

uint32_t tn_image_fit(const tn_image *image, const tn_device *device) {
  uint32_t flags;
  return ask(image, device, &flags, NULL);
}

bool tn_image_is_unfit(const tn_image *image, const tn_device *device, tn_diag *why) {
  uint32_t flags;
  return ask(image, device, &flags, why) == 0;
}

bool tn_image_has_flag(const tn_image *image, const tn_device *device, uint32_t flags) {
  uint32_t those;
  (void)ask(image, device, &those, NULL);
  return (those & flags) != 0;
}
