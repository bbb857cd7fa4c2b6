// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a library is, by the build-id that its linker wrote into it, or else by all its bytes.
#include "base/file_identity.h"

#include "base/alloc.h"
#include "base/blake3.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

_Static_assert((int)TN_FILE_IDENTITY_SIZE == (int)TN_BLAKE3_SIZE, "it is a hash");

enum { ID_MAXIMUM = 64, NOTES_MAXIMUM = 64 * 1024, HEADERS_MAXIMUM = 64, PIECE = 64 * 1024 };

typedef struct build_id {
  uint8_t bytes[ID_MAXIMUM];
  size_t size;  // 0: there is none
} build_id;

// Notes are aligned to 4 bytes, or to 8 in segments that say so; a GNU build-id lies well either
// way, since its name has 4 bytes.
static void find_in_notes(const uint8_t *notes, size_t size, build_id *out) {
  size_t at = 0;
  while (out->size == 0 && at < size && size - at >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes + at, sizeof(note));
    at += sizeof(note);
    const size_t name_size = tn_size_align(note.n_namesz, 4);
    const size_t id_size = tn_size_align(note.n_descsz, 4);
    if (name_size > size - at || id_size > size - at - name_size) {
      return;
    }
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
        memcmp(notes + at, ELF_NOTE_GNU, 4) == 0 && note.n_descsz <= ID_MAXIMUM) {
      out->size = note.n_descsz;
      memcpy(out->bytes, notes + at + name_size, out->size);
    }
    at += name_size + id_size;
  }
}

static bool read_at(int fd, void *out, size_t size, uint64_t offset) {
  return offset <= INT64_MAX && pread(fd, out, size, (off_t)offset) == (ssize_t)size;
}

static void read_build_id(int fd, build_id *out) {
  ElfW(Ehdr) header;
  ElfW(Phdr) segment;
  out->size = 0;
  if (!read_at(fd, &header, sizeof(header), 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
      header.e_phentsize != sizeof(segment) || header.e_phnum > HEADERS_MAXIMUM) {
    return;
  }
  uint8_t *notes = tn_alloc(NOTES_MAXIMUM);
  for (uint32_t i = 0; notes && out->size == 0 && i < header.e_phnum; i++) {
    if (read_at(fd, &segment, sizeof(segment), header.e_phoff + i * sizeof(segment)) &&
        segment.p_type == PT_NOTE && segment.p_filesz <= NOTES_MAXIMUM &&
        read_at(fd, notes, segment.p_filesz, segment.p_offset)) {
      find_in_notes(notes, segment.p_filesz, out);
    }
  }
  tn_free(notes);
}

static bool hash_bytes(int fd, tn_blake3 *hash) {
  uint8_t *piece = tn_alloc(PIECE);
  ssize_t size = piece ? 1 : -1;
  while (size > 0) {
    size = read(fd, piece, PIECE);
    tn_blake3_add(hash, piece, size > 0 ? (size_t)size : 0);
  }
  tn_free(piece);
  return size == 0;
}

bool tn_file_identify(const char *path, uint8_t out[TN_FILE_IDENTITY_SIZE]) {
  const int fd = tn_fault_hit() ? -1 : open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  build_id id;
  tn_blake3 hash;
  tn_blake3_init(&hash);
  read_build_id(fd, &id);
  tn_blake3_add(&hash, id.size > 0 ? "build-id" : "contents", 8);
  tn_blake3_add(&hash, id.bytes, id.size);
  const bool is_read = id.size > 0 || hash_bytes(fd, &hash);
  (void)close(fd);
  tn_blake3_finish(&hash, out);
  return is_read;
}

typedef struct loaded_search {
  const void *address;
  build_id id;
} loaded_search;

static int visit(struct dl_phdr_info *info, size_t info_size, void *user) {
  loaded_search *search = user;
  (void)info_size;
  bool is_here = false;
  for (size_t i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    const uintptr_t begin = (uintptr_t)info->dlpi_addr + segment->p_vaddr;
    is_here = is_here || (segment->p_type == PT_LOAD && (uintptr_t)search->address >= begin &&
                          (uintptr_t)search->address - begin < segment->p_memsz);
  }
  for (size_t i = 0; is_here && i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type == PT_NOTE) {
      find_in_notes((const uint8_t *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr),
                    segment->p_memsz, &search->id);
    }
  }
  return is_here ? 1 : 0;
}

bool tn_file_is_loaded_at(const char *path, const void *address) {
  build_id on_disk = {.size = 0};
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    return false;
  }
  read_build_id(fd, &on_disk);
  (void)close(fd);
  loaded_search search = {.address = address};
  if (on_disk.size > 0) {
    (void)dl_iterate_phdr(visit, &search);
  }
  return search.id.size == on_disk.size &&
         memcmp(search.id.bytes, on_disk.bytes, on_disk.size) == 0;
}
