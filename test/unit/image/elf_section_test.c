// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sections and kinds of ELF files: this program itself, and small files made by hand.
#include "base/file.h"
#include "image/image.h"
#include "unit/image/unit_image.h"

#include <elf.h>

static tn_diag diag;

static const char names[] = "\0.names\0.one\0.two";
enum { NAMES_AT = 1, ONE_AT = 8, TWO_AT = 13, SECTION_COUNT = 5 };

// Header, contents, names, section headers: none, .names, .one, .two, .one again.
typedef struct small_elf {
  Elf64_Ehdr header;
  char contents[16];
  char names[sizeof(names)];
  _Alignas(8) Elf64_Shdr sections[SECTION_COUNT];
} small_elf;

static small_elf make_small(void) {
  small_elf e;
  memset(&e, 0, sizeof(e));
  memcpy(e.header.e_ident, ELFMAG, SELFMAG);
  e.header.e_ident[EI_CLASS] = ELFCLASS64;
  e.header.e_ident[EI_DATA] = ELFDATA2LSB;
  e.header.e_type = ET_REL;
  e.header.e_shoff = offsetof(small_elf, sections);
  e.header.e_shentsize = sizeof(Elf64_Shdr);
  e.header.e_shnum = SECTION_COUNT;
  e.header.e_shstrndx = 1;
  memcpy(e.contents, "abcdefghijklmnop", 16);
  memcpy(e.names, names, sizeof(names));
  e.sections[1] = (Elf64_Shdr){.sh_name = NAMES_AT, .sh_type = SHT_STRTAB};
  e.sections[1].sh_offset = offsetof(small_elf, names);
  e.sections[1].sh_size = sizeof(names);
  const uint32_t name_of[] = {0, 0, ONE_AT, TWO_AT, ONE_AT};
  for (size_t i = 2; i < SECTION_COUNT; i++) {
    e.sections[i] = (Elf64_Shdr){.sh_name = name_of[i], .sh_type = SHT_PROGBITS};
    e.sections[i].sh_offset = offsetof(small_elf, contents) + i;
    e.sections[i].sh_size = i;
  }
  return e;
}

static tn_status find(const small_elf *e, const char *name, bool *found, tn_bytes *contents) {
  return tn_elf_section_find(tn_bytes_from(e, sizeof(*e)), name, found, contents, &diag);
}

static void sections_are_found_by_name(void **state) {
  (void)state;
  const small_elf e = make_small();
  bool found = false;
  tn_bytes contents;
  assert_int_equal(find(&e, ".two", &found, &contents), TN_OK);
  assert_true(found);
  assert_int_equal(contents.size, 3);
  assert_memory_equal(contents.data, "def", 3);
  assert_int_equal(find(&e, ".tw", &found, &contents), TN_OK);
  assert_false(found);
  assert_int_equal(find(&e, ".three", &found, &contents), TN_OK);
  assert_false(found);
  assert_int_equal(contents.size, 0);
}

static void all_sections_of_a_name_are_found(void **state) {
  (void)state;
  const small_elf e = make_small();
  size_t cursor = 0;
  size_t sizes[3] = {0, 0, 0};
  bool found = true;
  for (size_t i = 0; i < 3; i++) {
    tn_bytes contents;
    assert_int_equal(tn_elf_section_next(tn_bytes_from(&e, sizeof(e)), ".one", &cursor, &found,
                                         &contents, &diag),
                     TN_OK);
    sizes[i] = contents.size;
  }
  assert_false(found);
  assert_int_equal(sizes[0], 2);
  assert_int_equal(sizes[1], 4);
}

// More sections than 16 bits can count: the numbers stand in section 0.
static void large_counts_are_understood(void **state) {
  (void)state;
  small_elf e = make_small();
  bool found = false;
  tn_bytes contents;
  e.header.e_shnum = 0;
  e.header.e_shstrndx = SHN_XINDEX;
  e.sections[0].sh_size = SECTION_COUNT;
  e.sections[0].sh_link = 1;
  assert_int_equal(find(&e, ".two", &found, &contents), TN_OK);
  assert_true(found);
  e.sections[0].sh_size = UINT64_MAX / sizeof(Elf64_Shdr) + 2;
  assert_fails(find(&e, ".two", &found, &contents), BAD_IMAGE, "truncated");
}

