#include "platform.h"

#if !HEAP_RECORDER_AVAILABLE

const char *heap_recorder_obstacle(void) {
#if defined(MEMLAB_PORTABLE)
  return "this is the portable configuration, and the heap is read on Linux only; memlab's "
         "Documentation/Install.md has a container";
#elif defined(HEAP_RECORDER_SANITIZED)
  return "a sanitizer brings its own allocator";
#else
  return "only Linux with glibc on x86-64 and arm64 is supported";
#endif
}

void heap_recorder_start(void) {}
uint64_t heap_recorder_moment(void) { return 0; }
void heap_recorder_stop(void) {}
void heap_recorder_seal(void) {}
void heap_recorder_spoil_frees(void) {}
void heap_recorder_keep_freed(bool are_kept) {}
bool heap_recorder_is_on(void) { return false; }
void heap_recorder_pause_thread(void) {}
void heap_recorder_resume_thread(void) {}
bool heap_recorder_hold_frees(void) { return false; }
void heap_recorder_release_frees(void) {}
void heap_recorder_enter_copy(size_t limit) {}
bool heap_recorder_serves(void) { return false; }

int heap_recorder_mappings(void) { return -1; }
heap_mapping heap_recorder_mapping(int number) { return (heap_mapping){.start = 0, .end = 0}; }

size_t heap_recorder_count(size_t *bytes) {
  *bytes = 0;
  return 0;
}

size_t memlab_heap_block_room(heap_block block) { return heap_block_size(block); }

size_t heap_recorder_copy(heap_block *blocks, size_t capacity) { return 0; }

void heap_recorder_visit(void (*visit)(void *context, heap_block block), void *context) {}

#endif
