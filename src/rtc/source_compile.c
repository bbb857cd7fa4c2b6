// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From source to device images in memory: options → Clang → unit → link → fat binary.
#include "rtc/source_compile.h"

#include "base/config.h"
#include "base/file.h"
#include "base/map.h"
#include "compile/clang/clang.h"
#include "compile/frontend/frontend.h"
#include "compile/pipeline/pipeline.h"
#include "image/image.h"
#include "rtc/carried_headers.h"
#include "rtc/compiler_end.h"
#include "rtc/source_names.h"
#include "rtc/source_options.h"

enum { BUFFER_MAXIMUM = 1 << 30, LOG_MAXIMUM = 1 << 26 };

typedef struct source_job {
  const tn_source_params *params;
  tn_source_owner *owner;
  tn_arena *arena;  // of the owner
  tn_target target;
  tn_source_options options;
  tn_clang_result clang;
  tn_source_end end;
  tn_list symbols;  // of tn_source_symbol *
  uint64_t unit_id;
  bool is_only_print;
} source_job;

void tn_source_result_free(tn_source_result *result) {
  tn_source_owner *owner = result && result->struct_size >= sizeof(*result) ? result->owner : NULL;
  if (!owner) {
    return;
  }
  tn_arena_deinit(&owner->arena);
  tn_buf_deinit(&owner->log);
  tn_buf_deinit(&owner->fatbin);
  tn_free(owner);
  *result = (tn_source_result){.struct_size = result->struct_size, .log = ""};
}

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to compile the source");
}

// Where a build's own files and Tenon's headers are.
static bool is_reserved(const char *name) {
  return tn_str_has_prefix(tn_str_from(name), TN_STR_LIT("/tenon/")) ||
         tn_str_has_prefix(tn_str_from(name), TN_STR_LIT("/.tenon/"));
}

static tn_status check_params(const tn_source_params *params, tn_diag *diag) {
  if (params->language < TN_LANGUAGE_SYCL || params->language > TN_LANGUAGE_OPENCL) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "this version compiles SYCL sources (C++), C and OpenCL C at run time, and no "
                   "other language");
  }
  if (params->language != TN_LANGUAGE_SYCL && params->name_count > 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "registered name \"%s\": kernels of C are known by their names, nothing is "
                   "registered",
                   params->names[0]);
  }
  if (!params->source.name || params->source.name[0] == '\0' || !params->target) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the source needs a name, and the build a target");
  }
  for (size_t i = 0; i < params->include_count; i++) {
    if (!params->includes[i].name || params->includes[i].name[0] == '\0') {
      return TN_FAIL(diag, INVALID_ARGUMENT, "a file of the build has no name");
    }
    if (is_reserved(params->includes[i].name)) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "include %.300s: names under /tenon and /.tenon are reserved",
                     params->includes[i].name);
    }
  }
  return tn_source_names_check(params->names, params->name_count, diag);
}

static tn_status read_target(source_job *job, tn_diag *diag) {
  const tn_source_params *params = job->params;
  TN_TRY(tn_target_read(job->arena, "target ", tn_str_from(params->target), &job->target, diag));
  if (job->target.kind == TN_TARGET_CPU) {
    job->target = tn_target_default();  // machine code is made when it is launched
    return TN_OK;
  }
  if (job->target.is_aot) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "target %s: its machine code takes a compiler of its own, and no program is "
                   "started at run time; compile for it ahead of time",
                   params->target);
  }
  const char *word = params->processor
                         ? tn_arena_format(job->arena, "--offload-arch=%s", params->processor)
                         : NULL;
  bool is_taken = false;
  if (!word) {
    return TN_OK;
  }
  const bool is_wish = params->is_device_processor == 0;
  const tn_status status = tn_target_read_backend("processor ", tn_str_from(word), &job->target,
                                                  &is_taken, is_wish ? diag : NULL);
  return is_wish ? status : TN_OK;
}

static uint64_t hash_text(const char *text, uint64_t hash) {
  return text ? tn_hash_bytes(text, strlen(text) + 1, hash) : hash;
}

// Equal builds are equal to the last byte.
static uint64_t unit_id_of(const tn_source_params *params) {
  uint64_t hash = tn_hash_bytes(params->source.text, params->source.size, 0x54454e4f4eu);
  hash = hash_text(params->target, hash_text(params->processor, hash));
  for (size_t i = 0; i < params->include_count; i++) {
    hash = hash_text(params->includes[i].name, hash);
    hash = tn_hash_bytes(params->includes[i].text, params->includes[i].size, hash);
  }
  for (size_t i = 0; i < params->option_count; i++) {
    hash = hash_text(params->options[i], hash);
  }
  for (size_t i = 0; i < params->name_count; i++) {
    hash = hash_text(params->names[i], hash);
  }
  return hash == 0 ? 1 : hash;
}

