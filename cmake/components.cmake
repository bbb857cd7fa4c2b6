# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A component is a folder of src/ and becomes an object library.

# tn_component(<path> [LLVM]): all C sources of src/<path>; LLVM: may include llvm-c headers.
function(tn_component path)
  cmake_parse_arguments(COMPONENT "LLVM" "" "" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/${path}/*.c)
  if(NOT sources)
    message(STATUS "src/${path}: no sources, left out")
    return()
  endif()
  string(REPLACE "/" "_" name component_${path})
  add_library(${name} OBJECT ${sources})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_compile_definitions(${name} PRIVATE TN_BUILDING TN_VERSION="${PROJECT_VERSION}"
                             TN_CLANG_PATH="${TN_CLANG}")
  if(COMPONENT_LLVM)
    target_include_directories(${name} SYSTEM PRIVATE ${TN_LLVM_INCLUDE_DIR})
  endif()
endfunction()

# tn_objects(<variable> <path>...): the objects of the components that there are, with those of their C++
# sources (clang_bridge.cmake).
function(tn_objects out)
  set(objects "")
  foreach(path ${ARGN})
    string(REPLACE "/" "_" name component_${path})
    if(TARGET ${name})
      list(APPEND objects $<TARGET_OBJECTS:${name}>)
    endif()
    if(path STREQUAL "compile/clang")
      list(APPEND objects ${TN_BRIDGE_OBJECTS})
    elseif(path STREQUAL "compile/module")
      list(APPEND objects $<TARGET_OBJECTS:module_part>)
    endif()
  endforeach()
  set(${out} "${objects}" PARENT_SCOPE)
endfunction()
