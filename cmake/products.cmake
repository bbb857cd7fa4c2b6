# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What is built of the components. The build tree has the shape of the installed one: bin, lib, include.
set(TN_BIN_DIR ${CMAKE_BINARY_DIR}/bin)
set(TN_LIB_DIR ${CMAKE_BINARY_DIR}/lib)

# tn_product(<target> [<folder>]): built and installed with the same RUNPATH, the folder or none.
# Otherwise CMake pads it with an empty element, which means the working folder.
function(tn_product target)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${ARGN}")
endfunction()

# The runtime. Without LLVM: a program that never compiles at run time never loads it.
add_library(tenon SHARED ${TN_RUN_OBJECTS})
set_target_properties(tenon PROPERTIES
  LIBRARY_OUTPUT_DIRECTORY ${TN_LIB_DIR} VERSION ${PROJECT_VERSION} SOVERSION 0
  LINKER_LANGUAGE C LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/tenon.map)
tn_product(tenon)
# Its threads outlive a dlclose of the last library that needs it, so it stays in the process.
target_link_options(tenon PRIVATE ${TN_LINK_DEFS} -Wl,-z,nodelete
  "-Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/tenon.map")
target_link_libraries(tenon PRIVATE pthread ${CMAKE_DL_LIBS} m)
target_include_directories(tenon INTERFACE ${CMAKE_SOURCE_DIR}/include)

# The compiler: the runtime's plug-in, and what tenon++ loads.
if(TARGET component_rtc)
  add_library(tenon-compiler SHARED ${TN_COMPILER_LIBRARY_OBJECTS})
  set_target_properties(tenon-compiler PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${TN_LIB_DIR} LINKER_LANGUAGE C
    LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/tenon_compiler.map)
  # LLVM and Clang read no variable that base/config.c does not believe.
  target_link_options(tenon-compiler PRIVATE ${TN_LINK_DEFS} -Wl,-z,nodelete -Wl,--wrap=getenv
    "-Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/tenon_compiler.map")
  if(TN_LLVM_IS_SHARED)
    tn_product(tenon-compiler ${TN_LLVM_LIB_DIR})
  else()
    tn_product(tenon-compiler)
  endif()
  target_link_libraries(tenon-compiler PRIVATE tn_compiler_llvm stdc++ pthread ${CMAKE_DL_LIBS} m)
endif()

# Loaded by the clang that tenon++ runs, which has the symbols of LLVM and Clang. Without sanitizers,
# which that clang has not.
add_library(tenon-clang-plugin MODULE $<TARGET_OBJECTS:clang_plugin> $<TARGET_OBJECTS:clang_attributes>)
set_target_properties(tenon-clang-plugin PROPERTIES PREFIX "" LINKER_LANGUAGE CXX
  LIBRARY_OUTPUT_DIRECTORY ${TN_LIB_DIR}/tenon)
tn_product(tenon-clang-plugin)

