// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CPU adapter's loader: what compilers make runs, each kind of relocation is as the ABI says,
// and what cannot be loaded is refused with a sentence.
#include "unit/adapter/made_object.h"

#include <math.h>

// Each word of the block is written by code that finds its address or value another way.
static const char every_kind[] =
    ".section .data.rel.ro,\"aw\"\n"
    "absolute: .quad shared\n"      // 64
    "relative: .quad shared - .\n"  // PC64
    "slot: .quad 0\n .reloc slot, R_X86_64_GOTPCREL64, shared\n"
    "size: .long 0\n .reloc size, R_X86_64_SIZE32, shared + 1\n"
    "size8: .quad 0\n .reloc size8, R_X86_64_SIZE64, shared\n"
    "table: .quad 0\n .reloc table, R_X86_64_GOTPLT64, shared\n"
    "word: .long 0\n .reloc word, R_X86_64_32, small\n"
    "signed: .long 0\n .reloc signed, R_X86_64_32S, negative\n"
    "half: .short 0\n .reloc half, R_X86_64_16, small\n"
    "byte: .byte 0\n .reloc byte, R_X86_64_8, tiny + 1\n"
    "near: .short 0\n .reloc near, R_X86_64_PC16, absolute\n"
    "nearer: .byte 0\n .reloc nearer, R_X86_64_PC8, near\n"
    "slot32: .long 0\n .reloc slot32, R_X86_64_GOT32, shared\n"
    "none: .quad 7\n .reloc none, R_X86_64_NONE, nobody\n"
    ".globl small, negative, tiny\n"
    ".set small, 0x1234\n .set negative, -3\n .set tiny, 5\n"
    ".data\n .globl shared\n .type shared,@object\n .size shared,12\n"
    "shared: .quad 0x1122334455667788, 9\n"
    ".bss\n .globl zeros\n .p2align 14\nzeros: .zero 65536\n"
    ".weak missing\n"
    ".text\n"
    ".globl kinds.tn_group\nkinds.tn_group:\n"
    "push %rbx\n push %r12\n mov %rdi, %r12\n"
    "lea shared(%rip), %rax\n mov %rax, 0(%r12)\n"  // PC32
    "mov absolute(%rip), %rax\n mov %rax, 8(%r12)\n"
    "lea relative(%rip), %rax\n add relative(%rip), %rax\n mov %rax, 16(%r12)\n"
    "lea slot(%rip), %rax\n add slot(%rip), %rax\n mov (%rax), %rax\n mov %rax, 24(%r12)\n"
    "mov shared@GOTPCREL(%rip), %rax\n mov %rax, 32(%r12)\n"   // REX_GOTPCRELX
    "movl shared@GOTPCREL(%rip), %eax\n mov %rax, 40(%r12)\n"  // GOTPCRELX
    "plain: mov 0(%rip), %rax\n .reloc plain + 3, R_X86_64_GOTPCREL, shared - 4\n"
    "mov %rax, 48(%r12)\n"
    "lea _GLOBAL_OFFSET_TABLE_(%rip), %rbx\n"  // GOTPC32
    "mov %rbx, 56(%r12)\n"
    "base: lea base(%rip), %rcx\n movabs $_GLOBAL_OFFSET_TABLE_ - base, %rax\n"  // GOTPC64
    "add %rcx, %rax\n mov %rax, 64(%r12)\n"
    "movabs $shared@GOTOFF, %rax\n add %rbx, %rax\n mov %rax, 72(%r12)\n"       // GOTOFF64
    "movabs $shared@GOT, %rax\n mov (%rbx, %rax), %rax\n mov %rax, 80(%r12)\n"  // GOT64
    "movabs $local@PLTOFF, %rax\n add %rbx, %rax\n call *%rax\n mov %rax, 88(%r12)\n"
    "call local@PLT\n mov %rax, 96(%r12)\n"  // PLT32
    "movabs $local, %rax\n call *%rax\n mov %rax, 104(%r12)\n"
    "mov table(%rip), %rax\n mov (%rbx, %rax), %rax\n mov %rax, 112(%r12)\n"
    "movslq slot32(%rip), %rax\n mov (%rbx, %rax), %rax\n mov %rax, 120(%r12)\n"
    "mov size(%rip), %eax\n mov %rax, 128(%r12)\n"
    "mov size8(%rip), %rax\n mov %rax, 136(%r12)\n"
    "mov word(%rip), %eax\n mov %rax, 144(%r12)\n"
    "movslq signed(%rip), %rax\n mov %rax, 152(%r12)\n"
    "movzwl half(%rip), %eax\n mov %rax, 160(%r12)\n"
    "movzbl byte(%rip), %eax\n mov %rax, 168(%r12)\n"
    "movswq near(%rip), %rax\n lea near(%rip), %rcx\n add %rcx, %rax\n mov (%rax), %rax\n"
    "mov %rax, 176(%r12)\n"
    "movsbq nearer(%rip), %rax\n lea nearer(%rip), %rcx\n add %rcx, %rax\n lea near(%rip), %rcx\n"
    "sub %rcx, %rax\n mov %rax, 184(%r12)\n"
    "lea zeros(%rip), %rax\n mov %rax, 192(%r12)\n mov 65528(%rax), %rax\n mov %rax, 200(%r12)\n"
    "mov missing@GOTPCREL(%rip), %rax\n mov %rax, 208(%r12)\n"
    "mov none(%rip), %rax\n mov %rax, 216(%r12)\n"
    "pop %r12\n pop %rbx\n ret\n"
    "local: mov $42, %eax\n ret\n";

