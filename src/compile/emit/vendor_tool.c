// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vendors' compilers as child processes: ptxas, ocloc, opencl-aot, and LLVM's own linker for AMD.
#include "compile/emit/vendor_tool.h"

#include "base/config.h"
#include "base/file.h"
#include "base/process.h"

enum { CODE_MAX = 1 << 30, OUTPUT_MAX = 1 << 20 };

// A command line, and where its files are.
typedef struct tool_job {
  const tn_device_params *params;
  tn_arena arena;
  tn_list args;  // of const char *
  const char *input;
  const char *output;
  bool is_open;
  bool has_debug;  // PTX with debug information
  bool failed;
} tool_job;

static void add(tool_job *job, const char *text) {
  job->failed = !text || !tn_list_add(&job->args, &job->arena, text) || job->failed;
}

static void add_text(tool_job *job, const char *prefix, const char *rest) {
  add(job, tn_arena_format(&job->arena, "%s%s", prefix, rest));
}

static const char *word_at(const tool_job *job, size_t index) {
  const char *const *words = job->params->tool_words;
  for (size_t i = 0; words && i <= index; ++i) {
    if (!words[i]) {
      return NULL;
    }
  }
  return words ? words[index] : NULL;
}

// The user's words; one text may hold several, with spaces between.
static void add_words(tool_job *job) {
  const char *word = NULL;
  for (size_t i = 0; (word = word_at(job, i)) != NULL; ++i) {
    tn_str rest = tn_str_from(word);
    while (rest.data) {
      const tn_str each = tn_str_split(&rest, ' ');
      if (each.size > 0) {
        add(job, tn_arena_str(&job->arena, each));
      }
    }
  }
}

static void add_words_and_files(tool_job *job) {
  add_words(job);
  add(job, "-o");
  add(job, job->output);
  add(job, job->input);
}

static bool words_have(const tool_job *job, const char *text) {
  const char *word = NULL;
  for (size_t i = 0; (word = word_at(job, i)) != NULL; ++i) {
    if (tn_str_find(tn_str_from(word), tn_str_from(text)) != SIZE_MAX) {
      return true;
    }
  }
  return false;
}

static const char *join(tn_arena *arena, const char *folder, const char *rest) {
  return tn_arena_format(arena, "%s/%s", folder, rest);
}

const char *tn_cuda_find(const tn_device_params *params, tn_arena *arena) {
  const char *const places[] = {params->cuda_path, tn_config_get()->cuda_path, "/usr/local/cuda",
                                "/opt/cuda"};
  for (size_t i = 0; i < TN_COUNT(places); ++i) {
    const char *libraries =
        places[i] && places[i][0] ? join(arena, places[i], "nvvm/libdevice") : NULL;
    const char *programs = libraries ? join(arena, places[i], "bin/ptxas") : NULL;
    if (programs && (tn_file_is_directory(libraries) || tn_file_is_executable(programs))) {
      return places[i];
    }
    if (i == 0 && places[i]) {
      return NULL;  // named, and not there
    }
  }
  return NULL;
}

// In PATH, under one of two names; a copy in the arena, NULL when not there.
static const char *in_path(tool_job *job, const char *name, const char *other) {
  char *found = tn_process_find(name);
  if (!found && other) {
    found = tn_process_find(other);
  }
  const char *copy = found ? tn_arena_str(&job->arena, tn_str_from(found)) : NULL;
  tn_free(found);
  return copy;
}

static const char *find_ptxas(tool_job *job) {
  const char *cuda = tn_cuda_find(job->params, &job->arena);
  const char *program = cuda ? join(&job->arena, cuda, "bin/ptxas") : NULL;
  return program && tn_file_is_executable(program) ? program : in_path(job, "ptxas", NULL);
}

