// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the stand-in for NVIDIA's driver: graphs, whose nodes run one after the other as they were
// added. A node that comes after one that is not there makes adding fail.
#include "fake_cuda/fake_cuda.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SIZE = 16, LAUNCH_SIZE = 56 };  // bytes of a kernel's two parameters

typedef struct tn_cu_node_handle {
  struct tn_cu_node_handle *next;
  enum { EMPTY, KERNEL, COPY, FILL, JOB } kind;
  job *captured;  // owned
  tn_cu_kernel_node kernel;
  unsigned char bytes[2][64];
  tn_cu_copy_3d copy;
  tn_cu_fill_node fill;
} node;

typedef struct tn_cu_graph_handle {
  node *first;
  node *last;
} graph;

// Nodes keep their handles, which are those of the graph that it was made of.
typedef struct tn_cu_exec_handle {
  graph nodes;
  node **of;
  size_t count;
} exec;

static int has_node(const graph *in, const node *wanted) {
  const node *each = in->first;
  while (each && each != wanted) {
    each = each->next;
  }
  return each != NULL;
}

static node *add(graph *to) {
  node *made = calloc(1, sizeof(*made));
  if (to->last) {
    to->last->next = made;
  } else {
    to->first = made;
  }
  to->last = made;
  return made;
}

static tn_cu_result add_after(tn_cu_node *out, graph *to, const tn_cu_node *after, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!has_node(to, after[i])) {
      return TN_CU_INVALID_VALUE;
    }
  }
  *out = add(to);
  return TN_CU_SUCCESS;
}

static void set_kernel(node *to, const tn_cu_kernel_node *params) {
  to->kind = KERNEL;
  to->kernel = *params;
  memcpy(to->bytes[0], params->parameters[0], FIRST_SIZE);
  if (!strstr(params->function->name, "no_args")) {
    memcpy(to->bytes[1], params->parameters[1], LAUNCH_SIZE);
  }
}

static void copy_nodes(graph *to, const graph *from, node **of, size_t *count) {
  for (const node *each = from->first; each; each = each->next) {
    node *made = add(to);
    node *next = made->next;
    *made = *each;
    made->next = next;
    if (each->captured) {
      made->captured = malloc(sizeof(job));
      *made->captured = *each->captured;
    }
    if (of) {
      of[(*count)++] = (node *)(uintptr_t)each;
    }
  }
}

static void free_nodes(graph *of) {
  while (of->first) {
    node *next = of->first->next;
    free(of->first->captured);
    free(of->first);
    of->first = next;
  }
}

