// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Dominators by region tell which values live on from one region to another.
#include "compile/widen/regions.h"

static void *get_memory(tn_regions *cut, size_t count, size_t size) {
  void *memory = tn_arena_alloc_array(cut->arena, count + 1, size);
  cut->failed = cut->failed || !memory;
  return memory;
}

static void keep(tn_regions *cut, tn_map *map, LLVMValueRef key, void *value) {
  cut->failed = !tn_map_set(map, TN_POINTER_KEY(key), value) || cut->failed;
}

static void keep_block(tn_regions *cut, tn_map *map, LLVMBasicBlockRef block, int number) {
  cut->failed = !tn_map_set(map, TN_POINTER_KEY(block), (void *)(intptr_t)number) || cut->failed;
}

static int first_segment_of(const tn_regions *cut, LLVMBasicBlockRef block) {
  return (int)(intptr_t)tn_map_find(&cut->first_segment, TN_POINTER_KEY(block)) - 1;
}

static void add_segment(tn_regions *cut, const tn_segment *added, bool has_others) {
  cut->segments[cut->segment_count++] = *added;
  for (LLVMValueRef i = added->first; i && has_others; i = LLVMGetNextInstruction(i)) {
    keep(cut, &cut->segments_of, i, (void *)(intptr_t)cut->segment_count);
    if (i == added->end) {
      break;
    }
  }
}

static void find_segments(tn_regions *cut) {
  int count = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(cut->function); b;
       b = LLVMGetNextBasicBlock(b)) {
    count++;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
      count += tn_group_op_is_group_barrier(i) ? 1 : 0;
    }
  }
  cut->segments = get_memory(cut, (size_t)count, sizeof(tn_segment));
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(cut->function); b && !cut->failed;
       b = LLVMGetNextBasicBlock(b)) {
    LLVMValueRef first = LLVMGetFirstInstruction(b);
    keep_block(cut, &cut->first_segment, b, cut->segment_count + 1);
    for (LLVMValueRef i = first; i; i = LLVMGetNextInstruction(i)) {
      const bool is_barrier = tn_group_op_is_group_barrier(i);
      if (is_barrier || LLVMIsATerminatorInst(i)) {
        add_segment(cut, &(tn_segment){.block = b, .first = first, .end = i, .region = -1},
                    is_barrier || first != LLVMGetFirstInstruction(b));
        first = LLVMGetNextInstruction(i);
      }
    }
    keep_block(cut, &cut->last_segment, b, cut->segment_count);
  }
}

static void link_segments(tn_regions *cut) {
  cut->entries = get_memory(cut, (size_t)cut->segment_count, sizeof(int));
  if (cut->failed) {
    return;
  }
  cut->segments[0].region = cut->region_count;
  cut->entries[cut->region_count++] = 0;
  for (int i = 0; i < cut->segment_count; i++) {
    tn_segment *at = &cut->segments[i];
    if (!LLVMIsATerminatorInst(at->end)) {
      at->next[0] = i + 1;
      cut->segments[i + 1].region = cut->region_count;
      cut->entries[cut->region_count++] = i + 1;
      continue;
    }
    at->next_count = (int)LLVMGetNumSuccessors(at->end);
    for (int k = 0; k < at->next_count && k < 2; k++) {
      at->next[k] = first_segment_of(cut, LLVMGetSuccessor(at->end, (unsigned)k));
    }
  }
}

int tn_regions_segment_of(const tn_regions *cut, LLVMValueRef instruction) {
  const int at = (int)(intptr_t)tn_map_find(&cut->segments_of, TN_POINTER_KEY(instruction)) - 1;
  return at >= 0 ? at : first_segment_of(cut, LLVMGetInstructionParent(instruction));
}

int tn_regions_last_segment_of(const tn_regions *cut, LLVMBasicBlockRef block) {
  return (int)(intptr_t)tn_map_find(&cut->last_segment, TN_POINTER_KEY(block)) - 1;
}

// Regions.

// What the search for a region's segments works with, as large as all segments; `place` is -1 where
// a segment has not been met.
typedef struct search {
  int *stack;
  int *next;
  int *post;
} search;

// Definitions come before uses when dominating segments are copied first.
static int order_segments(tn_regions *cut, const search *work, int entry) {
  int count = 0;
  int depth = 0;
  work->stack[depth] = entry;
  cut->place[entry] = 0;
  work->next[depth++] = 0;
  while (depth > 0) {
    const tn_segment *at = &cut->segments[work->stack[depth - 1]];
    if (work->next[depth - 1] == at->next_count) {
      work->post[count++] = work->stack[--depth];
      continue;
    }
    const int to = at->next[work->next[depth - 1]++];
    if (cut->place[to] < 0) {
      cut->place[to] = 0;
      work->stack[depth] = to;
      work->next[depth++] = 0;
    }
  }
  return count;
}

