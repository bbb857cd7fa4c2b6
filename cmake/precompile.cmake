# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Precompiled headers for sources that are compiled at run time, made by libtenon-compiler.so itself
# for the usual options of each target, in lib/tenon/rtc beside it.
if(TARGET tenon-compiler)
  add_executable(tenon-precompile src/tools/tenon_precompile.c)
  target_include_directories(tenon-precompile PRIVATE ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(tenon-precompile PRIVATE ${CMAKE_DL_LIBS})
  set(TN_PRECOMPILED_DIR ${TN_LIB_DIR}/tenon/rtc)
  add_custom_command(OUTPUT ${TN_PRECOMPILED_DIR}/made
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${TN_PRECOMPILED_DIR}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${TN_PRECOMPILED_DIR}
    COMMAND tenon-precompile $<TARGET_FILE:tenon-compiler> ${TN_PRECOMPILED_DIR}
            native_cpu spirv64 nvptx64-nvidia-cuda
    COMMAND ${CMAKE_COMMAND} -E touch ${TN_PRECOMPILED_DIR}/made
    DEPENDS tenon-precompile tenon-compiler ${TN_CLANG_FILES}/made VERBATIM
    COMMENT "Precompiling the SYCL headers for run-time compilation")
  add_custom_target(tenon-precompiled ALL DEPENDS ${TN_PRECOMPILED_DIR}/made)
  install(DIRECTORY ${TN_PRECOMPILED_DIR} DESTINATION lib/tenon FILES_MATCHING PATTERN "*.pch")
endif()

# The same for tenon++. In place of the installation's path they have a name that stands for it: what
# is staged (DESTDIR), packed or moved keeps them.
if(TARGET tenon++)
  set(TN_MAKE_PREAMBLES ${CMAKE_SOURCE_DIR}/cmake/preambles.cmake)
  add_custom_target(tenon-preambles
    COMMAND ${CMAKE_COMMAND} -DTENONXX=$<TARGET_FILE:tenon++> -DFOLDER=${TN_LIB_DIR}/tenon/preambles
            -P ${TN_MAKE_PREAMBLES}
    DEPENDS tenon++ VERBATIM COMMENT "Precompiling the SYCL headers for tenon++")
  install(CODE "
    set(TENONXX \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/tenon++\")
    set(FOLDER \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/tenon/preambles\")
    include(\"${TN_MAKE_PREAMBLES}\")")
endif()
