// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Local memory and accessors of graphs' kernels that change after their nodes were added. See
// tenon.h for ownership and threading. Source: the SYCL extension sycl_ext_oneapi_graph.
#ifndef TENON_GRAPH_DYNAMIC_H
#define TENON_GRAPH_DYNAMIC_H

#include "tenon/accessor.h"
#include "tenon/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

// Local memory of a size that can be changed, which any number of nodes use. Counted; an object is
// used by one thread at a time.
typedef struct tn_dynamic_local tn_dynamic_local;

// Of as many elements of `element_size` bytes as the product of the extents, at `alignment` bytes.
// `dims` 1 to 3: the field that gets its offset is in a tn_local_accessor of the argument block,
// which as many extents follow, and the alignment is that of tn_local_accessor_init. 0: there is
// one extent, and nothing follows the field. The caller owns one reference. INVALID_ARGUMENT for
// more than 3 dimensions; OUT_OF_MEMORY.
TN_API TN_MUST_USE tn_status tn_dynamic_local_create(uint32_t dims, const size_t *extents,
                                                     size_t element_size, size_t alignment,
                                                     tn_dynamic_local **out, tn_diag *diag);
TN_API void tn_dynamic_local_retain(tn_dynamic_local *local);
// Nodes keep the size that they have. NULL is ignored.
TN_API void tn_dynamic_local_release(tn_dynamic_local *local);
// Makes *field a copy, with a reference of its own. Inside a block being captured
// (tenon/capture.h) the field is noted there, with the current size; the command's copy of the
// block gets the offset in its place. NULL is copied, and not noted.
TN_API void tn_dynamic_local_copy(tn_dynamic_local **field, tn_dynamic_local *from);
// Writes the current extents, one for 0 dimensions.
TN_API void tn_dynamic_local_get_extents(const tn_dynamic_local *local, size_t *out);
// Other extents, as many as there were, for all nodes that have the memory, and for those to come.
// Executable graphs see them with their update. What tn_queue_submit rejects in a command is an
// error here, and nothing is changed then: OUT_OF_MEMORY when a kernel asks for more local memory
// than the device has.
TN_API TN_MUST_USE tn_status tn_dynamic_local_update(tn_dynamic_local *local, const size_t *extents,
                                                     tn_diag *diag);

// Another accessor, of the same class, at byte `offset` of a kernel's argument block; `size` bytes
// with its view. The node uses the accessor's buffer in place of the other one's, which a
// requirement without a field has no longer either when it was that of no other accessor. Edges
// stay. INVALID_ARGUMENT when the node is no kernel, when there is no accessor, as
// tn_accessor_require, and for buffers that no command of the graph may use.
TN_API TN_MUST_USE tn_status tn_graph_node_set_accessor(tn_graph_node *node, uint32_t offset,
                                                        const tn_accessor *accessor, uint32_t size,
                                                        tn_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
