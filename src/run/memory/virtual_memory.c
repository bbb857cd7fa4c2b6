// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory: which addresses are reserved, and what is mapped there. The adapter is called
// only with arguments that fit what is noted here.
//
// 1. Reservations do not overlap; the mappings of one are sorted, inside it, and do not overlap.
// 2. The lock is not held while an adapter is called: calls that concern the same addresses at the
//    same time are the program's to order.
#include "tenon/virtual_memory.h"
#include "tenon/weak.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/weak.h"
#include "run/memory/memory.h"

struct tn_physical_memory {
  tn_ref ref;
  tn_context *context;                  // retained
  tn_device *device;                    // borrowed from the context
  size_t size;                          // immutable
  tn_adapter_physical *adapter_memory;  // owned
};

typedef struct mapping {
  struct mapping *next;
  uintptr_t base;
  size_t size;
  int32_t access;
  tn_physical_memory *memory;  // retained
} mapping;

typedef struct reservation {
  struct reservation *next;
  tn_context *context;  // retained
  uintptr_t base;
  size_t size;
  mapping *mappings;  // owned, sorted
} reservation;

static tn_mutex table_mu = TN_MUTEX_INIT(TN_RANK_LEAF);
static reservation *reservations TN_GUARDED_BY(&table_mu);

static const tn_adapter_virtual_memory *slots_of(const tn_device *device) {
  return device->api->virtual_memory;
}

static tn_status check_device(const tn_context *context, const tn_device *device, tn_diag *diag) {
  if (!tn_context_has_device(context, device)) {
    return TN_FAIL(diag, WRONG_CONTEXT,
                   "virtual memory: device %s is not in the context; use one of the context's",
                   device->name);
  }
  if (slots_of(device) == NULL) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "device %s does not support virtual memory (sycl_ext_oneapi_virtual_mem); ask "
                   "for aspect::ext_oneapi_virtual_mem first",
                   device->name);
  }
  return TN_OK;
}

tn_status tn_virtual_memory_get_granularity(tn_context *context, tn_device *device, size_t *out,
                                            tn_diag *diag) {
  *out = 0;
  if (context == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "virtual memory needs a context, but it is NULL");
  }
  size_t largest = 0;
  for (size_t i = 0; i < context->device_count; i++) {
    tn_device *one = context->devices[i];
    if (device != NULL && device != one) {
      continue;
    }
    TN_TRY(check_device(context, one, diag));
    // Powers of two: the largest is a multiple of the others.
    const size_t size = slots_of(one)->granularity(one->adapter_device);
    largest = size > largest ? size : largest;
  }
  if (largest == 0) {
    return check_device(context, device, diag);
  }
  *out = largest;
  return TN_OK;
}

static tn_status check_range(tn_context *context, tn_device *device, const char *what,
                             uintptr_t start, size_t size, tn_diag *diag) {
  size_t unit = 0;
  TN_TRY(tn_virtual_memory_get_granularity(context, device, &unit, diag));
  if (size == 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: the size is 0", what);
  }
  if (size % unit != 0 || start % unit != 0) {
    const bool is_size = size % unit != 0;
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "%s: the %s %#zx is not a multiple of the granularity of virtual memory, %zu "
                   "(get_mem_granularity)",
                   what, is_size ? "size" : "address or offset", is_size ? size : (size_t)start,
                   unit);
  }
  if (start + size < start) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "%s: %zu bytes at %#zx end beyond the address space",
                   what, size, (size_t)start);
  }
  return TN_OK;
}

tn_status tn_virtual_memory_reserve(tn_context *context, const void *wanted, size_t size,
                                    void **out, tn_diag *diag) {
  *out = NULL;
  TN_TRY(check_range(context, NULL, "reserve_virtual_mem", 0, size, diag));
  reservation *r = tn_alloc(sizeof(*r));
  if (r == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note reserved addresses");
  }
  tn_device *device = context->devices[0];
  void *address = NULL;
  const tn_status status =
      slots_of(device)->reserve(device->adapter_device, wanted, size, &address, diag);
  if (status != TN_OK) {
    tn_free(r);
    return status;
  }
  tn_context_retain(context);
  *r = (reservation){.context = context, .base = (uintptr_t)address, .size = size};
  tn_mutex_lock(&table_mu);
  r->next = reservations;
  reservations = r;
  tn_mutex_unlock(&table_mu);
  TN_LOG(memory, "%zu bytes of addresses reserved at %p", size, address);
  *out = address;
  return TN_OK;
}

