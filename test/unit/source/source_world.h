// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tests of source share: bundle's devices, and a compiler of a small language. A source is
// lines of words:
//   kernel a b     kernels, whose symbols are "K_a" and "K_b"; their image imports and exports what
//   import f       the lines below them say
//   export g
//   fp64           the image asks for it
//   image          another image begins
//   include x.h    a file, from the source's includes, or from the folders of -I in their order
//   warn text      a message
//   error text     a message, and the build fails
//   // text        nothing; the print of a source, of which there is one unless it has messages, is
//                  without such lines, "include" lines and options that begin with -I or -D
#ifndef TN_TEST_SOURCE_WORLD_H
#define TN_TEST_SOURCE_WORLD_H

#define WORLD_COMPILES_SOURCES 1
#include "base/blake3.h"
#include "base/file.h"
#include "tenon/compiler.h"
#include "tenon/rtc.h"

static tn_status world_compile_source(const tn_source_params *params, tn_source_result *out,
                                      tn_diag *diag);
static tn_status world_identify_source(const tn_source_params *params, tn_source_result *out,
                                       tn_diag *diag);
static void world_free_source_result(tn_source_result *result);

#include "unit/bundle/bundle_world.h"

static _Atomic int fake_compiles;
static void (*fake_meanwhile)(void);    // called while something is compiled; NULL for nothing
static _Atomic int fake_prints;         // sources that were identified only
static _Atomic bool fake_fails;         // the next compilations fail without a word
static _Atomic uint32_t fake_language;  // of the last compilation
static const char *fake_processor;      // of the last compilation, borrowed

enum { FAKE_IMAGES = 4 };
typedef struct fake {
  const tn_source_params *params;
  tn_arena arena;
  image_maker images[FAKE_IMAGES];
  size_t image_count;
  tn_buf log;
  tn_buf fatbin;
  tn_list inputs;
  tn_list names;
  tn_list misses;
  tn_source_input *input_array;
  tn_source_name *name_array;
  tn_blake3 print;
  bool failed;
  char first_error[256];
} fake;

static inline void fake_add(const char **list, const char *word) {
  size_t count = 0;
  while (list[count]) {
    count++;
  }
  assert_true(count + 1 < MAKER_SYMBOLS);
  list[count] = word;
}

static inline void fake_error(fake *f, const char *text, const char *word) {
  tn_buf_add_format(&f->log, "%s: error: %s%s\n", f->params->source.name, text, word);
  if (!f->failed) {
    (void)snprintf(f->first_error, sizeof(f->first_error), "%s: error: %s%s",
                   f->params->source.name, text, word);
  }
  f->failed = true;
}

static void fake_read(fake *f, tn_str text);

static inline void fake_add_input(fake *f, const char *path, tn_str text) {
  tn_source_input *input = tn_arena_alloc(&f->arena, sizeof(*input));
  input->path = tn_arena_str(&f->arena, tn_str_from(path));
  input->size = text.size;
  tn_blake3 hash;
  tn_blake3_init(&hash);
  tn_blake3_add(&hash, text.data, text.size);
  tn_blake3_finish(&hash, input->hash);
  assert_true(tn_list_add(&f->inputs, &f->arena, input));
}

// From the first folder that has it.
static inline bool fake_open(fake *f, const char *folder, const char *name) {
  char *real = tn_path_real(folder);
  char *path = tn_path_join(tn_str_from(real ? real : folder), tn_str_from(name));
  tn_free(real);
  char *data = NULL;
  size_t size = 0;
  const bool is_there = tn_file_read(path, 1 << 20, &data, &size, NULL) == TN_OK;
  if (is_there) {
    fake_add_input(f, path, (tn_str){data, size});
    fake_read(f, (tn_str){tn_arena_str(&f->arena, (tn_str){data, size}), size});
  }
  if (!is_there) {
    assert_true(tn_list_add(&f->misses, &f->arena, tn_arena_str(&f->arena, tn_str_from(path))));
  }
  tn_free(path);
  tn_free(data);
  return is_there;
}

static inline void fake_include(fake *f, const char *name) {
  const tn_source_params *params = f->params;
  for (size_t i = 0; i < params->include_count; i++) {
    if (strcmp(params->includes[i].name, name) == 0) {
      fake_read(f, (tn_str){params->includes[i].text, params->includes[i].size});
      return;
    }
  }
  for (size_t i = 0; i < params->option_count; i++) {
    if (strncmp(params->options[i], "-I", 2) == 0 && fake_open(f, params->options[i] + 2, name)) {
      return;
    }
  }
  fake_error(f, "file not found: ", name);
}

