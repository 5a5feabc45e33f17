#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "shadow.h"

#if HEAP_RECORDER_AVAILABLE

#include <string.h>
#include <sys/mman.h>

struct shadow memlab_shadow;
__thread shadow_thread memlab_this_thread __attribute__((tls_model("initial-exec")));
static _Atomic(region *) regions;
// Threads write it, so it is not in the line of `memlab_shadow`.
static _Alignas(64) _Atomic(uint64_t) next_batch = 1;

// Another thread may be faster.
static region *add_region(_Atomic(region *) *place, uintptr_t address) {
  region *fresh = memlab_map_memory(sizeof(region));
  if (fresh == NULL) return NULL;
  fresh->base = address >> REGION_BITS << REGION_BITS;
  region *winner = NULL;
  if (!atomic_compare_exchange_strong(place, &winner, fresh)) {
    munmap(fresh, sizeof(region));
    return winner;
  }
  fresh->next = atomic_load(&regions);
  while (!atomic_compare_exchange_weak(&regions, &fresh->next, fresh)) {
  }
  return fresh;
}

static void take_batch(void) {
  memlab_this_thread.next_serial = atomic_fetch_add(&next_batch, SERIALS_PER_BATCH);
  memlab_this_thread.end_of_batch = memlab_this_thread.next_serial + SERIALS_PER_BATCH;
}

// The serial comes before the mark: a mark from before the latest start is wiped, and one that was
// set first could be wiped for a block that counts.
void *memlab_shadow_remember_first(void *block, size_t size) {
  if (memlab_this_thread.pauses != 0) return block;
  uintptr_t address = (uintptr_t)block;
  _Atomic(region *) *place = place_of(address);
  region *region = atomic_load_explicit(place, memory_order_acquire);
  if (region == NULL) region = add_region(place, address);
  if (region == NULL) return block;
  bool is_stale = memlab_this_thread.next_serial <= atomic_load(&memlab_shadow.moment);
  if (is_stale || memlab_this_thread.next_serial == memlab_this_thread.end_of_batch) take_batch();
  atomic_store_explicit(mark_of(region, index_of(address)), 1, memory_order_relaxed);
  uint64_t entry = packed(address, size, memlab_this_thread.next_serial++);
  atomic_store_explicit(&region->entries[index_of(address)], entry, memory_order_relaxed);
  return block;
}

static heap_block block_of(uintptr_t base, size_t index, uint64_t entry) {
  uintptr_t address = base + (index << GRANULE_BITS) + ((entry & 1) << 4);
  return (heap_block){.address = address, .packed = entry};
}

bool memlab_shadow_prepare(bool *is_first) {
  *is_first = false;
  if (atomic_load(&memlab_shadow.directory) != NULL) return true;
  void *fresh = memlab_map_memory(DIRECTORY_LENGTH * sizeof(_Atomic(region *)));
  if (fresh == NULL) return false;
  _Atomic(region *) *expected = NULL;
  *is_first = atomic_compare_exchange_strong(&memlab_shadow.directory, &expected, fresh);
  if (!*is_first) munmap(fresh, DIRECTORY_LENGTH * sizeof(_Atomic(region *)));
  return true;
}

// What is left of the batches that threads have taken is not given out any more.
uint64_t heap_recorder_moment(void) {
  uint64_t last = atomic_fetch_add(&next_batch, SERIALS_PER_BATCH) + SERIALS_PER_BATCH - 1;
  uint64_t latest = atomic_load(&memlab_shadow.moment);
  while (latest < last && !atomic_compare_exchange_weak(&memlab_shadow.moment, &latest, last)) {
  }
  return last;
}

// Entries from before count as absent because of their serials, so nothing has to be wiped. The
// marks go first: a block with a later serial sets its mark again.
void memlab_shadow_begin(void) {
  for (region *region = atomic_load(&regions); region != NULL; region = region->next) {
    memset((void *)region->marks, 0, sizeof region->marks);
  }
  atomic_store(&memlab_shadow.floor, heap_recorder_moment());
}

// A paused thread has no serials left, so the allocator's entry points find out on their way to the
// next batch.
void heap_recorder_pause_thread(void) {
  memlab_this_thread.pauses++;
  memlab_this_thread.next_serial = memlab_this_thread.end_of_batch = 0;
}

void heap_recorder_resume_thread(void) { memlab_this_thread.pauses--; }

typedef void visitor(void *context, heap_block block);

static void visit_entries(region *region, size_t first, uint64_t floor, visitor *visit,
                          void *context) {
  for (size_t i = first; i < first + ENTRIES_PER_MARK; i++) {
    uint64_t entry = atomic_load_explicit(&region->entries[i], memory_order_relaxed);
    if (entry >> SERIAL_SHIFT > floor) visit(context, block_of(region->base, i, entry));
  }
}

static void visit_region(region *region, visitor *visit, void *context) {
  uint64_t floor = atomic_load(&memlab_shadow.floor);
  for (size_t first = 0; first < MARKS; first += sizeof(uint64_t)) {
    uint64_t eight;  // most marks are not set
    memcpy(&eight, (const void *)&region->marks[first], sizeof eight);
    if (eight == 0) continue;
    for (size_t mark = first; mark < first + sizeof eight; mark++) {
      if (atomic_load_explicit(&region->marks[mark], memory_order_relaxed) == 0) continue;
      visit_entries(region, mark * ENTRIES_PER_MARK, floor, visit, context);
    }
  }
}

static void visit_all(visitor *visit, void *context) {
  for (region *region = atomic_load(&regions); region != NULL; region = region->next) {
    visit_region(region, visit, context);
  }
}

typedef struct {
  heap_block *blocks;
  size_t count, capacity, bytes;
} listing;

static void count_block(void *context, heap_block block) {
  listing *list = context;
  list->count++;
  list->bytes += heap_block_size(block);
}

static void copy_block(void *context, heap_block block) {
  listing *list = context;
  if (list->count < list->capacity) list->blocks[list->count] = block;
  list->count++;
}

size_t heap_recorder_count(size_t *bytes) {
  listing list = {0};
  visit_all(count_block, &list);
  *bytes = list.bytes;
  return list.count;
}

static region *lowest_above(uintptr_t base, bool is_first) {
  region *best = NULL;
  for (region *region = atomic_load(&regions); region != NULL; region = region->next) {
    if (!is_first && region->base <= base) continue;
    if (best == NULL || region->base < best->base) best = region;
  }
  return best;
}

size_t heap_recorder_copy(heap_block *blocks, size_t capacity) {
  listing list = {.blocks = blocks, .capacity = capacity};
  heap_recorder_visit(copy_block, &list);
  return list.count;
}

void heap_recorder_visit(visitor *visit, void *context) {
  region *region = lowest_above(0, true);
  for (; region != NULL; region = lowest_above(region->base, false)) {
    visit_region(region, visit, context);
  }
}

#endif
