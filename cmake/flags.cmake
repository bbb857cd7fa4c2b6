# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Languages, warnings, optimization and sanitizers, the same for every target.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Line tables are what a backtrace needs; full debug information comes with CMAKE_BUILD_TYPE=Debug.
set(CMAKE_C_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1 -DNDEBUG")

add_compile_options(
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes> $<$<COMPILE_LANGUAGE:C>:-Wmissing-prototypes>
  -ffunction-sections -fdata-sections -fno-semantic-interposition
  # Diagnoses name Tenon's sources as in the tree, wherever it was built.
  "-fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=")
if(TENON_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wthread-safety)
endif()
add_compile_definitions(_GNU_SOURCE)

if(TENON_SANITIZE STREQUAL "address")
  set(TN_SANITIZE_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=all)
  if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
    # Code made at run time carries no type in front of its functions.
    list(APPEND TN_SANITIZE_FLAGS -fno-sanitize=function)
  endif()
elseif(TENON_SANITIZE STREQUAL "thread")
  set(TN_SANITIZE_FLAGS -fsanitize=thread)
endif()
if(TENON_SANITIZE)
  set(CMAKE_C_FLAGS_DEBUG "-O1 -g")
  set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g")
  add_compile_options(${TN_SANITIZE_FLAGS} -fno-omit-frame-pointer)
  add_link_options(${TN_SANITIZE_FLAGS})
else()
  # The sanitizers' own symbols come from the executable, so only plain builds can ask for this.
  set(TN_LINK_DEFS -Wl,-z,defs)
  # Tenon reads files and code that others wrote. What this costs: docs/decisions/hardening.md.
  add_compile_options(-fstack-protector-strong)
  add_link_options(-Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
  if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")  # it needs optimization
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)
  endif()
endif()
add_link_options(-Wl,--as-needed -Wl,--gc-sections)
