#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMemlabProcess.h"

#if defined(__linux__) && !defined(MEMLAB_PORTABLE)

#include <link.h>
#include <stdbool.h>
#include <string.h>

// What an image exports, in the table that the loader itself searches, see
// https://sourceware.org/ml/binutils/2006-10/msg00377.html: a filter, the first symbol of each
// bucket, and the hashes, of which the last of a bucket has its lowest bit set.
typedef struct {
  const ElfW(Sym) *symbols;
  const char *names;
  const uint32_t *table;
} exports;

// The loader has moved these addresses in its copy of the section, but not where the section cannot be
// written to, as in the kernel's own image.
static uintptr_t moved(struct dl_phdr_info *info, ElfW(Addr) address) {
  return address < info->dlpi_addr ? address + info->dlpi_addr : address;
}

static exports exports_of(struct dl_phdr_info *info) {
  exports found = {0};
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    for (; entry->d_tag != DT_NULL; entry++) {
      uintptr_t address = moved(info, entry->d_un.d_ptr);
      if (entry->d_tag == DT_SYMTAB) found.symbols = (const ElfW(Sym) *)address;
      if (entry->d_tag == DT_STRTAB) found.names = (const char *)address;
      if (entry->d_tag == DT_GNU_HASH) found.table = (const uint32_t *)address;
    }
  }
  return found;
}

static uint32_t hash_of(const char *name) {
  uint32_t hash = 5381;
  for (; *name != 0; name++) hash = hash * 33 + (unsigned char)*name;
  return hash;
}

static const ElfW(Sym) *find(exports image, const char *name, uint32_t hash) {
  uint32_t buckets = image.table[0], first = image.table[1], filter_words = image.table[2];
  if (buckets == 0) return NULL;
  const ElfW(Addr) *filter = (const ElfW(Addr) *)(image.table + 4);
  const uint32_t *starts = (const uint32_t *)(filter + filter_words);
  const uint32_t *hashes = starts + buckets;
  uint32_t index = starts[hash % buckets];
  if (index < first) return NULL;
  do {
    const ElfW(Sym) *symbol = &image.symbols[index];
    bool is_same = ((hashes[index - first] ^ hash) & ~1u) == 0;
    if (is_same && symbol->st_shndx != 0 && strcmp(image.names + symbol->st_name, name) == 0) {
      return symbol;
    }
  } while ((hashes[index++ - first] & 1) == 0);
  return NULL;
}

typedef struct {
  const char *name;
  uint32_t hash;
  uintptr_t left_out;
  const void *address;
} search;

static bool is_in(struct dl_phdr_info *info, uintptr_t address) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    if (header->p_type == PT_LOAD && address - start < header->p_memsz) return true;
  }
  return false;
}

// Some functions of the C library are chosen at run time: there the symbol is the chooser.
static int visit(struct dl_phdr_info *info, size_t size, void *context) {
  search *search = context;
  if (search->left_out != 0 && is_in(info, search->left_out)) return 0;
  exports image = exports_of(info);
  if (image.symbols == NULL || image.names == NULL || image.table == NULL) return 0;
  const ElfW(Sym) *symbol = find(image, search->name, search->hash);
  if (symbol == NULL || ELF64_ST_TYPE(symbol->st_info) == STT_TLS) return 0;
  search->address = (const void *)(info->dlpi_addr + symbol->st_value);
  if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC) {
    search->address = ((const void *(*)(void))search->address)();
  }
  return 1;
}

const void *memlab_symbol_in_other_images(const char *name, const void *own) {
  search search = {.name = name, .hash = hash_of(name), .left_out = (uintptr_t)own};
  dl_iterate_phdr(visit, &search);
  return search.address;
}

const void *memlab_symbol_in_images(const char *name) { return memlab_symbol_in_other_images(name, NULL); }

#endif