static void test_each_kind_of_relocation(void **state) {
  (void)state;
  const tn_bytes object = made_object("assembler", every_kind, "");
  tn_cpu_code code;
  MUST(tn_cpu_code_load(object, &code, diag));
  made_object_free(object);
  uint64_t words[32] = {0};
  made_call(&code, "kinds", words);
  static const struct {
    size_t first;
    size_t last;
  } equal[] = {{1, 4}, {6, 6}, {9, 10}, {14, 15}, {22, 22}};
  for (size_t i = 0; i < TN_COUNT(equal); i++) {
    for (size_t k = equal[i].first; k <= equal[i].last; k++) {
      if (words[k] != words[0]) {
        fail_msg("word %zu is %llx, not %llx", k, (unsigned long long)words[k],
                 (unsigned long long)words[0]);
      }
    }
  }
  assert_int_equal(*(const uint64_t *)(uintptr_t)words[0], 0x1122334455667788);
  assert_int_equal(words[5], words[0] & UINT32_MAX);
  assert_int_equal(words[8], words[7]);
  for (size_t i = 11; i <= 13; i++) {
    assert_int_equal(words[i], 42);
  }
  assert_int_equal(words[16], 13);
  assert_int_equal(words[17], 12);
  assert_int_equal(words[18], 0x1234);
  assert_int_equal((int64_t)words[19], -3);
  assert_int_equal(words[20], 0x1234);
  assert_int_equal(words[21], 6);
  assert_int_equal(words[23], 0);
  assert_int_equal(words[24] % 16384, 0);
  assert_int_equal(words[25], 0);
  assert_int_equal(words[26], 0);
  assert_int_equal(words[27], 7);
  tn_cpu_code_unload(&code);
}

