// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenCL C's functions, operators and types, as far as kernels without images have them: the
// compiler makes SPIR-V of each, and the driver takes it.
// RUN: %tenonxx -fsycl -Wall -Wextra -Werror %s -o %t && %t
#include "../headers/Inputs/expect.hpp"

#include <string>

#include <sycl/sycl.hpp>

namespace syclexp = sycl::ext::oneapi::experimental;
using language = syclexp::source_language;

// Functions of one number, also of double, and of one or two in float alone.
static const char *const of_one[] = {
    "acos", "acosh", "acospi", "asin", "asinh", "asinpi", "atan", "atanh", "atanpi", "cbrt",
    "ceil", "cos", "cosh", "cospi", "erfc", "erf", "exp", "exp2", "exp10", "expm1", "fabs",
    "floor", "lgamma", "log", "log2", "log10", "log1p", "logb", "rint", "round", "rsqrt", "sin",
    "sinh", "sinpi", "sqrt", "tan", "tanh", "tanpi", "tgamma", "trunc", "degrees", "radians",
    "sign",
};
static const char *const of_one_float[] = {
    "native_cos", "native_exp", "native_exp2", "native_exp10", "native_log", "native_log2",
    "native_log10", "native_recip", "native_rsqrt", "native_sin", "native_sqrt", "native_tan",
    "half_cos", "half_exp", "half_exp2", "half_exp10", "half_log", "half_log2", "half_log10",
    "half_recip", "half_rsqrt", "half_sin", "half_sqrt", "half_tan",
};
static const char *const of_two[] = {
    "atan2", "atan2pi", "copysign", "fdim", "fmax", "fmin", "fmod", "hypot", "maxmag", "minmag",
    "nextafter", "pow", "powr", "remainder", "native_divide", "native_powr", "half_divide",
    "half_powr", "step", "max", "min",
};
// Bodies of kernels with `global int *out`.
static const char *const bodies[] = {
    "float4 x=1,y=2,z=3; out[0]=(int)fma(x,y,z).x+(int)mad(x,y,z).y+(int)clamp(x,y,z).x+"
     "(int)mix(x,y,0.5f).x+(int)smoothstep(x,y,z).x;",
    "int e; int4 e4; out[0]=(int)frexp(1.5f,&e)+(int)frexp((float4)(1.5f),&e4).x+"
     "ilogb(8.0f)+(int)ldexp(1.0f,3)+(int)pown(2.0f,3)+(int)rootn(8.0f,3)+"
     "(int)lgamma_r(3.0f,&e)+(int)remquo(5.0f,3.0f,&e)+(int)nan(1u);",
    "float c; out[0]=(int)sincos(1.0f,&c)+(int)fract(1.5f,&c)+(int)modf(1.5f,&c);",
    "float4 a=1,c=2; out[0]=(int)cross(a,c).x+(int)dot(a,c)+(int)distance(a,c)+"
     "(int)length(a)+(int)normalize(a).x+(int)fast_distance(a,c)+(int)fast_length(a)+"
     "(int)fast_normalize(a).x;",
    "float4 a=1,c=2; out[0]=isequal(a,c).x+isnotequal(a,c).y+isgreater(a,c).x+"
     "isgreaterequal(a,c).x+isless(a,c).x+islessequal(a,c).x+islessgreater(a,c).x+"
     "isfinite(a).x+isinf(a).x+isnan(a).x+isnormal(a).x+isordered(a,c).x+isunordered(a,c).x+"
     "signbit(a).x+any(isless(a,c))+all(isless(a,c));",
    "int4 a=5,c=3; uint4 u=7; out[0]=(int)abs(a).x+(int)abs_diff(a,c).x+add_sat(a,c).x+"
     "hadd(a,c).x+rhadd(a,c).x+clamp(a,c,a).x+clz(a).x+ctz(a).x+mad_hi(a,c,a).x+mad_sat(a,c,"
     "a).x+max(a,c).x+min(a,c).x+mul_hi(a,c).x+rotate(a,c).x+sub_sat(a,c).x+popcount(a).x+"
     "mad24(a,c,a).x+mul24(a,c).x+(int)upsample(u,u).x+bitselect(a,c,a).x+select(a,c,a).x;",
    "char4 a=5,c=3; short8 s=2; long2 l=3; out[0]=add_sat(a,c).x+mul_hi(a,c).y+clz(s).x+"
     "popcount(l).x+(int)mad_sat(l,l,l).x+rotate(a,c).x+upsample(a,(uchar4)(1)).x;",
    "uchar4 a=convert_uchar4_sat_rte((float4)(300.0f)); out[0]=a.x+"
     "convert_short2_sat((int2)(100000)).x+convert_int4_rtz((double4)(1.7)).x+"
     "(int)convert_float4((long4)(3)).x+convert_uint2_sat((float2)(-1.0f)).x;",
    "float8 v=vload8(0,(global float*)out); vstore8(v,0,(global float*)out);"
     " float3 t=vload3(0,(global float*)out); vstore3(t,0,(global float*)out);"
     " float16 w=vload16(0,(global float*)out); vstore16(w,0,(global float*)out);",
    "float f=vload_half(0,(global half*)out); vstore_half(f,0,(global half*)out);"
     " float4 g=vload_half4(0,(global half*)out); vstore_half4_rte(g,0,(global half*)out);"
     " float4 h=vloada_half4(0,(global half*)out); vstorea_half4(h,0,(global half*)out);"
     " vstore_half_rtz(f,1,(global half*)out);",
    "int4 r=shuffle((int8)(1),(uint4)(3)); int4 s=shuffle2((int4)(1),(int4)(2),(uint4)(7));"
     " out[0]=r.x+s.y; out[1]=vec_step(int3);",
    "printf(\"%d %f %v4f %s\\n\", out[0], 1.5, (float4)(2.0f), \"text\");",
    "out[0]=sub_group_any(1)+sub_group_reduce_min(3)+sub_group_scan_inclusive_add(2)+"
     "get_enqueued_num_sub_groups()+get_sub_group_id();"
     " sub_group_barrier(CLK_LOCAL_MEM_FENCE);",
    "out[0]=work_group_scan_exclusive_max(3)+work_group_reduce_min((long)4)+"
     "(int)work_group_broadcast(1.0f,0);",
    "atomic_flag volatile global *f=(atomic_flag volatile global*)out;"
     " out[1]=atomic_flag_test_and_set(f); atomic_flag_clear(f);",
    "atomic_fetch_sub_explicit((volatile global atomic_int*)out,1,memory_order_relaxed,"
     "memory_scope_device); atomic_fetch_or((volatile global atomic_uint*)out,1u);"
     " atomic_fetch_xor((volatile global atomic_int*)out,1);"
     " atomic_fetch_and((volatile global atomic_int*)out,1);"
     " atomic_store_explicit((volatile global atomic_int*)out,1,memory_order_release,"
     "memory_scope_device); out[1]=atomic_load_explicit((volatile global atomic_int*)out,"
     "memory_order_acquire,memory_scope_device)+"
     "atomic_exchange_explicit((volatile global atomic_int*)out,1,memory_order_acq_rel,"
     "memory_scope_device);",
    "int e=0; out[1]=atomic_compare_exchange_weak_explicit((volatile global atomic_int*)out"
     ",&e,1,memory_order_seq_cst,memory_order_relaxed,memory_scope_device);",
    "atomic_fetch_add((volatile global atomic_long*)out,1L);"
     " atomic_fetch_max((volatile global atomic_ulong*)out,1UL);",
    "atomic_and((volatile global uint*)out,1u); atomic_or(out,1);"
     " atom_and((volatile global long*)out,1L); atom_or((volatile global ulong*)out,1UL);"
     " atom_xor((volatile global long*)out,1L); atom_max((volatile global ulong*)out,1UL);"
     " atom_add((volatile global long*)out,1L);",
    "switch(out[0]){case 1: out[1]=2; break; case 5: out[1]=3; break; default: out[1]=4;"
     "} do { out[2]++; if (out[2]==7) continue; } while(out[2]<20); goto end; end: out[3]=1;",
    "typedef struct {int a; float4 b; char c[3];} s; local s l[2]; l[0].a=1;"
     " l[1].b=(float4)(2); barrier(CLK_LOCAL_MEM_FENCE); s t=l[get_local_id(0)&1];"
     " out[0]=t.a+(int)t.b.x+t.c[1];",
    "union {int i; float f; uchar4 c;} u; u.f=1.0f; out[0]=u.i+u.c.w; out[1]=as_uint(1.0f)+"
     "as_short2(3).x+as_uchar4(5).x; out[2]=(int)as_double(5L);",
    "out[0]=get_global_offset(0)+get_group_id(0)+get_num_groups(0)+get_global_size(1)+"
     "get_local_size(2)+get_local_id(1); enum {A=3,B}; out[1]=B;"
     " const constant char *t=\"abc\"; out[2]=t[1];",
    "int2 v; v.lo=1; v.hi=2; float4 f; f.xyz=(float3)(1); f.s3=2; f.even=(float2)(3);"
     " out[0]=v.s0+v.y+(int)f.odd.x+(int)f.wzyx.x; int4 c=(int4)(1,2,3,4)>(int4)(2);"
     " out[1]=c.z?1:0; out[2]=((int4)(1)?(int4)(2):(int4)(3)).x;"
};

