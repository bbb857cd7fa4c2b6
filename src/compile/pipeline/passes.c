// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of passes, and the loop that runs what is asked for over a growing list of modules.
#include "compile/pipeline/passes.h"

#include "compile/check/check.h"
#include "compile/emit/emit.h"
#include "compile/gpu/gpu.h"
#include "compile/lower/lower.h"
#include "compile/pipeline/kernel_remarks.h"
#include "compile/pipeline/simplify.h"
#include "compile/pipeline/split_pieces.h"

enum { PASSES_BUFFER_MAXIMUM = 0x7fffffff };

typedef struct pass_job {
  tn_llvm_job llvm;
  tn_arena arena;
  tn_list modules;  // LLVMModuleRef
  const char *name;
  tn_buf *messages;
} pass_job;

typedef tn_status (*pass_fn)(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag);

static tn_status no_memory(tn_diag *diag) {
  return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the passes");
}

static tn_status read_number(const char *pass, tn_str value, uint64_t otherwise, uint64_t *out,
                             tn_diag *diag) {
  *out = otherwise;
  return value.size == 0 || tn_str_to_u64(value, out)
             ? TN_OK
             : TN_FAIL(diag, INVALID_ARGUMENT, "%s=%.*s: a number is needed", pass,
                       TN_STR_ARG(value));
}

static tn_status run_prepare(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  const char *id = value.size > 0 ? tn_arena_str(&job->arena, value) : "unit";
  TN_TRY(tn_lower_c_kernels(module, &job->arena, diag));
  TN_TRY(tn_gpu_kernels_unify(module, diag));
  return id ? tn_lower_prepare_unit(module, id, &job->arena, diag) : no_memory(diag);
}

static tn_status run_check(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  (void)value;
  return tn_check_unit(module, job->name, &job->arena, job->messages, diag);
}

static tn_status run_check_linked(pass_job *job, LLVMModuleRef module, tn_str value,
                                  tn_diag *diag) {
  (void)value;
  return tn_check_linked(module, job->name, &job->arena, job->messages, diag);
}

static tn_status run_note_aspects(pass_job *job, LLVMModuleRef module, tn_str value,
                                  tn_diag *diag) {
  (void)value;
  return tn_lower_note_aspects(module, &job->arena, diag);
}

static tn_status run_name_unit(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  (void)job;
  uint64_t id = 0;
  TN_TRY(read_number("name-unit", value, 1, &id, diag));
  return tn_lower_name_unit(module, id, diag);
}

static bool is_in_list(const void *user, tn_str symbol) {
  tn_str rest = *(const tn_str *)user;
  while (rest.data) {
    if (tn_str_equals(tn_str_split(&rest, '+'), symbol)) {
      return true;
    }
  }
  return false;
}

static tn_status run_internalize(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  (void)job;
  (void)diag;
  tn_lower_internalize(module, value.size > 0 ? is_in_list : NULL, &value);
  return TN_OK;
}

static tn_status run_simplify(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  uint64_t level = 0;
  TN_TRY(read_number("simplify", value, 2, &level, diag));
  return tn_simplify(&job->llvm, module, level > 3 ? 3 : (uint32_t)level, diag);
}

static tn_status run_keep_places(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  (void)job;
  (void)value;
  (void)diag;
  tn_lower_keep_places(module);
  return TN_OK;
}

static tn_status run_strip_debug(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  (void)job;
  (void)value;
  (void)diag;
  tn_module_strip_debug(module);
  return TN_OK;
}

static void print_symbols(tn_buf *out, const char *what, const tn_symbol_info *symbols,
                          size_t count) {
  for (size_t i = 0; i < count; i++) {
    tn_buf_add_format(out, "%s %.*s%s\n", what, TN_STR_ARG(symbols[i].name),
                      (symbols[i].flags & TN_SYMBOL_WEAK) != 0 ? " weak" : "");
  }
}

static tn_status run_list(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  (void)value;
  tn_lower_symbols symbols = {0};
  TN_TRY(tn_lower_list_symbols(module, &job->arena, &symbols, diag));
  for (size_t i = 0; i < symbols.kernel_count; i++) {
    const tn_kernel_info *kernel = &symbols.kernels[i];
    tn_buf_add_format(job->messages, "kernel %.*s args=%u align=%u\n", TN_STR_ARG(kernel->name),
                      kernel->arg_size, kernel->arg_align);
  }
  print_symbols(job->messages, "export", symbols.exports, symbols.export_count);
  print_symbols(job->messages, "import", symbols.imports, symbols.import_count);
  return tn_buf_status(job->messages, diag);
}

