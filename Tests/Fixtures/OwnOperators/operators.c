// Gives a program operators of C++ that take memory of their own, as jemalloc's do: to be preloaded.
// One of its operators `delete` calls `free`.
#include <stddef.h>
#include <stdlib.h>

static char room[1 << 24] __attribute__((aligned(16)));
static size_t used;

void *_Znwm(size_t size) {
  return room + __atomic_fetch_add(&used, (size + 31) & ~(size_t)15, __ATOMIC_RELAXED);
}
void _ZdlPv(void *block) { free(block); }
void _ZdlPvm(void *block, size_t size) { free(block); }

__attribute__((constructor)) static void use(void) { _ZdlPv(_Znwm(100)); }
