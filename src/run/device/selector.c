// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ONEAPI_DEVICE_SELECTOR: checked once, then held against one device at a time.
#include "run/device/selector.h"

#include <strings.h>

#include "tenon/device.h"

// Name in a selector → the adapter it means. Adapters that are not built in are known by name, so
// that a selector that asks for one is understood and simply finds nothing.
typedef struct backend_name {
  const char *name;
  const char *adapter;
} backend_name;
static const backend_name backend_names[] = {
    {"cpu", "cpu"},       {"native_cpu", "cpu"},          {"tenon", "cpu"},
    {"cuda", "cuda"},     {"opencl", "opencl"},           {"level_zero", "level_zero"},
    {"hip", "hip"},       {"mock", "mock"},               {"*", "*"},
};

typedef struct type_name {
  const char *name;
  uint32_t type;
} type_name;
static const type_name type_names[] = {
    {"cpu", TN_DEVICE_TYPE_CPU},          {"gpu", TN_DEVICE_TYPE_GPU},
    {"fpga", TN_DEVICE_TYPE_ACCELERATOR}, {"accelerator", TN_DEVICE_TYPE_ACCELERATOR},
    {"custom", TN_DEVICE_TYPE_CUSTOM},
};

static bool equals(tn_str s, const char *name) {
  return s.size == strlen(name) && strncasecmp(s.data, name, s.size) == 0;
}

static const char *find_backend(tn_str s) {
  for (size_t i = 0; i < TN_COUNT(backend_names); i++) {
    if (equals(s, backend_names[i].name)) {
      return backend_names[i].adapter;
    }
  }
  return NULL;
}

static uint32_t find_type(tn_str s) {
  for (size_t i = 0; i < TN_COUNT(type_names); i++) {
    if (equals(s, type_names[i].name)) {
      return type_names[i].type;
    }
  }
  return 0;
}

// Decimal digits only: "0x1" is no index.
static bool find_index(tn_str s, uint64_t *out) {
  for (size_t i = 0; i < s.size; i++) {
    if (s.data[i] < '0' || s.data[i] > '9') {
      return false;
    }
  }
  return tn_str_to_u64(s, out);
}

// "0.*": all of a sub-device's numbers, the first the device's.
static bool split_parts(tn_str text, tn_str *out, size_t *out_count) {
  tn_str rest = text;
  *out_count = 0;
  for (tn_str part = tn_str_split(&rest, '.'); part.data; part = tn_str_split(&rest, '.')) {
    uint64_t index = 0;
    if (*out_count > TN_SELECTOR_PARTS || (!equals(part, "*") && !find_index(part, &index))) {
      return false;
    }
    out[(*out_count)++] = part;
  }
  return *out_count > 0;
}

static bool is_part(tn_str text) { return tn_str_find_char(text, '.') != SIZE_MAX; }

typedef struct selector_term {
  bool is_discard;
  tn_str backend;  // "*" when left out
  tn_str devices;  // "*" when left out
} selector_term;

// The next term that is not empty; false at the end.
static bool next_term(tn_str *rest, selector_term *out) {
  tn_str text = {NULL, 0};
  while (text.size == 0) {
    text = tn_str_split(rest, ';');
    if (!text.data) {
      return false;
    }
    text = tn_str_trim(text);
  }
  *out = (selector_term){text.data[0] == '!', TN_STR_LIT("*"), TN_STR_LIT("*")};
  text = tn_str_trim(tn_str_slice(text, out->is_discard ? 1 : 0, SIZE_MAX));
  const size_t colon = tn_str_find_char(text, ':');
  if (colon != SIZE_MAX) {
    out->backend = tn_str_trim(tn_str_slice(text, 0, colon));
    out->devices = tn_str_slice(text, colon + 1, SIZE_MAX);
  } else if (!find_backend(text) && find_type(text) != 0) {
    out->devices = text;  // "gpu": of any backend
  } else {
    out->backend = text;  // "level_zero": all its devices
  }
  return true;
}

static tn_status check_part(tn_str text, bool is_discard, tn_diag *diag) {
  tn_str parts[TN_SELECTOR_PARTS + 1];
  size_t count = 0;
  if (!split_parts(text, parts, &count)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "ONEAPI_DEVICE_SELECTOR: \"%.*s\" is no sub-device: "
                   "write two or three numbers with dots between them, or * for all (example: 0.*)",
                   TN_STR_ARG(text));
  }
  return is_discard ? TN_FAIL(diag, INVALID_ARGUMENT, "ONEAPI_DEVICE_SELECTOR: \"%.*s\" stands in "
                              "a term with \"!\", which cannot discard sub-devices",
                              TN_STR_ARG(text))
                    : TN_OK;
}

