// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the adapters that work here and lists their devices, after ONEAPI_DEVICE_SELECTOR.
//
//   NOTHING ──default device──▶ QUICK ──all devices, or no quick one──▶ WHOLE
//
// An adapter is created when its stage is reached, and stays. A failure leaves the stage as it was:
// the next question tries again. Devices of the last stage follow the others, so that indices stay.
#include "run/device/device_list.h"

#include "base/buf.h"
#include "base/config.h"
#include "base/log.h"
#include "run/device/driver_trial.h"
#include "run/device/gate.h"
#include "run/device/selector.h"

// In order of preference.
typedef struct adapter_source {
  tn_adapter_query_fn query;
  bool is_test;             // only with TENON_MOCK=1
  bool has_drivers;         // others' code, which may crash
  const char *late_target;  // its drivers take long to load: not before all devices are asked for,
                            // or the default one of a program with images for this target
} adapter_source;
static const adapter_source sources[] = {
    {tn_cuda_adapter_query, false, true, NULL},
    {tn_cpu_adapter_query, false, false, NULL},
    {tn_mock_adapter_query, true, false, NULL},
    {tn_opencl_adapter_query, false, true, "spirv64"},
};
enum { SOURCE_COUNT = TN_COUNT(sources), LATE_DEVICES_MAXIMUM = 64, PLATFORMS_MAXIMUM = 64 };
enum { STAGE_NOTHING, STAGE_QUICK, STAGE_WHOLE };

static tn_status host_get_compiler(const struct tn_compiler **out, tn_diag *diag) {
  return tn_device_get_compiler(out, diag);
}

// Guarded by the gate until the stage that they belong to, immutable afterwards.
static tn_gate gate = TN_GATE_INIT;
static tn_adapter_host host = {.size = sizeof(tn_adapter_host), .version = TN_ADAPTER_VERSION,
                               .get_compiler = host_get_compiler};
static tn_platform found[SOURCE_COUNT];  // by source; adapter NULL: not there
static tn_diag reasons[SOURCE_COUNT];    // why it is not, or devices of it are not
static tn_platform *platforms[PLATFORMS_MAXIMUM];
static size_t platform_count;
static tn_device **devices;  // owned; with room for those of the last stage
static size_t device_count;
static size_t quick_count;
static _Atomic int stage;

// The sources of a stage.
static bool is_of(size_t index, int which) {
  return (sources[index].late_target != NULL) == (which == STAGE_WHOLE);
}

static tn_status create_adapter(const adapter_source *source, tn_platform *platform,
                                tn_diag *out_reason, tn_diag *diag) {
  const tn_adapter_api *given = source->query(TN_ADAPTER_VERSION);
  if (!given) {
    TN_IGNORE(TN_FAIL(out_reason, UNSUPPORTED, "the adapter is of another version"), "noted");
    TN_LOG(device, "an adapter is of another version and is left out");
    return TN_OK;
  }
  tn_adapter_table_complete(given, &platform->api);
  const tn_adapter_api *api = &platform->api;
  tn_diag reason = {0};
  tn_adapter *adapter = NULL;
  const uint32_t seconds = source->has_drivers ? tn_config_get()->try_drivers : 0;
  tn_status status = seconds > 0 ? tn_driver_try(api->name, seconds, &reason) : TN_OK;
  if (status == TN_OK) {
    status = api->create(&host, &adapter, &reason);
  }
  if (status == TN_OUT_OF_MEMORY) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "adapter %s: %s", api->name, reason.text);
  }
  if (status != TN_OK) {
    TN_LOG(device, "%s is left out: %s", api->name, reason.text);
    *out_reason = reason;
    return TN_OK;
  }
  platform->adapter = adapter;
  out_reason->text[0] = '\0';
  TN_IGNORE(api->get_info(adapter, TN_PLATFORM_INFO_LEFT_OUT, out_reason->text,
                          sizeof(out_reason->text) - 1, NULL, NULL),
            "most leave nothing out");
  TN_LOG(device, "%s: %zu devices", api->name, api->device_count(adapter));
  return TN_OK;
}

