// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels of a module were built into, by their symbols.
#include "run/program/module_programs.h"

#include "base/alloc.h"
#include "base/config.h"
#include "run/cache/cache.h"

// A program that has a kernel; the next one is another device's, or for other work-groups.
typedef struct noted {
  tn_program *program;  // retained
  struct noted *next;
} noted;

typedef struct module_programs {
  tn_arena arena;
  tn_map kernels;  // symbol → noted
} module_programs;

static tn_mutex noted_mu = TN_MUTEX_INIT(TN_RANK_PROGRAM_CACHE);

// `*out_other`: one for other work-groups.
static tn_program *find(tn_registered *registered, const tn_device *device, tn_str name,
                        uint32_t group_shape, tn_program **out_other) TN_REQUIRES(&noted_mu) {
  const module_programs *of = *tn_registered_programs(registered);
  const noted *item = of && name.size > 0 ? tn_map_find(&of->kernels, name) : NULL;
  for (; item; item = item->next) {
    if (item->program->device != device) {
      continue;
    }
    if (item->program->group_shape == 0 || item->program->group_shape == group_shape) {
      return item->program;
    }
    *out_other = item->program;
  }
  return NULL;
}

tn_program *tn_module_programs_find(tn_registered *registered, const tn_device *device,
                                    const tn_str names[2], uint32_t group_shape, bool is_any,
                                    tn_str *out_name) {
  tn_program *found = NULL;
  tn_mutex_lock(&noted_mu);
  for (size_t n = 0; n < 2 && !found; n++) {
    tn_program *other = NULL;
    found = find(registered, device, names[n], group_shape, &other);
    found = found || !is_any ? found : other;
    *out_name = names[n];
  }
  if (found) {
    tn_program_retain(found);
  }
  tn_mutex_unlock(&noted_mu);
  if (found) {
    tn_cache_count(TN_CACHE_MEMORY_HITS);
  }
  return found;
}

static module_programs *open_module(tn_registered *registered) TN_REQUIRES(&noted_mu) {
  void **place = tn_registered_programs(registered);
  if (!*place) {
    module_programs *of = tn_alloc(sizeof(*of));
    if (of) {
      tn_arena_init(&of->arena);
      tn_map_init(&of->kernels);
    }
    *place = of;
  }
  return *place;
}

static void note(tn_registered *registered, tn_str name, tn_program *program)
    TN_REQUIRES(&noted_mu) {
  module_programs *of = open_module(registered);
  tn_program *other = NULL;
  noted *item = of && !find(registered, program->device, name, program->group_shape, &other)
                    ? tn_arena_alloc(&of->arena, sizeof(*item))
                    : NULL;
  if (item) {
    *item = (noted){.program = program, .next = tn_map_find(&of->kernels, name)};
    if (tn_map_set(&of->kernels, name, item)) {
      tn_program_retain(program);
    }
  }
}

void tn_module_programs_note(const tn_link_set *set, tn_program *program) {
  const size_t count = set->has_conflict ? 1 : set->members.count;
  if (!tn_config_get()->cache_in_memory) {
    return;
  }
  tn_mutex_lock(&noted_mu);
  for (size_t m = 0; m < count; m++) {
    const tn_link_member *member = tn_link_set_at(set, m);
    for (uint32_t k = 0; k < tn_image_kernel_count(&member->image); k++) {
      const tn_str name = tn_image_kernel_at(&member->image, k).name;
      const tn_kernel_record *record = tn_program_find_record(program, name);
      if (record && record->member == m) {
        note(member->owner->registered, name, program);
      }
    }
  }
  tn_mutex_unlock(&noted_mu);
}

void tn_module_programs_forget(tn_registered *gone) {
  tn_mutex_lock(&noted_mu);
  module_programs *of = *tn_registered_programs(gone);
  *tn_registered_programs(gone) = NULL;
  tn_mutex_unlock(&noted_mu);
  if (!of) {
    return;
  }
  size_t cursor = 0;
  const tn_map_entry *entry = tn_map_next(&of->kernels, &cursor);
  for (; entry; entry = tn_map_next(&of->kernels, &cursor)) {
    for (const noted *item = entry->value; item; item = item->next) {
      tn_program_release(item->program);
    }
  }
  tn_map_deinit(&of->kernels);
  tn_arena_deinit(&of->arena);
  tn_free(of);
}
