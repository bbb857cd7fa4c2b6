// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to program: values of specialization constants, as launches give them and as a program
// is made with them.
#ifndef TN_RUN_PROGRAM_SPEC_VALUES_H
#define TN_RUN_PROGRAM_SPEC_VALUES_H

#include "run/program/link_set.h"
#include "run/program/program_object.h"
#include "tenon/compiler.h"
#include "tenon/kernel.h"

// As given, byte for byte: equal keys mean equal values. Padding may make equal values differ.
// Writes as many bytes as the first says.
size_t tn_spec_values_key_size(const tn_spec_value *values, size_t count);
void tn_spec_values_key_write(const tn_spec_value *values, size_t count, char *out);

// What differs from the defaults of a link set: sorted by name, padding 0, each name once.
typedef struct tn_spec_settled {
  tn_build_spec *items;  // all of the set's arena
  size_t count;
  // Where something differs, programs that are compiled are made for this kernel alone: the others
  // of its image may never be launched with these values. Empty: all.
  tn_str kernel;
} tn_spec_settled;
// What no image of the set reads is left out. INVALID_ARGUMENT when a size is not the type's.
TN_MUST_USE tn_status tn_spec_values_settle(tn_link_set *set, const tn_spec_value *values,
                                            size_t count, tn_spec_settled *out, tn_diag *diag);
void tn_spec_settled_key(const tn_spec_settled *settled, tn_buf *out);

// What is settled, in its place in a buffer that holds the image's defaults.
void tn_spec_values_write(const tn_image *image, const tn_spec_settled *settled, uint8_t *buffer);
// The buffer that a program of machine code reads: the image's defaults, with what is settled in
// their place. Nothing to do when the image has no constants.
TN_MUST_USE tn_status tn_program_make_specs(tn_program *program, const tn_image *image,
                                            const tn_spec_settled *settled, tn_diag *diag);
// Whether the device's programs read a buffer of the runtime's.
bool tn_program_can_have_specs(const tn_program *program);
// The adapter learns of the buffer, if there is one: last, before a kernel is found.
TN_MUST_USE tn_status tn_program_hand_specs(tn_program *program, tn_diag *diag);

#endif