static void damage_is_refused(void **state) {
  (void)state;
  bool found = false;
  tn_bytes contents;
  small_elf e = make_small();
  e.sections[3].sh_offset = UINT64_MAX - 1;
  assert_fails(find(&e, ".two", &found, &contents), BAD_IMAGE, "section .two lies behind the end");
  assert_int_equal(find(&e, ".one", &found, &contents), TN_OK);
  e = make_small();
  e.header.e_shstrndx = SECTION_COUNT;
  assert_fails(find(&e, ".two", &found, &contents), BAD_IMAGE, "not among its sections");
  e = make_small();
  e.sections[1].sh_size = UINT64_MAX;
  assert_fails(find(&e, ".two", &found, &contents), BAD_IMAGE, "section names lies behind");
  e = make_small();
  e.header.e_shoff = sizeof(e) - 8;
  assert_fails(find(&e, ".two", &found, &contents), BAD_IMAGE, "truncated");
  e = make_small();
  e.header.e_shentsize = 40;
  assert_fails(find(&e, ".two", &found, &contents), BAD_IMAGE, "unknown size");
  e = make_small();
  e.sections[3].sh_flags = SHF_COMPRESSED;
  assert_fails(find(&e, ".two", &found, &contents), UNSUPPORTED, "compressed");
  e = make_small();
  e.header.e_ident[EI_CLASS] = ELFCLASS32;
  assert_fails(find(&e, ".two", &found, &contents), BAD_IMAGE, "64-bit");
  assert_int_equal(tn_file_kind_of(tn_bytes_from(&e, sizeof(e))), TN_FILE_OTHER);
}

// Debug files keep the header without the bytes; a file without section headers has no sections.
static void absent_contents_are_not_found(void **state) {
  (void)state;
  bool found = true;
  tn_bytes contents;
  small_elf e = make_small();
  e.sections[3].sh_type = SHT_NOBITS;
  e.sections[3].sh_offset = UINT64_MAX;
  assert_int_equal(find(&e, ".two", &found, &contents), TN_OK);
  assert_false(found);
  e.header.e_shoff = 0;
  assert_int_equal(find(&e, ".one", &found, &contents), TN_OK);
  assert_false(found);
}

static void this_program_is_an_executable(void **state) {
  (void)state;
  char *data = NULL;
  size_t size = 0;
  bool found = false;
  tn_bytes contents;
  assert_int_equal(tn_file_read("/proc/self/exe", SIZE_MAX / 2, &data, &size, &diag), TN_OK);
  const tn_bytes elf = tn_bytes_from(data, size);
  assert_int_equal(tn_file_kind_of(elf), TN_FILE_ELF_EXECUTABLE);
  assert_int_equal(tn_elf_section_find(elf, ".text", &found, &contents, &diag), TN_OK);
  assert_true(found && contents.size > 1000);
  assert_int_equal(tn_elf_section_find(elf, TN_SECTION_FATBIN, &found, &contents, &diag), TN_OK);
  assert_false(found);
  tn_free(data);
}

static void kinds_are_told_by_first_bytes(void **state) {
  (void)state;
  static const struct {
    const char *bytes;
    size_t size;
    tn_file_kind kind;
  } rows[] = {
      {"!<arch>\n", 8, TN_FILE_ARCHIVE},
      {"!<thin>\n", 8, TN_FILE_THIN_ARCHIVE},
      {"!<arch>", 7, TN_FILE_OTHER},
      {"TNFB", 4, TN_FILE_FATBIN},
      {"BC\xc0\xde", 4, TN_FILE_BITCODE},
      {"\xde\xc0\x17\x0b", 4, TN_FILE_BITCODE},
      {"\x7f"
       "ELF",
       4, TN_FILE_OTHER},
      {"", 0, TN_FILE_OTHER},
  };
  for (size_t i = 0; i < TN_COUNT(rows); i++) {
    assert_int_equal(tn_file_kind_of(tn_bytes_from(rows[i].bytes, rows[i].size)), rows[i].kind);
  }
  small_elf e = make_small();
  assert_int_equal(tn_file_kind_of(tn_bytes_from(&e, sizeof(e))), TN_FILE_ELF_OBJECT);
  e.header.e_type = ET_DYN;
  assert_int_equal(tn_file_kind_of(tn_bytes_from(&e, sizeof(e))), TN_FILE_ELF_SHARED);
  e.header.e_type = ET_EXEC;
  assert_int_equal(tn_file_kind_of(tn_bytes_from(&e, sizeof(e))), TN_FILE_ELF_EXECUTABLE);
  e.header.e_type = ET_CORE;
  assert_int_equal(tn_file_kind_of(tn_bytes_from(&e, sizeof(e))), TN_FILE_OTHER);
}

