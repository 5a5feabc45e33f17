#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "allocator.h"

#if HEAP_RECORDER_AVAILABLE

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

static const allocator of_glibc = {__libc_malloc, __libc_free, __libc_calloc, __libc_realloc,
                                   __libc_memalign};
static allocator of_others;
static size_t (*size_of_others)(void *);
static _Atomic(const allocator *) below;

// What `RTLD_NEXT` of `dlsym` finds; but that may allocate, and the first block is not there yet.
static const void *next(const char *name) { return symbol_in_other_images(name, &of_glibc); }

static bool find_others(void) {
  of_others = (allocator){
      .malloc = (void *(*)(size_t))next("malloc"),
      .free = (void (*)(void *))next("free"),
      .calloc = (void *(*)(size_t, size_t))next("calloc"),
      .realloc = (void *(*)(void *, size_t))next("realloc"),
      .memalign = (void *(*)(size_t, size_t))next("memalign"),
  };
  size_of_others = (size_t (*)(void *))next("malloc_usable_size");
  return of_others.malloc != NULL && of_others.malloc != __libc_malloc && of_others.free != NULL &&
         of_others.calloc != NULL && of_others.realloc != NULL && of_others.memalign != NULL &&
         size_of_others != NULL;
}

// Asked with the process's first block, so that no block is ever given to another allocator than it
// came from.
const allocator *unrecorded_allocator(void) {
  const allocator *chosen = atomic_load_explicit(&below, memory_order_acquire);
  if (chosen != NULL) return chosen;
  bool gives_way = heap_recorder_gives_way != NULL && heap_recorder_gives_way();
  chosen = gives_way && find_others() ? &of_others : &of_glibc;
  atomic_store_explicit(&below, chosen, memory_order_release);
  return chosen;
}

bool is_glibc_below(void) { return unrecorded_allocator() == &of_glibc; }

size_t unrecorded_size(void *block) { return size_of_others(block); }

static void *first_malloc(size_t size) {
  serve_with(unrecorded_allocator());
  return malloc(size);
}

static void first_free(void *block) {
  serve_with(unrecorded_allocator());
  free(block);
}

static void *first_calloc(size_t count, size_t size) {
  serve_with(unrecorded_allocator());
  return calloc(count, size);
}

static void *first_realloc(void *block, size_t size) {
  serve_with(unrecorded_allocator());
  return realloc(block, size);
}

static void *first_memalign(size_t alignment, size_t size) {
  serve_with(unrecorded_allocator());
  return memalign(alignment, size);
}

// The calls go through pointers instead of asking.
HIDDEN void *(*_Atomic heap_recorder_malloc)(size_t) = first_malloc;
HIDDEN void (*_Atomic heap_recorder_free)(void *) = first_free;
HIDDEN void *(*_Atomic heap_recorder_calloc)(size_t, size_t) = first_calloc;
HIDDEN void *(*_Atomic heap_recorder_realloc)(void *, size_t) = first_realloc;
HIDDEN void *(*_Atomic heap_recorder_memalign)(size_t, size_t) = first_memalign;

void serve_with(const allocator *chosen) {
  atomic_store(&heap_recorder_malloc, chosen->malloc);
  atomic_store(&heap_recorder_free, chosen->free);
  atomic_store(&heap_recorder_calloc, chosen->calloc);
  atomic_store(&heap_recorder_realloc, chosen->realloc);
  atomic_store(&heap_recorder_memalign, chosen->memalign);
}

// One jump, as the linker puts one before every call into a shared library. The compiler would make
// five instructions of it, where frames have pointers.
#if defined(__x86_64__)
#define JUMP __attribute__((naked))
#define BODY(name, arguments) { __asm__("jmpq *heap_recorder_" #name "(%rip)"); }
#else
#define JUMP
#define BODY(name, arguments) \
  { return atomic_load_explicit(&heap_recorder_##name, memory_order_relaxed) arguments; }
#endif

JUMP void *malloc(size_t size) BODY(malloc, (size))
JUMP void free(void *block) BODY(free, (block))
JUMP void *calloc(size_t count, size_t size) BODY(calloc, (count, size))
JUMP void *realloc(void *block, size_t size) BODY(realloc, (block, size))
JUMP void *memalign(size_t alignment, size_t size) BODY(memalign, (alignment, size))

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **result, size_t alignment, size_t size) {
  bool is_power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!is_power_of_two || alignment % sizeof(void *) != 0) return EINVAL;
  void *block = memalign(alignment, size);
  if (block == NULL) return ENOMEM;
  *result = block;
  return 0;
}

void *valloc(size_t size) { return memalign(memory_page_size(), size); }

void *pvalloc(size_t size) {
  size_t page = memory_page_size(), rounded;
  if (__builtin_add_overflow(size, page - 1, &rounded)) {
    errno = ENOMEM;
    return NULL;
  }
  return memalign(page, rounded & ~(page - 1));
}

void *reallocarray(void *block, size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(block, total);
}

// The address of `malloc` is looked up as the loader does it for the program; this is that of the one
// above, which another program's or library's may stand in front of.
static void *own_malloc(size_t size) __attribute__((alias("malloc")));

bool heap_recorder_serves(void) {
  return is_glibc_below() && loaded_symbol("malloc") == (const void *)own_malloc;
}

#endif
