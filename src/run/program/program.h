// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a kernel's slot or name to code on a device: select the image, resolve its imports as the
// host does, build once, share with all who wait.
#ifndef TN_RUN_PROGRAM_PROGRAM_H
#define TN_RUN_PROGRAM_PROGRAM_H

#include "base/thread.h"
#include "image/image.h"
#include "run/device/device.h"
#include "tenon/kernel.h"

typedef struct tn_program tn_program;  // counted: loaded code of one or more linked images

// Immutable after create but for the count and the cost estimate.
struct tn_kernel {
  tn_ref ref;
  uint32_t arg_size;
  uint32_t arg_align;
  uint32_t flags;                     // TN_KERNEL_USES_ND_RANGE …
  uint32_t group_size[3];             // required, SYCL's order with leading ones; 0: none is
  uint32_t sub_group_size;            // required; 0: none is
  tn_kernel_arg *args;                // owned: of kernels that are functions
  size_t arg_count;
  uint64_t local_mem_size;            // TN_KERNEL_INFO_LOCAL_MEM_SIZE
  uint32_t dims;                      // of the nd_range it has to be launched with; 0: any launch
  bool is_single_task;                // has to be launched as one
  bool is_native;                     // the application made it with the driver; no `args`
  bool is_partial;                    // its code is for some work-groups only (tn_kernel_suits)
  uint32_t group_shape;               // the only one that it is for, on demand; 0: none is
  tn_device *device;                  // static lifetime
  tn_adapter_kernel *adapter_kernel;  // borrowed from the program
  tn_program *program;                // retained
  struct tn_registered *home;         // the program's; NULL unless the code lies in a module
  char *name;                         // owned: device symbol
  char *display_name;                 // owned: as in the source
};

// Releasing calls no adapter: what nobody uses any more is unloaded by the next build or look-up,
// or by tn_program_reap, which also frees what was made of modules and files that are gone. Call
// it with no lock held and not from a module's destructor. Any thread.
void tn_program_release(tn_program *program);  // NULL-safe
void tn_program_reap(void);

// For as long as a command wants the kernel: with a reference, and with its code kept in memory.
// False when the module that the code lies in is unloaded. Ending takes NULL as well. Any thread;
// no lock is taken by the first, and none may be held at the second.
bool tn_kernel_begin_use(tn_kernel *kernel);
void tn_kernel_end_use(tn_kernel *kernel);

// Who shares device globals: a bundle that was made of sources. Counted; any thread. Releasing
// calls no adapter.
typedef struct tn_global_scope tn_global_scope;
struct tn_global_info;
// The memory is USM memory of the context. The caller owns one reference.
TN_MUST_USE tn_status tn_global_scope_create(tn_context *context, tn_global_scope **out,
                                             tn_diag *diag);
void tn_global_scope_retain(tn_global_scope *scope);
void tn_global_scope_release(tn_global_scope *scope);  // NULL-safe
// The global's memory on the device, or on the one that it is a part of; made on the first call.
// Borrowed from the scope. INVALID_ARGUMENT when it has another size than before.
TN_MUST_USE tn_status tn_global_scope_get(tn_global_scope *scope, tn_device *device,
                                          const struct tn_global_info *info, void **out,
                                          tn_diag *diag);

// An image of a module or file.
typedef struct tn_image_ref {
  struct tn_registered *registered;
  uint32_t image_index;
} tn_image_ref;
// In the place of an index: whichever image of the module has the kernel and suits the device best.
#define TN_IMAGE_OF_KERNEL UINT32_MAX
// A request for a program, by a launch, an image file or a kernel bundle.
typedef struct tn_program_request {
  tn_image_ref image;  // all borrowed
  tn_device *device;
  tn_str kernel;        // device symbol; empty, with an index: all kernels of the image
  tn_str local_kernel;  // looked for before it; may be empty
  bool by_text;         // `kernel` may also be the name in the source
  const tn_image_ref *first;  // looked into for imports before anything else
  size_t first_count;
  // Of constants without linkage, where no kernel is named, the name in a value is the image's own:
  // unit_id is not looked at.
  const tn_spec_value *specs;
  size_t spec_count;
  tn_global_scope *scope;  // for the device globals of modules that nobody finds; may be NULL
  // tn_kernel_get: what there has to be code for (tn_group_shape), and what else of the image is
  // compiled for; 0: for any work-groups.
  uint32_t group_shape;
} tn_program_request;