static int common_dominator(const tn_region *region, int a, int b) {
  while (a != b) {
    while (a > b) {
      a = region->members[a]->idom;
    }
    while (b > a) {
      b = region->members[b]->idom;
    }
  }
  return a;
}

// Each place hands its dominator on to those that follow it, until nothing changes: two rounds, but
// for nested loops.
static void find_dominators(const tn_regions *cut, const tn_region *region) {
  region->members[0]->idom = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (int p = 0; p < region->count; p++) {
      const tn_segment *at = &cut->segments[region->order[p]];
      for (int k = 0; k < at->next_count; k++) {
        const int to = cut->place[at->next[k]];
        tn_member *m = region->members[to];
        const int idom = m->idom < 0 ? p : common_dominator(region, m->idom, p);
        changed = changed || idom != m->idom;
        m->idom = idom;
      }
    }
  }
}

// Each member's subtree is a run of numbers; dominators have lower places than what they dominate.
static void number_dominators(const tn_region *region) {
  for (int p = region->count - 1; p >= 0; p--) {
    tn_member *m = region->members[p];
    m->size++;  // itself
    if (p > 0) {
      region->members[m->idom]->size += m->size;
    }
  }
  for (int p = 0; p < region->count; p++) {
    tn_member *m = region->members[p];
    tn_member *parent = region->members[m->idom];
    m->enter = p == 0 ? 0 : parent->free;
    parent->free += p == 0 ? 0 : m->size;
    m->free = m->enter + 1;
  }
}

static void add_member(tn_regions *cut, int region, int place) {
  tn_segment *at = &cut->segments[cut->regions[region].order[place]];
  tn_member *m = get_memory(cut, 1, sizeof(*m));
  cut->regions[region].members[place] = m;
  if (m) {
    *m = (tn_member){.region = region, .idom = -1};
    *(at->last_member ? &at->last_member->next : &at->first_member) = m;
    at->last_member = m;
  }
}

static void find_region(tn_regions *cut, const search *work, int region) {
  tn_region *r = &cut->regions[region];
  r->count = order_segments(cut, work, cut->entries[region]);
  r->order = get_memory(cut, (size_t)r->count, sizeof(*r->order));
  r->members = get_memory(cut, (size_t)r->count, sizeof(*r->members));
  for (int p = 0; p < r->count && !cut->failed; p++) {
    r->order[p] = work->post[r->count - 1 - p];
    cut->place[r->order[p]] = p;
    add_member(cut, region, p);
  }
  if (!cut->failed) {
    find_dominators(cut, r);
    number_dominators(r);
  }
  for (int p = 0; p < r->count && !cut->failed; p++) {
    cut->place[r->order[p]] = -1;
  }
}

static void find_regions(tn_regions *cut) {
  const size_t count = (size_t)cut->segment_count;
  const search work = {.stack = get_memory(cut, count, sizeof(int)),
                       .next = get_memory(cut, count, sizeof(int)),
                       .post = get_memory(cut, count, sizeof(int))};
  cut->place = get_memory(cut, count, sizeof(int));
  cut->regions = get_memory(cut, (size_t)cut->region_count, sizeof(*cut->regions));
  for (size_t i = 0; i < count && !cut->failed; i++) {
    cut->place[i] = -1;
  }
  for (int r = 0; r < cut->region_count && !cut->failed; r++) {
    find_region(cut, &work, r);
  }
}

bool tn_regions_cross(const tn_regions *cut, int def_segment, int use_segment) {
  const tn_member *def = cut->segments[def_segment].first_member;
  if (def_segment == use_segment) {
    return false;
  }
  for (const tn_member *use = cut->segments[use_segment].first_member; use; use = use->next) {
    while (def && def->region < use->region) {
      def = def->next;
    }
    if (!def || def->region != use->region || use->enter < def->enter ||
        use->enter >= def->enter + def->size) {
      return true;
    }
  }
  return false;
}

bool tn_regions_init(tn_regions *cut, tn_arena *arena, LLVMValueRef function) {
  *cut = (tn_regions){.arena = arena, .function = function};
  tn_map_init(&cut->first_segment);
  tn_map_init(&cut->last_segment);
  tn_map_init(&cut->segments_of);
  find_segments(cut);
  if (!cut->failed) {
    link_segments(cut);
  }
  if (!cut->failed) {
    find_regions(cut);
  }
  return !cut->failed;
}

void tn_regions_deinit(tn_regions *cut) {
  tn_map_deinit(&cut->first_segment);
  tn_map_deinit(&cut->last_segment);
  tn_map_deinit(&cut->segments_of);
}
