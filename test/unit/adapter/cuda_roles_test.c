// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Symbols' roles in PTX and in machine code, as the driver's linker gets to see them.
#include "adapter/cuda/cuda_roles.h"

#include "adapter/cuda/cuda_device.h"
#include "image/image.h"
#include "unit/sched/cmocka_all.h"

#include <elf.h>
#include <string.h>

#define VISIBLE(name) \
  ".visible .func  (.param .b32 func_retval0) " name "(\n\t.param .b32 p\n)\n{\n}\n"
#define WEAK(name) ".weak .func " name "()\n{\n}\n"
#define ENTRY(name) ".visible .entry " name "(\n\t.param .b64 p\n)\n.reqntid 4\n{\n{ // }\n}\n}\n"

typedef struct named_role {
  const char *name;
  uint32_t role;
} named_role;

// An image of a program: its part of what test/unit/program/symbol_role_test.c resolves.
typedef struct part {
  const char *code;
  size_t image_count;
  size_t image_index;
  size_t import_count;
  const char *kernels[3];
  named_role roles[5];
} part;

#define PROVIDED TN_ADAPTER_SYMBOL_PROVIDED
#define REPLACED TN_ADAPTER_SYMBOL_REPLACED
#define UNUSED TN_ADAPTER_SYMBOL_UNUSED
#define IMPORTED TN_ADAPTER_SYMBOL_IMPORTED
#define UNRESOLVED TN_ADAPTER_SYMBOL_UNRESOLVED

// The app's kernels, its own `both` and a weak `inline_one`, which the library asks for; the
// library's kernel of the same name, `twice`, `lonely`, which nobody asks for, and something weak.
static const part app = {
    .code = ".version 7.0\n\t.extern .func twice\n()\n;\n" ENTRY("k") VISIBLE("both")
        WEAK("inline_one") ".weak .func  (.param .b32 r) absent\n(\n\t.param .b32 p\n)\n;\n"
        ".visible .entry last(\n)\n{\n\tmov.b64 \t%rd1, absent;\n\tmov.b64 \t%rd2, both;\n}\n",
    .image_count = 2,
    .import_count = 2,
    .kernels = {"k", "last"},
    .roles = {{"both", PROVIDED},
              {"inline_one", PROVIDED},
              {"twice", IMPORTED},
              {"absent", UNRESOLVED}}};
static const part lib = {
    .code = ".version 7.0\n" ENTRY("k") VISIBLE("twice") ".extern .func both()\n;\n"
        ".weak .func inline_one()\n;\n" VISIBLE("lonely") WEAK("unknown") ENTRY("k2"),
    .image_count = 2,
    .image_index = 1,
    .import_count = 2,
    .kernels = {"k", "k2"},
    .roles = {{"twice", PROVIDED},
              {"lonely", UNUSED},
              {"both", IMPORTED},
              {"inline_one", IMPORTED}}};
// Defines `both` as the app does, and comes before the library that has it as well.
static const part user = {.code = ENTRY("k"),
                          .image_count = 3,
                          .import_count = 2,
                          .kernels = {"k"},
                          .roles = {{"both", IMPORTED}, {"twice", IMPORTED}}};
static const part other = {.code = VISIBLE("both"),
                           .image_count = 3,
                           .image_index = 1,
                           .roles = {{"both", PROVIDED}}};
static const part owner_of_both = {
    .code = ENTRY("k") VISIBLE("twice") VISIBLE("both") VISIBLE("lonely"),
    .image_count = 3,
    .image_index = 2,
    .kernels = {"k"},
    .roles = {{"twice", PROVIDED}, {"both", REPLACED}, {"lonely", UNUSED}}};

static uint32_t role_of(const void *image, const char *name, size_t size) {
  const named_role *roles = ((const part *)image)->roles;
  size_t i = 0;
  while (roles[i].name && !tn_str_equals(tn_str_from(roles[i].name), (tn_str){name, size})) {
    i++;
  }
  return roles[i].name ? roles[i].role : TN_ADAPTER_SYMBOL_INTERNAL;
}

static const char *kernel_name(const void *image, size_t index) {
  return ((const part *)image)->kernels[index];
}

static tn_adapter_linkage linkage_of(const part *image) {
  size_t count = 0;
  while (image->kernels[count]) {
    count++;
  }
  return (tn_adapter_linkage){.image_count = image->image_count,
                              .image_index = image->image_index,
                              .import_count = image->import_count,
                              .kernel_count = count,
                              .user = image,
                              .symbol_role = role_of,
                              .kernel_name = kernel_name};
}

static void write_ptx(const part *image, tn_buf *out) {
  const tn_adapter_linkage linkage = linkage_of(image);
  const tn_bytes code = tn_bytes_from(image->code, strlen(image->code));
  assert_int_equal(tn_cuda_ptx_write_roles(&linkage, code, out, NULL), TN_OK);
}

