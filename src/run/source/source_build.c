// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds of sources: what is asked for, checked; for which targets; and the bundle of what comes
// out.
#include "base/config.h"
#include "base/log.h"
#include "run/bundle/bundle.h"
#include "run/program/program.h"
#include "run/source/source_cache.h"

// One build on its way.
typedef struct work {
  tn_source *source;
  const tn_source_build *build;
  tn_device *const *devices;
  size_t device_count;
  tn_source_target *targets;  // owned array, each once; the devices'
  size_t target_count;
  tn_arena arena;  // of their texts
} work;

static tn_status check_texts(const char *const *texts, size_t count, const char *what,
                             tn_diag *diag) {
  for (size_t i = 0; i < count; i++) {
    if (!texts || !texts[i]) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "tn_source_build_bundle: %s %zu is NULL", what, i);
    }
  }
  return TN_OK;
}

static tn_status check_build(const tn_source *source, const tn_source_build *build, tn_diag *diag) {
  if (!source || !build || build->struct_size < sizeof(*build)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "tn_source_build_bundle: the source or the build is NULL, or its struct_size is "
                   "too small; set it to sizeof(tn_source_build)");
  }
  if (build->state != TN_BUNDLE_OBJECT && build->state != TN_BUNDLE_EXECUTABLE) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "tn_source_build_bundle: %d is no state that sources are built to; that is "
                   "TN_BUNDLE_OBJECT or TN_BUNDLE_EXECUTABLE",
                   (int)build->state);
  }
  TN_TRY(check_texts(build->options, build->option_count, "option", diag));
  TN_TRY(check_texts(build->names, build->name_count, "name", diag));
  for (size_t i = 0; i < build->name_count; i++) {
    if (build->names[i][0] == '\0') {
      return TN_FAIL(diag, INVALID_ARGUMENT, "name %zu of a kernel is empty", i);
    }
  }
  if (source->language == TN_SOURCE_SPIRV && build->name_count + build->option_count > 0) {
    return TN_FAIL(
        diag, INVALID_ARGUMENT,
        "SPIR-V is compiled already: it has no options, and its kernels' names are those "
        "of its entry points");
  }
  return TN_OK;
}

static tn_status check_device(const tn_source *source, const tn_device *device, size_t index,
                              tn_diag *diag) {
  if (!device) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_source_build_bundle: device %zu is NULL", index);
  }
  if (!tn_context_has_device(source->context, device)) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "device %s is not one of the source's context, nor a part of one of them",
                   device->name);
  }
  if (!tn_source_is_supported(device, source->language)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "device %s (target %s) takes no sources in %s",
                   device->name, device->target, tn_source_language_name(source->language));
  }
  return TN_OK;
}

static tn_status choose_devices(work *w, tn_diag *diag) {
  const tn_context *context = w->source->context;
  const bool is_given = w->build->device_count > 0;
  w->devices = is_given ? w->build->devices : context->devices;
  w->device_count = is_given ? w->build->device_count : context->device_count;
  if (!w->devices) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "tn_source_build_bundle: the array of devices is NULL");
  }
  for (size_t i = 0; i < w->device_count; i++) {
    TN_TRY(check_device(w->source, w->devices[i], i, diag));
  }
  return TN_OK;
}

// "sm" of "sm_90": processors whose names begin alike are of one family.
static size_t family_size(const char *processor) {
  size_t size = 0;
  while (processor[size] >= 'a' && processor[size] <= 'z') {
    size++;
  }
  return size;
}

// The device's own, or the one of its family that the environment asks for; NULL where there is no
// choice.
static const char *choose_processor(const tn_device *device, bool *out_is_own) {
  const char *own = device->api->device_processor(device->adapter_device);
  if (own[0] == '\0') {
    return NULL;
  }
  const char *asked = tn_config_get()->jit_processor;
  const size_t size = family_size(own);
  const bool is_of_family = size > 0 && strncmp(asked, own, size) == 0;
  *out_is_own = !is_of_family;
  return is_of_family ? asked : own;
}

