// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The registering object: sections, descriptor, markers, and refusals.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>

#include "compile/wrap/wrap.h"
#include "image/image.h"

static const char code[] = "code";

static void write_fatbin(tn_buf *out) {
  const tn_symbol_info exports[] = {
      {.name = TN_STR_LIT("_Z6strongv"), .display_name = TN_STR_LIT("strong()")},
      {.name = TN_STR_LIT("_Z4weakv"), .display_name = TN_STR_LIT("weak()"),
       .flags = TN_SYMBOL_WEAK}};
  const tn_symbol_info imports[] = {
      {.name = TN_STR_LIT("_Z6neededv"), .display_name = TN_STR_LIT("needed()")},
      {.name = TN_STR_LIT("_Z5maybev"), .display_name = TN_STR_LIT("maybe()"),
       .flags = TN_SYMBOL_WEAK}};
  const tn_image_desc image = {
      .target = "native_cpu", .triple = "x86_64-pc-linux-gnu", .format = TN_IMAGE_FORMAT_BITCODE,
      .code = tn_bytes_from(code, sizeof(code)), .exports = exports,
      .export_count = TN_COUNT(exports), .imports = imports, .import_count = TN_COUNT(imports)};
  tn_buf_init(out, 1 << 20);
  assert_int_equal(tn_fatbin_write(&image, 1, out, NULL), TN_OK);
}

static bool find_symbol(const tn_buf *object, const char *name, Elf64_Sym *out) {
  bool found = false;
  tn_bytes table = {0};
  tn_bytes names = {0};
  assert_int_equal(tn_elf_section_find(tn_buf_bytes(object), ".symtab", &found, &table, NULL),
                   TN_OK);
  assert_true(found);
  assert_int_equal(tn_elf_section_find(tn_buf_bytes(object), ".strtab", &found, &names, NULL),
                   TN_OK);
  assert_true(found);
  for (size_t at = 0; at + sizeof(*out) <= table.size; at += sizeof(*out)) {
    memcpy(out, table.data + at, sizeof(*out));
    if (strcmp((const char *)names.data + out->st_name, name) == 0) {
      return true;
    }
  }
  return false;
}

static void holds_what_registers(void **state) {
  (void)state;
  tn_buf fatbin;
  tn_buf object;
  write_fatbin(&fatbin);
  tn_buf_init(&object, 1 << 20);
  const tn_wrap_params params = {.fatbin = tn_buf_bytes(&fatbin)};
  assert_int_equal(tn_wrap_emit(&params, &object, NULL), TN_OK);
  assert_int_equal(tn_file_kind_of(tn_buf_bytes(&object)), TN_FILE_ELF_OBJECT);

  bool found = false;
  tn_bytes contents = {0};
  assert_int_equal(tn_elf_section_find(tn_buf_bytes(&object), TN_SECTION_FATBIN, &found, &contents,
                                       NULL), TN_OK);
  assert_true(found);
  assert_int_equal(contents.size, fatbin.size);
  assert_memory_equal(contents.data, fatbin.data, fatbin.size);
  static const char *const hooks[] = {".init_array.101", ".fini_array.101", ".data.rel.ro"};
  for (size_t i = 0; i < TN_COUNT(hooks); i++) {
    assert_int_equal(tn_elf_section_find(tn_buf_bytes(&object), hooks[i], &found, &contents, NULL),
                     TN_OK);
    assert_true(found);
  }

  Elf64_Sym symbol;
  assert_true(find_symbol(&object, "__tenon_module", &symbol));
  assert_int_equal(ELF64_ST_VISIBILITY(symbol.st_other), STV_HIDDEN);
  assert_int_equal(symbol.st_size, 72);
  assert_true(find_symbol(&object, "dlsym", &symbol));  // for what it imports
  assert_int_equal(ELF64_ST_BIND(symbol.st_info), STB_WEAK);
  assert_true(find_symbol(&object, "__tenon_export__Z6strongv", &symbol));
  assert_int_equal(ELF64_ST_BIND(symbol.st_info), STB_GLOBAL);
  assert_int_equal(ELF64_ST_VISIBILITY(symbol.st_other), STV_DEFAULT);
  assert_int_equal(symbol.st_size, 16);
  assert_true(find_symbol(&object, "__tenon_export__Z4weakv", &symbol));
  assert_int_equal(ELF64_ST_BIND(symbol.st_info), STB_WEAK);
  assert_true(find_symbol(&object, "__tenon_export__Z6neededv", &symbol));
  assert_int_equal(symbol.st_shndx, SHN_UNDEF);
  assert_false(find_symbol(&object, "__tenon_export__Z5maybev", &symbol));
  tn_buf_deinit(&object);
  tn_buf_deinit(&fatbin);
}