// What people write, in the forms that compilers give it.
static const char in_c[] =
    "double pow(double, double); float sinf(float); void *memset(void *, int, unsigned long);\n"
    "typedef struct { long in; double out[4]; char text[64]; } block;\n"
    "static const char *const names[] = {\"zero\", \"one\", \"two\"};\n"
    "static int counts[64]; int shared = 5; __attribute__((weak)) int twice(int x) "
    "{ return 2 * x; }\n"
    "static double add(double x) { return x + 1; } static double sub(double x) { return x - 1; }\n"
    "static double (*const steps[])(double) = {add, sub};\n"
    "__attribute__((noinline)) static long choose(long x) { switch (x) { case 0: return 10;\n"
    "case 1: return 31; case 2: return 12; case 3: return shared; case 4: return 44;\n"
    "case 5: return 7; case 6: return 1; default: return -1; } }\n"
    "void run(const void *args, const void *group) __asm__(\"run.tn_group\");\n"
    "void run(const void *args, const void *group) { block *b = (block *)args;\n"
    "  counts[b->in & 63]++; b->out[0] = pow(b->in, 2) + sinf((float)b->in);\n"
    "  b->out[1] = choose(b->in); b->out[2] = steps[b->in & 1](0.5) + counts[b->in & 63];\n"
    "  b->out[3] = twice(4); memset(b->text, 0, 64); const char *n = names[b->in % 3];\n"
    "  for (int i = 0; n[i]; i++) b->text[i] = n[i]; }\n"
    "void other(const void *args, const void *group) __asm__(\"other.tn_group\");\n"
    "void other(const void *args, const void *group) { *(int *)args = shared++; }\n"
    "const unsigned long needs[9] __asm__(\"other.tn_needs\") = {77, 24, 8, 256, 3, 0, 1, 6, 2};\n";

typedef struct block {
  long in;
  double out[4];
  char text[64];
} block;

static void check_c(const tn_cpu_code *code) {
  static const long chosen[] = {10, 31, 12, 5, 44, 7, 1, -1};
  static const char *const texts[] = {"zero", "one", "two"};
  for (long i = 0; i < 8; i++) {
    block b = {.in = i};
    made_call(code, "run", &b);
    const double expected = pow((double)i, 2) + (double)sinf((float)i);
    assert_true(b.out[0] == expected);
    assert_true(b.out[1] == (double)chosen[i]);
    assert_true(b.out[2] == (i % 2 == 0 ? 2.5 : 0.5));
    assert_true(b.out[3] == 8);
    assert_string_equal(b.text, texts[i % 3]);
  }
  int value = 0;
  made_call(code, "other", &value);
  assert_int_equal(value, 5);
  assert_int_equal(made_kernel(code, "other")->needs.stack_size, 77);
  assert_int_equal(made_kernel(code, "other")->needs.slot_bytes, 24);
  assert_int_equal(made_kernel(code, "other")->needs.slot_width, 8);
  assert_int_equal(made_kernel(code, "other")->needs.group_memory, 256);
  assert_int_equal(made_kernel(code, "other")->needs.is_groupless, 1);
  assert_int_equal(made_kernel(code, "other")->needs.noalias_pointers, 6);
  assert_int_equal(made_kernel(code, "other")->needs.noalias_written, 2);
  assert_int_equal(made_kernel(code, "run")->needs.slot_bytes, 0);
  assert_null(tn_cpu_code_find(code, tn_str_from("twice")));
  assert_null(tn_cpu_code_find(code, tn_str_from("")));
}

static void test_what_compilers_make(void **state) {
  (void)state;
  static const char *const flags[] = {"-O0 -fPIC",
                                      "-O2 -fPIC",
                                      "-O3 -fPIC -ffunction-sections -fdata-sections -fno-plt",
                                      "-O0 -fno-pic -mcmodel=large",
                                      "-O2 -fno-pic -mcmodel=large",
                                      "-O2 -fPIC -mcmodel=large",
                                      "-O1 -fPIC -mcmodel=medium -fno-asynchronous-unwind-tables",
                                      "-O0 -g -fno-pic -mcmodel=large",
                                      "-O2 -g -fPIC -gdwarf-4"};
  for (size_t i = 0; i < TN_COUNT(flags); i++) {
    const tn_bytes object = made_object("c", in_c, flags[i]);
    // At an odd address, as files in memory may lie.
    uint8_t *copy = tn_alloc(object.size + 1);
    memcpy(copy + 1, object.data, object.size);
    made_object_free(object);
    tn_cpu_code code;
    tn_diag diag = {0};
    if (tn_cpu_code_load(tn_bytes_from(copy + 1, object.size), &code, &diag) != TN_OK) {
      fail_msg("%s: %s", flags[i], diag.text);
    }
    tn_free(copy);
    check_c(&code);
    tn_cpu_code_unload(&code);
    tn_cpu_code_unload(&code);  // of nothing
  }
}

