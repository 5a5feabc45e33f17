#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CProcessAccess.h"

#include <dlfcn.h>
#include <unistd.h>

size_t memory_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

#if defined(__linux__) && !defined(MEMLAB_PORTABLE)

static int avoids_loader;

void loaded_symbols_without_loader(void) { avoids_loader = 1; }

const void *loaded_symbol(const char *name) {
  return avoids_loader ? symbol_in_images(name) : dlsym(RTLD_DEFAULT, name);
}

#else

const void *loaded_symbol(const char *name) { return dlsym(RTLD_DEFAULT, name); }

#endif