// Clang's own mode for the language, without a trace of SYCL.
static tn_status make_opencl_args(source_job *job, tn_args *user, const char *clang, tn_args *out,
                                  tn_diag *diag) {
  static const char *const words[] = {"-target", "spirv64-unknown-unknown", "-cl-std=CL3.0", "-O2"};
  static const char *const last[] = {"-Xclang", "-disable-llvm-passes", "-emit-llvm", "-x", "cl"};
  if (job->target.kind != TN_TARGET_SPIRV) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "target %s: OpenCL C is compiled for devices that take SPIR-V alone",
                   job->params->target);
  }
  tn_args_add(out, clang);
  for (size_t i = 0; i < TN_COUNT(words); i++) {
    tn_args_add(out, words[i]);
  }
  tn_args_add_all(out, user);
  for (size_t i = 0; i < TN_COUNT(last); i++) {
    tn_args_add(out, last[i]);
  }
  tn_args_add_format(out, TN_SOURCE_FOLDER "%s", job->params->source.name);
  return TN_OK;
}

static tn_status make_args(source_job *job, const char *const **out, tn_diag *diag) {
  tn_args user;
  tn_args args;
  tn_args_init(&user, job->arena);
  tn_args_init(&args, job->arena);
  tn_args_add(&user, "-ffile-prefix-map=" TN_SOURCE_FOLDER "=");
  tn_args_add(&user, "-iquote" TN_SOURCE_FOLDER);
  tn_args_add(&user, "-I" TN_SOURCE_FOLDER);
  tn_args_add(&user, "-iquote.");
  tn_args_add(&user, "-D__TENON_RTC__=1");
  const bool is_c = job->params->language == TN_LANGUAGE_C;
  if (is_c) {
    tn_args_add(&user, "-std=c17");
  }
  tn_args_add_all(&user, &job->options.clang);
  const char *clang = NULL;
  if (tn_frontend_clang_find(job->arena, NULL, &clang, NULL) != TN_OK || !clang) {
    clang = "clang++";  // a program is not needed, only a name to find headers by
  }
  if (job->params->language == TN_LANGUAGE_OPENCL) {
    TN_TRY(make_opencl_args(job, &user, clang, &args, diag));
    *out = tn_args_argv(&args);
    return *out ? TN_OK : no_memory(diag);
  }
  tn_pass_params pass = {
      .clang = clang,
      .source = tn_arena_format(job->arena, TN_SOURCE_FOLDER "%s", job->params->source.name),
      .language = is_c ? "c" : "c++",
      .include_dir = TN_CARRIED_INCLUDE_DIR,
      .unit_id = job->unit_id,
      .user = &user,
      .target = &job->target,
      .warns = true,
  };
  if (!pass.source) {
    return no_memory(diag);
  }
  tn_frontend_device_args(&pass, &args);
  *out = tn_args_argv(&args);
  return *out ? TN_OK : no_memory(diag);
}

static tn_status make_files(source_job *job, tn_clang_file **out, tn_diag *diag) {
  const tn_source_params *params = job->params;
  tn_clang_file *files =
      tn_arena_alloc_array(job->arena, params->include_count + 1, sizeof(*files));
  *out = files;
  if (!files) {
    return no_memory(diag);
  }
  for (size_t i = 0; i <= params->include_count; i++) {
    const tn_source_file *file = i == 0 ? &params->source : &params->includes[i - 1];
    const bool is_absolute = i > 0 && file->name[0] == '/';
    files[i].name =
        tn_arena_format(job->arena, "%s%s", is_absolute ? "" : TN_SOURCE_FOLDER, file->name);
    files[i].text = tn_bytes_from(file->text, file->size);
    if (!files[i].name) {
      return no_memory(diag);
    }
  }
  return TN_OK;
}

