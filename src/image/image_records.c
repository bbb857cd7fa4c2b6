// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel and symbol records: numbers, then texts, each with a NUL, and nothing behind them.
#include "image/fatbin_layout.h"

enum {
  KERNEL_ARG_SIZE_AT = 0,
  KERNEL_ARG_ALIGN_AT = 4,
  KERNEL_FLAGS_AT = 8,
  KERNEL_LINE_AT = 12,
  KERNEL_TEXTS_AT = 16,  // sizes of display name, file
  KERNEL_TEXT_COUNT = 2,
  KERNEL_FIXED_SIZE = 24,
  KERNEL_SIZES_SIZE = 16,  // behind the texts, when a flag says that there are required sizes
};
#define TN_KERNEL_HAS_SIZES (TN_KERNEL_REQUIRES_GROUP_SIZE | TN_KERNEL_REQUIRES_SUB_GROUP_SIZE)
enum {
  SYMBOL_FLAGS_AT = 0,
  SYMBOL_LINE_AT = 4,
  SYMBOL_TEXTS_AT = 8,  // sizes of display name, user, file
  SYMBOL_TEXT_COUNT = 3,
  SYMBOL_RESERVED_AT = 20,
  SYMBOL_FIXED_SIZE = 24,
};

static uint8_t *record_create(tn_arena *arena, size_t fixed_size, size_t sizes_at,
                              const tn_str *texts, size_t text_count, size_t tail_size,
                              size_t *out_size) {
  size_t size = fixed_size + tail_size;
  for (size_t i = 0; i < text_count; i++) {
    if (!tn_size_add(size, texts[i].size, &size) || !tn_size_add(size, 1, &size)) {
      return NULL;
    }
  }
  uint8_t *record = tn_arena_alloc(arena, size);
  if (!record) {
    return NULL;
  }
  size_t at = fixed_size;
  for (size_t i = 0; i < text_count; i++) {
    tn_store_u32(record + sizes_at + 4 * i, (uint32_t)texts[i].size);
    if (texts[i].size > 0) {
      memcpy(record + at, texts[i].data, texts[i].size);
    }
    at += texts[i].size + 1;
  }
  *out_size = size;
  return record;
}

// The texts end where a tail of `tail_size` begins.
static bool record_read_texts(tn_bytes record, size_t fixed_size, size_t sizes_at, tn_str *texts,
                              size_t text_count, size_t tail_size) {
  if (record.size < fixed_size || record.size - fixed_size < tail_size) {
    return false;
  }
  record.size -= tail_size;
  size_t at = fixed_size;
  for (size_t i = 0; i < text_count; i++) {
    const size_t size = tn_load_u32(record.data + sizes_at + 4 * i);
    if (size >= record.size - at ||
        memchr(record.data + at, 0, size + 1) != record.data + at + size) {
      return false;
    }
    texts[i] = (tn_str){(const char *)record.data + at, size};
    at += size + 1;
  }
  return at == record.size;
}

// What lies behind the texts: required sizes, then the arguments and how many they are.
static size_t tail_size_of(uint32_t flags, size_t arg_count) {
  return ((flags & TN_KERNEL_HAS_SIZES) != 0 ? KERNEL_SIZES_SIZE : 0u) +
         ((flags & TN_KERNEL_IS_FUNCTION) != 0 ? arg_count * TN_KERNEL_ARG_SIZE + 4 : 0u);
}

size_t tn_kernel_info_arg_count(const tn_kernel_info *kernel) {
  return kernel->args.size / TN_KERNEL_ARG_SIZE;
}

tn_kernel_arg_info tn_kernel_info_arg_at(const tn_kernel_info *kernel, size_t index) {
  const uint8_t *arg = kernel->args.data + index * TN_KERNEL_ARG_SIZE;
  return (tn_kernel_arg_info){tn_load_u32(arg), tn_load_u32(arg + 4), tn_load_u32(arg + 8)};
}

const char *tn_kernel_arg_kind_name(uint32_t kind) {
  static const char *const names[TN_KERNEL_ARG_KINDS] = {"value", "pointer", "accessor", "local"};
  return kind < TN_KERNEL_ARG_KINDS ? names[kind] : "?";
}

static void store_tail(uint8_t *tail, const tn_kernel_info *info) {
  if ((info->flags & TN_KERNEL_HAS_SIZES) != 0) {
    for (size_t i = 0; i < 3; i++) {
      tn_store_u32(tail + 4 * i, info->group_size[i]);
    }
    tn_store_u32(tail + 12, info->sub_group_size);
    tail += KERNEL_SIZES_SIZE;
  }
  if ((info->flags & TN_KERNEL_IS_FUNCTION) != 0) {
    const size_t count = tn_kernel_info_arg_count(info);
    if (count > 0) {
      memcpy(tail, info->args.data, count * TN_KERNEL_ARG_SIZE);
    }
    tn_store_u32(tail + count * TN_KERNEL_ARG_SIZE, (uint32_t)count);
  }
}