typedef struct refusal {
  const char *text;  // assembler
  tn_status status;
  const char *word;
} refusal;

#define KERNEL ".text\n.globl k.tn_group\nk.tn_group: ret\n"
static const refusal refusals[] = {
    {KERNEL ".section .init_array,\"aw\"\n.quad 0\n", TN_BUILD_FAILED, "before or after"},
    {KERNEL ".section .dtors,\"aw\"\n.quad 0\n", TN_BUILD_FAILED, "before or after"},
    {KERNEL ".section .tdata,\"awT\"\n.quad 0\n", TN_BUILD_FAILED, "thread-local"},
    {KERNEL ".section .both,\"awx\"\n.quad 0\n", TN_BUILD_FAILED, "both code and written to"},
    {KERNEL ".section .hole,\"ax\",@nobits\n.zero 8\n", TN_BUILD_FAILED, "without contents"},
    {KERNEL ".comm old,8,8\n", TN_BUILD_FAILED, "without a section"},
    {KERNEL "call fputs@PLT\n", TN_BUILD_FAILED, "calls 'fputs'"},
    {KERNEL ".data\n.quad abort\n", TN_BUILD_FAILED, "'abort'"},
    {KERNEL ".type k.tn_group,@gnu_indirect_function\n", TN_BUILD_FAILED, "choose themselves"},
    {KERNEL "mov $k.tn_group, %rax\n", TN_BUILD_FAILED, "too far away"},
    {KERNEL "mov $k.tn_group, %eax\n", TN_BUILD_FAILED, "too far away"},
    {KERNEL "lea far(%rip), %rax\n.globl far\n.set far, 0x1234567890123\n", TN_BUILD_FAILED,
     "too far away"},
    {KERNEL "lea note(%rip), %rax\n.section .note,\"\"\nnote: .quad 0\n", TN_BUILD_FAILED,
     "not for kernels"},
    {".data\n.globl k.tn_group\nk.tn_group: .quad 0\n", TN_BUILD_FAILED, "is no code"},
    {".text\nret\n.globl k.tn_group\nk.tn_group:\n", TN_BUILD_FAILED, "is no code"},
    {KERNEL ".bss\n.zero 0x7fffffff\n", TN_BUILD_FAILED, "gigabyte"},
    {KERNEL ".bss\n.p2align 21\n.zero 8\n", TN_BUILD_FAILED, "alignment"},
    {KERNEL ".section .rodata\n.globl k.tn_needs\nk.tn_needs: .quad 0, 8, 0, 0, 0, 0, 0, 0, 0\n",
     TN_BUILD_FAILED, "not possible"},
    {KERNEL ".section .rodata\n.globl k.tn_needs\nk.tn_needs: .quad 0, 0, 0, 64, 0, 0, 0, 0, 0\n",
     TN_BUILD_FAILED, "not possible"},
    {KERNEL ".section .rodata\n.globl k.tn_needs\nk.tn_needs: .quad 0, 0, 8, 0, 5, 0, 0, 0, 0\n",
     TN_BUILD_FAILED, "not possible"},
    {KERNEL ".section .rodata\n.globl k.tn_needs\nk.tn_needs: .quad 0, 0, 8, 0, 0, 0, 2, 0, 0\n",
     TN_BUILD_FAILED, "not possible"},
    {KERNEL ".section .rodata\n.globl k.tn_needs\n"
            "k.tn_needs: .quad 0, 0, 8, 0, 0, 0x7fffffff00000000, 0, 0, 0\n",
     TN_BUILD_FAILED, "not possible"},
    {KERNEL ".section .rodata\n.globl k.tn_needs\nk.tn_needs: .quad 0, 0, 8, 0, 0, 0, 0, 3, 4\n",
     TN_BUILD_FAILED, "not possible"},
    {KERNEL ".section .rodata\n.quad 0\n.globl k.tn_needs\n"
            "k.tn_needs: .quad 8, 1, 0, 0, 0, 0, 0, 0\n",
     TN_BUILD_FAILED, "memory lies behind"},
    {KERNEL "leaq x@TLSGD(%rip), %rdi\n", TN_UNSUPPORTED, "unknown kind 19"},
    {KERNEL "leaq x@TLSGD(%rip), %rdi\n.section .debug_info,\"\"\n.quad 0\n", TN_BUILD_FAILED,
     "unknown kind 19"},
};

