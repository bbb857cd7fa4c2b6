// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A graph in the language of Graphviz.
#include "base/buf.h"
#include "base/file.h"
#include "run/recorded/recorded_object.h"

#include <string.h>

enum { TEXT_MAXIMUM = 64 << 20 };

static const char *kind_name(uint32_t kind) {
  switch (kind) {
    case TN_COMMAND_KERNEL:
      return "kernel";
    case TN_COMMAND_COPY:
    case TN_COMMAND_COPY_RECT:
      return "copy";
    case TN_COMMAND_FILL:
    case TN_COMMAND_FILL_RECT:
      return "fill";
    case TN_COMMAND_HOST_TASK:
    case TN_COMMAND_INTEROP_TASK:
      return "host task";
    case TN_COMMAND_NATIVE:
      return "native command";
    case TN_COMMAND_BARRIER:
    case TN_COMMAND_EVENT_BARRIER:
      return "barrier";
    case TN_COMMAND_GRAPH:
      return "graph";
    case TN_COMMAND_PREFETCH:
    case TN_COMMAND_ADVISE:
      return "hint";
    default:
      return "empty";
  }
}

// Inside double quotes.
static void add_quoted(tn_buf *out, const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '"' || *text == '\\') {
      tn_buf_add_char(out, '\\');
    }
    tn_buf_add_char(out, *text);
  }
}

// Profilers and traces name kernels by their symbols, as DPC++'s graphs do.
static void add_symbol(tn_buf *out, const tn_kernel *kernel) {
  if (strcmp(kernel->name, kernel->display_name) != 0) {
    tn_buf_add_text(out, "\\nsymbol ");
    add_quoted(out, kernel->name);
  }
}

static void add_details(tn_buf *out, const tn_command *command) {
  if (command->kind == TN_COMMAND_KERNEL) {
    tn_buf_add_text(out, "\\nrange");
    for (uint32_t i = 0; i < command->dims; i++) {
      tn_buf_add_format(out, " %llu", (unsigned long long)command->global[i]);
    }
    for (uint32_t i = 0; command->has_local != 0 && i < command->dims; i++) {
      tn_buf_add_format(out, "%s%llu", i == 0 ? " in groups of " : " x ",
                        (unsigned long long)command->local[i]);
    }
    tn_buf_add_format(out, "\\n%u bytes of arguments", command->arg_size);
  } else if (command->kind == TN_COMMAND_COPY) {
    tn_buf_add_format(out, "\\n%zu bytes from %p to %p", command->size, command->src, command->dst);
  } else if (command->kind == TN_COMMAND_FILL) {
    tn_buf_add_format(out, "\\n%zu bytes at %p", command->size, command->dst);
  }
  for (size_t i = 0; i < command->access_count; i++) {
    tn_buf_add_format(out, "\\nbuffer %p", (const void *)command->accesses[i].buffer);
  }
}

static void add_node(tn_buf *out, const tn_graph_node *node, bool is_verbose) {
  const tn_recorded *what = node->what;
  tn_buf_add_format(out, "  n%zu [label=\"%zu: %s", node->index, node->index,
                    kind_name(what->command.kind));
  if (what->kernel != NULL) {
    tn_buf_add_char(out, ' ');
    add_quoted(out, what->kernel->display_name);
  }
  if (is_verbose && what->kernel != NULL) {
    add_symbol(out, what->kernel);
  }
  if (is_verbose) {
    add_details(out, &what->command);
  }
  tn_buf_add_text(out, "\"];\n");
  for (size_t i = 0; i < node->before.count; i++) {
    tn_buf_add_format(out, "  n%zu -> n%zu;\n", node->before.nodes[i]->index, node->index);
  }
}

tn_status tn_graph_print(tn_graph *graph, const char *path, int verbose, tn_diag *diag) {
  const size_t length = path != NULL ? strlen(path) : 0;
  if (length < 4 || strcmp(path + length - 4, ".dot") != 0) {
    return TN_FAIL(diag, INVALID_ARGUMENT,
                   "a graph is printed to a file whose name ends in .dot, not to '%s'",
                   path != NULL ? path : "");
  }
  tn_buf text;
  tn_buf_init(&text, TEXT_MAXIMUM);
  tn_buf_add_format(&text, "digraph graph_%llu {\n", (unsigned long long)graph->id);
  tn_mutex_lock(&graph->mu);
  for (size_t i = 0; i < graph->nodes.count; i++) {
    add_node(&text, graph->nodes.nodes[i], verbose != 0);
  }
  tn_mutex_unlock(&graph->mu);
  tn_buf_add_text(&text, "}\n");
  tn_status status = tn_buf_status(&text, diag);
  if (status == TN_OK && tn_file_write(path, tn_buf_bytes(&text), diag) != TN_OK) {
    status = TN_INVALID_ARGUMENT;  // what the extension asks for
    if (diag != NULL) {
      diag->code = (int32_t)status;
    }
  }
  tn_buf_deinit(&text);
  return status;
}
