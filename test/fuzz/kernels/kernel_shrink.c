// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts at a kernel's tree: statements go, blocks take the place of what holds them, expressions
// become an operand or a constant, launches become smaller. A cut stays when the kernel still fails
// in the same way, which includes that the reference has no undefined behavior.
#include "fuzz/kernels/kernel_shrink.h"

#include <stdio.h>

typedef struct slots {
  tree ***items;  // each is an entry of some node's children
  uint32_t count;
  uint32_t capacity;
} slots;

typedef struct shrinker {
  const run_options *options;
  tn_arena *arena;
  kernel_case *it;
  outcome *found;
  uint32_t tries;
  slots list;
} shrinker;

static bool is_closed(const shrinker *s) {
  const uint32_t count = s->it->variable_count + 1;
  uint8_t *declared = tn_arena_alloc(s->arena, count);
  memset(declared, 0, count);
  return tree_is_closed(s->it->functions, declared, count) &&
         tree_is_closed(s->it->body, declared, count);
}

static bool run_one(const run_options *options, const kernel_case *it, batch *out) {
  tn_buf text;
  tn_buf_init(&text, 1 << 24);
  kernel_print_head(&text);
  kernel_print(it, 0, &text);
  *out = (batch){.text = tn_buf_text(&text), .size = text.size, .count = 1};
  out->launches[0] = it->launch;
  const bool is_run = batch_run(options, out);
  tn_buf_deinit(&text);
  out->text = NULL;
  return is_run;
}

// Whether the kernel, as it is now, fails as before.
static bool still_fails(shrinker *s) {
  static batch b;
  if (s->tries == 0 || !is_closed(s)) {
    return false;
  }
  s->tries--;
  run_options options = *s->options;
  options.levels = 1u << s->found->level;
  if (!run_one(&options, s->it, &b) || b.outcomes[0].kind != s->found->kind) {
    return false;
  }
  *s->found = b.outcomes[0];
  return true;
}

static void collect(shrinker *s, tree *node) {
  for (uint32_t i = 0; i < node->count; i++) {
    if (!node->kids[i]) {
      continue;
    }
    if (s->list.count == s->list.capacity) {
      const uint32_t capacity = s->list.capacity * 2 + 64;
      tree ***items = tn_arena_alloc_array(s->arena, capacity, sizeof(*items));
      if (s->list.count > 0) {
        memcpy(items, s->list.items, s->list.count * sizeof(*items));
      }
      s->list.items = items;
      s->list.capacity = capacity;
    }
    s->list.items[s->list.count++] = &node->kids[i];
    collect(s, node->kids[i]);
  }
}

static bool try_put(shrinker *s, tree **slot, tree *with) {
  tree *before = *slot;
  *slot = with;
  if (still_fails(s)) {
    return true;
  }
  *slot = before;
  return false;
}

// Statements of a block: ever smaller runs of them.
static bool cut_block(shrinker *s, tree *block) {
  bool has_changed = false;
  tree *before[256];
  for (uint32_t size = block->count; size > 0; size /= 2) {
    for (uint32_t at = 0; at + size <= block->count; at += size) {
      uint32_t there = 0;
      if (size > TN_COUNT(before)) {
        continue;
      }
      for (uint32_t i = 0; i < size; i++) {
        before[i] = block->kids[at + i];
        const bool goes = before[i] && before[i]->kind != TREE_FIXED;
        there += goes ? 1 : 0;
        block->kids[at + i] = goes ? NULL : before[i];
      }
      if (there > 0 && still_fails(s)) {
        has_changed = true;
      } else {
        memcpy(&block->kids[at], before, size * sizeof(before[0]));
      }
    }
  }
  return has_changed;
}

static bool cut_blocks(shrinker *s, tree *node) {
  bool has_changed = node->kind == TREE_BLOCK && cut_block(s, node);
  for (uint32_t i = 0; i < node->count; i++) {
    has_changed = (node->kids[i] && cut_blocks(s, node->kids[i])) || has_changed;
  }
  return has_changed;
}

static tree *constant_node(shrinker *s, kernel_type type, int number) {
  const char *form = tn_arena_format(s->arena, type.width == 0 ? "(%s)%d" : "%s(%d)",
                                     type_name(s->arena, type), number);
  return tree_node(s->arena, TREE_EXPRESSION, type, form, 0, NULL);
}