static tn_status run_clang(source_job *job, tn_diag *diag) {
  const char *const *args = NULL;
  tn_clang_file *files = NULL;
  TN_TRY(make_args(job, &args, diag));
  TN_TRY(make_files(job, &files, diag));
  job->end = (tn_source_end){
      .names = job->params->names, .name_count = job->params->name_count, .arena = job->arena};
  const tn_clang_run run = {
      .args = args,
      .files = files,
      .file_count = job->params->include_count + 1,
      .is_printed = true,
      .wants_module = true,
      .end = job->params->language == TN_LANGUAGE_SYCL ? tn_source_end_write : NULL,
      .user = &job->end,
  };
  tn_buf messages;
  tn_buf bitcode;  // stays empty
  tn_buf_init(&messages, LOG_MAXIMUM);
  tn_buf_init(&bitcode, BUFFER_MAXIMUM);
  const tn_carried_options carried = {job->options.auto_pch, job->options.pch_folder};
  const tn_status status =
      job->is_only_print
          ? tn_carried_print(&run, &carried, &messages, &job->clang, diag)
          : tn_carried_compile(&run, &carried, &bitcode, &messages, &job->clang, diag);
  tn_source_add_messages(tn_buf_str(&messages), &job->owner->log);
  tn_buf_deinit(&bitcode);
  tn_buf_deinit(&messages);
  return status;
}

static void dispose_module(LLVMModuleRef module) {
  LLVMContextRef context = LLVMGetModuleContext(module);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}

static tn_status join_images(const tn_link_result *result, source_job *job, tn_diag *diag) {
  const size_t count = result->images.count;
  tn_bytes *parts = tn_arena_alloc_array(job->arena, count, sizeof(*parts));
  if (!parts) {
    return no_memory(diag);
  }
  if (count == 0 && job->params->language == TN_LANGUAGE_C) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "%s: it has no kernels; mark a function with TN_KERNEL of tenon/device_code.h, "
                   "and not with inline",
                   job->params->source.name);
  }
  if (count == 0) {
    return TN_FAIL(diag, BUILD_FAILED,
                   "%s: it has neither kernels nor SYCL_EXTERNAL functions; mark a kernel with "
                   "SYCL_EXT_ONEAPI_FUNCTION_PROPERTY, or register the name of a template's",
                   job->params->source.name);
  }
  for (size_t i = 0; i < count; i++) {
    parts[i] = tn_buf_bytes(result->images.items[i]);
  }
  return tn_fatbin_join(parts, count, &job->owner->fatbin, diag);
}

// -w is for our warnings as well.
static bool is_silent(const tn_source_options *options) {
  bool is_found = false;
  for (size_t i = 0; i < options->clang.list.count; i++) {
    is_found = is_found || strcmp(options->clang.list.items[i], "-w") == 0;
  }
  return is_found;
}

static tn_status lower_and_link(source_job *job, LLVMModuleRef take_module, tn_diag *diag) {
  const tn_source_options *options = &job->options;
  tn_args tool_words = options->tool_words;
  const tn_unit_params unit = {
      .source = job->params->source.name,
      .unit_id = job->unit_id,
      .target = &job->target,
      .opt_level = options->opt_level,
      .sub_group_size = options->sub_group_size,
      .is_c = job->params->language == TN_LANGUAGE_C,
      .hides_kernel_functions = job->target.kind != TN_TARGET_CPU,
  };
  const tn_link_params link = {
      .target = &job->target,
      .output = job->params->source.name,
      .opt_level = options->opt_level,
      .debug = options->debug,
      .split = options->split,
      .threads = 1,
      .alone = options->alone || options->refuses_imports,
      .allow_imports = !options->refuses_imports,
      .tool_words = tn_args_argv(&tool_words),
      .cuda_path = options->cuda_path,
  };
  if (!link.tool_words) {
    dispose_module(take_module);
    return no_memory(diag);
  }
  tn_link_result result;
  tn_link_result_init(&result);
  tn_buf messages;
  tn_buf_init(&messages, LOG_MAXIMUM);
  tn_status status = tn_pipeline_compile(take_module, &unit, &link, &result, &messages, diag);
  if (status != TN_OK || !is_silent(options)) {
    tn_source_add_messages(tn_buf_str(&messages), &job->owner->log);
  }
  tn_buf_deinit(&messages);
  if (status == TN_OK) {
    status = join_images(&result, job, diag);
  }
  tn_link_result_deinit(&result);
  return status;
}

static bool has_kernel(const tn_fatbin *images, tn_str symbol) {
  tn_kernel_info info;
  for (uint32_t i = 0; i < images->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(images, i);
    if (tn_image_kernel_find(&image, symbol, &info)) {
      return true;
    }
  }
  return false;
}

