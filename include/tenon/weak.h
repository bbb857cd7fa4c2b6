// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Weak references to counted objects: whether an object is still there, and a reference to it if it
// is. See tenon.h for ownership and threading words.
// Source: sycl_ext_oneapi_weak_object.
#ifndef TENON_WEAK_H
#define TENON_WEAK_H

#include "tenon/accessor.h"
#include "tenon/bundle.h"
#include "tenon/graph.h"
#include "tenon/memory.h"
#include "tenon/queue.h"
#include "tenon/rtc.h"
#include "tenon/stream.h"
#include "tenon/virtual_memory.h"

#ifdef __cplusplus
extern "C" {
#endif

// Counted; any thread. An object has one weak reference: the addresses of two are equal if they are
// of the same object, and only then, also when the objects are gone.
typedef struct tn_weak tn_weak;

// The weak reference of an object, which the first call makes. The caller has a reference to the
// object; the result is good as long as that, and longer when it is retained. NULL without memory,
// and for NULL.
TN_API tn_weak *tn_context_weak(tn_context *context);
TN_API tn_weak *tn_queue_weak(tn_queue *queue);
TN_API tn_weak *tn_event_weak(tn_event *event);  // the caller has its queue, too
TN_API tn_weak *tn_bundle_weak(tn_bundle *bundle);
TN_API tn_weak *tn_source_weak(tn_source *source);
TN_API tn_weak *tn_bundle_image_weak(tn_bundle_image *image);
// One for all ids of a module, whose code they are of: ids are equal if this is, and the id.
TN_API tn_weak *tn_kernel_id_weak(tn_kernel_id *id);
// Of the buffer as its owners have it (tn_buffer_own), and as those who retain it have it.
TN_API tn_weak *tn_buffer_weak(tn_buffer *buffer);
TN_API tn_weak *tn_buffer_weak_use(tn_buffer *buffer);
TN_API tn_weak *tn_host_access_weak(tn_host_access *access);
TN_API tn_weak *tn_stream_weak(tn_stream *stream);
TN_API tn_weak *tn_physical_memory_weak(tn_physical_memory *memory);
TN_API tn_weak *tn_graph_weak(tn_graph *graph);
TN_API tn_weak *tn_graph_exec_weak(tn_graph_exec *exec);

TN_API void tn_weak_retain(tn_weak *weak);
TN_API void tn_weak_release(tn_weak *weak);

// 1 when the caller has a new reference to the object now, 0 when the object is gone. The reference
// is one of a retain, but: of an event one of tn_event_retain_with_queue, of a buffer's owners one
// of tn_buffer_own, of a queue that has handles, or had some, a handle (tn_queue_add_handle); a
// queue without handles any more is gone.
TN_API int tn_weak_lock(tn_weak *weak);
// 1 when tn_weak_lock would give 0 now and later. 0 may be outdated when the caller sees it.
TN_API int tn_weak_is_expired(tn_weak *weak);

#ifdef __cplusplus
}
#endif
#endif
