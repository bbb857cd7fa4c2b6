// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Filters of devices: "backend:type:number" with at least one of the three, several by commas. The
// number counts the devices that the rest of its filter lets pass.
// Source: the SYCL extension sycl_ext_oneapi_filter_selector.
#include "base/str.h"
#include "run/device/device.h"

#include <string.h>

typedef struct device_filter {
  tn_str backend;  // empty: any
  uint32_t type;   // TN_DEVICE_TYPE_…; 0: any
  uint64_t number;
  bool has_number;
  bool is_of_host;  // which is no device
} device_filter;

static bool is_one_of(tn_str word, const char *const *words, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (tn_str_equals(word, tn_str_from(words[i]))) {
      return true;
    }
  }
  return false;
}

static uint32_t type_of(tn_str word) {
  return tn_str_equals(word, TN_STR_LIT("cpu"))           ? TN_DEVICE_TYPE_CPU
         : tn_str_equals(word, TN_STR_LIT("gpu"))         ? TN_DEVICE_TYPE_GPU
         : tn_str_equals(word, TN_STR_LIT("accelerator")) ? TN_DEVICE_TYPE_ACCELERATOR
                                                          : 0;
}

// Each word once, in this order.
static bool read_word(tn_str word, device_filter *out) {
  static const char *const backends[] = {"native_cpu", "cuda", "opencl", "level_zero", "hip"};
  const bool may_have_type = out->type == 0 && !out->has_number;
  if (out->backend.size == 0 && may_have_type &&
      is_one_of(word, backends, sizeof(backends) / sizeof(backends[0]))) {
    out->backend = word;
    return true;
  }
  if (tn_str_equals(word, TN_STR_LIT("host")) && !out->has_number) {
    out->is_of_host = true;
    return true;
  }
  if (may_have_type && type_of(word) != 0) {
    out->type = type_of(word);
    return true;
  }
  if (!out->has_number && tn_str_to_u64(word, &out->number)) {
    out->has_number = true;
    return true;
  }
  return false;
}

// The text up to the separator; *has_more: there was one, and `rest` is what follows it.
static tn_str cut(tn_str *rest, char at, bool *has_more) {
  const size_t end = tn_str_find_char(*rest, at);
  const tn_str first = tn_str_slice(*rest, 0, end);
  *has_more = end != SIZE_MAX;
  *rest = *has_more ? tn_str_slice(*rest, end + 1, SIZE_MAX) : (tn_str){0};
  return tn_str_trim(first);
}

static tn_status read_filter(tn_str text, device_filter *out, tn_diag *diag) {
  *out = (device_filter){0};
  tn_str rest = text;
  bool has_more = false;
  do {
    const tn_str word = cut(&rest, ':', &has_more);
    if (!read_word(word, out)) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "the filter of devices \"%.*s\" is not backend:type:number: what does "
                     "\"%.*s\" mean there? Backends are native_cpu, cuda, opencl, level_zero and "
                     "hip, types are cpu, gpu and accelerator",
                     (int)text.size, text.data, (int)word.size, word.data);
    }
  } while (has_more);
  return TN_OK;
}

static const char *backend_name(const tn_device *device) {
  const char *name = device->api->name;
  return strcmp(name, "cpu") == 0 ? "native_cpu" : name;
}

static tn_status fits_kind(const device_filter *filter, const tn_device *device, bool *out,
                           tn_diag *diag) {
  uint32_t type = 0;
  *out = false;
  if (filter->is_of_host ||
      (filter->backend.size > 0 &&
       !tn_str_equals(filter->backend, tn_str_from(backend_name(device))))) {
    return TN_OK;
  }
  TN_TRY(tn_device_get_info(device, TN_DEVICE_INFO_TYPE, &type, sizeof(type), NULL, diag));
  *out = filter->type == 0 || filter->type == type;
  return TN_OK;
}

static tn_status fits(const device_filter *filter, const tn_device *device, bool *out,
                      tn_diag *diag) {
  TN_TRY(fits_kind(filter, device, out, diag));
  if (!*out || !filter->has_number) {
    return TN_OK;
  }
  uint64_t before = 0;
  for (size_t i = 0; i < tn_device_index(device); i++) {
    bool is_one = false;
    TN_TRY(fits_kind(filter, tn_device_at(i), &is_one, diag));
    before += is_one ? 1 : 0;
  }
  *out = before == filter->number;
  return TN_OK;
}

tn_status tn_device_fits_filter(const tn_device *device, const char *filter, int *out,
                                tn_diag *diag) {
  if (filter == NULL || out == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_device_fits_filter: an argument is NULL");
  }
  *out = 0;
  tn_str rest = tn_str_from(filter);
  bool has_more = false;
  do {
    device_filter one;
    bool is_one = false;
    TN_TRY(read_filter(cut(&rest, ',', &has_more), &one, diag));
    if (device != NULL) {
      TN_TRY(fits(&one, device, &is_one, diag));
    }
    *out = *out || is_one;
  } while (has_more);
  return TN_OK;
}
