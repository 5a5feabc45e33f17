#include "CMemlabLinkedAgent.h"

#if defined(__linux__) && !defined(MEMLAB_PORTABLE)

#include "CMemlabRecorder.h"
#include "CMemlabAgent.h"
#include "CMemlabProcess.h"

// Where the environment does not ask for a record of the heap, the program uses its own allocator.
bool heap_recorder_gives_way(void) { return !memlab_agent_is_wanted(); }

// Symbols of the runtime that the linker finds, and that a program with a static runtime does not export,
// so that `dlsym` cannot find them. All are weak: where a later runtime lacks one, the program can be linked all the same, and reading
// its heap is refused.
#define SYMBOL(variable, symbol) extern const char variable[] __asm__(symbol) __attribute__((weak));
#define ENTRY(variable, symbol) {symbol, variable},
#define SYMBOLS(each)                                                                  \
  each(demangle, "swift_demangle")                                                     \
  each(task_metadata, "_swift_concurrency_debug_asyncTaskMetadata")                    \
  each(slab_metadata, "_swift_concurrency_debug_asyncTaskSlabMetadata")                \
  each(layout_version, "_swift_concurrency_debug_internal_layout_version")             \
  each(task_size, "_swift_concurrency_debug_asyncTaskSize")                            \
  each(escalates, "_swift_concurrency_debug_supportsPriorityEscalation")               \
  each(create_executors, "swift_createExecutors")                                      \
  each(task_number, "swift_task_getJobTaskId")                                         \
  each(current_executor, "swift_task_getCurrentExecutor")                              \
  each(array_descriptor, "$ss23_ContiguousArrayStorageCMn")                            \
  each(array_accessor, "$ss23_ContiguousArrayStorageCMa")                              \
  each(dispatch_calls, "_dispatch_continuation_vtables")

SYMBOLS(SYMBOL)

static const linked_symbol symbols[] = {SYMBOLS(ENTRY)};

// A note as https://refspecs.linuxfoundation.org/elf/gabi4+/ch5.pheader.html#note_section has it, which
// stays in a file that was stripped.
typedef struct {
  uint32_t name_size, text_size, kind;
  char name[8];
  char text[4];
} note;

__attribute__((used, section(".note.memlab"), aligned(4))) static const note mark = {
    .name_size = 7, .text_size = 4, .kind = 1, .name = "memlab", .text = "1"};

// The note is read so that a linker that removes what is unused keeps it.
__attribute__((constructor(101))) static void tell_symbols(void) {
  const volatile note *kept = &mark;
  if (kept->kind == 1) memlab_loaded_symbols_set(symbols, sizeof symbols / sizeof *symbols);
}

#endif