tn_status tn_virtual_memory_free(tn_context *context, void *address, size_t size, tn_diag *diag) {
  TN_TRY(check_range(context, NULL, "free_virtual_mem", (uintptr_t)address, size, diag));
  reservation **link = &reservations;
  tn_mutex_lock(&table_mu);
  while (*link != NULL && ((*link)->base != (uintptr_t)address || (*link)->size != size ||
                           (*link)->context != context)) {
    link = &(*link)->next;
  }
  reservation *r = *link;
  const bool is_mapped = r != NULL && r->mappings != NULL;
  if (r != NULL && !is_mapped) {
    *link = r->next;
  }
  tn_mutex_unlock(&table_mu);
  if (r == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "free_virtual_mem: %zu bytes at %p are not what reserve_virtual_mem gave in "
                   "this context",
                   size, address);
  }
  if (is_mapped) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "free_virtual_mem: physical memory is mapped in the %zu bytes at %p; unmap it "
                   "first",
                   size, address);
  }
  tn_device *device = context->devices[0];
  slots_of(device)->free(device->adapter_device, address, size);
  tn_free(r);
  tn_context_release(context);
  return TN_OK;
}

// The reservation that holds all of the range; NULL when there is none.
static reservation *find_reservation(const tn_context *context, uintptr_t base, size_t size)
    TN_REQUIRES(&table_mu) {
  reservation *r = reservations;
  while (r != NULL && (r->context != context || base < r->base || base - r->base > r->size ||
                       size > r->size - (base - r->base))) {
    r = r->next;
  }
  return r;
}

// The first mapping of the range when it is mapped as a whole; NULL when it is not.
static mapping **find_mapped(reservation *r, uintptr_t base, size_t size) TN_REQUIRES(&table_mu) {
  mapping **first = &r->mappings;
  while (*first != NULL && (*first)->base + (*first)->size <= base) {
    first = &(*first)->next;
  }
  uintptr_t at = base;
  for (const mapping *m = *first; m != NULL && m->base <= at; m = m->next) {
    at = m->base + m->size;
    if (at - base >= size) {
      return first;
    }
  }
  return NULL;
}

tn_status tn_physical_memory_create(tn_context *context, tn_device *device, size_t size,
                                    tn_physical_memory **out, tn_diag *diag) {
  *out = NULL;
  if (device == NULL) {
    return TN_FAIL(diag, INVALID_ARGUMENT, "physical memory needs a device, but it is NULL");
  }
  TN_TRY(check_range(context, device, "physical_mem", 0, size, diag));
  tn_physical_memory *memory = tn_alloc(sizeof(*memory));
  if (memory == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note physical memory");
  }
  *memory = (tn_physical_memory){.context = context, .device = device, .size = size};
  tn_ref_init(&memory->ref);
  const tn_status status =
      slots_of(device)->create(device->adapter_device, size, &memory->adapter_memory, diag);
  if (status != TN_OK) {
    tn_free(memory);
    return status;
  }
  tn_context_retain(context);
  *out = memory;
  return TN_OK;
}

void tn_physical_memory_retain(tn_physical_memory *memory) {
  if (memory != NULL) {
    tn_ref_up(&memory->ref);
  }
}

void tn_physical_memory_release(tn_physical_memory *memory) {
  if (memory != NULL && tn_ref_down(&memory->ref)) {
    tn_device *device = memory->device;
    slots_of(device)->destroy(device->adapter_device, memory->adapter_memory);
    tn_context_release(memory->context);
    tn_free(memory);
  }
}

static void release(void *object) { tn_physical_memory_release(object); }