static tn_status check_devices(tn_str devices, bool is_discard, tn_diag *diag) {
  tn_str rest = devices;
  size_t count = 0;
  for (tn_str part = tn_str_split(&rest, ','); part.data; part = tn_str_split(&rest, ',')) {
    uint64_t index = 0;
    part = tn_str_trim(part);
    if (part.size > 0 && is_part(part)) {
      TN_TRY(check_part(part, is_discard, diag));
      count++;
      continue;
    }
    if (part.size == 0 || (!equals(part, "*") && find_type(part) == 0 &&
                           !find_index(part, &index))) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "ONEAPI_DEVICE_SELECTOR: \"%.*s\" is no device: write "
                     "*, cpu, gpu, accelerator, fpga, custom or the index of a device",
                     TN_STR_ARG(part));
    }
    count++;
  }
  return count > 0 ? TN_OK
                   : TN_FAIL(diag, INVALID_ARGUMENT, "ONEAPI_DEVICE_SELECTOR: no device is named "
                             "after the colon: write backend:* for all its devices");
}

tn_status tn_selector_check(const char *selector, const char *available, tn_diag *diag) {
  tn_str rest = tn_str_from(selector);
  selector_term term;
  bool has_discard = false;
  while (next_term(&rest, &term)) {
    if (!find_backend(term.backend)) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "ONEAPI_DEVICE_SELECTOR: \"%.*s\" is no backend known "
                     "here; there is %s (example: cpu:*)", TN_STR_ARG(term.backend), available);
    }
    TN_TRY(check_devices(term.devices, term.is_discard, diag));
    if (has_discard && !term.is_discard) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "ONEAPI_DEVICE_SELECTOR: \"%.*s:%.*s\" stands after a "
                     "term with \"!\": terms that accept go before those that discard",
                     TN_STR_ARG(term.backend), TN_STR_ARG(term.devices));
    }
    has_discard = has_discard || term.is_discard;
  }
  return TN_OK;
}

static bool number_matches(tn_str text, size_t number) {
  uint64_t index = 0;
  return equals(text, "*") || (find_index(text, &index) && index == number);
}

static bool part_matches(tn_str text, const tn_selector_device *device) {
  tn_str parts[TN_SELECTOR_PARTS + 1];
  size_t count = 0;
  bool matches = split_parts(text, parts, &count) && count == device->part_count + 1 &&
                 number_matches(parts[0], device->index);
  for (size_t i = 1; i < count && matches; i++) {
    matches = number_matches(parts[i], device->parts[i - 1]);
  }
  return matches;
}

static bool devices_match(tn_str devices, const tn_selector_device *device) {
  tn_str rest = devices;
  for (tn_str part = tn_str_split(&rest, ','); part.data; part = tn_str_split(&rest, ',')) {
    uint64_t index = 0;
    part = tn_str_trim(part);
    if (device->part_count > 0 || is_part(part)) {
      if (part_matches(part, device)) {
        return true;
      }
      continue;
    }
    if (equals(part, "*") || (find_type(part) != 0 && find_type(part) == device->type) ||
        (find_index(part, &index) && index == device->index)) {
      return true;
    }
  }
  return false;
}

// A term that discards a device discards its sub-devices with it.
static bool term_matches(const selector_term *term, const tn_selector_device *device) {
  const char *backend = find_backend(term->backend);
  tn_selector_device whole = *device;
  whole.part_count = 0;
  return backend && (strcmp(backend, "*") == 0 || strcmp(backend, device->backend) == 0) &&
         (devices_match(term->devices, device) ||
          (term->is_discard && devices_match(term->devices, &whole)));
}

bool tn_selector_accepts(const char *selector, const tn_selector_device *device) {
  tn_str rest = tn_str_from(selector);
  selector_term term;
  bool has_accept = false;
  bool is_accepted = false;
  bool is_discarded = false;
  while (next_term(&rest, &term)) {
    const bool matches = term_matches(&term, device);
    has_accept = has_accept || !term.is_discard;
    is_accepted = is_accepted || (matches && !term.is_discard);
    is_discarded = is_discarded || (matches && term.is_discard);
  }
  // Only discarding terms: they discard from everything; sub-devices are listed by name alone.
  return (is_accepted || (!has_accept && device->part_count == 0)) && !is_discarded;
}

bool tn_selector_names_parts(const char *selector, size_t depth) {
  tn_str rest = tn_str_from(selector);
  selector_term term;
  while (next_term(&rest, &term)) {
    tn_str devices = term.devices;
    for (tn_str one = tn_str_split(&devices, ','); one.data; one = tn_str_split(&devices, ',')) {
      tn_str parts[TN_SELECTOR_PARTS + 1];
      size_t count = 0;
      if (split_parts(tn_str_trim(one), parts, &count) && count > depth) {
        return true;
      }
    }
  }
  return false;
}

bool tn_selector_may_accept(const char *selector, const char *name) {
  tn_str rest = tn_str_from(selector);
  selector_term term;
  bool has_accept = false;
  bool is_accepted = false;
  bool is_discarded = false;
  while (next_term(&rest, &term)) {
    const char *backend = find_backend(term.backend);
    const bool matches = backend && (strcmp(backend, "*") == 0 || strcmp(backend, name) == 0);
    has_accept = has_accept || !term.is_discard;
    is_accepted = is_accepted || (matches && !term.is_discard);
    is_discarded = is_discarded || (matches && term.is_discard && equals(term.devices, "*"));
  }
  return (is_accepted || !has_accept) && !is_discarded;
}
