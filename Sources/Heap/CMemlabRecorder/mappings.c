#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "shadow.h"

#if HEAP_RECORDER_AVAILABLE

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// glibc's allocator, its threads' stacks and the loader call the kernel by themselves and do not pass here,
// so that what is noted is the program's own. Nothing in here takes a lock: an entry is free while its start
// is zero, and counts once it has a size.
static struct {
  _Atomic(uintptr_t) start;
  _Atomic(size_t) size;
} noted[HEAP_RECORDER_MAPPINGS];
static atomic_int used;
static atomic_bool are_more;

// The kernel maps and unmaps whole pages.
static uintptr_t end_of(uintptr_t start, size_t size) {
  uintptr_t page = (uintptr_t)getpagesize();
  return (start + size + page - 1) & ~(page - 1);
}

// An arena that maps the parts of a large mapping anew, once it uses them, is one mapping here.
static bool is_noted(uintptr_t start, uintptr_t end) {
  for (int i = 0; i < atomic_load(&used); i++) {
    heap_mapping known = heap_recorder_mapping(i);
    if (known.start != 0 && known.start <= start && end <= known.end) return true;
  }
  return false;
}

static void note(uintptr_t start, uintptr_t end) {
  if (is_noted(start, end)) return;
  for (int i = 0; i < HEAP_RECORDER_MAPPINGS; i++) {
    uintptr_t none = 0;
    if (!atomic_compare_exchange_strong(&noted[i].start, &none, start)) continue;
    int most = atomic_load(&used);
    while (most <= i && !atomic_compare_exchange_weak(&used, &most, i + 1)) {
    }
    atomic_store(&noted[i].size, end - start);
    return;
  }
  atomic_store(&are_more, true);
}

void *memlab_map_memory(size_t size) {
  void *memory = (void *)syscall(SYS_mmap, NULL, size, PROT_READ | PROT_WRITE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void *mmap(void *place, size_t size, int protection, int flags, int file, off_t offset) {
  void *memory = (void *)syscall(SYS_mmap, place, size, protection, flags, file, offset);
  bool is_programs = memlab_this_thread.pauses == 0 && (flags & MAP_SHARED) == 0;
  if (memory != MAP_FAILED && (flags & MAP_ANONYMOUS) != 0 && is_programs) {
    note((uintptr_t)memory, end_of((uintptr_t)memory, size));
  }
  return memory;
}

void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));

// Before the kernel does it: right after that, another thread may get the addresses. What is left is at no
// time outside of what is noted; a hole in the middle stays noted.
int munmap(void *place, size_t size) {
  uintptr_t first = (uintptr_t)place, last = end_of(first, size);
  for (int i = 0; i < atomic_load(&used); i++) {
    heap_mapping known = heap_recorder_mapping(i);
    if (known.start == 0 || known.end <= first || last <= known.start) continue;
    if (known.start < first) {
      if (known.end <= last) atomic_store(&noted[i].size, first - known.start);
    } else if (last < known.end) {
      atomic_store(&noted[i].start, last);
      atomic_store(&noted[i].size, known.end - last);
    } else {
      atomic_store(&noted[i].size, 0);
      atomic_store(&noted[i].start, 0);
    }
  }
  return (int)syscall(SYS_munmap, place, size);
}

int heap_recorder_mappings(void) { return atomic_load(&are_more) ? -1 : atomic_load(&used); }

heap_mapping heap_recorder_mapping(int number) {
  uintptr_t start = atomic_load(&noted[number].start);
  return (heap_mapping){.start = start, .end = start + atomic_load(&noted[number].size)};
}

#endif