static tn_status create_adapters(int which, tn_diag *diag) {
  const tn_config *config = tn_config_get();
  host.cpu_threads = config->cpu_threads;
  host.cpu_stack_size = config->cpu_stack_size;
  host.check = config->check ? 1 : 0;
  for (size_t i = 0; i < SOURCE_COUNT; i++) {
    if (is_of(i, which) && !found[i].adapter && (config->mock || !sources[i].is_test)) {
      TN_TRY(create_adapter(&sources[i], &found[i], &reasons[i], diag));
    }
  }
  return TN_OK;
}

// "cpu (1 device), mock (3 devices)": what there is, before the selector. Drivers that take long to
// load are not loaded for that.
static void describe_available(tn_buf *out) {
  tn_buf_init(out, 1024);
  for (size_t i = 0; i < SOURCE_COUNT; i++) {
    if (!found[i].adapter && sources[i].late_target && reasons[i].text[0] == '\0') {
      const tn_adapter_api *api = sources[i].query(TN_ADAPTER_VERSION);
      tn_buf_add_format(out, "%s%s (not looked at)", out->size > 0 ? ", " : "",
                        api ? api->name : "?");
    } else if (found[i].adapter) {
      const size_t count = found[i].api.device_count(found[i].adapter);
      tn_buf_add_format(out, "%s%s (%zu device%s)", out->size > 0 ? ", " : "", found[i].api.name,
                        count, count == 1 ? "" : "s");
    }
  }
  if (out->size == 0) {
    tn_buf_add_text(out, "none at all");
  }
}

static uint32_t device_type(const tn_adapter_api *api, tn_adapter_device *device) {
  uint32_t type = 0;
  TN_IGNORE(api->device_get_info(device, TN_DEVICE_INFO_TYPE, &type, sizeof(type), NULL, NULL),
            "a device without a type is selected by index or * only");
  return type;
}

static char *device_name(const tn_adapter_api *api, tn_adapter_device *device) {
  char text[256] = "";
  const tn_status status =
      api->device_get_info(device, TN_DEVICE_INFO_NAME, text, sizeof(text) - 1, NULL, NULL);
  return tn_str_copy(tn_str_from(status == TN_OK && text[0] != '\0' ? text : api->name));
}

static void destroy_device(tn_device *device) {
  if (device) {
    tn_device_forget_divisions(device);
    tn_free((void *)(uintptr_t)device->name);
    tn_free(device);
  }
}

static tn_device *create_device(tn_platform *platform, tn_adapter_device *adapter_device) {
  tn_device *device = tn_alloc(sizeof(*device));
  char *name = device_name(&platform->api, adapter_device);
  if (!device || !name) {
    tn_free(device);
    tn_free(name);
    return NULL;
  }
  *device = (tn_device){.api = &platform->api, .adapter_device = adapter_device,
                        .platform = platform, .name = name,
                        .target = platform->api.device_target(adapter_device)};
  return device;
}

// The one of the adapter's platforms that has devices with the key; made when there is none.
static tn_platform *platform_of(tn_platform *first, const void *key) {
  for (tn_platform *each = first; each; each = each->next) {
    if (each->key == key || !each->devices) {
      each->key = key;
      return each;
    }
    if (!each->next) {
      tn_platform *made = tn_alloc(sizeof(*made));
      if (made) {
        *made = (tn_platform){.api = first->api, .adapter = first->adapter};
      }
      each->next = made;
    }
  }
  return NULL;
}

static bool add_listed(tn_platform *first, tn_device *device) {
  const tn_adapter_api *api = &first->api;
  const void *key = TN_ADAPTER_HAS(api, device_platform)
                        ? api->device_platform(device->adapter_device)
                        : NULL;
  tn_platform *platform = platform_of(first, key);
  tn_device **grown =
      platform ? tn_alloc_array(platform->device_count + 1, sizeof(*grown)) : NULL;
  if (!grown) {
    return false;
  }
  if (platform->device_count > 0) {
    memcpy(grown, platform->devices, platform->device_count * sizeof(*grown));
  }
  tn_free(platform->devices);
  platform->devices = grown;
  platform->devices[platform->device_count++] = device;
  device->platform = platform;
  return true;
}