static tn_status add_piece(void *user, LLVMModuleRef piece, tn_diag *diag) {
  pass_job *job = user;
  LLVMModuleRef copy = LLVMCloneModule(piece);
  if (!tn_list_add(&job->modules, &job->arena, copy)) {
    LLVMDisposeModule(copy);
    return no_memory(diag);
  }
  return TN_OK;
}

// The module is replaced by its pieces: the caller takes it off the list.
static tn_status run_split(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  static const char *const modes[] = {[TN_SPLIT_AUTO] = "auto",
                                      [TN_SPLIT_PER_SOURCE] = "per_source",
                                      [TN_SPLIT_PER_KERNEL] = "per_kernel",
                                      [TN_SPLIT_OFF] = "off",
                                      [TN_SPLIT_BY_NEEDS] = "by_needs"};
  for (size_t i = 0; i < TN_COUNT(modes); i++) {
    if (tn_str_equals(value, tn_str_from(modes[i]))) {
      return tn_split_pieces(&job->llvm, module, (tn_split_mode)i, &job->arena, add_piece, job,
                             diag);
    }
  }
  LLVMDisposeModule(module);
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "split=%.*s: it is auto, per_source, per_kernel, off or by_needs",
                 TN_STR_ARG(value));
}

// "<symbol>:<hex digits of its bytes>"
static bool read_spec(tn_arena *arena, tn_str text, tn_lower_spec *out) {
  const size_t colon = tn_str_find_char(text, ':');
  const tn_str digits = tn_str_slice(text, colon == SIZE_MAX ? text.size : colon + 1, SIZE_MAX);
  uint8_t *bytes = tn_arena_alloc(arena, digits.size);
  if (colon == SIZE_MAX || digits.size % 2 != 0 || !bytes) {
    return false;
  }
  for (size_t i = 0; i < digits.size; i++) {
    const char digit[] = {'0', 'x', digits.data[i], '\0'};
    uint64_t number = 0;
    if (!tn_str_to_u64(tn_str_from(digit), &number)) {
      return false;
    }
    bytes[i / 2] = (uint8_t)((uint64_t)bytes[i / 2] << 4 | number);
  }
  *out = (tn_lower_spec){tn_str_slice(text, 0, colon), tn_bytes_from(bytes, digits.size / 2)};
  return true;
}

static tn_status run_specialize(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  tn_lower_spec *values = tn_arena_alloc_array(&job->arena, value.size + 1, sizeof(*values));
  if (!values) {
    return no_memory(diag);
  }
  size_t count = 0;
  for (tn_str rest = value; rest.size > 0; count++) {
    const tn_str text = tn_str_split(&rest, '+');
    if (!read_spec(&job->arena, text, &values[count])) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "specialize=%.*s: it is a symbol, a colon and the hexadecimal digits of its "
                     "bytes; more of them behind a +",
                     TN_STR_ARG(text));
    }
  }
  bool any = false;
  return tn_lower_specialize(module, values, count, &any, diag);
}

static tn_status run_specs_from_buffer(pass_job *job, LLVMModuleRef module, tn_str value,
                                       tn_diag *diag) {
  (void)value;
  tn_lower_specs specs = {0};
  TN_TRY(tn_lower_list_specs(module, &job->arena, &specs, diag));
  for (size_t i = 0; i < specs.count; i++) {
    tn_buf_add_format(job->messages, "spec %.*s size=%u offset=%u\n",
                      TN_STR_ARG(specs.items[i].name), specs.items[i].size, specs.items[i].offset);
  }
  return tn_lower_specs_from_buffer(module, &specs, diag);
}

static tn_status run_globals_from_buffer(pass_job *job, LLVMModuleRef module, tn_str value,
                                         tn_diag *diag) {
  (void)value;
  tn_lower_globals globals = {0};
  TN_TRY(tn_lower_list_globals(module, &job->arena, &globals, diag));
  tn_str *names = tn_arena_alloc_array(&job->arena, globals.count + 1, sizeof(*names));
  if (!names) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to list device globals");
  }
  for (size_t i = 0; i < globals.count; i++) {
    const tn_global_info *info = &globals.items[i];
    tn_buf_add_format(job->messages, "global %.*s '%.*s' size=%u align=%u value=%zu%s%s\n",
                      TN_STR_ARG(info->name), TN_STR_ARG(info->display_name), info->size,
                      info->alignment, info->value.size, info->is_declared ? " declared" : "",
                      info->is_image_scope ? " device_image_scope" : "");
    names[i] = info->name;
  }
  return tn_lower_globals_from_buffer(module, names, globals.count, 0, diag);
}

