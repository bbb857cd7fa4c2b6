// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Complete tables: whatever an adapter leaves out has a function here, so that slots are called
// without a check.
#include "base/base.h"
#include "run/device/device.h"
#include "tenon/memory.h"

static tn_status fail_slot(const char *slot, tn_diag *diag) {
  return TN_FAIL(diag, UNSUPPORTED, "the device's adapter does not support %s", slot);
}

static tn_status create(const tn_adapter_host *host, tn_adapter **out, tn_diag *diag) {
  (void)host;
  *out = NULL;
  return fail_slot("create", diag);
}

static void destroy(tn_adapter *adapter) { (void)adapter; }

static tn_status get_info(tn_adapter *adapter, int32_t what, void *out, size_t size,
                          size_t *out_size, tn_diag *diag) {
  (void)adapter, (void)what, (void)out, (void)size, (void)out_size;
  return fail_slot("get_info", diag);
}

static size_t device_count(tn_adapter *adapter) {
  (void)adapter;
  return 0;
}

static tn_adapter_device *device_at(tn_adapter *adapter, size_t index) {
  (void)adapter, (void)index;
  return NULL;
}

static tn_status device_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                 size_t *out_size, tn_diag *diag) {
  (void)device, (void)what, (void)out, (void)size, (void)out_size;
  return fail_slot("device_get_info", diag);
}

static const char *no_text(tn_adapter_device *device) {
  (void)device;
  return "";
}

// ---- Memory

static tn_status memory_alloc(tn_adapter_device *device, int32_t kind, size_t size,
                              size_t alignment, void **out, tn_diag *diag) {
  (void)device, (void)kind, (void)size, (void)alignment;
  *out = NULL;
  return fail_slot("memory_alloc", diag);
}

static void memory_free(tn_adapter_device *device, int32_t kind, void *memory) {
  (void)device, (void)kind, (void)memory;
}

static int32_t memory_kind(tn_adapter_device *device, const void *memory) {
  (void)device, (void)memory;
  return TN_USM_UNKNOWN;
}

// ---- Programs

static tn_status program_load(tn_adapter_device *device, const void *code, size_t size,
                              tn_adapter_program **out, tn_diag *diag) {
  (void)device, (void)code, (void)size;
  *out = NULL;
  return fail_slot("program_load", diag);
}

static void program_unload(tn_adapter_program *program) { (void)program; }

static tn_status kernel_find(tn_adapter_program *program, const char *name, tn_adapter_kernel **out,
                             tn_diag *diag) {
  (void)program, (void)name;
  *out = NULL;
  return fail_slot("kernel_find", diag);
}

static tn_status program_load_table(tn_adapter_device *device, const struct tn_native_table *table,
                                    tn_adapter_program **out, tn_diag *diag) {
  (void)device, (void)table;
  *out = NULL;
  return fail_slot("program_load_table", diag);
}

static tn_status program_set_specs(tn_adapter_program *program, const void *values, size_t size,
                                   tn_diag *diag) {
  (void)program, (void)values, (void)size;
  return fail_slot("program_set_specs", diag);
}

static tn_status kernel_get_info(tn_adapter_kernel *kernel, int32_t what, void *out, size_t size,
                                 size_t *out_size, tn_diag *diag) {
  (void)kernel, (void)what, (void)out, (void)size, (void)out_size;
  return fail_slot("kernel_get_info", diag);
}

static void kernel_show_as(tn_adapter_kernel *kernel, const char *name) {
  (void)kernel, (void)name;
}

static tn_status program_link(tn_adapter_device *device, const tn_adapter_code *pieces,
                              size_t count, uint32_t group_shape, void **out, size_t *out_size,
                              tn_diag *diag) {
  (void)device, (void)pieces, (void)count, (void)group_shape;
  *out = NULL;
  *out_size = 0;
  return fail_slot("program_link", diag);
}

static void code_free(void *code) { (void)code; }

static tn_status program_set_variable(tn_adapter_program *program, const char *variable,
                                      const void *values, size_t size, tn_diag *diag) {
  (void)program, (void)variable, (void)values, (void)size;
  return fail_slot("program_set_variable", diag);
}

