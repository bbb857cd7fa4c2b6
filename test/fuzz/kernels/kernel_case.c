// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's text, its launch as comments and back, its buffers and argument block.
#include "fuzz/kernels/kernel_case.h"

#include <inttypes.h>
#include <stdio.h>

// SYCL's queue and handler as far as kernels of a source at run time need them, which has neither:
// a launch there only makes the kernel.
static const char head[] =
    "#include <sycl/sycl.hpp>\n"
    "#ifdef __TENON_RTC__\n"
    "namespace sycl {\n"
    "class handler {\n"
    " public:\n"
    "  template <class Name, int D, class F> void parallel_for(range<D>, const F &) {\n"
    "    detail::emit_kernel<Name, F, detail::range_shape<D>>();\n"
    "  }\n"
    "  template <class Name, int D, class F> void parallel_for(nd_range<D>, const F &) {\n"
    "    detail::emit_kernel<Name, F, detail::nd_range_shape<D>>();\n"
    "  }\n"
    "};\n"
    "class queue {\n"
    " public:\n"
    "  template <class F> void submit(const F &f) { handler h; f(h); }\n"
    "};\n"
    "}\n"
    "#endif\n";

void kernel_print_head(tn_buf *out) { tn_buf_add_text(out, head); }

static void print_launch(const kernel_case *it, uint32_t number, tn_buf *out) {
  const kernel_launch *l = &it->launch;
  tn_buf_add_format(out, "// seed %" PRIu64 ", kernel %" PRIu64 "\n", it->seed, it->index);
  tn_buf_add_format(out, "//@ kernel %u nd %d dims %u global %u %u %u local %u %u %u sub %u\n",
                    number, l->is_nd, l->dims, l->global[0], l->global[1], l->global[2],
                    l->local[0], l->local[1], l->local[2], l->sub_group);
  for (uint32_t i = 0; i < l->buffer_count; i++) {
    const kernel_buffer *b = &l->buffers[i];
    tn_buf_add_format(
        out,
        "//@ buffer %u %u count %u low %" PRId64 " high %" PRId64 " seed %" PRIu64 " written %d\n",
        b->type.scalar, b->type.width, b->count, b->low, b->high, b->seed, b->is_written);
  }
  for (uint32_t i = 0; i < l->scalar_count; i++) {
    tn_buf_add_format(out, "//@ scalar %u value %" PRId64 "\n", l->scalars[i].type.scalar,
                      l->scalars[i].value);
  }
  for (uint32_t i = 0; i < l->local_count; i++) {
    tn_buf_add_format(out, "//@ local %u count %u\n", l->locals[i].type.scalar, l->locals[i].count);
  }
}

static void print_range(const char *type, uint32_t dims, const uint32_t *sizes, tn_buf *out) {
  tn_buf_add_format(out, "%s<%u>(", type, dims);
  for (uint32_t i = 0; i < dims; i++) {
    tn_buf_add_format(out, i > 0 ? ", %u" : "%u", sizes[i]);
  }
  tn_buf_add_text(out, ")");
}

static void print_arguments(const kernel_launch *l, tn_arena *arena, tn_buf *out) {
  tn_buf_add_text(out,
                  "struct record {\n  int a;\n  short b;\n  unsigned long c;\n  float d;\n};\n");
  tn_buf_add_text(out, "struct args {\n");
  for (uint32_t i = 0; i < l->buffer_count; i++) {
    tn_buf_add_format(out, "  %s%s *b%u;\n", l->buffers[i].is_written ? "" : "const ",
                      type_name(arena, l->buffers[i].type), i);
  }
  for (uint32_t i = 0; i < l->scalar_count; i++) {
    tn_buf_add_format(out, "  alignas(8) %s s%u;\n", type_name(arena, l->scalars[i].type), i);
  }
  tn_buf_add_text(out, "};\n");
}

static void print_kernel(const kernel_case *it, tn_arena *arena, tn_buf *out) {
  const kernel_launch *l = &it->launch;
  tn_buf_add_text(out,
                  "void launch(sycl::queue &q, const args &a) {\n"
                  "  q.submit([&](sycl::handler &h) {\n");
  for (uint32_t i = 0; i < l->local_count; i++) {
    tn_buf_add_format(out, "    sycl::local_accessor<%s, 1> l%u(sycl::range<1>(%u), h);\n",
                      type_name(arena, l->locals[i].type), i, l->locals[i].count);
  }
  tn_buf_add_text(out, "    h.parallel_for<name>(");
  if (l->is_nd) {
    tn_buf_add_format(out, "sycl::nd_range<%u>(", l->dims);
    print_range("sycl::range", l->dims, l->global, out);
    tn_buf_add_text(out, ", ");
    print_range("sycl::range", l->dims, l->local, out);
    tn_buf_add_text(out, ")");
  } else {
    print_range("sycl::range", l->dims, l->global, out);
  }
  tn_buf_add_text(out, ", [a");
  for (uint32_t i = 0; i < l->local_count; i++) {
    tn_buf_add_format(out, ", l%u", i);
  }
  tn_buf_add_format(out, "](sycl::%s<%u> it)", l->is_nd ? "nd_item" : "item", l->dims);
  if (l->sub_group != 0) {
    tn_buf_add_format(out, " [[sycl::reqd_sub_group_size(%u)]]", l->sub_group);
  }
  tn_buf_add_text(out, " {\n");
  tree_print(it->body, 3, out);
  tn_buf_add_text(out, "    });\n  });\n}\n");
}