EXPORT tn_cu_result cuGraphCreate(tn_cu_graph *out, unsigned flags) {
  (void)flags;
  CALL(cuGraphCreate);
  *out = calloc(1, sizeof(graph));
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuGraphDestroy(tn_cu_graph gone) {
  free_nodes(gone);
  free(gone);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuGraphAddKernelNode(tn_cu_node *out, tn_cu_graph to, const tn_cu_node *after,
                                         size_t count, const tn_cu_kernel_node *params) {
  CALL(cuGraphAddKernelNode);
  const tn_cu_result result = add_after(out, to, after, count);
  if (result == TN_CU_SUCCESS) {
    set_kernel(*out, params);
  }
  return result;
}
EXPORT tn_cu_result cuGraphAddMemcpyNode(tn_cu_node *out, tn_cu_graph to, const tn_cu_node *after,
                                         size_t count, const tn_cu_copy_3d *params,
                                         tn_cu_context in) {
  CALL(cuGraphAddMemcpyNode);
  const tn_cu_result result =
      in ? add_after(out, to, after, count) : (tn_cu_result)TN_CU_INVALID_VALUE;
  if (result == TN_CU_SUCCESS) {
    (*out)->kind = COPY;
    (*out)->copy = *params;
  }
  return result;
}
EXPORT tn_cu_result cuGraphAddMemsetNode(tn_cu_node *out, tn_cu_graph to, const tn_cu_node *after,
                                         size_t count, const tn_cu_fill_node *params,
                                         tn_cu_context in) {
  CALL(cuGraphAddMemsetNode);
  const unsigned size = params->element_size;
  const int is_valid = in && (size == 1 || size == 2 || size == 4) && params->to % size == 0 &&
                       params->width * size <= params->pitch;
  const tn_cu_result result =
      is_valid ? add_after(out, to, after, count) : (tn_cu_result)TN_CU_INVALID_VALUE;
  if (result == TN_CU_SUCCESS) {
    (*out)->kind = FILL;
    (*out)->fill = *params;
  }
  return result;
}
EXPORT tn_cu_result cuGraphAddEmptyNode(tn_cu_node *out, tn_cu_graph to, const tn_cu_node *after,
                                        size_t count) {
  CALL(cuGraphAddEmptyNode);
  return add_after(out, to, after, count);
}
EXPORT tn_cu_result cuGraphAddChildGraphNode(tn_cu_node *out, tn_cu_graph to,
                                             const tn_cu_node *after, size_t count,
                                             tn_cu_graph child) {
  CALL(cuGraphAddChildGraphNode);
  const tn_cu_result result = add_after(out, to, after, count);
  if (result == TN_CU_SUCCESS) {
    copy_nodes(to, child, NULL, NULL);
    *out = to->last;
  }
  return result;
}
EXPORT tn_cu_result cuGraphInstantiateWithFlags(tn_cu_exec *out, tn_cu_graph from,
                                                unsigned long long flags) {
  (void)flags;
  CALL(cuGraphInstantiateWithFlags);
  size_t count = 0;
  for (const node *each = from->first; each; each = each->next) {
    count++;
  }
  exec *made = calloc(1, sizeof(*made));
  made->of = calloc(count + 1, sizeof(node *));
  copy_nodes(&made->nodes, from, made->of, &made->count);
  *out = made;
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuGraphExecDestroy(tn_cu_exec gone) {
  free_nodes(&gone->nodes);
  free(gone->of);
  free(gone);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuGraphUpload(tn_cu_exec of, tn_cu_stream in) {
  (void)of;
  (void)in;
  CALL(cuGraphUpload);
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuGraphExecKernelNodeSetParams(tn_cu_exec of, tn_cu_node wanted,
                                                   const tn_cu_kernel_node *params) {
  CALL(cuGraphExecKernelNodeSetParams);
  node *each = of->nodes.first;
  for (size_t i = 0; i < of->count; i++, each = each->next) {
    if (of->of[i] == wanted && each->kind == KERNEL) {
      set_kernel(each, params);
      return TN_CU_SUCCESS;
    }
  }
  return TN_CU_INVALID_VALUE;
}

tn_cu_result cuLaunchKernel(tn_cu_function kernel, unsigned grid_x, unsigned grid_y,
                            unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                            unsigned shared_size, tn_cu_stream in, void **parameters, void **extra);
tn_cu_result cuMemcpy3DAsync_v2(const tn_cu_copy_3d *rows, tn_cu_stream in);

static tn_cu_result run(const node *each, tn_cu_stream in) {
  const tn_cu_kernel_node *kernel = &each->kernel;
  const tn_cu_fill_node *fill = &each->fill;
  tn_cu_copy_3d copy = each->copy;
  void *both[] = {(void *)(uintptr_t)each->bytes[0], (void *)(uintptr_t)each->bytes[1]};
  switch (each->kind) {
    case KERNEL:
      return cuLaunchKernel(kernel->function, kernel->grid[0], kernel->grid[1], kernel->grid[2],
                            kernel->block[0], kernel->block[1], kernel->block[2],
                            kernel->shared_size, in, both, NULL);
    case COPY:
      copy.from.device = copy.from.memory_type == TN_CU_MEMORY_HOST
                             ? (tn_cu_address)(uintptr_t)copy.from.host
                             : copy.from.device;
      copy.to.device = copy.to.memory_type == TN_CU_MEMORY_HOST
                           ? (tn_cu_address)(uintptr_t)copy.to.host
                           : copy.to.device;
      return cuMemcpy3DAsync_v2(&copy, in);
    case FILL:
      return fake_enqueue_fill(fill->to, fill->pitch, fill->value, fill->element_size, fill->width,
                               fill->height, in);
    case JOB:
      return fake_enqueue(in, each->captured);
    default:
      return TN_CU_SUCCESS;
  }
}

EXPORT tn_cu_result cuGraphLaunch(tn_cu_exec of, tn_cu_stream in) {
  CALL(cuGraphLaunch);
  tn_cu_result result = TN_CU_SUCCESS;
  for (const node *each = of->nodes.first; each && result == TN_CU_SUCCESS; each = each->next) {
    result = run(each, in);
  }
  return result;
}

// ---- Capturing

void fake_capture(tn_cu_stream of, const job *wanted) {
  node *made = add(of->captures);
  of->captured_after[0] = made;
  of->captured_after_count = 1;
  made->kind = JOB;
  made->captured = malloc(sizeof(job));
  *made->captured = *wanted;
}
EXPORT tn_cu_result cuStreamBeginCaptureToGraph(tn_cu_stream of, tn_cu_graph to,
                                                const tn_cu_node *after, const void *edges,
                                                size_t count, int mode) {
  CALL(cuStreamBeginCaptureToGraph);
  if (of->captures || edges || mode != TN_CU_CAPTURE_RELAXED || count > CAPTURED_AFTER) {
    return TN_CU_INVALID_VALUE;
  }
  of->captures = to;
  of->captured_after_count = count;
  for (size_t i = 0; i < count; i++) {
    of->captured_after[i] = after[i];
  }
  return TN_CU_SUCCESS;
}
EXPORT tn_cu_result cuStreamEndCapture(tn_cu_stream of, tn_cu_graph *out) {
  *out = of->captures;
  of->captures = NULL;
  CALL(cuStreamEndCapture);
  return *out ? TN_CU_SUCCESS : TN_CU_INVALID_VALUE;
}
EXPORT tn_cu_result cuStreamGetCaptureInfo_v2(tn_cu_stream of, int *out_state, uint64_t *out_id,
                                              tn_cu_graph *out_graph, const tn_cu_node **out_after,
                                              size_t *out_count) {
  CALL(cuStreamGetCaptureInfo_v2);
  *out_state = of->captures != NULL;
  *out_id = 1;
  *out_graph = of->captures;
  *out_after = of->captured_after;
  *out_count = of->captured_after_count;
  return TN_CU_SUCCESS;
}

// All streams are of the context that is the thread's.
tn_cu_result cuCtxGetCurrent(tn_cu_context *out);
EXPORT tn_cu_result cuStreamGetCtx(tn_cu_stream of, tn_cu_context *out) {
  (void)of;
  CALL(cuStreamGetCtx);
  return cuCtxGetCurrent(out);
}
