// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles a kernel from a string and launches it, all in C: once the kernel is in SYCL, once in C.
// An argument names a file with a source to take instead: in C when it ends in ".c".
#include <tenon/tenon.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1024, SOURCE_MAXIMUM = 1 << 20 };

static const char sycl_source[] =
    "#include <sycl/sycl.hpp>\n"
    "#include \"scale.h\"\n"
    "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((\n"
    "    sycl::ext::oneapi::experimental::nd_range_kernel<1>))\n"
    "void vec_add(const float *in1, const float *in2, float *out) {\n"
    "  const size_t id = sycl::ext::oneapi::this_work_item::get_nd_item<1>()\n"
    "                        .get_global_linear_id();\n"
    "  out[id] = scaled(in1[id]) + in2[id];\n"
    "}\n";

static const char c_source[] =
    "#include <tenon/device_code.h>\n"
    "#include \"scale.h\"\n"
    "TN_KERNEL void vec_add(const float *in1, const float *in2, float *out) {\n"
    "  const size_t id = tn_global_id(0);\n"
    "  out[id] = scaled(in1[id]) + in2[id];\n"
    "}\n";

// A source and its language.
typedef struct program {
  const char *text;
  int32_t language;  // TN_SOURCE_…
} program;

// The arguments of vec_add, one behind the other.
typedef struct vec_add_args {
  const float *in1;
  const float *in2;
  float *out;
} vec_add_args;

typedef struct objects {
  tn_device *device;
  tn_context *context;
  tn_source *source;
  tn_bundle *bundle;
  tn_kernel_id *id;
  tn_kernel *kernel;
  tn_queue *queue;
  float *memory[3];
} objects;

static tn_status build(objects *o, const program *from, tn_diag *diag) {
  const char scale[] = "static inline float scaled(float x) { return FACTOR * x; }\n";
  const tn_source_include include = {"scale.h", scale, strlen(scale)};
  const tn_source_query query = {
      .struct_size = sizeof(query),
      .language = from->language,
      .context = o->context,
      .source = from->text,
      .source_size = strlen(from->text),
      .includes = &include,
      .include_count = 1,
  };
  tn_status status = tn_source_create(&query, &o->source, diag);
  const char *const options[] = {"-O3", "-DFACTOR=2"};
  const tn_source_build how = {
      .struct_size = sizeof(how),
      .state = TN_BUNDLE_EXECUTABLE,
      .options = options,
      .option_count = sizeof(options) / sizeof(options[0]),
  };
  tn_log *log = NULL;
  if (status == TN_OK) {
    status = tn_source_build_bundle(o->source, &how, &o->bundle, &log, diag);
    fputs(tn_log_text(log), stderr);
    tn_log_free(log);
  }
  if (status == TN_OK) {
    status = tn_bundle_find_kernel_id(o->bundle, "vec_add", &o->id, diag);
  }
  if (status == TN_OK) {
    status = tn_bundle_get_kernel(o->bundle, o->id, o->device, &o->kernel, diag);
  }
  return status;
}

static tn_status allocate(objects *o, tn_diag *diag) {
  tn_status status = TN_OK;
  for (int i = 0; status == TN_OK && i < 3; i++) {
    void *memory = NULL;
    status =
        tn_usm_alloc(o->context, o->device, TN_USM_SHARED, COUNT * sizeof(float), 0, &memory, diag);
    o->memory[i] = memory;
  }
  for (int i = 0; status == TN_OK && i < COUNT; i++) {
    o->memory[0][i] = (float)i;
    o->memory[1][i] = 1.0f;
  }
  return status;
}

static tn_status launch(objects *o, tn_diag *diag) {
  const vec_add_args args = {o->memory[0], o->memory[1], o->memory[2]};
  const tn_command command = {
      .struct_size = sizeof(command),
      .kind = TN_COMMAND_KERNEL,
      .kernel = o->kernel,
      .args = &args,
      .arg_size = sizeof(args),
      .arg_align = _Alignof(vec_add_args),
      .dims = 1,
      .has_local = 1,
      .global = {COUNT, 1, 1},
      .local = {64, 1, 1},
  };
  const tn_status status = tn_queue_submit(o->queue, &command, NULL, diag);
  return status == TN_OK ? tn_queue_wait(o->queue, diag) : status;
}

static tn_status run(objects *o, const program *from, tn_diag *diag) {
  size_t count = 0;
  tn_status status = tn_device_count(&count, diag);
  if (status == TN_OK && count == 0) {
    return tn_device_fail_choice(diag);
  }
  if (status == TN_OK) {
    o->device = tn_device_at(0);
    status = tn_context_create(&o->device, 1, &o->context, diag);
  }
  if (status == TN_OK) {
    status = build(o, from, diag);
  }
  if (status == TN_OK) {
    status = tn_queue_create(o->context, o->device, TN_QUEUE_IN_ORDER, &o->queue, diag);
  }
  if (status == TN_OK) {
    status = allocate(o, diag);
  }
  return status == TN_OK ? launch(o, diag) : status;
}

static int count_right(const objects *o) {
  int right = 0;
  for (int i = 0; i < COUNT; i++) {
    right += o->memory[2][i] == 2.0f * (float)i + 1.0f;
  }
  return right;
}

static void release(objects *o) {
  for (int i = 0; i < 3; i++) {
    if (o->memory[i] != NULL && tn_usm_free(o->context, o->memory[i], NULL) != TN_OK) {
      fprintf(stderr, "memory could not be freed\n");
    }
  }
  tn_queue_release(o->queue);
  tn_kernel_release(o->kernel);
  tn_kernel_id_release(o->id);
  tn_bundle_release(o->bundle);
  tn_source_release(o->source);
  tn_context_release(o->context);
}

// The file's text, or NULL; freed by the caller.
static char *read_source(const char *path) {
  char *text = calloc(1, SOURCE_MAXIMUM + 1);
  FILE *file = fopen(path, "rb");
  if (text == NULL || file == NULL) {
    perror(path);
    free(text);
    text = NULL;
  } else {
    text[fread(text, 1, SOURCE_MAXIMUM, file)] = '\0';
  }
  if (file != NULL) {
    fclose(file);
  }
  return text;
}

static bool ends_in_c(const char *path) {
  const size_t size = strlen(path);
  return size > 2 && strcmp(path + size - 2, ".c") == 0;
}

static bool build_and_launch(const program *from) {
  tn_diag diag;
  objects o;
  memset(&o, 0, sizeof(o));
  const tn_status status = run(&o, from, &diag);
  const int right = status == TN_OK ? count_right(&o) : 0;
  if (status != TN_OK) {
    fprintf(stderr, "%s: %s\n", tn_status_name(status), diag.text);
  } else {
    printf("vec_add in %s: %d of %d are right\n", from->language == TN_SOURCE_C ? "C" : "SYCL",
           right, COUNT);
  }
  release(&o);
  return right == COUNT;
}

int main(int argc, char **argv) {
  const program own[] = {{sycl_source, TN_SOURCE_SYCL}, {c_source, TN_SOURCE_C}};
  bool is_right = true;
  if (argc > 1) {
    char *text = read_source(argv[1]);
    const program given = {text, ends_in_c(argv[1]) ? TN_SOURCE_C : TN_SOURCE_SYCL};
    is_right = text != NULL && build_and_launch(&given);
    free(text);
  } else {
    for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
      is_right = build_and_launch(&own[i]) && is_right;
    }
  }
  return is_right ? 0 : 1;
}
