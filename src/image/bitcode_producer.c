// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which LLVM wrote a bitcode file: the text in its identification block, without a parser of
// bitcode: that would refuse, or misread, what a newer LLVM wrote.
#include "image/image.h"
#include "image/image_bytes.h"

enum { WRAPPER_OFFSET_AT = 8, WRAPPER_SIZE = 20, MAGIC_SIZE = 4 };
enum { ID_END_BLOCK = 0, ID_ENTER_BLOCK = 1, ID_DEFINE_ABBREV = 2, ID_UNABBREV = 3 };
enum { BLOCK_IDENTIFICATION = 13, CODE_STRING = 1, TEXT_MAXIMUM = 64 };
enum { FORM_FIXED = 1, FORM_VBR = 2, FORM_ARRAY = 3, FORM_CHAR6 = 4, FORM_BLOB = 5 };

// Bits, the lowest of a byte first. What lies behind the end reads as 0 and is remembered.
typedef struct bit_reader {
  tn_bytes bytes;
  uint64_t at;
  bool is_over;
} bit_reader;

static uint64_t read_bits(bit_reader *r, uint32_t width) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < width; i++, r->at++) {
    if (r->at / 8 >= r->bytes.size) {
      r->is_over = true;
      return 0;
    }
    const uint64_t bit = r->bytes.data[r->at / 8] >> r->at % 8 & 1;
    value |= i < 64 ? bit << i : 0;
  }
  return value;
}

static uint64_t read_vbr(bit_reader *r, uint32_t width) {
  const uint64_t more = (uint64_t)1 << (width - 1);
  uint64_t value = 0;
  for (uint32_t shift = 0; !r->is_over && shift < 64; shift += width - 1) {
    const uint64_t piece = read_bits(r, width);
    value |= (piece & (more - 1)) << shift;
    if ((piece & more) == 0) {
      break;
    }
  }
  return value;
}

// The one abbreviation LLVM writes here: a literal code, an array, and the form of its elements.
typedef struct text_form {
  bool is_known;
  uint64_t form;
  uint64_t width;
} text_form;

static void read_abbreviation(bit_reader *r, text_form *out) {
  const uint64_t count = read_vbr(r, 5);
  bool is_string = count == 3;
  for (uint64_t i = 0; i < count && !r->is_over; i++) {
    if (read_bits(r, 1) != 0) {
      is_string = read_vbr(r, 8) == CODE_STRING && is_string && i == 0;
      continue;
    }
    const uint64_t form = read_bits(r, 3);
    const uint64_t width = form == FORM_FIXED || form == FORM_VBR ? read_vbr(r, 5) : 0;
    is_string = is_string && (i == 1 ? form == FORM_ARRAY : i == 2 && form != FORM_BLOB);
    if (i == 2) {
      *out =
          (text_form){is_string && (form == FORM_CHAR6 || (width > 1 && width <= 32)), form, width};
    }
  }
}

static char read_char(bit_reader *r, const text_form *form) {
  if (form->form == FORM_CHAR6) {
    return "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._"[read_bits(r, 6)];
  }
  return (char)(form->form == FORM_FIXED ? read_bits(r, (uint32_t)form->width)
                                         : read_vbr(r, (uint32_t)form->width));
}

static size_t read_text(bit_reader *r, const text_form *form, uint64_t count, char *out) {
  size_t size = 0;
  for (uint64_t i = 0; i < count && !r->is_over && size + 1 < TEXT_MAXIMUM; i++) {
    const char c = read_char(r, form);
    out[size++] = c > ' ' && c < 0x7f ? c : '?';
  }
  out[size] = '\0';
  return size;
}

// The first record with a string in the block; `width` is that of abbreviation numbers.
static void read_block(bit_reader *r, uint32_t width, char *out) {
  static const text_form plain = {true, FORM_VBR, 6};
  text_form form = {false, 0, 0};
  while (!r->is_over) {
    const uint64_t id = read_bits(r, width);
    if (id == ID_DEFINE_ABBREV) {
      read_abbreviation(r, &form);
    } else if (id == ID_UNABBREV && read_vbr(r, 6) == CODE_STRING) {
      (void)read_text(r, &plain, read_vbr(r, 6), out);
      return;
    } else if (id > ID_UNABBREV && form.is_known) {
      (void)read_text(r, &form, read_vbr(r, 6), out);
      return;
    } else {
      return;
    }
  }
}

static tn_bytes unwrapped(tn_bytes bitcode) {
  static const uint8_t wrapper[MAGIC_SIZE] = {0xde, 0xc0, 0x17, 0x0b};
  if (bitcode.size < WRAPPER_SIZE || memcmp(bitcode.data, wrapper, MAGIC_SIZE) != 0) {
    return bitcode;
  }
  const uint32_t offset = tn_load_u32(bitcode.data + WRAPPER_OFFSET_AT);
  return offset <= bitcode.size ? tn_bytes_from(bitcode.data + offset, bitcode.size - offset)
                                : tn_bytes_from(bitcode.data, 0);
}

uint32_t tn_bitcode_llvm_version(tn_bytes bitcode, char out_text[64]) {
  static const uint8_t magic[MAGIC_SIZE] = {'B', 'C', 0xc0, 0xde};
  char text[TEXT_MAXIMUM] = "";
  const tn_bytes bytes = unwrapped(bitcode);
  bit_reader r = {bytes, MAGIC_SIZE * 8, false};
  if (bytes.size > MAGIC_SIZE && memcmp(bytes.data, magic, MAGIC_SIZE) == 0 &&
      read_bits(&r, 2) == ID_ENTER_BLOCK && read_vbr(&r, 8) == BLOCK_IDENTIFICATION) {
    const uint64_t width = read_vbr(&r, 4);
    r.at = (r.at + 31) / 32 * 32 + 32;
    if (width >= 2 && width <= 32) {
      read_block(&r, (uint32_t)width, text);
    }
  }
  if (out_text) {
    memcpy(out_text, text, sizeof(text));
  }
  uint32_t major = 0;
  for (const char *c = text + 4; strncmp(text, "LLVM", 4) == 0 && *c >= '0' && *c <= '9'; c++) {
    major = major < 100000 ? major * 10 + (uint32_t)(*c - '0') : major;
  }
  return major;
}