static tn_status read_vector_bytes(const char *pass, tn_str value, uint32_t *out, tn_diag *diag) {
  uint64_t bytes = 0;
  TN_TRY(read_number(pass, value, 32, &bytes, diag));
  if (bytes != 16 && bytes != 32 && bytes != 64) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s=%.*s: vectors are of 16, 32 or 64 bytes", pass,
                   TN_STR_ARG(value));
  }
  *out = (uint32_t)bytes;
  return TN_OK;
}

static tn_status lower_cpu(pass_job *job, LLVMModuleRef module, tn_str value, bool check,
                           tn_remarks *remarks, tn_diag *diag) {
  tn_cpu_target target = {.check = check, .remarks = remarks};
  TN_TRY(read_vector_bytes("cpu", value, &target.vector_bytes, diag));
  return tn_lower_cpu(&job->llvm, module, &target, 2, diag);
}

static tn_status run_cpu(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  return lower_cpu(job, module, value, false, NULL, diag);
}

static tn_status run_cpu_checked(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  return lower_cpu(job, module, value, true, NULL, diag);
}

static tn_status run_cpu_remarks(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  tn_remarks remarks;
  tn_remarks_init(&remarks, &job->arena, TN_REMARK_ALL);
  const tn_status status = lower_cpu(job, module, value, false, &remarks, diag);
  tn_kernel_remarks_write(&remarks, job->messages);
  return status;
}

static tn_status run_cpu_permutes(pass_job *job, LLVMModuleRef module, tn_str value,
                                  tn_diag *diag) {
  (void)job;
  (void)value;
  (void)diag;
  tn_lower_permutes(module);
  return TN_OK;
}

static tn_status run_cpu_masks(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  (void)job;
  uint32_t vector_bytes = 0;
  TN_TRY(read_vector_bytes("cpu-masks", value, &vector_bytes, diag));
  return tn_lower_masks(module, vector_bytes, diag);
}

static tn_status lower_gpu(pass_job *job, LLVMModuleRef module, const char *pass, tn_str value,
                           const char *otherwise, tn_target_kind kind, tn_diag *diag) {
  tn_target target;
  const tn_str word = value.size > 0 ? value : tn_str_from(otherwise);
  TN_TRY(tn_target_read_arch(&job->arena, pass, word, &target, diag));
  if (target.kind != kind) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s=%.*s: that is another kind of target", pass,
                   TN_STR_ARG(word));
  }
  return tn_gpu_lower(&job->llvm, module, &target, diag);
}

static tn_status run_nvptx(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  return lower_gpu(job, module, "nvptx", value, "nvptx64-nvidia-cuda", TN_TARGET_NVPTX, diag);
}

static tn_status run_spirv(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  return lower_gpu(job, module, "spirv", value, "spirv64", TN_TARGET_SPIRV, diag);
}

static tn_status run_spirv_integers(pass_job *job, LLVMModuleRef module, tn_str value,
                                    tn_diag *diag) {
  (void)job;
  (void)value;
  return tn_emit_spirv_integers(module, diag);
}

static tn_status run_spirv_casts(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  (void)job;
  (void)value;
  (void)diag;
  tn_emit_spirv_casts(module);
  return TN_OK;
}

static tn_status run_spirv_atomics(pass_job *job, LLVMModuleRef module, tn_str value,
                                   tn_diag *diag) {
  (void)job;
  (void)value;
  (void)diag;
  tn_emit_spirv_atomics(module);
  return TN_OK;
}

static tn_status run_spirv_pointers(pass_job *job, LLVMModuleRef module, tn_str value,
                                    tn_diag *diag) {
  (void)job;
  (void)value;
  (void)diag;
  tn_emit_spirv_pointers(module);
  tn_emit_spirv_members(module);
  return TN_OK;
}

static tn_status run_amdgpu(pass_job *job, LLVMModuleRef module, tn_str value, tn_diag *diag) {
  return lower_gpu(job, module, "amdgpu", value, "gfx90a", TN_TARGET_AMDGPU, diag);
}

typedef struct known_pass {
  tn_pass_info info;
  pass_fn run;
} known_pass;

