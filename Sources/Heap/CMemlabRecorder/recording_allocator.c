#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "allocator.h"
#include "spares.h"

#if HEAP_RECORDER_AVAILABLE

#include <malloc.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

// Clang may take what only a table refers to for cold.
#define HOT __attribute__((hot, noinline))

static void *remembered(void *block, size_t size) {
  if (block != NULL && heap_recorder_is_on()) shadow_remember(block, size);
  return block;
}

static uintptr_t *link_of(void *block) { return (uintptr_t *)block + 2; }

// A snapshot may still read the block, and would take its link for a strong reference, as well as a global
// variable that has its address. A complement is no address, with or without the bits of a tag.
static uintptr_t disguised(uintptr_t link) { return ~link; }

// The first block whose memory is held, disguised as the links are.
static _Atomic(uintptr_t) held_frees = UINTPTR_MAX;

// Yields to the thread that reads the heap: the longer that one waits, the more memory is held
// back. It is itself paused and does not yield here, which would help only other processes.
static void hold(void *block) {
  uintptr_t next = atomic_load_explicit(&held_frees, memory_order_relaxed);
  do {
    *link_of(block) = next;
  } while (!atomic_compare_exchange_weak_explicit(&held_frees, &next, disguised((uintptr_t)block),
                                                  memory_order_release, memory_order_relaxed));
  if (memlab_this_thread.pauses == 0) sched_yield();
}

static void give_back(void *block) {
  if (shadow_is(SHADOW_HOLDING)) {
    hold(block);
  } else {
    __libc_free(block);
  }
}

// A block that is freed twice in a row is given to glibc twice, which says so and ends the process.
static void free_unlisted(void *block) {
  if (block != NULL && memlab_spares_have(block)) memlab_glibc_allocator.free(block);
  memlab_glibc_allocator.free(block);
}

// First removes the entry, then asks whether frees are held; `heap_recorder_hold_frees` has the
// opposite order. So either the block isn't on the copied list, or its memory stays.
HOT static void recorded_free(void *block) {
  uint64_t entry = shadow_forget((uintptr_t)block);
  atomic_signal_fence(memory_order_seq_cst);
  uint64_t floor = atomic_load_explicit(&memlab_shadow.floor, memory_order_relaxed);
  uint32_t mode = atomic_load_explicit(&memlab_shadow.mode, memory_order_relaxed);
  // An entry from before the latest start may be of another block, which was here then.
  if (UNLIKELY(mode != SHADOW_RECORDING || entry >> SERIAL_SHIFT <= floor)) {
    return entry == 0 ? free_unlisted(block) : give_back(block);
  }
  size_t size = (entry & (((uint64_t)1 << SERIAL_SHIFT) - 1)) >> 1;
  if (LIKELY(size <= LARGEST_SPARE)) {
    spare_list *list = spares_for(size);
    if (LIKELY(spare_keep(list, block))) return;
    if (UNLIKELY(list->first == NULL)) memlab_spares_begin_in_thread();
  }
  memlab_glibc_allocator.free(block);
}

// While frees are held nothing may be unmapped or moved, so the contents are copied.
static void *moved(void *block, size_t size, uint64_t entry) {
  void *fresh = __libc_malloc(size);
  if (fresh == NULL) {
    shadow_restore((uintptr_t)block, entry);
    return NULL;
  }
  size_t old_size = malloc_usable_size(block);
  memcpy(fresh, block, old_size < size ? old_size : size);
  hold(block);
  return remembered(fresh, size);
}

static void *recorded_realloc(void *block, size_t size) {
  uint64_t entry = block == NULL ? 0 : shadow_forget((uintptr_t)block);
  atomic_signal_fence(memory_order_seq_cst);
  if (entry != 0 && size != 0 && shadow_is(SHADOW_HOLDING)) return moved(block, size, entry);
  if (entry != 0 && size == 0 && shadow_is(SHADOW_HOLDING)) {
    hold(block);
    return NULL;
  }
  void *fresh = __libc_realloc(block, size);
  if (fresh == NULL && size != 0 && entry != 0) shadow_restore((uintptr_t)block, entry);
  return remembered(fresh, size);
}

void memlab_recording_allocator_release(void) {
  uintptr_t next = atomic_exchange_explicit(&held_frees, UINTPTR_MAX, memory_order_acquire);
  while (next != UINTPTR_MAX) {
    void *block = (void *)disguised(next);
    next = *link_of(block);
    __libc_free(block);
  }
}

// What a block's last owner left in it would be read as references of the new one, wherever the new
// one has not written yet: a task's frames have many such places. Large blocks are left as they are,
// for they are buffers, which their owners fill.
enum { LARGEST_CLEARED = 16384, SMALLEST_BLOCK = 24 };

