// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tenon-image: lists the device images of programs, libraries, objects and archives, and writes
// them out.
#include "base/file.h"
#include "base/map.h"
#include "tools/image_report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define LARGEST_FILE ((size_t)16 << 30)

static const char help[] =
    "usage: tenon-image [options] file...\n"
    "\n"
    "Lists the SYCL device images in executables, shared libraries, objects, archives and\n"
    ".tnfb files: targets, kernels, exported and imported symbols.\n"
    "\n"
    "  --json          list as JSON\n"
    "  --extract       write each image to a file of its own (.tnfb) instead of listing;\n"
    "                  the C API loads such files (tn_image_open)\n"
    "  --extract-code  write the code alone (.bc, .spv, .ptx, ...); also of objects whose\n"
    "                  device code is not linked yet\n"
    "  -o <folder>     where --extract and --extract-code write; made when it is not there\n"
    "  --help          print this\n"
    "  --version       print the version\n";

typedef struct options {
  bool json;
  bool extract;
  bool extract_code;
  bool help;
  bool version;
  const char *folder;  // of -o; NULL when it is not given
  int file_count;      // files stand at the beginning of argv then
} options;

static void complain(const tn_diag *diag) {
  (void)fprintf(stderr, "tenon-image: error: %s\n", diag->text);
}

// Moves the files to the front of argv.
static tn_status parse_options(int argc, char **argv, options *out, tn_diag *diag) {
  *out = (options){.folder = NULL};
  bool only_files = false;
  for (int i = 1; i < argc; i++) {
    char *arg = argv[i];
    if (only_files || arg[0] != '-' || arg[1] == '\0') {
      argv[out->file_count++] = arg;
    } else if (strcmp(arg, "--") == 0) {
      only_files = true;
    } else if (strcmp(arg, "--json") == 0) {
      out->json = true;
    } else if (strcmp(arg, "--extract") == 0) {
      out->extract = true;
    } else if (strcmp(arg, "--extract-code") == 0) {
      out->extract_code = true;
    } else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
      out->help = true;
    } else if (strcmp(arg, "--version") == 0) {
      out->version = true;
    } else if (strcmp(arg, "-o") == 0) {
      if (++i == argc) {
        return TN_FAIL(diag, INVALID_ARGUMENT, "-o needs the name of a folder");
      }
      out->folder = argv[i];
    } else {
      return TN_FAIL(diag, INVALID_ARGUMENT, "unknown option %s; --help lists the options", arg);
    }
  }
  const bool writes = out->extract || out->extract_code;
  if (out->help || out->version) {
    return TN_OK;
  }
  if (out->file_count == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "no input files; --help says how to use it");
  }
  if (writes && out->json) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "--json lists and does not go with --extract");
  }
  if (out->folder && !writes) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "-o needs --extract or --extract-code");
  }
  return TN_OK;
}

typedef struct job {
  const options *options;
  tn_buf out;      // for standard output
  tn_map written;  // names of files, so that none is written twice
  bool json_is_first;
} job;

static const char *code_extension(uint32_t format) {
  static const char *const names[] = {
      [TN_IMAGE_FORMAT_BITCODE] = "bc", [TN_IMAGE_FORMAT_SPIRV] = "spv",
      [TN_IMAGE_FORMAT_PTX] = "ptx",    [TN_IMAGE_FORMAT_CUBIN] = "cubin",
      [TN_IMAGE_FORMAT_NATIVE] = "o",
  };
  return format < TN_COUNT(names) && names[format] ? names[format] : "bin";
}

// Names come from the file that is read: only what is harmless in a file name is kept.
static void put_file_name(tn_buf *out, tn_str s) {
  for (size_t i = 0; i < s.size; i++) {
    const char c = s.data[i];
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') || c == '.' || c == '_' || c == '-' || c == '+';
    tn_buf_add_char(out, is_plain && !(i == 0 && c == '.') ? c : '_');
  }
}

static tn_status write_part(job *j, const tn_report_file *file, size_t index, const char *what,
                            tn_str target, const char *extension, tn_bytes bytes, tn_diag *diag) {
  tn_status status = TN_OK;
  tn_buf path;
  tn_buf_init(&path, 1 << 16);
  // An archive's members are named by both: "lib.a(x.o)" becomes "lib.a_x.o_".
  const size_t paren = tn_str_find_char(file->name, '(');
  const tn_str host = tn_str_slice(file->name, 0, paren);
  const tn_str base = tn_path_base(host);
  tn_buf_add_text(&path, j->options->folder ? j->options->folder : ".");
  tn_buf_add_char(&path, '/');
  put_file_name(&path,
                (tn_str){base.data, file->name.size - (size_t)(base.data - file->name.data)});
  tn_buf_add_format(&path, ".%s%zu.", what, index);
  put_file_name(&path, target);
  tn_buf_add_format(&path, ".%s", extension);
  status = tn_buf_status(&path, diag);
  if (status != TN_OK) {
    goto done;
  }
  if (tn_map_find(&j->written, tn_buf_str(&path))) {
    status = TN_FAIL(diag, INVALID_ARGUMENT,
                     "%s would be written twice; extract the files into folders of their own",
                     path.data);
    goto done;
  }
  if (!tn_map_set(&j->written, tn_buf_str(&path), j)) {
    status = TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the names of the files");
    goto done;
  }
  status = tn_file_write(path.data, bytes, diag);
  if (status == TN_OK) {
    tn_buf_add_format(&j->out, "%s\n", path.data);
  }
done:
  tn_buf_deinit(&path);
  return status;
}

