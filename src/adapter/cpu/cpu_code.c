// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts an object with machine code into memory, and finds its kernels there.
//
// One mapping a program: code and stubs, then the table of addresses and constants, then data, each
// part on pages of its own. Everything is written while the pages can be written and nothing can be
// run; then the parts get what they need, and no page can be both.
#include "adapter/cpu/cpu_object.h"
#include "base/alloc.h"
#include "base/log.h"
#include "base/map.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Relocations reach 2 GiB, and who asks for half of that is damaged.
enum { MEMORY_MAXIMUM = 1 << 30, SLOTS_MAXIMUM = 1 << 30, WIDTH_MAXIMUM = 1 << 16 };

typedef struct layout {
  uint64_t part_at[TN_CPU_PART_COUNT + 1];  // and where the last one ends
  uint64_t filled;                          // bytes before those that are all zeros
  uint64_t alignment;                       // the largest
  uint64_t table_at;
  uint64_t stubs_at;
} layout;

// Takes `size` bytes; false when that is more than machine code may have.
static bool take(uint64_t *at, uint64_t size, uint64_t alignment, uint64_t *out) {
  *out = tn_size_align(*at, alignment);
  if (size > MEMORY_MAXIMUM || *out > MEMORY_MAXIMUM) {
    return false;
  }
  *at = *out + size;
  return true;
}

static bool place_sections(tn_cpu_object *object, int32_t part, bool has_data, uint64_t *at,
                           layout *out) {
  for (size_t i = 0; i < object->section_count; i++) {
    tn_cpu_section *section = &object->sections[i];
    if (section->part != part || (section->data != NULL) != has_data) {
      continue;
    }
    if (!take(at, section->size, section->alignment, &section->at)) {
      return false;
    }
    out->alignment = section->alignment > out->alignment ? section->alignment : out->alignment;
  }
  return true;
}

static bool place(tn_cpu_object *object, uint64_t page, layout *out) {
  *out = (layout){.alignment = page};
  const uint64_t table_size = object->symbol_count * TN_CPU_SLOT_SIZE;
  const uint64_t stubs_size = (object->symbol_count - object->local_count) * TN_CPU_STUB_SIZE;
  uint64_t at = 0;
  for (int32_t part = 0; part < TN_CPU_PART_COUNT; part++) {
    at = tn_size_align(at, page);
    out->part_at[part] = at;
    if ((part == TN_CPU_CODE && !take(&at, stubs_size, 16, &out->stubs_at)) ||
        (part == TN_CPU_CONSTANTS && !take(&at, table_size, 16, &out->table_at)) ||
        !place_sections(object, part, true, &at, out)) {
      return false;
    }
  }
  out->filled = at;
  const bool fits = place_sections(object, TN_CPU_DATA, false, &at, out);  // the only ones of zeros
  out->part_at[TN_CPU_PART_COUNT] = tn_size_align(at, page);
  return fits && at <= MEMORY_MAXIMUM;
}

static tn_status map_memory(tn_cpu_code *code, const layout *l, uint64_t page, uint8_t **out,
                            tn_diag *diag) {
  // Mappings begin at pages only.
  const size_t size = l->part_at[TN_CPU_PART_COUNT] + (l->alignment - page);
  void *memory = tn_fault_hit()
                     ? MAP_FAILED
                     : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of device code", size);
  }
  code->memory = memory;
  code->memory_size = size;
  *out = code->memory + (tn_size_align((uintptr_t)memory, l->alignment) - (uintptr_t)memory);
#ifdef MADV_POPULATE_WRITE
  // One call in place of a fault a page; systems that do not know it fault.
  const size_t filled = tn_size_align(l->filled, page);
  (void)(filled > 0 ? madvise(*out, filled, MADV_POPULATE_WRITE) : 0);
#endif
  return TN_OK;
}

static void copy_sections(const tn_cpu_object *object, uint8_t *memory) {
  for (size_t i = 0; i < object->section_count; i++) {
    const tn_cpu_section *section = &object->sections[i];
    if (section->part != TN_CPU_NOT_PLACED && section->data != NULL && section->size > 0) {
      memcpy(memory + section->at, section->data, section->size);
    }
  }
}

