// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included first where a target links Tenon::sycl and another compiler than tenon++ compiles it.
#error "this target links Tenon::sycl: call tenon_add_sycl(<target>) in CMakeLists.txt, \
or configure the project with -DCMAKE_CXX_COMPILER=<prefix>/bin/tenon++"