static void test_what_is_refused(void **state) {
  (void)state;
  for (size_t i = 0; i < TN_COUNT(refusals); i++) {
    const tn_bytes object = made_object("assembler", refusals[i].text, "");
    tn_cpu_code code;
    tn_diag diag = {0};
    const tn_status status = tn_cpu_code_load(object, &code, &diag);
    made_object_free(object);
    if (status != refusals[i].status || strstr(diag.text, refusals[i].word) == NULL) {
      fail_msg("%s: %d, %s", refusals[i].text, (int)status, diag.text);
    }
    assert_null(code.memory);
  }
}

// Whether an object with one changed byte, or a part of it, is refused with these words.
static void check_patched(tn_bytes object, size_t at, uint8_t value, const char *word) {
  uint8_t *copy = tn_alloc(object.size);
  memcpy(copy, object.data, object.size);
  copy[at] = value;
  tn_cpu_code code;
  ASSERT_FAILS(tn_cpu_code_load(tn_bytes_from(copy, object.size), &code, diag), BUILD_FAILED, word);
  tn_free(copy);
}

static void test_damaged_headers(void **state) {
  (void)state;
  const tn_bytes object = made_object("assembler", KERNEL "call sinf@PLT\n", "");
  check_patched(object, offsetof(Elf64_Ehdr, e_machine), 0xb7, "another processor");
  check_patched(object, EI_CLASS, ELFCLASS32, "another processor");
  check_patched(object, offsetof(Elf64_Ehdr, e_type), ET_DYN, "linked already");
  check_patched(object, offsetof(Elf64_Ehdr, e_shoff) + 3, 1, "behind the end");
  check_patched(object, offsetof(Elf64_Ehdr, e_shnum), 0, "no named sections");
  check_patched(object, offsetof(Elf64_Ehdr, e_shstrndx), 99, "no named sections");
  tn_cpu_code code;
  for (size_t size = sizeof(Elf64_Ehdr); size < object.size; size += 8) {
    assert_int_equal(tn_cpu_code_load(tn_bytes_from(object.data, size), &code, NULL),
                     TN_BUILD_FAILED);
  }
  ASSERT_FAILS(tn_cpu_code_load(tn_bytes_from("kernel k", 8), &code, diag), UNSUPPORTED, "no ELF");
  ASSERT_FAILS(tn_cpu_code_load(tn_bytes_from(NULL, 0), &code, diag), UNSUPPORTED, "no ELF");
  made_object_free(object);
}

// What the system says of the memory at an address: "r-xp"; false when there is none.
static bool rights_at(const void *address, char out[5]) {
  FILE *maps = fopen("/proc/self/maps", "re");
  assert_non_null(maps);
  char line[512];
  bool found = false;
  while (!found && fgets(line, sizeof(line), maps) != NULL) {
    unsigned long long first = 0;
    unsigned long long last = 0;
    found = sscanf(line, "%llx-%llx %4s", &first, &last, out) == 3 && (uintptr_t)address >= first &&
            (uintptr_t)address < last;
  }
  (void)fclose(maps);
  return found;
}