void tn_emit_tools(const tn_target *target, const char *cuda_path, tn_buf *out) {
  if (target->kind != TN_TARGET_NVPTX) {
    return;
  }
  const tn_device_params params = {.target = target, .cuda_path = cuda_path};
  tool_job job = {.params = &params};
  tn_arena_init(&job.arena);
  const char *cuda = tn_cuda_find(&params, &job.arena);
  const char *ptxas = target->is_aot ? find_ptxas(&job) : NULL;
  tn_buf_add_format(out, "%s;%s", cuda ? cuda : "", ptxas ? ptxas : "");
  tn_arena_deinit(&job.arena);
}

static tn_status make_ptxas(tool_job *job, tn_diag *diag) {
  const char *program = find_ptxas(job);
  if (!program) {
    return TN_FAIL(diag, UNSUPPORTED, "%s: 'ptxas' is neither in CUDA_PATH nor in PATH",
                   job->params->target->word);
  }
  add(job, program);
  add_text(job, "-arch=", job->params->target->processor);
  // Code with more than lines is not optimized by ptxas.
  add_text(job, "-O", job->params->opt_level == 0 || job->has_debug ? "0" : "3");
  if (job->has_debug) {
    add(job, "-g");
  } else if (job->params->debug) {
    add(job, "-lineinfo");
  }
  if (job->is_open) {
    add(job, "-c");
  }
  add_words_and_files(job);
  return TN_OK;
}

static tn_status make_ocloc(tool_job *job, tn_diag *diag) {
  const char *program = in_path(job, "ocloc", NULL);
  const char *word = job->params->target->word;
  if (!program) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "%s: 'ocloc', Intel's compiler for graphics, is not in PATH; "
                   "install intel-ocloc, or compile for spirv64, which needs none",
                   word);
  }
  if (!job->params->target->processor && !words_have(job, "-device")) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%s: 'ocloc' has to know the device; name it, as in "
                   "-fsycl-targets=intel_gpu_pvc or -Xsycl-target-backend=spir64_gen \"-device "
                   "pvc\"",
                   word);
  }
  add(job, program);
  add(job, "compile");
  add(job, "-spirv_input");
  add(job, "-file");
  add(job, job->input);
  add(job, "-output_no_suffix");
  add(job, "-output");
  add(job, job->output);
  if (job->params->target->processor) {
    add(job, "-device");
    add(job, job->params->target->processor);
  }
  add_words(job);
  return TN_OK;
}

static tn_status make_opencl_aot(tool_job *job, tn_diag *diag) {
  const char *program = in_path(job, "opencl-aot", NULL);
  if (!program) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "%s: 'opencl-aot', Intel's compiler for OpenCL on CPUs, is "
                   "not in PATH; install it, or compile for native_cpu, which needs none",
                   job->params->target->word);
  }
  add(job, program);
  add(job, "--device=cpu");
  add_words_and_files(job);
  return TN_OK;
}

static tn_status make_lld(tool_job *job, tn_diag *diag) {
  const char *program = in_path(job, "ld.lld-22", "ld.lld");
  if (!program) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "%s: LLVM's linker 'ld.lld-22' or 'ld.lld', which makes AMD's "
                   "code objects, is not in PATH; install lld-22",
                   job->params->target->word);
  }
  add(job, program);
  add(job, "-shared");
  add(job, "--no-undefined");
  add_words_and_files(job);
  return TN_OK;
}

static tn_status make_command(tool_job *job, tn_diag *diag) {
  const tn_target *target = job->params->target;
  switch (target->kind) {
    case TN_TARGET_NVPTX:
      return make_ptxas(job, diag);
    case TN_TARGET_AMDGPU:
      return make_lld(job, diag);
    default:
      return strcmp(target->tool, "ocloc") == 0 ? make_ocloc(job, diag)
                                                : make_opencl_aot(job, diag);
  }
}

// Each version of ptxas knows the processors of some years.
static bool is_too_new(const tool_job *job, tn_str error) {
  return job->params->target->kind == TN_TARGET_NVPTX &&
         tn_str_find(error, TN_STR_LIT("is not defined for option 'gpu-name'")) != SIZE_MAX;
}