// A kernel's name in the images: with the unit's id where types in it are the unit's own.
static tn_status find_symbol(const source_job *job, const tn_fatbin *images,
                             const tn_source_symbol *wanted, const char **out, tn_diag *diag) {
  const tn_str plain = tn_str_from(wanted->symbol);
  tn_buf local;
  tn_buf_init(&local, BUFFER_MAXIMUM);
  tn_kernel_local_name(&local, plain, job->unit_id);
  tn_status status = tn_buf_status(&local, diag);
  if (status == TN_OK && has_kernel(images, plain)) {
    *out = wanted->symbol;
  } else if (status == TN_OK && has_kernel(images, tn_buf_str(&local))) {
    *out = tn_arena_str(job->arena, tn_buf_str(&local));
    status = *out ? TN_OK : no_memory(diag);
  } else if (status == TN_OK) {
    status = TN_FAIL(diag, INTERNAL, "kernel \"%s\" is in no image of %s", wanted->name,
                     job->params->source.name);
  }
  tn_buf_deinit(&local);
  return status;
}

// Kernels of C have the names that they are called by. One that is in two images comes twice.
static tn_status fill_c_names(const source_job *job, const tn_fatbin *images, tn_source_result *out,
                              tn_diag *diag) {
  size_t count = 0;
  for (uint32_t i = 0; i < images->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(images, i);
    count += tn_image_kernel_count(&image);
  }
  tn_source_name *names = tn_arena_alloc_array(job->arena, count, sizeof(*names));
  bool is_whole = names != NULL;
  for (uint32_t i = 0; is_whole && i < images->image_count; i++) {
    const tn_image image = tn_fatbin_image_at(images, i);
    for (uint32_t k = 0; is_whole && k < tn_image_kernel_count(&image); k++) {
      const char *name = tn_arena_str(job->arena, tn_image_kernel_at(&image, k).name);
      names[out->name_count++] = (tn_source_name){name, name};
      is_whole = name != NULL;
    }
  }
  out->names = names;
  return is_whole ? TN_OK : no_memory(diag);
}

static tn_status fill_names(const source_job *job, tn_source_result *out, tn_diag *diag) {
  tn_fatbin images;
  tn_source_name *names = tn_arena_alloc_array(job->arena, job->symbols.count, sizeof(*names));
  if (!names) {
    return no_memory(diag);
  }
  TN_TRY(tn_fatbin_parse_tables(tn_buf_bytes(&job->owner->fatbin), &images, diag));
  if (job->params->language != TN_LANGUAGE_SYCL) {
    return fill_c_names(job, &images, out, diag);
  }
  for (size_t i = 0; i < job->symbols.count; i++) {
    const tn_source_symbol *symbol = job->symbols.items[i];
    names[i].name = tn_arena_str(job->arena, tn_str_from(symbol->name));
    if (!names[i].name) {
      return no_memory(diag);
    }
    TN_TRY(find_symbol(job, &images, symbol, &names[i].symbol, diag));
  }
  out->names = names;
  out->name_count = job->symbols.count;
  return TN_OK;
}

// A module of SPIR-V like those of other compilers: the driver sets its kernels' arguments one by
// one.
static tn_status emit_opencl(source_job *job, LLVMModuleRef take_module, tn_diag *diag) {
  tn_buf code;
  tn_buf messages;
  tn_buf_init(&code, BUFFER_MAXIMUM);
  tn_buf_init(&messages, LOG_MAXIMUM);
  tn_status status = tn_pipeline_compile_opencl(take_module, &job->target, job->options.opt_level,
                                                job->params->source.name, &code, &messages, diag);
  tn_source_add_messages(tn_buf_str(&messages), &job->owner->log);
  if (status == TN_OK) {
    status = tn_spirv_write_fatbin(tn_buf_bytes(&code), &job->owner->fatbin, diag);
    status = status == TN_BAD_IMAGE
                 ? TN_FAIL(diag, BUILD_FAILED,
                           "%s: it has no kernels, or one with an argument that is an image, a "
                           "sampler or an event",
                           job->params->source.name)
                 : status;
  }
  tn_buf_deinit(&code);
  tn_buf_deinit(&messages);
  return status;
}

static tn_status lower_module(source_job *job, tn_diag *diag) {
  LLVMModuleRef module = job->clang.module;
  job->clang.module = NULL;
  if (job->params->language == TN_LANGUAGE_OPENCL) {
    return emit_opencl(job, module, diag);
  }
  const tn_status status = tn_source_names_read(&job->end, module, &job->symbols, diag);
  if (status != TN_OK) {
    dispose_module(module);
    return status;
  }
  return lower_and_link(job, module, diag);
}

