// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which macro arguments are numbers: those in the table below.
// Private to kernel_attributes.hpp.
#ifndef TENON_SYCL_DETAIL_ATTRIBUTE_NUMBERS_HPP
#define TENON_SYCL_DETAIL_ATTRIBUTE_NUMBERS_HPP

#define TN_SYCL_SECOND_OF(a, b, ...) b
#define TN_SYCL_IS_EMPTY(...) TN_SYCL_SECOND_OF(~__VA_OPT__(, 0), 1, 0)
// b is 1 when the first token is in the table; c is what follows that token.
#define TN_SYCL_IS_ALONE(a, b, c, ...) TN_SYCL_AND(b, TN_SYCL_IS_EMPTY(c))
#define TN_SYCL_LOOK_UP(...) TN_SYCL_IS_ALONE(__VA_ARGS__)
#define TN_SYCL_IS_NUMBER_OF(x) TN_SYCL_LOOK_UP(TN_SYCL_NUMBER_##x, 0, , )
#define TN_SYCL_IS_NUMBER(x) TN_SYCL_IS_NUMBER_OF(x)
#define TN_SYCL_AND_00 0
#define TN_SYCL_AND_01 0
#define TN_SYCL_AND_10 0
#define TN_SYCL_AND_11 1
#define TN_SYCL_AND_OF(a, b) TN_SYCL_AND_##a##b
#define TN_SYCL_AND(a, b) TN_SYCL_AND_OF(a, b)
// The same again, because a macro does not expand within itself.
#define TN_SYCL_BOTH_OF(a, b) TN_SYCL_AND_##a##b
#define TN_SYCL_BOTH(a, b) TN_SYCL_BOTH_OF(a, b)
#define TN_SYCL_ALSO_OF(a, b) TN_SYCL_AND_##a##b
#define TN_SYCL_NUMBERS_ALSO(a, b) TN_SYCL_ALSO_OF(a, b)
#define TN_SYCL_NUMBERS_1(a) TN_SYCL_IS_NUMBER(a)
#define TN_SYCL_NUMBERS_2(a, b) TN_SYCL_BOTH(TN_SYCL_IS_NUMBER(a), TN_SYCL_IS_NUMBER(b))
#define TN_SYCL_NUMBERS_3(a, b, c)   \
  TN_SYCL_BOTH(TN_SYCL_NUMBERS_1(a), \
               TN_SYCL_NUMBERS_ALSO(TN_SYCL_IS_NUMBER(b), TN_SYCL_IS_NUMBER(c)))
#define TN_SYCL_FOURTH(a, b, c, d, ...) d
#define TN_SYCL_ARE_NUMBERS(...)                                                         \
  TN_SYCL_FOURTH(__VA_ARGS__, TN_SYCL_NUMBERS_3, TN_SYCL_NUMBERS_2, TN_SYCL_NUMBERS_1, ) \
  (__VA_ARGS__)
#define TN_SYCL_IF_0(yes, no) no
#define TN_SYCL_IF_1(yes, no) yes
#define TN_SYCL_IF_OF(condition) TN_SYCL_IF_##condition
#define TN_SYCL_IF(condition) TN_SYCL_IF_OF(condition)