static void test_memory_has_one_right(void **state) {
  (void)state;
  static const char text[] =
      ".text\n.globl k.tn_group\nk.tn_group: lea c(%rip), %rax\n mov %rax, (%rdi)\n"
      "lea d(%rip), %rax\n mov %rax, 8(%rdi)\n lea z(%rip), %rax\n mov %rax, 16(%rdi)\n"
      "lea r(%rip), %rax\n mov %rax, 24(%rdi)\n mov d@GOTPCREL(%rip), %rax\n ret\n"
      ".section .rodata\nc: .quad 1\n.section .data.rel.ro,\"aw\"\nr: .quad c\n"
      ".data\nd: .quad 1\n.bss\nz: .zero 100\n";
  const tn_bytes object = made_object("assembler", text, "");
  tn_cpu_code code;
  MUST(tn_cpu_code_load(object, &code, diag));
  made_object_free(object);
  const void *places[4] = {NULL};
  made_call(&code, "k", places);
  static const char *const expected[] = {"r--p", "rw-p", "rw-p", "r--p"};
  char rights[5] = "";
  for (size_t i = 0; i < TN_COUNT(places); i++) {
    assert_true(rights_at(places[i], rights));
    assert_string_equal(rights, expected[i]);
  }
  const void *kernel = NULL;
  memcpy(&kernel, &made_kernel(&code, "k")->function, sizeof(kernel));
  assert_true(rights_at(kernel, rights));
  assert_string_equal(rights, "r-xp");
  tn_cpu_code_unload(&code);
  assert_false(rights_at(kernel, rights));
}

// Those at most a call away, and the runtime's own, which lie far from mapped memory in most
// programs: by a stub.
static void test_calls_of_the_host(void **state) {
  (void)state;
  static const char text[] =
      "float sinf(float); float __extendhfsf2(_Float16); double fmod(double, double);"
      "void run(const void *a, const void *g) __asm__(\"run.tn_group\");\n"
      "void run(const void *a, const void *g) { double *p = (double *)a;\n"
      "  float (*volatile f)(float) = sinf; p[1] = f(1.0f); p[2] = __extendhfsf2((_Float16)1.5f);\n"
      "  p[3] = fmod(p[0], 4); __int128 big = (__int128)(long)p[0] << 70;\n"
      "  volatile __int128 by = 3; p[4] = (double)(long)((big / by) >> 64); }\n";
  const tn_bytes object = made_object("c", text, "-O1 -fPIC");
  tn_cpu_code code;
  MUST(tn_cpu_code_load(object, &code, diag));
  made_object_free(object);
  double values[5] = {9};
  made_call(&code, "run", values);
  assert_true(values[1] == (double)sinf(1.0F));
  assert_true(values[2] == 1.5);
  assert_true(values[3] == 1);
  assert_true(values[4] == 192);
  tn_cpu_code_unload(&code);
}

// As gdb reads it.
struct jit_entry {
  struct jit_entry *next;
  struct jit_entry *previous;
  const char *object;
  uint64_t size;
};
extern struct {
  uint32_t version;
  uint32_t action;
  struct jit_entry *relevant;
  struct jit_entry *first;
} __jit_debug_descriptor;

static uint64_t told_address(const struct jit_entry *entry, const char *section) {
  Elf64_Ehdr file;
  memcpy(&file, entry->object, sizeof(file));
  Elf64_Shdr names;
  memcpy(&names, entry->object + file.e_shoff + file.e_shstrndx * sizeof(names), sizeof(names));
  for (size_t i = 0; i < file.e_shnum; i++) {
    Elf64_Shdr header;
    memcpy(&header, entry->object + file.e_shoff + i * sizeof(header), sizeof(header));
    if (strcmp(entry->object + names.sh_offset + header.sh_name, section) == 0) {
      return header.sh_addr;
    }
  }
  return 0;
}