static tn_status program_set_image_specs(tn_adapter_program *program, uint64_t image_index,
                                         const void *values, size_t size, tn_diag *diag) {
  (void)program, (void)image_index, (void)values, (void)size;
  return fail_slot("program_set_image_specs", diag);
}

static tn_status native_retain(tn_adapter_device *device, int32_t what, uint64_t native,
                               tn_diag *diag) {
  (void)device, (void)what, (void)native;
  return fail_slot("native_retain", diag);
}

static const void *device_platform(tn_adapter_device *device) {
  (void)device;
  return NULL;
}

static tn_status platform_get_info(tn_adapter_device *device, int32_t what, void *out, size_t size,
                                   size_t *out_size, tn_diag *diag) {
  (void)device, (void)what, (void)out, (void)size, (void)out_size;
  return fail_slot("platform_get_info", diag);
}

static void program_prepare(tn_adapter_device *device) { (void)device; }

// The number of LLVM bitcode in fat binaries is part of the format.
static uint32_t image_fit(tn_adapter_device *device, const tn_adapter_image *image,
                          uint32_t *out_flags, tn_diag *diag) {
  enum { BITCODE = 1 };
  (void)device, (void)diag;
  *out_flags = image->format == BITCODE ? TN_ADAPTER_IMAGE_IS_COMPILED : 0;
  return 1;
}

static tn_status image_prepare(tn_adapter_device *device, const tn_adapter_image *image,
                               const tn_adapter_code *code, const tn_adapter_linkage *linkage,
                               tn_adapter_prepared *out, tn_diag *diag) {
  (void)device, (void)image, (void)code, (void)linkage, (void)diag;
  *out = (tn_adapter_prepared){0};
  return TN_OK;
}

// ---- Commands

static tn_status try_run(tn_adapter_device *device, const tn_adapter_command *command,
                         bool *out_ran, uint64_t *out_start_ns, uint64_t *out_end_ns,
                         tn_diag *diag) {
  (void)device, (void)command, (void)out_start_ns, (void)out_end_ns, (void)diag;
  *out_ran = false;
  return TN_OK;
}

static tn_status submit(tn_adapter_device *device, const tn_adapter_command *command,
                        tn_adapter_done_fn done, void *user, tn_diag *diag) {
  (void)device, (void)command, (void)done, (void)user;
  return fail_slot("submit", diag);
}

static bool help(tn_adapter_device *device) {
  (void)device;
  return false;
}

static void flush(tn_adapter_device *device) { (void)device; }

static bool await(tn_adapter_device *device, const void *user) {
  (void)device, (void)user;
  return false;
}

// ---- Devices

static tn_status device_divide(tn_adapter_device *device, int32_t kind, const size_t *counts,
                               int32_t domain, tn_adapter_device **out, size_t capacity,
                               size_t *out_count, tn_diag *diag) {
  (void)device, (void)kind, (void)counts, (void)domain, (void)out, (void)capacity;
  *out_count = 0;
  return fail_slot("device_divide", diag);
}

static tn_status device_peer(tn_adapter_device *device, tn_adapter_device *peer, int32_t what,
                             int32_t *out_answer, tn_diag *diag) {
  (void)device, (void)peer, (void)what;
  *out_answer = 0;
  return fail_slot("device_peer", diag);
}

// ---- Streams

static tn_status stream_create(tn_adapter_device *device, tn_adapter_stream **out, tn_diag *diag) {
  (void)device;
  *out = NULL;
  return fail_slot("stream_create", diag);
}

static void stream_destroy(tn_adapter_stream *stream) { (void)stream; }

static tn_status stream_launch(tn_adapter_stream *stream, const tn_adapter_command *command,
                               tn_diag *diag) {
  (void)stream, (void)command;
  return fail_slot("stream_launch", diag);
}

static tn_status stream_submit(tn_adapter_stream *stream, const tn_adapter_command *command,
                               tn_adapter_done_fn done, void *user, tn_diag *diag) {
  (void)stream, (void)command, (void)done, (void)user;
  return fail_slot("stream_submit", diag);
}

static tn_status stream_wait(tn_adapter_stream *stream, tn_diag *diag) {
  (void)stream;
  return fail_slot("stream_wait", diag);
}