tn_weak *tn_physical_memory_weak(tn_physical_memory *memory) {
  static const tn_weak_type type = {.release = release};
  return memory != NULL ? tn_weak_of(&memory->ref, memory, &type, NULL) : NULL;
}

static tn_status check_access(int32_t access, tn_diag *diag) {
  return access >= TN_VIRTUAL_ACCESS_NONE && access <= TN_VIRTUAL_ACCESS_READ_WRITE
             ? TN_OK
             : TN_FAIL(diag, INVALID_ARGUMENT, "unknown access mode %d of virtual memory",
                       (int)access);
}

// Notes a mapping where addresses are reserved and nothing is mapped; else says what is wrong.
static const char *add_mapping(const tn_context *context, mapping *take_new) {
  tn_mutex_lock(&table_mu);
  reservation *r = find_reservation(context, take_new->base, take_new->size);
  mapping **link = r != NULL ? &r->mappings : NULL;
  while (link != NULL && *link != NULL && (*link)->base + (*link)->size <= take_new->base) {
    link = &(*link)->next;
  }
  const bool is_free =
      link != NULL && (*link == NULL || ((*link)->base > take_new->base &&
                                         (*link)->base - take_new->base >= take_new->size));
  if (is_free) {
    take_new->next = *link;
    *link = take_new;
  }
  tn_mutex_unlock(&table_mu);
  return is_free        ? NULL
         : link == NULL ? "are not reserved in the memory's context; use what "
                          "reserve_virtual_mem gave"
                        : "overlap what is mapped there; unmap it first";
}

// The mappings that begin in the range, taken out; the range begins and ends where mappings do.
static mapping *take_mappings(const tn_context *context, uintptr_t base, size_t size) {
  mapping *taken = NULL;
  tn_mutex_lock(&table_mu);
  reservation *r = find_reservation(context, base, size);
  mapping **first = r != NULL ? find_mapped(r, base, size) : NULL;
  while (first != NULL && *first != NULL && (*first)->base - base < size) {
    mapping *one = *first;
    *first = one->next;
    one->next = taken;
    taken = one;
  }
  tn_mutex_unlock(&table_mu);
  return taken;
}

static void free_mappings(mapping *take_list) {
  while (take_list != NULL) {
    mapping *next = take_list->next;
    tn_physical_memory_release(take_list->memory);
    tn_free(take_list);
    take_list = next;
  }
}

tn_status tn_physical_memory_map(tn_physical_memory *memory, void *address, size_t size,
                                 int32_t access, size_t offset, tn_diag *diag) {
  tn_device *device = memory->device;
  const uintptr_t base = (uintptr_t)address;
  TN_TRY(check_access(access, diag));
  TN_TRY(check_range(memory->context, device, "physical_mem::map", base, size, diag));
  TN_TRY(check_range(memory->context, device, "physical_mem::map", offset, size, diag));
  if (offset > memory->size || size > memory->size - offset) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "physical_mem::map: %zu bytes at offset %zu end beyond the %zu bytes of the "
                   "physical memory",
                   size, offset, memory->size);
  }
  mapping *m = tn_alloc(sizeof(*m));
  if (m == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note mapped memory");
  }
  *m = (mapping){.base = base, .size = size, .access = access, .memory = memory};
  tn_physical_memory_retain(memory);
  const char *wrong = add_mapping(memory->context, m);
  if (wrong != NULL) {
    free_mappings(m);
    return TN_FAIL(diag, INVALID_ARGUMENT, "physical_mem::map: %zu bytes at %p %s", size, address,
                   wrong);
  }
  const tn_status status = slots_of(device)->map(device->adapter_device, address, size,
                                                 memory->adapter_memory, offset, access, diag);
  if (status != TN_OK) {
    free_mappings(take_mappings(memory->context, base, size));
  }
  return status;
}

static tn_status fail_unmapped(const char *what, const void *address, size_t size, tn_diag *diag) {
  return TN_FAIL(diag, INVALID_ARGUMENT,
                 "%s: not all of the %zu bytes at %p are mapped by physical_mem::map in this "
                 "context",
                 what, size, address);
}