static inline void fake_word(fake *f, tn_str kind, const char *word) {
  image_maker *image = &f->images[f->image_count - 1];
  if (tn_str_equals(kind, TN_STR_LIT("kernel"))) {
    fake_add(image->kernels, tn_arena_format(&f->arena, "K_%s", word));
    tn_source_name *name = tn_arena_alloc(&f->arena, sizeof(*name));
    *name = (tn_source_name){word, tn_arena_format(&f->arena, "K_%s", word)};
    assert_true(tn_list_add(&f->names, &f->arena, name));
  } else if (tn_str_equals(kind, TN_STR_LIT("import"))) {
    fake_add(image->imports, word);
  } else if (tn_str_equals(kind, TN_STR_LIT("export"))) {
    fake_add(image->exports, word);
  } else if (tn_str_equals(kind, TN_STR_LIT("include"))) {
    fake_include(f, word);
  } else if (tn_str_equals(kind, TN_STR_LIT("warn"))) {
    tn_buf_add_format(&f->log, "%s: warning: %s\n", f->params->source.name, word);
  } else {
    fake_error(f, "", word);
  }
}

static inline void fake_new_image(fake *f) {
  assert_true(f->image_count < FAKE_IMAGES);
  f->images[f->image_count++] =
      (image_maker){.target = f->params->target, .format = TN_IMAGE_FORMAT_BITCODE};
}

static void fake_read(fake *f, tn_str text) {
  for (tn_str line = tn_str_split(&text, '\n'); line.data; line = tn_str_split(&text, '\n')) {
    const tn_str kind = tn_str_split(&line, ' ');
    if (tn_str_equals(kind, TN_STR_LIT("image"))) {
      fake_new_image(f);
    } else if (tn_str_equals(kind, TN_STR_LIT("fp64"))) {
      f->images[f->image_count - 1].aspects = bundle_fp64;
      f->images[f->image_count - 1].aspect_count = 1;
    }
    if (tn_str_equals(kind, TN_STR_LIT("//"))) {
      continue;
    }
    if (!tn_str_equals(kind, TN_STR_LIT("include"))) {
      tn_blake3_add(&f->print, kind.data, kind.size);
      tn_blake3_add(&f->print, line.data, line.size);
    }
    for (tn_str word = tn_str_split(&line, ' '); word.data; word = tn_str_split(&line, ' ')) {
      fake_word(f, kind, tn_arena_str(&f->arena, word));
    }
  }
}

// "ns::f<int>" is the kernel "ns".
static inline void fake_register(fake *f, const char *name) {
  const size_t size = strcspn(name, ":<");
  const char *symbol = tn_arena_format(&f->arena, "K_%.*s", (int)size, name);
  for (size_t i = 0; i < f->names.count; i++) {
    if (strcmp(((const tn_source_name *)f->names.items[i])->symbol, symbol) == 0) {
      tn_source_name *made = tn_arena_alloc(&f->arena, sizeof(*made));
      *made = (tn_source_name){tn_arena_str(&f->arena, tn_str_from(name)), symbol};
      assert_true(tn_list_add(&f->names, &f->arena, made));
      return;
    }
  }
  fake_error(f, "no kernel: ", name);
}

static inline void fake_give(fake *f, tn_source_result *out) {
  f->input_array = tn_arena_alloc_array(&f->arena, f->inputs.count, sizeof(*f->input_array));
  f->name_array = tn_arena_alloc_array(&f->arena, f->names.count, sizeof(*f->name_array));
  for (size_t i = 0; i < f->inputs.count; i++) {
    f->input_array[i] = *(tn_source_input *)f->inputs.items[i];
  }
  for (size_t i = 0; i < f->names.count; i++) {
    f->name_array[i] = *(tn_source_name *)f->names.items[i];
  }
  out->inputs = f->input_array;
  out->input_count = f->inputs.count;
  out->misses = (const char *const *)f->misses.items;
  out->miss_count = f->misses.count;
  out->names = f->name_array;
  out->name_count = f->names.count;
  tn_blake3_finish(&f->print, out->print);
  out->has_print = f->log.size == 0;
  if (!f->failed) {
    maker_write(f->images, f->image_count, &f->fatbin);
    out->fatbin = f->fatbin.data;
    out->fatbin_size = f->fatbin.size;
  }
}

