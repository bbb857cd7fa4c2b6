// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C and math functions that device code may call, in a table that is made searchable at the
// first question.
#include "base/host_function.h"

#include "base/map.h"

#include <complex.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Functions of <string.h>.
#define TN_HOST_STRING_MAP(X)                                                               \
  X(memcpy) X(memmove) X(memset) X(memcmp) X(memchr) X(strlen) X(strcmp) X(strncmp) X(strcpy) \
      X(strncpy)
// Functions of <math.h> that exist for double, float (…f) and long double (…l).
#define TN_HOST_MATH_MAP(X)                                                                      \
  X(acos)                                                                                        \
  X(acosh) X(asin) X(asinh) X(atan) X(atan2) X(atanh) X(cbrt) X(ceil) X(copysign) X(cos) X(cosh) \
      X(erf) X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(fdim) X(floor) X(fma) X(fmax) X(fmin)     \
          X(fmod) X(frexp) X(hypot) X(ilogb) X(ldexp) X(lgamma) X(llrint) X(llround) X(log)      \
              X(log10) X(log1p) X(log2) X(logb) X(lrint) X(lround) X(modf) X(nan) X(nearbyint)   \
                  X(nextafter) X(nexttoward) X(pow) X(remainder) X(remquo) X(rint) X(round)      \
                      X(scalbln) X(scalbn) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma)       \
                          X(trunc)
// GNU's additions to them.
#define TN_HOST_MATH_GNU_MAP(X) X(exp10) X(roundeven) X(sincos)
// The reentrant ones, whose suffix is not at the end.
#define TN_HOST_MATH_REENTRANT_MAP(X) X(lgamma_r) X(lgammaf_r) X(lgammal_r)
// Functions of <complex.h>, the same.
#define TN_HOST_C_COMPLEX_MAP(X)                                                            \
  X(cabs) X(cacos) X(cacosh) X(carg) X(casin) X(casinh) X(catan) X(catanh) X(ccos) X(ccosh) \
      X(cexp) X(cimag) X(clog) X(conj) X(cpow) X(cproj) X(creal) X(csin) X(csinh) X(csqrt)  \
          X(ctan) X(ctanh)
// What compiled code calls though nobody wrote it: helpers of the C compiler's runtime.
#define TN_HOST_RUNTIME_MAP(X) \
  X(__udivti3) X(__umodti3) X(__divti3) X(__modti3) X(__powidf2) X(__powisf2)
// The same, for multiplying and dividing complex numbers.
#define TN_HOST_COMPLEX_MAP(X) X(__muldc3) X(__mulsc3) X(__divdc3) X(__divsc3)
// The same, for half precision where the processor has no instructions: name, and who does it.
#define TN_HOST_HALF_MAP(X) \
  X(__extendhfsf2, float_of_half) X(__truncsfhf2, half_of_float) X(__truncdfhf2, half_of_double)
// Functions of <stdlib.h>, assert's, and printf: as it is, as clang writes it for NVIDIA's
// GPUs, and as LLVM simplifies it.
#define TN_HOST_OTHER_MAP(X)                                                                \
  X(abs) X(labs) X(llabs) X(rand) X(srand) X(__assert_fail) X(tn_cpu_assert_fail)           \
      X(tn_cpu_is_in_space) X(printf) X(vprintf) X(puts) X(putchar)

// What libstdc++'s own assertions call (_GLIBCXX_ASSERTIONS).
#define TN_HOST_CHECK_MAP(X) X(_ZSt21__glibcxx_assert_failPKciS0_S0_, library_assert_fail)

// The compiler's runtime has no header; only addresses are taken.
#define TN_DECLARE(name) void name(void);
TN_HOST_RUNTIME_MAP(TN_DECLARE)
double _Complex __muldc3(double a, double b, double c, double d);
float _Complex __mulsc3(float a, float b, float c, float d);
double _Complex __divdc3(double a, double b, double c, double d);
float _Complex __divsc3(float a, float b, float c, float d);
// Whatever this compiler makes of the conversions: not all runtimes have those functions.
__extension__ typedef _Float16 half;
static float float_of_half(half x) { return x; }
static half half_of_float(float x) { return (half)x; }
static half half_of_double(double x) { return (half)x; }
// What assert() calls; its header declares it only while assertions are on.
void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function);
static void library_assert_fail(const char *file, int line, const char *function,
                                const char *assertion) {
  __assert_fail(assertion, file, (unsigned)line, function);
}