static bool cut_expression(shrinker *s, tree **slot) {
  tree *node = *slot;
  if (node->count == 0 && node->variable == 0) {
    return false;
  }
  for (int number = 0; number < 2; number++) {
    if (node->type.width == 0 && try_put(s, slot, constant_node(s, node->type, number))) {
      return true;
    }
  }
  for (uint32_t i = 0; i < node->count; i++) {
    if (node->kids[i] && type_is_equal(node->kids[i]->type, node->type) &&
        try_put(s, slot, node->kids[i])) {
      return true;
    }
  }
  return false;
}

static bool cut_statement(shrinker *s, tree **slot) {
  tree *node = *slot;
  for (uint32_t i = 0; i < node->count; i++) {
    if (node->kids[i] && node->kids[i]->kind == TREE_BLOCK && try_put(s, slot, node->kids[i])) {
      return true;
    }
  }
  return false;
}

static bool cut_nodes(shrinker *s, bool is_expression) {
  bool has_changed = false;
  s->list.count = 0;
  collect(s, s->it->functions);
  collect(s, s->it->body);
  for (uint32_t i = 0; i < s->list.count && s->tries > 0; i++) {
    tree **slot = s->list.items[i];
    if (*slot && (*slot)->kind == (is_expression ? TREE_EXPRESSION : TREE_STATEMENT)) {
      // What hangs below a node that went is not part of the kernel any more: those cuts cost a
      // run each, and change nothing.
      const bool done = is_expression ? cut_expression(s, slot) : cut_statement(s, slot);
      if (done) {
        has_changed = true;
        s->list.count = 0;
        collect(s, s->it->functions);
        collect(s, s->it->body);
      }
    }
  }
  return has_changed;
}

static bool cut_launch(shrinker *s) {
  kernel_launch *l = &s->it->launch;
  bool has_changed = false;
  for (uint32_t i = 0; i < l->dims; i++) {
    const kernel_launch before = *l;
    if (l->global[i] > l->local[i]) {
      l->global[i] = l->is_nd ? l->local[i] : (l->global[i] + 1) / 2;
      if (still_fails(s)) {
        has_changed = true;
      } else {
        *l = before;
      }
    }
  }
  const kernel_launch before = *l;
  // Without a size of their own, sub-groups have the shape that the driver chooses.
  const bool is_portable = strcmp(s->options->target, "native_cpu") != 0;
  for (uint32_t size = 0; !is_portable && size < before.sub_group;
       size = size == 0 ? 4 : size * 2) {
    l->sub_group = size;
    if (still_fails(s)) {
      return true;
    }
    *l = before;
  }
  return has_changed;
}

void kernel_shrink(const run_options *options, tn_arena *arena, kernel_case *it, outcome *found,
                   uint32_t tries) {
  shrinker s = {.options = options, .arena = arena, .it = it, .found = found, .tries = tries};
  for (bool has_changed = true; has_changed && s.tries > 0;) {
    has_changed = cut_blocks(&s, it->body);
    has_changed = cut_blocks(&s, it->functions) || has_changed;
    has_changed = cut_nodes(&s, false) || has_changed;
    has_changed = cut_launch(&s) || has_changed;
    has_changed = cut_nodes(&s, true) || has_changed;
  }
}

