// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a source as the words of its command line say, one after another, all in C:
//   build          builds it, launches kernel "fill" on 64 numbers and prints the first and the
//   last
//                  one, and how many sources were compiled for that
//   write F TEXT   writes a line to a file
//   remove F
//   enter FOLDER
// Words that begin with a '-' are options of the builds to come.
#include <tenon/tenon.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 64, OPTIONS_MAXIMUM = 16 };

static const char text[] =
    "#include <sycl/sycl.hpp>\n"
    "#if __has_include(\"optional.h\")\n"
    "#include \"optional.h\"\n"
    "#else\n"
    "#define OFFSET 0\n"
    "#endif\n"
    "#include <value.h>\n"
    "namespace ext = sycl::ext::oneapi;\n"
    "extern \"C\" SYCL_EXT_ONEAPI_FUNCTION_PROPERTY((ext::experimental::nd_range_kernel<1>))\n"
    "void fill(int *out) {\n"
    "  const int i = int(ext::this_work_item::get_nd_item<1>().get_global_linear_id());\n"
    "  out[i] = VALUE * i + OFFSET;\n"
    "}\n";

typedef struct objects {
  tn_device *device;
  tn_context *context;
  tn_queue *queue;
  tn_source *source;
  const char *options[OPTIONS_MAXIMUM];
  size_t option_count;
  int *numbers;
} objects;

static tn_status set_up(objects *o, tn_diag *diag) {
  void *memory = NULL;
  o->device = tn_device_at(0);
  tn_status status = tn_context_create(&o->device, 1, &o->context, diag);
  if (status == TN_OK) {
    status = tn_queue_create(o->context, o->device, TN_QUEUE_IN_ORDER, &o->queue, diag);
  }
  if (status == TN_OK) {
    status =
        tn_usm_alloc(o->context, o->device, TN_USM_SHARED, COUNT * sizeof(int), 0, &memory, diag);
    o->numbers = memory;
  }
  const tn_source_query query = {
      .struct_size = sizeof(query),
      .language = TN_SOURCE_SYCL,
      .context = o->context,
      .source = text,
      .source_size = sizeof(text) - 1,
  };
  return status == TN_OK ? tn_source_create(&query, &o->source, diag) : status;
}

static tn_status launch(objects *o, tn_kernel *kernel, tn_diag *diag) {
  memset(o->numbers, 0xff, COUNT * sizeof(int));
  const tn_command command = {
      .struct_size = sizeof(command),
      .kind = TN_COMMAND_KERNEL,
      .kernel = kernel,
      .args = &o->numbers,
      .arg_size = sizeof(o->numbers),
      .arg_align = _Alignof(int *),
      .dims = 1,
      .has_local = 1,
      .global = {COUNT, 1, 1},
      .local = {8, 1, 1},
  };
  tn_status status = tn_queue_submit(o->queue, &command, NULL, diag);
  return status == TN_OK ? tn_queue_wait(o->queue, diag) : status;
}

// The kernel alone keeps what it needs.
static tn_status build_kernel(const objects *o, tn_kernel **out, tn_diag *diag) {
  const tn_source_build build = {
      .struct_size = sizeof(build),
      .state = TN_BUNDLE_EXECUTABLE,
      .options = o->options,
      .option_count = o->option_count,
  };
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  tn_kernel_id *id = NULL;
  tn_status status = tn_source_build_bundle(o->source, &build, &bundle, &log, diag);
  fputs(tn_log_text(log), stderr);
  tn_log_free(log);
  if (status == TN_OK) {
    status = tn_bundle_find_kernel_id(bundle, "fill", &id, diag);
  }
  if (status == TN_OK) {
    status = tn_bundle_get_kernel(bundle, id, o->device, out, diag);
  }
  tn_kernel_id_release(id);
  tn_bundle_release(bundle);
  return status;
}

static uint64_t compiled(void) {
  tn_cache_stats stats = {.struct_size = sizeof(stats)};
  tn_cache_get_stats(&stats);
  return stats.source_builds;
}

static tn_status build(objects *o, tn_diag *diag) {
  const uint64_t before = compiled();
  tn_kernel *kernel = NULL;
  tn_status status = build_kernel(o, &kernel, diag);
  if (status == TN_OK) {
    status = launch(o, kernel, diag);
  }
  if (status == TN_OK) {
    printf("%d to %d, compiled %d\n", o->numbers[0], o->numbers[COUNT - 1],
           (int)(compiled() - before));
  }
  tn_kernel_release(kernel);
  return status;
}

static int write_file(const char *path, const char *line) {
  FILE *file = fopen(path, "w");
  const int written = file ? fprintf(file, "%s\n", line) : -1;
  return file && fclose(file) == 0 && written > 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  objects o = {0};
  tn_diag diag = {0};
  tn_status status = set_up(&o, &diag);
  int failed = 0;
  for (int i = 1; status == TN_OK && failed == 0 && i < argc; i++) {
    if (strcmp(argv[i], "build") == 0) {
      status = build(&o, &diag);
    } else if (strcmp(argv[i], "write") == 0 && i + 2 < argc) {
      failed = write_file(argv[i + 1], argv[i + 2]);
      i += 2;
    } else if (strcmp(argv[i], "remove") == 0 && i + 1 < argc) {
      failed = unlink(argv[++i]);
    } else if (strcmp(argv[i], "enter") == 0 && i + 1 < argc) {
      failed = chdir(argv[++i]);
    } else if (o.option_count < OPTIONS_MAXIMUM) {
      o.options[o.option_count++] = argv[i];
    }
  }
  if (status != TN_OK || failed != 0) {
    fprintf(stderr, "status %s, %s\n", tn_status_name(status), diag.text);
  }
  if (tn_usm_free(o.context, o.numbers, NULL) != TN_OK) {
    failed = 1;
  }
  tn_source_release(o.source);
  tn_queue_release(o.queue);
  tn_context_release(o.context);
  return status == TN_OK && failed == 0 ? 0 : 1;
}