static std::string kernel(const std::string &name, const std::string &body) {
  return "kernel void " + name + "(global int *out) { " + body + " }\n";
}

static std::string all_of_one(const std::string &name, bool has_double) {
  const std::string calls =
      "float4 x = (float4)(0.5f); out[0] = (int)" + name + "(x).y + (int)" + name + "(x.x);";
  return has_double ? calls + " double2 d = (double2)(0.5); out[1] = (int)" + name + "(d).x;"
                    : calls;
}

int main() {
  sycl::queue q;
  if (!q.get_device().ext_oneapi_can_build(language::opencl)) {
    return 0;
  }
  const bool has_double = q.get_device().has(sycl::aspect::fp64);
  std::string source;
  int count = 0;
  const auto add = [&](const std::string &body) {
    source += kernel("k" + std::to_string(count++), body);
  };
  for (const char *name : of_one) {
    add(all_of_one(name, has_double));
  }
  for (const char *name : of_one_float) {
    add(all_of_one(name, false));
  }
  for (const std::string name : of_two) {
    add("float2 x = (float2)(0.5f), y = (float2)(2.5f); out[0] = (int)" + name + "(x, y).y;");
  }
  for (const std::string body : bodies) {
    if (has_double || body.find("double") == std::string::npos) {
      add(body);
    }
  }
  auto bundle = syclexp::build(
      syclexp::create_kernel_bundle_from_source(q.get_context(), language::opencl, source),
      syclexp::properties{syclexp::build_options{"-cl-std=CL3.0"}});
  for (int i = 0; i < count; ++i) {
    EXPECT(bundle.ext_oneapi_has_kernel("k" + std::to_string(i)));
  }
  return failures;
}
