# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds the stock LLVM 22: the shared library, the C headers, clang to run, and Clang as a library.
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

# LLVM's linker as a library, which only archives have: for systems without a linker.
set(TN_LLD_LIBRARIES "")
foreach(name z zstd)
  find_library(TN_LIBRARY_${name} NAMES ${name} lib${name}.so.1)
endforeach()
if(EXISTS ${TN_LLVM_LIB_DIR}/liblldELF.a AND EXISTS ${TN_LLVM_LIB_DIR}/liblldCommon.a
   AND EXISTS ${TN_LLVM_INCLUDE_DIR}/lld/Common/Driver.h AND TN_LIBRARY_z AND TN_LIBRARY_zstd)
  set(TN_LLD_LIBRARIES ${TN_LLVM_LIB_DIR}/liblldELF.a ${TN_LLVM_LIB_DIR}/liblldCommon.a
      ${TN_LIBRARY_z} ${TN_LIBRARY_zstd})
else()
  message(STATUS "lld is not found as a library (package liblld-22-dev): Tenon links where the "
                 "system has a linker")
endif()

add_library(tn_llvm INTERFACE)
target_include_directories(tn_llvm SYSTEM INTERFACE ${TN_LLVM_INCLUDE_DIR})
target_link_libraries(tn_llvm INTERFACE ${TN_LLVM_LIBRARY})

add_library(tn_clang INTERFACE)
target_link_libraries(tn_clang INTERFACE ${TN_LLD_LIBRARIES} ${TN_CLANG_CPP_LIBRARY} tn_llvm stdc++)

# libtenon-compiler.so takes LLVM and Clang from their archives: a third of the time that loading
# the two shared libraries takes, and no other LLVM of the process gets in its way. Sanitizers look
# into containers that cross between the two, so they get the shared ones.
set(TENON_LLVM_STATIC AUTO CACHE STRING "Archives of LLVM in libtenon-compiler.so: ON, OFF or AUTO")
set_property(CACHE TENON_LLVM_STATIC PROPERTY STRINGS AUTO ON OFF)

# LLVM's name of the back end for the processor that Tenon is built for.
function(tn_llvm_native_target out)
  set(names "x86_64=X86" "aarch64=AArch64" "riscv64=RISCV")
  set(${out} "" PARENT_SCOPE)
  foreach(name IN LISTS names)
    if(name MATCHES "^${CMAKE_SYSTEM_PROCESSOR}=(.*)$")
      set(${out} ${CMAKE_MATCH_1} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# Links `tn_compiler_llvm` with the archives, or says in `out` what is missing.
function(tn_llvm_link_archives out)
  execute_process(COMMAND ${TN_LLVM_CONFIG} --link-static --libfiles OUTPUT_VARIABLE archives
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  separate_arguments(archives)
  # LLVM is told which plug-ins lie in it when it is built; without this one's archive,
  # compile/clang answers for it.
  list(FILTER archives EXCLUDE REGEX "Polly")
  file(GLOB clang_archives ${TN_LLVM_LIB_DIR}/libclang*.a)
  foreach(archive ${archives} ${TN_LLVM_LIB_DIR}/libLLVMCore.a ${TN_LLVM_LIB_DIR}/libclangCodeGen.a)
    if(failed OR NOT EXISTS ${archive})
      set(${out} "${archive}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(needed "")
  foreach(name z zstd)
    if(NOT TN_LIBRARY_${name})
      set(${out} "lib${name}.so.1" PARENT_SCOPE)
      return()
    endif()
    list(APPEND needed ${TN_LIBRARY_${name}})
  endforeach()
  target_link_options(tn_compiler_llvm INTERFACE -Wl,-z,pack-relative-relocs)
  if(EXISTS ${TN_LLVM_BIN_DIR}/ld.lld)  # a third of the other linker's time
    target_link_options(tn_compiler_llvm INTERFACE -B${TN_LLVM_BIN_DIR} -fuse-ld=lld -Wl,--build-id)
  endif()
  # compile/emit asks for back ends weakly, which takes nothing out of an archive.
  foreach(back_end NVPTX AMDGPU SPIRV)
    if(EXISTS ${TN_LLVM_LIB_DIR}/libLLVM${back_end}CodeGen.a)
      foreach(part TargetInfo Target TargetMC AsmPrinter)
        target_link_options(tn_compiler_llvm INTERFACE -Wl,-u,LLVMInitialize${back_end}${part})
      endforeach()
    endif()
  endforeach()
  # The linker asks for every back end that LLVM was built with; those of no device and not of this
  # machine stay outside.
  execute_process(COMMAND ${TN_LLVM_CONFIG} --targets-built OUTPUT_VARIABLE built
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(built)
  tn_llvm_native_target(native)
  list(REMOVE_ITEM built ${native} NVPTX AMDGPU SPIRV)
  foreach(back_end IN LISTS built)
    foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
      target_link_options(tn_compiler_llvm INTERFACE
        -Wl,--defsym=LLVMInitialize${back_end}${part}=tn_no_back_end)
    endforeach()
  endforeach()
  target_link_libraries(tn_compiler_llvm INTERFACE
    -Wl,--start-group ${TN_LLD_LIBRARIES} ${clang_archives} ${archives} -Wl,--end-group ${needed} stdc++)
  set(${out} "" PARENT_SCOPE)
endfunction()

add_library(tn_compiler_llvm INTERFACE)
set(missing_archive "not asked for")
if(TENON_LLVM_STATIC STREQUAL "ON" OR (TENON_LLVM_STATIC STREQUAL "AUTO" AND NOT TENON_SANITIZE))
  tn_llvm_link_archives(missing_archive)
  if(missing_archive AND TENON_LLVM_STATIC STREQUAL "ON")
    message(FATAL_ERROR "TENON_LLVM_STATIC=ON: ${missing_archive} is not there")
  endif()
endif()
if(missing_archive)
  target_link_libraries(tn_compiler_llvm INTERFACE tn_clang tn_llvm)
  set(TN_LLVM_IS_SHARED ON)
  message(STATUS "libtenon-compiler.so: with the shared libraries of LLVM and Clang")
else()
  set(TN_LLVM_IS_SHARED OFF)
  message(STATUS "libtenon-compiler.so: with the archives of LLVM and Clang")
endif()
