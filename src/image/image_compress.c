// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compressed code of images (docs/formats/fat-binary.md): zstd's library is opened when there is
// something to do, so that nothing of Tenon needs it to be there otherwise. Of its functions, those
// below are the same in every version since 1.3.
#include "base/dynlib.h"
#include "image/image.h"

#define ZSTD_LIBRARY "libzstd.so.1"

enum {
  COMPRESSION_ZSTD = 1,
  // Code that would become smaller still is kept as it is: readers refuse it.
  RATIO_MAXIMUM = 1024,
  CODE_MAXIMUM = 1 << 30,
};

// X(field, function's name, result, parameters)
#define ZSTD_MAP(X)                                                                 \
  X(compress, "ZSTD_compress", size_t, (void *, size_t, const void *, size_t, int)) \
  X(decompress, "ZSTD_decompress", size_t, (void *, size_t, const void *, size_t))  \
  X(bound, "ZSTD_compressBound", size_t, (size_t))                                  \
  X(is_error, "ZSTD_isError", unsigned, (size_t))                                   \
  X(error_name, "ZSTD_getErrorName", const char *, (size_t))                        \
  X(content_size, "ZSTD_getFrameContentSize", unsigned long long, (const void *, size_t))

typedef struct zstd {
  tn_dynlib *lib;
#define ZSTD_FIELD(field, name, result, parameters) result(*field) parameters;
  ZSTD_MAP(ZSTD_FIELD)
#undef ZSTD_FIELD
} zstd;

static tn_status zstd_open(zstd *out, const char *what, tn_diag *diag) {
  *out = (zstd){.lib = NULL};
  if (tn_dynlib_open(ZSTD_LIBRARY, &out->lib, NULL) != TN_OK) {
    return TN_FAIL(diag, UNSUPPORTED,
                   "%s is compressed with zstd, and " ZSTD_LIBRARY
                   " cannot be opened: install it (Debian and Ubuntu: libzstd1), or link without "
                   "--offload-compress",
                   what);
  }
  bool is_whole = true;
  void *symbol = NULL;
#define ZSTD_FIND(field, name, result, parameters) \
  symbol = tn_dynlib_find(out->lib, name);         \
  is_whole = is_whole && symbol;                   \
  memcpy(&out->field, &symbol, sizeof(symbol));
  ZSTD_MAP(ZSTD_FIND)
#undef ZSTD_FIND
  if (!is_whole) {
    tn_dynlib_close(out->lib);
    return TN_FAIL(diag, UNSUPPORTED,
                   ZSTD_LIBRARY
                   " lacks functions that %s needs: install a "
                   "version from 1.3 on",
                   what);
  }
  return TN_OK;
}

bool tn_image_is_compressed(const tn_image *image) {
  return tn_image_misc_number(image, TN_MISC_COMPRESSION, 0) != 0;
}

// What is said about the code, before anything is believed of it.
static tn_status check_claim(const tn_image *image, tn_diag *diag) {
  const uint32_t method = tn_image_misc_number(image, TN_MISC_COMPRESSION, 0);
  const uint32_t size = tn_image_misc_number(image, TN_MISC_CODE_SIZE, 0);
  if (method != COMPRESSION_ZSTD) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the image for %.*s is compressed in a way that this Tenon does not know (%u); "
                   "build it with the same version of Tenon",
                   TN_STR_ARG(image->target), method);
  }
  if (size == 0 || size > CODE_MAXIMUM || size / RATIO_MAXIMUM > image->code.size) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the image for %.*s has %zu compressed bytes, which are said to become %u: it "
                   "is damaged; build it again",
                   TN_STR_ARG(image->target), image->code.size, size);
  }
  return TN_OK;
}

