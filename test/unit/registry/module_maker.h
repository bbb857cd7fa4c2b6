// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fat binaries and modules made by hand, for tests of the runtime.
#ifndef TN_TEST_MODULE_MAKER_H
#define TN_TEST_MODULE_MAKER_H

#include "image/image.h"
#include "tenon/register.h"

enum { MAKER_SYMBOLS = 10 };

// One image in few words. Lists end in NULL. "weak:" before an import makes it weak.
typedef struct image_maker {
  const char *target;  // NULL: "mock"
  uint32_t format;     // 0: NATIVE
  const char *code;    // NULL: the names of the kernels
  const char *kernels[MAKER_SYMBOLS];
  const char *imports[MAKER_SYMBOLS];
  const char *exports[MAKER_SYMBOLS];
  const uint8_t *aspects;  // of "SYCL/device requirements": aspect_count little-endian u32
  size_t aspect_count;
  struct {
    const char *name;
    uint32_t value;  // the default
  } specs[MAKER_SYMBOLS];  // specialization constants of four bytes
  const char *processor;  // what the code needs of one; NULL: nothing
  const tn_global_info *globals;
  size_t global_count;
} image_maker;

static inline size_t maker_kernels(const image_maker *from, tn_kernel_info *out, tn_buf *code) {
  size_t count = 0;
  for (; count < MAKER_SYMBOLS && from->kernels[count]; count++) {
    const tn_str name = tn_str_from(from->kernels[count]);
    const size_t at = tn_str_find_char(name, '@');
    out[count] = (tn_kernel_info){
        .name = name, .display_name = at == SIZE_MAX ? name : tn_str_slice(name, 0, at),
        .file = TN_STR_LIT("kernels.cpp"), .line = (uint32_t)count + 1,
        .arg_size = 8 * ((uint32_t)count + 1), .arg_align = 8,
    };
    tn_buf_add_format(code, "%s%s", count > 0 ? " " : "", from->kernels[count]);
  }
  return count;
}

static inline size_t maker_symbols(const char *const *names, tn_symbol_info *out, tn_arena *arena) {
  size_t count = 0;
  for (; count < MAKER_SYMBOLS && names[count]; count++) {
    const tn_str weak = TN_STR_LIT("weak:");
    const tn_str text = tn_str_from(names[count]);
    const bool is_weak = tn_str_has_prefix(text, weak);
    const tn_str name = is_weak ? tn_str_slice(text, weak.size, text.size) : text;
    const char *shown = tn_arena_format(arena, "%.*s(int)", TN_STR_ARG(name));
    out[count] = (tn_symbol_info){
        .name = name, .display_name = tn_str_from(shown), .user = TN_STR_LIT("the user"),
        .file = TN_STR_LIT("user.cpp"), .line = 42, .flags = is_weak ? TN_SYMBOL_WEAK : 0,
    };
  }
  return count;
}

static inline size_t maker_specs(const image_maker *from, tn_spec_info *out, uint32_t *buffer) {
  static const tn_spec_piece piece = {0, sizeof(uint32_t)};
  size_t count = 0;
  for (; count < MAKER_SYMBOLS && from->specs[count].name; count++) {
    buffer[count] = from->specs[count].value;
    out[count] = (tn_spec_info){.name = tn_str_from(from->specs[count].name), .size = 4,
                                .alignment = 4, .offset = 4 * (uint32_t)count, .piece_count = 1,
                                .pieces = &piece};
  }
  return count;
}

static inline void maker_write(const image_maker *makers, size_t count, tn_buf *out) {
  tn_arena arena;
  tn_arena_init(&arena);
  tn_image_desc descs[8];
  tn_buf codes[8];
  for (size_t i = 0; i < count; i++) {
    tn_kernel_info *kernels = tn_arena_alloc_array(&arena, MAKER_SYMBOLS, sizeof(*kernels));
    tn_symbol_info *imports = tn_arena_alloc_array(&arena, MAKER_SYMBOLS, sizeof(*imports));
    tn_symbol_info *exports = tn_arena_alloc_array(&arena, MAKER_SYMBOLS, sizeof(*exports));
    tn_spec_info *specs = tn_arena_alloc_array(&arena, MAKER_SYMBOLS, sizeof(*specs));
    uint32_t *spec_buffer = tn_arena_alloc_array(&arena, MAKER_SYMBOLS, sizeof(*spec_buffer));
    const size_t spec_count = maker_specs(&makers[i], specs, spec_buffer);
    tn_buf_init(&codes[i], 4096);
    const size_t kernel_count = maker_kernels(&makers[i], kernels, &codes[i]);
    if (kernel_count == 0) {
      tn_buf_add_char(&codes[i], '-');  // an image has some code
    }
    if (makers[i].code) {
      tn_buf_clear(&codes[i]);
      tn_buf_add_text(&codes[i], makers[i].code);
    }
    tn_prop *aspects = tn_arena_alloc(&arena, sizeof(*aspects));
    *aspects = (tn_prop){.name = TN_STR_LIT("aspects"), .type = TN_PROP_BYTES,
                         .bytes = {makers[i].aspects, 4 * makers[i].aspect_count}};
    tn_prop *processor = tn_arena_alloc(&arena, sizeof(*processor));
    const char *needs = makers[i].processor ? makers[i].processor : "";
    *processor = (tn_prop){.name = TN_STR_LIT(TN_MISC_PROCESSOR), .type = TN_PROP_BYTES,
                           .bytes = {(const uint8_t *)needs, strlen(needs)}};
    descs[i] = (tn_image_desc){
        .misc = processor, .misc_count = makers[i].processor ? 1 : 0,
        .requirements = aspects, .requirement_count = makers[i].aspect_count > 0 ? 1 : 0,
        .target = makers[i].target ? makers[i].target : "mock",
        .triple = "x86_64-unknown-linux-gnu",
        .format = makers[i].format ? makers[i].format : TN_IMAGE_FORMAT_NATIVE,
        .code = tn_buf_bytes(&codes[i]),
        .kernels = kernels, .kernel_count = kernel_count,
        .imports = imports, .import_count = maker_symbols(makers[i].imports, imports, &arena),
        .exports = exports, .export_count = maker_symbols(makers[i].exports, exports, &arena),
        .specs = specs, .spec_count = spec_count,
        .spec_defaults = tn_bytes_from(spec_buffer, 4 * spec_count),
        .globals = makers[i].globals, .global_count = makers[i].global_count,
    };
  }
  tn_diag diag = {0};
  const tn_status status = tn_fatbin_write(descs, count, out, &diag);
  for (size_t i = 0; i < count; i++) {
    tn_buf_deinit(&codes[i]);
  }
  tn_arena_deinit(&arena);
  if (status != TN_OK) {
    fail_msg("the test's fat binary: %s", diag.text);
  }
}

// A module whose bytes are freed when it is unregistered, as the loader would unmap them.
static inline void maker_register(tn_module *module, const image_maker *makers, size_t count) {
  tn_buf bytes;
  tn_buf_init(&bytes, 1u << 20);
  maker_write(makers, count, &bytes);
  *module = (tn_module){.size = sizeof(*module), .version = TN_MODULE_VERSION,
                        .fatbin = bytes.data, .fatbin_size = bytes.size};
  tn_register_module(module);
}

static inline void maker_unregister(tn_module *module) {
  tn_unregister_module(module);
  tn_free((void *)(uintptr_t)module->fatbin);
  module->fatbin = NULL;
}

#endif
