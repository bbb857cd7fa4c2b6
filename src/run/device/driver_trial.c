// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A driver that crashes or hangs while it is loaded would take the program with it. tenon-info,
// installed beside the library, looks at each adapter by a process of its own, with a time limit.
#include "run/device/driver_trial.h"

#include "base/dynlib.h"
#include "base/file.h"
#include "base/log.h"
#include "base/process.h"

#include <stdio.h>

#define TOOL "../bin/tenon-info"
enum { ARGUMENT_SIZE = 64, OUTPUT_MAXIMUM = 1 << 20 };

// "tenon-info: warning: opencl is left out: <reason>", where a driver failed; empty where none did.
static tn_str reason_of(const tn_buf *errors) {
  const tn_str warning = TN_STR_LIT("tenon-info: warning: ");
  const tn_str sign = TN_STR_LIT(" is left out: ");
  tn_str rest = tn_buf_str(errors);
  while (rest.size > 0) {
    const tn_str line = tn_str_split(&rest, '\n');
    const size_t at = tn_str_has_prefix(line, warning) ? tn_str_find(line, sign) : SIZE_MAX;
    if (at != SIZE_MAX) {
      return tn_str_slice(line, at + sign.size, line.size);
    }
  }
  return (tn_str){0};
}

static tn_status run(const char *tool, const char *adapter, uint32_t seconds, tn_diag *diag) {
  char of[ARGUMENT_SIZE];
  char timeout[ARGUMENT_SIZE];
  (void)snprintf(of, sizeof(of), "--adapter=%s", adapter);
  (void)snprintf(timeout, sizeof(timeout), "--timeout=%u", seconds);
  const char *const argv[] = {tool, "--ignore-device-selectors", of, timeout, NULL};
  tn_process process;
  TN_TRY(tn_process_start(
      argv, TN_PROCESS_CAPTURE_ERROR | TN_PROCESS_CAPTURE_OUTPUT | TN_PROCESS_NULL_INPUT, &process,
      diag));
  tn_buf output;
  tn_buf errors;
  tn_buf_init(&output, OUTPUT_MAXIMUM);
  tn_buf_init(&errors, OUTPUT_MAXIMUM);
  int exit_status = 0;
  tn_status status = tn_process_wait(&process, &output, &errors, &exit_status, diag);
  // Not the exit status: the program may reap its children itself.
  const tn_str reason = reason_of(&errors);
  if (status == TN_OK && reason.size > 0) {
    status = TN_FAIL(diag, DEVICE_FAILED, "%.*s; TENON_TRY_DRIVERS=%u had it tried first",
                     TN_STR_ARG(reason), seconds);
  }
  tn_buf_deinit(&output);
  tn_buf_deinit(&errors);
  return status;
}

tn_status tn_driver_try(const char *adapter, uint32_t seconds, tn_diag *diag) {
  static const char here = 0;
  char *own = tn_path_of_address(&here);
  char *tool = own ? tn_path_join(tn_path_dir(tn_str_from(own)), TN_STR_LIT(TOOL)) : NULL;
  TN_LOG(device, "%s: its drivers are tried by %s", adapter, tool ? tool : "nobody");
  const tn_status status =
      tool && tn_file_is_executable(tool)
          ? run(tool, adapter, seconds, diag)
          : TN_FAIL(diag, UNSUPPORTED,
                    "its drivers cannot be tried by another process, as TENON_TRY_DRIVERS asks: "
                    "%.300s is not there",
                    tool ? tool : TOOL);
  tn_free(own);
  tn_free(tool);
  return status;
}
