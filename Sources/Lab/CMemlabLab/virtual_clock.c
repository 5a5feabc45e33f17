#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "CMemlabLab.h"
#include "platform.h"

#include <time.h>

#if LAB_HAS_PROCESS

#include <sys/syscall.h>
#include <unistd.h>

// 2024-01-01T00:00:00Z. Every virtual run begins then, on every clock.
static const int64_t fixed_point_seconds = 1704067200;

static _Thread_local int is_virtual;
static _Thread_local int64_t virtual_nanoseconds;

// glibc does not export the function that this one replaces, so real time needs a system call. That
// is slower, and fast enough for the few readings that a run makes on other threads.
int clock_gettime(clockid_t clock, struct timespec *time) {
  if (is_virtual && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID) {
    time->tv_sec = fixed_point_seconds + virtual_nanoseconds / 1000000000;
    time->tv_nsec = virtual_nanoseconds % 1000000000;
    return 0;
  }
  return (int)syscall(SYS_clock_gettime, clock, time);
}

int memlab_virtual_clock_available(void) { return 1; }

void memlab_virtual_clock_set(int64_t nanoseconds) {
  is_virtual = 1;
  virtual_nanoseconds = nanoseconds;
}

int64_t memlab_real_nanoseconds(clockid_t clock) {
  struct timespec now = {0};
  syscall(SYS_clock_gettime, clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

#else

int64_t memlab_real_nanoseconds(clockid_t clock) {
  struct timespec now = {0};
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int memlab_virtual_clock_available(void) { return 0; }
void memlab_virtual_clock_set(int64_t nanoseconds) { (void)nanoseconds; }

#endif