void tn_cpu_assert_fail(const char *assertion, const char *file, uint32_t line,
                        const char *function, uint64_t global_x, uint64_t global_y,
                        uint64_t global_z, uint64_t local_x, uint64_t local_y, uint64_t local_z) {
  // As DPC++ has it, and the adapter of OpenCL.
  char text[2048];
  const int size =
      snprintf(text, sizeof(text),
               "%s:%" PRIu32 ": %.800s: global id: [%" PRIu64 ",%" PRIu64 ",%" PRIu64
               "], local id: [%" PRIu64 ",%" PRIu64 ",%" PRIu64 "] Assertion `%.800s` failed.\n",
               file ? file : "?", line, function ? function : "?", global_x, global_y, global_z,
               local_x, local_y, local_z, assertion ? assertion : "?");
  const size_t length = size < (int)sizeof(text) ? (size_t)size : sizeof(text) - 1;
  if (size > 0 && write(STDERR_FILENO, text, length) < 0) {
    // Without a standard error the end of the program is all there is.
  }
  abort();
}

static bool is_within(const char *at, const char *begin, uint64_t size) {
  return (uintptr_t)at - (uintptr_t)begin < size;
}

// The kernel's frames are between this function's and the caller's of the kernel: stacks grow down.
int32_t tn_cpu_is_in_space(const tn_cpu_memory *memory, const void *pointer, int32_t space) {
  const char *at = pointer;
  const char *stack = __builtin_frame_address(0);
  const bool is_local = is_within(at, memory->local, memory->local_size) ||
                        is_within(at, memory->group_local, memory->group_local_size);
  const bool is_private = is_within(at, stack, (uintptr_t)memory->stack_end - (uintptr_t)stack) ||
                          is_within(at, memory->slots, memory->slots_size);
  return space == TN_CPU_SPACE_LOCAL     ? is_local
         : space == TN_CPU_SPACE_PRIVATE ? is_private
                                         : !is_local && !is_private;
}

typedef void (*any_function)(void);
typedef struct host_function {
  const char *name;
  any_function address;
} host_function;

#define TN_ENTRY(name) {#name, (any_function)name},
#define TN_ENTRY_NAMED(name, function) {#name, (any_function)(function)},
#define TN_ENTRY_THREE(name) TN_ENTRY(name) TN_ENTRY(name##f) TN_ENTRY(name##l)

static const host_function functions[] = {
    TN_HOST_STRING_MAP(TN_ENTRY) TN_HOST_MATH_MAP(TN_ENTRY_THREE)
        TN_HOST_MATH_GNU_MAP(TN_ENTRY_THREE) TN_HOST_MATH_REENTRANT_MAP(TN_ENTRY)
            TN_HOST_C_COMPLEX_MAP(TN_ENTRY_THREE)
            TN_HOST_RUNTIME_MAP(TN_ENTRY) TN_HOST_COMPLEX_MAP(TN_ENTRY)
                TN_HOST_HALF_MAP(TN_ENTRY_NAMED) TN_HOST_CHECK_MAP(TN_ENTRY_NAMED)
                    TN_HOST_OTHER_MAP(TN_ENTRY)};

enum { SLOT_COUNT = 1024 };
static uint16_t slots[SLOT_COUNT];  // by hash, then the next free one: index + 1 of a function
static void *vector_library;        // the loader's handle, kept; NULL when there is none
_Static_assert(TN_COUNT(functions) < SLOT_COUNT / 2, "the table of slots stays half empty");

static size_t slot_of(tn_str name) {
  return (size_t)(tn_hash_bytes(name.data, name.size, 0) % SLOT_COUNT);
}

static void fill_slots(void) {
  for (size_t i = 0; i < TN_COUNT(functions); ++i) {
    size_t slot = slot_of(tn_str_from(functions[i].name));
    while (slots[slot] != 0) {
      slot = (slot + 1) % SLOT_COUNT;
    }
    slots[slot] = (uint16_t)(i + 1);
  }
}

// Not by base/dynlib: a fault that a test injects would stay for the whole process.
static void load_vector_library(void) {
  vector_library = dlopen("libmvec.so.1", RTLD_NOW | RTLD_LOCAL);
}

static uint64_t vector_address(tn_str symbol) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  char name[64];
  if (symbol.size >= sizeof(name) || pthread_once(&once, load_vector_library) != 0 ||
      vector_library == NULL) {
    return 0;
  }
  memcpy(name, symbol.data, symbol.size);
  name[symbol.size] = '\0';
  return (uint64_t)(uintptr_t)dlsym(vector_library, name);
}

uint64_t tn_host_function_address(tn_str name) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (tn_str_has_prefix(name, TN_STR_LIT("_ZGV"))) {
    return vector_address(name);
  }
  if (pthread_once(&once, fill_slots) != 0) {
    return 0;
  }
  for (size_t slot = slot_of(name); slots[slot] != 0; slot = (slot + 1) % SLOT_COUNT) {
    const host_function *function = &functions[slots[slot] - 1];
    if (tn_str_equals(name, tn_str_from(function->name))) {
      return (uint64_t)(uintptr_t)function->address;
    }
  }
  return 0;
}

bool tn_is_host_function(tn_str name) { return tn_host_function_address(name) != 0; }