# tn_tool(<name> <source> [LLVM] OBJECTS <objects>): left out while its main file is not there.
function(tn_tool name source)
  cmake_parse_arguments(TOOL "LLVM" "" "OBJECTS" ${ARGN})
  file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${source})
  if(NOT found)
    message(STATUS "${source}: no such file, ${name} is left out")
    return()
  endif()
  add_executable(${name} ${source} ${TOOL_OBJECTS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${TN_BIN_DIR}
                        LINKER_LANGUAGE C)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_compile_definitions(${name} PRIVATE TN_BUILDING TN_VERSION="${PROJECT_VERSION}"
                             TN_CLANG_PATH="${TN_CLANG}")
  target_link_libraries(${name} PRIVATE pthread ${CMAKE_DL_LIBS} m)
  if(TOOL_LLVM)
    target_link_libraries(${name} PRIVATE tn_llvm stdc++)
    tn_product(${name} ${TN_LLVM_LIB_DIR})
  else()
    tn_product(${name})
  endif()
endfunction()

tn_tool(tenon++ src/tools/tenon_main.c OBJECTS ${TN_IMAGE_OBJECTS})
# What --version says of the Clang in the library.
execute_process(COMMAND ${TN_CLANG} --version OUTPUT_VARIABLE clang_version)
string(REGEX MATCH "^[^\n]*clang version ${TN_LLVM_VERSION}[^\n]*" clang_line "${clang_version}")
string(REGEX REPLACE ".*\nTarget: ([^\n]*)\n.*" "\\1" clang_triple "${clang_version}")
target_compile_definitions(tenon++ PRIVATE TN_CLANG_VERSION="${clang_line}"
                           TN_CLANG_TRIPLE="${clang_triple}")
tn_tool(tenon-lower src/tools/tenon_lower.c LLVM OBJECTS ${TN_PIPELINE_OBJECTS})
tn_tool(tenon-image src/tools/tenon_image.c OBJECTS src/tools/image_report.c src/tools/image_print.c
        src/tools/printed_text.c ${TN_IMAGE_OBJECTS})
# Lists what libtenon finds.
tn_tool(tenon-info src/tools/tenon_info.c OBJECTS src/tools/device_report.c
        src/tools/printed_text.c ${TN_IMAGE_OBJECTS})
target_link_libraries(tenon-info PRIVATE tenon)
set_target_properties(tenon-info PROPERTIES BUILD_WITH_INSTALL_RPATH ON
                      INSTALL_RPATH "$ORIGIN/../lib")
tn_tool(tenon-cache src/tools/tenon_cache.c OBJECTS src/tools/cache_print.c
        src/tools/printed_text.c ${TN_IMAGE_OBJECTS})

add_dependencies(tenon++ tenon-compiler tenon-clang-plugin)

# The libraries start these from beside the compiler library.
foreach(name import spirv)
  tn_tool(tenon-${name} src/tools/tenon_${name}.c OBJECTS src/tools/child_program.c ${TN_IMAGE_OBJECTS})
  if(TARGET tenon-${name})
    set_target_properties(tenon-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${TN_LIB_DIR}/tenon)
  endif()
endforeach()

# tenon++ finds headers and libraries relative to itself, here as where it is installed.
file(RELATIVE_PATH include_dir ${CMAKE_BINARY_DIR} ${CMAKE_SOURCE_DIR}/include)
file(CREATE_LINK ${include_dir} ${CMAKE_BINARY_DIR}/include SYMBOLIC)
# Clang's builtin headers, and a linker for systems without one: tenon++ under the linkers' names, each
# in a folder of its own.
set(TN_CLANG_FILES ${TN_LIB_DIR}/tenon/clang/22)
set(clang_files ${TN_LLVM_LIB_DIR}/clang/22)
if(NOT EXISTS ${clang_files}/include/stddef.h)
  message(FATAL_ERROR "Clang's headers are not in ${clang_files}/include: install "
                      "libclang-common-22-dev (./bootstrap does, with clang-22)")
endif()
file(GLOB_RECURSE clang_headers ${clang_files}/include/* ${clang_files}/share/*)
set(copy_lists)  # the sanitizers' lists, which Debian has in libclang-rt-22-dev
if(EXISTS ${clang_files}/share)
  set(copy_lists COMMAND ${CMAKE_COMMAND} -E copy_directory ${clang_files}/share ${TN_CLANG_FILES}/share)
endif()
add_custom_command(OUTPUT ${TN_CLANG_FILES}/made
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${TN_CLANG_FILES}
  COMMAND ${CMAKE_COMMAND} -E copy_directory ${clang_files}/include ${TN_CLANG_FILES}/include
  ${copy_lists}
  COMMAND ${CMAKE_COMMAND} -E touch ${TN_CLANG_FILES}/made
  DEPENDS ${clang_headers} VERBATIM COMMENT "Copying Clang's builtin headers")
add_custom_target(tenon-clang-headers ALL DEPENDS ${TN_CLANG_FILES}/made)
if(TN_LLD_LIBRARIES)
  foreach(name ld ld.lld)
    file(MAKE_DIRECTORY ${TN_LIB_DIR}/tenon/linker/${name})
    file(CREATE_LINK ../../../../bin/tenon++ ${TN_LIB_DIR}/tenon/linker/${name}/${name} SYMBOLIC)
  endforeach()
endif()
# The names under which builds look for DPC++, in a folder of its own.
file(MAKE_DIRECTORY ${TN_BIN_DIR} ${TN_LIB_DIR}/tenon/dpcpp/bin ${TN_LIB_DIR}/tenon/dpcpp/lib)
file(CREATE_LINK tenon++ ${TN_BIN_DIR}/tenoncc SYMBOLIC)  # the same for C
file(CREATE_LINK tenon-info ${TN_BIN_DIR}/sycl-ls SYMBOLIC)
file(CREATE_LINK ../../../../bin/tenon++ ${TN_LIB_DIR}/tenon/dpcpp/bin/clang++ SYMBOLIC)
file(CREATE_LINK ../../../../bin/tenon++ ${TN_LIB_DIR}/tenon/dpcpp/bin/clang SYMBOLIC)
file(CREATE_LINK ../../../libtenon.so ${TN_LIB_DIR}/tenon/dpcpp/lib/libsycl.so SYMBOLIC)
file(CREATE_LINK ../../../include ${TN_LIB_DIR}/tenon/dpcpp/include SYMBOLIC)