static const known_pass passes[] = {
    {{"prepare", "ID", "what clang leaves becomes what the other passes read",
      "clang's device pass, untouched", "all code that device code reaches",
      "annotations, constructors and processors' attributes are gone"},
     run_prepare},
    {{"check", "", "reports what device code may not do, in a unit", "prepare", "all", "nothing"},
     run_check},
    {{"check-linked", "", "reports recursion through several units", "check on each unit", "all",
      "nothing"},
     run_check_linked},
    {{"note-aspects", "", "writes what each kernel asks of a device into an attribute",
      "prepare; before internalize and simplify", "all", "nothing"},
     run_note_aspects},
    {{"name-unit", "N", "final names and linkage, for the unit with the id N", "prepare",
      "the code", "names of kernels without linkage get the id"},
     run_name_unit},
    {{"internalize", "SYMBOL+SYMBOL", "only these stay visible (all kernels and SYCL_EXTERNAL)",
      "name-unit, or linked units", "the code", "all else may be removed or merged"},
     run_internalize},
    {{"simplify", "LEVEL", "what holds for every processor (level 0: inlining alone)",
      "internalize, for more than a little effect", "kernels, exports, imports, line tables",
      "nothing"},
     run_simplify},
    {{"list", "", "prints kernels, exports and imports", "name-unit", "all", "nothing"}, run_list},
    {{"split", "MODE", "a module for each image: auto, per_source, per_kernel, off, by_needs",
      "internalize", "what each entry needs", "copies of another piece's exports are internal"},
     run_split},
    {{"keep-places", "", "checks and barriers keep their lines without a line table", "line tables",
      "all", "nothing"},
     run_keep_places},
    {{"strip-debug", "", "removes line tables and all else of the debugger", "nothing",
      "what keep-places wrote", "no pass behind it finds a place"},
     run_strip_debug},
    {{"specialize", "SYMBOL:HEX+…", "specialization constants become these values or their default",
      "name-unit; before simplify, so that all follows from it", "all else",
      "the variables are gone"},
     run_specialize},
    {{"specs-from-buffer", "", "they are read from the buffer of a launch", "one image's code",
      "all else", "the variables are gone"},
     run_specs_from_buffer},
    {{"globals-from-buffer", "", "addresses of device globals are read from the same buffer",
      "one image's code", "all else", "the variables are gone"},
     run_globals_from_buffer},
    {{"cpu", "16|32|64", "kernels become work-group functions, vectors of so many bytes",
      "all code in one module, internalized", "the work-group functions' names",
      "kernels are gone, and debug information when optimizing"},
     run_cpu},
    {{"cpu-checked", "16|32|64", "the same with checks of indices and barriers", "as cpu", "as cpu",
      "as cpu"},
     run_cpu_checked},
    {{"cpu-remarks", "16|32|64", "cpu, and prints how kernels were vectorized", "as cpu", "as cpu",
      "as cpu"},
     run_cpu_remarks},
    {{"cpu-permutes", "", "exchanges of values between lanes become instructions",
      "cpu, and all that optimizes", "what is computed", "nothing"},
     run_cpu_permutes},
    {{"cpu-masks", "16|32|64", "masks that one block leaves to another become numbers",
      "cpu, and all that optimizes", "what is computed", "nothing"},
     run_cpu_masks},
    {{"nvptx", "sm_NN", "for NVIDIA GPUs", "all code in one module, internalized",
      "kernels' and exports' names", "nothing else with kernels may be linked in"},
     run_nvptx},
    {{"spirv", "TARGET", "for devices that take SPIR-V", "as nvptx", "as nvptx", "as nvptx"},
     run_spirv},
    {{"spirv-integers", "", "integers that SPIR-V does not have are computed with those it has",
      "spirv, and all that optimizes", "what is computed", "nothing"},
     run_spirv_integers},
    {{"spirv-casts", "", "truncations that are extended again become masks", "spirv-integers",
      "values", "nothing"},
     run_spirv_casts},
    {{"spirv-atomics", "", "atomic loads and stores become SPIR-V's", "spirv", "orders, scopes",
      "nothing"},
     run_spirv_atomics},
    {{"spirv-pointers", "",
      "pointers in kernels' blocks are to global memory, members found by offset",
      "spirv; inlining, for more than a little effect", "values", "nothing"},
     run_spirv_pointers},
    {{"amdgpu", "gfxNNN", "for AMD GPUs", "as nvptx", "as nvptx", "as nvptx"}, run_amdgpu},
};