// A device that only parts of are listed: the adapter's platforms own it.
static void add_unlisted(tn_platform *first, tn_device *device) {
  device->next_unlisted = first->unlisted;
  first->unlisted = device;
}

// Those that the selector names of the parts that the device is divided into next.
static bool select_parts(tn_platform *first, tn_device *whole, const char *selector,
                         const tn_selector_device *candidate) {
  const tn_partition next = {.kind = TN_PARTITION_BY_AFFINITY, .domain = TN_AFFINITY_NEXT};
  tn_device *const *parts = NULL;
  size_t count = 0;
  const size_t depth = candidate->part_count;
  if (depth == TN_SELECTOR_PARTS || !tn_selector_names_parts(selector, depth + 1) ||
      tn_device_partition(whole, &next, &parts, &count, NULL) != TN_OK) {
    return true;  // it has no parts
  }
  for (size_t i = 0; i < count; i++) {
    tn_selector_device part = *candidate;
    part.parts[part.part_count++] = i;
    if ((tn_selector_accepts(selector, &part) && !add_listed(first, parts[i])) ||
        !select_parts(first, parts[i], selector, &part)) {
      return false;
    }
  }
  return true;
}

// Fills the platforms' devices with what the selector leaves of the adapter's.
static bool select_devices(tn_platform *first, const char *selector) {
  const tn_adapter_api *api = &first->api;
  const size_t count = api->device_count(first->adapter);
  for (size_t i = 0; i < count; i++) {
    tn_adapter_device *adapter_device = api->device_at(first->adapter, i);
    tn_selector_device candidate = {api->name, device_type(api, adapter_device), i, 0, {0}};
    const bool accepted = tn_selector_accepts(selector, &candidate);
    TN_LOG(device, "%s:%zu is %s", api->name, i, accepted ? "listed" : "left out by the selector");
    if (!accepted && !tn_selector_names_parts(selector, 1)) {
      continue;
    }
    tn_device *device = create_device(first, adapter_device);
    if (!device || (accepted && !add_listed(first, device))) {
      destroy_device(device);
      return false;
    }
    if (!accepted) {
      add_unlisted(first, device);
    }
    if (!select_parts(first, device, selector, &candidate)) {
      return false;
    }
  }
  return true;
}

static void unselect_devices(tn_platform *first) {
  for (tn_platform *each = first; each;) {
    tn_platform *next = each->next;
    for (size_t i = 0; i < each->device_count; i++) {
      destroy_device(each->devices[i]->parent ? NULL : each->devices[i]);
    }
    while (each->unlisted) {
      tn_device *device = each->unlisted;
      each->unlisted = device->next_unlisted;
      destroy_device(device);
    }
    tn_free(each->devices);
    if (each == first) {
      each->devices = NULL;
      each->device_count = 0;
      each->next = NULL;
    } else {
      tn_free(each);
    }
    each = next;
  }
}

static void list_platform(tn_platform *platform, size_t capacity) {
  for (size_t i = 0; i < platform->device_count && device_count < capacity; i++) {
    platform->devices[i]->index = device_count;
    devices[device_count++] = platform->devices[i];
  }
  if (platform->device_count > 0 && platform_count < PLATFORMS_MAXIMUM) {
    platforms[platform_count++] = platform;
  }
}

// All devices in one row.
static bool list_devices(int which) {
  size_t count = LATE_DEVICES_MAXIMUM;
  for (size_t i = 0; i < SOURCE_COUNT; i++) {
    for (const tn_platform *each = &found[i]; each && is_of(i, STAGE_QUICK); each = each->next) {
      count += each->device_count;
    }
  }
  devices = devices ? devices : tn_alloc_array(count, sizeof(tn_device *));
  if (!devices) {
    return false;
  }
  for (size_t i = 0; i < SOURCE_COUNT; i++) {
    for (tn_platform *each = is_of(i, which) ? &found[i] : NULL; each; each = each->next) {
      list_platform(each, count);
    }
  }
  return true;
}

