// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's names of mathematics by libclc's functions, which are OpenCL's: what device code for
// NVIDIA GPUs is linked with where there is no libdevice. Compiled when Tenon is built.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define UNARY(name)                                 \
  float __nv_##name##f(float x) { return name(x); } \
  double __nv_##name(double x) { return name(x); }
#define BINARY(name)                                            \
  float __nv_##name##f(float x, float y) { return name(x, y); } \
  double __nv_##name(double x, double y) { return name(x, y); }
#define WITH_INT(name, function)                                  \
  float __nv_##name##f(float x, int y) { return function(x, y); } \
  double __nv_##name(double x, int y) { return function(x, y); }
// One more result, through a pointer.
#define OUT(name, suffix, type, out_type)                   \
  type __nv_##name##suffix(type x, generic out_type *out) { \
    out_type second;                                        \
    const type first = name(x, &second);                    \
    *out = second;                                          \
    return first;                                           \
  }

UNARY(acos)
UNARY(acosh)
UNARY(asinh)
UNARY(atanh)
UNARY(cbrt)
UNARY(ceil)
UNARY(cos)
UNARY(cosh)
UNARY(exp10)
UNARY(fabs)
UNARY(floor)
UNARY(lgamma)
UNARY(log)
UNARY(log10)
UNARY(log1p)
UNARY(log2)
UNARY(logb)
UNARY(rint)
UNARY(round)
UNARY(sinh)
UNARY(sqrt)
UNARY(tanh)
UNARY(trunc)

// libclc's functions of float flush results too small to be normal; these are computed nearer to 1
// and scaled, or as double. Zeros have the signs that OpenCL says.
float __nv_expf(float x) { return x < -80.0f ? exp(x + 40.0f) * 0x1.397924p-58f : exp(x); }
double __nv_exp(double x) { return exp(x); }
float __nv_exp2f(float x) { return x < -120.0f ? exp2(x + 64.0f) * 0x1p-64f : exp2(x); }
double __nv_exp2(double x) { return exp2(x); }
float __nv_erfcf(float x) { return x > 9.0f && x < 10.1f ? (float)erfc((double)x) : erfc(x); }
double __nv_erfc(double x) { return erfc(x); }
float __nv_cospif(float x) { return cospi(x) + 0.0f; }
double __nv_cospi(double x) { return cospi(x) + 0.0; }
float __nv_sinpif(float x) {
  const float r = sinpi(x);
  return r == 0.0f ? copysign(r, x) : r;
}
double __nv_sinpi(double x) {
  const double r = sinpi(x);
  return r == 0.0 ? copysign(r, x) : r;
}
float __nv_rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
double __nv_rsqrt(double x) { return 1.0 / sqrt(x); }

// libclc's gamma function is hundreds of ulp off. This is a polynomial (Chebyshev's) between 1.5
// and 2.5, up to 26 that times or divided by what lies between, and beyond Stirling's series, below
// zero by reflection: G(-x) G(x) = -pi / (x sin(pi x)).
constant double gamma_at_2[] = {
    0x1p+0,
    0x1.b0ee6072093cep-2,
    0x1.a5b978b96bedp-2,
    0x1.4e2399846508ap-4,
    0x1.301fbb0f23723p-4,
    -0x1.17f3740ec72ap-12,
    0x1.6d7eeacd72a91p-7,
    -0x1.75e6e90ba3cefp-9,
    0x1.13c4485aa4efbp-9,
    -0x1.e21f19a7b3331p-11,
    0x1.011b279719403p-11,
    -0x1.f94b1c3d6053ep-13,
    0x1.fe3e7148c5ff1p-14,
    -0x1.fddfed1c8199bp-15,
    0x1.007e03354bf19p-15,
    -0x1.00a11030605acp-16,
    0x1.e4493add6e9ep-18,
    -0x1.e472c38c79d24p-19,
    0x1.60719ffb53cb2p-19,
    -0x1.607cdc66fc45bp-20,
};
constant double stirling[] = {1.0,
                              1.0 / 12,
                              1.0 / 288,
                              -139.0 / 51840,
                              -571.0 / 2488320,
                              163879.0 / 209018880,
                              5246819.0 / 75246796800.0,
                              -534703531.0 / 902961561600.0,
                              -4483131259.0 / 86684309913600.0};

double polynomial(constant const double *factors, int count, double x) {
  double result = factors[count - 1];
  for (int i = count - 2; i >= 0; --i) {
    result = fma(result, x, factors[i]);
  }
  return result;
}

