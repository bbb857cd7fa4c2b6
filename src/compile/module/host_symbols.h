// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C and math functions that device code on the CPU may call, as X-macros: the list of names and
// the table of addresses for loaded code are both made of this.
#ifndef TN_COMPILE_MODULE_HOST_SYMBOLS_H
#define TN_COMPILE_MODULE_HOST_SYMBOLS_H

// Functions of <string.h>.
#define TN_HOST_STRING_MAP(X) X(memcpy) X(memmove) X(memset) X(memcmp) X(memchr) X(strlen) \
  X(strcmp) X(strncmp)
// Functions of <math.h> that exist for double, float (…f) and long double (…l).
#define TN_HOST_MATH_MAP(X) \
  X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atan2) X(atanh) X(cbrt) X(ceil) X(copysign) X(cos) \
  X(cosh) X(erf) X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(fdim) X(floor) X(fma) X(fmax) X(fmin) \
  X(fmod) X(frexp) X(hypot) X(ilogb) X(ldexp) X(lgamma) X(llrint) X(llround) X(log) X(log10) \
  X(log1p) X(log2) X(logb) X(lrint) X(lround) X(modf) X(nan) X(nearbyint) X(nextafter) \
  X(nexttoward) X(pow) X(remainder) X(remquo) X(rint) X(round) X(scalbln) X(scalbn) X(sin) \
  X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)
// GNU's additions to them.
#define TN_HOST_MATH_GNU_MAP(X) X(exp10) X(sincos)
// What compiled code calls though nobody wrote it: helpers of the C compiler's runtime.
#define TN_HOST_RUNTIME_MAP(X) \
  X(__udivti3) X(__umodti3) X(__divti3) X(__modti3) X(__powidf2) X(__powisf2)
// The same, for multiplying and dividing complex numbers.
#define TN_HOST_COMPLEX_MAP(X) X(__muldc3) X(__mulsc3) X(__divdc3) X(__divsc3)
// Integer functions of <stdlib.h>, and assert's.
#define TN_HOST_OTHER_MAP(X) X(abs) X(labs) X(llabs) X(__assert_fail)

#endif
