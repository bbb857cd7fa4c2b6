# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# C++ sources. compile/clang's include Clang's headers and take half of a build's time: the bridge, and the
# attributes that the plug-in has as well; compile/module has one. They are compiled as LLVM's own libraries are:
# its classes carry no type information and nothing throws there, and their layout is that of a release.
# LLVM's headers are not instrumented: undefined behavior and races in them are not Tenon's.
set(bridge_sources clang_face.cpp clang_program.cpp linker_program.cpp)
set(attribute_sources external_attribute.cpp kernel_attributes.cpp)

# They are therefore the same in a sanitizer's tree and in one of another C compiler, which can take
# another tree's objects.
set(TENON_BRIDGE_TREE "" CACHE PATH "A finished build tree whose objects of Clang's bridge are linked, or empty")

# tn_bridge_library(<target> <component> <source>...): compiled here, or imported from TENON_BRIDGE_TREE.
function(tn_bridge_library target component)
  if(TENON_BRIDGE_TREE)
    list(TRANSFORM ARGN PREPEND ${TENON_BRIDGE_TREE}/CMakeFiles/${target}.dir/src/${component}/)
    list(TRANSFORM ARGN APPEND .o)
    foreach(object IN LISTS ARGN)
      if(NOT EXISTS ${object})
        message(FATAL_ERROR "TENON_BRIDGE_TREE: '${object}' does not exist; build that tree first")
      endif()
    endforeach()
    add_library(${target} OBJECT IMPORTED GLOBAL)
    set_target_properties(${target} PROPERTIES IMPORTED_OBJECTS "${ARGN}")
    return()
  endif()
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/src/${component}/)
  add_library(${target} OBJECT ${ARGN})
  target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/include)
  target_include_directories(${target} SYSTEM PRIVATE ${TN_LLVM_INCLUDE_DIR})
  target_compile_definitions(${target} PRIVATE TN_BUILDING TN_VERSION="${PROJECT_VERSION}"
                             TN_CLANG_PATH="${TN_CLANG}")
  target_compile_options(${target} PRIVATE -fno-rtti -fexceptions -DNDEBUG
                         -fno-sanitize=address,undefined,thread)
  if(TN_LLD_LIBRARIES)
    target_compile_definitions(${target} PRIVATE TN_HAS_LLD)
  endif()
endfunction()

tn_bridge_library(clang_bridge compile/clang ${bridge_sources})
tn_bridge_library(clang_attributes compile/clang ${attribute_sources})
tn_bridge_library(clang_plugin compile/clang clang_plugin.cpp)
tn_bridge_library(module_part compile/module module_part.cpp)
set(TN_BRIDGE_OBJECTS $<TARGET_OBJECTS:clang_bridge> $<TARGET_OBJECTS:clang_attributes>)
