// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device's linker gets to see: symbols' roles in PTX and in machine code.
#include "run/program/symbol_role.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unit/program/program_world.h"

#define PTX TN_IMAGE_FORMAT_PTX
#define VISIBLE(name) \
  ".visible .func  (.param .b32 func_retval0) " name "(\n\t.param .b32 p\n)\n{\n}\n"
#define WEAK(name) ".weak .func " name "()\n{\n}\n"
#define ENTRY(name) ".visible .entry " name "(\n\t.param .b64 p\n)\n.reqntid 4\n{\n{ // }\n}\n}\n"

// The app's kernels, its own `both` and a weak `inline_one`, which the library asks for; the
// library's kernel of the same name, `twice`, `lonely`, which nobody asks for, and something weak.
static const image_maker app = {
    .format = PTX,
    .code = ".version 7.0\n\t.extern .func twice\n()\n;\n" ENTRY("k") VISIBLE("both")
        WEAK("inline_one") ".weak .func  (.param .b32 r) absent\n(\n\t.param .b32 p\n)\n;\n"
        ".visible .entry last(\n)\n{\n\tmov.b64 \t%rd1, absent;\n\tmov.b64 \t%rd2, both;\n}\n",
    .kernels = {"k", "last"},
    .imports = {"twice", "weak:absent"},
    .exports = {"both", "inline_one"}};
static const image_maker lib = {
    .format = PTX,
    .code = ".version 7.0\n" ENTRY("k") VISIBLE("twice") ".extern .func both()\n;\n"
        ".weak .func inline_one()\n;\n" VISIBLE("lonely") WEAK("unknown") ENTRY("k2"),
    .kernels = {"k", "k2"},
    .imports = {"both", "weak:inline_one"},
    .exports = {"twice", "lonely"}};
// Defines `both` as the app does, and comes before the library that has it as well.
static const image_maker user = {
    .format = PTX, .code = ENTRY("k"), .kernels = {"k"}, .imports = {"both", "twice"}};
static const image_maker other = {.format = PTX, .code = VISIBLE("both"), .exports = {"both"}};
static const image_maker owner_of_both = {
    .format = PTX,
    .code = ENTRY("k") VISIBLE("twice") VISIBLE("both") VISIBLE("lonely"),
    .kernels = {"k"},
    .exports = {"twice", "both", "lonely"}};

enum { MODULES = 3 };
typedef struct rig {
  tn_module modules[MODULES];
  size_t count;
  tn_link_set set;
} rig;

static void rig_open(rig *r, const image_maker *const *makers, size_t count) {
  tn_link_owner *owner = NULL;
  tn_link_set_init(&r->set, false);
  r->count = count;
  for (size_t i = 0; i < count; i++) {
    maker_register(&r->modules[i], makers[i], 1);
  }
  tn_registered *registered = tn_registry_find(&r->modules[0]);
  assert_int_equal(tn_link_set_open(&r->set, registered, &owner, NULL), TN_OK);
  tn_registered_release(registered);
  assert_int_equal(tn_link_set_collect(&r->set, owner, 0, NULL), TN_OK);
  assert_int_equal(r->set.members.count, count);
}

static void open_two(rig *r, const image_maker *first, const image_maker *second) {
  rig_open(r, (const image_maker *const[]){first, second}, 2);
}

static void open_three(rig *r) {
  rig_open(r, (const image_maker *const[]){&user, &other, &owner_of_both}, 3);
}

static void rig_close(rig *r) {
  tn_link_set_deinit(&r->set);
  for (size_t i = 0; i < r->count; i++) {
    maker_unregister(&r->modules[i]);
  }
  tn_program_reap();
}

static void write_ptx(const rig *r, size_t index, tn_buf *out) {
  const tn_link_member *member = tn_link_set_at(&r->set, index);
  assert_int_equal(tn_ptx_write_roles(&r->set, member, member->image.code, out, NULL), TN_OK);
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
  rig r;
  open_two(&r, &app, &lib);
  tn_buf text;
  write_ptx(&r, 0, &text);
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
  rig_close(&r);
}