static tn_status select_all(int which, const char *selector, tn_diag *diag) {
  bool has_memory = true;
  for (size_t i = 0; i < SOURCE_COUNT; i++) {
    has_memory = has_memory && (!is_of(i, which) || !found[i].adapter ||
                                select_devices(&found[i], selector));
  }
  if (has_memory && list_devices(which)) {
    return TN_OK;
  }
  for (size_t i = 0; i < SOURCE_COUNT; i++) {
    if (is_of(i, which)) {
      unselect_devices(&found[i]);
    }
  }
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the list of devices");
}

static tn_status fail_empty(const char *selector, const char *available, tn_diag *diag) {
  if (selector[0] == '\0') {
    return TN_FAIL(diag, DEVICE_NOT_FOUND, "no adapter of a device works here; "
                   "TENON_LOG=device says why each is left out");
  }
  return TN_FAIL(diag, DEVICE_NOT_FOUND, "ONEAPI_DEVICE_SELECTOR=\"%s\" leaves no device; "
                 "there is %s: unset it, or name one of these (example: cpu:*)%s", selector,
                 available, tn_selector_names_parts(selector, 1)
                     ? "; its sub-devices are those by affinity domain, which some devices and "
                       "drivers do not have" : "");
}

// For the failures that list what there is.
static tn_status check_selector(const char *selector, bool is_empty, tn_diag *diag) {
  if (!is_empty && tn_selector_check(selector, "", NULL) == TN_OK) {
    return TN_OK;
  }
  tn_buf available;
  describe_available(&available);
  tn_status status = tn_buf_status(&available, diag);
  if (status == TN_OK) {
    status = is_empty ? fail_empty(selector, tn_buf_text(&available), diag)
                      : tn_selector_check(selector, tn_buf_text(&available), diag);
  }
  tn_buf_deinit(&available);
  return status;
}

static void forget_quick(void) {
  for (size_t i = 0; i < SOURCE_COUNT; i++) {
    unselect_devices(&found[i]);
  }
  tn_free(devices);
  devices = NULL;
  device_count = platform_count = quick_count = 0;
}

static tn_status reach_quick(tn_diag *diag) {
  const char *selector = tn_config_get()->device_selector;
  TN_TRY(create_adapters(STAGE_QUICK, diag));
  TN_TRY(check_selector(selector, false, diag));
  TN_TRY(select_all(STAGE_QUICK, selector, diag));
  quick_count = device_count;
  return TN_OK;
}

static tn_status reach_whole(tn_diag *diag) {
  const char *selector = tn_config_get()->device_selector;
  for (size_t i = 0; i < SOURCE_COUNT; i++) {
    const tn_adapter_api *api =
        sources[i].late_target ? sources[i].query(TN_ADAPTER_VERSION) : NULL;
    if (api && tn_selector_may_accept(selector, api->name)) {
      TN_TRY(create_adapters(STAGE_WHOLE, diag));
    }
  }
  TN_TRY(select_all(STAGE_WHOLE, selector, diag));
  return device_count > 0 ? TN_OK : check_selector(selector, true, diag);
}

static tn_status open_list(int wanted, tn_diag *diag) {
  int reached = atomic_load_explicit(&stage, memory_order_relaxed);
  if (reached == STAGE_NOTHING) {
    TN_TRY(reach_quick(diag));
    reached = STAGE_QUICK;
    if (device_count > 0) {
      atomic_store_explicit(&stage, STAGE_QUICK, memory_order_release);
    }
  }
  if (reached < wanted || device_count == 0) {
    const tn_status status = reach_whole(diag);
    if (status != TN_OK && quick_count == 0) {
      forget_quick();
    }
    if (status != TN_OK) {
      return status;
    }
    atomic_store_explicit(&stage, STAGE_WHOLE, memory_order_release);
  }
  return TN_OK;
}

static tn_status reach(int wanted, tn_diag *diag) {
  if (atomic_load_explicit(&stage, memory_order_acquire) >= wanted) {
    return TN_OK;
  }
  tn_gate_enter(&gate);
  const tn_status status = open_list(wanted, diag);
  tn_gate_leave(&gate);
  return status;
}

tn_status tn_device_list_open(tn_diag *diag) { return reach(STAGE_WHOLE, diag); }

