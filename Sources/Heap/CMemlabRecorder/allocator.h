#ifndef ALLOCATOR_H
#define ALLOCATOR_H

#include "shadow.h"

#if HEAP_RECORDER_AVAILABLE

// glibc's own allocator, under the names it keeps for this purpose.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

/// What serves a program's calls; all others are made of these.
typedef struct {
  void *(*malloc)(size_t);
  void (*free)(void *);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*memalign)(size_t alignment, size_t size);
} allocator;

/// Lets an allocator serve all calls from now on.
HIDDEN void serve_with(const allocator *chosen);

/// The allocator that serves where nothing is recorded: glibc's, or the program's own, see
/// `heap_recorder_gives_way`.
HIDDEN const allocator *unrecorded_allocator(void);

/// Whether that allocator is glibc's. Blocks of another one cannot be recorded.
HIDDEN bool is_glibc_below(void);

/// `malloc_usable_size` of the program's own allocator; only to be called where that serves.
HIDDEN size_t unrecorded_size(void *block);

#endif
#endif