static tn_status run_job(source_job *job, tn_source_result *out, tn_diag *diag) {
  const tn_source_params *params = job->params;
  const tn_source_words words = {params->options, params->option_count, params->language};
  TN_TRY(read_target(job, diag));
  TN_TRY(tn_source_options_read(&words, job->arena, &job->target, &job->options, &job->owner->log,
                                diag));
  job->unit_id = unit_id_of(params);
  TN_TRY(run_clang(job, diag));
  if (!job->is_only_print) {
    TN_TRY(lower_module(job, diag));
    TN_TRY(fill_names(job, out, diag));
  }
  // Messages tell lines: what said something is not what said nothing.
  out->has_print =
      job->owner->log.size == 0 && tn_source_print_make(params, &job->clang, out->print) ? 1 : 0;
  TN_TRY(tn_source_inputs_read(&job->clang.inputs, &job->clang.misses, job->arena, out, diag));
  return tn_buf_status(&job->owner->fatbin, diag);
}

typedef struct guarded_job {
  source_job *job;
  tn_source_result *out;
  tn_status status;
  tn_diag *diag;
} guarded_job;

static void run_guarded(void *arg) {
  guarded_job *it = arg;
  it->status = run_job(it->job, it->out, it->diag);
}

static tn_status compile(const tn_source_params *params, bool is_only_print,
                         tn_source_owner *owner, tn_source_result *out, tn_diag *diag) {
  source_job job = {.params = params,
                    .owner = owner,
                    .arena = &owner->arena,
                    .is_only_print = is_only_print};
  tn_clang_result_init(&job.clang);
  tn_diag fatal = {0};
  guarded_job guarded = {.job = &job, .out = out, .diag = diag};
  tn_status status = tn_clang_guard(run_guarded, &guarded, &fatal);
  if (status == TN_OK) {
    status = guarded.status;
  } else {
    tn_buf_add_format(&owner->log, "%s: error: %s\n", params->source.name, fatal.text);
    if (diag) {
      *diag = fatal;
    }
  }
  tn_clang_result_deinit(&job.clang);
  if (status == TN_BUILD_FAILED) {
    tn_source_tell_error(tn_buf_str(&owner->log), diag);
  }
  return status;
}

// Clang in a shared library reads the environment itself: folders of headers, for one.
static tn_status check_environment(tn_diag *diag) {
#ifdef TN_LLVM_IS_SHARED
  if (tn_config_get()->is_secure) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "sources are not compiled in a program with other rights than its caller's when "
                   "LLVM is a shared library: build Tenon with TENON_LLVM_STATIC=ON");
  }
#endif
  (void)diag;
  return TN_OK;
}

static tn_status compile_or_print(const tn_source_params *params, bool is_only_print,
                                  tn_source_result *out, tn_diag *diag) {
  const uint32_t struct_size = out->struct_size;
  if (params->struct_size < sizeof(*params) || struct_size < sizeof(*out)) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "the build's parameters are of an older version");
  }
  *out = (tn_source_result){.struct_size = struct_size, .log = ""};
  TN_TRY(check_params(params, diag));
  TN_TRY(check_environment(diag));
  tn_source_owner *owner = tn_alloc(sizeof(*owner));
  if (!owner) {
    return no_memory(diag);
  }
  tn_arena_init(&owner->arena);
  tn_buf_init(&owner->log, LOG_MAXIMUM);
  tn_buf_init(&owner->fatbin, BUFFER_MAXIMUM);
  out->owner = owner;
  tn_status status = tn_compiler_enter(NULL);
  if (status != TN_OK) {
    status = TN_FAIL(diag, BUILD_FAILED,
                     "%s: the process is ending and the compiler with it: build sources before "
                     "main returns",
                     params->source.name);
  } else {
    status = compile(params, is_only_print, owner, out, diag);
    tn_compiler_leave();
  }
  out->log = tn_buf_text(&owner->log);
  if (status == TN_OK && !is_only_print) {
    out->fatbin = owner->fatbin.data;
    out->fatbin_size = owner->fatbin.size;
  }
  if (status != TN_OK) {
    out->name_count = 0;
    out->input_count = 0;
    out->has_print = 0;
  }
  return status;
}

tn_status tn_source_compile(const tn_source_params *params, tn_source_result *out, tn_diag *diag) {
  return compile_or_print(params, false, out, diag);
}

tn_status tn_source_identify(const tn_source_params *params, tn_source_result *out, tn_diag *diag) {
  return compile_or_print(params, true, out, diag);
}
