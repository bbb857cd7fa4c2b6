# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds the stock LLVM 22: the shared library, the C headers, and clang to run.
# LLVM's own CMake package is not used: it asks for development packages that Tenon has no use for.
find_program(TN_LLVM_CONFIG NAMES llvm-config-22 llvm-config PATHS /usr/lib/llvm-22/bin)
if(NOT TN_LLVM_CONFIG)
  message(FATAL_ERROR "llvm-config-22 is not found: install llvm-22-dev (./bootstrap does), "
                      "or set TN_LLVM_CONFIG to LLVM 22's llvm-config")
endif()

function(tn_llvm_ask what out)
  execute_process(COMMAND ${TN_LLVM_CONFIG} --${what} OUTPUT_VARIABLE answer
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()

tn_llvm_ask(version TN_LLVM_VERSION)
if(NOT TN_LLVM_VERSION MATCHES "^22\\.")
  message(FATAL_ERROR "${TN_LLVM_CONFIG} is of LLVM ${TN_LLVM_VERSION}; Tenon needs LLVM 22")
endif()
string(REGEX MATCH "^[0-9]+\\.[0-9]+" TN_LLVM_SOVERSION ${TN_LLVM_VERSION})
tn_llvm_ask(includedir TN_LLVM_INCLUDE_DIR)
tn_llvm_ask(libdir TN_LLVM_LIB_DIR)
tn_llvm_ask(bindir TN_LLVM_BIN_DIR)

find_library(TN_LLVM_LIBRARY NAMES LLVM-22 LLVM HINTS ${TN_LLVM_LIB_DIR} NO_DEFAULT_PATH)
find_program(TN_CLANG NAMES clang++ HINTS ${TN_LLVM_BIN_DIR} NO_DEFAULT_PATH)
foreach(needed TN_LLVM_LIBRARY TN_CLANG)
  if(NOT ${needed})
    message(FATAL_ERROR "${needed} is not found below ${TN_LLVM_LIB_DIR}/..: install clang-22 and "
                        "llvm-22-dev (./bootstrap does)")
  endif()
endforeach()
# Clang's front end as a library: compile/clang runs it in libtenon-compiler.so.
find_library(TN_CLANG_CPP_LIBRARY NAMES clang-cpp libclang-cpp.so.${TN_LLVM_SOVERSION}
             HINTS ${TN_LLVM_LIB_DIR} NO_DEFAULT_PATH)
if(NOT TN_CLANG_CPP_LIBRARY)
  message(FATAL_ERROR "libclang-cpp.so.${TN_LLVM_SOVERSION} is not found in ${TN_LLVM_LIB_DIR}: "
                      "install libclang-cpp22 (./bootstrap does, with clang-22)")
endif()
find_path(TN_CLANG_INCLUDE_DIR clang/Frontend/CompilerInstance.h HINTS ${TN_LLVM_INCLUDE_DIR}
          NO_DEFAULT_PATH)
if(NOT TN_CLANG_INCLUDE_DIR)
  message(FATAL_ERROR "clang/Frontend/CompilerInstance.h is not found in ${TN_LLVM_INCLUDE_DIR}: "
                      "install libclang-22-dev (./bootstrap does)")
endif()
message(STATUS "LLVM ${TN_LLVM_VERSION}: ${TN_LLVM_LIBRARY}, ${TN_CLANG_CPP_LIBRARY}, ${TN_CLANG}")

add_library(tn_llvm INTERFACE)
target_include_directories(tn_llvm SYSTEM INTERFACE ${TN_LLVM_INCLUDE_DIR})
target_link_libraries(tn_llvm INTERFACE ${TN_LLVM_LIBRARY})

add_library(tn_clang INTERFACE)
target_link_libraries(tn_clang INTERFACE ${TN_CLANG_CPP_LIBRARY} tn_llvm stdc++)
