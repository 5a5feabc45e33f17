#ifndef SPARES_H
#define SPARES_H

#include "shadow.h"

#if HEAP_RECORDER_AVAILABLE

// Small blocks that a thread has freed and will use again. As glibc has a cache for each thread, only
// that a call ends here: the size of a block stands in its entry. To glibc, these blocks are in use. A
// thread keeps at most 31 KB.
enum { LARGEST_SPARE = 96, SPARE_LISTS = (LARGEST_SPARE + 23) / 16 + 1, SPARES_PER_LIST = 64 };

/// Blocks whose chunks have one size.
typedef struct {
  void *first;
  /// How many more may be kept: none before a thread's first, and at its end.
  size_t vacancies;
} spare_list;
extern HIDDEN __thread spare_list memlab_spare_lists[SPARE_LISTS]
    __attribute__((tls_model("initial-exec")));

/// Those for blocks of this size, up to `LARGEST_SPARE`.
static inline spare_list *spares_for(size_t size) { return &memlab_spare_lists[(size + 23) / 16]; }

/// A block that the calling thread has freed; NULL where it has none.
static inline void *spare_take(spare_list *list) {
  void **block = list->first;
  if (block == NULL) return NULL;
  list->first = block[0];
  list->vacancies++;
  return block;
}

/// Keeps a block of the size that the list is for.
/// @return false where there is no room.
static inline bool spare_keep(spare_list *list, void *block) {
  if (UNLIKELY(list->vacancies == 0)) return false;
  void **words = block;
  words[0] = list->first;
  words[1] = &memlab_shadow;
  list->first = block;
  list->vacancies--;
  return true;
}

/// Makes what every thread's spares need. To be called once.
HIDDEN void memlab_spares_prepare(void);

/// Lets the calling thread keep spares from now on, unless it is ending.
HIDDEN void memlab_spares_begin_in_thread(void);

/// Whether the calling thread keeps this block, which is no block of the program's then. Its first 16
/// bytes must be readable.
HIDDEN bool memlab_spares_have(const void *block);

#endif
#endif