static bool stream_is_idle(tn_adapter_stream *stream) {
  (void)stream;
  return true;
}

static tn_status mark_create(tn_adapter_stream *stream, tn_adapter_mark **out, tn_diag *diag) {
  (void)stream;
  *out = NULL;
  return fail_slot("mark_create", diag);
}

static void mark_destroy(tn_adapter_mark *mark) { (void)mark; }

static tn_status mark_wait(tn_adapter_mark *mark, tn_diag *diag) {
  (void)mark;
  return fail_slot("mark_wait", diag);
}

static bool mark_is_done(tn_adapter_mark *mark) {
  (void)mark;
  return true;
}

static tn_status mark_watch(tn_adapter_mark *mark, tn_adapter_done_fn done, void *user,
                            tn_diag *diag) {
  (void)mark, (void)done, (void)user;
  return fail_slot("mark_watch", diag);
}

static tn_status stream_after(tn_adapter_stream *stream, tn_adapter_mark *mark, tn_diag *diag) {
  (void)stream, (void)mark;
  return fail_slot("stream_after", diag);
}

// ---- Graphs and native objects

static tn_status graph_create(tn_adapter_device *device, const tn_adapter_graph_node *nodes,
                              size_t count, tn_adapter_graph **out, tn_diag *diag) {
  (void)device, (void)nodes, (void)count;
  *out = NULL;
  return fail_slot("graph_create", diag);
}

static void graph_destroy(tn_adapter_graph *graph) { (void)graph; }

static tn_status graph_update(tn_adapter_graph *graph, size_t index,
                              const tn_adapter_command *command, tn_diag *diag) {
  (void)graph, (void)index, (void)command;
  return fail_slot("graph_update", diag);
}

static tn_status native_get(tn_adapter_device *device, int32_t what, const void *object,
                            uint64_t *out, tn_diag *diag) {
  (void)device, (void)what, (void)object;
  *out = 0;
  return fail_slot("native_get", diag);
}

static tn_status native_stream(tn_adapter_device *device, uint64_t native, bool take,
                               tn_adapter_stream **out, tn_diag *diag) {
  (void)device, (void)native, (void)take;
  *out = NULL;
  return fail_slot("native_stream", diag);
}

static tn_status native_mark(tn_adapter_device *device, uint64_t native, bool take,
                             tn_adapter_mark **out, tn_diag *diag) {
  (void)device, (void)native, (void)take;
  *out = NULL;
  return fail_slot("native_mark", diag);
}

static tn_status native_context_open(tn_adapter_device *device, uint64_t native,
                                     tn_adapter_device **out, tn_diag *diag) {
  (void)device, (void)native;
  *out = NULL;
  return fail_slot("native_context_open", diag);
}

static void native_context_close(tn_adapter_device *device) { (void)device; }

static tn_status native_program(tn_adapter_device *device, int32_t what, uint64_t native,
                                tn_adapter_native_code *out, tn_diag *diag) {
  (void)device, (void)what, (void)native;
  *out = (tn_adapter_native_code){0};
  return fail_slot("native_program", diag);
}

static tn_status native_memory_open(tn_adapter_device *device, uint64_t native,
                                    tn_adapter_native_memory *out, tn_diag *diag) {
  (void)device, (void)native;
  *out = (tn_adapter_native_memory){0};
  return fail_slot("native_memory_open", diag);
}

static void native_memory_close(tn_adapter_device *device, const tn_adapter_native_memory *memory) {
  (void)device, (void)memory;
}

static tn_status kernel_root_groups(tn_adapter_device *device, tn_adapter_kernel *kernel,
                                    uint64_t group_items, uint64_t local_size, uint64_t *out,
                                    tn_diag *diag) {
  (void)device, (void)kernel, (void)group_items, (void)local_size, (void)diag;
  *out = 1;
  return TN_OK;
}

// ---- The table

