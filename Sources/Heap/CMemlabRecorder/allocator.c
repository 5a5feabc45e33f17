#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "allocator.h"

#if HEAP_RECORDER_AVAILABLE

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

const allocator memlab_glibc_allocator = {__libc_malloc, __libc_free, __libc_calloc, __libc_realloc,
                                   __libc_memalign};

// The loader makes this section read-only when it has filled it in.
#define READ_ONLY __attribute__((section(".data.rel.ro")))
static READ_ONLY allocator of_others;
static READ_ONLY size_t (*size_of_others)(void *);
static READ_ONLY _Atomic(const allocator *) below;
static READ_ONLY bool is_sealed;
static void set_writable(bool is_writable);

// Finds what `dlsym` finds with `RTLD_NEXT`. `dlsym` itself may allocate, and this is called in the
// middle of an allocation.
static const void *next(const char *name) { return memlab_symbol_in_other_images(name, &memlab_glibc_allocator); }

#define is_other(found, glibc) ((found) != NULL && (found) != (glibc))

static bool find_others(void) {
  of_others = (allocator){
      .malloc = (void *(*)(size_t))next("malloc"),
      .free = (void (*)(void *))next("free"),
      .calloc = (void *(*)(size_t, size_t))next("calloc"),
      .realloc = (void *(*)(void *, size_t))next("realloc"),
      .memalign = (void *(*)(size_t, size_t))next("memalign"),
  };
  size_of_others = (size_t (*)(void *))next("malloc_usable_size");
  // An allocator that lacks one of them would get blocks of glibc's to free.
  return is_other(of_others.malloc, __libc_malloc) && is_other(of_others.free, __libc_free) &&
         is_other(of_others.calloc, __libc_calloc) && is_other(of_others.realloc, __libc_realloc) &&
         is_other(of_others.memalign, __libc_memalign) && size_of_others != NULL;
}

// Chosen when the process allocates its first block, so that every block is freed by the allocator that
// made it.
const allocator *memlab_unrecorded_allocator(void) {
  const allocator *chosen = atomic_load_explicit(&below, memory_order_acquire);
  if (chosen != NULL) return chosen;
  set_writable(true);
  bool gives_way = heap_recorder_gives_way != NULL && heap_recorder_gives_way();
  chosen = gives_way && find_others() ? &of_others : &memlab_glibc_allocator;
  atomic_store_explicit(&below, chosen, memory_order_release);
  return chosen;
}

bool memlab_is_glibc_below(void) { return memlab_unrecorded_allocator() == &memlab_glibc_allocator; }

size_t memlab_unrecorded_size(void *block) { return size_of_others(block); }

static void *first_malloc(size_t size) {
  memlab_serve_with(memlab_unrecorded_allocator());
  return malloc(size);
}

static void first_free(void *block) {
  memlab_serve_with(memlab_unrecorded_allocator());
  free(block);
}

static void *first_calloc(size_t count, size_t size) {
  memlab_serve_with(memlab_unrecorded_allocator());
  return calloc(count, size);
}

static void *first_realloc(void *block, size_t size) {
  memlab_serve_with(memlab_unrecorded_allocator());
  return realloc(block, size);
}

static void *first_memalign(size_t alignment, size_t size) {
  memlab_serve_with(memlab_unrecorded_allocator());
  return memalign(alignment, size);
}

// Each entry point jumps through one of these, so that no call has to ask whether recording is on. The
// compiler does not see the jumps.
#define POINTER HIDDEN READ_ONLY __attribute__((used))
POINTER void *(*_Atomic heap_recorder_malloc)(size_t) = first_malloc;
POINTER void (*_Atomic heap_recorder_free)(void *) = first_free;
POINTER void *(*_Atomic heap_recorder_calloc)(size_t, size_t) = first_calloc;
POINTER void *(*_Atomic heap_recorder_realloc)(void *, size_t) = first_realloc;
POINTER void *(*_Atomic heap_recorder_memalign)(size_t, size_t) = first_memalign;

// All pages that have one of these.
static void set_writable(bool is_writable) {
  static const void *const places[] = {
      &of_others, &size_of_others, &below, &is_sealed, &heap_recorder_malloc, &heap_recorder_free,
      &heap_recorder_calloc, &heap_recorder_realloc, &heap_recorder_memalign};
  uintptr_t first = UINTPTR_MAX, last = 0, page = memlab_memory_page_size();
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    uintptr_t place = (uintptr_t)places[i];
    if (place < first) first = place;
    if (place + sizeof of_others > last) last = place + sizeof of_others;
  }
  first &= ~(page - 1);
  mprotect((void *)first, last - first, is_writable ? PROT_READ | PROT_WRITE : PROT_READ);
}

// Where the linker was told `-z norelro`, variables that are written share the pages.
static int has_own_pages(struct dl_phdr_info *image, size_t size, void *place) {
  for (size_t i = 0; i < image->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &image->dlpi_phdr[i];
    uintptr_t distance = (uintptr_t)place - (image->dlpi_addr + part->p_vaddr);
    if (part->p_type == PT_GNU_RELRO && distance < part->p_memsz) return 1;
  }
  return 0;
}

void heap_recorder_seal(void) {
  if (!dl_iterate_phdr(has_own_pages, &is_sealed)) return;
  set_writable(true);
  is_sealed = true;
  set_writable(false);
}

void memlab_serve_with(const allocator *chosen) {
  set_writable(true);
  atomic_store(&heap_recorder_malloc, chosen->malloc);
  atomic_store(&heap_recorder_free, chosen->free);
  atomic_store(&heap_recorder_calloc, chosen->calloc);
  atomic_store(&heap_recorder_realloc, chosen->realloc);
  atomic_store(&heap_recorder_memalign, chosen->memalign);
  if (is_sealed) set_writable(false);
}

// One indirect jump, as in an entry of the procedure linkage table. With frame pointers, the compiler
// would make five instructions of it.
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

void *valloc(size_t size) { return memalign(memlab_memory_page_size(), size); }

void *pvalloc(size_t size) {
  size_t page = memlab_memory_page_size(), rounded;
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

// The `malloc` above. What the loader finds by that name may be another one, which comes first.
static void *own_malloc(size_t size) __attribute__((alias("malloc")));

bool heap_recorder_serves(void) {
  return memlab_is_glibc_below() && memlab_loaded_symbol("malloc") == (const void *)own_malloc;
}

#endif