#define TN_SYCL_NUMBER_1 ~, 1,
#define TN_SYCL_NUMBER_2 ~, 1,
#define TN_SYCL_NUMBER_3 ~, 1,
#define TN_SYCL_NUMBER_4 ~, 1,
#define TN_SYCL_NUMBER_5 ~, 1,
#define TN_SYCL_NUMBER_6 ~, 1,
#define TN_SYCL_NUMBER_7 ~, 1,
#define TN_SYCL_NUMBER_8 ~, 1,
#define TN_SYCL_NUMBER_9 ~, 1,
#define TN_SYCL_NUMBER_10 ~, 1,
#define TN_SYCL_NUMBER_11 ~, 1,
#define TN_SYCL_NUMBER_12 ~, 1,
#define TN_SYCL_NUMBER_13 ~, 1,
#define TN_SYCL_NUMBER_14 ~, 1,
#define TN_SYCL_NUMBER_15 ~, 1,
#define TN_SYCL_NUMBER_16 ~, 1,
#define TN_SYCL_NUMBER_17 ~, 1,
#define TN_SYCL_NUMBER_18 ~, 1,
#define TN_SYCL_NUMBER_19 ~, 1,
#define TN_SYCL_NUMBER_20 ~, 1,
#define TN_SYCL_NUMBER_21 ~, 1,
#define TN_SYCL_NUMBER_22 ~, 1,
#define TN_SYCL_NUMBER_23 ~, 1,
#define TN_SYCL_NUMBER_24 ~, 1,
#define TN_SYCL_NUMBER_25 ~, 1,
#define TN_SYCL_NUMBER_26 ~, 1,
#define TN_SYCL_NUMBER_27 ~, 1,
#define TN_SYCL_NUMBER_28 ~, 1,
#define TN_SYCL_NUMBER_29 ~, 1,
#define TN_SYCL_NUMBER_30 ~, 1,
#define TN_SYCL_NUMBER_31 ~, 1,
#define TN_SYCL_NUMBER_32 ~, 1,
#define TN_SYCL_NUMBER_33 ~, 1,
#define TN_SYCL_NUMBER_34 ~, 1,
#define TN_SYCL_NUMBER_35 ~, 1,
#define TN_SYCL_NUMBER_36 ~, 1,
#define TN_SYCL_NUMBER_37 ~, 1,
#define TN_SYCL_NUMBER_38 ~, 1,
#define TN_SYCL_NUMBER_39 ~, 1,
#define TN_SYCL_NUMBER_40 ~, 1,
#define TN_SYCL_NUMBER_41 ~, 1,
#define TN_SYCL_NUMBER_42 ~, 1,
#define TN_SYCL_NUMBER_43 ~, 1,
#define TN_SYCL_NUMBER_44 ~, 1,
#define TN_SYCL_NUMBER_45 ~, 1,
#define TN_SYCL_NUMBER_46 ~, 1,
#define TN_SYCL_NUMBER_47 ~, 1,
#define TN_SYCL_NUMBER_48 ~, 1,
#define TN_SYCL_NUMBER_49 ~, 1,
#define TN_SYCL_NUMBER_50 ~, 1,
#define TN_SYCL_NUMBER_51 ~, 1,
#define TN_SYCL_NUMBER_52 ~, 1,
#define TN_SYCL_NUMBER_53 ~, 1,
#define TN_SYCL_NUMBER_54 ~, 1,
#define TN_SYCL_NUMBER_55 ~, 1,
#define TN_SYCL_NUMBER_56 ~, 1,
#define TN_SYCL_NUMBER_57 ~, 1,
#define TN_SYCL_NUMBER_58 ~, 1,
#define TN_SYCL_NUMBER_59 ~, 1,
#define TN_SYCL_NUMBER_60 ~, 1,
#define TN_SYCL_NUMBER_61 ~, 1,
#define TN_SYCL_NUMBER_62 ~, 1,
#define TN_SYCL_NUMBER_63 ~, 1,
#define TN_SYCL_NUMBER_64 ~, 1,
#define TN_SYCL_NUMBER_96 ~, 1,
#define TN_SYCL_NUMBER_100 ~, 1,
#define TN_SYCL_NUMBER_128 ~, 1,
#define TN_SYCL_NUMBER_192 ~, 1,
#define TN_SYCL_NUMBER_200 ~, 1,
#define TN_SYCL_NUMBER_256 ~, 1,
#define TN_SYCL_NUMBER_320 ~, 1,
#define TN_SYCL_NUMBER_384 ~, 1,
#define TN_SYCL_NUMBER_448 ~, 1,
#define TN_SYCL_NUMBER_512 ~, 1,
#define TN_SYCL_NUMBER_640 ~, 1,
#define TN_SYCL_NUMBER_768 ~, 1,
#define TN_SYCL_NUMBER_1000 ~, 1,
#define TN_SYCL_NUMBER_1024 ~, 1,
#define TN_SYCL_NUMBER_2048 ~, 1,
#define TN_SYCL_NUMBER_4096 ~, 1,

#endif
