// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Private to clang_face.cpp: the file system of a run, its own files in memory over the disk's.
#ifndef TN_COMPILE_CLANG_RUN_FILES_HPP
#define TN_COMPILE_CLANG_RUN_FILES_HPP

#include "compile/clang/clang_face.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace tenon_clang {

using llvm::ErrorOr;
using llvm::MemoryBuffer;
using llvm::SmallString;
using llvm::StringRef;
using llvm::Twine;

constexpr const char precompiled_name[] = "/.tenon/precompiled-header";
constexpr const char chained_name[] = "/.tenon/chained-header";

// The path on the disk of one in TN_CLANG_INSTALLATION; empty: it is another.
inline StringRef installed_path(StringRef path, StringRef installation, SmallString<256> &storage) {
  if (installation.empty() || !path.consume_front(TN_CLANG_INSTALLATION "/")) {
    return {};
  }
  storage = installation;
  llvm::sys::path::append(storage, path);
  return storage;
}
// The same, or the path itself.
inline StringRef disk_path(const Twine &path, StringRef installation, SmallString<256> &storage) {
  SmallString<256> flat;
  const StringRef given = path.toStringRef(flat);
  if (installed_path(given, installation, storage).empty()) {
    storage = given;
  }
  return storage;
}

inline StringRef text_of(tn_face_text text) { return StringRef(text.data, text.size); }

class memory_file final : public llvm::vfs::File {
 public:
  memory_file(llvm::vfs::Status status, StringRef text) : status_(std::move(status)), text_(text) {}
  ErrorOr<llvm::vfs::Status> status() override { return status_; }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name, int64_t, bool needs_nul,
                                                   bool) override {
    SmallString<128> storage;
    const StringRef flat = name.toStringRef(storage);
    const bool is_aligned = reinterpret_cast<uintptr_t>(text_.data()) % sizeof(uint64_t) == 0;
    if (needs_nul || !is_aligned) {
      return MemoryBuffer::getMemBufferCopy(text_, flat);
    }
    return MemoryBuffer::getMemBuffer(text_, flat, false);
  }
  std::error_code close() override { return {}; }

 private:
  llvm::vfs::Status status_;
  StringRef text_;
};

// A file of the disk that tells what is read of it.
class noted_file final : public llvm::vfs::File {
 public:
  noted_file(std::unique_ptr<llvm::vfs::File> file, const tn_face_run &run, StringRef name)
      : file_(std::move(file)), run_(run), name_(name) {}
  ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  ErrorOr<std::string> getName() override { return file_->getName(); }
  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name, int64_t size, bool needs_nul,
                                                   bool) override {
    // Read, not mapped: who cuts a mapped file short ends the process that looks at it.
    auto buffer = file_->getBuffer(name, size, needs_nul, /*IsVolatile=*/true);
    if (buffer) {
      const StringRef text = (*buffer)->getBuffer();
      run_.content(run_.user, {name_.data(), name_.size()}, text.data(), text.size());
    }
    return buffer;
  }
  std::error_code close() override { return file_->close(); }

 private:
  std::unique_ptr<llvm::vfs::File> file_;
  const tn_face_run &run_;
  std::string name_;
};

// The run's files over the real ones, with a folder of its own. Notes what is opened, read, and
// looked for in vain.
class run_files final : public llvm::vfs::ProxyFileSystem {
 public:
  explicit run_files(const tn_face_run &run)
      : ProxyFileSystem(llvm::vfs::createPhysicalFileSystem()),
        run_(run),
        installation_(run.installation ? run.installation : "") {
    if (run.folder) {
      can_enter_ = !getUnderlyingFS().setCurrentWorkingDirectory(run.folder);
    }
    if (auto folder = getUnderlyingFS().getCurrentWorkingDirectory()) {
      folder_ = *folder;
    }
    for (size_t i = 0; i < run.file_count; i++) {
      add(run.files[i].name, text_of(run.files[i].text));
    }
    if (run.precompiled.size) {
      add(precompiled_name, text_of(run.precompiled));
    }
  }
  bool can_enter() const { return can_enter_; }
  StringRef folder() const { return folder_; }
  void note_inputs() { is_noting_ = true; }

  ErrorOr<llvm::vfs::Status> status(const Twine &path) override {
    SmallString<256> storage;
    const StringRef key = key_of(path, storage);
    if (const auto found = files_.find(key); found != files_.end()) {
      return status_of(path, found->second);
    }
    if (const auto found = folders_.find(key); found != folders_.end()) {
      return llvm::vfs::Status(
          path, llvm::sys::fs::UniqueID(~0ull - 2, found->second), llvm::sys::TimePoint<>(), 0, 0,
          0, llvm::sys::fs::file_type::directory_file, llvm::sys::fs::perms::all_read);
    }
    auto found = disk_status(path);
    if (!found) {
      note_miss(path);
    }
    return found;
  }