// Makes a mapping begin at `at`, where the one around it is in two then.
static void split_at(mapping *first, uintptr_t at, mapping **spare) TN_REQUIRES(&table_mu) {
  mapping *m = first;
  while (m != NULL && m->base + m->size <= at) {
    m = m->next;
  }
  if (m != NULL && m->base < at) {
    mapping *rest = *spare;
    *spare = NULL;
    *rest = *m;
    rest->base = at;
    rest->size = m->base + m->size - at;
    tn_physical_memory_retain(rest->memory);
    m->size = at - m->base;
    m->next = rest;
  }
}

// Makes mappings begin and end where the range does, and finds it mapped as a whole.
static tn_status split_mappings(tn_context *context, const char *what, const void *address,
                                size_t size, tn_diag *diag) {
  const uintptr_t base = (uintptr_t)address;
  TN_TRY(check_range(context, NULL, what, base, size, diag));
  mapping *spares[2] = {tn_alloc(sizeof(mapping)), tn_alloc(sizeof(mapping))};
  const bool has_spares = spares[0] != NULL && spares[1] != NULL;
  bool is_mapped = false;
  if (has_spares) {
    tn_mutex_lock(&table_mu);
    reservation *r = find_reservation(context, base, size);
    is_mapped = r != NULL && find_mapped(r, base, size) != NULL;
    if (is_mapped) {
      split_at(r->mappings, base, &spares[0]);
      split_at(r->mappings, base + size, &spares[1]);
    }
    tn_mutex_unlock(&table_mu);
  }
  tn_free(spares[0]);
  tn_free(spares[1]);
  if (!has_spares) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note mapped memory");
  }
  return is_mapped ? TN_OK : fail_unmapped(what, address, size, diag);
}

tn_status tn_virtual_memory_set_access(tn_context *context, const void *address, size_t size,
                                       int32_t access, tn_diag *diag) {
  TN_TRY(check_access(access, diag));
  TN_TRY(split_mappings(context, "set_access_mode", address, size, diag));
  tn_device *device = context->devices[0];
  TN_TRY(slots_of(device)->set_access(device->adapter_device, (void *)address, size, access, diag));
  const uintptr_t base = (uintptr_t)address;
  tn_mutex_lock(&table_mu);
  reservation *r = find_reservation(context, base, size);
  mapping **first = r != NULL ? find_mapped(r, base, size) : NULL;
  for (mapping *m = first != NULL ? *first : NULL; m != NULL && m->base - base < size;
       m = m->next) {
    m->access = access;
  }
  tn_mutex_unlock(&table_mu);
  return TN_OK;
}

tn_status tn_virtual_memory_get_access(tn_context *context, const void *address, size_t size,
                                       int32_t *out, tn_diag *diag) {
  const uintptr_t base = (uintptr_t)address;
  *out = TN_VIRTUAL_ACCESS_NONE;
  TN_TRY(check_range(context, NULL, "get_access_mode", base, size, diag));
  bool is_one = true;
  tn_mutex_lock(&table_mu);
  reservation *r = find_reservation(context, base, size);
  mapping **first = r != NULL ? find_mapped(r, base, size) : NULL;
  const int32_t access = first != NULL ? (*first)->access : TN_VIRTUAL_ACCESS_NONE;
  for (mapping *m = first != NULL ? *first : NULL; m != NULL && m->base < base + size;
       m = m->next) {
    is_one = is_one && m->access == access;
  }
  tn_mutex_unlock(&table_mu);
  if (first == NULL) {
    return fail_unmapped("get_access_mode", address, size, diag);
  }
  if (!is_one) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "get_access_mode: the %zu bytes at %p have different access modes; ask for "
                   "smaller ranges",
                   size, address);
  }
  *out = access;
  return TN_OK;
}

tn_status tn_virtual_memory_unmap(tn_context *context, const void *address, size_t size,
                                  tn_diag *diag) {
  TN_TRY(split_mappings(context, "unmap", address, size, diag));
  tn_device *device = context->devices[0];
  TN_TRY(slots_of(device)->unmap(device->adapter_device, (void *)address, size, diag));
  free_mappings(take_mappings(context, (uintptr_t)address, size));
  return TN_OK;
}
