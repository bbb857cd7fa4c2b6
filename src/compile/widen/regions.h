// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to compile/widen: a function cut into segments at its barriers, and the regions that they
// make: all segments that are reached from one barrier, or from the beginning, without another.
#ifndef TN_COMPILE_WIDEN_REGIONS_H
#define TN_COMPILE_WIDEN_REGIONS_H

#include "base/map.h"
#include "compile/widen/widen.h"

typedef struct tn_segment {
  LLVMBasicBlockRef block;
  LLVMValueRef first;  // instruction
  LLVMValueRef end;    // a barrier, or the terminator
  int next[2];         // segments; for a barrier, next[0] is behind it
  int next_count;
  int region;            // the one that begins here, or -1
  struct tn_member *first_member;
  struct tn_member *last_member;
} tn_segment;

// A segment's part in a region that holds it. It dominates the members whose `enter` is one of the
// `size` numbers from its own on.
typedef struct tn_member {
  int region;
  int idom;  // place in the region's order
  int enter;
  int size;
  int free;             // the number of the next member below this one
  struct tn_member *next;  // of the segment: regions ascending
} tn_member;

// Segments that are reached from a barrier without another, dominating ones first.
typedef struct tn_region {
  int *order;
  tn_member **members;  // by place in the order
  int count;
} tn_region;

typedef struct tn_regions {
  tn_arena *arena;
  LLVMValueRef function;
  tn_segment *segments;
  int segment_count;
  int *entries;  // region → its first segment
  int region_count;
  tn_region *regions;
  int *place;            // segment → its place in the region at hand, or -1
  tn_map first_segment;  // block → its first segment + 1
  tn_map last_segment;   // block → its last segment + 1
  tn_map segments_of;    // instruction → its segment + 1, in blocks with barriers
  bool failed;
} tn_regions;

// False when there is no memory. Takes time in proportion to the function and to the sizes of all
// its regions together, which are what the split function has to hold.
TN_MUST_USE bool tn_regions_init(tn_regions *cut, tn_arena *arena, LLVMValueRef function);
void tn_regions_deinit(tn_regions *cut);
int tn_regions_segment_of(const tn_regions *cut, LLVMValueRef instruction);
int tn_regions_last_segment_of(const tn_regions *cut, LLVMBasicBlockRef block);
// Whether `use_segment` is reached in some region without `def_segment` before it.
bool tn_regions_cross(const tn_regions *cut, int def_segment, int use_segment);

#endif