static inline void fake_begin_print(fake *f) {
  const tn_source_params *params = f->params;
  tn_blake3_init(&f->print);
  tn_blake3_add(&f->print, params->target, strlen(params->target));
  if (params->processor) {
    tn_blake3_add(&f->print, params->processor, strlen(params->processor));
  }
  for (size_t i = 0; i < params->option_count; i++) {
    const char *option = params->options[i];
    if (strncmp(option, "-I", 2) != 0 && strncmp(option, "-D", 2) != 0) {
      tn_blake3_add(&f->print, option, strlen(option) + 1);
    }
  }
  for (size_t i = 0; i < params->name_count; i++) {
    tn_blake3_add(&f->print, params->names[i], strlen(params->names[i]) + 1);
  }
}

// The double's own memory does not fail.
static tn_status fake_run(const tn_source_params *params, tn_source_result *out, tn_diag *diag) {
  assert_int_equal(out->struct_size, sizeof(*out));
  fake_language = params->language;
  fake_processor = params->processor;
  if (fake_fails || tn_fault_hit()) {
    return TN_FAIL(diag, BUILD_FAILED, "the compiler was told to fail");
  }
  for (size_t i = 0; i < params->option_count; i++) {
    if (strcmp(params->options[i], "-o") == 0) {
      return TN_FAIL(diag, INVALID_ARGUMENT, "option -o makes no sense here");
    }
  }
  tn_fault_arm(-1);
  fake *f = tn_alloc(sizeof(*f));
  f->params = params;
  tn_arena_init(&f->arena);
  tn_buf_init(&f->log, 1 << 20);
  tn_buf_init(&f->fatbin, 1 << 20);
  fake_begin_print(f);
  fake_new_image(f);
  fake_read(f, (tn_str){params->source.text, params->source.size});
  for (size_t i = 0; i < params->name_count; i++) {
    fake_register(f, params->names[i]);
  }
  fake_give(f, out);
  out->log = tn_buf_text(&f->log);
  out->owner = f;
  return f->failed ? TN_FAIL(diag, BUILD_FAILED, "%s", f->first_error) : TN_OK;
}

static tn_status world_compile_source(const tn_source_params *params, tn_source_result *out,
                                      tn_diag *diag) {
  fake_compiles++;
  if (fake_meanwhile) {
    fake_meanwhile();
  }
  return fake_run(params, out, diag);
}

static tn_status world_identify_source(const tn_source_params *params, tn_source_result *out,
                                       tn_diag *diag) {
  fake_prints++;
  return fake_run(params, out, diag);
}

static void world_free_source_result(tn_source_result *result) {
  fake *f = result ? result->owner : NULL;
  if (f) {
    tn_arena_deinit(&f->arena);
    tn_buf_deinit(&f->log);
    tn_buf_deinit(&f->fatbin);
    tn_free(f);
  }
}

static inline tn_source *source_of(const char *text) {
  const tn_source_query query = {.struct_size = sizeof(query),
                                 .language = TN_SOURCE_SYCL,
                                 .context = pair_context,
                                 .source = text,
                                 .source_size = strlen(text)};
  tn_source *source = NULL;
  tn_diag diag = {0};
  if (tn_source_create(&query, &source, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  return source;
}

static inline tn_source_build source_build(int32_t state) {
  return (tn_source_build){.struct_size = sizeof(tn_source_build), .state = state};
}

static inline tn_bundle *source_must_build(tn_source *source, const tn_source_build *build) {
  tn_bundle *bundle = NULL;
  tn_log *log = NULL;
  tn_diag diag = {0};
  if (tn_source_build_bundle(source, build, &bundle, &log, &diag) != TN_OK) {
    fail_msg("%s\n%s", diag.text, tn_log_text(log));
  }
  tn_log_free(log);
  return bundle;
}

// Of the text, for all devices.
static inline tn_bundle *source_bundle(const char *text, int32_t state) {
  tn_source *source = source_of(text);
  const tn_source_build build = source_build(state);
  tn_bundle *bundle = source_must_build(source, &build);
  tn_source_release(source);
  return bundle;
}

static inline tn_kernel *source_kernel(tn_bundle *bundle, const char *name, tn_device *device) {
  tn_kernel_id *id = NULL;
  tn_kernel *kernel = NULL;
  tn_diag diag = {0};
  if (tn_bundle_find_kernel_id(bundle, name, &id, &diag) != TN_OK ||
      tn_bundle_get_kernel(bundle, id, device, &kernel, &diag) != TN_OK) {
    fail_msg("%s", diag.text);
  }
  tn_kernel_id_release(id);
  return kernel;
}

#endif