static void defined_global_symbols_are_walked(void **state) {
  (void)state;
  static const char section_names[] = "\0.symtab\0.strtab";
  static const char symbol_names[] = "\0local\0first\0undefined\0weak\0second";
  static const struct {
    uint32_t name;
    unsigned char binding;
    uint16_t section;
  } rows[] = {{0, STB_LOCAL, 0}, {1, STB_LOCAL, 1}, {7, STB_GLOBAL, 1}, {13, STB_GLOBAL, 0},
              {23, STB_WEAK, 1}, {28, STB_GLOBAL, 2}};
  struct {
    Elf64_Ehdr header;
    Elf64_Sym symbols[TN_COUNT(rows)];
    char symbol_names[sizeof(symbol_names)];
    char names[sizeof(section_names)];
    _Alignas(8) Elf64_Shdr sections[4];
  } e;
  memset(&e, 0, sizeof(e));
  e.header = make_small().header;
  e.header.e_shoff = (size_t)((char *)e.sections - (char *)&e);
  e.header.e_shnum = 4;
  for (size_t i = 0; i < TN_COUNT(rows); i++) {
    e.symbols[i] = (Elf64_Sym){.st_name = rows[i].name,
                               .st_info = (unsigned char)ELF64_ST_INFO(rows[i].binding, STT_FUNC),
                               .st_shndx = rows[i].section};
  }
  memcpy(e.symbol_names, symbol_names, sizeof(symbol_names));
  memcpy(e.names, section_names, sizeof(section_names));
  const struct {
    uint32_t name;
    const void *at;
    size_t size;
  } parts[] = {{0, e.names, sizeof(e.names)},
               {1, e.symbols, sizeof(e.symbols)},
               {9, e.symbol_names, sizeof(e.symbol_names)}};
  for (size_t i = 0; i < TN_COUNT(parts); i++) {
    e.sections[i + 1] = (Elf64_Shdr){.sh_name = parts[i].name, .sh_type = SHT_PROGBITS};
    e.sections[i + 1].sh_offset = (size_t)((const char *)parts[i].at - (const char *)&e);
    e.sections[i + 1].sh_size = parts[i].size;
  }
  static const char *const expected[] = {"first", "second"};
  const tn_bytes elf = tn_bytes_from(&e, sizeof(e));
  size_t cursor = 0;
  bool done = false;
  tn_str name;
  for (size_t i = 0; i < TN_COUNT(expected); i++) {
    assert_int_equal(tn_elf_global_next(elf, &cursor, &done, &name, &diag), TN_OK);
    assert_false(done);
    assert_text(name, expected[i]);
  }
  assert_int_equal(tn_elf_global_next(elf, &cursor, &done, &name, &diag), TN_OK);
  assert_true(done);
  e.sections[3].sh_size = 30;
  cursor = 0;
  assert_int_equal(tn_elf_global_next(elf, &cursor, &done, &name, &diag), TN_OK);
  assert_fails(tn_elf_global_next(elf, &cursor, &done, &name, &diag), BAD_IMAGE, "does not end");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sections_are_found_by_name),
      cmocka_unit_test(all_sections_of_a_name_are_found),
      cmocka_unit_test(large_counts_are_understood),
      cmocka_unit_test(damage_is_refused),
      cmocka_unit_test(absent_contents_are_not_found),
      cmocka_unit_test(defined_global_symbols_are_walked),
      cmocka_unit_test(this_program_is_an_executable),
      cmocka_unit_test(kinds_are_told_by_first_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