static void has(const tn_buf *text, const char *wanted) {
  if (!strstr(tn_buf_text(text), wanted)) {
    print_error("'%s' is not in:\n%s\n", wanted, tn_buf_text(text));
    fail();
  }
}

static void has_not(const tn_buf *text, const char *unwanted) {
  if (strstr(tn_buf_text(text), unwanted)) {
    print_error("'%s' is in:\n%s\n", unwanted, tn_buf_text(text));
    fail();
  }
}

static void test_the_first_image_keeps_its_kernels(void **state) {
  (void)state;
  tn_buf text;
  write_ptx(&app, &text);
  has(&text, ".visible .entry k(");
  has(&text, "\n.visible .entry last(");
  // Nobody has it: its address is nothing, and a call of it is never made.
  has(&text, "\n .func  (.param .b32 r) absent\n(\n\t.param .b32 p\n)\n{\n\ttrap;\n\tret;\n}\n\n");
  has(&text, "mov.b64 \t%rd1, 0;\n");
  has(&text, "mov.b64 \t%rd2, both;\n");
  has(&text, ".extern .func twice");
  // Its definitions are the program's.
  has(&text, "\n.visible .func  (.param .b32 func_retval0) both(");
  has(&text, "\n.visible .func inline_one()");
  tn_buf_deinit(&text);
}

static void test_other_images_give_what_is_asked_for(void **state) {
  (void)state;
  tn_buf text;
  write_ptx(&lib, &text);
  has_not(&text, ".entry");
  has(&text, ".version 7.0\n\n.visible .func  (.param .b32 func_retval0) twice(");
  has(&text, "\n.extern .func both()");
  has(&text, "\n.extern .func inline_one()\n;");
  has(&text, "\n .func  (.param .b32 func_retval0) lonely(");
  has(&text, "\n.weak .func unknown()");
  tn_buf_deinit(&text);
}

static void test_one_definition_is_left(void **state) {
  (void)state;
  tn_buf text;
  write_ptx(&user, &text);
  assert_int_equal(text.size, 0);
  tn_buf_deinit(&text);
  write_ptx(&other, &text);
  assert_int_equal(text.size, 0);
  tn_buf_deinit(&text);
  write_ptx(&owner_of_both, &text);
  has(&text, "\n.visible .func  (.param .b32 func_retval0) twice(");
  has(&text, "\n.weak .func  (.param .b32 func_retval0) both(");
  has(&text, "\n .func  (.param .b32 func_retval0) lonely(");
  tn_buf_deinit(&text);
}

// Debug information points into all bodies.
static void test_kernels_stay_for_debuggers(void **state) {
  (void)state;
  part debug = lib;
  debug.code = ENTRY("k") VISIBLE("twice") "\t.section\t.debug_info\n";
  tn_buf text;
  write_ptx(&debug, &text);
  has(&text, ".weak .entry k(");
  has(&text, "\n.visible .func  (.param .b32 func_retval0) twice(");
  tn_buf_deinit(&text);
}

static void test_nothing_to_write(void **state) {
  (void)state;
  part plain = lib;
  plain.code = VISIBLE("twice");
  tn_buf text;
  write_ptx(&plain, &text);
  assert_int_equal(text.size, 0);
  tn_buf_deinit(&text);
  // What is cut off anywhere is no reason to read on.
  static const char code[] = ENTRY("k") "\n.visible .func  (.param .b32 r) both(\n;";
  const tn_adapter_linkage linkage = linkage_of(&plain);
  for (size_t size = 0; size < sizeof(code); size++) {
    const tn_bytes cut = tn_bytes_from(code, size);
    assert_int_equal(tn_cuda_ptx_write_roles(&linkage, cut, &text, NULL), TN_OK);
    tn_buf_deinit(&text);
  }
}

// An ELF file with a table of symbols: k, twice, both, other, and local.
typedef struct made_cubin {
  Elf64_Ehdr header;
  Elf64_Shdr sections[3];
  Elf64_Sym symbols[5];
  char names[32];
} made_cubin;

static made_cubin make_cubin(void) {
  made_cubin made = {.names = "\0k\0twice\0both\0other\0inner"};
  static const unsigned offsets[] = {1, 3, 9, 14, 20};
  memcpy(made.header.e_ident, ELFMAG, SELFMAG);
  made.header.e_ident[EI_CLASS] = ELFCLASS64;
  made.header.e_ident[EI_DATA] = ELFDATA2LSB;
  made.header.e_type = ET_REL;
  made.header.e_shoff = offsetof(made_cubin, sections);
  made.header.e_shentsize = sizeof(Elf64_Shdr);
  made.header.e_shnum = 3;
  made.sections[1] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                                  .sh_link = 2,
                                  .sh_offset = offsetof(made_cubin, symbols),
                                  .sh_size = sizeof(made.symbols)};
  made.sections[2] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                                  .sh_offset = offsetof(made_cubin, names),
                                  .sh_size = sizeof(made.names)};
  for (size_t i = 0; i < TN_COUNT(offsets); i++) {
    const unsigned char binding = i == 4 ? STB_LOCAL : STB_GLOBAL;
    made.symbols[i] = (Elf64_Sym){.st_name = offsets[i],
                                  .st_shndx = 1,
                                  .st_info = (unsigned char)ELF64_ST_INFO(binding, STT_FUNC)};
  }
  return made;
}

