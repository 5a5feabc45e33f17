#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "LoadedImages.h"

#if defined(__linux__)

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

typedef struct {
  loaded_segment *segments;
  size_t count, capacity;
} listing;

static void add(listing *list, loaded_segment segment) {
  if (segment.start >= segment.end) return;
  if (list->count < list->capacity) list->segments[list->count] = segment;
  list->count++;
}

static ElfW(Addr) end_of_relocated_constants(struct dl_phdr_info *info) {
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type == PT_GNU_RELRO) {
      return (info->dlpi_addr + header->p_vaddr + header->p_memsz) & ~(ElfW(Addr))4095;
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
      .is_core = strstr(info->dlpi_name, "/libswiftCore.so") != NULL,
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

size_t loaded_segments_list(loaded_segment *buffer, size_t capacity) {
  listing list = {.segments = buffer, .capacity = capacity};
  dl_iterate_phdr(visit, &list);
  return list.count;
}

const void *loaded_symbol(const char *name) { return dlsym(RTLD_DEFAULT, name); }

int memory_is_readable(uintptr_t address, size_t count) {
  char copy[64];
  if (count > sizeof copy) return -1;
  struct iovec to = {.iov_base = copy, .iov_len = count};
  struct iovec from = {.iov_base = (void *)address, .iov_len = count};
  ssize_t got = process_vm_readv(getpid(), &to, 1, &from, 1, 0);
  if (got == (ssize_t)count) return 1;
  return got >= 0 || errno == EFAULT ? 0 : -1;
}

// Nearly every word of an image's data is something else, so eight are asked at a time.
uintptr_t words_within(uintptr_t start, uintptr_t end, uintptr_t mask, uintptr_t lowest,
                       uintptr_t span, uintptr_t *found, size_t capacity, size_t *count) {
  *count = 0;
  while (start + 8 <= end && *count + 8 <= capacity) {
    const uintptr_t *words = (const uintptr_t *)start;
    size_t length = end - start >= 64 ? 8 : (end - start) / 8;
    int any = 0;
    for (size_t i = 0; i < length; i++) any |= ((words[i] & mask) - lowest) <= span;
    for (size_t i = 0; any && i < length; i++) {
      if (((words[i] & mask) - lowest) <= span) found[(*count)++] = (uintptr_t)(words + i);
    }
    start += length * 8;
  }
  return start + 8 <= end ? start : end;
}

uintptr_t current_stack_end(void) {
  static __thread uintptr_t end;
  if (end != 0) return end;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void *lowest;
  size_t size;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  end = (uintptr_t)lowest + size;
  return end;
}

uintptr_t current_stack_pointer(void) { return (uintptr_t)__builtin_frame_address(0); }

#endif