void kernel_print(const kernel_case *it, uint32_t number, tn_buf *out) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_buf_add_char(out, '\n');
  print_launch(it, number, out);
  tn_buf_add_format(out, "namespace k%u {\nclass name;\n", number);
  print_arguments(&it->launch, &arena, out);
  tree_print(it->functions, 0, out);
  print_kernel(it, &arena, out);
  tn_buf_add_format(out,
                    "}\n#ifdef FUZZ_REFERENCE\nextern \"C\" void launch_%u(const void *a) {\n"
                    "  sycl::reference::the_world()->sub_group_size = %u;\n"
                    "  sycl::queue q;\n  k%u::launch(q, *static_cast<const k%u::args *>(a));\n"
                    "}\n#endif\n",
                    number, it->launch.sub_group == 0 ? 8 : it->launch.sub_group, number, number);
  tn_arena_deinit(&arena);
}

static bool parse_type(unsigned scalar, unsigned width, kernel_type *out) {
  *out = (kernel_type){(uint8_t)scalar, (uint8_t)width};
  return scalar < TYPE_COUNT && width <= 16;
}

static bool parse_line(const char *line, kernel_launch *l) {
  unsigned scalar = 0;
  unsigned width = 0;
  int written = 0;
  kernel_buffer b = {0};
  kernel_scalar s = {0};
  kernel_local m = {0};
  if (sscanf(line,
             "//@ buffer %u %u count %u low %" SCNd64 " high %" SCNd64 " seed %" SCNu64
             " written %d",
             &scalar, &width, &b.count, &b.low, &b.high, &b.seed, &written) == 7) {
    b.is_written = written != 0;
    const bool is_good = parse_type(scalar, width, &b.type) && l->buffer_count < KERNEL_BUFFERS;
    l->buffers[is_good ? l->buffer_count++ : 0] = b;
    return is_good;
  }
  if (sscanf(line, "//@ scalar %u value %" SCNd64, &scalar, &s.value) == 2) {
    const bool is_good = parse_type(scalar, 0, &s.type) && l->scalar_count < KERNEL_SCALARS;
    l->scalars[is_good ? l->scalar_count++ : 0] = s;
    return is_good;
  }
  if (sscanf(line, "//@ local %u count %u", &scalar, &m.count) == 2) {
    const bool is_good = parse_type(scalar, 0, &m.type) && l->local_count < KERNEL_LOCALS;
    l->locals[is_good ? l->local_count++ : 0] = m;
    return is_good;
  }
  return false;
}

bool kernel_launch_parse(const char **at, kernel_launch *out) {
  const char *line = strstr(*at, "//@ kernel ");
  *out = (kernel_launch){0};
  unsigned number = 0;
  int nd = 0;
  if (!line || sscanf(line, "//@ kernel %u nd %d dims %u global %u %u %u local %u %u %u sub %u",
                      &number, &nd, &out->dims, &out->global[0], &out->global[1], &out->global[2],
                      &out->local[0], &out->local[1], &out->local[2], &out->sub_group) != 10) {
    return false;
  }
  out->is_nd = nd != 0;
  for (line = strchr(line, '\n'); line && parse_line(line + 1, out);) {
    line = strchr(line + 1, '\n');
  }
  *at = line ? line : *at + strlen(*at);
  return true;
}

static size_t element_count(const kernel_buffer *buffer) {
  const size_t width = buffer->type.width == 0 ? 1 : buffer->type.width;
  return buffer->count * (width == 3 ? 4 : width);
}

size_t kernel_buffer_size(const kernel_buffer *buffer) {
  return element_count(buffer) * type_of(buffer->type)->size;
}

static void fill_element(kernel_type type, int64_t value, uint8_t *to) {
  const type_traits *traits = type_of(type);
  if (type.scalar == TYPE_F32) {
    const float f = (float)value * 0.25f;
    memcpy(to, &f, sizeof(f));
  } else if (type.scalar == TYPE_F64) {
    const double d = (double)value * 0.25;
    memcpy(to, &d, sizeof(d));
  } else {
    memcpy(to, &value, traits->size);  // little-endian
  }
}

void kernel_buffer_fill(const kernel_buffer *buffer, void *memory) {
  kernel_random random = {buffer->seed};
  const uint64_t span = (uint64_t)buffer->high - (uint64_t)buffer->low + 1;
  uint8_t *at = memory;
  for (size_t i = 0; i < element_count(buffer); i++) {
    const uint64_t r = random_u64(&random);
    const uint64_t value = (uint64_t)buffer->low + (span == 0 ? r : r % span);
    fill_element(buffer->type, (int64_t)value, at);
    at += type_of(buffer->type)->size;
  }
}

size_t kernel_block_size(const kernel_launch *launch) {
  return 8 * ((size_t)launch->buffer_count + launch->scalar_count) +
         (size_t)KERNEL_LOCAL_SIZE * launch->local_count;
}

size_t kernel_block_fill(const kernel_launch *launch, void *const *buffers, void *block) {
  uint8_t *at = block;
  memset(block, 0, kernel_block_size(launch));
  for (uint32_t i = 0; i < launch->buffer_count; i++, at += 8) {
    memcpy(at, &buffers[i], 8);
  }
  for (uint32_t i = 0; i < launch->scalar_count; i++, at += 8) {
    const kernel_scalar *s = &launch->scalars[i];
    fill_element(s->type, s->value, at);
  }
  return (size_t)(at - (uint8_t *)block);
}