// Work-groups with as many work-items, in SYCL's order, as the device's code may depend on them
// (tn_adapter_api.group_shape); 0 where it does not.
uint32_t tn_group_shape(const tn_device *device, uint32_t dims, const uint64_t *local);
// TN_ADAPTER_SHAPES_ON_DEMAND.
static inline bool tn_device_shapes_on_demand(const tn_device *device) {
  return (device->api->flags & TN_ADAPTER_SHAPES_ON_DEMAND) != 0;
}
// Whether the kernel's code is for such work-groups; 0: for any. What was made on demand for one
// shape may be slower than the other code of the kernel, where that suits too.
static inline bool tn_kernel_suits(const tn_kernel *kernel, uint32_t group_shape) {
  return !kernel->is_partial ||
         (kernel->group_shape != 0
              ? kernel->group_shape == group_shape
              : kernel->device->api->kernel_suits(kernel->adapter_kernel, group_shape));
}
// Machine code of the module in place, a cached program, or a new build. One thread builds a
// program, and the others wait for it. The caller owns one reference. BUILD_FAILED;
// KERNEL_NOT_FOUND when no image has the kernel, or the device lacks what the image requires.
TN_MUST_USE tn_status tn_program_get(const tn_program_request *request, tn_program **out,
                                     tn_diag *diag);
// The kernel that is named; the caller owns one reference.
TN_MUST_USE tn_status tn_kernel_get(const tn_program_request *request, tn_kernel **out,
                                    tn_diag *diag);
// A kernel of the program by its device symbol; the caller owns one reference.
TN_MUST_USE tn_status tn_program_get_kernel(tn_program *program, const char *name, tn_kernel **out,
                                            tn_diag *diag);

// A program of the driver's that the application made, or the one of such a kernel, on the device
// (tn_adapter_api.native_program). *out_native is the driver's program, borrowed from *out.
// *out_kernel is the kernel; NULL for a program. The caller owns one reference of each.
TN_MUST_USE tn_status tn_program_of_driver(tn_device *device, int32_t what, uint64_t native,
                                           tn_program **out, tn_kernel **out_kernel,
                                           uint64_t *out_native, tn_diag *diag);

// Of what use an image is to a device: the more, the better.
typedef enum tn_image_use {
  TN_IMAGE_USE_NONE = 0,  // it is for another target, or asks for what the device lacks
  TN_IMAGE_USE_UNLINKED,  // machine code with imports, which no device links: building says so
  TN_IMAGE_USE_SPARE,     // another image of the module suits the device better
  TN_IMAGE_USE_COMPILE,
  TN_IMAGE_USE_LOAD,      // machine code, as it is
  TN_IMAGE_USE_IN_PLACE,  // machine code in the module itself
} tn_image_use;
struct tn_fatbin;
struct tn_kernel_info;
struct tn_buf;
tn_image_use tn_program_image_use(const struct tn_registered *registered,
                                  const struct tn_fatbin *fatbin, uint32_t index,
                                  const tn_device *device);
// Whether a compiler takes the image for the device, ours or its driver's: what bundles in the
// states input and object hold.
bool tn_program_image_is_compilable(const struct tn_registered *registered,
                                    const struct tn_fatbin *fatbin, uint32_t index,
                                    const tn_device *device);
// KERNEL_NOT_FOUND with why no image is of use to the device for the kernel. `shown`: its name for
// people.
TN_MUST_USE tn_status tn_program_fail_device(const struct tn_fatbin *fatbin, tn_str symbol,
                                             const char *shown, const tn_device *device,
                                             tn_diag *diag);
// Names for people: of a kernel that an image describes, of a device symbol.
tn_str tn_kernel_info_shown_name(const struct tn_kernel_info *kernel);
void tn_kernel_symbol_show(struct tn_buf *buf, tn_str symbol);
// The symbol that a specialization constant has in images, without the unit's id, from the name in
// a value (tn_spec_value).
void tn_spec_symbol_add(struct tn_buf *buf, tn_str name);

// What slot->cache points to: a list that only grows, one node a device. Nodes live as long as the
// slot's module is registered.
typedef struct tn_slot_node tn_slot_node;
struct tn_slot_node {
  tn_device *device;
  tn_kernel *kernel;   // retained by the node
  tn_slot_node *next;  // immutable
};

// The kernel for a launch of the slot over work-groups of that size (in SYCL's order), built when
// needed; borrowed as tn_kernel_from_slot's. NULL: over a range without work-groups.
TN_MUST_USE tn_status tn_kernel_for_launch(tn_kernel_slot *slot, tn_device *device, uint32_t dims,
                                           const uint64_t *local, tn_kernel **out, tn_diag *diag);

// The launch path's look-up: no lock, no call. It may be a kernel that is for other work-groups.
static inline tn_kernel *tn_kernel_slot_peek(tn_kernel_slot *slot, const tn_device *device) {
  const tn_slot_node *node =
      atomic_load_explicit((tn_slot_node * _Atomic *)(void *)&slot->cache, memory_order_acquire);
  while (node != NULL && (node->device != device || node->kernel == NULL)) {
    node = node->next;
  }
  return node != NULL ? node->kernel : NULL;
}

// Whether the device's adapter says one of the TN_ADAPTER_IMAGE_… flags of an image.
bool tn_image_has_flag(const tn_image *image, const tn_device *device, uint32_t flags);

#endif
