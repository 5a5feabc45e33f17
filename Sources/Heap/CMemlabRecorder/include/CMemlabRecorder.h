#ifndef C_HEAP_RECORDER_H
#define C_HEAP_RECORDER_H

#include "CMemlabProcess.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A recorder of the process's live heap blocks.
///
/// It stands in front of glibc's allocator and notes every block that is allocated while it is on
/// and not freed since. Nothing here takes a lock or allocates with `malloc`, so every function
/// may be called from any thread, and the recorder may be used by code that `malloc` itself calls.
///
/// Each 32 bytes of heap have one 8-byte entry in a shadow, because two blocks of glibc's can't
/// begin less than 32 bytes apart. A block's entry is written only by the block's owner, so
/// plain stores are enough. Shadow pages are committed as the heap touches them: about 12 bytes
/// per 48-byte object, and never more than a quarter of the heap.
///
/// While it is on, a thread keeps a few of the small blocks that it frees, and uses them again without
/// asking glibc, until it ends.

/// One block that was live when `heap_recorder_copy` reached it.
typedef struct {
  /// Where the block begins.
  uintptr_t address;
  /// Its size and serial, to be had from the functions below.
  uint64_t packed;
} heap_block;

/// What was asked for, in bytes. Exact below 16 MB, rounded down to a page above.
static inline uint64_t heap_block_size(heap_block block) {
  uint64_t size = block.packed >> 1 & 0xffffff;
  return (block.packed >> 25 & 1) != 0 ? size << 12 : size;
}

/// What the allocator gave, in bytes: it rounds sizes up. The block's memory must be readable.
size_t memlab_heap_block_room(heap_block block);

/// Higher means later. Unique; between threads the order is right to within 256 allocations.
static inline uint64_t heap_block_serial(heap_block block) { return block.packed >> 26; }

/// Why this build records nothing, in words, or NULL where it can: not under the address and thread
/// sanitizers, where the C library isn't glibc, on processors other than x86-64 and arm64, nor in the
/// portable configuration.
const char *heap_recorder_obstacle(void);

/// Forgets every block and starts to record.
void heap_recorder_start(void);

/// A serial that no block has had yet, and that all later blocks of all threads are above. Otherwise
/// serials only tell the order of one thread's blocks: threads take them in batches.
uint64_t heap_recorder_moment(void);

/// Stops recording. Blocks freed from now on stay listed until the next start: copy them first.
void heap_recorder_stop(void);

/// From now on, and for good, fills each recorded block that is freed with bytes that make no address
/// and no reference count, so that a use after the free crashes. The 128 latest are not used again
/// meanwhile. What `realloc` moves is left as it is.
void heap_recorder_spoil_frees(void);

/// Sets whether the latest blocks that were freed and spoilt are kept from being used again. They
/// are, unless this was called with false.
void heap_recorder_keep_freed(bool are_kept);

/// Whether recording is on.
bool heap_recorder_is_on(void);

/// From now on, and for good, the pointers through which calls reach an allocator are read-only: what
/// can write to memory cannot choose what `malloc` does. To be called where nothing but a process's only
/// thread starts, stops or holds anything later, as in one that is forked.
void heap_recorder_seal(void);

/// Leaves the calling thread's new blocks out until the matching resume. Calls nest. What the
/// thread frees is still taken off the list.
void heap_recorder_pause_thread(void);

/// Ends one `heap_recorder_pause_thread` of the calling thread.
void heap_recorder_resume_thread(void);

/// Keeps every recorded block's memory readable until `heap_recorder_release_frees`: what is freed
/// in between leaves the list at once, but goes back to the allocator only at the release. The
/// third word of each such block (bytes 16 to 23) is overwritten with an invalid address.
/// @return false when nothing is held: frees are being held already (calls don't nest), or the
///   kernel has no `membarrier` (Linux before 4.14, and sandboxes that forbid it), without which a
///   thread may not have noticed yet.
bool heap_recorder_hold_frees(void);

/// Gives back what was freed since `heap_recorder_hold_frees`.
void heap_recorder_release_frees(void);

/// Whether the process allocates through this recorder: not when the program, or a library before
/// this one, has an allocator of its own.
bool heap_recorder_serves(void);

/// To be called once in a process that is a copy of another one, made for a snapshot, and that has
/// one thread. From now on what is allocated comes from memory of the copy's own, and what the other
/// process allocated is never freed: locks of the allocator may be held by threads that are not here.
/// Recording goes on: what was live stays listed, and what a thread allocates that is not paused is
/// listed too. Frees count as held.
/// @param limit how many bytes the copy may ask the kernel for.
void heap_recorder_enter_copy(size_t limit);

/// Whether the allocator that the program would use without the recorder serves all calls. Weak: the
/// linked agent defines it, and elsewhere glibc's serves. Called once, when the process allocates its
/// first block, before `main` and before any library is ready. Where there is such an allocator and the
/// answer was yes, nothing can be recorded later.
bool heap_recorder_gives_way(void) __attribute__((weak));

/// A stretch of memory, as `mmap` gave it.
typedef struct {
  uintptr_t start;
  /// Where it ends; the same as its start where the mapping is gone.
  uintptr_t end;
} heap_mapping;

enum {
  /// How many mappings the recorder can note.
  HEAP_RECORDER_MAPPINGS = 1024
};

/// How many private mappings without a file the program has made by itself, whether recording was on or not:
/// those of a paused thread are left out. The allocator has no blocks in them. What `mremap` has moved is
/// noted where it was.
/// @return the number; -1 where there were more at some time than can be noted.
int heap_recorder_mappings(void);

/// One of these mappings. It may be gone when it is read, or may have been given out again.
/// @param number from zero to below what `heap_recorder_mappings` says.
heap_mapping heap_recorder_mapping(int number);

/// How many blocks are live.
/// @param bytes receives their total size.
size_t heap_recorder_count(size_t *bytes);

/// Copies the live blocks in order of address.
/// @param blocks receives at most `capacity` of them.
/// @return how many there are. A copy without room for all lacks those at the highest addresses,
///   which may be the oldest: make it again, larger.
size_t heap_recorder_copy(heap_block *blocks, size_t capacity);

/// Calls `visit` with each live block, in order of address.
/// @param context is handed to it.
void heap_recorder_visit(void (*visit)(void *context, heap_block block), void *context);

#endif
