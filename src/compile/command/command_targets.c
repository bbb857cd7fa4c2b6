// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a command says about targets, in any order, settled once all of it is read.
#include "compile/command/command.h"

static tn_status add_target(tn_command *command, const tn_target *target, const char *option,
                            const char *list, tn_diag *diag) {
  for (size_t i = 0; i < command->target_count; i++) {
    if (strcmp(command->targets[i].word, target->word) == 0) {
      return TN_OK;
    }
  }
  if (command->target_count == TN_COMMAND_TARGETS) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s%s: more than %d targets", option, list,
                   TN_COMMAND_TARGETS);
  }
  command->targets[command->target_count++] = *target;
  return TN_OK;
}

typedef tn_status (*read_fn)(tn_arena *arena, const char *option, tn_str word, tn_target *out,
                             tn_diag *diag);

// "all": the devices that this version runs kernels on.
static tn_status add_all(tn_command *command, const char *option, const char *list, tn_diag *diag) {
  static const char *const words[] = {"spir64", "nvptx64-nvidia-cuda"};
  tn_target target = tn_target_default();
  TN_TRY(add_target(command, &target, option, list, diag));
  for (size_t i = 0; i < TN_COUNT(words); i++) {
    TN_TRY(tn_target_read(command->arena, option, tn_str_from(words[i]), &target, diag));
    TN_TRY(add_target(command, &target, option, list, diag));
  }
  return TN_OK;
}

static tn_status read_list(tn_command *command, const char *option, const char *list, read_fn read,
                           tn_diag *diag) {
  tn_str rest = tn_str_from(list);
  while (rest.data) {
    const tn_str word = tn_str_split(&rest, ',');
    if (word.size == 0) {
      continue;  // as in clang's lists, which build systems join from variables
    }
    if (tn_str_equals(word, TN_STR_LIT("all"))) {
      TN_TRY(add_all(command, option, list, diag));
      continue;
    }
    tn_target target;
    TN_TRY(read(command->arena, option, word, &target, diag));
    TN_TRY(add_target(command, &target, option, list, diag));
  }
  return TN_OK;
}

// SPIR-V is for all devices that take it, and Tenon's own CPU does not: LLVM has no reader of it.
// So code for the CPU comes along (docs/decisions/spirv-and-cpu.md).
static void add_cpu_beside_spirv(tn_command *command) {
  bool has_spirv = false;
  bool has_cpu = false;
  for (size_t i = 0; i < command->target_count; i++) {
    const tn_target *target = &command->targets[i];
    has_spirv = has_spirv || (target->kind == TN_TARGET_SPIRV && !target->is_aot);
    has_cpu = has_cpu || target->kind == TN_TARGET_CPU;
  }
  if (has_spirv && !has_cpu && command->target_count < TN_COMMAND_TARGETS) {
    tn_target *added = &command->targets[command->target_count++];
    *added = tn_target_default();
    added->is_implied = true;
  }
}

static tn_status settle_list(tn_command *command, tn_diag *diag) {
  if (command->link_target_list) {
    TN_TRY(read_list(command, "-fsycl-link-targets=", command->link_target_list, tn_target_read,
                     diag));
  } else if (command->target_list) {
    TN_TRY(read_list(command, "-fsycl-targets=", command->target_list, tn_target_read, diag));
    if (!command->device_only) {
      add_cpu_beside_spirv(command);
    }
  } else {
    for (size_t i = 0; i < command->arch_lists.list.count; i++) {
      TN_TRY(read_list(command, "--offload-arch=", tn_args_at(&command->arch_lists, i),
                       tn_target_read_arch, diag));
    }
  }
  if (command->target_count == 0) {
    command->targets[command->target_count++] = tn_target_default();
  }
  for (size_t i = 0; i < command->target_count; i++) {
    for (size_t s = 0; s < TN_STAGE_COUNT; s++) {
      tn_args_init(&command->words[i][s], command->arena);
    }
    // A fat binary by itself has no place for host objects.
    if (command->link_target_list && command->targets[i].kind == TN_TARGET_CPU) {
      command->targets[i].is_aot = false;
    }
  }
  return TN_OK;
}

// "nvptx64-nvidia-cuda" speaks of all its processors, "nvidia_gpu_sm_90" of one target.
static bool is_meant(const tn_target *target, const tn_target *named) {
  return strcmp(target->word, named->word) == 0 || strcmp(target->name, named->word) == 0;
}

// Build systems give options of Intel's GPUs to all targets: llama.cpp's does.
static bool is_of_intel(const tn_target *target, const tn_stage_words *given, const char *word) {
  return !given->target && given->stage == TN_STAGE_BACKEND && strncmp(word, "-ze-", 4) == 0 &&
         (target->kind == TN_TARGET_NVPTX || target->kind == TN_TARGET_AMDGPU);
}

