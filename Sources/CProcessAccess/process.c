#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CProcessAccess.h"

#include <dlfcn.h>
#include <unistd.h>

size_t memory_page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

const void *loaded_symbol(const char *name) { return dlsym(RTLD_DEFAULT, name); }