static tn_status protect(uint8_t *memory, const layout *l, tn_diag *diag) {
  static const int rights[] = {[TN_CPU_CODE] = PROT_READ | PROT_EXEC,
                               [TN_CPU_CONSTANTS] = PROT_READ};
  for (size_t part = 0; part < TN_COUNT(rights); part++) {
    const size_t size = l->part_at[part + 1] - l->part_at[part];
    if (size > 0 &&
        (tn_fault_hit() || mprotect(memory + l->part_at[part], size, rights[part]) != 0)) {
      return TN_FAIL(diag, BUILD_FAILED,
                     "the system does not let this process run code that it made; a security "
                     "policy (SELinux's execmem) may have to allow it");
    }
  }
  return TN_OK;
}

typedef struct symbol_use {
  tn_str name;  // without the suffix
  const tn_cpu_section *section;
  uint64_t value;
} symbol_use;

// Whether a symbol is that of a kernel, or says what a kernel needs.
static bool has_suffix(const tn_cpu_object *object, const Elf64_Sym *symbol, tn_str suffix,
                       symbol_use *out) {
  out->section = tn_cpu_object_section_of(object, symbol);
  if (out->section == NULL || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL ||
      tn_cpu_object_name(object, symbol, &out->name, NULL) != TN_OK ||
      !tn_str_has_suffix(out->name, suffix)) {
    return false;
  }
  out->name.size -= suffix.size;
  out->value = symbol->st_value;
  return true;
}

static const tn_str kernel_suffix = {TN_CPU_KERNEL_SUFFIX, sizeof(TN_CPU_KERNEL_SUFFIX) - 1};
static const tn_str needs_suffix = {TN_CPU_NEEDS_SUFFIX, sizeof(TN_CPU_NEEDS_SUFFIX) - 1};

static tn_status reserve_kernels(tn_cpu_code *code, const tn_cpu_object *object, tn_diag *diag) {
  size_t count = 0;
  size_t name_size = 0;
  symbol_use use;
  for (size_t i = object->local_count; i < object->symbol_count; i++) {
    const Elf64_Sym symbol = tn_cpu_object_symbol(object, i);
    if (has_suffix(object, &symbol, kernel_suffix, &use)) {
      count++;
      name_size += use.name.size + 1;
    }
  }
  if (count == 0) {
    return TN_OK;
  }
  for (code->bucket_count = 4; code->bucket_count < 2 * count;) {
    code->bucket_count *= 2;
  }
  code->kernels = tn_alloc_array(count, sizeof(*code->kernels));
  code->names = tn_alloc(name_size);
  code->buckets = tn_alloc_array(code->bucket_count, sizeof(*code->buckets));
  if (code->kernels == NULL || code->names == NULL || code->buckets == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu kernels", count);
  }
  return TN_OK;
}

// The bucket of a name, or the empty one where it would be.
static uint32_t *find_bucket(const tn_cpu_code *code, tn_str name) {
  const size_t mask = code->bucket_count - 1;
  size_t at = (size_t)tn_hash_bytes(name.data, name.size, 0) & mask;
  while (code->buckets[at] != 0 &&
         !tn_str_equals(name, tn_str_from(code->kernels[code->buckets[at] - 1].name))) {
    at = (at + 1) & mask;
  }
  return &code->buckets[at];
}

static tn_status add_kernel(tn_cpu_code *code, const symbol_use *use, const uint8_t *memory,
                            char **name, tn_diag *diag) {
  if (use->section->part != TN_CPU_CODE || use->value >= use->section->size) {
    return tn_cpu_object_fail(diag, "a kernel of it is no code");
  }
  uint32_t *bucket = find_bucket(code, use->name);
  if (*bucket != 0) {
    return tn_cpu_object_fail(diag, "it has two kernels of one name");
  }
  tn_adapter_kernel *kernel = &code->kernels[code->kernel_count++];
  *bucket = (uint32_t)code->kernel_count;
  kernel->name = *name;
  memcpy(*name, use->name.data, use->name.size);
  *name += use->name.size + 1;
  // ISO C has no conversion from an object pointer to a function pointer.
  const uint8_t *address = memory + use->section->at + use->value;
  memcpy(&kernel->function, &address, sizeof(address));
  return TN_OK;
}

