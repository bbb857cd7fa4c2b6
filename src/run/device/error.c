// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as a language binding throws them. Creating one never fails: the program is about to hear
// of a failure, and must not hear of another one instead.
#include "tenon/error.h"

#include "base/alloc.h"
#include "base/base.h"
#include "base/thread.h"

#include <stddef.h>
#include <string.h>

struct tn_error {
  tn_ref ref;
  int32_t errc;
  bool has_code;  // with `code`, guarded by code_mu once the error is shared
  bool is_static;
  tn_context *context;  // retained
  const char *text;     // behind the error in its memory, or static
  _Alignas(max_align_t) unsigned char code[TN_ERROR_CODE_SIZE];
};

// Programs look at codes when something failed: one lock for all.
static tn_mutex code_mu = TN_MUTEX_INIT(TN_RANK_LEAF);

static const char *const texts[] = {
#define ERRC_TEXT(name, value, text) [value] = text,
    TN_ERRC_MAP(ERRC_TEXT)
#undef ERRC_TEXT
};

// For when there is no memory. Their first reference is never given back.
static tn_error without_memory[] = {
#define ERRC_ERROR(name, value, words) \
  [value] = {.ref = TN_REF_INIT, .errc = value, .is_static = true, .text = words},
    TN_ERRC_MAP(ERRC_ERROR)
#undef ERRC_ERROR
};

static bool is_errc(int32_t errc) {
  return errc >= 0 && errc < TN_ERRC_END;
}

const char *tn_errc_text(int32_t errc) {
  return is_errc(errc) ? texts[errc] : "unknown error";
}

static int32_t errc_of_status(int32_t status) {
  switch (status) {
#define STATUS_CASE(name, value, errc, text) \
  case value:                                \
    return TN_ERRC_##errc;
    TN_STATUS_MAP(STATUS_CASE)
#undef STATUS_CASE
    default:
      return TN_ERRC_runtime;
  }
}

tn_error *tn_error_create(int32_t errc, const char *text) {
  const int32_t known = is_errc(errc) ? errc : TN_ERRC_runtime;
  const size_t length = text ? strlen(text) : 0;
  tn_error *error = tn_alloc(sizeof(*error) + length + 1);
  if (!error) {
    tn_ref_up(&without_memory[known].ref);
    return &without_memory[known];
  }
  tn_ref_init(&error->ref);
  error->errc = known;
  char *copy = (char *)(error + 1);
  if (length > 0) {
    memcpy(copy, text, length);
  }
  error->text = copy;
  return error;
}

tn_error *tn_error_create_of_diag(const tn_diag *diag) {
  return tn_error_create(errc_of_status(diag->code), diag->text);
}

tn_error *tn_error_create_of_code(const void *code, size_t size, const char *text) {
  tn_error *error = tn_error_create(TN_ERRC_memory_allocation, text);
  if (!error->is_static && size <= sizeof(error->code)) {
    memcpy(error->code, code, size);
    error->has_code = true;
  }
  return error;
}

void tn_error_retain(tn_error *error) {
  if (error) {
    tn_ref_up(&error->ref);
  }
}

void tn_error_release(tn_error *error) {
  if (error && tn_ref_down(&error->ref)) {
    tn_context_release(error->context);
    tn_free(error);
  }
}

void tn_error_set_context(tn_error *error, tn_context *context) {
  if (!error->is_static) {
    tn_context_retain(context);
    tn_context_release(error->context);
    error->context = context;
  }
}

int32_t tn_error_errc(const tn_error *error) {
  return error->errc;
}

const void *tn_error_offer_code(tn_error *error, const void *code, size_t size) {
  tn_mutex_lock(&code_mu);
  if (!error->has_code && size <= sizeof(error->code)) {
    memcpy(error->code, code, size);
    error->has_code = true;
  }
  tn_mutex_unlock(&code_mu);
  return error->code;
}

const char *tn_error_text(const tn_error *error) {
  return error->text;
}

tn_context *tn_error_context(const tn_error *error) {
  return error->context;
}
