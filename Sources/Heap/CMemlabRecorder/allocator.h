#ifndef ALLOCATOR_H
#define ALLOCATOR_H

#include "platform.h"

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

/// glibc's, called by address: a call by name would go through the table of linked functions.
extern HIDDEN const allocator memlab_glibc_allocator;

/// What records, what also spoils each block that is freed, and what serves in a copy of the process.
extern HIDDEN const allocator memlab_recording_allocator, memlab_spoiling_allocator, memlab_copy_allocator;

/// How many bytes the copy may ask the kernel for. To be set before `memlab_copy_allocator` serves.
HIDDEN void memlab_copy_allocator_limit(size_t limit);

/// Gives back to glibc what was freed while frees were held.
HIDDEN void memlab_recording_allocator_release(void);

/// Sets whether the latest blocks that were spoilt are kept from being used again.
HIDDEN void memlab_spoiling_allocator_keep(bool are_kept);

/// Lets an allocator serve all calls from now on.
HIDDEN void memlab_serve_with(const allocator *chosen);

/// The allocator that serves where nothing is recorded: glibc's, or the program's own, see
/// `heap_recorder_gives_way`.
HIDDEN const allocator *memlab_unrecorded_allocator(void);

/// Whether that allocator is glibc's. Blocks of another one cannot be recorded.
HIDDEN bool memlab_is_glibc_below(void);

/// `malloc_usable_size` of the program's own allocator; only to be called where that serves.
HIDDEN size_t memlab_unrecorded_size(void *block);

#endif
#endif
