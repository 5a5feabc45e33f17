#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMemlabProcess.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t memlab_memory_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

const char *memlab_process_variable(const char *name) {
#if defined(__APPLE__)
  return issetugid() ? NULL : getenv(name);
#else
  return secure_getenv(name);
#endif
}

#if defined(__linux__) && !defined(MEMLAB_PORTABLE)

#include <sys/syscall.h>
#include <time.h>

// The C library knows its timers by numbers of its own.
int64_t memlab_timer_left(int number) {
  struct itimerspec timer;
  if (syscall(SYS_timer_gettime, number, &timer) != 0) return 0;
  return (int64_t)timer.it_value.tv_sec * 1000000000 + timer.it_value.tv_nsec;
}

static bool prefers_exact_frames, avoids_loader;

void memlab_prefer_exact_frames(void) { prefers_exact_frames = true; }

// The concurrency library asks for it by name, so the program's stands before that of the core library,
// which reads the environment: stdlib/public/Concurrency/TaskPrivate.h. A runtime in the program's own
// file keeps its own. A copy of the program, in which another thread may have had the loader's lock, asks
// for none.
__attribute__((weak, visibility("default"))) bool concurrencyEnableTaskSlabAllocator(void) {
  if (prefers_exact_frames && memlab_process_variable("SWIFT_DEBUG_ENABLE_TASK_SLAB_ALLOCATOR") == NULL) return false;
  bool (*of_runtime)(void) = avoids_loader ? NULL : (bool (*)(void))dlsym(RTLD_NEXT, __func__);
  return of_runtime == NULL || of_runtime();
}

static const linked_symbol *linked;
static size_t linked_count;

void memlab_loaded_symbols_set(const linked_symbol *symbols, size_t count) {
  linked = symbols;
  linked_count = count;
}

void memlab_loaded_symbols_without_loader(void) { avoids_loader = true; }

const void *memlab_loaded_symbol(const char *name) {
  for (size_t i = 0; i < linked_count; i++) {
    if (linked[i].address != NULL && strcmp(linked[i].name, name) == 0) return linked[i].address;
  }
  return avoids_loader ? memlab_symbol_in_images(name) : dlsym(RTLD_DEFAULT, name);
}

#else

void memlab_prefer_exact_frames(void) {}

const void *memlab_loaded_symbol(const char *name) { return dlsym(RTLD_DEFAULT, name); }

#endif
