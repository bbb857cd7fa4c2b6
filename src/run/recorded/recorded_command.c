// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A command with all that it points to, copied.
#include "base/alloc.h"
#include "run/recorded/recorded_object.h"

#include <string.h>

static void user_release(tn_recorded_user *user) {
  if (user != NULL && tn_ref_down(&user->ref)) {
    if (user->free_user != NULL) {
      user->free_user(user->user);
    }
    tn_free(user);
  }
}

void tn_recorded_retain(tn_recorded *recorded) { tn_ref_up(&recorded->ref); }

void tn_recorded_release(tn_recorded *recorded) {
  if (recorded == NULL || !tn_ref_down(&recorded->ref)) {
    return;
  }
  for (size_t i = 0; recorded->accesses != NULL && i < recorded->command.access_count; i++) {
    tn_buffer_release(recorded->accesses[i].buffer);
  }
  tn_free(recorded->accesses);
  tn_free(recorded->locals);
  tn_free(recorded->pattern);
  tn_free_aligned(recorded->args);
  if (recorded->kernel != NULL) {
    tn_kernel_release(recorded->kernel);
  }
  tn_graph_exec_release(recorded->nested);
  user_release(recorded->user);
  tn_free(recorded);
}

static tn_status copy_bytes(const void *from, size_t size, void **out, tn_diag *diag) {
  if (from == NULL || size == 0) {
    return TN_OK;
  }
  *out = tn_alloc(size);
  if (*out == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %zu bytes of a command of a graph", size);
  }
  memcpy(*out, from, size);
  return TN_OK;
}

static tn_status copy_args(tn_recorded *to, const tn_command *from, tn_diag *diag) {
  size_t alignment = from->arg_align > 64 ? from->arg_align : 64;
  if (from->kind != TN_COMMAND_KERNEL || from->arg_size == 0) {
    return TN_OK;
  }
  if (to->kernel->arg_align > alignment) {
    alignment = to->kernel->arg_align;
  }
  to->args = tn_alloc_aligned(from->arg_size, alignment);
  if (to->args == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for %u bytes of kernel arguments",
                   from->arg_size);
  }
  memcpy(to->args, from->args, from->arg_size);
  to->command.args = to->args;
  return TN_OK;
}

static tn_status copy_contents(tn_recorded *to, const tn_command *from, tn_diag *diag) {
  void *accesses = NULL;
  void *locals = NULL;
  to->command.access_count = 0;
  TN_TRY(copy_args(to, from, diag));
  TN_TRY(copy_bytes(from->locals, from->local_count * sizeof(tn_local), &locals, diag));
  to->locals = locals;
  to->command.locals = locals;
  const bool has_pattern = from->kind == TN_COMMAND_FILL || from->kind == TN_COMMAND_FILL_RECT;
  if (has_pattern) {
    TN_TRY(copy_bytes(from->pattern, from->pattern_size, &to->pattern, diag));
    to->command.pattern = to->pattern;
  }
  TN_TRY(copy_bytes(from->accesses, from->access_count * sizeof(tn_access), &accesses, diag));
  to->accesses = accesses;
  to->command.accesses = accesses;
  to->command.access_count = from->access_count;
  for (size_t i = 0; i < from->access_count; i++) {
    tn_buffer_retain(to->accesses[i].buffer);
  }
  return TN_OK;
}

static tn_status copy_command(const tn_command *command, tn_kernel *kernel, bool is_empty,
                              tn_recorded **out, tn_diag *diag) {
  *out = NULL;
  tn_recorded *made = tn_alloc(sizeof(*made));
  if (made == NULL) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command of a graph");
  }
  tn_ref_init(&made->ref);
  made->is_empty = is_empty;
  made->command = *command;
  made->command.struct_size = sizeof(tn_command);
  made->command.events = NULL;
  made->command.event_count = 0;
  made->command.slot = NULL;
  made->command.specs = NULL;  // the kernel has them
  made->command.spec_count = 0;
  made->command.kernel = kernel;
  made->kernel = kernel;
  if (kernel != NULL) {
    tn_kernel_retain(kernel);
  }
  const tn_status status = copy_contents(made, command, diag);
  if (status != TN_OK) {
    tn_recorded_release(made);
    return status;
  }
  *out = made;
  return TN_OK;
}

tn_status tn_recorded_create(const tn_command *command, tn_kernel *kernel, bool is_empty,
                             tn_recorded **out, tn_diag *diag) {
  TN_TRY(copy_command(command, kernel, is_empty, out, diag));
  tn_recorded *made = *out;
  if (command->host_task == NULL && command->free_user == NULL) {
    return TN_OK;
  }
  made->user = tn_alloc(sizeof(*made->user));
  if (made->user == NULL) {
    tn_recorded_release(made);
    *out = NULL;
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for a command of a graph");
  }
  tn_ref_init(&made->user->ref);
  made->user->host_task = command->host_task;
  made->user->user = command->user;
  made->user->free_user = command->free_user;
  return TN_OK;
}

tn_status tn_recorded_copy(const tn_recorded *from, tn_recorded **out, tn_diag *diag) {
  TN_TRY(copy_command(&from->command, from->kernel, from->is_empty, out, diag));
  if (from->user != NULL) {
    tn_ref_up(&from->user->ref);
    (*out)->user = from->user;
  }
  if (from->nested != NULL) {
    tn_graph_exec_retain(from->nested);
    (*out)->nested = from->nested;
  }
  return TN_OK;
}

static tn_status call_user(void *user, tn_diag *diag) {
  const tn_recorded_user *self = user;
  return self->host_task != NULL ? self->host_task(self->user, diag) : TN_OK;
}

static void drop_user(void *user) { user_release(user); }

void tn_recorded_borrow(const tn_recorded *recorded, tn_command *out) {
  *out = recorded->command;
  out->free_user = NULL;
  out->user = recorded->user;
  if (recorded->user != NULL) {
    out->host_task = call_user;
  }
}

void tn_recorded_prepare(tn_recorded *recorded, tn_command *out) {
  tn_recorded_borrow(recorded, out);
  if (recorded->user != NULL) {
    tn_ref_up(&recorded->user->ref);
    out->free_user = drop_user;
  }
}
