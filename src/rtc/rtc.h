// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The compiler as the runtime's plug-in: the table of tenon/compiler.h.
#ifndef TN_RTC_RTC_H
#define TN_RTC_RTC_H

#include "base/base.h"
#include "tenon/compiler.h"

// The library's one export. NULL when `max_version` is too old for the table.
TN_API const tn_compiler *tn_compiler_query(uint32_t max_version);

// The table's import_bitcode.
TN_MUST_USE tn_status tn_rtc_import_bitcode(const void *bitcode, size_t size, const char *name,
                                            void **out_fatbin, size_t *out_size, tn_diag *diag);

// The table's emit_spirv.
TN_MUST_USE tn_status tn_rtc_emit_spirv(const void *bitcode, size_t size, uint32_t opt_level,
                                        void **out_code, size_t *out_size, tn_diag *diag);

// The table's slots that hold machine code; see tenon/compiler.h.
TN_MUST_USE tn_status tn_native_code_load(const void *object, size_t size, tn_native_code **out,
                                          tn_diag *diag);
void *tn_native_code_find(tn_native_code *code, const char *symbol);
void tn_native_code_unload(tn_native_code *code);

#endif
