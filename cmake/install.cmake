# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What --prefix gets: bin, lib, include and a CMake package.
include(CMakePackageConfigHelpers)

set(installed tenon)
foreach(name tenon-compiler tenon++ tenon-image tenon-cache tenon-info)
  if(TARGET ${name})
    list(APPEND installed ${name})
  endif()
endforeach()
install(TARGETS ${installed} RUNTIME DESTINATION bin LIBRARY DESTINATION lib)
foreach(name tenon-import tenon-spirv)
  if(TARGET ${name})
    install(TARGETS ${name} RUNTIME DESTINATION lib/tenon)
  endif()
endforeach()
install(FILES ${TN_BIN_DIR}/sycl-ls DESTINATION bin)
install(TARGETS tenon-clang-plugin LIBRARY DESTINATION lib/tenon)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ DESTINATION include)
if(TARGET tenon++)
  install(FILES ${TN_LIB_DIR}/tenon/dpcpp/bin/clang++ ${TN_LIB_DIR}/tenon/dpcpp/bin/clang
          DESTINATION lib/tenon/dpcpp/bin)
  install(FILES ${TN_LIB_DIR}/tenon/dpcpp/lib/libsycl.so DESTINATION lib/tenon/dpcpp/lib)
  install(FILES ${TN_LIB_DIR}/tenon/dpcpp/include DESTINATION lib/tenon/dpcpp)
  install(FILES ${TN_BIN_DIR}/tenoncc DESTINATION bin)
  install(DIRECTORY ${TN_CLANG_FILES} DESTINATION lib/tenon/clang PATTERN made EXCLUDE)
  if(TN_LLD_LIBRARIES)
    install(DIRECTORY ${TN_LIB_DIR}/tenon/linker DESTINATION lib/tenon)
  endif()
endif()

# The packages: what --prefix gets, and the same for the build tree, with the headers of the source.
function(tn_package name)
  set(in ${CMAKE_SOURCE_DIR}/cmake/${name}Config.cmake.in)
  set(TENON_HEADERS include)
  configure_package_config_file(${in} ${CMAKE_BINARY_DIR}/installed/${name}Config.cmake
    INSTALL_DESTINATION lib/cmake/${name} PATH_VARS TENON_HEADERS)
  install(FILES ${CMAKE_BINARY_DIR}/installed/${name}Config.cmake DESTINATION lib/cmake/${name})
  set(TENON_HEADERS ${CMAKE_SOURCE_DIR}/include)
  configure_package_config_file(${in} ${CMAKE_BINARY_DIR}/lib/cmake/${name}/${name}Config.cmake
    INSTALL_DESTINATION lib/cmake/${name} INSTALL_PREFIX ${CMAKE_BINARY_DIR}
    PATH_VARS TENON_HEADERS)
endfunction()

tn_package(Tenon)
tn_package(IntelSYCL)  # for projects that are written for DPC++
set(package ${CMAKE_BINARY_DIR}/lib/cmake/Tenon)
write_basic_package_version_file(${package}/TenonConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
configure_file(${CMAKE_SOURCE_DIR}/cmake/needs_tenon_add_sycl.hpp ${package} COPYONLY)
configure_file(${CMAKE_SOURCE_DIR}/cmake/tenon_launch.sh ${package}/tenon-launch COPYONLY
  FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
install(FILES ${package}/TenonConfigVersion.cmake ${package}/needs_tenon_add_sycl.hpp
  DESTINATION lib/cmake/Tenon)
install(PROGRAMS ${package}/tenon-launch DESTINATION lib/cmake/Tenon)