static unsigned binding_in(const tn_buf *code, size_t index) {
  made_cubin made;
  memcpy(&made, code->data, sizeof(made));
  return ELF64_ST_BIND(made.symbols[index].st_info);
}

static void test_machine_code(void **state) {
  (void)state;
  const made_cubin made = make_cubin();
  const tn_bytes code = tn_bytes_from(&made, sizeof(made));
  assert_true(tn_cuda_cubin_is_relocatable(code));
  assert_false(tn_cuda_cubin_is_relocatable(tn_bytes_from(&made, sizeof(Elf64_Ehdr) - 1)));
  const tn_adapter_linkage linkage = linkage_of(&owner_of_both);
  tn_buf out;
  assert_int_equal(tn_cuda_cubin_write_roles(&linkage, code, &out, NULL), TN_OK);
  assert_int_equal(out.size, sizeof(made));
  assert_int_equal(binding_in(&out, 0), STB_WEAK);    // a kernel of another image than the first
  assert_int_equal(binding_in(&out, 1), STB_GLOBAL);  // the program's
  assert_int_equal(binding_in(&out, 2), STB_WEAK);    // another's is the program's
  assert_int_equal(binding_in(&out, 3), STB_GLOBAL);
  assert_int_equal(binding_in(&out, 4), STB_LOCAL);
  tn_buf_deinit(&out);
  // Whatever its bytes say, nothing beyond them is read.
  for (size_t i = 0; i < sizeof(made); i++) {
    made_cubin broken = made;
    ((unsigned char *)&broken)[i] ^= 0xff;
    TN_IGNORE(
        tn_cuda_cubin_write_roles(&linkage, tn_bytes_from(&broken, sizeof(broken)), &out, NULL),
        "it may be no ELF file any more");
    tn_buf_deinit(&out);
  }
}

static tn_status prepare(const part *image, uint32_t format, tn_bytes code,
                         tn_adapter_prepared *out, tn_diag *diag) {
  const tn_adapter_image seen = {.target = TN_CUDA_TARGET, .format = format};
  const tn_adapter_code given = {code.data, code.size, "a.out"};
  const tn_adapter_linkage linkage = linkage_of(image);
  *out = (tn_adapter_prepared){0};
  return tn_cuda_image_prepare(NULL, &seen, &given, &linkage, out, diag);
}

static void test_what_is_changed(void **state) {
  (void)state;
  const made_cubin made = make_cubin();
  const tn_bytes machine = tn_bytes_from(&made, sizeof(made));
  const tn_bytes text = tn_bytes_from(app.code, strlen(app.code));
  tn_adapter_prepared out;
  tn_diag diag = {0};
  // Of several images: the roles are written.
  assert_int_equal(prepare(&owner_of_both, TN_IMAGE_FORMAT_CUBIN, machine, &out, &diag), TN_OK);
  assert_int_equal(out.size, sizeof(made));
  tn_cuda_code_free(out.code);
  assert_int_equal(prepare(&app, TN_IMAGE_FORMAT_PTX, text, &out, &diag), TN_OK);
  assert_non_null(out.code);
  tn_cuda_code_free(out.code);
  assert_int_equal(prepare(&app, TN_IMAGE_FORMAT_CUBIN, text, &out, &diag), TN_BAD_IMAGE);
  assert_string_equal(diag.text, "it is said to be machine code, but is not an ELF file");
  // Of one image: machine code is linked first if it is relocatable, and unresolved symbols of PTX
  // are defined.
  part alone = app;
  alone.image_count = 1;
  assert_int_equal(prepare(&alone, TN_IMAGE_FORMAT_CUBIN, machine, &out, &diag), TN_OK);
  assert_null(out.code);
  assert_int_equal(out.needs_link, 1);
  assert_int_equal(prepare(&alone, TN_IMAGE_FORMAT_PTX, text, &out, &diag), TN_OK);
  assert_non_null(out.code);
  assert_int_equal(out.needs_link, 0);
  tn_cuda_code_free(out.code);
  alone.import_count = 0;
  assert_int_equal(prepare(&alone, TN_IMAGE_FORMAT_PTX, text, &out, &diag), TN_OK);
  assert_null(out.code);
  assert_int_equal(out.needs_link, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_first_image_keeps_its_kernels),
      cmocka_unit_test(test_other_images_give_what_is_asked_for),
      cmocka_unit_test(test_one_definition_is_left),
      cmocka_unit_test(test_kernels_stay_for_debuggers),
      cmocka_unit_test(test_nothing_to_write),
      cmocka_unit_test(test_machine_code),
      cmocka_unit_test(test_what_is_changed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