static tn_status extract_image(job *j, const tn_report_file *file, uint32_t index, tn_diag *diag) {
  tn_status status = TN_OK;
  const tn_image image = tn_report_image_at(file, index);
  tn_bytes code = {NULL, 0};
  tn_buf alone;
  tn_arena arena;
  tn_buf_init(&alone, SIZE_MAX);
  tn_arena_init(&arena);
  if (j->options->extract) {
    status = tn_image_write(&image, &alone, diag);
    if (status == TN_OK) {
      status = write_part(j, file, index, "", image.target, "tnfb", tn_buf_bytes(&alone), diag);
    }
  }
  if (status == TN_OK && j->options->extract_code) {
    status = tn_image_code(&image, &arena, &code, diag);
    if (status == TN_OK) {
      status = write_part(j, file, index, "", image.target, code_extension(image.format), code,
                          diag);
    }
  }
  tn_arena_deinit(&arena);
  tn_buf_deinit(&alone);
  return status;
}

static tn_status extract_file(job *j, const tn_report_file *file, tn_diag *diag) {
  const uint32_t image_count = tn_report_image_count(file);
  if (image_count == 0 && !j->options->extract_code) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "its device code is not linked yet, so there are no images; --extract-code "
                   "writes its bitcode");
  }
  for (uint32_t i = 0; i < image_count; i++) {
    TN_TRY(extract_image(j, file, i, diag));
  }
  for (size_t i = 0; i < file->units.count && j->options->extract_code; i++) {
    const tn_offload_entry *entry = &((const tn_report_unit *)file->units.items[i])->entry;
    const tn_str target = entry->arch.size > 0 ? entry->arch : entry->triple;
    TN_TRY(write_part(j, file, i, "unit", target, "bc", entry->image, diag));
  }
  return TN_OK;
}

static tn_status handle_report(job *j, const tn_report *report, tn_diag *diag) {
  if (j->options->json) {
    tn_report_print_json(&j->out, report, &j->json_is_first);
  } else if (j->options->extract || j->options->extract_code) {
    for (size_t i = 0; i < report->files.count; i++) {
      TN_TRY(extract_file(j, report->files.items[i], diag));
    }
  } else {
    tn_report_print_text(&j->out, report);
  }
  return TN_OK;
}

static tn_status handle_file(job *j, const char *path, tn_diag *diag) {
  char *data = NULL;
  size_t size = 0;
  tn_arena arena;
  tn_arena_init(&arena);
  tn_report report = {.arena = &arena};
  tn_status status = tn_file_read(path, LARGEST_FILE, &data, &size, diag);
  if (status != TN_OK) {
    goto done;
  }
  status = tn_report_collect(&report, path, tn_bytes_from(data, size), diag);
  if (status == TN_OK) {
    status = handle_report(j, &report, diag);
  }
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", path);
  }
done:
  tn_arena_deinit(&arena);
  tn_free(data);
  return status;
}

static tn_status make_folder(const char *folder, tn_diag *diag) {
  if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
    return TN_FAIL_NATIVE(diag, IO, errno, "%s: cannot be made: %s", folder, strerror(errno));
  }
  if (!tn_file_is_directory(folder)) {
    return TN_FAIL(diag, IO, "%s: is not a folder", folder);
  }
  return TN_OK;
}

static tn_status write_output(const tn_buf *out, tn_diag *diag) {
  TN_TRY(tn_buf_status(out, diag));
  if ((out->size > 0 && fwrite(out->data, 1, out->size, stdout) != out->size) ||
      fflush(stdout) != 0) {
    return TN_FAIL_NATIVE(diag, IO, errno, "standard output cannot be written: %s",
                          strerror(errno));
  }
  return TN_OK;
}

// Later files are handled although an earlier one is bad; any failure is the result.
static bool run_job(job *j, char **files) {
  tn_diag diag = {0};
  bool is_good = true;
  if (j->options->folder && make_folder(j->options->folder, &diag) != TN_OK) {
    complain(&diag);
    return false;
  }
  if (j->options->json) {
    tn_buf_add_text(&j->out, "{\"files\":[");
  }
  for (int i = 0; i < j->options->file_count; i++) {
    if (handle_file(j, files[i], &diag) != TN_OK) {
      complain(&diag);
      is_good = false;
    }
  }
  if (j->options->json) {
    tn_buf_add_text(&j->out, "\n]}\n");
  }
  return is_good;
}

int main(int argc, char **argv) {
  tn_diag diag = {0};
  options given;
  // A closed standard output would be the first file that is opened.
  if (fcntl(STDOUT_FILENO, F_GETFD) == -1) {
    (void)fprintf(stderr, "tenon-image: error: standard output is closed\n");
    return 1;
  }
  if (parse_options(argc, argv, &given, &diag) != TN_OK) {
    complain(&diag);
    return 1;
  }
  job j = {.options = &given, .json_is_first = true};
  tn_buf_init(&j.out, SIZE_MAX);
  tn_map_init(&j.written);
  bool is_good = true;
  if (given.help) {
    tn_buf_add_text(&j.out, help);
  } else if (given.version) {
    tn_buf_add_text(&j.out, "tenon-image " TN_VERSION "\n");
  } else {
    is_good = run_job(&j, argv);
  }
  if (write_output(&j.out, &diag) != TN_OK) {
    complain(&diag);
    is_good = false;
  }
  tn_map_deinit(&j.written);
  tn_buf_deinit(&j.out);
  return is_good ? 0 : 1;
}
