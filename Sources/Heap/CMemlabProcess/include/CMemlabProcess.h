#ifndef C_PROCESS_ACCESS_H
#define C_PROCESS_ACCESS_H

// The size of a page and the symbols are known everywhere, the rest on Linux only, and not in the
// portable configuration.

#include <stddef.h>
#include <stdint.h>

/// How many bits a process's addresses have at most. The kernel maps nothing above unless it is asked
/// for that very address, see https://docs.kernel.org/arch/x86/x86_64/5level-paging.html and
/// https://docs.kernel.org/arch/arm64/memory.html.
#if defined(__x86_64__)
#define USER_ADDRESS_BITS 47
#else
#define USER_ADDRESS_BITS 48
#endif

/// One stretch of memory that the dynamic loader mapped from a file.
typedef struct {
  uintptr_t start;
  uintptr_t end;
  /// What the file's addresses are moved by.
  uintptr_t bias;
  /// The file's path; empty for the program itself. Stays valid while the image is loaded.
  const char *path;
  /// Nonzero when it may be written to, after the loader has made its own part read-only.
  uint8_t is_writable;
  /// Nonzero when it holds code.
  uint8_t is_executable;
} loaded_segment;

/// Lists the segments of every loaded image, in the loader's order.
/// @param buffer receives at most `capacity` of them.
/// @return how many there are, which may be more than `capacity`.
size_t memlab_loaded_segments_list(loaded_segment *buffer, size_t capacity);

/// How often an image was loaded or unloaded: the list is the same as long as this is.
uint64_t memlab_loaded_images_changes(void);

/// How many bytes a page of memory has, as the kernel says at run time.
size_t memlab_memory_page_size(void);

/// What the environment says under a name; null where it says nothing, and in a program that has other
/// rights than who starts it.
const char *memlab_process_variable(const char *name);

/// Asks the runtime to give each frame of a task a block of its own, in place of room in a slab. To be
/// called before the first task is made. Swift 6.2 and a runtime in the program's own file know no such
/// thing, and where the environment has SWIFT_DEBUG_ENABLE_TASK_SLAB_ALLOCATOR, that decides.
void memlab_prefer_exact_frames(void);

/// The address of an exported symbol, null when nothing loaded exports it.
const void *memlab_loaded_symbol(const char *name);

/// Looks symbols up without the loader's lock from now on, in every loaded image. For a copy of a
/// process with one thread, where another thread may have held that lock.
void memlab_loaded_symbols_without_loader(void);

/// The address of a symbol that an image exports in its table of the GNU form: the first image that
/// has it counts, in the loader's order.
const void *memlab_symbol_in_images(const char *name);

/// The same, but skips the image that an address lies in.
const void *memlab_symbol_in_other_images(const char *name, const void *own);

/// A symbol that the linker resolved.
typedef struct {
  const char *name;
  const void *address;
} linked_symbol;

/// Sets the symbols that `memlab_loaded_symbol` looks through before it asks the loader: a program with a static
/// Swift runtime exports nothing of it.
/// @param symbols must stay where they are. Those without an address are skipped.
void memlab_loaded_symbols_set(const linked_symbol *symbols, size_t count);

/// Copies bytes of this process that may not be mapped, without ever faulting: the kernel copies
/// them. Containers may forbid `process_vm_readv`; then they go through a pipe.
/// @param count at most 4096.
/// @return 1 when copied, 0 when they can't be read, -1 when the kernel doesn't tell.
int memlab_memory_copy(uintptr_t address, void *buffer, size_t count);

/// The same through a pipe in any case.
int memlab_memory_copy_through_pipe(uintptr_t address, void *buffer, size_t count);

/// Copies memory of this process that may go away meanwhile, up to the first byte that can't be read.
/// Containers and emulators may not have `process_vm_readv`; then it goes through a pipe.
/// @return how many bytes were copied; -1 where neither is available.
long memlab_memory_copy_some(uintptr_t address, void *buffer, size_t count);

/// The same through a pipe in any case.
long memlab_memory_copy_some_through_pipe(uintptr_t address, void *buffer, size_t count);

/// How long it takes until a timer of `timer_create` fires, in nanoseconds; 0 when it will not.
/// @param number the kernel's number for it, as `/proc/self/timers` has it.
int64_t memlab_timer_left(int number);

/// What a function may use below its stack pointer, in bytes, in the ABI of System V.
#define STACK_RED_ZONE 128

/// Another thread of this process, and what was copied of it while it was stopped.
typedef struct {
  /// The kernel's number for it.
  long id;
  /// Where the copied part of its stack begins, and how many bytes it has: 0 when it could not be stopped.
  uintptr_t stack_start;
  size_t copied;
  /// All its registers, in no order that matters; 0 for those that this processor does not have.
  uintptr_t registers[40];
  /// For the helper: the signal that it was about to receive.
  int signal;
} copied_thread;

/// Stops some other threads of this process at once, copies their registers and stacks, and lets them go on.
/// What they wait for is not interrupted: the kernel goes on with it, as after a debugger's stop. Needs
/// `ptrace`, which containers and a debugger that is attached may not leave to it; then nothing is copied.
/// @param memory has room for `size` bytes of each thread's stack.
void memlab_threads_copy(copied_thread *threads, size_t count, void *memory, size_t size);

/// Finds words that may be addresses of blocks: those that lie, without the bits of a tag, between
/// `lowest` and `lowest + span`.
/// @param start where to look, a multiple of eight.
/// @param end where to stop.
/// @param mask the bits of an address that do not belong to a tag.
/// @param found receives at most `capacity` places of such words.
/// @return where the search ended: `end`, or behind the last place when `found` was full.
uintptr_t memlab_words_within(uintptr_t start, uintptr_t end, uintptr_t mask, uintptr_t lowest,
                       uintptr_t span, uintptr_t *found, size_t capacity, size_t *count);

/// Finds bytes among others.
/// @return where they stand first, or `count`.
size_t memlab_place_of_bytes(const void *bytes, size_t count, const void *pattern, size_t length);

#endif