typedef uint64_t two_words __attribute__((vector_size(16), aligned(1), may_alias));

// Objects are small, and a call of `memset`, or a loop, would take as long as noting one takes. The
// last words may overlap those before. Up to `LARGEST_SPARE`.
static inline void clear_small(char *block, size_t size) {
  const two_words zero = {0};
#define CLEAR(place) (*(two_words *)(place) = zero)
  CLEAR(block);
  if (size <= 32) {
    CLEAR(block + (size > SMALLEST_BLOCK ? 16 : 8));
    return;
  }
  CLEAR(block + 16);
  if (size > 64) {
    CLEAR(block + 32);
    CLEAR(block + 48);
  }
  CLEAR(block + size - 32);
  CLEAR(block + size - 16);
#undef CLEAR
}

HOT static void *recorded_malloc(size_t size) {
  void *block = size <= LARGEST_SPARE ? spare_take(spares_for(size)) : NULL;
  if (block == NULL) block = memlab_glibc_allocator.malloc(size);
  if (UNLIKELY(block == NULL)) return NULL;
  if (size > LARGEST_SPARE) {
    if (size <= LARGEST_CLEARED) memset(block, 0, size);
    return shadow_remember(block, size);
  }
  clear_small(block, size);
  return shadow_remember(block, size);
}

static void *recorded_calloc(size_t count, size_t size) {
  return remembered(__libc_calloc(count, size), count * size);
}

static void *recorded_memalign(size_t alignment, size_t size) {
  return remembered(__libc_memalign(alignment, size), size);
}

// As a Swift object's reference count, these bytes mean a side table at an invalid address.
enum { SPOILT = 0xdd, LATEST_KEPT = 128 };
static atomic_bool keeps = true;
static _Atomic(void *) latest_freed[LATEST_KEPT];
static atomic_uint frees;

// The next object of this size would make the block good again, so it has to wait for its turn.
static void spoiling_free(void *block) {
  size_t size = shadow_size((uintptr_t)block);
  if (size != 0) memset(block, SPOILT, malloc_usable_size(block));
  if (size == 0 || !atomic_load(&keeps)) return recorded_free(block);
  shadow_forget((uintptr_t)block);
  unsigned place = atomic_fetch_add(&frees, 1) % LATEST_KEPT;
  void *old = atomic_exchange(&latest_freed[place], block);
  if (old != NULL) give_back(old);
}

void memlab_spoiling_allocator_keep(bool are_kept) { atomic_store(&keeps, are_kept); }

const allocator memlab_recording_allocator = {recorded_malloc, recorded_free, recorded_calloc,
                                       recorded_realloc, recorded_memalign};
const allocator memlab_spoiling_allocator = {recorded_malloc, spoiling_free, recorded_calloc,
                                      recorded_realloc, recorded_memalign};

// `malloc_usable_size` is replaced, too: that of another allocator's library, such as jemalloc's, cannot
// read glibc's blocks, and glibc has no second name for its own.
//
// Before a block stands its size with three flags, of which the second says that the block has a mapping
// to itself, see `malloc/malloc.c` of glibc. Such a size is that of the mapping until glibc 2.42; since
// 2.43 the mapping ends two words later, so that the size says the same as of any other block.
static size_t room_in_chunk(const void *block) {
  size_t field = ((const size_t *)block)[-1], size = field & ~(size_t)7;
  bool is_mapping = (field & 2) != 0;
  bool has_two = is_mapping && ((uintptr_t)block + size) % memlab_memory_page_size() != 0;
  return size - (has_two ? 2 : 1) * sizeof(size_t);
}

// Chunks are multiples of 16 bytes, and none is smaller than 32; eight bytes of each are its header.
static size_t least_room(size_t size) {
  return size < SMALLEST_BLOCK ? SMALLEST_BLOCK : ((size + 8 + 15) & ~(size_t)15) - 8;
}

// A chunk may be 16 bytes longer than it has to be, where the rest was too small for one of its own.
// That depends on what other threads have freed, and an array's or a string's capacity would depend
// on it in turn. So a recorded block has as much room as its size asks for, in every run.
size_t malloc_usable_size(void *block) {
  if (block == NULL) return 0;
  if (UNLIKELY(!memlab_is_glibc_below())) return memlab_unrecorded_size(block);
  size_t room = room_in_chunk(block), size = shadow_size((uintptr_t)block);
  size_t least = least_room(size);
  return size != 0 && least < room ? least : room;
}

size_t memlab_heap_block_room(heap_block block) { return malloc_usable_size((void *)block.address); }

#endif