// Tables in the order of their images; two images may share one.
static void refers_to_machine_code(void **state) {
  (void)state;
  static const char *const names[] = {"__tenon_native_b", "__tenon_native_a", "__tenon_native_b"};
  tn_image_desc images[4];
  for (size_t i = 0; i < 4; i++) {
    images[i] = (tn_image_desc){
        .target = "native_cpu", .triple = "x86_64-pc-linux-gnu", .format = TN_IMAGE_FORMAT_BITCODE,
        .code = tn_bytes_from(code, sizeof(code))};
    if (i > 0) {
      images[i].format = TN_IMAGE_FORMAT_HOST;
      images[i].code = tn_bytes_from(names[i - 1], strlen(names[i - 1]));
    }
  }
  tn_buf fatbin;
  tn_buf object;
  tn_buf_init(&fatbin, 1 << 20);
  tn_buf_init(&object, 1 << 20);
  assert_int_equal(tn_fatbin_write(images, 4, &fatbin, NULL), TN_OK);
  const tn_wrap_params params = {.fatbin = tn_buf_bytes(&fatbin),
                                 .module_symbol = "__tenon_module_17"};
  assert_int_equal(tn_wrap_emit(&params, &object, NULL), TN_OK);
  Elf64_Sym symbol;
  assert_false(find_symbol(&object, "__tenon_module", &symbol));
  assert_true(find_symbol(&object, "__tenon_module_17", &symbol));
  assert_int_equal(ELF64_ST_VISIBILITY(symbol.st_other), STV_HIDDEN);
  for (size_t i = 0; i < TN_COUNT(names); i++) {
    assert_true(find_symbol(&object, names[i], &symbol));
    assert_int_equal(symbol.st_shndx, SHN_UNDEF);
    assert_int_equal(ELF64_ST_VISIBILITY(symbol.st_other), STV_HIDDEN);
  }
  tn_buf_deinit(&object);
  tn_buf_clear(&fatbin);
  images[1].code = tn_bytes_from("a\"b", 3);
  assert_int_equal(tn_fatbin_write(images, 2, &fatbin, NULL), TN_OK);
  const tn_wrap_params strange = {.fatbin = tn_buf_bytes(&fatbin)};
  assert_int_equal(tn_wrap_emit(&strange, &object, NULL), TN_BAD_IMAGE);
  tn_buf_deinit(&fatbin);
  tn_buf_deinit(&object);
}

static tn_status wrap_globals(const tn_global_info *infos, size_t count, tn_buf *object,
                              tn_diag *diag) {
  const tn_image_desc image = {
      .target = "native_cpu", .triple = "x86_64-pc-linux-gnu", .format = TN_IMAGE_FORMAT_BITCODE,
      .code = tn_bytes_from(code, sizeof(code)), .globals = infos, .global_count = count};
  tn_buf fatbin;
  tn_buf_init(&fatbin, 1 << 20);
  assert_int_equal(tn_fatbin_write(&image, 1, &fatbin, NULL), TN_OK);
  const tn_wrap_params params = {.fatbin = tn_buf_bytes(&fatbin)};
  const tn_status status = tn_wrap_emit(&params, object, diag);
  tn_buf_deinit(&fatbin);
  return status;
}

// By the host's own names; only what device code defines itself may be missing there.
static void refers_to_device_globals(void **state) {
  (void)state;
  const tn_global_info infos[] = {
      {.name = TN_STR_LIT("_ZN2ns1dE"), .size = 4, .alignment = 4},
      {.name = TN_STR_LIT("declared"), .size = 4, .alignment = 4, .is_declared = true}};
  tn_buf object;
  tn_buf_init(&object, 1 << 20);
  assert_int_equal(wrap_globals(infos, 2, &object, NULL), TN_OK);
  Elf64_Sym symbol;
  assert_true(find_symbol(&object, "_ZN2ns1dE", &symbol));
  assert_int_equal(symbol.st_shndx, SHN_UNDEF);
  assert_int_equal(ELF64_ST_BIND(symbol.st_info), STB_WEAK);
  assert_true(find_symbol(&object, "declared", &symbol));
  assert_int_equal(symbol.st_shndx, SHN_UNDEF);
  assert_int_equal(ELF64_ST_BIND(symbol.st_info), STB_GLOBAL);
  const tn_global_info internal = {.name = TN_STR_LIT("_ZL1s@0123456789abcdef"),
                                   .display_name = TN_STR_LIT("s"), .size = 4, .alignment = 4};
  tn_buf_clear(&object);
  assert_int_equal(wrap_globals(&internal, 1, &object, NULL), TN_OK);
  assert_true(find_symbol(&object, "_ZL1s.tenon_unit_0123456789abcdef", &symbol));
  assert_int_equal(symbol.st_shndx, SHN_UNDEF);
  assert_int_equal(ELF64_ST_BIND(symbol.st_info), STB_WEAK);
  assert_int_equal(ELF64_ST_VISIBILITY(symbol.st_other), STV_HIDDEN);
  tn_buf_deinit(&object);
}

static void does_without_device_code(void **state) {
  (void)state;
  tn_buf object;
  tn_buf_init(&object, 1 << 20);
  const tn_wrap_params params = {0};
  assert_int_equal(tn_wrap_emit(&params, &object, NULL), TN_OK);
  bool found = true;
  tn_bytes contents = {0};
  assert_int_equal(tn_elf_section_find(tn_buf_bytes(&object), TN_SECTION_FATBIN, &found, &contents,
                                       NULL), TN_OK);
  assert_false(found);
  Elf64_Sym symbol;
  assert_true(find_symbol(&object, "__tenon_module", &symbol));
  assert_false(find_symbol(&object, "dlsym", &symbol));
  tn_buf_deinit(&object);
}

static void refuses(void **state) {
  (void)state;
  tn_buf object;
  tn_diag diag;
  tn_buf_init(&object, 1 << 20);
  const tn_wrap_params damaged = {.fatbin = tn_bytes_from("damaged", 7)};
  assert_int_equal(tn_wrap_emit(&damaged, &object, &diag), TN_BAD_IMAGE);
  const tn_wrap_params strange = {.triple = "toaster-unknown-none"};
  assert_int_equal(tn_wrap_emit(&strange, &object, &diag), TN_UNSUPPORTED);
  assert_non_null(strstr(diag.text, "toaster"));
  assert_int_equal(object.size, 0);
  tn_buf_deinit(&object);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(holds_what_registers),
                                     cmocka_unit_test(refers_to_machine_code),
                                     cmocka_unit_test(refers_to_device_globals),
                                     cmocka_unit_test(does_without_device_code),
                                     cmocka_unit_test(refuses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