static tn_status set_needs(tn_cpu_code *code, const symbol_use *use, const uint8_t *memory,
                           tn_diag *diag) {
  tn_adapter_kernel *kernel = tn_cpu_code_find(code, use->name);
  if (kernel == NULL) {
    return TN_OK;
  }
  tn_cpu_needs needs;
  if (use->section->size < sizeof(needs) || use->value > use->section->size - sizeof(needs)) {
    return tn_cpu_object_fail(diag, "what a kernel needs of memory lies behind the end");
  }
  memcpy(&needs, memory + use->section->at + use->value, sizeof(needs));
  if (needs.slot_bytes > SLOTS_MAXIMUM || needs.slot_width > WIDTH_MAXIMUM ||
      (needs.slot_bytes > 0 && needs.slot_width == 0) ||
      needs.group_memory > TN_CPU_GROUP_MEMORY_SIZE ||
      needs.group_memory % TN_CPU_GROUP_MEMORY_ALIGNMENT != 0 ||
      needs.forms.form > TN_CPU_FORM_PART || needs.forms.wide_width > WIDTH_MAXIMUM ||
      needs.forms.row_count > WIDTH_MAXIMUM || needs.is_groupless > 1 ||
      (needs.noalias_written & ~needs.noalias_pointers) != 0) {
    return tn_cpu_object_fail(diag, "what a kernel needs of memory is not possible");
  }
  kernel->needs = needs;
  return TN_OK;
}

static tn_status list_kernels(tn_cpu_code *code, const tn_cpu_object *object, const uint8_t *memory,
                              tn_diag *diag) {
  TN_TRY(reserve_kernels(code, object, diag));
  char *name = code->names;
  symbol_use use;
  for (size_t i = object->local_count; i < object->symbol_count; i++) {
    const Elf64_Sym symbol = tn_cpu_object_symbol(object, i);
    if (has_suffix(object, &symbol, kernel_suffix, &use)) {
      TN_TRY(add_kernel(code, &use, memory, &name, diag));
    }
  }
  for (size_t i = object->local_count; i < object->symbol_count; i++) {
    const Elf64_Sym symbol = tn_cpu_object_symbol(object, i);
    if (has_suffix(object, &symbol, needs_suffix, &use)) {
      TN_TRY(set_needs(code, &use, memory, diag));
    }
  }
  return TN_OK;
}

static tn_status load(tn_cpu_code *code, tn_cpu_object *object, tn_diag *diag) {
  const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  layout l;
  if (!place(object, page, &l)) {
    return tn_cpu_object_fail(diag, "it asks for more than a gigabyte of memory");
  }
  uint8_t *memory = NULL;
  TN_TRY(map_memory(code, &l, page, &memory, diag));
  copy_sections(object, memory);
  const tn_cpu_link link = {
      .object = object, .memory = memory, .table_at = l.table_at, .stubs_at = l.stubs_at};
  TN_TRY(tn_cpu_link_run(&link, diag));
  TN_TRY(list_kernels(code, object, memory, diag));
  TN_TRY(protect(memory, &l, diag));
  tn_cpu_perf_add(object, memory);
  return object->has_lines ? tn_cpu_debugger_add(object, memory, &code->lines, diag) : TN_OK;
}

tn_status tn_cpu_code_load(tn_bytes bytes, tn_cpu_code *out, tn_diag *diag) {
  *out = (tn_cpu_code){.memory = NULL};
  tn_cpu_object object;
  TN_TRY(tn_cpu_object_read(bytes, &object, diag));
  const tn_status status = load(out, &object, diag);
  tn_cpu_object_deinit(&object);
  if (status != TN_OK) {
    tn_cpu_code_unload(out);
    return status;
  }
  TN_LOG(adapter, "%zu kernels of an object of %zu bytes", out->kernel_count, bytes.size);
  return TN_OK;
}

void tn_cpu_code_unload(tn_cpu_code *code) {
  tn_cpu_debugger_remove(code->lines);
  if (code->memory != NULL) {
    (void)munmap(code->memory, code->memory_size);
  }
  for (size_t i = 0; i < code->kernel_count; i++) {
    tn_free(atomic_load_explicit(&code->kernels[i].shown, memory_order_relaxed));
  }
  tn_free(code->kernels);
  tn_free(code->names);
  tn_free(code->buckets);
  *code = (tn_cpu_code){.memory = NULL};
}

tn_adapter_kernel *tn_cpu_code_find(const tn_cpu_code *code, tn_str name) {
  const uint32_t index = code->bucket_count > 0 ? *find_bucket(code, name) : 0;
  return index != 0 ? &code->kernels[index - 1] : NULL;
}