uint8_t *tn_kernel_record_encode(tn_arena *arena, const tn_kernel_info *info, size_t *out_size) {
  const tn_str texts[KERNEL_TEXT_COUNT] = {info->display_name, info->file};
  const size_t tail_size = tail_size_of(info->flags, tn_kernel_info_arg_count(info));
  uint8_t *record = record_create(arena, KERNEL_FIXED_SIZE, KERNEL_TEXTS_AT, texts,
                                  KERNEL_TEXT_COUNT, tail_size, out_size);
  if (record) {
    tn_store_u32(record + KERNEL_ARG_SIZE_AT, info->arg_size);
    tn_store_u32(record + KERNEL_ARG_ALIGN_AT, info->arg_align);
    tn_store_u32(record + KERNEL_FLAGS_AT, info->flags);
    tn_store_u32(record + KERNEL_LINE_AT, info->line);
    store_tail(record + *out_size - tail_size, info);
  }
  return record;
}

// Each argument lies in the block, behind the one before it, and has the size of its kind.
bool tn_kernel_args_are_good(const tn_kernel_info *info) {
  uint64_t end = 0;
  for (size_t i = 0; i < tn_kernel_info_arg_count(info); i++) {
    const tn_kernel_arg_info arg = tn_kernel_info_arg_at(info, i);
    if (arg.kind >= TN_KERNEL_ARG_KINDS || arg.size == 0 || arg.offset < end ||
        ((arg.kind == 1 || arg.kind == 3) && arg.size != sizeof(uint64_t))) {
      return false;
    }
    end = (uint64_t)arg.offset + arg.size;
  }
  return end <= info->arg_size;
}

// The arguments at the end of a record, whose count is its last number.
static bool read_arg_count(tn_bytes record, uint32_t flags, size_t *out_count) {
  *out_count = 0;
  if ((flags & TN_KERNEL_IS_FUNCTION) != 0) {
    *out_count = tn_load_u32(record.data + record.size - 4);
  }
  return *out_count <= TN_KERNEL_ARG_MAXIMUM;
}

static void load_tail(const uint8_t *tail, size_t arg_count, tn_kernel_info *out) {
  if ((out->flags & TN_KERNEL_HAS_SIZES) != 0) {
    for (size_t i = 0; i < 3; i++) {
      out->group_size[i] = tn_load_u32(tail + 4 * i);
    }
    out->sub_group_size = tn_load_u32(tail + 12);
    tail += KERNEL_SIZES_SIZE;
  }
  out->args = tn_bytes_from(arg_count > 0 ? tail : NULL, arg_count * TN_KERNEL_ARG_SIZE);
}

bool tn_kernel_record_decode(tn_bytes record, tn_kernel_info *out) {
  tn_str texts[KERNEL_TEXT_COUNT];
  const uint32_t flags =
      record.size < KERNEL_FIXED_SIZE ? 0 : tn_load_u32(record.data + KERNEL_FLAGS_AT);
  size_t arg_count = 0;
  if (!read_arg_count(record, flags, &arg_count)) {
    return false;
  }
  const size_t tail_size = tail_size_of(flags, arg_count);
  if (!record_read_texts(record, KERNEL_FIXED_SIZE, KERNEL_TEXTS_AT, texts, KERNEL_TEXT_COUNT,
                         tail_size)) {
    return false;
  }
  const uint32_t align = tn_load_u32(record.data + KERNEL_ARG_ALIGN_AT);
  if (align == 0 || (align & (align - 1)) != 0) {
    return false;
  }
  out->display_name = texts[0];
  out->file = texts[1];
  out->arg_size = tn_load_u32(record.data + KERNEL_ARG_SIZE_AT);
  out->arg_align = align;
  out->flags = flags;
  out->line = tn_load_u32(record.data + KERNEL_LINE_AT);
  load_tail(record.data + record.size - tail_size, arg_count, out);
  return tn_kernel_args_are_good(out);
}

uint8_t *tn_symbol_record_encode(tn_arena *arena, const tn_symbol_info *info, size_t *out_size) {
  const tn_str texts[SYMBOL_TEXT_COUNT] = {info->display_name, info->user, info->file};
  uint8_t *record = record_create(arena, SYMBOL_FIXED_SIZE, SYMBOL_TEXTS_AT, texts,
                                  SYMBOL_TEXT_COUNT, 0, out_size);
  if (record) {
    tn_store_u32(record + SYMBOL_FLAGS_AT, info->flags);
    tn_store_u32(record + SYMBOL_LINE_AT, info->line);
  }
  return record;
}

bool tn_symbol_record_decode(tn_bytes record, tn_symbol_info *out) {
  tn_str texts[SYMBOL_TEXT_COUNT];
  if (!record_read_texts(record, SYMBOL_FIXED_SIZE, SYMBOL_TEXTS_AT, texts, SYMBOL_TEXT_COUNT, 0) ||
      tn_load_u32(record.data + SYMBOL_RESERVED_AT) != 0) {
    return false;
  }
  out->display_name = texts[0];
  out->user = texts[1];
  out->file = texts[2];
  out->flags = tn_load_u32(record.data + SYMBOL_FLAGS_AT);
  out->line = tn_load_u32(record.data + SYMBOL_LINE_AT);
  return true;
}
