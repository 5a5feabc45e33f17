#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMemlabProcess.h"

#if defined(__linux__) && !defined(MEMLAB_PORTABLE)

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// A system call, not `clock_gettime`: memlab stops the C library's clocks on the thread that runs
// tasks.
uint64_t real_nanoseconds(void) {
  struct timespec now = {0};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

#endif
