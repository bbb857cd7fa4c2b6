# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What --prefix gets: bin, lib, include and a CMake package.
include(CMakePackageConfigHelpers)

set(installed tenon)
foreach(name tenon-compiler tenon++ tenon-image tenon-cache)
  if(TARGET ${name})
    list(APPEND installed ${name})
  endif()
endforeach()
install(TARGETS ${installed} RUNTIME DESTINATION bin LIBRARY DESTINATION lib)
if(TARGET tenon-import)
  install(TARGETS tenon-import RUNTIME DESTINATION lib/tenon)
endif()
install(TARGETS tenon-clang-plugin LIBRARY DESTINATION lib/tenon)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/include/ DESTINATION include)
if(TARGET tenon++)
  install(FILES ${TN_LIB_DIR}/tenon/dpcpp/bin/clang++ DESTINATION lib/tenon/dpcpp/bin)
  install(FILES ${TN_BIN_DIR}/tenoncc DESTINATION bin)
endif()

configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/TenonConfig.cmake.in
  ${CMAKE_BINARY_DIR}/TenonConfig.cmake INSTALL_DESTINATION lib/cmake/Tenon)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/TenonConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/TenonConfig.cmake ${CMAKE_BINARY_DIR}/TenonConfigVersion.cmake
  ${CMAKE_SOURCE_DIR}/cmake/needs_tenon_add_sycl.hpp DESTINATION lib/cmake/Tenon)
# For projects of DPC++'s: find_package(IntelSYCL).
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/IntelSYCLConfig.cmake.in
  ${CMAKE_BINARY_DIR}/IntelSYCLConfig.cmake INSTALL_DESTINATION lib/cmake/IntelSYCL)
install(FILES ${CMAKE_BINARY_DIR}/IntelSYCLConfig.cmake DESTINATION lib/cmake/IntelSYCL)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/cmake/tenon_launch.sh RENAME tenon-launch
  DESTINATION lib/cmake/Tenon)
