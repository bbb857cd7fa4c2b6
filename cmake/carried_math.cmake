# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Mathematics for NVIDIA GPUs inside the compiler: CUDA's names of functions (nvptx_math.cl) by
# libclc's functions, one module of bitcode of what these need, for src/compile/emit/carried_math.c.
find_file(TN_LIBCLC NAMES nvptx64--.bc PATHS /usr/lib/clc /usr/share/clc ${TN_LLVM_LIB_DIR}/clc
          ${TN_LLVM_LIB_DIR}/../share/clc NO_DEFAULT_PATH)
set(TN_MATH_DIR ${CMAKE_BINARY_DIR}/carried)
set(TN_MATH ${TN_MATH_DIR}/nvptx_math.bc)
set(math_source ${CMAKE_SOURCE_DIR}/src/compile/emit/nvptx_math.cl)
file(MAKE_DIRECTORY ${TN_MATH_DIR})
if(TN_LIBCLC AND EXISTS ${TN_LLVM_BIN_DIR}/clang AND EXISTS ${TN_LLVM_BIN_DIR}/llvm-link
   AND EXISTS ${TN_LLVM_BIN_DIR}/opt)
  add_custom_command(OUTPUT ${TN_MATH}
    COMMAND ${TN_LLVM_BIN_DIR}/clang -x cl -cl-std=CL3.0 -target nvptx64-nvidia-cuda
            -Xclang -cl-ext=+cl_khr_fp64,+__opencl_c_fp64,+__opencl_c_generic_address_space
            -nogpulib -O2 -Xclang -disable-llvm-passes -emit-llvm -c ${math_source}
            -o ${TN_MATH_DIR}/nvptx_names.bc
    COMMAND ${TN_LLVM_BIN_DIR}/llvm-link ${TN_MATH_DIR}/nvptx_names.bc --only-needed --internalize
            ${TN_LIBCLC} -o ${TN_MATH_DIR}/nvptx_linked.bc
    COMMAND ${TN_LLVM_BIN_DIR}/opt "-passes=internalize,globaldce,default<O2>"
            "--internalize-public-api-list=__nv_*" ${TN_MATH_DIR}/nvptx_linked.bc -o ${TN_MATH}
    DEPENDS ${math_source} ${TN_LIBCLC} VERBATIM
    COMMENT "Taking mathematics for NVIDIA GPUs out of libclc")
  message(STATUS "mathematics for NVIDIA GPUs: of ${TN_LIBCLC}")
else()
  file(WRITE ${TN_MATH} "")
  message(STATUS "mathematics for NVIDIA GPUs: libclc's nvptx64--.bc is not found (package "
                 "libclc-22), so that compiling for them takes CUDA's libdevice")
endif()
set_source_files_properties(src/compile/emit/carried_math.c PROPERTIES
  OBJECT_DEPENDS ${TN_MATH} COMPILE_DEFINITIONS "TN_MATH_FILE=\"${TN_MATH}\"")