static void test_debuggers_are_told(void **state) {
  (void)state;
  const tn_bytes object = made_object("c", in_c, "-O1 -g -fPIC");
  tn_cpu_code codes[3];
  assert_int_equal(__jit_debug_descriptor.version, 1);
  assert_null(__jit_debug_descriptor.first);
  for (size_t i = 0; i < TN_COUNT(codes); i++) {
    MUST(tn_cpu_code_load(object, &codes[i], diag));
    const struct jit_entry *entry = __jit_debug_descriptor.first;
    assert_non_null(entry);
    assert_int_equal(entry->size, object.size);
    void *kernel = NULL;
    memcpy(&kernel, &made_kernel(&codes[i], "run")->function, sizeof(kernel));
    const uint64_t text = told_address(entry, ".text");
    assert_true(text != 0 && text <= (uintptr_t)kernel && (uintptr_t)kernel < text + 4096);
    assert_true(told_address(entry, ".eh_frame") != 0);
    assert_true(told_address(entry, ".debug_info") == 0);
  }
  made_object_free(object);
  tn_cpu_code_unload(&codes[1]);
  tn_cpu_code_unload(&codes[2]);
  assert_true(__jit_debug_descriptor.first != NULL && __jit_debug_descriptor.first->next == NULL &&
              __jit_debug_descriptor.first->previous == NULL);
  tn_cpu_code_unload(&codes[0]);
  assert_null(__jit_debug_descriptor.first);
}

static void test_each_event_fails(void **state) {
  (void)state;
  const tn_bytes object = made_object("c", in_c, "-O1 -g -fPIC");
  tn_cpu_code code;
  int64_t nth = 0;
  for (bool is_done = false; !is_done; nth++) {
    const int64_t live = tn_alloc_live();
    tn_fault_arm(nth);
    const tn_status status = tn_cpu_code_load(object, &code, NULL);
    is_done = !tn_fault_fired();
    tn_fault_arm(-1);
    if (is_done) {
      assert_int_equal(status, TN_OK);
      tn_cpu_code_unload(&code);
    }
    assert_true(is_done || status == TN_OUT_OF_MEMORY || status == TN_BUILD_FAILED);
    assert_int_equal(tn_alloc_live(), live);
  }
  assert_true(nth > 8);
  made_object_free(object);
}

static _Atomic int compiler_count;
static tn_status counting_get_compiler(const tn_compiler **out, tn_diag *diag) {
  atomic_fetch_add(&compiler_count, 1);
  return fake_get_compiler(out, diag);
}

static void nothing(const void *args, const tn_cpu_group *group) {
  (void)args;
  (void)group;
}

// The compiler is asked only for what is not for this loader.
static void test_programs_without_compiler(void **state) {
  (void)state;
  const tn_adapter_api *api = tn_cpu_adapter_query(TN_ADAPTER_VERSION);
  const tn_adapter_host host = {.size = sizeof(host),
                                .version = TN_ADAPTER_VERSION,
                                .cpu_threads = 1,
                                .check = 1,
                                .get_compiler = counting_get_compiler};
  tn_adapter *adapter = NULL;
  MUST(api->create(&host, &adapter, diag));
  tn_adapter_device *device = api->device_at(adapter, 0);
  const tn_bytes object = made_object("c", in_c, "-O2 -fPIC");
  tn_adapter_program *program = NULL;
  tn_adapter_kernel *kernel = NULL;
  tn_adapter_kernel *again = NULL;
  MUST(api->program_load(device, object.data, object.size, &program, diag));
  MUST(api->kernel_find(program, "run", &kernel, diag));
  MUST(api->kernel_find(program, "run", &again, diag));
  assert_true(kernel == again && kernel->is_checked);
  ASSERT_FAILS(api->kernel_find(program, "none", &kernel, diag), KERNEL_NOT_FOUND, "none");
  api->program_unload(program);
  ASSERT_FAILS(api->program_load(device, object.data, object.size / 2, &program, diag),
               BUILD_FAILED, "behind the end");
  assert_null(program);
  assert_int_equal(compiler_count, 0);
  made_object_free(object);
  static const c_kernel table[] = {{"k" TN_CPU_KERNEL_SUFFIX, nothing}, {NULL, NULL}};
  MUST(api->program_load(device, table, 1, &program, diag));
  MUST(api->kernel_find(program, "k", &kernel, diag));
  api->program_unload(program);
  assert_int_equal(compiler_count, 1);
  api->destroy(adapter);
}