static tn_status give_words(tn_command *command, const tn_stage_words *given, size_t index,
                            const tn_args *words, tn_diag *diag) {
  for (size_t i = 0; i < words->list.count; i++) {
    const char *word = tn_args_at(words, i);
    bool is_taken = false;
    if (is_of_intel(&command->targets[index], given, word)) {
      command->of_intel[index] = word;
      continue;
    }
    if (given->stage == TN_STAGE_BACKEND) {
      TN_TRY(tn_target_read_backend(given->option, tn_str_from(word), &command->targets[index],
                                    &is_taken, diag));
    }
    if (!is_taken) {
      tn_args_add(&command->words[index][given->stage], word);
    }
  }
  return TN_OK;
}

static tn_status settle_words(tn_command *command, tn_stage_words *given, tn_diag *diag) {
  tn_target named = {0};
  tn_args words;
  tn_args_init(&words, command->arena);
  if (given->target) {
    const char *option = tn_arena_format(command->arena, "%.*s",
                                         (int)(given->target - given->option), given->option);
    TN_TRY(tn_target_read(command->arena, option ? option : given->option,
                          tn_str_from(given->target), &named, diag));
  }
  const tn_status status = tn_frontend_split_words(given->words, &words, diag);
  if (status != TN_OK) {
    tn_diag_prepend(diag, "%s", given->option);
    return status;
  }
  given->is_unused = true;
  for (size_t i = 0; i < command->target_count; i++) {
    if (!given->target || is_meant(&command->targets[i], &named)) {
      given->is_unused = false;
      TN_TRY(give_words(command, given, i, &words, diag));
    }
  }
  return words.failed ? TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the arguments") : TN_OK;
}

// A GPU of NVIDIA that is named among the back end's words is a target as nvidia_gpu_sm_NN.
static void settle_backend_processors(tn_command *command, const tn_target *before) {
  for (size_t i = 0; i < command->target_count; i++) {
    tn_target *target = &command->targets[i];
    if (target->kind == TN_TARGET_NVPTX && target->processor != before[i].processor) {
      target->is_aot = true;
      target->tool = "ptxas";
    }
  }
}

// Machine code of kernels is for the processor that the host's is for, unless another is named.
static void settle_processors(tn_command *command) {
  for (size_t i = 0; i < command->target_count; i++) {
    tn_target *target = &command->targets[i];
    if (target->kind == TN_TARGET_CPU && target->is_aot && !target->processor) {
      target->processor = command->processor;
    }
  }
}

// Machine code of the CPU is made of it when it is made of the program's own.
static bool is_aot(const tn_command *command, const tn_target *target) {
  if (target->kind != TN_TARGET_CPU) {
    return target->is_aot;
  }
  for (size_t i = 0; i < command->target_count; i++) {
    if (command->targets[i].kind == TN_TARGET_CPU) {
      return command->targets[i].is_aot;
    }
  }
  return false;
}

static tn_status settle_added(tn_command *command, const char *list, tn_diag *diag) {
  tn_str rest = tn_str_from(list);
  while (rest.data) {
    const tn_str item = tn_str_split(&rest, ',');
    const size_t colon = tn_str_find_char(item, ':');
    if (colon == SIZE_MAX || colon == 0 || colon + 1 == item.size) {
      return TN_FAIL(diag, INVALID_ARGUMENT,
                     "-fsycl-add-targets=%.*s: name the target and the file, as in "
                     "native_cpu:image.bc",
                     TN_STR_ARG(item));
    }
    tn_added_image *added = tn_arena_alloc(command->arena, sizeof(*added));
    const char *path = tn_arena_str(command->arena, tn_str_slice(item, colon + 1, SIZE_MAX));
    if (!added || !path || !tn_list_add(&command->added, command->arena, added)) {
      return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the arguments");
    }
    added->path = path;
    TN_TRY(tn_target_read(command->arena, "-fsycl-add-targets=", tn_str_slice(item, 0, colon),
                          &added->target, diag));
    added->target.is_aot = is_aot(command, &added->target);
  }
  return TN_OK;
}

tn_status tn_command_settle_targets(tn_command *command, tn_diag *diag) {
  command->link_kind = command->link_target_list  ? TN_LINK_DEVICE_IMAGES
                       : command->has_device_link ? TN_LINK_DEVICE_OBJECT
                                                  : TN_LINK_PROGRAM;
  // Without RDC a source is all there is to link.
  if (command->no_rdc && (!command->has_split || command->split == TN_SPLIT_OFF)) {
    command->split = TN_SPLIT_PER_SOURCE;
  }
  TN_TRY(settle_list(command, diag));
  tn_target before[TN_COMMAND_TARGETS];
  memcpy(before, command->targets, sizeof(before));
  for (size_t i = 0; i < command->stage_words.count; i++) {
    TN_TRY(settle_words(command, command->stage_words.items[i], diag));
  }
  settle_backend_processors(command, before);
  settle_processors(command);
  for (size_t i = 0; i < command->added_lists.list.count; i++) {
    TN_TRY(settle_added(command, tn_args_at(&command->added_lists, i), diag));
  }
  return TN_OK;
}

bool tn_command_stage_is_used(const tn_target *target, tn_target_stage stage) {
  const bool has_tool = target->is_aot && target->tool;
  switch (stage) {
    case TN_STAGE_FRONTEND:
      return true;
    case TN_STAGE_BACKEND:
      return has_tool;
    default:
      return has_tool && strcmp(target->tool, "ld.lld") == 0;
  }
}
