#ifndef SHADOW_H
#define SHADOW_H

#include "platform.h"

#if HEAP_RECORDER_AVAILABLE

#include <stdatomic.h>

/// What the recorder does now: with zero, nothing.
enum { SHADOW_RECORDING = 1, SHADOW_HOLDING = 2, SHADOW_COPY = 4 };

// An entry, from the top: 38 bits of serial, 1 bit "size counts pages", 24 bits of size, 1 bit
// "begins at the second half of the granule". Zero means that no block begins here.
enum {
  GRANULE_BITS = 5,
  REGION_BITS = 22,
  ENTRIES = 1 << (REGION_BITS - GRANULE_BITS),
  ENTRIES_PER_MARK = 64,
  MARKS = ENTRIES / ENTRIES_PER_MARK,
  SIZE_BITS = 24,
  SERIAL_SHIFT = 26,
  SERIALS_PER_BATCH = 256,
};
#define DIRECTORY_LENGTH ((size_t)1 << (USER_ADDRESS_BITS - REGION_BITS))

/// The shadow of 4 MB of address space. Pages that were never written cost nothing.
///
/// A mark says that one of 64 entries was written since recording began. A trial's few blocks lie
/// scattered over the heap, and listing them skips what lies between.
typedef struct region {
  struct region *next;
  uintptr_t base;
  _Alignas(8) _Atomic(uint8_t) marks[MARKS];
  _Alignas(4096) _Atomic(uint64_t) entries[ENTRIES];
} region;

/// What every call reads and hardly any writes: in a cache line of its own, so that no thread takes it
/// from another.
extern HIDDEN struct shadow {
  _Alignas(64) _Atomic(_Atomic(region *) *) directory;
  /// The serial up to which blocks do not count, and that up to which none is given out any more.
  _Atomic(uint64_t) floor, moment;
  _Atomic(uint32_t) mode;
} memlab_shadow;

/// What a thread keeps for itself: the serials it may still give out, and how often it is paused.
typedef struct {
  uint64_t next_serial, end_of_batch;
  uint32_t pauses;
} shadow_thread;
extern HIDDEN __thread shadow_thread memlab_this_thread __attribute__((tls_model("initial-exec")));

/// Whether a part of `memlab_shadow.mode` is on.
static inline bool shadow_is(uint32_t mode) {
  return (atomic_load_explicit(&memlab_shadow.mode, memory_order_relaxed) & mode) != 0;
}

/// Maps memory of the recorder's own, which is not noted as the program's. NULL where the kernel gives none.
HIDDEN void *memlab_map_memory(size_t size);

/// Makes what is needed before the first block can be noted.
/// @param is_first receives whether it was not there yet.
/// @return false where there is no address space for it.
HIDDEN bool memlab_shadow_prepare(bool *is_first);

/// Makes that no block counts that was noted before.
HIDDEN void memlab_shadow_begin(void);

/// Whether the directory has a place for an address. On x86-64 it has one for all. On arm64 a block's
/// address may have a tag in its highest byte, where glibc's `glibc.mem.tagging` is on, or more than
/// 48 bits, where a program has asked the kernel for such addresses.
static inline bool has_place(uintptr_t address) {
#if defined(__x86_64__)
  return true;
#else
  return address >> USER_ADDRESS_BITS == 0;
#endif
}

static inline _Atomic(region *) *place_of(uintptr_t address) {
  return &atomic_load_explicit(&memlab_shadow.directory, memory_order_relaxed)[address >> REGION_BITS];
}

static inline size_t index_of(uintptr_t address) {
  return (address >> GRANULE_BITS) & (ENTRIES - 1);
}

static inline _Atomic(uint8_t) *mark_of(region *region, size_t index) {
  return &region->marks[index / ENTRIES_PER_MARK];
}

static inline uint64_t packed(uintptr_t address, size_t size, uint64_t serial) {
  uint64_t code = size;
  if (UNLIKELY(size >> SIZE_BITS != 0)) {
    uint64_t pages = size >> 12;
    uint64_t most = ((uint64_t)1 << SIZE_BITS) - 1;
    code = ((uint64_t)1 << SIZE_BITS) | (pages < most ? pages : most);
  }
  return serial << SERIAL_SHIFT | code << 1 | (address >> 4 & 1);
}

/// Notes a new block where something has to be prepared first: a batch of serials, a region, or
/// a mark. A paused thread has no batch and gets none.
HIDDEN void *memlab_shadow_remember_first(void *block, size_t size);

/// Notes a new block of the calling thread's, unless the thread is paused.
/// @return the block.
static inline void *shadow_remember(void *block, size_t size) {
  uintptr_t address = (uintptr_t)block;
  if (UNLIKELY(!has_place(address))) return block;
  uint64_t serial = memlab_this_thread.next_serial;
  bool is_stale = serial <= atomic_load_explicit(&memlab_shadow.moment, memory_order_relaxed);
  bool is_spent = serial == memlab_this_thread.end_of_batch;
  region *region = atomic_load_explicit(place_of(address), memory_order_acquire);
  size_t index = index_of(address);
  if (UNLIKELY(is_stale || is_spent || region == NULL ||
               atomic_load_explicit(mark_of(region, index), memory_order_relaxed) == 0)) {
    return memlab_shadow_remember_first(block, size);
  }
  memlab_this_thread.next_serial = serial + 1;
  atomic_store_explicit(&region->entries[index], packed(address, size, serial),
                        memory_order_relaxed);
  return block;
}

/// Takes a block off the list.
/// @return its entry, zero if it wasn't listed; good for `shadow_restore`.
static inline uint64_t shadow_forget(uintptr_t address) {
  if (UNLIKELY(!has_place(address))) return 0;
  region *region = atomic_load_explicit(place_of(address), memory_order_acquire);
  if (UNLIKELY(region == NULL)) return 0;
  _Atomic(uint64_t) *place = &region->entries[index_of(address)];
  uint64_t entry = atomic_load_explicit(place, memory_order_relaxed);
  atomic_store_explicit(place, 0, memory_order_relaxed);
  return entry;
}

/// The size that a listed block was requested with, in bytes; zero where it is not listed, or larger
/// than an entry can say exactly.
static inline size_t shadow_size(uintptr_t address) {
  if (!shadow_is(SHADOW_RECORDING) || !has_place(address)) return 0;
  region *region = atomic_load_explicit(place_of(address), memory_order_acquire);
  if (region == NULL) return 0;
  uint64_t entry =
      atomic_load_explicit(&region->entries[index_of(address)], memory_order_relaxed);
  bool is_listed = entry >> SERIAL_SHIFT > atomic_load(&memlab_shadow.floor);
  if (!is_listed || (entry & 1) != (address >> 4 & 1)) return 0;
  size_t code = entry >> 1 & (((uint64_t)1 << (SIZE_BITS + 1)) - 1);
  return code >> SIZE_BITS != 0 ? 0 : code;
}

/// Puts back an entry that `shadow_forget` took off, for a `realloc` that failed.
static inline void shadow_restore(uintptr_t address, uint64_t entry) {
  if (UNLIKELY(!has_place(address))) return;
  region *region = atomic_load_explicit(place_of(address), memory_order_acquire);
  atomic_store_explicit(&region->entries[index_of(address)], entry, memory_order_relaxed);
}

#endif
#endif