const tn_adapter_api tn_adapter_defaults = {
    .size = sizeof(tn_adapter_api),
    .version = TN_ADAPTER_VERSION,
    .name = "none",
    .create = create,
    .destroy = destroy,
    .get_info = get_info,
    .device_count = device_count,
    .device_at = device_at,
    .device_get_info = device_get_info,
    .device_target = no_text,
    .memory_alloc = memory_alloc,
    .memory_free = memory_free,
    .program_load = program_load,
    .program_unload = program_unload,
    .kernel_find = kernel_find,
    .try_run = try_run,
    .submit = submit,
    .help = help,
    .device_divide = device_divide,
    .program_load_table = program_load_table,
    .program_set_specs = program_set_specs,
    .kernel_get_info = kernel_get_info,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_launch = stream_launch,
    .stream_submit = stream_submit,
    .stream_wait = stream_wait,
    .stream_is_idle = stream_is_idle,
    .mark_create = mark_create,
    .mark_destroy = mark_destroy,
    .mark_wait = mark_wait,
    .mark_is_done = mark_is_done,
    .mark_watch = mark_watch,
    .stream_after = stream_after,
    .flush = flush,
    .device_peer = device_peer,
    .memory_kind = memory_kind,
    .await = await,
    .kernel_show_as = kernel_show_as,
    .graph_create = graph_create,
    .graph_destroy = graph_destroy,
    .graph_update = graph_update,
    .native_get = native_get,
    .native_stream = native_stream,
    .native_mark = native_mark,
    .device_processor = no_text,
    .device_identity = no_text,
    .program_link = program_link,
    .code_free = code_free,
    .program_set_variable = program_set_variable,
    .program_prepare = program_prepare,
    .image_fit = image_fit,
    .image_prepare = image_prepare,
    .program_set_image_specs = program_set_image_specs,
    .native_retain = native_retain,
    .device_platform = device_platform,
    .platform_get_info = platform_get_info,
    .native_context_open = native_context_open,
    .native_context_close = native_context_close,
    .native_program = native_program,
    .native_memory_open = native_memory_open,
    .native_memory_close = native_memory_close,
    .kernel_root_groups = kernel_root_groups,
};

// Slots are pointers, or numbers of their size, and 0 is a slot that the adapter left out.
typedef uintptr_t slot;
#define AT(name) offsetof(tn_adapter_api, name)
_Static_assert(AT(create) % sizeof(slot) == 0 && sizeof(tn_adapter_api) % sizeof(slot) == 0,
               "a table is slots behind its head");

// Slots that an adapter has all of, or none: the first and the last.
static const struct {
  size_t first;
  size_t last;
} groups[] = {
    {AT(stream_create), AT(mark_watch)},
    {AT(graph_create), AT(graph_update)},
    {AT(native_get), AT(native_mark)},
    {AT(native_context_open), AT(native_memory_close)},
    {AT(ipc_memory_get), AT(ipc_memory_close)},
    {AT(host_register), AT(host_unregister)},
};

static void copy_slot(tn_adapter_api *out, size_t at, const tn_adapter_api *from) {
  memcpy((char *)out + at, (const char *)from + at, sizeof(slot));
}

static bool is_default(const tn_adapter_api *api, size_t at) {
  return memcmp((const char *)api + at, (const char *)&tn_adapter_defaults + at, sizeof(slot)) == 0;
}

static bool is_given(const tn_adapter_api *api, size_t at) {
  static const slot none;
  return at + sizeof(slot) <= api->size && memcmp((const char *)api + at, &none, sizeof(slot)) != 0;
}

void tn_adapter_table_complete(const tn_adapter_api *given, tn_adapter_api *out) {
  *out = tn_adapter_defaults;
  out->version = given->version;
  out->name = given->name;
  for (size_t at = AT(create); at < sizeof(*out); at += sizeof(slot)) {
    if (is_given(given, at)) {
      copy_slot(out, at, given);
    }
  }
  for (size_t i = 0; i < TN_COUNT(groups); i++) {
    bool is_whole = true;
    for (size_t at = groups[i].first; at <= groups[i].last; at += sizeof(slot)) {
      is_whole = is_whole && !is_default(out, at);
    }
    for (size_t at = groups[i].first; at <= groups[i].last && !is_whole; at += sizeof(slot)) {
      copy_slot(out, at, &tn_adapter_defaults);
    }
  }
}
