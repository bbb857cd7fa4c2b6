# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by cmake -P with TENONXX and FOLDER: precompiles SYCL's headers for the usual options, for the very
# first compilation. Other options have theirs made when they are first used.
file(REMOVE_RECURSE "${FOLDER}")
file(MAKE_DIRECTORY "${FOLDER}")
file(WRITE "${FOLDER}/probe.cpp" "#include <sycl/sycl.hpp>\n")
# The second compilation of each finds the base, and writes what the preprocessor makes of it.
foreach(options "-O0" "-O0" "-O2" "-O2" "-O2;-DNDEBUG" "-O2;-DNDEBUG")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E env TENON_CACHE=0 "${TENONXX}" -fsycl -c ${options}
            "--write-preambles=${FOLDER}" "${FOLDER}/probe.cpp" -o "${FOLDER}/probe.o"
    RESULT_VARIABLE result ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    message(STATUS "SYCL's headers are not precompiled for ${options}: ${errors}")
  endif()
endforeach()
file(REMOVE "${FOLDER}/probe.cpp" "${FOLDER}/probe.o")