  bool exists(const Twine &path) override {
    SmallString<256> storage;
    const StringRef key = key_of(path, storage);
    SmallString<256> real;
    return files_.count(key) || folders_.count(key) ||
           ProxyFileSystem::exists(disk_path(path, installation_, real));
  }

  ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const Twine &path) override {
    SmallString<256> storage;
    const StringRef key = key_of(path, storage);
    if (const auto found = files_.find(key); found != files_.end()) {
      note(path, true);
      return std::make_unique<memory_file>(status_of(path, found->second), found->second.text);
    }
    // Who opens a pipe waits for another to write, and a device may go on for ever.
    const auto status = disk_status(path);
    if (status && !status->isRegularFile() && !status->isDirectory()) {
      return std::make_error_code(std::errc::operation_not_supported);
    }
    if (status && status->getSize() > TN_FACE_TEXT_MAXIMUM) {
      return std::make_error_code(std::errc::file_too_large);
    }
    SmallString<256> real;
    auto file = ProxyFileSystem::openFileForRead(disk_path(path, installation_, real));
    if (!file) {
      note_miss(path);
      return file;
    }
    if (!is_noting_) {
      return file;
    }
    note(path, false);
    SmallString<256> name;
    return std::make_unique<noted_file>(std::move(*file), run_, path.toStringRef(name));
  }

  std::error_code getRealPath(const Twine &path, llvm::SmallVectorImpl<char> &out) override {
    SmallString<256> storage;
    const StringRef key = key_of(path, storage);
    if (files_.count(key) || folders_.count(key)) {
      out.assign(key.begin(), key.end());
      return {};
    }
    SmallString<256> real;
    return ProxyFileSystem::getRealPath(disk_path(path, installation_, real), out);
  }

 private:
  // Named as the caller names it, wherever the file is.
  ErrorOr<llvm::vfs::Status> disk_status(const Twine &path) {
    SmallString<256> real;
    auto found = ProxyFileSystem::status(disk_path(path, installation_, real));
    return found ? llvm::vfs::Status::copyWithNewName(*found, path) : found;
  }

  struct entry {
    StringRef text;
    uint64_t id;
  };

  // Absolute, without "." and "..": symbolic links of the disk mean nothing to files in memory.
  StringRef key_of(const Twine &path, SmallString<256> &storage) const {
    path.toVector(storage);
    if (!llvm::sys::path::is_absolute(storage)) {
      llvm::sys::path::make_absolute(folder_, storage);
    }
    llvm::sys::path::remove_dots(storage, true);
    return storage;
  }

  void add(StringRef name, StringRef text) {
    SmallString<256> storage;
    StringRef key = key_of(name, storage);
    files_.try_emplace(key, entry{text, files_.size() + 1});
    do {
      key = llvm::sys::path::parent_path(key);
    } while (!key.empty() && folders_.try_emplace(key, folders_.size() + 1).second);
  }

  llvm::vfs::Status status_of(const Twine &path, const entry &file) const {
    return llvm::vfs::Status(
        path, llvm::sys::fs::UniqueID(~0ull - 1, file.id), llvm::sys::TimePoint<>(), 0, 0,
        file.text.size(), llvm::sys::fs::file_type::regular_file, llvm::sys::fs::perms::all_read);
  }

  void note(const Twine &path, bool is_in_memory) {
    SmallString<256> storage;
    const StringRef name = path.toStringRef(storage);
    if (is_noting_ && name != precompiled_name && noted_.insert(name).second) {
      run_.input(run_.user, name.data(), name.size(), is_in_memory);
    }
  }

  void note_miss(const Twine &path) {
    SmallString<256> storage;
    const StringRef name = path.toStringRef(storage);
    if (is_noting_ && missed_.insert(name).second) {
      run_.miss(run_.user, name.data(), name.size());
    }
  }

  const tn_face_run &run_;
  std::string installation_;
  std::string folder_;
  bool can_enter_ = true;
  bool is_noting_ = false;
  llvm::StringMap<entry> files_;
  llvm::StringMap<uint64_t> folders_;
  llvm::StringSet<> noted_;
  llvm::StringSet<> missed_;
};

}  // namespace tenon_clang

#endif