size_t tn_pass_count(void) { return TN_COUNT(passes); }

tn_pass_info tn_pass_at(size_t index) { return passes[index].info; }

static tn_status find_pass(tn_str name, const known_pass **out, tn_diag *diag) {
  const char *nearest = NULL;
  size_t nearest_distance = 3;
  for (size_t i = 0; i < TN_COUNT(passes); i++) {
    const tn_str known = tn_str_from(passes[i].info.name);
    const size_t distance = tn_str_distance(name, known, nearest_distance);
    if (distance == 0) {
      *out = &passes[i];
      return TN_OK;
    }
    if (distance < nearest_distance) {
      nearest = passes[i].info.name;
      nearest_distance = distance;
    }
  }
  return TN_FAIL(diag, INVALID_ARGUMENT, "there is no pass '%.*s'%s%s%s; --list prints them all",
                 TN_STR_ARG(name), nearest ? "; did you mean '" : "", nearest ? nearest : "",
                 nearest ? "'?" : "");
}

static tn_status run_one(pass_job *job, const known_pass *pass, tn_str value, tn_diag *diag) {
  tn_list before = job->modules;
  const bool replaces = pass->run == run_split;
  tn_status status = TN_OK;
  if (replaces) {
    job->modules = (tn_list){0};
  }
  for (size_t i = 0; i < before.count; i++) {
    LLVMModuleRef module = before.items[i];
    if (status == TN_OK) {
      status = pass->run(job, module, value, diag);
    } else if (replaces) {
      LLVMDisposeModule(module);
    }
  }
  for (size_t i = 0; i < job->modules.count && status == TN_OK; i++) {
    status = tn_module_verify(job->modules.items[i], pass->info.name, diag);
  }
  return status;
}

static tn_status run_list_of_passes(pass_job *job, tn_str list, tn_diag *diag) {
  while (list.data) {
    tn_str value = tn_str_trim(tn_str_split(&list, ','));
    const tn_str name = tn_str_split(&value, '=');
    const known_pass *pass = NULL;
    if (name.size == 0) {
      continue;
    }
    TN_TRY(find_pass(name, &pass, diag));
    if (value.data && pass->info.value[0] == '\0') {
      return TN_FAIL(diag, INVALID_ARGUMENT, "the pass '%s' takes no value", pass->info.name);
    }
    const tn_status status = run_one(job, pass, value, diag);
    if (status != TN_OK) {
      tn_diag_prepend(diag, "%s", pass->info.name);
      return status;
    }
  }
  return TN_OK;
}

static tn_status write_result(const pass_job *job, bool as_text, tn_buf *out, tn_diag *diag) {
  if (!as_text && job->modules.count != 1) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%zu modules are left, which only text can hold: add -S",
                   job->modules.count);
  }
  for (size_t i = 0; i < job->modules.count; i++) {
    LLVMModuleRef module = job->modules.items[i];
    if (!as_text) {
      return tn_module_write(module, out, diag);
    }
    if (job->modules.count > 1) {
      tn_buf_add_format(out, "; piece %zu\n", i);
    }
    char *text = LLVMPrintModuleToString(module);
    tn_buf_add_text(out, text);
    LLVMDisposeMessage(text);
  }
  return tn_buf_status(out, diag);
}

tn_status tn_passes_run(const tn_passes_params *params, tn_buf *out, tn_buf *messages,
                        tn_diag *diag) {
  pass_job job = {.name = params->name, .messages = messages};
  LLVMModuleRef module = NULL;
  tn_arena_init(&job.arena);
  tn_status status = tn_llvm_job_init(&job.llvm, diag);
  if (status == TN_OK) {
    status = tn_module_parse(&job.llvm, params->module, params->name, &module, diag);
  }
  if (status == TN_OK && !tn_list_add(&job.modules, &job.arena, module)) {
    LLVMDisposeModule(module);
    status = no_memory(diag);
  }
  if (status == TN_OK) {
    status = run_list_of_passes(&job, params->passes, diag);
  }
  if (status == TN_OK) {
    status = write_result(&job, params->as_text, out, diag);
  }
  for (size_t i = 0; i < job.modules.count; i++) {
    LLVMDisposeModule(job.modules.items[i]);
  }
  tn_llvm_job_deinit(&job.llvm);
  tn_arena_deinit(&job.arena);
  return status;
}
