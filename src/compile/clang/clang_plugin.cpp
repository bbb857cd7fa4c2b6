// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the plugin of the clang that tenon++ runs has besides the attributes: it brings those of
// kernels to the parser, and notes about functions into the code. Not part of
// libtenon-compiler.so, whose runs do that by themselves.
#include "compile/clang/attribute_action.hpp"

namespace {

const tenon_clang::attribute_action::registration action(tenon_clang::function_notes::own_action,
                                                         "reads attributes of kernels");

}  // namespace