double __nv_tgamma(double x) {
  const double size = fabs(x);
  if (size < 0x1p-60 || !(size < 200.0) || (x < 0.0 && x == floor(x))) {
    const bool is_zero = x < -200.0 && isfinite(x) && x != floor(x);
    const double zero = floor(floor(x) * 0.5) * 2.0 != floor(x) ? -0.0 : 0.0;
    return is_zero                      ? zero
           : x < 0.0 && size >= 0x1p-60 ? (double)NAN
           : size < 1.0                 ? 1.0 / x
                                        : x + INFINITY;
  }
  if (size < 26.0) {
    double up = 1.0;
    double down = 1.0;
    double y = x;
    for (; y > 2.5; up *= y) {
      y -= 1.0;
    }
    for (; y < 1.5; y += 1.0) {
      down *= y;
    }
    return polynomial(gamma_at_2, sizeof(gamma_at_2) / sizeof(double), y - 2.0) * up / down;
  }
  // In two halves, either of which is in range.
  const double half_power = pow(size, 0.5 * size - 0.25);
  const double rest = half_power / exp(size);
  const double series =
      2.50662827463100050242 * polynomial(stirling, sizeof(stirling) / sizeof(double), 1.0 / size);
  return x > 0.0 ? series * half_power * rest : -M_PI / (x * sinpi(x)) / series / half_power / rest;
}
float __nv_tgammaf(float x) { return (float)__nv_tgamma((double)x); }

// libclc's functions of double lose the sign of a zero.
#define ODD(name)                                   \
  float __nv_##name##f(float x) { return name(x); } \
  double __nv_##name(double x) { return x == 0.0 ? x : name(x); }
ODD(asin)
ODD(atan)
ODD(erf)
ODD(expm1)
ODD(sin)
ODD(tan)

float __nv_powf(float x, float y) { return pow(x, y); }
double __nv_pow(double x, double y) {
  const double base = fabs(x);
  // These exponents are even numbers, and libclc's sum of logarithms overflows.
  if (fabs(y) > 0x1p70 && isfinite(y) && base == base) {
    return base == 1.0 ? 1.0 : (base > 1.0) == (y > 0.0) ? (double)INFINITY : 0.0;
  }
  return pow(x, y);
}

// Remainders of floats are floats.
float __nv_fmodf(float x, float y) { return (float)fmod((double)x, (double)y); }
double __nv_fmod(double x, double y) { return fmod(x, y); }
float __nv_remainderf(float x, float y) { return (float)remainder((double)x, (double)y); }
double __nv_remainder(double x, double y) { return remainder(x, y); }

// The product of a float with a power of two is exact in double.
float __attribute__((overloadable)) scale(float x, int k) {
  return (float)((double)x * as_double((long)(clamp(k, -400, 400) + 1023) << 52));
}
double __attribute__((overloadable)) scale(double x, int k) { return ldexp(x, k); }

float __nv_nearbyintf(float x) { return rint(x); }
double __nv_nearbyint(double x) { return rint(x); }

BINARY(atan2)
BINARY(copysign)
BINARY(fdim)
BINARY(fmax)
BINARY(fmin)
BINARY(hypot)
BINARY(nextafter)

float __nv_fmaf(float x, float y, float z) { return fma(x, y, z); }
double __nv_fma(double x, double y, double z) { return fma(x, y, z); }

WITH_INT(ldexp, scale)
WITH_INT(scalbn, scale)
WITH_INT(powi, pown)

int __nv_ilogbf(float x) { return ilogb(x); }
int __nv_ilogb(double x) { return ilogb(x); }
long __nv_llrintf(float x) { return convert_long_sat(rint(x)); }
long __nv_llrint(double x) { return convert_long_sat(rint(x)); }
long __nv_llroundf(float x) { return convert_long_sat(round(x)); }
long __nv_llround(double x) { return convert_long_sat(round(x)); }

OUT(frexp, f, float, int)
OUT(frexp, , double, int)
OUT(modf, f, float, float)
OUT(modf, , double, double)

#define TWO_OUT(suffix, type, exact)                                           \
  void __nv_sincos##suffix(type x, generic type *sine, generic type *cosine) { \
    type second;                                                               \
    const type first = sincos(x, &second);                                     \
    *sine = x == 0 ? x : first;                                                \
    *cosine = second;                                                          \
  }                                                                            \
  type __nv_remquo##suffix(type x, type y, generic int *quotient) {            \
    int second;                                                                \
    const type rest = (type)remquo((exact)x, (exact)y, &second);               \
    *quotient = second;                                                        \
    return rest;                                                               \
  }
TWO_OUT(f, float, double)
TWO_OUT(, double, double)
