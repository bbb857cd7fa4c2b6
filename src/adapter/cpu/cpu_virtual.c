// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual memory of the CPU: reserved addresses are pages without rights, physical memory is a file
// without a name in memory, which several addresses may show.
#include "adapter/cpu/cpu.h"
#include "base/alloc.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

struct tn_adapter_physical {
  int fd;  // owned
};

static int rights_of(int32_t access) {
  static const int rights[] = {[TN_VIRTUAL_ACCESS_NONE] = PROT_NONE,
                               [TN_VIRTUAL_ACCESS_READ] = PROT_READ,
                               [TN_VIRTUAL_ACCESS_READ_WRITE] = PROT_READ | PROT_WRITE};
  return rights[access];
}

static size_t granularity(tn_adapter_device *device) {
  (void)device;
  return (size_t)sysconf(_SC_PAGESIZE);
}

static tn_status reserve(tn_adapter_device *device, const void *wanted, size_t size, void **out,
                         tn_diag *diag) {
  (void)device;
  void *address = tn_fault_hit() ? MAP_FAILED
                                 : mmap((void *)wanted, size, PROT_NONE,
                                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) {
    *out = NULL;
    return TN_FAIL(diag, OUT_OF_MEMORY, "cannot reserve %zu bytes of addresses: %s", size,
                   strerror(errno));
  }
  *out = address;
  return TN_OK;
}

static void free_addresses(tn_adapter_device *device, void *address, size_t size) {
  (void)device;
  munmap(address, size);
}

static tn_status create(tn_adapter_device *device, size_t size, tn_adapter_physical **out,
                        tn_diag *diag) {
  *out = NULL;
  // More than the machine has is an error at once: the system would only promise it.
  if (size > device->facts.memory_size && device->facts.memory_size != 0) {
    return TN_FAIL(diag, OUT_OF_MEMORY,
                   "no physical memory for %zu bytes on the CPU (the machine has %llu)", size,
                   (unsigned long long)device->facts.memory_size);
  }
  tn_adapter_physical *memory = tn_alloc(sizeof(*memory));
  if (memory == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to note physical memory");
  }
  memory->fd = tn_fault_hit() ? -1 : memfd_create("tenon-physical-memory", MFD_CLOEXEC);
  if (memory->fd < 0 || ftruncate(memory->fd, (off_t)size) != 0) {
    const int error = errno;
    if (memory->fd >= 0) {
      close(memory->fd);
    }
    tn_free(memory);
    return TN_FAIL(diag, OUT_OF_MEMORY, "no physical memory for %zu bytes on the CPU: %s", size,
                   strerror(error));
  }
  *out = memory;
  return TN_OK;
}

static void destroy(tn_adapter_device *device, tn_adapter_physical *memory) {
  (void)device;
  close(memory->fd);
  tn_free(memory);
}

static tn_status map(tn_adapter_device *device, void *address, size_t size,
                     tn_adapter_physical *memory, size_t offset, int32_t access, tn_diag *diag) {
  (void)device;
  if (tn_fault_hit() || mmap(address, size, rights_of(access), MAP_SHARED | MAP_FIXED, memory->fd,
                             (off_t)offset) == MAP_FAILED) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "cannot map %zu bytes of physical memory at %p: %s", size,
                   address, strerror(errno));
  }
  return TN_OK;
}

static tn_status set_access(tn_adapter_device *device, void *address, size_t size, int32_t access,
                            tn_diag *diag) {
  (void)device;
  if (tn_fault_hit() || mprotect(address, size, rights_of(access)) != 0) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "cannot change the access of %zu bytes at %p: %s", size,
                   address, strerror(errno));
  }
  return TN_OK;
}

// The pages without rights are put back in one step, so that nobody else gets the addresses.
static tn_status unmap(tn_adapter_device *device, void *address, size_t size, tn_diag *diag) {
  (void)device;
  if (tn_fault_hit() ||
      mmap(address, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
           0) == MAP_FAILED) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "cannot unmap %zu bytes at %p: %s", size, address,
                   strerror(errno));
  }
  return TN_OK;
}

const tn_adapter_virtual_memory tn_cpu_virtual_memory = {
    .granularity = granularity,
    .reserve = reserve,
    .free = free_addresses,
    .create = create,
    .destroy = destroy,
    .map = map,
    .set_access = set_access,
    .unmap = unmap,
};