static tn_status decompress(const zstd *z, const tn_image *image, tn_arena *arena, tn_bytes *out,
                            tn_diag *diag) {
  const uint32_t size = tn_image_misc_number(image, TN_MISC_CODE_SIZE, 0);
  if (z->content_size(image->code.data, image->code.size) != size) {
    return TN_FAIL(diag, BAD_IMAGE,
                   "the compressed image for %.*s is not of the %u bytes that it is said to be: it "
                   "is damaged; build it again",
                   TN_STR_ARG(image->target), size);
  }
  uint8_t *code = tn_arena_alloc(arena, size);
  if (!code) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory for the %u bytes of the image for %.*s", size,
                   TN_STR_ARG(image->target));
  }
  const size_t got = z->decompress(code, size, image->code.data, image->code.size);
  if (z->is_error(got) != 0 || got != size) {
    return TN_FAIL(
        diag, BAD_IMAGE,
        "the compressed image for %.*s cannot be decompressed (%s): it is damaged; build "
        "it again",
        TN_STR_ARG(image->target), z->is_error(got) != 0 ? z->error_name(got) : "too few bytes");
  }
  *out = tn_bytes_from(code, size);
  return TN_OK;
}

tn_status tn_image_code(const tn_image *image, tn_arena *arena, tn_bytes *out, tn_diag *diag) {
  *out = (tn_bytes){NULL, 0};
  if (!tn_image_is_compressed(image)) {
    *out = image->code;
    return TN_OK;
  }
  zstd z;
  TN_TRY(check_claim(image, diag));
  TN_TRY(zstd_open(&z, "the device image", diag));
  const tn_status status = decompress(&z, image, arena, out, diag);
  tn_dynlib_close(z.lib);
  return status;
}

// The compressed code, or nothing when that would be no gain.
static tn_status compress(const zstd *z, tn_bytes code, int level, tn_arena *arena, tn_bytes *out,
                          tn_diag *diag) {
  *out = (tn_bytes){NULL, 0};
  const size_t bound = z->bound(code.size);
  uint8_t *packed = tn_arena_alloc(arena, bound);
  if (!packed) {
    return TN_FAIL(diag, OUT_OF_MEMORY, "no memory to compress a device image");
  }
  const size_t size = z->compress(packed, bound, code.data, code.size, level);
  if (z->is_error(size) != 0) {
    return TN_FAIL(diag, INTERNAL, "a device image of %zu bytes cannot be compressed: %s",
                   code.size, z->error_name(size));
  }
  if (size < code.size && code.size / RATIO_MAXIMUM <= size) {
    *out = tn_bytes_from(packed, size);
  }
  return TN_OK;
}

static tn_status write_compressed(const tn_image *image, int level, tn_arena *arena, tn_buf *out,
                                  tn_diag *diag) {
  zstd z;
  tn_bytes packed = {NULL, 0};
  TN_TRY(zstd_open(&z, "what --offload-compress makes", diag));
  tn_status status = compress(&z, image->code, level, arena, &packed, diag);
  tn_dynlib_close(z.lib);
  if (status != TN_OK || packed.size == 0) {
    return status != TN_OK ? status : tn_image_write(image, out, diag);
  }
  const tn_prop misc[] = {
      {.name = TN_STR_LIT(TN_MISC_COMPRESSION), .type = TN_PROP_U32, .u32 = COMPRESSION_ZSTD},
      {.name = TN_STR_LIT(TN_MISC_CODE_SIZE),
       .type = TN_PROP_U32,
       .u32 = (uint32_t)image->code.size},
  };
  return tn_image_write_code(image, packed, misc, TN_COUNT(misc), out, diag);
}

tn_status tn_image_compress(const tn_image *image, uint32_t level, tn_buf *out, tn_diag *diag) {
  const tn_prop_set set = tn_image_prop_set_find(image, TN_PROPS_MISC);
  tn_prop prop;
  // The table of code in the program itself is named, not held.
  const bool is_kept_as_is = image->format == TN_IMAGE_FORMAT_HOST || image->code.size == 0 ||
                             image->code.size > CODE_MAXIMUM ||
                             tn_prop_set_find(&set, TN_STR_LIT(TN_MISC_COMPRESSION), &prop) ||
                             tn_prop_set_find(&set, TN_STR_LIT(TN_MISC_CODE_SIZE), &prop);
  if (is_kept_as_is) {
    return tn_image_write(image, out, diag);
  }
  tn_arena arena;
  tn_arena_init(&arena);
  const tn_status status = write_compressed(image, (int)level, &arena, out, diag);
  tn_arena_deinit(&arena);
  return status;
}
