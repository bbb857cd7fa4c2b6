// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks constants by their types.
#include "compile/lower/constant_bytes.h"

typedef struct writer {
  LLVMTargetDataRef layout;
  LLVMBuilderRef builder;  // only folds
  const char *what;
  tn_arena *arena;
  uint8_t *out;
  tn_constant_pieces *pieces;
  tn_diag *diag;
} writer;

static tn_status add_piece(writer *w, uint64_t offset, uint64_t size) {
  tn_constant_pieces *p = w->pieces;
  if (p->count > 0 && p->items[p->count - 1].offset + p->items[p->count - 1].size == offset) {
    p->items[p->count - 1].size += (uint32_t)size;
    return TN_OK;
  }
  if (p->count == p->capacity) {
    const uint32_t capacity = p->capacity == 0 ? 8 : 2 * p->capacity;
    tn_spec_piece *items = tn_arena_alloc_array(w->arena, capacity, sizeof(*items));
    if (!items) {
      return TN_FAIL(w->diag, OUT_OF_MEMORY, "no memory to read device constants");
    }
    if (p->count > 0) {
      memcpy(items, p->items, p->count * sizeof(*items));
    }
    p->items = items;
    p->capacity = capacity;
  }
  p->items[p->count++] = (tn_spec_piece){(uint32_t)offset, (uint32_t)size};
  return TN_OK;
}

static tn_status fail(const writer *w, const char *why) {
  return TN_FAIL(w->diag, UNSUPPORTED, "%s: %s", w->what, why);
}

// An integer of any width that is whole bytes, low byte first.
static tn_status write_integer(writer *w, LLVMValueRef value, uint64_t offset) {
  const unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(value));
  if (bits % 8 != 0) {
    return fail(w, "its value has parts that are not whole bytes");
  }
  LLVMTypeRef i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)));
  for (unsigned at = 0; at < bits; at += 64) {
    LLVMValueRef word = value;
    if (bits > 64) {
      word = LLVMBuildLShr(w->builder, value, LLVMConstInt(LLVMTypeOf(value), at, 0), "");
      word = LLVMBuildTrunc(w->builder, word, i64, "");
    }
    if (!LLVMIsAConstantInt(word)) {
      return fail(w, "its value is not a number that is known when it is compiled");
    }
    const uint64_t number = LLVMConstIntGetZExtValue(word);
    for (unsigned i = at; i < bits && i < at + 64; i += 8) {
      w->out[offset + i / 8] = (uint8_t)(number >> (i - at));
    }
  }
  return add_piece(w, offset, bits / 8);
}

static unsigned float_bits(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
      return 16;
    case LLVMFloatTypeKind:
      return 32;
    case LLVMDoubleTypeKind:
      return 64;
    case LLVMX86_FP80TypeKind:
      return 80;
    case LLVMFP128TypeKind:
      return 128;
    default:
      return 0;
  }
}

static bool is_class(LLVMTypeRef type) {
  const char *name = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMGetStructName(type) : NULL;
  return name && !tn_str_has_prefix(tn_str_from(name), TN_STR_LIT("union."));
}

static bool is_byte_array(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMArrayTypeKind &&
         LLVMGetElementType(type) == LLVMInt8TypeInContext(LLVMGetTypeContext(type));
}

// Clang spells some padding of classes out, and empty classes are nothing else; all else that is
// undefined belongs to a union, whose other members may fill it.
static bool is_padding(LLVMTypeRef within, LLVMValueRef part) {
  LLVMTypeRef type = LLVMTypeOf(part);
  return LLVMIsUndef(part) && (is_class(type) || (is_class(within) && is_byte_array(type)));
}

static tn_status write_value(writer *w, LLVMValueRef value, uint64_t offset);

static tn_status write_parts(writer *w, LLVMValueRef value, uint64_t offset, LLVMTypeKind kind) {
  LLVMTypeRef type = LLVMTypeOf(value);
  const bool is_struct = kind == LLVMStructTypeKind;
  const uint64_t count = is_struct                   ? LLVMCountStructElementTypes(type)
                         : kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
                                                     : LLVMGetVectorSize(type);
  uint64_t step = 0;
  if (kind == LLVMVectorTypeKind) {
    step = LLVMSizeOfTypeInBits(w->layout, LLVMGetElementType(type)) / 8;
  } else if (!is_struct) {
    step = LLVMABISizeOfType(w->layout, LLVMGetElementType(type));
  }
  for (uint64_t i = 0; i < count; ++i) {
    LLVMValueRef part = LLVMGetAggregateElement(value, (unsigned)i);
    if (!part) {
      return fail(w, "its value is not a number that is known when it is compiled");
    }
    const uint64_t at = is_struct ? LLVMOffsetOfElement(w->layout, type, (unsigned)i) : i * step;
    if (!is_padding(type, part)) {
      TN_TRY(write_value(w, part, offset + at));
    }
  }
  return TN_OK;
}

static tn_status write_value(writer *w, LLVMValueRef value, uint64_t offset) {
  LLVMTypeRef type = LLVMTypeOf(value);
  const LLVMTypeKind kind = LLVMGetTypeKind(type);
  const bool has_parts =
      kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind;
  if (LLVMIsUndef(value) && !has_parts) {
    return add_piece(w, offset, LLVMStoreSizeOfType(w->layout, type));
  }
  const unsigned bits = float_bits(type);
  if (bits != 0) {
    LLVMTypeRef integer = LLVMIntTypeInContext(LLVMGetTypeContext(type), bits);
    return write_integer(w, LLVMConstBitCast(value, integer), offset);
  }
  switch (kind) {
    case LLVMIntegerTypeKind:
      return write_integer(w, value, offset);
    case LLVMStructTypeKind:
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind:
      return write_parts(w, value, offset, kind);
    case LLVMPointerTypeKind:
      if (LLVMIsNull(value)) {
        return add_piece(w, offset, LLVMABISizeOfType(w->layout, type));
      }
      return fail(w,
                  "its default value holds an address; give it values without pointers, or "
                  "null pointers");
    default:
      return fail(w, "its type has no bytes that Tenon knows");
  }
}

tn_status tn_constant_write(LLVMValueRef constant, LLVMTargetDataRef layout, const char *what,
                            tn_arena *arena, uint8_t *out, tn_constant_pieces *pieces,
                            tn_diag *diag) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(constant));
  writer w = {.layout = layout,
              .builder = LLVMCreateBuilderInContext(context),
              .what = what,
              .arena = arena,
              .out = out,
              .pieces = pieces,
              .diag = diag};
  const bool is_empty = is_padding(LLVMTypeOf(constant), constant);
  const tn_status status = is_empty ? TN_OK : write_value(&w, constant, 0);
  LLVMDisposeBuilder(w.builder);
  return status;
}
