#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMemlabProcess.h"

#if defined(__linux__) && !defined(MEMLAB_PORTABLE)

#include <link.h>
#include <pthread.h>
#include <string.h>

typedef struct {
  loaded_segment *segments;
  size_t count, capacity;
} listing;

static void add(listing *list, loaded_segment segment) {
  if (segment.start >= segment.end) return;
  if (list->count < list->capacity) list->segments[list->count] = segment;
  list->count++;
}

// The loader protects whole pages: what is left of the last one stays writable. On arm64 pages may
// have 4, 16 or 64 KiB, see https://docs.kernel.org/arch/arm64/memory.html.
static ElfW(Addr) end_of_relocated_constants(struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type == PT_GNU_RELRO) {
      return (info->dlpi_addr + header->p_vaddr + header->p_memsz) & -(ElfW(Addr))memlab_memory_page_size();
    }
  }
  return 0;
}

// A writable segment begins with what the loader made read-only once it had relocated it.
static void add_segment(listing *list, struct dl_phdr_info *info, const ElfW(Phdr) *header) {
  loaded_segment segment = {
      .start = info->dlpi_addr + header->p_vaddr,
      .end = info->dlpi_addr + header->p_vaddr + header->p_memsz,
      .bias = info->dlpi_addr,
      .path = info->dlpi_name,
      .is_writable = (header->p_flags & PF_W) != 0,
      .is_executable = (header->p_flags & PF_X) != 0,
  };
  ElfW(Addr) writable = end_of_relocated_constants(info);
  if (segment.is_writable && segment.start < writable && writable <= segment.end) {
    loaded_segment constants = segment;
    constants.end = writable;
    constants.is_writable = 0;
    add(list, constants);
    segment.start = writable;
  }
  add(list, segment);
}

static int visit(struct dl_phdr_info *info, size_t size, void *context) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type == PT_LOAD && (header->p_flags & PF_R) != 0) {
      add_segment(context, info, header);
    }
  }
  return 0;
}

size_t memlab_loaded_segments_list(loaded_segment *buffer, size_t capacity) {
  listing list = {.segments = buffer, .capacity = capacity};
  dl_iterate_phdr(visit, &list);
  return list.count;
}

static int note_changes(struct dl_phdr_info *info, size_t size, void *changes) {
  *(uint64_t *)changes = info->dlpi_adds + info->dlpi_subs;
  return 1;
}

uint64_t memlab_loaded_images_changes(void) {
  uint64_t changes = 0;
  dl_iterate_phdr(note_changes, &changes);
  return changes;
}

#if defined(__x86_64__)
#define WITH_AVX2 __attribute__((target("avx2")))
#define HAS_AVX2 __builtin_cpu_supports("avx2")
#else
#define WITH_AVX2
#define HAS_AVX2 0
#endif

typedef struct {
  uintptr_t mask, lowest, span;
} word_range;

enum { AT_A_TIME = 16 };

// Nearly every word of an image's data is something else, so sixteen are asked at a time. Vectors
// compare with a sign only, so the top bit is flipped on both sides.
static inline __attribute__((always_inline)) const uintptr_t *next_candidates(
    const uintptr_t *words, const uintptr_t *end, word_range range) {
  const uintptr_t top = (uintptr_t)1 << (sizeof top * 8 - 1);
  const uintptr_t flipped = range.lowest ^ top;
  const intptr_t most = (intptr_t)(range.span ^ top);
  for (; words + AT_A_TIME <= end; words += AT_A_TIME) {
    uintptr_t outside = ~(uintptr_t)0;
    for (int i = 0; i < AT_A_TIME; i++) {
      outside &= -(uintptr_t)((intptr_t)((words[i] & range.mask) - flipped) > most);
    }
    if (outside == 0) break;
  }
  return words;
}

static const uintptr_t *next_with_plain_words(const uintptr_t *words, const uintptr_t *end,
                                              word_range range) {
  return next_candidates(words, end, range);
}

WITH_AVX2 static const uintptr_t *next_with_vectors(const uintptr_t *words, const uintptr_t *end,
                                                    word_range range) {
  return next_candidates(words, end, range);
}

uintptr_t memlab_words_within(uintptr_t start, uintptr_t end, uintptr_t mask, uintptr_t lowest,
                       uintptr_t span, uintptr_t *found, size_t capacity, size_t *count) {
  word_range range = {.mask = mask, .lowest = lowest, .span = span};
  const uintptr_t *words = (const uintptr_t *)start, *last = (const uintptr_t *)(end & ~7ul);
  *count = 0;
  while (words < last && *count + AT_A_TIME <= capacity) {
    words = HAS_AVX2 ? next_with_vectors(words, last, range)
                     : next_with_plain_words(words, last, range);
    const uintptr_t *group = last - words < AT_A_TIME ? last : words + AT_A_TIME;
    for (; words < group; words++) {
      if ((*words & mask) - lowest <= span) found[(*count)++] = (uintptr_t)words;
    }
  }
  return words < last ? (uintptr_t)words : end;
}

// For a number of few bytes the C library's `memmem` takes ten times as long as a search for one of them, of which the
// second is rarer than the first in an address of code.
size_t memlab_place_of_bytes(const void *bytes, size_t count, const void *pattern, size_t length) {
  const char *start = bytes, *end = start + count, *place = start, *found;
  if (length < 4 || length > 8) {
    found = memmem(bytes, count, pattern, length);
    return found == NULL ? count : (size_t)(found - start);
  }
  while ((size_t)(end - place) >= length) {
    found = memchr(place + 1, ((const char *)pattern)[1], (size_t)(end - place) - length + 1);
    if (found == NULL) break;
    if (memcmp(found - 1, pattern, length) == 0) return (size_t)(found - 1 - start);
    place = found;
  }
  return count;
}

#endif