static tn_status run_command(tool_job *job, tn_buf *messages, tn_diag *diag) {
  if (job->failed || !tn_list_add(&job->args, &job->arena, NULL)) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command line");
  }
  const char *const *argv = (const char *const *)job->args.items;
  tn_process process;
  tn_buf output;
  tn_buf error;
  tn_buf_init(&output, OUTPUT_MAX);
  tn_buf_init(&error, OUTPUT_MAX);
  int exit_status = 0;
  tn_status status = tn_process_start(
      argv, TN_PROCESS_CAPTURE_ERROR | TN_PROCESS_CAPTURE_OUTPUT | TN_PROCESS_NULL_INPUT, &process,
      diag);
  if (status == TN_OK) {
    status = tn_process_wait(&process, &output, &error, &exit_status, diag);
  }
  if (status == TN_OK && exit_status != 0 && is_too_new(job, tn_buf_str(&error))) {
    status = TN_FAIL(diag, UNSUPPORTED, "%s: '%s' does not know %s", job->params->target->word,
                     argv[0], job->params->target->processor);
    tn_buf_clear(&error);
  }
  tn_buf_add_str(messages, tn_buf_str(&output));
  tn_buf_add_str(messages, tn_buf_str(&error));
  if (status == TN_OK && exit_status != 0) {
    status = TN_FAIL(diag, BUILD_FAILED,
                     "%s: '%s' could not compile the device code of %s (exit "
                     "status %d)",
                     job->params->target->word, argv[0],
                     job->params->name ? job->params->name : "the program", exit_status);
  }
  tn_buf_deinit(&output);
  tn_buf_deinit(&error);
  return status;
}

static tn_status read_output(tool_job *job, tn_buf *out, tn_diag *diag) {
  char *data = NULL;
  size_t size = 0;
  const tn_status status = tn_file_read(job->output, CODE_MAX, &data, &size, diag);
  if (status == TN_OK) {
    tn_buf_add(out, data, size);
  }
  tn_free(data);
  return status == TN_OK ? tn_buf_status(out, diag) : status;
}

static const char *input_name(tn_target_kind kind) {
  return kind == TN_TARGET_NVPTX   ? "device.ptx"
         : kind == TN_TARGET_SPIRV ? "device.spv"
                                   : "device.o";
}

static bool has_debug(const tn_device_params *params, tn_bytes code) {
  const tn_str text = {(const char *)code.data, code.size};
  const size_t at = params->target->kind == TN_TARGET_NVPTX
                        ? tn_str_find(text, TN_STR_LIT(".target "))
                        : SIZE_MAX;
  tn_str rest = tn_str_slice(text, at == SIZE_MAX ? code.size : at, SIZE_MAX);
  return tn_str_find(tn_str_split(&rest, '\n'), TN_STR_LIT(", debug")) != SIZE_MAX;
}

tn_status tn_vendor_tool_run(const tn_device_params *params, tn_bytes code, bool is_open,
                             tn_buf *out, tn_buf *messages, tn_diag *diag) {
  char *folder = NULL;
  TN_TRY(tn_temp_dir_create("tenon-device", &folder, diag));
  tool_job job = {.params = params, .is_open = is_open, .has_debug = has_debug(params, code)};
  tn_arena_init(&job.arena);
  job.input = join(&job.arena, folder, input_name(params->target->kind));
  job.output = join(&job.arena, folder, "device.out");
  tn_status status = job.input && job.output
                         ? TN_OK
                         : TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command line");
  if (status == TN_OK) {
    status = make_command(&job, diag);
  }
  if (status == TN_OK) {
    status = tn_file_write(job.input, code, diag);
  }
  if (status == TN_OK) {
    status = run_command(&job, messages, diag);
  }
  if (status == TN_OK) {
    status = read_output(&job, out, diag);
  }
  tn_arena_deinit(&job.arena);
  tn_temp_dir_remove(folder);
  return status;
}
