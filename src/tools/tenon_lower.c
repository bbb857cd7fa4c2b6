// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tenon-lower: runs passes of the compiler over a module, for their tests.
#include "base/file.h"
#include "compile/pipeline/pipeline.h"

#include <errno.h>
#include <stdio.h>

enum { LARGEST_MODULE = 0x7fffffff };

static const char help[] =
    "usage: tenon-lower [options] [file]\n"
    "\n"
    "Runs passes over LLVM bitcode or assembly language (standard input without a file) and "
    "writes\n"
    "what comes out.\n"
    "\n"
    "  -passes=<list>  names by commas, in the order in which they are run, some with a value:\n"
    "                  -passes=prepare,check,name-unit=7\n"
    "  -S              write assembly language\n"
    "  -o <file>       where to write (default, and -: standard output)\n"
    "  --list          print the passes: what each does, needs, keeps and breaks\n"
    "  --help          print this\n"
    "  --version       print the version\n";

typedef struct options {
  const char *file;
  const char *output;
  const char *passes;
  bool as_text, list, help, version;
} options;

static tn_status read_options(int argc, char **argv, options *out, tn_diag *diag) {
  *out = (options){.file = "-", .output = "-", .passes = ""};
  bool has_file = false;
  for (int i = 1; i < argc; i++) {
    const char *arg = argv[i];
    const char *long_arg = arg[0] == '-' && arg[1] == '-' ? arg + 1 : arg;
    if (arg[0] != '-' || arg[1] == '\0') {
      if (has_file) {
        return TN_FAIL(diag, INVALID_ARGUMENT, "one file at a time: %s or %s", out->file, arg);
      }
      out->file = arg;
      has_file = true;
    } else if (strncmp(long_arg, "-passes=", 8) == 0) {
      out->passes = long_arg + 8;
    } else if (strcmp(arg, "-S") == 0) {
      out->as_text = true;
    } else if (strcmp(arg, "--list") == 0) {
      out->list = true;
    } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
      out->help = true;
    } else if (strcmp(arg, "--version") == 0) {
      out->version = true;
    } else if (strcmp(arg, "-o") == 0 && i + 1 < argc) {
      out->output = argv[++i];
    } else {
      return TN_FAIL(diag, INVALID_ARGUMENT, "unknown option %s; --help lists the options", arg);
    }
  }
  return TN_OK;
}

static void list_passes(tn_buf *out) {
  for (size_t i = 0; i < tn_pass_count(); i++) {
    const tn_pass_info info = tn_pass_at(i);
    tn_buf_add_format(out, "%s%s%s: %s | needs: %s | keeps: %s | breaks: %s\n", info.name,
                      info.value[0] != '\0' ? "=" : "", info.value, info.what, info.needs,
                      info.keeps, info.breaks);
  }
}

static tn_status lower(const options *given, tn_buf *out, tn_buf *messages, tn_diag *diag) {
  char *data = NULL;
  size_t size = 0;
  const char *path = strcmp(given->file, "-") == 0 ? "/dev/stdin" : given->file;
  TN_TRY(tn_file_read(path, LARGEST_MODULE, &data, &size, diag));
  const tn_passes_params params = {.module = tn_bytes_from(data, size),
                                   .name = given->file,
                                   .passes = tn_str_from(given->passes),
                                   .as_text = given->as_text};
  const tn_status status = tn_passes_run(&params, out, messages, diag);
  tn_free(data);
  return status;
}

static tn_status write_output(const options *given, const tn_buf *out, tn_diag *diag) {
  TN_TRY(tn_buf_status(out, diag));
  if (strcmp(given->output, "-") != 0) {
    return tn_file_write(given->output, tn_buf_bytes(out), diag);
  }
  if ((out->size > 0 && fwrite(out->data, 1, out->size, stdout) != out->size) ||
      fflush(stdout) != 0) {
    return TN_FAIL_NATIVE(diag, IO, errno, "standard output cannot be written: %s",
                          strerror(errno));
  }
  return TN_OK;
}

int main(int argc, char **argv) {
  tn_diag diag = {0};
  tn_buf out;
  tn_buf messages;
  options given;
  tn_buf_init(&out, LARGEST_MODULE);
  tn_buf_init(&messages, LARGEST_MODULE);
  tn_status status = read_options(argc, argv, &given, &diag);
  if (status == TN_OK && given.help) {
    tn_buf_add_text(&out, help);
  } else if (status == TN_OK && given.version) {
    tn_buf_add_text(&out, "tenon-lower " TN_VERSION "\n");
  } else if (status == TN_OK && given.list) {
    list_passes(&out);
  } else if (status == TN_OK) {
    status = lower(&given, &out, &messages, &diag);
  }
  (void)fputs(tn_buf_text(&messages), stderr);
  if (status == TN_OK) {
    status = write_output(&given, &out, &diag);
  }
  if (status != TN_OK) {
    (void)fprintf(stderr, "tenon-lower: error: %s\n", diag.text);
  }
  tn_buf_deinit(&messages);
  tn_buf_deinit(&out);
  return status == TN_OK ? 0 : 1;
}