tn_status tn_device_quick_count(size_t *out_count, tn_diag *diag) {
  *out_count = 0;
  TN_TRY(reach(STAGE_QUICK, diag));
  *out_count = quick_count;
  return TN_OK;
}

tn_device *tn_device_quick_at(size_t index) { return index < quick_count ? devices[index] : NULL; }

bool tn_device_is_late_target(tn_str target) {
  bool is_late = false;
  for (size_t i = 0; i < SOURCE_COUNT && !is_late; i++) {
    is_late = sources[i].late_target && tn_str_equals(target, tn_str_from(sources[i].late_target));
  }
  return is_late;
}

const char *tn_adapter_name(size_t index) {
  for (size_t i = 0; i < SOURCE_COUNT; i++) {
    const tn_adapter_api *api = sources[i].is_test ? NULL : sources[i].query(TN_ADAPTER_VERSION);
    if (api && index-- == 0) {
      return api->name;
    }
  }
  return NULL;
}

const char *tn_adapter_left_out(const char *name) {
  const char *reason = NULL;
  tn_gate_enter(&gate);
  for (size_t i = 0; i < SOURCE_COUNT && name; i++) {
    const tn_adapter_api *api = sources[i].query(TN_ADAPTER_VERSION);
    if (api && strcmp(api->name, name) == 0 && reasons[i].text[0] != '\0') {
      reason = reasons[i].text;
    }
  }
  tn_gate_leave(&gate);
  return reason;
}

tn_status tn_platform_count(size_t *out_count, tn_diag *diag) {
  *out_count = 0;
  TN_TRY(tn_device_list_open(diag));
  *out_count = platform_count;
  return TN_OK;
}

tn_status tn_device_count(size_t *out_count, tn_diag *diag) {
  *out_count = 0;
  TN_TRY(tn_device_list_open(diag));
  *out_count = device_count;
  return TN_OK;
}

tn_platform *tn_platform_at(size_t index) {
  return tn_device_list_open(NULL) == TN_OK && index < platform_count ? platforms[index] : NULL;
}

tn_device *tn_device_at(size_t index) {
  return tn_device_list_open(NULL) == TN_OK && index < device_count ? devices[index] : NULL;
}

// From *at on, which is left behind the last one that was looked at.
static tn_status find_with_aspect(int32_t aspect, size_t *at, size_t end, tn_device **out,
                                  tn_diag *diag) {
  for (; *at < end && !*out; ++*at) {
    uint64_t aspects = 0;
    TN_TRY(tn_device_get_info(devices[*at], TN_DEVICE_INFO_ASPECTS, &aspects, sizeof(aspects), NULL,
                              diag));
    *out = (aspects >> aspect & 1) != 0 ? devices[*at] : NULL;
  }
  return TN_OK;
}

tn_status tn_device_get_with_aspect(int32_t aspect, tn_device **out, tn_diag *diag) {
  size_t at = 0;
  *out = NULL;
  TN_TRY(reach(STAGE_QUICK, diag));
  if (aspect < 0 || aspect >= TN_ASPECT_END) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "there is no aspect %d", (int)aspect);
  }
  TN_TRY(find_with_aspect(aspect, &at, quick_count, out, diag));
  if (!*out) {
    TN_TRY(reach(STAGE_WHOLE, diag));
    TN_TRY(find_with_aspect(aspect, &at, device_count, out, diag));
  }
  return *out ? TN_OK : tn_device_fail_choice(diag);
}

tn_status tn_device_fail_choice(tn_diag *diag) {
  TN_TRY(tn_device_list_open(diag));
  tn_buf names;
  tn_buf_init(&names, TN_DIAG_TEXT_SIZE / 2);
  for (size_t i = 0; i < device_count; i++) {
    tn_buf_add_format(&names, "%s%s (%s)", i > 0 ? ", " : "", devices[i]->name,
                      devices[i]->api->name);
  }
  const tn_status status =
      TN_FAIL(diag, DEVICE_NOT_FOUND, "no device fits the selector; there is: %s. Choose one of "
              "these, or see that ONEAPI_DEVICE_SELECTOR does not leave the right one out",
              tn_buf_text(&names));
  tn_buf_deinit(&names);
  return status;
}
