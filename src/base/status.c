// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words of the status table.
#include "tenon/status.h"

typedef struct status_row {
  int code;
  const char *name;
  const char *text;
} status_row;

static const status_row rows[] = {
#define STATUS_ROW(name, value, errc, text) {value, #name, text},
    TN_STATUS_MAP(STATUS_ROW)
#undef STATUS_ROW
};

static const status_row *find_row(tn_status status) {
  for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
    if (rows[i].code == (int)status) {
      return &rows[i];
    }
  }
  return NULL;
}

const char *tn_status_text(tn_status status) {
  const status_row *row = find_row(status);
  return row ? row->text : "unknown status";
}

const char *tn_status_name(tn_status status) {
  const status_row *row = find_row(status);
  return row ? row->name : "UNKNOWN";
}