static void test_other_images_give_what_is_asked_for(void **state) {
  (void)state;
  rig r;
  open_two(&r, &app, &lib);
  tn_buf text;
  write_ptx(&r, 1, &text);
  has_not(&text, ".entry");
  has(&text, ".version 7.0\n\n.visible .func  (.param .b32 func_retval0) twice(");
  has(&text, "\n.extern .func both()");
  has(&text, "\n.extern .func inline_one()\n;");
  has(&text, "\n .func  (.param .b32 func_retval0) lonely(");
  has(&text, "\n.weak .func unknown()");
  tn_buf_deinit(&text);
  rig_close(&r);
}

static void test_one_definition_is_left(void **state) {
  (void)state;
  rig r;
  open_three(&r);
  tn_buf text;
  write_ptx(&r, 0, &text);
  assert_int_equal(text.size, 0);
  tn_buf_deinit(&text);
  write_ptx(&r, 1, &text);
  assert_int_equal(text.size, 0);
  tn_buf_deinit(&text);
  write_ptx(&r, 2, &text);
  has(&text, "\n.visible .func  (.param .b32 func_retval0) twice(");
  has(&text, "\n.weak .func  (.param .b32 func_retval0) both(");
  has(&text, "\n .func  (.param .b32 func_retval0) lonely(");
  tn_buf_deinit(&text);
  rig_close(&r);
}

// Debug information points into all bodies.
static void test_kernels_stay_for_debuggers(void **state) {
  (void)state;
  image_maker debug = lib;
  debug.code = ENTRY("k") VISIBLE("twice") "\t.section\t.debug_info\n";
  rig r;
  open_two(&r, &app, &debug);
  tn_buf text;
  write_ptx(&r, 1, &text);
  has(&text, ".weak .entry k(");
  has(&text, "\n.visible .func  (.param .b32 func_retval0) twice(");
  tn_buf_deinit(&text);
  rig_close(&r);
}

static void test_nothing_to_write(void **state) {
  (void)state;
  image_maker plain = lib;
  plain.code = VISIBLE("twice");
  rig r;
  open_two(&r, &app, &plain);
  tn_buf text;
  write_ptx(&r, 1, &text);
  assert_int_equal(text.size, 0);
  tn_buf_deinit(&text);
  // What is cut off anywhere is no reason to read on.
  static const char code[] = ENTRY("k") "\n.visible .func  (.param .b32 r) both(\n;";
  const tn_link_member *member = tn_link_set_at(&r.set, 1);
  for (size_t size = 0; size < sizeof(code); size++) {
    const tn_bytes cut = tn_bytes_from(code, size);
    assert_int_equal(tn_ptx_write_roles(&r.set, member, cut, &text, NULL), TN_OK);
    tn_buf_deinit(&text);
  }
  rig_close(&r);
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
  rig r;
  open_three(&r);
  const made_cubin made = make_cubin();
  const tn_bytes code = tn_bytes_from(&made, sizeof(made));
  assert_true(tn_cubin_is_relocatable(code));
  assert_false(tn_cubin_is_relocatable(tn_bytes_from(&made, sizeof(Elf64_Ehdr) - 1)));
  const tn_link_member *member = tn_link_set_at(&r.set, 2);
  tn_buf out;
  assert_int_equal(tn_cubin_write_roles(&r.set, member, code, &out, NULL), TN_OK);
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
        tn_cubin_write_roles(&r.set, member, tn_bytes_from(&broken, sizeof(broken)), &out, NULL),
        "it may be no ELF file any more");
    tn_buf_deinit(&out);
  }
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_the_first_image_keeps_its_kernels),
      cmocka_unit_test(test_other_images_give_what_is_asked_for),
      cmocka_unit_test(test_one_definition_is_left),
      cmocka_unit_test(test_kernels_stay_for_debuggers),
      cmocka_unit_test(test_nothing_to_write),
      cmocka_unit_test(test_machine_code),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
