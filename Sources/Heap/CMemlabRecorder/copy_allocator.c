#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "allocator.h"
#include "shadow.h"

#if HEAP_RECORDER_AVAILABLE

#include <malloc.h>
#include <string.h>
#include <sys/mman.h>

// The allocator of a process that is a copy of another one, see `heap_recorder_enter_copy`. One
// thread, no locks, and no memory of glibc's: its locks may be held by threads that are not there.
//
// Before each block stands its size as glibc has it there for a block in use, so that one
// `malloc_usable_size` answers for both: the header's word counts, see `malloc/malloc.c` of glibc.
enum { CHUNK = 16 << 20, SMALLEST = 32, CLASSES = 16, LARGEST = SMALLEST << (CLASSES - 1) };

typedef struct {
  uint64_t mark;
  uint64_t size;
} header;

// What stands before a block of the program's is anything; that it is this and the address is not
// possible by accident.
static const uint64_t of_class = 0x6d656d6c61622d63, of_its_own = 0x6d656d6c61622d6f;

static char *next, *end;
static void *spare[CLASSES];
static size_t room_left;

void memlab_copy_allocator_limit(size_t limit) { room_left = limit; }

static char *map(size_t size) {
  if (size > room_left) return NULL;
  char *memory = memlab_map_memory(size);
  if (memory == NULL) return NULL;
  room_left -= size;
  return memory;
}

static unsigned class_of(size_t room) {
  unsigned class = 0;
  while (((size_t)SMALLEST << class) < room) class++;
  return class;
}

static void *begin(char *block, size_t room, uint64_t mark) {
  *((header *)block - 1) = (header){.mark = mark ^ (uintptr_t)block,
                                    .size = room + sizeof(uint64_t)};
  return block;
}

// The pages before the block stay, too: they are counted until the copy ends.
static void *allocate_mapped(size_t alignment, size_t size) {
  size_t room = (size + SMALLEST - 1) & ~(size_t)(SMALLEST - 1);
  if (room < size || room + alignment < room) return NULL;
  size_t page = memlab_memory_page_size();
  char *memory = map((room + alignment + sizeof(header) + page - 1) & ~(page - 1));
  if (memory == NULL) return NULL;
  uintptr_t address = (uintptr_t)memory + sizeof(header) + alignment - 1;
  return begin((char *)(address & ~(uintptr_t)(alignment - 1)), room, of_its_own);
}

static void *allocate(size_t alignment, size_t size) {
  if (alignment > 16 || size > LARGEST) return allocate_mapped(alignment, size);
  unsigned class = class_of(size);
  void *block = spare[class];
  if (block != NULL) {
    memcpy(&spare[class], block, sizeof spare[class]);
    return block;
  }
  size_t room = (size_t)SMALLEST << class;
  if ((size_t)(end - next) < room + sizeof(header)) {
    char *memory = map(CHUNK);
    if (memory == NULL) return NULL;
    next = memory;
    end = memory + CHUNK;
  }
  block = begin(next + sizeof(header), room, of_class);
  next += sizeof(header) + room;
  return block;
}

// Of what was mapped by itself, only whole pages within the block go back.
static void free_mapped(char *block, size_t room) {
  uintptr_t page = memlab_memory_page_size();
  uintptr_t first = ((uintptr_t)block + page - 1) & ~(page - 1);
  uintptr_t last = ((uintptr_t)block + room) & ~(page - 1);
  if (last <= first || munmap((void *)first, last - first) != 0) return;
  room_left += last - first;
}

// A block of the process that was copied is left as it is.
static void give_back(void *block) {
  header head;
  memcpy(&head, (header *)block - 1, sizeof head);
  size_t room = head.size - sizeof head.size;
  if (head.mark == (of_its_own ^ (uintptr_t)block)) {
    free_mapped(block, room);
  } else if (head.mark == (of_class ^ (uintptr_t)block)) {
    memcpy(block, &spare[class_of(room)], sizeof(void *));
    spare[class_of(room)] = block;
  }
}

static void *copy_memalign(size_t alignment, size_t size) {
  void *block = allocate(alignment, size);
  return block == NULL ? NULL : shadow_remember(block, size);
}

static void *copy_malloc(size_t size) { return copy_memalign(16, size); }

static void copy_free(void *block) {
  if (block == NULL) return;
  shadow_forget((uintptr_t)block);
  give_back(block);
}

static void *copy_calloc(size_t count, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(count, size, &total)) return NULL;
  void *block = copy_malloc(total);
  return block == NULL ? NULL : memset(block, 0, total);
}

static void *copy_realloc(void *block, size_t size) {
  void *fresh = copy_malloc(size);
  if (fresh == NULL || block == NULL) return fresh;
  size_t old_size = malloc_usable_size(block);
  memcpy(fresh, block, old_size < size ? old_size : size);
  copy_free(block);
  return fresh;
}

const allocator memlab_copy_allocator = {copy_malloc, copy_free, copy_calloc, copy_realloc, copy_memalign};

#endif