typedef struct torture {
  tn_bytes object;
  _Atomic int wrong;
} torture;

static void *load_and_unload(void *user) {
  torture *t = user;
  for (int i = 0; i < 100; i++) {
    tn_cpu_code code;
    if (tn_cpu_code_load(t->object, &code, NULL) != TN_OK) {
      atomic_fetch_add(&t->wrong, 1);
      return NULL;
    }
    tn_adapter_kernel *kernel = tn_cpu_code_find(&code, TN_STR_LIT("run"));
    block b = {.in = i % 8};
    kernel->function(&b, NULL);
    if (b.out[3] != 8) {
      atomic_fetch_add(&t->wrong, 1);
    }
    tn_cpu_code_unload(&code);
  }
  return NULL;
}

static void test_several_threads(void **state) {
  (void)state;
  static const char *const flags[] = {"-O2 -fPIC", "-O0 -g -fno-pic -mcmodel=large"};
  for (size_t k = 0; k < TN_COUNT(flags); k++) {
    torture t = {.object = made_object("c", in_c, flags[k])};
    tn_thread threads[4];
    for (size_t i = 0; i < TN_COUNT(threads); i++) {
      MUST(tn_thread_create(&threads[i], "load", load_and_unload, &t, diag));
    }
    for (size_t i = 0; i < TN_COUNT(threads); i++) {
      tn_thread_join(threads[i]);
    }
    assert_int_equal(t.wrong, 0);
    made_object_free(t.object);
  }
}

static bool suits(tn_cpu_form form, uint64_t row, uint64_t rows) {
  const tn_adapter_kernel kernel = {
      .needs = {.slot_width = 16, .forms = {.form = form, .wide_width = 64, .can_fold = 1}}};
  return tn_cpu_kernel_suits(&kernel, row != 0 ? tn_cpu_group_shape(row, rows) : 0);
}

static void test_what_groups_a_kernel_suits(void **state) {
  (void)state;
  static const struct {
    uint64_t row, rows;
    tn_cpu_form form;
  } groups[] = {{256, 1, TN_CPU_FORM_WIDE},  {64, 4, TN_CPU_FORM_WIDE},
                {192, 1, TN_CPU_FORM_WIDE},  {32, 1, TN_CPU_FORM_FULL},
                {16, 16, TN_CPU_FORM_FULL},  {48, 2, TN_CPU_FORM_FULL},
                {8, 2, TN_CPU_FORM_FOLDED},  {1, 1024, TN_CPU_FORM_FOLDED},
                {7, 5, TN_CPU_FORM_FOLDED},  {8, 1, TN_CPU_FORM_PART},
                {1000, 1, TN_CPU_FORM_PART}, {1, 1, TN_CPU_FORM_PART}};
  for (int form = TN_CPU_FORM_ANY; form <= TN_CPU_FORM_PART; form++) {
    assert_int_equal(suits((tn_cpu_form)form, 0, 0), form == TN_CPU_FORM_ANY);
    for (size_t i = 0; i < TN_COUNT(groups); i++) {
      assert_int_equal(suits((tn_cpu_form)form, groups[i].row, groups[i].rows),
                       form == TN_CPU_FORM_ANY || form == (int)groups[i].form);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      LEAK_TEST(test_what_groups_a_kernel_suits),
#if defined(__x86_64__)
      LEAK_TEST(test_each_kind_of_relocation),   LEAK_TEST(test_what_compilers_make),
      LEAK_TEST(test_what_is_refused),           LEAK_TEST(test_damaged_headers),
      LEAK_TEST(test_memory_has_one_right),      LEAK_TEST(test_calls_of_the_host),
      LEAK_TEST(test_debuggers_are_told),        LEAK_TEST(test_each_event_fails),
      LEAK_TEST(test_programs_without_compiler), LEAK_TEST(test_several_threads),
#endif
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