static tn_status list_targets(work *w, tn_diag *diag) {
  w->targets = tn_alloc_array(w->device_count + 1, sizeof(*w->targets));
  for (size_t i = 0; w->targets && i < w->device_count; i++) {
    const char *name = w->devices[i]->target;
    bool is_own = false;
    const char *processor = choose_processor(w->devices[i], &is_own);
    const tn_source_target target = {
        .text = processor ? tn_arena_format(&w->arena, "%s %s", name, processor) : name,
        .name = name,
        .processor = processor,
        .is_own_processor = is_own,
        .device = w->build->state == TN_BUNDLE_EXECUTABLE ? w->devices[i] : NULL,
    };
    bool is_listed = false;
    for (size_t k = 0; target.text && !is_listed && k < w->target_count; k++) {
      is_listed = strcmp(w->targets[k].text, target.text) == 0;
    }
    if (!is_listed) {
      w->targets[w->target_count++] = target;
    }
  }
  if (!w->targets || w->arena.failed) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to build a source");
  }
  return TN_OK;
}

// What the compiler said, and behind it why the build failed, unless it says so itself.
static void give_log(const char *said, tn_status status, const tn_diag *reason, tn_log **out) {
  enum { LOG_MAXIMUM = 1 << 30 };
  tn_buf text;
  tn_buf_init(&text, LOG_MAXIMUM);
  tn_buf_add_text(&text, said ? said : "");
  if (status != TN_OK && tn_str_find(tn_buf_str(&text), tn_str_from(reason->text)) == SIZE_MAX) {
    tn_buf_add_format(&text, "%s\n", reason->text);
  }
  *out = text.size > 0 && text.failed == TN_OK ? tn_log_create(tn_buf_str(&text)) : NULL;
  tn_buf_deinit(&text);
}

static tn_status create_bundle(const work *w, const tn_source_made *made, tn_bundle **out,
                               tn_diag *diag) {
  if (made->status != TN_OK) {
    *diag = made->diag;
    return made->status;
  }
  const tn_bundle_of_module from = {
      .registered = made->registered,
      .names = made->names,
      .state = w->build->state,
      .context = w->source->context,
      .devices = w->devices,
      .device_count = w->device_count,
  };
  return tn_bundle_create_of_module(&from, out, diag);
}

static tn_status run(work *w, tn_bundle **out, tn_log **out_log, tn_diag *diag) {
  const tn_source_build *build = w->build;
  const tn_source_order order = {
      .job = {.source = w->source,
              .options = build->options,
              .option_count = build->option_count,
              .names = build->names,
              .name_count = build->name_count},
      .targets = w->targets,
      .target_count = w->target_count,
  };
  tn_source_made *made = NULL;
  tn_status status = tn_source_cache_get(&order, &made, diag);
  if (status == TN_OK) {
    status = create_bundle(w, made, out, diag);
  }
  if (out_log) {
    give_log(made ? made->log : NULL, status, diag, out_log);
  }
  tn_source_made_release(made);
  return status;
}

static tn_status check_and_run(work *w, tn_bundle **out, tn_log **out_log, tn_diag *diag) {
  TN_TRY(check_build(w->source, w->build, diag));
  TN_TRY(choose_devices(w, diag));
  tn_program_reap();
  tn_arena_init(&w->arena);
  tn_status status = list_targets(w, diag);
  if (status == TN_OK) {
    status = run(w, out, out_log, diag);
  }
  tn_free(w->targets);
  tn_arena_deinit(&w->arena);
  return status;
}

tn_status tn_source_build_bundle(tn_source *source, const tn_source_build *build, tn_bundle **out,
                                 tn_log **out_log, tn_diag *diag) {
  if (!out) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "tn_source_build_bundle: the place for the kernel bundle is NULL");
  }
  *out = NULL;
  if (out_log) {
    *out_log = NULL;
  }
  tn_diag reason = {0};
  work w = {.source = source, .build = build};
  const tn_status status = check_and_run(&w, out, out_log, &reason);
  if (status != TN_OK && diag) {
    *diag = reason;
  }
  return status;
}