static const char program[] =
    "\n#if !defined(__TENON_RTC__) && !defined(FUZZ_REFERENCE)\n"
    "#include <cstdint>\n#include <cstdio>\n#include <cstring>\n#include <type_traits>\n"
    "#include <sys/mman.h>\n"
    "// A buffer between pages without access: behind one, or before one.\n"
    "static char *guarded(size_t size, bool at_end) {\n"
    "  const size_t pages = (size + 4095) / 4096 * 4096;\n"
    "  char *map = (char *)mmap(nullptr, pages + 131072, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, "
    "-1, "
    "0);\n"
    "  mprotect(map + 65536, pages, PROT_READ | PROT_WRITE);\n"
    "  return map + 65536 + (at_end ? pages - size : 0);\n}\n"
    "static uint64_t random_u64(uint64_t *state) {\n"
    "  uint64_t z = *state += 0x9e3779b97f4a7c15u;\n"
    "  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;\n"
    "  z = (z ^ z >> 27) * 0x94d049bb133111ebu;\n"
    "  return z ^ z >> 31;\n}\n"
    "template <class T> static void fill(char *to, size_t count, int64_t low, int64_t high,\n"
    "                                    uint64_t seed) {\n"
    "  const uint64_t span = (uint64_t)high - (uint64_t)low + 1;\n"
    "  for (size_t i = 0; i < count; i++) {\n"
    "    const uint64_t r = random_u64(&seed);\n"
    "    const int64_t n = (int64_t)((uint64_t)low + (span == 0 ? r : r % span));\n"
    "    const T v = std::is_floating_point<T>::value ? (T)n * (T)0.25 : (T)n;\n"
    "    memcpy(to + i * sizeof(T), &v, sizeof(T));\n  }\n}\n"
    "static uint64_t digest(const char *at, size_t size) {\n"
    "  uint64_t d = 0xcbf29ce484222325u;\n"
    "  for (size_t i = 0; i < size; i++) d = (d ^ (unsigned char)at[i]) * 0x100000001b3u;\n"
    "  return d;\n}\n"
    "int main() {\n  int wrong = 0;\n  sycl::queue q;\n";

static const char turns[] =
    "  for (int at_end = 0; at_end < 2; at_end++) {\n    k0::args a = {};\n";

static void print_buffers(const kernel_launch *l, tn_buf *out) {
  tn_arena arena;
  tn_arena_init(&arena);
  for (uint32_t i = 0; i < l->buffer_count; i++) {
    const kernel_buffer *b = &l->buffers[i];
    const size_t size = kernel_buffer_size(b);
    tn_buf_add_format(out,
                      "    char *b%u = guarded(%zu, at_end);\n"
                      "    fill<%s>(b%u, %zu, %lldl, %lldl, %lluul);\n    a.b%u = (%s *)b%u;\n",
                      i, size, type_of(b->type)->name, i, size / type_of(b->type)->size,
                      (long long)b->low + (b->low == INT64_MIN), (long long)b->high,
                      (unsigned long long)b->seed, i, type_name(&arena, b->type), i);
  }
  for (uint32_t i = 0; i < l->scalar_count; i++) {
    const kernel_scalar *s = &l->scalars[i];
    tn_buf_add_format(
        out, type_of(s->type)->is_float ? "    a.s%u = %lldl * 0.25f;\n" : "    a.s%u = %lldl;\n",
        i, (long long)s->value);
  }
  tn_arena_deinit(&arena);
}

void kernel_print_program(const run_options *options, const kernel_case *it, const outcome *found,
                          tn_buf *out) {
  static batch b;
  tn_buf_add_text(out, "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n");
  tn_buf_add_format(out, "// %s at TENON_JIT_OPT=%u, compiled with %s: %s\n",
                    outcome_name(found->kind), found->level, options->front, found->text);
  kernel_print_head(out);
  kernel_print(it, 0, out);
  run_options reference_only = *options;
  reference_only.levels = 0;
  if (!run_one(&reference_only, it, &b)) {
    return;
  }
  tn_buf_add_text(out, program);
  tn_buf_add_format(out,
                    "#ifdef TN_TEST_FUZZ_KERNELS_REFERENCE_SYCL_HPP\n"
                    "  sycl::reference::the_world()->sub_group_size = %u;\n#endif\n",
                    it->launch.sub_group == 0 ? 8 : it->launch.sub_group);
  tn_buf_add_text(out, turns);
  print_buffers(&it->launch, out);
  tn_buf_add_text(out, "    k0::launch(q, a);\n    q.wait_and_throw();\n");
  for (uint32_t i = 0; i < it->launch.buffer_count; i++) {
    tn_buf_add_format(out,
                      "    if (digest(b%u, %zu) != %lluul) {\n"
                      "      printf(\"buffer %u is wrong\\n\");\n      wrong = 1;\n    }\n",
                      i, kernel_buffer_size(&it->launch.buffers[i]),
                      (unsigned long long)b.digests[0][i], i);
  }
  tn_buf_add_text(out, "  }\n  puts(wrong ? \"wrong\" : \"right\");\n  return wrong;\n}\n#endif\n");
}
