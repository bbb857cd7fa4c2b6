# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The headers inside libtenon-compiler.so: a list for src/rtc/carried_headers.c, one
# TN_CARRIED(name in the library, file) a line. What is below include/sycl/rtc are the standard
# headers of sources that are compiled at run time.
set(include ${CMAKE_SOURCE_DIR}/include)
file(GLOB_RECURSE TN_CARRIED_FILES CONFIGURE_DEPENDS ${include}/sycl/*.hpp ${include}/sycl/*.def
  ${include}/sycl/detail/device_std/* ${include}/tenon/*.h)
file(GLOB standard CONFIGURE_DEPENDS LIST_DIRECTORIES false ${include}/sycl/rtc/*)
list(FILTER standard EXCLUDE REGEX "\\.md$")
set(lines "")
foreach(file ${TN_CARRIED_FILES})
  file(RELATIVE_PATH name ${include} ${file})
  string(APPEND lines "TN_CARRIED(\"/tenon/include/${name}\", \"${file}\")\n")
endforeach()
foreach(file ${standard})
  get_filename_component(name ${file} NAME)
  string(APPEND lines "TN_CARRIED(\"/tenon/std/${name}\", \"${file}\")\n")
endforeach()
list(APPEND TN_CARRIED_FILES ${standard})
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/carried/carried_list.inc CONTENT "${lines}" @ONLY)
set_source_files_properties(src/rtc/carried_headers.c PROPERTIES
  OBJECT_DEPENDS "${TN_CARRIED_FILES};${CMAKE_BINARY_DIR}/carried/carried_list.inc"
  COMPILE_OPTIONS "-I${CMAKE_BINARY_DIR}/carried")
