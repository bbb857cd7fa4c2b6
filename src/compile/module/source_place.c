// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in the source, from debug line tables.
#include <sys/stat.h>

#include "base/file.h"
#include "compile/module/module.h"

#include <llvm-c/DebugInfo.h>

static LLVMContextRef context_of(LLVMValueRef value) {
  return LLVMGetModuleContext(LLVMGetGlobalParent(
      LLVMIsAFunction(value) ? value
                             : LLVMGetBasicBlockParent(LLVMGetInstructionParent(value))));
}

static bool is_current_folder(const char *path) {
  struct stat folder;
  struct stat current;
  return stat(path, &folder) == 0 && stat(".", &current) == 0 && folder.st_dev == current.st_dev &&
         folder.st_ino == current.st_ino;
}

// Clang cuts off an absolute path what it has in common with the folder clang ran in: "x.h" of
// "/src", seen from "/src/build", names nothing. The whole path lives as long as the context.
static tn_str whole_path(LLVMContextRef context, tn_str file, tn_str folder) {
  char *path = tn_path_join(folder, file);
  char *parent = tn_str_copy(folder);
  tn_str whole = file;
  if (path && parent && !is_current_folder(parent) && tn_file_exists(path)) {
    unsigned size = 0;
    const char *kept = LLVMGetMDString(
        LLVMMetadataAsValue(context, LLVMMDStringInContext2(context, path, strlen(path))), &size);
    whole = (tn_str){kept, size};
  }
  tn_free(path);
  tn_free(parent);
  return whole;
}

static tn_place place_of(LLVMValueRef value) {
  unsigned size = 0;
  unsigned folder_size = 0;
  const char *file = LLVMGetDebugLocFilename(value, &size);
  if (!file || size == 0) {
    return (tn_place){{NULL, 0}, 0, 0};
  }
  tn_place place = {{file, size}, LLVMGetDebugLocLine(value), 0};
  const char *folder = LLVMGetDebugLocDirectory(value, &folder_size);
  if (file[0] != '/' && folder && folder_size > 0 && folder[0] == '/') {
    place.file = whole_path(context_of(value), place.file, (tn_str){folder, folder_size});
  }
  return place;
}

tn_place tn_place_of_function(LLVMValueRef function) { return place_of(function); }

tn_place tn_place_of_instruction(LLVMValueRef instruction) {
  tn_place place = place_of(instruction);
  if (place.file.size != 0) {
    place.column = LLVMGetDebugLocColumn(instruction);
    return place;
  }
  return place_of(LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)));
}

bool tn_is_library_header(tn_str file) {
  return tn_str_find(file, TN_STR_LIT("include/sycl/")) != SIZE_MAX ||
         tn_str_find(file, TN_STR_LIT("/include/c++/")) != SIZE_MAX;
}

bool tn_function_is_of_user(LLVMValueRef function) {
  unsigned size = 0;
  const char *file = LLVMGetDebugLocFilename(function, &size);
  return file && size > 0 && !tn_is_library_header((tn_str){file, size}) &&
         !tn_is_library_header(place_of(function).file);
}

static bool is_in_library_header(LLVMMetadataRef file, tn_str name) {
  unsigned size = 0;
  const char *folder = LLVMDIFileGetDirectory(file, &size);
  char *path = tn_path_join((tn_str){folder, size}, name);
  const bool found =
      tn_is_library_header(name) || (path && tn_is_library_header(tn_str_from(path)));
  tn_free(path);
  return found;
}

tn_place tn_place_of_user(LLVMContextRef context, LLVMMetadataRef location) {
  for (LLVMMetadataRef at = location; at; at = LLVMDILocationGetInlinedAt(at)) {
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
    unsigned size = 0;
    unsigned folder_size = 0;
    const char *text = file ? LLVMDIFileGetFilename(file, &size) : NULL;
    const tn_str name = {text, size};
    const uint32_t line = LLVMDILocationGetLine(at);
    if (size == 0 || line == 0 || is_in_library_header(file, name)) {
      continue;
    }
    const char *folder = LLVMDIFileGetDirectory(file, &folder_size);
    const bool is_relative = name.data[0] != '/' && folder_size > 0 && folder[0] == '/';
    return (tn_place){is_relative ? whole_path(context, name, (tn_str){folder, folder_size}) : name,
                      line, LLVMDILocationGetColumn(at)};
  }
  return (tn_place){{NULL, 0}, 0, 0};
}

static const char place_kind[] = "tenon.place";

static unsigned place_kind_id(LLVMContextRef context) {
  return LLVMGetMDKindIDInContext(context, place_kind, sizeof(place_kind) - 1);
}

void tn_keep_place(LLVMValueRef instruction) {
  LLVMContextRef context = context_of(instruction);
  LLVMMetadataRef at = LLVMInstructionGetDebugLoc(instruction);
  for (; at; at = LLVMDILocationGetInlinedAt(at)) {
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(at));
    unsigned size = 0;
    const char *text = file ? LLVMDIFileGetFilename(file, &size) : NULL;
    const tn_str name = {text, size};
    const uint32_t line = LLVMDILocationGetLine(at);
    if (size == 0 || line == 0 || is_in_library_header(file, name)) {
      continue;
    }
    LLVMMetadataRef fields[2] = {
        LLVMMDStringInContext2(context, name.data, name.size),
        LLVMValueAsMetadata(LLVMConstInt(LLVMInt32TypeInContext(context), line, 0))};
    LLVMSetMetadata(instruction, place_kind_id(context),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, fields, 2)));
    return;
  }
}

tn_place tn_kept_place(LLVMValueRef instruction) {
  tn_place place = {{NULL, 0}, 0, 0};
  LLVMValueRef node = LLVMGetMetadata(instruction, place_kind_id(context_of(instruction)));
  LLVMValueRef fields[2] = {NULL, NULL};
  if (!node || LLVMGetMDNodeNumOperands(node) != 2) {
    return place;
  }
  LLVMGetMDNodeOperands(node, fields);
  unsigned size = 0;
  const char *text = fields[0] ? LLVMGetMDString(fields[0], &size) : NULL;
  if (text && fields[1] && LLVMIsAConstantInt(fields[1])) {
    place.file = (tn_str){text, size};
    place.line = (uint32_t)LLVMConstIntGetZExtValue(fields[1]);
  }
  return place;
}

void tn_place_write(tn_buf *buf, tn_place place, const char *fallback_file) {
  if (place.file.size == 0) {
    tn_buf_add_format(buf, "%s: ", fallback_file ? fallback_file : "device code");
    return;
  }
  tn_buf_add_str(buf, place.file);
  if (place.line != 0) {
    tn_buf_add_format(buf, ":%u", place.line);
    if (place.column != 0) {
      tn_buf_add_format(buf, ":%u", place.column);
    }
  }
  tn_buf_add_text(buf, ": ");
}
